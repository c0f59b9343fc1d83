//! Requests of `nonius.h`.

use super::found::Key;
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register};
use crate::thread::Stack;
use nonius_abi::Precision;
use nonius_abi::api::Request;
use nonius_abi::site::{NONE, Observed};
use nonius_finding::Kind;
use nonius_oracle::Oracle;
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict::{Seen, Verdict};

/// What a thread has asked for by `nonius_print` or `nonius_ulps`.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub seen: Seen,
    pub format: Precision,
    pub is_known: bool,
    /// The finding after which its shadow restarted.
    pub restarted_by: Option<Key>,
}

impl<O: Oracle> Core<O> {
    /// The finding after which the shadow of an exact value restarted: it is known again by the value. Zeros are many, and
    /// are known in the function that asks alone.
    fn restarted_by(&self, known: &Known, site: u32) -> Option<Key> {
        if !self.options.resume || known.residue != 0.0 {
            return None;
        }
        let function = |site: u32| self.sites.get(site as usize).map(|s| (s.module, s.function));
        let is_value = |sample: &Sample| sample.actual[0].to_bits() == known.value.to_bits();
        let is_near = |key: &Key| known.value != 0.0 || function(key.site) == function(site);
        let all = self.founds.all.iter();
        let same = all.filter(|(key, found)| {
            key.kind == Kind::PrecisionLoss && key.site != site && is_value(&found.sample) && is_near(key)
        });
        same.max_by(|(_, a), (_, b)| a.error.total_cmp(&b.error)).map(|(key, _)| *key)
    }

    #[inline(never)]
    pub fn request(&mut self, stack: &Stack, frame: &mut [Register<O::Shadow>], insn: &Insn) {
        let register = &frame[insn.args[0] as usize];
        let known = register.known;
        match insn.detail {
            d if d == Request::Check as u32 => {
                self.founds.saw(insn.site, known.value, known.residue, known.is_followed());
                if !known.is_known() {
                    return;
                }
                let restarted = self.restarted_by(&known, insn.site).and_then(|key| self.founds.all.get(&key));
                let seen = restarted.map_or_else(|| self.seen(register), |found| found.sample.seen());
                let (verdict, seen) = self.judged(seen, insn.format, Observed::Api);
                let key = Key { kind: Kind::PrecisionLoss, site: insn.site, blamed: NONE };
                match verdict {
                    Verdict::Clear => {}
                    Verdict::Open => self.leave_open(key, &[register]),
                    Verdict::Found(error) => {
                        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
                        let explain = || crate::blame::slice(trail, sites, statistics, &[known]);
                        self.founds.add(key, error, Sample::of(&seen), stack, explain);
                    }
                }
            }
            d if d == Request::Resume as u32 => {
                let value = known.value;
                frame[insn.out as usize].restart(value, 0.0, &mut self.oracle);
            }
            // The program asks for the answer next.
            _ => {
                let seen = self.seen(register);
                let restarted_by = self.restarted_by(&known, insn.site);
                let asked = Asked { seen, format: insn.format, is_known: known.is_known(), restarted_by };
                self.asked.insert(self.founds.thread, asked);
            }
        }
    }
}
