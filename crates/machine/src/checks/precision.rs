//! Precision lost where a value is observed, by the same verdict as the inline engine's.

use super::found::{Key, Sample};
use crate::core::Core;
use crate::program::Insn;
use crate::register::{Known, Register};
use crate::thread::Stack;
use crate::trail::Node;
use nonius_abi::site::{NONE, Op};
use nonius_finding::Kind;
use nonius_oracle::Oracle;
use nonius_verdict::verdict::{self, Seen};

impl<O: Oracle> Core<O> {
    /// Whether an observed value needs a closer look.
    #[inline(always)]
    pub fn is_suspect(&mut self, known: &Known, insn: &Insn) -> bool {
        self.founds.saw(insn.site, known.value, known.residue, known.is_followed());
        let limit = self.filter[insn.format as usize];
        known.residue.abs() > limit * known.value.abs() || !known.value.is_finite()
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
        let seen = Seen { value: known.value, residue: known.residue, noise: self.noise(register) };
        let Some(error) = verdict::precision(seen, site.precision, site.observed, &self.options.limits) else { return };
        let key = Key { kind: Kind::PrecisionLoss, site: insn.site, blamed: self.blamed(&known, insn) };
        let sample = Sample { actual: [known.value, 0.0], ideal: [seen.residue(), 0.0] };
        let (trail, sites, statistics) = (&self.trail, &self.sites, &self.statistics);
        self.founds.add(key, error, sample, stack, || crate::blame::slice(trail, sites, statistics, &[known]));
        if self.options.resume {
            register.restart(known.value, 0.0, &mut self.oracle);
        }
    }

    /// How large an ideal may be that came of a sum and cannot be told from 0.
    pub fn noise(&self, Register { known, shadow }: &Register<O::Shadow>) -> f64 {
        if let Some(noise) = self.oracle.noise_in(shadow) {
            return noise;
        }
        let Some(node) = self.trail.get(known.node) else { return 0.0 };
        let is_sum = self.sites.get(node.site as usize).is_some_and(|s| matches!(s.op, Op::Add | Op::Sub | Op::Reduce));
        if !is_sum {
            return 0.0;
        }
        let operands = node.operands.iter().filter_map(|&n| self.trail.get(n));
        let noise = |n: Node| {
            let site = self.sites.get(n.site as usize);
            let is_product = site.is_some_and(|s| matches!(s.op, Op::Mul | Op::Div));
            // The parts of the residue of inexact factors' product may have cancelled; each is about an ulp of it.
            let parts = match site {
                Some(s) if is_product && n.operands.iter().any(|&o| o != 0) => {
                    n.value.abs() * f64::exp2(1.0 - f64::from(s.precision.bits()))
                }
                _ => 0.0,
            };
            self.oracle.noise(n.value, n.residue.abs().max(parts))
        };
        operands.map(noise).fold(0.0, f64::max)
    }

    /// The operation that made a value bad: back from its own through operands that are bad already, as long as
    /// that is in the same function. (Further back is for the causes to show.)
    pub fn blamed(&self, known: &Known, insn: &Insn) -> u32 {
        const DEPTH: u32 = 4;
        let function = |site: u32| self.sites.get(site as usize).map(|s| (s.module, s.function));
        let Some(mut node) = self.trail.get(known.node) else { return NONE };
        if function(node.site).is_none() || function(node.site) != function(insn.site) {
            return NONE;
        }
        for _ in 0..DEPTH {
            let Some(kind) = self.sites.get(node.site as usize) else { break };
            let limit = self.filter[kind.precision as usize];
            let operands = node.operands.iter().filter_map(|&n| self.trail.get(n));
            let bad = operands.filter(|n| {
                n.residue.abs() > limit * n.value.abs()
                    && function(n.site) == function(insn.site)
                    && n.site != node.site
            });
            let Some(worst) = bad.max_by(|a, b| {
                let error = |n: &Node| super::statistics::relative(n.value, n.residue);
                error(a).total_cmp(&error(b))
            }) else {
                break;
            };
            node = worst;
        }
        node.site
    }
}
