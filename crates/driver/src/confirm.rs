//! A second run under the event engine: does an oracle bear out what the inline engine found, and where did it come from?

use nonius_finding::{
    Confirmation, Finding, Ids, Kind, Location, Observable, ObservedAt, Proof, Report, Symptom, Verdict, Worst, rank,
    united, united_ranks,
};

/// Joins what `second` knows to the findings of `first`. It follows errors to their roots, so its findings stand for those
/// of the first run that it bears out, with their symptoms. What it refutes, or leaves to constants, leaves the ranking. If the second run was ended
/// before its time (`is_late`), only what it confirms counts: what it did not see may have been to come.
pub fn confirm(first: &mut Report, mut second: Report, is_late: bool) {
    let mut ids = Ids::default();
    ids.set_aside(&mut first.all_findings());
    ids.set_aside(&mut second.all_findings());
    join(first, &second, is_late);
    ids.give(&mut first.all_findings());
}

fn join(first: &mut Report, second: &Report, is_late: bool) {
    let mut borne_out: Vec<Option<Finding>> = vec![None; second.findings.len()];
    let mut others = Vec::new();
    for finding in std::mem::take(&mut first.findings) {
        if let Some(index) = nearest(&finding, &second.findings) {
            let confirmed = borne_out_by(&finding, &second.findings[index], second);
            let best = borne_out[index].take();
            borne_out[index] = Some(best.map_or(confirmed.clone(), |best| joined(best, confirmed)));
            continue;
        }
        let mut confirmation = judge(&finding, second);
        if let Some(answer) = confirmation.as_mut().filter(|_| is_late) {
            answer.verdict = Verdict::NotReached;
        }
        let drops = |c: &Confirmation| matches!(c.verdict, Verdict::Refuted | Verdict::OpenByConstants);
        let refuted = confirmation.as_ref().is_some_and(drops);
        let finding = Finding { confirmation, ..finding };
        if refuted { first.refuted.push(finding) } else { others.push(finding) }
    }
    let new = |(borne_out, finding): (Option<Finding>, &Finding)| match borne_out {
        None if is_unfollowed(finding) => others.iter().all(|o| !is_like(o, finding)).then(|| finding.clone()),
        None => Some(only_seen_by(second, finding)),
        borne_out => borne_out,
    };
    let made: Vec<Finding> = borne_out.into_iter().zip(&second.findings).filter_map(new).collect();
    first.findings = made.into_iter().chain(others).collect();
    rank(&mut first.findings);
    first.summary.findings = first.findings.len() as u64;
    first.operations.clone_from(&second.operations);
    first.results.clone_from(&second.results);
    // Of assertions, the second run's oracle knows more.
    for assertion in first.assertions.iter_mut().filter(|_| !is_late) {
        if let Some(same) = second.assertions.iter().find(|a| a.is_same(assertion)) {
            assertion.clone_from(same);
        }
    }
    // What the first run left open stays so, if the second did not come by.
    if !is_late {
        first.observables.clone_from(&second.observables);
        first.settled_by = Some(second.oracle.clone());
        (first.summary.underflow, first.summary.ill_conditioned, first.summary.without_ideal) = (false, false, false);
    }
}

/// The finding of the second run that a finding is of: of the same operation, else one that was seen in the same place,
/// as itself or among its symptoms. Several values may be seen in one place: then the same value counts, and the worst.
fn nearest(finding: &Finding, second: &[Finding]) -> Option<usize> {
    let nearness = |other: &Finding| match sightings(other).find(|s| s.is_of(finding)) {
        _ if is_same(finding, other) => Some((2, true)),
        Some(sighting) => Some((1, sighting.worst.value == finding.worst.value)),
        // The first run may have seen more of a root than what it shows.
        None if other.kind == finding.kind => {
            finding.symptoms.iter().any(|s| sightings(other).any(|o| o.is_at(s))).then_some((0, false))
        }
        None => None,
    };
    let followed = second.iter().enumerate().filter(|(_, other)| !is_unfollowed(other));
    let near = followed.filter_map(|(index, other)| Some((nearness(other)?, index)));
    near.max_by(|(a, i), (b, j)| a.cmp(b).then(second[*i].worst.compare(&second[*j].worst))).map(|(_, index)| index)
}

/// Whether a finding of the second run is not its oracle's: the function has no copy that records, and ran as in the first.
fn is_unfollowed(finding: &Finding) -> bool {
    finding.confirmation.as_ref().is_some_and(|c| c.verdict == Verdict::NotFollowed)
}

