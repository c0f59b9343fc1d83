//! Residues of operations that do not round: to an integer, remainders, scaling, taking numbers apart.
//!
//! The ones that jump (all to an integer, the quotient inside `fmod`) look at the ideal *rounded to the working
//! precision*: R = fl(x + e). An ideal that lies 2^-60 below 3 counts as 3, and `floor` finds no error of 1 there; where R
//! itself is on the other side of a jump from the actual value, the residue is the height of the jump.
//!
//! As everywhere, what is not finite gives residue 0.

use crate::eft::two_sum;
use crate::error::{Precision, exponent, power_of_two};
use crate::residue::{self, finite_or_zero, ideal_difference};

/// The ideal `x + e` as R, its rounding to the working precision, and the rest.
#[inline(always)]
fn rounded_ideal(precision: Precision, x: f64, e: f64) -> (f64, f64) {
    let (s, t) = two_sum(x, e);
    let r = precision.rounded(s);
    // An infinity has no rest.
    (r, if r.is_finite() { (s - r) + t } else { 0.0 })
}

macro_rules! to_integer {
    ($($(#[$doc:meta])* $name:ident = $f:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(precision: Precision, x: f64, e: f64, z: f64) -> f64 {
            let (r, _) = rounded_ideal(precision, x, e);
            finite_or_zero($f(r) - z)
        }
    )*};
}

to_integer! {
    /// z = floor(x)
    floor = f64::floor;
    /// z = ceil(x)
    ceil = f64::ceil;
    /// z = trunc(x)
    trunc = f64::trunc;
    /// z = round(x), ties away from 0
    round = f64::round;
    /// z = rint(x), and so `nearbyint` and `roundeven`: ties to even
    rint = f64::round_ties_even;
}

/// z = fmod(x, y)
#[inline]
#[must_use]
pub fn fmod(precision: Precision, x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let ((x, d_x), (y, d_y)) = (rounded_ideal(precision, x, e_x), rounded_ideal(precision, y, e_y));
    remainder_residue(x, d_x, y, d_y, x % y, z)
}

/// z = remainder(x, y), the quotient rounded to even
#[inline]
#[must_use]
pub fn remainder(precision: Precision, x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    let ((x, d_x), (y, d_y)) = (rounded_ideal(precision, x, e_x), rounded_ideal(precision, y, e_y));
    remainder_residue(x, d_x, y, d_y, ieee_remainder(x, y), z)
}

/// With the quotient n of the rounded ideals: (x + d_x) - n (y + d_y) - z, where x - n y = m.
#[inline(always)]
fn remainder_residue(x: f64, d_x: f64, y: f64, d_y: f64, m: f64, z: f64) -> f64 {
    let quotient_part = if d_y == 0.0 { 0.0 } else { quotient(x, y, m) * d_y };
    finite_or_zero((m - z) + (d_x - quotient_part))
}

/// The integer n of a remainder m = x - n y, or its leading bits.
#[inline]
#[must_use]
pub fn quotient(x: f64, y: f64, m: f64) -> f64 {
    // At the end of the range the difference is beyond it; halves are exact there.
    let difference = x - m;
    if difference.is_finite() { (difference / y).round() } else { (2.0 * ((0.5 * x - 0.5 * m) / y)).round() }
}

/// x - n y exactly, with n the integer nearest to x / y, ties to even.
#[must_use]
pub fn ieee_remainder(x: f64, y: f64) -> f64 {
    if y.is_infinite() && x.is_finite() {
        return x;
    }
    let y = y.abs();
    let twice = y + y;
    let mut m = x.abs();
    if twice.is_finite() {
        m %= twice; // exact, and leaves the parity of the quotient
    }
    // Doubling m, not halving y, which may be subnormal. If 2m overflows, then m is the larger.
    if m + m > y {
        m -= y;
        if m + m >= y {
            m -= y;
        }
    }
    if x.is_sign_negative() { -m } else { m }
}

/// z = ldexp(x, n), and so `scalbn` and `scalbln`: exact, unless `z` is subnormal
#[inline]
#[must_use]
pub fn ldexp(x: f64, e: f64, n: i32, z: f64) -> f64 {
    if !z.is_finite() {
        return 0.0;
    }
    // What was rounded away, in units of x; in halves where z was rounded up beyond the range of those.
    let back = times_power_of_two(z, n.saturating_neg());
    if back.is_finite() {
        return finite_or_zero(times_power_of_two(x - back + e, n));
    }
    let half = 0.5 * x - times_power_of_two(z, n.saturating_neg().saturating_sub(1));
    finite_or_zero(times_power_of_two(half + 0.5 * e, n.saturating_add(1)))
}

/// The fraction of frexp(x), whose exponent was `n`: it stays with the `n` that the program goes on with, so that
/// fraction times 2^n is the ideal of x.
#[inline]
#[must_use]
pub fn frexp(e: f64, n: i32) -> f64 {
    finite_or_zero(times_power_of_two(e, n.saturating_neg()))
}

/// `x 2^n` for any `n`.
#[inline]
fn times_power_of_two(x: f64, n: i32) -> f64 {
    let n = n.clamp(-2200, 2200);
    let first = n.clamp(-1000, 1000);
    let second = (n - first).clamp(-1000, 1000);
    x * power_of_two(first) * power_of_two(second) * power_of_two(n - first - second)
}

/// The fraction and the integer part of modf(x)
#[inline]
#[must_use]
pub fn modf(precision: Precision, x: f64, e: f64, fraction: f64, integer: f64) -> (f64, f64) {
    let (r, rest) = rounded_ideal(precision, x, e);
    let whole = r.trunc();
    (finite_or_zero(((r - whole) - fraction) + rest), finite_or_zero(whole - integer))
}

/// z = fdim(x, y)
#[inline]
#[must_use]
pub fn fdim(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    if !(x.is_finite() && y.is_finite()) {
        return 0.0;
    }
    match (ideal_difference(x, e_x, y, e_y) > 0.0, x > y) {
        (true, true) => residue::sub(x, e_x, y, e_y, z),
        (true, false) => finite_or_zero(ideal_difference(x, e_x, y, e_y) - z),
        (false, _) => finite_or_zero(-z),
    }
}

/// z = nextafter(x, y): the step to the neighbour is the program's own, the error of x stays
#[inline]
#[must_use]
pub fn nextafter(x: f64, e: f64, z: f64) -> f64 {
    if x.is_finite() && z.is_finite() { finite_or_zero(e) } else { 0.0 }
}

/// z = logb(x)
#[inline]
#[must_use]
pub fn logb(precision: Precision, x: f64, e: f64, z: f64) -> f64 {
    let (r, _) = rounded_ideal(precision, x, e);
    if r == 0.0 || !r.is_finite() { 0.0 } else { finite_or_zero(f64::from(exponent(r)) - z) }
}
