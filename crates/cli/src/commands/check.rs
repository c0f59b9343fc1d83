//! `nonius check`.

use super::compile::environment;
use super::run::{How, run_and_report};
use crate::exit::Status;
use anyhow::{Context, Result, bail};
use nonius_driver::{
    Compile, Language, OPTIONS, RuntimeOptions, is_cpp_source, is_fortran_source, is_rust_source, private_folder,
};
use std::env;
use std::ffi::OsString;

/// Compiles the files to a program that is thrown away, and runs it.
pub fn check(words: &[OsString]) -> Result<Status> {
    let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
    let program_args = words.get(end + 1..).unwrap_or_default();
    let mut how = How::default();
    let mut ours = Vec::new();
    for word in &words[..end] {
        if !how.read(word)? {
            ours.push(word.clone());
        }
    }
    let folder = private_folder().context("cannot make a temporary folder")?;
    let program = folder.path().join("program");
    let Compile::Run(mut compiler) = compile(&ours, &program.clone().into())? else {
        bail!("--nonius-help belongs to 'nonius cc'");
    };
    let shown = compiler.get_program().to_string_lossy().into_owned();
    let status = compiler.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        return Ok(Status::Failed);
    }
    if !program.is_file() {
        bail!("no program came of this: leave out -o, -c and the like, 'nonius check' needs a program to run");
    }
    let mut options = RuntimeOptions::inherit(env::var_os(OPTIONS));
    nonius_driver::project::use_suppressions(&mut options);
    let doubt = "did it end without its exit handlers?";
    run_and_report(&program.into(), program_args, &options, doubt, &how)
}

/// Defaults first, so that the user's options win.
fn compile(words: &[OsString], program: &OsString) -> Result<Compile> {
    let with = |defaults: &[&str], last: &[&str]| -> Vec<OsString> {
        let output = ["-o".into(), program.clone()];
        let defaults = defaults.iter().map(OsString::from);
        defaults.chain(words.iter().cloned()).chain(output).chain(last.iter().map(OsString::from)).collect()
    };
    let environment = environment()?;
    if any(words, is_rust_source) {
        // A level may be given once only.
        let level = words.iter().map(|w| w.to_string_lossy()).any(|w| w == "-O" || w.contains("opt-level"));
        let defaults: &[&str] = if level { &["-g"] } else { &["-g", "-Copt-level=2"] };
        return Ok(nonius_driver::compile_rust(with(defaults, &[]), &environment)?);
    }
    // One source of C++ makes it a program of C++; one of Fortran brings its runtime.
    let language = match words {
        _ if any(words, is_fortran_source) => Language::Fortran,
        _ if any(words, is_cpp_source) => Language::Cpp,
        _ => Language::C,
    };
    Ok(nonius_driver::compile(language, with(&["-O2", "-g"], &["-lm"]), &environment)?)
}

fn any(words: &[OsString], is_source: fn(&str) -> bool) -> bool {
    words.iter().any(|w| is_source(&w.to_string_lossy()))
}
