//! Residues of the operations that do not round.

mod common;

use common::{argument_with_residue, check, exact_sum, with_exponents};
use nonius_numerics::{Precision, exact};
use proptest::prelude::*;
use rug::Float;

const D: Precision = Precision::Double;
const CASES: u32 = 4000;

fn operand() -> impl Strategy<Value = (f64, f64)> {
    let near_integer = (-100i32..100, with_exponents(-54..-1)).prop_map(|(n, d)| f64::from(n) / 2.0 + d);
    argument_with_residue(prop_oneof![
        with_exponents(-10..60),
        (-100i32..100).prop_map(|n| f64::from(n) / 2.0),
        near_integer
    ])
}

/// fl(x + e) in double and in float.
fn working(x: f64, e: f64) -> [(Precision, f64); 2] {
    let sum = exact_sum(x, e);
    [(D, sum.to_f64()), (Precision::Float, f64::from(sum.to_f64() as f32))]
}

/// What an integer lacks: nothing where it is one step away, and all of the argument's error where that is an integer anyway.
fn lacks(p: Precision, x: f64, e: f64, difference: f64) -> f64 {
    match difference {
        _ if x.abs() >= 2f64.powi(p.bits() as i32 - 1) => e,
        1.0 | -1.0 => 0.0,
        _ => difference,
    }
}

#[test]
fn to_an_integer() {
    check(CASES, operand(), |(x, e)| {
        for (p, r) in working(x, e) {
            if r.is_infinite() {
                continue;
            }
            let r = Float::with_val(53, r);
            let rint = x.round_ties_even();
            let cases = [
                (exact::floor(p, x, e, x.floor()), r.clone().floor().to_f64() - x.floor()),
                (exact::ceil(p, x, e, x.ceil()), r.clone().ceil().to_f64() - x.ceil()),
                (exact::trunc(p, x, e, x.trunc()), r.clone().trunc().to_f64() - x.trunc()),
                (exact::round(p, x, e, x.round()), r.clone().round().to_f64() - x.round()),
                (exact::rint(p, x, e, rint), r.round_even().to_f64() - rint),
            ];
            for (residue, difference) in cases {
                prop_assert_eq!(residue, lacks(p, x, e, difference));
            }
        }
        Ok(())
    });
}

#[test]
fn a_step_is_the_programs_decision() {
    assert_eq!(exact::floor(D, 3.0, -1e-18, 3.0), 0.0);
    assert_eq!(exact::floor(D, 3.0, -1e-15, 3.0), 0.0);
    assert_eq!(exact::floor(D, 3.0, -1.5, 3.0), -2.0);
    assert_eq!(exact::floor(Precision::Half, 3.0, -1e-2, 3.0), 0.0);
    assert_eq!(exact::floor(D, f64::INFINITY, 0.0, f64::INFINITY), 0.0);
    assert_eq!(exact::rint(D, 2.5, 1e-15, 2.0), 0.0);
    assert_eq!(exact::floor(D, 1e17, -3.0, 1e17), -3.0);
    assert_eq!(exact::floor(Precision::Float, 3e7, -1.0, 3e7), -1.0);
}

#[test]
fn ieee_remainder_is_exact() {
    check(CASES, (common::argument(), common::argument()), |(x, y)| {
        prop_assume!(y != 0.0);
        let expected = Float::with_val(53, Float::with_val(53, x).remainder_ref(&Float::with_val(53, y)));
        prop_assert_eq!(exact::ieee_remainder(x, y), expected.to_f64());
        Ok(())
    });
    assert!(exact::ieee_remainder(1.0, 0.0).is_nan());
    assert!(exact::ieee_remainder(f64::INFINITY, 1.0).is_nan());
    assert_eq!(exact::ieee_remainder(3.0, f64::INFINITY), 3.0);
}

