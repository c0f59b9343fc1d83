//! What the tests share: inputs that reach the edges, and the same functions in MPFR.
#![allow(dead_code, reason = "each test file uses its own part")]

use nonius_numerics::{Dd, libm};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use rug::float::Constant;
use rug::ops::{CompleteRound, Pow};
use rug::{Assign, Float, Integer};

/// Bits of the references.
pub const PREC: u32 = 400;

pub fn big(x: f64) -> Float {
    Float::with_val(PREC, x)
}

/// `x + e` without rounding, however far apart the two are.
pub fn exact_sum(x: f64, e: f64) -> Float {
    if e == 0.0 {
        return Float::with_val(53, x); // also keeps the sign of a zero
    }
    let gap = (nonius_numerics::error::exponent(x) - nonius_numerics::error::exponent(e)).unsigned_abs();
    let prec = if x == 0.0 { 53 } else { gap.min(2200) + 60 + 53 };
    Float::with_val(prec, x) + e
}

/// Any double by its bits' fields: every exponent is as likely as any other.
pub fn any_exponent() -> impl Strategy<Value = f64> {
    (any::<bool>(), 0u64..2047, significand()).prop_map(|(negative, exponent, significand)| {
        f64::from_bits(u64::from(negative) << 63 | exponent << 52 | significand)
    })
}

/// 52 bits: dense, or with few ones at the top or the bottom.
pub fn significand() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0u64..1 << 52,
        1 => (0u64..16).prop_map(|top| top << 48),
        1 => 0u64..4,
        1 => (0u64..4).prop_map(|below| (1u64 << 52) - 1 - below),
    ]
}

/// A double with its exponent in a range.
pub fn with_exponents(range: std::ops::Range<i32>) -> impl Strategy<Value = f64> {
    (any::<bool>(), range, significand()).prop_map(|(negative, exponent, significand)| {
        f64::from_bits(u64::from(negative) << 63 | ((exponent + 1023) as u64) << 52 | significand)
    })
}

/// Close to a multiple of pi/512 (most of them to a multiple of pi/2), from either side.
pub fn near_multiple_of_pi() -> impl Strategy<Value = f64> {
    (0u32..40, any::<u32>(), prop_oneof![Just(256u32), Just(1u32)], -2i64..=2).prop_map(|(bits, k, unit, ulps)| {
        let k = f64::from(k) * f64::from(bits).exp2() / 4_294_967_296.0;
        let x = Float::with_val(PREC, Constant::Pi) * k.round() * unit / 512u32;
        nudged(x.to_f64(), ulps)
    })
}

/// `x`, a few steps up or down.
pub fn nudged(x: f64, ulps: i64) -> f64 {
    (0..ulps.abs()).fold(x, |x, _| if ulps > 0 { x.next_up() } else { x.next_down() })
}

/// The doubles q 2^exponent that come closest to multiples of pi/2, by the continued fraction of 2^exponent 2/pi.
pub fn closest_to_multiples_of_pi_half(exponent: i32) -> Vec<f64> {
    let mut rest = (Float::with_val(2400, Constant::Pi) >> (exponent + 1)).recip();
    let (mut q, mut q_before) = (Integer::from(0), Integer::from(1));
    let mut found = Vec::new();
    loop {
        let term = rest.clone().floor();
        let next = &q * term.to_integer().expect("a finite number") + q_before;
        if next.significant_bits() > 53 {
            return found;
        }
        (q_before, q) = (q, next);
        found.push((Float::with_val(53, &q) << exponent).to_f64());
        rest = (rest - term).recip();
    }
}

/// Numbers that have made trouble for somebody.
pub fn landmark() -> impl Strategy<Value = f64> {
    let points = vec![
        0.0,
        f64::from_bits(1),
        f64::MIN_POSITIVE,
        f64::from_bits(0x000f_ffff_ffff_ffff),
        0.5,
        std::f64::consts::FRAC_1_SQRT_2,
        1.0,
        std::f64::consts::SQRT_2,
        2.0,
        3.0,
        10.0,
        40.0,
        100.0,
        709.78,
        710.47,
        745.13,
        1000.0,
        1e22,
        6_381_956_970_095_103.0 * 2f64.powi(797),
        f64::MAX,
    ];
    (proptest::sample::select(points), any::<bool>(), -3i64..=3).prop_map(|(x, negative, ulps)| {
        let x = nudged(x, ulps);
        let x = if x.is_finite() { x } else { f64::MAX };
        if negative { -x } else { x }
    })
}

