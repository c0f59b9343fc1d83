//! What the tests read of the JSON report. Declared here rather than shared with the product, so
//! that a change of the contract does not go unnoticed.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::Path;

#[derive(Debug, Deserialize)]
pub struct Report {
    pub schema: String,
    pub summary: Summary,
    pub findings: Vec<Finding>,
    #[serde(default)]
    pub observables: Vec<Observable>,
}

#[derive(Debug, Deserialize)]
pub struct Observable {
    pub location: Location,
    pub observed_at: String,
    /// Verdicts that depend on what the oracle does not know.
    #[serde(default)]
    pub open: u64,
    /// Verdicts that depend on how constants were rounded.
    #[serde(default)]
    pub open_by_constants: u64,
    /// Values on whose way something was computed by code that the engine does not see.
    #[serde(default)]
    pub not_followed: u64,
}

#[derive(Debug, Deserialize)]
pub struct Summary {
    pub findings: usize,
    pub coverage: Coverage,
}

#[derive(Debug, Deserialize)]
pub struct Coverage {
    pub functions_run: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Finding {
    pub kind: String,
    pub location: Location,
    pub observed_at: String,
    /// Where it was observed, if that is not where it was made.
    #[serde(default)]
    pub observed_location: Option<Location>,
    pub operation: String,
    pub count: u64,
    pub worst: Worst,
    /// Evidence that it does no harm.
    #[serde(default)]
    pub class: Option<String>,
    /// Where else its error was seen.
    #[serde(default)]
    pub symptoms: Vec<Symptom>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Symptom {
    pub kind: String,
    pub observed_at: String,
    pub location: Location,
    pub count: u64,
    pub worst: Worst,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    #[serde(default)]
    pub function: String,
}

/// Numbers that JSON cannot hold (NaN, infinities) come as strings, so all stay as they are written.
#[derive(Clone, Debug, Deserialize)]
pub struct Worst {
    pub value: serde_json::Value,
    pub shadow: serde_json::Value,
    pub bits_lost: serde_json::Value,
}

impl Location {
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }
}

impl Worst {
    pub fn bits_lost(&self) -> f64 {
        self.bits_lost.as_f64().unwrap_or(f64::NAN)
    }
}

impl Finding {
    pub fn bits_lost(&self) -> f64 {
        self.worst.bits_lost()
    }

    /// The decisions among its symptoms: findings in their own right, each with a place of its own.
    pub fn decisions(&self) -> impl Iterator<Item = Finding> {
        self.symptoms.iter().filter(|s| s.kind != self.kind).map(|s| Finding {
            kind: s.kind.clone(),
            location: s.location.clone(),
            observed_at: s.observed_at.clone(),
            observed_location: None,
            operation: format!("a symptom of {}", self.operation),
            count: s.count,
            worst: s.worst.clone(),
            class: None,
            symptoms: Vec::new(),
        })
    }
}

impl Report {
    /// Reads a report, and checks what must hold of any report of an instrumented program.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).context("the program left no report")?;
        let report: Self = serde_json::from_str(&text).context("the report is not of the documented form")?;
        if report.schema != "nonius-report/2" {
            bail!("the report's schema is `{}`", report.schema);
        }
        if report.summary.findings != report.findings.len() {
            bail!("the summary counts {} findings, the list has {}", report.summary.findings, report.findings.len());
        }
        if report.summary.coverage.functions_run == 0 {
            bail!("no instrumented function ran, so the report says nothing");
        }
        Ok(report)
    }
}
