//! Findings that need no more than being counted.
//!
//! A site that is bad once is often bad each time, and a call for each would cost more than all the
//! shadows. So the cold path of a check first settles what it can: a value whose error is no worse than
//! one that the runtime has kept for this site (see `abi::record`) is counted, and pure rounding error
//! on its way through memory and calls passes, as `runtime::check` has it. The rest is the runtime's.

use super::Emitter;
use crate::fp::FpType;
use crate::llvm::{IntPredicate, RealPredicate, Value};
use nonius_abi::hooks::{LEAST_ERRORS, RELATIVE_LIMITS};
use nonius_abi::record::{COUNT, KNOWN, PASSED, STRIDE};
use nonius_abi::site::Observed;

/// Lanes at an observable, as doubles.
#[derive(Clone, Copy)]
pub struct Lanes {
    pub values: Value,
    pub residues: Value,
    /// A scalar: an ideal this small cannot be told from 0.
    pub noise: Value,
    /// Whether the residue is past the limit of the fast path.
    pub past: Value,
}

/// What the cold path found out by itself.
pub struct Settled {
    /// Whether this is all.
    pub all: Value,
    /// The findings that are known.
    found: Value,
    /// Ideals that cannot be told from 0.
    zero: Value,
    record: Value,
}

impl Emitter<'_> {
    /// Judges lanes at `site` without the runtime, as far as that goes.
    pub fn settle(&self, lanes: Lanes, fp: FpType, observed: Observed, site: Value) -> Settled {
        use RealPredicate::{LLVMRealOGT, LLVMRealOLE};
        let ty = lanes.values.ty();
        let record = self.record(site);
        let splat = |scalar: Value| self.b.splat(scalar, ty);
        let [relative, least] = [RELATIVE_LIMITS, LEAST_ERRORS].map(|which| splat(self.limit_now(fp, which)));
        let known = splat(self.b.load(self.b.types.double(), self.b.offset(record, KNOWN), 8));
        let error = self.b.fabs(lanes.residues);
        let ideal = self.b.fabs(self.b.fadd(lanes.values, lanes.residues));
        let passes_on = matches!(observed, Observed::Return | Observed::Argument | Observed::Store);
        let mut nothing = splat(lanes.noise);
        let mut settled = self.b.not(lanes.past);
        if passes_on {
            let share = self.b.fmul(self.b.fabs(lanes.values), self.b.real(ty, fp.precision.nothing()));
            nothing = self.larger(share, nothing);
            settled = self.b.or(settled, self.b.fcmp(LLVMRealOLE, ideal, nothing));
        }
        let tests = [
            self.b.fcmp(LLVMRealOGT, ideal, nothing),
            self.b.fcmp(LLVMRealOGT, error, self.b.fmul(relative, ideal)),
            self.b.fcmp(LLVMRealOGT, error, least),
            self.b.fcmp(LLVMRealOLE, error, self.b.fmul(known, ideal)),
        ];
        let found = tests.into_iter().fold(lanes.past, |all, test| self.b.and(all, test));
        let open = self.b.any(self.b.not(self.b.or(settled, found)));
        let zero = self.b.fcmp(LLVMRealOLE, ideal, splat(lanes.noise));
        Settled { all: self.b.not(open), found, zero, record }
    }

    /// The residues after a settled check: findings restart from the value, noise is 0 from here on.
    pub fn settled_residues(&self, settled: &Settled, lanes: Lanes) -> Value {
        let without_noise = self.b.select(settled.zero, self.b.fneg(lanes.values), lanes.residues);
        self.b.select(settled.found, lanes.residues.ty().zero(), without_noise)
    }

    /// Adds what was settled to the record, before `at`.
    pub fn count_settled(&self, settled: &Settled, lanes: u32, at: Value) {
        self.b.before(at);
        let wide = self.b.types.i64();
        let found = self.b.lane_mask(settled.found);
        let found = if lanes == 1 { found } else { self.b.intrinsic("llvm.ctpop", &[wide], &[found]) };
        let passed = self.b.sub(wide.const_int(u64::from(lanes)), found);
        let byte = self.b.types.i8();
        let alone = self.b.load(byte, self.tables.single_threaded(), 1);
        let alone = self.b.icmp(IntPredicate::LLVMIntNE, alone, byte.zero());
        let counters = [(COUNT, found), (PASSED, passed)].map(|(at, n)| (self.b.offset(settled.record, at), n));
        let [plain, atomic] = at.split_if_else(alone);
        for (counter, times) in counters {
            self.b.before(plain);
            self.b.store(self.b.add(self.b.load(wide, counter, 8), times), counter, 8);
            self.b.before(atomic);
            self.b.atomic_add(counter, times);
        }
    }

    /// The record of a site.
    fn record(&self, site: Value) -> Value {
        let (ptr, wide) = (self.b.types.ptr(), self.b.types.i64());
        let first = self.b.load(ptr, self.tables.records(), 8);
        let offset = self.b.mul(self.b.zext(site, wide), wide.const_int(STRIDE));
        let there = self.b.offset_by(first, offset);
        let missing = self.b.icmp(IntPredicate::LLVMIntEQ, first, ptr.zero());
        self.b.select(missing, self.tables.no_record(), there)
    }
}
