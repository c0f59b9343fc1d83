//! The residue functions of `residue-override` against MPFR, term by term, and its plan.

use nonius_oracle::residue_override::{OpId, Outcome, Plan, Residue, Resolution, Shadow, resolve};
use nonius_oracle::{Ball, Binary, Complex, Function, Half, Mpfr, Operand, Oracle, Precision, ResidueOverride};
use proptest::prelude::*;
use rug::Float;
use std::convert::Infallible;
use std::sync::Arc;

const BITS: u32 = 2000;
const OPS: [Binary; 4] = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div];
const RIGHT: f64 = 1.0 / (1u64 << 40) as f64;

/// A value and its residue.
type Pair = (f64, f64);

fn big(x: f64) -> Float {
    Float::with_val(BITS, x)
}

fn ideal((x, e): Pair) -> Float {
    big(x) + e
}

/// An oracle whose first operation has no rounding error: what is left are the operands' terms.
fn silenced() -> ResidueOverride {
    let mut plan = Plan::default();
    plan.silence(OpId::new(0, 0));
    ResidueOverride::new(Arc::new(plan))
}

fn with_shadows<T>(args: &[Pair], use_them: impl FnOnce(&[Operand<Shadow>]) -> T) -> T {
    let shadows: Vec<Shadow> = args.iter().map(|&(_, e)| Residue::from_outside(e).into()).collect();
    let operands: Vec<_> = args.iter().zip(&shadows).map(|(&(actual, _), shadow)| Operand { actual, shadow }).collect();
    use_them(&operands)
}

/// The residue is the truth to what its own bound says, and to 40 bits where that is small.
fn judged(residue: Residue, truth: &Float, what: &str) -> Result<(), TestCaseError> {
    let off = Float::with_val(BITS, truth - residue.value).abs().to_f64();
    let truth = truth.to_f64().abs();
    prop_assert!(off <= 8.0 * residue.noise, "{what}: {residue:?}, not {truth:e}, off by {off:e}");
    if residue.noise <= truth * RIGHT / 8.0 {
        prop_assert!(off <= truth * RIGHT, "{what}: {residue:?}, not {truth:e}, off by {off:e}");
    }
    Ok(())
}

fn size(largest_exponent: i32) -> impl Strategy<Value = f64> {
    (1.0f64..2.0, -largest_exponent..largest_exponent, any::<bool>())
        .prop_map(|(m, exponent, sign)| if sign { m } else { -m } * f64::exp2(f64::from(exponent)))
}

/// A value of which the residue is small, as large, much larger, or all there is.
fn pair() -> impl Strategy<Value = Pair> {
    let value = prop_oneof![9 => size(60), 1 => Just(0.0)];
    let residue = prop_oneof![4 => size(60), 3 => (size(10)).prop_map(|e| e * 1e-16), 1 => Just(0.0)];
    (value, residue, any::<bool>()).prop_map(|(x, e, relative)| (x, if relative && x != 0.0 { e * x } else { e }))
}

