//! Comparisons and conversions to integers that come out otherwise for the ideals.
//!
//! Ideals are rounded to the program's format first: the best that the program could have had.

use super::found::{Key, Sample};
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register};
use crate::thread::Stack;
use nonius_abi::site::{NONE, Op};
use nonius_finding::Kind;
use nonius_oracle::Oracle;
use nonius_verdict::verdict;

impl<O: Oracle> Core<O> {
    #[inline(never)]
    pub fn compare(&mut self, stack: &Stack, insn: &Insn, sides: [&Register<O::Shadow>; 2]) {
        let [x, y] = sides.map(|side| side.known);
        if !x.is_known() || !y.is_known() {
            return;
        }
        let worse = if x.residue.abs() > y.residue.abs() { x } else { y };
        self.founds.saw(insn.site, worse.value, worse.residue, x.is_followed() && y.is_followed());
        for side in [x, y].iter().filter(|k| !k.value.is_finite()) {
            self.saw_not_finite(stack, insn, side);
        }
        let format = insn.format;
        let ideal = [x, y].map(|k| format.rounded(k.ideal()));
        let actual = [x.value, y.value];
        let predicate = insn.detail as u8;
        // Ideals that differ by less than the shadows' own noise are equal.
        let are_equal = (ideal[0] - ideal[1]).abs() <= self.noise(sides[0]) + self.noise(sides[1]);
        let ideally =
            if are_equal { verdict::holds(predicate, 0.0, 0.0) } else { verdict::holds(predicate, ideal[0], ideal[1]) };
        let flips = verdict::holds(predicate, actual[0], actual[1]) != ideally;
        if !flips || !self.options.check_branch {
            return;
        }
        let Some(error) = verdict::compare(actual, ideal) else { return };
        let key = Key { kind: Kind::BranchFlip, site: insn.site, blamed: NONE };
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        let explain = || crate::blame::slice(trail, sites, statistics, &[x, y]);
        self.founds.add(key, error, Sample { actual, ideal }, stack, explain);
    }

    #[inline(never)]
    pub fn cast(&mut self, stack: &Stack, insn: &Insn, x: Known) {
        if !x.is_known() {
            return;
        }
        self.founds.saw(insn.site, x.value, x.residue, x.is_followed());
        let op = match insn.detail {
            0 => Op::ToInteger,
            1 => Op::ToIntegerRint,
            _ => Op::ToIntegerRound,
        };
        if !self.options.check_cast || verdict::cast(x.value, x.residue, insn.format, op).is_none() {
            return;
        }
        let key = Key { kind: Kind::CastFlip, site: insn.site, blamed: NONE };
        let sample = Sample { actual: [x.value, 0.0], ideal: [x.residue, 0.0] };
        let error = verdict::relative(x.value, x.ideal());
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        self.founds.add(key, error, sample, stack, || crate::blame::slice(trail, sites, statistics, &[x]));
    }
}
