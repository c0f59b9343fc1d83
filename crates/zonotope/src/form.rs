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
        let sum = self.sum_of_sizes();
        add_up(sum_bound(sum, self.terms.len()), self.slack)
    }

    /// Of the terms, to nearest. Four at a time: each addition waits for the one before.
    pub(crate) fn sum_of_sizes(&self) -> f64 {
        let mut sums = [0.0; 4];
        let chunks = self.terms.chunks_exact(4);
        let rest: f64 = chunks.remainder().iter().map(|t| t.1.abs()).sum();
        for chunk in chunks {
            for (sum, term) in sums.iter_mut().zip(chunk) {
                *sum += term.1.abs();
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
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
        if self.is_constant() && self.center == 0.0 && sign == 1.0 {
            return other.clone();
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
        let terms: Vec<_> = self.terms.iter().map(|&(s, c)| (s, c * k)).collect();
        let scaled = Form { center: self.center * k, slack: 0.0, terms };
        let is_nothing = self.center == 0.0 && self.terms.is_empty();
        let is_exact = is_nothing || k.to_bits() << 12 == 0 && scaled.is_normal(self);
        let lost = match is_exact {
            true => 0.0,
            false => sum_bound((scaled.sum_of_sizes() + scaled.center.abs()) * UNIT, scaled.terms.len() + 1),
        };
        Form { slack: sum_of_slacks(&[mul_up(self.slack, k.abs()), lost]), ..scaled }
    }

    /// Whether no number became subnormal that was none, or 0.
    fn is_normal(&self, before: &Form) -> bool {
        let stays = |new: f64, old: f64| old == 0.0 || new.abs() >= f64::MIN_POSITIVE;
        stays(self.center, before.center) && self.terms.iter().zip(&before.terms).all(|(n, o)| stays(n.1, o.1))
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
