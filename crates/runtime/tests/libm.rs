//! The evaluators against MPFR: residues, wide and quad values, on edges and random arguments.

mod common;

use common::{Program, stdout};
use nonius_rt::libm as rt;
use nonius_rt::libm::exact as rt_exact;
use rug::Float;
use rug::float::Round;
use rug::ops::Pow;

/// Bits of the reference; wide enough for reductions of the largest doubles.
const BITS: u32 = 2400;

fn mpfr(x: f64) -> Float {
    Float::with_val(BITS, x)
}

/// Random doubles of all signs, with exponents from -`range` to `range`.
struct Numbers(u64);

impl Numbers {
    fn new() -> Numbers {
        Numbers(1)
    }

    /// SplitMix64: the same numbers in every run.
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn double(&mut self, range: i32) -> f64 {
        let exponent = (self.bits() % (2 * range as u64 + 1)) as i32 - range;
        let fraction = 1.0 + (self.bits() >> 12) as f64 * 2f64.powi(-52);
        let sign = if self.bits().is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * fraction * 2f64.powi(exponent)
    }

    /// A residue for `x`: none, below an ulp, or large.
    fn residue(&mut self, x: f64) -> f64 {
        match self.bits() % 4 {
            0 => 0.0,
            1 => x * self.double(2) * 2f64.powi(-54),
            2 => x * self.double(10) * 2f64.powi(-40),
            _ => x * self.double(1) * 2f64.powi(-8),
        }
    }
}

const EDGES: &[f64] = &[
    0.0,
    1.0,
    0.5,
    2.0,
    1.5,
    0.9999999,
    1.0000001,
    1e-10,
    1e-300,
    5e-324,
    3.0,
    10.0,
    700.0,
    1e10,
    1e22,
    1e300,
    f64::MAX,
];

fn with_signs(edges: &[f64]) -> impl Iterator<Item = f64> + '_ {
    edges.iter().flat_map(|&x| [x, -x])
}

/// Whether a residue is right: to 2^-90 of the ideal result, and to most of its own bits.
fn close(found: f64, ideal: &Float, z: f64) -> bool {
    let expected = Float::with_val(BITS, ideal - z);
    let error = Float::with_val(BITS, &expected - found).abs();
    let allowed = Float::with_val(BITS, ideal.abs_ref()) * mpfr(2f64.powi(-90))
        + Float::with_val(BITS, expected.abs_ref()) * mpfr(2f64.powi(-40))
        + mpfr(f64::MIN_POSITIVE);
    error <= allowed
}

fn is_ordinary(ideal: &Float) -> bool {
    ideal.is_finite() && (ideal.is_zero() || ideal.to_f64().abs() >= f64::MIN_POSITIVE) && ideal.to_f64().is_finite()
}

struct Unary {
    name: &'static str,
    residue: extern "C" fn(f64, f64, f64) -> f64,
    wide: extern "C" fn(f64) -> f64,
    reference: fn(&mut Float),
    /// Largest exponent of random arguments.
    range: i32,
}

macro_rules! unary {
    ($($name:ident $range:literal $reference:expr;)*) => { pastey::paste! {
        &[$(Unary {
            name: stringify!($name),
            residue: rt::[<__nonius_r_ $name>],
            wide: rt::[<__nonius_w_ $name>],
            reference: $reference,
            range: $range,
        }),*]
    } };
}

/// The smooth functions of one argument.
const UNARY: &[Unary] = unary! {
    sqrt 60 Float::sqrt_mut;
    sin 60 Float::sin_mut;
    cos 60 Float::cos_mut;
    tan 60 Float::tan_mut;
    asin 3 Float::asin_mut;
    acos 3 Float::acos_mut;
    atan 60 Float::atan_mut;
    sinh 9 Float::sinh_mut;
    cosh 9 Float::cosh_mut;
    tanh 9 Float::tanh_mut;
    asinh 60 Float::asinh_mut;
    acosh 60 Float::acosh_mut;
    atanh 3 Float::atanh_mut;
    exp 9 Float::exp_mut;
    exp2 9 Float::exp2_mut;
    exp10 8 Float::exp10_mut;
    expm1 9 Float::exp_m1_mut;
    log 60 Float::ln_mut;
    log2 60 Float::log2_mut;
    log10 60 Float::log10_mut;
    log1p 60 Float::ln_1p_mut;
    cbrt 60 Float::cbrt_mut;
    erf 3 Float::erf_mut;
    erfc 3 Float::erfc_mut;
    tgamma 4 Float::gamma_mut;
    lgamma 6 |x| { x.ln_abs_gamma_mut(); };
    j0 5 Float::j0_mut;
    j1 5 Float::j1_mut;
    y0 5 Float::y0_mut;
    y1 5 Float::y1_mut;
};

