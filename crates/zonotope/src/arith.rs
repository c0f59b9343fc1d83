//! The operations of the program on values: what they are on reals, how they hand errors on, and what rounding adds.

use crate::form::Form;
use crate::function::{Curve, linearized};
use crate::interval::Interval;
use crate::part::Part;
use crate::rounding::{add_down, add_up, div_down, div_up, mul_up, sum_bound};
use crate::space::{Origin, Space};
use crate::value::{Value, half_ulp, inward};
use nonius_abi::Precision;
use nonius_numerics::eft::two_sum_error;

/// How an operation rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounding {
    pub format: Precision,
    /// The compiler may have computed it in another way, by the program's leave.
    pub is_loose: bool,
    pub origin: Origin,
}

impl Rounding {
    /// The float operation of the program is one that this processor repeats.
    fn repeats(self) -> bool {
        !self.is_loose && matches!(self.format, Precision::Double | Precision::Float)
    }

    /// A number rounded to the format.
    fn nearest(self, x: f64) -> f64 {
        if self.format == Precision::Float { f64::from(x as f32) } else { x }
    }
}

/// What an operation gives before it is rounded.
struct Exact {
    real: Part,
    /// What the errors of the operands make of it.
    error: Part,
    /// The operation on the floats, not rounded.
    float: Interval,
    /// The operation on the floats, rounded as the program does, where that is known.
    rounded: Option<Interval>,
    /// What rounding adds, where it is known.
    lost: Option<Interval>,
    /// Of the result before it is rounded.
    relative: Interval,
}

impl Space {
    pub fn add(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        self.sum(1.0, x, y, r)
    }

    pub fn sub(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        self.sum(-1.0, x, y, r)
    }

    fn sum(&mut self, sign: f64, x: &Value, y: &Value, r: Rounding) -> Value {
        if !x.is_known() || !y.is_known() {
            return Value::unknown();
        }
        let (a, b) = (x.float, if sign > 0.0 { y.float } else { -y.float });
        let real = x.real.plus(self, sign, &y.real);
        // What rounding adds comes to it before anything else is done with it.
        let range = x.error.range + if sign > 0.0 { y.error.range } else { -y.error.range };
        let error = Part { form: x.error.form.plus(sign, &y.error.form), range };
        let rounded = r.repeats().then(|| Interval::new(r.nearest(a.lo + b.lo), r.nearest(a.hi + b.hi)));
        let mut lost = point_result(a, b, rounded).map(|z| Interval::point(-two_sum_error(a.lo, b.lo, z)));
        if r.repeats() && (is_close(a, -b) || a == Interval::ZERO || b == Interval::ZERO) {
            lost = Some(Interval::ZERO);
        }
        let (p, q) = (x.real.range, if sign > 0.0 { y.real.range } else { -y.real.range });
        let same_sign = (p.lo >= 0.0 && q.lo >= 0.0) || (p.hi <= 0.0 && q.hi <= 0.0);
        let relative = if same_sign { x.relative.hull(y.relative) } else { Interval::ENTIRE };
        self.rounded(Exact { real, error, float: a + b, rounded, lost, relative }, r)
    }

    pub fn mul(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        if !x.is_known() || !y.is_known() {
            return Value::unknown();
        }
        let (a, b) = (x.float, y.float);
        let is_square = x.real.form.is_same(&y.real.form) && x.error.form.is_same(&y.error.form);
        let real = x.real.times(self, &y.real, r.origin);
        let error = self.product_error(x, y, r.origin);
        let float = if is_square { a.square() } else { a * b };
        let rounded = r.repeats().then(|| {
            let exact = if is_square { Interval { lo: a.mig(), hi: a.mag() } } else { a };
            let other = if is_square { exact } else { b };
            ends(exact, other, |x, y| r.nearest(x * y))
        });
        let lost =
            point_result(a, b, rounded).filter(|z| z.abs() > 1e-280).map(|z| Interval::point(-a.lo.mul_add(b.lo, -z)));
        let lost = if r.repeats() && (scales(a, float, r.format) || scales(b, float, r.format)) {
            Some(Interval::ZERO)
        } else {
            lost
        };
        let relative = times_relative(x.relative, y.relative);
        self.rounded(Exact { real, error, float, rounded, lost, relative }, r)
    }

