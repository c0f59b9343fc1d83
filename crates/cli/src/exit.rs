//! Exit statuses, decided here alone.

use crate::terminal;
use anyhow::{Error, Result};
use std::io::{self, ErrorKind};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Done, and nothing was found.
    Clean,
    /// Done, with findings.
    Findings,
    /// Failed, and the user has been told why, as by clang.
    Failed,
    /// As a program that was started ended, or as `exitcode=` says.
    Other(u8),
}

/// What the status of a run depends on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Run {
    /// The program's own status; 0 if it did well.
    pub program: u8,
    /// Nonius could not do its part: no report, an analysis that stopped, less shadowed than asked for.
    pub failed: bool,
    pub findings: bool,
    /// What `exitcode=` says.
    pub exitcode: Option<u8>,
}

impl Run {
    /// A failing program keeps its status whatever was found: whoever runs tests must hear of it. Silence of an analysis
    /// that failed is no good news.
    pub fn status(self) -> Status {
        match self {
            Run { program: status @ 1.., .. } => Status::Other(status),
            Run { failed: true, .. } => Status::Failed,
            Run { findings: true, exitcode: Some(status), .. } => Status::Other(status),
            Run { findings: true, .. } => Status::Findings,
            _ => Status::Clean,
        }
    }
}

/// The status of a program as a shell would say it.
pub fn of_program(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.map_or(u8::MAX, |code| u8::try_from(code).unwrap_or(u8::MAX))
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
            tell(&error);
            ExitCode::from(2)
        }
    }
}

/// Tells the user what went wrong.
pub fn tell(error: &Error) {
    eprint!("{}", terminal::fitted(format!("nonius: error: {}\n", said_once(error)), &io::stderr()));
}

/// The error with its causes, each of them once: some tell theirs themselves.
fn said_once(error: &Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(|cause| cause.to_string()) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}

fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
}

/// What became of arguments that were not understood, or that ask for help.
pub fn usage(error: &clap::Error) -> Result<Status> {
    error.print()?;
    Ok(if error.use_stderr() { Status::Failed } else { Status::Clean })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn the_programs_status_comes_first_then_failure_then_findings() {
        let clean = Run::default();
        assert_eq!(clean.status(), Status::Clean);
        assert_eq!(Run { findings: true, ..clean }.status(), Status::Findings);
        assert_eq!(Run { findings: true, exitcode: Some(7), ..clean }.status(), Status::Other(7));
        assert_eq!(Run { exitcode: Some(7), ..clean }.status(), Status::Clean);
        assert_eq!(Run { findings: true, failed: true, exitcode: Some(7), ..clean }.status(), Status::Failed);
        for findings in [false, true] {
            let all = Run { program: 134, findings, failed: true, exitcode: Some(7) };
            assert_eq!(all.status(), Status::Other(134));
        }
    }

    #[test]
    fn signals_are_told_as_a_shell_tells_them() {
        assert_eq!(of_program(ExitStatus::from_raw(3 << 8)), 3);
        assert_eq!(of_program(ExitStatus::from_raw(6)), 134);
        assert_eq!(of_program(ExitStatus::from_raw(0)), 0);
    }

    #[test]
    fn causes_are_told_once() {
        let inner = || io::Error::other("no such file");
        let error = Err::<(), _>(inner()).context("cannot read a.json: no such file").unwrap_err();
        assert_eq!(said_once(&error), "cannot read a.json: no such file");
        let error = Err::<(), _>(inner()).context("cannot read a.json").unwrap_err();
        assert_eq!(said_once(&error), "cannot read a.json: no such file");
    }
}
