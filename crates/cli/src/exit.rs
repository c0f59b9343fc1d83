//! Exit statuses, decided here alone.

use anyhow::{Error, Result};
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Done, and nothing was found.
    Clean,
    /// Done, with findings.
    Findings,
    /// Failed, and the user has been told why, as by clang.
    Failed,
    /// As a program that was started ended, such as cargo.
    Other(u8),
}

/// The process's exit status, after telling an error that nobody has told yet.
pub fn code(outcome: Result<Status>) -> ExitCode {
    match outcome {
        Ok(Status::Clean) => ExitCode::SUCCESS,
        Ok(Status::Findings) => ExitCode::from(1),
        Ok(Status::Failed) => ExitCode::from(2),
        Ok(Status::Other(code)) => ExitCode::from(code),
        // The reader of a pipe has seen enough, as in `nonius report x.json | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nonius: error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// What became of arguments that were not understood, or that ask for help.
pub fn usage(error: &clap::Error) -> Result<Status> {
    error.print()?;
    Ok(if error.use_stderr() { Status::Failed } else { Status::Clean })
}
