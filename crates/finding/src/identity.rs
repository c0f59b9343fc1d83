//! Ids: what a finding is called from run to run, and from edit to edit.
//!
//! ```text
//! kind, file name, function, class of the operation,        --> base, 12 hexadecimal digits
//! text of the line, where in it, which of equal lines        +  -2, -3, ... for others with the same base
//! ```
//! Line numbers and columns are not in it, so that an edit elsewhere changes no id: a comment at the top, another indentation,
//! a function before. The text is taken without blanks and comments. The compiler's level is not in it either: a
//! difference may be compiled as a sum, and a function inlined. Where the source cannot be read, what is left of all
//! this is used, and equal ones are numbered by their lines.
//!
//! Engines and [`crate::merge`] call findings by their places, [`Finding::place_id`]. [`identify`] gives ids once, where
//! the source is at hand; reports are merged without it ([`Ids`]).

mod function;
mod hash;
mod line;

pub(crate) use hash::Fnv;

use crate::finding::Finding;
use crate::location::Location;
use crate::vocabulary::Kind;
use line::Line;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Gives a line of a file by its number, if it can.
pub type Source<'a> = &'a mut dyn FnMut(&str, u32) -> Option<String>;

/// Gives findings that are called by their places the ids that they keep, and their roots too.
pub fn identify(findings: &mut [Finding], source: Source) {
    let mut ids = Ids::default();
    for finding in findings.iter() {
        if !ids.bases.contains_key(&finding.id) {
            let base = base(finding.kind, &finding.location, &finding.operation, source);
            ids.bases.insert(finding.id.clone(), base);
        }
    }
    // A root that is no finding of this process may be one of another.
    for (finding, root) in findings.iter().filter_map(|f| Some((f, f.root_place.as_ref()?))) {
        let (location, operation) = &**root;
        if let Some(place) = finding.root.as_ref().filter(|place| !ids.bases.contains_key(*place)) {
            ids.bases.insert(place.clone(), base(Kind::PrecisionLoss, location, operation, source));
        }
    }
    ids.give(&mut findings.iter_mut().collect::<Vec<_>>());
}

/// The id of one finding, without the number that it has among others.
pub fn base(kind: Kind, location: &Location, operation: &str, source: Source) -> String {
    let mut hash = Fnv::new();
    hash.part(kind.as_str());
    hash.part(location.file_name());
    hash.part(&function::normalised(&location.function));
    hash.part(class(operation));
    if let Some(line) = Line::read(location, source) {
        hash.part(&line.text);
        hash.number(line.position);
        hash.number(line.repeats);
    }
    format!("{:012x}", hash.finish() >> 16)
}

/// Operations that a compiler may make of one another, by a common name.
fn class(operation: &str) -> &str {
    match operation {
        "addition" | "subtraction" | "negation" | "fused multiply-add" | "reduction" => "sum",
        "multiplication" | "division" => "product",
        "load" | "parameter" | "choice" => "value",
        "square root" => "call sqrt",
        other => other,
    }
}

/// An id without the number that it has among others.
pub fn without_number(id: &str) -> &str {
    match id.split_once('-') {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => id,
    }
}

/// Ids that findings of several reports had, while these are merged.
#[derive(Debug, Default)]
pub struct Ids {
    /// By what a finding is called meanwhile.
    bases: BTreeMap<String, String>,
}

impl Ids {
    /// Calls the findings of one report by their places, and keeps what they were called.
    pub fn set_aside(&mut self, findings: &mut [&mut Finding]) {
        let mut places: HashMap<String, String> = HashMap::new();
        for finding in findings.iter_mut() {
            let place = Finding::place_id(finding.kind, &finding.location, &finding.operation);
            let id = std::mem::replace(&mut finding.id, place.clone());
            let base = without_number(&id).to_owned();
            // A process that could not read the source has another one: the choice hangs on no order.
            let least = self.bases.entry(place.clone()).or_insert_with(|| base.clone());
            if base < *least {
                *least = base;
            }
            places.insert(id, place);
        }
        for root in findings.iter_mut().filter_map(|f| f.root.as_mut()) {
            if let Some(place) = places.get(root) {
                root.clone_from(place);
            }
        }
    }

    /// Roots that are findings of another report.
    pub fn find_roots(&self, findings: &mut [&mut Finding]) {
        let mut by_base: HashMap<&str, Vec<&String>> = HashMap::new();
        self.bases.iter().for_each(|(place, base)| by_base.entry(base).or_default().push(place));
        let strays = findings.iter_mut().filter_map(|f| f.root.as_mut()).filter(|root| !self.bases.contains_key(*root));
        for root in strays {
            if let Some([place]) = by_base.get(without_number(root)).map(Vec::as_slice) {
                *root = (*place).clone();
            }
        }
    }

    /// Gives the ids back, numbered where several have the same.
    pub fn give(&self, findings: &mut [&mut Finding]) {
        // By place, so that the numbers do not hang on the order of the findings.
        let mut equal: BTreeMap<&str, BTreeSet<(&Location, &str, &str)>> = BTreeMap::new();
        for f in findings.iter() {
            if let Some(base) = self.bases.get(&f.id) {
                equal.entry(base).or_default().insert((&f.location, &f.operation, &f.id));
            }
        }
        let mut names: HashMap<String, String> = HashMap::new();
        for (base, places) in equal {
            for (number, (.., place)) in (1..).zip(places) {
                let id = if number == 1 { base.to_owned() } else { format!("{base}-{number}") };
                names.insert(place.to_owned(), id);
            }
        }
        for finding in findings.iter_mut() {
            let named = |place: &String| names.get(place).or_else(|| self.bases.get(place)).cloned();
            finding.id = named(&finding.id).unwrap_or_else(|| finding.id.clone());
            finding.root = finding.root.take().map(|root| named(&root).unwrap_or(root));
        }
    }
}
