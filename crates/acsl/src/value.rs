//! Exact numbers, and ranges of them.

use crate::ast::{Comparison, Operator};
use rug::{Integer, Rational};
use std::cmp::Ordering;
use std::fmt;

/// A real number of any size, or an end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Real {
    MinusInfinity,
    /// An integer that a machine holds.
    Small(i128),
    Big(Rational),
    PlusInfinity,
}

/// What a term can be: all reals from `lo` to `hi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub lo: Real,
    pub hi: Real,
    /// Whether it is of the integers, whose division drops the fraction.
    pub is_integer: bool,
}

/// A range, or a float that is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Range(Range),
    NotANumber,
    /// It has no meaning: something was divided by 0.
    Undefined,
}

/// What is known of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    False,
    True,
    Unknown,
}

impl Truth {
    pub fn of(known: Option<bool>) -> Truth {
        match known {
            Some(true) => Truth::True,
            Some(false) => Truth::False,
            None => Truth::Unknown,
        }
    }
}

impl Real {
    pub fn of_f64(x: f64) -> Option<Real> {
        if x.is_nan() {
            return None;
        }
        if x.is_infinite() {
            return Some(if x > 0.0 { Real::PlusInfinity } else { Real::MinusInfinity });
        }
        if x.fract() == 0.0 && x.abs() < 1e30 {
            return Some(Real::Small(x as i128));
        }
        Rational::from_f64(x).map(Real::Big)
    }

    fn big(&self) -> Option<Rational> {
        match self {
            Real::Small(x) => Some(Rational::from(*x)),
            Real::Big(x) => Some(x.clone()),
            _ => None,
        }
    }

    pub fn is_finite(&self) -> bool {
        matches!(self, Real::Small(_) | Real::Big(_))
    }

    fn sign(&self) -> Ordering {
        match self {
            Real::MinusInfinity => Ordering::Less,
            Real::PlusInfinity => Ordering::Greater,
            Real::Small(x) => x.cmp(&0),
            Real::Big(x) => x.cmp0(),
        }
    }

    fn infinite(sign: Ordering) -> Real {
        if sign == Ordering::Less { Real::MinusInfinity } else { Real::PlusInfinity }
    }

    pub fn negative(&self) -> Real {
        match self {
            Real::MinusInfinity => Real::PlusInfinity,
            Real::PlusInfinity => Real::MinusInfinity,
            Real::Small(x) => x.checked_neg().map_or_else(|| Real::Big(-Rational::from(*x)), Real::Small),
            Real::Big(x) => Real::Big(Rational::from(-x)),
        }
    }

    /// `None` for the sum of opposite infinities.
    fn sum(&self, other: &Real) -> Option<Real> {
        match (self, other) {
            (Real::Small(a), Real::Small(b)) if a.checked_add(*b).is_some() => Some(Real::Small(a + b)),
            (Real::MinusInfinity, Real::PlusInfinity) | (Real::PlusInfinity, Real::MinusInfinity) => None,
            (x, y) => Some(match (x.big(), y.big()) {
                (Some(a), Some(b)) => Real::Big(a + b),
                (None, _) => x.clone(),
                _ => y.clone(),
            }),
        }
    }

    /// 0 times an infinity is 0: ends of ranges are limits.
    fn product(&self, other: &Real) -> Real {
        match (self, other) {
            (Real::Small(a), Real::Small(b)) if a.checked_mul(*b).is_some() => Real::Small(a * b),
            (x, y) => match (x.big(), y.big()) {
                (Some(a), Some(b)) => Real::Big(a * b),
                _ if x.sign() == Ordering::Equal || y.sign() == Ordering::Equal => Real::Small(0),
                _ => Real::infinite(if x.sign() == y.sign() { Ordering::Greater } else { Ordering::Less }),
            },
        }
    }

    /// By what is not 0.
    fn quotient(&self, other: &Real) -> Real {
        match (self.big(), other.big()) {
            (Some(a), Some(b)) => Real::Big(a / b),
            (_, None) => Real::Small(0),
            _ => Real::infinite(if self.sign() == other.sign() { Ordering::Greater } else { Ordering::Less }),
        }
    }

