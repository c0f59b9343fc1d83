//! The walk over a block: every operation once in the program's own arithmetic, bit for bit, and once
//! in the oracle's.
//!
//! No operation allocates or hashes; whatever is rare is out of line.

use crate::checks::constants::{hides_factor, name_exact};
use crate::core::Core;
use crate::format::decode;
use crate::program::{FlatBlock, FlatProgram, Insn, Opcode};
use crate::register::{Known, Register, UNFOLLOWED};
use crate::thread::{Passed, Stack, Thread};
use crate::walk_four::Avx2;
use nonius_abi::Precision;
use nonius_abi::code::LIVE;
use nonius_abi::site::NONE;
use nonius_oracle::{Binary, Operand, Oracle};

/// The registers that an instruction can reach: its frame's, and those below and above.
struct Reach<'a, S> {
    below: &'a mut [Register<S>],
    frame: &'a mut [Register<S>],
    above: &'a mut [Register<S>],
    /// Arguments of a tail call.
    tail_arguments: &'a [Register<S>],
    /// What the callee returned just now, or this frame returns: registers and list.
    returned: Option<(usize, u32)>,
    /// Where the frame begins.
    base: usize,
}

/// The recorded value of a lane, as the sum of two doubles.
#[inline(always)]
fn recorded(insn: &Insn, words: &[u64]) -> (f64, f64) {
    let at = insn.word as usize;
    match insn.format {
        Precision::Double => (f64::from_bits(words[at]), 0.0),
        Precision::Float => (f64::from(f32::from_bits((words[at] >> insn.shift) as u32)), 0.0),
        _ => recorded_rare(insn, words),
    }
}

/// The same as one double.
pub fn recorded_value(insn: &Insn, words: &[u64]) -> f64 {
    recorded(insn, words).0
}

#[cold]
fn recorded_rare(insn: &Insn, words: &[u64]) -> (f64, f64) {
    let at = insn.word as usize;
    let high = if insn.format.store_bytes() > 8 { words.get(at + 1).copied().unwrap_or(0) } else { 0 };
    decode(insn.format, (u128::from(high) << 64 | u128::from(words[at])) >> insn.shift)
}

/// What the program's format makes of an exact or wider result.
#[inline(always)]
fn rounded(format: Precision, double: f64, single: impl FnOnce() -> f32) -> f64 {
    if format == Precision::Float { f64::from(single()) } else { double }
}

/// Control goes to a callee, or back to the caller.
#[inline(always)]
fn leaves<S>(stack: &mut Stack, reach: &mut Reach<S>, insn: &Insn, words: &[u64]) {
    reach.returned = None;
    if insn.op == Opcode::Return {
        reach.returned = Some((reach.base, insn.detail));
        stack.pop();
        return;
    }
    let top = stack.top().expect("a block runs in a frame");
    top.call = insn.detail;
    top.callee = if insn.place == NONE { 0 } else { words[insn.place as usize] };
    top.call_site = insn.site;
    top.is_tail = insn.offset == 1;
}

/// Four instructions are done, if they are.
#[inline(always)]
fn passed_over(rest: &mut std::slice::Iter<Insn>, are_done: bool) {
    if are_done {
        *rest = rest.as_slice().get(4..).unwrap_or_default().iter();
    }
}

