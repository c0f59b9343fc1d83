//! A thread of the program: its frames and their registers.
//!
//! Registers of all frames lie in one stack. A frame that is pushed where one of the same function
//! was before finds that one's constants still there.
//!
//! There is room for so many registers. Where it ends, the outermost frames are dropped; when control comes back to
//! one of them, it begins anew from the program's values.

use crate::program::{FlatCallee, FlatProgram};
use crate::register::{Known, Register};
use nonius_abi::site::NONE;
use nonius_oracle::Oracle;

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// As the stream names it.
    pub key: u32,
    pub function: u32,
    /// First register, and how many.
    pub base: usize,
    pub size: usize,
    /// The block that ran last; `NONE` before the first.
    pub last: u32,
    /// The call that the last block ended with, its callee's address and its site; `NONE` if none.
    pub call: u32,
    pub callee: u64,
    pub call_site: u32,
    /// The call was a guaranteed tail call: the callee takes this frame's place.
    pub is_tail: bool,
    pub passed: Passed,
}

/// Where a frame finds the shadows of its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Passed {
    /// Whoever called did not say.
    Nowhere,
    /// In its caller's registers, by its caller's call.
    Below { base: usize, call: u32 },
    /// The caller is gone; what it passed was put aside.
    ByTailCall,
}

/// The frames that are live; dead ones are kept behind them.
#[derive(Debug, Default)]
pub struct Stack {
    frames: Vec<Frame>,
    live: usize,
}

impl Stack {
    /// Innermost last.
    pub fn frames(&self) -> &[Frame] {
        &self.frames[..self.live]
    }

    #[inline(always)]
    pub fn top(&mut self) -> Option<&mut Frame> {
        self.live.checked_sub(1).map(|top| &mut self.frames[top])
    }

    /// The innermost, if its registers begin there.
    #[inline(always)]
    pub fn top_at(&mut self, base: usize) -> Option<&mut Frame> {
        self.top().filter(|top| top.base == base)
    }

    #[inline(always)]
    pub fn pop(&mut self) {
        self.live = self.live.saturating_sub(1);
    }
}

#[derive(Debug)]
pub struct Thread<S> {
    pub stack: Stack,
    pub registers: Vec<Register<S>>,
    /// The callee's registers and its list of results, right after its return.
    pub returned: Option<(usize, u32)>,
    /// The arguments of the last tail call, a lane each.
    pub tail_arguments: Vec<Register<S>>,
    /// Where code that does not record moves bytes to, and from.
    pub moved: (u64, u64),
    /// Registers that it may have.
    pub most_registers: usize,
    /// Frames that were dropped for want of room.
    pub dropped: u64,
    /// The thread has ended, as far as its events say.
    pub has_ended: bool,
    /// When its last chunk of events came.
    pub last_chunk: u64,
}

impl<S> Default for Thread<S> {
    fn default() -> Self {
        let (registers, tail_arguments) = (Vec::new(), Vec::new());
        Thread {
            stack: Stack::default(),
            registers,
            returned: None,
            tail_arguments,
            moved: (0, 0),
            most_registers: usize::MAX,
            dropped: 0,
            has_ended: false,
            last_chunk: 0,
        }
    }
}

impl<S> Thread<S> {
    pub fn forget(&mut self) {
        self.stack = Stack::default();
        self.returned = None;
    }

    /// The frame of an event becomes the top one.
    #[inline(always)]
    pub fn arrive<O: Oracle<Shadow = S>>(
        &mut self,
        key: u32,
        function: u32,
        enters: bool,
        program: &FlatProgram,
        oracle: &mut O,
    ) {
        if !enters
            && let Some(top) = self.stack.top()
            && top.key == key
            && top.function == function
        {
            return;
        }
        self.arrive_elsewhere(key, function, enters, program, oracle);
    }

    fn arrive_elsewhere<O: Oracle<Shadow = S>>(
        &mut self,
        key: u32,
        function: u32,
        enters: bool,
        program: &FlatProgram,
        oracle: &mut O,
    ) {
        if !enters {
            let same = |f: &Frame| f.key == key && f.function == function;
            match self.stack.frames[..self.stack.live].iter().rposition(same) {
                Some(index) => self.stack.live = index + 1,
                None => {
                    let base = self.push(key, function, program, oracle, Passed::Nowhere);
                    let slots = program.functions[function as usize].slots as usize;
                    self.registers[base..base + slots].iter_mut().for_each(|r| r.known = Known::NOTHING);
                }
            }
            self.returned = None;
            return;
        }
        if self.stack.top().is_some_and(|top| top.is_tail && calls(top, function, program)) {
            self.save_tail_arguments(program, oracle);
            self.push(key, function, program, oracle, Passed::ByTailCall);
            return;
        }
        // A frame of this address is dead: control left it in some other way.
        while self.stack.top().is_some_and(|top| top.key == key) {
            self.stack.pop();
        }
        let caller = self.stack.top().filter(|top| calls(top, function, program));
        let passed = caller.map_or(Passed::Nowhere, |top| Passed::Below { base: top.base, call: top.call });
        self.push(key, function, program, oracle, passed);
    }

