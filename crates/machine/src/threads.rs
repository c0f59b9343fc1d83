//! All threads of the program, and the room that their stacks have together.

use crate::register::Register;
use crate::thread::{Frame, Thread};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct Threads<S> {
    all: BTreeMap<u32, Thread<S>>,
    /// Registers that all threads may have, and those that they have; a thread itself counts as some.
    most_registers: usize,
    registers: usize,
    /// Frames of threads that are no more.
    dropped: u64,
    chunks: u64,
}

/// What a thread takes beside its registers, in registers.
const OWN: usize = 4;

impl<S> Threads<S> {
    /// `most_bytes` in all, where a shadow takes `shadow_bytes` beyond its own size.
    pub fn new(most_bytes: u64, shadow_bytes: u64) -> Threads<S> {
        // A frame has a register at least.
        let register = (size_of::<Register<S>>() + size_of::<Frame>()) as u64 + shadow_bytes;
        let most_registers = (most_bytes / register).max(256) as usize;
        Threads { all: BTreeMap::new(), most_registers, registers: 0, dropped: 0, chunks: 0 }
    }

    /// A thread, to walk its events; it must be put back.
    pub fn take(&mut self, number: u32) -> Thread<S> {
        let known = self.all.remove(&number);
        self.registers -= known.as_ref().map_or(0, taken_by);
        let mut thread = known.unwrap_or_default();
        // Room for as much as it has, and to go on from there.
        let needed = taken_by(&thread) + self.most_registers / 8;
        if self.registers + needed > self.most_registers {
            self.give_up_idle(self.most_registers.saturating_sub(needed) / 4 * 3);
        }
        self.chunks += 1;
        thread.last_chunk = self.chunks;
        thread.most_registers = self.most_registers - self.registers.min(self.most_registers);
        thread
    }

    pub fn put_back(&mut self, number: u32, thread: Thread<S>) {
        if thread.has_ended {
            self.dropped += thread.dropped;
            return;
        }
        self.registers += taken_by(&thread);
        self.all.insert(number, thread);
    }

    /// The stacks of the threads that have been silent for longest are dropped, until the others have no more than that.
    #[cold]
    fn give_up_idle(&mut self, most: usize) {
        let mut order: Vec<(u64, u32)> = self.all.iter().map(|(&number, t)| (t.last_chunk, number)).collect();
        order.sort_unstable();
        for (_, number) in order {
            if self.registers <= most {
                break;
            }
            if let Some(thread) = self.all.remove(&number) {
                self.registers -= taken_by(&thread);
                self.dropped += thread.dropped + thread.stack.frames().len() as u64;
            }
        }
    }

    pub fn registers_mut(&mut self) -> impl Iterator<Item = &mut Register<S>> {
        self.all.values_mut().flat_map(|t| t.registers.iter_mut().chain(&mut t.tail_arguments))
    }

    /// Frames begin anew.
    pub fn forget(&mut self) {
        self.all.values_mut().for_each(Thread::forget);
    }

    /// As if there had been none.
    pub fn begin_anew(&mut self) {
        self.all.clear();
        (self.registers, self.dropped, self.chunks) = (0, 0, 0);
    }

    /// Another machine dropped so many frames.
    pub fn absorb_dropped(&mut self, frames: u64) {
        self.dropped += frames;
    }

    /// Frames that were dropped for want of room.
    pub fn dropped(&self) -> u64 {
        self.dropped + self.all.values().map(|t| t.dropped).sum::<u64>()
    }
}

fn taken_by<S>(thread: &Thread<S>) -> usize {
    OWN + thread.registers.len() + thread.tail_arguments.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_oracle::Residue;

    fn with_registers(threads: &mut Threads<nonius_oracle::NoisyResidue>, number: u32, count: usize) {
        let mut thread = threads.take(number);
        thread.registers.resize_with(count, || Register::new(&Residue));
        threads.put_back(number, thread);
    }

    #[test]
    fn those_that_were_silent_for_longest_go_first() {
        let mut threads: Threads<nonius_oracle::NoisyResidue> = Threads::new(0, 0);
        with_registers(&mut threads, 1, 90);
        with_registers(&mut threads, 2, 90);
        with_registers(&mut threads, 1, 100);
        with_registers(&mut threads, 3, 30);
        assert_eq!(threads.all.len(), 3, "all have room");
        with_registers(&mut threads, 4, 1);
        assert_eq!(threads.all.keys().copied().collect::<Vec<_>>(), [1, 3, 4]);
        assert!(threads.registers <= threads.most_registers);
    }

    #[test]
    fn any_number_of_threads_takes_bounded_room() {
        let mut threads: Threads<nonius_oracle::NoisyResidue> = Threads::new(1 << 16, 0);
        (0..100_000).for_each(|number| with_registers(&mut threads, number, 1));
        assert!(threads.registers <= threads.most_registers && threads.all.len() < 200);
        let mut ended = threads.take(7);
        ended.has_ended = true;
        let before = threads.all.len();
        threads.put_back(7, ended);
        assert_eq!(threads.all.len(), before);
    }
}
