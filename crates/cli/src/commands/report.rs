//! `nonius report`.

use super::reports::read_all;
use crate::arguments::{FormatFlags, ReportArguments};
use crate::exit::Status;
use crate::terminal;
use anyhow::{Context, Result};
use nonius_finding::Report;
use nonius_report::text::{self, TextOptions};
use nonius_report::{Sources, html, json, sarif};
use std::env;
use std::io;

/// Shows a report in another form, or one of many. Findings in it are no failure, they were one when it was made; but
/// what a baseline has not is.
pub fn report(arguments: &ReportArguments) -> Result<Status> {
    let mut report = read_all(&arguments.files)?;
    if let Some(path) = &arguments.baseline {
        super::baseline::apply(&mut report, path)?;
    }
    let options = match &arguments.output {
        Some(_) => TextOptions::default(),
        None => terminal::text_options(&io::stdout()),
    };
    let text = render(&report, &arguments.format, options)?;
    match &arguments.output {
        Some(path) => nonius_report::create::write(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => super::print(&text)?,
    }
    let fails = arguments.baseline.is_some() && !report.findings.is_empty();
    Ok(if fails { Status::Findings } else { Status::Clean })
}

fn render(report: &Report, format: &FormatFlags, options: TextOptions) -> Result<String> {
    let mut sources = Sources::new(env::current_dir().ok());
    Ok(match format {
        FormatFlags { json: true, .. } => json::write(report)?,
        FormatFlags { sarif: true, .. } => sarif::write(report, &mut sources)?,
        FormatFlags { html: true, .. } => html::write(report, &mut sources),
        _ => text::render(report, &mut sources, &TextOptions { stats: true, ..options }),
    })
}
