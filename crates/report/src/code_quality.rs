//! GitLab's code quality report: a list of issues, shown in a merge request.

use crate::source::Sources;
use crate::{repository, words};
use nonius_finding::{Finding, ObservedAt, Report, Severity};
use serde_json::{Value, json};
use std::path::Path;

/// The findings as JSON, with paths that begin at `root`. An issue needs a file: one without debug information is the program's.
pub fn write(report: &Report, sources: &Sources, root: Option<&Path>) -> Result<String, serde_json::Error> {
    let issues: Vec<_> = report.findings.iter().map(|f| issue(f, report, sources, root)).collect();
    let mut text = serde_json::to_string_pretty(&issues)?;
    text.push('\n');
    Ok(text)
}

fn issue(f: &Finding, report: &Report, sources: &Sources, root: Option<&Path>) -> Value {
    let file = if f.location.file.is_empty() { &report.program.path } else { &f.location.file };
    json!({
        "description": format!("{}. {}", words::headline(f), words::advice(f)),
        "check_name": f.kind.as_str(),
        "fingerprint": f.id,
        "severity": severity(f),
        "location": {
            "path": repository::path(file, sources, root),
            "lines": { "begin": f.location.line.max(1) },
        },
    })
}

fn severity(f: &Finding) -> &'static str {
    match f.severity {
        Severity::Error if f.observed_at == ObservedAt::Output => "critical",
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    }
}