impl<O: Oracle> Core<O> {
    /// Events of the top frame, from the one of block `number` on, until control leaves it or what comes next is no
    /// event of it. Returns where that begins.
    #[inline(always)]
    pub fn stretch(
        &mut self,
        avx2: Option<Avx2>,
        program: &FlatProgram,
        thread: &mut Thread<O::Shadow>,
        words: &[u64],
        (mut at, mut number): (usize, u32),
    ) -> usize {
        let Some(top) = thread.stack.top() else { return words.len() };
        top.call = NONE;
        let (key, function, base, size, mut last) = (top.key, top.function, top.base, top.size, top.last);
        let (below, rest) = thread.registers.split_at_mut(base);
        let (frame, above) = rest.split_at_mut(size);
        let returned = thread.returned.take();
        let mut reach = Reach { below, frame, above, tail_arguments: &thread.tail_arguments, returned, base };
        let mut block = &program.blocks[number as usize];
        loop {
            let end = at + 1 + block.words as usize;
            if !block.phis.is_empty() {
                self.phis(block, last, reach.frame);
            }
            let stays = self.block(avx2, program, &mut thread.stack, &mut reach, block, &words[at + 1..end]);
            let header = words[at];
            (at, last) = (end, number);
            // The same block again, as in most loops.
            let is_again = words.get(at) == Some(&header) && !block.enters && at + (block.words as usize) < words.len();
            if stays && is_again {
                reach.returned = None;
                continue;
            }
            let next = words.get(at).filter(|_| stays).filter(|&&header| (header >> 32) as u32 == key);
            let next = next.and_then(|&header| program.find(header as u32)).filter(|&next| {
                let block = &program.blocks[next as usize];
                block.function == function && !block.enters && at + (block.words as usize) < words.len()
            });
            match next {
                Some(next) => {
                    (number, reach.returned) = (next, None);
                    block = &program.blocks[next as usize];
                }
                None if stays => break,
                None => {
                    thread.returned = reach.returned;
                    break;
                }
            }
        }
        if let Some(top) = thread.stack.top_at(base) {
            top.last = last;
        }
        at
    }

    /// An event: the block ran, and recorded `words`. Says whether control stays in the frame.
    #[inline(always)]
    fn block(
        &mut self,
        avx2: Option<Avx2>,
        program: &FlatProgram,
        stack: &mut Stack,
        reach: &mut Reach<O::Shadow>,
        block: &FlatBlock,
        words: &[u64],
    ) -> bool {
        let mut rest = program.insns[block.insns.clone()].iter();
        self.operations += u64::from(block.quick);
        while let Some(insn) = rest.next() {
            match insn.op {
                Opcode::AddFour => {
                    passed_over(&mut rest, self.binary_four::<false>(avx2, Binary::Add, reach.frame, insn))
                }
                Opcode::SubFour => {
                    passed_over(&mut rest, self.binary_four::<false>(avx2, Binary::Sub, reach.frame, insn))
                }
                Opcode::MulFour => {
                    passed_over(&mut rest, self.binary_four::<false>(avx2, Binary::Mul, reach.frame, insn))
                }
                Opcode::DivFour => {
                    passed_over(&mut rest, self.binary_four::<false>(avx2, Binary::Div, reach.frame, insn))
                }
                Opcode::AddSame => {
                    passed_over(&mut rest, self.binary_four::<true>(avx2, Binary::Add, reach.frame, insn))
                }
                Opcode::SubSame => {
                    passed_over(&mut rest, self.binary_four::<true>(avx2, Binary::Sub, reach.frame, insn))
                }
                Opcode::MulSame => {
                    passed_over(&mut rest, self.binary_four::<true>(avx2, Binary::Mul, reach.frame, insn))
                }
                Opcode::LoadFour => passed_over(&mut rest, self.load_four(avx2, reach.frame, insn, words)),
                Opcode::StoreFour => passed_over(&mut rest, self.store_four(reach.frame, insn, words)),
                Opcode::CheckFour => passed_over(&mut rest, O::MEASURES && self.check_four(reach.frame, insn)),
                Opcode::MoveFour => {
                    for m in rest.as_slice().first_chunk::<4>().into_iter().flatten() {
                        self.copy(reach.frame, m.out, m.args[0]);
                    }
                    passed_over(&mut rest, true);
                }
                Opcode::FromInteger if self.exact_integer(reach.frame, insn, words) => {}
                Opcode::QuickAdd => self.quick(avx2, Binary::Add, reach.frame, insn, words),
                Opcode::QuickSub => self.quick(avx2, Binary::Sub, reach.frame, insn, words),
                Opcode::QuickMul => self.quick(avx2, Binary::Mul, reach.frame, insn, words),
                Opcode::QuickDiv => self.quick(avx2, Binary::Div, reach.frame, insn, words),
                Opcode::LoadDouble => self.load_double(avx2, reach.frame, insn, words),
                Opcode::StoreDouble => self.store_double(reach.frame, insn, words),
                Opcode::Call | Opcode::Return => {
                    leaves(stack, reach, insn, words);
                    return false;
                }
                Opcode::Parameter => {
                    let top = stack.top().map(|top| (top.passed, top.function));
                    let (passed, function) = top.unwrap_or((Passed::Nowhere, NONE));
                    if !self.parameter(program, reach, passed, insn, words) {
                        self.lost.argument(function);
                    }
                }
                Opcode::Result => self.result(program, reach, insn, words),
                Opcode::ByAddress => {
                    if !self.known_by_address(program, reach.frame, insn, words) {
                        self.result(program, reach, insn, words);
                    }
                }
                Opcode::Check => self.check(stack, reach.frame, insn),
                Opcode::Compare if O::MEASURES && self.compares_clearly(reach.frame, insn) => {}
                Opcode::Compare => self.looks_unclear(stack, reach.frame, insn, words),
                Opcode::ToInteger => self.truncates(stack, reach.frame, insn, words),
                Opcode::Request => self.request(stack, reach.frame, insn),
                Opcode::Sqrt => self.sqrt(reach.frame, insn, words),
                Opcode::Fma => self.fma(reach.frame, insn, words),
                Opcode::Move => self.copy(reach.frame, insn.out, insn.args[0]),
                Opcode::Neg => self.negated(reach.frame, insn),
                Opcode::Intended => self.intended_rounding(reach.frame, insn, words),
                Opcode::Low => self.low(reach.frame, insn, words),
                _ => self.step(program, reach.frame, insn, words),
            }
        }
        true
    }

