//! Findings that need no more than being counted.
//!
//! A check that is bad once is often bad each time, and a call for each would cost more than all the
//! shadows. So the cold path of a check first decides what it can: a value whose error is no worse than
//! one that the runtime has kept for this check (see `abi::tally`) is counted, and pure rounding error
//! on its way through memory and calls passes, as `runtime::check` has it. The rest is the runtime's.
//! Floats are first held against what is known in floats: value and residue are at hand as such, and most end there.

use super::Emitter;
use crate::fp::FpType;
use crate::llvm::{Builder, IntPredicate, RealPredicate, Type, Value};
use nonius_abi::hooks::doubt;
use nonius_abi::site::Observed;
use nonius_abi::tally::{BELOW, KNOWN, KNOWN_FLOAT, PASSED, REPEATED, STRIDE};

/// Lanes at an observable: as doubles, or as floats where residues are floats too.
#[derive(Clone, Copy)]
pub struct Lanes {
    pub values: Value,
    pub residues: Value,
    /// An ideal this small cannot be told from 0.
    pub noise: Value,
    /// Whether the residue is past the limit of the fast path; `None` if it is a single one that is.
    pub past: Option<Value>,
}

impl Lanes {
    /// The same where some are right.
    pub fn without(self, b: &Builder, those: Value) -> Lanes {
        let zero = self.residues.ty().zero();
        let [residues, noise] = [self.residues, self.noise].map(|lanes| b.select(those, zero, lanes));
        Lanes { residues, noise, ..self }
    }
}

/// What the cold path knows of lanes.
pub struct Judged {
    /// Whether the error of all that are past the limit is no worse than what is known of the check.
    pub usual: Value,
    ideal: Value,
}

