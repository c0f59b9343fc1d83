//! Functions that do not round, or jump: the inline engine's evaluators and every oracle, against MPFR.
//!
//! The truth is f(x + e_x, y + e_y) - z in exact arithmetic. What jumps looks at ideals that are rounded to double, and
//! follows the program where that is one step away (see `nonius_numerics::exact`).

use nonius_oracle::{DoubleDouble, Function, Mpfr, Operand, Oracle, Precision, Residue, ResidueOverride};
use nonius_rt::libm::{self as rt, exact};
use proptest::prelude::*;
use rug::Float;

/// Enough for any double and the product of an integer quotient with one, exactly.
const BITS: u32 = 6600;

fn big(x: f64) -> Float {
    Float::with_val(BITS, x)
}

fn ideal(x: f64, e: f64) -> Float {
    big(x) + e
}

/// fl(x + e), from the exact sum.
fn rounded(x: f64, e: f64) -> f64 {
    ideal(x, e).to_f64()
}

/// An operand whose ideal no double holds has no shadow either.
fn is_beyond(x: f64, e: f64) -> bool {
    x.is_finite() && rounded(x, e).is_infinite()
}

/// What an oracle says: the residue, if it knows.
fn asked<O: Oracle>(mut oracle: O, f: Function, args: &[(f64, f64)], n: i64, z: f64) -> Option<f64> {
    let mut shadows: Vec<_> = args.iter().map(|_| oracle.variable()).collect();
    shadows.iter_mut().zip(args).for_each(|(shadow, &(x, e))| oracle.restart_wide(shadow, x, e));
    let operands: Vec<_> = args.iter().zip(&shadows).map(|(&(actual, _), shadow)| Operand { actual, shadow }).collect();
    let mut out = oracle.variable();
    let is_known = oracle.function(f, &mut out, &operands, n, z, Precision::Double);
    is_known.then(|| oracle.ideal(&out, z).minus_actual(z))
}

/// Printed as well: the runtime keeps panics to itself.
fn fails(what: String) -> Result<(), TestCaseError> {
    println!("{what}");
    Err(TestCaseError::fail(what))
}

fn is_scaling(f: Function) -> bool {
    matches!(f, Function::Ldexp | Function::Frexp)
}

/// All engines against the truth, to a few roundings of the largest of the terms.
fn judge(
    f: Function,
    args: &[(f64, f64)],
    n: i64,
    z: f64,
    inline: f64,
    truth: &Float,
    terms: f64,
) -> Result<(), TestCaseError> {
    if Float::with_val(BITS, truth + z).to_f64().is_infinite() {
        // Ideals are read as doubles.
        return Ok(());
    }
    let answers = [
        ("inline", Some(inline)),
        ("residue", asked(Residue, f, args, n, z)),
        ("residue-override", asked(ResidueOverride::default(), f, args, n, z)),
        ("double-double", asked(DoubleDouble, f, args, n, z)),
        ("mpfr", asked(Mpfr::new(3000), f, args, n, z)),
    ];
    // An ideal is read as two doubles, and double-double has no more of its operands.
    let sizes = args.iter().map(|(x, _)| x.abs()).filter(|x| x.is_finite() && !is_scaling(f));
    let reading = sizes.fold(z.abs(), f64::max) * 2f64.powi(-100);
    for (engine, answer) in answers {
        let reading = if matches!(engine, "mpfr" | "double-double") { reading } else { 0.0 };
        let Some(answer) = answer else {
            return fails(format!("{engine} does not know {f:?}{args:?}"));
        };
        let off = Float::with_val(BITS, truth - answer).abs().to_f64();
        let allowed = (truth.to_f64().abs() + terms) * 2f64.powi(-48) + reading + 8.0 * f64::from_bits(1);
        if off > allowed {
            let truth = truth.to_f64();
            return fails(format!("{engine}: {f:?}{args:?} n {n} = {z:e}: {answer:e}, not {truth:e}, off by {off:e}"));
        }
    }
    Ok(())
}

/// Where nothing is finite, or the ideal has no value, there is no error.
fn judge_none(f: Function, args: &[(f64, f64)], n: i64, z: f64, inline: f64) -> Result<(), TestCaseError> {
    let answers = [
        asked(Residue, f, args, n, z),
        asked(ResidueOverride::default(), f, args, n, z),
        asked(DoubleDouble, f, args, n, z),
        asked(Mpfr::new(256), f, args, n, z),
    ];
    // MPFR has ideals beyond the range of doubles, and they are read as infinities.
    let is_none = |answer: f64| answer == 0.0 || !answer.is_finite() || !z.is_finite();
    if inline != 0.0 || !answers.iter().flatten().all(|&answer| is_none(answer)) {
        return fails(format!("{f:?}{args:?} = {z:e}: {inline:e}, {answers:?}, but there is no error"));
    }
    Ok(())
}

