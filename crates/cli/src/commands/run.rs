//! `nonius run`.

use super::confirm::{Confirm, Second};
use crate::exit::Status;
use crate::progress::Show;
use crate::terminal;
use anyhow::{Context, Result, bail};
use nonius_driver::{OPTIONS, Ran, RepeatableInput, RuntimeOptions, combine};
use nonius_finding::{Report, Selection, failing};
use nonius_report::{Sources, create, json, text};
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Silence must not be taken for good news.
const NOTHING_RAN: &str = "nonius: no floating-point operation ran under the shadow. The compiler works out what has only \
    constants to go by (try -O0), and code that was not compiled by Nonius is not seen\n";

/// Flags for the runtime, then the program, then its arguments.
pub fn run(words: &[OsString]) -> Result<Status> {
    let mut options = RuntimeOptions::inherit(env::var_os(OPTIONS));
    let mut how = How::default();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        if word == "--" {
            rest = after;
            break;
        }
        if !word.as_bytes().starts_with(b"-") {
            break;
        }
        rest = after;
        if how.read(word)? {
            continue;
        }
        if let ("--oracle", [name, after @ ..]) = (word.to_str().unwrap_or(""), rest) {
            options.set("oracle", name);
            rest = after;
        } else {
            options.read_flag(word)?;
        }
    }
    let [program, args @ ..] = rest else { bail!("no program to run: nonius run [--key=value]... PROGRAM") };
    let doubt = format!("was {} built with 'nonius cc'?", program.to_string_lossy());
    run_and_report(program, args, &options, &doubt, &how)
}

/// How a run is done, beside the program's own options.
#[derive(Debug, Default)]
pub struct How {
    confirm: Confirm,
    show: Show,
}

impl How {
    /// Takes a flag, if it is about this.
    pub fn read(&mut self, word: &OsStr) -> Result<bool> {
        let word = word.to_str().unwrap_or_default();
        if let Some(oracle) = word.strip_prefix("--confirm=") {
            self.confirm = Confirm::read(oracle)?;
        } else if let Some(show) = word.strip_prefix("--progress=") {
            self.show = Show::read(show)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// Runs a program, has its findings confirmed, prints its report and keeps it where the options say. `doubt` is
/// what to ask the user if there is no report.
pub fn run_and_report(
    program: &OsString,
    args: &[OsString],
    options: &RuntimeOptions,
    doubt: &str,
    how: &How,
) -> Result<Status> {
    let shown = program.to_string_lossy();
    let asked = options.get("oracle").is_some_and(|oracle| !oracle.is_empty());
    let confirm = how.confirm.oracle().filter(|_| !asked);
    let folder = nonius_driver::private_folder().context("cannot make a temporary folder")?;
    let input = match confirm {
        Some(_) => Some(RepeatableInput::new(folder.path()).context("cannot keep standard input for a second run")?),
        None => None,
    };
    let ran = match &input {
        Some(input) => nonius_driver::run_keeping(program, args, options, input)?,
        None if asked => how.show.during(true, |progress| nonius_driver::run(program, args, options, progress))?,
        None => nonius_driver::run(program, args, options, None)?,
    };
    if let Some(failure) = ran.failure() {
        eprintln!("nonius: {shown} {failure}");
    }
    let Some(mut report) = read(&ran)? else {
        match ran.status.code() {
            Some(0) => bail!("{shown} wrote no report: {doubt}"),
            // The runtime ends a program that has wrong options, and says why.
            Some(_) => bail!("{shown} wrote no report; if nothing above tells why, {doubt}"),
            None => bail!("{shown} wrote no report before it was ended"),
        }
    };
    if let (Some(oracle), Some(input)) = (confirm, &input)
        && (!report.findings.is_empty() || report.is_open() || report.summary.may_have_lost())
    {
        let asked = how.confirm.is_asked();
        let second = Second { program, args, options, oracle, input, first: &ran, asked };
        second.confirm(&mut report, how.show);
    }
    let report_path = keep(&report, options, ran.pid)?;
    if !options.is_on("quiet") {
        print_text(&report, options, report_path, path_of(options, "log_path", ran.pid))?;
    }
    Ok(status(&report, terminal::selection(options)))
}

/// Silence of an analysis that stopped is no good news.
fn status(report: &Report, selection: Selection) -> Status {
    match failing(report, selection) {
        _ if report.stopped.is_some() => Status::Failed,
        0 => Status::Clean,
        _ => Status::Findings,
    }
}

/// The file that an option names.
fn path_of(options: &RuntimeOptions, key: &str, pid: u32) -> Option<PathBuf> {
    options.get(key).filter(|path| !path.is_empty()).map(|path| with_pid(path, pid))
}

/// Writes the report where the options say, if they do.
pub fn keep(report: &Report, options: &RuntimeOptions, pid: u32) -> Result<Option<PathBuf>> {
    let report_path = path_of(options, "report", pid);
    if let Some(path) = &report_path {
        create::write(path, json::write(report)?.as_bytes())
            .with_context(|| format!("cannot write report {}", path.display()))?;
    }
    Ok(report_path)
}

/// What all processes of the run reported.
pub fn read(ran: &Ran) -> Result<Option<Report>> {
    let reports: Vec<Report> = ran.reports()?.iter().map(|path| json::read(path)).collect::<Result<_, _>>()?;
    Ok(combine(reports).map(|mut report| {
        report.program.exit = ran.status.code();
        report
    }))
}

/// The runtime puts the process's number in place of `%p`, and so does this.
pub fn with_pid(path: OsString, pid: u32) -> PathBuf {
    match path.to_str() {
        Some(text) => text.replace("%p", &pid.to_string()).into(),
        None => path.into(),
    }
}

/// On stderr: standard output is the program's.
pub fn print_text(
    report: &Report,
    options: &RuntimeOptions,
    report_path: Option<PathBuf>,
    log: Option<PathBuf>,
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
    if report.summary.operations == 0 {
        text += NOTHING_RAN;
    }
    match log {
        Some(path) => {
            create::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?
        }
        None => io::stderr().write_all(text.as_bytes())?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::Program;

    #[test]
    fn an_analysis_that_stopped_is_a_failure() {
        let mut report = Report::new(Program::default(), "residue");
        assert_eq!(status(&report, Selection::default()), Status::Clean);
        report.stopped = Some("the analysis stopped".to_owned());
        assert_eq!(status(&report, Selection::default()), Status::Failed);
        let text = text::render(&report, &mut Sources::new(None), &text::TextOptions::default());
        assert!(text.contains("error: the analysis stopped"), "{text}");
    }
}
