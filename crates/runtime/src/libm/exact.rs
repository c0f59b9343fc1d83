//! Functions whose results are exact, or jump: their residues need no better evaluation (`nonius_numerics::exact`, which
//! the event engine has too).

use crate::fenv::Usual;
use nonius_numerics::Precision::Double;
use nonius_numerics::exact::{self, Quotient};

/// Exports residues by the functions below.
macro_rules! residues {
    ($arguments:tt: $($name:ident = $residue:expr;)*) => { $(residues!(@ $arguments $name = $residue);)* };
    (@ ($($arg:ident: $ty:ident),*) $name:ident = $residue:expr) => { pastey::paste! {
        #[unsafe(no_mangle)]
        pub extern "C" fn [<__nonius_r_ $name>]($($arg: $ty),*) -> f64 {
            let _usual = Usual::enter();
            $residue
        }
    } };
}

residues! { (x: f64, ex: f64, z: f64):
    floor = exact::floor(Double, x, ex, z);
    ceil = exact::ceil(Double, x, ex, z);
    trunc = exact::trunc(Double, x, ex, z);
    round = exact::round(Double, x, ex, z);
    rint = exact::rint(Double, x, ex, z);
    roundeven = exact::rint(Double, x, ex, z);
    logb = exact::logb(Double, x, ex, z);
    modf = { let _ = z; exact::fraction(Double, x, ex) };
}
residues! { (x: f64, ex: f64, y: f64, ey: f64, z: f64):
    fmod = exact::remainder(Quotient::Truncated, x, ex, y, ey, z);
    remainder = exact::remainder(Quotient::Nearest, x, ex, y, ey, z);
    fdim = exact::fdim(x, ex, y, ey, z);
    nextafter = { let _ = (y, ey); exact::nextafter(x, ex, z) };
}
residues! { (x: f64, ex: f64, n: i64, z: f64):
    ldexp = exact::ldexp(x, ex, as_i32(n), z);
    frexp = if (x + z).is_finite() { exact::frexp(ex, as_i32(n)) } else { 0.0 };
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
