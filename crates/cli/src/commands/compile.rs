//! `nonius cc`, `nonius c++`, `nonius fortran` and `nonius rustc`.

use crate::exit::Status;
use crate::terminal;
use anyhow::{Context, Result};
use nonius_driver::{Compile, Environment, Language};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
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
        Compile::Run(compiler) => become_command(compiler),
    }
}

/// Becomes the compiler: from here on signals, output and exit status are its own.
pub fn become_command(mut command: Command) -> Result<Status> {
    let error = command.exec();
    Err(error).with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))
}

pub fn environment() -> Result<Environment> {
    Environment::of_this_process().context("cannot find out where nonius itself is")
}
