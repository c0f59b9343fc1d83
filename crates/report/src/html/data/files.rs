//! Source files of a page: their text as far as it is of interest, and what is known of each line.

use super::printable;
use crate::source::Sources;
use crate::words::clean;
use nonius_finding::Location;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Longer files are shown around the lines of interest only.
const WHOLE: usize = 3000;
/// Lines shown around a line of interest of a long file.
const AROUND: u32 = 40;
/// Letters of a line that are shown: generated sources have endless ones.
const WIDEST: usize = 400;
/// Bytes of source in one page; beyond, files have no text.
const MOST_BYTES: usize = 12 << 20;

/// Files and functions by their numbers.
#[derive(Default)]
pub(super) struct Files {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    lines: Vec<BTreeMap<u32, Line>>,
    functions: Vec<String>,
    function_numbers: HashMap<String, usize>,
}

/// What is known of a line.
#[derive(Default)]
struct Line {
    findings: BTreeSet<usize>,
    operations: Vec<usize>,
    feeds: BTreeSet<(usize, u32)>,
    fed_by: BTreeSet<(usize, u32)>,
}

/// A file in the index.
#[derive(Serialize)]
pub(super) struct Entry {
    path: String,
    findings: usize,
    has_text: bool,
}

/// A file as it is unpacked.
#[derive(Serialize)]
pub(super) struct Text {
    /// Runs of lines: the first one's number, and the lines.
    runs: Vec<(u32, Vec<String>)>,
    lines: Vec<Known>,
}

#[derive(Serialize)]
struct Known {
    line: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    feeds: Vec<(usize, u32)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fed_by: Vec<(usize, u32)>,
}

impl Files {
    /// The number of a file, a line of which will be shown.
    pub(super) fn note(&mut self, file: &str, line: u32) -> usize {
        let number = match self.numbers.get(file) {
            Some(number) => *number,
            None => {
                self.names.push(file.to_owned());
                self.lines.push(BTreeMap::new());
                self.numbers.insert(file.to_owned(), self.names.len() - 1);
                self.names.len() - 1
            }
        };
        self.lines[number].entry(line).or_default();
        number
    }

    /// The number of a file that was noted.
    pub(super) fn number(&self, file: &str) -> Option<usize> {
        self.numbers.get(file).copied()
    }

    /// The number of a function; none for one without a name.
    pub(super) fn function(&mut self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let functions = &mut self.functions;
        Some(*self.function_numbers.entry(name.to_owned()).or_insert_with(|| {
            functions.push(clean(name));
            functions.len() - 1
        }))
    }

    fn line(&mut self, location: &Location) -> Option<&mut Line> {
        location.has_line().then(|| {
            let file = self.note(&location.file, location.line);
            self.lines[file].entry(location.line).or_default()
        })
    }

    pub(super) fn note_finding(&mut self, location: &Location, index: usize) {
        if let Some(line) = self.line(location) {
            line.findings.insert(index);
        }
    }

    pub(super) fn note_operation(&mut self, location: &Location, index: usize) {
        if let Some(line) = self.line(location) {
            line.operations.push(index);
        }
    }

    /// An error flows from one line to another.
    pub(super) fn note_flow(&mut self, from: &Location, to: &Location) {
        let is_one = from.file == to.file && from.line == to.line;
        if is_one || !from.has_line() || !to.has_line() {
            return;
        }
        let (a, b) = (self.note(&from.file, from.line), self.note(&to.file, to.line));
        self.lines[a].entry(from.line).or_default().feeds.insert((b, to.line));
        self.lines[b].entry(to.line).or_default().fed_by.insert((a, from.line));
    }

    /// The index's entries, the functions, and the files that have a text.
    pub(super) fn finish(self, sources: &mut Sources) -> (Vec<Entry>, Vec<String>, Vec<(usize, Text)>) {
        let (mut entries, mut texts, mut bytes) = (Vec::new(), Vec::new(), 0);
        for (number, (name, known)) in self.names.iter().zip(self.lines).enumerate() {
            let findings: BTreeSet<usize> = known.values().flat_map(|line| &line.findings).copied().collect();
            let runs = if bytes < MOST_BYTES { runs(name, &known, sources) } else { Vec::new() };
            bytes += runs.iter().flat_map(|(_, lines)| lines).map(String::len).sum::<usize>();
            let path = clean(sources.short_path(name));
            entries.push(Entry { path, findings: findings.len(), has_text: !runs.is_empty() });
            texts.push((number, Text { runs, lines: known.into_iter().map(in_view).collect() }));
        }
        (entries, self.functions, texts)
    }
}

fn in_view((number, line): (u32, Line)) -> Known {
    Known {
        line: number,
        findings: line.findings.into_iter().collect(),
        operations: line.operations,
        feeds: line.feeds.into_iter().collect(),
        fed_by: line.fed_by.into_iter().collect(),
    }
}

/// The whole of a short file, of a long one what is around the lines of interest.
fn runs(name: &str, known: &BTreeMap<u32, Line>, sources: &mut Sources) -> Vec<(u32, Vec<String>)> {
    let whole = sources.lines(name, 1..WHOLE as u32 + 2);
    if whole.is_empty() {
        return Vec::new();
    }
    if whole.len() <= WHOLE {
        return vec![(1, whole.iter().map(|line| cut(&printable(line))).collect())];
    }
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for line in known.keys() {
        let (first, end) = (line.saturating_sub(AROUND).max(1), line.saturating_add(AROUND + 1));
        match spans.last_mut() {
            Some(last) if first <= last.1 => last.1 = end,
            _ => spans.push((first, end)),
        }
    }
    let lines = |(first, end): (u32, u32)| (first, sources.lines(name, first..end));
    let runs = spans.into_iter().map(lines).filter(|(_, lines)| !lines.is_empty());
    runs.map(|(first, lines)| (first, lines.iter().map(|line| cut(&printable(line))).collect())).collect()
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The part of a line that a location means, in UTF-16 units of what is shown.
pub(super) fn mark(location: &Location, operation: &str, sources: &mut Sources) -> Option<(usize, usize)> {
    let line = sources.marked_line(location, operation)?;
    let units = |text: &str| printable(text).encode_utf16().count();
    let start = units(&line.text[..line.span.start]);
    let end = start + units(&line.text[line.span.clone()]);
    (end > start && end <= WIDEST).then_some((start, end))
}
