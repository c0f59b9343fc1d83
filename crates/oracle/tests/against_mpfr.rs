//! Every oracle against MPFR at 1000 bits, on ordinary operands and at the edges of the format.

use nonius_oracle::{
    Binary, Complex, Dd, DoubleDouble, Fixed, Function, Half, Mpfr, Operand, Oracle, Precision, Residue,
    ResidueOverride,
};
use proptest::prelude::*;
use rug::Float;

const EDGES: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    3.0,
    1e16,
    1.0 + f64::EPSILON,
    f64::MIN_POSITIVE,
    5e-324,
    -1e-310,
    f64::MAX,
    f64::MIN,
    1e-160,
    1e160,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

const OPS: [Binary; 4] = [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div];

fn actual(op: Binary, x: f64, y: f64) -> f64 {
    match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
    }
}

/// The ideal that an oracle has for `x op y` of two exact values.
fn ideal<O: Oracle>(mut oracle: O, op: Binary, x: f64, y: f64) -> Dd {
    let (mut a, mut b, mut out) = (oracle.variable(), oracle.variable(), oracle.variable());
    oracle.restart(&mut a, x);
    oracle.restart(&mut b, y);
    let z = actual(op, x, y);
    oracle.binary(op, &mut out, Operand { actual: x, shadow: &a }, Operand { actual: y, shadow: &b }, z);
    oracle.ideal(&out, z)
}

fn reference(op: Binary, x: f64, y: f64) -> Float {
    let (x, y) = (Float::with_val(2200, x), Float::with_val(2200, y));
    Float::with_val(
        2200,
        match op {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            Binary::Mul => x * y,
            Binary::Div => x / y,
        },
    )
}

/// |ideal - reference|, relative to the reference.
fn distance(ideal: Dd, reference: &Float) -> f64 {
    let sum = Float::with_val(2200, ideal.hi) + ideal.lo;
    if sum == *reference { 0.0 } else { ((sum - reference) / reference).to_f64().abs() }
}

fn agrees(op: Binary, x: f64, y: f64) -> Result<(), String> {
    let z = actual(op, x, y);
    let answers = [
        ("mpfr:256", ideal(Mpfr::new(256), op, x, y), 2f64.powi(-104)),
        ("double-double", ideal(DoubleDouble, op, x, y), 2f64.powi(-98)),
        ("residue", ideal(Residue, op, x, y), 2f64.powi(-98)),
        ("residue-override", ideal(ResidueOverride::default(), op, x, y), 2f64.powi(-98)),
    ];
    let exact = reference(op, x, y);
    for (name, ideal, tolerance) in answers {
        if !z.is_finite() {
            // No ideal to speak of: the oracle goes on from what the program got.
            let same = ideal.hi.to_bits() == z.to_bits() || ideal.hi.is_nan() && z.is_nan();
            if !same {
                return Err(format!("{name}: {x:e} {op:?} {y:e} = {z:e}, but {ideal:?}"));
            }
            continue;
        }
        // Products and quotients whose errors are subnormal are right to a few of the smallest steps, at the
        // operands' size; MPFR has no such limit but where its answer is read as doubles.
        let small = z.abs() < 1e-290 || x.abs() < 1e-290 || y.abs() < 1e-290;
        let tolerance = if small { 1.0 } else { tolerance };
        let distance = distance(ideal, &exact);
        if distance > tolerance {
            return Err(format!("{name}: {x:e} {op:?} {y:e} = {z:e}: {ideal:?} is off by {distance:e}"));
        }
    }
    Ok(())
}

#[test]
fn all_pairs_of_edges() {
    for op in OPS {
        for &x in EDGES {
            for &y in EDGES {
                agrees(op, x, y).unwrap();
            }
        }
    }
}

