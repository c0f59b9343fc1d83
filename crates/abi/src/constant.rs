//! Which constants are what their author wrote, and which are the nearest that their format has.
//!
//! A literal or a constant that the compiler has computed is rounded to its format, unless it happens to need no more
//! bits than that has. So its true value lies within half an ulp of it. Exact are integers that the format counts up to,
//! numbers that few bits write (their last ten are 0) and numbers that fewer decimal digits write than the format holds
//! in any case, such as 0.375 or 1e22. Nobody can know of a rounded constant that looks like one of these.

use crate::Precision;

/// Last bits that are 0 only in numbers that were not rounded, but for one in a thousand.
const ZERO_BITS: u32 = 10;

/// The share of an ulp that a constant is off by at most. Half of one is a tie, which no literal of a few digits is: what
/// is rounded next to it must not be taken for one.
pub const MOST_OFF: f64 = 0.5 - 1.0 / 4_194_304.0;

/// A finite number as its odd significand, times a power of two.
struct Binary {
    odd: u128,
    exponent: i32,
    is_negative: bool,
    /// The exponent of the number's last place.
    ulp: i32,
}

impl Binary {
    /// `None` for zeros, infinities and NaNs.
    fn of(precision: Precision, bits: u128) -> Option<Binary> {
        // Bits behind the point, bits of the exponent.
        let (fraction_bits, exponent_bits) = match precision {
            Precision::Half => (10, 5),
            Precision::Bfloat => (7, 8),
            Precision::Float => (23, 8),
            Precision::Double => (52, 11),
            Precision::X87 => (63, 15),
            Precision::Quad => (112, 15),
        };
        // The first bit of an x87 number is written down.
        let stored_bits = fraction_bits + u32::from(precision == Precision::X87);
        let stored = bits & ((1 << stored_bits) - 1);
        let biased = (bits >> stored_bits) as i32 & ((1 << exponent_bits) - 1);
        if biased == (1 << exponent_bits) - 1 {
            return None;
        }
        let hidden = u128::from(biased != 0 && precision != Precision::X87) << fraction_bits;
        let significand = stored | hidden;
        if significand == 0 {
            return None;
        }
        let ulp = biased.max(1) - ((1 << (exponent_bits - 1)) - 1) - fraction_bits as i32;
        let zeros = significand.trailing_zeros();
        let is_negative = bits >> (stored_bits + exponent_bits) & 1 == 1;
        Some(Binary { odd: significand >> zeros, exponent: ulp + zeros as i32, is_negative, ulp })
    }

    fn is_short(&self) -> bool {
        self.exponent - self.ulp >= ZERO_BITS as i32
    }

    fn is_integer_below(&self, bits: u32) -> bool {
        self.exponent >= 0 && (self.exponent + 128 - self.odd.leading_zeros() as i32) <= bits as i32
    }

    /// Whether decimal digits below `most` write it exactly.
    fn has_decimals_below(&self, most: u128) -> bool {
        let Binary { mut odd, exponent, .. } = *self;
        if exponent < 0 {
            // m / 2^k is m 5^k / 10^k.
            let digits = 5u128.checked_pow(exponent.unsigned_abs()).and_then(|power| odd.checked_mul(power));
            return digits.is_some_and(|digits| digits < most);
        }
        // As many tens as there are fives to go with the twos.
        let mut twos = exponent;
        while twos > 0 && odd.is_multiple_of(5) {
            (odd, twos) = (odd / 5, twos - 1);
        }
        u32::try_from(twos).ok().filter(|&twos| twos < odd.leading_zeros()).is_some_and(|twos| odd << twos < most)
    }
}

/// How a constant that was rounded may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded {
    /// The unit in its last place, less than 0 if the constant is: what it is off by is the same share of this for all of a
    /// `family`, up to [`MOST_OFF`].
    pub ulp: f64,
    /// Constants that differ by a power of two and the sign, and so were rounded alike.
    pub family: u128,
}

impl Rounded {
    /// `None` of a constant that is exact. The bits are those in memory.
    pub fn of(precision: Precision, bits: u128) -> Option<Rounded> {
        Rounded::of_binary(precision, &Binary::of(precision, bits)?)
    }

    /// The same of a value, which is the nearest double in the case of wider formats.
    pub fn of_value(precision: Precision, value: f64) -> Option<Rounded> {
        let precision = if precision.bits() > Precision::Double.bits() { Precision::Double } else { precision };
        let ulp = precision.ulp_exponent(value);
        Rounded::of_binary(precision, &Binary { ulp, ..Binary::of(Precision::Double, value.to_bits().into())? })
    }

