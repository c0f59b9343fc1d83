//! What becomes of a report: files, the copy that is kept, text, a page in the browser.

use crate::flags::Flags;
use crate::kept::Kept;
use crate::services::{self, Service};
use crate::{browser, terminal};
use anyhow::{Context, Result};
use nonius_driver::RuntimeOptions;
use nonius_finding::Report;
use nonius_report::{Sources, create, html, json, sarif, text};
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Forms of the report that are asked for beside the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outputs {
    pub html: Option<PathBuf>,
    pub sarif: Option<PathBuf>,
    pub markdown: Option<PathBuf>,
    pub junit: Option<PathBuf>,
    pub gitlab: Option<PathBuf>,
    pub annotate: Option<Service>,
    pub open: bool,
}

/// Writes a report wherever the flags say. `pid` is the process that it is of.
pub fn deliver(report: &Report, flags: &Flags, pid: u32) -> Result<()> {
    let json = json::write(report)?;
    let report_path = path_of(&flags.options, "report", pid);
    if let Some(path) = &report_path {
        write(path, &json)?;
    }
    // Whoever has no home, or a full disk, does without.
    let kept = Kept::of_this_user().and_then(|kept| kept.keep(&json).map(|_| kept));
    let mut sources = Sources::new(env::current_dir().ok());
    if let Some(path) = &flags.outputs.sarif {
        write(path, &sarif::write(report, &mut sources)?)?;
    }
    services::write(report, &flags.outputs, &mut sources)?;
    let mut page = flags.outputs.html.clone();
    if flags.outputs.open && page.is_none() {
        page = Some(kept.as_ref().map_or_else(|_| PathBuf::from("nonius.html"), Kept::page));
    }
    if let Some(path) = &page {
        write(path, &html::write(report, &mut sources))?;
    }
    if !flags.options.is_on("quiet") {
        print_text(report, &flags.options, report_path, path_of(&flags.options, "log_path", pid), kept.is_ok())?;
    }
    if let Some(service) = flags.outputs.annotate {
        io::stderr().write_all(services::annotations(report, service).as_bytes())?;
    }
    if let Some(path) = page.filter(|_| flags.outputs.open) {
        browser::open(&path);
    }
    Ok(())
}

pub fn write(path: &Path, text: &str) -> Result<()> {
    create::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// The file that an option names.
fn path_of(options: &RuntimeOptions, key: &str, pid: u32) -> Option<PathBuf> {
    options.get(key).filter(|path| !path.is_empty()).map(|path| with_pid(path, pid))
}

/// The runtime puts the process's number in place of `%p`, and so does this.
fn with_pid(path: OsString, pid: u32) -> PathBuf {
    match path.to_str() {
        Some(text) => text.replace("%p", &pid.to_string()).into(),
        None => path.into(),
    }
}

/// On stderr: standard output is the program's.
fn print_text(
    report: &Report,
    options: &RuntimeOptions,
    report_path: Option<PathBuf>,
    log: Option<PathBuf>,
    is_kept: bool,
) -> Result<()> {
    let mut style = match log {
        Some(_) => text::TextOptions::default(),
        None => terminal::text_options(&io::stderr()),
    };
    terminal::apply(&mut style, options);
    // Nothing found is only good news beside what was looked at.
    style.stats |= report.findings.is_empty();
    style.report_path = report_path.map(|path| path.display().to_string());
    let mut text = text::render(report, &mut Sources::new(env::current_dir().ok()), &style);
    text.extend(next(report, is_kept).map(|next| format!("nonius: {next}\n")));
    match log {
        Some(path) => write(&path, &text),
        None => Ok(io::stderr().write_all(terminal::fitted(text, &io::stderr()).as_bytes())?),
    }
}

/// What to type next.
fn next(report: &Report, is_kept: bool) -> Option<String> {
    let worst = report.findings.first().filter(|_| is_kept)?;
    Some(format!(
        "next: 'nonius explain {}' shows where that error comes from, 'nonius report --html --open' all of it in the browser",
        worst.id
    ))
}