    /// x_real y_error + y_real x_error + x_error y_error.
    fn product_error(&mut self, x: &Value, y: &Value, origin: Origin) -> Part {
        for (k, other) in [(x, y), (y, x)] {
            if k.error.is_zero() && k.real.form.is_constant() {
                // What rounding adds comes to it before anything else is done with it.
                return Part {
                    form: other.error.form.scaled(k.real.form.center),
                    range: other.error.range * k.real.range,
                };
            }
        }
        let (mut form, mut radius, mut range) = (Form::default(), 0.0, Interval::ZERO);
        // The floats of one side take the errors of both in.
        for (real, error) in [(&x.real, &y.error), (&y.real, &x.error)] {
            if error.is_zero() {
                continue;
            }
            let (linear, rest) = real.product(self, error);
            form = form.plus(1.0, &linear);
            radius = add_up(radius, rest);
            range = range + real.range * error.range;
        }
        let second = x.error.range * y.error.range;
        if second != Interval::ZERO {
            form = form.shifted(second.mid());
            radius = add_up(radius, second.rad());
            range = range + second;
        }
        // Or by the floats of one side.
        let by_floats = x.float * y.error.range + y.real.range * x.error.range;
        let others = x.real.range * y.error.range + y.float * x.error.range;
        let form = if radius == 0.0 { form } else { form.with_term(self.symbol(origin), radius) };
        Part::new(self, form, range.meet(by_floats).meet(others))
    }

    pub fn div(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        if !x.is_known() || !y.is_known() || y.float.contains(0.0) || y.real.range.contains(0.0) {
            return Value::unknown();
        }
        let (a, b) = (x.float, y.float);
        let inverse = linearized(self, Curve::Inverse, &y.real, r.origin);
        let real = self.quotient(&x.real, &y.real, &inverse, r.origin);
        // x_f / y_f - x / y = (x_error - x / y y_error) / y_f.
        let error = if y.error.is_zero() {
            if x.error.is_zero() { Part::zero() } else { x.error.times(self, &inverse, r.origin) }
        } else {
            let part = real.times(self, &y.error, r.origin);
            let above = x.error.plus(self, -1.0, &part);
            let below = self.float_part(y);
            let inverse = linearized(self, Curve::Inverse, &below, r.origin);
            let mut error = above.times(self, &inverse, r.origin);
            error.range = error.range.meet(above.range.over(b));
            error
        };
        let float = a.over(b);
        let rounded = r.repeats().then(|| ends(a, b, |x, y| r.nearest(x / y)));
        let mut lost = point_result(a, b, rounded).filter(|z| z.abs() > 1e-280 && a.lo.abs() > 1e-280).map(|z| {
            let rest = -(-z).mul_add(b.lo, a.lo);
            Interval::new(div_down(rest, b.lo), div_up(rest, b.lo))
        });
        if r.repeats() && (divides(b, float, r.format) || a == Interval::ZERO) {
            lost = Some(Interval::ZERO);
        }
        let relative = over_relative(x.relative, y.relative);
        self.rounded(Exact { real, error, float, rounded, lost, relative }, r)
    }

    /// x / y = q + (x - q y) / y, where q is near: what is left is small, and so is what its product loses.
    fn quotient(&mut self, x: &Part, y: &Part, inverse: &Part, origin: Origin) -> Part {
        let range = x.range.over(y.range);
        let q = x.range.mid() / y.range.mid();
        if !q.is_finite() || !x.form.is_finite() || !y.form.is_finite() {
            return Part::new(self, Part::ENTIRE.form, range);
        }
        if y.form.is_constant() {
            // One rounding less than by the inverse.
            let k = 1.0 / y.form.center;
            let rest = (-k).mul_add(y.form.center, 1.0);
            let lost = mul_up(div_up(rest.abs().next_up(), y.form.center.abs()), x.range.mag());
            let form = x.form.scaled(k);
            let form = if rest == 0.0 { form } else { form.with_slack(lost.next_up()) };
            return Part::new(self, form, range);
        }
        let rest = Part::new(self, x.form.plus(-1.0, &y.form.scaled(q)), x.range - y.range * q);
        let mut z = rest.times(self, inverse, origin);
        z.form = z.form.shifted(q);
        z.range = z.range + Interval::point(q);
        Part::new(self, z.form, z.range.meet(range))
    }

