//! Comparisons: would the ideals, rounded to the program's format, decide otherwise?
//!
//! The rounded ideal is the best that the format could have held; comparing it, and not the
//! ideal itself, keeps ties within half an ulp silent (nsan rounds for the same reason).
//! Silent by construction: tests for NaN, and minimum, maximum and clamp idioms, whose result
//! changes continuously where the comparison flips.
//!
//! A test is judged where the program uses it: one side of `a && b` counts where the other lets
//! it (see `guard`), and one that the optimizer makes early (see `early`) behind what asks for it.

use super::{Emitter, Shadow, entry::MAX_LANES, radius::DEPTH};
use crate::early;
use crate::fp::FpType;
use crate::guard::{self, Guard};
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::min_max;
use crate::sign_test;
use crate::sites::{self, Origin};
use nonius_abi::hooks::id;
use nonius_abi::site::{Observed, Op};

/// `outcome` is what comparing `sides` gave; `by` is the program's instruction that does it.
#[derive(Clone, Debug)]
pub struct Test {
    outcome: Value,
    by: Value,
    guard: Option<Guard>,
    pub(super) predicate: RealPredicate,
    pub(super) fp: FpType,
    pub(super) sides: [Value; 2],
    pub(super) decides: Decides,
}

/// What a test is part of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Decides {
    Comparison,
    /// `fmin` or `fmax`.
    Choice(&'static str),
    /// A sign that is asked for, or given to a value.
    Sign(&'static str, Option<Value>),
}

/// A test and what ideals make of it.
struct Judged {
    test: Test,
    ideals: [Value; 2],
    flips: Value,
}

impl Emitter<'_> {
    pub fn visit_fcmp(&mut self, i: Value) {
        self.compare(i, i.real_predicate(), i.operand(0), i.operand(1));
    }

    /// `i` is the outcome of comparing `x` with `y`.
    pub fn compare(&mut self, i: Value, predicate: RealPredicate, x: Value, y: Value) {
        use RealPredicate::*;
        self.count_operation();
        let Some(fp) = FpType::of(x.ty()) else { return };
        let trivial = matches!(predicate, LLVMRealORD | LLVMRealUNO | LLVMRealPredicateTrue | LLVMRealPredicateFalse);
        let exact = (self.shadow(x), self.shadow(y)) == (Shadow::Exact, Shadow::Exact);
        if trivial
            || exact
            || x == y
            || self.min_max.contains(&i)
            || min_max::is_select(i, x, y)
            || fp.lane_count() > MAX_LANES
        {
            return;
        }
        self.counts.checks += 1;
        let guard = guard::of(i, &self.originals);
        let test = Test { outcome: i, by: i, guard, predicate, fp, sides: [x, y], decides: Decides::Comparison };
        match self.users_to_wait_for(&test) {
            users if users.is_empty() => self.judge(vec![test], i),
            users => users.into_iter().for_each(|u| self.tests.entry(u).or_default().push(test.clone())),
        }
    }

    /// A test of a float's sign bit.
    pub fn visit_sign_test(&mut self, i: Value) {
        if let Some(x) = sign_test::of(i) {
            self.takes_sign(i, "signbit", x, None);
        }
    }

    /// The lesser (`which` is `min`) or the greater of two is taken. Which one is a decision where the ideals are far apart;
    /// one that is held against 0 says itself that its error may turn it.
    pub fn chooses(&mut self, i: Value, which: &str, sides: [Value; 2]) {
        let (predicate, name) = match which {
            "min" => (RealPredicate::LLVMRealOLT, "fmin"),
            _ => (RealPredicate::LLVMRealOGT, "fmax"),
        };
        if !sides.iter().any(|side| *side == side.ty().zero()) {
            self.decide_by(i, predicate, sides, Decides::Choice(name));
        }
    }

    /// The sign of `sign` is asked for, or given to a value, by the function `name`.
    pub fn takes_sign(&mut self, i: Value, name: &'static str, sign: Value, given_to: Option<Value>) {
        self.decide_by(i, RealPredicate::LLVMRealOLT, [sign, sign.ty().zero()], Decides::Sign(name, given_to));
    }

    /// `i` decides by comparing `sides`.
    fn decide_by(&mut self, i: Value, predicate: RealPredicate, sides: [Value; 2], decides: Decides) {
        let Some(fp) = FpType::of(sides[0].ty()) else { return };
        let exact = sides.iter().all(|&side| self.shadow(side) == Shadow::Exact);
        if exact || fp.lane_count() > MAX_LANES {
            return;
        }
        self.counts.checks += 1;
        let outcome = self.b.fcmp(predicate, sides[0], sides[1]);
        let guard = guard::of(i, &self.originals);
        let joint = guard.as_ref().map(|guard| guard.joint);
        let test = Test { outcome, by: i, guard, predicate, fp, sides, decides };
        match joint {
            Some(joint) => self.tests.entry(joint).or_default().push(test),
            None => self.judge(vec![test], i),
        }
    }

    /// The instructions behind which a test is judged; none: behind itself.
    fn users_to_wait_for(&self, test: &Test) -> Vec<Value> {
        if let Some(guard) = &test.guard {
            return vec![guard.joint];
        }
        let i = test.by;
        let users: Vec<Value> = i.users().into_iter().filter(|u| self.originals.contains(u)).collect();
        let waits = |u: &Value| !u.is(Opcode::LLVMPHI) && !early::is_early(*u);
        let may_wait = self.origins.has_lines() && early::is_early(i) && users.iter().all(waits);
        if may_wait { users } else { Vec::new() }
    }

    /// Judges the decisions that waited for `user`.
    pub fn judge_at(&mut self, user: Value) {
        if let Some(tests) = self.tests.remove(&user) {
            self.judge(tests, user);
        }
        for tell in self.later.remove(&user).unwrap_or_default() {
            tell(self);
        }
    }

    fn judge(&mut self, tests: Vec<Test>, seen_by: Value) {
        let judged: Vec<Judged> = tests.into_iter().map(|test| self.with_ideals(test)).collect();
        let any = judged.iter().map(|j| self.b.any(j.flips)).reduce(|a, b| self.b.or(a, b)).expect("a test");
        let point = self.b.point();
        let then = point.split_if(any);
        for j in &judged {
            let seen_by = if j.test.by.debug_loc().is_some() { j.test.by } else { seen_by };
            self.b.before_with_loc_of(then, seen_by);
            let flips = self.without_noise(j);
            let flips = self.that_matter(j, flips);
            let open = self.open_flips(j, flips);
            let flips = if open == open.ty().zero() { flips } else { self.b.and(flips, self.b.not(open)) };
            let by_constants = self.flips_by_constants(j, flips);
            let flips = by_constants.map_or(flips, |lanes| self.b.and(flips, self.b.not(lanes)));
            let [flips, open] = [flips, open].map(|lanes| self.where_it_counts(j, lanes, &judged));
            let by_constants = by_constants.map(|lanes| self.where_it_counts(j, lanes, &judged));
            self.report_flip(j, flips, [Some(open), by_constants], seen_by);
        }
        self.b.before_with_loc_of(point, seen_by);
    }

    fn with_ideals(&mut self, test: Test) -> Judged {
        let ideals = test.sides.map(|side| match self.shadow(side) {
            Shadow::Exact => side,
            Shadow::Known(shadow) => self.rounded_ideal(side, test.fp, shadow),
        });
        let ideal = self.b.fcmp(test.predicate, ideals[0], ideals[1]);
        let differs = self.b.xor(test.outcome, ideal);
        let ordered = self.b.fcmp(RealPredicate::LLVMRealORD, ideals[0], ideals[1]);
        Judged { test, ideals, flips: self.b.and(differs, ordered) }
    }

    /// The lanes in which a sign that flips is given to something that its error does not explain.
    fn that_matter(&self, j: &Judged, flips: Value) -> Value {
        let Decides::Sign(_, Some(given_to)) = j.test.decides else { return flips };
        let sign = j.test.sides[0];
        let error = self.b.fabs(self.b.fsub(self.to_double(j.ideals[0]), self.to_double(sign)));
        let size = self.b.fabs(self.to_double(given_to));
        self.b.and(flips, self.b.fcmp(RealPredicate::LLVMRealOGT, size, error))
    }

    /// The lanes where other tests leave it a say, as they came out or ideally.
    fn where_it_counts(&mut self, j: &Judged, lanes: Value, all: &[Judged]) -> Value {
        let conditions = j.test.guard.iter().flat_map(|guard| &guard.conditions);
        conditions.fold(lanes, |lanes, condition| {
            let met = condition.is_met(&self.b);
            let other = all.iter().find(|o| o.test.outcome == condition.value);
            let may_be_met = other.map_or(met, |other| self.b.or(met, other.flips));
            self.b.and(lanes, may_be_met)
        })
    }

    /// The lanes whose flip depends on what is not known of a zero.
    fn open_flips(&self, j: &Judged, flips: Value) -> Value {
        let Test { fp, sides, .. } = j.test;
        let [x, y] = sides.map(|side| self.radius_of_zero(side, fp, DEPTH));
        let radius = self.larger(x, y);
        if radius == radius.ty().zero() {
            return flips.ty().zero();
        }
        let radius = self.to_double(radius);
        self.b.and(flips, self.b.fcmp(RealPredicate::LLVMRealOLT, self.difference(j), radius))
    }

    /// How far apart the ideals are.
    fn difference(&self, j: &Judged) -> Value {
        self.b.fabs(self.b.fsub(self.to_double(j.ideals[0]), self.to_double(j.ideals[1])))
    }

    /// The lanes that flip only for some of what constants were rounded from, as `verdict::flips_within` has it.
    fn flips_by_constants(&self, j: &Judged, flips: Value) -> Option<Value> {
        use RealPredicate::{LLVMRealOEQ, LLVMRealOGT, LLVMRealOLE, LLVMRealOLT};
        let Test { outcome, predicate, fp, sides, .. } = j.test;
        let moves = self.moves_by_constants(sides, fp)?;
        let ranges = [0, 1].map(|side| self.range(sides[side], fp, moves.each[side], j.ideals[side]));
        let [[x_low, x_high], [y_low, y_high]] = ranges;
        let difference = self.exact_difference(sides, fp);
        let zero = difference.ty().zero();
        let least = self.b.fsub(difference, moves.difference);
        let most = self.b.fadd(difference, moves.difference);
        let both = |a: Value, b: Value| self.b.and(a, b);
        let less = both(self.b.fcmp(LLVMRealOLT, x_low, y_high), self.b.fcmp(LLVMRealOLT, least, zero));
        let equal = both(self.b.fcmp(LLVMRealOLE, x_low, y_high), self.b.fcmp(LLVMRealOLE, y_low, x_high));
        let greater = both(self.b.fcmp(LLVMRealOGT, x_high, y_low), self.b.fcmp(LLVMRealOGT, most, zero));
        let stays = [(less, LLVMRealOLT), (equal, LLVMRealOEQ), (greater, LLVMRealOGT)].map(|(is_possible, bit)| {
            let holds = predicate as u32 & bit as u32 != 0;
            both(is_possible, if holds { outcome } else { self.b.not(outcome) })
        });
        let stays = stays.into_iter().reduce(|a, b| self.b.or(a, b))?;
        Some(both(flips, stays))
    }

    /// Where the ideal of a side may lie, in its own format; `rounded` is where it lies if constants do not move it.
    fn range(&self, side: Value, fp: FpType, moved: Option<Value>, rounded: Value) -> [Value; 2] {
        let Some(moved) = moved else { return [rounded; 2] };
        let (v, e) = self.as_doubles(self.actual(side), fp, self.materialize(side, fp, self.shadow(side)));
        [self.b.fsub(e, moved), self.b.fadd(e, moved)].map(|e| {
            let ideal = self.b.fadd(v, e);
            if ideal.ty() == side.ty() { ideal } else { self.b.fptrunc(ideal, side.ty()) }
        })
    }

    /// How far the ideals are apart before they are rounded, in doubles.
    fn exact_difference(&self, sides: [Value; 2], fp: FpType) -> Value {
        let [(x, ex), (y, ey)] =
            sides.map(|side| self.as_doubles(self.actual(side), fp, self.materialize(side, fp, self.shadow(side))));
        self.b.fadd(self.b.fsub(x, y), self.b.fsub(ex, ey))
    }

    /// Ideals that differ by less than the shadows' own noise are equal.
    fn without_noise(&mut self, j: &Judged) -> Value {
        let Test { outcome, predicate, fp, sides, .. } = j.test;
        let noise = self.larger(self.noise(sides[0], fp), self.noise(sides[1], fp));
        if noise == noise.ty().zero() {
            return j.flips;
        }
        let equal = self.b.fcmp(RealPredicate::LLVMRealOLE, self.difference(j), self.to_double(noise));
        let holds_for_equals = predicate as u32 & RealPredicate::LLVMRealOEQ as u32 != 0;
        let flips_from_equal = if holds_for_equals { self.b.not(outcome) } else { outcome };
        self.b.select(equal, flips_from_equal, j.flips)
    }

    /// `open`: the lanes that depend on what is not known, and on how constants were rounded.
    fn report_flip(&mut self, j: &Judged, flips: Value, open: [Option<Value>; 2], seen_by: Value) {
        let Test { outcome, fp, sides, .. } = j.test;
        // The hooks take the left operands of all lanes, then the right ones.
        let lanes = fp.lane_count();
        let numbers = self.recorded_numbers(&j.test);
        let buffer = self.begin_buffer();
        let base = self.array(&buffer, 0);
        let run_bytes = i64::from(lanes * 8);
        for (n, value) in (0..).zip(sides.into_iter().chain(j.ideals).chain(numbers)) {
            self.b.store(self.to_double(value), self.b.offset(base, n * run_bytes), 8);
        }
        let origin = match j.test.decides {
            Decides::Comparison => Origin::new(Op::Compare, Some(outcome)),
            Decides::Choice(name) => Origin::named(Op::Choice, name, seen_by, j.test.predicate),
            Decides::Sign(name, _) => Origin::named(Op::Sign, name, seen_by, j.test.predicate),
        };
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Branch, seen_by, self.index);
        let i32_type = self.b.types.i32();
        let left = match j.test.decides {
            Decides::Comparison => self.left_by_sides(sides, flips),
            _ => self.b.types.double().zero(),
        };
        let left = self.b.select(self.came_in_bad(sides), self.b.fneg(left), left);
        let [site, lanes] = [site, lanes].map(|n| i32_type.const_int(u64::from(n)));
        let (table, mask) = (self.tables.table(), self.b.lane_mask(flips));
        match numbers {
            Some(_) => self.call_cold(id::__nonius_near, &[table, site, lanes, base, mask, left]),
            None => {
                let ideals = self.b.offset(base, 2 * run_bytes);
                self.call_cold(id::__nonius_compare, &[table, site, lanes, base, ideals, mask, left]);
            }
        }
        for (hook, lanes) in [id::__nonius_open, id::__nonius_by_constants].into_iter().zip(open) {
            if let Some(lanes) = lanes.filter(|lanes| *lanes != lanes.ty().zero()) {
                self.call_cold(hook, &[table, site, self.b.lane_mask(lanes)]);
            }
        }
        self.end_buffer(buffer);
    }
}
