//! NaNs and infinities: the operation that made one of operands that were none, once it is seen.
//!
//! Compilers compute values that are then thrown away, so an origin counts only when the value, or one
//! computed from it, is stored, observed, compared or converted, or makes a finite result (1 / inf is 0).

use super::found::Key;
use crate::core::Core;
use crate::program::Insn;
use crate::register::Known;
use crate::thread::Stack;
use nonius_abi::site::{NONE, Observed};
use nonius_finding::Kind;
use nonius_oracle::Oracle;
use nonius_verdict::describe::Sample;
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Origins {
    /// By site and whether it was a NaN: how often.
    counts: HashMap<(u32, bool), u64>,
    /// How often one was seen at an observable; the path back is walked ever more seldom.
    sightings: HashMap<u32, u64>,
}

/// Steps back to an origin.
const MOST_STEPS: usize = 100_000;
/// Sightings at an observable that are all followed back; then those whose number is a power of two.
const FIRST: u64 = 64;

impl Origins {
    pub fn counts(&self) -> &HashMap<(u32, bool), u64> {
        &self.counts
    }

    /// Adds what was counted elsewhere.
    pub fn absorb(&mut self, counts: &HashMap<(u32, bool), u64>) {
        counts.iter().for_each(|(origin, count)| *self.counts.entry(*origin).or_default() += count);
    }

    pub fn count(&self, site: u32, is_nan: bool) -> u64 {
        self.counts.get(&(site, is_nan)).copied().unwrap_or(1)
    }
}

impl<O: Oracle> Core<O> {
    /// A result that is not finite.
    #[cold]
    pub fn not_finite(&mut self, insn: &Insn, z: f64, operands: &[&Known; 3]) {
        if z.is_finite() {
            let hidden = operands.iter().find(|o| !o.value.is_finite());
            return hidden.into_iter().for_each(|o| self.saw_not_finite(&Stack::default(), insn, o));
        }
        if is_origin(z, operands.iter().map(|o| o.value)) {
            *self.origins.counts.entry((insn.site, z.is_nan())).or_default() += 1;
        }
    }

    /// A value that is not finite is observed: look for where it originated.
    #[cold]
    pub fn saw_not_finite(&mut self, stack: &Stack, insn: &Insn, known: &Known) {
        let sightings = self.origins.sightings.entry(insn.site).or_default();
        *sightings += 1;
        if *sightings > FIRST && !sightings.is_power_of_two() {
            return;
        }
        let Some(origin) = self.origin(known) else { return };
        let Some(node) = self.trail.get(origin) else { return };
        let wanted = if node.value.is_nan() { self.options.check_nan } else { self.options.check_inf };
        if !wanted {
            return;
        }
        let kind = if node.value.is_nan() { Kind::Nan } else { Kind::Inf };
        // What was computed early has no line: then it is where it is seen.
        let has_line = |site: u32| self.sites.get(site as usize).is_some_and(|s| s.has_line);
        let blamed = if !has_line(node.site) && has_line(insn.site) { insn.site } else { NONE };
        if insn.site == NONE && !has_line(node.site) {
            // A store tells no place; the check before it did, unless it is of a local variable.
            return;
        }
        let key = Key { kind, site: node.site, blamed };
        let sample = Sample { actual: [node.value, 0.0], ideal: [f64::NAN, 0.0], ..Sample::default() };
        let (trail, sites) = (&self.trail, &self.sites);
        self.founds.add(key, 0.0, sample, stack, || crate::blame::path(trail, sites, known.node, origin));
        if self.sites.get(insn.site as usize).is_some_and(|s| s.observed == Observed::Output) {
            self.founds.note_printed(&key, insn.site);
        }
    }

    /// The node where a value's NaN or infinity came into being.
    fn origin(&self, known: &Known) -> Option<u64> {
        let mut number = known.node;
        for _ in 0..MOST_STEPS {
            let node = self.trail.get(number)?;
            let tainted = |n: &u64| self.trail.get(*n).is_some_and(|o| !o.value.is_finite());
            match node.operands.iter().find(|n| tainted(n)) {
                Some(&next) if !self.is_origin_node(number) => number = next,
                // Operands that are not in the trail were finite, or came from outside.
                _ => return self.origins.counts.contains_key(&(node.site, node.value.is_nan())).then_some(number),
            }
        }
        None
    }

    /// A NaN made of infinities is an origin of its own.
    fn is_origin_node(&self, number: u64) -> bool {
        let Some(node) = self.trail.get(number) else { return false };
        let operands = node.operands.iter().filter_map(|&n| self.trail.get(n)).map(|n| n.value);
        is_origin(node.value, operands)
    }
}

fn is_origin(z: f64, mut operands: impl Iterator<Item = f64>) -> bool {
    if z.is_nan() { operands.all(|x| !x.is_nan()) } else { operands.all(f64::is_finite) }
}
