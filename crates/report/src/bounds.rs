//! What variables can be for all inputs of a range, as a table.

use crate::numbers::decimal;
use crate::words::clean;
use nonius_finding::{Bounds, HoldsFor, Range, Report};

/// Sources of an error that are named.
const MAX_SOURCES: usize = 5;

/// The lines of all bounds.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    report.bounds.iter().flat_map(of_variable).collect()
}

fn of_variable(b: &Bounds) -> Vec<String> {
    let place = match b.location.has_line() {
        true => format!(" at {}:{}", clean(b.location.file_name()), b.location.line),
        false => String::new(),
    };
    let times = if b.count > 1 { format!(", {} times", b.count) } else { String::new() };
    let name = clean(&b.name);
    if let Some(digits) = b.common_digits {
        let (lo, hi) = (decimal(b.value.lo), decimal(b.value.hi));
        return vec![format!(
            "{name}{place}{times}: {digits:.1} digits in common, from {lo} to {hi} (an estimate of randomly rounded runs)"
        )];
    }
    if !b.is_known {
        return vec![format!(
            "{name}{place}{times}: nothing is known, something that it was computed of has no domain"
        )];
    }
    let holds = match b.holds_for {
        HoldsFor::AllInputs => "for all inputs of the declared ranges",
        HoldsFor::OnePath => {
            "for all inputs of the declared ranges, on one path through the tests that the program excepts"
        }
        HoldsFor::ThisPath => "only for inputs that take this run's way through every test",
        HoldsFor::Nothing => "an estimate",
    };
    let row = |what: &str, range: Range| format!("    {what:<15} {}", interval(range));
    let mut lines = vec![
        format!("{name}{place}{times}, {holds}:"),
        row("float", b.value),
        row("real", b.real),
        row("error", b.error),
        row("relative error", b.relative_error),
    ];
    for source in b.sources.iter().take(MAX_SOURCES).filter(|s| s.error > 0.0) {
        let at = match source.location.has_line() {
            true => format!(" at {}:{}", clean(source.location.file_name()), source.location.line),
            false => String::new(),
        };
        let share = (source.share * 100.0).round();
        lines.push(format!(
            "    {share:>3}% of the error by {}{at} (up to {:.2e})",
            clean(&source.operation),
            source.error
        ));
    }
    lines
}

fn interval(range: Range) -> String {
    match range {
        Range { lo, hi } if lo == f64::NEG_INFINITY && hi == f64::INFINITY => "not bounded".to_owned(),
        Range { lo, hi } if lo == hi => decimal(lo),
        Range { lo, hi } => format!("[{}, {}]", decimal(lo), decimal(hi)),
    }
}
