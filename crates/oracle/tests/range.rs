//! Radii over the whole range of doubles: what an oracle says of a value is never further from the truth than it says.
//!
//! Programs are a few random operations on values of all exponents, subnormal ones and zeros among them, so that sums
//! lose terms, products and their low parts underflow, and results overflow on their way. The truth is MPFR's, at
//! 6000 bits.

use nonius_oracle::{Binary, DoubleDouble, Function, Mpfr, Operand, Oracle, Precision, Residue, ResidueOverride};
use proptest::prelude::*;
use rug::Float;
use rug::ops::Pow;

const BITS: u32 = 6000;

/// What is done with earlier values, which the numbers count from the last one back.
#[derive(Clone, Copy, Debug)]
enum Step {
    Value(f64),
    Binary(Binary, usize, usize),
    Fused(usize, usize, usize),
    Root(usize),
    ToFloat(usize),
    Negated(usize),
    Magnitude(usize),
    Function(Function, usize),
    Power(usize, usize),
}

const FUNCTIONS: [Function; 16] = [
    Function::Exp,
    Function::Expm1,
    Function::Log,
    Function::Log1p,
    Function::Sin,
    Function::Cos,
    Function::Tan,
    Function::Atan,
    Function::Cbrt,
    Function::Tanh,
    Function::Erf,
    Function::Asinh,
    Function::Asin,
    Function::Acos,
    Function::Acosh,
    Function::Atanh,
];

/// The program's value of a function, and the truth.
fn function(f: Function, x: f64, exact: &Float) -> (f64, Float) {
    let x_here = || exact.clone();
    match f {
        Function::Exp => (x.exp(), x_here().exp()),
        Function::Expm1 => (x.exp_m1(), x_here().exp_m1()),
        Function::Log => (x.ln(), x_here().ln()),
        Function::Log1p => (x.ln_1p(), x_here().ln_1p()),
        Function::Sin => (x.sin(), x_here().sin()),
        Function::Cos => (x.cos(), x_here().cos()),
        Function::Tan => (x.tan(), x_here().tan()),
        Function::Atan => (x.atan(), x_here().atan()),
        Function::Cbrt => (x.cbrt(), x_here().cbrt()),
        Function::Tanh => (x.tanh(), x_here().tanh()),
        Function::Erf => (Float::with_val(53, x).erf().to_f64(), x_here().erf()),
        Function::Asinh => (Float::with_val(53, x).asinh().to_f64(), x_here().asinh()),
        Function::Asin => (x.asin(), x_here().asin()),
        Function::Acos => (x.acos(), x_here().acos()),
        Function::Acosh => (Float::with_val(53, x).acosh().to_f64(), x_here().acosh()),
        Function::Atanh => (Float::with_val(53, x).atanh().to_f64(), x_here().atanh()),
        other => unreachable!("{other:?}"),
    }
}

/// Each step's shadow against the truth, until that is no number.
fn walked<O: Oracle>(mut oracle: O, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut values: Vec<(f64, O::Shadow, Float)> = Vec::new();
    for &step in steps {
        let mut out = oracle.variable();
        let at = |back: usize| &values[values.len() - 1 - back % values.len()];
        let operand = |back: usize| {
            let (actual, shadow, _) = at(back);
            Operand { actual: *actual, shadow }
        };
        let (z, truth) = match step {
            Step::Value(x) => {
                oracle.restart(&mut out, x);
                (x, Float::with_val(BITS, x))
            }
            Step::Binary(op, a, b) => {
                let z = op.in_double(at(a).0, at(b).0);
                oracle.binary(op, &mut out, operand(a), operand(b), z);
                let (x, y) = (&at(a).2, &at(b).2);
                let truth = match op {
                    Binary::Add => Float::with_val(BITS, x + y),
                    Binary::Sub => Float::with_val(BITS, x - y),
                    Binary::Mul => Float::with_val(BITS, x * y),
                    Binary::Div => Float::with_val(BITS, x / y),
                };
                (z, truth)
            }
            Step::Fused(a, b, c) => {
                let z = at(a).0.mul_add(at(b).0, at(c).0);
                oracle.fma(&mut out, [operand(a), operand(b), operand(c)], z);
                (z, Float::with_val(BITS, at(a).2.mul_add_ref(&at(b).2, &at(c).2)))
            }
            Step::Root(a) => {
                let z = at(a).0.sqrt();
                oracle.sqrt(&mut out, operand(a), z);
                (z, at(a).2.clone().sqrt())
            }
            Step::ToFloat(a) => {
                let z = f64::from(at(a).0 as f32);
                oracle.convert(&mut out, operand(a), z);
                (z, at(a).2.clone())
            }
            Step::Negated(a) => {
                oracle.neg(&mut out, operand(a));
                (-at(a).0, Float::with_val(BITS, -&at(a).2))
            }
            Step::Magnitude(a) => {
                oracle.abs(&mut out, operand(a));
                (at(a).0.abs(), at(a).2.clone().abs())
            }
            Step::Function(f, a) => {
                let (z, truth) = function(f, at(a).0, &at(a).2);
                if !oracle.function(f, &mut out, &[operand(a)], 0, z, Precision::Double) {
                    return Ok(());
                }
                (z, truth)
            }
            Step::Power(a, b) => {
                let z = at(a).0.powf(at(b).0);
                if !oracle.function(Function::Pow, &mut out, &[operand(a), operand(b)], 0, z, Precision::Double) {
                    return Ok(());
                }
                (z, Float::with_val(BITS, (&at(a).2).pow(&at(b).2)))
            }
        };
        // A pole or no number at all, or what the program has no verdict for; or so large that its sine takes all day.
        let is_usual = truth.get_exp().is_none_or(|exponent| exponent.abs() < 5000);
        if !truth.is_finite() || !is_usual || z.is_nan() {
            return Ok(());
        }
        if z.is_finite() {
            holds(&oracle, &out, z, &truth, steps, values.len())?;
        }
        values.push((z, out, truth));
    }
    Ok(())
}

