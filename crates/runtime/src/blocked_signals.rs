//! What must not disturb the runtime at work in a thread: signals, whose handlers may jump out of themselves and never come
//! back, and cancellation, which would unwind through frames that cannot be unwound. And what the runtime must not do to the
//! program: a pipe that nobody reads, or a file that may not grow, ends a process by a signal.

use crate::cancellation;
use ::libc::{SIG_BLOCK, SIG_SETMASK, SIGPIPE, SIGXFSZ};
use ::libc::{c_int, pthread_sigmask, sigaddset, sigdelset, sigemptyset, sigfillset, sigismember, sigset_t};
use std::mem::MaybeUninit;

/// Faults that the runtime's code may cause, by memory and system calls that the program has its own handlers for; if they
/// had to wait, the kernel would end the program without these.
const FAULTS: [c_int; 4] = [::libc::SIGSEGV, ::libc::SIGBUS, ::libc::SIGTRAP, ::libc::SIGSYS];

/// Signals that a `write` sends to its own thread.
const OF_WRITES: [c_int; 2] = [SIGPIPE, SIGXFSZ];

/// All signals but faults wait while it lives, and cancellation too.
pub struct BlockedSignals {
    before: Option<sigset_t>,
    /// Of `OF_WRITES`: is the program's, or nobody's that is written for.
    stays: [bool; 2],
    _uncancelled: Uncancelled,
}

impl BlockedSignals {
    pub fn new() -> BlockedSignals {
        let _uncancelled = Uncancelled::new();
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the sets are writable, and `all` is filled before it is read; `before` is written if the call succeeds.
        let before = unsafe {
            sigfillset(all.as_mut_ptr());
            for fault in FAULTS {
                sigdelset(all.as_mut_ptr(), fault);
            }
            let done = pthread_sigmask(SIG_BLOCK, all.as_ptr(), before.as_mut_ptr()) == 0;
            done.then(|| before.assume_init())
        };
        BlockedSignals { before, stays: [true; 2], _uncancelled }
    }

    /// The same for the runtime's own writes, whose signals are taken back.
    pub fn for_writing() -> BlockedSignals {
        let mut signals = BlockedSignals::new();
        // One that was not blocked before cannot have waited.
        let blocked = signals.before.as_ref().is_some_and(|set| OF_WRITES.iter().any(|signal| holds(set, *signal)));
        signals.stays = if blocked { waiting() } else { [false; 2] };
        signals
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        let Some(before) = &self.before else { return };
        if self.stays != [true; 2] {
            let ours = OF_WRITES.into_iter().zip(waiting()).zip(self.stays).filter(|((_, now), stays)| *now && !stays);
            ours.for_each(|((signal, _), _)| take_back(signal));
        }
        // SAFETY: a set that the kernel gave.
        unsafe { pthread_sigmask(SIG_SETMASK, before, std::ptr::null_mut()) };
    }
}

fn holds(set: &sigset_t, signal: c_int) -> bool {
    // SAFETY: the set is valid, and so is the number.
    unsafe { sigismember(set, signal) == 1 }
}

/// Which of `OF_WRITES` wait to be delivered.
fn waiting() -> [bool; 2] {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is writable, and emptied before the kernel fills it.
    let set = unsafe {
        sigemptyset(set.as_mut_ptr());
        ::libc::sigpending(set.as_mut_ptr());
        set.assume_init()
    };
    OF_WRITES.map(|signal| holds(&set, signal))
}

/// Takes a signal that waits, if it is this process's own doing.
fn take_back(signal: c_int) {
    let (mut set, mut info) = (MaybeUninit::uninit(), MaybeUninit::<::libc::siginfo_t>::zeroed());
    let now = ::libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the set is made before it is read; `info` is room for what is filled in, and zero bytes are valid too.
    unsafe {
        sigemptyset(set.as_mut_ptr());
        sigaddset(set.as_mut_ptr(), signal);
        let taken = ::libc::sigtimedwait(set.as_ptr(), info.as_mut_ptr(), &raw const now);
        let sender = info.assume_init().si_pid();
        if taken == signal && sender != 0 && sender != ::libc::getpid() {
            ::libc::raise(signal);
        }
    }
}

/// While it lives this thread is not cancelled: no call in between is a cancellation point. Each ends before those that
/// began before it, else the thread would never be cancelled again.
pub struct Uncancelled(c_int);

impl Uncancelled {
    #[inline]
    pub fn new() -> Uncancelled {
        let mut before = 0;
        // SAFETY: `before` is writable.
        unsafe { cancellation::set_state(cancellation::DISABLE, &raw mut before) };
        Uncancelled(before)
    }
}

impl Drop for Uncancelled {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: null is allowed.
        unsafe { cancellation::set_state(self.0, std::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_pipe_that_nobody_reads_ends_nothing() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        // SAFETY: the default action, which would end this process.
        unsafe { ::libc::signal(SIGPIPE, ::libc::SIG_DFL) };
        let signals = BlockedSignals::for_writing();
        assert!(writer.write_all(b"report").is_err());
        assert!(waiting()[0], "the kernel has sent it");
        drop(signals);
        assert!(!waiting()[0]);
    }
}
