//! Floats in text: JSON that keeps NaN and infinities, and hexadecimal notation that keeps every bit.

use serde::de::{self, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;

/// Finite values are JSON numbers; the others, which JSON lacks, are "nan", "inf" and "-inf".
/// Made for `#[serde(with = "crate::float")]`.
pub(crate) fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
    match non_finite_name(*x) {
        Some(name) => s.serialize_str(name),
        None => s.serialize_f64(*x),
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    struct FloatVisitor;

    impl Visitor<'_> for FloatVisitor {
        type Value = f64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number, \"nan\", \"inf\" or \"-inf\"")
        }
        fn visit_f64<E: de::Error>(self, x: f64) -> Result<f64, E> {
            Ok(x)
        }
        fn visit_i64<E: de::Error>(self, x: i64) -> Result<f64, E> {
            Ok(x as f64)
        }
        fn visit_u64<E: de::Error>(self, x: u64) -> Result<f64, E> {
            Ok(x as f64)
        }
        fn visit_str<E: de::Error>(self, word: &str) -> Result<f64, E> {
            match word {
                "nan" => Ok(f64::NAN),
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
            }
        }
    }

    d.deserialize_any(FloatVisitor)
}

/// The same for a number that may be missing, with `#[serde(default, skip_serializing_if = "Option::is_none")]`.
pub(crate) mod optional {
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(x: &Option<f64>, s: S) -> Result<S::Ok, S::Error> {
        super::serialize(&x.unwrap_or(f64::NAN), s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
        super::deserialize(d).map(Some)
    }
}

fn non_finite_name(x: f64) -> Option<&'static str> {
    match x {
        _ if x.is_nan() => Some("nan"),
        f64::INFINITY => Some("inf"),
        f64::NEG_INFINITY => Some("-inf"),
        _ => None,
    }
}

/// Equal as far as a report can tell: signed zeros differ, all NaNs are one.
pub(crate) fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// A total order in which all NaNs are one, below everything.
pub(crate) fn order(a: f64, b: f64) -> std::cmp::Ordering {
    let known = |x: f64| if x.is_nan() { f64::NEG_INFINITY } else { x };
    known(a).total_cmp(&known(b)).then(b.is_nan().cmp(&a.is_nan()))
}

/// `x` in C's `%a` notation, exact: `0x1.4p+0`. NaN and infinities are "nan", "inf" and "-inf".
pub fn hex_float(x: f64) -> String {
    if let Some(name) = non_finite_name(x) {
        return name.to_owned();
    }
    const FRACTION_BITS: u32 = 52;
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let bits = x.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = (bits >> FRACTION_BITS) & 0x7ff;
    if biased == 0 && fraction == 0 {
        return format!("{sign}0x0p+0");
    }
    // A subnormal has no implicit one, and the exponent of the smallest normal.
    let (lead, exponent) = if biased == 0 { (0, -1022) } else { (1, biased as i64 - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hex_is_what_c_prints() {
        let cases = [
            (1.25, "0x1.4p+0"),
            (-0.1, "-0x1.999999999999ap-4"),
            (0.0, "0x0p+0"),
            (-0.0, "-0x0p+0"),
            (f64::MAX, "0x1.fffffffffffffp+1023"),
            (f64::MIN_POSITIVE, "0x1p-1022"),
            (5e-324, "0x0.0000000000001p-1022"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (x, hex) in cases {
            assert_eq!(hex_float(x), hex);
        }
    }

    /// The value of a string that `hex_float` wrote.
    fn parse_hex(text: &str) -> f64 {
        let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |r| (-1.0, r));
        let (mantissa, exponent) = rest[2..].split_once('p').unwrap();
        let (lead, digits) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = u64::from_str_radix(&format!("{digits:0<13}"), 16).unwrap();
        let lead: u64 = lead.parse().unwrap();
        let significand = ((lead << 52) | fraction) as f64;
        let exponent: i32 = exponent.parse().unwrap();
        // Two steps, so that neither the scale nor the product leaves the range too early.
        sign * significand * 2f64.powi(-52) * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
    }

    proptest! {
        #[test]
        fn hex_keeps_every_bit(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            if x.is_finite() {
                prop_assert_eq!(parse_hex(&hex_float(x)).to_bits(), bits);
            }
        }
    }
}