proptest! {
    #[test]
    fn ordinary_operands(x in -1e9f64..1e9, y in -1e9f64..1e9, which in 0usize..4) {
        prop_assume!(y != 0.0);
        prop_assert_eq!(agrees(OPS[which], x, y), Ok(()));
    }

    #[test]
    fn the_leading_bits_are_read_right(x: f64, low in -1.0f64..1.0) {
        prop_assume!(x.is_finite());
        let mut oracle = Mpfr::new(300);
        let mut shadow = oracle.variable();
        let rest = low * x * 1e-17;
        oracle.restart_wide(&mut shadow, x, rest);
        let sum = Float::with_val(400, x) + rest;
        let ideal = oracle.ideal(&shadow, x);
        let back = Float::with_val(2200, ideal.hi) + ideal.lo;
        let off = (back - &sum).abs();
        prop_assert!(off <= Float::with_val(53, sum.abs_ref()) * 2f64.powi(-100) + f64::from_bits(2));
        oracle.restart(&mut shadow, x);
        prop_assert_eq!(oracle.ideal(&shadow, x), Dd::new(x, 0.0));
    }
}

#[test]
fn mpfr_at_53_bits_is_the_program() {
    let mut oracle = Mpfr::new(53);
    let (mut a, mut b, mut out) = (oracle.variable(), oracle.variable(), oracle.variable());
    for op in OPS {
        for (x, y) in [(0.1, 0.2), (1.0, 3.0), (1e16, 1.0), (-7.5, 1e-3)] {
            oracle.restart(&mut a, x);
            oracle.restart(&mut b, y);
            let z = actual(op, x, y);
            oracle.binary(op, &mut out, Operand { actual: x, shadow: &a }, Operand { actual: y, shadow: &b }, z);
            assert_eq!(oracle.ideal(&out, z), Dd::from(z), "{x} {op:?} {y}");
        }
    }
}

/// f of exact arguments by two oracles: they agree where both know the function.
fn function<O: Oracle>(mut oracle: O, f: Function, args: &[f64], n: i64, z: f64) -> Option<Dd> {
    let shadows: Vec<_> = args
        .iter()
        .map(|&x| {
            let mut shadow = oracle.variable();
            oracle.restart(&mut shadow, x);
            shadow
        })
        .collect();
    let operands: Vec<_> = args.iter().zip(&shadows).map(|(&actual, shadow)| Operand { actual, shadow }).collect();
    let mut out = oracle.variable();
    let known = oracle.function(f, &mut out, &operands, n, z, Precision::Double);
    known.then(|| oracle.ideal(&out, z))
}

#[test]
fn functions_agree() {
    for &f in Function::ALL {
        for &x in EDGES.iter().chain(&[0.3, 0.75, 2.5, 27.0, -0.4]) {
            for y in [0.5, 2.0, -1.5] {
                let args = if f.arity() == 2 { vec![x, y] } else { vec![x] };
                // Any finite value will do as what the program got.
                let z = function(Mpfr::new(53), f, &args, 2, 1.0).map_or(1.0, |dd| dd.hi);
                let [a, b] = [function(Mpfr::new(256), f, &args, 2, z), function(DoubleDouble, f, &args, 2, z)];
                let c = function(Residue, f, &args, 2, z);
                let d = function(ResidueOverride::default(), f, &args, 2, z);
                let Some(a) = a else { continue };
                for other in [b, c, d].into_iter().flatten() {
                    let scale = a.hi.abs().max(f64::MIN_POSITIVE);
                    let off = ((a.hi - other.hi) + (a.lo - other.lo)).abs() / scale;
                    let both_not_finite = !a.is_finite() && !other.is_finite();
                    assert!(off < 1e-25 || both_not_finite, "{f:?}({args:?}) ~ {z:e}: {a:?} but {other:?}");
                }
            }
        }
    }
}

#[test]
fn every_oracle_knows_every_function() {
    for &f in Function::ALL {
        let args = if f.arity() == 2 { vec![0.75, 0.5] } else { vec![if f == Function::Acosh { 1.5 } else { 0.75 }] };
        let known = [
            function(Mpfr::new(256), f, &args, 2, 1.0).is_some(),
            function(DoubleDouble, f, &args, 2, 1.0).is_some(),
            function(Residue, f, &args, 2, 1.0).is_some(),
            function(ResidueOverride::default(), f, &args, 2, 1.0).is_some(),
        ];
        assert_eq!(known, [true; 4], "{f:?}");
    }
}