#[test]
fn remainders_keep_the_programs_quotient() {
    use exact::Quotient::{Floored, Nearest, Truncated};
    assert_eq!(exact::remainder(Truncated, 100.0, 1e-20, 7.0, 0.0, 2.0), 1e-20);
    assert_eq!(exact::remainder(Truncated, 100.0, 0.0, 7.0, 1e-20, 2.0), -14e-20);
    assert_eq!(exact::remainder(Nearest, 100.0, 1e-20, 7.0, 0.0, 2.0), 1e-20);
    // One quotient away, on both sides.
    assert_eq!(exact::remainder(Truncated, 14.0, -1e-3, 7.0, 0.0, 0.0), -1e-3);
    assert_eq!(exact::remainder(Truncated, -14.0, 1e-3, 7.0, 0.0, -0.0), 1e-3);
    assert_eq!(exact::remainder(Nearest, 10.5, 1e-3, 7.0, 0.0, 3.5), 1e-3);
    // More than that is where it belongs.
    assert_eq!(exact::remainder(Truncated, 14.0, 15.0, 7.0, 0.0, 0.0), 1.0);
    assert_eq!(exact::remainder(Nearest, 14.0, 15.0, 7.0, 0.0, 0.0), 1.0);
    assert_eq!(exact::remainder(Truncated, 1.0, 0.0, 0.0, 0.0, f64::NAN), 0.0);
    assert_eq!(exact::remainder_of(Floored, -1.0, 7.0), 6.0);
    assert_eq!(exact::remainder_of(Floored, 1.0, -7.0), -6.0);
    assert_eq!(exact::remainder_of(Floored, 14.0, -7.0), 0.0);
    assert_eq!(exact::remainder_of(Truncated, -8.0, 7.0), -1.0);
    assert_eq!(exact::remainder_of(Nearest, 6.0, 7.0), -1.0);
}

#[test]
fn scaling() {
    check(CASES, (argument_with_residue(common::argument()), -2200i32..2200), |((x, e), n)| {
        let z = (Float::with_val(53, x) << n).to_f64();
        let actual = exact::ldexp(x, e, n, z);
        if !z.is_finite() {
            prop_assert_eq!(actual, 0.0);
            return Ok(());
        }
        // What z lost, and the residue, to a rounding or a few of the smallest steps.
        let truth = (exact_sum(x, e) << n) - z;
        let off = Float::with_val(5000, &truth - actual).abs();
        prop_assert!(off <= truth.to_f64().abs() * 2f64.powi(-52) + 4.0 * f64::from_bits(1), "{} {}", actual, truth);
        Ok(())
    });
}

#[test]
fn taking_apart() {
    // 12 = 0.75 * 2^4
    assert_eq!(exact::frexp(1e-10, 4), 1e-10 / 16.0);
    assert_eq!(exact::frexp(f64::NAN, 4), 0.0);
    assert_eq!(exact::frexp(1e-300, -1073), 1e-300 * 2f64.powi(1000) * 2f64.powi(73));

    assert_eq!(exact::fraction(D, 3.25, 1e-20), 1e-20);
    assert_eq!(exact::fraction(D, 2.75, 0.5), 0.5);
    // 5.25 in place of 2.75: three whole ones went to the integer.
    assert_eq!(exact::fraction(D, 2.75, 2.5), -0.5);
    assert_eq!(exact::fraction(D, f64::INFINITY, 0.0), 0.0);

    assert_eq!(exact::logb(D, 8.0, 0.0, 3.0), 0.0);
    assert_eq!(exact::logb(D, 8.0, -1e-20, 3.0), 0.0);
    assert_eq!(exact::logb(D, 8.0, -1e-10, 3.0), 0.0);
    assert_eq!(exact::logb(D, 8.0, -5.0, 3.0), -2.0);
    assert_eq!(exact::logb(D, 0.0, 0.0, f64::NEG_INFINITY), 0.0);
    assert_eq!(exact::logb(D, f64::from_bits(1), 0.0, -1074.0), 0.0);
}

#[test]
fn positive_difference() {
    assert_eq!(exact::fdim(3.0, 1e-20, 1.0, 4e-20, 2.0), 1e-20 - 4e-20);
    assert_eq!(exact::fdim(1.0, 1e-20, 3.0, 0.0, 0.0), 0.0);
    assert_eq!(exact::fdim(1.0, 3.0, 3.0, 0.0, 0.0), 1.0);
    assert_eq!(exact::fdim(3.0, -4.0, 1.0, 0.0, 2.0), -2.0);
    assert_eq!(exact::fdim(f64::INFINITY, 0.0, 1.0, 1.0, f64::INFINITY), 0.0);
}

/// What is scaled back, or halved, where the whole is beyond the range.
#[test]
fn at_the_end_of_the_range() {
    let z = f64::MIN_POSITIVE;
    let expected = -1e300 * 2f64.powi(-1000) * 2f64.powi(-1046);
    assert_eq!(exact::ldexp(f64::MAX, -1e300, -2046, z), expected);
    // An odd quotient of a difference that overflows: 91.
    let (x, y) = (f64::MAX, 1.9829229301891254e306);
    let m = exact::ieee_remainder(x, y);
    assert!((x - m).is_infinite() && exact::quotient(x, y, m) == 91.0, "{}", exact::quotient(x, y, m));
}