/// Whether two findings are of one operation or were seen in one place.
fn is_like(a: &Finding, b: &Finding) -> bool {
    is_same(a, b) || sightings(b).any(|sighting| sighting.is_of(a))
}

/// Whether two findings are of one operation.
fn is_same(a: &Finding, b: &Finding) -> bool {
    (a.kind, &a.location, &a.operation) == (b.kind, &b.location, &b.operation)
}

/// A place where the error of a finding was seen.
struct Sighting<'a> {
    kind: Kind,
    observed_at: ObservedAt,
    location: &'a Location,
    worst: &'a Worst,
}

impl Sighting<'_> {
    fn is_of(&self, finding: &Finding) -> bool {
        (self.kind, self.observed_at, self.location) == (finding.kind, finding.observed_at, finding.seen_at())
    }

    fn is_at(&self, symptom: &Symptom) -> bool {
        (self.kind, self.observed_at, self.location) == (symptom.kind, symptom.observed_at, &symptom.location)
    }
}

fn sightings(finding: &Finding) -> impl Iterator<Item = Sighting<'_>> {
    let shown = Sighting {
        kind: finding.kind,
        observed_at: finding.observed_at,
        location: finding.seen_at(),
        worst: &finding.worst,
    };
    std::iter::once(shown).chain(finding.symptoms.iter().map(|s| Sighting {
        kind: s.kind,
        observed_at: s.observed_at,
        location: &s.location,
        worst: &s.worst,
    }))
}

/// What the second run makes of a finding. Of the first it has what the program knows of itself: tests and regions, and
/// the stack with its libraries; and where it saw the error after code that the second did not see.
fn borne_out_by(finding: &Finding, other: &Finding, second: &Report) -> Finding {
    let same_place = sightings(other).find(|s| s.is_of(finding));
    let agree = is_outcome(finding.kind) || same_place.is_none_or(|s| is_same_size(&finding.worst, s.worst));
    let confirmation = Confirmation {
        verdict: if agree { Verdict::Confirmed } else { Verdict::Corrected },
        oracle: second.oracle.clone(),
        relative_error: other.worst.relative_error,
        first_error: Some(finding.worst.relative_error).filter(|_| !agree),
        count: other.count,
    };
    let is_shown = finding.kind == other.kind && finding.seen_at() == other.seen_at();
    let is_lost = |s: &Symptom| {
        let at = |o: &&Observable| o.location == s.location && o.observed_at == s.observed_at;
        let not_followed = second.observables.iter().filter(at).any(|o| o.not_followed > 0);
        not_followed && !sightings(other).any(|o| o.is_at(s))
    };
    let lost = || finding.symptoms.iter().cloned().chain([Symptom::of(finding)]).filter(is_lost);
    Finding {
        symptoms: united(other.symptoms.iter().cloned().chain(lost())),
        severity: if lost().next().is_some() { other.severity.max(finding.severity) } else { other.severity },
        confirmation: Some(confirmation),
        count: if finding.kind == other.kind { other.count.max(finding.count) } else { other.count },
        stack: if is_shown && !finding.stack.is_empty() { finding.stack.clone() } else { other.stack.clone() },
        class: if is_shown { other.class.or(finding.class) } else { other.class },
        callers: if other.callers.is_empty() { finding.callers.clone() } else { other.callers.clone() },
        tests: finding.tests.clone(),
        programs: finding.programs.clone(),
        ranks: finding.ranks.clone(),
        region: finding.region.clone(),
        ..other.clone()
    }
}

/// Two findings of the first run that turn out to have one root.
fn joined(mut one: Finding, other: Finding) -> Finding {
    one.count = one.count.max(other.count);
    one.region = one.region.or(other.region);
    for (mine, others) in [(&mut one.tests, other.tests), (&mut one.programs, other.programs)] {
        let new: Vec<String> = others.into_iter().filter(|name| !mine.contains(name)).collect();
        mine.extend(new);
    }
    one.ranks = united_ranks(&one.ranks, &other.ranks);
    // Where the first run alone saw it.
    let is_new = |s: &Symptom| !sightings(&one).any(|o| o.is_at(s));
    let new: Vec<Symptom> = other.symptoms.into_iter().filter(is_new).collect();
    one.symptoms = united(std::mem::take(&mut one.symptoms).into_iter().chain(new));
    one.severity = one.severity.max(other.severity);
    let is_confirmed = |c: &Option<Confirmation>| c.as_ref().is_some_and(|c| c.verdict == Verdict::Confirmed);
    if !is_confirmed(&one.confirmation) && is_confirmed(&other.confirmation) {
        one.confirmation = other.confirmation;
    }
    one
}

