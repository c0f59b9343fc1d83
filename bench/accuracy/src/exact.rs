//! What a formula's value would be without rounding, by MPFR alone.
//!
//! The tree is evaluated at a precision and at twice that, until two in a row agree to 2^-60. A term that is lost at
//! both of two precisions could make them agree too early, so the first is chosen by the inputs: it holds sums of
//! squares of the largest and smallest of them, the second sums of their fourth powers. What is still not settled at
//! 8192 bits (or 4 times the first precision, if that is more) and is as small as the last of them counts as 0.

use crate::expression::{Binary, Body, Expression};
use crate::formula::{Formula, Kind};
use crate::real::Real;
use rug::Float;
use rug::float::Round;
use rug::ops::Pow;

const AGREED_LOG2: i32 = -60;
const LEAST_BITS: u32 = 256;
const MOST_BITS: u32 = 8192;

/// The ideal of one result.
#[derive(Clone, Debug, PartialEq)]
pub enum Ideal {
    Value(Float),
    Zero,
    /// Not a number, beyond MPFR's range, or not settled.
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    pub ideal: Ideal,
    /// Something on the way to it is no normal number of the format: it underflows or overflows.
    pub out_of_range: bool,
}

/// The ideal of `formula` on `inputs`, which the format `real` holds.
pub fn evaluate(formula: &Formula, inputs: &[f64], real: Real) -> Exact {
    let first = first_precision(&formula.body, inputs);
    let mut before = Evaluation::of(&formula.body, inputs, real, first);
    if formula.kind == Kind::Identity {
        let ideal = if before.value.is_finite() { Ideal::Zero } else { Ideal::Unknown };
        return Exact { ideal, out_of_range: before.out_of_range };
    }
    let most = MOST_BITS.max(4 * first);
    let mut bits = 2 * first;
    loop {
        let now = Evaluation::of(&formula.body, inputs, real, bits);
        let settled = if !now.value.is_finite() {
            Some(Ideal::Unknown)
        } else if agree(&before.value, &now.value) {
            Some(Ideal::Value(now.value.clone()))
        } else if 2 * bits > most {
            Some(if now.is_noise(bits) { Ideal::Zero } else { Ideal::Unknown })
        } else {
            None
        };
        if let Some(ideal) = settled {
            return Exact { ideal, out_of_range: now.out_of_range };
        }
        (before, bits) = (now, 2 * bits);
    }
}

/// The value of an expression at one precision, whatever its ideal is declared to be.
pub fn value_at(formula: &Formula, inputs: &[f64], real: Real, bits: u32) -> Float {
    Evaluation::of(&formula.body, inputs, real, bits).value
}

fn first_precision(body: &Body, inputs: &[f64]) -> u32 {
    let exponents = inputs.iter().copied().chain(body.constants()).filter(|x| *x != 0.0);
    let largest = exponents.map(|x| nonius_numerics::error::exponent(x).unsigned_abs()).max().unwrap_or(0);
    (2 * largest + 128).next_multiple_of(64).max(LEAST_BITS)
}

fn agree(a: &Float, b: &Float) -> bool {
    if b.is_zero() || a.is_zero() {
        return false;
    }
    let difference = Float::with_val(64, a - b);
    let limit = Float::with_val(64, b >> (-AGREED_LOG2) as u32);
    difference.cmp_abs(&limit).is_some_and(|order| order.is_le())
}

/// One walk over the tree.
struct Evaluation<'a> {
    inputs: &'a [f64],
    real: Real,
    bits: u32,
    steps: Vec<Float>,
    value: Float,
    out_of_range: bool,
    /// Exponent of the largest number on the way.
    largest: i32,
}

