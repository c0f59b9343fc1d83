//! Affine forms: a center, a coefficient for each noise symbol, and a slack of its own.
//!
//! The slack takes what rounding costs the form itself. It is shared with nobody, so linear operations need no symbol.

use crate::interval::Interval;
use crate::rounding::{add_up, mul_up, sum_bound};
use nonius_numerics::eft::two_sum_error;

/// A noise symbol: an unknown number in [-1, 1].
pub type Symbol = u64;

/// center + sum of coefficient * symbol, give or take the slack.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    pub center: f64,
    /// By symbol.
    pub terms: Vec<(Symbol, f64)>,
    pub slack: f64,
}

/// Half an ulp, relative.
const UNIT: f64 = f64::EPSILON / 2.0;

impl Form {
    pub fn constant(center: f64) -> Form {
        Form { center, ..Form::default() }
    }

    pub fn is_zero(&self) -> bool {
        self.center == 0.0 && self.slack == 0.0 && self.terms.is_empty()
    }

    pub fn is_constant(&self) -> bool {
        self.slack == 0.0 && self.terms.is_empty()
    }

    /// The same number, not only the same bounds: nobody knows what a slack stands for.
    pub fn is_same(&self, other: &Form) -> bool {
        self.slack == 0.0 && self == other
    }

    pub fn is_finite(&self) -> bool {
        self.center.is_finite() && self.slack.is_finite() && self.terms.iter().all(|t| t.1.is_finite())
    }

    /// All symbols and the slack together, rounded up.
    pub fn radius(&self) -> f64 {
        let sum: f64 = self.terms.iter().map(|t| t.1.abs()).sum();
        add_up(sum_bound(sum, self.terms.len()), self.slack)
    }

    pub fn range(&self) -> Interval {
        if self.is_constant() { Interval::point(self.center) } else { Interval::around(self.center, self.radius()) }
    }

    pub fn coefficient(&self, symbol: Symbol) -> f64 {
        self.terms.binary_search_by_key(&symbol, |t| t.0).map_or(0.0, |at| self.terms[at].1)
    }

    pub fn negated(&self) -> Form {
        let terms = self.terms.iter().map(|&(s, c)| (s, -c)).collect();
        Form { center: -self.center, terms, slack: self.slack }
    }

    /// self + sign * other, sign 1 or -1.
    pub fn plus(&self, sign: f64, other: &Form) -> Form {
        if other.is_constant() && other.center == 0.0 {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len() + 2);
        let center = self.center + sign * other.center;
        let mut lost = two_sum_error(self.center, sign * other.center, center).abs();
        let (mut xs, mut ys) = (self.terms.as_slice(), other.terms.as_slice());
        while let (&[(s, x), ref rest_x @ ..], &[(t, y), ref rest_y @ ..]) = (xs, ys) {
            if s == t {
                let (y, z) = (sign * y, x + sign * y);
                lost += two_sum_error(x, y, z).abs();
                if z != 0.0 {
                    terms.push((s, z));
                }
                (xs, ys) = (rest_x, rest_y);
            } else if s < t {
                terms.push((s, x));
                xs = rest_x;
            } else {
                terms.push((t, sign * y));
                ys = rest_y;
            }
        }
        terms.extend_from_slice(xs);
        terms.extend(ys.iter().map(|&(s, y)| (s, sign * y)));
        let slack = sum_of_slacks(&[self.slack, other.slack, lossy(lost, terms.len())]);
        Form { center, terms, slack }
    }

    /// a self + b other + c, each rounded once; for products, where all of it goes into a new symbol's radius anyway.
    pub fn combined(&self, a: f64, other: &Form, b: f64, c: f64) -> Form {
        self.scaled(a).plus(1.0, &other.scaled(b)).shifted(c)
    }

    pub fn shifted(mut self, c: f64) -> Form {
        let center = self.center + c;
        let lost = two_sum_error(self.center, c, center).abs();
        if lost != 0.0 {
            self.slack = sum_of_slacks(&[self.slack, lossy(lost, 0)]);
        }
        self.center = center;
        self
    }

    pub fn scaled(&self, k: f64) -> Form {
        if k == 1.0 {
            return self.clone();
        }
        if k == 0.0 {
            return Form::default();
        }
        let mut sum = 0.0;
        let mut smallest = f64::INFINITY;
        let mut scale = |c: f64| {
            let z = c * k;
            sum += z.abs();
            if c != 0.0 {
                smallest = smallest.min(z.abs());
            }
            z
        };
        let center = scale(self.center);
        let terms: Vec<_> = self.terms.iter().map(|&(s, c)| (s, scale(c))).collect();
        let is_power_of_two = k.to_bits() << 12 == 0 && smallest >= f64::MIN_POSITIVE;
        let is_exact = is_power_of_two || smallest == f64::INFINITY;
        let lost = if is_exact { 0.0 } else { sum_bound(sum * UNIT, terms.len() + 1) };
        Form { center, slack: sum_of_slacks(&[mul_up(self.slack, k.abs()), lost]), terms }
    }

    pub fn with_slack(mut self, more: f64) -> Form {
        self.slack = add_up(self.slack, more);
        self
    }

    /// Adds a term with a symbol that is newer than all.
    pub fn with_term(mut self, symbol: Symbol, coefficient: f64) -> Form {
        if coefficient != 0.0 {
            let at = self.terms.partition_point(|t| t.0 < symbol);
            self.terms.insert(at, (symbol, coefficient));
        }
        self
    }
}

/// A bound of what `terms` sums or products lost, where `lost` is the sum of the errors as computed.
fn lossy(lost: f64, terms: usize) -> f64 {
    match lost {
        0.0 => 0.0,
        // Sums that overflowed on the way: nothing is known.
        lost if !lost.is_finite() => f64::INFINITY,
        lost => sum_bound(lost, terms),
    }
}

fn sum_of_slacks(slacks: &[f64]) -> f64 {
    slacks.iter().fold(0.0, |sum, &s| if s == 0.0 { sum } else { add_up(sum, s) })
}