/// Finite arguments.
pub fn argument() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => any_exponent(),
        3 => with_exponents(-20..11),
        2 => -1000f64..1000.0,
        2 => near_multiple_of_pi(),
        1 => (-2000i32..2000).prop_map(|n| f64::from(n) / 4.0),
        2 => (with_exponents(-60..-1), any::<bool>()).prop_map(|(d, above)| if above { 1.0 + d } else { -1.0 - d }),
        1 => landmark(),
    ]
}

/// An argument and its residue: none, of a rounding's size, of any size, or one that cancels the argument.
pub fn argument_with_residue(x: impl Strategy<Value = f64>) -> impl Strategy<Value = (f64, f64)> {
    let relative = prop_oneof![
        3 => Just(0.0),
        4 => with_exponents(-60..-45),
        2 => with_exponents(-45..2),
        1 => with_exponents(-120..-60),
        1 => with_exponents(-60..-1).prop_map(|d| -1.0 + d),
    ];
    (x, relative, prop_oneof![9 => Just(None), 1 => any_exponent().prop_map(Some)]).prop_map(|(x, relative, e)| {
        let e = e.unwrap_or(x * relative);
        (x, if e.is_finite() { e } else { 0.0 })
    })
}

/// Arguments of a power: a base, and an exponent that puts the result anywhere in the range, or just any.
pub fn power_arguments() -> impl Strategy<Value = ((f64, f64), (f64, f64))> {
    let spread = (argument(), -750f64..715.0).prop_map(|(x, log)| {
        let y = log / x.abs().ln();
        (x, if y.is_finite() { y } else { log })
    });
    let small_integers = (argument(), -40i32..40).prop_map(|(x, n)| (x, f64::from(n)));
    let any = (argument(), argument());
    prop_oneof![3 => spread, 1 => small_integers, 1 => any]
        .prop_flat_map(|(x, y)| (argument_with_residue(Just(x)), argument_with_residue(Just(y))))
}

/// Runs `test` on `cases` samples; the same ones each time, unless PROPTEST_RNG_SEED or PROPTEST_CASES say otherwise.
pub fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let mut config = Config { failure_persistence: None, max_global_rejects: 100 * cases, ..Config::default() };
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20);
    }
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if let Err(failure) = TestRunner::new(config).run(&strategy, test) {
        panic!("{failure}");
    }
}

/// What a function of one argument is called with, how it is really computed, and what is promised.
pub struct Unary {
    pub name: &'static str,
    pub dd: fn(f64, f64) -> Dd,
    pub residue: fn(f64, f64, f64) -> f64,
    /// Promised bound, log2 of the relative error.
    pub bound: i32,
    pub exact: fn(&Float) -> Float,
    /// Maps any argument to one that is interesting for this function; the tests use both.
    pub into_domain: fn(f64) -> f64,
}

pub struct Binary {
    pub name: &'static str,
    pub dd: fn(f64, f64, f64, f64) -> Dd,
    pub residue: fn(f64, f64, f64, f64, f64) -> f64,
    pub bound: i32,
    pub exact: fn(&Float, &Float) -> Float,
}

fn within_unit(x: f64) -> f64 {
    if x.abs() <= 1.0 { x } else { 1.0 / x }
}

fn moderate(x: f64) -> f64 {
    if x == 0.0 { x } else { x.signum() * x.abs().powf(0.25).min(720.0) }
}

macro_rules! unary {
    ($f:ident, $bound:expr, $exact:ident, $domain:expr) => {
        Unary {
            name: stringify!($f),
            dd: |x, e| libm::$f(x, e),
            residue: |x, e, z| libm::residue_of::$f(x, e, z),
            bound: $bound,
            exact: |x| x.$exact().complete(PREC),
            into_domain: $domain,
        }
    };
}