    pub fn sqrt(&mut self, x: &Value, r: Rounding) -> Value {
        if !x.is_known() || x.float.lo < 0.0 || x.real.range.lo < 0.0 {
            return Value::unknown();
        }
        let real = linearized(self, Curve::Sqrt, &x.real, r.origin);
        let error = if x.error.is_zero() {
            Part::zero()
        } else {
            // The difference of the roots: the error over their sum.
            let floats = self.float_part(x);
            let root = linearized(self, Curve::Sqrt, &floats, r.origin);
            let sum = root.plus(self, 1.0, &real);
            let by_roots = x.float.sqrt() - real.range;
            if sum.range.lo > 0.0 {
                let inverse = linearized(self, Curve::Inverse, &sum, r.origin);
                let mut error = x.error.times(self, &inverse, r.origin);
                error.range = error.range.meet(x.error.range.over(sum.range)).meet(by_roots);
                error
            } else {
                Part::fresh(self, by_roots, r.origin)
            }
        };
        let a = x.float;
        let rounded = r.repeats().then(|| Interval::new(r.nearest(a.lo.sqrt()), r.nearest(a.hi.sqrt())));
        let lost = point_result(a, a, rounded).filter(|_| a.lo > 1e-280).map(|z| {
            let rest = z.mul_add(z, -a.lo);
            Interval::point(rest).over(a.sqrt() + Interval::point(z))
        });
        let one = Interval::point(1.0);
        let relative = if x.relative.lo > -1.0 { (one + x.relative).sqrt() - one } else { Interval::ENTIRE };
        self.rounded(Exact { real, error, float: a.sqrt(), rounded, lost, relative }, r)
    }

    /// x y + z, rounded once.
    pub fn fma(&mut self, x: &Value, y: &Value, z: &Value, r: Rounding) -> Value {
        if !x.is_known() || !y.is_known() || !z.is_known() {
            return Value::unknown();
        }
        let product = x.real.times(self, &y.real, r.origin);
        let real = product.plus(self, 1.0, &z.real);
        let of_product = self.product_error(x, y, r.origin);
        let error = of_product.plus(self, 1.0, &z.error);
        let (a, b, c) = (x.float, y.float, z.float);
        let rounded = r.repeats().then(|| {
            let fused = |x: f64, y: f64, z: f64| match r.format {
                Precision::Float => f64::from((x as f32).mul_add(y as f32, z as f32)),
                _ => x.mul_add(y, z),
            };
            let corners = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
            let lo = corners.iter().map(|&(x, y)| fused(x, y, c.lo)).fold(f64::INFINITY, f64::min);
            let hi = corners.iter().map(|&(x, y)| fused(x, y, c.hi)).fold(f64::NEG_INFINITY, f64::max);
            Interval::new(lo, hi)
        });
        let is_point = a.is_point() && b.is_point() && c.is_point();
        let lost = rounded
            .filter(|z| is_point && z.is_point() && z.lo.abs() > 1e-250)
            .map(|z| fma_lost(a.lo, b.lo, c.lo, z.lo));
        self.rounded(Exact { real, error, float: a * b + c, rounded, lost, relative: Interval::ENTIRE }, r)
    }

    /// The float itself as a part.
    pub(crate) fn float_part(&mut self, x: &Value) -> Part {
        if x.error.is_zero() { x.real.clone() } else { Part::new(self, x.float_form(), x.float) }
    }

