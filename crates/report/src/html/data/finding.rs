//! A finding for the page: a row of the list, and everything that is known of it.

use super::files::Files;
use super::{Place, State, place};
use crate::html::pack::number;
use crate::numbers::{decimal, decimal_of, ideal, rough};
use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Cause, ErrorSamples, Finding, Kind, Location, Measured, OperationStatistics, Tier};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// What lists and filters need.
#[derive(Serialize)]
pub(super) struct Row {
    id: String,
    kind: &'static str,
    severity: &'static str,
    state: State,
    headline: String,
    place: Place,
    /// The function's number.
    function: Option<usize>,
    count: u64,
    /// How far it came: output, decision, stored.
    reach: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    /// Bits of the significand that are right, and how many there are, where that means something.
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<(f64, u32)>,
    #[serde(skip_serializing_if = "is_zero")]
    symptoms: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    programs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<String>,
    /// Of MPI.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ranks: Vec<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Kinds for which bits lost mean something.
pub(in crate::html) fn is_measured(kind: Kind) -> bool {
    matches!(kind, Kind::PrecisionLoss | Kind::Stage)
}

pub(in crate::html) fn reach(f: &Finding) -> &'static str {
    match Tier::of(f) {
        Tier::Output => "output",
        Tier::Decision => "decision",
        Tier::Stored => "stored",
    }
}

pub(super) fn row(f: &Finding, state: State, files: &mut Files, sources: &mut Sources) -> Row {
    let named = |names: &[String]| names.iter().map(|name| clean(name)).collect();
    Row {
        id: clean(&f.id),
        kind: f.kind.as_str(),
        severity: f.severity.as_str(),
        state,
        headline: words::headline(f),
        place: place(&f.location, None, files, sources),
        function: files.function(&f.location.function),
        count: f.count,
        reach: reach(f),
        class: f.class.map(|class| class.as_str()),
        verdict: f.confirmation.as_ref().map(|c| c.verdict.as_str()),
        bits: is_measured(f.kind).then(|| (round(f.worst.bits_left()), f.worst.precision.bits())),
        symptoms: f.symptoms.len(),
        programs: named(&f.programs),
        tests: named(&f.tests),
        ranks: f.ranks.iter().map(u32::to_string).collect(),
    }
}

fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// Operations that were measured, by place and name.
pub(super) struct Measurements<'a>(HashMap<(&'a Location, &'a str), usize>);

impl<'a> Measurements<'a> {
    pub(super) fn new(operations: &'a [OperationStatistics]) -> Self {
        let numbered = operations.iter().enumerate();
        Measurements(numbered.map(|(number, o)| ((&o.location, o.operation.as_str()), number)).collect())
    }

    fn of(&self, location: &Location, operation: &str) -> Option<usize> {
        self.0.get(&(location, operation)).copied()
    }
}

/// What its own view shows.
#[derive(Serialize)]
pub(super) struct Detail {
    facts: Vec<String>,
    advice: &'static str,
    /// Where it was produced and seen; one place if that is one line.
    places: Vec<Seen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Values>,
    /// Its operation in the statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<usize>,
    symptoms: Vec<Symptom>,
    causes: Vec<Node>,
    callers: Vec<Place>,
    stack: Vec<Place>,
}

#[derive(Serialize)]
struct Seen {
    role: String,
    place: Place,
    function: String,
}

/// A value and its ideal, as numbers and as words.
#[derive(Serialize)]
struct Values {
    value: Value,
    ideal: Value,
    radius: Value,
    value_text: String,
    ideal_text: String,
}

#[derive(Serialize)]
struct Symptom {
    text: String,
    place: Place,
    at: &'static str,
}

/// A cause, as a node of the graph where it was measured.
#[derive(Serialize)]
struct Node {
    operation: String,
    effect: String,
    place: Place,
    function: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
}

#[derive(Serialize)]
struct Numbers {
    node: u32,
    operands: Vec<u32>,
    error: Value,
    introduced: Value,
    error_text: String,
    introduced_text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<String>,
    count: u64,
    dominant: bool,
    typical: bool,
}

#[derive(Serialize)]
struct Growth {
    stages: u64,
    faults: u64,
    first: u64,
    last: u64,
    before: Value,
    after: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<ErrorSamples>,
}

