//! Requests of `nonius.h`.

use super::found::{Key, Sample};
use crate::core::Core;
use crate::program::Insn;
use crate::register::Register;
use crate::thread::Stack;
use nonius_abi::api::Request;
use nonius_abi::site::{NONE, Observed};
use nonius_finding::Kind;
use nonius_oracle::Oracle;
use nonius_verdict::verdict::{self, Seen};

impl<O: Oracle> Core<O> {
    #[inline(never)]
    pub fn request(&mut self, stack: &Stack, frame: &mut [Register<O::Shadow>], insn: &Insn) {
        let register = &mut frame[insn.args[0] as usize];
        let known = register.known;
        match insn.detail {
            d if d == Request::Check as u32 => {
                self.founds.saw(insn.site, known.value, known.residue, known.is_followed());
                let seen = Seen { value: known.value, residue: known.residue, noise: self.noise(register) };
                let verdict = verdict::precision(seen, insn.format, Observed::Api, &self.options.limits);
                if let Some(error) = verdict.filter(|_| known.is_known()) {
                    let key = Key { kind: Kind::PrecisionLoss, site: insn.site, blamed: NONE };
                    let sample = Sample { actual: [known.value, 0.0], ideal: [seen.residue(), 0.0] };
                    let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
                    let explain = || crate::blame::slice(trail, sites, statistics, &[known]);
                    self.founds.add(key, error, sample, stack, explain);
                }
            }
            d if d == Request::Resume as u32 => {
                let value = known.value;
                frame[insn.out as usize].restart(value, 0.0, &mut self.oracle);
            }
            _ => {}
        }
    }
}