type One = extern "C" fn(f64, f64, f64) -> f64;
type Two = extern "C" fn(f64, f64, f64, f64, f64) -> f64;

/// The function, the residue of its result, and the function itself.
type Step = (Function, One, fn(f64) -> f64);

const STEPS: [Step; 6] = [
    (Function::Floor, exact::__nonius_r_floor, f64::floor),
    (Function::Ceil, exact::__nonius_r_ceil, f64::ceil),
    (Function::Trunc, exact::__nonius_r_trunc, f64::trunc),
    (Function::Round, exact::__nonius_r_round, f64::round),
    (Function::Rint, exact::__nonius_r_rint, f64::round_ties_even),
    (Function::Roundeven, exact::__nonius_r_roundeven, f64::round_ties_even),
];

const REMAINDERS: [(Function, Two, extern "C" fn(f64, f64) -> f64); 2] = [
    (Function::Fmod, exact::__nonius_r_fmod, rt::__nonius_w_fmod),
    (Function::Remainder, exact::__nonius_r_remainder, rt::__nonius_w_remainder),
];

/// From here on all doubles are integers.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// One step is the program's decision.
fn followed(difference: f64) -> f64 {
    if difference.abs() == 1.0 { 0.0 } else { difference }
}

fn one_argument(x: f64, e: f64) -> Result<(), TestCaseError> {
    if is_beyond(x, e) {
        return Ok(());
    }
    let r = rounded(x, e);
    for (f, residue, actual) in STEPS {
        let z = actual(x);
        if !x.is_finite() || !r.is_finite() {
            judge_none(f, &[(x, e)], 0, z, residue(x, e, z))?;
            continue;
        }
        let truth = if x.abs() < INTEGERS { big(followed(actual(r) - z)) } else { big(e) };
        judge(f, &[(x, e)], 0, z, residue(x, e, z), &truth, 0.0)?;
    }
    let z = rt::__nonius_w_logb(x);
    let found = exact::__nonius_r_logb(x, e, z);
    if !z.is_finite() || r == 0.0 || !r.is_finite() {
        judge_none(Function::Logb, &[(x, e)], 0, z, found)?;
    } else {
        let exponent = big(r).get_exp().expect("a finite number") - 1;
        judge(Function::Logb, &[(x, e)], 0, z, found, &big(followed(f64::from(exponent) - z)), 0.0)?;
    }
    let z = rt::__nonius_w_modf(x);
    let found = exact::__nonius_r_modf(x, e, z);
    if !x.is_finite() || !r.is_finite() {
        return judge_none(Function::Modf, &[(x, e)], 0, z, found);
    }
    let truth = if x.abs() < INTEGERS { big(e) - followed(r.trunc() - x.trunc()) } else { big(0.0) };
    judge(Function::Modf, &[(x, e)], 0, z, found, &truth, e.abs())
}

fn scaled(x: f64, e: f64, n: i64) -> Result<(), TestCaseError> {
    if is_beyond(x, e) {
        return Ok(());
    }
    let z = rt::__nonius_w_ldexp(x, n);
    let found = exact::__nonius_r_ldexp(x, e, n, z);
    if !z.is_finite() {
        return judge_none(Function::Ldexp, &[(x, e)], n, z, found);
    }
    let small = n.clamp(-5000, 5000) as i32;
    let truth = (ideal(x, e) << small) - z;
    judge(Function::Ldexp, &[(x, e)], n, z, found, &truth, 0.0)?;
    // The fraction of frexp stays with the exponent that the program got.
    if x != 0.0 {
        let n = i64::from(big(x).get_exp().expect("a finite number"));
        let z = rt::__nonius_w_frexp(x, n);
        let truth = (ideal(x, e) >> n as i32) - z;
        judge(Function::Frexp, &[(x, e)], n, z, exact::__nonius_r_frexp(x, e, n, z), &truth, 0.0)?;
    }
    Ok(())
}

