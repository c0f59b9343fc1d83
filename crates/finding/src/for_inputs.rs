//! What a finding of an abstract execution says of the inputs.

use crate::bounds::Range;
use crate::location::Location;
use serde::{Deserialize, Serialize};

/// Whether any input of the declared ranges is known to show a finding, or bounds merely allow it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ForInputs {
    /// A bound of the relative error of a value.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub relative_error: Option<f64>,
    /// What the operands of a test can be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<Range>,
    /// Inputs that show it: it is certain then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
}

/// Inputs, and what comes of them: a value and its ideal, or the outcomes of a test for floats and for reals.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Example {
    pub inputs: Vec<InputValue>,
    #[serde(with = "crate::float")]
    pub value: f64,
    #[serde(with = "crate::float")]
    pub ideal: f64,
}

/// An input as it is in an example.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct InputValue {
    /// As the program names it, or the operation that read it.
    pub name: String,
    pub location: Location,
    /// How often it was declared by then; the numbers are the last ones.
    pub count: u64,
    #[serde(with = "crate::float")]
    pub value: f64,
    /// The real that it stands for.
    #[serde(with = "crate::float")]
    pub ideal: f64,
}
