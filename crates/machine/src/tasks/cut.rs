//! `tasks=auto`: cuts the calls of functions that take long out of a thread's events.
//!
//! What a call takes is known when it returns, so the first calls of a function tell about those that follow: once they
//! have recorded enough on average, each further one is a task. What it calls belongs to it. The rest of the thread, the
//! *trunk*, goes on behind the call with the program's value of the result.

use crate::program::{FlatProgram, Opcode};
use nonius_abi::event::CONTROL;
use std::collections::HashMap;

/// Words that a call must record to be worth a task: a buffer of events.
const LEAST_WORDS: u64 = 1 << 13;

/// What calls of functions recorded.
#[derive(Debug, Default)]
pub struct Calls {
    by_function: HashMap<u32, (u64, u64)>,
}

impl Calls {
    fn note(&mut self, function: u32, words: u64) {
        let (calls, all) = self.by_function.entry(function).or_default();
        *calls += 1;
        *all += words;
    }

    fn is_long(&self, function: u32) -> bool {
        self.by_function.get(&function).is_some_and(|(calls, words)| words / calls >= LEAST_WORDS)
    }
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    key: u32,
    function: u32,
    /// How much the thread had recorded when it began.
    began: u64,
}

/// Where a thread is.
#[derive(Debug, Default)]
pub struct Position {
    frames: Vec<Frame>,
    words: u64,
    /// The number of frames below the one that is a task.
    task: Option<usize>,
}

/// A part of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    pub of: Whose,
    pub words: &'a [u64],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Trunk,
    /// A task of this function begins.
    Begins(u32),
    /// The task that has begun goes on.
    Task,
}

impl Position {
    /// Cuts a chunk. What cannot be read stays with what comes before it: its machine complains.
    pub fn cut<'a>(&mut self, program: &FlatProgram, calls: &mut Calls, words: &'a [u64]) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        let mut whose = if self.task.is_some() { Whose::Task } else { Whose::Trunk };
        let (mut from, mut at) = (0, 0);
        while at < words.len() {
            let Some((next, begins)) = self.record(program, calls, words, at) else { break };
            let now = match (begins, self.task) {
                (Some(function), _) => Whose::Begins(function),
                (None, Some(_)) => Whose::Task,
                (None, None) => Whose::Trunk,
            };
            let goes_on = now == whose || now == Whose::Task && matches!(whose, Whose::Begins(_));
            if !goes_on {
                if from < at {
                    parts.push(Part { of: whose, words: &words[from..at] });
                }
                (from, whose) = (at, now);
            }
            at = next;
        }
        if from < words.len() {
            parts.push(Part { of: whose, words: &words[from..] });
        }
        parts
    }

    /// The record at `at`: where the next one begins, and the function of which a task begins with it.
    fn record(
        &mut self,
        program: &FlatProgram,
        calls: &mut Calls,
        words: &[u64],
        at: usize,
    ) -> Option<(usize, Option<u32>)> {
        let (key, number) = ((words[at] >> 32) as u32, words[at] as u32);
        if number >= CONTROL {
            return Some((at + 2, None));
        }
        let block = &program.blocks[program.find(number)? as usize];
        let begins = self.arrive(calls, key, block.function, block.enters);
        self.words += 1 + u64::from(block.words);
        let returns = program.insns[block.insns.clone()].last().is_some_and(|insn| insn.op == Opcode::Return);
        if returns {
            self.leave(calls);
        }
        Some((at + 1 + block.words as usize, begins))
    }

    fn arrive(&mut self, calls: &mut Calls, key: u32, function: u32, enters: bool) -> Option<u32> {
        if !enters {
            if let Some(at) = self.frames.iter().rposition(|f| f.key == key && f.function == function) {
                while self.frames.len() > at + 1 {
                    self.leave(calls);
                }
                self.end_if_left();
                return None;
            }
        } else {
            while self.frames.last().is_some_and(|top| top.key == key) {
                self.leave(calls);
            }
        }
        self.end_if_left();
        let begins = enters && self.task.is_none() && !self.frames.is_empty() && calls.is_long(function);
        if begins {
            self.task = Some(self.frames.len());
        }
        self.frames.push(Frame { key, function, began: self.words });
        begins.then_some(function)
    }

    fn leave(&mut self, calls: &mut Calls) {
        let Some(frame) = self.frames.pop() else { return };
        calls.note(frame.function, self.words - frame.began);
    }

    /// The record that returns from a task is its last.
    fn end_if_left(&mut self) {
        if self.task.is_some_and(|below| self.frames.len() <= below) {
            self.task = None;
        }
    }
}
