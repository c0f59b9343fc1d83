//! Sine, cosine and tangent.
//!
//! x = k pi/512 + r, and sin(a + r) from a table of sin and cos of a = k pi/512 and the series of sin r and cos r,
//! |r| <= pi/1024.
//!
//! Close to a multiple of pi/2 the relative precision of a result near 0 hangs on that of `x + e`: with e = 0 the bounds
//! hold for every double, with e /= 0 the error is at most 2^-90 relative or 2^-150 |x| absolute, whichever is larger.

use super::reduce::{Angle, reduced};
use super::tables::constants::{SIXTH, TWENTY_FOURTH};
use super::tables::sine::SINE;
use crate::Dd;
use crate::eft::two_sum;

/// sin(x+e), relative error at most 2^-91.
#[inline(always)]
#[must_use]
pub fn sin(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    if !a.hi.is_finite() {
        return Dd::NAN;
    }
    // On |x|, so that a zero keeps its sign.
    let angle = reduced(a.abs());
    let y = sine_of(angle.step, &Series::at(angle.rest));
    if a.hi.is_sign_negative() { -y } else { y }
}

/// cos(x+e), relative error at most 2^-91.
#[inline(always)]
#[must_use]
pub fn cos(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    if !a.hi.is_finite() {
        return Dd::NAN;
    }
    let angle = reduced(a);
    sine_of(angle.step.wrapping_add(QUARTER), &Series::at(angle.rest))
}

/// sin(x+e) and cos(x+e) in little more than the time of one of them.
#[inline(always)]
#[must_use]
pub fn sincos(x: f64, e: f64) -> (Dd, Dd) {
    let a = Dd::from_residue(x, e);
    if !a.hi.is_finite() {
        return (Dd::NAN, Dd::NAN);
    }
    let Angle { step, rest } = reduced(a.abs());
    let series = Series::at(rest);
    let sine = sine_of(step, &series);
    let cosine = sine_of(step.wrapping_add(QUARTER), &series);
    (if a.hi.is_sign_negative() { -sine } else { sine }, cosine)
}

/// tan(x+e), relative error at most 2^-91.
#[inline(always)]
#[must_use]
pub fn tan(x: f64, e: f64) -> Dd {
    let (sine, cosine) = sincos(x, e);
    if sine.hi == 0.0 { sine } else { sine.div_by_reciprocal(cosine) }
}

/// Steps of pi/512 in pi/2.
const QUARTER: u32 = 256;

/// sin r and cos r - 1.
struct Series {
    sine: Dd,
    cosine_minus_one: Dd,
}

impl Series {
    #[inline(always)]
    fn at(r: Dd) -> Series {
        let w = r.square_loose();
        let x = w.hi;
        let s = x.mul_add(x.mul_add(1.0 / 362_880.0, -1.0 / 5040.0), 1.0 / 120.0);
        let s = Dd::renormalized(-SIXTH.hi, x.mul_add(s, -SIXTH.lo));
        let c = x.mul_add(x.mul_add(-1.0 / 3_628_800.0, 1.0 / 40_320.0), -1.0 / 720.0);
        let c = Dd::renormalized(TWENTY_FOURTH.hi, x.mul_add(c, TWENTY_FOURTH.lo));
        let c = Dd::new(-0.5, 0.0).add_smaller_loose(w.mul_loose(c));
        Series { sine: r.add_smaller(r.mul_loose(w).mul_loose(s)), cosine_minus_one: w.mul_loose(c) }
    }
}

/// sin(step pi/512 + r)
#[inline(always)]
fn sine_of(step: u32, series: &Series) -> Dd {
    let within = (step & (QUARTER - 1)) as usize;
    let mirrored = QUARTER as usize - within;
    let is_cosine = step & QUARTER != 0;
    let (a, b) = if is_cosine { (SINE[mirrored], -SINE[within]) } else { (SINE[within], SINE[mirrored]) };
    // sin(a + r) = sin a + (sin a (cos r - 1) + cos a sin r)
    let (p, q) = (a.mul_loose(series.cosine_minus_one), b.mul_loose(series.sine));
    let (s, s_low) = two_sum(p.hi, q.hi);
    let y = a.add_smaller(Dd::new(s, s_low + (p.lo + q.lo)));
    if step & (2 * QUARTER) != 0 { -y } else { y }
}
