//! The report: everything one run of a program leaves behind.

use crate::assertion::Assertion;
use crate::baseline::BaselineOutcome;
use crate::bounds::Bounds;
use crate::coverage::Coverage;
use crate::finding::Finding;
use crate::location::Location;
use crate::merge::rank;
use crate::statistics::{LikelyResult, Observable, OperationStatistics};
use crate::vocabulary::Kind;
use serde::{Deserialize, Serialize};

/// The value of [`Report::schema`]. The number goes up when a reader of the old form would
/// misread the new one; fields may be added without.
pub const SCHEMA: &str = "nonius-report/2";

/// What one run of a program leaves behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub schema: String,
    pub tool: Tool,
    pub program: Program,
    /// The arithmetic that stood in for the ideal one, such as `residue` or `mpfr`.
    pub oracle: String,
    /// The oracle of a second run that came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_by: Option<String>,
    pub summary: Summary,
    /// Merged and ranked, worst first.
    pub findings: Vec<Finding>,
    /// Findings that the oracle of a second run does not bear out, or that hang on how constants were rounded. They count
    /// for nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuted: Vec<Finding>,
    /// Findings that a baseline has. They do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<Finding>,
    /// The baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineOutcome>,
    /// Every operation, worst first, from engines that measure them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<OperationStatistics>,
    /// Every observable that was looked at, from the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observables: Vec<Observable>,
    /// Values that are likely results, by how much was computed for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<LikelyResult>,
    /// What variables can be for a range of inputs, where the program asked for it, from abstract execution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<Bounds>,
    /// Assertions that the program came by, those that did not hold first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
    #[serde(default)]
    pub suppressions_used: Vec<SuppressionRecord>,
    #[serde(default)]
    pub suppressions_unused: Vec<SuppressionRecord>,
    /// Why the analysis ended before the program did, by a mistake in Nonius: then nothing is known of the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// What the user should know about this run beyond the findings.
    #[serde(default)]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub version: String,
}

/// The program that ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub path: String,
    /// Without the program's own name.
    #[serde(default)]
    pub args: Vec<String>,
    pub pid: u32,
    /// Exit status, if the report was written after it was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Its MPI rank, and of how many, if a launcher of MPI started it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<u32>,
}

/// What launchers of MPI tell a process: its rank, and how many there are.
const RANKS: [(&str, &str); 3] =
    [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")];

impl Program {
    /// Longer command lines are cut.
    const NAME: usize = 80;

    /// Takes its MPI rank from the environment that it was started with.
    pub fn with_rank(mut self, variable: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name: &str| variable(name)?.parse::<u32>().ok();
        let pair = |(rank, ranks): (&str, &str)| Some((number(rank)?, number(ranks)?));
        if let Some((rank, ranks)) = RANKS.into_iter().find_map(pair) {
            (self.rank, self.ranks) = (Some(rank), Some(ranks));
        }
        self
    }

    /// As a reader would call it: the file's name, and the arguments as far as there is room.
    pub fn name(&self) -> String {
        self.name_within(0)
    }

    /// The same with so many folders before the file's name.
    pub fn name_within(&self, folders: usize) -> String {
        let file = self.path_end(folders);
        let words = std::iter::once(file).chain(self.args.iter().map(String::as_str));
        let line = words.collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(Self::NAME) {
            Some((end, _)) => format!("{}...", &line[..end]),
            None => line,
        }
    }

    /// The end of the path: the file's name, and so many folders before it.
    pub fn path_end(&self, folders: usize) -> &str {
        let start = self.path.rmatch_indices('/').nth(folders);
        start.map_or(&*self.path, |(at, _)| &self.path[at + 1..])
    }
}

/// A run in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of findings in the report.
    pub findings: u64,
    /// Number of findings that suppressions kept out of it.
    #[serde(default)]
    pub suppressed: u64,
    /// Values looked at.
    pub checks: u64,
    /// Places where floats are printed, in functions that ran.
    #[serde(default)]
    pub outputs: u64,
    /// The same as in `coverage`.
    pub operations: u64,
    pub coverage: Coverage,
    /// An operation underflowed, and the shadows of this run do not know what that lost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub underflow: bool,
    /// A function was so sensitive to its argument that its result hangs on what the shadows of this run do not hold of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ill_conditioned: bool,
    /// A function has a result, and none for its ideal argument, which is outside of its domain.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_ideal: bool,
}

impl Summary {
    /// Whether something may have been lost on the way, nobody knows where.
    pub fn may_have_lost(&self) -> bool {
        self.underflow || self.ill_conditioned || self.without_ideal
    }
}

/// A suppression and how often it was used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressionRecord {
    /// The entry as written, without its reason.
    pub entry: String,
    pub reason: String,
    pub file: String,
    pub line: u32,
    /// Occurrences that it kept out of the report; 0 if unused.
    pub count: u64,
    /// The findings that these were of, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Suppressed>,
}

/// A finding that a suppression kept out of the report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Suppressed {
    pub id: String,
    pub kind: Kind,
    pub location: Location,
}

impl Report {
    /// Whether a verdict depends on what the oracle does not know.
    pub fn is_open(&self) -> bool {
        self.observables.iter().any(|o| o.open > 0)
    }

    /// Findings of all lists.
    pub fn all_findings(&mut self) -> Vec<&mut Finding> {
        self.findings.iter_mut().chain(&mut self.refuted).chain(&mut self.known).collect()
    }

    /// Puts the findings that a baseline has back among the others.
    pub fn forget_baseline(&mut self) {
        if self.baseline.take().is_some() || !self.known.is_empty() {
            self.findings.append(&mut self.known);
            rank(&mut self.findings);
            self.summary.findings = self.findings.len() as u64;
        }
    }

    /// Whether a verdict depends on how constants were rounded.
    pub fn is_open_by_constants(&self) -> bool {
        self.observables.iter().any(|o| o.open_by_constants > 0)
    }

    /// An empty report of this version of Nonius.
    pub fn new(program: Program, oracle: &str) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            tool: Tool { name: "nonius".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            program,
            oracle: oracle.to_owned(),
            settled_by: None,
            summary: Summary::default(),
            findings: Vec::new(),
            refuted: Vec::new(),
            known: Vec::new(),
            baseline: None,
            operations: Vec::new(),
            observables: Vec::new(),
            results: Vec::new(),
            bounds: Vec::new(),
            assertions: Vec::new(),
            suppressions_used: Vec::new(),
            suppressions_unused: Vec::new(),
            stopped: None,
            notes: Vec::new(),
        }
    }
}
