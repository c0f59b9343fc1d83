//! Comparisons and conversions to integers that come out otherwise for the ideals.
//!
//! Ideals are rounded to the program's format first: the best that the program could have had.

use super::constants::Moves;
use super::found::Key;
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register};
use crate::thread::Stack;
use crate::trail::Trail;
use nonius_abi::Precision;
use nonius_abi::code::CHOICE;
use nonius_abi::site::{NONE, Op};
use nonius_finding::{Kind, Operand, are_alike, is_tolerance_test};
use nonius_oracle::Oracle;
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict::{self, Seen, Verdict};

impl<O: Oracle> Core<O> {
    /// Whether there is an error, or may be one, or none that can be told of.
    #[inline(always)]
    pub fn is_worth_a_look(&self, x: &Register<O::Shadow>) -> bool {
        let Register { known, shadow } = x;
        known.residue != 0.0 || !known.value.is_finite() || self.oracle.is_unsure(shadow, known.value, 0.0)
    }

    /// Notes exact operands: what another engine has found there is refuted by that the program came by.
    #[inline(always)]
    pub fn came_by(&mut self, insn: &Insn, operands: [&Register<O::Shadow>; 2]) {
        let is_followed = operands.iter().all(|x| x.known.is_followed());
        self.founds.saw(insn.site, 0.0, 0.0, is_followed);
    }

    #[inline(never)]
    pub fn compare(&mut self, stack: &Stack, insn: &Insn, left: &Register<O::Shadow>, right: &Register<O::Shadow>) {
        let (x, y) = (left.known, right.known);
        if !x.is_known() || !y.is_known() {
            return;
        }
        let worse = if x.residue.abs() > y.residue.abs() { x } else { y };
        self.founds.saw(insn.site, worse.value, worse.residue, x.is_followed() && y.is_followed());
        for side in [x, y].iter().filter(|k| !k.value.is_finite()) {
            self.saw_not_finite(stack, insn, side);
        }
        if !self.options.check_branch {
            return;
        }
        let seen = [left, right].map(|r| self.seen(r));
        let sides = seen.map(|seen| as_held(seen, insn.format));
        let predicate = (insn.detail & 15) as u8;
        let mut verdict = verdict::flips(predicate, sides);
        if verdict.is_open() && self.decides_zeros() && seen.iter().all(Seen::is_nearly_known) {
            // No precision tells the ideals apart: they are equal.
            self.founds.zeros += 1;
            let [x, y] = sides;
            verdict = verdict::flips(predicate, [Seen { radius: 0.0, ..x }, Seen { ideal: x.ideal, radius: 0.0, ..y }]);
        }
        let key = |blamed| Key { kind: Kind::BranchFlip, site: insn.site, blamed };
        let error = match verdict {
            Verdict::Clear => return,
            Verdict::Open => return self.leave_open(key(NONE), &[left, right]),
            Verdict::Found(error) => error,
        };
        let ideals = sides.map(|side| side.ideal);
        if insn.detail & CHOICE != 0 && !verdict::matters(ideals, insn.format, &self.options.limits) {
            return;
        }
        if insn.detail & CHOICE == 0 && self.is_with_record(predicate, [x, y], insn.format) {
            return self.founds.leave_to_constants(insn.site);
        }
        let holds = |_: &Core<O>, moves: Moves| {
            let ranges = moved(seen, [x, y], moves).map(|side| range(side, insn.format));
            let [x_seen, y_seen] = seen;
            let difference = (x.value - y.value) + (x_seen.residue - y_seen.residue);
            let by = moves.difference + x_seen.radius + y_seen.radius;
            verdict::flips_within(predicate, [x.value, y.value], ranges, [difference - by, difference + by])
        };
        if !self.holds_for_constants(insn.site, error, [x.node, y.node], holds) {
            return self.founds.leave_to_constants(insn.site);
        }
        let errors = [x, y].map(|k| super::statistics::relative(k.value, k.residue));
        let lefts = [x, y].map(|k| self.root_and_left(&k));
        let (root, left) = lefts[usize::from(errors[1] > errors[0])];
        let operands = std::array::from_fn(|i| Operand::new([x, y][i].value, sides[i].ideal));
        let tolerates = is_tolerance_test(operands, lefts.map(|(_, left)| left), insn.format);
        let key = key(root);
        let sample = Sample {
            left,
            actual: [x.value, y.value],
            ideal: sides.map(|side| side.known_ideal()),
            radius: sides.map(|side| side.radius),
        };
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        let explain = || crate::blame::slice(trail, sites, statistics, &[x, y]);
        self.founds.add(key, error, sample, stack, explain);
        self.founds.note_tolerance(&key, tolerates, are_alike(&operands));
    }

