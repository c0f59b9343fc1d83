//! Comparisons with recorded numbers, as `nonius_verdict::verdict::records` has them: `f(x) == 0.8414709848078965`, and
//! `fabs(f(x) - 0.8414709848078965) < 1e-15`. On the cold path of a comparison that flips, the number is handed to the
//! runtime where the value beside it is as right as asked for.
//!
//! Limits: differences that are made in another function, or more than `DEPTH` operations back, are out of sight.

use super::compare::{Decides, Test};
use super::made::Made;
use super::radius::DEPTH;
use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Opcode, RealPredicate, Value};
use nonius_abi::Precision;
use nonius_abi::hooks::RELATIVE_LIMITS;

/// What a value is the difference of, or the sum (`is_sum`).
#[derive(Clone, Copy)]
struct Terms {
    sides: [Value; 2],
    is_sum: bool,
    fp: FpType,
}

impl Emitter<'_> {
    /// What a comparison holds a right value against and has found near, in doubles; 0 where that is not so. `None` where it
    /// cannot be.
    pub fn recorded_numbers(&self, test: &Test) -> Option<Value> {
        use RealPredicate::LLVMRealOEQ;
        if test.decides != Decides::Comparison {
            return None;
        }
        let asks_for_equality = matches!(test.predicate as u32 & 7, 1 | 6);
        let differences = test.sides.map(|side| self.difference_behind(side, test.fp, DEPTH));
        let themselves = Terms { sides: test.sides, is_sum: false, fp: test.fp };
        // Of two numbers that are not 0, an equality is about themselves.
        let is_zero = |side: &Value| *side == side.ty().zero();
        let terms = match differences {
            _ if asks_for_equality && !test.sides.iter().any(is_zero) => themselves,
            [Some(terms), None] | [None, Some(terms)] => terms,
            _ => return None,
        };
        let numbers = self.number_among(terms)?;
        let [left, right] = test.sides.map(|side| self.actual(side));
        let near = match (asks_for_equality, differences[0].is_some()) {
            (true, _) => self.b.fcmp(LLVMRealOEQ, left, right),
            (false, true) => self.is_error_within(test.sides[0], right, test.fp),
            (false, false) => self.is_error_within(test.sides[1], left, test.fp),
        };
        Some(self.b.select(near, numbers, numbers.ty().zero()))
    }

    /// The lanes of a difference that is nothing but error, and less than a bound.
    fn is_error_within(&self, difference: Value, bound: Value, fp: FpType) -> Value {
        use RealPredicate::{LLVMRealOGT, LLVMRealOLE};
        let shadow = self.materialize(difference, fp, self.shadow(difference));
        let (v, e) = self.as_doubles(self.actual(difference), fp, shadow);
        let limit = self.b.splat(self.limit_now(fp, RELATIVE_LIMITS), v.ty());
        let most = self.b.fmul(limit, self.b.fabs(self.b.fadd(v, e)));
        let is_lost = self.b.fcmp(LLVMRealOGT, self.b.fabs(e), most);
        let bound = self.b.fabs(self.to_double(bound));
        let is_within = self.b.fcmp(LLVMRealOLE, self.b.fabs(v), bound);
        let is_bound = self.b.fcmp(LLVMRealOGT, bound, bound.ty().zero());
        self.b.and(is_lost, self.b.and(is_within, is_bound))
    }

    /// Which of two is exact, where the other one is right and near.
    fn number_among(&self, Terms { sides: terms, is_sum, fp }: Terms) -> Option<Value> {
        use RealPredicate::{LLVMRealOEQ, LLVMRealOLE};
        if terms.iter().all(|&term| self.shadow(term) == Shadow::Exact) {
            return None;
        }
        let [x, y] =
            terms.map(|term| self.as_doubles(self.actual(term), fp, self.materialize(term, fp, self.shadow(term))));
        let limit = self.b.splat(self.limit_now(fp, RELATIVE_LIMITS), x.0.ty());
        let zero = x.0.ty().zero();
        let gap = if is_sum { self.b.fadd(x.0, y.0) } else { self.b.fsub(x.0, y.0) };
        let is_number_beside = |number: (Value, Value), (v, e): (Value, Value)| {
            let most = self.b.fmul(limit, self.b.fabs(self.b.fadd(v, e)));
            let is_right = self.b.fcmp(LLVMRealOLE, self.b.fabs(e), most);
            let is_near = self.b.fcmp(LLVMRealOLE, self.b.fabs(gap), self.b.fmul(limit, self.b.fabs(number.0)));
            self.b.and(self.b.fcmp(LLVMRealOEQ, number.1, zero), self.b.and(is_right, is_near))
        };
        let left = self.b.select(is_number_beside(x, y), x.0, zero);
        Some(self.b.select(is_number_beside(y, x), y.0, left))
    }

    /// What a value was made of as a difference.
    fn difference_behind(&self, value: Value, fp: FpType, depth: u32) -> Option<Terms> {
        let value = self.through_local(value);
        if depth == 0 || FpType::of(value.ty()) != Some(fp) || matches!(fp.precision, Precision::Quad) {
            return None;
        }
        let behind = |operand| self.difference_behind(operand, fp, depth - 1);
        match Made::by(value) {
            Made::Sum(sides) => Some(Terms { sides, is_sum: value.is(Opcode::LLVMFAdd), fp }),
            Made::Negated(x) | Made::Magnitude(x) | Made::Quotient(x, _) => behind(x),
            Made::Product([x, y]) => behind(x).or_else(|| behind(y)),
            Made::Converted(x, from) => self.difference_behind(x, from, depth - 1),
            _ => None,
        }
    }
}