fn complex<O: Oracle>(mut oracle: O, f: Complex, half: Half, args: &[f64], z: f64) -> Option<Dd> {
    let mut shadows: Vec<_> = args.iter().map(|_| oracle.variable()).collect();
    shadows.iter_mut().zip(args).for_each(|(shadow, &x)| oracle.restart(shadow, x));
    let operands: Vec<_> = args.iter().zip(&shadows).map(|(&actual, shadow)| Operand { actual, shadow }).collect();
    let mut out = oracle.variable();
    oracle.complex(f, half, &mut out, &operands, z).then(|| oracle.ideal(&out, z))
}

#[test]
fn complex_functions_agree() {
    for &f in Complex::ALL {
        for args in [[0.3, 0.4, 1.5, -0.25], [-2.5, 1e-3, 0.5, 3.0], [1e-8, -1e-9, 10.0, 1e-3]] {
            for half in [Half::Real, Half::Imaginary] {
                let args = &args[..f.arity()];
                let a = complex(Mpfr::new(256), f, half, args, 1.0).unwrap();
                // What a program would have got, so that a residue has the rest.
                let others = [
                    complex(DoubleDouble, f, half, args, a.hi),
                    complex(Residue, f, half, args, a.hi),
                    complex(ResidueOverride::default(), f, half, args, a.hi),
                ];
                for other in others {
                    let other = other.unwrap();
                    let off = ((a.hi - other.hi) + (a.lo - other.lo)).abs() / a.hi.abs();
                    assert!(off < 1e-28, "{f:?}{args:?} {half:?}: {a:?} but {other:?}");
                }
                // What overflowed in the program keeps its ideal; what is no number has none.
                assert_eq!(complex(Mpfr::new(256), f, half, args, f64::INFINITY), Some(a));
                assert!(complex(Mpfr::new(256), f, half, args, f64::NAN).is_some_and(|ideal| ideal.hi.is_nan()));
            }
        }
        assert_eq!(complex(Residue, f, Half::Real, &[f64::NAN; 4][..f.arity()], 1.0), None);
    }
}

/// `x op y` under an oracle, then `w` over it, from which comes the ideal and how far off it may be.
fn quotient_by<O: Oracle>(mut oracle: O, op: Binary, [x, y]: [f64; 2], w: f64) -> (Dd, f64) {
    let mut shadows = [x, y, w].map(|_| oracle.variable());
    shadows.iter_mut().zip([x, y, w]).for_each(|(shadow, x)| oracle.restart(shadow, x));
    let [a, b, c] = &shadows;
    let z = op.in_double(x, y);
    let mut divisor = oracle.variable();
    oracle.binary(op, &mut divisor, Operand { actual: x, shadow: a }, Operand { actual: y, shadow: b }, z);
    let mut out = oracle.variable();
    let of = |actual, shadow| Operand { actual, shadow };
    oracle.binary(Binary::Div, &mut out, of(w, c), of(z, &divisor), w / z);
    (oracle.ideal(&out, w / z), oracle.radius(&out, w / z))
}

/// 0 in the program: the divisor overflowed, and its ideal is a number; or it is as infinite as that.
#[test]
fn a_quotient_by_what_overflowed_is_no_true_zero() {
    let [overflow, pole] = [(Binary::Mul, [1e200, 1e200]), (Binary::Div, [1.0, 0.0])];
    for bits in [128, 256, 300] {
        let (ideal, _) = quotient_by(Mpfr::new(bits), overflow.0, overflow.1, 1e250);
        assert!((ideal.hi / 1e-150 - 1.0).abs() < 1e-15, "{ideal:?}");
        assert_eq!(quotient_by(Mpfr::new(bits), pole.0, pole.1, 1e250), (Dd::ZERO, 0.0));
    }
    let (ideal, _) = quotient_by(Fixed::<4>::default(), overflow.0, overflow.1, 1e250);
    assert!((ideal.hi / 1e-150 - 1.0).abs() < 1e-15, "{ideal:?}");
    // Without the exponents for it, nothing is known.
    assert_eq!(quotient_by(DoubleDouble, overflow.0, overflow.1, 1e250).1, f64::INFINITY);
    assert_eq!(quotient_by(Residue, overflow.0, overflow.1, 1e250).1, f64::INFINITY);
    assert_eq!(quotient_by(DoubleDouble, pole.0, pole.1, 1e250), (Dd::ZERO, 0.0));
    assert_eq!(quotient_by(Residue, pole.0, pole.1, 1e250), (Dd::ZERO, 0.0));
}
