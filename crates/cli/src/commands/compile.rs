//! `nonius cc`, `nonius c++`, `nonius fortran` and `nonius rustc`.

use crate::exit::Status;
use crate::terminal;
use anyhow::{Context, Result};
use nonius_driver::{Compile, Environment, Held, Language};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::Command;

pub fn compile(language: Language, words: Vec<OsString>) -> Result<Status> {
    start(nonius_driver::compile(language, words, &environment()?)?)
}

pub fn compile_rust(words: Vec<OsString>) -> Result<Status> {
    start(nonius_driver::compile_rust(words, &environment()?)?)
}

/// Becomes a tool of LLVM, such as `llvm-ar`, which archives objects of link-time optimization.
pub fn llvm_tool(name: &'static str, words: &[OsString]) -> Result<Status> {
    let mut tool = Command::new(nonius_driver::find_llvm_tool(name, &environment()?)?);
    tool.args(words);
    become_command(tool)
}

fn start(work: Compile) -> Result<Status> {
    match work {
        Compile::Say(text) => {
            super::print(&terminal::fitted(text, &io::stdout()))?;
            Ok(Status::Clean)
        }
        Compile::Run(compiler, held) if held.must_end() => wait_for(*compiler, held),
        // What it inherits must be there until it takes this process's place.
        Compile::Run(compiler, _held) => become_command(*compiler),
    }
}

/// Runs the compiler, and ends as it does.
fn wait_for(mut command: Command, held: Held) -> Result<Status> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    drop(held);
    let by_signal = || status.signal().map_or(1, |signal| 128 + signal);
    std::process::exit(status.code().unwrap_or_else(by_signal))
}

/// Becomes the compiler: from here on signals, output and exit status are its own.
pub fn become_command(mut command: Command) -> Result<Status> {
    let error = command.exec();
    Err(error).with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))
}

pub fn environment() -> Result<Environment> {
    Environment::of_this_process().context("cannot find out where nonius itself is")
}
