//! `cargo nonius`, and what `cargo-nonius` is to cargo while it works: its rustc and its rustdoc.

use super::baseline;
use super::compile::{become_command, environment};
use super::confirm::{self, Second};
use super::run::{conclude, made_one};
use crate::deliver::deliver;
use crate::exit::Status;
use crate::flags::{Flags, RUN};
use crate::terminal;
use anyhow::{Context, Result};
use nonius_driver::{RUSTDOC, RepeatableInput, Wrapped, project};
use nonius_options::FlagError;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
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
        super::print(&terminal::fitted(nonius_driver::cargo_help(), &io::stdout()))?;
        return Ok(Status::Clean);
    }
    let mut flags = Flags::inherit()?;
    let words = take_flags(words, &mut flags)?;
    let cargo = nonius_driver::cargo(words, &environment()?)?;
    project::use_suppressions(&mut flags.options);
    if cargo.runs { run_and_summarize(cargo.command, &flags) } else { become_command(cargo.command) }
}

/// Takes the flags of a run out of cargo's: `--nonius-report=FILE` is `--report=FILE` of 'nonius run'. Those that cargo has
/// nothing like need no more than their name. What is none of
/// these is an option of the compiler, or nothing, and that is said there.
fn take_flags(words: &[OsString], flags: &mut Flags) -> Result<Vec<OsString>> {
    let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
    let (mut rest, behind) = words.split_at(end);
    let mut left = Vec::new();
    while let [word, after @ ..] = rest {
        let text = word.to_str().unwrap_or_default();
        let is_ours = ["--baseline", "--confirm"].contains(&text.split('=').next().unwrap_or_default());
        let plain = text.strip_prefix("--nonius-").map(|name| format!("--{name}"));
        let plain = plain.or_else(|| is_ours.then(|| text.to_owned()));
        let taken = match plain {
            Some(plain) => {
                let with_next: Vec<OsString> = [plain.into()].into_iter().chain(after.first().cloned()).collect();
                match flags.take(&with_next, RUN) {
                    Err(error) if matches!(error.downcast_ref(), Some(FlagError::Unknown(..))) => 0,
                    taken => taken?,
                }
            }
            None => 0,
        };
        left.extend((taken == 0).then(|| word.clone()));
        rest = &rest[taken.max(1)..];
    }
    Ok([&left, behind].concat())
}

/// One report of all programs that cargo ran: test binaries, doctests, benchmarks.
fn run_and_summarize(command: Command, flags: &Flags) -> Result<Status> {
    // Before everything is built.
    baseline::check(&flags.options)?;
    let cargo = command.get_program().to_owned();
    let folder = nonius_driver::private_folder().context("cannot make a temporary folder")?;
    let input = RepeatableInput::new(folder.path()).context("cannot keep standard input for a second run")?;
    let ran = nonius_driver::run_watched(command, &flags.options, &input)?;
    conclude(&ran, flags, || {
        let options = &flags.options;
        let asked = options.get("oracle").is_some_and(|oracle| !oracle.is_empty());
        let limit = confirm::limit(options, &ran)?;
        let second = flags.confirm.oracle().filter(|_| !asked).map(|oracle| Second {
            program: &cargo,
            args: &[],
            options,
            oracle,
            input: &input,
            first: &ran,
            // It would build, and ask the network.
            repeats: false,
            is_alone: false,
            only: None,
            limit,
            asked: flags.confirm.is_asked(),
        });
        // A crate that does not compile, or has no tests, leaves none.
        let Some(mut report) = made_one(ran.parts()?, second.as_ref(), &ran, flags.show) else { return Ok(None) };
        baseline::hold_against(&mut report, options)?;
        deliver(&report, flags, ran.pid)?;
        Ok(Some(report))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_run_are_told_from_those_of_cargo_and_of_the_compiler() {
        let words: Vec<OsString> =
            "test --release --nonius-report r.json --nonius-skip-crates=rand --nonius-html --baseline b -- --nonius-report=x"
                .split(' ')
                .map(OsString::from)
                .collect();
        let mut flags = Flags::default();
        let left = take_flags(&words, &mut flags).unwrap();
        assert_eq!(left, ["test", "--release", "--nonius-skip-crates=rand", "--", "--nonius-report=x"]);
        assert_eq!(flags.options.get("report"), Some("r.json".into()));
        assert_eq!(flags.options.get("baseline"), Some("b".into()));
        assert_eq!(flags.outputs.html, Some("nonius.html".into()));
    }
}
