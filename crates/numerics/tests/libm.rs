//! The elementary functions against MPFR, over the whole range of arguments and residues.

mod common;

use common::{
    Binary, Distance, Unary, argument, argument_with_residue, big, binary_functions, check, distance, exact_sum,
    nudged, power_arguments, unary_functions,
};
use nonius_numerics::{Dd, libm};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rug::Float;

const CASES: u32 = 3000;

/// The double-double is within the bound that the function promises.
fn close_enough(y: Dd, exact: &Float, bound: i32) -> Result<(), TestCaseError> {
    match distance(y, exact) {
        Distance::Same => Ok(()),
        Distance::Relative(log2) => {
            prop_assert!(log2 <= f64::from(bound), "{y:?} is off by 2^{log2:.2}, {exact:.40} is right");
            Ok(())
        }
        Distance::Apart => Err(TestCaseError::fail(format!("{y:?} is not {exact:.40}"))),
    }
}

/// The residue of `z` is `exact - z`, or 0 where there is nothing to be precise about.
fn residue_is(actual: f64, exact: &Float, z: f64, bound: i32) -> Result<(), TestCaseError> {
    let ideal = exact.to_f64();
    let underflows = ideal != 0.0 && ideal.abs() < f64::MIN_POSITIVE * 1.001;
    if ideal.abs() == f64::MAX {
        return Ok(()); // on the edge of overflow, either way will do
    }
    if !ideal.is_finite() || !z.is_finite() || underflows {
        // Next to the smallest normal number, and to the smallest of all, the two may round to different sides.
        let on_the_edge = underflows && !(f64::from_bits(2)..f64::MIN_POSITIVE * 0.999).contains(&ideal.abs());
        prop_assert!(actual == 0.0 || on_the_edge, "{actual:e} is not 0");
        return Ok(());
    }
    let expected = Float::with_val(common::PREC, exact - z);
    if expected.to_f64().is_infinite() {
        prop_assert_eq!(actual, 0.0);
        return Ok(());
    }
    let error = Float::with_val(common::PREC, &expected - actual).abs();
    let allowed = Float::with_val(53, expected.abs_ref()) * 2f64.powi(-52)
        + Float::with_val(53, exact.abs_ref()) * 2f64.powi(bound)
        + f64::from_bits(2);
    prop_assert!(error <= allowed, "residue {actual:e} of {z:e}, {:e} is right", expected.to_f64());
    Ok(())
}

fn unary_on(f: &Unary, x: f64, e: f64, ulps: i64) -> Result<(), TestCaseError> {
    if !(x + e).is_finite() {
        return Ok(());
    }
    let exact = (f.exact)(&exact_sum(x, e));
    close_enough((f.dd)(x, e), &exact, f.bound)?;
    let z = nudged(exact.to_f64(), ulps);
    residue_is((f.residue)(x, e, z), &exact, z, f.bound)
}

fn check_unary(name: &str) {
    let functions = unary_functions();
    let f = functions.iter().find(|f| f.name == name).expect("a known function");
    check(CASES, (argument_with_residue(argument()), -4i64..4), |((x, e), ulps)| {
        unary_on(f, x, e, ulps)?;
        let inside = (f.into_domain)(x);
        unary_on(f, inside, if x == 0.0 { 0.0 } else { e * (inside / x) }, ulps)
    });
}

fn check_binary(name: &str, arguments: impl Strategy<Value = ((f64, f64), (f64, f64))>) {
    let functions = binary_functions();
    let f: &Binary = functions.iter().find(|f| f.name == name).expect("a known function");
    check(2 * CASES, (arguments, -4i64..4), |(((x, e_x), (y, e_y)), ulps)| {
        if !(x + e_x).is_finite() || !(y + e_y).is_finite() {
            return Ok(());
        }
        let exact = (f.exact)(&exact_sum(x, e_x), &exact_sum(y, e_y));
        close_enough((f.dd)(x, e_x, y, e_y), &exact, f.bound)?;
        let z = nudged(exact.to_f64(), ulps);
        residue_is((f.residue)(x, e_x, y, e_y, z), &exact, z, f.bound)
    });
}

macro_rules! test_unary {
    ($($f:ident)*) => {$(
        #[test]
        fn $f() {
            check_unary(stringify!($f));
        }
    )*};
}
nonius_numerics::for_each_unary!(test_unary);

#[test]
fn atan2() {
    check_binary("atan2", (argument_with_residue(argument()), argument_with_residue(argument())));
}

#[test]
fn hypot() {
    check_binary("hypot", (argument_with_residue(argument()), argument_with_residue(argument())));
}

#[test]
fn pow() {
    check_binary("pow", power_arguments());
}

#[test]
fn sincos_is_sin_and_cos() {
    check(CASES, argument_with_residue(argument()), |(x, e)| {
        let (sine, cosine) = libm::sincos(x, e);
        let expected = (libm::sin(x, e), libm::cos(x, e));
        prop_assert!((sine, cosine) == expected || sine.hi.is_nan() && expected.0.hi.is_nan());
        Ok(())
    });
}