pub fn unary_functions() -> Vec<Unary> {
    vec![
        unary!(exp, -104, exp_ref, moderate),
        unary!(exp2, -104, exp2_ref, moderate),
        unary!(exp10, -104, exp10_ref, moderate),
        unary!(expm1, -96, exp_m1_ref, moderate),
        unary!(log, -96, ln_ref, f64::abs),
        unary!(log2, -96, log2_ref, f64::abs),
        unary!(log10, -96, log10_ref, f64::abs),
        unary!(log1p, -96, ln_1p_ref, f64::abs),
        unary!(sin, -91, sin_ref, |x| x),
        unary!(cos, -91, cos_ref, |x| x),
        unary!(tan, -91, tan_ref, |x| x),
        unary!(asin, -101, asin_ref, within_unit),
        unary!(acos, -101, acos_ref, within_unit),
        unary!(atan, -101, atan_ref, |x| x),
        unary!(sinh, -96, sinh_ref, moderate),
        unary!(cosh, -103, cosh_ref, moderate),
        unary!(tanh, -96, tanh_ref, moderate),
        unary!(asinh, -96, asinh_ref, |x| x),
        unary!(acosh, -96, acosh_ref, |x| 1.0 + x.abs()),
        unary!(atanh, -96, atanh_ref, within_unit),
        unary!(cbrt, -100, cbrt_ref, |x| x),
    ]
}

pub fn binary_functions() -> Vec<Binary> {
    vec![
        Binary {
            name: "atan2",
            dd: |y, e_y, x, e_x| libm::atan2(y, e_y, x, e_x),
            residue: |y, e_y, x, e_x, z| libm::residue_of::atan2(y, e_y, x, e_x, z),
            bound: -101,
            exact: |y, x| y.atan2_ref(x).complete(PREC),
        },
        Binary {
            name: "pow",
            dd: |x, e_x, y, e_y| libm::pow(x, e_x, y, e_y),
            residue: |x, e_x, y, e_y, z| libm::residue_of::pow(x, e_x, y, e_y, z),
            bound: -87,
            exact: exact_pow,
        },
        Binary {
            name: "hypot",
            dd: |x, e_x, y, e_y| libm::hypot(x, e_x, y, e_y),
            residue: |x, e_x, y, e_y, z| libm::residue_of::hypot(x, e_x, y, e_y, z),
            bound: -103,
            exact: |x, y| x.hypot_ref(y).complete(PREC),
        },
    ]
}

/// With the library's rule for negative bases: the exponent is the integer that it rounds to, as far as the sign goes.
fn exact_pow(x: &Float, y: &Float) -> Float {
    let rounded = Float::with_val(53, y);
    if x.is_sign_positive() || !rounded.is_integer() || y.is_zero() {
        return x.pow(y).complete(PREC);
    }
    let magnitude = (&x.abs_ref().complete(x.prec())).pow(y).complete(PREC);
    if rounded.to_integer().is_some_and(|n| n.is_odd()) { -magnitude } else { magnitude }
}

/// How far a double-double is from the exact value.
pub enum Distance {
    /// Both are NaN, or the same infinity or (with its sign) zero, or both underflow or overflow.
    Same,
    /// log2 of the relative error.
    Relative(f64),
    /// Nothing in common.
    Apart,
}

pub fn distance(y: Dd, exact: &Float) -> Distance {
    let smallest = big(f64::from_bits(1));
    if exact.is_nan() {
        return if y.hi.is_nan() { Distance::Same } else { Distance::Apart };
    }
    let rounded = exact.to_f64();
    if rounded.is_infinite() || y.hi.is_infinite() {
        // A double-double overflows a little before its leading part does.
        let near = rounded.abs().min(y.hi.abs()) >= f64::MAX && rounded.signum() == y.hi.signum();
        return if near { Distance::Same } else { Distance::Apart };
    }
    if exact.is_zero() {
        let same = y.hi == 0.0 && exact.is_sign_negative() == y.hi.is_sign_negative();
        return if same { Distance::Same } else { Distance::Apart };
    }
    if !y.is_finite() || y.lo.abs() > ulp(y.hi) * 0.500_001 {
        return Distance::Apart;
    }
    let mut error = Float::with_val(PREC, exact - y.hi) - y.lo;
    error.abs_mut();
    if error <= smallest * 2u32 {
        return Distance::Same;
    }
    let mut size = Float::with_val(PREC, 0);
    size.assign(exact.abs_ref());
    Distance::Relative((error / size).log2().to_f64())
}

pub fn ulp(x: f64) -> f64 {
    let x = x.abs();
    if x == f64::MAX { x - x.next_down() } else { x.next_up() - x }
}