    /// The phis of a block, by the block that control came from.
    #[inline(always)]
    fn phis(&mut self, block: &FlatBlock, last: u32, frame: &mut [Register<O::Shadow>]) {
        let Some(moves) = block.moves_from(last) else {
            block.phis.iter().for_each(|&phi| frame[phi as usize].known = Known::NOTHING);
            return;
        };
        for &(to, from) in moves {
            self.copy(frame, to, from);
        }
    }

    #[inline(always)]
    fn copy(&mut self, frame: &mut [Register<O::Shadow>], to: u32, from: u32) {
        if let Ok([to, from]) = frame.get_disjoint_mut([to as usize, from as usize]) {
            to.copy_from(from, &mut self.oracle);
        }
    }

    #[inline(always)]
    fn negated(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn) {
        let x = &frame[insn.args[0] as usize];
        self.oracle.neg(&mut self.scratch, Operand { actual: x.known.value, shadow: &x.shadow });
        let node = self.trail.negated(x.known.node);
        let known = Known { value: -x.known.value, residue: -x.known.residue, node, ..x.known };
        self.put(frame, insn, known);
    }

    /// What is neither frequent nor rare.
    pub fn step(&mut self, program: &FlatProgram, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let [a, b, _] = insn.args;
        match insn.op {
            Opcode::Select => {
                let takes_a = words[insn.place as usize] >> (insn.detail & 63) & 1 != 0;
                self.copy(frame, insn.out, if takes_a { a } else { b });
            }
            Opcode::Value => {
                let (value, low) = recorded(insn, words);
                let out = &mut frame[insn.out as usize];
                let is_same = out.known.is_known() && out.known.value.to_bits() == value.to_bits();
                if insn.detail == LIVE && is_same {
                    return;
                }
                out.restart(value, low, &mut self.oracle);
                if insn.detail != 0 {
                    out.known.depth = UNFOLLOWED;
                }
                if insn.detail == 1 {
                    self.lost.at(insn.site);
                }
            }
            Opcode::FromInteger => self.integer(frame, insn, words),
            Opcode::Add => self.binary(Binary::Add, frame, insn, words),
            Opcode::Sub => self.binary(Binary::Sub, frame, insn, words),
            Opcode::Mul => self.binary(Binary::Mul, frame, insn, words),
            Opcode::Div => self.binary(Binary::Div, frame, insn, words),
            Opcode::Load => self.load(frame, insn, words),
            Opcode::Store => self.store(frame, insn, words),
            Opcode::Abs => {
                let x = &frame[a as usize];
                self.oracle.abs(&mut self.scratch, Operand { actual: x.known.value, shadow: &x.shadow });
                let value = x.known.value.abs();
                let residue = self.oracle.residue(&self.scratch, value);
                let is_other = x.known.value.is_sign_negative();
                let node = if is_other { self.trail.negated(x.known.node) } else { x.known.node };
                let known = Known { value, residue, node, ..x.known };
                self.put(frame, insn, known);
            }
            _ => self.rare(program, frame, insn, words),
        }
    }

