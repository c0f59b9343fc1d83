//! A finding: one verdict on one site.

use crate::cause::Cause;
use crate::confirmation::Confirmation;
use crate::for_inputs::ForInputs;
use crate::identity::Fnv;
use crate::location::{Frame, Location};
use crate::symptom::Symptom;
use crate::vocabulary::{Class, Kind, ObservedAt, Severity};
use crate::worst::Worst;
use serde::{Deserialize, Serialize};

/// One verdict on one site, with all its occurrences counted: a root, and its symptoms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Names the site and the kind, the same in every run, build directory and edit of other lines; see [`crate::identify`].
    pub id: String,
    pub kind: Kind,
    pub severity: Severity,
    /// The operation that produced the bad value.
    pub location: Location,
    pub observed_at: ObservedAt,
    /// Where the value was seen, if that is not where it was produced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_location: Option<Location>,
    /// The operation's name, such as `subtraction`, `load` or `call sqrt`.
    pub operation: String,
    /// How often it was seen.
    pub count: u64,
    pub worst: Worst,
    /// The stack where it was seen, innermost frame first.
    #[serde(default)]
    pub stack: Vec<Frame>,
    /// Where the error comes from, most to blame first. Empty if no engine has looked.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// Where else the error that arose here was seen: outputs first, then the worst. `count` has those of its kind too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symptoms: Vec<Symptom>,
    /// The id of the finding that this one is a consequence of, where an engine knows; see [`crate::merge`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Where that is, until findings have their ids.
    #[serde(skip)]
    pub root_place: Option<Box<(Location, String)>>,
    /// The error came in with the operands, and the engine does not know from where.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inherited: bool,
    /// Evidence that its error does no harm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Where the operation's function was called, if it has an operation or two and no more: what a reader looks for is
    /// there. That of the occurrence shown first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Location>,
    /// What another engine thinks of it, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// What an abstract execution knows of the inputs that show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_inputs: Option<ForInputs>,
    /// The region of the program, as the program itself named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The tests of Rust's test harness that saw the first of it, or the worst.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// The programs that it was seen in, where a report is of several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The MPI ranks that it was seen on, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<u32>,
    /// What an assertion speaks of, and its values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The thread that saw the worst value, numbered from 0 in order of start.
    #[serde(default)]
    pub thread: u64,
}

impl Finding {
    /// A finding seen once, with its id and the usual severity. The rest is for the caller to fill in.
    pub fn new(kind: Kind, observed_at: ObservedAt, location: Location, operation: &str, worst: Worst) -> Self {
        Self {
            id: Self::place_id(kind, &location, operation),
            kind,
            severity: Severity::usual(kind, observed_at),
            location,
            observed_at,
            observed_location: None,
            operation: operation.to_owned(),
            count: 1,
            worst,
            stack: Vec::new(),
            causes: Vec::new(),
            symptoms: Vec::new(),
            root: None,
            root_place: None,
            inherited: false,
            class: None,
            callers: Vec::new(),
            confirmation: None,
            for_inputs: None,
            region: None,
            tests: Vec::new(),
            programs: Vec::new(),
            ranks: Vec::new(),
            values: Vec::new(),
            thread: 0,
        }
    }

    /// What a finding is called by its place, until it has an id.
    pub fn place_id(kind: Kind, location: &Location, operation: &str) -> String {
        let mut hash = Fnv::new();
        for part in [kind.as_str(), &location.function, &location.file, operation] {
            hash.part(part);
        }
        hash.number(location.line);
        hash.number(location.column);
        format!("{:012x}", hash.finish() >> 16)
    }

    /// Makes it a consequence of a precision loss elsewhere.
    pub fn is_caused_by(&mut self, location: Location, operation: &str) {
        self.root = Some(Self::place_id(Kind::PrecisionLoss, &location, operation));
        self.root_place = Some(Box::new((location, operation.to_owned())));
    }

    /// Makes it a sighting of an error that arose elsewhere.
    pub fn goes_back_to(&mut self, location: Location, operation: &str) {
        let seen = self.seen_at().clone();
        self.id = Self::place_id(self.kind, &location, operation);
        self.observed_location = Some(seen).filter(|seen| *seen != location);
        (self.location, self.operation, self.inherited) = (location, operation.to_owned(), false);
    }

    /// Gives all places that it names to `relocate`, as file, line and column, and names it anew by them.
    pub fn relocate(&mut self, mut relocate: impl FnMut(&mut String, &mut u32, &mut u32)) {
        let causes = self.causes.iter_mut().map(|cause| &mut cause.location);
        let symptoms = self.symptoms.iter_mut().map(|symptom| &mut symptom.location);
        let own = std::iter::once(&mut self.location).chain(&mut self.observed_location).chain(&mut self.callers);
        let root = self.root_place.iter_mut().map(|root| &mut root.0);
        own.chain(causes).chain(symptoms).chain(root).for_each(|l| relocate(&mut l.file, &mut l.line, &mut l.column));
        self.stack.iter_mut().for_each(|f| relocate(&mut f.file, &mut f.line, &mut f.column));
        self.id = Self::place_id(self.kind, &self.location, &self.operation);
    }

    /// The NaN or infinity that it speaks of was printed.
    pub fn note_printed(&mut self, location: Location) {
        self.severity = Severity::Error;
        self.symptoms.push(Symptom { observed_at: ObservedAt::Output, location, count: 1, ..Symptom::of(self) });
    }

    /// Whether the bad value left the program.
    pub fn in_output(&self) -> bool {
        let is_output = |at| at == ObservedAt::Output;
        is_output(self.observed_at) || self.symptoms.iter().any(|s| is_output(s.observed_at))
    }

    /// Where the value was seen.
    pub fn seen_at(&self) -> &Location {
        self.observed_location.as_ref().unwrap_or(&self.location)
    }
}
