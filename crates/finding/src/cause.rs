//! Where an error came from.

use crate::float;
use crate::location::Location;
use crate::statistics::ErrorSamples;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// An operation that contributed to the error of a finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    pub location: Location,
    pub operation: String,
    /// What it did, in words, where there are no numbers to tell it from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its place among the causes, and its numbers, where the engine has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// How the error grew from stage to stage, for findings of kind `stage`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Growth>,
}

/// A cause as a node of the graph that leads from a finding back to where its error was introduced. Equal operations of
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
    /// How far from that the true ideal may be; `None` in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::float::optional")]
    pub radius: Option<f64>,
    #[serde(with = "crate::float")]
    pub relative_error: f64,
    /// The largest relative error among its operands.
    #[serde(default, with = "crate::float")]
    pub inherited_error: f64,
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
    fn numbers(&self) -> [f64; 5] {
        [self.value, self.ideal, self.relative_error, self.inherited_error, self.introduced_error]
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

/// Stages of an iteration in which an error grew faster than linearly.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Growth {
    /// The number that the program gave the set of stages.
    pub set: u64,
    pub stages: u64,
    /// Stages in which the error grew too fast, the first of them and the last.
    pub faults: u64,
    pub first_fault: u64,
    pub last_fault: u64,
    /// The relative error before the last of them, and after.
    #[serde(with = "crate::float")]
    pub before: f64,
    #[serde(with = "crate::float")]
    pub after: f64,
    /// The relative error at the ends of stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<ErrorSamples>,
}

impl PartialEq for Growth {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Growth {}

impl PartialOrd for Growth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Growth {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |g: &Self| (g.set, g.stages, g.faults, g.first_fault, g.last_fault);
        let numbers = float::order(self.before, other.before).then(float::order(self.after, other.after));
        rest(self).cmp(&rest(other)).then(numbers)
    }
}
