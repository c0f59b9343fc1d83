//! The functions compiled for FMA give bit for bit what the plain ones give.
#![cfg(target_arch = "x86_64")]

mod common;

use common::{argument, argument_with_residue, check};
use nonius_numerics::Dd;
use nonius_numerics::libm::{self, with_fma};
use proptest::prelude::*;

fn bits(y: Dd) -> (u64, u64) {
    if y.hi.is_nan() { (0, 0) } else { (y.hi.to_bits(), y.lo.to_bits()) }
}

/// Of a residue, which is NaN where there is no ideal.
fn residue_bits(residue: f64) -> u64 {
    if residue.is_nan() { f64::NAN.to_bits() } else { residue.to_bits() }
}

/// Where the variants differ, the name of the function.
#[target_feature(enable = "avx2,fma")]
fn difference((x, e_x): (f64, f64), (y, e_y): (f64, f64)) -> Option<&'static str> {
    macro_rules! unary {
        ($($f:ident)*) => {$(
            let z = libm::$f(x, 0.0).hi;
            if bits(with_fma::$f(x, e_x)) != plain::$f(x, e_x)
                || residue_bits(with_fma::residue_of::$f(x, e_x, z)) != plain_residue::$f(x, e_x, z)
            {
                return Some(stringify!($f));
            }
        )*};
    }
    nonius_numerics::for_each_unary!(unary);
    macro_rules! binary {
        ($($f:ident)*) => {$(
            let z = libm::$f(x, 0.0, y, 0.0).hi;
            if bits(with_fma::$f(x, e_x, y, e_y)) != plain::$f(x, e_x, y, e_y)
                || residue_bits(with_fma::residue_of::$f(x, e_x, y, e_y, z)) != plain_residue::$f(x, e_x, y, e_y, z)
            {
                return Some(stringify!($f));
            }
        )*};
    }
    nonius_numerics::for_each_binary!(binary);
    let (sine, cosine) = with_fma::sincos(x, e_x);
    if (bits(sine), bits(cosine)) != (plain::sin(x, e_x), plain::cos(x, e_x)) {
        return Some("sincos");
    }
    let (sine, cosine) = with_fma::residue_of::sincos(x, e_x, 0.5, 0.25);
    if (residue_bits(sine), residue_bits(cosine)) != (plain_residue::sin(x, e_x, 0.5), plain_residue::cos(x, e_x, 0.25))
    {
        return Some("residue of sincos");
    }
    None
}

/// Out of line, so that nothing of them is compiled with the features of the caller.
mod plain {
    macro_rules! unary {
        ($($f:ident)*) => {$(
            #[inline(never)]
            pub fn $f(x: f64, e: f64) -> (u64, u64) {
                super::bits(super::libm::$f(x, e))
            }
        )*};
    }
    nonius_numerics::for_each_unary!(unary);
    macro_rules! binary {
        ($($f:ident)*) => {$(
            #[inline(never)]
            pub fn $f(x: f64, e_x: f64, y: f64, e_y: f64) -> (u64, u64) {
                super::bits(super::libm::$f(x, e_x, y, e_y))
            }
        )*};
    }
    nonius_numerics::for_each_binary!(binary);
}

mod plain_residue {
    macro_rules! unary {
        ($($f:ident)*) => {$(
            #[inline(never)]
            pub fn $f(x: f64, e: f64, z: f64) -> u64 {
                super::residue_bits(super::libm::residue_of::$f(x, e, z))
            }
        )*};
    }
    nonius_numerics::for_each_unary!(unary);
    macro_rules! binary {
        ($($f:ident)*) => {$(
            #[inline(never)]
            pub fn $f(x: f64, e_x: f64, y: f64, e_y: f64, z: f64) -> u64 {
                super::residue_bits(super::libm::residue_of::$f(x, e_x, y, e_y, z))
            }
        )*};
    }
    nonius_numerics::for_each_binary!(binary);
}

#[test]
fn variants_agree() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        eprintln!("not run: this processor has no AVX2 and FMA");
        return;
    }
    let operand = || argument_with_residue(argument());
    check(1000, (operand(), operand()), |(x, y)| {
        // SAFETY: the processor has the features that the function is compiled for.
        let differs = unsafe { difference(x, y) };
        prop_assert_eq!(differs, None);
        Ok(())
    });
}
