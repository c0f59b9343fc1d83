//! Error-free transformations, double-double arithmetic and residue functions against MPFR.

mod common;

use common::{any_exponent, argument, argument_with_residue, big, check, with_exponents};
use nonius_numerics::{Dd, eft, residue};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rug::Float;

const CASES: u32 = 5000;
/// Enough to hold any sum or product of a few doubles.
const EXACT: u32 = 4400;

fn exact(x: f64) -> Float {
    Float::with_val(EXACT, x)
}

/// Numbers whose products and quotients stay clear of the ends of the range.
fn tame() -> impl Strategy<Value = f64> {
    prop_oneof![with_exponents(-200..200), with_exponents(-3..3), (-50i32..50).prop_map(f64::from)]
}

#[test]
fn two_sum_is_exact() {
    check(CASES, (any_exponent(), any_exponent()), |(x, y)| {
        let (s, t) = eft::two_sum(x, y);
        prop_assume!(s.is_finite() && t.is_finite());
        prop_assert_eq!(s, x + y);
        prop_assert_eq!(exact(s) + t, exact(x) + y);
        let (large, small) = if x.abs() >= y.abs() { (x, y) } else { (y, x) };
        prop_assert_eq!(eft::fast_two_sum(large, small), (s, t));
        Ok(())
    });
}

#[test]
fn two_prod_is_exact() {
    check(CASES, (with_exponents(-480..480), with_exponents(-480..480)), |(x, y)| {
        let (p, t) = eft::two_prod(x, y);
        prop_assert_eq!(p, x * y);
        prop_assert_eq!(exact(p) + t, exact(x) * y);
        prop_assert_eq!(eft::two_prod_dekker(x, y), (p, t));
        Ok(())
    });
}

#[test]
fn split_is_exact_and_short() {
    check(CASES, with_exponents(-1000..990), |x| {
        let (hi, lo) = eft::split(x);
        prop_assert_eq!(hi + lo, x);
        prop_assert_eq!(hi.to_bits() & 0x3ff_ffff, 0);
        Ok(())
    });
}

#[test]
fn fma_error_is_rounded_once_or_nearly() {
    check(CASES, (tame(), tame(), tame()), |(x, y, c)| {
        let z = x.mul_add(y, c);
        let expected = exact(x) * y + c - z;
        close(eft::fma_error(x, y, c, z), &expected, -52)
    });
}

/// Within a relative error of 2^bound.
fn close(actual: f64, expected: &Float, bound: i32) -> Result<(), TestCaseError> {
    let error = Float::with_val(EXACT, expected - actual).abs();
    let allowed = Float::with_val(EXACT, expected.abs_ref()) * 2f64.powi(bound);
    prop_assert!(error <= allowed, "{:e}, not {:e}", actual, expected.to_f64());
    Ok(())
}

fn any_dd() -> impl Strategy<Value = Dd> {
    let low = prop_oneof![Just(0.0), with_exponents(-80..-54), Just(1.0 / 9_007_199_254_740_992.0)];
    (tame(), low).prop_map(|(hi, low)| Dd::from_residue(hi, hi * low))
}

fn value(y: Dd) -> Float {
    exact(y.hi) + y.lo
}

/// The parts do not overlap, and their sum is within `squares` times 2^-106 of the exact value.
fn dd_close(y: Dd, expected: &Float, squares: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(y.hi + y.lo, y.hi, "parts overlap");
    let error = (value(y) - expected).abs();
    let allowed = Float::with_val(EXACT, expected.abs_ref()) * (squares * 2f64.powi(-106));
    prop_assert!(error <= allowed, "{:?}, not {:e}", y, expected.to_f64());
    Ok(())
}

#[test]
fn dd_arithmetic() {
    check(CASES, (any_dd(), any_dd(), tame()), |(a, b, c)| {
        dd_close(a + b, &(value(a) + value(b)), 3.0)?;
        dd_close(a - b, &(value(a) - value(b)), 3.0)?;
        dd_close(a * b, &(value(a) * value(b)), 5.0)?;
        dd_close(a.add_f64(c), &(value(a) + c), 2.0)?;
        dd_close(a.mul_f64(c), &(value(a) * c), 3.0)?;
        dd_close(a.square(), &(value(a) * value(a)), 5.0)?;
        dd_close(-a, &-value(a), 0.0)?;
        if b.hi != 0.0 {
            dd_close(a / b, &Float::with_val(600, value(a) / value(b)), 10.0)?;
        }
        dd_close(a.abs().sqrt(), &Float::with_val(600, value(a).abs().sqrt()), 4.0)
    });
}

