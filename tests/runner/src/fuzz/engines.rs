//! The inline engine's findings against the event engine's, on one program.
//!
//! Verdicts are three-valued: found, clear, open (docs/decisions/estimates.md). A finding that MPFR refutes, because it
//! is clear by MPFR, and an error far over the threshold that MPFR finds and that is clear to the inline engine, are
//! failures. An open verdict contradicts nothing: what MPFR leaves open refutes no finding, and what the inline engine
//! leaves open it has not missed (class *open*, which `nonius run` settles). Where MPFR is asked twice, with twice
//! the bits, and changes its mind, there is no verdict.
//!
//! Three classes are known limits of a residue that is one double (docs/book/limits.md), and are counted apart:
//! - *range*: a value or its ideal is outside the range in which residues are representable;
//! - *absorption*: the value came out as 0, or the errors of its operands cancelled to their last bit, and took the
//!   residue along;
//! - *noise*: the ideal is 0 as far as a residue can tell, and what is left of it is the residue's own rounding.
//!
//! A third opinion tells a limit of residues from a fault of the engine: the event engine's own oracle of residues
//! contradicts MPFR in the same way. (It has more digits than the inline engine for floats: there the ideal is one
//! double, and what that absorbs is of class *float-shadow*.) What it shares and none of these explains, such as the
//! logarithm of noise, is of class *residue*.
//!
//! One is the inline engine's intent: it judges by the narrowest format that a value came through in its function, MPFR
//! by the format where it is seen. An error within what *short formats* allow (docs/options.md, `standard`) is counted
//! apart, too.

use super::execute::{Run, execute};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The threshold of reports, and how far over it an error must be to be missed.
const THRESHOLD: f64 = 1.0 / (1u64 << 19) as f64;
const FAR: f64 = 1024.0;
/// What 32 roundings of a bfloat come to.
const SHORT_THRESHOLD: f64 = 1.0 / 8.0;

/// MPFR's precision, and that of the second question. (At 1024 bits, MPFR's `erf` takes milliseconds.)
pub const BITS: u32 = 256;
const MORE_BITS: u32 = 512;

#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    pub findings: Vec<Finding>,
    #[serde(default)]
    pub observables: Vec<Observable>,
    /// Lines and places that were reported, also where the finding names another place.
    #[serde(skip)]
    pub reported: HashSet<(u32, String)>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    pub id: String,
    pub kind: String,
    pub location: Location,
    pub observed_at: String,
    #[serde(default)]
    pub observed_location: Option<Location>,
    pub operation: String,
    pub worst: Worst,
    #[serde(default)]
    symptoms: Vec<Symptom>,
}

/// Where else the same error was seen.
#[derive(Clone, Debug, Deserialize)]
struct Symptom {
    kind: String,
    location: Location,
    observed_at: String,
    worst: Worst,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// Numbers that JSON does not have come as strings.
#[derive(Clone, Debug, Deserialize)]
pub struct Worst {
    value: serde_json::Value,
    shadow: serde_json::Value,
    relative_error: serde_json::Value,
    #[serde(default)]
    precision: String,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Observable {
    pub location: Location,
    pub observed_at: String,
    pub count: u64,
    pub max_error: serde_json::Value,
    pub not_followed: u64,
    #[serde(default)]
    pub open: u64,
}

/// Why two engines may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Nothing explains it.
    None,
    Range,
    Absorption,
    Noise,
    /// The inline engine says that it does not know.
    Open,
    /// An absorption that the event engine's residues do see: the inline engine keeps the ideal of a float as one
    /// double.
    FloatShadow,
    /// The event engine's residues say the same as the inline engine's.
    Residue,
    ShortFormat,
}

/// A finding of one engine that the other contradicts.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Found inline and refuted, or seen by MPFR alone.
    pub is_refuted: bool,
    pub class: Class,
    pub line: u32,
    /// The line where it was seen.
    pub seen: u32,
    /// Whether its format is float or shorter, whose ideal is one double in the inline engine.
    pub is_short: bool,
    /// The relative error, by who found it.
    pub error: f64,
    pub text: String,
}

impl Contradiction {
    /// An ideal that is one double has a rounding error of its own, which cancellations before it have made large.
    fn is_within_float_noise(&self) -> bool {
        self.is_refuted && self.is_short && self.error <= FAR * THRESHOLD
    }
}

impl Report {
    pub fn read(path: &Path) -> Result<Report> {
        let text = fs::read_to_string(path).context("the program left no report")?;
        let mut report: Report = serde_json::from_str(&text).context("the report is not of the documented form")?;
        // A root and each of its symptoms are judged for themselves.
        let symptoms: Vec<Finding> = report.findings.iter_mut().flat_map(Finding::take_symptoms).collect();
        report.findings.extend(symptoms);
        Ok(report)
    }