/// Arguments for a function, each with a residue.
fn arguments(range: i32, numbers: &mut Numbers) -> Vec<(f64, f64)> {
    let mut all: Vec<(f64, f64)> = Vec::new();
    for x in with_signs(EDGES).filter(|x| *x == 0.0 || x.abs().log2() < f64::from(range) || range >= 60) {
        all.extend([(x, 0.0), (x, numbers.residue(x))]);
    }
    for _ in 0..300 {
        let x = numbers.double(range);
        all.push((x, numbers.residue(x)));
    }
    all
}

#[test]
fn residues_of_one_argument_are_those_of_mpfr() {
    let mut numbers = Numbers::new();
    for f in UNARY {
        let mut judged = 0;
        for (x, e) in arguments(f.range, &mut numbers).into_iter().filter(|(x, e)| (x + e).is_finite()) {
            let mut ideal = mpfr(x) + e;
            (f.reference)(&mut ideal);
            let z = (f.wide)(x);
            let found = (f.residue)(x, e, z);
            assert!(found.is_finite(), "{} of {x:e} + {e:e}", f.name);
            // The remainder of a square root this small is no double any more.
            let underflows = f.name == "sqrt" && x.abs() < 2f64.powi(-900);
            if !z.is_finite() || !is_ordinary(&ideal) || underflows {
                continue;
            }
            judged += 1;
            let ok = close(found, &ideal, z);
            assert!(ok, "{} of {x:e} + {e:e} = {z:e}: residue {found:e}, ideal {}", f.name, ideal.to_f64());
        }
        assert!(judged > 80, "{}: {judged}", f.name);
    }
}

#[test]
fn wide_functions_are_those_of_mpfr() {
    let mut numbers = Numbers::new();
    for f in UNARY {
        for (x, _) in arguments(f.range, &mut numbers) {
            let mut ideal = mpfr(x);
            (f.reference)(&mut ideal);
            if !is_ordinary(&ideal) {
                continue;
            }
            // Ideals of floats need half of a double's bits. Bessel functions, and gamma beside
            // its poles, are worse near their zeros.
            let scale = if f.name.len() == 2 || f.name == "lgamma" {
                ideal.to_f64().abs().max(1.0)
            } else {
                ideal.to_f64().abs()
            };
            let error = (f.wide)(x) - ideal.to_f64();
            assert!(
                error.abs() <= scale * 2f64.powi(-43),
                "{} of {x:e}: {:e} not {:e}",
                f.name,
                (f.wide)(x),
                ideal.to_f64()
            );
        }
    }
}