#[test]
fn dd_sums_that_cancel() {
    check(CASES, (any_dd(), with_exponents(-110..-1)), |(a, nearly)| {
        let b = Dd::from_residue(-a.hi, -a.lo * (1.0 + nearly));
        dd_close(a + b, &(value(a) + value(b)), 3.0)?;
        let b = Dd::from_residue(-a.hi * (1.0 + nearly), a.lo);
        dd_close(a + b, &(value(a) + value(b)), 3.0)
    });
}

#[test]
fn dd_sums_ahead_are_the_same_bits() {
    let same = |a: Dd, b: Dd| {
        let bits = |x: Dd| [x.hi, x.lo].map(|part| if part.is_nan() { u64::MAX } else { part.to_bits() });
        let (sum, ahead) = (a + b, a.sum_ahead(b));
        prop_assert_eq!(bits(sum), bits(ahead), "{:?} {:?}", a, b);
        Ok(())
    };
    check(CASES, (any_dd(), any_dd(), with_exponents(-110..-1)), |(a, b, nearly)| {
        same(a, b)?;
        same(a, Dd::from_residue(-a.hi, -a.lo * (1.0 + nearly)))?;
        same(a, Dd::from_residue(-a.hi * (1.0 + nearly), a.lo))?;
        // Ties: half a unit, and a little more or less.
        let half = a.hi.abs() * 2f64.powi(-53);
        same(Dd::new(a.hi, half), Dd::new(b.hi * 2f64.powi(-120), 0.0))?;
        same(Dd::new(a.hi, 0.0), Dd::new(half, half * nearly))
    });
    let edges = [0.0, -0.0, 5e-324, f64::MIN_POSITIVE, 1.0, f64::MAX, -f64::MAX, f64::INFINITY, f64::NAN];
    for (x, y) in edges.iter().flat_map(|&x| edges.map(|y| (x, y))) {
        same(Dd::from(x), Dd::from(y)).unwrap();
        same(Dd::from(-x), Dd::from(y)).unwrap();
        same(Dd::new(x, y), Dd::new(-x, -y)).unwrap();
    }
}

#[test]
fn dd_from_residue_is_exact() {
    check(CASES, argument_with_residue(argument()), |(x, e)| {
        prop_assume!((x + e).is_finite() && x.abs() < 1e308);
        let y = Dd::from_residue(x, e);
        prop_assert_eq!(value(y), exact(x) + e);
        let z = x * 1.25;
        prop_assume!((exact(x) + e - z).to_f64().is_finite());
        close(y.minus_actual(z), &(exact(x) + e - z), -51)
    });
    assert_eq!(Dd::from_residue(f64::INFINITY, 1.0), Dd::INFINITY);
    assert!(Dd::from_residue(-0.0, 0.0).hi.is_sign_negative());
}

#[test]
fn dd_sqrt_at_the_edges() {
    assert_eq!(Dd::from(0.0).sqrt(), Dd::ZERO);
    assert_eq!(Dd::INFINITY.sqrt(), Dd::INFINITY);
    assert!(Dd::from(-1.0).sqrt().hi.is_nan());
    let tiny = Dd::from(3e-310);
    let expected = Float::with_val(300, big(3e-310).sqrt());
    dd_close(tiny.sqrt(), &Float::with_val(EXACT, expected), 4.0).unwrap();
}

/// A tame operand and its residue.
fn operand() -> impl Strategy<Value = (f64, f64)> {
    let nothing_left = with_exponents(-200..-100).prop_map(|e| (0.0, e));
    prop_oneof![8 => argument_with_residue(tame()), 1 => nothing_left]
}

/// The residue is that of the exact operation on the exact ideals, to what one double can hold: `terms` is the sum of
/// the magnitudes that had to be added up.
fn residue_close(actual: f64, expected: &Float, terms: f64) -> Result<(), TestCaseError> {
    let error = Float::with_val(EXACT, expected - actual).abs();
    let allowed = 2f64.powi(-50) * terms + f64::from_bits(4);
    prop_assert!(error <= allowed, "residue {:e}, not {:e}", actual, expected.to_f64());
    Ok(())
}

