//! What a second engine says of a finding.

use crate::vocabulary::Verdict;
use serde::{Deserialize, Serialize};

/// The answer of an oracle that re-did the run.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct Confirmation {
    pub verdict: Verdict,
    /// Who says so, such as `mpfr:256`.
    pub oracle: String,
    /// The largest relative error that it saw at the finding's observable.
    #[serde(with = "crate::float")]
    pub relative_error: f64,
    /// What the first run took the error for, if that is of another size.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub first_error: Option<f64>,
    /// How often it looked there.
    pub count: u64,
}
