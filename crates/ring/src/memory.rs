//! The atomics of the machine, and words that another process may share.

pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

/// Shared words. Which side may touch which of them at what time is settled by the ring's positions.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    start: *mut u64,
    count: usize,
}

// SAFETY: a place and a length; whoever reads or writes there does so by the ring's rules, from whatever thread.
unsafe impl Send for Words {}
// SAFETY: as above.
unsafe impl Sync for Words {}

impl Words {
    /// # Safety
    /// From `start` on there are `count` words, mapped and writable as long as this lives, which nobody else uses but the
    /// other side of the ring.
    pub unsafe fn new(start: *mut u64, count: usize) -> Words {
        Words { start, count }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Copies words there. Asked by the side that owns the stretch.
    pub(crate) fn write(&self, at: usize, words: &[u64]) {
        assert!(at <= self.count && words.len() <= self.count - at);
        // SAFETY: within the memory, by the check; nobody else looks at it until `tail` is moved.
        unsafe { self.start.add(at).copy_from_nonoverlapping(words.as_ptr(), words.len()) };
    }

    pub(crate) fn read(&self, at: usize) -> u64 {
        assert!(at < self.count);
        // SAFETY: within the memory, by the check; the writer has released it.
        unsafe { self.start.add(at).read() }
    }

    /// The words of a chunk, where they are.
    pub fn slice(&self, at: usize, count: usize) -> &[u64] {
        assert!(at <= self.count && count <= self.count - at);
        // SAFETY: within the memory, by the check; the writer stays away until the reader gives the chunk back.
        unsafe { std::slice::from_raw_parts(self.start.add(at), count) }
    }
}
