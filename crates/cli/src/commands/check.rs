//! `nonius check`.

use super::compile::environment;
use super::run::run_and_report;
use crate::arguments;
use crate::exit::Status;
use crate::flags::{Flags, RUN};
use anyhow::{Context, Result, bail};
use nonius_driver::{Compile, Language, is_cpp_source, is_fortran_source, is_rust_source, private_folder};
use nonius_options::{FlagError, read_flag};
use std::ffi::OsString;

/// Compiles the files to a program that is thrown away, and runs it.
pub fn check(words: &[OsString]) -> Result<Status> {
    let end = words.iter().position(|w| w == "--").unwrap_or(words.len());
    let program_args = words.get(end + 1..).unwrap_or_default();
    if words[..end].iter().any(|word| word == "--help" || word == "-h") {
        return arguments::help("check");
    }
    let mut flags = Flags::inherit()?;
    let for_compiler = take_flags(&words[..end], &mut flags)?;
    let folder = private_folder().context("cannot make a temporary folder")?;
    let program = folder.path().join("program");
    let Compile::Run(mut compiler, held) = compile(&for_compiler, &program.clone().into())? else {
        bail!("--nonius-help belongs to 'nonius cc'");
    };
    let shown = compiler.get_program().to_string_lossy().into_owned();
    let status = compiler.status().with_context(|| format!("cannot start {shown}"))?;
    // The program must not inherit what was the compiler's.
    drop(held);
    if !status.success() {
        misspelt(&for_compiler);
        return Ok(Status::Failed);
    }
    if !program.is_file() {
        bail!("no program came of this: leave out -o, -c and the like, 'nonius check' needs a program to run");
    }
    nonius_driver::project::use_suppressions(&mut flags.options);
    run_and_report(&program.into(), program_args, &flags, "did it end without its exit handlers?")
}

/// Takes the flags of a run, and gives what is left, for the compiler: it has thousands of its own.
fn take_flags(words: &[OsString], flags: &mut Flags) -> Result<Vec<OsString>> {
    let mut for_compiler = Vec::new();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let taken = match flags.take(rest, RUN) {
            Err(error) if matches!(error.downcast_ref(), Some(FlagError::Unknown(..))) => 0,
            taken => taken?,
        };
        rest = if taken == 0 { after } else { &rest[taken..] };
        for_compiler.extend((taken == 0).then(|| word.clone()));
    }
    Ok(for_compiler)
}

/// A flag that the compiler has refused may be a misspelt one of ours.
fn misspelt(for_compiler: &[OsString]) {
    for word in for_compiler {
        if let Err(FlagError::Unknown(flag, Some(meant))) = read_flag(std::slice::from_ref(word), RUN) {
            eprintln!("nonius: {flag} is no option of 'nonius check', and went to the compiler: did you mean {meant}?");
        }
    }
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
    Ok(nonius_driver::compile(language, with(&["--nonius-acsl", "-O2", "-g"], &["-lm"]), &environment)?)
}

fn any(words: &[OsString], is_source: fn(&str) -> bool) -> bool {
    words.iter().any(|w| is_source(&w.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_run_and_of_the_compiler_may_be_mixed() {
        let words: Vec<OsString> =
            "a.c --report r.json -O0 --confirm=0 -std=c11 --sysroot=/x --halt --nonius-verify -lfoo"
                .split(' ')
                .map(OsString::from)
                .collect();
        let mut flags = Flags::default();
        let left = take_flags(&words, &mut flags).unwrap();
        assert_eq!(left, ["a.c", "-O0", "-std=c11", "--sysroot=/x", "--nonius-verify", "-lfoo"]);
        assert_eq!(flags.options.get("report"), Some("r.json".into()));
        assert!(flags.options.is_on("halt") && flags.confirm.oracle().is_none());
        assert!(take_flags(&["--threshold".into()], &mut flags).is_err());
    }
}
