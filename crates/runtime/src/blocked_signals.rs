//! Signals that wait while the runtime holds what its thread must let go: their handlers may jump out
//! of themselves and never come back.

use ::libc::{SIG_BLOCK, SIG_SETMASK, c_int, pthread_sigmask, sigdelset, sigfillset, sigset_t};
use std::mem::MaybeUninit;

/// Faults of the very code that runs; if they had to wait, the kernel would end the program without its handlers.
const FAULTS: [c_int; 7] =
    [::libc::SIGSEGV, ::libc::SIGBUS, ::libc::SIGFPE, ::libc::SIGILL, ::libc::SIGTRAP, ::libc::SIGABRT, ::libc::SIGSYS];

/// All other signals wait while it lives.
pub struct BlockedSignals(Option<sigset_t>);

impl BlockedSignals {
    pub fn new() -> BlockedSignals {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the sets are writable, and `all` is filled before it is read; `before` is written if the call succeeds.
        unsafe {
            sigfillset(all.as_mut_ptr());
            for fault in FAULTS {
                sigdelset(all.as_mut_ptr(), fault);
            }
            let done = pthread_sigmask(SIG_BLOCK, all.as_ptr(), before.as_mut_ptr()) == 0;
            BlockedSignals(done.then(|| before.assume_init()))
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // SAFETY: a set that the kernel gave.
            unsafe { pthread_sigmask(SIG_SETMASK, before, std::ptr::null_mut()) };
        }
    }
}
