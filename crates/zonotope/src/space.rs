//! The symbols of a run, and what the path so far says of them.

use crate::form::{Form, Symbol};
use crate::interval::Interval;
use crate::rounding::sum_bound;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where a symbol came from: a site of the program, or an input; the owner gives out the numbers.
pub type Origin = u32;

/// A linear form that is not below 0 on this path.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint(pub Form);

/// Constraints that are looked at; older ones are forgotten, which only widens bounds.
const MOST_CONSTRAINTS: usize = 6;
/// Symbols made in one path before another path's begin.
const PATH_SHIFT: u32 = 40;

/// Symbols whose origins lie together. Spaces are copied where paths meet, and copies share them.
const CHUNK_SHIFT: u32 = 12;
/// Chunks that are kept, the newest: 32 MiB. Older symbols come from "several operations".
const MOST_CHUNKS: usize = 1 << 11;

/// All symbols.
#[derive(Clone, Debug)]
pub struct Space {
    next: Symbol,
    /// Symbols a form may have; beyond it the least important become one.
    most: usize,
    /// By chunk, where each symbol came from: symbols of a path follow each other.
    origins: BTreeMap<u64, Arc<Vec<Origin>>>,
    /// Symbols of which the path knows more than that they are in [-1, 1].
    ranges: Vec<(Symbol, Interval)>,
    constraints: Vec<Constraint>,
    /// Counts what the path has learned: what was bounded before it may be bounded better now.
    pub epoch: u32,
    /// The path's own domain turned out to be empty.
    pub is_infeasible: bool,
}

impl Space {
    pub fn new(most: usize) -> Space {
        Space {
            next: 0,
            most: most.max(2),
            origins: BTreeMap::new(),
            ranges: Vec::new(),
            constraints: Vec::new(),
            epoch: 0,
            is_infeasible: false,
        }
    }

    pub fn most(&self) -> usize {
        self.most
    }

    /// Symbols so far, on this path.
    pub fn symbols(&self) -> u64 {
        self.next & ((1 << PATH_SHIFT) - 1)
    }

    /// Whether who waits for this path has never heard of a symbol: it was made here, or on a path that began here.
    pub fn is_new_to_parent(&self, symbol: Symbol) -> bool {
        let path = self.next >> PATH_SHIFT;
        path > 0 && symbol >> PATH_SHIFT >= path
    }

    /// From here on another path makes symbols: no two paths have one in common that they did not have before.
    pub fn begin_path(&mut self, number: u64) {
        self.next = number << PATH_SHIFT;
    }

    /// A copy that does not know where symbols came from.
    pub(crate) fn without_origins(&self) -> Space {
        let (ranges, constraints) = self.knowledge();
        Space { origins: BTreeMap::new(), ranges, constraints, ..*self }
    }

    /// Symbols that this copy makes from here on are none of the other's.
    pub(crate) fn continue_symbols_of(&mut self, other: &Space) {
        self.next = other.next;
    }

    pub fn symbol(&mut self, origin: Origin) -> Symbol {
        let symbol = self.next;
        self.next += 1;
        self.note(symbol, origin);
        symbol
    }

    fn note(&mut self, symbol: Symbol, origin: Origin) {
        let chunk = Arc::make_mut(self.origins.entry(symbol >> CHUNK_SHIFT).or_default());
        let at = (symbol & ((1 << CHUNK_SHIFT) - 1)) as usize;
        if chunk.len() <= at {
            chunk.resize(at + 1, Origin::MAX);
        }
        chunk[at] = origin;
        if self.origins.len() > MOST_CHUNKS {
            self.origins.pop_first();
        }
    }

    /// Whether the path knows nothing of the symbols but that they are in [-1, 1].
    pub(crate) fn knows_nothing(&self) -> bool {
        self.ranges.is_empty() && self.constraints.is_empty()
    }

    pub fn origin(&self, symbol: Symbol) -> Option<Origin> {
        self.origins.get(&(symbol >> CHUNK_SHIFT))?.get((symbol & ((1 << CHUNK_SHIFT) - 1)) as usize).copied()
    }

    /// What a path that has ended made.
    pub fn adopt(&mut self, symbols: impl IntoIterator<Item = (Symbol, Origin)>) {
        for (symbol, origin) in symbols {
            self.note(symbol, origin);
        }
    }

    pub fn ranges(&self) -> &[(Symbol, Interval)] {
        &self.ranges
    }

    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// What a path knows, to come back to.
    pub fn knowledge(&self) -> (Vec<(Symbol, Interval)>, Vec<Constraint>) {
        (self.ranges.clone(), self.constraints.clone())
    }

    pub fn set_knowledge(&mut self, (ranges, constraints): (Vec<(Symbol, Interval)>, Vec<Constraint>)) {
        (self.ranges, self.constraints) = (ranges, constraints);
        self.is_infeasible = false;
        self.epoch += 1;
    }

    /// What the paths of two sides know together.
    pub fn with_knowledge_of(&self, ranges: &[(Symbol, Interval)], constraints: &[Constraint]) -> Space {
        let mut both = self.clone();
        for &(symbol, range) in ranges {
            both.narrow(symbol, range);
        }
        both.constraints.extend_from_slice(constraints);
        both.is_infeasible |= both.constraints.iter().any(|c| both.range(&c.0).hi < 0.0);
        both.epoch += 1;
        both
    }

