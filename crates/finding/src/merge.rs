//! One finding a root, worst first.
//!
//! All functions give the same result for every order of their input: threads and reruns
//! deliver findings in any order, and a report must not change with it.

use crate::finding::Finding;
use crate::location::Location;
use crate::symptom::{Symptom, united};
use crate::tier::Tier;
use crate::vocabulary::{Class, Kind};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Makes one finding of all that agree in kind, location and operation: the operation that an error goes back to.
///
/// Counts add up and the greatest severity stays. Everything that was seen (the values, where,
/// by which stack) is taken from one occurrence, so that it stays true together: one that
/// reached the output if there is any, else the worst. What was seen elsewhere becomes a symptom.
/// Causes and tests are united, those of the occurrence shown first.
pub fn merge(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut sites: BTreeMap<(Kind, Location, String), Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let key = (finding.kind, finding.location.clone(), finding.operation.clone());
        sites.entry(key).or_default().push(finding);
    }
    group(sites.into_values().filter_map(merge_site).collect())
}

fn merge_site(mut occurrences: Vec<Finding>) -> Option<Finding> {
    occurrences.sort_by(|a, b| compare_sightings(b, a));
    occurrences.into_iter().reduce(join)
}

fn join(mut shown: Finding, other: Finding) -> Finding {
    if (shown.seen_at(), shown.observed_at) != (other.seen_at(), other.observed_at) {
        shown.symptoms.push(Symptom { count: own_count(&other), ..Symptom::of(&other) });
    }
    shown.symptoms = united(std::mem::take(&mut shown.symptoms).into_iter().chain(other.symptoms));
    let own = (shown.kind, shown.observed_at, shown.seen_at().clone());
    shown.symptoms.retain(|s| (s.kind, s.observed_at, &s.location) != (own.0, own.1, &own.2));
    shown.count = shown.count.saturating_add(other.count);
    shown.severity = shown.severity.max(other.severity);
    // What was seen otherwise too stands for itself.
    shown.class = shown.class.filter(|class| other.class == Some(*class));
    shown.callers = united_callers(std::mem::take(&mut shown.callers), other.callers);
    shown.root = shown.root.filter(|_| other.root.is_some());
    for (mine, others) in [(&mut shown.tests, other.tests), (&mut shown.programs, other.programs)] {
        let new: Vec<String> = others.into_iter().filter(|name| !mine.contains(name)).collect();
        mine.extend(new);
    }
    shown.ranks = united_ranks(&shown.ranks, &other.ranks);
    for cause in other.causes {
        if !shown.causes.contains(&cause) {
            shown.causes.push(cause);
        }
    }
    shown
}

/// The ranks of both, in order.
pub fn united_ranks(some: &[u32], others: &[u32]) -> Vec<u32> {
    some.iter().chain(others).copied().collect::<BTreeSet<u32>>().into_iter().collect()
}

/// Each place once, that of the occurrence shown first.
fn united_callers(shown: Vec<Location>, others: Vec<Location>) -> Vec<Location> {
    let first = shown.first().cloned();
    let rest: BTreeSet<Location> = shown.into_iter().chain(others).filter(|l| Some(l) != first.as_ref()).collect();
    first.into_iter().chain(rest).collect()
}

/// How often a finding was seen where it is shown.
fn own_count(finding: &Finding) -> u64 {
    let alike = finding.symptoms.iter().filter(|symptom| symptom.kind == finding.kind);
    alike.fold(finding.count, |count, symptom| count.saturating_sub(symptom.count))
}

/// Puts findings that are the consequence of another, which is there, among its symptoms: comparisons and conversions that
/// a bad value decided.
fn group(findings: Vec<Finding>) -> Vec<Finding> {
    let roots: BTreeSet<String> = findings.iter().filter(|f| f.root.is_none()).map(|f| f.id.clone()).collect();
    let is_symptom = |f: &Finding| f.root.as_ref().is_some_and(|root| roots.contains(root));
    let (symptoms, mut all): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_symptom);
    for symptom in symptoms {
        if let Some(root) = all.iter_mut().find(|f| Some(&f.id) == symptom.root.as_ref() && f.root.is_none()) {
            let symptoms = std::mem::take(&mut root.symptoms).into_iter();
            root.symptoms = united(symptoms.chain([Symptom::of(&symptom)]));
        }
    }
    all
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
        let seen = (f.observed_at, &f.observed_location, f.thread, &f.region, &f.tests, &f.programs, &f.ranks);
        (&f.id, seen, f.class, &f.callers, &f.stack, &f.causes)
    }
    details(a).cmp(&details(b))
}

/// Sorts worst first: by how far it came (see [`Tier`]), what does harm before what does not, then by severity, bits lost
/// and count. Of a NaN or an infinity nothing is right.
pub fn rank(findings: &mut [Finding]) {
    findings.sort_by(compare);
}

/// Of what has a class, what is last to be looked at: a residual may be what a result is divided by, and a test of sides
/// that are equal but for rounding has been seen to do nothing. A residual that was printed has none unless its ideal is
/// nothing beside it: it may be the result.
fn harmlessness(f: &Finding) -> Option<u32> {
    const NOTHING: f64 = 1.0 / (1 << 20) as f64;
    let is_nothing = || f.worst.shadow.abs() <= NOTHING * f.worst.value.abs();
    match f.class? {
        Class::Residual if Tier::of(f) == Tier::Output && !is_nothing() => None,
        class => Some(order(class)),
    }
}

fn order(class: Class) -> u32 {
    match class {
        Class::Residual => 0,
        Class::OnPurpose => 1,
        Class::Choice => 2,
        Class::ToleranceTest => 3,
        Class::Assertion => 4,
    }
}

fn is_not_finite(f: &Finding) -> bool {
    matches!(f.kind, Kind::Nan | Kind::Inf)
}

/// The order of [`rank`]. Total: findings that compare equal are equal.
pub fn compare(a: &Finding, b: &Finding) -> Ordering {
    Tier::of(a)
        .cmp(&Tier::of(b))
        .then_with(|| b.in_output().cmp(&a.in_output()))
        .then_with(|| harmlessness(a).cmp(&harmlessness(b)))
        .then_with(|| b.severity.cmp(&a.severity))
        .then_with(|| is_not_finite(b).cmp(&is_not_finite(a)))
        .then_with(|| b.worst.compare_bits(&a.worst))
        .then_with(|| b.count.cmp(&a.count))
        .then_with(|| a.location.cmp(&b.location))
        .then_with(|| a.kind.cmp(&b.kind))
        .then_with(|| a.operation.cmp(&b.operation))
        .then_with(|| b.worst.compare(&a.worst))
        .then_with(|| compare_details(a, b))
}
