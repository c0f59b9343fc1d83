//! What became of an assertion that the program makes.

use crate::bounds::HoldsFor;
use crate::location::Location;
use serde::{Deserialize, Serialize};

/// What is known of an assertion, of all times that the program came by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// It held each time, for all that [`Assertion::holds_for`] says.
    #[default]
    Proved,
    /// Whether it holds depends on what the oracle does not know.
    Unknown,
    /// It did not hold.
    Failed,
}

/// An assertion that the program came by.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    pub location: Location,
    /// `assert`, `requires`, `ensures`, `loop invariant` or `check`.
    pub clause: String,
    /// The predicate, as it is written.
    pub text: String,
    pub verdict: Proof,
    /// What `proved` is about: this run, or all inputs of the declared ranges.
    pub holds_for: ProvedFor,
    /// How often it did not hold.
    pub failed: u64,
    /// How often that was not known.
    pub unknown: u64,
    /// What its variables were, the first time that it did not hold or was not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
}

/// Which runs a verdict speaks of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProvedFor {
    AllInputs,
    /// Those for which floats and reals take the way that this run took through every test.
    ThisPath,
    #[default]
    ThisRun,
}

impl From<Option<HoldsFor>> for ProvedFor {
    fn from(holds_for: Option<HoldsFor>) -> ProvedFor {
        match holds_for {
            Some(HoldsFor::AllInputs) => ProvedFor::AllInputs,
            Some(HoldsFor::ThisPath | HoldsFor::OnePath) => ProvedFor::ThisPath,
            Some(HoldsFor::Nothing) | None => ProvedFor::ThisRun,
        }
    }
}

impl Assertion {
    /// Whether two are of one place in the source.
    pub fn is_same(&self, other: &Assertion) -> bool {
        (&self.location, &self.text, &self.clause) == (&other.location, &other.text, &other.clause)
    }

    /// What two processes, or two runs, say of one assertion.
    fn absorb(&mut self, other: Assertion) {
        if other.verdict > self.verdict {
            self.values = other.values;
        }
        self.verdict = self.verdict.max(other.verdict);
        self.holds_for = self.holds_for.max(other.holds_for);
        self.failed += other.failed;
        self.unknown += other.unknown;
    }

    /// Each assertion once.
    pub fn merge(all: impl IntoIterator<Item = Assertion>) -> Vec<Assertion> {
        let mut merged: Vec<Assertion> = Vec::new();
        for assertion in all {
            match merged.iter_mut().find(|a| a.is_same(&assertion)) {
                Some(same) => same.absorb(assertion),
                None => merged.push(assertion),
            }
        }
        merged.sort_by(|a, b| b.verdict.cmp(&a.verdict).then_with(|| a.location.cmp(&b.location)));
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_verdict_counts_and_comes_first() {
        let at = |line, verdict, failed| Assertion {
            location: Location { line, ..Location::default() },
            verdict,
            failed,
            ..Assertion::default()
        };
        let merged = Assertion::merge([
            at(1, Proof::Proved, 0),
            at(2, Proof::Proved, 0),
            at(2, Proof::Failed, 3),
            at(2, Proof::Unknown, 0),
        ]);
        assert_eq!(merged, [at(2, Proof::Failed, 3), at(1, Proof::Proved, 0)]);
    }
}