    /// A sign that is given to another number, `size`: a comparison with 0.
    #[inline(never)]
    pub fn takes_sign(&mut self, stack: &Stack, insn: &Insn, sides: [&Register<O::Shadow>; 2], size: f64) {
        let sign = sides[0].known;
        if verdict::sign_matters(size, [sign.value, sign.value + sign.residue]) {
            self.compare(stack, insn, sides[0], sides[1]);
        }
    }

    /// The remainder of `x` by `y`.
    #[inline(never)]
    pub fn remainder(&mut self, stack: &Stack, insn: &Insn, [x, y]: [&Register<O::Shadow>; 2], op: Op) {
        let known = [x.known, y.known];
        if !known.iter().all(Known::is_known) {
            return;
        }
        let errors = known.map(|k| super::statistics::relative(k.value, k.residue));
        let worse = known[usize::from(errors[1] > errors[0])];
        self.founds.saw(insn.site, worse.value, worse.residue, known.iter().all(Known::is_followed));
        if !self.options.check_cast {
            return;
        }
        let key = |blamed| Key { kind: Kind::CastFlip, site: insn.site, blamed };
        let seen = match verdict::remainder(self.seen(x), self.seen(y), insn.format, op) {
            Verdict::Clear => return,
            Verdict::Open => return self.leave_open(key(NONE), &[x, y]),
            Verdict::Found(seen) => seen,
        };
        let error = verdict::relative(seen.value, seen.ideal);
        let sides = [self.seen(x), self.seen(y)];
        let holds = |_: &Core<O>, moves: Moves| {
            let [x, y] = std::array::from_fn(|side| sides[side].widened(moves.each[side]));
            verdict::remainder(x, y, insn.format, op).found().is_some()
        };
        if !self.holds_for_constants(insn.site, error, [x.known.node, y.known.node], holds) {
            return self.founds.leave_to_constants(insn.site);
        }
        let key = key(self.root(&worse));
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        let explain = || crate::blame::slice(trail, sites, statistics, &known);
        self.founds.add(key, error, Sample::of(&seen), stack, explain);
    }

    #[inline(never)]
    pub fn cast(&mut self, stack: &Stack, insn: &Insn, register: &Register<O::Shadow>, op: Op) {
        let x = register.known;
        if !x.is_known() {
            return;
        }
        self.founds.saw(insn.site, x.value, x.residue, x.is_followed());
        if !self.options.check_cast {
            return;
        }
        let seen = self.seen(register);
        let key = |blamed| Key { kind: Kind::CastFlip, site: insn.site, blamed };
        match verdict::cast(seen, insn.format, op) {
            Verdict::Clear => return,
            Verdict::Open => return self.leave_open(key(NONE), &[register]),
            Verdict::Found(_) => {}
        }
        let error = verdict::relative(x.value, seen.ideal);
        let holds =
            |_: &Core<O>, moves: Moves| verdict::cast(seen.widened(moves.each[0]), insn.format, op).found().is_some();
        if !self.holds_for_constants(insn.site, error, [x.node, 0], holds) {
            return self.founds.leave_to_constants(insn.site);
        }
        let key = key(self.root(&x));
        let sample = Sample::of(&seen);
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        self.founds.add(key, error, sample, stack, || crate::blame::slice(trail, sites, statistics, &[x]));
    }
}

/// A side of a comparison whose ideal is rounded to its format: all that is not known of it may be less than that.
fn as_held(seen: Seen, format: Precision) -> Seen {
    let Seen { ideal, radius, .. } = seen;
    let [low, ideal, high] = [ideal - radius, ideal, ideal + radius].map(|x| format.rounded(x));
    Seen { ideal, radius: if low == high { 0.0 } else { radius }, ..seen }
}

/// Where the ideal of a side may lie, rounded to its format.
fn range(seen: Seen, format: Precision) -> [f64; 2] {
    seen.ends().map(|x| format.rounded(x))
}

/// Sides that constants move. One that is a constant itself does not: what it was rounded from is rounded to it again.
fn moved(seen: [Seen; 2], known: [Known; 2], moves: Moves) -> [Seen; 2] {
    std::array::from_fn(|side| match Trail::is_constant(known[side].node) {
        true => seen[side],
        false => seen[side].widened(moves.each[side]),
    })
}
