//! One report of many: a program may start others, or copies of itself, and each leaves its own.

use nonius_finding::{
    Assertion, Ids, LikelyResult, Observable, OperationStatistics, Program, Report, SuppressionRecord, merge, rank,
};
use std::collections::BTreeSet;

/// The first report with all that the others found; `None` if there is none.
pub fn combine(reports: impl IntoIterator<Item = Report>) -> Option<Report> {
    let mut reports: Vec<Report> = reports.into_iter().collect();
    reports.iter_mut().for_each(name_rank);
    if reports.len() < 2 {
        let mut only = reports.pop()?;
        only.summary.findings = only.findings.len() as u64;
        return Some(only);
    }
    reports.iter_mut().for_each(Report::forget_baseline);
    let processes: u64 = reports.iter_mut().map(take_processes).sum();
    name_programs(&mut reports);
    let ranks: BTreeSet<Option<u32>> = reports.iter().map(|report| report.program.rank).collect();
    let mut ids = Ids::default();
    reports.iter_mut().for_each(|report| ids.set_aside(&mut report.all_findings()));
    let mut whole = reports.into_iter().reduce(absorbed)?;
    ids.find_roots(&mut whole.all_findings());
    whole.findings = merge(whole.findings);
    whole.refuted = merge(whole.refuted);
    ids.give(&mut whole.all_findings());
    whole.operations = OperationStatistics::listed(whole.operations);
    whole.observables = Observable::listed(whole.observables);
    whole.results = LikelyResult::listed(whole.results);
    rank(&mut whole.findings);
    rank(&mut whole.refuted);
    whole.notes.push(format!("{processes}{REPORTED}"));
    whole.program.rank = whole.program.rank.filter(|_| ranks.len() == 1);
    whole.summary.findings = whole.findings.len() as u64;
    Some(whole)
}

/// Says of each finding on which MPI rank it was seen.
fn name_rank(report: &mut Report) {
    if let Some(rank) = report.program.rank {
        report.all_findings().into_iter().filter(|f| f.ranks.is_empty()).for_each(|f| f.ranks.push(rank));
    }
}

/// Names the ranks that left no report: they died, or were not built with Nonius.
pub fn silent_ranks(programs: &[&Program]) -> Option<String> {
    let programs = || programs.iter();
    let all = programs().filter_map(|program| program.ranks).max()?;
    let spoke: BTreeSet<u32> = programs().filter_map(|program| program.rank).collect();
    let silent = |rank: &u32| !spoke.contains(rank);
    let (count, mut names) = ((0..all).filter(silent).count(), (0..all).filter(silent).take(MOST_NAMED));
    let first = names.next()?;
    let names = names.fold(first.to_string(), |list, rank| format!("{list}, {rank}"));
    let more = if count > MOST_NAMED { format!(" and {} more", count - MOST_NAMED) } else { String::new() };
    let ranks = if count == 1 { "rank" } else { "ranks" };
    Some(format!("MPI {ranks} {names}{more} of {all} left no report: it died, or was not built with Nonius"))
}

/// Of a thousand ranks, that many are named.
const MOST_NAMED: usize = 16;

/// What a note says of how many there were.
const REPORTED: &str = " processes reported";

/// How many processes a report is of; the note that says so goes.
fn take_processes(report: &mut Report) -> u64 {
    let mut processes = 1;
    report.notes.retain(|note| {
        let number = note.strip_suffix(REPORTED).and_then(|number| number.parse().ok());
        processes = number.unwrap_or(processes);
        number.is_none()
    });
    processes
}

/// Says of each finding which program it is of, if there are several.
fn name_programs(reports: &mut [Report]) {
    let names: Vec<String> = reports.iter().map(|report| distinct_name(report, reports)).collect();
    if names.iter().all(|name| *name == names[0]) {
        return;
    }
    for (report, name) in reports.iter_mut().zip(names) {
        // Merged before, they know better.
        for finding in report.all_findings().into_iter().filter(|f| f.programs.is_empty() && !name.is_empty()) {
            finding.programs.push(name.clone());
        }
    }
}

/// A program's name, with the folders that tell it from others of the same.
fn distinct_name(report: &Report, all: &[Report]) -> String {
    let program = &report.program;
    let mut others: Vec<&Program> = all.iter().map(|other| &other.program).collect();
    others.retain(|other| other.path != program.path);
    let mut folders = 0;
    loop {
        others.retain(|other| other.path_end(folders) == program.path_end(folders));
        if others.is_empty() || program.path_end(folders).len() == program.path.len() {
            return program.name_within(folders);
        }
        folders += 1;
    }
}

