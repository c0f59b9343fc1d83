//! The evaluators behind `abi::libm`: a better evaluation of each mathematical function, never
//! the function's own instructions. Called from instrumented code for every call of libm, so warm.
//!
//! Three a function: `__nonius_r_f` gives the residue of a double result, `__nonius_w_f` the
//! function on ideals kept as doubles, `__nonius_q_f` on ideals kept as quads. The doubles are
//! computed in Rust: the C library's functions of those names might be the program's own.

pub mod complex;
pub mod exact;

use crate::doubts;
use crate::fenv::Usual;
use exact::{fraction, logb, scale, unscale};
use nonius_abi::Precision;
use nonius_abi::hooks::doubt;
use nonius_numerics::libm::{residue_of, with_fma};
use nonius_numerics::residue;
use pastey::paste;
use std::sync::atomic::{AtomicU8, Ordering};

/// Exports what all functions of one shape have: the wide evaluator and the quad one.
///
/// Quads pass through in the register they came in: a jump, since Rust has no stable type for them.
macro_rules! evaluators {
    ($arguments:tt: $($name:ident = $wide:expr;)*) => { $(evaluators!(@ $arguments $name = $wide);)* };
    (@ ($($arg:ident: $ty:ident),*) $name:ident = $wide:expr) => { paste! {
        #[unsafe(no_mangle)]
        pub extern "C" fn [<__nonius_w_ $name>]($($arg: $ty),*) -> f64 {
            let _usual = Usual::enter();
            $wide($($arg),*)
        }

        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn [<__nonius_q_ $name>]() {
            unsafe extern "C" {
                // Only jumped to, hence without arguments.
                fn [<nonius_quad_ $name>]();
            }
            std::arch::naked_asm!("jmp {quad}", quad = sym [<nonius_quad_ $name>])
        }
    } };
}

/// The residue, or the mark of a result that has no ideal: the ideal argument is outside of the function's domain.
#[inline]
fn or_doubt(residue: f64, z: f64) -> f64 {
    if residue.is_nan() { without_ideal(z) } else { residue }
}

#[cold]
fn without_ideal(z: f64) -> f64 {
    doubts::note_without_ideal();
    if z == 0.0 { doubt(Precision::Double) } else { 0.0 }
}

/// Exports residues in double-double, compiled for the processor that there is.
macro_rules! residues_in_double_double {
    ($arguments:tt: $($name:ident)*) => { $(residues_in_double_double!(@ $arguments $name);)* };
    (@ ($($arg:ident),*) $name:ident) => { paste! {
        #[unsafe(no_mangle)]
        pub extern "C" fn [<__nonius_r_ $name>]($($arg: f64),*, z: f64) -> f64 {
            let _usual = Usual::enter();
            let residue = if has_fma() {
                // SAFETY: the processor has AVX2 and FMA.
                unsafe { with_fma::residue_of::$name($($arg),*, z) }
            } else {
                residue_of::$name($($arg),*, z)
            };
            or_doubt(residue, z)
        }
    } };
}

/// Exports residues in quad, by `quad.c`.
macro_rules! residues_in_quad {
    ($arguments:tt: $($name:ident)*) => { $(residues_in_quad!(@ $arguments $name);)* };
    (@ ($($arg:ident: $ty:ident),*) $name:ident) => { paste! {
        #[unsafe(no_mangle)]
        pub extern "C" fn [<__nonius_r_ $name>]($($arg: $ty),*) -> f64 {
            let _usual = Usual::enter();
            unsafe extern "C" {
                // SAFETY: a pure function of numbers, defined in `quad.c` with these types.
                safe fn [<nonius_residue_ $name>]($($arg: $ty),*) -> f64;
            }
            [<nonius_residue_ $name>]($($arg),*)
        }
    } };
}

/// Whether the processor has AVX2 and FMA.
#[inline]
fn has_fma() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    match KNOWN.load(Ordering::Relaxed) {
        0 => {
            let has = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
            KNOWN.store(if has { 1 } else { 2 }, Ordering::Relaxed);
            has
        }
        known => known == 1,
    }
}

residues_in_double_double! { (x, ex):
    sin cos tan asin acos atan sinh cosh tanh asinh acosh
    atanh exp exp2 exp10 expm1 log log2 log10 log1p cbrt
}
residues_in_double_double! { (x, ex, y, ey): pow atan2 hypot }
residues_in_quad! { (x: f64, ex: f64, z: f64): erf erfc tgamma lgamma j0 j1 y0 y1 }
residues_in_quad! { (n: i64, x: f64, ex: f64, z: f64): jn yn }

