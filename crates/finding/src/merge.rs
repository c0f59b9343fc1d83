//! One finding a site, worst first.
//!
//! Both functions give the same result for every order of their input: threads and reruns
//! deliver findings in any order, and a report must not change with it.

use crate::finding::Finding;
use crate::location::Location;
use crate::vocabulary::Kind;
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// Makes one finding of all that agree in kind, location and operation.
///
/// Counts add up and the greatest severity stays. Everything that was seen (the values, where,
/// by which stack) is taken from one occurrence, so that it stays true together: one that
/// reached the output if there is any, else the worst. Causes and tests are
/// united, those of the occurrence shown first.
pub fn merge(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut sites: BTreeMap<(Kind, Location, String), Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let key = (finding.kind, finding.location.clone(), finding.operation.clone());
        sites.entry(key).or_default().push(finding);
    }
    sites.into_values().filter_map(merge_site).collect()
}

fn merge_site(mut occurrences: Vec<Finding>) -> Option<Finding> {
    occurrences.sort_by(|a, b| compare_sightings(b, a));
    occurrences.into_iter().reduce(join)
}

fn join(mut shown: Finding, other: Finding) -> Finding {
    shown.count = shown.count.saturating_add(other.count);
    shown.severity = shown.severity.max(other.severity);
    for test in other.tests {
        if !shown.tests.contains(&test) {
            shown.tests.push(test);
        }
    }
    for cause in other.causes {
        if !shown.causes.contains(&cause) {
            shown.causes.push(cause);
        }
    }
    shown
}

/// Which of two occurrences to show: the greater. Total, so that the choice is the same for
/// every order of merging.
fn compare_sightings(a: &Finding, b: &Finding) -> Ordering {
    a.in_output()
        .cmp(&b.in_output())
        .then_with(|| a.worst.compare(&b.worst))
        .then_with(|| compare_details(a, b).reverse())
}

/// Orders what nobody ranks by, lower first, to make the orders above and below total.
fn compare_details(a: &Finding, b: &Finding) -> Ordering {
    fn details(f: &Finding) -> impl Ord + '_ {
        (&f.id, f.observed_at, &f.observed_location, f.thread, &f.region, &f.tests, &f.stack, &f.causes)
    }
    details(a).cmp(&details(b))
}

/// Sorts worst first: what reached the output, then by severity, bits lost and count.
pub fn rank(findings: &mut [Finding]) {
    findings.sort_by(compare);
}

/// The order of [`rank`]. Total: findings that compare equal are equal.
pub fn compare(a: &Finding, b: &Finding) -> Ordering {
    Reverse(a.in_output())
        .cmp(&Reverse(b.in_output()))
        .then_with(|| b.severity.cmp(&a.severity))
        .then_with(|| b.worst.compare_bits(&a.worst))
        .then_with(|| b.count.cmp(&a.count))
        .then_with(|| a.location.cmp(&b.location))
        .then_with(|| a.kind.cmp(&b.kind))
        .then_with(|| a.operation.cmp(&b.operation))
        .then_with(|| b.worst.compare(&a.worst))
        .then_with(|| compare_details(a, b))
}
