//! `nonius suppress`.

use super::explain::{find, kept_with};
use super::reports::read_all;
use crate::arguments::SuppressArguments;
use crate::exit::Status;
use anyhow::{Context, Result, bail};
use nonius_driver::project;
use nonius_finding::{Finding, Suppressions};
use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

const HEAD: &str = "\
# Findings that are accepted, each with the reason why. 'nonius run', 'nonius check' and 'cargo nonius' read this file
# by themselves, programs that are run directly with NONIUS_OPTIONS=suppressions=FILE.
";

/// Writes the line that suppresses a finding.
pub fn suppress(arguments: &SuppressArguments) -> Result<Status> {
    // The line ends where the reason does.
    let reason = arguments.reason.split_whitespace().collect::<Vec<_>>().join(" ");
    if reason.is_empty() {
        bail!("a suppression needs a reason: --reason \"why this is acceptable\"");
    }
    let report = match &arguments.report {
        Some(path) => read_all(std::slice::from_ref(path))?,
        None => kept_with(&arguments.id)?,
    };
    let finding = find(&report, &arguments.id)?;
    let here = env::current_dir().context("cannot find the working folder")?;
    let path = match &arguments.file {
        Some(path) => path.clone(),
        None => project::suppressions(&here).unwrap_or_else(|| project::new_suppressions(&here)),
    };
    let shown = path.display();
    let before = if path.exists() { Suppressions::read(&path)? } else { Suppressions::default() };
    if let Some(index) = before.find(finding) {
        let entry = &before.entries()[index];
        super::print(&format!("{} is suppressed already, by {shown}:{}: {}\n", finding.id, entry.line, entry.entry))?;
        return Ok(Status::Clean);
    }
    append(&path, &line(finding, &reason)).with_context(|| format!("cannot write {shown}"))?;
    super::print(&format!("{} is suppressed from now on, by {shown}\n", finding.id))?;
    Ok(Status::Clean)
}

/// The id decides, and the reader is told what it is of.
fn line(finding: &Finding, reason: &str) -> String {
    let place = &finding.location;
    let function = if place.function.is_empty() { String::new() } else { format!(" in {}", place.function) };
    let file = if place.file.is_empty() { String::new() } else { format!(", {}", place.file_name()) };
    let what: String =
        format!("{}{function}{file}", finding.operation).split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}:id={}  # {reason} ({what})\n", finding.kind, finding.id)
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let before = fs::read(path).unwrap_or_default();
    let start = match before.last() {
        None => HEAD,
        Some(b'\n') => "",
        Some(_) => "\n",
    };
    // The user's file, and perhaps a link to it: it stays what it is.
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(format!("{start}{line}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::{Kind, Location, ObservedAt, Precision, Worst};

    #[test]
    fn lines_read_back_whatever_the_names_hold() {
        let location = Location::new("/p/a.cpp", 3, 1, "ns::f(int,\n double)::{closure#0}");
        let worst = Worst::new(1.0, 2.0, Precision::Double);
        let mut finding = Finding::new(Kind::PrecisionLoss, ObservedAt::Store, location, "subtraction", worst);
        finding.id = "911954a041da-2".to_owned();
        let line = line(&finding, "below # a pixel");
        assert_eq!(
            line,
            "precision-loss:id=911954a041da-2  # below # a pixel (subtraction in ns::f(int, double)::{closure#0}, a.cpp)\n"
        );
        let read = Suppressions::parse(&line, "s").unwrap();
        assert_eq!(read.find(&finding), Some(0));
        finding.id = "911954a041da".to_owned();
        assert_eq!(read.find(&finding), None);
    }

    #[test]
    fn a_line_is_put_behind_the_last_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        append(&path, "a\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{HEAD}a\n"));
        fs::write(&path, "b").unwrap();
        append(&path, "a\n").unwrap();
        append(&path, "c\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "b\na\nc\n");
    }
}
