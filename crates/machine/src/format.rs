//! Recorded bits as numbers.

use nonius_abi::Precision;

/// A number as the sum of two doubles: exact but for the last bits of a quad, and for what lies
/// outside a double's range.
pub fn decode(precision: Precision, bits: u128) -> (f64, f64) {
    match precision {
        Precision::Double => (f64::from_bits(bits as u64), 0.0),
        Precision::Float => (f64::from(f32::from_bits(bits as u32)), 0.0),
        Precision::Bfloat => (f64::from(f32::from_bits((bits as u32 & 0xffff) << 16)), 0.0),
        Precision::Half => (half(bits as u16), 0.0),
        Precision::X87 => x87(bits),
        Precision::Quad => quad(bits),
    }
}

fn half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction * power(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1024.0 + fraction) * power(e - 25),
    };
    sign * magnitude
}

fn x87(bits: u128) -> (f64, f64) {
    let significand = bits as u64;
    let top = (bits >> 64) as u16;
    let sign = if top & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from(top & 0x7fff);
    if exponent == 0x7fff {
        return (if significand << 1 == 0 { sign * f64::INFINITY } else { f64::NAN }, 0.0);
    }
    let exponent = exponent.max(1) - 16383 - 63;
    parts(sign, significand & !0x7ff, significand & 0x7ff, exponent, exponent)
}

fn quad(bits: u128) -> (f64, f64) {
    let top = (bits >> 112) as u16;
    let sign = if top & 0x8000 == 0 { 1.0 } else { -1.0 };
    let fraction = bits << 16 >> 16;
    let exponent = i32::from(top & 0x7fff);
    if exponent == 0x7fff {
        return (if fraction == 0 { sign * f64::INFINITY } else { f64::NAN }, 0.0);
    }
    let hidden = if exponent == 0 { 0 } else { 1u128 << 112 };
    let significand = fraction | hidden;
    let exponent = exponent.max(1) - 16383 - 112;
    // 53 bits, then 60.
    parts(sign, (significand >> 60) as u64, significand as u64 & ((1 << 60) - 1), exponent + 60, exponent)
}

/// high * 2^high_exponent + low * 2^low_exponent, where `high` fits a double.
fn parts(sign: f64, high: u64, low: u64, high_exponent: i32, low_exponent: i32) -> (f64, f64) {
    let (high, low) = (sign * scaled(high as f64, high_exponent), sign * scaled(low as f64, low_exponent));
    if !high.is_finite() {
        return (high, 0.0);
    }
    let sum = high + low;
    (sum, low - (sum - high))
}

/// x 2^n for any n.
fn scaled(x: f64, n: i32) -> f64 {
    let n = n.clamp(-3000, 3000);
    let (first, second) = (n / 3, n / 3);
    x * power(first) * power(second) * power(n - first - second)
}

/// 2^n for |n| <= 1022.
fn power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_read() {
        let read = |p, bits| decode(p, bits).0;
        assert_eq!(read(Precision::Double, u128::from(0.1f64.to_bits())), 0.1);
        assert_eq!(read(Precision::Float, u128::from(0.1f32.to_bits())), f64::from(0.1f32));
        assert_eq!(read(Precision::Half, 0x3c00), 1.0);
        assert_eq!(read(Precision::Half, 0xc500), -5.0);
        assert_eq!(read(Precision::Half, 0x0001), 2f64.powi(-24));
        assert_eq!(read(Precision::Half, 0x7c00), f64::INFINITY);
        assert!(read(Precision::Half, 0x7e00).is_nan());
        assert_eq!(read(Precision::Bfloat, 0x3fc0), 1.5);
        assert_eq!(read(Precision::X87, 0x3fff_8000_0000_0000_0000), 1.0);
        assert_eq!(read(Precision::X87, 0xc000_c000_0000_0000_0000), -3.0);
        assert_eq!(decode(Precision::X87, 0x3fff_8000_0000_0000_0001), (1.0, 2f64.powi(-63)));
        assert_eq!(read(Precision::X87, 0x7fff_8000_0000_0000_0000), f64::INFINITY);
        assert!(read(Precision::X87, 0x7fff_c000_0000_0000_0000).is_nan());
        assert_eq!(read(Precision::X87, 0), 0.0);
        assert_eq!(decode(Precision::Quad, 0x3fffu128 << 112), (1.0, 0.0));
        assert_eq!(decode(Precision::Quad, 0x3fffu128 << 112 | 1), (1.0, 2f64.powi(-112)));
        assert_eq!(read(Precision::Quad, 0x7fffu128 << 112), f64::INFINITY);
        assert_eq!(read(Precision::Quad, 0x7ffeu128 << 112), f64::INFINITY, "outside a double's range");
    }
}
