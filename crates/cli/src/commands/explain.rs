//! `nonius explain`.

use crate::arguments::ExplainArguments;
use crate::exit::Status;
use crate::kept::Kept;
use crate::terminal;
use anyhow::{Result, bail};
use nonius_finding::{Finding, Report};
use nonius_report::{Sources, dot, explain as words, json};
use std::env;
use std::io;
use std::path::Path;

/// The name that most reports have that are asked for.
const USUAL: &str = "nonius.json";

/// Shows one finding of a report with everything that is known of its causes.
pub fn explain(arguments: &ExplainArguments) -> Result<Status> {
    let report = match &arguments.file {
        Some(file) => json::read(file)?,
        None => kept_with(&arguments.id)?,
    };
    let finding = find(&report, &arguments.id)?;
    let mut sources = Sources::new(env::current_dir().ok());
    let text = match arguments.dot {
        true => dot::write(finding, &mut sources),
        false => terminal::fitted(words::render(finding, &mut sources), &io::stdout()),
    };
    super::print(&text)?;
    Ok(Status::Clean)
}

/// The newest report that was kept and has this finding, those of this folder first; or a `nonius.json` that is here.
pub fn kept_with(id: &str) -> Result<Report> {
    let kept = Kept::of_this_user().map(|kept| kept.reports()).unwrap_or_default();
    let here = Path::new(USUAL).is_file().then(|| USUAL.into());
    let mut reports = kept.into_iter().chain(here).filter_map(|path| json::read(&path).ok()).peekable();
    let Some(last) = reports.peek().cloned() else {
        bail!("no report was kept yet: 'nonius run PROGRAM' and 'nonius check FILE' keep theirs, or name a file")
    };
    let has = |report: &Report| {
        report.findings.iter().chain(&report.known).chain(&report.refuted).any(|f| f.id.starts_with(id))
    };
    Ok(reports.find(has).unwrap_or(last))
}

/// The finding whose id begins so, or is so.
pub fn find<'a>(report: &'a Report, id: &str) -> Result<&'a Finding> {
    let all = || report.findings.iter().chain(&report.known).chain(&report.refuted);
    if let Some(finding) = all().find(|f| f.id == id) {
        return Ok(finding);
    }
    let mut matching = all().filter(|f| f.id.starts_with(id));
    match (matching.next(), matching.next()) {
        (Some(finding), None) => Ok(finding),
        (Some(_), Some(_)) => bail!("several findings begin with {id}: give more of it"),
        (None, _) => {
            let ids: Vec<&str> = all().map(|f| f.id.as_str()).collect();
            match ids.is_empty() {
                true => bail!("there is no finding {id}: the report of {} has none", report.program.path),
                false => {
                    bail!("there is no finding {id}; the report of {} has: {}", report.program.path, ids.join(", "))
                }
            }
        }
    }
}
