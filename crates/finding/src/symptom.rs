//! A symptom: a further place where the error of a root was seen.

use crate::finding::Finding;
use crate::location::Location;
use crate::vocabulary::{Class, Kind, ObservedAt};
use crate::worst::Worst;
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};

/// A place where a value was bad by an error that came in with its operands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Symptom {
    pub kind: Kind,
    pub observed_at: ObservedAt,
    /// Where the value was seen.
    pub location: Location,
    /// How often it was seen.
    pub count: u64,
    pub worst: Worst,
    /// Of a decision: that it does no harm, and why (see `class`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
}

impl Symptom {
    /// What is left of a finding that is a symptom of another.
    pub fn of(finding: &Finding) -> Symptom {
        Symptom {
            kind: finding.kind,
            observed_at: finding.observed_at,
            location: finding.seen_at().clone(),
            count: finding.count,
            worst: finding.worst.clone(),
            class: finding.class.filter(|_| finding.kind == Kind::BranchFlip),
        }
    }

    fn place(&self) -> (Kind, ObservedAt, &Location) {
        (self.kind, self.observed_at, &self.location)
    }

    /// Outputs first, then decisions, then by bits lost. Total.
    pub fn compare(&self, other: &Symptom) -> Ordering {
        let weight = |s: &Symptom| Reverse((s.observed_at == ObservedAt::Output, s.kind != Kind::PrecisionLoss));
        weight(self)
            .cmp(&weight(other))
            .then_with(|| other.worst.compare_bits(&self.worst))
            .then_with(|| self.place().cmp(&other.place()))
            .then_with(|| other.worst.compare(&self.worst))
            .then_with(|| other.count.cmp(&self.count))
    }
}

/// Symptoms of one root, a place each: counts add up, the worst is shown.
pub fn united(symptoms: impl IntoIterator<Item = Symptom>) -> Vec<Symptom> {
    let mut all: Vec<Symptom> = symptoms.into_iter().collect();
    all.sort_by(|a, b| a.place().cmp(&b.place()).then_with(|| b.worst.compare(&a.worst)).then(b.count.cmp(&a.count)));
    all.dedup_by(|other, shown| {
        let is_same = shown.place() == other.place();
        if is_same {
            shown.count = shown.count.saturating_add(other.count);
            shown.class = shown.class.filter(|class| other.class == Some(*class));
        }
        is_same
    });
    all.sort_by(Symptom::compare);
    all
}
