//! Exponentials.
//!
//! x = k ln(2)/4096 + r, and e^x = 2^(k/4096) e^r with 2^(k/4096) from two tables of 64 entries and e^r - 1 from seven
//! terms of its series, |r| <= 2^-13.5.

use super::tables::constants::{LN2, LN2_4096TH, LN2_4096THS, LN10, LOG10_2_4096TH, LOG10_2_4096THS, SIXTH};
use super::tables::exp::{EXP2_COARSE, EXP2_FINE};
use super::{Nearest, nearest};
use crate::Dd;
use crate::eft::two_sum;

/// e^(x+e), relative error at most 2^-104.
#[inline(always)]
#[must_use]
pub fn exp(x: f64, e: f64) -> Dd {
    exp_dd(Dd::from_residue(x, e))
}

/// 2^(x+e), relative error at most 2^-104.
#[inline(always)]
#[must_use]
pub fn exp2(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    match out_of_range(a.hi, 1075.0) {
        Some(limit) => limit,
        None => {
            let k = nearest(a.hi * 4096.0);
            let (t, t_low) = two_sum(a.hi - k.value * (1.0 / 4096.0), a.lo);
            power(k.integer, Dd::new(t, t_low) * LN2).value()
        }
    }
}

/// 10^(x+e), relative error at most 2^-104.
#[inline(always)]
#[must_use]
pub fn exp10(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    match out_of_range(a.hi, 324.0) {
        Some(limit) => limit,
        None => {
            let k = nearest(a.hi * LOG10_2_4096THS);
            power(k.integer, reduced(a, k, &LOG10_2_4096TH) * LN10).value()
        }
    }
}

/// e^(x+e) - 1, relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn expm1(x: f64, e: f64) -> Dd {
    expm1_dd(Dd::from_residue(x, e))
}

#[inline(always)]
pub(super) fn exp_dd(a: Dd) -> Dd {
    match out_of_range(a.hi, 746.0) {
        Some(limit) => limit,
        None => exp_power(a).value(),
    }
}

/// e^a for |a| < 746, with the power of two apart so that what is done next cannot overflow.
#[inline(always)]
pub(super) fn exp_power(a: Dd) -> Power {
    let k = nearest(a.hi * LN2_4096THS);
    power(k.integer, reduced(a, k, &LN2_4096TH))
}

#[inline(always)]
pub(super) fn expm1_dd(a: Dd) -> Dd {
    if a.hi < -80.0 {
        return Dd::new(-1.0, 0.0); // e^-80 < 2^-115
    }
    if let Some(limit) = out_of_range(a.hi, 746.0) {
        return limit;
    }
    if a.hi == 0.0 {
        return a;
    }
    let p = exp_power(a);
    if p.is_near_one {
        return p.minus_one;
    }
    let y = p.value();
    if y.hi > 1e40 { y } else { Dd::new(-1.0, 0.0) + y }
}

/// What an exponential is when its argument is NaN or beyond `limit` on either side.
#[inline(always)]
fn out_of_range(x: f64, limit: f64) -> Option<Dd> {
    if x.abs() < limit {
        None
    } else if x.is_nan() {
        Some(Dd::NAN)
    } else if x > 0.0 {
        Some(Dd::INFINITY)
    } else {
        Some(Dd::ZERO)
    }
}

/// `a - k unit` where `unit` is the sum of its parts, to about 2^-108 absolute.
///
/// The first step is exact: with |k unit| near |a|, the result is a multiple of the last place of `unit[0]` (or of `a`)
/// and less than 2^53 of them.
#[inline(always)]
fn reduced(a: Dd, k: Nearest, unit: &[f64; 3]) -> Dd {
    let t = (-k.value).mul_add(unit[0], a.hi);
    let second = Dd::product(k.value, unit[1]);
    let (s, s_low) = two_sum(t, -second.hi);
    let (v, v_low) = two_sum(s, a.lo);
    let rest = (-k.value).mul_add(unit[2], s_low - second.lo);
    Dd::renormalized(v, v_low + rest)
}

/// A power of e as `mantissa 2^exponent`.
#[derive(Clone, Copy)]
pub(super) struct Power {
    pub(super) mantissa: Dd,
    pub(super) exponent: i32,
    /// The power minus one, to full relative precision; only where `is_near_one`.
    minus_one: Dd,
    is_near_one: bool,
}

impl Power {
    /// The number itself: infinite on overflow, rounded to what subnormals hold on underflow.
    #[inline(always)]
    pub(super) fn value(self) -> Dd {
        scaled_by_power(self.mantissa, self.exponent)
    }
}

/// `y 2^n` in two steps, for |n| <= 2040 and `y` near 1.
#[inline(always)]
pub(super) fn scaled_by_power(y: Dd, n: i32) -> Dd {
    let half = n >> 1;
    let z = y.scaled(power_of_two_in_range(half)).scaled(power_of_two_in_range(n - half));
    if z.hi.abs() < f64::INFINITY { z } else { Dd::new(z.hi, 0.0) }
}

#[inline(always)]
fn power_of_two_in_range(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// 2^(k/4096) e^r
#[inline(always)]
fn power(k: i32, r: Dd) -> Power {
    let coarse = (k + 32) >> 6;
    let fine = EXP2_FINE[((k + 32) & 63) as usize];
    let table = EXP2_COARSE[(coarse & 63) as usize];
    let p = expm1_small(r);
    let q = fine.add_smaller_loose(p).add_smaller(fine.mul_loose(p));
    Power {
        mantissa: table.add_smaller(table.mul_loose(q)),
        exponent: coarse >> 6,
        minus_one: q,
        is_near_one: coarse == 0,
    }
}

/// e^r - 1 for |r| < 2^-13, relative error 2^-100.
#[inline(always)]
fn expm1_small(r: Dd) -> Dd {
    let x = r.hi;
    let tail = x.mul_add(x.mul_add(x.mul_add(1.0 / 5040.0, 1.0 / 720.0), 1.0 / 120.0), 1.0 / 24.0);
    let c = Dd::renormalized(SIXTH.hi, x.mul_add(tail, SIXTH.lo));
    let b = Dd::new(0.5, 0.0).add_smaller_loose(r.mul_loose(c));
    r.add_smaller_loose(r.square_loose().mul_loose(b))
}
