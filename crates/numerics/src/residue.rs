//! Residue functions: the residue of an operation's result from its operands, their residues and the actual result.
//!
//! An operand is a value followed by its residue (`x, e_x`); `z` is what the program computed. With `mu` what the
//! operation itself rounded away:
//!
//! | z = | mu | e_z |
//! |---|---|---|
//! | x + y | TwoSum | mu + e_x + e_y |
//! | x - y | TwoSum(x, -y) | mu + e_x - e_y |
//! | x y | fma(x, y, -z) | mu + y e_x + x e_y + e_x e_y |
//! | x / y | -fma(z, y, -x) | (mu + e_x - z e_y) / (y + e_y) |
//! | sqrt x | -fma(z, z, -x) | (mu + e_x) / (z + sqrt(x + e_x)) |
//! | fma(x, y, c) | two error-free transformations | mu + y e_x + x e_y + e_x e_y + e_c |
//!
//! The same functions serve results rounded to float: `mu` is measured against the `z` that is passed in.
//!
//! A residue that is not finite says nothing about precision, so it becomes 0: operands or results that are infinite or
//! NaN, ideals outside the domain (`sqrt` of a negative ideal), overflow on the way. When a product or quotient
//! underflows, its `mu` is only right to the smallest subnormal.
//!
//! Limit: a residue is one double, so what lies 53 bits below the largest term of its sum is gone.

use crate::eft::{fma_error, two_sum, two_sum_error};

/// `e` if it is finite, else 0.
#[inline(always)]
#[must_use]
pub fn finite_or_zero(e: f64) -> f64 {
    if e.abs() < f64::INFINITY { e } else { 0.0 }
}

/// z = x + y
#[inline(always)]
#[must_use]
pub fn add(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    finite_or_zero(two_sum_error(x, y, z) + (e_x + e_y))
}

/// z = x - y
#[inline(always)]
#[must_use]
pub fn sub(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    finite_or_zero(two_sum_error(x, -y, z) + (e_x - e_y))
}

/// z = x y
#[inline(always)]
#[must_use]
pub fn mul(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let mu = x.mul_add(y, -z);
    // y e_x + e_x e_y in one product: the second-order term is all there is when x and y both cancelled to 0.
    finite_or_zero(e_x.mul_add(y + e_y, x.mul_add(e_y, mu)))
}

/// z = x / y
#[inline(always)]
#[must_use]
pub fn div(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let mu = -z.mul_add(y, -x);
    finite_or_zero((-z).mul_add(e_y, mu + e_x) / (y + e_y))
}

/// z = sqrt(x). NaN: the ideal operand is negative, and has no root.
#[inline(always)]
#[must_use]
pub fn sqrt(x: f64, e_x: f64, z: f64) -> f64 {
    let mu = -z.mul_add(z, -x);
    if x + e_x < 0.0 && z.is_finite() {
        return f64::NAN;
    }
    finite_or_zero((mu + e_x) / (z + (x + e_x).sqrt()))
}

/// z = fma(x, y, c), rounded once
#[inline(always)]
#[must_use]
pub fn fma(x: f64, e_x: f64, y: f64, e_y: f64, c: f64, e_c: f64, z: f64) -> f64 {
    let mu = fma_error(x, y, c, z);
    finite_or_zero(e_x.mul_add(y + e_y, x.mul_add(e_y, mu)) + e_c)
}

/// z = -x
#[inline(always)]
#[must_use]
pub fn neg(e_x: f64) -> f64 {
    finite_or_zero(-e_x)
}

/// z = |x|
///
/// `|x + e_x| - |x|` would round a small `e_x` away, so that form is left to the case where the signs differ.
#[inline(always)]
#[must_use]
pub fn abs(x: f64, e_x: f64) -> f64 {
    let ideal = x + e_x;
    let e_z =
        if ideal.is_sign_negative() == x.is_sign_negative() { 1f64.copysign(x) * e_x } else { ideal.abs() - x.abs() };
    if x.is_finite() { finite_or_zero(e_z) } else { 0.0 }
}

/// z = `d` rounded to a shorter format (double to float, and likewise to half or bfloat)
#[inline(always)]
#[must_use]
pub fn trunc(d: f64, e_d: f64, z: f64) -> f64 {
    finite_or_zero((d - z) + e_d)
}

/// z = copysign(x, s): the ideal takes its sign from the ideal `s`.
#[inline(always)]
#[must_use]
pub fn copysign(x: f64, e_x: f64, s: f64, e_s: f64) -> f64 {
    if !x.is_finite() || s.is_nan() {
        return 0.0;
    }
    let ideal_s = s + finite_or_zero(e_s);
    let magnitude = abs(x, e_x);
    // A sum of exactly 0 has no sign of its own to give.
    if ideal_s == 0.0 || ideal_s.is_sign_negative() == s.is_sign_negative() {
        1f64.copysign(s) * magnitude
    } else {
        finite_or_zero(1f64.copysign(ideal_s) * (2.0 * x.abs() + magnitude))
    }
}

/// The ideal of `x - y`, good enough to tell which ideal is the larger.
#[inline(always)]
#[must_use]
pub fn ideal_difference(x: f64, e_x: f64, y: f64, e_y: f64) -> f64 {
    let (d, d_low) = two_sum(x, -y);
    let rest = e_x - e_y;
    // Infinite operands leave NaN in the low part, but their difference already has the right sign.
    if d.is_finite() { d + (d_low + rest) } else { d }
}

/// z = min(x, y), where NaN counts as missing (`fmin`, `llvm.minnum`)
#[inline(always)]
#[must_use]
pub fn min(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let x_is_ideal_choice = y.is_nan() || ideal_difference(x, e_x, y, e_y) <= 0.0;
    selected(x_is_ideal_choice, x, e_x, y, e_y, z)
}

/// z = max(x, y), where NaN counts as missing (`fmax`, `llvm.maxnum`)
#[inline(always)]
#[must_use]
pub fn max(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let x_is_ideal_choice = y.is_nan() || ideal_difference(x, e_x, y, e_y) >= 0.0;
    selected(x_is_ideal_choice, x, e_x, y, e_y, z)
}

/// The residue of `z` when the ideal program takes `x` or `y`, which need not be what the actual one took.
#[inline(always)]
fn selected(take_x: bool, x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let (taken, e_taken) = if take_x { (x, e_x) } else { (y, e_y) };
    finite_or_zero((taken - z) + e_taken)
}
