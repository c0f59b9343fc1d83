//! Findings that need no more than being counted.
//!
//! A check that is bad once is often bad each time, and a call for each would cost more than all the
//! shadows. So the cold path of a check first decides what it can: a value whose error is no worse than
//! one that the runtime has kept for this check (see `abi::tally`) is counted, and pure rounding error
//! on its way through memory and calls passes, as `runtime::check` has it. The rest is the runtime's.

use super::Emitter;
use crate::fp::FpType;
use crate::llvm::{Builder, IntPredicate, RealPredicate, Type, Value};
use nonius_abi::hooks::doubt;
use nonius_abi::site::Observed;
use nonius_abi::tally::{KNOWN, PASSED, REPEATED, STRIDE};

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

impl Lanes {
    /// The same where some are right.
    pub fn without(self, b: &Builder, those: Value) -> Lanes {
        let zero = self.residues.ty().zero();
        let [residues, noise] = [self.residues, self.noise].map(|lanes| b.select(those, zero, lanes));
        Lanes { residues, noise, ..self }
    }
}

/// Floats are judged in floats. Nothing is decided there that their roundings could turn (less than
/// 2^-22 of either side): beyond a limit times this, the runtime is asked.
const BELOW: f64 = 1.0 - 1.0 / 1_048_576.0;

/// What the cold path knows of lanes.
pub struct Judged {
    /// Lanes past the limit whose error is no worse than what is known of the check.
    pub repeated: Value,
    /// Whether that is all of them.
    pub usual: Value,
    ideal: Value,
    tally: Value,
}

impl Emitter<'_> {
    /// Holds lanes against the worst that is known of the check, whose own site is `site`.
    pub fn judge_lanes(&self, lanes: Lanes, fp: FpType, site: u32) -> Judged {
        let tally = self.tally(site);
        let known = self.b.load(self.b.types.double(), self.b.offset(tally, KNOWN), 8);
        let ideal = self.b.fabs(self.b.fadd(lanes.values, lanes.residues));
        let most = self.b.fmul(self.in_lanes(known, lanes.values.ty(), fp, BELOW), ideal);
        let is_known = self.b.fcmp(RealPredicate::LLVMRealOLE, self.b.fabs(lanes.residues), most);
        let repeated = self.b.and(lanes.past, is_known);
        let others = self.b.and(lanes.past, self.b.not(is_known));
        Judged { repeated, usual: self.b.not(self.b.any(others)), ideal, tally }
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
        let mut decided = self.b.not(lanes.past);
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
        let open = self.b.any(self.b.and(lanes.past, self.b.not(passes)));
        let is_doubtful = self.b.and(self.b.and(is_zero, is_noise), has_noise);
        (self.b.not(open), self.b.select(is_doubtful, self.b.real(ty, doubt(fp.precision)), lanes.residues))
    }

    /// Counts lanes that were found before, before `at`.
    pub fn count_repeated(&self, judged: &Judged, lanes: u32, at: Value) {
        self.b.before(at);
        let wide = self.b.types.i64();
        let times = match lanes {
            1 => wide.const_int(1),
            _ => self.b.intrinsic("llvm.ctpop", &[wide], &[self.b.lane_mask(judged.repeated)]),
        };
        self.add_to_counter(judged, REPEATED, times, at);
    }

    /// Counts lanes that pass, before `at`.
    pub fn count_passed(&self, judged: &Judged, lanes: u32, at: Value) {
        self.add_to_counter(judged, PASSED, self.b.types.i64().const_int(u64::from(lanes)), at);
    }

    fn add_to_counter(&self, judged: &Judged, offset: i64, times: Value, at: Value) {
        self.b.before(at);
        let (byte, wide) = (self.b.types.i8(), self.b.types.i64());
        let alone = self.b.load(byte, self.tables.single_threaded(), 1);
        let alone = self.b.icmp(IntPredicate::LLVMIntNE, alone, byte.zero());
        let [plain, atomic] = at.split_if_else(alone);
        self.b.before(plain);
        let counter = self.b.offset(judged.tally, offset);
        self.b.store(self.b.add(self.b.load(wide, counter, 8), times), counter, 8);
        self.b.before(atomic);
        self.b.atomic_add(self.b.offset(judged.tally, offset), times);
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