    /// In a shorter format. A longer one holds the number as it is.
    pub fn convert(&mut self, x: &Value, r: Rounding) -> Value {
        if !x.is_known() {
            return Value::unknown();
        }
        let a = x.float;
        let rounded = r.repeats().then(|| Interval::new(r.nearest(a.lo), r.nearest(a.hi)));
        let lost = point_result(a, a, rounded).map(|z| Interval::point(z - a.lo));
        let exact =
            Exact { real: x.real.clone(), error: x.error.clone(), float: a, rounded, lost, relative: x.relative };
        self.rounded(exact, r)
    }

    pub fn neg(&self, x: &Value) -> Value {
        Value { float: -x.float, real: x.real.negated(), error: x.error.negated(), ..*x }
    }

    pub fn abs(&mut self, x: &Value, format: Precision) -> Value {
        if !x.is_known() {
            return Value::unknown();
        }
        if x.float.lo >= 0.0 && x.real.range.lo >= 0.0 {
            return x.clone();
        }
        if x.float.hi <= 0.0 && x.real.range.hi <= 0.0 {
            return self.neg(x);
        }
        let real = linearized(self, Curve::Abs, &x.real, Origin::MAX);
        // Magnitudes differ by no more than the numbers.
        let most = x.error.range.mag();
        let error = Part::fresh(self, Interval { lo: -most, hi: most }, Origin::MAX);
        // Past -1 the float has another sign than the real.
        let relative = if x.relative.lo >= -1.0 { x.relative } else { Interval::ENTIRE };
        Value { float: x.float.abs(), real, error, relative, epoch: self.epoch }.reduced(format)
    }

    /// The greater (sign 1) or the lesser (sign -1) of both.
    pub fn pick(&mut self, sign: f64, x: &Value, y: &Value, format: Precision) -> Value {
        if !x.is_known() || !y.is_known() {
            return Value::unknown();
        }
        let above = |p: Interval, q: Interval| if sign > 0.0 { p.lo >= q.hi } else { p.hi <= q.lo };
        let difference = x.real.plus(self, -1.0, &y.real);
        let of_floats = self.range(&x.float_form().plus(-1.0, &y.float_form())).meet(x.float - y.float);
        let zero = Interval::ZERO;
        if above(difference.range, zero) && above(of_floats, zero) {
            return x.clone();
        }
        if above(zero, difference.range) && above(zero, of_floats) {
            return y.clone();
        }
        // max(x, y) = (x + y + |x - y|) / 2, and one error or the other, or something in between.
        let distance = linearized(self, Curve::Abs, &difference, Origin::MAX);
        let form = x.real.form.plus(1.0, &y.real.form).plus(sign, &distance.form).scaled(0.5);
        let by_ends = |p: Interval, q: Interval| if sign > 0.0 { p.max(q) } else { p.min(q) };
        let real = Part::new(self, form, by_ends(x.real.range, y.real.range));
        let error = Part::fresh(self, x.error.range.hull(y.error.range), Origin::MAX);
        let float = by_ends(x.float, y.float);
        let relative = Interval::ENTIRE;
        Value { float, real, error, relative, epoch: self.epoch }.reduced(format)
    }

