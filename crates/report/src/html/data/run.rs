//! How a program was run, what of it was looked at, and what is to be said beside the findings.

use crate::numbers::{counted, grouped, percent};
use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Report, Selection, SuppressionRecord, Tier, arrange};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Serialize)]
pub(super) struct Run {
    title: String,
    /// What is wrong, in one sentence.
    sentence: String,
    totals: String,
    command: String,
    oracle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    settled_by: Option<String>,
    /// The programs that have findings, if there are several.
    programs: Vec<String>,
    /// Paths are below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    pid: u32,
    exit: Option<i32>,
    /// What to look out for.
    remarks: Vec<String>,
    /// What the text report folds.
    folded: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Baseline>,
    suppressed: u64,
    coverage: Coverage,
    suppressions: Vec<Suppression>,
    tool: String,
}

#[derive(Serialize)]
struct Baseline {
    file: String,
    known: usize,
    /// Entries that were not found any more, in words.
    gone: Vec<String>,
}

#[derive(Serialize)]
struct Coverage {
    sentence: String,
    /// Name, shadowed, of how many, share.
    rows: Vec<[String; 4]>,
    /// Where values without shadows came from: what, how, how often.
    unknown: Vec<[String; 3]>,
    left_alone: Vec<String>,
}

#[derive(Serialize)]
struct Suppression {
    entry: String,
    reason: String,
    place: String,
    count: u64,
}

/// The title of the page and of its window.
pub(in crate::html) fn title(report: &Report) -> String {
    let subject = match programs(report).len() {
        0 => clean(report.program.path.rsplit('/').next().unwrap_or_default()),
        several => format!("{several} programs"),
    };
    format!("Nonius: {subject}")
}

/// The programs that have findings, if there are several.
pub(in crate::html) fn programs(report: &Report) -> Vec<String> {
    let all: BTreeSet<&String> = super::every(report).flat_map(|(finding, _)| &finding.programs).collect();
    if all.len() < 2 { Vec::new() } else { all.into_iter().map(|name| clean(name)).collect() }
}

/// As a shell would take it.
pub(in crate::html) fn command(report: &Report) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let word = |text: &String| match !text.is_empty() && text.chars().all(is_plain) {
        true => text.clone(),
        false => format!("'{}'", clean(text).replace('\'', r"'\''")),
    };
    std::iter::once(&report.program.path).chain(&report.program.args).map(word).collect::<Vec<_>>().join(" ")
}

/// What is wrong, in one sentence.
pub(in crate::html) fn sentence(report: &Report) -> String {
    let (total, outputs) =
        (report.findings.len(), report.findings.iter().filter(|f| Tier::of(f) == Tier::Output).count());
    let Some(worst) = report.findings.first() else {
        return match report.known.len() {
            0 => "Nothing was found.".to_owned(),
            known => format!("Nothing new was found; {} in the baseline.", counted(known as u64, "finding is")),
        };
    };
    let seen = match outputs {
        0 => "none was seen to reach an output".to_owned(),
        1 => "one reached an output".to_owned(),
        n => format!("{} reached an output", grouped(n as u64)),
    };
    let worst = words::headline(worst);
    match total {
        1 => format!("One error was found: {worst}."),
        _ => format!("{} errors were found, {seen}. First: {worst}.", grouped(total as u64)),
    }
}

/// What to look out for: open verdicts, gaps, notes.
pub(in crate::html) fn remarks(report: &Report, sources: &Sources) -> Vec<String> {
    let notes = report.notes.iter().chain(&report.stopped).map(|note| clean(note));
    words::nothing_shadowed(report).into_iter().chain(words::doubts(report, sources)).chain(notes).collect()
}

pub(super) fn of(report: &Report, sources: &Sources) -> Run {
    let baseline = report.baseline.as_ref().map(|b| Baseline {
        file: clean(&b.file),
        known: report.known.len(),
        gone: b.gone.iter().map(|e| format!("{} {}, {}", clean(&e.id), e.kind, clean(&e.place))).collect(),
    });
    let suppression = |s: &SuppressionRecord| Suppression {
        entry: clean(&s.entry),
        reason: clean(&s.reason),
        place: format!("{}:{}", clean(&s.file), s.line),
        count: s.count,
    };
    let used = report.suppressions_used.iter().chain(&report.suppressions_unused);
    Run {
        title: title(report),
        sentence: sentence(report),
        totals: words::totals(report),
        command: command(report),
        oracle: clean(&report.oracle),
        settled_by: report.settled_by.as_deref().map(clean),
        programs: programs(report),
        folder: sources.folder().map(|folder| clean(&folder.display().to_string())),
        pid: report.program.pid,
        exit: report.program.exit,
        remarks: remarks(report, sources),
        folded: words::folded(&arrange(report, Selection::default()).folded),
        baseline,
        suppressed: report.summary.suppressed,
        coverage: coverage(report),
        suppressions: used.map(suppression).collect(),
        tool: format!("{} {}", clean(&report.tool.name), clean(&report.tool.version)),
    }
}

fn coverage(report: &Report) -> Coverage {
    let c = &report.summary.coverage;
    let rows = [
        ("operations", c.operations_shadowed, c.operations),
        ("loads", c.loads_shadowed, c.loads),
        ("calls", c.calls_shadowed, c.calls),
    ];
    let share = |part, whole| if whole == 0 { "none".to_owned() } else { percent(part, whole) };
    let left = |l: &nonius_finding::LeftAlone| {
        let names = clean(&l.names.join(", "));
        format!("{} {}, left alone: {names}", counted(l.functions, "function"), words::reason(l.reason))
    };
    Coverage {
        sentence: format!(
            "{} ran, {} made.",
            counted(c.functions_run, "instrumented function"),
            if report.summary.checks == 1 {
                "1 check was".to_owned()
            } else {
                format!("{} checks were", grouped(report.summary.checks))
            }
        ),
        rows: rows
            .map(|(name, part, whole)| [name.to_owned(), grouped(part), grouped(whole), share(part, whole)])
            .into(),
        unknown: c.unknown.iter().map(|u| [words::unshadowed(u), u.loss.to_string(), grouped(u.count)]).collect(),
        left_alone: c.left_alone.iter().map(left).collect(),
    }
}