proptest! {
    #[test]
    fn arithmetic(x in pair(), y in pair(), which in 0usize..4, to_float: bool) {
        let op = OPS[which];
        let in_format = |(x, e): Pair| (if to_float { f64::from(x as f32) } else { x }, e);
        let (x, y) = (in_format(x), in_format(y));
        let z = op.in_double(x.0, y.0);
        // Of two floats a double is exact enough to be rounded again.
        let z = if to_float { f64::from(z as f32) } else { z };
        let (a, b) = (ideal(x), ideal(y));
        prop_assume!(z.is_finite() && !(op == Binary::Div && (b.is_zero() || y.0 + y.1 == 0.0)));
        let truth = Float::with_val(BITS, match op {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
        });
        let actual = Float::with_val(BITS, match op {
            Binary::Add => big(x.0) + y.0,
            Binary::Sub => big(x.0) - y.0,
            Binary::Mul => big(x.0) * y.0,
            Binary::Div => big(x.0) / y.0,
        });
        let what = format!("{x:?} {op:?} {y:?} = {z:e}");
        let mut out = Shadow::EXACT;
        with_shadows(&[x, y], |o| ResidueOverride::default().binary(op, &mut out, o[0], o[1], z));
        judged(out.residue, &(truth.clone() - z), &what)?;
        with_shadows(&[x, y], |o| silenced().binary(op, &mut out, o[0], o[1], z));
        let mut intended = Shadow::EXACT;
        with_shadows(&[x, y], |o| ResidueOverride::default().intended_rounding(op, &mut intended, o[0], o[1], z, 0.0));
        prop_assert_eq!(out.residue.value.to_bits(), intended.residue.value.to_bits());
        // A quotient's terms are those of the rounded one.
        if op != Binary::Div {
            judged(out.residue, &(truth - actual), &what)?;
        }
    }

    #[test]
    fn roots(x in pair(), to_float: bool) {
        let x = (x.0.abs(), if x.0.abs() + x.1 < 0.0 { -x.1 } else { x.1 });
        let z = if to_float { f64::from((x.0 as f32).sqrt()) } else { x.0.sqrt() };
        let mut out = Shadow::EXACT;
        let mut oracle = ResidueOverride::default();
        with_shadows(&[x], |o| oracle.sqrt(&mut out, o[0], z));
        let truth = ideal(x).sqrt() - z;
        judged(out.residue, &truth, &format!("sqrt {x:?} = {z:e}"))?;
        // Forgiven, only the operand's term is left.
        oracle.forgive(&mut out, z, 0.0);
        let mut left = Shadow::EXACT;
        with_shadows(&[x], |o| silenced().sqrt(&mut left, o[0], z));
        prop_assert_eq!(out.residue.value.to_bits(), left.residue.value.to_bits());
    }

    #[test]
    fn fused(x in pair(), y in pair(), c in pair()) {
        let z = x.0.mul_add(y.0, c.0);
        let truth = ideal(x) * ideal(y) + ideal(c) - z;
        let mut out = Shadow::EXACT;
        with_shadows(&[x, y, c], |o| ResidueOverride::default().fma(&mut out, [o[0], o[1], o[2]], z));
        judged(out.residue, &truth, &format!("{x:?} {y:?} + {c:?}"))?;
    }

    #[test]
    fn formats_signs_and_magnitudes(x in pair()) {
        let z = f64::from(x.0 as f32);
        let mut out = Shadow::EXACT;
        with_shadows(&[x], |o| ResidueOverride::default().convert(&mut out, o[0], z));
        judged(out.residue, &(ideal(x) - z), &format!("{x:?} to float"))?;
        with_shadows(&[x], |o| ResidueOverride::default().neg(&mut out, o[0]));
        prop_assert_eq!(out.residue.value, -x.1);
        with_shadows(&[x], |o| ResidueOverride::default().abs(&mut out, o[0]));
        let truth = ideal(x).abs() - x.0.abs();
        let off = Float::with_val(BITS, &truth - out.residue.value).abs().to_f64();
        // Where the sign changes, the magnitudes are subtracted.
        let changes_sign = x.0 * x.1 < 0.0 && x.1.abs() > x.0.abs();
        let size = truth.to_f64().abs() + if changes_sign { x.0.abs() } else { 0.0 };
        prop_assert!(off <= size * 1e-15, "|{x:?}|: {:e}, off by {off:e}", out.residue.value);
    }
}

/// f at a sum of doubles, to a thousand bits.
fn by_mpfr(f: Function, args: &[Pair], n: i64) -> Option<Float> {
    let mut oracle = Mpfr::new(1000);
    let shadows: Vec<Ball<Float>> = args.iter().map(|&x| Ball::exact(Float::with_val(1000, ideal(x)))).collect();
    let operands: Vec<_> = args.iter().zip(&shadows).map(|(&(actual, _), shadow)| Operand { actual, shadow }).collect();
    let mut out = oracle.variable();
    // Any finite value will do as what the program got.
    (oracle.function(f, &mut out, &operands, n, 1.0, Precision::Double) && out.value.is_finite()).then_some(out.value)
}

