//! Which operation to name for a bad value: the one that made it bad.
//!
//! A product of a bad factor is bad through no fault of its own. On the cold path of a check the
//! operands are judged like the value, and the search goes on in the first that is past the limit
//! too, as far back as the values are still at hand. It may end at a value that came in bad, from memory
//! or a call: then the error was inherited, and goes back to a finding of before (`runtime::roots`). Where branches
//! meet, a second phi carries the site of the branch that was taken.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Kind, Opcode, RealPredicate, Value};
use crate::locals;
use crate::sites::{self, Origin};
use nonius_abi::site::Observed;
use std::collections::{HashMap, HashSet};

/// Operations back from the value; each step doubles the sites.
const DEPTH: u32 = 4;

/// Stores to a variable of which it is followed which one was the last: each check of it notes all of them.
const MOST_STORES: usize = 64;

/// A search, and what it made so far: operands meet again where paths join.
struct Inquiry {
    observed: Observed,
    seen_by: Value,
    blamed: HashMap<(Value, u32), Blamed>,
    bad: HashMap<Value, Value>,
}

/// What a bad value goes back to.
#[derive(Clone)]
pub struct Blamed {
    /// The number of the site to report, decided when the program runs.
    pub site: Value,
    /// The operands that are to be asked for a root, the last that is bad counts. For [`Emitter::culprit`].
    suspects: Vec<Suspect>,
}

impl Blamed {
    pub fn suspects(&self) -> &[Suspect] {
        &self.suspects
    }
}

#[derive(Clone)]
pub struct Suspect {
    pub operand: Value,
    pub shadow: Value,
    /// Lanes past the limit.
    pub bad: Value,
    pub inner: Vec<Suspect>,
}

