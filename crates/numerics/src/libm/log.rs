//! Logarithms.
//!
//! x = 2^k m with m within a factor of the square root of 2 from 1. A table of 129 factors brings m to 1 + r with
//! |r| <= 2^-8, a second one of 129 to |r| <= 2^-14.4, and seven terms of log(1 + r) do the rest. Around x = 1 all
//! table values are 0 and r is x - 1 exactly, so the result keeps its relative precision there.

use super::nearest;
use super::tables::constants::{LN2_HEAD, LN2_TAIL, LOG2_E, LOG10_E, THIRD};
use super::tables::log::{LOG_COARSE, LOG_FINE};
use crate::Dd;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// ln(x+e), relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn log(x: f64, e: f64) -> Dd {
    log_dd(Dd::from_residue(x, e))
}

/// log2(x+e), relative error at most 2^-96; exact for powers of two.
#[inline(always)]
#[must_use]
pub fn log2(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    match outside_domain(a.hi) {
        Some(limit) => limit,
        None => {
            let s = Split::of(a);
            Dd::from(s.exponent).add_smaller(s.log_of_significand() * LOG2_E)
        }
    }
}

/// log10(x+e), relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn log10(x: f64, e: f64) -> Dd {
    let y = log_dd(Dd::from_residue(x, e));
    if y.hi.is_finite() { y * LOG10_E } else { y }
}

/// ln(1+x+e), relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn log1p(x: f64, e: f64) -> Dd {
    log1p_dd(Dd::from_residue(x, e))
}

#[inline(always)]
pub(super) fn log_dd(a: Dd) -> Dd {
    match outside_domain(a.hi) {
        Some(limit) => limit,
        None => {
            let s = Split::of(a);
            s.log_of_two_power().add_smaller(s.log_of_significand())
        }
    }
}

#[inline(always)]
pub(super) fn log1p_dd(a: Dd) -> Dd {
    if a.hi.abs() < 1.0 / 256.0 {
        return if a.hi == 0.0 { a } else { log1p_by_table(a, Dd::ZERO) };
    }
    let (s, t) = two_sum(1.0, a.hi);
    if !s.is_finite() {
        return log_dd(Dd::from(s));
    }
    let (hi, mid) = two_sum(s, a.lo);
    log_dd(Dd::renormalized(hi, mid + t))
}

/// What a logarithm is where it is not a finite number.
#[inline(always)]
fn outside_domain(x: f64) -> Option<Dd> {
    if x > 0.0 && x < f64::INFINITY {
        None
    } else if x == 0.0 {
        Some(-Dd::INFINITY)
    } else if x == f64::INFINITY {
        Some(Dd::INFINITY)
    } else {
        Some(Dd::NAN)
    }
}

/// A positive number as 2^exponent (1 + r) / factor.
struct Split {
    exponent: f64,
    r: Dd,
    minus_log_factor: Dd,
}

impl Split {
    #[inline(always)]
    fn of(a: Dd) -> Split {
        const TINY: f64 = f64::from_bits(0x0400_0000_0000_0000); // 2^-959
        const HUGE: f64 = f64::from_bits(0x7e00_0000_0000_0000); // 2^993
        const UP: f64 = f64::from_bits(0x47f0_0000_0000_0000); // 2^128
        // Keep the scaling below, and the low part, among normal numbers.
        let (a, bias) = if a.hi < TINY {
            (a.scaled(UP), 128)
        } else if a.hi > HUGE {
            (a.scaled(1.0 / UP), -128)
        } else {
            (a, 0)
        };
        let bits = a.hi.to_bits();
        let biased = (bits >> 52) as i32;
        let scale = f64::from_bits(((2046 - biased) as u64) << 52);
        let m = a.hi * scale;
        // Rounds to the nearest 128th.
        let index = (((bits & 0x000f_ffff_ffff_ffff) + (1 << 44)) >> 45) as usize;
        let entry = &LOG_COARSE[index & 0xff];
        let exponent = biased - 1023 - bias + i32::from(index > 53);
        let (p, p_low) = two_prod(m, entry.factor);
        // p - 1 is exact. Where the factor is not 1 it can be the smaller part, but then an error of 2^-106 is nothing.
        let r = Dd::renormalized(p - 1.0, (a.lo * scale).mul_add(entry.factor, p_low));
        Split { exponent: f64::from(exponent), r, minus_log_factor: entry.minus_log }
    }

    #[inline(always)]
    fn log_of_two_power(&self) -> Dd {
        let head = self.exponent * LN2_HEAD;
        Dd::from(head).add_smaller(LN2_TAIL.mul_f64(self.exponent))
    }

    #[inline(always)]
    fn log_of_significand(&self) -> Dd {
        log1p_by_table(self.r, self.minus_log_factor)
    }
}

/// base + ln(1 + r) for |r| <= 2^-8 and a `base` that is 0 or not smaller than half the result.
#[inline(always)]
fn log1p_by_table(r: Dd, base: Dd) -> Dd {
    let j = nearest(r.hi * 16384.0);
    let d = j.value * (1.0 / 16384.0);
    let fine = LOG_FINE[(j.integer + 64).clamp(0, 128) as usize];
    // (1 + r)(1 - d) - 1, where r - d is exact; an error of 2^-114 here is nothing beside `fine`.
    let (rd, rd_low) = two_prod(r.hi, d);
    let (s, s_low) = two_sum(r.hi - d, -rd);
    let s = Dd::renormalized(s, s_low + (r.lo - r.lo.mul_add(d, rd_low)));
    (base + fine).add_smaller(log1p_small(s))
}

/// ln(1 + r) for |r| <= 2^-14.4, relative error 2^-103.
#[inline(always)]
fn log1p_small(r: Dd) -> Dd {
    let x = r.hi;
    let tail = x.mul_add(x.mul_add(1.0 / 7.0, -1.0 / 6.0), 1.0 / 5.0);
    // 1/3 - r/4 + r^2 tail, where r/4 is exact
    let (c, c_low) = fast_two_sum(THIRD.hi, -0.25 * x);
    let c = Dd::new(c, c_low + (x * x).mul_add(tail, (-0.25f64).mul_add(r.lo, THIRD.lo)));
    let b = Dd::new(-0.5, 0.0).add_smaller_loose(r.mul_loose(c));
    r.add_smaller_loose(r.square_loose().mul_loose(b))
}
