//! Cube root and hypotenuse.

use super::exp::scaled_by_power;
use crate::Dd;
use crate::error::{exponent, power_of_two};

/// The cube root of x+e, relative error at most 2^-100.
///
/// A double approximation of 1/cbrt(x) by Newton's method, then one step of it in double-double.
#[inline(always)]
#[must_use]
pub fn cbrt(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    if a.hi == 0.0 || !a.hi.is_finite() {
        return a;
    }
    let third = exponent(a.hi).div_euclid(3);
    let m = scaled_by_power(a.abs(), -3 * third); // 1 <= m < 8
    let y = cbrt_of_significand(m);
    let z = y.scaled(power_of_two(third));
    if a.hi.is_sign_negative() { -z } else { z }
}

/// For 1 <= m < 8.
#[inline(always)]
fn cbrt_of_significand(m: Dd) -> Dd {
    // 1/cbrt(m) within 4%, from minus a third of the bits.
    let guess = f64::from_bits(0x553e_e000_0000_0000 - m.hi.to_bits() / 3);
    let mut r = guess;
    for _ in 0..3 {
        // h = 1 - m r^3; (1 - h)^(-1/3) = 1 + h/3 + 2h^2/9 + ...
        let h = (-m.hi * r).mul_add(r * r, 1.0);
        r += r * h * h.mul_add(2.0 / 9.0, 1.0 / 3.0);
    }
    let r2 = r * r;
    let y = m.hi * r2;
    let y2 = Dd::product(y, y);
    let rest = m - y2.mul_f64(y);
    Dd::renormalized(y, rest.hi * (r2 * (1.0 / 3.0)))
}

/// sqrt((x + e_x)^2 + (y + e_y)^2), relative error at most 2^-103.
#[inline(always)]
#[must_use]
pub fn hypot(x: f64, e_x: f64, y: f64, e_y: f64) -> Dd {
    let (x, y) = (Dd::from_residue(x, e_x).abs(), Dd::from_residue(y, e_y).abs());
    if x.hi.is_infinite() || y.hi.is_infinite() {
        return Dd::INFINITY;
    }
    let n = exponent(x.hi.max(y.hi));
    if x.hi.is_nan() || y.hi.is_nan() || n < -1100 {
        return Dd::from(x.hi + y.hi);
    }
    let (x, y) = (scaled_by_power(x, -n), scaled_by_power(y, -n));
    scaled_by_power((x.square() + y.square()).sqrt(), n)
}

/// Both numbers times one power of two, so that quotients neither overflow on the way nor lose bits to underflow.
#[inline(always)]
pub(super) fn balanced(y: Dd, x: Dd) -> (Dd, Dd) {
    const UP: f64 = f64::from_bits(0x5f30_0000_0000_0000); // 2^500
    let largest = if y.hi > x.hi { y.hi } else { x.hi };
    if largest < 1.0 {
        let (y, x) = (y.scaled(UP), x.scaled(UP));
        if largest < 1.0 / UP { (y.scaled(UP), x.scaled(UP)) } else { (y, x) }
    } else if largest > UP {
        (y.scaled(1.0 / UP), x.scaled(1.0 / UP))
    } else {
        (y, x)
    }
}
