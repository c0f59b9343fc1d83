//! Suppressions at work on a list of findings.

use super::Suppressions;
use crate::finding::Finding;
use crate::report::SuppressionRecord;

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
        let mut counts = vec![0u64; self.entries.len()];
        let total = findings.len();
        let mut remaining = Vec::with_capacity(total);
        for finding in findings {
            let places: Vec<_> = std::iter::once(&finding.location).chain(&finding.observed_location).collect();
            match self.find(finding.kind, &places, &finding.stack) {
                // A count of 0 is an engine's slip, and must not make the entry look unused.
                Some(entry) => counts[entry] = counts[entry].saturating_add(finding.count.max(1)),
                None => remaining.push(finding),
            }
        }
        let (used, unused) = self.records(&counts);
        Applied { suppressed: (total - remaining.len()) as u64, remaining, used, unused }
    }
}
