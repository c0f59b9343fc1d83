//! Programs that take turns: each runs once, then all again, so that a slow spell of the machine
//! falls on all of them.

use crate::kernel::Problem;
use crate::process;
use crate::results::Series;
use crate::toolchain::{self, Variant};
use anyhow::Result;
use std::path::PathBuf;
use std::time::Duration;

/// Far above what any kernel needs, so that only a program that hangs runs into it.
pub const TIME_LIMIT: Duration = Duration::from_secs(300);

/// A program, the problem it is given, and what was measured of it so far.
#[derive(Debug)]
pub struct Runner {
    pub variant: Variant,
    pub program: PathBuf,
    pub problem: Problem,
    pub rounds: usize,
    /// Runs in each round: more than one for a program so short that one says little.
    pub per_round: usize,
    pub series: Series,
    /// Processor time of the run that is not counted.
    pub warm_up_s: Option<f64>,
    /// What it prints, as first seen.
    pub output: Option<String>,
    /// It did not print the same each time.
    pub unsteady: bool,
    pub failure: Option<String>,
}

impl Runner {
    pub fn new(variant: Variant, program: PathBuf, problem: Problem, rounds: usize) -> Self {
        Self {
            variant,
            program,
            problem,
            rounds,
            per_round: 1,
            series: Series::default(),
            warm_up_s: None,
            output: None,
            unsteady: false,
            failure: None,
        }
    }

    /// Where its runs leave Nonius's report.
    pub fn report_path(&self) -> PathBuf {
        self.program.with_extension("json")
    }

    /// One run that is not counted: it warms the caches and shows what is printed.
    pub fn warm_up(&mut self) {
        if let Some(sample) = self.run() {
            self.note_output(&sample.stdout);
            self.warm_up_s = Some(sample.cpu_s);
        }
    }

    fn run(&mut self) -> Option<process::Sample> {
        let command = toolchain::start(self.variant, &self.program, &self.problem, &self.report_path());
        process::run(command, TIME_LIMIT).map_err(|e| self.failure = Some(format!("{e:#}"))).ok()
    }

    fn measure(&mut self) {
        if self.failure.is_none()
            && let Some(sample) = self.run()
        {
            self.note_output(&sample.stdout);
            self.series.push(&sample);
        }
    }

    fn note_output(&mut self, stdout: &str) {
        match &self.output {
            None => self.output = Some(stdout.to_owned()),
            Some(seen) => self.unsteady |= seen != stdout,
        }
    }

    /// Its failure as an error, for those that must not fail.
    pub fn must_succeed(&self) -> Result<()> {
        match &self.failure {
            Some(failure) => anyhow::bail!("{failure}"),
            None => Ok(()),
        }
    }
}

pub fn run(runners: &mut [&mut Runner]) {
    let rounds = runners.iter().map(|r| r.rounds).max().unwrap_or(0);
    for round in 0..rounds {
        for runner in runners.iter_mut().filter(|r| round < r.rounds) {
            for _ in 0..runner.per_round {
                runner.measure();
            }
        }
    }
}
