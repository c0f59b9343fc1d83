//! `nonius cc` and `nonius c++`.

use crate::exit::Status;
use anyhow::{Context, Result};
use nonius_driver::{Compile, Environment, Language};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;

/// Becomes clang: from here on signals, output and exit status are clang's own.
pub fn compile(language: Language, words: Vec<OsString>) -> Result<Status> {
    match nonius_driver::compile(language, words, &environment()?)? {
        Compile::Help(text) => {
            super::print(&text)?;
            Ok(Status::Clean)
        }
        Compile::Clang(mut clang) => {
            let error = clang.exec();
            Err(error).with_context(|| format!("cannot start {}", clang.get_program().to_string_lossy()))
        }
    }
}

pub fn environment() -> Result<Environment> {
    Environment::of_this_process().context("cannot find out where nonius itself is")
}
