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
        let mut thread = self.all.remove(&number).unwrap_or_default();
        self.registers = self.registers.saturating_sub(taken_by(&thread));
        if self.registers > self.most_registers / 2 {
            self.give_up_idle();
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

    /// The stacks of the threads that have been silent for longest are dropped, until half of the room that they have
    /// together is free.
    #[cold]
    fn give_up_idle(&mut self) {
        let mut order: Vec<(u64, u32)> = self.all.iter().map(|(&number, t)| (t.last_chunk, number)).collect();
        order.sort_unstable();
        for (_, number) in order {
            if self.registers <= self.most_registers / 4 {
                break;
            }
            if let Some(thread) = self.all.remove(&number) {
                self.registers = self.registers.saturating_sub(taken_by(&thread));
                self.dropped += thread.dropped + thread.stack.frames().len() as u64;
            }
        }
    }

    pub fn registers_mut(&mut self) -> impl Iterator<Item = &mut Register<S>> {
        self.all.values_mut().flat_map(|t| t.registers.iter_mut().chain(&mut t.aside))
    }

    /// Frames begin anew.
    pub fn forget(&mut self) {
        self.all.values_mut().for_each(Thread::forget);
    }

    /// Frames that were dropped for want of room.
    pub fn dropped(&self) -> u64 {
        self.dropped + self.all.values().map(|t| t.dropped).sum::<u64>()
    }
}

fn taken_by<S>(thread: &Thread<S>) -> usize {
    OWN + thread.registers.len() + thread.aside.len()
}
