//! Arithmetic under fast-math flags.
//!
//! The code generator fuses and reassociates operations that have one use, also when they are lanes
//! of vectors that it takes apart. Shadow code must not add another use, or the program's own result
//! changes. So inside such a chain the shadow follows a strict recomputation of the operations; at the
//! chain's end it is rebased to the program's own value, and whatever the code generator did to the
//! chain is part of its error.

use super::Emitter;
use crate::fp::{Family, FpType};
use crate::llvm::{Opcode, Value};
use crate::lower::{feeds_chain, is_inner, stays_inside};

impl Emitter<'_> {
    /// The value that shadow code may use: the recomputed one, where there is one.
    pub fn actual(&self, value: Value) -> Value {
        self.recomputed.get(&value).copied().unwrap_or(value)
    }

    /// What stands for `z` in its shadow's formulas.
    pub fn recompute(&mut self, z: Value, opcode: Opcode, operands: &[Value]) -> Value {
        let redone = operands.iter().any(|o| self.recomputed.contains_key(o));
        if !redone && !is_inner(z) {
            return z;
        }
        let mut actual: Vec<Value> = operands.iter().map(|&o| self.actual(o)).collect();
        // Behind a fence, or the code generator would see that it and the operation are the same.
        actual[0] = self.b.intrinsic("llvm.arithmetic.fence", &[actual[0].ty()], &[actual[0]]);
        let strict = match opcode {
            Opcode::LLVMFAdd => self.b.fadd(actual[0], actual[1]),
            Opcode::LLVMFSub => self.b.fsub(actual[0], actual[1]),
            Opcode::LLVMFMul => self.b.fmul(actual[0], actual[1]),
            Opcode::LLVMFDiv => self.b.fdiv(actual[0], actual[1]),
            Opcode::LLVMFNeg => self.b.fneg(actual[0]),
            _ => self.b.fma(actual[0], actual[1], actual[2]),
        };
        if is_inner(z) {
            self.recomputed.insert(z, strict);
        }
        strict
    }

    /// The same for `i`, which moves lanes: it may be a chain's end, and what a chain takes its lanes from. The latter has
    /// one use, too, where the code generator moves lanes behind the arithmetic.
    pub fn recompute_lanes(&mut self, i: Value) -> Value {
        let redone = i.operands().iter().any(|o| self.recomputed.contains_key(o));
        if !redone && !feeds_chain(i) {
            return i;
        }
        let mut actual: Vec<Value> = i.operands().iter().map(|&o| self.actual(o)).collect();
        if let Some(source) = actual.iter_mut().find(|v| !v.is_constant()).filter(|_| !redone) {
            *source = self.b.intrinsic("llvm.arithmetic.fence", &[source.ty()], &[*source]);
        }
        let moved = match i.opcode() {
            Opcode::LLVMExtractElement => self.b.extract_element(actual[0], actual[1]),
            Opcode::LLVMInsertElement => self.b.insert_element(actual[0], actual[1], actual[2]),
            _ => self.b.shuffle(actual[0], actual[1], &i.shuffle_mask()),
        };
        if stays_inside(i) {
            self.recomputed.insert(i, moved);
        }
        moved
    }

    /// The residue beside the program's own `z` of a shadow that belongs to what was recomputed.
    pub fn rebase(&self, z: Value, redone: Value, fp: FpType, shadow: Value) -> Value {
        if redone == z || self.recomputed.contains_key(&z) || fp.family() == Family::Wider {
            return shadow;
        }
        self.restart_unless_finite(self.b.fadd(self.b.fsub(redone, z), shadow))
    }
}
