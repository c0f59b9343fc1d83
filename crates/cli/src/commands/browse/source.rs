//! The path of an error through the source, and how wrong each line was.

use nonius_finding::{Cause, Finding, Location, Report};
use nonius_report::Sources;
use std::collections::BTreeMap;

/// Steps with a line, from where the error was introduced to where it was seen, each with what happened there.
pub(super) fn path(f: &Finding) -> Vec<(Location, String)> {
    let mut causes: Vec<&Cause> = f.causes.iter().filter(|c| c.measured.as_ref().is_some_and(|m| m.dominant)).collect();
    causes.sort_by_key(|c| std::cmp::Reverse(c.measured.as_ref().map(|m| m.node)));
    let step = |c: &Cause| {
        let error =
            c.measured.as_ref().map(|m| format!(", relative error {:.1e}", m.relative_error)).unwrap_or_default();
        (c.location.clone(), format!("{}{error}", c.operation))
    };
    let mut steps: Vec<(Location, String)> = causes.into_iter().map(step).collect();
    if !steps.iter().any(|(at, _)| at.file == f.location.file && at.line == f.location.line) {
        steps.push((f.location.clone(), format!("{}, produced here", f.operation)));
    }
    let seen = f.seen_at();
    if seen.file != f.location.file || seen.line != f.location.line {
        steps.push((seen.clone(), format!("seen here, in {}", f.observed_at)));
    }
    steps.retain(|(at, _)| at.has_line());
    steps
}

/// A line of the source view.
pub(super) struct Line {
    pub number: u32,
    pub text: String,
    /// The largest relative error of an operation there.
    pub error: Option<f64>,
    pub findings: usize,
}

/// Lines around one, as many as fit.
pub(super) fn lines(report: &Report, at: &Location, height: usize, sources: &mut Sources) -> Vec<Line> {
    let first = at.line.saturating_sub(height as u32 / 2).max(1);
    let texts = sources.lines(&at.file, first..first.saturating_add(height as u32));
    let mut errors: BTreeMap<u32, f64> = BTreeMap::new();
    for o in report.operations.iter().filter(|o| o.location.file == at.file) {
        let worst = errors.entry(o.location.line).or_insert(0.0);
        *worst = worst.max(o.max_error);
    }
    let findings =
        |line| report.findings.iter().filter(|f| f.location.line == line && f.location.file == at.file).count();
    let line = |(number, text): (u32, String)| {
        let error = errors.get(&number).copied();
        Line { number, text, error, findings: findings(number) }
    };
    (first..).zip(texts).map(line).collect()
}
