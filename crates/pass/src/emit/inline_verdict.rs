//! Findings that need no more than being counted.
//!
//! A site that is bad once is often bad each time, and a call for each would cost more than all the
//! shadows. So the cold path of a check first decides what it can: a value whose error is no worse than
//! one that the runtime has kept for this site (see `abi::tally`) is counted, and pure rounding error
//! on its way through memory and calls passes, as `runtime::check` has it. The rest is the runtime's.

use super::Emitter;
use crate::fp::FpType;
use crate::llvm::{IntPredicate, RealPredicate, Type, Value};
use nonius_abi::hooks::{LEAST_ERRORS, RELATIVE_LIMITS, doubt};
use nonius_abi::site::Observed;
use nonius_abi::tally::{COUNT, KNOWN, PASSED, STRIDE};

/// Lanes at an observable: as doubles, or as floats where residues are floats too.
#[derive(Clone, Copy)]
pub struct Lanes {
    pub values: Value,
    pub residues: Value,
    /// An ideal this small cannot be told from 0.
    pub noise: Value,
    /// Whether the residue is past the limit of the fast path.
    pub past: Value,
}

/// Floats are judged in floats. Nothing is decided there that their roundings could turn (less than
/// 2^-22 of either side): between a limit times `BELOW` and times `ABOVE`, and for errors near the
/// subnormal numbers, the runtime is asked.
const ABOVE: f64 = 1.0 + 1.0 / 1_048_576.0;
const BELOW: f64 = 1.0 - 1.0 / 1_048_576.0;
const LEAST_FLOAT: f64 = 1.0 / (1u128 << 120) as f64;

/// What the cold path knows of lanes.
pub struct Judged {
    /// Whether every lane is a known finding, or in wide vectors every lane that is past the limit.
    pub usual: Value,
    /// The lanes that are known findings.
    pub found: Value,
    ideal: Value,
    /// An ideal this small is no finding.
    nothing: Value,
    tally: Value,
}

