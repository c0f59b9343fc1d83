//! Which oracle, as the user names it: `mpfr`, `mpfr:512`, `double-double`, `residue`, `native`.

use std::fmt;
use std::str::FromStr;

pub const DEFAULT_BITS: u32 = 256;
const BITS: std::ops::RangeInclusive<u32> = 2..=65_536;

/// An oracle's name with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    Mpfr { bits: u32 },
    DoubleDouble,
    Residue,
    Native,
}

/// One oracle of the registry: its name, what it is, and how to make it of what follows the colon.
struct Entry {
    name: &'static str,
    help: &'static str,
    make: fn(Option<&str>) -> Result<Spec, Fault>,
}

const REGISTRY: &[Entry] = &[
    Entry { name: "mpfr", help: "mpfr[:BITS], 2 to 65536 bits, 256 if left out", make: mpfr },
    Entry { name: "double-double", help: "two doubles, about 106 bits", make: |p| bare(Spec::DoubleDouble, p) },
    Entry {
        name: "residue",
        help: "one double for what is lost, as the inline engine",
        make: |p| bare(Spec::Residue, p),
    },
    Entry { name: "native", help: "none, to see what the rest costs", make: |p| bare(Spec::Native, p) },
];

enum Fault {
    Bits,
    NoParameter,
}

/// Why an oracle's name was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("'{text}' is not an oracle; there are: {}", Spec::help())]
    Unknown { text: String },
    #[error("'{text}': the precision is a number of bits from 2 to 65536, as in mpfr:256")]
    Bits { text: String },
    #[error("'{text}': {name} takes no parameter; write just '{name}'")]
    NoParameter { text: String, name: String },
}

impl Spec {
    /// All oracles in a line.
    pub fn help() -> String {
        REGISTRY.iter().map(|e| format!("{} ({})", e.name, e.help)).collect::<Vec<_>>().join(", ")
    }
}

impl Default for Spec {
    fn default() -> Spec {
        Spec::Mpfr { bits: DEFAULT_BITS }
    }
}

fn mpfr(parameter: Option<&str>) -> Result<Spec, Fault> {
    let bits = match parameter {
        None => DEFAULT_BITS,
        Some(text) => text.parse().ok().filter(|bits| BITS.contains(bits)).ok_or(Fault::Bits)?,
    };
    Ok(Spec::Mpfr { bits })
}

fn bare(spec: Spec, parameter: Option<&str>) -> Result<Spec, Fault> {
    if parameter.is_some() { Err(Fault::NoParameter) } else { Ok(spec) }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let entry = REGISTRY.iter().find(|e| e.name == name);
        let entry = entry.ok_or_else(|| SpecError::Unknown { text: text.to_owned() })?;
        (entry.make)(parameter).map_err(|fault| match fault {
            Fault::Bits => SpecError::Bits { text: text.to_owned() },
            Fault::NoParameter => SpecError::NoParameter { text: text.to_owned(), name: name.to_owned() },
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Mpfr { bits } => write!(f, "mpfr:{bits}"),
            Spec::DoubleDouble => write!(f, "double-double"),
            Spec::Residue => write!(f, "residue"),
            Spec::Native => write!(f, "native"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in ["mpfr:2", "mpfr:512", "mpfr:65536", "double-double", "residue", "native"] {
            assert_eq!(name.parse::<Spec>().unwrap().to_string(), name);
        }
        assert_eq!("mpfr".parse(), Ok(Spec::Mpfr { bits: 256 }));
    }

    #[test]
    fn what_is_no_oracle_is_told_why() {
        for text in ["mpfr:1", "mpfr:65537", "mpfr:", "mpfr:-3", "mpfr:99999999999999999999", "mpfr:256:1"] {
            let error = text.parse::<Spec>().unwrap_err();
            assert!(matches!(error, SpecError::Bits { .. }), "{text}: {error}");
        }
        let error = "quad".parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains("'quad' is not an oracle") && error.contains("mpfr[:BITS]"), "{error}");
        let error = "residue:3".parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains("takes no parameter"), "{error}");
    }
}
