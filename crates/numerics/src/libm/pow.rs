//! Powers.

use super::exp::exp_dd;
use super::log::log_dd;
use crate::Dd;

/// (x + e_x)^(y + e_y), relative error at most 2^-87.
///
/// The error grows with |y ln x|, up to 745 times that of the logarithm. When the base is negative, the ideal exponent
/// counts as the integer that it rounds to: a residue of an exponent that stands for an integer would else leave the
/// ideal without a real value. NaN if it does not round to an integer.
#[inline(always)]
#[must_use]
pub fn pow(x: f64, e_x: f64, y: f64, e_y: f64) -> Dd {
    let (base, exponent) = (Dd::from_residue(x, e_x), Dd::from_residue(y, e_y));
    if exponent.hi == 0.0 || (base.hi == 1.0 && base.lo == 0.0) {
        return Dd::ONE;
    }
    if base.hi.is_nan() || exponent.hi.is_nan() {
        return Dd::NAN;
    }
    let magnitude = base.abs();
    let power = if exponent.hi.is_infinite() || magnitude.hi == 0.0 || magnitude.hi.is_infinite() {
        Dd::from(magnitude.hi.powf(exponent.hi))
    } else {
        exp_of_product(exponent, log_dd(magnitude))
    };
    if base.hi.is_sign_positive() {
        return power;
    }
    match Parity::of(exponent.hi) {
        Parity::Even => power,
        Parity::Odd => -power,
        // Zero and infinity have no sign to lose, and IEEE 754 gives them all exponents.
        Parity::NotAnInteger if base.hi == 0.0 || base.hi.is_infinite() => power,
        Parity::NotAnInteger => Dd::NAN,
    }
}

/// e^(y log_x)
#[inline(always)]
fn exp_of_product(y: Dd, log_x: Dd) -> Dd {
    const FAR: f64 = 800.0; // beyond what exp tells apart, and clear of overflow in the product
    let estimate = y.hi * log_x.hi;
    if estimate.abs() < FAR { exp_dd(y * log_x) } else { exp_dd(Dd::from(estimate)) }
}

enum Parity {
    Even,
    Odd,
    NotAnInteger,
}

impl Parity {
    #[inline(always)]
    fn of(y: f64) -> Parity {
        const ALL_EVEN: f64 = 9_007_199_254_740_992.0; // 2^53: from here on doubles are even
        if y.abs() >= ALL_EVEN {
            return Parity::Even;
        }
        let n = y as i64;
        match (n as f64 == y, n & 1) {
            (false, _) => Parity::NotAnInteger,
            (true, 0) => Parity::Even,
            (true, _) => Parity::Odd,
        }
    }
}