impl Evaluation<'_> {
    fn of<'a>(body: &Body, inputs: &'a [f64], real: Real, bits: u32) -> Evaluation<'a> {
        let value = Float::new(bits);
        let mut walk =
            Evaluation { inputs, real, bits, steps: Vec::new(), value, out_of_range: false, largest: i32::MIN };
        for (_, step) in &body.steps {
            let value = walk.walk(step);
            walk.steps.push(value);
        }
        walk.value = walk.walk(&body.result);
        walk
    }

    /// Whether the value is nothing beside what it was worked out from.
    fn is_noise(&self, bits: u32) -> bool {
        let exponent = self.value.get_exp();
        exponent.is_none_or(|e| e < self.largest.saturating_sub((bits - bits / 8) as i32))
    }

    fn walk(&mut self, expression: &Expression) -> Float {
        let bits = self.bits;
        let value = match expression {
            Expression::Constant(value) => return Float::with_val(bits, self.real.round(*value)),
            Expression::Variable(index) => return Float::with_val(bits, self.inputs[*index]),
            Expression::Step(index) => return self.steps[*index].clone(),
            Expression::Negate(inner) => return -self.walk(inner),
            Expression::Binary(op, left, right) => {
                let (left, right) = (self.walk(left), self.walk(right));
                let value = match op {
                    Binary::Add => left + right,
                    Binary::Sub => left - right,
                    Binary::Mul => left * right,
                    Binary::Div => left / right,
                };
                self.note(&value, matches!(op, Binary::Add | Binary::Sub));
                return value;
            }
            Expression::Call(function, arguments) => {
                let arguments: Vec<Float> = arguments.iter().map(|a| self.walk(a)).collect();
                call(function.name, &arguments, bits)
            }
        };
        self.note(&value, false);
        value
    }

    /// Sums of numbers of a format are exact where they are small, so they never underflow.
    fn note(&mut self, value: &Float, is_sum: bool) {
        let Some(exponent) = value.get_exp() else { return };
        // MPFR's significands are below 1.
        let exponent = exponent - 1;
        self.largest = self.largest.max(exponent);
        let too_small = !is_sum && exponent < self.real.precision().min_exponent();
        self.out_of_range |= too_small || exponent > self.real.max_exponent();
    }
}

fn call(name: &str, arguments: &[Float], bits: u32) -> Float {
    let x = arguments[0].clone();
    let second = || &arguments[1];
    match name {
        "acos" => x.acos(),
        "acosh" => x.acosh(),
        "asin" => x.asin(),
        "asinh" => x.asinh(),
        "atan" => x.atan(),
        "atan2" => x.atan2(second()),
        "atanh" => x.atanh(),
        "cbrt" => x.cbrt(),
        "cos" => x.cos(),
        "cosh" => x.cosh(),
        "erf" => x.erf(),
        "erfc" => x.erfc(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "fabs" => x.abs(),
        "fma" => Float::with_val_round(bits, x.mul_add_ref(second(), &arguments[2]), Round::Nearest).0,
        "fmax" => x.max(second()),
        "fmin" => x.min(second()),
        "hypot" => x.hypot(second()),
        "lgamma" => x.ln_abs_gamma().0,
        "log" => x.ln(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "log2" => x.log2(),
        "pow" => x.pow(second()),
        "sin" => x.sin(),
        "sinh" => x.sinh(),
        "sqrt" => x.sqrt(),
        "tan" => x.tan(),
        "tanh" => x.tanh(),
        "tgamma" => x.gamma(),
        _ => unreachable!("expression::FUNCTIONS has no {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::FUNCTIONS;
    use crate::formula::parse;

    fn ideal(line: &str, inputs: &[f64]) -> Exact {
        evaluate(&parse(Kind::Formula, line).unwrap(), inputs, Real::Double)
    }

    #[test]
    fn every_function_is_known() {
        let half = [Float::with_val(64, 0.5), Float::with_val(64, 0.5), Float::with_val(64, 0.5)];
        for function in FUNCTIONS {
            // acosh of 1/2 is no number; the others are.
            assert_eq!(call(function.name, &half, 64).is_finite(), function.name != "acosh", "{}", function.name);
        }
    }

    #[test]
    fn a_difference_that_is_nothing_is_zero() {
        assert_eq!(ideal("f | x: 1 .. 2, y: 1 .. 2 | x - y", &[1.5, 1.5]).ideal, Ideal::Zero);
        assert_eq!(ideal("f | x: 1 .. 2 | sqrt(x)*sqrt(x) - x", &[1.5]).ideal, Ideal::Zero);
        assert_eq!(ideal("f | x: 1 .. 2 | log(-x)", &[1.5]).ideal, Ideal::Unknown);
    }

    #[test]
    fn lost_terms_do_not_settle_a_value() {
        // At 256 and 512 bits the sum with 1e300 swallows 1, and both give 1/8.
        let line = "f | x: 1 .. 2, y: 1 .. 2 | ((x + 1) - x) + y";
        assert_eq!(ideal(line, &[1e300, 0.125]).ideal, Ideal::Value(Float::with_val(4864, 1.125)));
    }

    #[test]
    fn the_range_of_the_format_is_watched() {
        let line = "f | x: 1 .. 2, y: 1 .. 2 | sqrt(x*x + y*y)";
        for (x, outside) in [(1.0, false), (1e-200, true), (1e200, true)] {
            let exact = ideal(line, &[x, x]);
            assert!(matches!(exact.ideal, Ideal::Value(_)) && exact.out_of_range == outside, "{x:e}");
        }
    }
}
