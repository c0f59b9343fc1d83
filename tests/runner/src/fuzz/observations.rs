//! What programs print of their observations, and what Nonius's statistics say of them.

use super::program::Place;
use anyhow::{Context, Result};
use std::collections::HashSet;

/// The line after which a program under Nonius prints its statistics.
const STATISTICS: &str = "sites that were looked at: reported, passed, place";

/// What `stats=1` says: lines of `file` and places that were reported at least once. (The report itself makes one
/// finding of all that one operation is seen at.)
pub fn sites(log: &str, file: &str) -> Result<HashSet<(u32, String)>> {
    let mut lines = log.lines().skip_while(|l| !l.ends_with(STATISTICS));
    lines.next().context("the log has no statistics")?;
    // Other lines may follow: what was cut from the text of findings, and what a forked child says.
    Ok(lines.filter_map(|line| site(line, file).flatten()).collect())
}

/// `nonius: REPORTED PASSED FILE:LINE:COLUMN PLACE of OPERATION`, if it was reported.
fn site(line: &str, file: &str) -> Option<Option<(u32, String)>> {
    let mut words = line.split_whitespace().skip(1);
    let reported: u64 = words.next()?.parse().ok()?;
    let position = words.nth(1)?;
    let mut parts = position.rsplit(':').skip(1);
    let at: u32 = parts.next()?.parse().ok()?;
    let is_ours = parts.next()?.ends_with(file);
    Some((reported > 0 && is_ours).then(|| words.next().map(|place| (at, place.to_owned()))).flatten())
}

pub fn place_name(place: Place) -> &'static str {
    match place {
        Place::Output => "output",
        Place::Store => "store",
        Place::Argument => "argument",
        Place::Return => "return",
    }
}

/// `ID VALUE`: a number in hexadecimal, the bits of a double or float, or Rust's decimals of one.
pub fn observation(line: &str) -> Option<(usize, f64)> {
    let (id, value) = line.split_once(' ')?;
    let id = id.parse().ok()?;
    let value = match value.as_bytes().first()? {
        b'd' => f64::from_bits(u64::from_str_radix(&value[1..], 16).ok()?),
        b'f' => f64::from(f32::from_bits(u32::from_str_radix(&value[1..], 16).ok()?)),
        b'D' => value[1..].parse().ok()?,
        b'F' => f64::from(value[1..].parse::<f32>().ok()?),
        _ => hexadecimal(value)?,
    };
    Some((id, value))
}

/// What `%a` prints.
fn hexadecimal(text: &str) -> Option<f64> {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |t| (-1.0, t));
    if text == "inf" {
        return Some(sign * f64::INFINITY);
    }
    if text == "nan" {
        return Some(f64::NAN);
    }
    let (digits, exponent) = text.strip_prefix("0x")?.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let significand = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()? as f64;
    let exponent: i32 = exponent.parse().ok()?;
    let shift = exponent - 4 * fraction.len() as i32;
    // In two steps: the power alone may lie outside the range.
    let half = shift / 2;
    Some(sign * significand * f64::from(half).exp2() * f64::from(shift - half).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_programs_print() {
        assert_eq!(observation("3 0x1.8p+1"), Some((3, 3.0)));
        assert_eq!(observation("3 -0x1p-1074"), Some((3, -5e-324)));
        assert_eq!(observation("0 0x1.fffffffffffffp+1023"), Some((0, f64::MAX)));
        assert_eq!(observation("7 d3ff8000000000000"), Some((7, 1.5)));
        assert_eq!(observation("7 f3fc00000"), Some((7, 1.5)));
        assert_eq!(observation("7 D-1.5e0"), Some((7, -1.5)));
        assert_eq!(observation("7 F1e-1"), Some((7, f64::from(0.1f32))));
        assert_eq!(observation("7 0x0p+0"), Some((7, 0.0)));
        assert!(observation("9 nan").is_some_and(|(_, x)| x.is_nan()));
        assert!(observation("9 DNaN").is_some_and(|(_, x)| x.is_nan()));
        assert_eq!(observation("hello"), None);
    }

    #[test]
    fn reads_logs() {
        let log = format!("a\nnonius: {STATISTICS}\nnonius: 2 1 /a/program.c:52:5 output of function\n");
        let found = HashSet::from([(52, "output".to_owned())]);
        assert_eq!(sites(&log, "program.c").ok(), Some(found.clone()));
        assert_eq!(sites(&format!("{log}nonius: 20 more, see report=a.json\n"), "program.c").ok(), Some(found));
        assert!(sites("nonius: 2 1 /a/program.c:52:5 output of function\n", "program.c").is_err());
    }

    #[test]
    fn reads_statistics() {
        let line = "nonius:            2            1  /a/program.c:52:5 output of function";
        assert_eq!(site(line, "program.c"), Some(Some((52, "output".into()))));
        assert_eq!(site(line, "program.rs"), Some(None));
        assert_eq!(site("nonius: 0 1 /a/program.c:52:5 store of add", "program.c"), Some(None));
        assert_eq!(site("nonius: something else", "program.c"), None);
    }
}
