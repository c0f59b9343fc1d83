//! Tests that the program comes to: whether they can go another way, and what is noted of those that can.

use crate::domain::{Domain, Ways};
use crate::frames::{Register, Thread};
use crate::report::Unstable;
use crate::walk::{Core, TestKind, Tested};
use nonius_abi::Precision;
use nonius_zonotope::{Flow, Side};

impl<D: Domain> Core<D> {
    /// The program has come to a test, and goes on as its own floats do.
    pub fn came_to(&mut self, _: &Thread<D::Value>, tested: &Tested<D::Value>) {
        if self.is_off {
            return;
        }
        match self.domain.ways(&tested.test(), Side::Both) {
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

    /// The program goes on with an integer that it made of a float's bits.
    pub fn took_bits(&mut self, x: &D::Value) {
        if !self.is_off && !self.domain.is_one_number(x) {
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
        let others = flows.iter().flat_map(|f| [f.float, f.real]);
        let other = others.filter(|&o| o != outcome).min_by_key(|o| o.abs_diff(outcome)).unwrap_or(outcome);
        let unstable = self.observed.unstable.entry(tested.site).or_insert_with(|| Unstable {
            operands: [tested.x.actual, tested.y.actual],
            outcome,
            other,
            is_cast: matches!(tested.kind, TestKind::ToInteger(_)),
            is_explored: true,
            ..Unstable::default()
        });
        unstable.count += 1;
        unstable.is_explored &= is_explored;
    }

    /// A value is observed.
    pub fn observe(&mut self, _site: u32, _x: &Register<D::Value>, _format: Precision) {
        self.observed.checks += 1;
    }
}
