//! Where an error came from.

use crate::float;
use crate::location::Location;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// An operation that contributed to the error of a finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    pub location: Location,
    pub operation: String,
    pub description: String,
    /// Its place among the causes, and its numbers, where the engine has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

/// A cause as a node of the graph that leads from a finding back to where its error was born. Equal operations of
/// a loop are one node.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Names the node within its finding. Node 0 is the operation of the observed value itself.
    pub node: u32,
    /// The nodes that made its operands.
    #[serde(default)]
    pub operands: Vec<u32>,
    /// What the program had; NaN where only the error is known.
    #[serde(with = "crate::float")]
    pub value: f64,
    #[serde(with = "crate::float")]
    pub ideal: f64,
    #[serde(with = "crate::float")]
    pub relative_error: f64,
    /// What it added to the relative error of its operands; below 0 where errors cancelled.
    #[serde(with = "crate::float")]
    pub introduced_error: f64,
    /// Results of the operation that went into the finding, as far as they were kept.
    pub count: u64,
    /// On the path along which most of the error came.
    pub dominant: bool,
    /// Of the operation's worst result in the whole run: this value's own history was no longer there.
    #[serde(default)]
    pub typical: bool,
}

impl Measured {
    fn numbers(&self) -> [f64; 4] {
        [self.value, self.ideal, self.relative_error, self.introduced_error]
    }
}

impl PartialEq for Measured {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Measured {}

impl PartialOrd for Measured {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Measured {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |m: &Self| (m.node, m.count, m.dominant, m.typical, m.operands.clone());
        let numbers = self.numbers().into_iter().zip(other.numbers());
        let by_numbers = numbers.map(|(a, b)| float::order(a, b)).find(|o| o.is_ne());
        rest(self).cmp(&rest(other)).then(by_numbers.unwrap_or(Ordering::Equal))
    }
}
