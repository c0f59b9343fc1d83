//! Precision lost where a value is observed, by the same verdict as the inline engine's.

use super::constants::Moves;
use super::found::Key;
use crate::core::Core;
use crate::program::Insn;
use crate::register::Register;
use crate::thread::Stack;
use nonius_abi::Precision;
use nonius_abi::site::{NONE, Observed};
use nonius_finding::Kind;
use nonius_oracle::{Estimate, Oracle};
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict::{self, Seen, Verdict};

impl<O: Oracle> Core<O> {
    /// Whether an observed value needs a closer look.
    #[inline(always)]
    pub fn is_suspect(&mut self, register: &Register<O::Shadow>, insn: &Insn) -> bool {
        let Register { known, shadow } = register;
        self.founds.saw(insn.site, known.value, known.residue, known.is_followed());
        let limit = self.filter[insn.format as usize];
        known.residue.abs() > limit * known.value.abs()
            || !known.value.is_finite()
            || self.oracle.is_unsure(shadow, known.value, limit)
    }

    /// A value as verdicts see it.
    pub fn seen(&self, register: &Register<O::Shadow>) -> Seen {
        let value = register.known.value;
        let Estimate { ideal, residue, radius } = self.oracle.estimate(&register.shadow, value);
        Seen { value, ideal, residue, radius }
    }

    /// Whether what cannot be told from 0 at this precision counts as 0.
    pub fn decides_zeros(&self) -> bool {
        self.oracle.bits() > self.options.zero_bits
    }

    /// Judges a value's precision, at a precision that has the last word on zeros if there is one.
    pub fn judged(&mut self, seen: Seen, format: Precision, observed: Observed) -> (Verdict<f64>, Seen) {
        let verdict = verdict::precision(seen, format, observed, &self.options.limits);
        if verdict.is_open() && seen.may_be_zero() && seen.is_nearly_known() && self.decides_zeros() {
            self.founds.zeros += 1;
            let seen = seen.with_zeros();
            return (verdict::precision(seen, format, observed, &self.options.limits), seen);
        }
        (verdict, seen)
    }

    /// Whether a verdict on a value is open for good: what it was divided by cannot be told from 0 at a precision that has
    /// the last word on that.
    pub fn is_undefined(&self, register: &Register<O::Shadow>) -> bool {
        self.decides_zeros() && self.oracle.is_undefined(&register.shadow)
    }

    /// Nobody knows; a finer oracle may, unless there is nothing to know. Who can find out by another execution is told
    /// which values it is about.
    #[cold]
    pub fn leave_open(&mut self, key: Key, about: &[&Register<O::Shadow>]) {
        let is_undefined = about.iter().any(|register| self.is_undefined(register));
        self.founds.leave_open(key, is_undefined);
        about.iter().for_each(|register| self.oracle.left_open(&register.shadow));
    }

    #[cold]
    pub fn look(&mut self, stack: &Stack, register: &mut Register<O::Shadow>, insn: &Insn) {
        let known = register.known;
        if !known.is_known() {
            return;
        }
        if !known.value.is_finite() {
            return self.saw_not_finite(stack, insn, &known);
        }
        let Some(site) = self.sites.get(insn.site as usize).copied() else { return };
        let (verdict, seen) = self.judged(self.seen(register), site.precision, site.observed);
        let key = |blamed| Key { kind: Kind::PrecisionLoss, site: insn.site, blamed };
        let error = match verdict {
            Verdict::Clear => {
                // Rounding error and nothing else, on its way: what is computed of it may be found.
                if self.is_bad(known.site, known.value, known.residue) {
                    self.root_of(register);
                }
                return;
            }
            Verdict::Open => return self.leave_open(key(NONE), &[register]),
            Verdict::Found(error) => error,
        };
        let holds = |core: &Core<O>, moves: Moves| {
            let seen = seen.widened(moves.each[0]);
            verdict::precision(seen, site.precision, site.observed, &core.options.limits).found().is_some()
        };
        if !self.holds_for_constants(insn.site, error, [known.node, 0], holds) {
            return self.founds.leave_to_constants(insn.site);
        }
        // An ideal is shown: who can tell more of it by another execution is asked to.
        if seen.is_vague() {
            self.oracle.left_open(&register.shadow);
        }
        let key = key(self.root_of(register));
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        let explain = || crate::blame::slice(trail, sites, statistics, &[known]);
        self.founds.add(key, error, Sample::of(&seen), stack, explain);
        if self.options.resume {
            self.restart_after(key, register);
        }
    }
}