    fn of_binary(precision: Precision, binary: &Binary) -> Option<Rounded> {
        let most_digits = (f64::from(precision.bits()) * std::f64::consts::LOG10_2) as u32;
        let is_exact = binary.is_short()
            || binary.is_integer_below(precision.bits())
            || binary.has_decimals_below(10u128.pow(most_digits));
        let size = f64::exp2(f64::from(binary.ulp));
        let ulp = if binary.is_negative { -size } else { size };
        // Formats round at different places; no significand reaches the upper bits.
        let family = binary.odd | u128::from(precision.bits()) << 120;
        (!is_exact && size.is_normal()).then_some(Rounded { ulp, family })
    }

    pub fn of_double(x: f64) -> Option<Rounded> {
        Rounded::of(Precision::Double, x.to_bits().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_few_digits_write_is_exact() {
        let (seven_bits, integer) = (f64::from_bits(0x3fb9_9999_a000_0000), 9_007_199_254_740_991.0);
        let exact = [0.0, -0.0, 1.0, 0.5, 0.375, 333.75, 5.5, 1e15, 1e22, 3e20, 123_456.125, integer, seven_bits];
        for x in exact.into_iter().chain([f64::INFINITY, f64::NAN, 2f64.powi(-1000), f64::MIN_POSITIVE, 5e-324]) {
            assert_eq!(Rounded::of_double(x), None, "{x:e}");
            assert_eq!(Rounded::of_double(-x), None, "{x:e}");
        }
    }

    #[test]
    fn others_are_rounded_by_up_to_half_an_ulp() {
        for x in [0.1, 1.0 / 3.0, std::f64::consts::PI, 1e23, 0.7, -1e-9, 2.5e-8, 1.1] {
            let rounded = Rounded::of_double(x).unwrap();
            assert_eq!(rounded.ulp.abs(), 2f64.powi(Precision::Double.ulp_exponent(x)), "{x:e}");
            assert_eq!(rounded.ulp.is_sign_negative(), x < 0.0);
        }
        let float = |x: f32| Rounded::of(Precision::Float, x.to_bits().into());
        assert_eq!(float(0.1).unwrap().ulp, 2f64.powi(-27));
        assert_eq!([float(0.375), float(1e10), float(16_777_215.0), float(100.0)], [None; 4]);
    }

    #[test]
    fn powers_of_two_apart_is_one_family() {
        let family = |x| Rounded::of_double(x).unwrap().family;
        assert_eq!((family(0.1), family(0.1)), (family(-0.4), family(1.6)));
        assert_ne!(family(0.1), family(0.3));
        assert_ne!(family(0.1), Rounded::of(Precision::Float, 0.1f32.to_bits().into()).unwrap().family);
    }

    #[test]
    fn other_formats() {
        // 0.75, 0.1 as half; 0.1 as bfloat.
        assert_eq!(Rounded::of(Precision::Half, 0x3a00), None);
        assert_eq!(Rounded::of(Precision::Half, 0x2e66).unwrap().ulp, 2f64.powi(-14));
        assert_eq!(Rounded::of(Precision::Bfloat, 0x3dcd).unwrap().ulp, 2f64.powi(-11));
        // The same by value.
        assert_eq!(Rounded::of_value(Precision::Half, 0.75), None);
        assert_eq!(
            Rounded::of_value(Precision::Half, f64::from(0x666) / 16384.0),
            Rounded::of(Precision::Half, 0x2e66)
        );
        let tenth = f64::from(0.1f32);
        assert_eq!(Rounded::of_value(Precision::Float, tenth), Rounded::of(Precision::Float, 0.1f32.to_bits().into()));
        assert_eq!(Rounded::of_value(Precision::Double, tenth), None);
        assert_eq!(Rounded::of_value(Precision::Quad, 0.1), Rounded::of_double(0.1));
        // One, a third, infinity and zero as x87 and quad.
        let x87 = |top: u128, significand: u128| Rounded::of(Precision::X87, top << 64 | significand);
        assert_eq!([x87(0x3fff, 1 << 63), x87(0x7fff, 1 << 63), x87(0, 0)], [None; 3]);
        assert_eq!(x87(0x3ffd, 0xaaaa_aaaa_aaaa_aaab).unwrap().ulp, 2f64.powi(-65));
        assert_eq!(Rounded::of(Precision::Quad, 0x3fff << 112), None);
        let third = 0x3ffd_5555_5555_5555_5555_5555_5555_5555;
        assert_eq!(Rounded::of(Precision::Quad, third).unwrap().ulp, 2f64.powi(-114));
    }
}