#[test]
fn residues_of_two_arguments_are_those_of_mpfr() {
    type Residue = extern "C" fn(f64, f64, f64, f64, f64) -> f64;
    type Case = (&'static str, Residue, extern "C" fn(f64, f64) -> f64, fn(Float, Float) -> Float, i32);
    let cases: [Case; 4] = [
        ("pow", rt::__nonius_r_pow, rt::__nonius_w_pow, |x, y| x.pow(y), 4),
        ("atan2", rt::__nonius_r_atan2, rt::__nonius_w_atan2, |x, y| x.atan2(&y), 40),
        ("hypot", rt::__nonius_r_hypot, rt::__nonius_w_hypot, |x, y| x.hypot(&y), 40),
        ("fdim", rt_exact::__nonius_r_fdim, rt::__nonius_w_fdim, |x, y| x.positive_diff(&y), 40),
    ];
    let mut numbers = Numbers::new();
    for (name, residue, wide, reference, range) in cases {
        let mut judged = 0;
        for _ in 0..1000 {
            let (x, y) = (numbers.double(range), numbers.double(range));
            let x = if name == "pow" { x.abs() } else { x };
            let (ex, ey) = (numbers.residue(x), numbers.residue(y));
            let ideal = reference(mpfr(x) + ex, mpfr(y) + ey);
            let z = wide(x, y);
            let found = residue(x, ex, y, ey, z);
            if !z.is_finite() || !is_ordinary(&ideal) {
                continue;
            }
            judged += 1;
            let ok = close(found, &ideal, z);
            assert!(ok, "{name} of {x:e} + {ex:e}, {y:e} + {ey:e} = {z:e}: {found:e}, ideal {}", ideal.to_f64());
        }
        assert!(judged > 500, "{name}: {judged}");
    }
}

#[test]
fn powers_of_negative_bases_have_integer_exponents() {
    let e = 1e-17;
    let found = rt::__nonius_r_pow(-2.0, e, 3.0, 0.0, -8.0);
    assert!((found - 12.0 * e).abs() < 8.0 * 2f64.powi(-90), "{found:e}");
    assert!(rt::__nonius_r_pow(-2.0, e, 3.0, 1e-18, -8.0).is_finite());
    assert_eq!(rt::__nonius_r_pow(0.0, 0.0, -1.0, 0.0, f64::INFINITY), 0.0);
}

#[test]
fn steps_are_the_programs_decision() {
    // Just below 3 by a residue that no double shows, or by more: the floor stays.
    assert_eq!(rt_exact::__nonius_r_floor(3.0, -1e-20, 3.0), 0.0);
    assert_eq!(rt_exact::__nonius_r_floor(3.0, -1e-10, 3.0), 0.0);
    assert_eq!(rt_exact::__nonius_r_ceil(3.0, 1e-10, 3.0), 0.0);
    // More than one step is an error.
    assert_eq!(rt_exact::__nonius_r_floor(3.0, -1.5, 3.0), -2.0);
    assert_eq!(rt_exact::__nonius_r_trunc(-3.0, 2.5, -3.0), 3.0);
    assert_eq!(rt_exact::__nonius_r_round(2.5, -2.0, 3.0), -2.0);
    assert_eq!(rt_exact::__nonius_r_rint(2.5, 2.5, 2.0), 3.0);
    assert_eq!(rt_exact::__nonius_r_roundeven(3.5, -2.0, 4.0), -2.0);
    assert_eq!(rt_exact::__nonius_r_logb(8.0, -1e-10, 3.0), 0.0);
    assert_eq!(rt_exact::__nonius_r_logb(8.0, -5.0, 3.0), -2.0);
    // The fraction goes with the whole part.
    assert_eq!(rt_exact::__nonius_r_modf(3.0, -1e-20, 0.0), -1e-20);
    assert_eq!(rt_exact::__nonius_r_modf(3.25, 1e-20, 0.25), 1e-20);
}

#[test]
fn remainders_move_with_their_arguments() {
    for (residue, wide) in [
        (
            rt_exact::__nonius_r_fmod as extern "C" fn(f64, f64, f64, f64, f64) -> f64,
            rt::__nonius_w_fmod as extern "C" fn(f64, f64) -> f64,
        ),
        (rt_exact::__nonius_r_remainder, rt::__nonius_w_remainder),
    ] {
        let mut numbers = Numbers::new();
        for _ in 0..1000 {
            let (x, y) = (numbers.double(20), numbers.double(8));
            let (ex, ey) = (x * numbers.double(1) * 2f64.powi(-56), y * numbers.double(1) * 2f64.powi(-56));
            let z = wide(x, y);
            let n = Float::with_val(BITS, (mpfr(x) - z) / y).round_even();
            let ideal = (mpfr(x) + ex) - n * (mpfr(y) + ey);
            let found = residue(x, ex, y, ey, z);
            assert!(close(found, &ideal, z), "{x:e} {y:e}: {found:e}");
        }
    }
    // 0.3 by 0.1, both a little off: the quotient of the doubles is 2, and the residue smooth.
    let z = 0.3 % 0.1;
    let found = rt_exact::__nonius_r_fmod(0.3, 1e-17, 0.1, -5e-18, z);
    assert!((found - 2e-17).abs() < 1e-20, "{found:e}");
}

#[test]
fn exact_functions_keep_the_residue() {
    assert_eq!(rt_exact::__nonius_r_nextafter(1.0, 1e-20, 2.0, 0.0, 1.0f64.next_up()), 1e-20);
    assert_eq!(rt_exact::__nonius_r_ldexp(1.5, 1e-20, 3, 12.0), 8e-20);
    assert_eq!(rt_exact::__nonius_r_frexp(12.0, 1e-20, 4, 0.75), 1e-20 / 16.0);
    assert_eq!(rt::__nonius_w_ldexp(1.5, 3), 12.0);
    assert_eq!(rt::__nonius_w_frexp(12.0, 4), 0.75);
    assert_eq!(rt::__nonius_w_ldexp(1.0, i64::MAX), f64::INFINITY);
    assert_eq!(rt::__nonius_w_modf(-2.5), -0.5);
    assert_eq!(rt::__nonius_w_logb(0.1), -4.0);
}

#[test]
fn bessel_functions_of_any_order_are_those_of_mpfr() {
    let mut numbers = Numbers::new();
    for n in [-3i64, 0, 1, 2, 7, 30] {
        for _ in 0..100 {
            let x = numbers.double(4).abs();
            let e = numbers.residue(x) * 1e-3;
            let (mut jn, mut yn) = (mpfr(x) + e, mpfr(x) + e);
            jn.jn_mut(n as i32);
            yn.yn_mut(n as i32);
            for (ideal, z, found) in [
                (&jn, rt::__nonius_w_jn(n, x), rt::__nonius_r_jn(n, x, e, rt::__nonius_w_jn(n, x))),
                (&yn, rt::__nonius_w_yn(n, x), rt::__nonius_r_yn(n, x, e, rt::__nonius_w_yn(n, x))),
            ] {
                // Recurrences lose some of a quad's bits.
                let error = Float::with_val(BITS, Float::with_val(BITS, ideal - z) - found).abs().to_f64();
                let scale = ideal.to_f64().abs().max(f64::MIN_POSITIVE);
                let allowed = scale * 2f64.powi(-75) + found.abs() * 2f64.powi(-50);
                assert!(error <= allowed || !is_ordinary(ideal), "order {n} of {x:e}: off by {error:e}");
            }
        }
    }
}

#[test]
fn nothing_finite_gives_no_residue() {
    for f in UNARY {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let z = (f.wide)(x);
            assert_eq!((f.residue)(x, 0.0, z), 0.0, "{} of {x}", f.name);
        }
        let residue = (f.residue)(0.5, f64::NAN, 0.5);
        assert_eq!(residue, 0.0, "{}", f.name);
    }
}

