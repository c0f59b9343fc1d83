//! `cargo test -p nonius-tests --test ir [-- FILTER]`: the pass on IR, one construct a file.
//!
//! With `NONIUS_SLOW=1` also: every program of the corpus through the pass at many levels, with LLVM's verifier on.

use anyhow::{Context, Result};
use libtest_mimic::{Arguments, Failed, Trial};
use nonius_tests::corpus;
use nonius_tests::ir;
use nonius_tests::language::Language;
use nonius_tests::tools::{nonius_binary, pass_plugin, tests_root};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;

/// Levels at which the corpus is compiled, with the verifier on, for the pass alone.
const LEVELS: &[(&str, &[&str])] = &[
    ("O0", &["-O0"]),
    ("O1", &["-O1"]),
    ("O3", &["-O3"]),
    ("Oz", &["-Oz"]),
    ("O3-native", &["-O3", "-march=native"]),
    ("O2-strict", &["-O2", "-ffp-model=strict"]),
    ("O0-strict", &["-O0", "-ffp-model=strict"]),
    ("O3-v3-fast", &["-O3", "-march=native", "-ffast-math"]),
    ("O0-g", &["-O0", "-g"]),
    ("O2-g", &["-O2", "-g"]),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let slow = std::env::var_os("NONIUS_SLOW").is_some_and(|v| v == "1");
    let trials = trials(slow).unwrap_or_else(|error| {
        let message = format!("{error:#}");
        vec![Trial::test("ir", move || Err(Failed::from(message)))]
    });
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trials(slow: bool) -> Result<Vec<Trial>> {
    let root = tests_root()?;
    let nonius = nonius_binary(&root)?;
    let plugin = pass_plugin(&nonius)?;
    let mut trials = Vec::new();
    for case in ir::find(&root)? {
        let plugin = plugin.clone();
        trials.push(Trial::test(case.name.clone(), move || failed(case.run(&plugin, slow))));
    }
    if slow {
        for case in corpus::find(&root)? {
            let case = Arc::new(case);
            // The others are verified whenever the corpus builds them.
            let c_family = matches!(Language::of(&case.main), Some(Language::C | Language::Cpp));
            for (level, flags) in LEVELS.iter().filter(|_| c_family) {
                let (case, nonius) = (Arc::clone(&case), nonius.clone());
                let name = format!("verify/{}@{level}", case.name);
                trials.push(Trial::test(name, move || failed(compile(&case, flags, &nonius))));
            }
        }
    }
    Ok(trials)
}

fn failed(result: Result<()>) -> Result<(), Failed> {
    result.map_err(|e| Failed::from(format!("{e:#}")))
}

/// Compiles all sources of a program to objects, with the verifier on.
fn compile(case: &corpus::Case, flags: &[&str], nonius: &Path) -> Result<()> {
    let folder = case.main.parent().context("a test without a folder")?;
    for (source, _) in &case.sources {
        let source = folder.join(source);
        let mut command = Command::new(nonius);
        command.arg(if is_cpp(&source) { "c++" } else { "cc" });
        command.args(flags).args(&case.directives.flags).args(["-fPIC", "-w", "-c", "-o", "/dev/null"]).arg(&source);
        command.arg("--nonius-verify").env("RUST_BACKTRACE", "0");
        if let Err(error) = ir::succeed(command)
            && is_for_clang(case, &source, flags)
        {
            return Err(error);
        }
    }
    Ok(())
}

/// Whether plain clang compiles it: not every source goes with every flag, and not all that clang takes has code.
fn is_for_clang(case: &corpus::Case, source: &Path, flags: &[&str]) -> bool {
    let mut command = Command::new(if is_cpp(source) { "clang++-22" } else { "clang-22" });
    command.args(flags).args(&case.directives.flags).args(["-fPIC", "-w", "-c", "-o", "/dev/null"]).arg(source);
    ir::succeed(command).is_ok()
}

fn is_cpp(source: &Path) -> bool {
    Language::of(source) == Some(Language::Cpp)
}