    /// The shadow in `scratch` becomes the result's.
    #[inline(always)]
    pub fn put(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, known: Known) {
        let out = &mut frame[insn.out as usize];
        if !O::MEASURES {
            (out.known.value, out.known.depth) = (known.value, known.depth);
            return;
        }
        out.known = known;
        std::mem::swap(&mut out.shadow, &mut self.scratch);
    }

    /// The program's value where it was recorded, else what the operation gives. Its shadow is in `scratch`.
    #[inline(always)]
    pub fn actual_result(&mut self, insn: &Insn, words: &[u64], z: f64) -> f64 {
        if insn.word == NONE {
            return z;
        }
        let (actual, low) = recorded(insn, words);
        if z.is_nan() && !actual.is_nan() {
            // The operands were not known; the result is.
            self.oracle.restart_wide(&mut self.scratch, actual, low);
        } else if actual != z {
            self.oracle.rebase(&mut self.scratch, z, actual);
        }
        actual
    }

    #[inline(always)]
    pub fn binary(&mut self, op: Binary, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let (x, y) = (&frame[insn.args[0] as usize], &frame[insn.args[1] as usize]);
        let (a, b) = (x.known.value, y.known.value);
        let z = match op {
            Binary::Add => rounded(insn.format, a + b, || a as f32 + b as f32),
            Binary::Sub => rounded(insn.format, a - b, || a as f32 - b as f32),
            Binary::Mul => rounded(insn.format, a * b, || a as f32 * b as f32),
            Binary::Div => rounded(insn.format, a / b, || a as f32 / b as f32),
        };
        if O::MEASURES {
            let (left, right) = (Operand { actual: a, shadow: &x.shadow }, Operand { actual: b, shadow: &y.shadow });
            self.oracle.binary(op, &mut self.scratch, left, right, z);
        }
        let z = self.actual_result(insn, words, z);
        let cancels = matches!(op, Binary::Add | Binary::Sub);
        let known = if hides_factor(op, z, &x.known, &y.known) {
            let mut named = [x.known, y.known];
            name_exact(&mut self.trail, &mut named);
            self.measured(insn, z, [&named[0], &named[1], &Known::ABSENT], cancels)
        } else {
            self.measured(insn, z, [&x.known, &y.known, &Known::ABSENT], cancels)
        };
        self.put(frame, insn, known);
    }

    #[inline(always)]
    pub fn fma(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let [x, y, c] = insn.args.map(|a| &frame[a as usize]);
        let known = [&x.known, &y.known, &c.known];
        let [a, b, d] = known.map(|k| k.value);
        let z = rounded(insn.format, a.mul_add(b, d), || (a as f32).mul_add(b as f32, d as f32));
        if O::MEASURES {
            let operands = [x, y, c].map(|r| Operand { actual: r.known.value, shadow: &r.shadow });
            self.oracle.fma(&mut self.scratch, operands, z);
        }
        let z = self.actual_result(insn, words, z);
        // What a sum with an exact term leaves of a product does not say by what one factor moved the other.
        let hides_factor = (x.known.node == 0) != (y.known.node == 0) && (c.known.node == 0 || z == d);
        let known = if hides_factor {
            let mut named = known.map(|k| *k);
            name_exact(&mut self.trail, &mut named[..2]);
            self.measured(insn, z, named.each_ref(), false)
        } else {
            self.measured(insn, z, known, false)
        };
        self.put(frame, insn, known);
    }

    #[inline(always)]
    fn load(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let (value, low) = recorded(insn, words);
        let out = &mut frame[insn.out as usize];
        if !O::MEASURES {
            (out.known.value, out.known.depth) = (value, 0);
            return;
        }
        let address = words[insn.place as usize].wrapping_add_signed(insn.offset);
        self.fetch(None, out, address, insn.format, (value, low));
    }

