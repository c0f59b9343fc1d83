//! Hyperbolic functions and their inverses, from `expm1` and `log1p` so that nothing cancels near 0.

use super::exp::{exp_power, expm1_dd, scaled_by_power};
use super::log::{log_dd, log1p_dd};
use super::tables::constants::LN2;
use crate::Dd;

/// Beyond it e^-2x is less than 2^-115.
const ONE_SIDED: f64 = 40.0;
/// Beyond it sinh overflows.
const OVERFLOW: f64 = 711.0;
/// Beyond it x^2 + 1 is x^2 to 2^-120.
const LARGE: f64 = 1_152_921_504_606_846_976.0; // 2^60

/// sinh(x+e), relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn sinh(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    let y = sinh_of_positive(a.abs());
    if a.hi.is_sign_negative() { -y } else { y }
}

#[inline(always)]
fn sinh_of_positive(a: Dd) -> Dd {
    if a.hi > ONE_SIDED {
        return half_exp(a);
    }
    if a.hi == 0.0 || a.hi.is_nan() {
        return a;
    }
    let m = expm1_dd(a);
    (m + m.div_by_reciprocal(m.add_f64(1.0))).scaled(0.5)
}

/// cosh(x+e), relative error at most 2^-103.
#[inline(always)]
#[must_use]
pub fn cosh(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e).abs();
    if a.hi > ONE_SIDED {
        return half_exp(a);
    }
    if a.hi.is_nan() {
        return a;
    }
    let y = exp_power(a).value();
    y.add_smaller(Dd::ONE.div_by_reciprocal(y)).scaled(0.5)
}

/// e^a / 2, which can be finite when e^a is not.
#[inline(always)]
fn half_exp(a: Dd) -> Dd {
    if a.hi > OVERFLOW {
        return Dd::INFINITY;
    }
    let p = exp_power(a);
    scaled_by_power(p.mantissa, p.exponent - 1)
}

/// tanh(x+e), relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn tanh(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    let positive = a.abs();
    let y = if positive.hi > ONE_SIDED {
        Dd::ONE
    } else if positive.hi == 0.0 || a.hi.is_nan() {
        positive
    } else {
        let m = expm1_dd(positive.scaled(2.0));
        m.div_by_reciprocal(m.add_f64(2.0))
    };
    if a.hi.is_sign_negative() { -y } else { y }
}

/// asinh(x+e), relative error at most 2^-96.
#[inline(always)]
#[must_use]
pub fn asinh(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    let positive = a.abs();
    let y = if positive.hi > LARGE {
        log_of_double(positive)
    } else if positive.hi == 0.0 || a.hi.is_nan() {
        positive
    } else {
        let square = positive.square();
        let root = square.add_f64(1.0).sqrt();
        if positive.hi > 0.25 {
            log_dd(root.add_smaller(positive))
        } else {
            // a + sqrt(a^2 + 1) = 1 + a + a^2 / (1 + sqrt(a^2 + 1))
            log1p_dd(positive.add_smaller(square.div_by_reciprocal(root.add_f64(1.0))))
        }
    };
    if a.hi.is_sign_negative() { -y } else { y }
}

/// acosh(x+e), relative error at most 2^-96; NaN below 1.
#[inline(always)]
#[must_use]
pub fn acosh(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    if a.hi > LARGE {
        return log_of_double(a);
    }
    let t = a.add_f64(-1.0);
    if t.hi < 0.0 || t.hi.is_nan() {
        return Dd::NAN;
    }
    // a + sqrt(a^2 - 1) = 1 + t + sqrt(t (t + 2)) with t = a - 1
    log1p_dd(t + (t * t.add_f64(2.0)).sqrt())
}

/// ln(2a)
#[inline(always)]
fn log_of_double(a: Dd) -> Dd {
    let y = log_dd(a);
    if y.hi.is_finite() { y + LN2 } else { y }
}

/// atanh(x+e), relative error at most 2^-96; NaN outside of -1..1.
#[inline(always)]
#[must_use]
pub fn atanh(x: f64, e: f64) -> Dd {
    let a = Dd::from_residue(x, e);
    let positive = a.abs();
    let y = if positive.hi == 0.0 {
        positive
    } else {
        let below_one = Dd::ONE - positive;
        if below_one.hi == 0.0 {
            Dd::INFINITY
        } else if below_one.hi > 0.0 {
            log1p_dd(positive.scaled(2.0).div_by_reciprocal(below_one)).scaled(0.5)
        } else {
            Dd::NAN
        }
    };
    if a.hi.is_sign_negative() { -y } else { y }
}
