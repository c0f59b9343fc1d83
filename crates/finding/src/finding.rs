//! A finding: one verdict on one site.

use crate::cause::Cause;
use crate::confirmation::Confirmation;
use crate::location::{Frame, Location};
use crate::symptom::Symptom;
use crate::vocabulary::{Class, Kind, ObservedAt, Severity};
use crate::worst::Worst;
use serde::{Deserialize, Serialize};

/// One verdict on one site, with all its occurrences counted: a root, and its symptoms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Names the site and the kind, the same in every run and build directory; see [`Finding::stable_id`].
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
    /// The region of the program, as the program itself named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The tests of Rust's test harness that saw the first of it, or the worst.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// The thread that saw the worst value, numbered from 0 in order of start.
    #[serde(default)]
    pub thread: u64,
}

impl Finding {
    /// A finding seen once, with its id and the usual severity. The rest is for the caller to fill in.
    pub fn new(kind: Kind, observed_at: ObservedAt, location: Location, operation: &str, worst: Worst) -> Self {
        Self {
            id: Self::stable_id(kind, &location, operation),
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
            inherited: false,
            class: None,
            callers: Vec::new(),
            confirmation: None,
            region: None,
            tests: Vec::new(),
            thread: 0,
        }
    }

    /// Twelve hexadecimal digits from what identifies a site in the source: kind, function, file
    /// name without its folder, line, column and operation. Addresses and paths are left out, so
    /// that an id survives another run, another build directory and a randomized address space.
    /// Without debug information, equal operations of one function share an id.
    pub fn stable_id(kind: Kind, location: &Location, operation: &str) -> String {
        let mut hash = Fnv::new();
        for part in [kind.as_str(), &location.function, location.file_name(), operation] {
            hash.write(part.as_bytes());
            // Ends each part, so that ("ab", "c") and ("a", "bc") differ; 0xff is never in UTF-8.
            hash.write(&[0xff]);
        }
        hash.write(&location.line.to_le_bytes());
        hash.write(&location.column.to_le_bytes());
        format!("{:012x}", hash.finish() >> 16)
    }

    /// Makes it a sighting of an error that arose elsewhere.
    pub fn goes_back_to(&mut self, location: Location, operation: &str) {
        let seen = self.seen_at().clone();
        self.id = Self::stable_id(self.kind, &location, operation);
        self.observed_location = Some(seen).filter(|seen| *seen != location);
        (self.location, self.operation, self.inherited) = (location, operation.to_owned(), false);
    }

    /// Gives all places that it names to `relocate`, as file, line and column, and names it anew by them.
    pub fn relocate(&mut self, mut relocate: impl FnMut(&mut String, &mut u32, &mut u32)) {
        let causes = self.causes.iter_mut().map(|cause| &mut cause.location);
        let symptoms = self.symptoms.iter_mut().map(|symptom| &mut symptom.location);
        let own = std::iter::once(&mut self.location).chain(&mut self.observed_location).chain(&mut self.callers);
        own.chain(causes).chain(symptoms).for_each(|l| relocate(&mut l.file, &mut l.line, &mut l.column));
        self.stack.iter_mut().for_each(|f| relocate(&mut f.file, &mut f.line, &mut f.column));
        self.id = Self::stable_id(self.kind, &self.location, &self.operation);
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

/// FNV-1a: written out because ids are kept in baselines, and the standard library's hasher
/// may change from one release to the next.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// FNV mixes its last bytes poorly into the high half, which is the half that is kept.
    fn finish(&self) -> u64 {
        let mut h = self.0;
        h = (h ^ (h >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        h ^ (h >> 32)
    }
}