    /// The shadow of a value that the program found at an address.
    #[inline(always)]
    pub fn fetch(
        &mut self,
        avx2: Option<Avx2>,
        out: &mut Register<O::Shadow>,
        address: u64,
        format: Precision,
        (value, low): (f64, f64),
    ) {
        self.loads += 1;
        if !self.memory.load(avx2, address, format, value, out, &mut self.oracle) {
            self.loads_restarted += 1;
            out.restart(value, low, &mut self.oracle);
            let changed = self.memory.holds(address, format);
            self.lost.loads += u64::from(changed);
            if self.is_partial || changed {
                out.known.depth = UNFOLLOWED;
            }
        } else if self.trail.is_overwritten(out.known.node) {
            self.renew(&mut out.known);
        }
    }

    #[inline(always)]
    fn store(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        if O::MEASURES {
            let address = words[insn.place as usize].wrapping_add_signed(insn.offset);
            let from = &frame[insn.args[0] as usize];
            if address != 0 && from.known.is_known() {
                self.memory.store(address, insn.format, from, &mut self.oracle);
                if !from.known.value.is_finite() {
                    let known = from.known;
                    self.saw_not_finite(&Stack::default(), insn, &known);
                }
            }
        }
    }

    fn integer(&mut self, frame: &mut [Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let word = words[insn.word as usize];
        let (double, single) =
            if insn.is_signed { (word as i64 as f64, word as i64 as f32) } else { (word as f64, word as f32) };
        let z = match insn.format {
            Precision::Double | Precision::Float => rounded(insn.format, double, || single),
            other => other.rounded(double),
        };
        // Exactly: an integer of 64 bits is the sum of two doubles, and one of 53 bits is one.
        let low = if word.wrapping_add(1 << 53) <= 1 << 54 && (insn.is_signed || word >> 53 == 0) {
            0.0
        } else if insn.is_signed {
            (i128::from(word as i64) - double as i128) as f64
        } else {
            (i128::from(word) - double as i128) as f64
        };
        self.oracle.restart_wide(&mut self.scratch, double, low);
        self.oracle.rebase(&mut self.scratch, double, z);
        let known = self.measured(insn, z, [&Known::ABSENT; 3], false);
        self.put(frame, insn, known);
    }

    /// The caller's shadow, if it called this function with this value; says whether there is one.
    fn parameter(
        &mut self,
        program: &FlatProgram,
        reach: &mut Reach<O::Shadow>,
        passed: Passed,
        insn: &Insn,
        words: &[u64],
    ) -> bool {
        let (value, low) = recorded(insn, words);
        let out = &mut reach.frame[insn.out as usize];
        let lane = insn.detail as usize;
        let passed = match passed {
            Passed::Nowhere => None,
            Passed::Below { base, call } => {
                let offset = program.calls[call as usize].arguments.get(lane);
                offset.and_then(|&offset| reach.below.get(base + offset as usize))
            }
            Passed::ByTailCall => reach.tail_arguments.get(lane),
        };
        let passed = passed.filter(|p| p.known.value.to_bits() == value.to_bits() && p.known.is_known());
        match passed {
            Some(passed) => out.copy_from(passed, &mut self.oracle),
            None => {
                out.restart(value, low, &mut self.oracle);
                out.known.depth = UNFOLLOWED;
            }
        }
        passed.is_some()
    }

    /// The callee's shadow, if it returned just now with this value.
    fn result(&mut self, program: &FlatProgram, reach: &mut Reach<O::Shadow>, insn: &Insn, words: &[u64]) {
        let (value, low) = recorded(insn, words);
        let above = reach.base + reach.frame.len();
        let out = &mut reach.frame[insn.out as usize];
        let passed = reach.returned.and_then(|(base, list)| {
            let offset = *program.lists[list as usize].get(insn.detail as usize)?;
            reach.above.get((base + offset as usize).checked_sub(above)?)
        });
        match passed.filter(|p| p.known.value.to_bits() == value.to_bits() && p.known.is_known()) {
            Some(passed) => out.copy_from(passed, &mut self.oracle),
            None => {
                out.restart(value, low, &mut self.oracle);
                out.known.depth = UNFOLLOWED;
                self.lost.at(insn.site);
            }
        }
    }
}
