//! Causes: the slice of the trail from a bad value back to where its error was introduced.
//!
//! Nodes of one site are folded into one, so that a loop appears once, with its count; edges then lead from a site to
//! those that made its operands, and back edges of loops are left out. The *dominant path* follows the operand that
//! propagates the most error, and ends where an operation's own rounding is the larger part. Where the trail ends because its
//! oldest nodes were overwritten, the sites' statistics say where the largest errors came from.

use crate::checks::statistics::{Statistics, relative};
use crate::core::SiteKind;
use crate::register::Known;
use crate::trail::{Node, Trail};
use nonius_abi::site::{NONE, Op};
use std::collections::{HashMap, HashSet, VecDeque};

/// A site's part in an error, at its worst.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub site: u32,
    pub value: f64,
    pub residue: f64,
    /// Relative.
    pub error: f64,
    /// The largest error of its operands.
    pub before: f64,
    /// What it added to that; of folded results, the most.
    pub introduced: f64,
    /// Results that were folded into it.
    pub count: u64,
    /// Parts that made its operands.
    pub operands: Vec<usize>,
    /// On the dominant path.
    pub is_dominant: bool,
    /// From the sites' statistics: not this value's own history.
    pub is_typical: bool,
}

/// Parts of an error, the value's own operation first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slice {
    pub parts: Vec<Part>,
}

/// Nodes that are looked at for one slice.
const MOST_NODES: usize = 20_000;
/// Steps along the dominant path.
const MOST_STEPS: usize = 200_000;
/// Parts of one slice.
const MOST_PARTS: usize = 48;

struct Slicer<'a> {
    trail: &'a Trail,
    sites: &'a [SiteKind],
    statistics: &'a Statistics,
    slice: Slice,
    by_site: HashMap<u32, usize>,
}

/// The slice of the values that a finding is about.
pub fn slice(trail: &Trail, sites: &[SiteKind], statistics: &Statistics, values: &[Known]) -> Slice {
    let mut slicer = Slicer { trail, sites, statistics, slice: Slice::default(), by_site: HashMap::new() };
    let worst = values.iter().max_by(|a, b| {
        let error = |k: &Known| if k.residue == 0.0 { 0.0 } else { relative(k.value, k.residue) };
        error(a).total_cmp(&error(b))
    });
    let Some(worst) = worst.filter(|k| k.site != NONE) else { return Slice::default() };
    match trail.get(worst.node) {
        Some(_) => {
            let roots = values.iter().map(|k| k.node).filter(|&n| n != worst.node && n != 0);
            slicer.spread(std::iter::once(worst.node).chain(roots));
            slicer.mark_dominant(worst.node);
        }
        None if Trail::is_constant(worst.node) => {}
        None => slicer.typical(worst.site, 0),
    }
    slicer.slice
}

/// The way from the node where something was seen back to its origin.
pub fn path(trail: &Trail, sites: &[SiteKind], seen: u64, origin: u64) -> Slice {
    let statistics = Statistics::default();
    let mut slicer = Slicer { trail, sites, statistics: &statistics, slice: Slice::default(), by_site: HashMap::new() };
    let mut number = seen;
    let mut last = None;
    for _ in 0..MOST_STEPS {
        let Some(node) = trail.get(number) else { break };
        let Some(part) = slicer.part(&node) else { break };
        slicer.slice.parts[part].is_dominant = true;
        slicer.slice.parts[part].count += 1;
        if let Some(last) = last {
            slicer.link(last, part);
        }
        last = Some(part);
        if number == origin {
            break;
        }
        let next = node.operands.iter().find(|&&n| trail.get(n).is_some_and(|o| !o.value.is_finite()));
        let Some(&next) = next else { break };
        number = next;
    }
    slicer.slice
}