#[test]
fn residues_of_sums() {
    check(CASES, (operand(), operand()), |((x, e_x), (y, e_y))| {
        let sum = exact(x) + y;
        let difference = exact(x) - y;
        for (round, is_float) in [((|z| z) as fn(f64) -> f64, false), (|z| f64::from(z as f32), true)] {
            let (x, y) = (round(x), round(y));
            let (sum, difference) =
                if is_float { (exact(x) + y, exact(x) - y) } else { (sum.clone(), difference.clone()) };
            let z = if is_float { f64::from(x as f32 + y as f32) } else { x + y };
            prop_assume!(z.is_finite() && x.is_finite() && y.is_finite());
            let mu = (sum.clone() - z).to_f64().abs();
            let ideal = sum + e_x + e_y;
            residue_close(residue::add(x, e_x, y, e_y, z), &(ideal - z), mu + e_x.abs() + e_y.abs())?;
            let z = if is_float { f64::from(x as f32 - y as f32) } else { x - y };
            prop_assume!(z.is_finite());
            let mu = (difference.clone() - z).to_f64().abs();
            let ideal = difference + e_x - e_y;
            residue_close(residue::sub(x, e_x, y, e_y, z), &(ideal - z), mu + e_x.abs() + e_y.abs())?;
        }
        Ok(())
    });
}

#[test]
fn residues_of_products() {
    check(CASES, (operand(), operand(), operand()), |((x, e_x), (y, e_y), (c, e_c))| {
        let ideal = (exact(x) + e_x) * (exact(y) + e_y);
        let propagated = (y * e_x).abs() + (x * e_y).abs() + (e_x * e_y).abs();
        for z in [x * y, f64::from((x * y) as f32)] {
            prop_assume!(z.is_finite());
            let mu = (exact(x) * y - z).to_f64().abs();
            residue_close(residue::mul(x, e_x, y, e_y, z), &(ideal.clone() - z), mu + propagated)?;
        }
        let z = x.mul_add(y, c);
        let mu = (exact(x) * y + c - z).to_f64().abs();
        let expected = ideal + (exact(c) + e_c) - z;
        residue_close(residue::fma(x, e_x, y, e_y, c, e_c, z), &expected, mu + propagated + e_c.abs())
    });
}

#[test]
fn residues_of_quotients_and_roots() {
    check(CASES, (operand(), operand()), |((x, e_x), (y, e_y))| {
        let divisor = exact(y) + e_y;
        for z in [x / y, f64::from((x / y) as f32)] {
            if !z.is_finite() || divisor.is_zero() {
                continue;
            }
            let expected = Float::with_val(EXACT, (exact(x) + e_x) / &divisor) - z;
            let mu = (exact(x) - exact(z) * y).to_f64().abs();
            let terms = (mu + e_x.abs() + (z * e_y).abs()) / (y + e_y).abs();
            // The divisor itself is rounded, and the residue with it.
            residue_close(residue::div(x, e_x, y, e_y, z), &expected, 2.0 * terms)?;
        }
        let (x, e_x) = if x < 0.0 { (-x, -e_x) } else { (x, e_x) };
        let ideal = exact(x) + e_x;
        for z in [x.sqrt(), f64::from(x.sqrt() as f32)] {
            if ideal < 0 {
                prop_assert!(residue::sqrt(x, e_x, z).is_nan() || x + e_x == 0.0);
            } else if z.is_finite() && x + e_x != 0.0 {
                let expected = ideal.clone().sqrt() - z;
                let mu = (exact(x) - exact(z) * z).to_f64().abs();
                residue_close(residue::sqrt(x, e_x, z), &expected, 2.0 * (mu + e_x.abs()) / (z + (x + e_x).sqrt()))?;
            }
        }
        Ok(())
    });
}

