//! Second runs of a command that started several programs, such as `make check`: each program that has findings runs again by
//! itself, as it was started. Where that cannot be, because its input came through a pipe, the whole command does.

use super::confirm::{Second, is_wanted};
use crate::progress::Show;
use nonius_driver::{Part, ProgramStart, Ran, combine};
use nonius_finding::Report;
use std::time::{Duration, Instant};

/// Whether the programs of a run are to run again one by one: the command itself is none of them.
pub fn is_of_several(parts: &[Part], ran: &Ran) -> bool {
    let is_own = |part: &Part| match &part.start {
        Some(start) => start.pid == ran.pid,
        None => part.report.program.pid == ran.pid,
    };
    !parts.is_empty() && !parts.iter().any(is_own)
}

/// Has the findings of all programs confirmed, and makes one report of them. `whole` is the second run of the command.
pub fn confirm(parts: Vec<Part>, whole: &Second, show: Show) -> Option<Report> {
    let is_alone = parts.len() == 1;
    let until = whole.limit.map(|limit| Instant::now() + limit);
    let left = || until.map(|until| until.saturating_duration_since(Instant::now()));
    let (mut reports, mut others) = (Vec::new(), Vec::new());
    for Part { start, mut report } in parts {
        let start = start.filter(|_| is_wanted(&report));
        if !is_wanted(&report) {
            reports.push(report);
        } else if let Some(start) = start.filter(ProgramStart::is_there) {
            let (program, args) = (&start.program, start.arguments.as_slice());
            let second = Second { program, args, only: Some(&start), is_alone, limit: left(), ..*whole };
            match second.input_again() {
                Ok(_) => reports.push(confirmed(report, &second, show)),
                Err(why) => others.push((report, why)),
            }
        } else {
            let notes = report.notes.len();
            report.notes.push("not confirmed: the program is gone, as those of doctests are".to_owned());
            reports.push(named(report, notes));
        }
    }
    reports.extend(with_the_command(others, whole, left(), show));
    combine(reports)
}

/// Programs that cannot run again by themselves do so with the command, if that can.
fn with_the_command(others: Vec<(Report, String)>, whole: &Second, limit: Option<Duration>, show: Show) -> Vec<Report> {
    if whole.repeats {
        let reports = combine(others.into_iter().map(|(report, _)| report));
        return reports.map(|report| confirmed(report, &Second { limit, ..*whole }, show)).into_iter().collect();
    }
    let refused = |(mut report, why): (Report, String)| {
        let notes = report.notes.len();
        report.notes.push(format!("not confirmed: {why}, which a second run has not"));
        named(report, notes)
    };
    others.into_iter().map(refused).collect()
}

fn confirmed(mut report: Report, second: &Second, show: Show) -> Report {
    let notes = report.notes.len();
    if second.limit.is_some_and(|limit| limit.is_zero()) {
        report.notes.push("not confirmed: the time for second runs was over; confirm_time= sets it".to_owned());
    } else {
        second.confirm(&mut report, show);
    }
    if second.only.is_some() { named(report, notes) } else { report }
}

/// Says of notes from `first` on which program they are of.
fn named(mut report: Report, first: usize) -> Report {
    let name = report.program.name();
    report.notes.iter_mut().skip(first).for_each(|note| *note = format!("{name}: {note}"));
    report
}
