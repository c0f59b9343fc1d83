//! Roots: the operation that introduced an error, or raised it past the threshold.
//!
//! An error stays with its value, so all that is computed of a bad value is mostly bad too. Such findings are *symptoms*:
//! from the operation of a bad value the way leads back through the operand that brought most of the error, as long as
//! that operand was bad itself. Where none was, the error passed the limit; if it was hardly less before, the way leads on
//! to the operation that raised it by orders of magnitude. There is the root. A value whose root was looked for has a mark
//! in the trail, so that what is computed of it asks no further. Where the trail's oldest nodes were overwritten, the root that
//! was last found of a result of the same operation stands in; a bad value that lay in memory for so long gets a new mark
//! when it is loaded.
//!
//! Limits: of two bad operands the one with the larger part is followed, the other is a root without this symptom.

use crate::core::Core;
use crate::register::{Known, Register};
use crate::trail::Node;
use nonius_abi::site::{NONE, Op};
use nonius_oracle::Oracle;
use std::collections::HashMap;

/// A bad operand that brings less than this share of the error did not cause it.
const LEAST_SHARE: f64 = 1.0 / 1024.0;

/// An operation that makes an error so many times as large raises it by orders of magnitude.
const RAISES: f64 = 64.0;

/// No product of two factors makes an error more than so many times as large, but for what is next to nothing.
const ADDS_UP: f64 = 2.1;

/// Operations back from where an error passed the limit that are looked at for the one that raised it.
const MOST_STEPS: usize = 256;

/// Terms that are looked at for the largest of a sum.
const MOST_TERMS: usize = 1024;

/// The root last found of each site's results.
#[derive(Debug, Default)]
pub struct Roots {
    by_site: Vec<u32>,
    /// By root: the most that one of its bad sums left of its largest term, as a share of it (see `Sample`).
    left: HashMap<u32, f64>,
}

impl Roots {
    fn of(&self, site: u32) -> u32 {
        self.by_site.get(site as usize).copied().filter(|&root| root != NONE).unwrap_or(site)
    }

    /// What the bad sums of a root left at most; 0 if nothing is known of them.
    pub fn left(&self, root: u32) -> f64 {
        self.left.get(&root).copied().unwrap_or_default()
    }

    /// What is known of the sums of each root.
    pub fn all_left(&self) -> &HashMap<u32, f64> {
        &self.left
    }

    pub fn note_left(&mut self, root: u32, left: f64) {
        let most = self.left.entry(root).or_default();
        *most = most.max(left);
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
        let (root, made) = self.root_and_node(&known);
        if let Some(node) = made {
            self.roots.note_left(root, self.left_by(&node, Weigh::Ideals));
        }
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
        self.root_and_node(known).0
    }

    /// The root of a value, and what the sum that is the root left of its largest term, as a share of it.
    pub fn root_and_left(&self, known: &Known) -> (u32, f64) {
        match self.root_and_node(known) {
            (root, Some(node)) => (root, self.left_by(&node, Weigh::Nothing)),
            // The error of a value that is not bad may be all that decides.
            (NONE, None) if self.vanished(known) => (NONE, f64::MIN_POSITIVE),
            (NONE, None) => (NONE, self.trail.get(known.node).map_or(0.0, |node| self.left_by(&node, Weigh::Nothing))),
            (root, None) => (root, self.roots.left(root)),
        }
    }

    /// Whether a value is 0 because a sum left nothing, as it should: it has no node.
    fn vanished(&self, known: &Known) -> bool {
        let is_sum = self.sites.get(known.site as usize).is_some_and(|s| matches!(s.op, Op::Add | Op::Sub));
        known.value == 0.0 && known.residue == 0.0 && is_sum
    }

