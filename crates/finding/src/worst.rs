//! The worst value seen at a finding's site.

use crate::Precision;
use crate::float::{self, hex_float};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The worst value seen, and what it should have been.
///
/// What `value` and `shadow` are depends on the kind of the finding:
/// - `branch-flip`: the outcome of the comparison, 1 for true and 0 for false;
///   the numbers that were compared are the `operands`;
/// - `cast-flip`: the integer that came out, and the one that should have; the number that was
///   converted is the only operand. Of a remainder, the remainder itself;
/// - `load-mismatch`: the number that was loaded, and the one that had been stored;
/// - `unstable-branch`: the outcome of the test in this run, and another that it can have (for a conversion, the integers); the
///   `radius` is by how much results differ across it, where all its ways were followed;
/// - `assertion`: 0 where it does not hold, 2 where that is not known; 1, which it should be;
/// - `nan`, `inf`: the number that was produced, and its ideal, NaN if that is unknown;
/// - all others: the number that was observed, and its ideal.
///
/// `relative_error`, `ulps` and `bits_lost` always speak of floating-point numbers: of the value,
/// or for the kinds above of the operand that is worse off.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Worst {
    #[serde(with = "crate::float")]
    pub value: f64,
    #[serde(with = "crate::float")]
    pub shadow: f64,
    /// How far from `shadow` the true ideal may be, where that is an ideal; `None` in reports that do not say.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub radius: Option<f64>,
    /// `value` exactly, in C's `%a` notation; of a wider format than double, with all its digits.
    pub value_hex: String,
    pub shadow_hex: String,
    /// |shadow - value| / |shadow|.
    #[serde(with = "crate::float")]
    pub relative_error: f64,
    /// The error in units in the last place of the value's own format.
    #[serde(with = "crate::float")]
    pub ulps: f64,
    /// How many of the format's significant bits are wrong, from 0 to `precision.bits()`.
    #[serde(with = "crate::float")]
    pub bits_lost: f64,
    pub precision: Precision,
    /// What the sum that is to blame left of its largest term, as a share of it: the value or its ideal, whichever is
    /// larger. `None` if it was no sum, or the engine has not seen its terms.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub left: Option<f64>,
    /// What the operation worked on, left to right, where the engine knows it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<Operand>,
}

/// A number that an operation was given, and its ideal.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Operand {
    #[serde(with = "crate::float")]
    pub value: f64,
    #[serde(with = "crate::float")]
    pub shadow: f64,
    /// As in [`Worst`].
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub radius: Option<f64>,
}

impl Operand {
    pub fn new(value: f64, shadow: f64) -> Self {
        Self { value, shadow, radius: None }
    }

    /// The true ideal lies this close to `shadow`.
    pub fn with_radius(mut self, radius: f64) -> Self {
        self.radius = Some(radius);
        self
    }
}

impl Worst {
    /// The hexadecimal forms are those of the two doubles; an engine that saw a wider format
    /// overwrites them.
    pub fn new(value: f64, shadow: f64, precision: Precision) -> Self {
        Self {
            value,
            shadow,
            radius: None,
            value_hex: hex_float(value),
            shadow_hex: hex_float(shadow),
            relative_error: 0.0,
            ulps: 0.0,
            bits_lost: 0.0,
            precision,
            left: None,
            operands: Vec::new(),
        }
    }

    pub fn with_error(mut self, relative_error: f64, ulps: f64, bits_lost: f64) -> Self {
        self.relative_error = relative_error;
        self.ulps = ulps;
        self.bits_lost = bits_lost;
        self
    }

    /// The true ideal lies this close to `shadow`.
    pub fn with_radius(mut self, radius: f64) -> Self {
        self.radius = Some(radius);
        self
    }

    /// What a sum left of its largest term; 0 or less, and what is no number, says nothing.
    pub fn with_left(mut self, left: f64) -> Self {
        self.left = Some(left).filter(|left| *left > 0.0);
        self
    }

