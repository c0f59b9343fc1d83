//! Checks of values that escape: a compare and a branch beside the program; the verdict is the
//! runtime's, on the cold path.

use super::inline_verdict::{Judged, Lanes};
use super::{Emitter, Shadow, entry::MAX_LANES, radius::DEPTH, radius::SUMS};
use crate::fp::{Family, FpType};
use crate::llvm::{Block, Kind, RealPredicate, Type, Value};
use nonius_abi::Precision;
use nonius_abi::hooks::{RELATIVE_LIMITS, id};
use nonius_abi::site::Observed;

/// A value on the cold path of its check.
#[derive(Clone, Copy)]
struct Checked {
    value: Value,
    fp: FpType,
    known: Value,
    /// What the plane is to hold: the shadow, or its residue in another format.
    stored: Value,
    observed: Observed,
    seen_by: Value,
    /// See [`Lanes`].
    past: Option<Value>,
}

impl Emitter<'_> {
    /// Checks `value` before the builder's point. Returns the shadow from there on: as it was, unless it was noise, or
    /// the options say that it restarts from a value that was reported.
    pub fn check(&mut self, value: Value, fp: FpType, shadow: Shadow, observed: Observed, seen_by: Value) -> Shadow {
        match shadow {
            Shadow::Known(known) if fp.lane_count() <= MAX_LANES => {
                if observed == Observed::Output {
                    self.tell_if_not_finite(value, fp, seen_by);
                }
                if matches!(observed, Observed::Output | Observed::Return) {
                    self.meet(value, fp);
                }
                let past = self.is_past_limit(value, fp, known, self.may_be_cancelled(value, fp, depth(observed)));
                Shadow::Known(self.check_known(value, fp, (known, known), past, observed, seen_by).0)
            }
            _ => shadow,
        }
    }

    /// Tells the runtime of a NaN or an infinity that is about to be printed.
    fn tell_if_not_finite(&mut self, value: Value, fp: FpType, seen_by: Value) {
        let infinity = self.b.real(value.ty(), f64::INFINITY);
        let lanes = self.b.fcmp(RealPredicate::LLVMRealUEQ, self.b.fabs(value), infinity);
        let point = self.b.point();
        let then = point.split_if(self.b.any(lanes));
        self.b.before_with_loc_of(then, seen_by);
        let site = self.site(value, fp, Observed::Output, seen_by);
        let shown = self.first_lane(self.to_double(value), lanes);
        let site = self.b.types.i32().const_int(u64::from(site));
        let (hook, ty) = self.tables.hook(id::__nonius_printed);
        self.b.call(hook, ty, &[self.tables.table(), site, shown]);
        self.b.before_with_loc_of(point, seen_by);
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
        let past = self.is_float_past_limit(value, stored, self.may_be_cancelled(value, fp, depth(Observed::Store)));
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
        let lost = if depth(observed) == DEPTH { self.lost_operand(value, fp, SUMS) } else { None };
        let any = self.b.any(lost.map_or(past, |lost| self.b.or(past, lost)));
        let point = self.b.point();
        let head = point.block();
        let then = point.split_if(any);
        self.b.before_with_loc_of(then, seen_by);
        let past = (fp.lanes.is_some() || lost.is_some()).then_some(past);
        let checked = Checked { value, fp, known, stored, observed, seen_by, past };
        if let Some(lost) = lost {
            self.tell_of_lost(&checked, lost, then);
        }
        // Outside of loops a finding may cost a call: the code is half as long.
        let after = match self.shadows.is_in_loop() {
            true => self.judge_here(&checked, then),
            false => self.settle_zeros(&checked, then),
        };
        self.b.before_with_loc_of(point, seen_by);
        let merge = |before, after| self.merge([(before, head), (after, then.block())]);
        let merged = merge(known, after.0);
        (merged, if stored != known { merge(stored, after.1) } else { merged })
    }

    /// The value and its residue as they are judged.
    fn as_judged(&self, checked: &Checked) -> (Value, Value) {
        let Checked { value, fp, known, .. } = *checked;
        if fp.has_float_residues() { (value, known) } else { self.as_doubles(value, fp, known) }
    }

    /// Tells the runtime, before `at`, if what is not known of an operand may be all of a sum.
    fn tell_of_lost(&mut self, checked: &Checked, lost: Value, at: Value) {
        let Checked { value, fp, observed, seen_by, .. } = *checked;
        let some = at.split_if(self.b.any(lost));
        self.b.before_with_loc_of(some, seen_by);
        let v = self.as_judged(checked).0;
        let radius = self.radius_by_operands(value, fp, SUMS);
        let limit = self.limit_now(fp, RELATIVE_LIMITS);
        let limit = if fp.has_float_residues() { self.b.fptrunc(limit, self.b.types.float()) } else { limit };
        let bound = self.b.fmul(self.b.fabs(v), self.b.splat(limit, v.ty()));
        let open = self.b.fcmp(RealPredicate::LLVMRealOGT, radius, bound);
        let then = some.split_if(self.b.any(open));
        self.b.before_with_loc_of(then, seen_by);
        let site = self.blamed(value, fp, observed, seen_by).site;
        self.call_cold(id::__nonius_open, &[self.tables.table(), site, self.b.lane_mask(open)]);
        self.b.before_with_loc_of(at, seen_by);
    }

    /// Zeros on their way need no verdict: they are exact, or in doubt from here on. The runtime is asked for the rest.
    /// Returns shadow and plane from there on.
    fn settle_zeros(&mut self, checked: &Checked, at: Value) -> (Value, Value) {
        let (values, residues) = self.as_judged(checked);
        let noise = self.radius(checked.value, checked.fp, depth(checked.observed));
        let lanes = Lanes { values, residues, noise, past: checked.past };
        if !self.may_be_cancelled(checked.value, checked.fp, depth(checked.observed)) {
            let residues = self.ask(lanes, checked, None);
            return self.with_residue(checked, residues);
        }
        let (all, settled) = self.zeros(lanes, checked.fp, checked.observed);
        let [zeros, rest] = at.split_if_else(all);
        self.b.before_with_loc_of(rest, checked.seen_by);
        let told = self.ask(lanes, checked, None);
        self.b.before_with_loc_of(at, checked.seen_by);
        let residues = self.merge([(settled, zeros.block()), (told, rest.block())]);
        self.with_residue(checked, residues)
    }

    /// Counts a finding that is no worse than those before, before `at`, or decides or asks what it is. Returns shadow and
    /// plane from there on.
    fn judge_here(&mut self, checked: &Checked, at: Value) -> (Value, Value) {
        let Checked { value, fp, known, stored, observed, seen_by, past } = *checked;
        let site = self.site(value, fp, observed, seen_by);
        let slot = self.tables.slot(site);
        if stored == known && !fp.has_float_residues() {
            return self.judge_closely(checked, (site, slot), at);
        }
        let usual = self.judge_floats(value, stored, past, slot);
        let [usual, rest] = at.split_if_else(usual);
        self.count_repeated(past, slot, usual);
        self.b.before_with_loc_of(rest, seen_by);
        let judged = self.judge_closely(checked, (site, slot), rest);
        self.b.before_with_loc_of(at, seen_by);
        self.merge_both((known, stored), usual.block(), judged, rest.block())
    }

    /// The same in the format of the shadows.
    fn judge_closely(&mut self, checked: &Checked, (site, slot): (u32, u32), at: Value) -> (Value, Value) {
        let Checked { fp, known, stored, seen_by, past, .. } = *checked;
        let (values, residues) = self.as_judged(checked);
        let judged = self.judge_lanes(values, residues, past, fp, slot);
        let [usual, rest] = at.split_if_else(judged.usual);
        self.count_repeated(past, slot, usual);
        self.b.before_with_loc_of(rest, seen_by);
        let noise = self.radius(checked.value, fp, depth(checked.observed));
        let lanes = Lanes { values, residues, noise, past };
        let residue = self.decide_or_ask(&judged, lanes, checked, (site, slot), rest);
        let asked = self.with_residue(checked, residue);
        self.b.before_with_loc_of(at, seen_by);
        self.merge_both((known, stored), usual.block(), asked, rest.block())
    }

    /// Shadow and plane of two ways, before the builder's point.
    fn merge_both(&self, one: (Value, Value), from: Block, other: (Value, Value), from_other: Block) -> (Value, Value) {
        let merge = |one, other| self.merge([(one, from), (other, from_other)]);
        let shadow = merge(one.0, other.0);
        (shadow, if one.1 != one.0 { merge(one.1, other.1) } else { shadow })
    }

    /// The shadow with this residue, in doubles or floats, and what the plane holds of it.
    fn with_residue(&self, checked: &Checked, residue: Value) -> (Value, Value) {
        let Checked { value, fp, known, stored, .. } = *checked;
        let shadow = if fp.has_float_residues() { residue } else { self.shadow_of_residue(value, fp, residue) };
        (shadow, if stored != known { self.to_plane(value, fp, shadow) } else { shadow })
    }

    /// A phi, before the builder's point.
    fn merge(&self, incoming: [(Value, Block); 2]) -> Value {
        let merged = self.b.phi(incoming[0].0.ty());
        for (value, from) in incoming {
            merged.add_incoming(value, from);
        }
        merged
    }

    /// Settles what is no finding, before `at`, or asks the runtime. Returns the residues from there on.
    fn decide_or_ask(
        &mut self,
        judged: &Judged,
        lanes: Lanes,
        checked: &Checked,
        (site, slot): (u32, u32),
        at: Value,
    ) -> Value {
        let (all, decided) = self.decide(judged, lanes, checked.fp, checked.observed);
        let [count, ask] = at.split_if_else(all);
        self.count_passed(site, checked.fp.lane_count(), count);
        self.b.before_with_loc_of(ask, checked.seen_by);
        let told = self.ask(lanes, checked, Some(slot));
        self.b.before_with_loc_of(at, checked.seen_by);
        self.merge([(decided, count.block()), (told, ask.block())])
    }

    /// Asks the runtime, for a check that may have a slot. Returns the residues from there on.
    fn ask(&mut self, lanes: Lanes, checked: &Checked, slot: Option<u32>) -> Value {
        let Checked { value, fp, observed, seen_by, .. } = *checked;
        let blamed = self.blamed(value, fp, observed, seen_by);
        let by_constants = self.lost_by_constants(checked, lanes);
        let asked = by_constants.map_or(lanes, |those| lanes.without(&self.b, those));
        if let Some(those) = by_constants {
            let arguments = [self.tables.table(), blamed.site, self.b.lane_mask(those)];
            self.call_cold(id::__nonius_by_constants, &arguments);
        }
        let buffer = self.begin_buffer();
        for (array, lanes) in [(0, asked.values), (1, asked.residues), (2, asked.noise)] {
            self.fill(&buffer, array, lanes);
        }
        let number = slot.map_or(0, |slot| slot + 1);
        let check = self.b.types.i64().const_int(u64::from(number) << 32 | u64::from(fp.lane_count()));
        let [values, residues, noise] = [0, 1, 2].map(|n| self.array(&buffer, n));
        let [culprit, its_residue] = self.culprit(&blamed);
        let bad = asked.past.unwrap_or_else(|| self.b.types.int(1).zero());
        let left = self.left_by_blamed(value, fp, checked.known, bad, &blamed);
        let arguments = [self.tables.table(), blamed.site, check, values, residues, noise, culprit, its_residue, left];
        self.call_cold(id::__nonius_check, &arguments);
        let told = self.b.load(fp.shaped(self.b.types.double()), residues, 8);
        self.end_buffer(buffer);
        let told = if fp.has_float_residues() { self.b.fptrunc(told, lanes.residues.ty()) } else { told };
        by_constants.map_or(told, |those| self.b.select(those, lanes.residues, told))
    }

    /// The lanes that are a finding only for some of what constants were rounded from. Not at stores in loops: what it takes
    /// to tell would need registers there.
    fn lost_by_constants(&self, checked: &Checked, lanes: Lanes) -> Option<Value> {
        let Checked { value, fp, observed, .. } = *checked;
        if observed == Observed::Store && self.shadows.is_in_loop() {
            return None;
        }
        let moved = self.moved_by_constants(value, fp)?;
        let (v, e) = (self.to_double(lanes.values), self.b.fabs(self.to_double(lanes.residues)));
        let ideal = self.b.fabs(self.b.fadd(v, self.to_double(lanes.residues)));
        let limit = self.b.splat(self.limit_now(fp, RELATIVE_LIMITS), v.ty());
        let is_found = self.b.fcmp(RealPredicate::LLVMRealOGT, e, self.b.fmul(limit, ideal));
        let most = self.b.fmul(limit, self.b.fadd(ideal, moved));
        let may_be_none = self.b.fcmp(RealPredicate::LLVMRealOLE, self.b.fsub(e, moved), most);
        Some(self.b.and(is_found, may_be_none))
    }

    /// Checks every float of a value and remembers what its shadow is from there on.
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

    /// The larger of two sizes, lane by lane.
    pub fn larger(&self, a: Value, b: Value) -> Value {
        let zero = a.ty().zero();
        if a == zero || b == zero {
            return if a == zero { b } else { a };
        }
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

/// How far a zero is looked back from. Stores stand in the hottest loops, where each value that is looked at takes a register.
fn depth(observed: Observed) -> u32 {
    if observed == Observed::Store { 1 } else { DEPTH }
}