    /// Adds what rounding does.
    fn rounded(&mut self, exact: Exact, r: Rounding) -> Value {
        let Exact { real, error, float, rounded, lost, relative } = exact;
        let float = float.meet(real.range + error.range);
        if !float.is_finite() || float.is_empty() {
            return Value::unknown();
        }
        let unit = half_ulp(1.5, r.format) * if r.is_loose { 3.0 } else { 1.0 };
        let bound = half_ulp(float.mag(), r.format) * if r.is_loose { 3.0 } else { 1.0 };
        let lost = lost.unwrap_or(Interval { lo: -bound, hi: bound });
        let smallest_normal = crate::value::two_to(r.format.min_exponent());
        let factor = if lost == Interval::ZERO {
            Interval::point(1.0)
        } else if float.mig() >= smallest_normal {
            Interval { lo: add_down(1.0, -unit), hi: add_up(1.0, unit) }
        } else {
            Interval::ENTIRE
        };
        let one = Interval::point(1.0);
        let relative =
            if relative.is_finite() && factor.is_finite() { (one + relative) * factor - one } else { Interval::ENTIRE };
        // A unit that is a power of two leaves zero a point.
        let relative = if lost == Interval::ZERO && error.is_zero() { Interval::ZERO } else { relative };
        let error = if lost == Interval::ZERO {
            Part::new(self, error.form, error.range)
        } else {
            let form = match lost.is_point() {
                true => error.form.shifted(lost.lo),
                false if lost.lo == -lost.hi => error.form.with_term(self.symbol(r.origin), lost.hi),
                false => error.form.shifted(lost.mid()).with_slack(lost.rad()),
            };
            Part::new(self, form, error.range + lost)
        };
        let any = Interval { lo: float.lo - bound, hi: float.hi + bound };
        let float = rounded.unwrap_or(Interval { lo: any.lo.next_down(), hi: any.hi.next_up() });
        if !float.is_finite() || float.mag() > largest(r.format) {
            return Value::unknown();
        }
        Value { float, real, error, relative, epoch: self.epoch }.reduced(r.format)
    }

    /// The result of something that gives a float within so many half ulps of what it should be.
    pub(crate) fn approximated(
        &mut self,
        real: Part,
        error: Part,
        float: Interval,
        half_ulps: f64,
        r: Rounding,
    ) -> Value {
        let float = float.meet(real.range + error.range);
        if !float.is_finite() || float.is_empty() {
            return Value::unknown();
        }
        let bound = mul_up(half_ulp(float.mag().next_up(), r.format), half_ulps);
        // What may be past the last number of the format may be an infinity.
        if add_up(float.mag(), bound) > largest(r.format) {
            return Value::unknown();
        }
        let form = error.form.with_term(self.symbol(r.origin), bound);
        let lost = Interval { lo: -bound, hi: bound };
        let range = error.range + lost;
        let error = Part::new(self, form, range);
        let float = inward(float, lost, r.format);
        Value { float, real, error, relative: Interval::ENTIRE, epoch: self.epoch }.reduced(r.format)
    }
}

fn largest(format: Precision) -> f64 {
    match format {
        Precision::Float => f64::from(f32::MAX),
        Precision::Half => 65_504.0,
        Precision::Bfloat => f64::from(f32::MAX),
        _ => f64::MAX,
    }
}

/// The result of operands that are one number each.
fn point_result(a: Interval, b: Interval, rounded: Option<Interval>) -> Option<f64> {
    let z = rounded.filter(|z| a.is_point() && b.is_point() && z.is_point())?.lo;
    z.is_finite().then_some(z)
}

/// What rounding added to a b + c.
fn fma_lost(a: f64, b: f64, c: f64, z: f64) -> Interval {
    let (product, low) = nonius_numerics::eft::two_prod(a, b);
    let high = Interval::point(product) + Interval::point(c);
    if product.abs() < 1e-250 && a != 0.0 && b != 0.0 {
        // It may have lost all its digits.
        let most = half_ulp(z.abs().next_up(), Precision::Float);
        return Interval { lo: -most, hi: most };
    }
    let (sum, rest) = nonius_numerics::eft::two_sum(product, c);
    debug_assert!(high.contains(sum));
    Interval::point(z) - Interval::point(sum) - Interval::point(rest) - Interval::point(low)
}

/// Sterbenz: a difference of numbers within a factor of two is exact.
fn is_close(a: Interval, b: Interval) -> bool {
    let within = |a: Interval, b: Interval| a.lo > 0.0 && b.lo > 0.0 && a.hi <= 2.0 * b.lo && b.hi <= 2.0 * a.lo;
    within(a, b) || within(-a, -b)
}

