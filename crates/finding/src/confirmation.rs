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
    /// How often it looked there.
    pub count: u64,
}
