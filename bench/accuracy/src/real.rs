//! The two formats that are measured.

use clap::ValueEnum;
use nonius_numerics::Precision;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Real {
    Double,
    Float,
}

impl Real {
    pub const ALL: [Real; 2] = [Real::Double, Real::Float];

    /// Its name in C.
    pub fn name(self) -> &'static str {
        match self {
            Real::Double => "double",
            Real::Float => "float",
        }
    }

    /// What C puts behind constants and names of functions.
    pub fn suffix(self) -> &'static str {
        match self {
            Real::Double => "",
            Real::Float => "f",
        }
    }

    pub fn precision(self) -> Precision {
        match self {
            Real::Double => Precision::Double,
            Real::Float => Precision::Float,
        }
    }

    /// Exponent of the largest numbers.
    pub fn max_exponent(self) -> i32 {
        -self.precision().min_exponent() + 1
    }

    pub fn round(self, x: f64) -> f64 {
        self.precision().rounded(x)
    }

    /// `x`, which the format holds, as a constant in C.
    pub fn constant(self, x: f64) -> String {
        format!("{}{}", hexadecimal(x), self.suffix())
    }
}

/// `x` exactly, in C's `%a` notation; it must be finite.
pub fn hexadecimal(x: f64) -> String {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let (bits, fraction) = (x.to_bits() >> 52 & 0x7ff, x.to_bits() & ((1 << 52) - 1));
    let (lead, exponent) = match (bits, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, bits as i64 - 1023),
    };
    format!("{sign}0x{lead}.{fraction:013x}p{exponent}")
}

/// What C's `%a` printed; `None` if it is no number.
pub fn parse_hexadecimal(text: &str) -> Option<f64> {
    let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    if let "inf" | "nan" = rest {
        return Some(if rest == "inf" { sign * f64::INFINITY } else { f64::NAN });
    }
    let (digits, exponent) = rest.strip_prefix("0x")?.split_once('p')?;
    let (lead, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = u64::from_str_radix(&format!("{lead}{fraction:0<13}"), 16).ok()? as f64;
    let exponent = exponent.parse::<i32>().ok()? - 52;
    // In two steps, since neither the scale nor the product may leave the range on the way.
    let half = exponent / 2;
    Some(sign * significand * 2f64.powi(half) * 2f64.powi(exponent - half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_keeps_every_bit() {
        for x in [0.0, -0.0, 1.0, -0.1, 5e-324, 2.2250738585072014e-308, f64::MAX, 1e-310, 6.02e23] {
            assert_eq!(parse_hexadecimal(&hexadecimal(x)).unwrap().to_bits(), x.to_bits(), "{x:e}");
        }
        assert_eq!(parse_hexadecimal("0x1.8p+1"), Some(3.0));
        assert_eq!(parse_hexadecimal("-inf"), Some(f64::NEG_INFINITY));
        assert!(parse_hexadecimal("-nan").unwrap().is_nan());
        assert_eq!(parse_hexadecimal("1.5"), None);
    }

    #[test]
    fn constants_are_those_of_the_format() {
        assert_eq!(Real::Float.constant(Real::Float.round(0.1)), "0x1.99999a0000000p-4f");
        assert_eq!((Real::Double.max_exponent(), Real::Float.max_exponent()), (1023, 127));
    }
}
