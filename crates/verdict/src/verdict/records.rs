//! Comparisons with recorded numbers.
//!
//! `f(x) == 0.8414709848078965`, or `|f(x) - 0.8414709848078965| <= 1e-16`: a number that has all the digits of its format
//! was rounded, most often from what such a program printed. By real arithmetic a computed value equals it by chance alone,
//! and the difference is the error of either: what the program asks is whether it still computes what it did. If it does,
//! and the value is as right as asked for, that says nothing of the ideal. (A difference that is itself right is another
//! matter.) Numbers of few digits are another matter, and so
//! is an equality that is missed.

use nonius_abi::Precision;
use nonius_abi::constant::Rounded;
use std::fmt::Write;

/// Whether a number that was not computed is one that was rounded to its format, or takes as many digits to write. (What was
/// recorded of a difference has zeros for its last bits.)
pub fn is_recorded(number: f64, precision: Precision) -> bool {
    let (is_float, many) = match precision {
        Precision::Half | Precision::Bfloat => return Rounded::of_value(precision, number).is_some(),
        Precision::Float => (true, 7),
        Precision::Double | Precision::X87 | Precision::Quad => (false, 15),
    };
    // Powers of two and small multiples of them, such as an epsilon, are as they should be.
    const FEW_BITS: u32 = 8;
    let significand = number.to_bits() << 12;
    let is_short = significand.trailing_zeros() >= 64 - FEW_BITS;
    Rounded::of_value(precision, number).is_some() || !is_short && digits(number, is_float) >= many
}

/// How many decimal digits it takes to tell a number from its neighbours.
fn digits(number: f64, is_float: bool) -> usize {
    /// Digits up to the exponent, which may come in pieces.
    struct Count {
        digits: usize,
        is_done: bool,
    }
    impl Write for Count {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            for byte in text.bytes() {
                self.is_done |= byte == b'e';
                self.digits += usize::from(!self.is_done && byte.is_ascii_digit());
            }
            Ok(())
        }
    }
    let mut count = Count { digits: 0, is_done: false };
    let written = if is_float { write!(count, "{:e}", number as f32) } else { write!(count, "{number:e}") };
    written.map_or(0, |()| count.digits)
}

/// Whether an LLVM `fcmp` predicate is one of equality, or of its contrary.
pub fn asks_for_equality(predicate: u8) -> bool {
    matches!(predicate & 7, 1 | 6)
}

/// Whether two values came out equal, for equality; else, whether `difference` is within the bound that it is held against.
pub fn is_near(predicate: u8, difference: f64, other: f64) -> bool {
    match asks_for_equality(predicate) {
        true => difference == other,
        false => other != 0.0 && difference.abs() <= other.abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_many_digits_were_recorded() {
        for number in [0.841_470_984_807_896_5, -0.3, 1.123_308e-5, 156_899.568_291_340_26] {
            assert!(is_recorded(number, Precision::Double), "{number}");
        }
        // A difference of numbers about 1: 24 bits, 17 digits.
        assert!(is_recorded(1.483_440_870_589_749_5e-9, Precision::Double));
        for number in [0.0, 1.0, 45.0, 0.5, 1e22, 36.25, f64::EPSILON, f64::MIN_POSITIVE, 1e15, 123_456.75] {
            assert!(!is_recorded(number, Precision::Double), "{number}");
        }
        assert!(is_recorded(f64::from(0.499_994_75f32), Precision::Float));
        assert!(!is_recorded(f64::from(f32::EPSILON), Precision::Float) && !is_recorded(0.75, Precision::Float));
        assert!(is_recorded(f64::from(0.1f32), Precision::Float));
    }

    #[test]
    fn near_is_equal_or_within_the_bound() {
        let (oeq, one, olt, oge, une) = (1, 6, 4, 3, 14);
        assert!([oeq, one, une].into_iter().all(asks_for_equality) && ![olt, oge].into_iter().any(asks_for_equality));
        assert!(is_near(oeq, 0.3, 0.3) && !is_near(une, 0.3, 0.4));
        assert!(is_near(olt, 0.0, 1e-15) && is_near(oge, -1e-16, 1e-15) && !is_near(olt, 1e-14, 1e-15));
        // A sign is no bound.
        assert!(!is_near(olt, 0.0, 0.0));
    }
}
