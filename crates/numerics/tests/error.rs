//! Error measures, thresholds and the rules about noise.

mod common;

use common::{any_exponent, check, with_exponents};
use nonius_numerics::error::{exponent, ideal_is_nothing_beside, indistinguishable_from_zero};
use nonius_numerics::{Error, Precision, Threshold};
use proptest::prelude::*;
use rug::Float;

const D: Precision = Precision::Double;

#[test]
fn exponents() {
    check(2000, any_exponent(), |x| {
        prop_assume!(x != 0.0);
        prop_assert_eq!(exponent(x), Float::with_val(53, x).get_exp().unwrap() - 1);
        Ok(())
    });
    assert_eq!(exponent(f64::from_bits(1)), -1074);
    assert_eq!(exponent(-0.75), -1);
}

#[test]
fn measures_against_mpfr() {
    check(3000, (with_exponents(-900..900), with_exponents(-70..3), 0usize..6), |(v, relative, p)| {
        let p = Precision::ALL[p];
        let e = v * relative;
        let error = Error::of(v, e, p);
        let ideal = Float::with_val(300, v) + e;
        prop_assume!(!ideal.is_zero());
        let expected = (Float::with_val(300, e) / &ideal).abs().to_f64();
        prop_assert!((error.relative / expected - 1.0).abs() < 1e-14);
        let binade = ideal.get_exp().unwrap() - 1;
        let ulp_log2 = binade.max(p.min_exponent()) - (p.bits() as i32 - 1);
        let ulps = (Float::with_val(300, e).abs() >> ulp_log2).to_f64();
        // v + e is rounded, and can end up in the next binade.
        let same = |ulps: f64| (error.ulps / ulps - 1.0).abs() < 1e-14;
        prop_assert!(same(ulps) || same(ulps / 2.0) || ulps.is_infinite(), "{} ulps, not {}", error.ulps, ulps);
        prop_assert!((0.0..=f64::from(p.bits())).contains(&error.bits_lost));
        prop_assert!((0.0..=p.digits()).contains(&error.digits_left));
        Ok(())
    });
}

#[test]
fn measures_of_known_errors() {
    let error = Error::of(1.0, f64::EPSILON * 0.5, D);
    assert_eq!((error.ulps, error.bits_lost), (0.5, 0.0));
    let error = Error::of(1.0, f64::EPSILON * 1024.0, D);
    assert_eq!((error.ulps, error.bits_lost), (1024.0, 10.0));
    assert_eq!(Error::of(1.0, 2f64.powi(-13), Precision::Float).bits_lost, 10.0);
    assert_eq!(Error::of(1.0, 2f64.powi(-9), Precision::Half).ulps, 2.0);
    assert_eq!(Error::of(1.0, 2f64.powi(-9), Precision::Bfloat).ulps, 0.25);
    assert_eq!(Error::of(1.0, 2f64.powi(-60), Precision::X87).ulps, 8.0);
    assert_eq!(Error::of(1.0, 2f64.powi(-60), Precision::Quad).ulps, 2f64.powi(52));
    let error = Error::of(1.0, 1e-6, D);
    assert!((error.digits_left - 6.0).abs() < 1e-5);
    // The wrong sign: nothing is left.
    let error = Error::of(1.0, -2.0, D);
    assert_eq!((error.relative, error.bits_lost, error.digits_left), (2.0, 53.0, 0.0));
}

#[test]
fn measures_at_the_edges() {
    // Lost altogether: the value is 0, or its ideal is.
    let error = Error::of(0.0, 1e-20, D);
    assert_eq!((error.relative, error.bits_lost, error.digits_left), (1.0, 53.0, 0.0));
    let error = Error::of(1e-20, -1e-20, D);
    assert_eq!((error.relative, error.bits_lost, error.digits_left), (f64::INFINITY, 53.0, 0.0));
    // Nothing wrong, or nothing to say.
    for (value, residue) in
        [(0.0, 0.0), (1.0, 0.0), (f64::INFINITY, 1.0), (f64::NAN, 1.0), (1.0, f64::NAN), (1.0, f64::INFINITY)]
    {
        assert_eq!(Error::of(value, residue, D), Error::none(D), "{value} {residue}");
    }
    // The ideal is beyond the range of doubles: by as much again, by almost nothing, or so far that nothing is right.
    assert_eq!(Error::of(f64::MAX, f64::MAX, D).relative, 0.5);
    assert!(Error::of(f64::MAX, 2f64.powi(970), D).ulps <= 0.5);
    let error = Error::between(1.0, f64::INFINITY, f64::MAX, D);
    assert_eq!((error.relative, error.bits_lost, error.digits_left), (1.0, 53.0, 0.0));
    assert_eq!(Error::between(1.0, f64::INFINITY, f64::MAX, Precision::Float).bits_lost, 24.0);
    assert_eq!(Error::none(Precision::Float).digits_left, Precision::Float.digits());
    // Subnormals hold few bits: one quantum off is one ulp.
    let quantum = f64::from_bits(1);
    assert_eq!(Error::of(3.0 * quantum, quantum, D).ulps, 1.0);
    assert_eq!(Error::of(3.0 * quantum, quantum, D).bits_lost, 0.0);
    // A float's subnormal too, seen from a double.
    assert_eq!(Error::of(2f64.powi(-149), 2f64.powi(-150), Precision::Float).ulps, 0.5);
    // Where the ideal is 0 there is no ulp to measure by, except among subnormals.
    assert_eq!(Error::of(1e-100, -1e-100, D).ulps, f64::INFINITY);
    assert_eq!(Error::of(3.0 * quantum, -3.0 * quantum, D).ulps, 3.0);
}

