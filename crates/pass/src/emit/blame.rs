//! Which operation to name for a bad value: the one that made it bad.
//!
//! A product of a bad factor is bad through no fault of its own. On the cold path of a check the
//! operands are judged like the value, and the search goes on in the first that is past the limit
//! too, as far back as the values are still at hand. Where branches meet, a second phi carries the
//! site of the branch that was taken.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::locals;
use crate::sites::{self, Origin};
use nonius_abi::site::Observed;
use std::collections::{HashMap, HashSet};

/// Operations back from the value; each step doubles the sites.
const DEPTH: u32 = 4;

/// A search, and what it made so far: operands meet again where paths join.
struct Inquiry {
    observed: Observed,
    seen_by: Value,
    blamed: HashMap<(Value, u32), Value>,
    bad: HashMap<Value, Value>,
}

impl Emitter<'_> {
    /// The number of the site to report `value` at, decided when the program runs.
    pub fn blamed_site(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value) -> Value {
        let mut inquiry = Inquiry { observed, seen_by, blamed: HashMap::new(), bad: HashMap::new() };
        self.blame(&mut inquiry, value, fp, DEPTH)
    }

    fn blame(&mut self, inquiry: &mut Inquiry, value: Value, fp: FpType, depth: u32) -> Value {
        if let Some(&blamed) = inquiry.blamed.get(&(value, depth)) {
            return blamed;
        }
        let origin = sites::origin(value);
        let Inquiry { observed, seen_by, .. } = *inquiry;
        let taken = self.blame_branch(value, fp, observed, seen_by, depth);
        if let Some(taken) = taken.or_else(|| self.blame_store(value, fp, observed, seen_by, depth)) {
            inquiry.blamed.insert((value, depth), taken);
            return taken;
        }
        let mut blamed = self.site_of(value, fp, observed, seen_by);
        for (operand, shadow) in self.suspects(&origin, depth) {
            let operand_fp = FpType::of(operand.ty()).expect("a float");
            let inner = self.blame(inquiry, operand, operand_fp, depth - 1);
            let bad = match inquiry.bad.get(&operand) {
                Some(&bad) => bad,
                None => {
                    let bad = self.is_past_limit(self.actual(operand), operand_fp, shadow, false);
                    self.b.any(bad)
                }
            };
            inquiry.bad.insert(operand, bad);
            blamed = self.b.select(bad, inner, blamed);
        }
        inquiry.blamed.insert((value, depth), blamed);
        blamed
    }

    /// For a phi where branches with operations of their own meet: the site of the one taken.
    fn blame_branch(
        &mut self,
        value: Value,
        fp: FpType,
        observed: Observed,
        seen_by: Value,
        depth: u32,
    ) -> Option<Value> {
        if depth == 0 || !value.is(Opcode::LLVMPHI) || self.shadows.is_loop_phi(value) {
            return None;
        }
        let incoming = value.phi_incoming();
        let made: HashSet<Value> = incoming.iter().filter_map(|(v, _)| sites::origin(*v).instruction).collect();
        if made.len() < 2 {
            return None;
        }
        let place = self.b.save();
        self.b.before(value);
        let merged = self.b.phi(self.b.types.i32());
        self.b.restore(place);
        for (v, from) in incoming {
            let inner = self.blame_branch(v, fp, observed, seen_by, depth - 1);
            let site = inner.unwrap_or_else(|| self.site_of(v, fp, observed, seen_by));
            merged.add_incoming(site, from);
        }
        Some(merged)
    }

    /// For a local variable in memory that several operations are stored to: the site of the last.
    fn blame_store(
        &mut self,
        value: Value,
        fp: FpType,
        observed: Observed,
        seen_by: Value,
        depth: u32,
    ) -> Option<Value> {
        let stores = if depth > 0 && value.is(Opcode::LLVMLoad) { locals::stores(value) } else { Vec::new() };
        let made: HashSet<Value> = stores.iter().filter_map(|s| sites::origin(s.operand(0)).instruction).collect();
        if made.len() < 2 {
            return None;
        }
        let i32_type = self.b.types.i32();
        let place = self.b.save();
        self.b.before(self.entry_head());
        let slot = self.b.alloca(i32_type, 4);
        for store in stores {
            let site = self.site_of(store.operand(0), fp, observed, seen_by);
            self.b.before(store);
            self.b.store(site, slot, 4);
        }
        self.b.restore(place);
        Some(self.b.load(i32_type, slot, 4))
    }

    fn site_of(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value) -> Value {
        let site = self.site(value, fp, observed, seen_by);
        self.b.types.i32().const_int(u64::from(site))
    }

    /// Operands of the operation that were themselves computed here, each once.
    fn suspects(&self, origin: &Origin, depth: u32) -> Vec<(Value, Value)> {
        let Some(operation) = origin.instruction.filter(|i| depth > 0 && hands_errors_on(*i)) else {
            return Vec::new();
        };
        let mut operands = operation.operands();
        operands.retain(|o| o.is_instruction() && sites::is_fp(*o));
        let mut met = HashSet::new();
        operands.retain(|o| met.insert(*o));
        operands
            .into_iter()
            .filter_map(|o| match self.shadow(o) {
                Shadow::Known(shadow) => Some((o, shadow)),
                Shadow::Exact => None,
            })
            .filter(|(o, _)| sites::origin(*o).instruction.is_some_and(|i| i != operation))
            .collect()
    }

    /// Whether the relative error of lanes is past the limit, as far as the fast path judges; a zero without residue
    /// only `with_zeros`.
    pub fn is_past_limit(&mut self, value: Value, fp: FpType, shadow: Value, with_zeros: bool) -> Value {
        if fp.has_float_residues() {
            return self.is_float_past_limit(value, shadow, with_zeros);
        }
        let limit = self.limit(fp);
        let (v, e) = self.as_doubles(value, fp, shadow);
        let bound = self.b.fmul(self.b.fabs(v), self.b.splat(limit, v.ty()));
        self.b.fcmp(past(with_zeros), self.b.fabs(e), bound)
    }

    /// The same for floats whose residue was rounded to float. What the rounding hides is made up for by
    /// the limit, which is a little lower; the cold path judges exactly.
    pub fn is_float_past_limit(&mut self, value: Value, residue: Value, with_zeros: bool) -> Value {
        let limit = self.float_limit();
        let bound = self.b.fmul(self.b.fabs(value), self.b.splat(limit, value.ty()));
        self.b.fcmp(past(with_zeros), self.b.fabs(residue), bound)
    }
}

fn past(with_zeros: bool) -> RealPredicate {
    if with_zeros { RealPredicate::LLVMRealOGE } else { RealPredicate::LLVMRealOGT }
}

fn hands_errors_on(i: Value) -> bool {
    use Opcode::*;
    matches!(i.opcode(), LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFPTrunc | LLVMCall)
}
