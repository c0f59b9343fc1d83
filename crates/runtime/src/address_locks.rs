//! Addresses that atomic accesses hold while they write value and planes.
//!
//! A lock for each of a thousand classes of addresses. A thread never waits for itself: a signal handler
//! that wants what its thread holds goes without, and loses at most a shadow. Neither does it wait
//! for ever: a holder that jumped out of a handler, or ended, does not come back.

use crate::thread;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const CLASSES: usize = 1024;
/// Looks at a held lock before its processor is offered to others.
const SPINS: u32 = 100;
/// A holder that has not been heard of for so long is gone; one that runs needs less than a microsecond.
const PATIENCE: Duration = Duration::from_secs(1);

static LOCKED: [AtomicBool; CLASSES] = [const { AtomicBool::new(false) }; CLASSES];

/// Adjacent words have different locks, and so have arrays of a power of two.
fn class(at: usize) -> &'static AtomicBool {
    &LOCKED[((at >> 3) ^ (at >> 13)) % CLASSES]
}

fn take(lock: &AtomicBool) -> bool {
    !lock.load(Ordering::Relaxed) && !lock.swap(true, Ordering::Acquire)
}

/// The lock of the address, held; `None` if it is this thread that holds it already.
pub fn hold(at: usize) -> Option<&'static AtomicBool> {
    let (lock, locals) = (class(at), thread::locals());
    if let Some(locals) = locals {
        if std::ptr::eq(locals.address_lock.get(), lock) {
            return None;
        }
        locals.address_lock.set(lock);
    }
    // Whoever had it for so long has left it behind.
    wait_for(lock);
    Some(lock)
}

/// Whether the lock could be had, in a while.
pub fn wait_for(lock: &AtomicBool) -> bool {
    let mut until = None;
    loop {
        for _ in 0..SPINS {
            if take(lock) {
                return true;
            }
            std::hint::spin_loop();
        }
        let now = Instant::now();
        if now > *until.get_or_insert(now + PATIENCE) {
            return false;
        }
        // SAFETY: has no preconditions; it does not fail, so errno stays.
        unsafe { ::libc::sched_yield() };
    }
}

/// Lets go of what `hold` gave.
pub fn let_go(lock: &AtomicBool) {
    release(lock);
    if let Some(locals) = thread::locals() {
        locals.address_lock.set(std::ptr::null());
    }
}

fn release(lock: &AtomicBool) {
    lock.store(false, Ordering::Release);
}

/// The threads that held locks are not in the child.
pub fn after_fork() {
    LOCKED.iter().for_each(release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_does_not_wait_for_itself() {
        let lock = hold(0x1000).expect("free");
        let start = Instant::now();
        assert!(hold(0x1000).is_none());
        assert!(start.elapsed() < PATIENCE);
        let_go(lock);
        assert!(hold(0x1000).map(let_go).is_some());
        assert!(hold(0x1008).map(let_go).is_some());
    }

    #[test]
    fn a_lock_that_was_left_behind_is_taken_over_once() {
        std::thread::spawn(|| hold(0x3010).expect("free")).join().unwrap();
        let start = Instant::now();
        let_go(hold(0x3010).expect("after a while"));
        assert!(start.elapsed() >= PATIENCE);
        assert!(wait_for(class(0x3010)));
        release(class(0x3010));
    }

    #[test]
    fn one_thread_at_a_time() {
        static mut COUNT: u64 = 0;
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let lock = hold(0x2000).expect("free soon");
                        // SAFETY: the lock is held.
                        unsafe { COUNT += 1 };
                        let_go(lock);
                    }
                });
            }
        });
        // SAFETY: the threads are gone.
        assert_eq!(unsafe { COUNT }, 40_000);
    }
}
