//! `nonius report`.

use crate::arguments::{FormatFlags, ReportArguments};
use crate::exit::Status;
use crate::kept::{Kept, age};
use crate::{browser, services, terminal};
use anyhow::{Context, Result};
use nonius_finding::{Report, Selection};
use nonius_report::text::{self, TextOptions};
use nonius_report::{Sources, html, json, junit, markdown, sarif};
use std::env;
use std::io;
use std::path::{Path, PathBuf};

/// Shows a report in another form, or one of many. Findings in it are no failure, they were one when it was made; but
/// what a baseline has not is.
pub fn report(arguments: &ReportArguments) -> Result<Status> {
    let mut report = read(&arguments.files)?;
    if let Some(path) = &arguments.baseline {
        super::baseline::apply(&mut report, path)?;
    }
    let options = match &arguments.output {
        Some(_) => TextOptions::default(),
        None => terminal::text_options(&io::stdout()),
    };
    let text = render(&report, arguments, options)?;
    // A page for the browser has to be a file.
    let page = || Kept::of_this_user().map_or_else(|_| "nonius.html".into(), |kept| kept.page());
    match arguments.output.clone().or_else(|| arguments.open.then(page)) {
        Some(path) => {
            write(&path, &text)?;
            if arguments.open {
                browser::open(&path);
            }
        }
        None => super::print(&text)?,
    }
    let fails = arguments.baseline.is_some() && !report.findings.is_empty();
    Ok(if fails { Status::Findings } else { Status::Clean })
}

fn write(path: &Path, text: &str) -> Result<()> {
    nonius_report::create::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// The reports of files and folders as one, or the last one that was kept.
pub fn read(files: &[PathBuf]) -> Result<Report> {
    if files.is_empty() {
        let (report, path) = last()?;
        eprintln!("nonius: the last report, of {} ({})", report.program.path, age(&path));
        return Ok(report);
    }
    super::reports::read_all(files)
}

/// The last report that was kept: of this folder if there is one.
fn last() -> Result<(Report, PathBuf)> {
    let path = last_path()?;
    Ok((json::read(&path)?, path))
}

/// Where that is.
pub fn last_path() -> Result<PathBuf> {
    let kept = Kept::of_this_user().map(|kept| kept.reports()).unwrap_or_default();
    kept.into_iter()
        .next()
        .context("no report was kept yet: 'nonius run PROGRAM' and 'nonius check FILE' keep theirs, or name a file")
}

fn render(report: &Report, arguments: &ReportArguments, options: TextOptions) -> Result<String> {
    let mut sources = Sources::new(env::current_dir().ok());
    Ok(match &arguments.format {
        FormatFlags { json: true, .. } => json::write(report)?,
        FormatFlags { sarif: true, .. } => sarif::write(report, &mut sources)?,
        FormatFlags { markdown: true, .. } => markdown::write(report, &mut sources),
        FormatFlags { junit: true, .. } => junit::write(report, &mut sources),
        FormatFlags { gitlab: true, .. } => services::code_quality(report)?,
        FormatFlags { annotate: Some(service), .. } => services::annotations(report, *service),
        format if format.html || arguments.open => html::write(report, &mut sources),
        _ => {
            let text = text::render(
                report,
                &mut sources,
                &TextOptions { stats: true, selection: Selection::EVERYTHING, ..options },
            );
            if arguments.output.is_none() { terminal::fitted(text, &io::stdout()) } else { text }
        }
    })
}
