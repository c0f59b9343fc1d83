//! Wakes a side that sleeps, and costs the other a load while it does not.

use super::memory::{AtomicU32, Ordering, fence};

/// One side's bell. Its word is 1 while that side sleeps, or is about to.
#[repr(transparent)]
#[derive(Debug)]
pub struct Bell(AtomicU32);

impl Bell {
    #[allow(clippy::new_without_default, reason = "not in shared memory, where it is mapped")]
    pub fn new() -> Bell {
        Bell(AtomicU32::new(0))
    }

    /// The word to sleep on while it is 1.
    pub fn word(&self) -> &AtomicU32 {
        &self.0
    }

    /// This side is about to sleep. It must look once more whether it has reason to.
    pub fn arm(&self) {
        self.0.store(1, Ordering::Relaxed);
        // Either this side sees what the other has done, or the other sees the bell armed.
        fence(Ordering::SeqCst);
    }

    pub fn disarm(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The other side has done something. Returns whether somebody must be woken.
    pub fn ring(&self) -> bool {
        fence(Ordering::SeqCst);
        self.0.load(Ordering::Relaxed) != 0 && self.0.swap(0, Ordering::Relaxed) != 0
    }
}
