//! How much relative error is too much, as the user gives it.
//!
//! ```
//! use nonius_numerics::{Precision, Threshold};
//! let t: Threshold = "digits=6".parse().unwrap();
//! assert_eq!(t.relative_limit(Precision::Double), 1e-6);
//! ```

use crate::error::{Error, Precision, power_of_two};
use core::fmt;
use core::str::FromStr;

/// A limit on the error of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Threshold {
    /// `standard`: relative 2^-19, but never tighter than 32 roundings (32 * 2^-bits): short formats would be flooded.
    #[default]
    Standard,
    /// `rel=X` or `X` alone: this relative error.
    Relative(f64),
    /// `digits=N`: this many significant decimal digits must survive.
    Digits(f64),
    /// `bits=N`: this many leading bits must survive.
    Bits(f64),
    /// `ulps=N`: this many units in the last place of each format.
    Ulps(f64),
}

impl Threshold {
    const STANDARD_RELATIVE_LOG2: i32 = -19;
    const STANDARD_ROUNDINGS_LOG2: i32 = 5;

    /// The largest relative error that passes in a format.
    ///
    /// What no value of the format can hold (`digits=9` of a float) is eased to one rounding, 2^-bits.
    #[must_use]
    pub fn relative_limit(self, precision: Precision) -> f64 {
        let bits = precision.bits() as i32;
        let one_rounding = power_of_two(-bits);
        match self {
            Threshold::Standard => power_of_two(Self::STANDARD_RELATIVE_LOG2.max(Self::STANDARD_ROUNDINGS_LOG2 - bits)),
            Threshold::Relative(limit) => limit.max(one_rounding),
            Threshold::Digits(digits) => ten_to_minus(digits).max(one_rounding),
            Threshold::Bits(bits_kept) => (-bits_kept).exp2().max(one_rounding),
            Threshold::Ulps(ulps) => (ulps * one_rounding).max(one_rounding),
        }
    }

    /// Whether an error is too much.
    ///
    /// Among subnormals one ulp can be a relative error of 1/2, so an error of no more than the ulps that the limit
    /// stands for never counts.
    #[must_use]
    pub fn is_exceeded_by(self, error: &Error, precision: Precision) -> bool {
        let limit = self.relative_limit(precision);
        error.relative > limit && error.ulps > limit * power_of_two(precision.bits() as i32 - 1)
    }
}

/// 10^-digits, exactly rounded for the whole numbers that people type.
fn ten_to_minus(digits: f64) -> f64 {
    const TABLE: [f64; 23] = [
        1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16,
        1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22,
    ];
    let index = digits as usize;
    if index as f64 == digits && index < TABLE.len() { TABLE[index] } else { 10f64.powf(-digits) }
}

/// Why a threshold was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdError {
    text: String,
}

impl fmt::Display for ThresholdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a threshold: write a relative error (rel=2^-19 or 1e-6), digits=6, bits=30, ulps=1000 or standard",
            self.text
        )
    }
}

impl core::error::Error for ThresholdError {}

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(text: &str) -> Result<Threshold, ThresholdError> {
        parse(text.trim()).ok_or_else(|| ThresholdError { text: text.to_owned() })
    }
}

fn parse(text: &str) -> Option<Threshold> {
    if text == "standard" {
        return Some(Threshold::Standard);
    }
    let (key, value) = text.split_once('=').unwrap_or(("rel", text));
    let value = number(value.trim())?;
    let threshold = match key.trim() {
        "rel" if value > 0.0 => Threshold::Relative(value),
        "digits" if value >= 0.0 => Threshold::Digits(value),
        "bits" if value >= 0.0 => Threshold::Bits(value),
        "ulps" if value > 0.0 => Threshold::Ulps(value),
        _ => return None,
    };
    Some(threshold)
}

/// A finite number, or a power such as `2^-19`.
fn number(text: &str) -> Option<f64> {
    let value = match text.split_once('^') {
        Some((base, power)) => base.trim().parse::<f64>().ok()?.powf(power.trim().parse().ok()?),
        None => text.parse().ok()?,
    };
    value.is_finite().then_some(value)
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threshold::Standard => write!(f, "standard"),
            Threshold::Relative(limit) => write!(f, "rel={limit:e}"),
            Threshold::Digits(digits) => write!(f, "digits={digits}"),
            Threshold::Bits(bits) => write!(f, "bits={bits}"),
            Threshold::Ulps(ulps) => write!(f, "ulps={ulps}"),
        }
    }
}
