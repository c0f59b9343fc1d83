//! `cargo nonius`, and what `cargo-nonius` is to cargo while it works: its rustc and its rustdoc.

use super::baseline;
use super::compile::{become_command, environment};
use super::confirm::{self, Second};
use super::run::{How, made_one, print_text};
use crate::exit::Status;
use anyhow::{Context, Result};
use nonius_driver::{OPTIONS, RUSTDOC, RuntimeOptions, Wrapped, project};
use nonius_finding::Baseline;
use nonius_report::json;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whatever `cargo-nonius` was called for.
pub fn cargo_nonius(words: &[OsString]) -> Result<Status> {
    match words {
        [name, rest @ ..] if name == "nonius" => cargo(rest),
        [rustc, rest @ ..] if is_rustc(rustc) => wrap_rustc(rustc, rest),
        _ if env::var_os(RUSTDOC).is_some() => become_command(nonius_driver::rustdoc_wrapper(words, &environment()?)?),
        _ => cargo(words),
    }
}

fn is_rustc(word: &OsStr) -> bool {
    let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("rustc") || name.starts_with("clippy-driver")
}

fn wrap_rustc(rustc: &OsStr, args: &[OsString]) -> Result<Status> {
    match nonius_driver::rustc_wrapper(rustc, args, &environment()?)? {
        Wrapped::Answer(text) => {
            super::print(&text)?;
            Ok(Status::Clean)
        }
        Wrapped::Run(command) => become_command(command),
    }
}

fn cargo(words: &[OsString]) -> Result<Status> {
    let help = |word: &OsString| word == "--help" || word == "-h" || word == "help" || word == "--nonius-help";
    if words.first().is_none_or(help) {
        super::print(&nonius_driver::cargo_help())?;
        return Ok(Status::Clean);
    }
    let mut options = RuntimeOptions::inherit(env::var_os(OPTIONS));
    let mut how = How::default();
    let words = without_own(words, &mut options, &mut how)?;
    let cargo = nonius_driver::cargo(words, &environment()?)?;
    project::use_suppressions(&mut options);
    if cargo.runs { run_and_summarize(cargo.command, &options, &how) } else { become_command(cargo.command) }
}

/// The words for cargo: without those that say how findings are confirmed, and what they are held against.
fn without_own(words: &[OsString], options: &mut RuntimeOptions, how: &mut How) -> Result<Vec<OsString>> {
    let mut theirs = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            theirs.push(word.clone());
            theirs.extend(rest.by_ref().cloned());
        } else if word == "--baseline" {
            let file = rest.next().context("--baseline needs a file")?;
            options.set("baseline", file);
        } else if let Some(file) = word.as_bytes().strip_prefix(b"--baseline=") {
            options.set("baseline", OsStr::from_bytes(file));
        } else if !how.read(word)? {
            theirs.push(word.clone());
        }
    }
    Ok(theirs)
}

/// One report of all programs that cargo ran: test binaries, doctests, benchmarks.
fn run_and_summarize(command: Command, options: &RuntimeOptions, how: &How) -> Result<Status> {
    let baseline = options.get("baseline").filter(|path| !path.is_empty()).map(PathBuf::from);
    // Before everything is built.
    baseline.as_deref().map(Baseline::read).transpose()?;
    let cargo = command.get_program().to_owned();
    let ran = nonius_driver::run_watched(command, options)?;
    // As a shell would say it of a program that a signal ended.
    let code = ran.status.code().or_else(|| ran.status.signal().map(|signal| 128 + signal));
    let failed = code.filter(|code| *code != 0).map(|code| u8::try_from(code).unwrap_or(u8::MAX));
    // A crate that does not compile, or has no tests, leaves none.
    let asked = options.get("oracle").is_some_and(|oracle| !oracle.is_empty());
    let limit = confirm::limit(options, &ran)?;
    let second = how.confirm.oracle().filter(|_| !asked).map(|oracle| Second {
        program: &cargo,
        args: &[],
        options,
        oracle,
        // Cargo itself does not run again: it would build, and ask the network.
        input: None,
        first: &ran,
        only: None,
        limit,
        asked: how.confirm.is_asked(),
    });
    let Some(mut report) = made_one(ran.parts()?, second.as_ref(), &ran, how.show) else {
        return Ok(failed.map_or(Status::Clean, Status::Other));
    };
    report.program.exit = ran.status.code();
    if let Some(path) = &baseline {
        baseline::apply(&mut report, path)?;
    }
    let report_path =
        options.get("report").filter(|path| !path.is_empty()).map(|path| super::run::with_pid(path, ran.pid));
    if let Some(path) = &report_path {
        nonius_report::create::write(path, json::write(&report)?.as_bytes())
            .with_context(|| format!("cannot write report {}", path.display()))?;
    }
    if !options.is_on("quiet") {
        let log = options.get("log_path").filter(|path| !path.is_empty()).map(Into::into);
        print_text(&report, options, report_path, log)?;
    }
    let found = if report.findings.is_empty() { Status::Clean } else { Status::Findings };
    Ok(failed.map_or(found, Status::Other))
}
