//! The two ends.

use super::memory::{AtomicU64, Ordering, Words};

/// Words in front of a payload: its length and a tag.
pub const HEAD_WORDS: usize = 2;
/// In place of a length: the rest up to the end is empty.
const SKIP: u64 = u64::MAX;

/// A word in a cache line of its own.
#[repr(C, align(64))]
#[derive(Debug)]
struct Alone(AtomicU64);

/// The positions, in words since the beginning.
#[repr(C)]
#[derive(Debug)]
pub struct Control {
    tail: Alone,
    head: Alone,
}

impl Control {
    #[allow(clippy::new_without_default, reason = "not in shared memory, where it is mapped")]
    pub fn new() -> Control {
        Control { tail: Alone(AtomicU64::new(0)), head: Alone(AtomicU64::new(0)) }
    }

    /// As new. Asked while neither side is there.
    pub fn reset(&self) {
        self.tail.0.store(0, Ordering::Release);
        self.head.0.store(0, Ordering::Release);
    }
}

/// The end that writes. There is one at a time.
#[derive(Debug)]
pub struct Writer {
    words: Words,
    tail: u64,
    /// Where the reader was when it was last looked for.
    head: u64,
}

impl Writer {
    /// For a ring that nothing was written to.
    pub fn new(words: Words) -> Writer {
        Writer { words, tail: 0, head: 0 }
    }

    /// No payload may be longer.
    pub fn most_words(&self) -> usize {
        self.words.count() / 2 - HEAD_WORDS
    }

    /// Writes a chunk, if there is room for it now. The payload's parts are put behind each other.
    pub fn push(&mut self, control: &Control, tag: u64, parts: &[&[u64]]) -> bool {
        let payload: usize = parts.iter().map(|part| part.len()).sum();
        assert!(payload <= self.most_words());
        let (all, need) = (self.words.count(), HEAD_WORDS + payload);
        let at = (self.tail % all as u64) as usize;
        let skipped = if at + need > all { all - at } else { 0 };
        let total = (skipped + need) as u64;
        if self.tail + total - self.head > all as u64 {
            self.head = control.head.0.load(Ordering::Acquire);
            // What a reader that has lost its mind says is not believed.
            if self.head > self.tail || self.tail + total - self.head > all as u64 {
                return false;
            }
        }
        let mut to = at;
        if skipped > 0 {
            self.words.write(at, &[SKIP]);
            to = 0;
        }
        self.words.write(to, &[payload as u64, tag]);
        to += HEAD_WORDS;
        for part in parts {
            self.words.write(to, part);
            to += part.len();
        }
        self.tail += total;
        control.tail.0.store(self.tail, Ordering::Release);
        true
    }
}

/// A chunk, and where its payload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub tag: u64,
    pub at: usize,
    pub words: usize,
    /// Where the reader is once it is done with it.
    next: u64,
}

/// The end that reads. There is one at a time.
#[derive(Debug)]
pub struct Reader {
    words: Words,
    head: u64,
    /// Where the writer was when it was last looked for.
    tail: u64,
}

impl Reader {
    /// For a ring that nothing was read from.
    pub fn new(words: Words) -> Reader {
        Reader { words, head: 0, tail: 0 }
    }

    pub fn memory(&self) -> &Words {
        &self.words
    }

    /// The next chunk, if there is one. It stays where it is until [`Reader::done`]. An error: what is there is none.
    pub fn next(&mut self, control: &Control) -> Result<Option<Chunk>, &'static str> {
        let all = self.words.count() as u64;
        if self.tail == self.head {
            self.tail = control.tail.0.load(Ordering::Acquire);
        }
        if self.tail == self.head {
            return Ok(None);
        }
        if self.tail < self.head || self.tail - self.head > all {
            return Err("a position out of range");
        }
        let mut from = self.head;
        let at = (from % all) as usize;
        if self.words.read(at) == SKIP {
            from += all - at as u64;
        }
        let at = (from % all) as usize;
        let known = self.tail.saturating_sub(from);
        if known < HEAD_WORDS as u64 || at + HEAD_WORDS > all as usize {
            return Err("a chunk without its head");
        }
        let (words, tag) = (self.words.read(at), self.words.read(at + 1));
        if words > known - HEAD_WORDS as u64 || words > all - (at + HEAD_WORDS) as u64 {
            return Err("a chunk of too many words");
        }
        let next = from + HEAD_WORDS as u64 + words;
        Ok(Some(Chunk { tag, at: at + HEAD_WORDS, words: words as usize, next }))
    }

    /// Gives the chunk back. Returns whether half of the ring, or more, is free now: a writer that waits for room is best
    /// woken then, not for every chunk.
    pub fn done(&mut self, control: &Control, chunk: Chunk) -> bool {
        self.head = chunk.next;
        control.head.0.store(self.head, Ordering::Release);
        // An earlier position of the writer's would tell too little of what lies there. One that is out of range is
        // found by `next`.
        let written = control.tail.0.load(Ordering::Relaxed);
        written.wrapping_sub(self.head) <= self.words.count() as u64 / 2
    }
}