impl Slicer<'_> {
    fn operands(&self, node: &Node) -> impl Iterator<Item = (u64, Node)> {
        node.operands.into_iter().filter_map(|n| Some((n, self.get(n)?)))
    }

    /// A node, unless it is there for its constants alone.
    fn get(&self, number: u64) -> Option<Node> {
        self.trail.get(number).filter(|node| node.residue != 0.0 || !node.value.is_finite())
    }

    /// The part that a node folds into; `None` if there are too many.
    fn part(&mut self, node: &Node) -> Option<usize> {
        let error = if node.residue == 0.0 { 0.0 } else { relative(node.value, node.residue) };
        let before = self.operands(node).map(|(_, o)| relative(o.value, o.residue)).fold(0.0, f64::max);
        let introduced = error - before;
        if let Some(&index) = self.by_site.get(&node.site) {
            let part = &mut self.slice.parts[index];
            if introduced > part.introduced {
                part.introduced = introduced;
            }
            return Some(index);
        }
        if self.slice.parts.len() >= MOST_PARTS {
            return None;
        }
        let index = self.slice.parts.len();
        self.by_site.insert(node.site, index);
        self.slice.parts.push(Part {
            site: node.site,
            value: node.value,
            residue: node.residue,
            error,
            before,
            introduced,
            count: 0,
            operands: Vec::new(),
            is_dominant: false,
            is_typical: false,
        });
        Some(index)
    }

    /// An edge, unless it closes a loop.
    fn link(&mut self, from: usize, to: usize) {
        if from != to && !self.slice.parts[from].operands.contains(&to) && !self.leads(to, from) {
            self.slice.parts[from].operands.push(to);
        }
    }

    /// Whether `to` can be reached from `from`.
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![from];
        while let Some(part) = open.pop() {
            if part == to {
                return true;
            }
            if seen.insert(part) {
                open.extend(&self.slice.parts[part].operands);
            }
        }
        false
    }

    /// Everything that the nodes were made of, breadth first.
    fn spread(&mut self, roots: impl Iterator<Item = u64>) {
        let mut open: VecDeque<u64> = roots.collect();
        let mut seen: HashSet<u64> = open.iter().copied().collect();
        let mut looked_at = 0;
        while let Some(number) = open.pop_front() {
            looked_at += 1;
            if looked_at > MOST_NODES {
                break;
            }
            let Some(node) = self.get(number) else { continue };
            let Some(part) = self.part(&node) else { continue };
            self.slice.parts[part].count += 1;
            for operand in node.operands.into_iter().filter(|&n| n != 0) {
                let Some(made) = self.get(operand) else {
                    if self.trail.is_gone(operand) {
                        self.typical_operands(node.site, part, 0);
                    }
                    continue;
                };
                if seen.insert(operand) {
                    open.push_back(operand);
                }
                // The part must be there to be linked; it is counted when its turn comes.
                if let Some(to) = self.part(&made) {
                    self.link(part, to);
                }
            }
        }
    }

    /// Marks the way along which most of the error came.
    fn mark_dominant(&mut self, root: u64) {
        let mut number = root;
        for _ in 0..MOST_STEPS {
            let Some(node) = self.trail.get(number) else { return };
            if let Some(&part) = self.by_site.get(&node.site) {
                self.slice.parts[part].is_dominant = true;
            }
            match self.handed_on(&node) {
                Some(next) => number = next,
                None => return,
            }
        }
    }

    /// The operand that hands the most error on, if it is not the operation's own rounding that counts.
    fn handed_on(&self, node: &Node) -> Option<u64> {
        let is_sum = self.sites.get(node.site as usize).is_some_and(|s| matches!(s.op, Op::Add | Op::Sub));
        // In a sum absolute errors add up, in products and the like relative ones.
        let weight = |n: &Node| if is_sum { n.residue.abs() } else { relative(n.value, n.residue) };
        let own = if is_sum { node.residue.abs() } else { relative(node.value, node.residue) };
        let (number, operand) = self.operands(node).max_by(|a, b| weight(&a.1).total_cmp(&weight(&b.1)))?;
        (weight(&operand) >= 0.25 * own).then_some(number)
    }

    fn typical_operands(&mut self, site: u32, part: usize, depth: u32) {
        let Some(from) = self.statistics.get(site).map(|s| s.from) else { return };
        for operand in from.into_iter().filter(|&s| s != NONE) {
            let known = self.by_site.contains_key(&operand);
            self.typical(operand, depth);
            if let Some(&to) = self.by_site.get(&operand).filter(|_| !known) {
                self.link(part, to);
            }
        }
    }

    /// A site at its worst, whatever value that was.
    fn typical(&mut self, site: u32, depth: u32) {
        const DEPTH: u32 = 8;
        let Some((largest_error, count)) = self.statistics.get(site).map(|own| (own.largest_error, own.count)) else {
            return;
        };
        if self.by_site.contains_key(&site) || self.slice.parts.len() >= MOST_PARTS || depth > DEPTH {
            return;
        }
        let index = self.slice.parts.len();
        self.by_site.insert(site, index);
        self.slice.parts.push(Part {
            site,
            value: f64::NAN,
            residue: f64::NAN,
            error: largest_error,
            before: largest_error - self.statistics.introduced(site),
            introduced: self.statistics.introduced(site),
            count,
            operands: Vec::new(),
            is_dominant: false,
            is_typical: true,
        });
        self.typical_operands(site, index, depth + 1);
    }
}