pub(super) fn detail(
    f: &Finding,
    index: usize,
    measurements: &Measurements,
    files: &mut Files,
    sources: &mut Sources,
) -> Detail {
    files.note_finding(&f.location, index);
    if let Some(seen) = &f.observed_location {
        files.note_finding(seen, index);
    }
    note_flow(f, files);
    let symptoms = f.symptoms.iter().map(|s| Symptom {
        text: words::symptom(s, sources),
        place: place(&s.location, None, files, sources),
        at: s.observed_at.as_str(),
    });
    let symptoms = symptoms.collect();
    Detail {
        facts: words::facts(f),
        advice: words::advice(f),
        places: places(f, files, sources),
        values: values(f),
        measured: measurements.of(&f.location, &f.operation),
        symptoms,
        causes: f.causes.iter().map(|cause| node(cause, files, sources)).collect(),
        callers: f.callers.iter().map(|caller| place(caller, None, files, sources)).collect(),
        stack: f.stack.iter().map(|frame| of_frame(frame, files, sources)).collect(),
    }
}

/// Which lines feed which, by the causes of a finding.
fn note_flow(f: &Finding, files: &mut Files) {
    let measured = || f.causes.iter().filter_map(|c| Some((c, c.measured.as_ref()?)));
    for (cause, m) in measured() {
        for operand in &m.operands {
            if let Some((from, _)) = measured().find(|(_, other)| other.node == *operand) {
                files.note_flow(&from.location, &cause.location);
            }
        }
    }
    files.note_flow(&f.location, f.seen_at());
    f.symptoms.iter().for_each(|s| files.note_flow(&f.location, &s.location));
}

fn places(f: &Finding, files: &mut Files, sources: &mut Sources) -> Vec<Seen> {
    let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
    let mut one = |role: String, location: &Location, operation: &str| Seen {
        role,
        place: place(location, Some(operation), files, sources),
        function: clean(&location.function),
    };
    let same_line = |seen: &&Location| seen.file == f.location.file && seen.line == f.location.line;
    match f.observed_location.as_ref() {
        None => vec![one("produced".to_owned(), &f.location, &f.operation)],
        Some(seen) if same_line(&seen) => {
            vec![one(format!("produced and seen{observable}"), &f.location, &f.operation)]
        }
        Some(seen) => {
            vec![one("produced".to_owned(), &f.location, &f.operation), one(format!("seen{observable}"), seen, "")]
        }
    }
}

fn values(f: &Finding) -> Option<Values> {
    let w = &f.worst;
    let is_number = is_measured(f.kind) && w.value.is_finite() && w.shadow.is_finite();
    is_number.then(|| Values {
        value: number(w.value),
        ideal: number(w.shadow),
        radius: number(w.radius.unwrap_or(0.0)),
        value_text: decimal_of(w.value, w.precision),
        ideal_text: ideal(w.shadow, w.radius),
    })
}

fn node(cause: &Cause, files: &mut Files, sources: &mut Sources) -> Node {
    let growth = cause.growth.as_ref().map(|g| Growth {
        stages: g.stages,
        faults: g.faults,
        first: g.first_fault,
        last: g.last_fault,
        before: number(g.before),
        after: number(g.after),
        samples: g.samples.clone(),
    });
    Node {
        operation: clean(&cause.operation),
        effect: words::effect(cause),
        place: place(&cause.location, Some(&cause.operation), files, sources),
        function: clean(&cause.location.function),
        measured: cause.measured.as_ref().map(numbers),
        growth,
    }
}

fn numbers(m: &Measured) -> Numbers {
    let values = (!m.value.is_nan()).then(|| format!("value {}, ideal {}", decimal(m.value), ideal(m.ideal, m.radius)));
    Numbers {
        node: m.node,
        operands: m.operands.clone(),
        error: number(m.relative_error),
        introduced: number(m.introduced_error),
        error_text: rough(m.relative_error),
        introduced_text: rough(m.introduced_error.max(0.0)),
        values,
        count: m.count,
        dominant: m.dominant,
        typical: m.typical,
    }
}

fn of_frame(frame: &nonius_finding::Frame, files: &mut Files, sources: &mut Sources) -> Place {
    let location = Location::new(&frame.file, frame.line, frame.column, "");
    // Frames of libraries lead to files that nobody has here: only those with findings or operations are packed.
    let file = location.has_line().then(|| files.number(&frame.file)).flatten();
    Place { file, line: frame.line, text: words::frame(frame, sources), mark: None }
}
