//! What is read of Nonius's JSON report. Declared here, so that a change of the contract does not go unnoticed.

use crate::worst::Shown;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

#[derive(Debug, Deserialize)]
pub struct Report {
    schema: String,
    #[serde(default)]
    oracle: String,
    findings: Vec<Finding>,
    #[serde(default)]
    operations: Vec<Operation>,
    #[serde(default)]
    observables: Vec<Observable>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    stopped: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Finding {
    kind: String,
    location: Location,
    observed_at: String,
    #[serde(default)]
    observed_location: Option<Location>,
    /// Where else the same error was seen.
    #[serde(default)]
    symptoms: Vec<Symptom>,
    #[serde(default)]
    worst: Option<Worst>,
}

#[derive(Debug, Deserialize)]
struct Symptom {
    kind: String,
    location: Location,
    observed_at: String,
    #[serde(default)]
    worst: Option<Worst>,
}

/// The worst that was seen at a place.
#[derive(Debug, Deserialize)]
struct Worst {
    value: Value,
    shadow: Value,
    #[serde(default)]
    radius: Option<Value>,
    relative_error: Value,
}

impl Worst {
    fn shown(&self) -> Shown {
        Shown {
            value: number(&self.value),
            ideal: number(&self.shadow),
            radius: self.radius.as_ref().map(number),
            relative_error: number(&self.relative_error),
        }
    }
}

/// A number, or a string for what JSON has no number for.
fn number(value: &Value) -> f64 {
    value.as_f64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(f64::NAN)
}

/// A root and its symptoms in output: what is shown of each line, the one that the finding shows itself first.
pub type Lines = Vec<(u32, Shown)>;

#[derive(Debug, Deserialize)]
struct Observable {
    location: Location,
    observed_at: String,
    #[serde(default)]
    open: u64,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Debug, Deserialize)]
struct Operation {
    location: Location,
    operation: String,
    max_error: Value,
}

/// An operation or an observable of a program, by file, line, column and what it is.
pub type Place = (String, u32, u32, String);

impl Location {
    fn place(&self, what: &str) -> Place {
        let file = self.file.rsplit('/').next().unwrap_or_default();
        (file.to_owned(), self.line, self.column, what.to_owned())
    }
}

impl Report {
    pub fn read(path: &Path) -> Result<Report> {
        let text = fs::read_to_string(path).with_context(|| format!("no report at {}", path.display()))?;
        Report::parse(&text)
    }

    pub fn parse(text: &str) -> Result<Report> {
        let report: Report = serde_json::from_str(text).context("the report is not understood")?;
        ensure!(report.schema == "nonius-report/2", "the report has the schema '{}'", report.schema);
        if let Some(why) = &report.stopped {
            anyhow::bail!("the analysis stopped: {why}");
        }
        Ok(report)
    }

    /// Where losses of precision were seen, and at what kind of place: roots and their symptoms.
    fn losses(&self) -> impl Iterator<Item = (&Location, &str)> {
        let seen = self.findings.iter().flat_map(|f| {
            let shown = (f.kind.as_str(), f.observed_location.as_ref().unwrap_or(&f.location), f.observed_at.as_str());
            let symptoms = f.symptoms.iter().map(|s| (s.kind.as_str(), &s.location, s.observed_at.as_str()));
            std::iter::once(shown).chain(symptoms)
        });
        seen.filter(|(kind, ..)| *kind == "precision-loss").map(|(_, location, at)| (location, at))
    }

    /// Lines of output at which a loss of precision was seen.
    pub fn lines(&self) -> BTreeSet<u32> {
        self.losses().filter(|(_, at)| *at == "output").map(|(location, _)| location.line).collect()
    }

    /// What each finding of a loss of precision shows of lines of output.
    pub fn worsts(&self) -> Vec<Lines> {
        let of_root = |f: &Finding| {
            let here = f.observed_location.as_ref().unwrap_or(&f.location);
            let shown = (f.kind.as_str(), here, f.observed_at.as_str(), f.worst.as_ref());
            let symptoms =
                f.symptoms.iter().map(|s| (s.kind.as_str(), &s.location, s.observed_at.as_str(), s.worst.as_ref()));
            let seen = std::iter::once(shown).chain(symptoms);
            let in_output = seen.filter(|(kind, _, at, _)| *kind == "precision-loss" && *at == "output");
            in_output.filter_map(|(_, location, _, worst)| Some((location.line, worst?.shown()))).collect()
        };
        self.findings.iter().map(of_root).collect()
    }