    /// The finding of this kind of the same operation, or seen in the same place. One that names another operation to blame
    /// stands for all observables of a line: reports keep one place a finding.
    fn has(&self, wanted: &Finding) -> bool {
        let (location, place) = wanted.seen();
        let is_same = |f: &Finding| f.id == wanted.id || f.seen() == wanted.seen() || f.is_sighting_of(wanted);
        self.findings.iter().any(|f| f.kind == wanted.kind && is_same(f))
            || self.reported.contains(&(location.line, place.to_owned()))
    }

    /// The largest relative error seen where the finding was; `None` if nothing was seen, something was not followed or
    /// a verdict is open.
    fn error_at(&self, finding: &Finding) -> Option<f64> {
        let (location, at) = finding.seen();
        let places: Vec<&Observable> =
            self.observables.iter().filter(|o| o.location == *location && o.observed_at == at && o.count > 0).collect();
        let is_settled = !places.is_empty() && places.iter().all(|o| o.not_followed == 0 && o.open == 0);
        is_settled.then(|| places.iter().map(|o| number(&o.max_error)).fold(0.0, f64::max))
    }

    /// Whether as much of an error was seen on the line; without a finding, it was taken for noise.
    fn sees(&self, c: &Contradiction) -> bool {
        let is_there = |o: &&Observable| o.location.line == c.seen && number(&o.max_error) >= c.error / 2.0;
        self.findings.iter().all(|f| f.seen().0.line != c.seen) && self.observables.iter().any(|o| is_there(&o))
    }

    /// Whether a verdict of this line and place (all places, if `None`) was left open.
    pub fn is_open(&self, line: u32, place: Option<&str>) -> bool {
        let is_there = |o: &&Observable| o.location.line == line && place.is_none_or(|p| o.observed_at == p);
        self.observables.iter().filter(is_there).any(|o| o.open > 0)
    }
}

impl Finding {
    /// Its symptoms, as findings of the same operation; decisions are operations of their own.
    fn take_symptoms(&mut self) -> Vec<Finding> {
        let symptoms = std::mem::take(&mut self.symptoms);
        let as_finding = |s: Symptom| {
            let location = if s.kind == self.kind { self.location.clone() } else { s.location.clone() };
            Finding {
                kind: s.kind,
                location,
                observed_at: s.observed_at,
                observed_location: Some(s.location),
                worst: s.worst,
                ..self.clone()
            }
        };
        symptoms.into_iter().map(as_finding).collect()
    }

    fn seen(&self) -> (&Location, &str) {
        (self.observed_location.as_ref().unwrap_or(&self.location), &self.observed_at)
    }

    /// Seen on the same line with as much of an error. Judged programs are held against exact arithmetic value by value.
    fn is_sighting_of(&self, other: &Finding) -> bool {
        let [ours, theirs] = [self, other].map(|f| number(&f.worst.relative_error));
        self.seen().0.line == other.seen().0.line && ours >= theirs / 2.0
    }

    fn is_loss(&self) -> bool {
        self.kind == "precision-loss"
    }

    fn class(&self, is_refuted: bool) -> Class {
        let (value, ideal) = (number(&self.worst.value).abs(), number(&self.worst.shadow).abs());
        // The range of residues, and how small an ideal is beside a value that is nothing but rounding error.
        let (least, most, nothing) = match self.worst.precision.as_str() {
            "double" | "x87" | "quad" => (-900, 1000, -20),
            "float" => (-100, 126, -10),
            _ => (-12, 15, -5),
        };
        let exp2 = |n: i32| f64::from(n).exp2();
        let in_range = |x: f64| x == 0.0 || (x > exp2(least) && x < exp2(most));
        // What residues round away of operands of the sizes that programs get.
        let is_small_zero = value == 0.0 && ideal <= exp2(-30);
        if !in_range(value) || !in_range(ideal) {
            Class::Range
        } else if is_refuted
            && (is_small_zero || ideal <= exp2(nothing) * value || value != 0.0 && value <= exp2(nothing) * ideal)
        {
            // Such an ideal, or a quotient by it.
            Class::Noise
        } else if !is_refuted && (value == 0.0 || ideal <= exp2(nothing) * value) {
            Class::Absorption
        } else if !is_refuted && ideal <= exp2(-10) * value {
            Class::FloatShadow
        } else {
            Class::None
        }
    }

    fn text(&self) -> String {
        let (seen, at) = self.seen();
        format!(
            "{} in {} at {}:{}, seen at {}:{} in {at}: value {}, ideal {}, relative error {}",
            self.kind,
            self.operation,
            self.location.line,
            self.location.column,
            seen.line,
            seen.column,
            self.worst.value,
            self.worst.shadow,
            self.worst.relative_error
        )
    }
}

