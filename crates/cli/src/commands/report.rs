//! `nonius report`.

use crate::arguments::{FormatFlags, ReportArguments};
use crate::exit::Status;
use crate::terminal;
use anyhow::{Context, Result};
use nonius_finding::{Report, Selection};
use nonius_report::text::{self, TextOptions};
use nonius_report::{Sources, html, json, sarif};
use std::env;
use std::io;

/// Shows a report in another form. Findings in it are no failure: they were one when it was made.
pub fn report(arguments: &ReportArguments) -> Result<Status> {
    let report = json::read(&arguments.file)?;
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
    Ok(Status::Clean)
}

fn render(report: &Report, format: &FormatFlags, options: TextOptions) -> Result<String> {
    let mut sources = Sources::new(env::current_dir().ok());
    Ok(match format {
        FormatFlags { json: true, .. } => json::write(report)?,
        FormatFlags { sarif: true, .. } => sarif::write(report, &mut sources)?,
        FormatFlags { html: true, .. } => html::write(report, &mut sources),
        _ => text::render(
            report,
            &mut sources,
            &TextOptions { stats: true, selection: Selection::EVERYTHING, ..options },
        ),
    })
}
