//! The functions of libm on values: the real by its curve, the error by its slopes, and what libm itself may be off by.

use super::{Curve, linearized};
use crate::arith::Rounding;
use crate::interval::Interval;
use crate::part::Part;
use crate::space::Space;
use crate::value::Value;
use nonius_abi::Precision;
use nonius_abi::libm::Function;

/// All values of a function over an interval.
pub fn enclosure(f: Function, x: Interval) -> Interval {
    Curve::Of(f).enclosure(x)
}

/// How many half ulps a function of libm may be off by, one for what is correctly rounded: at least what the GNU C library
/// documents for x86-64 as the largest known error, doubled. The seven that it has of its own for floats and doubles stay
/// below 0.56 ulps, by the analyses in their sources.
fn half_ulps(f: Function, format: Precision) -> f64 {
    use Function::*;
    let is_short = matches!(format, Precision::Float | Precision::Double);
    match f {
        Sqrt => 1.0,
        Sin | Cos | Exp | Exp2 | Log | Log2 | Pow if is_short => 3.0,
        Sin | Cos | Tan | Asin | Acos | Atan | Exp | Exp2 | Log | Log2 | Pow => 4.0,
        Exp10 | Expm1 | Log10 | Log1p | Cbrt | Atan2 | Hypot => 8.0,
        Sinh | Cosh | Tanh | Asinh | Acosh | Atanh | Erf => 12.0,
        Erfc | Tgamma | Lgamma => 40.0,
        _ => f64::INFINITY,
    }
}

impl Space {
    /// A function of libm, where it is known; `n` is its integer argument, if it has one.
    pub fn function(&mut self, f: Function, x: &Value, y: Option<&Value>, n: i64, r: Rounding) -> Value {
        use Function::*;
        // What stands behind the only argument is no argument.
        let y = y.filter(|_| matches!(f, Pow | Hypot | Atan2 | Fdim | Fmod));
        if !x.is_known() || y.is_some_and(|y| !y.is_known()) {
            return Value::unknown();
        }
        match (f, y) {
            (Sqrt, _) => self.sqrt(x, r),
            (Floor | Ceil | Trunc | Round | Rint | Roundeven, _) => self.whole_number(f, x, r),
            (Ldexp, _) => self.by_power_of_two(x, n, r),
            (Pow, Some(y)) => self.pow(x, y, r),
            (Hypot, Some(y)) => self.hypot(x, y, r),
            (Atan2, Some(y)) => self.atan2(x, y, r),
            (Fdim, Some(y)) => {
                let difference = self.sub(x, y, r);
                self.pick(1.0, &difference, &Value::exact(0.0), r.format)
            }
            (Fmod, Some(y)) => self.remainder(x, y, r),
            _ => self.curve(Curve::Of(f), half_ulps(f, r.format), x, r),
        }
    }

    fn curve(&mut self, curve: Curve, half_ulps: f64, x: &Value, r: Rounding) -> Value {
        if !half_ulps.is_finite() || !curve.enclosure(x.real.range.hull(x.float)).is_finite() {
            return Value::unknown();
        }
        let real = linearized(self, curve, &x.real, r.origin);
        let error = self.curve_error(curve, x, r.origin);
        self.approximated(real, error, curve.enclosure(x.float), half_ulps, r)
    }

    fn whole_number(&mut self, f: Function, x: &Value, r: Rounding) -> Value {
        use Function::*;
        let whole = |x: f64| match f {
            Floor => x.floor(),
            Ceil => x.ceil(),
            Trunc => x.trunc(),
            Round => x.round(),
            _ => x.round_ties_even(),
        };
        let stepped = |i: Interval| Interval { lo: whole(i.lo), hi: whole(i.hi) };
        let (float, reals) = (stepped(x.float), stepped(x.real.range));
        if float.is_point() && float == reals {
            return Value::exact(float.lo);
        }
        let real = Part::fresh(self, reals, r.origin);
        // One number's whole part and another's: as far apart as they are, and up to one more; and a whole number. Towards
        // 0, on different sides of it, up to two more.
        let more = if f == Trunc { 2.0 } else { 1.0 };
        let apart = x.error.range + Interval { lo: -more, hi: more };
        let apart = (float - reals).meet(Interval { lo: apart.lo.ceil(), hi: apart.hi.floor() });
        let error = if apart.is_point() { Part::constant(apart.lo) } else { Part::fresh(self, apart, r.origin) };
        Value { float, real, error, relative: Interval::ENTIRE, epoch: self.epoch }.reduced(r.format)
    }

