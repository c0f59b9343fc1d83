//! The residue of a result `z` of an elementary function: f(x + e) - z.
//!
//! 0 when the argument, the ideal or `z` is not finite, and when the ideal underflows; NaN when there is no ideal, where the
//! function has a result and the ideal argument is outside of its domain.

use crate::Dd;
use crate::residue::finite_or_zero;

/// The residue of `z` whose ideal is `ideal`, where that is something to be precise about.
#[inline(always)]
fn from_ideal(ideal: Dd, z: f64) -> f64 {
    let underflows = ideal.hi.abs() < f64::MIN_POSITIVE && ideal.hi != 0.0;
    match () {
        () if underflows => 0.0,
        () if ideal.hi.is_nan() && z.is_finite() => f64::NAN,
        () => finite_or_zero(ideal.minus_actual(z)),
    }
}

macro_rules! unary {
    ($($f:ident)*) => {$(
        #[inline(always)]
        #[must_use]
        pub fn $f(x: f64, e: f64, z: f64) -> f64 {
            if (x + e).is_finite() { from_ideal(super::$f(x, e), z) } else { 0.0 }
        }
    )*};
}
crate::for_each_unary!(unary);

macro_rules! binary {
    ($($f:ident)*) => {$(
        #[inline(always)]
        #[must_use]
        pub fn $f(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> f64 {
            let is_finite = (x + e_x).is_finite() && (y + e_y).is_finite();
            if is_finite { from_ideal(super::$f(x, e_x, y, e_y), z) } else { 0.0 }
        }
    )*};
}
crate::for_each_binary!(binary);

/// Both residues of `sincos`.
#[inline(always)]
#[must_use]
pub fn sincos(x: f64, e: f64, sine: f64, cosine: f64) -> (f64, f64) {
    if !(x + e).is_finite() {
        return (0.0, 0.0);
    }
    let (ideal_sine, ideal_cosine) = super::sincos(x, e);
    (from_ideal(ideal_sine, sine), from_ideal(ideal_cosine, cosine))
}
