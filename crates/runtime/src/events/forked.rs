//! Forks: whoever forks holds the lock meanwhile, so that the child finds the machine between two chunks of events. The
//! child goes on with its own copy, from the shadows that there are, and reports what it finds itself.

use super::beside::Beside;
use super::{DROPS, Locked, SEVERAL, lock_once, pass_all, records};
use crate::fenv::Saved;
use crate::thread;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The lock, held through a fork by the thread that forks.
static LOCKED: Slot = Slot(UnsafeCell::new(None));
/// The block of that thread.
static FORKS: AtomicUsize = AtomicUsize::new(0);

struct Slot(UnsafeCell<Option<Locked>>);

// SAFETY: only the thread that holds the lock looks into it.
unsafe impl Sync for Slot {}

/// A thread is about to fork.
pub fn before_fork() {
    if !records() || DROPS.load(Ordering::Relaxed) {
        return;
    }
    let _saved = Saved::enter();
    // A handler that interrupted the machine's work in this thread goes without: its child records nothing.
    let Some(mut locked) = lock_once() else { return };
    crate::guarded(|| {
        pass_all(&mut locked.state);
        locked.state.targets.beside(Beside::before_fork);
    });
    FORKS.store(this_thread(), Ordering::Relaxed);
    // SAFETY: the lock is held, and with it the slot.
    unsafe { *LOCKED.0.get() = Some(locked) };
}

/// It has forked, and this is the parent or the child.
pub fn after_fork(is_child: bool) {
    if !records() || DROPS.load(Ordering::Relaxed) {
        return;
    }
    // Another thread may be forking too, and have the lock.
    let ours = FORKS.compare_exchange(this_thread(), 0, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    // SAFETY: filled by this thread, which has held the lock since.
    let locked = if ours { unsafe { (*LOCKED.0.get()).take() } } else { None };
    match locked {
        Some(mut locked) if is_child => {
            let locals = thread::existing();
            locked.state.blocks.retain(|block| Some(block.0) == locals);
            SEVERAL.store(false, Ordering::SeqCst);
            crate::guarded(|| locked.state.targets.go_on_in_child());
        }
        Some(mut locked) => locked.state.targets.has_forked(),
        None if is_child => DROPS.store(true, Ordering::Relaxed),
        None => {}
    }
}

/// Something that no other thread has; not 0.
fn this_thread() -> usize {
    thread::block() as usize
}