fn absorbed(mut whole: Report, part: Report) -> Report {
    absorb(&mut whole, part);
    whole
}

fn absorb(whole: &mut Report, part: Report) {
    whole.findings.extend(part.findings);
    whole.refuted.extend(part.refuted);
    // What only some processes were asked is not asked.
    whole.settled_by = whole.settled_by.take().filter(|oracle| part.settled_by.as_ref() == Some(oracle));
    whole.operations.extend(part.operations);
    whole.observables.extend(part.observables);
    whole.results.extend(part.results);
    whole.bounds.extend(part.bounds);
    whole.summary.underflow |= part.summary.underflow;
    whole.summary.ill_conditioned |= part.summary.ill_conditioned;
    whole.summary.without_ideal |= part.summary.without_ideal;
    let (summary, other) = (&mut whole.summary, part.summary);
    summary.suppressed += other.suppressed;
    summary.checks += other.checks;
    summary.outputs += other.outputs;
    summary.operations += other.operations;
    summary.coverage.absorb(other.coverage);
    whole.assertions = Assertion::merge(std::mem::take(&mut whole.assertions).into_iter().chain(part.assertions));
    whole.stopped = whole.stopped.take().or(part.stopped);
    for note in part.notes {
        if !whole.notes.contains(&note) {
            whole.notes.push(note);
        }
    }
    let mut records = std::mem::take(&mut whole.suppressions_used);
    records.append(&mut whole.suppressions_unused);
    let records = join_records(records, part.suppressions_used.into_iter().chain(part.suppressions_unused));
    (whole.suppressions_used, whole.suppressions_unused) = records.into_iter().partition(|r| r.count > 0);
}

