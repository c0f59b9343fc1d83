//! What a sum leaves of its terms: evidence for what a bad value is (`nonius_finding::classify`).
//!
//! Of `b - A x` next to nothing is left beside `b`, and ideally nothing: the error is all there is. Computed on cold paths,
//! of the sum that is to blame, if that is at hand; else a deep run tells.
//!
//! What a value is a *residual* by: an ideal that is nothing, even beside the rounding of the largest term; or data whose own
//! rounding is as much, which a term is that has no error, unless the sum leaves a result ([`crate::result`]). Else its
//! ideal weighs more ([`Precision::weight_of_ideal`]), so that one limit is enough for both.

use super::blame::{Blamed, Suspect};
use super::made::Made;
use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Kind, Opcode, RealPredicate, Value};
use crate::result;

/// Sums within a sum whose terms are looked at.
const SUMS: u32 = 2;
/// Operations from a comparison's side back to the sum.
const STEPS: u32 = 4;

/// Whether ideals that are no residual's weigh more.
#[derive(Clone, Copy, PartialEq)]
enum Weigh {
    Ideals,
    Nothing,
}

enum Exact {
    Always,
    /// In lanes where this is true.
    Where(Value),
}

impl Emitter<'_> {
    /// For the operation that is blamed for a value, `bad` in some lanes: the larger of value and ideal, as a share of the
    /// largest term. A double; 0 if it is no sum.
    pub fn left_by_blamed(&self, value: Value, fp: FpType, shadow: Value, bad: Value, blamed: &Blamed) -> Value {
        let own = self.left(value, fp, shadow, bad, Weigh::Ideals);
        self.left_by_suspects(blamed.suspects(), own)
    }

    fn left_by_suspects(&self, suspects: &[Suspect], otherwise: Value) -> Value {
        suspects.iter().fold(otherwise, |chosen, suspect| {
            let fp = FpType::of(suspect.operand.ty()).expect("a float");
            let own = self.left(suspect.operand, fp, suspect.shadow, suspect.bad, Weigh::Ideals);
            let inner = self.left_by_suspects(&suspect.inner, own);
            if inner == chosen { chosen } else { self.b.select(self.b.any(suspect.bad), inner, chosen) }
        })
    }

    /// The same for the sides of a comparison that is wrong in some lanes: of a sum, its size or its root.
    pub fn left_by_sides(&self, sides: [Value; 2], bad: Value) -> Value {
        let [x, y] = sides.map(|side| self.left_behind(side, bad, STEPS));
        self.larger(x, y)
    }

    fn left_behind(&self, value: Value, bad: Value, depth: u32) -> Value {
        let value = self.through_local(value);
        let nothing = self.b.types.double().zero();
        let (Some(fp), Shadow::Known(shadow)) = (FpType::of(value.ty()), self.shadow(value)) else { return nothing };
        if depth == 0 || fp.shadow(self.b.types) != shadow.ty() {
            return nothing;
        }
        match Made::by(value) {
            Made::Sum(_) => self.left(value, fp, shadow, bad, Weigh::Nothing),
            Made::Negated(x) | Made::Magnitude(x) | Made::Root(x) | Made::Converted(x, _) => {
                self.left_behind(x, bad, depth - 1)
            }
            Made::Product([x, y]) if x == y => self.left_behind(x, bad, depth - 1),
            _ => nothing,
        }
    }

    fn left(&self, value: Value, fp: FpType, shadow: Value, bad: Value, weigh: Weigh) -> Value {
        let nothing = self.b.types.double().zero();
        let sum = self.through_local(value);
        if !is_sum(sum) || sum.ty() != value.ty() || lanes(bad) != lanes(sum) {
            return nothing;
        }
        let (v, e) = self.as_doubles(self.actual(sum), fp, shadow);
        let ideal = self.b.fabs(self.b.fadd(v, e));
        let ideal = if weigh == Weigh::Ideals { self.weighed(ideal, sum, fp) } else { ideal };
        let size = self.larger(self.b.fabs(v), ideal);
        let share = self.b.fdiv(size, self.largest_term(sum, SUMS));
        self.first_lane(share, bad)
    }

    /// An ideal that is no residual's weighs more.
    fn weighed(&self, ideal: Value, sum: Value, fp: FpType) -> Value {
        let heavy = self.b.fmul(ideal, self.b.real(ideal.ty(), fp.precision.weight_of_ideal()));
        match self.has_exact_term(sum, SUMS) {
            _ if result::is_one(sum) => heavy,
            Exact::Always => ideal,
            Exact::Where(exact) => self.b.select(exact, ideal, heavy),
        }
    }

    /// Where a sum has a term without an error.
    fn has_exact_term(&self, sum: Value, depth: u32) -> Exact {
        let of = |term: Value| {
            let (Some(fp), Shadow::Known(shadow)) = (FpType::of(term.ty()), self.shadow(term)) else {
                return Exact::Always;
            };
            let inner = self.through_local(term);
            if depth > 0 && is_sum(inner) && inner.ty() == sum.ty() {
                return self.has_exact_term(inner, depth - 1);
            }
            let (_, e) = self.as_doubles(self.actual(term), fp, shadow);
            Exact::Where(self.b.fcmp(RealPredicate::LLVMRealOEQ, e, e.ty().zero()))
        };
        match [0, 1].map(|n| of(sum.operand(n))) {
            [Exact::Always, _] | [_, Exact::Always] => Exact::Always,
            [Exact::Where(x), Exact::Where(y)] => Exact::Where(self.b.or(x, y)),
        }
    }

    fn largest_term(&self, sum: Value, depth: u32) -> Value {
        let [x, y] = [0, 1].map(|n| {
            let term = self.b.fabs(self.to_double(self.actual(sum.operand(n))));
            let inner = self.through_local(sum.operand(n));
            if depth == 0 || !is_sum(inner) || inner.ty() != sum.ty() {
                return term;
            }
            self.larger(term, self.largest_term(inner, depth - 1))
        });
        let pick = self.b.fcmp(RealPredicate::LLVMRealOGT, x, y);
        self.b.select(pick, x, y)
    }
}

fn lanes(value: Value) -> u32 {
    if let Kind::Vector(count) = value.ty().kind() { count } else { 1 }
}

fn is_sum(value: Value) -> bool {
    value.is(Opcode::LLVMFAdd) || value.is(Opcode::LLVMFSub)
}
