//! Tests that the program comes to: whether they can go another way, and what is noted of those that can.

use crate::domain::{Domain, Judge, Ways};
use crate::frames::{Register, Thread};
use crate::report::{Lost, Unstable};
use crate::walk::{Core, TestKind, Tested};
use nonius_abi::Precision;
use nonius_abi::event::Module;
use nonius_finding::Example;
use nonius_verdict::verdict::{Seen, relative};
use nonius_zonotope::{Flow, Side};

impl<D: Domain> Core<D> {
    /// The program has come to a test, and goes on as its own floats do.
    pub fn came_to(&mut self, _: &Thread<D::Value>, tested: &Tested<D::Value>) {
        // A rounding function that is not followed gives all integers of its range.
        if self.is_off || matches!(tested.kind, TestKind::Round(_)) {
            return;
        }
        let ways = self.domain.ways(&tested.test(), Side::Both);
        if self.takes_one_path && matches!(ways, Ways::Several(_) | Ways::Unknown) {
            return self.one_path(tested);
        }
        match ways {
            // A path of other inputs than the program's own, which has taken the way of those.
            Ways::One(Some(other)) if other != tested.outcome() => {
                self.observed.incomplete.insert("other ways through unstable tests were not followed".to_owned());
            }
            Ways::One(_) => {}
            Ways::Several(flows) => {
                let outcome = tested.outcome();
                self.saw_unstable(tested, &flows, false);
                self.observed.incomplete.insert("other ways through unstable tests were not followed".to_owned());
                self.domain.learn(&tested.test(), Flow { float: outcome, real: outcome }, Side::Both);
            }
            Ways::Unknown => self.undecided(tested.site),
        }
    }

    /// All inputs take the program's way, as it asks for.
    pub fn one_path(&mut self, tested: &Tested<D::Value>) {
        self.observed.one_path += 1;
        self.domain.take_one_path(&tested.test(), tested.outcome());
    }

    /// The program goes on with an integer that it made of a float's bits.
    pub fn took_bits(&mut self, x: &D::Value) {
        if !self.is_off && !self.domain.is_one_number(x) {
            self.domain.took_bits();
            self.observed
                .incomplete
                .insert("integers that were made of floats' bits were taken as they came".to_owned());
        }
    }

    pub fn undecided(&mut self, site: u32) {
        *self.observed.undecided.entry(site).or_default() += 1;
        self.observed.incomplete.insert("tests of values whose domain is unknown were taken as they came".to_owned());
    }

    pub fn saw_unstable(&mut self, tested: &Tested<D::Value>, flows: &[Flow], is_explored: bool) {
        let outcome = tested.outcome();
        let flip = self.domain.flip(&tested.test(), outcome);
        let example = flip.map(|flip| self.observed.example(&flip.inputs, [flip.float as f64, flip.real as f64]));
        let others = flows.iter().flat_map(|f| [f.float, f.real]);
        let other = others.filter(|&o| o != outcome).min_by_key(|o| o.abs_diff(outcome)).unwrap_or(outcome);
        let ranges = [&tested.x, &tested.y].map(|r| self.domain.bounds(&r.value, r.actual, Precision::Double).0.value);
        let unstable = self.observed.unstable.entry(tested.site).or_insert_with(|| Unstable {
            operands: [tested.x.actual, tested.y.actual],
            outcome,
            other,
            is_cast: !matches!(tested.kind, TestKind::Compare(_)),
            is_explored: true,
            ..Unstable::default()
        });
        unstable.count += 1;
        unstable.ranges = [0, 1].map(|n| unstable.ranges[n].hull(ranges[n]));
        // One where float and real part says more than one that only goes another way.
        let parts = |e: &Example| e.value != e.ideal;
        if example.as_ref().is_some_and(|e| unstable.example.as_ref().is_none_or(|o| parts(e) && !parts(o))) {
            unstable.example = example;
        }
        unstable.is_explored &= is_explored;
    }

    /// A value is observed. What went apart meets elsewhere.
    pub fn observe(&mut self, modules: &[Module], site: u32, x: &Register<D::Value>) {
        self.observed.checks += 1;
        let Some(place) = self.site_of(modules, site).filter(|_| !self.is_off && self.side == Side::Both) else {
            return;
        };
        let judge = Judge { limits: &self.limits, format: place.precision, observed: place.observed };
        let Some(loss) = self.domain.loss(&x.value, &judge) else { return };
        let blamed = loss.blamed.unwrap_or(site);
        let example = loss.shown.map(|(seen, inputs)| (seen, self.observed.example(&inputs, [seen.value, seen.ideal])));
        let lost = self.observed.losses.entry(site).or_insert(Lost { blamed, count: 0, bound: 0.0, example: None });
        lost.count += 1;
        lost.bound = lost.bound.max(loss.bound);
        if let Some((seen, example)) = example
            && lost.example.as_ref().is_none_or(|(before, _)| is_worse(&seen, before))
        {
            (lost.example, lost.blamed) = (Some((seen, example)), blamed);
        }
    }
}

fn is_worse(a: &Seen, b: &Seen) -> bool {
    relative(a.value, a.known_ideal()) > relative(b.value, b.known_ideal())
}
