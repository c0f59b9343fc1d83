//! Baselines: findings that were there before, so that only new ones fail.
//!
//! ```text
//! # comments, and then one finding a line, sorted
//! nonius-baseline/1
//! 911954a041da precision-loss src/roots.c: subtraction in gap
//! ```
//! The id decides. What follows it is for the reader, and has no line numbers: a file that is written anew differs in the
//! findings that came and went, and in nothing else.

use crate::finding::Finding;
use crate::report::Report;
use crate::vocabulary::{Kind, UnknownWord};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Larger files are refused.
pub const MAX_BASELINE_BYTES: u64 = 16 << 20;
/// The first line that is no comment.
const FORM: &str = "nonius-baseline/1";
const HEAD: &str = "\
# Findings that were there before: with --baseline, only others fail a run.
# 'nonius baseline FILE --update' writes this file anew from a report.
";

/// A finding that a baseline has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BaselineEntry {
    /// Where it was, in words.
    pub place: String,
    pub id: String,
    pub kind: Kind,
}

/// What became of a baseline in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineOutcome {
    pub file: String,
    /// Its entries that were not found: they can go.
    pub gone: Vec<BaselineEntry>,
    /// Ids of what was found, but not where the baseline has it: the file was moved, or the operation is another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<String>,
}

impl BaselineEntry {
    /// Whether a finding is this one, and still where it was. The entry's path may be a shorter one.
    fn is_where(&self, f: &Finding) -> bool {
        self.id == f.id && place(f, str::to_owned).ends_with(&self.place)
    }
}

/// The findings of a baseline, each once and sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeSet<BaselineEntry>,
}

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("cannot read baseline {file}: {source}; 'nonius baseline {file}' writes one")]
    Read { file: String, source: io::Error },
    #[error("baseline {file} is larger than {MAX_BASELINE_BYTES} bytes; is it the right file?")]
    TooLarge { file: String },
    #[error("{file} is not a baseline: its first line is not '{FORM}'; 'nonius baseline {file}' writes one")]
    Form { file: String },
    #[error("{file}:{line}: {fault}; 'nonius baseline {file} --update' writes it anew")]
    Line { file: String, line: usize, fault: BaselineFault },
}

/// What is wrong with a line of a baseline.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaselineFault {
    #[error("not UTF-8")]
    NotUtf8,
    #[error("'{0}' is not the id of a finding")]
    Id(String),
    #[error("{0}")]
    Kind(UnknownWord),
}

impl Baseline {
    /// The findings of a report, those that a baseline had before too. `short` gives a path as the user would type it.
    pub fn of(report: &Report, short: impl Fn(&str) -> String) -> Baseline {
        let entry = |f: &Finding| BaselineEntry { place: place(f, &short), id: f.id.clone(), kind: f.kind };
        Baseline { entries: report.findings.iter().chain(&report.known).map(entry).collect() }
    }

    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        let file = path.display().to_string();
        let mut bytes = Vec::new();
        let outcome = File::open(path).and_then(|f| f.take(MAX_BASELINE_BYTES + 1).read_to_end(&mut bytes));
        match outcome {
            Err(source) => Err(BaselineError::Read { file, source }),
            Ok(length) if length as u64 > MAX_BASELINE_BYTES => Err(BaselineError::TooLarge { file }),
            Ok(_) => Baseline::parse(&bytes, &file),
        }
    }

    /// Reads the bytes of a baseline; `file` names it in errors.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Baseline, BaselineError> {
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut entries = BTreeSet::new();
        let mut has_form = false;
        for (line, bytes) in (1..).zip(bytes.split(|b| *b == b'\n')) {
            let wrong = |fault| BaselineError::Line { file: file.to_owned(), line, fault };
            // What is no text at all is told to be no baseline.
            let text = match str::from_utf8(bytes) {
                Ok(text) => text.trim(),
                Err(_) if has_form => return Err(wrong(BaselineFault::NotUtf8)),
                Err(_) => return Err(BaselineError::Form { file: file.to_owned() }),
            };
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if !has_form {
                has_form = text == FORM;
                if has_form {
                    continue;
                }
                return Err(BaselineError::Form { file: file.to_owned() });
            }
            entries.insert(parse_line(text).map_err(wrong)?);
        }
        if has_form { Ok(Baseline { entries }) } else { Err(BaselineError::Form { file: file.to_owned() }) }
    }

    pub fn entries(&self) -> impl ExactSizeIterator<Item = &BaselineEntry> {
        self.entries.iter()
    }

    pub fn has(&self, id: &str) -> bool {
        self.entries.iter().any(|entry| entry.id == id)
    }

    /// The text of a baseline's file.
    pub fn write(&self) -> String {
        let mut text = format!("{HEAD}{FORM}\n");
        for BaselineEntry { place, id, kind } in &self.entries {
            text += &format!("{id} {kind} {place}");
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }

    /// Takes what the baseline has out of a report's findings; `file` names it there.
    pub fn apply(&self, report: &mut Report, file: &str) {
        report.forget_baseline();
        let ids: BTreeSet<&str> = self.entries.iter().map(|entry| entry.id.as_str()).collect();
        let is_known = |f: &Finding| ids.contains(f.id.as_str());
        (report.known, report.findings) = std::mem::take(&mut report.findings).into_iter().partition(is_known);
        let found: BTreeSet<&str> = report.known.iter().map(|f| f.id.as_str()).collect();
        let gone = self.entries.iter().filter(|entry| !found.contains(entry.id.as_str())).cloned().collect();
        let moved = report.known.iter().filter(|f| !self.entries.iter().any(|entry| entry.is_where(f)));
        let moved = moved.map(|f| f.id.clone()).collect();
        report.baseline = Some(BaselineOutcome { file: file.to_owned(), gone, moved });
        report.summary.findings = report.findings.len() as u64;
    }
}