fn holds<O: Oracle>(
    oracle: &O,
    shadow: &O::Shadow,
    z: f64,
    truth: &Float,
    steps: &[Step],
    at: usize,
) -> Result<(), TestCaseError> {
    let estimate = oracle.estimate(shadow, z);
    // An ideal beyond the range is known to be that.
    if estimate.ideal.is_infinite() {
        let is_beyond = truth.to_f64().abs() >= f64::MAX * 0.99;
        prop_assert!(is_beyond || estimate.radius == f64::INFINITY, "{steps:?}: {at} is {truth:?}");
        return Ok(());
    }
    let off = Float::with_val(64, truth - estimate.ideal).abs();
    // The ideal is rounded once to a double, and so is the residue.
    let rounding = Float::with_val(64, truth.abs_ref()) * 2f64.powi(-52) + f64::from_bits(2);
    let limit = rounding + estimate.radius;
    prop_assert!(
        off <= limit,
        "{steps:?}: step {at} is {:e}, {estimate:?} by the oracle, and truly {:e}",
        z,
        Float::with_val(53, truth)
    );
    let residue_off = (Float::with_val(64, truth - z) - estimate.residue).abs();
    let size = Float::with_val(64, truth - z).abs();
    // It is the difference of two doubles that stand for the ideal.
    let limit = size * 2f64.powi(-50)
        + Float::with_val(64, truth.abs_ref()) * 2f64.powi(-104)
        + f64::from_bits(2)
        + estimate.radius;
    prop_assert!(
        residue_off <= limit || estimate.residue.abs() == f64::MAX,
        "{steps:?}: step {at} is {:e}, {estimate:?} by the oracle, off by {residue_off:e} from its residue",
        z
    );
    Ok(())
}

fn value() -> impl Strategy<Value = f64> {
    let any_exponent = (0u64..0x7fe, any::<u64>(), any::<bool>())
        .prop_map(|(exponent, bits, sign)| f64::from_bits(u64::from(sign) << 63 | exponent << 52 | bits >> 12));
    let few_bits =
        (-1074i32..1023, 1u32..16).prop_map(|(exponent, bits)| f64::from(bits) * f64::exp2(f64::from(exponent - 4)));
    let near_the_edges = prop_oneof![-1074i32..-950, -550i32..-470, 480i32..530, 950i32..1023]
        .prop_flat_map(|exponent| (1.0f64..2.0).prop_map(move |m| m * f64::exp2(f64::from(exponent))));
    let usual = (1.0f64..2.0, -60i32..60).prop_map(|(m, exponent)| m * f64::exp2(f64::from(exponent)));
    prop_oneof![3 => any_exponent, 2 => few_bits, 3 => near_the_edges, 3 => usual, 1 => Just(0.0), 1 => Just(1.0)]
}

