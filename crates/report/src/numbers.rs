//! Numbers as people read them.

use nonius_finding::{Precision, Worst};

/// 1234567 as `1,234,567`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 finding`, `2 findings`.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// `once`, `twice`, `1,024 times`.
pub(crate) fn times(n: u64) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{} times", grouped(n)),
    }
}

/// A share in percent, rounded down, so that only what is complete is called 100%.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part >= whole {
        return "100%".to_owned();
    }
    let tenths = u128::from(part) * 1000 / u128::from(whole);
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// The shortest decimal that reads back as the same double, plain or with an exponent.
pub(crate) fn decimal(x: f64) -> String {
    match x {
        _ if x.is_nan() => "nan".to_owned(),
        _ if reads_plain(x) => format!("{x}"),
        _ => format!("{x:e}"),
    }
}

/// An integer that a float holds, with all its digits if they are not too many.
pub(crate) fn integer(x: f64) -> String {
    if x.abs() < 1e22 && x.fract() == 0.0 { format!("{:.0}", x + 0.0) } else { decimal(x) }
}

/// A value of the given format: no more digits than tell it apart from its neighbours.
pub(crate) fn decimal_of(x: f64, precision: Precision) -> String {
    match precision {
        Precision::Float if f64::from(x as f32) == x && reads_plain(x) => format!("{}", x as f32),
        Precision::Float if f64::from(x as f32) == x => format!("{:e}", x as f32),
        Precision::Half => significant(x, 5),
        Precision::Bfloat => significant(x, 4),
        _ => decimal(x),
    }
}

/// An ideal as far as it is known: the true one may be `radius` away. Its last digit is uncertain by 1 at most, unless it is
/// the only one.
pub fn ideal(x: f64, radius: Option<f64>) -> String {
    match radius {
        Some(_) if is_zero(x, radius) => "0".to_owned(),
        Some(radius) if is_unknown(x, Some(radius)) => {
            let size = x.abs() + radius;
            if size.is_finite() { format!("not known (at most {size:.1e} in size)") } else { "not known".to_owned() }
        }
        Some(radius) if radius > 0.0 && x.is_finite() => to_digits(x, known_digits(x, radius)),
        _ => decimal(x),
    }
}

/// Whether no digit of an ideal is known. One that is 0 for sure is known.
pub(crate) fn is_unknown(x: f64, radius: Option<f64>) -> bool {
    let is_wide = |radius: f64| radius.is_nan() || radius > 0.0 && x.is_finite() && radius >= x.abs();
    radius.is_some_and(is_wide) && !is_zero(x, radius)
}

/// Whether an ideal is 0: no double is closer to it.
fn is_zero(x: f64, radius: Option<f64>) -> bool {
    const LEAST: f64 = f64::from_bits(1);
    x == 0.0 && radius.is_none_or(|radius| radius <= LEAST)
}

/// Whether all digits of a double are known.
pub(crate) fn is_known_exactly(x: f64, radius: Option<f64>) -> bool {
    radius.is_none_or(|radius| x + radius == x && x - radius == x)
}

/// The significant digits of `x` whose unit is no less than the radius, at least one.
fn known_digits(x: f64, radius: f64) -> usize {
    let (first, last) = (x.abs().log10().floor(), radius.log10().ceil());
    (first - last + 1.0).clamp(1.0, 17.0) as usize
}

/// So many digits, and no zeros that look like more of them.
fn to_digits(x: f64, digits: usize) -> String {
    let shortest = format!("{x:e}");
    let rounded = format!("{x:.*e}", digits - 1);
    let significant = |text: &str| text.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
    if significant(&shortest) <= digits {
        return decimal(x);
    }
    let exponent: i32 = rounded.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
    let is_plain = reads_plain(x) && exponent < digits as i32;
    if is_plain { format!("{x:.*}", (digits as i32 - 1 - exponent) as usize) } else { rounded }
}

/// Whether a number is easier to read without an exponent.
fn reads_plain(x: f64) -> bool {
    x == 0.0 || x.is_infinite() || (1e-5..1e16).contains(&x.abs())
}

/// Rounded to so many significant digits, without zeros at the end.
fn significant(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return decimal(x);
    }
    let rounded: f64 = format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x);
    decimal(rounded)
}

/// A measure of error: two digits are plenty.
pub(crate) fn rough(x: f64) -> String {
    match x.abs() {
        0.0 | f64::INFINITY => decimal(x),
        size if size.is_nan() => decimal(x),
        1.0..10.0 => format!("{}", (x * 10.0).round() / 10.0),
        size @ 10.0..1e6 => format!("{}{}", if x < 0.0 { "-" } else { "" }, grouped(size.round() as u64)),
        _ => format!("{x:.1e}"),
    }
}

/// `38 of 53 bits`, `all 53 bits`.
pub(crate) fn bits_lost(worst: &Worst) -> String {
    let bits = worst.precision.bits();
    let lost = f64::from(bits) - worst.bits_left();
    let rounded = lost.round() as u32;
    if rounded >= bits { format!("all {bits} bits") } else { format!("{rounded} of {bits} bits") }
}

/// `about 4 of a double's 16 digits survive`.
pub(crate) fn digits_left(worst: &Worst) -> String {
    let left = worst.digits_left().round();
    let all = format!("{}'s {} digits", format_name(worst.precision), worst.precision.digits().round());
    match left {
        0.0 => format!("none of a {all} survives"),
        1.0 => format!("about 1 of a {all} survives"),
        _ => format!("about {left} of a {all} survive"),
    }
}