/// A finding that the first run could not make.
fn only_seen_by(second: &Report, finding: &Finding) -> Finding {
    let (relative_error, count) = (finding.worst.relative_error, finding.count);
    let confirmation = Confirmation {
        verdict: Verdict::Confirmed,
        oracle: second.oracle.clone(),
        relative_error,
        first_error: None,
        count,
    };
    Finding { confirmation: Some(confirmation), ..finding.clone() }
}

/// What the second run says of a finding that it did not make.
fn judge(finding: &Finding, second: &Report) -> Option<Confirmation> {
    let answer = |verdict, relative_error, count| {
        Some(Confirmation { verdict, oracle: second.oracle.clone(), relative_error, first_error: None, count })
    };
    if finding.kind == Kind::Assertion {
        let says = second.assertions.iter().find(|a| a.location == finding.location);
        return match says.map(|a| a.verdict) {
            Some(Proof::Proved) => answer(Verdict::Refuted, 0.0, 1),
            Some(_) => answer(Verdict::Open, 0.0, 1),
            None => answer(Verdict::NotReproduced, 0.0, 0),
        };
    }
    // The machine tells of a NaN or an infinity only where it is seen, so its silence says nothing.
    if matches!(finding.kind, Kind::Nan | Kind::Inf | Kind::LoadMismatch) {
        return None;
    }
    let (location, at) = (finding.seen_at(), finding.observed_at);
    let looked = |o: &&Observable| o.location == *location && o.observed_at == at && o.count > 0;
    let places: Vec<&Observable> = second.observables.iter().filter(looked).collect();
    let largest = places.iter().map(|o| o.max_error).fold(0.0, f64::max);
    let not_followed: u64 = places.iter().map(|o| o.not_followed).sum();
    let open: u64 = places.iter().map(|o| o.open).sum();
    let by_constants: u64 = places.iter().map(|o| o.open_by_constants).sum();
    let unfollowed = second.findings.iter().find(|other| is_unfollowed(other) && is_like(finding, other));
    match places.iter().map(|o| o.count).sum() {
        0 if unfollowed.is_some() => answer(Verdict::NotFollowed, 0.0, unfollowed.map_or(0, |other| other.count)),
        0 => answer(Verdict::NotReproduced, 0.0, 0),
        // Something on the way restarted: an error that came from there is not known.
        _ if not_followed > 0 => answer(Verdict::NotFollowed, largest, not_followed),
        _ if open > 0 => answer(Verdict::Open, largest, open),
        _ if by_constants > 0 => answer(Verdict::OpenByConstants, largest, by_constants),
        count => answer(Verdict::Refuted, largest, count),
    }
}

/// Errors that differ by more than two bits are not the same.
const SAME_SIZE: f64 = 4.0;

/// Kinds that are there or not, of whatever size the errors behind them are.
fn is_outcome(kind: Kind) -> bool {
    !matches!(kind, Kind::PrecisionLoss | Kind::Stage)
}

