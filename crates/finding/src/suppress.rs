//! Suppressions: findings that the user has looked at and accepts, each with the reason why.
//!
//! One entry a line:
//! `<kind or *>:<function|file|module>=<glob> [resume=shadow|value] # <reason>`.
//! The reason is required: a suppression that nobody can explain hides the next bug as well.

mod apply;
mod parse;

pub use apply::Applied;
pub use parse::{Fault, SuppressionError};

use crate::glob::Glob;
use crate::location::{Frame, Location};
use crate::report::SuppressionRecord;
use crate::vocabulary::Kind;
use std::path::Path;

/// Larger files are refused: a suppression file is written by hand.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// The entries of one or more suppression files, in order.
#[derive(Debug, Clone, Default)]
pub struct Suppressions {
    entries: Vec<Suppression>,
}

/// One entry of a suppression file.
#[derive(Debug, Clone)]
pub struct Suppression {
    /// `None` stands for `*`, all kinds.
    pub kind: Option<Kind>,
    pub target: Target,
    pub pattern: Glob,
    /// From what the computation goes on after a match, if the entry says so.
    pub resume: Option<Resume>,
    /// The entry as written, without the reason.
    pub entry: String,
    pub reason: String,
    pub file: String,
    pub line: u32,
}

/// What a pattern is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Function,
    File,
    Module,
}

/// From what the shadow computation goes on after a suppressed finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// From the shadow: the error lives on and may be found again further down.
    Shadow,
    /// From the program's value: the error is forgiven.
    Value,
}

impl Suppressions {
    /// Reads a suppression file.
    pub fn read(path: &Path) -> Result<Self, SuppressionError> {
        parse::read(path).map(|entries| Self { entries })
    }

    /// Reads the text of a suppression file; `file` names it in errors and reports.
    pub fn parse(text: &str, file: &str) -> Result<Self, SuppressionError> {
        parse::parse(text, file).map(|entries| Self { entries })
    }

    /// Puts the entries of another file behind these.
    pub fn append(&mut self, mut other: Self) {
        self.entries.append(&mut other.entries);
    }

    pub fn entries(&self) -> &[Suppression] {
        &self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The first entry that covers a finding of this kind, as an index into [`Self::entries`].
    /// `places` are the location of the operation and that of the observable.
    pub fn find(&self, kind: Kind, places: &[&Location], stack: &[Frame]) -> Option<usize> {
        self.entries.iter().position(|e| e.covers(kind, places, stack))
    }

    /// What to put into a report, used and unused, given how often each entry was used.
    pub fn records(&self, counts: &[u64]) -> (Vec<SuppressionRecord>, Vec<SuppressionRecord>) {
        let counts = counts.iter().copied().chain(std::iter::repeat(0));
        self.entries.iter().zip(counts).map(|(e, count)| e.record(count)).partition(|r| r.count > 0)
    }
}

impl Suppression {
    /// Whether the kind fits, and the pattern covers one of the places or any frame of the stack.
    pub fn covers(&self, kind: Kind, places: &[&Location], stack: &[Frame]) -> bool {
        let hits = |function: &str, file: &str, module: &str| match self.target {
            Target::Function => self.pattern.matches(function),
            Target::File => self.pattern.matches_path_tail(file),
            Target::Module => self.pattern.matches_path_tail(module),
        };
        self.kind.is_none_or(|k| k == kind)
            && (places.iter().any(|place| hits(&place.function, &place.file, ""))
                || stack.iter().any(|frame| hits(&frame.function, &frame.file, &frame.module)))
    }

    fn record(&self, count: u64) -> SuppressionRecord {
        SuppressionRecord {
            entry: self.entry.clone(),
            reason: self.reason.clone(),
            file: self.file.clone(),
            line: self.line,
            count,
        }
    }
}
