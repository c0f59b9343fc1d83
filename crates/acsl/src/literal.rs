//! Numbers as they are written.

use crate::ast::{Dialect, Term};

/// A number as C writes it: exactly what it says, without rounding.
pub(crate) fn literal(word: &str, dialect: Dialect) -> Option<Term> {
    let lower = word.replace('_', "").to_ascii_lowercase();
    let hex = lower.strip_prefix("0x");
    let body = hex.unwrap_or(&lower);
    let is_float = body.contains('.') || body.contains(if hex.is_some() { 'p' } else { 'e' });
    if !is_float {
        let suffixes: &[char] = if dialect == Dialect::C { &['u', 'l'] } else { &[] };
        let digits = body.trim_end_matches(suffixes);
        let digits = match digits.find(['i', 'u']).filter(|_| dialect == Dialect::Plain) {
            Some(suffix) => &digits[..suffix],
            None => digits,
        };
        let is_octal = hex.is_none() && dialect == Dialect::C && digits.len() > 1 && digits.starts_with('0');
        let radix = if hex.is_some() {
            16
        } else if is_octal {
            8
        } else {
            10
        };
        return integer(digits, radix);
    }
    let body = body.trim_end_matches(if hex.is_some() { &['l'][..] } else { &['f', 'l'] });
    let (mantissa, exponent) = match body.split_once(if hex.is_some() { 'p' } else { 'e' }) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (body, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    let radix = if hex.is_some() { 16 } else { 10 };
    if digits.is_empty()
        || !digits.chars().all(|c| c.is_digit(radix))
        || exponent.abs() > 100_000
        || digits.len() > 10_000
    {
        return None;
    }
    let places = part.len() as i32;
    let (exponent, base) = if hex.is_some() { (exponent - 4 * places, 2) } else { (exponent - places, 10) };
    let digits = match hex {
        Some(_) => decimal_digits(&digits, 16)?,
        None => digits.trim_start_matches('0').to_owned(),
    };
    Some(Term::Rational { digits: if digits.is_empty() { "0".to_owned() } else { digits }, exponent, base })
}

fn integer(digits: &str, radix: u32) -> Option<Term> {
    if digits.is_empty() || digits.len() > 10_000 || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let small = i128::from_str_radix(digits, radix).ok();
    Some(Term::Integer { digits: small.map(|v| v.to_string()).or_else(|| decimal_digits(digits, radix))?, small })
}

/// Digits of another base, in decimal.
fn decimal_digits(digits: &str, radix: u32) -> Option<String> {
    if radix == 10 {
        return Some(digits.trim_start_matches('0').to_owned());
    }
    let mut decimal: Vec<u32> = vec![0];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(radix)?;
        for place in &mut decimal {
            carry += *place * radix;
            *place = carry % 10;
            carry /= 10;
        }
        while carry > 0 {
            decimal.push(carry % 10);
            carry /= 10;
        }
    }
    Some(decimal.iter().rev().filter_map(|d| char::from_digit(*d, 10)).collect())
}
