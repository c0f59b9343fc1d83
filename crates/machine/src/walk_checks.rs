//! Instructions that look at values: whether there is anything to judge, before `checks` judges it.

use crate::core::Core;
use crate::program::Insn;
use crate::register::Register;
use crate::thread::Stack;
use nonius_abi::code::SIGN;
use nonius_abi::site::{NONE, Op};
use nonius_oracle::Oracle;

impl<O: Oracle> Core<O> {
    #[inline(always)]
    pub fn check(&mut self, stack: &Stack, frame: &mut [Register<O::Shadow>], insn: &Insn) {
        let register = &mut frame[insn.args[0] as usize];
        if O::MEASURES && self.is_suspect(register, insn) {
            self.look(stack, register, insn);
        }
    }

    #[inline(always)]
    pub fn looks_unclear(&mut self, stack: &Stack, frame: &[Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let (x, y) = (&frame[insn.args[0] as usize], &frame[insn.args[1] as usize]);
        if !O::MEASURES || !counts(insn, words) {
            return;
        }
        match self.is_worth_a_look(x) || self.is_worth_a_look(y) {
            true if insn.detail & SIGN != 0 => {
                let size = frame[insn.args[2] as usize].known.value;
                self.takes_sign(stack, insn, [x, y], size);
            }
            true => self.compare(stack, insn, x, y),
            false => self.came_by(insn, [x, y]),
        }
    }

    #[inline(always)]
    pub fn truncates(&mut self, stack: &Stack, frame: &[Register<O::Shadow>], insn: &Insn, words: &[u64]) {
        let Some(op) = Op::from_u8(insn.detail as u8).filter(|_| counts(insn, words)) else { return };
        let x = &frame[insn.args[0] as usize];
        let y = if op.is_remainder() { &frame[insn.args[1] as usize] } else { x };
        match O::MEASURES && (self.is_worth_a_look(x) || self.is_worth_a_look(y)) {
            true if op.is_remainder() => self.remainder(stack, insn, [x, y], op),
            true => self.cast(stack, insn, x, op),
            false => self.came_by(insn, [x, y]),
        }
    }
}

/// Whether the program asked for what is decided, in this lane: what it may have computed early.
#[inline(always)]
fn counts(insn: &Insn, words: &[u64]) -> bool {
    insn.place == NONE || words[insn.place as usize] >> insn.shift & 1 != 0
}