    /// What a sum left of its largest term, as a share of it; 0 if it is none. Terms of terms count: a sum may grow and
    /// shrink again before it is bad. Where it is asked for, an ideal weighs more than its value, unless it is within the
    /// rounding of data: of a term that has no error, in a sum that leaves no result (`mark::RESULT`).
    fn left_by(&self, node: &Node, weigh: Weigh) -> f64 {
        let is_sum =
            |node: &Node| self.sites.get(node.site as usize).is_some_and(|s| matches!(s.op, Op::Add | Op::Sub));
        let (mut largest, mut of_data) = (0.0f64, false);
        let mut at = *node;
        for _ in 0..MOST_TERMS {
            if !is_sum(&at) {
                break;
            }
            of_data |= at.operands[..2].iter().any(|&n| n == 0 || self.trail.is_gone(n));
            let terms = at.operands.iter().filter_map(|&n| self.trail.get(n)).filter(|n| n.value.is_finite());
            let Some(term) = terms.max_by(|a, b| a.value.abs().total_cmp(&b.value.abs())) else { break };
            largest = largest.max(term.value.abs());
            at = term;
        }
        let site = self.sites.get(node.site as usize);
        let weight = site.map_or(1.0, |site| match weigh {
            Weigh::Ideals if !of_data || site.is_result => site.precision.weight_of_ideal(),
            _ => 1.0,
        });
        let size = node.value.abs().max((node.value + node.residue).abs() * weight);
        if largest > 0.0 { size / largest } else { 0.0 }
    }

    /// The same with the node of the root, where it was walked to.
    fn root_and_node(&self, known: &Known) -> (u32, Option<Node>) {
        if !self.is_bad(known.site, known.value, known.residue) {
            return (NONE, None);
        }
        let (mut number, mut site) = (known.node, known.site);
        // Numbers fall from step to step.
        loop {
            if let Some(root) = self.trail.root(number) {
                return (root, None);
            }
            let Some(node) = self.trail.get(number) else { return (self.roots.of(site), None) };
            site = node.site;
            match self.culprit(&node) {
                Culprit::Operand(earlier) if earlier < number => number = earlier,
                Culprit::Gone => return (self.roots.of(site), None),
                _ => return self.raised_by(node),
            }
        }
    }

    /// The operation that raised an error which passed the limit in `passed`, with its node: the last one that raised it by
    /// orders of magnitude, else the last that did more than add up the errors of its operands. Where none did, the error
    /// has grown up to the limit, and passed it there.
    fn raised_by(&self, passed: Node) -> (u32, Option<Node>) {
        let error = |n: &Node| super::statistics::relative(n.value, n.residue);
        let (mut node, mut raised) = (passed, None);
        for _ in 0..MOST_STEPS {
            let before = self.heaviest(&node).and_then(|number| self.trail.get(number));
            let times = before.map_or(f64::INFINITY, |before| error(&node) / error(&before));
            if times > ADDS_UP {
                raised = raised.or(Some(node));
            }
            match before {
                Some(before) if times <= RAISES => node = before,
                Some(_) => {
                    raised = Some(node);
                    break;
                }
                None => break,
            }
        }
        let root = raised.unwrap_or(passed);
        (root.site, Some(root))
    }

    /// The operand that brought most of a result's error, if that is a good part of it.
    fn heaviest(&self, node: &Node) -> Option<u64> {
        let weight = self.weight(node);
        let made = node.operands.iter().filter_map(|&n| Some((n, self.trail.get(n)?)));
        let weighed = made.map(|(number, n)| (number, weight(n.value, n.residue)));
        let (number, most) = weighed.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (4.0 * most >= weight(node.value, node.residue)).then_some(number)
    }

    /// How errors of a result's operands add up: absolute ones in a sum, in products and the like relative ones.
    fn weight(&self, node: &Node) -> fn(f64, f64) -> f64 {
        match self.sites.get(node.site as usize).is_some_and(|s| matches!(s.op, Op::Add | Op::Sub)) {
            true => |_, residue| residue.abs(),
            false => super::statistics::relative,
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
    pub fn is_bad(&self, site: u32, value: f64, residue: f64) -> bool {
        let Some(kind) = self.sites.get(site as usize) else { return false };
        residue.abs() > self.filter[kind.precision as usize] * value.abs()
    }

    /// The bad operand that brought most of a result's error.
    fn culprit(&self, node: &Node) -> Culprit {
        let weight = self.weight(node);
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

/// Whether ideals that are no residual's weigh more.
#[derive(Clone, Copy)]
enum Weigh {
    Ideals,
    Nothing,
}

enum Culprit {
    Operand(u64),
    /// An operand's node was overwritten.
    Gone,
    /// No operand was bad.
    Own,
}