/// Each argument's term and the program's own, by MPFR: the sum of their magnitudes, and the operands' sum.
fn terms(at: impl Fn(&[Pair]) -> Option<Float>, args: &[Pair], z: f64) -> Option<(Float, f64, Float)> {
    let mut now: Vec<Pair> = args.iter().map(|&(x, _)| (x, 0.0)).collect();
    let first = at(&now)?;
    let (mut before, mut size) = (first.clone(), 0.0);
    for (place, &arg) in args.iter().enumerate() {
        now[place] = arg;
        let behind = at(&now)?;
        size += Float::with_val(1000, &behind - &before).to_f64().abs();
        before = behind;
    }
    Some((first.clone() - z, size, before - first))
}

const SMOOTH: &[Function] = {
    use Function::*;
    &[
        Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Asinh, Acosh, Atanh, Exp, Exp2, Exp10, Expm1, Log, Log2,
        Log10, Log1p, Cbrt, Erf, Erfc, Tgamma, Lgamma, J0, J1, Y0, Y1, Jn, Yn, Pow, Atan2, Hypot,
    ]
};

fn argument(f: Function, u: f64) -> f64 {
    match f {
        Function::Acosh => 1.0 + 3.0 * u,
        Function::Asin | Function::Acos | Function::Atanh => 2.0 * u - 1.0,
        Function::Sin | Function::Cos | Function::Tan => 200.0 * u - 100.0,
        // Away from where lgamma is 0 and its slope a difference of nothing.
        Function::Lgamma | Function::Tgamma => 2.5 + 3.0 * u,
        _ => 0.1 + 3.0 * u,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn functions(
        f in proptest::sample::select(SMOOTH),
        (u, v) in (0.001f64..0.999, 0.001f64..0.999),
        (d, e) in (size(1), size(1)),
        (k, l) in (8i32..200, 8i32..200),
        ulps in -3i64..4,
    ) {
        let (x, y) = (argument(f, u), argument(f, v));
        let shift = |x: f64, e: f64, k: i32| (x, x * e * f64::exp2(f64::from(-k)));
        let args = if f.arity() == 2 { vec![shift(x, d, k), shift(y, e, l)] } else { vec![shift(x, d, k)] };
        let at = |args: &[Pair]| by_mpfr(f, args, 2);
        let exact: Vec<Pair> = args.iter().map(|&(x, _)| (x, 0.0)).collect();
        let Some(value) = at(&exact) else { return Err(TestCaseError::reject("no value")) };
        let z = f64::from_bits((value.to_f64().to_bits() as i64 + ulps) as u64);
        let Some((introduced, size, by_operands)) = terms(at, &args, z) else { return Err(TestCaseError::reject("no value")) };
        let what = format!("{f:?}{args:?} = {z:e}");
        let mut out = Shadow::EXACT;
        let is_known =
            with_shadows(&args, |o| silenced().function(f, &mut out, o, 2, z, Precision::Double));
        prop_assert!(is_known);
        let off = Float::with_val(1000, &by_operands - out.residue.value).abs().to_f64();
        prop_assert!(off <= size * RIGHT, "{what}: operands' {:e}, not {:e}", out.residue.value, by_operands.to_f64());
        with_shadows(&args, |o| ResidueOverride::default().function(f, &mut out, o, 2, z, Precision::Double));
        let whole = Float::with_val(1000, &introduced + &by_operands);
        let off = (whole - out.residue.value).abs().to_f64();
        // The own term is the difference of the program's value and an evaluation to 2^-92 or better.
        let size = size + introduced.to_f64().abs() + z.abs() * f64::exp2(-92.0 + 40.0);
        prop_assert!(off <= size * RIGHT, "{what}: {:e}, off by {off:e} of {size:e}", out.residue.value);
    }

    #[test]
    fn complex_functions(
        f in proptest::sample::select(Complex::ALL),
        values in [0.2f64..2.0, 0.2f64..2.0, 0.2f64..2.0, 0.2f64..2.0],
        errors in [size(1), size(1), size(1), size(1)],
        scales in [8i32..200, 8i32..200, 8i32..200, 8i32..200],
        is_real: bool,
    ) {
        let half = if is_real { Half::Real } else { Half::Imaginary };
        let residue = |i: usize| errors[i] * f64::exp2(f64::from(-scales[i]));
        let args: Vec<Pair> = (0..f.arity()).map(|i| (values[i], residue(i))).collect();
        let at = |args: &[Pair]| {
            let mut oracle = Mpfr::new(1000);
            let shadows: Vec<Ball<Float>> =
        args.iter().map(|&x| Ball::exact(Float::with_val(1000, ideal(x)))).collect();
            let operands: Vec<_> =
                args.iter().zip(&shadows).map(|(&(actual, _), shadow)| Operand { actual, shadow }).collect();
            let mut out = oracle.variable();
            oracle.complex(f, half, &mut out, &operands, 1.0).then_some(out.value)
        };
        let Some((_, size, by_operands)) = terms(at, &args, 1.0) else { return Err(TestCaseError::reject("no value")) };
        let mut out = Shadow::EXACT;
        prop_assert!(with_shadows(&args, |o| silenced().complex(f, half, &mut out, o, 1.0)));
        let off = Float::with_val(1000, &by_operands - out.residue.value).abs().to_f64();
        prop_assert!(off <= size * RIGHT, "{f:?}{args:?} {half:?}: {:e}, not {:e}", out.residue.value, by_operands.to_f64());
    }
}

/// The paper's worked example, `sqrt(x + 1) - sqrt(x)`, squared: residues of a, b, c, y and z.
fn worked_example(x: f64, plan: &Plan) -> ([Residue; 5], Outcome) {
    let mut oracle = ResidueOverride::new(Arc::new(plan.clone()));
    let exact = Shadow::EXACT;
    let of = |actual, shadow| Operand { actual, shadow };
    let [mut a, mut b, mut c, mut y, mut z] = [const { Shadow::EXACT }; 5];
    let (sum, root) = (x + 1.0, x.sqrt());
    oracle.binary(Binary::Add, &mut a, of(x, &exact), of(1.0, &exact), sum);
    oracle.sqrt(&mut b, of(x, &exact), root);
    oracle.sqrt(&mut c, of(sum, &a), sum.sqrt());
    let difference = sum.sqrt() - root;
    oracle.binary(Binary::Sub, &mut y, of(sum.sqrt(), &c), of(root, &b), difference);
    oracle.binary(Binary::Mul, &mut z, of(difference, &y), of(difference, &y), difference * difference);
    ([a, b, c, y, z].map(|shadow| shadow.residue), oracle.take_outcome())
}

/// As the paper prints numbers: cut off behind 16 digits, not rounded.
fn printed(x: f64) -> String {
    let text = format!("{x:.30e}");
    let (digits, exponent) = text.split_once('e').expect("an exponent");
    format!("{}e{exponent}", &digits[..17])
}

/// Tables 1 and 2 of the paper.
#[test]
fn the_worked_example() {
    let mut runs = Vec::new();
    let Ok(resolution) = resolve(
        |plan| {
            let (residues, outcome) = worked_example(1e99, plan);
            runs.push(residues.map(|residue| printed(residue.value)));
            Ok::<_, Infallible>(outcome)
        },
        20,
    );
    assert_eq!(resolution, Resolution { executions: 3, settled: 1, open: 0 });
    let [one, root, small] = ["1.000000000000000e0", "1.314475277949211e32", "1.581138830084189e-50"];
    let (nothing, square) = ("0.000000000000000e0", "2.500000000000000e-100");
    assert_eq!(runs[0], [one, root, root, nothing, nothing]);
    assert_eq!(runs[1], [one, nothing, small, small, square]);
    assert_eq!(runs[2], [one, root, root, small, square]);
    // Table 1 is what MPFR has.
    let (x, bits) = (big(1e99), BITS);
    let (b, c) = (x.clone().sqrt(), (x + 1u32).sqrt());
    let y = Float::with_val(bits, &c - &b);
    let ideals = [b - 1e99f64.sqrt(), c - 1e99f64.sqrt(), y.clone(), y.square()];
    assert_eq!(
        ideals.map(|ideal| format!("{:.8e}", ideal.to_f64())),
        ["1.31447528e32", "1.31447528e32", "1.58113883e-50", "2.50000000e-100"]
    );
}

/// Operations of one thread after another's, and one that is done over.
#[test]
fn operations_keep_their_numbers() {
    let walk = |plan: Plan, done_over: bool| {
        let mut oracle = ResidueOverride::new(Arc::new(plan));
        let (mut out, exact) = (Shadow::EXACT, Shadow::EXACT);
        let mut values = Vec::new();
        for thread in [0, 7, 0, 7, 3] {
            oracle.begin_thread(thread);
            for _ in 0..2 {
                let (x, y) = (Operand { actual: 1.0, shadow: &exact }, Operand { actual: 1e-17, shadow: &exact });
                oracle.quick(Binary::Add, &mut out, x, y, 1.0);
                if done_over {
                    oracle.take_back();
                    oracle.binary(Binary::Add, &mut out, x, y, 1.0);
                }
                values.push((out.residue.value, out.residue.largest));
            }
        }
        (values, oracle.take_outcome())
    };
    let ids = |list: [(u32, u64); 10]| list.map(|(thread, ordinal)| OpId::new(thread, ordinal));
    let order = ids([(0, 0), (0, 1), (7, 0), (7, 1), (0, 2), (0, 3), (7, 2), (7, 3), (3, 0), (3, 1)]);
    let mut plan = Plan::default();
    plan.silence(OpId::new(7, 2));
    plan.probe(OpId::new(7, 2));
    plan.probe(OpId::new(3, 1));
    plan.put(OpId::new(0, 3), Residue::from_outside(5.0).into());
    for done_over in [false, true] {
        let (values, _) = walk(Plan::default(), done_over);
        assert_eq!(values, order.map(|op| (1e-17, op)));
        let (values, outcome) = walk(plan.clone(), done_over);
        assert_eq!([values[5].0, values[6].0, values[9].0], [5.0, 0.0, 1e-17]);
        let probed: Vec<_> = outcome.probed.iter().map(|(&op, probe)| (op, probe.residue.value)).collect();
        assert_eq!(probed, [(OpId::new(3, 1), 1e-17), (OpId::new(7, 2), 0.0)]);
    }
}

/// An absorption that is found by an operation that is done over counts once.
#[test]
fn what_is_done_over_is_detected_once() {
    let mut oracle = ResidueOverride::new(Arc::default());
    let absorbed = Residue { is_absorbed: true, largest: OpId::new(9, 1), ..Residue::from_outside(1.0) };
    let absorbed = Shadow::from(absorbed);
    let mut out = Shadow::EXACT;
    let x = Operand { actual: 3.0, shadow: &absorbed };
    oracle.quick(Binary::Sub, &mut out, x, x, 0.0);
    oracle.take_back();
    oracle.binary(Binary::Sub, &mut out, x, x, 0.0);
    let outcome = oracle.take_outcome();
    assert_eq!((outcome.detected, outcome.absorptions.len()), (1, 1));
    assert!(out.residue.is_zero && oracle.note().is_none());
    let mut alone = ResidueOverride::default();
    alone.quick(Binary::Sub, &mut out, x, x, 0.0);
    alone.take_back();
    alone.binary(Binary::Sub, &mut out, x, x, 0.0);
    assert!(alone.note().unwrap().contains("detected 1 times"));
}

/// A result that the program computed otherwise: the difference is the operation's own, and silent with it.
#[test]
fn a_result_that_was_computed_otherwise() {
    let operand = Shadow::from(Residue::from_outside(1e-30));
    let x = Operand { actual: 1.0, shadow: &operand };
    for (mut oracle, expected) in [(ResidueOverride::default(), 0.25), (silenced(), 1e-30)] {
        let mut out = Shadow::EXACT;
        oracle.convert(&mut out, x, 1.0);
        oracle.rebase(&mut out, 1.0, 0.75);
        assert_eq!(out.residue.value, expected);
    }
}