impl Emitter<'_> {
    /// Holds lanes against the worst that is known of the check.
    pub fn judge_lanes(&self, values: Value, residues: Value, past: Option<Value>, fp: FpType, slot: u32) -> Judged {
        let known = self.b.load(self.b.types.double(), self.tables.in_slot(&self.b, slot, KNOWN), 8);
        let ideal = self.b.fabs(self.b.fadd(values, residues));
        let most = self.b.fmul(self.in_lanes(known, values.ty(), fp, BELOW), ideal);
        Judged { usual: self.is_usual(residues, past, most), ideal }
    }

    /// The same of floats whose residues are floats too, as far as can be said there.
    pub fn judge_floats(&self, values: Value, residues: Value, past: Option<Value>, slot: u32) -> Value {
        let known = self.b.load(self.b.types.float(), self.tables.in_slot(&self.b, slot, KNOWN_FLOAT), 4);
        let ideal = self.b.fabs(self.b.fadd(values, residues));
        self.is_usual(residues, past, self.b.fmul(self.b.splat(known, values.ty()), ideal))
    }

    /// Whether no lane that is past the limit has an error of `most` or more. A zero without residue has.
    fn is_usual(&self, residues: Value, past: Option<Value>, most: Value) -> Value {
        let is_known = self.b.fcmp(RealPredicate::LLVMRealOLT, self.b.fabs(residues), most);
        match past {
            Some(past) => self.b.not(self.b.any(self.b.and(past, self.b.not(is_known)))),
            None => is_known,
        }
    }

    /// A limit, moved by what roundings in floats might do.
    fn moved(&self, limit: Value, fp: FpType, by: f64) -> Value {
        if fp.has_float_residues() { self.b.fmul(limit, self.b.real(limit.ty(), by)) } else { limit }
    }

    /// A limit in double, in every lane of `ty`.
    fn in_lanes(&self, limit: Value, ty: Type, fp: FpType, by: f64) -> Value {
        let limit = self.moved(limit, fp, by);
        let limit = if fp.has_float_residues() { self.b.fptrunc(limit, self.b.types.float()) } else { limit };
        self.b.splat(limit, ty)
    }

    /// Whether all lanes are right, or rounding error on its way, and the residues then: noise is 0 from here on.
    pub fn decide(&self, judged: &Judged, lanes: Lanes, fp: FpType, observed: Observed) -> (Value, Value) {
        let ty = lanes.values.ty();
        let at_most = |limit: Value| {
            let limit = self.moved(limit, fp, BELOW);
            self.b.fcmp(RealPredicate::LLVMRealOLE, judged.ideal, limit)
        };
        let none = self.b.types.i1().zero();
        let mut decided = lanes.past.map_or(none, |past| self.b.not(past));
        if passes_on(observed) {
            let share = self.b.fmul(self.b.fabs(lanes.values), self.b.real(ty, fp.precision.nothing()));
            decided = self.b.or(decided, at_most(self.larger(share, lanes.noise)));
        }
        let is_zero = self.b.fcmp(RealPredicate::LLVMRealOEQ, lanes.values, ty.zero());
        // The ideal of other values is 0 from here on.
        let doubtful = self.b.select(is_zero, self.b.real(ty, doubt(fp.precision)), self.b.fneg(lanes.values));
        let has_noise = self.b.fcmp(RealPredicate::LLVMRealOGT, lanes.noise, ty.zero());
        let is_noise = self.b.and(has_noise, at_most(lanes.noise));
        let without_noise = self.b.select(is_noise, doubtful, lanes.residues);
        let open = self.b.any(self.b.not(decided));
        (self.b.not(open), without_noise)
    }

    /// Whether all lanes that are past the limit are zeros that pass, and the residues then.
    pub fn zeros(&self, lanes: Lanes, fp: FpType, observed: Observed) -> (Value, Value) {
        let ty = lanes.values.ty();
        let error = self.b.fabs(lanes.residues);
        let is_zero = self.b.fcmp(RealPredicate::LLVMRealOEQ, lanes.values, ty.zero());
        let is_noise = self.b.fcmp(RealPredicate::LLVMRealOLE, error, self.moved(lanes.noise, fp, BELOW));
        let has_noise = self.b.fcmp(RealPredicate::LLVMRealOGT, lanes.noise, ty.zero());
        let is_exact = self.b.and(is_noise, self.b.not(has_noise));
        let passes = self.b.and(is_zero, if passes_on(observed) { is_noise } else { is_exact });
        let fails = self.b.not(passes);
        let open = self.b.any(lanes.past.map_or(fails, |past| self.b.and(past, fails)));
        let is_doubtful = self.b.and(self.b.and(is_zero, is_noise), has_noise);
        (self.b.not(open), self.b.select(is_doubtful, self.b.real(ty, doubt(fp.precision)), lanes.residues))
    }

    /// Counts lanes that were found before, before `at`: all that are past the limit.
    pub fn count_repeated(&self, past: Option<Value>, slot: u32, at: Value) {
        self.b.before(at);
        let wide = self.b.types.i64();
        let times = match past {
            None => wide.const_int(1),
            Some(past) => self.b.intrinsic("llvm.ctpop", &[wide], &[self.b.lane_mask(past)]),
        };
        self.add_to_counter(self.tables.in_slot(&self.b, slot, REPEATED), times, at);
    }

    /// Counts lanes that pass at a site, before `at`.
    pub fn count_passed(&self, site: u32, lanes: u32, at: Value) {
        self.b.before(at);
        let counter = self.b.offset(self.tally(site), PASSED);
        self.add_to_counter(counter, self.b.types.i64().const_int(u64::from(lanes)), at);
    }

    fn add_to_counter(&self, counter: Value, times: Value, at: Value) {
        let (byte, wide) = (self.b.types.i8(), self.b.types.i64());
        let alone = self.b.load(byte, self.tables.single_threaded(), 1);
        let alone = self.b.icmp(IntPredicate::LLVMIntNE, alone, byte.zero());
        let [plain, atomic] = at.split_if_else(alone);
        self.b.before(plain);
        self.b.store(self.b.add(self.b.load(wide, counter, 8), times), counter, 8);
        self.b.before(atomic);
        self.b.atomic_add(counter, times);
    }

    /// The tally of a site.
    fn tally(&self, site: u32) -> Value {
        let ptr = self.b.types.ptr();
        let first = self.b.load(ptr, self.tables.tallies(), 8);
        let there = self.b.offset(first, i64::from(site) * STRIDE as i64);
        let missing = self.b.icmp(IntPredicate::LLVMIntEQ, first, ptr.zero());
        self.b.select(missing, self.tables.no_tally(), there)
    }
}

/// Whether rounding error may pass here: the value goes on into the program.
fn passes_on(observed: Observed) -> bool {
    matches!(observed, Observed::Return | Observed::Argument | Observed::Store)
}
