//! Stacks: walked by the unwinder when a finding is kept, as bare addresses; named at exit.
//!
//! Captures lie in one reserved range, so that keeping one allocates nothing.

use crate::image;
use crate::preserving::calls_cold_path;
use nonius_image::Section;
use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// Most frames that are kept of a stack.
pub const DEPTH: usize = 62;
const SLOTS: u32 = 1 << 21;
const RESERVED: usize = SLOTS as usize * size_of::<Stack>();
const _: () = assert!(RESERVED as u64 <= Section::Stacks.bytes());
/// Stands for how a stack lies in memory.
pub const LAYOUT: (usize, usize) = (size_of::<Stack>(), DEPTH);

static START: AtomicPtr<Stack> = AtomicPtr::new(null_mut());
/// The next free slot; slot 0 is never used.
static NEXT: AtomicU32 = AtomicU32::new(1);

/// Names a captured stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackId(u32);

impl StackId {
    pub const NONE: StackId = StackId(0);
}

#[repr(C)]
#[derive(Clone)]
struct Stack {
    frames: u64,
    cut: u64,
    addresses: [usize; DEPTH],
}

/// The stacks of a process that is gone.
pub fn restore(start: NonNull<u8>) {
    START.store(start.as_ptr().cast(), Ordering::Release);
}

/// The addresses of a stack, innermost first: of the instruction in each frame that is at work.
pub fn addresses(id: StackId) -> Vec<usize> {
    let start = START.load(Ordering::Acquire);
    if id == StackId::NONE || id.0 >= SLOTS || start.is_null() {
        return Vec::new();
    }
    // SAFETY: the slot lies in the range; a capture that is just being made may tear, which
    // gives a wrong frame and no more.
    let stack = unsafe { start.add(id.0 as usize).read_volatile() };
    stack.addresses[..(stack.frames as usize).min(DEPTH)].to_vec()
}

/// Walks the stack of this thread into `slot`, or a new one. Leaves out the runtime's own frames.
pub fn capture(slot: StackId) -> StackId {
    let id = if slot == StackId::NONE { NEXT.fetch_add(1, Ordering::Relaxed) } else { slot.0 };
    let Some(start) = all().filter(|_| id < SLOTS) else { return StackId::NONE };
    // SAFETY: the slot lies in the range and is this call's alone, or its record's, whose lock is held.
    let stack = unsafe { &mut *start.add(id as usize) };
    stack.frames = 0;
    // SAFETY: `frame` expects the pointer that is passed, which outlives the walk.
    unsafe { _Unwind_Backtrace(frame, (stack as *mut Stack).cast()) };
    StackId(id)
}

fn all() -> Option<*mut Stack> {
    let start = START.load(Ordering::Acquire);
    if !start.is_null() {
        return Some(start);
    }
    let new = image::reserve(Section::Stacks, RESERVED)?;
    match START.compare_exchange(null_mut(), new.as_ptr().cast(), Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(new.as_ptr().cast()),
        Err(other) => {
            // SAFETY: reserved just now and known to nobody.
            unsafe { image::release(Section::Stacks, new, RESERVED) };
            Some(other)
        }
    }
}

unsafe extern "C" {
    fn _Unwind_Backtrace(step: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int, data: *mut c_void) -> c_int;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
    fn _Unwind_GetIPInfo(context: *mut c_void, before_instruction: *mut c_int) -> usize;
    /// Where the linker put this library's start and the end of its code.
    static __ehdr_start: u8;
    static _etext: u8;
}

const GO_ON: c_int = 0; // _URC_NO_REASON
const STOP: c_int = 4; // _URC_NORMAL_STOP

/// Gives `visit` the addresses of this thread's frames, innermost first, until it says false.
pub fn walk(mut visit: &mut dyn FnMut(usize) -> bool) {
    unsafe extern "C" fn step(context: *mut c_void, visit: *mut c_void) -> c_int {
        // SAFETY: the unwinder hands on its own context, and the pointer that it was given.
        unsafe {
            let address = address_of(context);
            let visit = &mut *visit.cast::<&mut dyn FnMut(usize) -> bool>();
            if address != 0 && visit(address) { GO_ON } else { STOP }
        }
    }
    // SAFETY: `step` expects the pointer that is passed, which outlives the walk.
    unsafe { _Unwind_Backtrace(step, (&raw mut visit).cast()) };
}

/// Where the address lies to which the runtime returns, in the program.
pub fn return_to_program() -> Option<*mut usize> {
    unsafe extern "C" fn step(context: *mut c_void, found: *mut c_void) -> c_int {
        let mut before_instruction = 0;
        // SAFETY: the unwinder hands on its own context, and the pointer that it was given.
        unsafe {
            let found = &mut *found.cast::<*mut usize>();
            let address = _Unwind_GetIPInfo(context, &mut before_instruction);
            if calls_cold_path(address) {
                *found = null_mut();
                return GO_ON;
            }
            if !found.is_null() {
                return STOP;
            }
            if is_own(address) {
                return GO_ON;
            }
            // The stack begins there for the program, once its call is over.
            let place = (_Unwind_GetCFA(context) as *mut usize).wrapping_sub(1);
            if before_instruction == 0 && !place.is_null() && *place == address {
                *found = place;
                // It may be a cold path, which the next frame says.
                return GO_ON;
            }
        }
        STOP
    }
    let mut found: *mut usize = null_mut();
    // SAFETY: `step` expects the pointer that is passed, which outlives the walk.
    unsafe { _Unwind_Backtrace(step, (&raw mut found).cast()) };
    (!found.is_null()).then_some(found)
}

/// The instruction at which a frame is at work; 0 if there is none.
///
/// # Safety
/// `context` is the unwinder's.
unsafe fn address_of(context: *mut c_void) -> usize {
    let mut before_instruction = 0;
    // SAFETY: as this function demands.
    let ip = unsafe { _Unwind_GetIPInfo(context, &mut before_instruction) };
    // A return address follows the call; a frame that a signal interrupted is at its instruction.
    if before_instruction == 0 { ip.saturating_sub(1) } else { ip }
}

unsafe extern "C" fn frame(context: *mut c_void, stack: *mut c_void) -> c_int {
    // SAFETY: the unwinder hands on its own context, and the pointer that `capture` gave it.
    let (address, stack) = unsafe { (address_of(context), &mut *stack.cast::<Stack>()) };
    if address == 0 {
        return STOP;
    }
    if stack.frames == 1 && calls_cold_path(address + 1) {
        // The frame before is a part of the one behind.
        stack.frames = 0;
    }
    if stack.frames == 0 && is_own(address) {
        return GO_ON;
    }
    let Some(place) = stack.addresses.get_mut(stack.frames as usize) else { return STOP };
    *place = address;
    stack.frames += 1;
    GO_ON
}

/// Whether an address lies in the runtime.
pub fn is_own(address: usize) -> bool {
    (&raw const __ehdr_start as usize..&raw const _etext as usize).contains(&address)
}
