//! What was measured. The JSON file is this, field by field; `docs/benchmarks.md` explains it.

use crate::kernel::{Problem, RealType};
use crate::machine::Machine;
use crate::means::Means;
use crate::process::Sample;
use crate::stats;
use serde::Serialize;

#[derive(Debug)]
pub struct Results {
    pub machine: Machine,
    pub nonius: String,
    pub clang: String,
    pub settings: Settings,
    pub means: Vec<Means>,
    pub trials: Vec<Trial>,
    pub sizes: Vec<SizePoint>,
    pub threads: Vec<ThreadPoint>,
    pub skipped: Vec<Skipped>,
    /// No peak was seen below this.
    pub peak_floor_bytes: u64,
}

#[derive(Debug, Serialize)]
pub struct Settings {
    pub quick: bool,
    pub rounds: usize,
    /// Seconds that a run of nsan may take before its problem is made smaller. `None`: not compared.
    pub peer_seconds: Option<f64>,
}

/// A kernel that could not be built even natively.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    pub name: String,
    pub real: RealType,
    pub reason: String,
}

/// What times are compared. Processor time leaves out what other programs took from the machine,
/// but means nothing where threads wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    Cpu,
    Wall,
}

/// One kernel for one type.
#[derive(Debug, Serialize)]
pub struct Trial {
    pub name: String,
    pub group: String,
    pub summary: String,
    pub real: RealType,
    pub problem: Problem,
    pub clock: Clock,
    pub native: Series,
    pub native_compile_s: f64,
    pub native_object_bytes: u64,
    pub nonius: Side,
    pub nsan: Option<Side>,
    /// What Nonius finds on the problem that nsan was given.
    pub nonius_findings_on_nsan_problem: Option<u64>,
}

/// One sanitizer's part of a trial. Ratios are against native code.
#[derive(Debug, Default, Serialize)]
pub struct Side {
    pub failure: Option<String>,
    pub slowdown: Option<f64>,
    pub peak_ratio: Option<f64>,
    pub compile_ratio: Option<f64>,
    pub object_ratio: Option<f64>,
    /// It printed the same as native code, bit for bit, each time.
    pub same_results: Option<bool>,
    /// Nonius: sites with findings. nsan: places with warnings.
    pub findings: Option<u64>,
    /// Each finding as `kind at file:line in observable`.
    pub finding_list: Vec<String>,
    /// Repetitions, where they are fewer than the trial's.
    pub reduced_reps: Option<u64>,
    pub series: Series,
    /// Native code with as few repetitions.
    pub reduced_native: Option<Series>,
}

/// Repeated runs of one program on one problem.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Series {
    pub cpu_s: Vec<f64>,
    pub wall_s: Vec<f64>,
    pub peak_bytes: Vec<u64>,
}

/// Cost against size: the same kernel on a problem of growing size.
#[derive(Debug, Serialize)]
pub struct SizePoint {
    pub name: String,
    pub problem: Problem,
    pub native_s: f64,
    pub nonius_s: f64,
    pub slowdown: f64,
    pub peak_ratio: f64,
}

/// One thread against more, by the wall clock.
#[derive(Debug, Serialize)]
pub struct ThreadPoint {
    pub name: String,
    pub real: RealType,
    pub threads: u64,
    pub native_speedup: f64,
    pub nonius_speedup: f64,
}

impl Series {
    pub fn push(&mut self, sample: &Sample) {
        self.cpu_s.push(sample.cpu_s);
        self.wall_s.push(sample.wall_s);
        self.peak_bytes.push(sample.peak_bytes);
    }

    pub fn times(&self, clock: Clock) -> &[f64] {
        match clock {
            Clock::Cpu => &self.cpu_s,
            Clock::Wall => &self.wall_s,
        }
    }

    /// The median, or NaN if there were no runs.
    pub fn seconds(&self, clock: Clock) -> f64 {
        stats::median(self.times(clock).iter().copied())
    }

    pub fn peak(&self) -> f64 {
        stats::median(self.peak_bytes.iter().map(|b| *b as f64))
    }
}

impl Results {
    /// What must not happen: a sanitizer of ours that fails, or that changes what a program prints.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for trial in &self.trials {
            let title = format!("{} ({})", trial.name, trial.real.name());
            if let Some(failure) = &trial.nonius.failure {
                problems.push(format!("{title}: Nonius failed: {failure}"));
            }
            if trial.nonius.same_results == Some(false) {
                problems.push(format!("{title}: results under Nonius differ from native ones"));
            }
        }
        problems
    }

    /// The same of nsan, which is no failure of this run.
    pub fn peer_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for (trial, side) in self.trials.iter().filter_map(|t| Some((t, t.nsan.as_ref()?))) {
            let title = format!("{} ({})", trial.name, trial.real.name());
            if let Some(failure) = &side.failure {
                problems.push(format!("{title}: nsan failed: {}", failure.lines().next().unwrap_or_default()));
            }
            if side.same_results == Some(false) {
                problems.push(format!("{title}: results under nsan differ from native ones"));
            }
        }
        problems
    }
}
