//! Markdown, for the summary of a build: what is wrong in a sentence, a table, and the rest folded.

use crate::numbers::{counted, rough};
use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Finding, Kind, Report, Severity};

/// Findings in the table and below it: GitHub takes a summary of 1 MiB.
const MOST_FINDINGS: usize = 100;
/// Lines of causes and of the stack of one finding.
const MOST_LINES: usize = 20;

/// The report as Markdown.
pub fn write(report: &Report, sources: &mut Sources) -> String {
    let mut text = format!("### Nonius: {}\n\n{}\n", escaped(&headline(report)), escaped(&sentence(report, sources)));
    if let Some(why) = &report.stopped {
        text += &format!("\n**The analysis stopped before the program did:** {}\n", escaped(why));
    }
    if !report.findings.is_empty() {
        text += "\n| | what | where | value | ideal | finding |\n|---|---|---|---|---|---|\n";
        report.findings.iter().take(MOST_FINDINGS).for_each(|f| text += &row(f, sources));
        for finding in report.findings.iter().take(MOST_FINDINGS) {
            text += &details(finding, sources);
        }
        let more = report.findings.len().saturating_sub(MOST_FINDINGS);
        if more > 0 {
            text += &format!("\n{}: the report has them all.\n", counted(more as u64, "more finding"));
        }
    }
    text += "\n<details><summary>The run in numbers</summary>\n\n";
    let doubts = words::doubts(report, sources);
    for line in std::iter::once(words::totals(report)).chain(doubts).chain(report.notes.iter().cloned()) {
        text += &format!("- {}\n", escaped(&line));
    }
    text + "\n</details>\n"
}

fn headline(report: &Report) -> String {
    let name = report.program.path.rsplit('/').next().unwrap_or_default();
    let of = if name.is_empty() { String::new() } else { format!(" in {name}") };
    match report.findings.len() as u64 {
        0 => format!("no findings{of}"),
        n => format!("{}{of}", counted(n, "finding")),
    }
}

/// The worst that can be said: what was printed wrong, else what was decided wrong, else what is in memory.
fn sentence(report: &Report, sources: &Sources) -> String {
    let Some(worst) = report.findings.first() else { return format!("{}.", upper_first(&words::totals(report))) };
    let printed = report.findings.iter().filter(|f| f.in_output()).count() as u64;
    let decided = report.findings.iter().filter(|f| matches!(f.kind, Kind::BranchFlip | Kind::CastFlip)).count() as u64;
    let mut parts = Vec::new();
    if printed > 0 {
        parts.push(format!("{} with values that are printed wrong", counted(printed, "finding")));
    }
    if decided > 0 {
        parts.push(format!("{} made by rounding errors", counted(decided, "decision")));
    }
    let rest = report.findings.len() as u64 - printed - decided.min(report.findings.len() as u64 - printed);
    if rest > 0 {
        parts.push(format!("{} of values inside the program", counted(rest, "finding")));
    }
    let place = words::position(&worst.location, sources);
    format!("{}. Worst: {}, at {place}.", upper_first(&parts.join(", ")), words::headline(worst))
}

fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn row(f: &Finding, sources: &Sources) -> String {
    let mark = match f.severity {
        Severity::Error => "❌",
        Severity::Warning => "⚠️",
        Severity::Note => "ℹ️",
    };
    let place = escaped(&words::position(&f.location, sources));
    let (value, ideal) = match f.kind {
        // What it is says it all.
        Kind::BranchFlip | Kind::CastFlip => (String::new(), String::new()),
        Kind::Nan | Kind::Inf if f.worst.shadow.is_nan() => (rough(f.worst.value), "unknown".to_owned()),
        _ => (rough(f.worst.value), rough(f.worst.shadow)),
    };
    format!("| {mark} | {} | {place} | {value} | {ideal} | {} |\n", escaped(&words::headline(f)), escaped(&f.id))
}

/// Everything that is known of a finding, folded.
fn details(f: &Finding, sources: &mut Sources) -> String {
    let mut lines = words::facts(f);
    let symptoms = f.symptoms.iter().take(MOST_LINES).map(|s| words::symptom(s, sources));
    lines.extend(symptoms.map(|s| format!("also seen {s}")));
    for cause in f.causes.iter().take(MOST_LINES) {
        lines.push(format!("{} at {}", words::cause(cause), words::position(&cause.location, sources)));
    }
    let frames = f.stack.iter().take(MOST_LINES).enumerate();
    lines.extend(frames.map(|(n, frame)| format!("stack {n}: {}", words::frame(frame, sources))));
    lines.push(format!("help: {}", words::advice(f)));
    let source = sources.marked_line(&f.location, &f.operation).map(|line| fenced(&clean(line.text.trim())));
    format!(
        "\n<details><summary>{}: {}</summary>\n\n{}{}\n\n</details>\n",
        html(f.kind.as_str()),
        html(&words::headline(f)),
        source.unwrap_or_default(),
        lines.iter().map(|line| format!("- {}", escaped(line))).collect::<Vec<_>>().join("\n")
    )
}

/// A line of source between fences that it cannot close.
fn fenced(line: &str) -> String {
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{line}\n{fence}\n\n")
}

/// Text that means nothing to Markdown, be it in a table or not. A line is a line.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in clean(text).chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '|' => out += "\\|",
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '@' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

fn html(text: &str) -> String {
    clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