/// A residue that takes the argument to a zero of the function leaves less than a rounding of the residue.
#[test]
fn trig_on_ideals_next_to_a_zero() {
    check(CASES, (common::near_multiple_of_pi(), common::with_exponents(-120..-50)), |(x, tiny)| {
        let pi_half = Float::with_val(1000, rug::float::Constant::Pi) / 2u32;
        let turns = Float::with_val(1000, x / &pi_half).round();
        let e = Float::with_val(1000, turns * pi_half - x).to_f64() * (1.0 + tiny);
        let sum = exact_sum(x, e);
        for (y, exact) in [
            (libm::sin(x, e), Float::with_val(600, sum.sin_ref())),
            (libm::cos(x, e), Float::with_val(600, sum.cos_ref())),
        ] {
            let error = Float::with_val(600, &exact - y.hi) - y.lo;
            let allowed = big(x).abs() * 2f64.powi(-150) + exact.abs() * 2f64.powi(-91);
            prop_assert!(error.abs() <= allowed, "{x:e} {e:e}");
        }
        Ok(())
    });
}

/// In each binade the doubles that come closest to a multiple of pi/2, and others that need all of the reduction.
#[test]
fn trig_on_the_hardest_doubles() {
    let functions = unary_functions();
    let trig: Vec<_> = functions.iter().filter(|f| ["sin", "cos", "tan"].contains(&f.name)).collect();
    let hardest = (-60..=40).chain((41..=970).step_by(13)).flat_map(|exponent| {
        let all = common::closest_to_multiples_of_pi_half(exponent);
        all.into_iter().rev().take(3)
    });
    let others = [1e22, f64::MAX, 2f64.powi(1023), 4_194_304.000_000_001, 4_194_303.999_999_999, 4_194_304.0];
    for x in hardest.chain(others) {
        for f in &trig {
            unary_on(f, x, 0.0, 0).unwrap_or_else(|error| panic!("{} of {x:e}: {error}", f.name));
        }
    }
    for x in others {
        for e in [x * 1e-17, x * 1e-33, 0.3, -1e-30] {
            for f in &trig {
                unary_on(f, -x, e, 0).unwrap_or_else(|error| panic!("{} of {x:e} + {e:e}: {error}", f.name));
            }
        }
    }
}

/// Bit patterns, so that the sign of a zero counts and NaN equals NaN.
fn bits(y: Dd) -> u64 {
    if y.hi.is_nan() { f64::NAN.to_bits() } else { y.hi.to_bits() }
}

#[test]
fn special_arguments() {
    const INF: f64 = f64::INFINITY;
    macro_rules! expect {
        ($($f:ident($x:expr) = $y:expr;)*) => {$(
            let y = libm::$f($x, 0.0);
            assert_eq!(bits(y), bits(Dd::from($y)), "{}({}) = {y:?}", stringify!($f), $x);
        )*};
    }
    expect! {
        exp(0.0) = 1.0; exp(-0.0) = 1.0; exp(INF) = INF; exp(-INF) = 0.0;
        exp2(10.0) = 1024.0; exp2(-1074.0) = f64::from_bits(1); exp2(1024.0) = INF;
        exp10(3.0) = 1000.0; exp10(INF) = INF; exp10(-INF) = 0.0;
        expm1(-0.0) = -0.0; expm1(0.0) = 0.0; expm1(-INF) = -1.0; expm1(INF) = INF;
        log(1.0) = 0.0; log(0.0) = -INF; log(-0.0) = -INF; log(-1.0) = f64::NAN; log(INF) = INF; log(-INF) = f64::NAN;
        log2(8.0) = 3.0; log2(f64::from_bits(1)) = -1074.0; log10(1e22) = 22.0;
        log1p(-0.0) = -0.0; log1p(-1.0) = -INF; log1p(-1.5) = f64::NAN; log1p(INF) = INF;
        sin(-0.0) = -0.0; sin(0.0) = 0.0; sin(INF) = f64::NAN; cos(-0.0) = 1.0; cos(-INF) = f64::NAN;
        tan(-0.0) = -0.0; tan(INF) = f64::NAN;
        asin(-0.0) = -0.0; asin(1.5) = f64::NAN; asin(-INF) = f64::NAN;
        acos(1.0) = 0.0; acos(-1.0) = std::f64::consts::PI; acos(1.0000001) = f64::NAN;
        atan(-0.0) = -0.0; atan(INF) = std::f64::consts::FRAC_PI_2; atan(-INF) = -std::f64::consts::FRAC_PI_2;
        sinh(-0.0) = -0.0; sinh(INF) = INF; sinh(-INF) = -INF; cosh(-INF) = INF; cosh(0.0) = 1.0;
        tanh(-0.0) = -0.0; tanh(INF) = 1.0; tanh(-INF) = -1.0;
        asinh(-0.0) = -0.0; asinh(-INF) = -INF; acosh(1.0) = 0.0; acosh(0.5) = f64::NAN; acosh(INF) = INF;
        atanh(-0.0) = -0.0; atanh(1.0) = INF; atanh(-1.0) = -INF; atanh(2.0) = f64::NAN;
        cbrt(-0.0) = -0.0; cbrt(-27.0) = -3.0; cbrt(INF) = INF; cbrt(-INF) = -INF;
    }
    macro_rules! nan {
        ($($f:ident)*) => {$(
            assert!(libm::$f(f64::NAN, 0.0).hi.is_nan(), stringify!($f));
            assert!(libm::$f(1.0, f64::NAN).hi.is_nan(), stringify!($f));
            assert_eq!(libm::residue_of::$f(f64::NAN, 0.0, f64::NAN), 0.0);
            assert_eq!(libm::residue_of::$f(f64::INFINITY, 0.0, 1.0), 0.0);
            assert_eq!(libm::residue_of::$f(0.5, f64::NAN, 1.0), 0.0);
            assert_eq!(libm::residue_of::$f(0.5, f64::INFINITY, 1.0), 0.0);
            assert_eq!(libm::residue_of::$f(0.5, 0.0, f64::NAN), 0.0);
        )*};
    }
    nonius_numerics::for_each_unary!(nan);
}

