//! The elementary functions of an ideal argument `x + e`, in double-double.
//!
//! Each `f(x, e)` evaluates f at the exact sum of its arguments; `e` may be of any size. The relative error stated with
//! each function is what its tests hold it to against MPFR; the worst of a million samples, which the example
//! `libm_accuracy` prints, is at least half a bit smaller. Results so small that their low part is subnormal have an
//! absolute error of 2^-1073 instead. None of this is proven.
//!
//! [`residue_of`] has the same functions as residues, [`with_fma`] both of them compiled for processors that have a fused
//! multiply-add: where the compiler may not assume one, each `mul_add` is a call, and all of this takes two to three
//! times as long (the example `libm_speed` prints both).
//!
//! Arguments outside the domain give NaN, poles give infinities, as IEEE 754 has it for `x + e`.

pub mod exp;
pub mod hyperbolic;
pub mod inverse_trig;
pub mod log;
pub mod pow;
mod reduce;
pub mod residue_of;
pub mod roots;
mod tables;
pub mod trig;
#[cfg(target_arch = "x86_64")]
pub mod with_fma;

pub use exp::{exp, exp2, exp10, expm1};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use inverse_trig::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use pow::pow;
pub use roots::{cbrt, hypot};
pub use trig::{cos, sin, sincos, tan};

/// Calls the macro `$m` with the names of all functions of one argument.
#[macro_export]
macro_rules! for_each_unary {
    ($m:ident) => {
        $m! {
            exp exp2 exp10 expm1
            log log2 log10 log1p
            sin cos tan
            asin acos atan
            sinh cosh tanh
            asinh acosh atanh
            cbrt
        }
    };
}

/// Calls the macro `$m` with the names of all functions of two arguments.
#[macro_export]
macro_rules! for_each_binary {
    ($m:ident) => {
        $m! { atan2 pow hypot }
    };
}

/// The integer nearest to a number, both ways.
#[derive(Clone, Copy)]
struct Nearest {
    value: f64,
    integer: i32,
}

/// The integer nearest to `x`, for |x| < 2^31.
#[inline(always)]
fn nearest(x: f64) -> Nearest {
    // Adding 1.5 * 2^52 leaves the integer in the low bits of the sum.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    let shifted = x + SHIFT;
    Nearest { value: shifted - SHIFT, integer: shifted.to_bits() as i32 }
}