/// Quads cannot be called from Rust: a program prints them, rounded to double.
#[test]
fn quad_functions_are_those_of_mpfr() {
    let inputs = [0.3, 0.75, 1.25, 2.5, -0.4];
    let mut source = "#include <math.h>\n".to_owned();
    for f in UNARY {
        source += &format!("__float128 __nonius_q_{}(__float128);\n", f.name);
    }
    source += "int main(void) { errno = 77;\n";
    for f in UNARY {
        for x in inputs {
            source += &format!("printf(\"%a\\n\", (double)__nonius_q_{}({x}));\n", f.name);
        }
    }
    source += "EXPECT(errno == 77); return 0; }";
    let output = Program::new(&source).run("");
    let printed = stdout(&output);
    let mut lines = printed.lines();
    for f in UNARY {
        for x in inputs {
            let line = lines.next().unwrap_or_else(|| panic!("{}", common::stderr(&output)));
            let mut ideal = mpfr(x);
            (f.reference)(&mut ideal);
            let expected = ideal.to_f64_round(Round::Nearest);
            let found = parse_hex(line);
            let same = found == expected
                || (found.is_nan() && expected.is_nan())
                || (found - expected).abs() <= expected.abs() * 2f64.powi(-52);
            assert!(same, "{} of {x}: {found:e} not {expected:e}", f.name);
        }
    }
}

fn parse_hex(text: &str) -> f64 {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let Some(digits) = text.strip_prefix("0x") else {
        return sign * if text.contains("inf") { f64::INFINITY } else { f64::NAN };
    };
    let (mantissa, exponent) = digits.split_once('p').unwrap();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap() as f64;
    sign * value * 2f64.powi(exponent.parse::<i32>().unwrap() - 4 * fraction.len() as i32)
}
