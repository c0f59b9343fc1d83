//! `nonius doctor`: what was found on this machine, and what to do about the rest.

use super::compile::environment;
use crate::exit::Status;
use anyhow::Result;
use nonius_driver::{
    Compile, Environment, Language, Pieces, RuntimeOptions, RustToolchain, describe, find_clang, find_flang,
    private_folder, run,
};
use nonius_report::json;
use std::env;
use std::fs;
use std::path::Path;

/// One line of the answer: what was looked at, and what was found or what is wrong.
struct Line {
    subject: &'static str,
    finding: Result<String, String>,
}

pub fn doctor() -> Result<Status> {
    let environment = environment()?;
    let pieces = Pieces::of(&environment);
    let shown = |path: std::path::PathBuf| path.display().to_string();
    let lines = [
        Line {
            subject: "nonius",
            finding: Ok(format!("{} at {}", env!("CARGO_PKG_VERSION"), environment.executable.display())),
        },
        Line { subject: "clang", finding: clang(&environment) },
        Line { subject: "flang", finding: Ok(optional(flang(&environment))) },
        Line { subject: "rustc", finding: Ok(optional(rustc())) },
        Line { subject: "plugin", finding: pieces.plugin().map(shown).map_err(|e| e.to_string()) },
        Line { subject: "runtime", finding: pieces.runtime().map(shown).map_err(|e| e.to_string()) },
        Line { subject: "header", finding: pieces.include_folder().map(shown).map_err(|e| e.to_string()) },
        Line { subject: "cpu", finding: Ok(cpu()) },
        Line { subject: "memory", finding: memory() },
        Line { subject: "trial", finding: trial(&environment) },
    ];
    let mut text = String::new();
    for Line { subject, finding } in &lines {
        let (mark, words) = match finding {
            Ok(words) => ("ok", words),
            Err(words) => ("FAILED", words),
        };
        text += &format!("{subject:<8} {mark:<7} {words}\n");
    }
    super::print(&text)?;
    Ok(if lines.iter().all(|l| l.finding.is_ok()) { Status::Clean } else { Status::Failed })
}

fn clang(environment: &Environment) -> Result<String, String> {
    let path = find_clang(environment).map_err(|e| e.to_string())?;
    let version = describe(&path).ok_or_else(|| format!("{} does not start", path.display()))?;
    Ok(format!("{version} at {}", path.display()))
}

fn flang(environment: &Environment) -> Result<String, String> {
    let path = find_flang(environment).map_err(|e| e.to_string())?;
    let version = describe(&path).ok_or_else(|| format!("{} does not start", path.display()))?;
    Ok(format!("{version} at {}", path.display()))
}

fn rustc() -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let found = RustToolchain::ask(&rustc).map_err(|e| e.to_string())?;
    Ok(format!("rustc {} with LLVM {}", found.release, found.llvm))
}

/// Whoever has no Fortran or Rust to look at needs no compiler for it.
fn optional(found: Result<String, String>) -> String {
    found.unwrap_or_else(|why| format!("cannot be used: {why}"))
}

/// With AVX2 and FMA an exact product takes one more instruction, without them some seventeen.
fn cpu() -> String {
    let fast = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
    let words = if fast { "AVX2 and FMA: shadows at full speed" } else { "no AVX2 with FMA: shadows work, but slower" };
    words.to_owned()
}

/// Shadow memory is reserved in the address space, far more than is ever used.
fn memory() -> Result<String, String> {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let limit = limits.lines().find_map(|l| l.strip_prefix("Max address space")).unwrap_or_default();
    if !limit.trim_start().starts_with("unlimited") && !limit.is_empty() {
        return Err("the address space is limited: run 'ulimit -v unlimited'".to_owned());
    }
    let strict = fs::read_to_string("/proc/sys/vm/overcommit_memory").is_ok_and(|mode| mode.trim() == "2");
    if strict {
        return Err("the kernel does not overcommit memory: run 'sudo sysctl vm.overcommit_memory=0'".to_owned());
    }
    Ok("room for shadows".to_owned())
}

/// 1e16 + 1 - 1e16 in doubles is 0 and should be 1. `volatile` keeps the compiler from working it
/// out, and the output goes where it does not disturb the answer.
const TRIAL: &str = r#"
#include <stdio.h>
int main(void) {
    volatile double big = 1e16, one = 1;
    double sum = big + one;
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere) fprintf(nowhere, "%g\n", sum - big);
}
"#;

/// Compiles and runs a program with a known error. It must be found.
fn trial(environment: &Environment) -> Result<String, String> {
    let folder = private_folder().map_err(|e| e.to_string())?;
    let (source, program) = (folder.path().join("trial.c"), folder.path().join("trial"));
    fs::write(&source, TRIAL).map_err(|e| e.to_string())?;
    build(&source, &program, environment)?;
    let ran = run(&program.into(), &[], &RuntimeOptions::default(), None).map_err(|e| e.to_string())?;
    let paths = ran.reports().map_err(|e| e.to_string())?;
    let path = paths.first().ok_or("a program compiled by Nonius wrote no report")?;
    let report = json::read(path).map_err(|e| e.to_string())?;
    match report.findings.first() {
        Some(finding) => Ok(format!("a known {} was found", finding.kind)),
        None => Err("a known error was not found: please report this as a bug of Nonius".to_owned()),
    }
}

fn build(source: &Path, program: &Path, environment: &Environment) -> Result<(), String> {
    let words = [source.into(), "-o".into(), program.into()];
    let Compile::Run(mut clang, _) =
        nonius_driver::compile(Language::C, words.to_vec(), environment).map_err(|e| e.to_string())?
    else {
        return Err("the compiler has something to say instead".to_owned());
    };
    let output = clang.output().map_err(|e| e.to_string())?;
    let words = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("does not compile:\n{}", words.trim_end())) }
}
