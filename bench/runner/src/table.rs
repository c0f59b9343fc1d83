//! The results as text.

use crate::kernel::RealType;
use crate::means::{self, Extreme, Means};
use crate::results::{Clock, Results, Side, Trial};
use crate::stats;
use std::fmt::Write;

/// A native time whose runs lie further apart than this part of it is marked.
const UNREST: f64 = 0.15;

/// Over pairs of columns: Nonius, then nsan.
const HEAD: [[&str; 13]; 2] = [
    ["", "native", "slowdown", "", "nsan/", "memory", "", "compile", "", "object", "", "found", ""],
    ["", "", "Nonius", "nsan", "Nonius", "Nonius", "nsan", "Nonius", "nsan", "Nonius", "nsan", "Nonius", "nsan"],
];

pub fn text(results: &Results) -> String {
    let mut out = heading(results);
    for real in [RealType::Double, RealType::Float, RealType::None] {
        out += &trials(results, real);
    }
    out += &sizes(results);
    out += &threads(results);
    out += &summary(results);
    for (title, lines) in [
        ("Problems", results.problems()),
        ("Problems of nsan", results.peer_problems()),
        ("Skipped", results.skipped.iter().map(|s| format!("{} ({}): {}", s.name, s.real.name(), s.reason)).collect()),
    ] {
        if !lines.is_empty() {
            let _ = write!(out, "\n{title}\n  {}\n", lines.join("\n  "));
        }
    }
    out
}

/// What is said as soon as a trial is done.
pub fn progress_line(trial: &Trial) -> String {
    let side = |title: &str, side: &Side| match &side.failure {
        Some(_) => format!("{title} failed"),
        None => format!("{title} {}", ratio(side.slowdown)),
    };
    let mut parts = vec![side("Nonius", &trial.nonius)];
    parts.extend(trial.nsan.as_ref().map(|s| side("nsan", s)));
    if trial.nonius.same_results == Some(false) {
        parts.push("RESULTS DIFFER".into());
    }
    let title = format!("{} {}", trial.name, trial.real.name());
    format!("{title:<20} {:>9}  {}", milliseconds(trial.native.seconds(trial.clock)), parts.join("  "))
}

fn heading(results: &Results) -> String {
    let m = &results.machine;
    let load = m.load_at_start.map_or(String::new(), |l| format!(", load {l} at the start"));
    let rounds = if results.settings.rounds == 1 {
        "one round".into()
    } else {
        format!("medians of {} rounds", results.settings.rounds)
    };
    format!(
        "{}: {}, {} cores{load}\n{} against {}, -O2, {rounds}{}\n",
        m.date,
        m.cpu,
        m.cores,
        results.nonius,
        results.clang,
        if results.settings.quick { ", quick" } else { "" },
    )
}

fn trials(results: &Results, real: RealType) -> String {
    let of_type: Vec<&Trial> = results.trials.iter().filter(|t| t.real == real).collect();
    if of_type.is_empty() {
        return String::new();
    }
    let mut rows: Vec<Vec<String>> = HEAD.map(|row| row.map(str::to_owned).to_vec()).to_vec();
    rows.extend(of_type.iter().map(|t| trial_row(t)));
    if let Some(means) = results.means.iter().find(|m| m.real == real) {
        rows.push(mean_row(means));
    }
    let title = if real == RealType::None { "A program without floats" } else { real.name() };
    format!("\n{title}\n{}", aligned(&rows))
}

fn trial_row(trial: &Trial) -> Vec<String> {
    let (ours, theirs) = (&trial.nonius, trial.nsan.as_ref());
    let unrest = if stats::relative_spread(trial.native.times(trial.clock)) > UNREST { "~" } else { "" };
    let wall = if trial.clock == Clock::Wall { " (wall)" } else { "" };
    // Below, a ratio says little of the kernel.
    let large = |ratio: Option<f64>| ratio.filter(|_| trial.native.peak() >= means::MEMORY_COUNTS_FROM);
    let of_theirs = |field: fn(&Side) -> Option<f64>| ratio(theirs.and_then(field));
    vec![
        format!("{}{wall}", trial.name),
        format!("{unrest}{}", milliseconds(trial.native.seconds(trial.clock))),
        outcome(Some(ours)),
        outcome(theirs),
        ratio(means::lead(trial)),
        ratio(large(ours.peak_ratio)),
        ratio(large(theirs.and_then(|s| s.peak_ratio))),
        ratio(ours.compile_ratio),
        of_theirs(|s| s.compile_ratio),
        ratio(ours.object_ratio),
        of_theirs(|s| s.object_ratio),
        count(ours.findings),
        count(theirs.and_then(|s| s.findings)),
    ]
}

