//! What an abstract execution says of a variable for a whole range of inputs.

use crate::location::Location;
use serde::{Deserialize, Serialize};

/// From `lo` to `hi`; written as an array of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "(Number, Number)", into = "(Number, Number)")]
pub struct Range {
    pub lo: f64,
    pub hi: f64,
}

/// A number, also where JSON has none.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Number(#[serde(with = "crate::float")] f64);

impl From<(Number, Number)> for Range {
    fn from((lo, hi): (Number, Number)) -> Range {
        Range { lo: lo.0, hi: hi.0 }
    }
}

impl From<Range> for (Number, Number) {
    fn from(range: Range) -> (Number, Number) {
        (Number(range.lo), Number(range.hi))
    }
}

impl Default for Range {
    fn default() -> Range {
        Range { lo: f64::INFINITY, hi: f64::NEG_INFINITY }
    }
}

impl Range {
    pub fn hull(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The greatest magnitude.
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }
}

/// What a variable can be where the program asked for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// As the program names it.
    pub name: String,
    pub location: Location,
    /// How often the program came by; the ranges hold each time.
    pub count: u64,
    /// The program's own value, the last time.
    #[serde(with = "crate::float")]
    pub actual: f64,
    /// The float.
    pub value: Range,
    /// The real number that it stands for.
    pub real: Range,
    /// The float less the real.
    pub error: Range,
    pub relative_error: Range,
    /// Whether anything is known: if not, something on the way has no domain, and the ranges are everything.
    pub is_known: bool,
    /// Which inputs it holds for.
    pub holds_for: HoldsFor,
    /// Where the error comes from, most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<ErrorSource>,
    /// Decimal digits that randomly rounded runs have in common, where that was asked for: an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub common_digits: Option<f64>,
}

/// Which inputs of the declared ranges a bound holds for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldsFor {
    #[default]
    AllInputs,
    /// All, as far as tests that the program excepts go its way.
    OnePath,
    /// Those for which floats and reals take the way that this run took through every test.
    ThisPath,
    /// Nobody says: it is an estimate.
    Nothing,
}

/// A part of a variable's error.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorSource {
    pub location: Location,
    /// The operation, or the input.
    pub operation: String,
    /// What it adds to the bound of the error at most.
    #[serde(with = "crate::float")]
    pub error: f64,
    /// Its share of all.
    #[serde(with = "crate::float")]
    pub share: f64,
}
