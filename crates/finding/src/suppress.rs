//! Suppressions: findings that the user has looked at and accepts, each with the reason why.
//!
//! One entry a line:
//! `<kind or *>:<id|at|function|file|module|frame>=<glob> [resume=shadow|value] # <reason>`.
//! The reason is required: a suppression that nobody can explain hides the next bug as well. All but `frame=` speak of
//! the operation that introduced the error, not of who called it or printed the value: a pattern for a test's folder
//! must not cover all that the tests call.

mod apply;
mod parse;

pub use apply::Applied;
pub use parse::{Fault, SuppressionError};

use crate::finding::Finding;
use crate::glob::Glob;
use crate::identity::without_number;
use crate::location::Frame;
use crate::report::{Suppressed, SuppressionRecord};
use crate::vocabulary::Kind;
use std::collections::BTreeSet;
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
    /// The finding's id.
    Id,
    /// File and line of the operation.
    At(u32),
    /// Its function.
    Function,
    /// Its file.
    File,
    /// The executable or library that has it.
    Module,
    /// Function, file or module of any frame of the stack, of the operation, or of where the value was seen.
    Frame,
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

    /// Whether an entry asks for an id.
    pub fn any_ids(&self) -> bool {
        self.entries.iter().any(|e| e.target == Target::Id)
    }

    /// The first entry that covers a finding, as an index into [`Self::entries`].
    pub fn find(&self, finding: &Finding) -> Option<usize> {
        self.entries.iter().position(|e| e.covers(finding))
    }

    /// The same while the program runs: which number the finding will have among others of its id is not known yet.
    pub fn find_early(&self, finding: &Finding) -> Option<usize> {
        let own = |e: &Suppression| e.target == Target::Id && e.pattern.matches(without_number(&finding.id));
        self.entries.iter().position(|e| e.is_of(finding.kind) && own(e) || e.covers(finding))
    }

    /// What to put into a report, used and unused, given how often each entry was used and for what.
    fn records(&self, used: Vec<(u64, BTreeSet<Suppressed>)>) -> (Vec<SuppressionRecord>, Vec<SuppressionRecord>) {
        self.entries.iter().zip(used).map(|(e, (count, of))| e.record(count, of)).partition(|r| r.count > 0)
    }
}

impl Suppression {
    fn is_of(&self, kind: Kind) -> bool {
        self.kind.is_none_or(|k| k == kind)
    }

    /// Whether the kind fits, and the pattern covers what it is held against.
    pub fn covers(&self, finding: &Finding) -> bool {
        let place = &finding.location;
        self.is_of(finding.kind)
            && match self.target {
                Target::Id => self.pattern.matches(&finding.id),
                Target::At(line) => place.line == line && self.pattern.matches_path_tail(&place.file),
                Target::Function => self.pattern.matches(&place.function),
                Target::File => self.pattern.matches_path_tail(&place.file),
                Target::Module => self.pattern.matches_path_tail(module_of(finding)),
                Target::Frame => self.covers_a_frame(finding),
            }
    }

    fn covers_a_frame(&self, finding: &Finding) -> bool {
        let hits = |function: &str, file: &str, module: &str| {
            self.pattern.matches(function)
                || self.pattern.matches_path_tail(file)
                || self.pattern.matches_path_tail(module)
        };
        let places = std::iter::once(&finding.location).chain(&finding.observed_location);
        places.into_iter().any(|place| hits(&place.function, &place.file, ""))
            || finding.stack.iter().any(|frame| hits(&frame.function, &frame.file, &frame.module))
    }

    fn record(&self, count: u64, findings: BTreeSet<Suppressed>) -> SuppressionRecord {
        SuppressionRecord {
            entry: self.entry.clone(),
            reason: self.reason.clone(),
            file: self.file.clone(),
            line: self.line,
            count,
            findings: findings.into_iter().collect(),
        }
    }
}

/// The executable or library that has a finding's operation, as far as its stack tells: that of the operation's function,
/// or of the function where the value was seen.
fn module_of(finding: &Finding) -> &str {
    let is_own = |frame: &&Frame| frame.function == finding.location.function;
    let frame = finding.stack.iter().find(is_own).or(finding.stack.first());
    frame.map_or("", |frame| &frame.module)
}
