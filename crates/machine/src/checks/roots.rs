//! Roots: the operation that introduced an error, or raised it past the threshold.
//!
//! An error stays with its value, so all that is computed of a bad value is mostly bad too. Such findings are *symptoms*:
//! from the operation of a bad value the way leads back through the operand that brought most of the error, as long as
//! that operand was bad itself. Where none was, there is the root. A value whose root was looked for has a mark in the
//! trail, so that what is computed of it asks no further. Where the trail's oldest nodes were overwritten, the root that
//! was last found of a result of the same operation stands in; a bad value that lay in memory for so long gets a new mark
//! when it is loaded.
//!
//! Limits: of two bad operands the one with the larger part is followed, the other is a root without this symptom.

use crate::core::Core;
use crate::register::{Known, Register};
use crate::trail::Node;
use nonius_abi::site::{NONE, Op};
use nonius_oracle::Oracle;

/// A bad operand that brings less than this share of the error did not cause it.
const LEAST_SHARE: f64 = 1.0 / 1024.0;

/// The root last found of each site's results.
#[derive(Debug, Default)]
pub struct Roots {
    by_site: Vec<u32>,
}

impl Roots {
    fn of(&self, site: u32) -> u32 {
        self.by_site.get(site as usize).copied().filter(|&root| root != NONE).unwrap_or(site)
    }

    fn note(&mut self, site: u32, root: u32) {
        let at = site as usize;
        if at >= self.by_site.len() {
            self.by_site.resize(at + 1, NONE);
        }
        self.by_site[at] = root;
    }
}

impl<O: Oracle> Core<O> {
    /// The root of a bad value, which is marked with it.
    pub fn root_of(&mut self, register: &mut Register<O::Shadow>) -> u32 {
        let known = register.known;
        let root = self.root(&known);
        if self.trail.get(known.node).is_some() && self.trail.root(known.node) != Some(root) {
            register.known.node = self.trail.mark(known.node, root, known.value, known.residue);
        }
        if (known.site as usize) < self.sites.len() {
            self.roots.note(known.site, root);
        }
        root
    }

    /// The root of a value; `NONE` if it is not bad, or came from outside.
    pub fn root(&self, known: &Known) -> u32 {
        if !self.is_bad(known.site, known.value, known.residue) {
            return NONE;
        }
        let (mut number, mut site) = (known.node, known.site);
        // Numbers fall from step to step.
        loop {
            if let Some(root) = self.trail.root(number) {
                return root;
            }
            let Some(node) = self.trail.get(number) else { return self.roots.of(site) };
            site = node.site;
            match self.culprit(&node) {
                Culprit::Operand(earlier) if earlier < number => number = earlier,
                Culprit::Gone => return self.roots.of(site),
                _ => return site,
            }
        }
    }

    /// A bad value comes from memory whose node was overwritten since: a mark says what it goes back to, for all that will
    /// be computed of it.
    #[cold]
    pub fn renew(&mut self, known: &mut Known) {
        if self.is_bad(known.site, known.value, known.residue) {
            known.node = self.trail.renew(self.roots.of(known.site), known.value, known.residue);
        }
    }

    /// Whether an error is past the limit of its operation's format.
    fn is_bad(&self, site: u32, value: f64, residue: f64) -> bool {
        let Some(kind) = self.sites.get(site as usize) else { return false };
        residue.abs() > self.filter[kind.precision as usize] * value.abs()
    }

    /// The bad operand that brought most of a result's error.
    fn culprit(&self, node: &Node) -> Culprit {
        let is_sum = self.sites.get(node.site as usize).is_some_and(|s| matches!(s.op, Op::Add | Op::Sub));
        // In a sum absolute errors add up, in products and the like relative ones.
        let weight = |value: f64, residue: f64| match is_sum {
            true => residue.abs(),
            false => super::statistics::relative(value, residue),
        };
        let least = LEAST_SHARE * weight(node.value, node.residue).min(f64::MAX);
        let made = node.operands.iter().filter_map(|&n| Some((n, self.trail.get_or_mark(n)?)));
        let bad = made.filter(|(_, n)| self.is_bad(n.site, n.value, n.residue) && weight(n.value, n.residue) >= least);
        let worst = bad.max_by(|(_, a), (_, b)| weight(a.value, a.residue).total_cmp(&weight(b.value, b.residue)));
        match worst {
            Some((number, _)) => Culprit::Operand(number),
            None if node.operands.iter().any(|&n| self.trail.is_gone(n)) => Culprit::Gone,
            None => Culprit::Own,
        }
    }
}

enum Culprit {
    Operand(u64),
    /// An operand's node was overwritten.
    Gone,
    /// No operand was bad.
    Own,
}