fn two_arguments((x, ex): (f64, f64), (y, ey): (f64, f64)) -> Result<(), TestCaseError> {
    let args = [(x, ex), (y, ey)];
    if args.iter().any(|&(x, e)| is_beyond(x, e)) {
        return Ok(());
    }
    for (f, residue, actual) in REMAINDERS {
        let z = actual(x, y);
        let found = residue(x, ex, y, ey, z);
        if !z.is_finite() {
            judge_none(f, &args, 0, z, found)?;
            continue;
        }
        if y.is_infinite() {
            judge(f, &args, 0, z, found, &(ideal(x, ex) - z), ex.abs())?;
            continue;
        }
        let quotient = ((big(x) - z) / y).round();
        let moved = Float::with_val(BITS, &quotient * ey);
        let by_quotient = big(ex) - &moved;
        let size = moved.abs().to_f64() + ex.abs();
        let Some(turns) = turns(f, x, y, &(by_quotient.clone() + z)) else { continue };
        if size.is_infinite() || quotient.to_f64().is_infinite() || turns.clone().abs() * size > 1e12 * y.abs() {
            // So many times the divisor that nothing is known of the remainder.
            continue;
        }
        let divisor = ideal(y, ey).abs();
        let whole = Float::with_val(BITS, &turns * &divisor);
        let truth = if turns.clone().abs() > 1 { by_quotient - &whole } else { by_quotient };
        judge(f, &args, 0, z, found, &truth, size + whole.abs().to_f64())?;
    }
    let z = rt::__nonius_w_fdim(x, y);
    let found = exact::__nonius_r_fdim(x, ex, y, ey, z);
    if !z.is_finite() || !x.is_finite() || !y.is_finite() {
        judge_none(Function::Fdim, &args, 0, z, found)?;
    } else {
        let truth = ideal(x, ex).positive_diff(&ideal(y, ey)) - z;
        judge(Function::Fdim, &args, 0, z, found, &truth, ex.abs() + ey.abs())?;
    }
    let z = rt::__nonius_w_nextafter(x, y);
    let found = exact::__nonius_r_nextafter(x, ex, y, ey, z);
    if !z.is_finite() || !x.is_finite() {
        return judge_none(Function::Nextafter, &args, 0, z, found);
    }
    judge(Function::Nextafter, &args, 0, z, found, &big(ex), ex.abs())
}

/// How many divisors a remainder is away from where it belongs; `None` where a rounding decides that.
fn turns(f: Function, x: f64, y: f64, remainder: &Float) -> Option<Float> {
    let of = |remainder: &Float| {
        let sign = x.signum();
        match f {
            Function::Fmod => (Float::with_val(BITS, remainder * sign) / y.abs()).floor() * sign,
            _ => (remainder.clone() / y.abs()).round_even(),
        }
    };
    let off = Float::with_val(BITS, remainder * 1e-12) + y * 1e-12;
    let [low, high] =
        [Float::with_val(BITS, remainder - &off), Float::with_val(BITS, remainder + &off)].map(|r| of(&r));
    let exact = of(remainder);
    let is_clear = low == high || [&low, &high, &exact].into_iter().all(|turns| turns.clone().abs() <= 1);
    is_clear.then_some(exact)
}

const EDGES: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.5,
    -3.5,
    3.0,
    0.1,
    0.3,
    8.0,
    1e16,
    9007199254740993.0,
    4503599627370497.5,
    f64::MIN_POSITIVE,
    5e-324,
    -1e-310,
    2.225_073_858_507_201e-308,
    f64::MAX,
    -f64::MAX,
    8.98846567431158e307,
    1e-160,
    1e160,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Residues: none, below and above half an ulp, larger than the value, and such that they cross zero.
fn residues(x: f64) -> Vec<f64> {
    let x = if x.is_finite() { x } else { 0.0 };
    vec![0.0, x * 1e-17, -x * 1e-17, x * 3e-16, -x * 3e-16, -x * 1e-3, -x * 1.5, x * 4e-33, 1e-300, -5e-324]
}

#[test]
fn edges() {
    for &x in EDGES {
        for ex in residues(x) {
            one_argument(x, ex).unwrap();
            for n in [0, 1, -1, 60, -60, 1000, -1000, -1074, -1080, 2098, -2100, i64::MAX, i64::MIN] {
                scaled(x, ex, n).unwrap();
            }
            for &y in EDGES {
                for ey in residues(y) {
                    two_arguments((x, ex), (y, ey)).unwrap();
                }
            }
        }
    }
}

fn number() -> impl Strategy<Value = f64> {
    let any_exponent = (-1074i32..1023, 1.0f64..2.0, any::<bool>())
        .prop_map(|(e, m, minus)| rt::__nonius_w_ldexp(if minus { -m } else { m }, i64::from(e)));
    let near_half = (-200i32..200, -3i32..=3).prop_map(|(n, steps)| {
        let x = f64::from(n) / 2.0;
        f64::from_bits(x.to_bits().wrapping_add_signed(i64::from(steps)))
    });
    prop_oneof![3 => -100.0f64..100.0, 2 => any_exponent, 2 => near_half.prop_filter("finite", |x| x.is_finite()), 1 => proptest::sample::select(EDGES)]
}

fn with_residue() -> impl Strategy<Value = (f64, f64)> {
    (number(), -1.0f64..1.0, 0i32..110).prop_map(|(x, share, bits)| {
        let base = if x.is_finite() { x } else { 1.0 };
        (x, base * share * 2f64.powi(-bits))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn of_one_argument((x, e) in with_residue(), n in -2200i64..2200) {
        one_argument(x, e)?;
        scaled(x, e, n % 80)?;
        scaled(x, e, n)?;
    }

    #[test]
    fn of_two_arguments(x in with_residue(), y in with_residue()) {
        two_arguments(x, y)?;
    }
}