    pub fn range_of(&self, symbol: Symbol) -> Interval {
        const ANY: Interval = Interval { lo: -1.0, hi: 1.0 };
        let at = self.ranges.binary_search_by_key(&symbol, |r| r.0);
        at.map_or(ANY, |at| self.ranges[at].1)
    }

    pub(crate) fn narrow(&mut self, symbol: Symbol, range: Interval) {
        match self.ranges.binary_search_by_key(&symbol, |r| r.0) {
            Ok(at) => {
                let met = self.ranges[at].1.meet(range);
                self.is_infeasible |= met.is_empty();
                self.ranges[at].1 = met;
            }
            Err(at) => self.ranges.insert(at, (symbol, range)),
        }
    }

    /// From here on the number of an input, a form of one symbol, is in this range. Says whether it can be.
    pub fn fix(&mut self, form: &Form, range: Interval) -> bool {
        let [(symbol, c)] = form.terms[..] else { return form.is_constant() && range.contains(form.center) };
        let off = range - Interval::around(form.center, form.slack);
        self.narrow(symbol, off.over(Interval::point(c)).meet(self.range_of(symbol)));
        !self.is_infeasible && !self.range_of(symbol).is_empty()
    }

    /// From here on the form is not below 0. Says whether any symbols allow it.
    pub fn constrain(&mut self, form: Form) -> bool {
        let range = self.range(&form);
        if range.lo >= 0.0 {
            return !self.is_infeasible;
        }
        self.epoch += 1;
        if range.hi < 0.0 {
            self.is_infeasible = true;
            return false;
        }
        // Each symbol must leave the rest a chance.
        let whole = self.box_range(&form);
        for &(symbol, c) in &form.terms {
            let own = self.range_of(symbol);
            let rest = whole.hi - (own * c).hi;
            // c e + rest >= 0; the quotient is widened by more than its rounding.
            let bound = -rest / c;
            let bound = bound - (bound.abs() + whole.mag() / c.abs()) * 1e-14 * c.signum();
            if !bound.is_finite() {
                continue;
            }
            let new = if c > 0.0 {
                Interval { lo: bound.max(own.lo), hi: own.hi }
            } else {
                Interval { lo: own.lo, hi: bound.min(own.hi) }
            };
            if new.is_empty() {
                self.is_infeasible = true;
                return false;
            }
            if new.width() < own.width() {
                self.narrow(symbol, new);
            }
        }
        if self.constraints.len() >= MOST_CONSTRAINTS {
            self.constraints.remove(0);
        }
        self.constraints.push(Constraint(form));
        true
    }

    /// Where the least important symbols of a form become one, a site at a time.
    pub fn boxed(&mut self, mut form: Form) -> Form {
        if form.terms.len() <= self.most {
            return form;
        }
        let keep = (self.most * 3 / 4).max(1);
        // Magnitudes are in the order of their bits.
        let mut sizes: Vec<u64> = form.terms.iter().map(|t| t.1.abs().to_bits()).collect();
        let cut = sizes.len() - keep;
        let (_, &mut least, _) = sizes.select_nth_unstable(cut);
        let mut room = keep;
        let mut small: Vec<(Origin, f64)> = Vec::with_capacity(cut);
        let mut kept = Vec::with_capacity(self.most);
        // Where the path knows nothing, a symbol's middle is 0.
        let (mut moved, mut shift) = (0.0f64, 0.0);
        for &(symbol, c) in &form.terms {
            if c.abs().to_bits() >= least && room > 0 {
                room -= 1;
                kept.push((symbol, c));
                continue;
            }
            let origin = self.origin(symbol).unwrap_or(Origin::MAX);
            if self.ranges.is_empty() {
                small.push((origin, c.abs()));
                continue;
            }
            let range = self.range_of(symbol) * c;
            let mid = range.mid();
            small.push((origin, range.rad()));
            shift += mid;
            moved += mid.abs();
        }
        for (origin, radius) in self.groups(small) {
            kept.push((self.symbol(origin), radius));
        }
        // Another path's symbols may be newer.
        kept.sort_by_key(|t| t.0);
        form.terms = kept;
        if moved == 0.0 {
            return form;
        }
        // The middles were summed by rounding.
        let lost = sum_bound(moved, cut) * f64::EPSILON * (cut + 4) as f64;
        form.shifted(shift).with_slack(lost)
    }

    /// Radii by origin, the greatest by themselves.
    fn groups(&self, mut small: Vec<(Origin, f64)>) -> Vec<(Origin, f64)> {
        small.sort_unstable_by_key(|s| s.0);
        let all = small.chunk_by(|a, b| a.0 == b.0);
        let summed = |group: &[(Origin, f64)]| sum_bound(group.iter().map(|g| g.1).sum(), group.len());
        let mut groups: Vec<(Origin, f64)> = all.map(|group| (group[0].0, summed(group))).collect();
        let most = (self.most / 8).max(1);
        if groups.len() > most {
            groups.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            let rest = summed(&groups[most..]);
            groups.truncate(most);
            groups.push((Origin::MAX, rest));
        }
        groups
    }
}