    fn by_power_of_two(&mut self, x: &Value, n: i64, r: Rounding) -> Value {
        if n.unsigned_abs() > 1000 {
            return Value::unknown();
        }
        self.mul(x, &Value::exact(crate::value::two_to(n as i32)), r)
    }

    fn pow(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        let bound = half_ulps(Function::Pow, r.format);
        let constant = y.is_point().then_some(y.float.lo);
        if let Some(n) = constant.filter(|n| n.fract() == 0.0 && (1.0..=64.0).contains(n))
            && x.float.hull(x.real.range).lo <= 0.0
        {
            // By products, of which the last alone is rounded.
            let exactly = Rounding { format: nonius_abi::Precision::Quad, ..r };
            let mut power = x.clone();
            for _ in 1..n as u32 {
                power = self.mul(&power, x, exactly);
            }
            return if power.is_known() {
                self.approximated(power.real, power.error, power.float, bound, r)
            } else {
                power
            };
        }
        if x.float.lo <= 0.0 || x.real.range.lo <= 0.0 {
            return Value::unknown();
        }
        if let Some(n) = constant {
            return self.curve(Curve::Power(n), bound, x, r);
        }
        let exactly = Rounding { format: nonius_abi::Precision::Quad, ..r };
        let log = self.curve(Curve::Of(Function::Log), 1.0, x, exactly);
        let product = self.mul(&log, y, exactly);
        if product.is_known() { self.curve(Curve::Of(Function::Exp), bound + 1.0, &product, r) } else { product }
    }

    fn hypot(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        let exactly = Rounding { format: nonius_abi::Precision::Quad, ..r };
        let (a, b) = (self.mul(x, x, exactly), self.mul(y, y, exactly));
        let mut sum = self.add(&a, &b, exactly);
        sum.float.lo = sum.float.lo.max(0.0);
        let root = self.sqrt(&sum, exactly);
        if !root.is_known() {
            return root;
        }
        self.approximated(root.real, root.error, root.float, half_ulps(Function::Hypot, r.format), r)
    }

    /// Where the first argument is y. Right of the origin it is atan(y / x).
    fn atan2(&mut self, y: &Value, x: &Value, r: Rounding) -> Value {
        if x.float.lo <= 0.0 || x.real.range.lo <= 0.0 {
            return Value::unknown();
        }
        let exactly = Rounding { format: nonius_abi::Precision::Quad, ..r };
        let quotient = self.div(y, x, exactly);
        if quotient.is_known() { self.curve(Curve::Of(Function::Atan), 8.0, &quotient, r) } else { quotient }
    }

    /// C's fmod, where the quotient has one whole part only: then it is exact.
    pub fn remainder(&mut self, x: &Value, y: &Value, r: Rounding) -> Value {
        let whole = |q: Interval| (q.is_finite() && q.lo.trunc() == q.hi.trunc()).then_some(q.lo.trunc());
        let of_floats = whole(x.float.over(y.float));
        let of_reals = whole(x.real.range.over(y.real.range));
        let Some(n) = of_floats.filter(|&n| of_reals == Some(n) && n.abs() < 1e9) else { return Value::unknown() };
        let exactly = Rounding { format: nonius_abi::Precision::Quad, ..r };
        let whole = self.mul(y, &Value::exact(n), exactly);
        let rest = self.sub(x, &whole, exactly);
        self.exactly_rounded(&rest, r)
    }

    /// A result that is a float of the format already.
    fn exactly_rounded(&mut self, x: &Value, r: Rounding) -> Value {
        Value { epoch: self.epoch, ..x.clone() }.reduced(r.format)
    }
}