fn step() -> impl Strategy<Value = Step> {
    let op = prop_oneof![Just(Binary::Add), Just(Binary::Sub), Just(Binary::Mul), Just(Binary::Div)];
    prop_oneof![
        3 => value().prop_map(Step::Value),
        8 => (op, 0usize..4, 0usize..4).prop_map(|(op, a, b)| Step::Binary(op, a, b)),
        2 => (0usize..4, 0usize..4, 0usize..4).prop_map(|(a, b, c)| Step::Fused(a, b, c)),
        2 => (0usize..3).prop_map(Step::Root),
        1 => (0usize..3).prop_map(Step::ToFloat),
        1 => (0usize..3).prop_map(Step::Negated),
        1 => (0usize..3).prop_map(Step::Magnitude),
        2 => (0usize..FUNCTIONS.len(), 0usize..3).prop_map(|(f, a)| Step::Function(FUNCTIONS[f], a)),
        1 => (0usize..3, 0usize..3).prop_map(|(a, b)| Step::Power(a, b)),
    ]
}

fn program() -> impl Strategy<Value = Vec<Step>> {
    let first = [value().prop_map(Step::Value), value().prop_map(Step::Value)];
    (first, prop::collection::vec(step(), 1..7)).prop_map(|(first, rest)| first.into_iter().chain(rest).collect())
}

/// The same programs every time: what is rarer than one in some thousands is for a longer run to find.
fn config() -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(12);
    ProptestConfig { cases: 4000, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn double_double(steps in program()) {
        walked(DoubleDouble, &steps)?;
    }

    #[test]
    fn residue(steps in program()) {
        walked(Residue, &steps)?;
    }

    #[test]
    fn residue_override(steps in program()) {
        walked(ResidueOverride::default(), &steps)?;
    }

    #[test]
    fn mpfr(steps in program(), bits in prop_oneof![Just(64u32), Just(128), Just(192), Just(256)]) {
        walked(Mpfr::new(bits), &steps)?;
    }
}

/// A hand-written `hypot` of tiny numbers: the squares underflow.
#[test]
fn squares_that_underflow_are_open() {
    for (x, y) in [(1e-165, 3e-164), (1e-170, 1e-180), (2e-160, 1e-161), (1.5e-154, 1e-160)] {
        let steps = [
            Step::Value(x),
            Step::Binary(Binary::Mul, 0, 0),
            Step::Value(y),
            Step::Binary(Binary::Mul, 0, 0),
            Step::Binary(Binary::Add, 0, 2),
            Step::Root(0),
        ];
        walked(DoubleDouble, &steps).unwrap();
        walked(Residue, &steps).unwrap();
        walked(ResidueOverride::default(), &steps).unwrap();
    }
}

/// Noise is what a function's slope at the ideal makes of it. The slope at the actual value may be another by many orders
/// of magnitude: a root whose operand cancelled, the beginning of the arccosine, the other side of a pole, a quotient of
/// which the ideal is larger.
#[test]
fn slopes_are_those_at_the_ideal() {
    let law_of_cosines = |a: f64, b: f64, t: f64| {
        vec![
            Step::Value(a),
            Step::Value(b),
            Step::Value(t),
            Step::Function(Function::Cos, 0),
            Step::Value(2.0),
            Step::Binary(Binary::Mul, 0, 4),
            Step::Binary(Binary::Mul, 0, 4),
            Step::Binary(Binary::Mul, 0, 3),
            Step::Binary(Binary::Mul, 7, 7),
            Step::Binary(Binary::Mul, 7, 7),
            Step::Binary(Binary::Add, 1, 0),
            Step::Binary(Binary::Sub, 0, 3),
            Step::Root(0),
            Step::Value(1e-6),
            Step::Binary(Binary::Div, 0, 1),
        ]
    };
    let tan_of_atan =
        |x: f64| vec![Step::Value(x), Step::Function(Function::Atan, 0), Step::Function(Function::Tan, 0)];
    // acos(x y) with a product just below 1.
    let near_one = |x: f64| {
        vec![
            Step::Value(x),
            Step::Value(1.0),
            Step::Binary(Binary::Div, 0, 1),
            Step::Binary(Binary::Mul, 0, 2),
            Step::Value(1.0 - 1e-15),
            Step::Binary(Binary::Mul, 0, 1),
            Step::Function(Function::Acos, 0),
        ]
    };
    let mut programs = vec![
        law_of_cosines(110.57285947063424, 110.57285947063215, 1.1108e-12),
        law_of_cosines(0.004241709, 0.004241708999987, 6.1e-15),
    ];
    programs.extend([-1.7631448753262984e27, -1.4948727136e20, 3e17, 5e15, -2e9].map(tan_of_atan));
    programs.extend([3.0, 7.0, 49.0, 1.1].map(near_one));
    for steps in programs {
        walked(DoubleDouble, &steps).unwrap();
        walked(Residue, &steps).unwrap();
        walked(ResidueOverride::default(), &steps).unwrap();
        walked(Mpfr::new(128), &steps).unwrap();
    }
}