fn number(value: &serde_json::Value) -> f64 {
    match value {
        serde_json::Value::String(text) => text.parse().unwrap_or(f64::NAN),
        other => other.as_f64().unwrap_or(f64::NAN),
    }
}

/// Runs the instrumented binary under an oracle.
pub fn ask(dir: &Path, binary: &str, oracle: &str) -> Result<(Run, Report)> {
    let path = dir.join("events.json");
    let _ = fs::remove_file(&path);
    let run =
        execute(dir, binary, &format!("oracle={oracle}:constants=exact:resume=0:quiet=1:report={}", path.display()))?;
    let report = Report::read(&path).with_context(|| format!("oracle={oracle}: {}", run.stderr))?;
    Ok((run, report))
}

/// What the engines contradict each other in; MPFR is asked again where it contradicts.
pub fn contradictions(
    dir: &Path,
    binary: &str,
    inline: &Report,
    mpfr: &Report,
    has_short_formats: bool,
) -> Result<Vec<Contradiction>> {
    let mut found = between(inline, mpfr);
    if found.is_empty() {
        return Ok(found);
    }
    let (_, again) = ask(dir, binary, &format!("mpfr:{MORE_BITS}"))?;
    let (_, residues) = ask(dir, binary, "residue")?;
    let (lasting, of_residues) = (between(inline, &again), between(&residues, &again));
    // The operation to blame is each oracle's own opinion, where it was seen is not.
    let is_like = |a: &Contradiction, b: &Contradiction| a.line == b.line || a.seen == b.seen;
    let is_among =
        |all: &[Contradiction], c: &Contradiction| all.iter().any(|l| l.is_refuted == c.is_refuted && is_like(l, c));
    found.retain(|c| is_among(&lasting, c));
    for c in &mut found {
        c.class = match c.class {
            Class::Range | Class::Open => c.class,
            _ if has_short_formats && !c.is_refuted && c.error <= SHORT_THRESHOLD => Class::ShortFormat,
            Class::FloatShadow => Class::FloatShadow,
            _ if c.is_within_float_noise() => Class::FloatShadow,
            Class::Absorption if !is_among(&of_residues, c) => Class::FloatShadow,
            // The event engine's residues know their noise, and leave such a verdict open.
            Class::Noise => Class::Noise,
            _ if c.is_refuted && residues.sees(c) => Class::Noise,
            _ if !is_among(&of_residues, c) => Class::None,
            Class::None => Class::Residue,
            class => class,
        };
    }
    Ok(found)
}

/// The same for the oracle of residues, which does what the inline engine does and knows no more.
pub fn of_residues(inline: &Report, residues: &Report, has_short_formats: bool) -> Vec<Contradiction> {
    let mut found = between(inline, residues);
    let is_short = |c: &Contradiction| has_short_formats && !c.is_refuted && c.error <= SHORT_THRESHOLD;
    found.retain(|c| c.class == Class::None && !c.is_within_float_noise() && !is_short(c));
    found
}

