//! `nonius explain`.

use crate::arguments::ExplainArguments;
use crate::exit::Status;
use anyhow::{Result, bail};
use nonius_finding::{Finding, Report};
use nonius_report::{Sources, dot, explain as words, json};
use std::env;

/// Shows one finding of a report with everything that is known of its causes.
pub fn explain(arguments: &ExplainArguments) -> Result<Status> {
    if !arguments.file.exists() {
        let file = arguments.file.display();
        bail!("there is no report {file}: keep one with 'nonius run --report={file} PROGRAM', or name another");
    }
    let report = json::read(&arguments.file)?;
    let finding = find(&report, &arguments.id)?;
    let mut sources = Sources::new(env::current_dir().ok());
    let text = match arguments.dot {
        true => dot::write(finding, &mut sources),
        false => words::render(finding, &mut sources),
    };
    super::print(&text)?;
    Ok(Status::Clean)
}

/// The finding whose id begins so, or is so.
pub fn find<'a>(report: &'a Report, id: &str) -> Result<&'a Finding> {
    let all = || report.findings.iter().chain(&report.known).chain(&report.refuted);
    let mut matching = all().filter(|f| f.id.starts_with(id));
    match (matching.next(), matching.next()) {
        _ if all().any(|f| f.id == id) => Ok(all().find(|f| f.id == id).expect("there is one")),
        (Some(finding), None) => Ok(finding),
        (Some(_), Some(_)) => bail!("several findings begin with {id}: give more of it"),
        (None, _) => {
            let ids: Vec<&str> = all().map(|f| f.id.as_str()).collect();
            bail!("there is no finding {id} in this report; it has: {}", ids.join(", "))
        }
    }
}