    fn truncated(&self) -> Real {
        match self {
            Real::Big(x) => Real::Big(Rational::from(x.trunc_ref())),
            other => other.clone(),
        }
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        match (self, other) {
            (Real::Small(a), Real::Small(b)) => a.cmp(b),
            (x, y) if x.is_finite() && y.is_finite() => x.big().cmp(&y.big()),
            (Real::MinusInfinity, Real::MinusInfinity) | (Real::PlusInfinity, Real::PlusInfinity) => Ordering::Equal,
            (Real::MinusInfinity, _) | (_, Real::PlusInfinity) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

impl Range {
    pub fn everything() -> Range {
        Range { lo: Real::MinusInfinity, hi: Real::PlusInfinity, is_integer: false }
    }

    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    fn contains_zero(&self) -> bool {
        self.lo.sign() != Ordering::Greater && self.hi.sign() != Ordering::Less
    }
}

impl Value {
    pub fn integer(x: i128) -> Value {
        Value::point(Real::Small(x), true)
    }

    pub fn point(x: Real, is_integer: bool) -> Value {
        Value::Range(Range { lo: x.clone(), hi: x, is_integer })
    }

    /// A double, as it is.
    pub fn float(x: f64) -> Value {
        Real::of_f64(x).map_or(Value::NotANumber, |x| Value::point(x, false))
    }

    /// All reals between two doubles; a NaN is no bound.
    pub fn between(lo: f64, hi: f64) -> Value {
        let lo = Real::of_f64(lo).unwrap_or(Real::MinusInfinity);
        Value::Range(Range { lo, hi: Real::of_f64(hi).unwrap_or(Real::PlusInfinity), is_integer: false })
    }

    /// `base + offset`, give or take `radius`: exactly the sum of doubles.
    pub fn around(base: f64, offset: f64, radius: f64) -> Value {
        let sum = Value::float(base).binary(Operator::Add, &Value::float(offset));
        match sum {
            Value::Range(sum) if radius == 0.0 => Value::Range(sum),
            sum if radius.is_finite() => sum.binary(Operator::Add, &Value::between(-radius, radius)),
            _ => Value::Range(Range::everything()),
        }
    }

    /// An integer in decimal.
    pub fn of_digits(digits: &str) -> Option<Value> {
        let integer: Integer = digits.parse().ok()?;
        Some(Value::point(integer.to_i128().map_or_else(|| Real::Big(Rational::from(&integer)), Real::Small), true))
    }

    /// Digits times a power of a base.
    pub fn of_rational(digits: &str, exponent: i32, base: u32) -> Option<Value> {
        let integer: Integer = digits.parse().ok()?;
        let power = Rational::from(Integer::from(Integer::u_pow_u(base, exponent.unsigned_abs())));
        let rational = Rational::from(integer);
        Some(Value::point(Real::Big(if exponent < 0 { rational / power } else { rational * power }), false))
    }

    pub fn negative(&self) -> Value {
        self.map(|r| Range { lo: r.hi.negative(), hi: r.lo.negative(), is_integer: r.is_integer })
    }

    pub fn abs(&self) -> Value {
        self.map(|r| match (r.lo.sign(), r.hi.sign()) {
            (Ordering::Less, Ordering::Greater) => {
                let hi = r.lo.negative().max(r.hi.clone());
                Range { lo: Real::Small(0), hi, is_integer: r.is_integer }
            }
            (Ordering::Less, _) => Range { lo: r.hi.negative(), hi: r.lo.negative(), is_integer: r.is_integer },
            _ => r.clone(),
        })
    }

    fn map(&self, f: impl FnOnce(&Range) -> Range) -> Value {
        match self {
            Value::Range(range) => Value::Range(f(range)),
            other => other.clone(),
        }
    }

    /// The lower or upper end, by itself.
    pub fn end(&self, upper: bool) -> Value {
        self.map(|r| {
            let end = if upper { &r.hi } else { &r.lo };
            Range { lo: end.clone(), hi: end.clone(), is_integer: r.is_integer }
        })
    }

    pub fn binary(&self, operator: Operator, other: &Value) -> Value {
        let (x, y) = match (self, other) {
            (Value::Undefined, _) | (_, Value::Undefined) => return Value::Undefined,
            (Value::Range(x), Value::Range(y)) => (x, y),
            _ => return Value::NotANumber,
        };
        let is_integer = x.is_integer && y.is_integer;
        let both = |lo: Option<Real>, hi: Option<Real>| match (lo, hi) {
            (Some(lo), Some(hi)) => Value::Range(Range { lo, hi, is_integer }),
            _ => Value::NotANumber,
        };
        match operator {
            Operator::Add => both(x.lo.sum(&y.lo), x.hi.sum(&y.hi)),
            Operator::Sub => both(x.lo.sum(&y.hi.negative()), x.hi.sum(&y.lo.negative())),
            Operator::Mul => {
                let indeterminate = |a: &Range, b: &Range| a.is_point() && !a.lo.is_finite() && b.contains_zero();
                if indeterminate(x, y) || indeterminate(y, x) {
                    return Value::NotANumber;
                }
                corners(x, y, is_integer, Real::product)
            }
            Operator::Min => both(Some((&x.lo).min(&y.lo).clone()), Some((&x.hi).min(&y.hi).clone())),
            Operator::Max => both(Some((&x.lo).max(&y.lo).clone()), Some((&x.hi).max(&y.hi).clone())),
            Operator::Div if y.is_point() && y.contains_zero() => Value::Undefined,
            Operator::Div if y.contains_zero() => Value::Range(Range { is_integer, ..Range::everything() }),
            Operator::Div if x.is_point() && !x.lo.is_finite() && !(y.lo.is_finite() && y.hi.is_finite()) => {
                Value::NotANumber
            }
            Operator::Div => {
                let truncated = |a: &Real, b: &Real| match is_integer {
                    true => a.quotient(b).truncated(),
                    false => a.quotient(b),
                };
                corners(x, y, is_integer, truncated)
            }
            Operator::Rem => remainder(x, y, is_integer),
        }
    }

    /// What is known of a comparison of this with another.
    pub fn compare(&self, comparison: Comparison, other: &Value) -> Truth {
        let (x, y) = match (self, other) {
            (Value::Undefined, _) | (_, Value::Undefined) => return Truth::Unknown,
            (Value::Range(x), Value::Range(y)) => (x, y),
            // As IEEE 754 has it.
            _ => return Truth::of(Some(comparison == Comparison::Ne)),
        };
        let less = |x: &Range, y: &Range| {
            if x.hi < y.lo {
                Some(true)
            } else if x.lo >= y.hi {
                Some(false)
            } else {
                None
            }
        };
        let equal = || {
            if x.hi < y.lo || y.hi < x.lo {
                Some(false)
            } else if x.is_point() && y.is_point() {
                Some(true)
            } else {
                None
            }
        };
        Truth::of(match comparison {
            Comparison::Lt => less(x, y),
            Comparison::Gt => less(y, x),
            Comparison::Le => less(y, x).map(|found| !found),
            Comparison::Ge => less(x, y).map(|found| !found),
            Comparison::Eq => equal(),
            Comparison::Ne => equal().map(|found| !found),
        })
    }
}

fn corners(x: &Range, y: &Range, is_integer: bool, operation: impl Fn(&Real, &Real) -> Real) -> Value {
    if x.is_point() && y.is_point() {
        return Value::point(operation(&x.lo, &y.lo), is_integer);
    }
    let all = [(&x.lo, &y.lo), (&x.lo, &y.hi), (&x.hi, &y.lo), (&x.hi, &y.hi)].map(|(a, b)| operation(a, b));
    let (lo, hi) = (all.iter().min().cloned(), all.iter().max().cloned());
    match lo.zip(hi) {
        Some((lo, hi)) => Value::Range(Range { lo, hi, is_integer }),
        None => Value::Undefined,
    }
}

/// That of a division towards 0, of integers.
fn remainder(x: &Range, y: &Range, is_integer: bool) -> Value {
    if y.is_point() && y.contains_zero() {
        return Value::Undefined;
    }
    if !(is_integer && x.is_point() && y.is_point()) {
        return Value::Range(Range { is_integer, ..Range::everything() });
    }
    match (&x.lo, &y.lo) {
        (Real::Small(a), Real::Small(b)) if a.checked_rem(*b).is_some() => Value::integer(a % b),
        (a, b) => match (a.big(), b.big()) {
            (Some(a), Some(b)) => {
                let (a, b) = (a.into_numer_denom().0, b.into_numer_denom().0);
                Value::point(Real::Big(Rational::from(a % b)), true)
            }
            _ => Value::Undefined,
        },
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Real::MinusInfinity => f.write_str("-inf"),
            Real::PlusInfinity => f.write_str("inf"),
            Real::Small(x) => write!(f, "{x}"),
            Real::Big(x) if x.is_integer() && x.numer().significant_bits() < 200 => write!(f, "{}", x.numer()),
            Real::Big(x) => {
                let double = x.to_f64();
                // A double that is it exactly is shown by its shortest digits, as elsewhere.
                match Rational::from_f64(double) {
                    Some(back) if back == *x => write!(f, "{double:?}"),
                    _ => write!(f, "about {double:e}"),
                }
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::NotANumber => f.write_str("NaN"),
            Value::Undefined => f.write_str("undefined (a division by 0)"),
            Value::Range(range) if range.is_point() => write!(f, "{}", range.lo),
            Value::Range(range) if !range.lo.is_finite() && !range.hi.is_finite() => f.write_str("not known"),
            Value::Range(range) => write!(f, "in [{}, {}]", range.lo, range.hi),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinities_and_nans_are_as_in_ieee_754() {
        let (inf, nan, one, zero) =
            (Value::float(f64::INFINITY), Value::float(f64::NAN), Value::float(1.0), Value::float(0.0));
        assert_eq!(inf.binary(Operator::Sub, &inf), Value::NotANumber);
        assert_eq!(inf.binary(Operator::Mul, &zero), Value::NotANumber);
        assert_eq!(inf.binary(Operator::Add, &one), inf);
        assert_eq!(inf.binary(Operator::Div, &inf), Value::NotANumber);
        assert_eq!(one.binary(Operator::Div, &zero), Value::Undefined);
        assert_eq!(one.compare(Comparison::Lt, &inf), Truth::True);
        for comparison in [Comparison::Lt, Comparison::Le, Comparison::Eq, Comparison::Ge, Comparison::Gt] {
            assert_eq!(nan.compare(comparison, &nan), Truth::False);
        }
        assert_eq!(nan.compare(Comparison::Ne, &nan), Truth::True);
        assert_eq!(Value::float(-0.0).compare(Comparison::Eq, &zero), Truth::True);
    }

    #[test]
    fn what_overlaps_is_not_known() {
        let range = Value::between(1.0, 2.0);
        assert_eq!(range.compare(Comparison::Lt, &Value::float(2.5)), Truth::True);
        assert_eq!(range.compare(Comparison::Lt, &Value::float(2.0)), Truth::Unknown);
        assert_eq!(range.compare(Comparison::Le, &Value::float(2.0)), Truth::True);
        assert_eq!(range.compare(Comparison::Gt, &Value::float(2.0)), Truth::False);
        assert_eq!(range.compare(Comparison::Eq, &range), Truth::Unknown);
        assert_eq!(range.compare(Comparison::Ne, &Value::float(3.0)), Truth::True);
        let zero = range.binary(Operator::Sub, &range);
        assert_eq!(zero, Value::between(-1.0, 1.0));
        assert_eq!(range.binary(Operator::Div, &zero), Value::between(f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(zero.abs(), Value::between(0.0, 1.0));
        assert_eq!(range.binary(Operator::Mul, &zero), Value::between(-2.0, 2.0));
    }

    #[test]
    fn subnormals_and_the_greatest_double_are_exact() {
        let least = Value::float(5e-324);
        assert_eq!(least.binary(Operator::Div, &Value::integer(2)).compare(Comparison::Lt, &least), Truth::True);
        let most = Value::float(f64::MAX);
        let beyond = most.binary(Operator::Mul, &Value::integer(2));
        assert_eq!(beyond.compare(Comparison::Lt, &Value::float(f64::INFINITY)), Truth::True);
        assert_eq!(beyond.compare(Comparison::Gt, &most), Truth::True);
    }
}