/// A factor that is a power of two, where nothing becomes subnormal.
fn scales(factor: Interval, result: Interval, format: Precision) -> bool {
    let is_power = factor.is_point() && factor.lo.to_bits() << 12 == 0 && factor.lo.is_normal();
    is_power && (result.mig() >= crate::value::two_to(format.min_exponent()) || factor.lo.abs() >= 1.0)
        || factor == Interval::ZERO
}

/// A divisor that is a power of two, where nothing becomes subnormal.
fn divides(divisor: Interval, result: Interval, format: Precision) -> bool {
    let is_power = divisor.is_point() && divisor.lo.to_bits() << 12 == 0 && divisor.lo.is_normal();
    is_power && (result.mig() >= crate::value::two_to(format.min_exponent()) || divisor.lo.abs() <= 1.0)
}

/// The least and the greatest of a rounded operation, which is monotone in each operand.
fn ends(a: Interval, b: Interval, f: impl Fn(f64, f64) -> f64) -> Interval {
    let all = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if all.iter().any(|x| x.is_nan()) { Interval::ENTIRE } else { Interval { lo: least, hi: most } }
}

fn times_relative(x: Interval, y: Interval) -> Interval {
    if x.is_finite() && y.is_finite() { x + y + x * y } else { Interval::ENTIRE }
}

fn over_relative(x: Interval, y: Interval) -> Interval {
    let one = Interval::point(1.0);
    if x.is_finite() && y.is_finite() && y.lo > -1.0 { (x - y).over(one + y) } else { Interval::ENTIRE }
}

/// The quadratic part of a product by its symbols: its middle, and a bound of the distance to that.
///
/// A symbol's square is in [0, 1], so x_i y_i e_i^2 = x_i y_i / 2 ± |x_i y_i| / 2, half of what |x_i| |y_i| would be; and two
/// symbols' product e_i e_j has the coefficient x_i y_j + x_j y_i, which may cancel.
pub(crate) fn quadratic(x: &Form, y: &Form) -> Option<(f64, f64)> {
    const MOST_PAIRS: usize = 12;
    let plain = mul_up(x.radius(), y.radius());
    let mut common: Vec<(f64, f64)> = Vec::new();
    let (mut xs, mut ys) = (x.terms.iter().peekable(), y.terms.iter().peekable());
    let mut is_short = x.terms.len() + y.terms.len() <= 2 * MOST_PAIRS;
    while let (Some(&&(s, a)), Some(&&(t, b))) = (xs.peek(), ys.peek()) {
        if s <= t {
            xs.next();
        }
        if t <= s {
            ys.next();
        }
        if is_short {
            common.push((if s <= t { a } else { 0.0 }, if t <= s { b } else { 0.0 }));
        } else if s == t {
            common.push((a, b));
        }
    }
    if is_short {
        common.extend(xs.map(|&(_, a)| (a, 0.0)));
        common.extend(ys.map(|&(_, b)| (0.0, b)));
        is_short = common.len() <= 2 * MOST_PAIRS;
    }
    let own: f64 = common.iter().map(|(a, b)| a * b).sum();
    let sizes: f64 = common.iter().map(|(a, b)| (a * b).abs()).sum();
    if sizes == 0.0 {
        return None;
    }
    let count = common.len();
    let rounding = sum_bound(sizes, count) * (count + 2) as f64 * f64::EPSILON;
    let radius = if is_short {
        let mut pairs = sizes / 2.0;
        for (i, &(a, b)) in common.iter().enumerate() {
            for &(c, d) in &common[i + 1..] {
                // The terms' own rounding is in `rounding`, by way of the plain bound.
                pairs += (a * d + c * b).abs();
            }
        }
        let slacks = add_up(mul_up(x.slack, y.radius()), mul_up(y.slack, x.radius()));
        let inner = plain * 8.0 * f64::EPSILON;
        sum_bound(pairs, count * count) + slacks + inner
    } else {
        (plain - 0.5 * sizes * (1.0 - (count + 4) as f64 * f64::EPSILON)) * (1.0 + 4.0 * f64::EPSILON)
    };
    Some((own / 2.0, (radius + rounding).next_up()))
}
