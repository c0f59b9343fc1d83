//! Checks of values that escape: a compare and a branch beside the program; the verdict is the
//! runtime's, on the cold path.

use super::inline_verdict::{Judged, Lanes, may_restart_in_part};
use super::{Emitter, Shadow, entry::MAX_LANES};
use crate::fp::{Family, FpType};
use crate::llvm::{Block, Kind, Opcode, RealPredicate, Type, Value};
use crate::locals;
use crate::sites;
use nonius_abi::Precision;
use nonius_abi::hooks::id;
use nonius_abi::site::Observed;

/// Bits of headroom above the shadow arithmetic's own rounding, below which an ideal that was
/// subtracted from something larger is indistinguishable from zero.
pub const NOISE_BITS: i32 = 5;

/// A value on the cold path of its check.
#[derive(Clone, Copy)]
struct Checked {
    value: Value,
    fp: FpType,
    known: Value,
    /// The plane holds something else than the shadow.
    has_plane: bool,
    observed: Observed,
    site: Value,
    seen_by: Value,
}

impl Emitter<'_> {
    /// Checks `value` before the builder's point. Returns the shadow from there on: restarted
    /// from the value if the runtime reported it.
    pub fn check(&mut self, value: Value, fp: FpType, shadow: Shadow, observed: Observed, seen_by: Value) -> Shadow {
        match shadow {
            Shadow::Known(known) if fp.lane_count() <= MAX_LANES => {
                let past = self.is_past_limit(value, fp, known);
                Shadow::Known(self.check_known(value, fp, (known, known), past, observed, seen_by).0)
            }
            _ => shadow,
        }
    }

    /// Checks a value that is about to be stored. Returns its shadow from there on, and the residue
    /// for the plane.
    pub fn check_stored(
        &mut self,
        value: Value,
        fp: FpType,
        shadow: Shadow,
        seen_by: Value,
    ) -> (Shadow, Option<Value>) {
        let Shadow::Known(known) = shadow else { return (shadow, None) };
        if fp.lane_count() > MAX_LANES {
            return (shadow, None);
        }
        if fp.precision != Precision::Float {
            return (self.check(value, fp, shadow, Observed::Store, seen_by), None);
        }
        // Rounded to the plane's format, as it must be anyway: twice the lanes in a register.
        let stored = self.to_plane(value, fp, known);
        let past = self.is_float_past_limit(value, stored);
        let (known, stored) = self.check_known(value, fp, (known, stored), past, Observed::Store, seen_by);
        (Shadow::Known(known), Some(stored))
    }

    /// Asks the runtime about the lanes of `past`. Returns what holds from there on of a shadow and of the
    /// residue for the plane, where that is another value.
    fn check_known(
        &mut self,
        value: Value,
        fp: FpType,
        (known, stored): (Value, Value),
        past: Value,
        observed: Observed,
        seen_by: Value,
    ) -> (Value, Value) {
        self.counts.checks += 1;
        let any = self.b.any(past);
        let point = self.b.point();
        let head = point.block();
        let then = point.split_if(any);
        self.b.before_with_loc_of(then, seen_by);
        let (v, e) = if fp.has_float_residues() { (value, known) } else { self.as_doubles(value, fp, known) };
        let noise = self.noise(value, fp);
        let site = self.blamed_site(value, fp, observed, seen_by);
        let lanes = Lanes { values: v, residues: e, noise, past };
        let has_plane = stored != known;
        let checked = Checked { value, fp, known, has_plane, observed, site, seen_by };
        // Outside of loops a finding may cost a call: the code is half as long.
        let restarted = if self.shadows.is_in_loop() {
            self.judge_here(&checked, lanes, then)
        } else {
            let residue = self.ask(lanes, &checked);
            self.with_residue(&checked, residue)
        };
        self.b.before_with_loc_of(point, seen_by);
        let merge = |before, after| self.merge([(before, head), (after, then.block())]);
        let merged = merge(known, restarted.0);
        (merged, if has_plane { merge(stored, restarted.1) } else { merged })
    }

    /// Counts a known finding, before `at`, or decides or asks what it is. Returns shadow and plane from there on.
    fn judge_here(&mut self, checked: &Checked, lanes: Lanes, at: Value) -> (Value, Value) {
        let Checked { value, fp, known, has_plane, observed, site, seen_by } = *checked;
        let judged = self.judge_lanes(lanes, fp, observed, site);
        let [usual, rest] = at.split_if_else(judged.usual);
        // The usual way waits for no verdict: that a value restarts is known by the branch alone.
        self.count_found(&judged, fp, usual);
        self.b.before(usual);
        let exact = self.exact(value, fp);
        let exact = if may_restart_in_part(fp) { self.b.select(judged.found, exact, known) } else { exact };
        let restarted = (exact, if has_plane { fp.plane(self.b.types).zero() } else { exact });
        self.b.before_with_loc_of(rest, seen_by);
        let residue = self.decide_or_ask(&judged, lanes, checked, rest);
        let asked = self.with_residue(checked, residue);
        self.b.before_with_loc_of(at, seen_by);
        let merge = |usually, rarely| self.merge([(usually, usual.block()), (rarely, rest.block())]);
        (merge(restarted.0, asked.0), merge(restarted.1, asked.1))
    }

    /// The shadow with this residue, in doubles or floats, and what the plane holds of it.
    fn with_residue(&self, checked: &Checked, residue: Value) -> (Value, Value) {
        let Checked { value, fp, has_plane, .. } = *checked;
        let shadow = if fp.has_float_residues() { residue } else { self.shadow_of_residue(value, fp, residue) };
        (shadow, if has_plane { self.to_plane(value, fp, shadow) } else { shadow })
    }

    /// A phi, before the builder's point.
    fn merge(&self, incoming: [(Value, Block); 2]) -> Value {
        let merged = self.b.phi(incoming[0].0.ty());
        for (value, from) in incoming {
            merged.add_incoming(value, from);
        }
        merged
    }

    /// Settles what is no known finding, before `at`, or asks the runtime. Returns the residues from there on.
    fn decide_or_ask(&mut self, judged: &Judged, lanes: Lanes, checked: &Checked, at: Value) -> Value {
        let (all, decided) = self.decide(judged, lanes, checked.fp, checked.observed);
        let [count, ask] = at.split_if_else(all);
        self.count_decided(judged, checked.fp.lane_count(), count);
        self.b.before_with_loc_of(ask, checked.seen_by);
        let told = self.ask(lanes, checked);
        self.b.before_with_loc_of(at, checked.seen_by);
        self.merge([(decided, count.block()), (told, ask.block())])
    }

    /// Asks the runtime. Returns the residues from there on.
    fn ask(&mut self, lanes: Lanes, checked: &Checked) -> Value {
        let buffer = self.begin_buffer();
        for (array, lanes) in [(0, lanes.values), (1, lanes.residues), (2, lanes.noise)] {
            self.fill(&buffer, array, lanes);
        }
        let count = self.b.types.i32().const_int(u64::from(checked.fp.lane_count()));
        let [values, residues, noise] = [0, 1, 2].map(|n| self.array(&buffer, n));
        self.call_cold(id::__nonius_check, &[self.tables.table(), checked.site, count, values, residues, noise]);
        let told = self.b.load(checked.fp.shaped(self.b.types.double()), residues, 8);
        self.end_buffer(buffer);
        if checked.fp.has_float_residues() { self.b.fptrunc(told, lanes.residues.ty()) } else { told }
    }

    /// Checks every float of a value and remembers what restarted.
    pub fn check_all(&mut self, value: Value, observed: Observed, seen_by: Value) {
        for (index, leaf) in self.leaves(value).into_iter().enumerate() {
            let shadow = self.shadows.get(value, index);
            if shadow != Shadow::Exact {
                let member = self.member(value, &leaf.path);
                let checked = self.check(member, leaf.fp, shadow, observed, seen_by);
                self.shadows.set(value, index, checked);
            }
        }
    }

    /// Value and residue as doubles, lane by lane.
    pub fn as_doubles(&self, value: Value, fp: FpType, shadow: Value) -> (Value, Value) {
        let double = fp.shaped(self.b.types.double());
        match (fp.family(), fp.precision) {
            (Family::Residue, Precision::Double) => (value, shadow),
            (Family::Residue, Precision::Float) => (self.b.fpext(value, double), self.b.fpext(shadow, double)),
            (Family::Residue, _) => (self.b.fptrunc(value, double), self.b.fptrunc(shadow, double)),
            (Family::Wider, Precision::X87) => {
                let residue = self.b.fsub(shadow, self.b.fpext(value, shadow.ty()));
                (self.b.fptrunc(value, double), self.b.fptrunc(residue, double))
            }
            (Family::Wider, _) => {
                let wide = self.b.fpext(value, double);
                (wide, self.b.fsub(shadow, wide))
            }
        }
    }

    /// The shadow of `value` whose residue is `residue`, in doubles.
    fn shadow_of_residue(&self, value: Value, fp: FpType, residue: Value) -> Value {
        let shadow = fp.shadow(self.b.types);
        match (fp.family(), fp.precision) {
            (Family::Residue, Precision::Double) => residue,
            (Family::Residue, Precision::Float) => self.b.fptrunc(residue, shadow),
            (Family::Residue, _) => self.b.fpext(residue, shadow),
            (Family::Wider, Precision::X87) => self.b.fadd(self.b.fpext(value, shadow), self.b.fpext(residue, shadow)),
            (Family::Wider, _) => self.b.fadd(self.b.fpext(value, shadow), residue),
        }
    }

    /// What cannot be told from zero in the ideal of a sum or difference, lane by lane; 0 if nothing is known. Floats
    /// where residues are floats, doubles else.
    pub fn noise(&self, value: Value, fp: FpType) -> Value {
        let double = fp.shaped(self.b.types.double());
        let ty = if fp.has_float_residues() { fp.shaped(self.b.types.float()) } else { double };
        let seen = value.ty();
        let value = self.through_local(value);
        let is_sum = value.is(Opcode::LLVMFAdd) || value.is(Opcode::LLVMFSub);
        // A union may be read as another type than the sum's.
        if !is_sum || value.ty() != seen {
            return ty.zero();
        }
        let mut scales = Vec::new();
        for operand in [value.operand(0), value.operand(1)] {
            if let Shadow::Known(shadow) = self.shadow(operand) {
                let lanes = self.b.fabs(shadow);
                let is_quad = matches!(fp.precision, Precision::X87 | Precision::Quad);
                scales.push(if is_quad { self.b.fptrunc(lanes, double) } else { lanes });
                let is_residue = fp.precision == Precision::Double || fp.has_float_residues();
                if is_residue && self.is_of_inexact_factors(operand) {
                    // The parts of such a residue may have cancelled; each is about an ulp of the product.
                    let epsilon = self.b.real(operand.ty(), 2f64.powi(1 - fp.precision.bits() as i32));
                    scales.push(self.b.fmul(self.b.fabs(self.actual(operand)), epsilon));
                }
            } else if fp.family() == Family::Wider {
                let operand = self.actual(operand);
                let (wide, _) = self.as_doubles(operand, fp, self.exact(operand, fp));
                scales.push(self.b.fabs(wide));
            }
        }
        let Some(scale) = scales.into_iter().reduce(|a, b| self.larger(a, b)) else { return ty.zero() };
        let shadow_bits = FpType::of(fp.shadow(self.b.types)).expect("a float").precision.bits() as i32;
        self.b.fmul(scale, self.b.real(ty, 2f64.powi(NOISE_BITS - shadow_bits)))
    }

    /// What a load from a local variable gives, if that is certain and still at hand.
    fn through_local(&self, value: Value) -> Value {
        let stored = if value.is(Opcode::LLVMLoad) { locals::stored_values(value) } else { Vec::new() };
        // Only what dominates this point has a shadow here.
        match stored[..] {
            [one] if self.shadow(one) != Shadow::Exact => one,
            _ => value,
        }
    }

    fn is_of_inexact_factors(&self, value: Value) -> bool {
        let is_product = |i: &Value| i.is(Opcode::LLVMFMul) || i.is(Opcode::LLVMFDiv);
        let product = sites::origin(value).instruction.filter(is_product);
        product.is_some_and(|p| p.operands().into_iter().any(|o| self.shadow(o) != Shadow::Exact))
    }

    pub fn larger(&self, a: Value, b: Value) -> Value {
        let pick = self.b.fcmp(RealPredicate::LLVMRealOGT, a, b);
        self.b.select(pick, a, b)
    }

    /// Lanes of any format as doubles, for a hook that only shows them.
    pub fn to_double(&self, value: Value) -> Value {
        let double = self.b.types.double();
        let like = |ty: Type| match ty.kind() {
            Kind::Vector(n) => double.vector(n),
            _ => double,
        };
        let ty = like(value.ty());
        match FpType::of(value.ty()).expect("a float").precision {
            Precision::Double => value,
            Precision::X87 | Precision::Quad => self.b.fptrunc(value, ty),
            _ => self.b.fpext(value, ty),
        }
    }
}