/// Whether the first run took the error for what it is. Where it knew of the ideal only how large it can be at most, the
/// error is what it is then, or more.
fn is_same_size(first: &Worst, second: &Worst) -> bool {
    let (a, b) = (first.relative_error, second.relative_error);
    let largest = first.radius.map(|radius| first.shadow.abs() + radius);
    match largest.filter(|_| first.radius.is_some_and(|radius| radius > 0.0 && radius >= first.shadow.abs())) {
        Some(largest) => b * SAME_SIZE >= (first.value.abs() - largest) / largest,
        None => a == b || a <= b * SAME_SIZE && b <= a * SAME_SIZE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Cause, Precision, Program};

    fn finding(line: u32, seen_line: u32) -> Finding {
        let location = |line| Location { file: "a.c".into(), line, ..Location::default() };
        let worst = Worst::new(1.0, 2.0, Precision::Double).with_error(0.5, 1e15, 52.0);
        let mut f = Finding::new(Kind::PrecisionLoss, ObservedAt::Store, location(line), "subtraction", worst);
        f.observed_location = Some(location(seen_line));
        f
    }

    fn report(findings: Vec<Finding>) -> Report {
        let mut report = Report::new(Program::default(), "mpfr:256");
        report.findings = findings;
        report
    }

    #[test]
    fn findings_are_borne_out_refuted_or_not_seen_again() {
        let mut first = report(vec![
            finding(1, 10),
            finding(2, 20),
            finding(3, 30),
            finding(4, 40),
            finding(6, 50),
            finding(8, 60),
        ]);
        // The same observable, with another operation to blame.
        let mut other = finding(5, 10);
        other.causes.push(Cause::default());
        let mut second = report(vec![other, finding(7, 70)]);
        for (line, max_error, not_followed, open) in
            [(20, 1e-15, 0, 0), (40, 0.0, 3, 0), (50, 0.0, 0, 0), (60, 0.0, 0, 2)]
        {
            let location = Location { file: "a.c".into(), line, ..Location::default() };
            let observed_at = ObservedAt::Store;
            second.observables.push(Observable {
                location,
                observed_at,
                count: 4,
                max_error,
                not_followed,
                open,
                undefined: 0,
                open_by_constants: 0,
            });
        }
        confirm(&mut first, second, false);
        let verdicts: Vec<_> =
            first.findings.iter().map(|f| (f.location.line, f.confirmation.as_ref().unwrap().verdict)).collect();
        assert_eq!(
            verdicts,
            [
                (3, Verdict::NotReproduced),
                (4, Verdict::NotFollowed),
                // Where the second run followed it to.
                (5, Verdict::Confirmed),
                // Only the second run could see it.
                (7, Verdict::Confirmed),
                (8, Verdict::Open)
            ]
        );
        assert_eq!(first.findings[2].causes.len(), 1);
        assert_eq!((first.settled_by.as_deref(), first.is_open()), (Some("mpfr:256"), true));
        let refuted = first.refuted[0].confirmation.as_ref().unwrap();
        assert_eq!((first.refuted.len(), refuted.verdict, refuted.relative_error), (2, Verdict::Refuted, 1e-15));
        assert_eq!((first.summary.findings, first.notes.len()), (5, 0));
    }

    fn unfollowed(finding: Finding) -> Finding {
        let verdict = Verdict::NotFollowed;
        let oracle = "mpfr:256".to_owned();
        let confirmation = Confirmation { verdict, oracle, relative_error: 0.0, first_error: None, count: 3 };
        Finding { confirmation: Some(confirmation), ..finding }
    }

    #[test]
    fn what_ran_as_in_the_first_run_confirms_nothing() {
        let mut first = report(vec![finding(1, 10)]);
        confirm(&mut first, report(vec![unfollowed(finding(1, 10)), unfollowed(finding(2, 20))]), false);
        let verdict = |f: &Finding| (f.location.line, f.confirmation.as_ref().unwrap().verdict);
        let verdicts: Vec<_> = first.findings.iter().map(verdict).collect();
        assert_eq!(verdicts, [(1, Verdict::NotFollowed), (2, Verdict::NotFollowed)]);
    }

    #[test]
    fn an_output_behind_code_that_the_second_run_does_not_see_stays() {
        let observed_at = ObservedAt::Output;
        let printed = Finding { observed_at, ..finding(1, 30) };
        let mut first = report(vec![printed.clone()]);
        let mut second = report(vec![finding(1, 10)]);
        let looked = |not_followed| Observable {
            location: printed.seen_at().clone(),
            observed_at,
            count: 1,
            max_error: 0.0,
            not_followed,
            open: 0,
            undefined: 0,
            open_by_constants: 0,
        };
        second.observables.push(looked(1));
        confirm(&mut first, second.clone(), false);
        assert!(first.findings.len() == 1 && first.findings[0].in_output(), "{:?}", first.findings);
        assert_eq!(first.findings[0].confirmation.as_ref().unwrap().verdict, Verdict::Confirmed);
        // Where it looked and saw nothing wrong, nothing is.
        let mut first = report(vec![printed.clone()]);
        second.observables[0] = looked(0);
        confirm(&mut first, second, false);
        assert!(!first.findings[0].in_output());
    }

    #[test]
    fn what_a_run_that_was_ended_has_not_seen_is_not_refuted() {
        let mut first = report(vec![finding(1, 10), finding(2, 20), finding(3, 30)]);
        let mut second = report(vec![finding(1, 10)]);
        let location = Location { file: "a.c".into(), line: 20, ..Location::default() };
        let observed_at = ObservedAt::Store;
        let looked = Observable {
            location,
            observed_at,
            count: 4,
            max_error: 0.0,
            not_followed: 0,
            open: 0,
            undefined: 0,
            open_by_constants: 0,
        };
        first.observables.push(Observable { open: 1, ..looked.clone() });
        second.observables.push(looked);
        confirm(&mut first, second, true);
        assert!(first.is_open() && first.settled_by.is_none());
        let verdicts: Vec<_> = first.findings.iter().map(|f| f.confirmation.as_ref().unwrap().verdict).collect();
        assert_eq!(verdicts, [Verdict::Confirmed, Verdict::NotReached, Verdict::NotReached]);
    }

    #[test]
    fn an_error_of_another_size_is_corrected() {
        let joined = |kind, first: Worst, relative_error| {
            let with = |worst: Worst| Finding { kind, worst, ..finding(1, 10) };
            let second =
                Worst::new(1.0, 0.5, Precision::Double).with_error(relative_error, 1e15, 53.0).with_radius(0.0);
            let mut report_of_first = report(vec![with(first)]);
            confirm(&mut report_of_first, report(vec![with(second)]), false);
            let found = report_of_first.findings.remove(0);
            (found.confirmation.as_ref().unwrap().verdict, found.confirmation.unwrap().first_error, found.worst.shadow)
        };
        let first = |error| Worst::new(1.0, 0.25, Precision::Double).with_error(error, 1e15, 53.0);
        let loss = |error, by_oracle| joined(Kind::PrecisionLoss, first(error), by_oracle);
        assert_eq!(loss(1913.0, 1.0), (Verdict::Corrected, Some(1913.0), 0.5));
        assert_eq!(loss(1e-4, 1.0), (Verdict::Corrected, Some(1e-4), 0.5));
        assert_eq!(loss(1.5, 1.0), (Verdict::Confirmed, None, 0.5));
        assert_eq!(loss(f64::INFINITY, f64::INFINITY).0, Verdict::Confirmed);
        assert_eq!(loss(f64::INFINITY, 3.0).0, Verdict::Corrected);
        assert_eq!(loss(2.0, f64::INFINITY).0, Verdict::Corrected);
        // Of an ideal that may be 1e-6 at most the error is a million at least.
        let unknown = Worst::new(1.0, 0.0, Precision::Double).with_error(f64::INFINITY, 1e15, 53.0).with_radius(1e-6);
        assert_eq!(joined(Kind::PrecisionLoss, unknown.clone(), 1e21).0, Verdict::Confirmed);
        assert_eq!(joined(Kind::PrecisionLoss, unknown, 2.0).0, Verdict::Corrected);
        // What flips does so by whatever error.
        assert_eq!(joined(Kind::BranchFlip, first(1e-16), 1e-3).0, Verdict::Confirmed);
    }

    #[test]
    fn what_turns_out_to_have_one_root_is_one_finding() {
        let flip = Finding { kind: Kind::BranchFlip, observed_at: ObservedAt::Branch, ..finding(9, 9) };
        let mut first = report(vec![finding(1, 10), finding(2, 20), flip.clone(), finding(3, 30)]);
        let mut root = finding(5, 10);
        root.symptoms = vec![Symptom::of(&finding(2, 20)), Symptom::of(&flip)];
        let second = report(vec![root]);
        confirm(&mut first, second, false);
        let all: Vec<_> = first.findings.iter().map(|f| (f.location.line, f.symptoms.len())).collect();
        // What decided a comparison comes before what was only stored.
        assert_eq!(all, [(5, 2), (3, 0)]);
        assert_eq!(first.findings[0].confirmation.as_ref().unwrap().verdict, Verdict::Confirmed);
    }

    #[test]
    fn of_several_values_seen_in_one_place_the_same_one_explains() {
        let with_value = |line, value, name: &str| {
            let mut f = finding(line, 10);
            f.worst.value = value;
            f.causes.push(Cause { operation: name.into(), ..Cause::default() });
            f
        };
        let second = || {
            let mut worse = with_value(5, 3.0, "worse");
            worse.worst = worse.worst.with_error(0.9, 1e16, 53.0);
            vec![worse, with_value(6, 1.0, "same value"), with_value(1, 4.0, "same operation")]
        };
        let explained_by = |second| {
            let mut first = report(vec![Finding { tests: vec!["t".into()], ..finding(1, 10) }]);
            confirm(&mut first, report(second), false);
            let explained = first.findings.iter().find(|f| !f.tests.is_empty()).expect("the first run's own");
            explained.causes[0].operation.clone()
        };
        assert_eq!(explained_by(second()), "same operation");
        assert_eq!(explained_by(second()[..2].to_vec()), "same value");
        assert_eq!(explained_by(second()[..1].to_vec()), "worse");
    }
}
