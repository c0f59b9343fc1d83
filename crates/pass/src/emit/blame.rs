//! Which operation to name for a bad value: the one that made it bad.
//!
//! A product of a bad factor is bad through no fault of its own. On the cold path of a check the
//! operands are judged like the value, and the search goes on in the first that is past the limit
//! too, as far back as the values are still at hand.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::sites::{self, Origin};
use nonius_abi::site::Observed;

/// Operations back from the value; each step doubles the sites.
const DEPTH: u32 = 4;

impl Emitter<'_> {
    /// The number of the site to report `value` at, decided when the program runs.
    pub fn blamed_site(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value) -> Value {
        self.blame(value, fp, observed, seen_by, DEPTH)
    }

    fn blame(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value, depth: u32) -> Value {
        let origin = sites::origin(value);
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, observed, seen_by, self.index);
        let mut blamed = self.b.types.i32().const_int(u64::from(site));
        for (operand, shadow) in self.suspects(&origin, depth) {
            let operand_fp = FpType::of(operand.ty()).expect("a float");
            let inner = self.blame(operand, operand_fp, observed, seen_by, depth - 1);
            let bad = self.is_past_limit(self.actual(operand), operand_fp, shadow);
            blamed = self.b.select(self.b.any(bad), inner, blamed);
        }
        blamed
    }

    /// Operands of the operation that were themselves computed here.
    fn suspects(&self, origin: &Origin, depth: u32) -> Vec<(Value, Value)> {
        let Some(operation) = origin.instruction.filter(|i| depth > 0 && hands_errors_on(*i)) else {
            return Vec::new();
        };
        let operands = operation.operands().into_iter().filter(|o| o.is_instruction() && sites::is_fp(*o));
        operands
            .filter_map(|o| match self.shadow(o) {
                Shadow::Known(shadow) => Some((o, shadow)),
                Shadow::Exact => None,
            })
            .filter(|(o, _)| sites::origin(*o).instruction.is_some_and(|i| i != operation))
            .collect()
    }

    /// Whether the relative error of lanes is past the limit, as far as the fast path judges.
    pub fn is_past_limit(&mut self, value: Value, fp: FpType, shadow: Value) -> Value {
        let limit = self.limit(fp);
        let (v, e) = self.as_doubles(value, fp, shadow);
        let bound = self.b.fmul(self.b.fabs(v), self.b.splat(limit, v.ty()));
        self.b.fcmp(RealPredicate::LLVMRealOGT, self.b.fabs(e), bound)
    }
}

fn hands_errors_on(i: Value) -> bool {
    use Opcode::*;
    matches!(i.opcode(), LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFPTrunc | LLVMCall)
}