impl Emitter<'_> {
    /// The site to report `value` at.
    pub fn blamed(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value) -> Blamed {
        let mut inquiry = Inquiry { observed, seen_by, blamed: HashMap::new(), bad: HashMap::new() };
        self.blame(&mut inquiry, value, fp, DEPTH)
    }

    fn blame(&mut self, inquiry: &mut Inquiry, value: Value, fp: FpType, depth: u32) -> Blamed {
        if let Some(blamed) = inquiry.blamed.get(&(value, depth)) {
            return blamed.clone();
        }
        let origin = sites::origin(value);
        let Inquiry { observed, seen_by, .. } = *inquiry;
        let taken = self.blame_branch(value, fp, observed, seen_by, depth);
        if let Some(site) = taken.or_else(|| self.blame_store(value, fp, observed, seen_by, depth)) {
            let taken = Blamed { site, suspects: Vec::new() };
            inquiry.blamed.insert((value, depth), taken.clone());
            return taken;
        }
        if let Some(chosen) = self.blame_choice(inquiry, value, fp, depth) {
            inquiry.blamed.insert((value, depth), chosen.clone());
            return chosen;
        }
        let mut site = self.site_of(value, fp, observed, seen_by);
        let mut suspects = Vec::new();
        for (operand, shadow) in self.suspects(&origin, depth) {
            let operand_fp = FpType::of(operand.ty()).expect("a float");
            let inner = self.blame(inquiry, operand, operand_fp, depth - 1);
            let bad = match inquiry.bad.get(&operand) {
                Some(&bad) => bad,
                None => self.is_past_limit(self.actual(operand), operand_fp, shadow, false),
            };
            inquiry.bad.insert(operand, bad);
            site = self.b.select(self.b.any(bad), inner.site, site);
            suspects.push(Suspect { operand, shadow, bad, inner: inner.suspects });
        }
        let blamed = Blamed { site, suspects };
        inquiry.blamed.insert((value, depth), blamed.clone());
        blamed
    }

    /// Value and residue of the operand that a value's error came in with, the innermost that is bad, as doubles; zeros if
    /// there is none. By them the runtime knows what the error goes back to.
    pub fn culprit(&self, blamed: &Blamed) -> [Value; 2] {
        let nothing = self.b.types.double().zero();
        self.worst_suspect(&blamed.suspects, [nothing; 2])
    }

    fn worst_suspect(&self, suspects: &[Suspect], otherwise: [Value; 2]) -> [Value; 2] {
        suspects.iter().fold(otherwise, |chosen, suspect| {
            let fp = FpType::of(suspect.operand.ty()).expect("a float");
            let (value, residue) = self.as_doubles(self.actual(suspect.operand), fp, suspect.shadow);
            let own = [value, residue].map(|lanes| self.first_lane(lanes, suspect.bad));
            let inner = self.worst_suspect(&suspect.inner, own);
            let is_bad = self.b.any(suspect.bad);
            std::array::from_fn(|n| self.b.select(is_bad, inner[n], chosen[n]))
        })
    }

    /// The first lane of those in a mask, or any if there is none.
    pub fn first_lane(&self, lanes: Value, mask: Value) -> Value {
        let Kind::Vector(count) = lanes.ty().kind() else { return lanes };
        let wide = self.b.types.i64();
        let first = self.b.intrinsic("llvm.cttz", &[wide], &[self.b.lane_mask(mask), self.b.types.int(1).zero()]);
        // Of no lane it is 64, which no vector has.
        let within = self.b.and(first, wide.const_int(u64::from(count.next_power_of_two() - 1)));
        self.b.extract_element(lanes, within)
    }

    /// For a choice between two operations: what the chosen one goes back to.
    fn blame_choice(&mut self, inquiry: &mut Inquiry, value: Value, fp: FpType, depth: u32) -> Option<Blamed> {
        if depth == 0 || !value.is(Opcode::LLVMSelect) || !sites::are_different(&value.operands()[1..]) {
            return None;
        }
        let [test, yes, no] = [0, 1, 2].map(|n| value.operand(n));
        if matches!(test.ty().kind(), Kind::Vector(_)) {
            return None;
        }
        let chosen = [yes, no].map(|side| self.blame(inquiry, side, fp, depth - 1));
        let site = self.b.select(test, chosen[0].site, chosen[1].site);
        // Of what was not chosen, nothing is suspected.
        let mut suspects = Vec::new();
        for (side, turned) in chosen.into_iter().zip([false, true]) {
            for suspect in side.suspects {
                let is_side = if turned { self.b.not(test) } else { test };
                let bad = self.b.and(suspect.bad, self.b.splat(is_side, suspect.bad.ty()));
                suspects.push(Suspect { bad, ..suspect });
            }
        }
        Some(Blamed { site, suspects })
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
        if !self.may_differ(incoming.iter().map(|(v, _)| *v), observed) {
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
        if stores.len() > MOST_STORES || !self.may_differ(stores.iter().map(|s| s.operand(0)), observed) {
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

    /// Whether it has to be followed which of the values that may arrive did. What only some operation made and else came in
    /// as it was is not, in a loop's stores: it would take a register there.
    fn may_differ(&self, values: impl Iterator<Item = Value>, observed: Observed) -> bool {
        let values: Vec<Value> = values.collect();
        let made: HashSet<Value> = values.iter().filter_map(|v| sites::origin(*v).instruction).collect();
        let is_hot = observed == Observed::Store && self.shadows.is_in_loop();
        made.len() > 1 || !is_hot && sites::are_different(&values)
    }

    fn site_of(&mut self, value: Value, fp: FpType, observed: Observed, seen_by: Value) -> Value {
        let site = self.site(value, fp, observed, seen_by);
        self.b.types.i32().const_int(u64::from(site))
    }

    /// Operands of the operation that may have brought an error, each once.
    fn suspects(&self, origin: &Origin, depth: u32) -> Vec<(Value, Value)> {
        let Some(operation) = origin.instruction.filter(|i| depth > 0 && hands_errors_on(*i)) else {
            return Vec::new();
        };
        let mut operands = operation.operands();
        operands.retain(|o| !o.is_constant() && sites::is_fp(*o));
        let mut met = HashSet::new();
        operands.retain(|o| met.insert(*o));
        operands
            .into_iter()
            .filter_map(|o| match self.shadow(o) {
                Shadow::Known(shadow) => Some((o, shadow)),
                Shadow::Exact => None,
            })
            .filter(|(o, _)| sites::origin(*o).instruction != Some(operation))
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