/// The square root is no series: its remainder is exact with one fused multiply-add.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_r_sqrt(x: f64, ex: f64, z: f64) -> f64 {
    #[target_feature(enable = "fma")]
    fn with_fma(x: f64, ex: f64, z: f64) -> f64 {
        residue::sqrt(x, ex, z)
    }
    let _usual = Usual::enter();
    let residue = if has_fma() {
        // SAFETY: the processor has FMA.
        unsafe { with_fma(x, ex, z) }
    } else {
        residue::sqrt(x, ex, z)
    };
    or_doubt(residue, z)
}

/// A large angle's last digits, which a double may have lost, are all that counts.
fn of_angle(f: fn(f64) -> f64, x: f64) -> f64 {
    let z = f(x);
    doubts::note_condition(x.abs() / z.abs().max(1.0));
    z
}

/// Of `(1 + 1/n)^n` with a large n a double may have lost what makes it e instead of 1.
fn power(x: f64, y: f64) -> f64 {
    let z = libm::pow(x, y);
    if z.is_finite() && z != 0.0 {
        doubts::note_condition(y.abs());
    }
    z
}

/// What is left of a large dividend are its last digits.
fn of_remainder(f: fn(f64, f64) -> f64, x: f64, y: f64) -> f64 {
    doubts::note_condition((x / y).abs());
    f(x, y)
}

evaluators! { (x: f64):
    sqrt = f64::sqrt;
    sin = |x| of_angle(libm::sin, x);
    cos = |x| of_angle(libm::cos, x);
    tan = |x| of_angle(libm::tan, x);
    asin = libm::asin;
    acos = libm::acos;
    atan = libm::atan;
    sinh = libm::sinh;
    cosh = libm::cosh;
    tanh = libm::tanh;
    asinh = libm::asinh;
    acosh = libm::acosh;
    atanh = libm::atanh;
    exp = libm::exp;
    exp2 = libm::exp2;
    exp10 = libm::exp10;
    expm1 = libm::expm1;
    log = libm::log;
    log2 = libm::log2;
    log10 = libm::log10;
    log1p = libm::log1p;
    cbrt = libm::cbrt;
    erf = libm::erf;
    erfc = libm::erfc;
    tgamma = libm::tgamma;
    lgamma = libm::lgamma;
    j0 = libm::j0;
    j1 = libm::j1;
    y0 = libm::y0;
    y1 = libm::y1;
    floor = libm::floor;
    ceil = libm::ceil;
    trunc = libm::trunc;
    round = libm::round;
    rint = libm::rint;
    roundeven = libm::roundeven;
    logb = logb;
    modf = fraction;
}
evaluators! { (x: f64, y: f64):
    pow = power;
    atan2 = libm::atan2;
    hypot = libm::hypot;
    fmod = |x, y| of_remainder(libm::fmod, x, y);
    remainder = |x, y| of_remainder(libm::remainder, x, y);
    fdim = libm::fdim;
    nextafter = libm::nextafter;
}
evaluators! { (x: f64, n: i64):
    ldexp = scale;
    frexp = unscale;
}
evaluators! { (n: i64, x: f64):
    jn = |n, x| libm::jn(exact::as_i32(n), x);
    yn = |n, x| libm::yn(exact::as_i32(n), x);
}

/// Every function of the list has its evaluators, of the types that its arguments say: a missing one does not compile.
macro_rules! all_are_here {
    ($($arguments:tt: $($variant:ident = $name:ident),*;)*) => { $($(all_are_here!(@ $arguments $name);)*)* };
    (@ (x) $name:ident) => { paste! { const _: (extern "C" fn(f64) -> f64, extern "C" fn(f64, f64, f64) -> f64) =
        ([<__nonius_w_ $name>], residues::[<__nonius_r_ $name>]); } };
    (@ (x, y) $name:ident) => { paste! {
        const _: (extern "C" fn(f64, f64) -> f64, extern "C" fn(f64, f64, f64, f64, f64) -> f64) =
            ([<__nonius_w_ $name>], residues::[<__nonius_r_ $name>]); } };
    (@ (x, n) $name:ident) => { paste! {
        const _: (extern "C" fn(f64, i64) -> f64, extern "C" fn(f64, f64, i64, f64) -> f64) =
            ([<__nonius_w_ $name>], residues::[<__nonius_r_ $name>]); } };
    (@ (n, x) $name:ident) => { paste! {
        const _: (extern "C" fn(i64, f64) -> f64, extern "C" fn(i64, f64, f64, f64) -> f64) =
            ([<__nonius_w_ $name>], residues::[<__nonius_r_ $name>]); } };
}

/// Residues are in two files.
mod residues {
    pub use super::exact::*;
    pub use super::*;
}

nonius_abi::for_each_function!(all_are_here);
