//! Functions whose results are exact, or jump: their residues need no better evaluation.
//!
//! Step functions (`floor` and the like) round the ideal to double first, so that a residue below
//! half an ulp never jumps a step that the program could not have seen. Remainders keep the
//! integer quotient of the rounded ideals, and move smoothly with it.

use crate::fenv::Usual;
use nonius_numerics::residue::{self, finite_or_zero};

/// Exports residues by the functions below.
macro_rules! residues {
    ($arguments:tt: $($name:ident = $residue:expr;)*) => { $(residues!(@ $arguments $name = $residue);)* };
    (@ ($($arg:ident: $ty:ident),*) $name:ident = $residue:expr) => { pastey::paste! {
        #[unsafe(no_mangle)]
        pub extern "C" fn [<__nonius_r_ $name>]($($arg: $ty),*) -> f64 {
            let _usual = Usual::enter();
            finite_or_zero($residue)
        }
    } };
}

residues! { (x: f64, ex: f64, z: f64):
    floor = libm::floor(x + ex) - z;
    ceil = libm::ceil(x + ex) - z;
    trunc = libm::trunc(x + ex) - z;
    round = libm::round(x + ex) - z;
    rint = libm::rint(x + ex) - z;
    roundeven = libm::roundeven(x + ex) - z;
    logb = logb(x + ex) - z;
    // With the whole part of `trunc`, so that both add up to the ideal.
    modf = (x - libm::trunc(x + ex) - z) + ex;
}
residues! { (x: f64, ex: f64, y: f64, ey: f64, z: f64):
    fmod = of_remainder(libm::fmod, x, ex, y, ey, z);
    remainder = of_remainder(libm::remainder, x, ex, y, ey, z);
    fdim = of_difference(x, ex, y, ey, z);
    // The step to the neighbour is the program's own; the error of `x` stays.
    nextafter = if (x + z).is_finite() && (y + ey).is_finite() { ex } else { 0.0 };
}
residues! { (x: f64, ex: f64, n: i64, z: f64):
    ldexp = if (x + z).is_finite() { scale(ex, n) } else { 0.0 };
    // The exponent is the program's own.
    frexp = if (x + z).is_finite() { unscale(ex, n) } else { 0.0 };
}

/// z = x - n y exactly, with the program's integer n; ideally n is that of the rounded ideals.
fn of_remainder(f: fn(f64, f64) -> f64, x: f64, ex: f64, y: f64, ey: f64, z: f64) -> f64 {
    let (rounded_x, rounded_y) = (x + ex, y + ey);
    let quotient = |x: f64, y: f64, z: f64| libm::rint((x - z) / y);
    let actual = quotient(x, y, z);
    let ideal = quotient(rounded_x, rounded_y, f(rounded_x, rounded_y));
    (actual - ideal) * y + libm::fma(-ideal, ey, ex)
}

fn of_difference(x: f64, ex: f64, y: f64, ey: f64, z: f64) -> f64 {
    if residue::ideal_difference(x, ex, y, ey) > 0.0 { residue::sub(x, ex, y, ey, x - y) + ((x - y) - z) } else { -z }
}

/// An order or exponent, as far as it makes a difference.
pub fn as_i32(n: i64) -> i32 {
    n.clamp(-i64::from(i32::MAX), i64::from(i32::MAX)) as i32
}

/// x 2^n.
pub fn scale(x: f64, n: i64) -> f64 {
    libm::scalbn(x, as_i32(n))
}

/// The fraction of `frexp`, given the exponent that the program got.
pub fn unscale(x: f64, exponent: i64) -> f64 {
    scale(x, exponent.saturating_neg())
}

/// The fraction of `modf`.
pub fn fraction(x: f64) -> f64 {
    if x.is_infinite() { 0.0 } else { x - libm::trunc(x) }
}

pub fn logb(x: f64) -> f64 {
    match x {
        0.0 => f64::NEG_INFINITY,
        _ if !x.is_finite() => x * x,
        _ => f64::from(libm::ilogb(x)),
    }
}
