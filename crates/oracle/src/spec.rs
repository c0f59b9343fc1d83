//! Which oracle, as the user names it: `auto`, `mpfr`, `mpfr:512`, `double-double`, `residue`, `residue-override`,
//! `native`.
//!
//! The list below is the only one: a new oracle is a file and an entry in it.

use crate::{DoubleDouble, Fixed, Mpfr, Native, Oracle, Residue, ResidueOverride};
use std::fmt;
use std::str::FromStr;

pub const DEFAULT_BITS: u32 = 256;
const BITS: std::ops::RangeInclusive<u32> = 2..=65_536;
/// Where `auto` begins: what double-double has.
const FIRST_BITS: u32 = 106;

/// Why an oracle's name was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("'{text}' is not an oracle; there are: {}", Spec::help())]
    Unknown { text: String },
    #[error("'{text}': the precision is a number of bits from 2 to 65536, as in mpfr:256")]
    Bits { text: String },
    #[error("'{text}': the number of runs is from 2 to 1000, as in stochastic:3")]
    Runs { text: String },
    #[error("'{text}': {name} takes no parameter; write just '{name}'")]
    NoParameter { text: String, name: String },
}

/// What is to be done with an oracle that is chosen when the program runs.
pub trait Visitor {
    type Output;

    /// `shadow_bytes`: what a shadow takes on the heap.
    fn visit<O>(self, oracle: O, shadow_bytes: u64) -> Self::Output
    where
        O: Oracle + Send + 'static,
        O::Shadow: Send;
}

/// Each entry: the name and another one, what it is, the variant with its parameter and how that is read, and how it is made.
macro_rules! oracles {
    ($($name:literal $(| $alias:literal)?, $help:literal, $variant:ident $({ $field:ident: $ty:ty = $read:ident })?, |$v:ident| $made:expr;)*) => {
        /// An oracle's name with its parameter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Spec { $($variant $({ $field: $ty })?,)* }

        impl Spec {
            const ALL: &'static [(&'static str, &'static str)] = &[$(($name, $help)),*];

            /// Makes the oracle.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Spec::$variant $({ $field })? => {
                        let $v = visitor;
                        $made
                    })*
                }
            }

            fn read(name: &str, parameter: Option<&str>, text: &str) -> Result<Spec, SpecError> {
                match name {
                    $($name $(| $alias)? => oracles!(@ $variant (name, parameter, text) $($field $read)?),)*
                    _ => Err(SpecError::Unknown { text: text.to_owned() }),
                }
            }
        }

        impl fmt::Display for Spec {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Spec::$variant $({ $field })? => {
                        f.write_str($name)?;
                        $(write!(f, ":{}", $field)?;)?
                        Ok(())
                    })*
                }
            }
        }
    };
    (@ $variant:ident ($name:ident, $parameter:ident, $text:ident) $field:ident $read:ident) => {
        $read($parameter, $text).map(|$field| Spec::$variant { $field })
    };
    (@ $variant:ident ($name:ident, $parameter:ident, $text:ident)) => {
        match $parameter {
            Some(_) => Err(SpecError::NoParameter { text: $text.to_owned(), name: $name.to_owned() }),
            None => Ok(Spec::$variant),
        }
    };
}

oracles! {
    "auto", "auto[:BITS], as many bits as it takes, from double-double or BITS on", Auto { first: u32 = first_bits },
        |v| step(first).visit(v);
    "mpfr", "mpfr[:BITS], 2 to 65536 bits, 256 if left out", Mpfr { bits: u32 = bits }, |v| match bits {
        // The precisions that are asked for most.
        128 => v.visit(Fixed::<2>::default(), 0),
        256 => v.visit(Fixed::<4>::default(), 0),
        512 => v.visit(Fixed::<8>::default(), 0),
        // Limbs, and what the allocator adds.
        _ => v.visit(Mpfr::new(bits), u64::from(bits).div_ceil(64) * 8 + 16),
    };
    "double-double", "two doubles, about 106 bits", DoubleDouble, |v| v.visit(DoubleDouble, 0);
    "residue", "one double for what is lost, as the inline engine", Residue, |v| v.visit(Residue, 0);
    "residue-override" | "repo", "the same, executed again where a residue absorbs what is asked for later", ResidueOverride,
        |v| v.visit(ResidueOverride::default(), 0);
    // These two are domains of the machine's abstract execution, which makes them itself.
    "zonotope", "bounds for all inputs of the ranges that nonius_input() declares", Zonotope, |v| v.visit(Native, 0);
    "stochastic", "stochastic[:N], digits in common of N randomly rounded runs, 3 if left out", Stochastic { runs: u32 = runs },
        |v| {
            let _ = runs;
            v.visit(Native, 0)
        };
    "native", "none, to see what the rest costs", Native, |v| v.visit(Native, 0);
}