/// All processes read the same suppressions, so one entry comes up in each report.
fn join_records(
    mut records: Vec<SuppressionRecord>,
    others: impl Iterator<Item = SuppressionRecord>,
) -> Vec<SuppressionRecord> {
    let place = |r: &SuppressionRecord| (r.file.clone(), r.line, r.entry.clone());
    for other in others {
        match records.iter_mut().find(|r| place(r) == place(&other)) {
            Some(record) => {
                record.count += other.count;
                let findings = record.findings.drain(..).chain(other.findings);
                record.findings = findings.collect::<BTreeSet<_>>().into_iter().collect();
            }
            None => records.push(other),
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Finding, Kind, Location, Loss, ObservedAt, Precision, Unshadowed, Worst};

    fn finding(line: u32, bits_lost: f64) -> Finding {
        let location = Location { file: "a.c".into(), line, ..Location::default() };
        let worst = Worst::new(1.0, 2.0, Precision::Double).with_error(0.5, 1e15, bits_lost);
        Finding::new(Kind::PrecisionLoss, ObservedAt::Store, location, "subtraction", worst)
    }

    fn report(findings: Vec<Finding>) -> Report {
        let mut report = Report::new(Program::default(), "residue");
        report.summary.checks = 10;
        let unknown = |name: &str, count| Unshadowed::new(name, Loss::Result, count);
        report.summary.coverage.unknown = vec![unknown("strtod", 2), unknown(&format!("f{}", findings.len()), 3)];
        report.findings = findings;
        report
    }

    fn suppression(count: u64) -> SuppressionRecord {
        SuppressionRecord { entry: "*:function=f".into(), file: "s".into(), line: 1, count, ..Default::default() }
    }

    #[test]
    fn none_and_one_stay_as_they_are() {
        assert_eq!(combine([]), None);
        let one = combine([report(vec![finding(1, 20.0)])]).unwrap();
        assert_eq!((one.findings.len(), one.summary.findings, one.notes.len()), (1, 1, 0));
    }

    #[test]
    fn many_become_one_with_a_finding_a_site() {
        let mut first = report(vec![finding(1, 20.0)]);
        first.suppressions_unused.push(suppression(0));
        let mut second = report(vec![finding(1, 40.0), finding(2, 52.0)]);
        second.suppressions_used.push(suppression(3));
        let whole = combine([first, second]).unwrap();

        let seen: Vec<_> = whole.findings.iter().map(|f| (f.location.line, f.count, f.worst.bits_lost)).collect();
        assert_eq!(seen, [(2, 1, 52.0), (1, 2, 40.0)]);
        assert_eq!((whole.summary.findings, whole.summary.checks), (2, 20));
        assert_eq!(whole.summary.coverage.unknown[0], Unshadowed::new("strtod", Loss::Result, 4));
        assert_eq!(whole.summary.coverage.unknown.len(), 3);
        assert_eq!((whole.suppressions_used.as_slice(), whole.suppressions_unused.len()), (&[suppression(3)][..], 0));
        assert_eq!(whole.notes, ["2 processes reported"]);
        let again = combine([whole, report(vec![])]).unwrap();
        assert_eq!(again.notes, ["3 processes reported"]);
    }

    #[test]
    fn what_each_program_measured_is_there() {
        let of = |line: u32| {
            let mut report = report(vec![]);
            let location = Location::new("a.c", line, 1, "f");
            report.operations.push(OperationStatistics {
                location: location.clone(),
                operation: "addition".into(),
                count: 2,
                mean_error: 0.0,
                max_error: 0.0,
                introduced_error: 0.0,
                mean_badness: 0.0,
                max_badness: 0,
                samples: None,
            });
            report.results.push(LikelyResult {
                location,
                operation: "addition".into(),
                depth: line,
                value: 1.0,
                ideal: 1.0,
                relative_error: 0.0,
                badness: 0,
                cancelled_at: None,
            });
            report
        };
        let whole = combine([of(1), of(2), of(1)]).unwrap();
        let operations: Vec<_> = whole.operations.iter().map(|o| (o.location.line, o.count)).collect();
        assert_eq!(operations, [(1, 4), (2, 2)]);
        assert_eq!(whole.results.iter().map(|r| r.location.line).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn findings_of_several_ranks_name_them() {
        let of = |rank: u32, lines: &[u32]| {
            let mut report = report(lines.iter().map(|line| finding(*line, 30.0)).collect());
            (report.program.rank, report.program.ranks) = (Some(rank), Some(4));
            report
        };
        let (some, others) = ([of(0, &[1]), of(3, &[1, 2])], [of(1, &[2]), of(0, &[])]);
        let programs: Vec<&Program> = some.iter().chain(&others).map(|report| &report.program).collect();
        assert!(silent_ranks(&programs).unwrap().starts_with("MPI rank 2 of 4 left no report"));
        assert_eq!(silent_ranks(&[]), None);
        let whole = combine([combine(some).unwrap(), combine(others).unwrap()]).unwrap();
        let ranks = |line| whole.findings.iter().find(|f| f.location.line == line).unwrap().ranks.clone();
        assert_eq!((ranks(1), ranks(2)), (vec![0, 3], vec![1, 3]));
        assert_eq!((whole.program.rank, whole.program.ranks), (None, Some(4)));
    }

    #[test]
    fn findings_of_several_programs_name_them() {
        let of = |path: &str, lines: &[u32]| {
            let mut report = report(lines.iter().map(|line| finding(*line, 30.0)).collect());
            report.program = Program { path: format!("/bin/{path}"), args: vec!["-v".into()], ..Program::default() };
            report
        };
        let same = combine([of("a", &[1]), of("a", &[2])]).unwrap();
        assert!(same.findings.iter().all(|f| f.programs.is_empty()), "one program that forked");
        let whole = combine([of("a", &[1, 2]), of("b", &[2])]).unwrap();
        let programs = |line| whole.findings.iter().find(|f| f.location.line == line).unwrap().programs.clone();
        assert_eq!((programs(1), programs(2)), (vec!["a -v".to_owned()], vec!["a -v".to_owned(), "b -v".to_owned()]));
        let alike =
            combine([of("a/x/test", &[1]), of("b/x/test", &[2]), of("run", &[3]), of("a/x/test", &[3])]).unwrap();
        let programs = |line| alike.findings.iter().find(|f| f.location.line == line).unwrap().programs.clone();
        assert_eq!((programs(1), programs(2)), (vec!["a/x/test -v".to_owned()], vec!["b/x/test -v".to_owned()]));
        assert_eq!(programs(3), ["a/x/test -v", "run -v"]);
        let more = combine([whole, of("c", &[1])]).unwrap();
        assert_eq!(more.findings.iter().find(|f| f.location.line == 1).unwrap().programs, ["a -v", "c -v"]);
    }
}
