//! The block of a thread, as `abi::thread` lays it out, with the runtime's own state behind it.
//!
//! Instrumented code finds it through `__nonius_tls`, by the initial-exec model: the pointer
//! lies in the static part of thread-local storage, so reaching it never allocates. A block is
//! mapped at the thread's first need and unmapped by the last round of the thread's
//! pthread-key destructors. Code that runs later still (or a signal handler) just makes another.

use crate::pages;
use crate::roots::Root;
use nonius_abi::thread::BYTES;
use std::cell::{Cell, UnsafeCell};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// This thread's block, null until made.
///
/// Rust has no stable way to export a thread-local symbol. An ordinary static placed into a TLS
/// section becomes one (the assembler types the symbol after its section), as long as no Rust
/// code refers to it by name: all access is through [`pointer`].
#[unsafe(no_mangle)]
#[unsafe(link_section = ".tbss.__nonius_tls")]
pub static mut __nonius_tls: *mut u8 = std::ptr::null_mut();

/// How deep `__nonius_api_region_begin` nests before names are no longer kept.
pub const REGION_DEPTH: usize = 16;

/// The runtime's own part of a block, after `abi::thread::BYTES`.
#[repr(C)]
pub struct ThreadLocals {
    /// The thread's number, in order of first need.
    pub number: u32,
    /// The runtime is at work in this thread: a hook called now comes from a signal handler
    /// or from an allocator of the program, and must stay out.
    pub inside: Cell<bool>,
    destructor_rounds: Cell<u32>,
    pub region_depth: Cell<u32>,
    pub regions: [Cell<u32>; REGION_DEPTH],
    /// The buffer of events, null until made; see `events`.
    pub event_start: Cell<*mut u64>,
    /// Words of it that were handed on already. This and the next are used under the lock of `events`.
    pub event_taken: Cell<usize>,
    /// Events were dropped.
    pub event_lost: Cell<bool>,
    /// What it records lies in a task, under the same lock; and how many tasks are open, one in the other.
    pub event_in_task: Cell<bool>,
    pub task_depth: Cell<u32>,
    /// Where the next event goes once the signal handler that runs now is done.
    pub event_resume: Cell<*mut u64>,
    /// An address in that handler's frame; 0 if none runs.
    pub event_muted_frame: Cell<usize>,
    /// The alternate stack that the handler runs on: from, to; 0 if it runs on the thread's own.
    pub event_muted_stack: Cell<(usize, usize)>,
    /// The lock of `address_locks` that this thread has.
    pub address_lock: Cell<*const AtomicBool>,
    /// What the value that will be asked for next has of a restarted one: how far its ideal is off by that, and where that
    /// was found; see `request`.
    pub restarted: Cell<(f64, Root)>,
    /// Where a return address was replaced for a debugger, and that address; see `debugger`.
    pub stop_at: Cell<(usize, usize)>,
}

const LOCALS: usize = (BYTES as usize).next_multiple_of(64);
const BLOCK_BYTES: usize = LOCALS + size_of::<ThreadLocals>();

static THREADS: AtomicU32 = AtomicU32::new(0);
/// The key plus one; 0 before start-up.
static KEY: AtomicU32 = AtomicU32::new(0);

/// Address of this thread's `__nonius_tls`.
#[inline]
fn pointer() -> *mut *mut u8 {
    let at: *mut *mut u8;
    // SAFETY: reads the thread pointer and the symbol's offset, as the initial-exec model has it.
    unsafe {
        std::arch::asm!(
            "mov {at}, qword ptr [rip + __nonius_tls@GOTTPOFF]",
            "add {at}, qword ptr fs:[0]",
            at = out(reg) at,
            options(nostack, readonly, pure)
        );
    }
    at
}

/// This thread's block, made if there is none yet.
#[inline]
pub fn block() -> *mut u8 {
    // SAFETY: `pointer` is the address of a live thread-local variable of this thread.
    let block = unsafe { *pointer() };
    if block.is_null() { make() } else { block }
}

/// The runtime's own state for this thread.
#[inline]
pub fn locals<'a>() -> Option<&'a ThreadLocals> {
    let block = block();
    // SAFETY: a block is BLOCK_BYTES long, zeroed or filled by `make`, and lives until the
    // thread ends; its cells are this thread's alone, as the shared block is left out.
    (block != SHARED.0.get().cast()).then(|| unsafe { &*block.add(LOCALS).cast::<ThreadLocals>() })
}