fn mean_row(m: &Means) -> Vec<String> {
    vec![
        "geometric mean".into(),
        String::new(),
        ratio(m.nonius_slowdown),
        ratio(m.nsan_slowdown),
        ratio(m.nsan_over_nonius),
        ratio(m.nonius_peak),
        ratio(m.nsan_peak),
        ratio(m.nonius_compile),
        ratio(m.nsan_compile),
        ratio(m.nonius_object),
        ratio(m.nsan_object),
        String::new(),
        String::new(),
    ]
}

fn outcome(side: Option<&Side>) -> String {
    match side {
        Some(Side { failure: Some(_), .. }) => "failed".into(),
        Some(side) if side.same_results == Some(false) => format!("{} !", ratio(side.slowdown)),
        Some(side) => ratio(side.slowdown),
        None => ratio(None),
    }
}

fn sizes(results: &Results) -> String {
    if results.sizes.is_empty() {
        return String::new();
    }
    let mut rows = vec![["", "size", "repeated", "native", "Nonius", "slowdown", "memory"].map(str::to_owned).to_vec()];
    rows.extend(results.sizes.iter().map(|p| {
        vec![
            p.name.clone(),
            p.problem.n.to_string(),
            p.problem.reps.to_string(),
            milliseconds(p.native_s),
            milliseconds(p.nonius_s),
            ratio(Some(p.slowdown)),
            ratio(Some(p.peak_ratio)),
        ]
    }));
    format!("\nCost against size (double)\n{}", aligned(&rows))
}

fn threads(results: &Results) -> String {
    if results.threads.is_empty() {
        return String::new();
    }
    let mut rows = vec![["", "threads", "native", "Nonius", "Nonius/native"].map(str::to_owned).to_vec()];
    rows.extend(results.threads.iter().map(|p| {
        vec![
            format!("{} {}", p.name, p.real.name()),
            p.threads.to_string(),
            ratio(Some(p.native_speedup)),
            ratio(Some(p.nonius_speedup)),
            format!("{:.2}", p.nonius_speedup / p.native_speedup),
        ]
    }));
    format!("\nSpeed-up by threads, against one thread\n{}", aligned(&rows))
}

fn summary(results: &Results) -> String {
    let worst = |extreme: &Option<Extreme>| {
        extreme.as_ref().map_or(String::new(), |e| format!(", at most {} ({})", ratio(Some(e.ratio)), e.name))
    };
    let mut out = String::from("\nSummary\n");
    for m in &results.means {
        let _ = writeln!(out, "  {}, {} kernels", m.real.name(), m.kernels);
        let _ = writeln!(out, "    slowdown {}{}", ratio(m.nonius_slowdown), worst(&m.nonius_worst));
        if m.nsan_slowdown.is_some() {
            let (theirs, lead) = (ratio(m.nsan_slowdown), ratio(m.nsan_over_nonius));
            let _ = writeln!(out, "    nsan {theirs}; Nonius is {lead} as fast");
        }
        let large = format!("of programs of at least {:.0} MB", means::MEMORY_COUNTS_FROM / 1e6);
        let _ = writeln!(out, "    memory {}{}, {large}", ratio(m.nonius_peak), worst(&m.nonius_peak_worst));
        let _ = writeln!(out, "    compile time {}{}", ratio(m.nonius_compile), worst(&m.nonius_compile_worst));
        let peer = if m.nsan_slowdown.is_some() { format!(", nsan {}", m.nsan_findings) } else { String::new() };
        let _ = writeln!(out, "    findings {}{peer}", m.nonius_findings);
    }
    out
}

/// Columns that line up: the first to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|i| rows.iter().filter_map(|r| r.get(i)).map(|c| c.chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, width))| match i {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        out += &format!("  {}", cells.collect::<Vec<_>>().join("  "));
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

/// Three digits: `4.62x`, `46.2x`, `757x`.
pub fn ratio(value: Option<f64>) -> String {
    match value {
        None => "-".into(),
        Some(x) if !x.is_finite() => "-".into(),
        Some(x) if x < 9.995 => format!("{x:.2}x"),
        Some(x) if x < 99.95 => format!("{x:.1}x"),
        Some(x) => format!("{x:.0}x"),
    }
}

fn milliseconds(seconds: f64) -> String {
    let ms = seconds * 1e3;
    if ms < 9.95 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

fn count(value: Option<u64>) -> String {
    value.map_or("-".into(), |n| n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_three_digits() {
        let shown = [4.624, 9.999, 46.24, 99.96, 756.9].map(|x| ratio(Some(x)));
        assert_eq!(shown, ["4.62x", "10.0x", "46.2x", "100x", "757x"]);
        assert_eq!(ratio(None), "-");
        assert_eq!(ratio(Some(f64::NAN)), "-");
    }

    #[test]
    fn columns_line_up() {
        let rows =
            vec![vec!["a".into(), "10".into()], vec!["long".into(), "9".into()], vec!["x".into(), String::new()]];
        assert_eq!(aligned(&rows), "  a     10\n  long   9\n  x\n");
    }
}
