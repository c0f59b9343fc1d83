//! Arc tangent, sine and cosine.
//!
//! With c = j/128 nearest to y/x, atan(y/x) = atan(c) + atan((y - c x)/(x + c y)): a table of 129 entries, one division,
//! and seven terms of the series of atan t, |t| <= 2^-8. Arc sine and cosine are arc tangents of the sides of the
//! triangle.

use super::nearest;
use super::roots::balanced;
use super::tables::atan::ATAN;
use super::tables::constants::{FIFTH, PI, PI_HALF, THIRD};
use crate::Dd;
use crate::eft::two_prod;

/// atan(x+e), relative error at most 2^-101.
#[inline(always)]
#[must_use]
pub fn atan(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    if a.hi.is_nan() {
        return a;
    }
    let y = if a.hi.is_infinite() { PI_HALF } else { first_quadrant(a.abs(), Dd::ONE).angle() };
    if a.hi.is_sign_negative() { -y } else { y }
}

/// The angle of the point (x + e_x, y + e_y), relative error at most 2^-101.
#[inline(always)]
#[must_use]
pub fn atan2(y: f64, e_y: f64, x: f64, e_x: f64) -> Dd {
    let (y, x) = (Dd::from_residue(y, e_y), Dd::from_residue(x, e_x));
    if y.hi.is_nan() || x.hi.is_nan() {
        return Dd::NAN;
    }
    let angle = angle_of(y.abs(), x);
    if y.hi.is_sign_negative() { -angle } else { angle }
}

/// asin(x+e), relative error at most 2^-101; NaN outside of -1..1.
#[inline(always)]
#[must_use]
pub fn asin(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    let Some(side) = other_side(a) else { return Dd::NAN };
    let y = first_quadrant(a.abs(), side).angle();
    if a.hi.is_sign_negative() { -y } else { y }
}

/// acos(x+e), relative error at most 2^-101; NaN outside of -1..1.
#[inline(always)]
#[must_use]
pub fn acos(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    let Some(side) = other_side(a) else { return Dd::NAN };
    let q = first_quadrant(side, a.abs());
    if a.hi.is_sign_negative() { q.supplement() } else { q.angle() }
}

/// sqrt(1 - a^2), for |a| <= 1.
#[inline(always)]
fn other_side(a: Dd) -> Option<Dd> {
    let one = Dd::ONE;
    let product = (one - a) * (one + a);
    (product.hi >= 0.0).then(|| product.sqrt())
}

/// The angle of (x, y) for y >= 0.
#[inline(always)]
fn angle_of(y: Dd, x: Dd) -> Dd {
    let is_left = x.hi.is_sign_negative();
    let (y, x) = match (y.hi.is_infinite(), x.hi.is_infinite()) {
        (false, false) => balanced(y, x.abs()),
        // Infinite points lie on the axes or the diagonals.
        (y_infinite, x_infinite) => (Dd::from(f64::from(y_infinite)), Dd::from(f64::from(x_infinite))),
    };
    if y.hi == 0.0 {
        return if is_left { PI } else { y };
    }
    let q = first_quadrant(y, x);
    if is_left { q.supplement() } else { q.angle() }
}

/// An angle between 0 and pi/2, as `small` or as pi/2 - `small`.
struct FirstQuadrant {
    small: Dd,
    is_steep: bool,
}

impl FirstQuadrant {
    #[inline(always)]
    fn angle(self) -> Dd {
        if self.is_steep { PI_HALF.add_smaller(-self.small) } else { self.small }
    }

    /// pi - angle
    #[inline(always)]
    fn supplement(self) -> Dd {
        if self.is_steep { PI_HALF.add_smaller(self.small) } else { PI.add_smaller(-self.small) }
    }
}

/// The angle of (x, y) for x and y not negative, not both 0, and neither so large that x + y overflows.
#[inline(always)]
fn first_quadrant(y: Dd, x: Dd) -> FirstQuadrant {
    let is_steep = y.hi > x.hi;
    let (y, x) = if is_steep { (x, y) } else { (y, x) };
    let j = nearest((y.hi / x.hi) * 128.0);
    let c = j.value * (1.0 / 128.0);
    let base = ATAN[j.integer.clamp(0, 128) as usize];
    // y - c x: the difference of the leading parts is exact, as they are within a factor of 2 (or c is 0).
    let (p, p_low) = two_prod(c, x.hi);
    let numerator = Dd::sum(y.hi - p, y.lo - c.mul_add(x.lo, p_low));
    let denominator = x.add_smaller(y.mul_f64(c));
    let t = numerator.div_by_reciprocal(denominator);
    FirstQuadrant { small: base.add_smaller(atan_small(t)), is_steep }
}

/// atan t for |t| <= 2^-8, relative error 2^-99.
#[inline(always)]
fn atan_small(t: Dd) -> Dd {
    let w = t.square_loose();
    let x = w.hi;
    let tail = x.mul_add(x.mul_add(x.mul_add(1.0 / 13.0, -1.0 / 11.0), 1.0 / 9.0), -1.0 / 7.0);
    let d = Dd::renormalized(FIFTH.hi, x.mul_add(tail, FIFTH.lo));
    let c = (-THIRD).add_smaller_loose(w.mul_loose(d));
    t.add_smaller_loose(t.mul_loose(w).mul_loose(c))
}
