//! Suppressions at work on a list of findings.

use super::Suppressions;
use crate::finding::Finding;
use crate::report::{Suppressed, SuppressionRecord};
use std::collections::BTreeSet;

/// What suppressions made of a list of findings.
#[derive(Debug)]
pub struct Applied {
    pub remaining: Vec<Finding>,
    /// Number of findings dropped.
    pub suppressed: u64,
    pub used: Vec<SuppressionRecord>,
    pub unused: Vec<SuppressionRecord>,
}

impl Suppressions {
    /// Drops the findings that an entry covers; the first that does gets the credit.
    pub fn apply(&self, findings: Vec<Finding>) -> Applied {
        let mut used = vec![(0u64, BTreeSet::new()); self.entries.len()];
        let mut remaining = Vec::with_capacity(findings.len());
        // What was seen in several places is one finding.
        let mut dropped = BTreeSet::new();
        for finding in findings {
            match self.find(&finding) {
                // A count of 0 is an engine's slip, and must not make the entry look unused.
                Some(entry) => {
                    let (count, of) = &mut used[entry];
                    *count = count.saturating_add(finding.count.max(1));
                    dropped.insert(finding.id.clone());
                    of.insert(Suppressed { id: finding.id, kind: finding.kind, location: finding.location });
                }
                None => remaining.push(finding),
            }
        }
        let (used, unused) = self.records(used);
        Applied { suppressed: dropped.len() as u64, remaining, used, unused }
    }
}
