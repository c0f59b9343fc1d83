//! Options as words of a command line: `--key value`, `--key=value`, and `--switch` alone. The one reader for every command
//! that takes the keys of a run, each of which may have flags of its own beside them.

use crate::nearest::likely;
use crate::{KEYS, Key, Values};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// A flag that a command has beside the keys.
#[derive(Debug, PartialEq, Eq)]
pub struct Flag {
    /// Without the dashes before it.
    pub name: &'static str,
    pub takes: Takes,
    pub help: &'static str,
}

/// What may follow a flag, with the word that stands for it in help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    /// `--flag VALUE` or `--flag=VALUE`.
    Value(&'static str),
    /// `--flag` or `--flag=VALUE`.
    Maybe(&'static str),
}

/// A flag as it was given.
#[derive(Debug, PartialEq)]
pub enum Given {
    Key(&'static Key, OsString),
    Flag(&'static Flag, Option<OsString>),
}

/// What is wrong with a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlagError {
    /// With the one that may be meant.
    Unknown(String, Option<String>),
    NoValue(String, &'static str),
    NeedsNone(String),
    Value(String),
}

impl std::error::Error for FlagError {}

impl std::fmt::Display for FlagError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FlagError::Unknown(flag, Some(meant)) => write!(f, "there is no option {flag}: did you mean {meant}?"),
            FlagError::Unknown(flag, None) => write!(f, "there is no option {flag}"),
            FlagError::NoValue(flag, value) => write!(f, "{flag} needs a value: {flag} {value}, or {flag}={value}"),
            FlagError::NeedsNone(flag) => write!(f, "{flag} takes no value"),
            FlagError::Value(text) => f.write_str(text),
        }
    }
}

/// Reads the flag that `words` begin with, and says how many of them it takes. `None` if the first is no flag: `--`, a name,
/// or what begins with a single dash.
pub fn read_flag(words: &[OsString], own: &'static [Flag]) -> Result<Option<(Given, usize)>, FlagError> {
    let Some(text) = words.first().and_then(|word| word.as_bytes().strip_prefix(b"--")).filter(|t| !t.is_empty())
    else {
        return Ok(None);
    };
    let equals = text.iter().position(|byte| *byte == b'=');
    let (name, inline) = equals.map_or((text, None), |at| (&text[..at], Some(OsStr::from_bytes(&text[at + 1..]))));
    let shown = format!("--{}", String::from_utf8_lossy(name));
    let name = normal(&String::from_utf8_lossy(name));
    let next = || words.get(1).filter(|word| !word.as_bytes().starts_with(b"--"));
    let value = |placeholder| match (inline, next()) {
        (Some(value), _) => Ok((value.to_owned(), 1)),
        (None, Some(word)) => Ok((word.clone(), 2)),
        (None, None) => Err(FlagError::NoValue(shown.clone(), placeholder)),
    };
    if let Some(flag) = own.iter().find(|flag| normal(flag.name) == name) {
        let (value, taken) = match flag.takes {
            Takes::Nothing if inline.is_some() => return Err(FlagError::NeedsNone(shown)),
            Takes::Nothing | Takes::Maybe(_) => (inline.map(OsStr::to_owned), 1),
            Takes::Value(placeholder) => value(placeholder).map(|(value, taken)| (Some(value), taken))?,
        };
        return Ok(Some((Given::Flag(flag, value), taken)));
    }
    let Some(key) = KEYS.iter().find(|key| key.name == name) else {
        let names = KEYS.iter().map(|key| key.name).chain(own.iter().map(|flag| flag.name));
        return Err(FlagError::Unknown(shown, likely(&name, names).map(|meant| format!("--{}", dashed(meant)))));
    };
    let (value, taken) = match key.value() {
        None => (inline.unwrap_or(OsStr::new("1")).to_owned(), 1),
        Some(placeholder) => value(placeholder)?,
    };
    (key.set)(&mut Values::default(), &value.to_string_lossy())
        .map_err(|expected| FlagError::Value(format!("{shown} {}: expected {expected}", value.to_string_lossy())))?;
    Ok(Some((Given::Key(key, value), taken)))
}

/// Names are compared with underscores, and shown with dashes.
fn normal(name: &str) -> String {
    name.replace('-', "_")
}

/// A key as a flag, without the dashes before it.
pub fn dashed(key: &str) -> String {
    key.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &[Flag] = &[
        Flag { name: "html", takes: Takes::Maybe("FILE"), help: "" },
        Flag { name: "open", takes: Takes::Nothing, help: "" },
        Flag { name: "confirm", takes: Takes::Value("ORACLE"), help: "" },
    ];

    fn read(line: &str) -> Result<Option<(String, usize)>, String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let given = read_flag(&words, OWN).map_err(|error| error.to_string())?;
        Ok(given.map(|(given, taken)| match given {
            Given::Key(key, value) => (format!("{}={}", key.name, value.display()), taken),
            Given::Flag(flag, value) => (format!("{} {value:?}", flag.name), taken),
        }))
    }

    #[test]
    fn values_follow_in_the_same_word_or_the_next() {
        let some = |text: &str, taken| Ok(Some((text.to_owned(), taken)));
        assert_eq!(read("--report r.json ./a"), some("report=r.json", 2));
        assert_eq!(read("--report=r.json ./a"), some("report=r.json", 1));
        assert_eq!(read("--report= ./a"), some("report=", 1));
        assert_eq!(read("--max-findings 3 ./a"), some("max_findings=3", 2));
        assert_eq!(read("--max_findings=3 ./a"), some("max_findings=3", 1));
        assert_eq!(read("--threshold digits=6 ./a"), some("threshold=digits=6", 2));
        assert_eq!(read("--confirm mpfr:128 ./a"), some("confirm Some(\"mpfr:128\")", 2));
    }

    #[test]
    fn switches_stand_alone() {
        let some = |text: &str| Ok(Some((text.to_owned(), 1)));
        assert_eq!(read("--verbose ./a"), some("verbose=1"));
        assert_eq!(read("--check-branch=0 ./a"), some("check_branch=0"));
        assert_eq!(read("--html ./a"), some("html None"));
        assert_eq!(read("--html=x.html ./a"), some("html Some(\"x.html\")"));
        assert_eq!(read("--open ./a"), some("open None"));
    }

    #[test]
    fn what_is_no_flag_is_left() {
        for line in ["./a", "--", "-x", "", "-"] {
            assert_eq!(read(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn mistakes_are_explained() {
        for (line, words) in [
            ("--threshold ./q", "--threshold ./q: expected a relative error (1e-6"),
            ("--threshold", "--threshold needs a value: --threshold ERROR, or --threshold=ERROR"),
            ("--report --verbose", "--report needs a value: --report FILE"),
            ("--confirm", "--confirm needs a value: --confirm ORACLE"),
            ("--open=1 ./a", "--open takes no value"),
            ("--verbose=maybe ./a", "--verbose maybe: expected 0 or 1"),
            ("--thresold=1 ./a", "there is no option --thresold: did you mean --threshold?"),
            ("--htm ./a", "there is no option --htm: did you mean --html?"),
            ("--max-finding 3", "there is no option --max-finding: did you mean --max-findings?"),
            ("--xyzzyplugh", "there is no option --xyzzyplugh"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.starts_with(words), "{line}: {error}");
        }
        assert_eq!(read("--xyzzyplugh").unwrap_err(), "there is no option --xyzzyplugh");
    }
}