/// This thread's block, if it has one.
pub fn existing() -> Option<*mut u8> {
    // SAFETY: `pointer` is the address of a live thread-local variable of this thread.
    let block = unsafe { *pointer() };
    (!block.is_null() && block != SHARED.0.get().cast()).then_some(block)
}

/// The runtime's own part of another thread's block.
///
/// # Safety
/// `block` was made by `make` and is mapped for as long as the reference lives.
pub unsafe fn locals_of<'a>(block: *mut u8) -> &'a ThreadLocals {
    // SAFETY: as this function demands.
    unsafe { &*block.add(LOCALS).cast::<ThreadLocals>() }
}

/// For threads that the kernel gives no memory for a block: shared, so their shadows may be wrong,
/// but instrumented code relies on there being one.
static SHARED: Shared = Shared(UnsafeCell::new([0; BLOCK_BYTES]));

#[repr(C, align(64))]
struct Shared(UnsafeCell<[u8; BLOCK_BYTES]>);

// SAFETY: only instrumented code uses the bytes, and what it finds there it checks against its tags.
unsafe impl Sync for Shared {}

#[cold]
fn make() -> *mut u8 {
    let Some(block) = pages::reserve(BLOCK_BYTES) else { return SHARED.0.get().cast() };
    let block = block.as_ptr();
    // SAFETY: the block was just mapped with room for `ThreadLocals` at LOCALS, and is zero, which is a
    // valid `ThreadLocals`; `pointer` is this thread's own variable.
    unsafe {
        (*block.add(LOCALS).cast::<ThreadLocals>()).number = THREADS.fetch_add(1, Ordering::Relaxed);
        *pointer() = block;
        if let Some(key) = KEY.load(Ordering::Acquire).checked_sub(1) {
            ::libc::pthread_setspecific(key, block.cast());
        }
    }
    block
}

/// Makes the key whose destructor frees blocks, and the block of this thread, which is number 0. Called once at start.
pub fn start() {
    let mut key = 0;
    // SAFETY: `key` is writable and `at_thread_end` has the signature that is asked for.
    if unsafe { ::libc::pthread_key_create(&mut key, Some(at_thread_end)) } == 0 {
        KEY.store(key + 1, Ordering::Release);
    }
    block();
}

/// Destructors of other keys may still run instrumented code, so the block stays until the
/// last round that POSIX promises.
unsafe extern "C" fn at_thread_end(block: *mut ::libc::c_void) {
    const ROUNDS: u32 = 4; // PTHREAD_DESTRUCTOR_ITERATIONS of glibc
    let Some(key) = KEY.load(Ordering::Acquire).checked_sub(1) else { return };
    let block = block.cast::<u8>();
    // SAFETY: the key's value is only ever set by `make`, to a block of this thread.
    let locals = unsafe { &*block.add(LOCALS).cast::<ThreadLocals>() };
    let round = locals.destructor_rounds.get() + 1;
    locals.destructor_rounds.set(round);
    if round < ROUNDS {
        // SAFETY: the key exists for as long as the process.
        unsafe { ::libc::pthread_setspecific(key, block.cast()) };
        return;
    }
    crate::cancellation::forget();
    crate::doubts::note_underflow();
    crate::events::at_thread_end(block, locals);
    // SAFETY: `block` is what `make` mapped for this thread; its pointer is cleared first, so
    // that nothing of this thread, the only user, refers to it any more.
    unsafe {
        if *pointer() == block {
            *pointer() = std::ptr::null_mut();
        }
        if let Some(at) = NonNull::new(block) {
            pages::release(at, BLOCK_BYTES);
        }
    }
}

/// Marks the runtime as at work in this thread while it lives; see [`ThreadLocals::inside`].
pub struct Inside<'a>(&'a ThreadLocals);

impl Inside<'_> {
    /// `None` if the runtime is already at work in this thread.
    #[inline]
    pub fn enter() -> Option<Self> {
        let locals = locals()?;
        if locals.inside.replace(true) { None } else { Some(Inside(locals)) }
    }

    pub fn locals(&self) -> &ThreadLocals {
        self.0
    }
}

impl Drop for Inside<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.inside.set(false);
    }
}
