//! The report as JSON. The schema is `docs/report.schema.json`.

use nonius_finding::{Program, Report, SCHEMA};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longer files are refused before they fill the memory.
pub const MAX_REPORT_BYTES: u64 = 1 << 28;

/// Forms whose findings read as they are now: they had no symptoms.
const OLDER: [&str; 1] = ["nonius-report/1"];

/// Why a report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read report {path}: {source}")]
    Io { path: String, source: io::Error },
    #[error("report {path} is larger than {MAX_REPORT_BYTES} bytes; is it the right file?")]
    TooLarge { path: String },
    #[error("{path} is not a Nonius report: {source}; write one with NONIUS_OPTIONS=report={path}")]
    Malformed { path: String, source: serde_json::Error },
    #[error(
        "{path} has schema '{found}', this Nonius reads '{SCHEMA}': use the Nonius that wrote it, or run the program again"
    )]
    Schema { path: String, found: String },
}

/// The report as JSON text, indented, ending in a newline.
pub fn write(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

/// Reads a report file.
pub fn read(path: &Path) -> Result<Report, ReadError> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let outcome = File::open(path).and_then(|f| f.take(MAX_REPORT_BYTES + 1).read_to_end(&mut bytes));
    match outcome {
        Err(source) => Err(ReadError::Io { path: name, source }),
        Ok(length) if length as u64 > MAX_REPORT_BYTES => Err(ReadError::TooLarge { path: name }),
        Ok(_) => parse(&bytes, &name),
    }
}

/// The program whose report is in a file, if there is a report.
pub fn program(path: &Path) -> Option<Program> {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
        program: Program,
    }

    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_REPORT_BYTES).read_to_end(&mut bytes).ok()?;
    let head: Head = serde_json::from_slice(&bytes).ok()?;
    head.schema.starts_with("nonius-report/").then_some(head.program)
}

/// Reads the bytes of a report; `path` names them in errors.
pub fn parse(bytes: &[u8], path: &str) -> Result<Report, ReadError> {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
    }

    let malformed = |source| ReadError::Malformed { path: path.to_owned(), source };
    // The version first: a report of another version fails anywhere else with a riddle.
    let head: Head = serde_json::from_slice(bytes).map_err(malformed)?;
    if head.schema != SCHEMA && !OLDER.contains(&head.schema.as_str()) {
        return Err(ReadError::Schema { path: path.to_owned(), found: head.schema });
    }
    let report: Report = serde_json::from_slice(bytes).map_err(malformed)?;
    Ok(Report { schema: SCHEMA.to_owned(), ..report })
}
