//! Cost against size, and threads against one thread.

use crate::cli::Plan;
use crate::kernel::{Kernel, Problem, RealType};
use crate::race::{self, Runner};
use crate::results::{Clock, SizePoint, ThreadPoint};
use crate::toolchain::Variant;
use crate::trial;
use anyhow::Result;
use std::path::PathBuf;

/// Repetitions are divided by this in a quick run.
const QUICK_PART: u64 = 4;

/// Native and Nonius programs of one kernel.
struct Pair {
    native: PathBuf,
    nonius: PathBuf,
    _folder: tempfile::TempDir,
}

impl Pair {
    fn build(plan: &Plan, kernel: &Kernel, real: RealType) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let make = |variant| trial::build(&plan.toolchain, kernel, real, variant, folder.path());
        Ok(Self { native: make(Variant::Native)?, nonius: make(Variant::Nonius)?, _folder: folder })
    }

    fn runners(&self, problem: Problem, rounds: usize) -> [Runner; 2] {
        [
            Runner::new(Variant::Native, self.native.clone(), problem, rounds),
            Runner::new(Variant::Nonius, self.nonius.clone(), problem, rounds),
        ]
    }
}

/// The kernel in double on each problem of its sweep.
pub fn sizes(plan: &Plan, kernel: &Kernel) -> Result<Vec<SizePoint>> {
    let pair = Pair::build(plan, kernel, RealType::Double)?;
    let mut points = Vec::new();
    for problem in &kernel.sweep {
        let reps = if plan.quick { problem.reps.div_ceil(QUICK_PART) } else { problem.reps };
        let problem = Problem { reps, ..*problem };
        let [mut native, mut nonius] = pair.runners(problem, plan.rounds);
        race::run(&mut [&mut native, &mut nonius]);
        native.must_succeed()?;
        nonius.must_succeed()?;
        let (native_s, nonius_s) = (native.series.seconds(Clock::Cpu), nonius.series.seconds(Clock::Cpu));
        points.push(SizePoint {
            name: kernel.name.clone(),
            problem,
            native_s,
            nonius_s,
            slowdown: nonius_s / native_s,
            peak_ratio: nonius.series.peak() / native.series.peak(),
        });
    }
    Ok(points)
}

/// How much faster the kernel is on its threads than on one, native and under Nonius.
pub fn threads(plan: &Plan, kernel: &Kernel, real: RealType) -> Result<ThreadPoint> {
    let pair = Pair::build(plan, kernel, real)?;
    let many = kernel.problem(plan.quick);
    let one = Problem { threads: 1, ..many };
    let ([mut native_one, mut nonius_one], [mut native_many, mut nonius_many]) =
        (pair.runners(one, plan.rounds), pair.runners(many, plan.rounds));
    race::run(&mut [&mut native_one, &mut native_many, &mut nonius_one, &mut nonius_many]);
    let speedup = |one: &Runner, many: &Runner| -> Result<f64> {
        one.must_succeed()?;
        many.must_succeed()?;
        Ok(one.series.seconds(Clock::Wall) / many.series.seconds(Clock::Wall))
    };
    Ok(ThreadPoint {
        name: kernel.name.clone(),
        real,
        threads: kernel.threads,
        native_speedup: speedup(&native_one, &native_many)?,
        nonius_speedup: speedup(&nonius_one, &nonius_many)?,
    })
}
