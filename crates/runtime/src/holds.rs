//! Addresses that atomic accesses hold while they write value and planes.
//!
//! A lock for each of a thousand classes of addresses. A wait has an end: the holder may be the
//! very thread that a signal interrupted, or be gone by a fault; what comes in its way then loses
//! at most a shadow.

use std::sync::atomic::{AtomicBool, Ordering};

const CLASSES: usize = 1024;
/// Looks at a held lock before its processor is offered to others.
const SPINS: u32 = 100;
/// Offers after which the lock is passed by: some tenths of a second.
const OFFERS: u32 = 100_000;

static HELD: [AtomicBool; CLASSES] = [const { AtomicBool::new(false) }; CLASSES];

/// Adjacent words have different locks, and so have arrays of a power of two.
fn class(at: usize) -> &'static AtomicBool {
    &HELD[((at >> 3) ^ (at >> 13)) % CLASSES]
}

fn take(lock: &AtomicBool) -> bool {
    !lock.load(Ordering::Relaxed) && !lock.swap(true, Ordering::Acquire)
}

/// The lock of the address, held; `None` if it could not be had.
pub fn hold(at: usize) -> Option<&'static AtomicBool> {
    let lock = class(at);
    wait_for(lock).then_some(lock)
}

/// Whether the lock could be had, in a while.
pub fn wait_for(lock: &AtomicBool) -> bool {
    for _ in 0..OFFERS {
        for _ in 0..SPINS {
            if take(lock) {
                return true;
            }
            std::hint::spin_loop();
        }
        // SAFETY: has no preconditions; it does not fail, so errno stays.
        unsafe { ::libc::sched_yield() };
    }
    false
}

pub fn release(lock: &AtomicBool) {
    lock.store(false, Ordering::Release);
}

/// The threads that held locks are not in the child.
pub fn after_fork() {
    HELD.iter().for_each(release);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_stays_held_is_passed_by() {
        let lock = hold(0x1000).expect("free");
        assert!(hold(0x1000).is_none());
        assert!(hold(0x1008).map(release).is_some(), "the next word has a lock of its own");
        release(lock);
        assert!(hold(0x1000).map(release).is_some());
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
                        release(lock);
                    }
                });
            }
        });
        // SAFETY: the threads are gone.
        assert_eq!(unsafe { COUNT }, 40_000);
    }
}
