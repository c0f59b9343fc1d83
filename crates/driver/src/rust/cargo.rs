//! `cargo nonius`: cargo's own commands, with the shadow put in.

use super::rustc::{RUSTDOC, RustError};
use super::toolchain::{RustToolchain, RustToolchainError, TARGET};
use crate::compile_options::{self, COMPILE_OPTIONS, CompileOptions, OptionError};
use crate::environment::{BUILD_SCRIPT_TARGET, Environment};
use crate::pieces::{MissingPiece, Pieces};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum CargoError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Toolchain(#[from] RustToolchainError),
    #[error(transparent)]
    Missing(#[from] MissingPiece),
    #[error(transparent)]
    Rust(#[from] RustError),
    #[error("cannot run {cargo}: {why}. Install Rust as https://rustup.rs says")]
    NoCargo { cargo: String, why: String },
    #[error("cargo finds no crate here: {0}\nRun this in the folder of a crate, or give --manifest-path")]
    NoCrate(String),
    #[error(
        "'cargo nonius {name}' is not one of its commands: build, run, test, bench, nextest run and clean are{meant}. \
         Try 'cargo nonius --help'",
        name = .0,
        meant = did_you_mean(.0)
    )]
    Command(String),
    #[error("{0} is missing beside nonius: run './x build' or './x install' again")]
    NoWrapper(PathBuf),
}

fn did_you_mean(command: &str) -> String {
    let meant = nonius_options::likely(command, ["build", "run", "test", "bench", "clean"].into_iter());
    meant.map(|meant| format!(" (did you mean {meant}?)")).unwrap_or_default()
}

/// A command of cargo, ready to start.
#[derive(Debug)]
pub struct Cargo {
    pub command: Command,
    /// Programs of the crate will run, and leave reports.
    pub runs: bool,
}

pub fn cargo_help() -> String {
    "\
Builds and runs a crate with the shadow of every float beside it, and reports what went wrong

usage: cargo nonius build|run|test|bench|nextest run|clean [OPTIONS OF CARGO] [--nonius-...]

  cargo nonius test                        the crate's own tests; says which test a finding belongs to
  cargo nonius run --release -- ARGS       its program
  cargo nonius test --nonius-skip-crates=rand*
                                           leave a dependency's arithmetic alone
  cargo nonius nextest run                 the same tests under cargo-nextest, if it is installed
  cargo nonius test --baseline nonius.baseline
                                           fail for findings only that the baseline has not

Everything goes to a folder of its own (target/nonius), so that ordinary builds stay as they are.
Build scripts and proc macros are not instrumented; the C, C++ and Fortran that build scripts compile for the crate is, unless
CC, CXX or FC name other compilers. LTO is off: it would gain nothing here.
Programs with findings run a second time, one by one and leaving nothing behind, as 'nonius run' does it;
--nonius-confirm=0 leaves that out, confirm_time=SECONDS limits it. Suppressions are read from the project's nonius.supp.
Exit status: cargo's own if it fails, else 1 with findings (or exitcode=), 0 without, and 2 if Nonius itself failed.
The options of 'nonius run' shape the run, with --nonius- before their names: --nonius-report FILE, --nonius-html,
--nonius-min-coverage 90; so does NONIUS_OPTIONS (key=value:key=value). 'nonius help run' lists all.
"
    .to_owned()
        + "\n"
        + &compile_options::help_of_options()
}

/// Turns the words after `cargo nonius` into a command of cargo.
pub fn cargo(mut args: Vec<OsString>, env: &Environment) -> Result<Cargo, CargoError> {
    let chosen = CompileOptions::take(&mut args, None)?;
    let subcommand = args.first().map(|w| w.to_string_lossy().into_owned()).unwrap_or_default();
    let runs = match subcommand.as_str() {
        "build" | "b" | "clean" => false,
        "run" | "r" | "test" | "t" | "bench" => true,
        "nextest" if args.get(1).is_some_and(|word| word == "run" || word == "r") => true,
        "nextest" => {
            let word = args.get(1).map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
            return Err(CargoError::Command(format!("nextest {word}").trim_end().to_owned()));
        }
        _ => return Err(CargoError::Command(subcommand)),
    };
    // What comes before the options.
    let names = if subcommand == "nextest" { 2 } else { 1 };
    let end = args.iter().position(|a| a == "--").unwrap_or(args.len());
    let given = |name: &str| value_of(&args[..end], name);
    if let Some(target) = given("--target").filter(|t| t != TARGET) {
        return Err(RustError::Target { target }.into());
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(&args[..names]);
    if given("--target-dir").is_none() {
        let folder = target_folder(&cargo, given("--manifest-path").as_deref())?.join("nonius");
        command.arg("--target-dir").arg(folder);
    }
    if subcommand != "clean" {
        let toolchain = RustToolchain::ask(&env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))?;
        if given("--target").is_none() {
            command.args(["--target", TARGET]);
        }
        // To nextest, --profile is its own.
        let profile = given(if names == 1 { "--profile" } else { "--cargo-profile" });
        for profile in ["dev", "release", "test", "bench"].map(str::to_owned).into_iter().chain(profile) {
            command.arg("--config").arg(format!("profile.{profile}.lto='off'"));
        }
        wrap(&mut command, &toolchain, &chosen, env)?;
    }
    command.args(&args[names..]);
    Ok(Cargo { command, runs })
}

