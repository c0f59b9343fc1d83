//! Residues of operations that do not round: to an integer, remainders, scaling, taking numbers apart.
//!
//! The ones that jump are decisions. To an integer: the ideal is looked at *rounded to the working precision*, R =
//! fl(x + e), so that one that lies 2^-60 below 3 counts as 3; where R is one step away from what the program got, the
//! program's step is followed, and is for a check to report, as a branch is. More than one step is an error of the argument
//! that goes on. Remainders keep the program's quotient.
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

/// The residue of an integer `z` that should be `ideally`: none where the program decided otherwise by one step.
#[inline]
#[must_use]
pub fn stepped(z: f64, ideally: f64) -> f64 {
    let difference = ideally - z;
    if difference.abs() == 1.0 { 0.0 } else { finite_or_zero(difference) }
}

/// Whether the neighbours of `x` are less than one apart. Beyond, all numbers are integers, and nothing is decided.
#[inline]
#[must_use]
pub fn decides(precision: Precision, x: f64) -> bool {
    x.abs() < power_of_two(precision.bits().min(f64::MANTISSA_DIGITS) as i32 - 1)
}

macro_rules! to_integer {
    ($($(#[$doc:meta])* $name:ident = $f:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(precision: Precision, x: f64, e: f64, z: f64) -> f64 {
            let (r, _) = rounded_ideal(precision, x, e);
            match decides(precision, x) {
                true => stepped(z, $f(r)),
                false => if x.is_finite() { finite_or_zero(e) } else { 0.0 },
            }
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

/// How a remainder's quotient becomes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotient {
    /// `fmod`: the remainder has the sign of the dividend.
    Truncated,
    /// `remainder`: it is at most half of the divisor.
    Nearest,
    /// Fortran's `modulo`: it has the sign of the divisor.
    Floored,
}

/// z = fmod(x, y) or remainder(x, y), with the quotient that the program got: (x + e_x) - n (y + e_y) - z, where x - n y = z.
/// Unless that is more than one divisor away, so that it is not the quotient that was decided.
#[inline]
#[must_use]
pub fn remainder(by: Quotient, x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
    if !(x.is_finite() && z.is_finite()) {
        return 0.0;
    }
    let quotient_part = if e_y == 0.0 { 0.0 } else { quotient(x, y, z) * e_y };
    let residue = finite_or_zero(e_x - quotient_part);
    let turns = turns(by, x, y, z + residue);
    if turns.abs() > 1.0 { finite_or_zero(residue - turns * (y + e_y).abs()) } else { residue }
}

/// How many divisors `|y|` lie between a remainder of `x` and where it belongs.
#[inline]
#[must_use]
pub fn turns(by: Quotient, x: f64, y: f64, remainder: f64) -> f64 {
    let turns = match by {
        Quotient::Truncated => (remainder * x.signum() / y.abs()).floor() * x.signum(),
        Quotient::Nearest => (remainder / y.abs()).round_ties_even(),
        Quotient::Floored => (remainder / y).floor() * y.signum(),
    };
    if turns.is_finite() { turns } else { 0.0 }
}

/// The integer n of a remainder m = x - n y, or its leading bits.
#[inline]
#[must_use]
pub fn quotient(x: f64, y: f64, m: f64) -> f64 {
    // At the end of the range the difference is beyond it; halves are exact there.
    let difference = x - m;
    if difference.is_finite() { (difference / y).round() } else { (2.0 * ((0.5 * x - 0.5 * m) / y)).round() }
}

/// The remainder itself: x - n y, exactly.
#[must_use]
pub fn remainder_of(by: Quotient, x: f64, y: f64) -> f64 {
    match by {
        Quotient::Truncated => x % y,
        Quotient::Nearest => ieee_remainder(x, y),
        Quotient::Floored => {
            let rest = x % y;
            if rest != 0.0 && rest.is_sign_negative() != y.is_sign_negative() { rest + y } else { rest }
        }
    }
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

/// The fraction of modf(x), whose integer part is `stepped`: what is left of the ideal beside that.
#[inline]
#[must_use]
pub fn fraction(precision: Precision, x: f64, e: f64) -> f64 {
    if decides(precision, x) { finite_or_zero(e - trunc(precision, x, e, x.trunc())) } else { 0.0 }
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
    if r == 0.0 || !r.is_finite() { 0.0 } else { stepped(z, f64::from(exponent(r))) }
}
