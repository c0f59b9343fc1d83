//! The record of a block, as the clone writes it.
//!
//! A segment runs from its head to the next call that could record, or to the block's end. Its
//! record is opened at the head when the first step asks for it (a segment without steps has
//! none), words are stored as their values come up, and the header is written and the thread's pointer moved
//! at the end: whoever reads the buffer in between sees whole records only.

use super::{Recorder, slots};
use crate::fp::FpType;
use crate::llvm::{IntPredicate, Kind, Value};
use nonius_abi::code::{self, Block, Constant, Operand, Source, Step};
use nonius_abi::hooks::id;
use nonius_abi::thread::{EVENT_AT, EVENT_END, EVENT_ROOM};
use std::collections::HashMap;

/// A segment with more words than this is cut, so that a record fits behind the buffer's end.
const MOST_WORDS: u32 = EVENT_ROOM / 2;

pub struct Segment {
    /// The record opens before this instruction.
    pub head: Value,
    open: Option<Open>,
}

struct Open {
    /// Index of the block in the code table.
    index: u32,
    /// Where the record lies.
    at: Value,
    words: u32,
    steps: Vec<Step>,
    /// Words that hold these values already.
    known: HashMap<Value, u32>,
}

impl Segment {
    pub fn at(head: Value) -> Segment {
        Segment { head, open: None }
    }

    pub fn index(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.index)
    }
}

impl Recorder<'_> {
    /// Opens the segment's record, if it is not. The builder keeps its place.
    pub fn open(&mut self) {
        if self.segment.open.is_some() {
            return;
        }
        let head = self.segment.head;
        let place = self.b.save_if_placed();
        self.b.before(head);
        let ptr = self.b.types.ptr();
        let field = |n: u32| self.b.offset(self.thread, i64::from(n));
        let at = self.b.load(ptr, field(EVENT_AT), 8);
        let end = self.b.load(ptr, field(EVENT_END), 8);
        let full = self.b.icmp(IntPredicate::LLVMIntUGE, at, end);
        let block = head.block();
        let then = head.split_if(full);
        self.b.before_with_loc_of(then, head);
        let (hook, ty) = self.tables.hook(id::__nonius_events_full);
        self.b.call(hook, ty, &[self.thread]);
        let moved = self.b.load(ptr, self.b.offset(self.thread, i64::from(EVENT_AT)), 8);
        self.b.before(head);
        let merged = self.b.phi(ptr);
        merged.add_incoming(at, block);
        merged.add_incoming(moved, then.block());
        let code = &mut self.tables.code.code;
        let index = code.blocks.len() as u32;
        let first_of_function = code.blocks.last().is_none_or(|b| b.function != self.code_function);
        code.blocks.push(Block { function: self.code_function, enters: first_of_function, ..Block::default() });
        self.segment.open = Some(Open { index, at: merged, words: 0, steps: Vec::new(), known: HashMap::new() });
        match place {
            Some(place) => self.b.restore(place),
            None => self.b.before(head),
        }
    }

    fn opened(&mut self) -> &mut Open {
        self.open();
        self.segment.open.as_mut().expect("just opened")
    }

    /// Stores a value into the record, at the builder's place. Returns its first word.
    pub fn put(&mut self, value: Value) -> u32 {
        if let Kind::Vector(lanes) = value.ty().kind()
            && value.ty().element().kind() == Kind::X87
        {
            // In memory, lanes of this format lie without gaps.
            let lane = |n: u32| self.b.extract_element(value, self.b.types.i32().const_int(u64::from(n)));
            let lanes: Vec<Value> = (0..lanes).map(lane).collect();
            return lanes.into_iter().map(|lane| self.put(lane)).min().expect("at least one lane");
        }
        let words = self.module.alloc_bytes(value.ty()).div_ceil(8) as u32;
        let open = self.opened();
        let word = open.words;
        open.words += words;
        let at = self.b.offset(self.word_address(), 8 * (1 + i64::from(word)));
        self.b.store(value, at, 8);
        word
    }

    fn word_address(&self) -> Value {
        self.segment.open.as_ref().expect("opened").at
    }

    /// Like `put`, for an address or number that several steps may share.
    pub fn put_shared(&mut self, value: Value) -> u32 {
        if let Some(&word) = self.opened().known.get(&value) {
            return word;
        }
        let word = self.put(value);
        self.opened().known.insert(value, word);
        word
    }

    /// The word that holds something of this value already.
    pub fn known_word(&self, value: Value) -> Option<u32> {
        self.segment.open.as_ref().and_then(|open| open.known.get(&value).copied())
    }

    pub fn remember_word(&mut self, value: Value, word: u32) {
        self.opened().known.insert(value, word);
    }

    /// Where the open record lies, the number of its block, and that of its last step.
    pub fn open_record(&mut self) -> (Value, u32, u32) {
        let open = self.opened();
        (open.at, open.index, open.steps.len() as u32 - 1)
    }

    /// The last step is of bytes that come from outside.
    pub fn mark_as_read(&mut self) {
        if let Some(step) = self.opened().steps.last_mut().filter(|s| s.kind == code::Kind::Copy) {
            step.detail = 1;
        }
    }

    pub fn step(&mut self, step: Step) {
        self.opened().steps.push(step);
    }

    /// Lanes as one operand: the first of lanes that follow each other, which are moved together if
    /// they do not yet.
    pub fn together(&mut self, lanes: &[Operand], fp: FpType) -> Operand {
        match slots::runs(lanes).count() {
            0 => return Operand::NOTHING,
            1 => return lanes[0],
            _ => {}
        }
        if let Some(constants) = self.all_constant(lanes) {
            return Operand::constant(self.tables.code.constants(&constants));
        }
        let first = self.slots.fresh_slots(lanes.len() as u32);
        let mut slot = first;
        for run in slots::runs(lanes) {
            let lanes = run.len() as u32;
            let args = [run[0], Operand::NOTHING, Operand::NOTHING];
            self.step(Step { result: slot, args, ..Step::new(code::Kind::Move, fp.precision, lanes as u16) });
            slot += lanes;
        }
        Operand::slot(first)
    }

    fn all_constant(&self, lanes: &[Operand]) -> Option<Vec<Constant>> {
        let constant = |o: &Operand| match o.source() {
            Source::Constant(index) => Some(self.tables.code.code.constants[index as usize]),
            _ => None,
        };
        lanes.iter().map(constant).collect()
    }

    /// Ends the record before an instruction. Returns the block's index if anything was recorded.
    pub fn close(&mut self, before: Value) -> Option<u32> {
        let open = self.segment.open.take()?;
        self.b.before(before);
        let i64_type = self.b.types.i64();
        let header = self.b.add(self.header, i64_type.const_int(u64::from(open.index)));
        self.b.store(header, open.at, 8);
        let next = self.b.offset(open.at, 8 * (1 + i64::from(open.words)));
        self.b.store(next, self.b.offset(self.thread, i64::from(EVENT_AT)), 8);
        let block = &mut self.tables.code.code.blocks[open.index as usize];
        block.words = open.words;
        block.meets = self.meetings.next();
        block.steps = open.steps;
        Some(open.index)
    }

    /// Ends the record before `last`, and lets the next one begin at `head`.
    pub fn cut(&mut self, last: Value, head: Value) {
        self.close(last);
        self.segment = Segment::at(head);
    }

    /// Cuts a segment that grew too long; called between instructions.
    pub fn cut_if_long(&mut self, next: Value) {
        if self.segment.open.as_ref().is_some_and(|open| open.words > MOST_WORDS) {
            self.cut(next, next);
        }
    }
}
