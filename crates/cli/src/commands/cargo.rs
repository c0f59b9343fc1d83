//! `cargo nonius`, and what `cargo-nonius` is to cargo while it works: its rustc and its rustdoc.

use super::compile::{become_command, environment};
use super::run::{print_text, read};
use crate::exit::Status;
use anyhow::{Context, Result};
use nonius_driver::{OPTIONS, RUSTDOC, RuntimeOptions, Wrapped};
use nonius_report::json;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
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
    let cargo = nonius_driver::cargo(words.to_vec(), &environment()?)?;
    if cargo.runs { run_and_summarize(cargo.command) } else { become_command(cargo.command) }
}

/// One report of all programs that cargo ran: test binaries, doctests, benchmarks.
fn run_and_summarize(command: Command) -> Result<Status> {
    let options = RuntimeOptions::inherit(env::var_os(OPTIONS));
    let ran = nonius_driver::run_command(command, &options)?;
    // As a shell would say it of a program that a signal ended.
    let code = ran.status.code().or_else(|| ran.status.signal().map(|signal| 128 + signal));
    let failed = code.filter(|code| *code != 0).map(|code| u8::try_from(code).unwrap_or(u8::MAX));
    // A crate that does not compile, or has no tests, leaves none.
    let Some(report) = read(&ran)? else { return Ok(failed.map_or(Status::Clean, Status::Other)) };
    let report_path =
        options.get("report").filter(|path| !path.is_empty()).map(|path| super::run::with_pid(path, ran.pid));
    if let Some(path) = &report_path {
        nonius_report::create::write(path, json::write(&report)?.as_bytes())
            .with_context(|| format!("cannot write report {}", path.display()))?;
    }
    if !options.is_on("quiet") {
        let log = options.get("log_path").filter(|path| !path.is_empty()).map(Into::into);
        print_text(&report, &options, report_path, log)?;
    }
    let fails = nonius_finding::failing(&report, crate::terminal::selection(&options)) > 0;
    let found = if fails { Status::Findings } else { Status::Clean };
    Ok(failed.map_or(found, Status::Other))
}