#[test]
fn special_pairs() {
    const INF: f64 = f64::INFINITY;
    const PI: f64 = std::f64::consts::PI;
    macro_rules! expect {
        ($($f:ident($x:expr, $y:expr) = $z:expr;)*) => {$(
            let z = libm::$f($x, 0.0, $y, 0.0);
            assert_eq!(bits(z), bits(Dd::from($z)), "{}({}, {}) = {z:?}", stringify!($f), $x, $y);
        )*};
    }
    expect! {
        atan2(0.0, 1.0) = 0.0; atan2(-0.0, 1.0) = -0.0; atan2(0.0, -1.0) = PI; atan2(-0.0, -0.0) = -PI;
        atan2(0.0, 0.0) = 0.0; atan2(1.0, 0.0) = PI / 2.0; atan2(-1.0, -0.0) = -PI / 2.0;
        atan2(INF, INF) = PI / 4.0; atan2(INF, -INF) = 3.0 * PI / 4.0; atan2(-1.0, INF) = -0.0; atan2(1.0, -INF) = PI;
        atan2(-INF, 3.0) = -PI / 2.0; atan2(f64::NAN, 1.0) = f64::NAN; atan2(1.0, f64::NAN) = f64::NAN;
        pow(f64::NAN, 0.0) = 1.0; pow(1.0, f64::NAN) = 1.0; pow(f64::NAN, 1.0) = f64::NAN; pow(2.0, f64::NAN) = f64::NAN;
        pow(0.0, 3.0) = 0.0; pow(-0.0, 3.0) = -0.0; pow(-0.0, 2.0) = 0.0; pow(-0.0, -3.0) = -INF; pow(0.0, -0.5) = INF;
        pow(2.0, INF) = INF; pow(0.5, INF) = 0.0; pow(-INF, 3.0) = -INF; pow(INF, -1.0) = 0.0; pow(-1.0, INF) = 1.0;
        pow(-2.0, 3.0) = -8.0; pow(-2.0, 2.0) = 4.0; pow(-2.0, 0.5) = f64::NAN; pow(2.0, -1074.0) = f64::from_bits(1);
        pow(10.0, 400.0) = INF; pow(-10.0, 401.0) = -INF; pow(10.0, -400.0) = 0.0;
        hypot(3.0, -4.0) = 5.0; hypot(0.0, -0.0) = 0.0; hypot(INF, f64::NAN) = INF; hypot(f64::NAN, 1.0) = f64::NAN;
        hypot(f64::MAX, f64::MAX) = INF; hypot(f64::from_bits(3), f64::from_bits(4)) = f64::from_bits(5);
    }
}

#[test]
fn results_out_of_range_have_no_residue() {
    use libm::residue_of as r;
    assert_eq!(r::exp(710.0, 0.0, f64::INFINITY), 0.0);
    assert_eq!(r::exp(709.0, 5.0, f64::MAX), 0.0);
    assert_eq!(r::exp(-740.0, 0.0, 0.0), 0.0);
    assert_eq!(r::pow(10.0, 0.0, -310.0, 0.0, 1e-310), 0.0);
    assert_eq!(r::log(-1.0, 0.0, f64::NAN), 0.0);
}

#[test]
fn results_without_an_ideal_have_no_number_for_a_residue() {
    use libm::residue_of as r;
    assert!(r::log(1e-20, -2e-20, -46.0).is_nan());
    assert!(r::asin(1.0, 1e-10, std::f64::consts::FRAC_PI_2).is_nan());
    assert!(r::acosh(1.0, -1e-20, 0.0).is_nan());
}

#[test]
fn residue_sees_what_the_argument_lost() {
    // The argument is 1e-10 too small, and so the logarithm.
    let e = libm::residue_of::log(2.0, 1e-10, 2f64.ln());
    assert!((e / 5e-11 - 1.0).abs() < 1e-5, "{e:e}");
    // The actual sine of pi is only the error of pi itself.
    let pi_low = 1.224_646_799_147_353_2e-16;
    let e = libm::residue_of::sin(std::f64::consts::PI, pi_low, std::f64::consts::PI.sin());
    assert!((e / -pi_low - 1.0).abs() < 1e-15, "{e:e}");
}
