//! A number by an affine form and by an interval at once.

use crate::form::Form;
use crate::interval::Interval;
use crate::rounding::{add_up, sum_bound};
use crate::space::{Origin, Space};

/// The number is in the range of the form, and in `range`.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub form: Form,
    pub range: Interval,
}

impl Part {
    pub const ENTIRE: Part =
        Part { form: Form { center: 0.0, terms: Vec::new(), slack: f64::INFINITY }, range: Interval::ENTIRE };

    pub fn constant(x: f64) -> Part {
        Part { form: Form::constant(x), range: Interval::point(x) }
    }

    pub fn zero() -> Part {
        Part::constant(0.0)
    }

    pub fn is_zero(&self) -> bool {
        self.range == Interval::ZERO
    }

    pub fn is_finite(&self) -> bool {
        self.range.is_finite()
    }

    /// A form, and what else is known of its range.
    pub fn new(space: &mut Space, form: Form, range: Interval) -> Part {
        let sum = sum_of_sizes(&form);
        let (form, sum) = named(space, form, sum);
        // A sum that overflows says as little as a term that has.
        if !sum.is_finite() || !form.center.is_finite() || !form.slack.is_finite() {
            return Part { form: Part::ENTIRE.form, range };
        }
        if form.terms.len() > space.most() {
            let form = space.boxed(form);
            let range = space.range(&form).meet(range);
            return Part { form, range };
        }
        let by_form = match () {
            () if form.is_constant() => Interval::point(form.center),
            () if space.knows_nothing() => {
                Interval::around(form.center, add_up(sum_bound(sum, form.terms.len()), form.slack))
            }
            () => space.range(&form),
        };
        Part { form, range: by_form.meet(range) }
    }

    /// A number of a range, of which nothing else is known.
    pub fn fresh(space: &mut Space, range: Interval, origin: Origin) -> Part {
        if range.is_point() {
            return Part::constant(range.lo);
        }
        if !range.is_finite() {
            return Part { form: Part::ENTIRE.form, range };
        }
        let form = Form::constant(range.mid()).with_term(space.symbol(origin), range.rad());
        Part { form, range }
    }

    /// By what the path has learned since.
    pub fn refreshed(&self, space: &Space) -> Part {
        let range = if self.form.is_finite() { space.range(&self.form).meet(self.range) } else { self.range };
        Part { form: self.form.clone(), range }
    }

    pub fn negated(&self) -> Part {
        Part { form: self.form.negated(), range: -self.range }
    }

    pub fn plus(&self, space: &mut Space, sign: f64, other: &Part) -> Part {
        let range = if sign > 0.0 { self.range + other.range } else { self.range - other.range };
        Part::new(space, self.form.plus(sign, &other.form), range)
    }

    /// Its product with a constant.
    pub fn scaled(&self, space: &mut Space, k: f64) -> Part {
        Part::new(space, self.form.scaled(k), self.range * k)
    }

    /// The product. What is not linear goes to a new symbol.
    pub fn times(&self, space: &mut Space, other: &Part, origin: Origin) -> Part {
        for (k, x) in [(self, other), (other, self)] {
            if k.form.is_constant() && k.is_finite() && x.is_finite() {
                return Part::new(space, x.form.scaled(k.form.center), x.range * k.range);
            }
        }
        let (form, radius) = self.product(space, other);
        let range = if self.form.is_same(&other.form) { self.range.square() } else { self.range * other.range };
        let form = if radius == 0.0 { form } else { form.with_term(space.symbol(origin), radius) };
        Part::new(space, form, range)
    }

    /// The linear part of a product, and a bound of the rest.
    ///
    /// x y = a y + b x - a b + (x - a) (y - b), whatever a and b are. The rest is bounded by the radii around the middles
    /// of what is known of x and y; or, where a and b are the centers, by the symbols: a square is never negative, so
    /// each symbol's own half goes to the center.
    pub(crate) fn product(&self, space: &Space, other: &Part) -> (Form, f64) {
        let (x, y) = (self, other);
        if !x.form.is_finite() || !y.form.is_finite() || !x.is_finite() || !y.is_finite() {
            return (Part::ENTIRE.form, 0.0);
        }
        if x.form.is_constant() {
            return (y.form.scaled(x.form.center), 0.0);
        }
        if y.form.is_constant() {
            return (x.form.scaled(y.form.center), 0.0);
        }
        let (a, b) = (x.range.mid(), y.range.mid());
        let plain = crate::rounding::mul_up(x.range.rad(), y.range.rad());
        let by_symbols = crate::arith::quadratic(&x.form, &y.form).filter(|_| space.ranges().is_empty());
        match by_symbols {
            Some((middle, radius)) if radius < plain => {
                let (a, b) = (x.form.center, y.form.center);
                let form = y.form.scaled(a).plus(1.0, &x.form.scaled(b));
                (less_product(form, a, b).shifted(middle), radius)
            }
            _ => (less_product(y.form.scaled(a).plus(1.0, &x.form.scaled(b)), a, b), plain),
        }
    }
}

/// A slack that has grown gets a symbol: what recurs linearly would else add its magnitude to itself at each turn.
fn named(space: &mut Space, mut form: Form, sum: f64) -> (Form, f64) {
    const SHARE: f64 = 1e-10;
    if form.slack > SHARE * (form.center.abs() + sum) && form.slack.is_finite() {
        let slack = std::mem::take(&mut form.slack);
        return (form.with_term(space.symbol(Origin::MAX), slack), sum + slack);
    }
    (form, sum)
}

/// Of the terms, to nearest.
fn sum_of_sizes(form: &Form) -> f64 {
    form.sum_of_sizes()
}

/// form - a b.
fn less_product(form: Form, a: f64, b: f64) -> Form {
    let product = -a * b;
    let lost = (product.abs() * f64::EPSILON).next_up();
    let exact = a.mul_add(b, product) == 0.0 && product.abs() > 1e-280;
    let form = form.shifted(product);
    if exact { form } else { form.with_slack(lost) }
}