    pub fn with_operands(mut self, operands: &[Operand]) -> Self {
        self.operands = operands.to_vec();
        self
    }

    /// Bits of the format that still agree with the ideal, never below 0.
    pub fn bits_left(&self) -> f64 {
        let bits = f64::from(self.precision.bits());
        (bits - known(self.bits_lost)).clamp(0.0, bits)
    }

    /// Decimal digits that still agree with the ideal.
    pub fn digits_left(&self) -> f64 {
        self.bits_left() * std::f64::consts::LOG10_2
    }

    /// Orders by bits lost alone.
    pub fn compare_bits(&self, other: &Self) -> Ordering {
        known(self.bits_lost).total_cmp(&known(other.bits_lost))
    }

    /// Orders by how bad the value is: more relative error is greater, then more bits lost. (Bits are counted in ulps, of
    /// which there are more to a number the nearer it is to the next power of two: up to twice as many.) All other fields
    /// only make the order total.
    pub fn compare(&self, other: &Self) -> Ordering {
        let numbers = |w: &Self| [w.relative_error, w.bits_lost, w.ulps, w.value, w.shadow].map(known);
        let by_numbers = numbers(self)
            .iter()
            .zip(&numbers(other))
            .map(|(a, b)| a.total_cmp(b))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal);
        by_numbers
            .then_with(|| self.precision.cmp(&other.precision))
            .then_with(|| self.value_hex.cmp(&other.value_hex))
            .then_with(|| self.shadow_hex.cmp(&other.shadow_hex))
            .then_with(|| compare_radii(self.radius, other.radius))
            .then_with(|| compare_radii(self.left, other.left))
            .then_with(|| compare_operands(&self.operands, &other.operands))
    }
}

/// A measure that is NaN says nothing, and must not outrank one that does.
fn known(x: f64) -> f64 {
    if x.is_nan() { f64::NEG_INFINITY } else { x }
}

fn compare_operands(a: &[Operand], b: &[Operand]) -> Ordering {
    let keys = |list: &[Operand]| list.iter().map(|o| [known(o.value), known(o.shadow)]).collect::<Vec<_>>();
    let numbers = (keys(a), keys(b));
    let mut numbers = numbers.0.iter().flatten().zip(numbers.1.iter().flatten()).map(|(x, y)| x.total_cmp(y));
    let mut radii = a.iter().zip(b).map(|(x, y)| compare_radii(x.radius, y.radius));
    let differing = numbers.find(|o| o.is_ne()).or_else(|| radii.find(|o| o.is_ne()));
    differing.unwrap_or_else(|| a.len().cmp(&b.len()))
}

/// Of two alike, the one that is better known comes out greater.
fn compare_radii(a: Option<f64>, b: Option<f64>) -> Ordering {
    let key = |radius: Option<f64>| -radius.filter(|r| !r.is_nan()).unwrap_or(f64::INFINITY);
    key(a).total_cmp(&key(b)).then(a.is_some().cmp(&b.is_some()))
}

/// Whether the same is known, all NaNs being one.
fn same_radius(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => float::same(a, b),
        _ => a.is_none() && b.is_none(),
    }
}

/// Equality for tests and merging: NaN equals NaN, and zeros of different sign differ.
impl PartialEq for Worst {
    fn eq(&self, other: &Self) -> bool {
        let floats = |w: &Self| [w.value, w.shadow, w.relative_error, w.ulps, w.bits_lost];
        floats(self).iter().zip(&floats(other)).all(|(a, b)| float::same(*a, *b))
            && self.value_hex == other.value_hex
            && self.shadow_hex == other.shadow_hex
            && self.precision == other.precision
            && same_radius(self.radius, other.radius)
            && same_radius(self.left, other.left)
            && self.operands == other.operands
    }
}

impl PartialEq for Operand {
    fn eq(&self, other: &Self) -> bool {
        float::same(self.value, other.value)
            && float::same(self.shadow, other.shadow)
            && same_radius(self.radius, other.radius)
    }
}