#[test]
fn scale_does_not_matter() {
    check(2000, (with_exponents(-100..100), with_exponents(-70..3), -800i32..800), |(v, relative, n)| {
        let (e, scale) = (v * relative, 2f64.powi(n));
        prop_assert_eq!(Error::of(v, e, D), Error::of(v * scale, e * scale, D));
        let scaled = ideal_is_nothing_beside(v * scale, e * scale, 1e-6);
        prop_assert_eq!(ideal_is_nothing_beside(v, e, 1e-6), scaled);
        Ok(())
    });
}

#[test]
fn precisions_by_their_bits() {
    for p in Precision::ALL {
        assert_eq!(Precision::from_bits(p.bits()), Some(p));
    }
    assert_eq!(Precision::from_bits(52), None);
}

#[test]
fn rounding_to_a_precision() {
    check(2000, (with_exponents(-10..10), 0usize..6), |(x, p)| {
        let p = Precision::ALL[p];
        let expected = Float::with_val(p.bits().min(53), x).to_f64();
        let tie = Float::with_val(p.bits().min(53) + 1, x).to_f64() == x;
        prop_assert!(p.rounded(x) == expected || tie, "{} is not {}", p.rounded(x), expected);
        Ok(())
    });
    assert_eq!(Precision::Half.rounded(f64::MAX), f64::MAX);
}

#[test]
fn thresholds_from_text() {
    let limit = |text: &str, p| text.parse::<Threshold>().unwrap().relative_limit(p);
    assert_eq!(limit("rel=2^-19", D), 2f64.powi(-19));
    assert_eq!(limit("rel = 2 ^ -19", D), 2f64.powi(-19));
    assert_eq!(limit("1e-6", D), 1e-6);
    assert_eq!(limit(" 2^-10 ", Precision::Float), 2f64.powi(-10));
    assert_eq!(limit("digits=6", D), 1e-6);
    assert_eq!(limit("digits=2.5", D), 10f64.powf(-2.5));
    assert_eq!(limit("bits=30", D), 2f64.powi(-30));
    assert_eq!(limit("ulps=1000", D), 1000.0 * 2f64.powi(-53));
    assert_eq!(limit("ulps=1000", Precision::Float), 1000.0 * 2f64.powi(-24));
    // No float holds 9 digits or 30 bits.
    assert_eq!(limit("digits=9", Precision::Float), 2f64.powi(-24));
    assert_eq!(limit("bits=30", Precision::Float), 2f64.powi(-24));

    for text in
        ["", "rel=", "rel=0", "rel=-1", "digits=x", "digits=-1", "bits=1e999", "ulps=nan", "foo=1", "2^", "rel==1"]
    {
        let error = text.parse::<Threshold>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("'{text}' is not a threshold: write")), "{error}");
    }
}

#[test]
fn thresholds_round_trip() {
    for text in ["standard", "rel=1e-6", "digits=6", "bits=30", "ulps=1000"] {
        assert_eq!(text.parse::<Threshold>().unwrap().to_string(), text);
    }
}

#[test]
fn standard_threshold() {
    for precision in Precision::ALL {
        let expected = match precision {
            Precision::Bfloat => -3.0,
            Precision::Half => -6.0,
            Precision::Float | Precision::Double | Precision::X87 | Precision::Quad => -19.0,
        };
        assert_eq!(Threshold::default().relative_limit(precision).log2(), expected, "{precision:?}");
    }
}

#[test]
fn thresholds_decide() {
    let t = Threshold::default();
    let exceeded = |v, e, p| t.is_exceeded_by(&Error::of(v, e, p), p);
    assert!(exceeded(1.0, 2f64.powi(-18), D));
    assert!(!exceeded(1.0, 2f64.powi(-20), D));
    assert!(!exceeded(1.0, 2f64.powi(-10), Precision::Half));
    assert!(exceeded(0.0, 1e-300, D));
    assert!(exceeded(1.0, -1.0, D));
    assert!(!exceeded(f64::NAN, 1.0, D));
    // One quantum in a small subnormal is a large relative error, and still only a rounding.
    let quantum = f64::from_bits(1);
    assert!(!"ulps=2".parse::<Threshold>().unwrap().is_exceeded_by(&Error::of(3.0 * quantum, quantum, D), D));
}

#[test]
fn pure_rounding_error() {
    for bits in [10, 20] {
        let nothing = |v, e| ideal_is_nothing_beside(v, e, 2f64.powi(-bits));
        assert!(nothing(1e-17, -1e-17));
        assert!(nothing(1.0, -1.0 + 2f64.powi(-bits)));
        assert!(!nothing(1.0, -1.0 + 2f64.powi(-bits) + 2f64.powi(-40)));
        assert!(!nothing(1.0, 1e-17));
        assert!(!nothing(0.0, 0.0));
        assert!(!nothing(0.0, 1e-17));
        assert!(!nothing(f64::NAN, 0.0));
    }

    assert!(indistinguishable_from_zero(1e-33, -1e-32));
    assert!(indistinguishable_from_zero(0.0, 1e-32));
    assert!(!indistinguishable_from_zero(1e-31, 1e-32));
    assert!(!indistinguishable_from_zero(0.0, 0.0));
    assert!(!indistinguishable_from_zero(f64::NAN, 1.0));
}