impl Emitter<'_> {
    /// Judges lanes at `site` without the runtime, as far as that goes.
    pub fn judge_lanes(&self, lanes: Lanes, fp: FpType, observed: Observed, site: Value) -> Judged {
        use RealPredicate::{LLVMRealOGT, LLVMRealOLE};
        let ty = lanes.values.ty();
        let tally = self.tally(site);
        let [relative, least] = [RELATIVE_LIMITS, LEAST_ERRORS].map(|which| self.limit_now(fp, which));
        let least =
            if fp.has_float_residues() { self.larger(least, self.b.real(least.ty(), LEAST_FLOAT)) } else { least };
        let known = self.b.load(self.b.types.double(), self.b.offset(tally, KNOWN), 8);
        let error = self.b.fabs(lanes.residues);
        let ideal = self.b.fabs(self.b.fadd(lanes.values, lanes.residues));
        let mut nothing = lanes.noise;
        if passes_on(observed) {
            let share = self.b.fmul(self.b.fabs(lanes.values), self.b.real(ty, fp.precision.nothing()));
            nothing = self.larger(share, nothing);
        }
        let share_of_ideal = |limit: Value| self.b.fmul(limit, ideal);
        let tests = [
            self.b.fcmp(LLVMRealOGT, ideal, self.moved(nothing, fp, ABOVE)),
            self.b.fcmp(LLVMRealOGT, error, share_of_ideal(self.in_lanes(relative, ty, fp, ABOVE))),
            self.b.fcmp(LLVMRealOGT, error, self.in_lanes(least, ty, fp, ABOVE)),
            self.b.fcmp(LLVMRealOLE, error, share_of_ideal(self.in_lanes(known, ty, fp, BELOW))),
        ];
        let found = tests.into_iter().fold(lanes.past, |all, test| self.b.and(all, test));
        let mut open = self.b.not(found);
        if may_restart_in_part(fp) {
            open = self.b.and(lanes.past, open);
        }
        Judged { usual: self.b.not(self.b.any(open)), found, ideal, nothing, tally }
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

    /// Whether nothing is left to ask, and the residues then: findings restart from the value, noise is 0 from here on.
    pub fn decide(&self, judged: &Judged, lanes: Lanes, fp: FpType, observed: Observed) -> (Value, Value) {
        let at_most = |limit: Value| {
            let limit = self.moved(limit, fp, BELOW);
            self.b.fcmp(RealPredicate::LLVMRealOLE, judged.ideal, limit)
        };
        let mut decided = self.b.or(judged.found, self.b.not(lanes.past));
        if passes_on(observed) {
            decided = self.b.or(decided, at_most(judged.nothing));
        }
        let ty = lanes.values.ty();
        let is_zero = self.b.fcmp(RealPredicate::LLVMRealOEQ, lanes.values, ty.zero());
        // The ideal of other values is 0 from here on.
        let doubtful = self.b.select(is_zero, self.b.real(ty, doubt(fp.precision)), self.b.fneg(lanes.values));
        let has_noise = self.b.fcmp(RealPredicate::LLVMRealOGT, lanes.noise, ty.zero());
        let is_noise = self.b.and(has_noise, at_most(lanes.noise));
        let without_noise = self.b.select(is_noise, doubtful, lanes.residues);
        let open = self.b.any(self.b.not(decided));
        (self.b.not(open), self.b.select(judged.found, lanes.residues.ty().zero(), without_noise))
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
        let open = self.b.any(self.b.and(lanes.past, self.b.not(passes)));
        let is_doubtful = self.b.and(self.b.and(is_zero, is_noise), has_noise);
        (self.b.not(open), self.b.select(is_doubtful, self.b.real(ty, doubt(fp.precision)), lanes.residues))
    }

    /// Adds what was decided to the tally, before `at`.
    pub fn count_decided(&self, judged: &Judged, lanes: u32, at: Value) {
        self.b.before(at);
        let wide = self.b.types.i64();
        let found = self.b.lane_mask(judged.found);
        let found = if lanes == 1 { found } else { self.b.intrinsic("llvm.ctpop", &[wide], &[found]) };
        let passed = self.b.sub(wide.const_int(u64::from(lanes)), found);
        self.add_to_counters(judged, &[(COUNT, found), (PASSED, passed)], at);
    }

    /// The same where all that is not right is a known finding.
    pub fn count_found(&self, judged: &Judged, fp: FpType, at: Value) {
        if may_restart_in_part(fp) {
            return self.count_decided(judged, fp.lane_count(), at);
        }
        self.b.before(at);
        self.add_to_counters(judged, &[(COUNT, self.b.types.i64().const_int(u64::from(fp.lane_count())))], at);
    }

    fn add_to_counters(&self, judged: &Judged, additions: &[(i64, Value)], at: Value) {
        let (byte, wide) = (self.b.types.i8(), self.b.types.i64());
        let alone = self.b.load(byte, self.tables.single_threaded(), 1);
        let alone = self.b.icmp(IntPredicate::LLVMIntNE, alone, byte.zero());
        let [plain, atomic] = at.split_if_else(alone);
        for &(offset, times) in additions {
            self.b.before(plain);
            let counter = self.b.offset(judged.tally, offset);
            self.b.store(self.b.add(self.b.load(wide, counter, 8), times), counter, 8);
            self.b.before(atomic);
            self.b.atomic_add(self.b.offset(judged.tally, offset), times);
        }
    }

    /// The tally of a site.
    fn tally(&self, site: Value) -> Value {
        let (ptr, wide) = (self.b.types.ptr(), self.b.types.i64());
        let first = self.b.load(ptr, self.tables.tallies(), 8);
        let offset = self.b.mul(self.b.zext(site, wide), wide.const_int(STRIDE));
        let there = self.b.offset_by(first, offset);
        let missing = self.b.icmp(IntPredicate::LLVMIntEQ, first, ptr.zero());
        self.b.select(missing, self.tables.no_tally(), there)
    }
}

/// Whether lanes restart one by one on the usual way. In short vectors all that are past the limit mostly do, and then
/// their restart waits for no verdict.
pub fn may_restart_in_part(fp: FpType) -> bool {
    fp.has_float_residues()
}

/// Whether rounding error may pass here: the value goes on into the program.
fn passes_on(observed: Observed) -> bool {
    matches!(observed, Observed::Return | Observed::Argument | Observed::Store)
}
