//! How wrong a value is, in the measures that people read.
//!
//! A value or residue that is not finite has no precision to speak of: its error is [`Error::none`], and whoever cares
//! about infinities and NaN looks at the value itself.

/// The floating-point formats that have shadows. The order is that of site and code tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Precision {
    Half,
    Bfloat,
    Float,
    Double,
    X87,
    Quad,
}

impl Precision {
    pub const ALL: [Precision; 6] =
        [Precision::Half, Precision::Bfloat, Precision::Float, Precision::Double, Precision::X87, Precision::Quad];

    /// The word for it in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Precision::Half => "half",
            Precision::Bfloat => "bfloat",
            Precision::Float => "float",
            Precision::Double => "double",
            Precision::X87 => "x87",
            Precision::Quad => "quad",
        }
    }

    /// As tables have it.
    #[must_use]
    pub fn from_u8(x: u8) -> Option<Precision> {
        Precision::ALL.get(usize::from(x)).copied()
    }

    /// Bytes that a store of it writes.
    #[must_use]
    pub const fn store_bytes(self) -> u32 {
        match self {
            Precision::Half | Precision::Bfloat => 2,
            Precision::Float => 4,
            Precision::Double => 8,
            Precision::X87 => 10,
            Precision::Quad => 16,
        }
    }

    /// The share of a value up to which its ideal is nothing beside it: what is left of 0 by the noise of
    /// shadows, whose size goes with theirs. (Residues in memory have the precision of their values.)
    #[must_use]
    pub const fn nothing(self) -> f64 {
        match self {
            Precision::Half | Precision::Bfloat | Precision::Float => 1.0 / 1024.0,
            Precision::Double | Precision::X87 | Precision::Quad => 1.0 / 1_048_576.0,
        }
    }

    /// By how much an ideal weighs more than its value where one asks whether a sum left nothing but rounding. What is left
    /// of a value is compared with 2^-0.75 of its bits, an ideal so with 2^-20 of a rounding of the largest term.
    pub const fn weight_of_ideal(self) -> f64 {
        f64::from_bits((1023 + 20 + self.bits() as u64 / 4) << 52)
    }

    /// Significand bits, the leading one included.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Precision::Bfloat => 8,
            Precision::Half => 11,
            Precision::Float => 24,
            Precision::Double => 53,
            Precision::X87 => 64,
            Precision::Quad => 113,
        }
    }

    /// The format with that many significand bits, which tells the six apart.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Precision> {
        Some(match bits {
            8 => Precision::Bfloat,
            11 => Precision::Half,
            24 => Precision::Float,
            53 => Precision::Double,
            64 => Precision::X87,
            113 => Precision::Quad,
            _ => return None,
        })
    }

    /// Exponent of the smallest normal number.
    #[inline]
    #[must_use]
    pub const fn min_exponent(self) -> i32 {
        match self {
            Precision::Half => -14,
            Precision::Bfloat | Precision::Float => -126,
            Precision::Double => -1022,
            Precision::X87 | Precision::Quad => -16382,
        }
    }

    /// Decimal digits that the format holds: bits times log10(2).
    #[must_use]
    pub fn digits(self) -> f64 {
        f64::from(self.bits()) * core::f64::consts::LOG10_2
    }

    /// `x` rounded to the format, as far as a double can tell: subnormals of half and bfloat keep all their bits.
    #[inline]
    #[must_use]
    pub fn rounded(self, x: f64) -> f64 {
        match self {
            Precision::Double | Precision::X87 | Precision::Quad => x,
            Precision::Float => f64::from(x as f32),
            Precision::Half | Precision::Bfloat => {
                // Dekker's split: the bits beyond the format fall off the difference.
                let c = x * (power_of_two(53 - self.bits() as i32) + 1.0);
                if c.is_finite() { c - (c - x) } else { x }
            }
        }
    }

    /// Whether a value is not too small for the format, subnormals included.
    #[must_use]
    pub fn reaches(self, x: f64) -> bool {
        x == 0.0 || x.abs() >= power_of_two(self.ulp_exponent(0.0))
    }

    /// Exponent of the format's ulp at `x`: constant below the smallest normal number.
    #[must_use]
    pub fn ulp_exponent(self, x: f64) -> i32 {
        exponent(x).max(self.min_exponent()) - (self.bits() as i32 - 1)
    }
}

