//! Operations and observables in numbers, from engines that measure every one.
//!
//! Several processes may have run the same code: what they say of one place is joined, and the lists are as long as those
//! of one process.

use crate::location::Location;
use crate::vocabulary::ObservedAt;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Operations that are listed, those of them whose errors over the run are told, and results.
const MOST_OPERATIONS: usize = 2000;
const MOST_SAMPLED: usize = 200;
pub const MOST_RESULTS: usize = 10;

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
    /// Of the open ones, values that have no ideal: on their way something was divided by what is ideally 0, lies within reach
    /// of a pole, or is ideally outside of a function's domain. No precision closes them.
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

impl OperationStatistics {
    fn join(&mut self, other: Self) {
        let all = self.count.saturating_add(other.count).max(1);
        let mean = |mine: f64, others: f64| (mine * self.count as f64 + others * other.count as f64) / all as f64;
        (self.mean_error, self.mean_badness) =
            (mean(self.mean_error, other.mean_error), mean(self.mean_badness, other.mean_badness));
        self.count = self.count.saturating_add(other.count);
        // Errors over the run are those of the process that was worst.
        if other.max_error > self.max_error || self.samples.is_none() {
            self.samples = other.samples.or(self.samples.take());
        }
        self.max_error = self.max_error.max(other.max_error);
        self.introduced_error = self.introduced_error.max(other.introduced_error);
        self.max_badness = self.max_badness.max(other.max_badness);
    }

    /// Each operation once, those that introduce most first, as many as are listed.
    pub fn listed(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut all = joined(all, |o| (o.location.clone(), o.operation.clone()), Self::join);
        all.sort_by(|a, b| {
            let by_error = b.introduced_error.total_cmp(&a.introduced_error);
            by_error.then(b.mean_error.total_cmp(&a.mean_error))
        });
        all.truncate(MOST_OPERATIONS);
        all.iter_mut().skip(MOST_SAMPLED).for_each(|o| o.samples = None);
        all
    }
}

impl Observable {
    fn join(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.max_error = self.max_error.max(other.max_error);
        self.not_followed = self.not_followed.saturating_add(other.not_followed);
        self.open = self.open.saturating_add(other.open);
        self.undefined = self.undefined.saturating_add(other.undefined);
        self.open_by_constants = self.open_by_constants.saturating_add(other.open_by_constants);
    }

    /// Each place once, by place.
    pub fn listed(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        joined(all, |o| (o.location.clone(), o.observed_at), Self::join)
    }
}

impl LikelyResult {
    /// One an operation, deepest first, as many as are listed.
    pub fn listed(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let rank = |r: &Self| (r.depth, Reverse(ordered(r.value)), Reverse(ordered(r.ideal)));
        let keep_deeper = |mine: &mut Self, other: Self| {
            if rank(&other) > rank(mine) {
                *mine = other;
            }
        };
        let mut all = joined(all, |r| (r.location.clone(), r.operation.clone()), keep_deeper);
        all.sort_by_key(|r| Reverse(r.depth));
        all.truncate(MOST_RESULTS);
        all
    }
}

/// The bits of a float, ordered as the floats are.
fn ordered(x: f64) -> i64 {
    let bits = x.to_bits().cast_signed();
    bits ^ ((bits >> 63) & i64::MAX)
}

/// One of all that have the same key, by key.
fn joined<T, K: Ord>(all: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K, join: impl Fn(&mut T, T)) -> Vec<T> {
    let mut by_key: BTreeMap<K, T> = BTreeMap::new();
    for one in all {
        match by_key.entry(key(&one)) {
            std::collections::btree_map::Entry::Occupied(mut there) => join(there.get_mut(), one),
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(one);
            }
        }
    }
    by_key.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(line: u32, count: u64, error: f64) -> OperationStatistics {
        OperationStatistics {
            location: Location::new("a.c", line, 1, "f"),
            operation: "addition".into(),
            count,
            mean_error: error,
            max_error: 2.0 * error,
            introduced_error: error,
            mean_badness: error,
            max_badness: line,
            samples: None,
        }
    }

    fn result(line: u32, depth: u32, value: f64) -> LikelyResult {
        LikelyResult {
            location: Location::new("a.c", line, 1, "f"),
            operation: "addition".into(),
            depth,
            value,
            ideal: value,
            relative_error: 0.0,
            badness: 0,
            cancelled_at: None,
        }
    }

    #[test]
    fn an_operation_of_two_processes_is_one() {
        let (a, b, other) = (operation(1, 3, 1.0), operation(1, 1, 5.0), operation(2, 1, 9.0));
        let listed = OperationStatistics::listed([a.clone(), other.clone(), b.clone()]);
        assert_eq!(listed, OperationStatistics::listed([b, a, other.clone()]), "in any order");
        assert_eq!(listed[0], other, "what introduces most comes first");
        let one = &listed[1];
        assert_eq!((one.count, one.mean_error, one.max_error, one.introduced_error), (4, 2.0, 10.0, 5.0));
        assert_eq!((one.mean_badness, one.max_badness, listed.len()), (2.0, 1, 2));
        let many = OperationStatistics::listed((0..3000).map(|line| operation(line, 1, f64::from(line))));
        assert_eq!((many.len(), many[0].location.line), (MOST_OPERATIONS, 2999));
    }

    #[test]
    fn the_deepest_result_of_an_operation_stays() {
        let listed =
            LikelyResult::listed([result(1, 3, 1.0), result(1, 7, 2.0), result(2, 9, 3.0), result(1, 7, -2.0)]);
        let seen: Vec<_> = listed.iter().map(|r| (r.location.line, r.depth, r.value)).collect();
        assert_eq!(seen, [(2, 9, 3.0), (1, 7, -2.0)]);
        assert_eq!(LikelyResult::listed((0..50).map(|line| result(line, line, 0.0))).len(), MOST_RESULTS);
    }

    #[test]
    fn a_place_of_two_processes_is_one() {
        let seen = |line, count, open| Observable {
            location: Location::new("a.c", line, 1, "f"),
            observed_at: ObservedAt::Output,
            count,
            max_error: count as f64,
            not_followed: 1,
            open,
            undefined: 0,
            open_by_constants: 0,
        };
        let listed = Observable::listed([seen(2, 5, 0), seen(1, 1, 1), seen(2, 2, 3)]);
        let counts: Vec<_> = listed.iter().map(|o| (o.location.line, o.count, o.open, o.max_error)).collect();
        assert_eq!(counts, [(1, 1, 1, 1.0), (2, 7, 3, 5.0)]);
        assert_eq!(listed[1].not_followed, 2);
    }
}
