//! What a form is at least and at most, by all that the path knows.
//!
//! With constraints g >= 0, f <= f + k g for every k >= 0: whatever k is, the bound holds, so nothing need be computed
//! exactly to find a good one. The best k for one constraint is one at which a symbol of f + k g vanishes.

use crate::form::Form;
use crate::interval::Interval;
use crate::rounding::{add_down, add_up, sum_bound};
use crate::space::Space;

/// Symbols whose vanishing is tried for each constraint.
const MOST_TRIES: usize = 12;

impl Space {
    /// All values of a form on this path.
    pub fn range(&self, form: &Form) -> Interval {
        let range = self.box_range(form);
        if self.constraints().is_empty() || form.is_constant() || !range.is_finite() {
            return range;
        }
        let hi = self.upper(form, range.hi);
        let lo = -self.upper(&form.negated(), -range.lo);
        Interval::new(lo, hi)
    }

    /// By the ranges of its symbols alone.
    pub(crate) fn box_range(&self, form: &Form) -> Interval {
        if self.ranges().is_empty() {
            return form.range();
        }
        let (mut lo, mut hi) = (add_down(form.center, -form.slack), add_up(form.center, form.slack));
        let (mut plain, mut ranges) = (0.0, self.ranges());
        for &(symbol, c) in &form.terms {
            // Both are in the order of symbols.
            while ranges.first().is_some_and(|r| r.0 < symbol) {
                ranges = &ranges[1..];
            }
            match ranges.first().filter(|r| r.0 == symbol) {
                Some((_, range)) => {
                    let term = *range * c;
                    (lo, hi) = (add_down(lo, term.lo), add_up(hi, term.hi));
                }
                None => plain += c.abs(),
            }
        }
        let plain = if plain == 0.0 { 0.0 } else { sum_bound(plain, form.terms.len()) };
        Interval::new(add_down(lo, -plain), add_up(hi, plain))
    }

    /// A better upper bound, if a multiple of a constraint gives one.
    fn upper(&self, form: &Form, known: f64) -> f64 {
        let mut best = known;
        let mut current = form.clone();
        for constraint in self.constraints() {
            let g = &constraint.0;
            let mut tries: Vec<(f64, f64)> = g
                .terms
                .iter()
                .map(|&(s, c)| (-current.coefficient(s) / c, c.abs()))
                .filter(|(k, _)| k.is_finite() && *k > 0.0)
                .collect();
            if tries.len() > MOST_TRIES {
                tries.sort_by(|a, b| b.1.total_cmp(&a.1));
                tries.truncate(MOST_TRIES);
            }
            for (k, _) in tries {
                let sum = current.plus(1.0, &g.scaled(k));
                let bound = self.box_range(&sum).hi;
                if bound < best {
                    best = bound;
                    if current.terms.len() + g.terms.len() < 4 * MOST_TRIES {
                        // Other constraints may add to it.
                        current = sum;
                        break;
                    }
                }
            }
        }
        best
    }
}
