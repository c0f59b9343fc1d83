//! The terms of arithmetic's residue functions: what the operation rounds away, and what each operand contributes.

use super::fine::Shadow;
use super::residue::{Residue, Term, Terms};
use crate::{Binary, Operand};
use nonius_numerics::eft::two_sum_error;

pub type X<'a> = Operand<'a, Shadow>;

/// Products below this have rounding errors that are no doubles: 2^-960.
const SMALL: f64 = f64::from_bits((1023 - 960) << 52);
/// What is lost there at most.
const LEAST: f64 = f64::from_bits(1);

/// What the product of two numbers lacks if it, or its rounding error, is rounded among the subnormals.
#[inline(always)]
pub fn underflow(product: f64, x: f64, y: f64) -> f64 {
    if product.abs() < SMALL && x != 0.0 && y != 0.0 { LEAST } else { 0.0 }
}

/// Terms that are rounded, and may lack this much beside.
#[inline(always)]
pub fn rounded(off: f64) -> Terms {
    if off == 0.0 { Terms::Rounded } else { Terms::Evaluated(off) }
}

/// Whether the ideal cannot be told from 0.
#[inline(always)]
pub fn may_be_zero(x: X) -> bool {
    let residue = &x.shadow.residue;
    residue.noise > 0.0 && residue.bound() >= (x.actual + residue.value).abs()
}

/// Whether an infinite result is as infinite as its ideal: an operand is, or the divisor is 0.
pub fn is_pole(op: Binary, x: X, y: X) -> bool {
    let residue = &y.shadow.residue;
    let is_zero = y.actual == 0.0 && residue.value == 0.0 && residue.noise == 0.0;
    x.actual.is_infinite() || y.actual.is_infinite() || op == Binary::Div && is_zero
}

pub type Split = (f64, [Term; 2], Terms);

#[inline(always)]
pub fn terms_of_sum(x: X, y: X, sign: f64, z: f64) -> Split {
    let introduced = two_sum_error(x.actual, sign * y.actual, z);
    (introduced, [Term::amplified(&x.shadow.residue, 1.0), Term::amplified(&y.shadow.residue, sign)], Terms::Exact)
}

#[inline(always)]
pub fn terms_of_product(x: X, y: X, z: f64) -> Split {
    let (a, b, e_x, e_y) = (x.actual, y.actual, &x.shadow.residue, &y.shadow.residue);
    // Half of e_x e_y each: where x and y both came out as 0, that is all there is.
    let (by_x, by_y) = (0.5f64.mul_add(e_y.value, b), 0.5f64.mul_add(e_x.value, a));
    // Noise is amplified by all of the other factor.
    let factor = |introduced: f64, other: &Residue| introduced.abs() + other.value.abs() + other.noise;
    let product = |by: f64, e: &Residue| if e.value == 0.0 { 0.0 } else { by * e.value };
    let terms =
        [Term::new(e_x, product(by_x, e_x), factor(b, e_y)), Term::new(e_y, product(by_y, e_y), factor(a, e_x))];
    let off = underflow(z, a, b)
        + underflow(by_x * e_x.value, by_x, e_x.value)
        + underflow(by_y * e_y.value, by_y, e_y.value)
        + underflow(e_x.value * e_y.value, e_x.value, e_y.value);
    (a.mul_add(b, -z), terms, rounded(off))
}

#[inline(always)]
pub fn terms_of_quotient(x: X, y: X, z: f64) -> Split {
    let (a, b, e_x, e_y) = (x.actual, y.actual, x.shadow.residue, y.shadow.residue);
    let divisor = b + e_y.value;
    // The slope in y is the ideal quotient's, which may be larger than the actual one.
    let quotient = z.abs().max(((a + e_x.value) / divisor).abs());
    let by_y = Term::divided(&Residue { value: -z * e_y.value, noise: quotient * e_y.noise, ..e_y }, divisor);
    let mu = -z.mul_add(b, -a);
    let (introduced, by_x) = (mu / divisor, Term::divided(&e_x, divisor));
    let inner = underflow(a, a, 1.0) + underflow(z * e_y.value, z, e_y.value);
    let outer = underflow(introduced, mu, 1.0) + underflow(by_x.value(), e_x.value, 1.0);
    let off = outer + if inner == 0.0 { 0.0 } else { inner / divisor.abs() };
    // What may be 0 divides to anything.
    let off = if may_be_zero(y) { f64::INFINITY } else { off };
    (introduced, [by_x, by_y], rounded(off))
}