fn bits(parameter: Option<&str>, text: &str) -> Result<u32, SpecError> {
    let read = |text: &str| text.parse().ok().filter(|bits| BITS.contains(bits));
    parameter.map_or(Some(DEFAULT_BITS), read).ok_or_else(|| SpecError::Bits { text: text.to_owned() })
}

fn runs(parameter: Option<&str>, text: &str) -> Result<u32, SpecError> {
    let read = |text: &str| text.parse().ok().filter(|runs| (2..=1000).contains(runs));
    parameter.map_or(Some(3), read).ok_or_else(|| SpecError::Runs { text: text.to_owned() })
}

fn first_bits(parameter: Option<&str>, text: &str) -> Result<u32, SpecError> {
    parameter.map_or(Ok(FIRST_BITS), |_| bits(parameter, text))
}

/// The oracle that has at least so many bits, and nothing else to it.
fn step(bits: u32) -> Spec {
    if bits <= FIRST_BITS { Spec::DoubleDouble } else { Spec::Mpfr { bits } }
}

impl Spec {
    /// Whether it may take more than one execution to come to an end.
    pub fn reexecutes(self) -> bool {
        matches!(self, Spec::Auto { .. } | Spec::ResidueOverride)
    }

    /// The oracle of a single execution, the first one.
    #[must_use]
    pub fn first(self) -> Spec {
        match self {
            Spec::Auto { first } => step(first),
            other => other,
        }
    }

    /// The next one to ask what this one has left open: twice as many bits, in powers of two.
    pub fn finer(self) -> Option<Spec> {
        let bits = match self {
            Spec::DoubleDouble => FIRST_BITS,
            Spec::Mpfr { bits } => bits,
            _ => return None,
        };
        let next = (bits + 1).next_power_of_two().max(DEFAULT_BITS);
        BITS.contains(&next).then_some(Spec::Mpfr { bits: next })
    }

    /// All oracles in a line.
    pub fn help() -> String {
        Spec::ALL.iter().map(|(name, help)| format!("{name} ({help})")).collect::<Vec<_>>().join(", ")
    }
}

impl Default for Spec {
    fn default() -> Spec {
        Spec::Mpfr { bits: DEFAULT_BITS }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        match text.split_once(':') {
            Some((name, parameter)) => Spec::read(name, Some(parameter), text),
            None => Spec::read(text, None, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in
            ["auto:256", "mpfr:2", "mpfr:512", "mpfr:65536", "double-double", "residue", "residue-override", "native"]
        {
            assert_eq!(name.parse::<Spec>().unwrap().to_string(), name);
        }
        assert_eq!("mpfr".parse(), Ok(Spec::Mpfr { bits: 256 }));
        assert_eq!("repo".parse(), Ok(Spec::ResidueOverride));
    }

    #[test]
    fn auto_doubles_from_double_double_on() {
        let steps = |name: &str| -> Vec<String> {
            let first = name.parse::<Spec>().unwrap().first();
            std::iter::successors(Some(first), |spec| spec.finer()).map(|spec| spec.to_string()).collect()
        };
        let all = steps("auto");
        assert_eq!(all[..4], ["double-double", "mpfr:256", "mpfr:512", "mpfr:1024"]);
        assert_eq!((all.len(), all.last().unwrap().as_str()), (10, "mpfr:65536"));
        assert_eq!(steps("auto:300")[..2], ["mpfr:300", "mpfr:512"]);
        assert_eq!(steps("residue"), ["residue"]);
    }

    #[test]
    fn what_is_no_oracle_is_told_why() {
        for text in
            ["auto:1", "auto:x", "mpfr:1", "mpfr:65537", "mpfr:", "mpfr:-3", "mpfr:99999999999999999999", "mpfr:256:1"]
        {
            let error = text.parse::<Spec>().unwrap_err();
            assert!(matches!(error, SpecError::Bits { .. }), "{text}: {error}");
        }
        let error = "quad".parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains("'quad' is not an oracle") && error.contains("mpfr[:BITS]"), "{error}");
        let error = "residue:3".parse::<Spec>().unwrap_err().to_string();
        assert!(error.contains("takes no parameter"), "{error}");
    }
}
