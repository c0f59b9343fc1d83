//! `nonius check`.

use super::compile::environment;
use super::confirm::Confirm;
use super::run::run_and_report;
use crate::exit::Status;
use anyhow::{Context, Result, bail};
use nonius_driver::{Compile, Language, OPTIONS, RuntimeOptions, is_cpp_source, private_folder};
use std::env;
use std::ffi::OsString;

/// Compiles the files to a program that is thrown away, and runs it.
pub fn check(words: &[OsString]) -> Result<Status> {
    let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
    let (ours, program_args) = (&words[..end], words.get(end + 1..).unwrap_or_default());
    let folder = private_folder().context("cannot make a temporary folder")?;
    let program = folder.path().join("program");
    let compiler_words = compiler_words(ours, &program.clone().into());
    let Compile::Clang(mut clang) = nonius_driver::compile(language(ours), compiler_words, &environment()?)? else {
        bail!("--nonius-help belongs to 'nonius cc'");
    };
    let status = clang.status().with_context(|| format!("cannot start {}", clang.get_program().to_string_lossy()))?;
    if !status.success() {
        return Ok(Status::Failed);
    }
    if !program.is_file() {
        bail!("no program came of this: leave out -o, -c and the like, 'nonius check' needs a program to run");
    }
    let options = RuntimeOptions::inherit(env::var_os(OPTIONS));
    let doubt = "did it end without its exit handlers?";
    run_and_report(&program.into(), program_args, &options, doubt, &Confirm::default())
}

/// Defaults first, so that the user's options win.
fn compiler_words(words: &[OsString], program: &OsString) -> Vec<OsString> {
    let defaults = ["-O2", "-g"].map(OsString::from);
    let output = ["-o".into(), program.clone()];
    defaults.iter().chain(words).chain(&output).cloned().chain(["-lm".into()]).collect()
}

/// One C++ file makes it a C++ program.
fn language(words: &[OsString]) -> Language {
    let cpp = words.iter().any(|w| is_cpp_source(&w.to_string_lossy()));
    if cpp { Language::Cpp } else { Language::C }
}
