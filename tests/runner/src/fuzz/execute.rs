//! Runs of a program, and how two of them differ.

use crate::run::wait;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// Far above what a program needs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub struct Run {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `dir/binary` with Nonius's options.
pub fn execute(dir: &Path, binary: &str, options: &str) -> Result<Run> {
    let (stdout, stderr) = (dir.join("stdout"), dir.join("stderr"));
    let mut child = Command::new(dir.join(binary))
        .current_dir(dir)
        .env("NONIUS_OPTIONS", options)
        .stdin(Stdio::null())
        .stdout(fs::File::create(&stdout)?)
        .stderr(fs::File::create(&stderr)?)
        .spawn()?;
    let status = wait(&mut child, TIME_LIMIT).with_context(|| format!("NONIUS_OPTIONS={options} {binary}"))?;
    let text = |path: &Path| Ok::<_, anyhow::Error>(String::from_utf8_lossy(&fs::read(path)?).into_owned());
    Ok(Run { status, stdout: text(&stdout)?, stderr: text(&stderr)? })
}

/// How two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// In signs or payloads of NaNs alone.
    Nan(String),
    Other(String),
}

/// What differs first; zeros compare without their signs where the compiler may ignore those.
pub fn difference(plain: &Run, other: &Run, ignore_signs_of_zero: bool) -> Option<Difference> {
    if plain.status != other.status {
        return Some(Difference::Other(format!(
            "{} with the plain compiler, {} with Nonius",
            plain.status, other.status
        )));
    }
    let text = |canonical: &dyn Fn(&str) -> String| {
        let (a, b) = (canonical(&plain.stdout), canonical(&other.stdout));
        let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
        let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
        Some(format!("the plain compiler's program prints {:?}, Nonius's {:?}", a.get(at), b.get(at)))
    };
    let zeros = |stdout: &str| if ignore_signs_of_zero { words(stdout, unsigned_zero) } else { stdout.to_owned() };
    let raw = text(&zeros)?;
    match text(&|stdout| words(&zeros(stdout), one_nan)) {
        Some(difference) => Some(Difference::Other(difference)),
        None => Some(Difference::Nan(raw)),
    }
}

fn words(text: &str, each: impl Fn(&str) -> String) -> String {
    text.split_inclusive([' ', '\n']).map(each).collect()
}

/// `word` with the bits or the name of a NaN replaced by those of one.
fn one_nan(word: &str) -> String {
    let bits = word.trim_end();
    let is_nan = match bits.as_bytes().first() {
        Some(b'd') if bits.len() == 17 => u64::from_str_radix(&bits[1..], 16).is_ok_and(|b| f64::from_bits(b).is_nan()),
        Some(b'f') if bits.len() == 9 => u32::from_str_radix(&bits[1..], 16).is_ok_and(|b| f32::from_bits(b).is_nan()),
        _ => bits == "-nan",
    };
    if is_nan { word.replace(bits, "nan") } else { word.to_owned() }
}

fn unsigned_zero(word: &str) -> String {
    match word.trim_end() {
        "-0x0p+0" => word.replace("-0x0p+0", "0x0p+0"),
        "d8000000000000000" => word.replacen('8', "0", 1),
        "f80000000" => word.replacen('8', "0", 1),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stdout: &str) -> Run {
        Run { status: ExitStatus::default(), stdout: stdout.to_owned(), stderr: String::new() }
    }

    #[test]
    fn nans_and_zeros_are_told_from_other_numbers() {
        let of = |a: &str, b: &str, zeros| difference(&run(a), &run(b), zeros);
        assert_eq!(of("1 d7ff8000000000000\n", "1 d7ff8000000000000\n", false), None);
        assert!(matches!(of("1 dfff8000000000000\n", "1 d7ff8000000000000\n", false), Some(Difference::Nan(_))));
        assert!(matches!(of("1: -nan 0x1p+0\n", "1: nan 0x1p+0\n", false), Some(Difference::Nan(_))));
        assert!(matches!(of("1 dfff8000000000000\n", "1 d7ff0000000000000\n", false), Some(Difference::Other(_))));
        assert!(matches!(of("1: -nan 0x1p+0\n", "1: nan 0x1p+1\n", false), Some(Difference::Other(_))));
        assert!(matches!(of("1 -0x0p+0\n", "1 0x0p+0\n", false), Some(Difference::Other(_))));
        assert_eq!(of("1 -0x0p+0\n", "1 0x0p+0\n", true), None);
        assert_eq!(of("1 f80000000\n", "1 f00000000\n", true), None);
    }
}