fn parse_line(text: &str) -> Result<BaselineEntry, BaselineFault> {
    /// Ids are short; what is longer is something else.
    const LONGEST: usize = 40;
    let (id, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (kind, place) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim_start(), ""));
    let is_id = id.len() <= LONGEST && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    if !is_id {
        return Err(BaselineFault::Id(id.chars().take(LONGEST).collect()));
    }
    let kind = kind.parse().map_err(|unknown: UnknownWord| {
        let word = unknown.word.chars().take(LONGEST).collect();
        BaselineFault::Kind(UnknownWord { word, ..unknown })
    })?;
    Ok(BaselineEntry { place: place.trim().to_owned(), id: id.to_owned(), kind })
}

/// Where a finding is, without the line: `src/roots.c: subtraction in gap`.
fn place(f: &Finding, short: impl Fn(&str) -> String) -> String {
    let file = Some(short(&f.location.file)).filter(|file| !file.is_empty()).map(|file| format!("{file}: "));
    let function = Some(&f.location.function).filter(|name| !name.is_empty()).map(|name| format!(" in {name}"));
    let text = format!("{}{}{}", file.unwrap_or_default(), f.operation, function.unwrap_or_default());
    text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::Location;
    use crate::report::Program;
    use crate::vocabulary::ObservedAt;
    use crate::worst::Worst;
    use nonius_numerics::Precision;
    use proptest::prelude::*;

    fn report(ids: &[&str]) -> Report {
        let mut report = Report::new(Program::default(), "residue");
        let finding = |id: &&str| {
            let location = Location::new("/p/src/roots.c", 6, 3, &format!("gap{id}\n"));
            let worst = Worst::new(1.0, 2.0, Precision::Double);
            let new = Finding::new(Kind::PrecisionLoss, ObservedAt::Store, location, "subtraction", worst);
            Finding { id: (*id).to_owned(), ..new }
        };
        report.findings = ids.iter().map(finding).collect();
        report
    }

    fn short(path: &str) -> String {
        path.trim_start_matches("/p/").to_owned()
    }

    #[test]
    fn files_are_sorted_and_read_back() {
        let baseline = Baseline::of(&report(&["b2", "a1", "b2"]), short);
        let text = baseline.write();
        let lines: Vec<_> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                FORM,
                "a1 precision-loss src/roots.c: subtraction in gapa1",
                "b2 precision-loss src/roots.c: subtraction in gapb2"
            ]
        );
        assert_eq!(Baseline::parse(text.as_bytes(), "b").unwrap(), baseline);
        assert_eq!(Baseline::parse(text.replace('\n', "\r\n").as_bytes(), "b").unwrap(), baseline);
    }

    #[test]
    fn what_it_has_leaves_the_findings_and_what_is_gone_is_named() {
        let baseline = Baseline::of(&report(&["a1", "c3"]), short);
        let mut now = report(&["a1", "b2"]);
        // Twice is as once.
        for _ in 0..2 {
            baseline.apply(&mut now, "base.txt");
            let ids = |list: &[Finding]| list.iter().map(|f| f.id.clone()).collect::<Vec<_>>();
            assert_eq!(
                (ids(&now.findings), ids(&now.known), now.summary.findings),
                (vec!["b2".into()], vec!["a1".into()], 1)
            );
            let outcome = now.baseline.as_ref().unwrap();
            assert_eq!((outcome.file.as_str(), outcome.gone.len(), outcome.gone[0].id.as_str()), ("base.txt", 1, "c3"));
            assert!(outcome.moved.is_empty());
        }
        now.forget_baseline();
        now.findings[0].location.file = "/p/lib/roots.c".into();
        baseline.apply(&mut now, "base.txt");
        assert_eq!(now.baseline.as_ref().unwrap().moved, ["a1"], "the file was moved to another folder");
        assert_eq!(Baseline::of(&now, short).entries().len(), 2);
        now.forget_baseline();
        assert_eq!((now.findings.len(), now.baseline), (2, None));
    }

    #[test]
    fn what_is_no_baseline_is_refused_in_words() {
        let message = |text: &[u8]| Baseline::parse(text, "b.txt").unwrap_err().to_string();
        for text in [&b""[..], b"# only\n", b"{\"schema\": 1}", b"\xff\xfe\0", b"a1 nan x\nnonius-baseline/1\n"] {
            assert!(message(text).starts_with("b.txt is not a baseline: "), "{text:?}");
        }
        assert!(message(b"nonius-baseline/1\n\n<<<<<<< ours\n").starts_with("b.txt:3: '<<<<<<<' is not the id"));
        assert!(message(b"nonius-baseline/1\na1 loss x\n").starts_with("b.txt:2: 'loss' is not a finding kind"));
        assert!(message(b"nonius-baseline/1\na1\n").starts_with("b.txt:2: '' is not a finding kind"));
        assert!(message(b"nonius-baseline/1\n\xff\n").starts_with("b.txt:2: not UTF-8"));
        let long = [b"nonius-baseline/1\n".to_vec(), vec![b'z'; 10_000]].concat();
        assert!(message(&long).len() < 200);
        assert!(matches!(Baseline::read(Path::new("/dev/zero")), Err(BaselineError::TooLarge { .. })));
        assert!(matches!(Baseline::read(Path::new("/")), Err(BaselineError::Read { .. })));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100), line in r"[a-f0-9é #-]{0,9}( nan)?[ é\t]{0,3}") {
            let _ = Baseline::parse(&bytes, "b");
            let with_form = [format!("{FORM}\n{line}\n").as_bytes(), &bytes].concat();
            let _ = Baseline::parse(&with_form, "b");
        }
    }
}