/// floor(log2 |x|) for finite `x`; far below every format's range for 0.
#[must_use]
pub fn exponent(x: f64) -> i32 {
    const BELOW_ALL: i32 = -20_000;
    let bits = x.to_bits() & !(1 << 63);
    match (bits >> 52) as i32 {
        0 if bits == 0 => BELOW_ALL,
        0 => -1011 - bits.leading_zeros() as i32,
        biased => biased - 1023,
    }
}

/// 2^n as a double, rounded to 0 or infinity outside the range.
#[must_use]
pub(crate) fn power_of_two(n: i32) -> f64 {
    match n {
        -1022..=1023 => f64::from_bits(((n + 1023) as u64) << 52),
        -1074..=-1023 => f64::from_bits(1 << (n + 1074)),
        i32::MIN..=-1075 => 0.0,
        1024..=i32::MAX => f64::INFINITY,
    }
}

/// The error of a value with a residue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Error {
    /// |residue| / |ideal|; infinite when the ideal is 0 and the value is not.
    pub relative: f64,
    /// |residue| in ulps of the format at the ideal; infinite when the ideal is 0 and the value is not (or subnormal).
    pub ulps: f64,
    /// log2 of `ulps`, from 0 (correctly rounded, or nearly) to the format's bits (nothing is left).
    pub bits_lost: f64,
    /// Significant decimal digits that survive, from 0 to what the format holds.
    pub digits_left: f64,
}

impl Error {
    /// No error.
    #[must_use]
    pub fn none(precision: Precision) -> Error {
        Error { relative: 0.0, ulps: 0.0, bits_lost: 0.0, digits_left: precision.digits() }
    }

    /// The error of `value`, held in a format of `precision`, whose ideal is `value + residue`.
    #[must_use]
    pub fn of(value: f64, residue: f64, precision: Precision) -> Error {
        Error::between(value, value + residue, residue, precision)
    }

    /// The same with an ideal of its own: beside a value that is much larger, `value + residue` has none of its digits.
    #[must_use]
    pub fn between(value: f64, ideal: f64, residue: f64, precision: Precision) -> Error {
        if residue == 0.0 || !residue.is_finite() || ideal.is_nan() || !value.is_finite() {
            return Error::none(precision);
        }
        if ideal.is_infinite() {
            // Beyond the range of doubles, but what it is made of is within: a quarter of all has the same error.
            let [value, residue] = [value / 4.0, residue / 4.0];
            return Error::between(value, value + residue, residue, precision);
        }
        let relative = residue.abs() / ideal.abs();
        // At an ideal of 0 the ulp is the smallest subnormal: true for subnormals, but as a measure of anything larger
        // it would change with the program's units.
        let is_normal = exponent(residue) >= precision.min_exponent();
        let ulps = if ideal == 0.0 && is_normal {
            f64::INFINITY
        } else {
            in_ulps(residue.abs(), precision.ulp_exponent(ideal))
        };
        let bits = f64::from(precision.bits());
        let bits_lost = if relative >= 1.0 && ulps >= 1.0 { bits } else { ulps.log2().clamp(0.0, bits) };
        let digits_left = (-relative.log10()).clamp(0.0, precision.digits());
        Error { relative, ulps, bits_lost, digits_left }
    }
}

/// `x / 2^ulp_exponent`, where the divisor may lie far outside the range of a double.
fn in_ulps(x: f64, ulp_exponent: i32) -> f64 {
    let first = (-ulp_exponent).clamp(-1000, 1000);
    let second = (-ulp_exponent - first).clamp(-1000, 1000);
    let third = -ulp_exponent - first - second;
    x * power_of_two(first) * power_of_two(second) * power_of_two(third)
}

/// Whether the value is pure rounding error: its ideal is at most `nothing` of it, a small share.
///
/// So are the low parts of compensated code: Kahan's `c`, the error terms of TwoSum and TwoProd. They do their work
/// further on, and multiplying all data by a power of two changes nothing here.
#[inline]
#[must_use]
pub fn ideal_is_nothing_beside(value: f64, residue: f64, nothing: f64) -> bool {
    value != 0.0 && (value + residue).abs() <= nothing * value.abs()
}

/// Whether an ideal lies within the noise of its own computation, so that its sign and digits mean nothing.
///
/// `noise` bounds what the residues themselves may be off by, in the unit of `ideal`. With no noise, 0 is a true zero.
#[inline]
#[must_use]
pub fn indistinguishable_from_zero(ideal: f64, noise: f64) -> bool {
    noise != 0.0 && ideal.abs() <= noise.abs()
}