fn format_name(precision: Precision) -> &'static str {
    match precision {
        Precision::X87 => "long double",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(percent(9999, 10_000), "99.9%");
        assert_eq!(percent(u64::MAX - 1, u64::MAX), "99.9%");
        assert_eq!((percent(0, 0), percent(5, 5), percent(0, 5)), ("100%".into(), "100%".into(), "0.0%".into()));
        assert_eq!((times(1), times(2), times(3)), ("once".into(), "twice".into(), "3 times".into()));
    }

    #[test]
    fn values_are_as_short_as_their_format() {
        assert_eq!(decimal(0.1), "0.1");
        assert_eq!(decimal(1e300), "1e300");
        assert_eq!(decimal(-1.5e-7), "-1.5e-7");
        assert_eq!((integer(9007199254740993e3), integer(-0.0)), ("9007199254740993024".into(), "0".into()));
        assert_eq!((integer(-2147483648.0), integer(1e300)), ("-2147483648".into(), "1e300".into()));
        assert_eq!((decimal(f64::NAN), decimal(f64::NEG_INFINITY)), ("nan".into(), "-inf".into()));
        assert_eq!(decimal_of(f64::from(0.1f32), Precision::Float), "0.1");
        assert_eq!(decimal_of(f64::from(1e-30f32), Precision::Float), "1e-30");
        assert_eq!(decimal_of(0.1, Precision::Float), "0.1");
        assert_eq!(decimal_of(0.0999755859375, Precision::Half), "0.099976");
        assert_eq!(decimal_of(f64::INFINITY, Precision::Half), "inf");
    }

    #[test]
    fn ideals_have_the_digits_that_are_known() {
        let cases = [
            (-0.8273960599468214, 1e-40, "-0.8273960599468214"),
            (1.5811388300841893e-8, 1e-18, "1.5811388301e-8"),
            (1.58, 0.01, "1.58"),
            (1.58, 0.011, "1.6"),
            (9.5, 0.1, "9.5"),
            (1.5, 1.2, "2"),
            (0.001234567, 1e-6, "0.001235"),
            // No zeros that look like digits, and none that are digits lost.
            (123_456_789.0, 1e6, "1.23e8"),
            (123_456_789.0, 1.0, "123456789"),
            (1.0, 1e-3, "1"),
            (0.99996, 1e-3, "1.00"),
            (0.0, 0.0, "0"),
            (0.0, 5e-324, "0"),
            (0.0, 1e-19, "not known (at most 1.0e-19 in size)"),
            (3e-20, 1e-19, "not known (at most 1.3e-19 in size)"),
            (2.0, f64::INFINITY, "not known"),
            (2.0, f64::NAN, "not known"),
            (f64::INFINITY, 1e300, "inf"),
        ];
        for (x, radius, text) in cases {
            assert_eq!(ideal(x, Some(radius)), text, "{x} within {radius}");
        }
        assert_eq!(ideal(1.5811388300841893e-8, None), "1.5811388300841893e-8");
        assert!(is_known_exactly(1.0, Some(1e-17)) && !is_known_exactly(1.0, Some(1e-15)));
        assert!(is_known_exactly(0.0, Some(0.0)) && !is_known_exactly(0.0, Some(1e-300)));
    }

    #[test]
    fn errors_are_rough() {
        let cases =
            [(1.6e-2, "1.6e-2"), (0.0, "0"), (7.25e13, "7.2e13"), (3.16, "3.2"), (12345.6, "12,346"), (1.0, "1")];
        for (x, text) in cases {
            assert_eq!(rough(x), text);
        }
        assert_eq!((rough(f64::INFINITY), rough(f64::NAN)), ("inf".into(), "nan".into()));
    }

    #[test]
    fn surviving_digits() {
        let worst = |lost| Worst::new(1.0, 1.0, Precision::Double).with_error(0.0, 0.0, lost);
        assert_eq!(bits_lost(&worst(38.2)), "38 of 53 bits");
        assert_eq!(digits_left(&worst(38.2)), "about 4 of a double's 16 digits survive");
        assert_eq!(bits_lost(&worst(1e9)), "all 53 bits");
        assert_eq!(digits_left(&worst(53.0)), "none of a double's 16 digits survives");
        assert_eq!(digits_left(&worst(50.0)), "about 1 of a double's 16 digits survives");
    }

    proptest! {
        #[test]
        fn decimals_read_back(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            if x.is_finite() {
                prop_assert_eq!(decimal(x).parse::<f64>().unwrap().to_bits(), bits);
            }
            let _ = (rough(x), decimal_of(x, Precision::Half), decimal_of(x, Precision::Float));
        }

        #[test]
        fn what_is_shown_of_an_ideal_is_near_it(x in any::<f64>(), share in -18.0f64..1.0) {
            let radius = x.abs() * 10f64.powf(share);
            let text = ideal(x, Some(radius));
            if let Ok(shown) = text.parse::<f64>() {
                // Half a unit of a digit that is no more than ten times the radius, or of the only one; and an ulp when read.
                prop_assert!((shown - x).abs() <= 5.001 * radius + x.abs() * 1.2e-16, "{x} within {radius}: {text}");
            } else {
                prop_assert!(text.starts_with("not known"));
            }
        }
    }
}