#[test]
fn residues_without_rounding() {
    check(CASES, (operand(), operand()), |((x, e_x), (y, e_y))| {
        let (ideal_x, ideal_y) = (exact(x) + e_x, exact(y) + e_y);
        let terms = e_x.abs() + e_y.abs();
        let magnitude = Float::with_val(EXACT, ideal_x.abs_ref());
        residue_close(residue::neg(e_x), &Float::with_val(EXACT, -e_x), 0.0)?;
        residue_close(residue::abs(x, e_x), &(magnitude.clone() - x.abs()), terms)?;
        let min = Float::with_val(EXACT, ideal_x.min_ref(&ideal_y));
        let z = x.min(y);
        residue_close(residue::min(x, e_x, y, e_y, z), &(min - z), terms)?;
        let max = Float::with_val(EXACT, ideal_x.max_ref(&ideal_y));
        let z = x.max(y);
        residue_close(residue::max(x, e_x, y, e_y, z), &(max - z), terms)?;
        if !ideal_y.is_zero() {
            let expected = if ideal_y < 0 { -magnitude } else { magnitude } - x.copysign(y);
            residue_close(residue::copysign(x, e_x, y, e_y), &expected, terms + 2.0 * x.abs())?;
        }
        let z = f64::from(x as f32);
        if z.is_finite() {
            residue_close(residue::trunc(x, e_x, z), &(ideal_x - z), (x - z).abs() + e_x.abs())?;
        }
        Ok(())
    });
}

/// A residue far below the value is kept to the last bit where no sum forces a rounding.
#[test]
fn small_residues_survive() {
    assert_eq!(residue::abs(-1.0, 1e-40), -1e-40);
    assert_eq!(residue::min(1.0, 1e-40, 1.0, 2e-40, 1.0), 1e-40);
    assert_eq!(residue::max(1.0, 1e-40, 1.0, 2e-40, 1.0), 2e-40);
    assert_eq!(residue::copysign(3.0, 1e-40, -0.0, 0.0), -1e-40);
    // x and y have both cancelled to 0: the second-order term is all there is.
    assert_eq!(residue::mul(0.0, 1e-20, 0.0, 3e-20, 0.0), 1e-20 * 3e-20);
    // The same of a root: the actual value is 0, the ideal is not.
    assert_eq!(residue::sqrt(0.0, 2f64.powi(-80), 0.0), 2f64.powi(-40));
}

#[test]
fn out_of_range_has_no_residue() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    assert_eq!(residue::add(INF, 0.0, 1.0, 1.0, INF), 0.0);
    assert_eq!(residue::add(f64::MAX, 1.0, f64::MAX, 0.0, INF), 0.0);
    assert_eq!(residue::sub(INF, 0.0, INF, 0.0, NAN), 0.0);
    assert_eq!(residue::mul(INF, 0.0, 2.0, 1e-9, INF), 0.0);
    assert_eq!(residue::mul(1e300, 0.0, 1e300, 0.0, INF), 0.0);
    assert_eq!(residue::div(1.0, 0.0, 0.0, 1e-9, INF), 0.0);
    assert_eq!(residue::div(1.0, 0.0, INF, 0.0, 0.0), 0.0);
    assert_eq!(residue::div(0.0, 1.0, 0.0, 1.0, NAN), 0.0);
    assert_eq!(residue::sqrt(-1.0, 0.0, NAN), 0.0);
    assert!(residue::sqrt(0.0, -5e-324, 0.0).is_nan() && residue::sqrt(1e-17, -2e-17, 1e-17f64.sqrt()).is_nan());
    assert_eq!(residue::sqrt(INF, 0.0, INF), 0.0);
    assert_eq!(residue::sqrt(0.0, 0.0, 0.0), 0.0);
    assert_eq!(residue::fma(INF, 1.0, 1.0, 1.0, 1.0, 1.0, INF), 0.0);
    assert_eq!(residue::abs(-INF, 1.0), 0.0);
    assert_eq!(residue::abs(NAN, 1.0), 0.0);
    assert_eq!(residue::neg(NAN), 0.0);
    assert_eq!(residue::trunc(1e300, 1.0, INF), 0.0);
    assert_eq!(residue::copysign(NAN, 1.0, 1.0, 0.0), 0.0);
    assert_eq!(residue::copysign(1.0, NAN, 1.0, 0.0), 0.0);
    assert_eq!(residue::min(NAN, 0.0, 2.0, 0.5, 2.0), 0.5);
    assert_eq!(residue::min(2.0, 0.5, NAN, 0.0, 2.0), 0.5);
    assert_eq!(residue::max(NAN, 0.0, NAN, 0.0, NAN), 0.0);
    assert_eq!(residue::max(INF, 0.0, 2.0, 0.5, INF), 0.0);
    assert_eq!(residue::min(INF, 0.0, 2.0, 0.5, 2.0), 0.5);
}
