//! Requests of `nonius.h`.

use super::found::Key;
use crate::core::Core;
use crate::program::Insn;
use crate::register::Register;
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
}

impl<O: Oracle> Core<O> {
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
                let (verdict, seen) = self.judged(self.seen(register), insn.format, Observed::Api);
                let key = Key { kind: Kind::PrecisionLoss, site: insn.site, blamed: NONE };
                match verdict {
                    Verdict::Clear => {}
                    Verdict::Open => self.founds.leave_open(key),
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
                let asked = Asked { seen, format: insn.format, is_known: known.is_known() };
                self.asked.insert(self.founds.thread, asked);
            }
        }
    }
}
