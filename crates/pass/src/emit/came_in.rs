//! Whether an error came in with what a value was computed from: from memory, the caller or a call.
//!
//! Of such an error the inline engine has a residue and no more. How well that is known hangs on operations that are out of
//! sight; where ideals were lost on the way (`runtime::doubts`), no digit of it need be right.

use super::made::Made;
use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::{locals, sites};
use nonius_abi::site::Op;
use std::collections::HashSet;

/// Operations back from what is compared.
const DEPTH: u32 = 5;
/// Copies back to where a value came from.
const MOST_COPIES: usize = 32;

impl Emitter<'_> {
    /// Whether one of the values that the sides were computed from came in with an error past the limit. To be asked on a
    /// cold path.
    pub fn came_in_bad(&self, sides: [Value; 2]) -> Value {
        let mut sources = Vec::new();
        sides.into_iter().for_each(|side| self.sources(side, DEPTH, &mut sources));
        let never = self.b.types.int(1).zero();
        sources.into_iter().fold(never, |any, source| match self.is_bad(source) {
            Some(bad) => self.b.or(any, self.b.any(bad)),
            None => any,
        })
    }

    /// The values that came in, each once.
    fn sources(&self, value: Value, depth: u32, found: &mut Vec<Value>) {
        let value = self.through_local(value);
        if self.shadow(value) == Shadow::Exact || found.contains(&value) {
            return;
        }
        if comes_in(value, &mut HashSet::new()) {
            found.push(value);
        } else if depth > 0 {
            Made::by(value).operands().into_iter().for_each(|o| self.sources(o, depth - 1, found));
        }
    }

    fn is_bad(&self, value: Value) -> Option<Value> {
        let (fp, Shadow::Known(shadow)) = (FpType::of(value.ty())?, self.shadow(value)) else { return None };
        if shadow.ty() != fp.shadow(self.b.types) {
            return None;
        }
        let (v, e) = self.as_doubles(self.actual(value), fp, shadow);
        let limit = self.b.splat(self.limit_now(fp, 0), v.ty());
        Some(self.b.fcmp(RealPredicate::LLVMRealOGT, self.b.fabs(e), self.b.fmul(self.b.fabs(v), limit)))
    }
}

/// Whether a value is as it came.
fn comes_in(value: Value, met: &mut HashSet<Value>) -> bool {
    use Opcode::*;
    if !value.is_instruction() || !met.insert(value) {
        return true;
    }
    if met.len() > MOST_COPIES {
        return false;
    }
    let behind = match value.opcode() {
        LLVMLoad => locals::stored_values(value),
        LLVMPHI => value.phi_incoming().into_iter().map(|(value, _)| value).collect(),
        LLVMSelect => value.operands()[1..].to_vec(),
        LLVMFNeg | LLVMFPExt | LLVMFreeze | LLVMExtractElement | LLVMExtractValue => vec![value.operand(0)],
        LLVMCall | LLVMInvoke if sites::origin(value).op == Op::Call => Vec::new(),
        _ => return false,
    };
    behind.into_iter().all(|value| comes_in(value, met))
}