    /// The top frame made a tail call: its arguments stay, and it goes.
    #[cold]
    fn save_tail_arguments<O: Oracle<Shadow = S>>(&mut self, program: &FlatProgram, oracle: &mut O) {
        let Some(&mut Frame { base, call, .. }) = self.stack.top() else { return };
        let arguments = program.calls.get(call as usize).map_or(&[][..], |c| &c.arguments);
        while self.tail_arguments.len() < arguments.len() {
            self.tail_arguments.push(Register::new(oracle));
        }
        for (saved, &offset) in self.tail_arguments.iter_mut().zip(arguments) {
            match self.registers.get(base + offset as usize) {
                Some(register) => saved.copy_from(register, oracle),
                None => saved.known = Known::NOTHING,
            }
        }
        self.tail_arguments.iter_mut().skip(arguments.len()).for_each(|r| r.known = Known::NOTHING);
        self.stack.pop();
    }

    fn push<O: Oracle<Shadow = S>>(
        &mut self,
        key: u32,
        function: u32,
        program: &FlatProgram,
        oracle: &mut O,
        passed: Passed,
    ) -> usize {
        let f = &program.functions[function as usize];
        let size = f.frame as usize;
        let end = |stack: &mut Stack| stack.top().map_or(0, |top| top.base + top.size);
        let mut base = end(&mut self.stack);
        let mut passed = passed;
        if base + size > self.most_registers {
            let dropped = self.drop_outermost(size);
            base = end(&mut self.stack);
            if let Passed::Below { base, .. } = &mut passed {
                *base -= dropped;
            }
        }
        let (call, is_tail) = (NONE, false);
        let frame = Frame { key, function, base, size, last: NONE, call, callee: 0, call_site: NONE, is_tail, passed };
        let is_filled =
            self.stack.frames.get(self.stack.live).is_some_and(|old| old.function == function && old.base == base);
        if !is_filled {
            self.stack.frames.truncate(self.stack.live);
            while self.registers.len() < base + size {
                self.registers.push(Register::new(oracle));
            }
            let constants = self.registers[base..base + size].iter_mut().skip(f.slots as usize + 1);
            for (register, constant) in constants.zip(&f.constants) {
                register.restart(constant.value, constant.low, oracle);
                register.known.node = constant.node;
            }
            self.stack.frames.push(frame);
        } else {
            self.stack.frames[self.stack.live] = frame;
        }
        self.stack.live += 1;
        self.returned = None;
        self.has_ended = false;
        base
    }

    /// Keeps the innermost frames that take half the room beside `size` more, and the innermost in any case: it passes
    /// arguments. Returns by how much the others' registers have moved.
    #[cold]
    #[inline(never)]
    fn drop_outermost(&mut self, size: usize) -> usize {
        let Stack { frames, live } = &mut self.stack;
        frames.truncate(*live);
        let Some(top) = frames.last() else { return 0 };
        let room = (self.most_registers / 2).saturating_sub(size);
        let end = top.base + top.size;
        let first = frames.partition_point(|frame| end - frame.base > room).min(*live - 1);
        let shift = frames[first].base;
        self.dropped += first as u64;
        frames.drain(..first);
        *live -= first;
        for frame in frames.iter_mut() {
            frame.base -= shift;
            if let Passed::Below { base, .. } = &mut frame.passed {
                match base.checked_sub(shift) {
                    Some(moved) => *base = moved,
                    None => frame.passed = Passed::Nowhere,
                }
            }
        }
        self.registers.rotate_left(shift);
        self.registers.truncate(self.most_registers.max(end - shift));
        shift
    }
}

/// Whether a frame's last call is of this function.
fn calls(frame: &Frame, function: u32, program: &FlatProgram) -> bool {
    let f = &program.functions[function as usize];
    match program.calls.get(frame.call as usize).map(|c| c.callee) {
        Some(FlatCallee::Here(index)) => index == function,
        Some(FlatCallee::Named(name)) => name == f.name && !f.is_local,
        Some(FlatCallee::Address) => frame.callee == f.address && f.address != 0,
        None => false,
    }
}
