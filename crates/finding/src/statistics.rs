//! Operations and observables in numbers, from engines that measure every one.

use crate::location::Location;
use crate::vocabulary::ObservedAt;
use serde::{Deserialize, Serialize};

/// An operation, over all its executions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationStatistics {
    pub location: Location,
    pub operation: String,
    pub count: u64,
    #[serde(with = "crate::float")]
    pub mean_error: f64,
    #[serde(with = "crate::float")]
    pub max_error: f64,
    /// What it added to the errors of its operands, at its worst.
    #[serde(with = "crate::float")]
    pub introduced_error: f64,
    /// Bits that were missing in the operands for a cancellation to be benign.
    #[serde(with = "crate::float")]
    pub mean_badness: f64,
    pub max_badness: u32,
    /// Its errors over the run, of the worst operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<ErrorSamples>,
}

/// Relative errors over a run, evenly spaced: of the first result, and of every n-th from there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorSamples {
    pub every: u64,
    /// To two digits.
    pub errors: Vec<f64>,
}

/// A place where values are observed, over all that were.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observable {
    pub location: Location,
    pub observed_at: ObservedAt,
    pub count: u64,
    #[serde(with = "crate::float")]
    pub max_error: f64,
    /// Of these, values on whose way something was computed that the engine did not follow.
    #[serde(default)]
    pub not_followed: u64,
    /// Of these, values whose verdict depends on what the oracle does not know.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub open: u64,
    /// Of the open ones, values that have no ideal: on their way something was divided by what is ideally 0, or lies within
    /// reach of a pole. No precision closes them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undefined: u64,
    /// Of these, values that are a finding or none as the program's constants were rounded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub open_by_constants: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A value that much was computed for and nothing goes on from: likely a result of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LikelyResult {
    /// The operation that made it.
    pub location: Location,
    pub operation: String,
    /// Operations one after another that lead to it.
    pub depth: u32,
    #[serde(with = "crate::float")]
    pub value: f64,
    #[serde(with = "crate::float")]
    pub ideal: f64,
    #[serde(with = "crate::float")]
    pub relative_error: f64,
    /// The worst cancellation on the way to it, in bits of badness, and where it was.
    pub badness: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_at: Option<Location>,
}