/// Puts `cargo-nonius` where cargo looks for its compilers.
fn wrap(
    command: &mut Command,
    toolchain: &RustToolchain,
    chosen: &CompileOptions,
    env: &Environment,
) -> Result<(), CargoError> {
    let pieces = Pieces::of(env);
    pieces.plugin()?;
    pieces.runtime()?;
    let wrapper = env.executable.with_file_name("cargo-nonius");
    if !wrapper.is_file() {
        return Err(CargoError::NoWrapper(wrapper));
    }
    command.env("RUSTC_WRAPPER", &wrapper).env("RUSTDOC", &wrapper);
    if let Some(rustdoc) = env::var_os("RUSTDOC").map(PathBuf::from).or_else(|| toolchain.rustdoc()) {
        command.env(RUSTDOC, rustdoc);
    }
    // The wrapper's answers must not be kept from before it changed, nor code of before the plugin did.
    command.env("CARGO_CACHE_RUSTC_INFO", "0").env("CARGO_INCREMENTAL", "0");
    let mut options = env.compile_options.clone().unwrap_or_default();
    for word in chosen.words() {
        options.push(" ");
        options.push(word);
    }
    command.env(COMPILE_OPTIONS, options);
    wrap_compilers_of_build_scripts(command, env);
    Ok(())
}

/// Lets build scripts call the wrappers for C, C++ and Fortran, unless somebody has named other compilers. Which of what
/// they compile is instrumented the wrappers see themselves (`Environment::leaves_code_alone`).
fn wrap_compilers_of_build_scripts(command: &mut Command, env: &Environment) {
    command.env(BUILD_SCRIPT_TARGET, TARGET);
    let with_underscores = TARGET.replace('-', "_");
    for (variable, wrapper) in [("CC", "nonius-cc"), ("CXX", "nonius-c++"), ("FC", "nonius-fortran")] {
        let wrapper = env.executable.with_file_name(wrapper);
        // As the crate `cc` looks for them; it takes CC last.
        let names = [
            format!("{variable}_{TARGET}"),
            format!("{variable}_{with_underscores}"),
            format!("HOST_{variable}"),
            format!("TARGET_{variable}"),
            variable.to_owned(),
        ];
        let is_named = names.iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
        if wrapper.is_file() && !is_named {
            command.env(variable, &wrapper).env(format!("{variable}_{TARGET}"), &wrapper);
        }
    }
}

/// The value of an option of cargo, in one word or two.
fn value_of(args: &[OsString], name: &str) -> Option<String> {
    let mut words = args.iter().map(|w| w.to_string_lossy());
    while let Some(word) = words.next() {
        if word == name {
            return words.next().map(|w| w.into_owned());
        }
        if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.to_owned());
        }
    }
    None
}

/// Where cargo would build: asked of cargo, since a workspace, a variable or a file may decide it.
fn target_folder(cargo: &OsStr, manifest: Option<&str>) -> Result<PathBuf, CargoError> {
    let mut command = Command::new(cargo);
    command.args(["metadata", "--no-deps", "--format-version", "1"]).stdin(Stdio::null());
    command.args(manifest.iter().flat_map(|path| ["--manifest-path", path]));
    let output = command
        .output()
        .map_err(|e| CargoError::NoCargo { cargo: cargo.to_string_lossy().into_owned(), why: e.to_string() })?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        let first = why.lines().find_map(|l| l.strip_prefix("error: ")).unwrap_or(why.trim()).to_owned();
        return Err(CargoError::NoCrate(first));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let folder = json_text(&text, "target_directory").ok_or_else(|| CargoError::NoCrate("no target folder".into()))?;
    Ok(Path::new(&folder).to_owned())
}

/// The text behind a key that comes once in cargo's answer.
fn json_text(json: &str, key: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{key}\":\""))?;
    let mut text = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => text.push(letters.next()?),
            letter => text.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_one_word_or_two() {
        let args: Vec<OsString> = ["test", "--target-dir", "a b", "--profile=fast", "x"].map(OsString::from).into();
        assert_eq!(value_of(&args, "--target-dir").as_deref(), Some("a b"));
        assert_eq!(value_of(&args, "--profile").as_deref(), Some("fast"));
        assert_eq!(value_of(&args, "--target"), None);
    }

    #[test]
    fn the_folder_is_read_from_cargos_answer() {
        let answer = r#"{"packages":[],"target_directory":"/a/b\"c/target","version":1}"#;
        assert_eq!(json_text(answer, "target_directory").as_deref(), Some("/a/b\"c/target"));
        assert_eq!(json_text("{}", "target_directory"), None);
    }

    #[test]
    fn other_commands_are_named() {
        let error = cargo(vec!["install".into()], &Environment::default()).unwrap_err().to_string();
        assert!(error.contains("'cargo nonius install'"), "{error}");
        let error = cargo(vec!["nextest".into(), "archive".into()], &Environment::default()).unwrap_err().to_string();
        assert!(error.contains("'cargo nonius nextest archive'"), "{error}");
    }
}
