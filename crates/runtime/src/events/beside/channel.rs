//! Memory that a program and its machine share: a slot for each process of the program that has a machine.
//!
//! ```text
//! | slot 0: head page | ring to the machine, 1 MiB | ring to the program, 128 KiB | slot 1 ... |
//! ```
//! It is mapped before the machine is forked, and has neither name nor descriptor: it goes with the last process that
//! has it, however that ends, and takes memory only where it was used. A process that the program forks takes a slot of
//! its own, which its machine gives back in the end.

use crate::pages;
use ::libc::{c_int, pthread_mutex_t};
use nonius_ring::{Bell, Control, Words};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Processes of a program that have a machine at the same time.
pub const SLOTS: usize = 128;
const HEAD_BYTES: usize = pages::PAGE;
/// 16 whole buffers of a thread: a program runs ahead so far, and then waits.
const DOWN_WORDS: usize = 1 << 17;
const UP_WORDS: usize = 1 << 14;
const SLOT_BYTES: usize = HEAD_BYTES + (DOWN_WORDS + UP_WORDS) * 8;
const BYTES: usize = SLOTS * SLOT_BYTES;

/// Where a slot is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum State {
    Free,
    /// A process has it, or is about to be forked; its machine is on its way.
    Taken,
    /// Its machine is there, and holds `alive`.
    Attached,
    /// There will be no machine.
    Refused,
}

impl State {
    fn of(number: u32) -> State {
        [State::Free, State::Taken, State::Attached].into_iter().find(|s| *s as u32 == number).unwrap_or(State::Refused)
    }
}

/// The head page of a slot.
#[repr(C)]
pub struct Slot {
    pub to_machine: Control,
    pub to_program: Control,
    /// The machine sleeps: for chunks, or for room.
    pub machine_bell: Bell,
    /// The program sleeps: for room, or for an answer.
    pub program_bell: Bell,
    state: AtomicU32,
    /// The process of the program, once it knows its number.
    pub client: AtomicU32,
    /// Walked so far, for those who are left when the machine is gone.
    pub operations: AtomicU64,
    /// A lock that the machine holds as long as it lives: the kernel takes it from the dead.
    alive: UnsafeCell<pthread_mutex_t>,
}

const _: () = assert!(size_of::<Slot>() <= HEAD_BYTES);

impl Slot {
    pub fn state(&self) -> State {
        State::of(self.state.load(Ordering::Acquire))
    }

    pub fn set_state(&self, state: State) {
        self.state.store(state as u32, Ordering::Release);
        wake(&self.program_bell);
    }

    /// The machine is there, unless nobody waits for it any more.
    pub fn attach(&self) -> bool {
        let (taken, attached) = (State::Taken as u32, State::Attached as u32);
        let is_first = self.state.compare_exchange(taken, attached, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        wake(&self.program_bell);
        is_first
    }

    /// Takes a slot that is free.
    fn take(&self) -> bool {
        let (free, taken) = (State::Free as u32, State::Taken as u32);
        if self.state.compare_exchange(free, taken, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return false;
        }
        self.to_machine.reset();
        self.to_program.reset();
        self.client.store(0, Ordering::Relaxed);
        self.operations.store(0, Ordering::Relaxed);
        true
    }

    /// The machine says that it lives, from this thread on.
    pub fn hold(&self) -> bool {
        let mut how = std::mem::MaybeUninit::uninit();
        // SAFETY: the attributes are made before they are used; the mutex lies in memory that stays mapped, and is made by
        // the machine alone, before the state says that it is there.
        unsafe {
            ::libc::pthread_mutexattr_init(how.as_mut_ptr());
            ::libc::pthread_mutexattr_setpshared(how.as_mut_ptr(), ::libc::PTHREAD_PROCESS_SHARED);
            ::libc::pthread_mutexattr_setrobust(how.as_mut_ptr(), ::libc::PTHREAD_MUTEX_ROBUST);
            let made = ::libc::pthread_mutex_init(self.alive.get(), how.as_ptr()) == 0;
            made && ::libc::pthread_mutex_lock(self.alive.get()) == 0
        }
    }

    /// Whether the machine that was attached still lives.
    pub fn is_held(&self) -> bool {
        // SAFETY: made by the machine before it said that it is there. Whoever takes it from the dead keeps it.
        unsafe { ::libc::pthread_mutex_trylock(self.alive.get()) == ::libc::EBUSY }
    }
}

/// The whole.
#[derive(Clone, Copy)]
pub struct Shared(*mut u8);

// SAFETY: memory that stays mapped as long as the process; what lies there is atomic, or follows the ring's rules.
unsafe impl Send for Shared {}

impl Shared {
    pub fn new() -> std::io::Result<Shared> {
        let (access, how) = (::libc::PROT_READ | ::libc::PROT_WRITE, ::libc::MAP_SHARED | ::libc::MAP_ANONYMOUS);
        let how = how | ::libc::MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice.
        let at = unsafe { ::libc::mmap(std::ptr::null_mut(), BYTES, access, how, -1, 0) };
        if at == ::libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        // SAFETY: advice on the range just mapped: core files leave it out.
        unsafe { ::libc::madvise(at, BYTES, ::libc::MADV_DONTDUMP) };
        pages::note(at as usize, BYTES);
        Ok(Shared(at.cast()))
    }

    /// Gives the memory back, where there is no machine.
    pub fn unmap(self) {
        // SAFETY: made by `new`, and nobody refers to it.
        unsafe { ::libc::munmap(self.0.cast(), BYTES) };
    }

    pub fn address(self) -> usize {
        self.0 as usize
    }

    pub fn slot(self, number: usize) -> &'static Slot {
        assert!(number < SLOTS);
        // SAFETY: a page of the mapping, which stays; zeros are a slot that is free.
        unsafe { &*self.0.add(number * SLOT_BYTES).cast::<Slot>() }
    }

    fn words(self, number: usize, from: usize, count: usize) -> Words {
        assert!(number < SLOTS);
        let at = self.0.wrapping_add(number * SLOT_BYTES + HEAD_BYTES).cast::<u64>().wrapping_add(from);
        // SAFETY: a stretch of the slot, which stays mapped; it is this ring's alone.
        unsafe { Words::new(at, count) }
    }

    pub fn to_machine(self, number: usize) -> Words {
        self.words(number, 0, DOWN_WORDS)
    }

    pub fn to_program(self, number: usize) -> Words {
        self.words(number, DOWN_WORDS, UP_WORDS)
    }

    /// A slot for another process, if one is free.
    pub fn take(self) -> Option<usize> {
        (0..SLOTS).find(|number| self.slot(*number).take())
    }
}

/// Sleeps until the bell rings, it was rung already, or time is over.
pub fn sleep(bell: &Bell, most: Duration) {
    let most = ::libc::timespec { tv_sec: most.as_secs() as i64, tv_nsec: i64::from(most.subsec_nanos()) };
    futex(bell, ::libc::FUTEX_WAIT, 1, &raw const most);
}

/// Wakes the other side, if it sleeps.
pub fn wake(bell: &Bell) {
    if bell.ring() {
        futex(bell, ::libc::FUTEX_WAKE, 1, std::ptr::null());
    }
}

fn futex(bell: &Bell, what: c_int, value: u32, most: *const ::libc::timespec) {
    // SAFETY: the word is mapped and aligned, the time is null or valid.
    unsafe { ::libc::syscall(::libc::SYS_futex, bell.word().as_ptr(), what, value, most, 0, 0) };
}
