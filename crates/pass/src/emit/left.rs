//! What a sum leaves of its terms: evidence for what a bad value is (`nonius_finding::classify`).
//!
//! Of `b - A x` next to nothing is left beside `b`, and ideally nothing: the error is all there is. Computed on cold paths,
//! of the sum that is to blame, if that is at hand; else a deep run tells.

use super::blame::{Blamed, Suspect};
use super::made::Made;
use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Kind, Opcode, RealPredicate, Value};

/// Sums within a sum whose terms are looked at.
const SUMS: u32 = 2;
/// Operations from a comparison's side back to the sum.
const STEPS: u32 = 4;

impl Emitter<'_> {
    /// For the operation that is blamed for a value, `bad` in some lanes: the larger of value and ideal, as a share of the
    /// largest term. A double; 0 if it is no sum.
    pub fn left_by_blamed(&self, value: Value, fp: FpType, shadow: Value, bad: Value, blamed: &Blamed) -> Value {
        let own = self.left(value, fp, shadow, bad);
        self.left_by_suspects(blamed.suspects(), own)
    }

    fn left_by_suspects(&self, suspects: &[Suspect], otherwise: Value) -> Value {
        suspects.iter().fold(otherwise, |chosen, suspect| {
            let fp = FpType::of(suspect.operand.ty()).expect("a float");
            let own = self.left(suspect.operand, fp, suspect.shadow, suspect.bad);
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
            Made::Sum(_) => self.left(value, fp, shadow, bad),
            Made::Negated(x) | Made::Magnitude(x) | Made::Root(x) | Made::Converted(x, _) => {
                self.left_behind(x, bad, depth - 1)
            }
            Made::Product([x, y]) if x == y => self.left_behind(x, bad, depth - 1),
            _ => nothing,
        }
    }

    fn left(&self, value: Value, fp: FpType, shadow: Value, bad: Value) -> Value {
        let nothing = self.b.types.double().zero();
        let sum = self.through_local(value);
        if !is_sum(sum) || sum.ty() != value.ty() || lanes(bad) != lanes(sum) {
            return nothing;
        }
        let (v, e) = self.as_doubles(self.actual(sum), fp, shadow);
        let size = self.larger(self.b.fabs(v), self.b.fabs(self.b.fadd(v, e)));
        let share = self.b.fdiv(size, self.largest_term(sum, SUMS));
        self.first_lane(share, bad)
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
