//! Compiles a formula's program and runs it.

use crate::process::{self, Finished};
use crate::real::parse_hexadecimal;
use crate::report::Report;
use crate::tools::Tools;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// One compilation, or one run of one program.
const LIMIT: Duration = Duration::from_secs(300);

/// Optimized as programs are, and with one meaning: no contraction to fused operations.
pub const FLAGS: [&str; 2] = ["-O1", "-ffp-contract=off"];

/// Only output is checked: each result is then judged once, at its own line, by its own value.
const ONLY_OUTPUT: &str = "check_store=0:check_return=0:check_argument=0";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Nonius,
    Clang,
}

/// What a run printed and found.
pub struct Ran {
    pub report: Report,
    pub stdout: String,
    pub seconds: f64,
}

pub struct Program {
    path: PathBuf,
}

impl Program {
    /// Compiles the file at `source`, with more flags than [`FLAGS`] if need be.
    pub fn compile(tools: &Tools, compiler: Compiler, source: &Path, flags: &[String]) -> Result<Program> {
        let path = source.with_extension(if compiler == Compiler::Nonius { "nonius" } else { "plain" });
        let mut command = match compiler {
            Compiler::Nonius => {
                let mut command = Command::new(&tools.nonius);
                command.arg("cc");
                command
            }
            Compiler::Clang => Command::new(&tools.clang),
        };
        command.args(FLAGS).args(flags).arg(source).arg("-o").arg(&path).arg("-lm");
        command.env_remove("NONIUS_COMPILE_OPTIONS");
        let compiled = process::run(command, LIMIT)?;
        if !compiled.status.success() {
            bail!("{} does not compile: {}", source.display(), compiled.stderr.trim());
        }
        Ok(Program { path })
    }

    /// As a plain program.
    pub fn run_plain(&self, arguments: &[String]) -> Result<Finished> {
        let mut command = Command::new(&self.path);
        command.args(arguments).env_remove("NONIUS_OPTIONS");
        process::run(command, LIMIT)
    }

    /// Under the inline engine, or the event engine with an oracle; output alone is checked.
    pub fn run_output_checked(&self, tools: &Tools, oracle: Option<&str>) -> Result<Ran> {
        self.run_with(tools, oracle, ONLY_OUTPUT, &[])
    }

    /// The same with options of one's own. An oracle may run the program more than once, so `nonius run` sees to it.
    pub fn run_with(&self, tools: &Tools, oracle: Option<&str>, options: &str, arguments: &[String]) -> Result<Ran> {
        let command = match oracle {
            None => Command::new(&self.path),
            Some(oracle) => {
                let mut command = Command::new(&tools.nonius);
                command.arg("run").arg(format!("--oracle={oracle}")).arg(&self.path);
                command
            }
        };
        self.run_reported(command, options, arguments)
    }

    /// By `nonius run` with all its defaults, for one result.
    pub fn run_by_nonius(&self, tools: &Tools, index: usize) -> Result<Ran> {
        let mut command = Command::new(&tools.nonius);
        command.arg("run").arg(&self.path);
        self.run_reported(command, "", &[index.to_string()])
    }

    fn run_reported(&self, mut command: Command, options: &str, arguments: &[String]) -> Result<Ran> {
        let report = self.path.with_extension("json");
        let _ = fs::remove_file(&report);
        // The exact values are those of the constants as they are in the program.
        let options = format!("quiet=1:constants=exact:report='{}':{options}", report.display());
        command.args(arguments).env("NONIUS_OPTIONS", options);
        let finished = process::run(command, LIMIT)?;
        // 1: findings, from 'nonius run'. The programs themselves end with 0.
        ensure!(finished.status.code().is_some_and(|c| c < 2), "{}: {}", finished.status, finished.complaint());
        Ok(Ran { report: Report::read(&report)?, stdout: finished.stdout, seconds: finished.seconds })
    }
}

/// The results that a program printed, by their index.
pub fn results(stdout: &str, count: usize) -> Result<Vec<f64>> {
    let mut results = Vec::with_capacity(count);
    for line in stdout.lines() {
        let (index, value) = line.split_once(' ').with_context(|| format!("'{line}' is no result"))?;
        ensure!(index.parse() == Ok(results.len()), "'{line}' is not result {}", results.len());
        results.push(parse_hexadecimal(value).with_context(|| format!("'{line}' has no number"))?);
    }
    ensure!(results.len() == count, "{} results instead of {count}", results.len());
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_complete() {
        assert_eq!(results("0 0x1p+0\n1 -inf\n", 2).unwrap(), [1.0, f64::NEG_INFINITY]);
        for text in ["0 0x1p+0\n", "1 0x1p+0\n0 0x1p+0\n", "0 one\n1 0x1p+0\n", "0\n1\n"] {
            assert!(results(text, 2).is_err(), "{text:?}");
        }
    }
}
