//! Signals that end the process: what was found is told before.
//!
//! A handler stands in for the default action of such signals from the first finding, or the first event, on: a program
//! without any is left alone, and so is one that has handlers of its own, then or later. The handler reports, puts the
//! default action back and has the signal come again, so that the process ends by the same signal, with the same core.
//!
//! ```text
//!  signal --> another thread is at it: waits for the end
//!         --> the runtime is at work in this thread: comes back in a moment (a fault cannot: ends)
//!         --> reports, on a stack of its own --> default action --> the same signal again
//! ```
//! A report takes memory and locks: those are the runtime's own, or the loader's, which a thread may take twice. A report
//! that gets stuck all the same is ended with the process. Limits: a stack that has overflowed has no room for a handler,
//! and SIGKILL has none; other threads of the program run on while the report is made.

use crate::say::KeepErrno;
use crate::{exit, pages, thread};
use ::libc::{SIG_DFL, c_int, c_void, sigaction, siginfo_t};
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

/// Their default action ends the process.
const FATAL: [c_int; 17] = [
    ::libc::SIGHUP,
    ::libc::SIGINT,
    ::libc::SIGQUIT,
    ::libc::SIGILL,
    ::libc::SIGABRT,
    ::libc::SIGBUS,
    ::libc::SIGFPE,
    ::libc::SIGSEGV,
    ::libc::SIGPIPE,
    ::libc::SIGALRM,
    ::libc::SIGTERM,
    ::libc::SIGUSR1,
    ::libc::SIGUSR2,
    ::libc::SIGXCPU,
    ::libc::SIGXFSZ,
    ::libc::SIGVTALRM,
    ::libc::SIGPROF,
];
/// Of them, what an instruction causes: it is there again when the handler returns.
const FAULTS: [c_int; 4] = [::libc::SIGILL, ::libc::SIGBUS, ::libc::SIGFPE, ::libc::SIGSEGV];

/// Debug information nests, and its reader with it.
const STACK_BYTES: usize = 8 << 20;
/// A report that takes longer is stuck.
const MOST_SECONDS: i64 = 60;
/// The runtime's own work in a thread is over before that.
const MOMENT_NANOSECONDS: i64 = 1_000_000;
const MOST_MOMENTS: u32 = 2000;

static IS_WATCHING: AtomicBool = AtomicBool::new(false);
/// The thread that reports before the process ends, 0 if none does.
static REPORTING: AtomicI32 = AtomicI32::new(0);
static MOMENTS: AtomicU32 = AtomicU32::new(0);

/// There is something to tell from now on.
#[inline]
pub fn watch() {
    if !IS_WATCHING.load(Ordering::Relaxed) {
        watch_all();
    }
}

#[cold]
fn watch_all() {
    if IS_WATCHING.swap(true, Ordering::Relaxed) {
        return;
    }
    let _errno = KeepErrno::new();
    for signal in FATAL {
        // SAFETY: the structures are valid when zero, and filled in; the handler stays.
        unsafe {
            let (mut new, mut old): (sigaction, sigaction) = (std::mem::zeroed(), std::mem::zeroed());
            new.sa_sigaction = ours();
            new.sa_flags = ::libc::SA_SIGINFO | ::libc::SA_ONSTACK | ::libc::SA_RESTART;
            let is_default = sigaction(signal, std::ptr::null(), &mut old) == 0 && old.sa_sigaction == SIG_DFL;
            if is_default {
                sigaction(signal, &new, null_mut());
            }
        }
    }
}

/// The handler, for those who show the program its own actions.
pub fn ours() -> ::libc::sighandler_t {
    on_signal as *const () as ::libc::sighandler_t
}

fn this_thread() -> c_int {
    // SAFETY: has no preconditions.
    unsafe { ::libc::gettid() }
}

unsafe extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
    let _errno = KeepErrno::new();
    // SAFETY: the kernel hands the handler a valid structure.
    let is_fault = FAULTS.contains(&signal) && unsafe { (*info).si_code } > 0;
    let own = this_thread();
    match REPORTING.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {}
        // The report itself has failed.
        Err(other) if other == own => return die(signal, info, is_fault),
        Err(_) => loop {
            // SAFETY: has no preconditions.
            unsafe { ::libc::pause() };
        },
    }
    let is_inside = thread::existing().is_some() && thread::locals().is_some_and(|locals| locals.inside.get());
    if !is_inside {
        reset(signal);
        let _limit = Timer::start(::libc::SIGKILL, MOST_SECONDS, 0);
        on_own_stack(tell);
        die(signal, info, is_fault);
    } else if is_fault || MOMENTS.fetch_add(1, Ordering::Relaxed) >= MOST_MOMENTS {
        die(signal, info, is_fault);
    } else if let Some(timer) = Timer::start(signal, 0, MOMENT_NANOSECONDS) {
        // It ends with the process.
        std::mem::forget(timer);
    } else {
        die(signal, info, is_fault);
    }
    REPORTING.store(0, Ordering::Release);
}

extern "C" fn tell() {
    exit::flush_before_end();
}

fn reset(signal: c_int) {
    // SAFETY: zero is the default action, with no flags.
    unsafe {
        let default: sigaction = std::mem::zeroed();
        sigaction(signal, &default, null_mut());
    }
}

/// The signal comes again, with what came with it, once the handler has returned.
fn die(signal: c_int, info: *mut siginfo_t, is_fault: bool) {
    reset(signal);
    if !is_fault {
        // SAFETY: the kernel's own structure, sent to the thread that it came to.
        unsafe { ::libc::syscall(::libc::SYS_rt_tgsigqueueinfo, ::libc::getpid(), this_thread(), signal, info) };
    }
}

/// Calls `f` on a stack that has room for all that a report needs; on the thread's own if there is no memory.
fn on_own_stack(f: extern "C" fn()) {
    let Some(stack) = pages::reserve(STACK_BYTES) else { return f() };
    let top = stack.as_ptr().wrapping_add(STACK_BYTES);
    // SAFETY: the memory is this call's alone, its end aligned to a page; `f` does not unwind, and keeps r12, in which the
    // thread's own stack waits.
    unsafe {
        std::arch::asm!(
            "xchg rsp, r12",
            "call {f}",
            "mov rsp, r12",
            f = in(reg) f,
            inout("r12") top => _,
            clobber_abi("C"),
        );
        pages::release(stack, STACK_BYTES);
    }
}

/// A signal that comes to the process after a while, unless it is dropped before.
struct Timer(::libc::timer_t);

impl Timer {
    fn start(signal: c_int, seconds: i64, nanoseconds: i64) -> Option<Timer> {
        let mut timer = MaybeUninit::uninit();
        // SAFETY: the structures are valid when zero, and filled in; `timer` is written if the call succeeds.
        unsafe {
            let mut event: ::libc::sigevent = std::mem::zeroed();
            (event.sigev_notify, event.sigev_signo) = (::libc::SIGEV_SIGNAL, signal);
            if ::libc::timer_create(::libc::CLOCK_MONOTONIC, &mut event, timer.as_mut_ptr()) != 0 {
                return None;
            }
            let timer = timer.assume_init();
            let mut when: ::libc::itimerspec = std::mem::zeroed();
            (when.it_value.tv_sec, when.it_value.tv_nsec) = (seconds, nanoseconds);
            ::libc::timer_settime(timer, 0, &when, null_mut());
            Some(Timer(timer))
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: made by `start`, and deleted once.
        unsafe { ::libc::timer_delete(self.0) };
    }
}

/// A forked child has one thread.
pub fn after_fork() {
    REPORTING.store(0, Ordering::Relaxed);
}
