//! The complex evaluators against their definitions in MPFR, part by part.

use nonius_rt::libm::complex as rt;
use rug::Float;

const BITS: u32 = 400;

#[repr(C)]
struct Parts {
    re: f64,
    im: f64,
}

type OfOne = extern "C" fn(f64, f64, f64, f64, f64, f64) -> Parts;
type OfTwo = extern "C" fn(f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> Parts;
type Number = (Float, Float);

/// The exports only jump, so they have no arguments in Rust.
fn of_one(f: extern "C" fn()) -> OfOne {
    // SAFETY: what is jumped to is defined with these types.
    unsafe { std::mem::transmute::<extern "C" fn(), OfOne>(f) }
}

fn of_two(f: extern "C" fn()) -> OfTwo {
    // SAFETY: as above.
    unsafe { std::mem::transmute::<extern "C" fn(), OfTwo>(f) }
}

fn ideal(x: f64, e: f64) -> Float {
    Float::with_val(BITS, x) + e
}

fn times(a: &Number, b: &Number) -> Number {
    let re = Float::with_val(BITS, &a.0 * &b.0) - Float::with_val(BITS, &a.1 * &b.1);
    let im = Float::with_val(BITS, &a.0 * &b.1) + Float::with_val(BITS, &a.1 * &b.0);
    (re, im)
}

fn over(a: &Number, b: &Number) -> Number {
    let norm = Float::with_val(BITS, &b.0 * &b.0) + Float::with_val(BITS, &b.1 * &b.1);
    let (re, im) = times(a, &(b.0.clone(), -b.1.clone()));
    (re / &norm, im / &norm)
}

fn exp(z: &Number) -> Number {
    let size = z.0.clone().exp();
    (size.clone() * z.1.clone().cos(), size * z.1.clone().sin())
}

fn log(z: &Number) -> Number {
    (z.0.clone().hypot(&z.1).ln(), z.1.clone().atan2(&z.0))
}

fn sin(z: &Number) -> Number {
    (z.0.clone().sin() * z.1.clone().cosh(), z.0.clone().cos() * z.1.clone().sinh())
}

fn cos(z: &Number) -> Number {
    (z.0.clone().cos() * z.1.clone().cosh(), -(z.0.clone().sin() * z.1.clone().sinh()))
}

fn sinh(z: &Number) -> Number {
    (z.0.clone().sinh() * z.1.clone().cos(), z.0.clone().cosh() * z.1.clone().sin())
}

fn cosh(z: &Number) -> Number {
    (z.0.clone().cosh() * z.1.clone().cos(), z.0.clone().sinh() * z.1.clone().sin())
}

/// The root in the right half-plane.
fn sqrt(z: &Number) -> Number {
    let half = log(z);
    exp(&(half.0 / 2u32, half.1 / 2u32))
}

/// i log(w) with the sign that is asked for.
fn i_log(w: &Number, sign: i32) -> Number {
    let l = log(w);
    (-l.1 * sign, l.0 * sign)
}

fn asinh(z: &Number) -> Number {
    let square = times(z, z);
    let root = sqrt(&(square.0 + 1u32, square.1));
    log(&(root.0 + &z.0, root.1 + &z.1))
}

fn asin(z: &Number) -> Number {
    let turned = asinh(&(-z.1.clone(), z.0.clone()));
    (turned.1, -turned.0)
}

fn acos(z: &Number) -> Number {
    let (re, im) = asin(z);
    (Float::with_val(BITS, rug::float::Constant::Pi) / 2u32 - re, -im)
}

fn acosh(z: &Number) -> Number {
    let (re, im) = acos(z);
    let sign = if im < 0 { 1 } else { -1 };
    (-im * sign, re * sign)
}

fn atan(z: &Number) -> Number {
    let above = (Float::with_val(BITS, 1) - &z.1, z.0.clone());
    let below = (Float::with_val(BITS, 1) + &z.1, -z.0.clone());
    let (a, b) = (i_log(&below, 1), i_log(&above, 1));
    ((a.0 - b.0) / 2u32, (a.1 - b.1) / 2u32)
}

fn atanh(z: &Number) -> Number {
    let turned = atan(&(-z.1.clone(), z.0.clone()));
    (turned.1, -turned.0)
}

fn points() -> Vec<f64> {
    vec![0.3, -0.7, 1.25, -2.5, 5.5, 1e-3, -1e-9, 0.999_999, -1.000_001, 40.0]
}

fn check(name: &str, given: &Parts, reference: &Number, z: (f64, f64), at: &[f64]) {
    for (part, ideal, actual) in [(given.re, &reference.0, z.0), (given.im, &reference.1, z.1)] {
        let residue = Float::with_val(BITS, ideal - actual);
        let off = Float::with_val(BITS, &residue - part).abs().to_f64();
        // The C library's power is right beside the modulus, the others are right part by part.
        let size = if name == "cpow" { reference.0.clone().hypot(&reference.1) } else { ideal.clone().abs() };
        let allowed = residue.to_f64().abs() * 2f64.powi(-52) + size.to_f64() * 2f64.powi(-98);
        assert!(off <= allowed, "{name}{at:?}: residue {part:e}, reference {:e}", residue.to_f64());
    }
}

#[test]
fn functions_of_one_number() {
    type Case = (&'static str, extern "C" fn(), fn(&Number) -> Number);
    let cases: &[Case] = &[
        ("cexp", rt::__nonius_c_cexp, exp),
        ("clog", rt::__nonius_c_clog, log),
        ("csqrt", rt::__nonius_c_csqrt, sqrt),
        ("csin", rt::__nonius_c_csin, sin),
        ("ccos", rt::__nonius_c_ccos, cos),
        ("ctan", rt::__nonius_c_ctan, |z| over(&sin(z), &cos(z))),
        ("csinh", rt::__nonius_c_csinh, sinh),
        ("ccosh", rt::__nonius_c_ccosh, cosh),
        ("ctanh", rt::__nonius_c_ctanh, |z| over(&sinh(z), &cosh(z))),
        ("casin", rt::__nonius_c_casin, asin),
        ("cacos", rt::__nonius_c_cacos, acos),
        ("catan", rt::__nonius_c_catan, atan),
        ("casinh", rt::__nonius_c_casinh, asinh),
        ("cacosh", rt::__nonius_c_cacosh, acosh),
        ("catanh", rt::__nonius_c_catanh, atanh),
    ];
    for &(name, evaluator, definition) in cases {
        for x in points() {
            for y in points() {
                for e in [0.0, 1e-18, -1e-5] {
                    let (ex, ey) = (x * e, y * e * 0.5);
                    let reference = definition(&(ideal(x, ex), ideal(y, ey)));
                    // A result as a program might have it: a little off.
                    let z = (reference.0.to_f64() * (1.0 + 1e-15), reference.1.to_f64() * (1.0 - 1e-12));
                    let given = of_one(evaluator)(x, ex, y, ey, z.0, z.1);
                    check(name, &given, &reference, z, &[x, ex, y, ey]);
                }
            }
        }
    }
}

#[test]
fn functions_of_two_numbers() {
    type Case = (&'static str, extern "C" fn(), fn(&Number, &Number) -> Number);
    let cases: &[Case] =
        &[("cdiv", rt::__nonius_c_cdiv, over), ("cpow", rt::__nonius_c_cpow, |a, b| exp(&times(b, &log(a))))];
    for &(name, evaluator, definition) in cases {
        for (n, x) in points().into_iter().enumerate() {
            for y in points() {
                let (u, v) = (points()[(n + 3) % 10] / 8.0, points()[(n + 7) % 10] / 8.0);
                let [ex, ey, eu, ev] = [x, y, u, v].map(|part| part * 3e-17);
                let reference = definition(&(ideal(x, ex), ideal(y, ey)), &(ideal(u, eu), ideal(v, ev)));
                let z = (reference.0.to_f64(), reference.1.to_f64() * (1.0 + 1e-9));
                let given = of_two(evaluator)(x, ex, y, ey, u, eu, v, ev, z.0, z.1);
                check(name, &given, &reference, z, &[x, y, u, v]);
            }
        }
    }
}

#[test]
fn nothing_finite_is_no_residue() {
    let by_zero = of_two(rt::__nonius_c_cdiv)(1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, f64::NAN, f64::INFINITY);
    assert_eq!((by_zero.re, by_zero.im), (0.0, 0.0));
    let infinite = of_one(rt::__nonius_c_cexp)(f64::INFINITY, 0.0, 1.0, 0.0, f64::INFINITY, f64::INFINITY);
    assert_eq!((infinite.re, infinite.im), (0.0, 0.0));
}

#[test]
fn quotients_keep_their_range() {
    let z = of_two(rt::__nonius_c_cdiv)(1e300, 0.0, 1e300, 0.0, 1e300, 0.0, 1e300, 0.0, 1.0, 1e-20);
    assert_eq!((z.re, z.im), (0.0, -1e-20));
    let z = of_two(rt::__nonius_c_cdiv)(1e-300, 0.0, 0.0, 0.0, 1e-300, 0.0, 0.0, 0.0, 0.5, 0.0);
    assert_eq!((z.re, z.im), (0.5, 0.0));
}
