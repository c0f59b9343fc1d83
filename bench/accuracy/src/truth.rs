//! Whether a result is wrong: by the tool's own rule, applied to the exact error.

use crate::exact::Ideal;
use crate::real::Real;
use nonius_numerics::{Error, Threshold};
use rug::Float;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    Right,
    /// Its error is past the threshold: Nonius should say so.
    Wrong,
    /// Half or twice the error would be judged otherwise; counts neither way.
    NearThreshold,
    /// The program had an infinity or NaN, which has no precision to lose.
    NotFinite,
    /// MPFR has no number for it.
    NoIdeal,
}

/// The verdict that `actual` deserves, by the threshold that Nonius has by default.
pub fn judge(actual: f64, ideal: &Ideal, real: Real) -> Truth {
    if !actual.is_finite() {
        return Truth::NotFinite;
    }
    let Some(error) = error(actual, ideal, real) else { return Truth::NoIdeal };
    let exceeds = |factor: f64| {
        let scaled = Error { relative: error.relative * factor, ulps: error.ulps * factor, ..error };
        Threshold::Standard.is_exceeded_by(&scaled, real.precision())
    };
    match (exceeds(0.5), exceeds(2.0)) {
        (true, true) => Truth::Wrong,
        (false, false) => Truth::Right,
        _ => Truth::NearThreshold,
    }
}

/// The exact error of `actual`, which is finite; `None` without an ideal.
pub fn error(actual: f64, ideal: &Ideal, real: Real) -> Option<Error> {
    let precision = real.precision();
    let none = Error::none(precision);
    match ideal {
        Ideal::Unknown => None,
        Ideal::Zero if actual == 0.0 => Some(none),
        Ideal::Zero => {
            // Relative to 0 every error is infinite; only among subnormals is there a unit to count in.
            let is_normal = nonius_numerics::error::exponent(actual) >= precision.min_exponent();
            let ulps = if is_normal { f64::INFINITY } else { in_ulps(&Float::with_val(64, actual), i32::MIN, real) };
            Some(Error { relative: f64::INFINITY, ulps, ..none })
        }
        Ideal::Value(ideal) => {
            let difference = Float::with_val(ideal.prec() + 64, ideal - actual).abs();
            let relative = Float::with_val(64, &difference / ideal).abs().to_f64();
            let exponent = ideal.get_exp().unwrap_or(0) - 1;
            Some(Error { relative, ulps: in_ulps(&difference, exponent, real), ..none })
        }
    }
}

/// `difference` in units in the last place of a number with this exponent, `i32::MIN` for 0.
fn in_ulps(difference: &Float, exponent: i32, real: Real) -> f64 {
    let precision = real.precision();
    let ulp = exponent.max(precision.min_exponent()) - (precision.bits() as i32 - 1);
    Float::with_val(64, difference >> ulp).abs().to_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(x: f64) -> Ideal {
        Ideal::Value(Float::with_val(256, x))
    }

    #[test]
    fn verdicts_follow_the_threshold() {
        let limit = 2f64.powi(-19);
        let cases = [
            (1.0, value(1.0), Truth::Right),
            (1.0 + limit * 0.4, value(1.0), Truth::Right),
            (1.0 + limit * 0.9, value(1.0), Truth::NearThreshold),
            (1.0 + limit * 1.5, value(1.0), Truth::NearThreshold),
            (1.0 + limit * 2.5, value(1.0), Truth::Wrong),
            (0.0, value(1e-30), Truth::Wrong),
            (0.0, Ideal::Zero, Truth::Right),
            (1e-17, Ideal::Zero, Truth::Wrong),
            (f64::INFINITY, value(1.0), Truth::NotFinite),
            (1.0, Ideal::Unknown, Truth::NoIdeal),
        ];
        for (actual, ideal, truth) in cases {
            assert_eq!(judge(actual, &ideal, Real::Double), truth, "{actual:e} {ideal:?}");
        }
    }

    #[test]
    fn an_ulp_of_a_subnormal_is_right() {
        assert_eq!(judge(1e-322, &value(1.05e-322), Real::Double), Truth::Right);
        assert_eq!(judge(5e-324, &Ideal::Zero, Real::Double), Truth::Right);
        assert_eq!(judge(f64::from(1e-44f32), &value(1.1e-44), Real::Float), Truth::Right);
        assert_eq!(judge(1e-310, &value(1.1e-310), Real::Double), Truth::Wrong);
        assert_eq!(judge(0.0, &value(1e-310), Real::Double), Truth::Wrong);
        // Rounded away to 0, but below every unit of the format.
        let tiny = Ideal::Value(Float::with_val(256, Float::parse("1e-400").unwrap()));
        assert_eq!(judge(0.0, &tiny, Real::Double), Truth::Right);
    }
}