fn between(inline: &Report, mpfr: &Report) -> Vec<Contradiction> {
    let contradiction = |finding: &Finding, is_refuted: bool, text: String| Contradiction {
        is_refuted,
        class: finding.class(is_refuted),
        line: finding.location.line,
        seen: finding.seen().0.line,
        is_short: !matches!(finding.worst.precision.as_str(), "double" | "x87" | "quad"),
        error: number(&finding.worst.relative_error),
        text,
    };
    let refuted = inline.findings.iter().filter(|f| f.is_loss() && !mpfr.has(f)).filter_map(|finding| {
        let error = mpfr.error_at(finding)?;
        // Close to the threshold both may be right.
        let text = format!("{}; by MPFR the error is {error:e}", finding.text());
        (error < THRESHOLD / 2.0).then(|| contradiction(finding, true, text))
    });
    let far = |f: &&Finding| f.is_loss() && number(&f.worst.relative_error) > FAR * THRESHOLD;
    let missed = mpfr.findings.iter().filter(far).filter(|f| !inline.has(f));
    let missed = missed.map(|finding| {
        let mut missed = contradiction(finding, false, finding.text());
        // What goes back to an operation whose residue was absorbed was lost with it.
        let mut of_root = mpfr.findings.iter().filter(|f| f.is_loss() && f.id == finding.id);
        if missed.class == Class::None && of_root.any(|f| f.class(false) == Class::Absorption) {
            missed.class = Class::Absorption;
        }
        if inline.is_open(missed.seen, None) {
            missed.class = Class::Open;
        }
        missed
    });
    refuted.chain(missed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: u32, value: f64, ideal: f64) -> Finding {
        let worst = Worst {
            value: value.into(),
            shadow: ideal.into(),
            relative_error: ((value - ideal) / ideal).abs().into(),
            precision: "double".into(),
        };
        let location = Location { file: "a.c".into(), line, column: 1 };
        let (kind, observed_at) = ("precision-loss".into(), "store".into());
        Finding {
            id: line.to_string(),
            kind,
            location,
            observed_at,
            observed_location: None,
            operation: "add".into(),
            worst,
            symptoms: Vec::new(),
        }
    }

    fn report(findings: Vec<Finding>, seen: &[(u32, f64, u64)]) -> Report {
        let observables = seen.iter().map(|&(line, error, not_followed)| Observable {
            location: Location { file: "a.c".into(), line, column: 1 },
            observed_at: "store".into(),
            count: 1,
            max_error: error.into(),
            not_followed,
            open: 0,
        });
        Report { findings, observables: observables.collect(), reported: HashSet::new() }
    }

    #[test]
    fn agreement_and_what_was_not_followed_are_silent() {
        let both = report(vec![finding(1, 1.0, 2.0)], &[(1, 0.5, 0)]);
        assert_eq!(between(&both, &both), []);
        assert_eq!(between(&both, &report(vec![], &[(1, 0.0, 3)])), []);
        assert_eq!(between(&both, &report(vec![], &[])), []);
    }

    #[test]
    fn refuted_and_missed() {
        let one = report(vec![finding(1, 1.0, 2.0)], &[]);
        let refuted = between(&one, &report(vec![], &[(1, 1e-16, 0)]));
        assert!(matches!(&refuted[..], [Contradiction { is_refuted: true, class: Class::None, .. }]), "{refuted:?}");
        let missed = between(&report(vec![], &[]), &one);
        assert!(matches!(&missed[..], [Contradiction { is_refuted: false, class: Class::None, .. }]), "{missed:?}");
        // Reported inline, in a finding that names another place.
        let reported = HashSet::from([(1, "store".to_owned())]);
        assert_eq!(between(&Report { reported, ..report(vec![], &[]) }, &one), []);
        // Not far over the threshold.
        assert_eq!(between(&report(vec![], &[]), &report(vec![finding(1, 1.0, 1.00001)], &[])), []);
    }

    #[test]
    fn an_open_verdict_contradicts_nothing() {
        let open = |mut report: Report| {
            report.observables[0].open = 1;
            report
        };
        let one = report(vec![finding(1, 1.0, 2.0)], &[]);
        assert_eq!(between(&one, &open(report(vec![], &[(1, 1e-16, 0)]))), []);
        let missed = between(&open(report(vec![], &[(1, 0.0, 0)])), &one);
        assert!(matches!(&missed[..], [Contradiction { class: Class::Open, .. }]), "{missed:?}");
        let elsewhere = between(&open(report(vec![], &[(2, 0.0, 0)])), &one);
        assert!(matches!(&elsewhere[..], [Contradiction { class: Class::None, .. }]), "{elsewhere:?}");
    }

    #[test]
    fn what_goes_back_to_an_absorption_is_one() {
        let of_root = |line, value, ideal| Finding { id: "root".into(), ..finding(line, value, ideal) };
        let mpfr = report(vec![of_root(1, 0.0, 1.0), of_root(2, 2.0, 8.0), finding(3, 2.0, 8.0)], &[]);
        let missed = between(&report(vec![], &[]), &mpfr);
        let classes: Vec<_> = missed.iter().map(|c| c.class).collect();
        assert_eq!(classes, [Class::Absorption, Class::Absorption, Class::None]);
    }

    #[test]
    fn classes() {
        assert_eq!(finding(1, 0.0, 1.0).class(false), Class::Absorption);
        assert_eq!(finding(1, 1e-17, 1e-33).class(true), Class::Noise);
        assert_eq!(finding(1, 0.0, 1e-33).class(true), Class::Noise);
        assert_eq!(finding(1, 0.0, 1e-3).class(true), Class::None);
        assert_eq!(finding(1, 1e-300, 2e-300).class(true), Class::Range);
        assert_eq!(finding(1, 1.0, 2.0).class(true), Class::None);
    }

    #[test]
    fn residues_that_see_an_error_and_find_nothing_take_it_for_noise() {
        let refuted = between(&report(vec![finding(1, 1.0, 2.0)], &[]), &report(vec![], &[(1, 1e-16, 0)])).remove(0);
        assert!(report(vec![], &[(1, 0.5, 0)]).sees(&refuted));
        assert!(!report(vec![], &[(1, 1e-3, 0)]).sees(&refuted));
        assert!(!report(vec![], &[(2, 0.5, 0)]).sees(&refuted));
        assert!(!report(vec![finding(1, 1.0, 2.0)], &[(1, 0.5, 0)]).sees(&refuted));
    }
}