    /// Lines of output with a verdict that the engine leaves open.
    pub fn open_lines(&self) -> BTreeSet<u32> {
        let open = self.observables.iter().filter(|o| o.observed_at == "output" && o.open > 0);
        open.map(|o| o.location.line).collect()
    }

    /// Open verdicts at other places: a function that returns to several outputs has them all at one.
    pub fn open_elsewhere(&self) -> usize {
        let elsewhere = self.observables.iter().filter(|o| o.observed_at != "output");
        elsewhere.map(|o| o.open as usize).sum()
    }

    /// Whether any loss of precision was found.
    pub fn has_loss(&self) -> bool {
        self.losses().next().is_some()
    }

    /// Where losses of precision were seen.
    pub fn observed(&self) -> BTreeSet<Place> {
        self.losses().map(|(location, at)| location.place(at)).collect()
    }

    /// The largest relative error of each operation; of several copies of one, the largest of all.
    pub fn errors(&self) -> BTreeMap<Place, f64> {
        let mut errors = BTreeMap::new();
        for operation in &self.operations {
            let error = operation.max_error.as_f64().unwrap_or(f64::INFINITY);
            let entry = errors.entry(operation.location.place(&operation.operation)).or_insert(0.0f64);
            *entry = entry.max(error);
        }
        errors
    }

    /// How often the program was executed again, from an oracle that does so. A note says it, if it was at all.
    pub fn reexecutions(&self) -> Option<u64> {
        let executions = self.notes.iter().find_map(|note| {
            let (count, rest) = note.strip_prefix("residue override: ")?.split_once(' ')?;
            rest.starts_with("execution").then(|| count.parse::<u64>().ok())?
        });
        let silent = self.oracle == "residue-override";
        executions.map(|n| n.saturating_sub(1)).or(silent.then_some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_by_line() {
        let text = r#"{"schema": "nonius-report/2", "findings": [
            {"kind": "precision-loss", "observed_at": "output", "location": {"file": "a/f.c", "line": 7, "column": 5}},
            {"kind": "precision-loss", "observed_at": "output", "location": {"file": "f.c", "line": 3, "column": 5},
             "worst": {"value": 0.5, "shadow": "inf", "radius": 1e-9, "relative_error": 1.0},
             "observed_location": {"file": "f.c", "line": 9, "column": 5}, "symptoms": [
             {"kind": "precision-loss", "observed_at": "output", "location": {"file": "f.c", "line": 11, "column": 5}},
             {"kind": "precision-loss", "observed_at": "store", "location": {"file": "f.c", "line": 12, "column": 5}},
             {"kind": "branch-flip", "observed_at": "branch", "location": {"file": "f.c", "line": 13, "column": 5}}]},
            {"kind": "nan", "observed_at": "operation", "location": {"file": "f.c", "line": 8, "column": 5}}],
            "operations": [
            {"location": {"file": "f.c", "line": 3, "column": 5}, "operation": "subtraction", "max_error": 0.5},
            {"location": {"file": "f.c", "line": 3, "column": 5}, "operation": "subtraction", "max_error": "inf"}]}"#;
        let report = Report::parse(text).unwrap();
        assert_eq!(report.lines(), BTreeSet::from([7, 9, 11]));
        assert!(report.has_loss());
        let shown = Shown { value: 0.5, ideal: f64::INFINITY, radius: Some(1e-9), relative_error: 1.0 };
        assert_eq!(report.worsts(), [vec![], vec![(9, shown)], vec![]]);
        assert_eq!(report.observed().first().unwrap(), &("f.c".to_owned(), 7, 5, "output".to_owned()));
        assert_eq!(report.errors().into_values().collect::<Vec<_>>(), [f64::INFINITY]);
        assert_eq!(report.reexecutions(), None);
    }

    #[test]
    fn executions_are_read_from_notes() {
        let with = |oracle: &str, note: &str| {
            let text = format!(
                r#"{{"schema": "nonius-report/2", "oracle": "{oracle}", "findings": [], "notes": ["a note"{note}]}}"#
            );
            Report::parse(&text).unwrap().reexecutions()
        };
        assert_eq!(with("residue", ""), None);
        assert_eq!(with("residue-override", ""), Some(0));
        assert_eq!(with("mpfr:256", r#", "residue override: 3 executions settled 7 residues""#), Some(2));
    }

    #[test]
    fn other_reports_are_refused() {
        assert!(Report::parse("{}").is_err());
        assert!(Report::parse(r#"{"schema": "nonius-report/9", "findings": []}"#).is_err());
        let stopped = r#"{"schema": "nonius-report/2", "findings": [], "stopped": "after 3 operations"}"#;
        assert!(Report::parse(stopped).unwrap_err().to_string().contains("after 3 operations"));
    }
}
