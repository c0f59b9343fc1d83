//! Comparisons: would the ideals, rounded to the program's format, decide otherwise?
//!
//! The rounded ideal is the best that the format could have held; comparing it, and not the
//! ideal itself, keeps ties within half an ulp silent (nsan rounds for the same reason).
//! Silent by construction: tests for NaN, and minimum, maximum and clamp idioms, whose result
//! changes continuously where the comparison flips.

use super::{Emitter, Shadow, entry::MAX_LANES};
use crate::fp::FpType;
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::sites::{self, Origin};
use nonius_abi::hooks::id;
use nonius_abi::site::{Observed, Op};

impl Emitter<'_> {
    pub fn visit_fcmp(&mut self, i: Value) {
        self.compare(i, i.real_predicate(), i.operand(0), i.operand(1));
    }

    /// `i` is the outcome of comparing `x` with `y`.
    pub fn compare(&mut self, i: Value, predicate: RealPredicate, x: Value, y: Value) {
        use RealPredicate::*;
        self.count_operation();
        let Some(fp) = FpType::of(x.ty()) else { return };
        let trivial = matches!(predicate, LLVMRealORD | LLVMRealUNO | LLVMRealPredicateTrue | LLVMRealPredicateFalse);
        let (ex, ey) = (self.shadow(x), self.shadow(y));
        let exact = (ex, ey) == (Shadow::Exact, Shadow::Exact);
        if trivial || exact || x == y || is_min_max(i, x, y) || fp.lane_count() > MAX_LANES {
            return;
        }
        self.counts.checks += 1;
        let rounded = |v, e| match e {
            Shadow::Exact => v,
            Shadow::Known(e) => self.rounded_ideal(v, fp, e),
        };
        let (rx, ry) = (rounded(x, ex), rounded(y, ey));
        let ideal = self.b.fcmp(predicate, rx, ry);
        let flips = self.b.and(self.b.xor(i, ideal), self.b.fcmp(LLVMRealORD, rx, ry));
        let any = self.b.any(flips);
        let point = self.b.point();
        let then = point.split_if(any);
        self.b.before_with_loc_of(then, i);
        self.report_flip(i, fp, [x, y], [rx, ry], flips);
        self.b.before_with_loc_of(point, i);
    }

    fn report_flip(&mut self, i: Value, fp: FpType, actual: [Value; 2], ideal: [Value; 2], flips: Value) {
        // The hook takes the left operands of all lanes, then the right ones.
        let lanes = fp.lane_count();
        for (buffer, pair) in [(0, actual), (2, ideal)] {
            for (side, value) in pair.into_iter().enumerate() {
                let at = self.b.offset(self.buffer(buffer), i64::from(lanes * 8) * side as i64);
                self.b.store(self.to_double(value), at, 8);
            }
        }
        let origin = Origin::new(Op::Compare, Some(i));
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Branch, i, self.index);
        let i32_type = self.b.types.i32();
        let (hook, ty) = self.tables.hook(id::__nonius_compare);
        let arguments = [
            self.tables.table(),
            i32_type.const_int(u64::from(site)),
            i32_type.const_int(u64::from(lanes)),
            self.buffer(0),
            self.buffer(2),
            self.b.lane_mask(flips),
        ];
        self.b.call(hook, ty, &arguments);
    }
}

/// Whether the outcome only picks one of the compared values.
pub fn is_min_max(i: Value, x: Value, y: Value) -> bool {
    let users = i.users();
    !users.is_empty()
        && users.iter().all(|u| {
            u.is(Opcode::LLVMSelect) && u.operand(0) == i && {
                let arms = [u.operand(1), u.operand(2)];
                let is_side =
                    |v: Value| v == x || v == y || (v.is(Opcode::LLVMFNeg) && (v.operand(0) == x || v.operand(0) == y));
                arms.into_iter().all(is_side)
            }
        })
}
