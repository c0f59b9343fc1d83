//! What a page knows, in parts: an index that lists and filters need at once, and parts that are unpacked when somebody
//! looks at them: findings in groups, a source file each, the statistics. `page/types.d.ts` describes them to the script.

mod files;
mod finding;
mod further;
mod run;
mod statistics;

use super::pack::packed;
use crate::source::Sources;
use crate::words::{self, clean};
use files::Files;
use nonius_finding::{Finding, Report};
use serde::Serialize;

pub(super) use finding::{is_measured, reach};
pub(super) use run::{command, programs, remarks, sentence, title};

/// Findings in one part: few enough to be unpacked at once, enough to be small together.
const GROUP: usize = 64;

/// A part with the name that the script knows it by.
pub(super) struct Part {
    pub name: String,
    pub text: String,
}

/// Findings by what became of them.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Found,
    Known,
    Refuted,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Index {
    run: run::Run,
    findings: Vec<finding::Row>,
    files: Vec<files::Entry>,
    functions: Vec<String>,
    outputs: Vec<statistics::Output>,
    operations: usize,
    group: usize,
    /// Bounds, assertions and tasks, as the report has them.
    further: serde_json::Map<String, serde_json::Value>,
}

/// All findings, those that count first.
pub(super) fn every(report: &Report) -> impl Iterator<Item = (&Finding, State)> {
    let found = report.findings.iter().map(|f| (f, State::Found));
    let known = report.known.iter().map(|f| (f, State::Known));
    found.chain(known).chain(report.refuted.iter().map(|f| (f, State::Refuted)))
}

/// The parts of a report, the index first.
pub(super) fn parts(report: &Report, sources: &mut Sources) -> Vec<Part> {
    let mut files = Files::default();
    let all: Vec<(&Finding, State)> = every(report).collect();
    // Rows first: frames of stacks lead to the files that findings are in.
    let rows = all.iter().map(|(f, state)| finding::row(f, *state, &mut files, sources)).collect();
    let measurements = finding::Measurements::new(&report.operations);
    let numbered = all.iter().enumerate();
    let details = numbered.map(|(index, (f, _))| finding::detail(f, index, &measurements, &mut files, sources));
    let details: Vec<finding::Detail> = details.collect();
    let statistics = statistics::of(report, &mut files, sources);
    let outputs = statistics::outputs(report, &mut files, sources);
    let further = further::of(report, &mut files, sources);
    let part = |name: String, text: String| Part { name, text };
    let mut parts: Vec<Part> =
        details.chunks(GROUP).enumerate().map(|(n, group)| part(format!("findings-{n}"), packed(group))).collect();
    parts.push(part("statistics".to_owned(), packed(&statistics)));
    let (entries, functions, texts) = files.finish(sources);
    parts.extend(texts.iter().map(|(n, text)| part(format!("file-{n}"), packed(text))));
    let operations = report.operations.len();
    let run = run::of(report, sources);
    let index = Index { run, findings: rows, files: entries, functions, outputs, operations, group: GROUP, further };
    parts.insert(0, part("index".to_owned(), packed(&index)));
    parts
}

/// Tabs stay, for the style sheet to show them; all else that cannot be seen is replaced.
pub(super) fn printable(text: &str) -> String {
    text.split('\t').map(clean).collect::<Vec<_>>().join("\t")
}

/// A place for the page: where to go to, and what it is called.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Place {
    /// The file's number, if there is a line to go to.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
    line: u32,
    text: String,
    /// The part of the line that is meant, in UTF-16 units.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<(usize, usize)>,
}

fn place(
    location: &nonius_finding::Location,
    operation: Option<&str>,
    files: &mut Files,
    sources: &mut Sources,
) -> Place {
    let file = location.has_line().then(|| files.note(&location.file, location.line));
    let mark = operation.and_then(|operation| files::mark(location, operation, sources));
    Place { file, line: location.line, text: words::position(location, sources), mark }
}
