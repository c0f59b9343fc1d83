//! One report of many: a program may start others, or copies of itself, and each leaves its own.

use nonius_finding::{Report, SuppressionRecord, merge, rank};

/// The first report with all that the others found; `None` if there is none.
pub fn combine(reports: impl IntoIterator<Item = Report>) -> Option<Report> {
    let mut reports = reports.into_iter();
    let mut whole = reports.next()?;
    let mut processes = 1;
    for report in reports {
        absorb(&mut whole, report);
        processes += 1;
    }
    if processes > 1 {
        whole.findings = merge(whole.findings);
        rank(&mut whole.findings);
        whole.notes.push(format!("{processes} processes reported"));
    }
    whole.summary.findings = whole.findings.len() as u64;
    Some(whole)
}

fn absorb(whole: &mut Report, part: Report) {
    whole.findings.extend(part.findings);
    whole.observables.extend(part.observables);
    whole.summary.underflow |= part.summary.underflow;
    whole.summary.ill_conditioned |= part.summary.ill_conditioned;
    let (summary, other) = (&mut whole.summary, part.summary);
    summary.suppressed += other.suppressed;
    summary.checks += other.checks;
    summary.outputs += other.outputs;
    summary.operations += other.operations;
    summary.coverage.absorb(other.coverage);
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
            Some(record) => record.count += other.count,
            None => records.push(other),
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Finding, Kind, Location, Loss, ObservedAt, Precision, Program, Unshadowed, Worst};

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
    }
}
