//! This build against an earlier one: the same kernels, compiled by both, run in turns. What a change costs the
//! inline engine is a ratio of a few percent, which two runs of the whole benchmark on a shared machine cannot tell.
//! The earlier build is a `target/release/nonius` of another checkout; it needs no more than to run.

use crate::cli::Plan;
use crate::kernel::{Kernel, RealType};
use crate::race::{self, Runner};
use crate::stats::geometric_mean;
use crate::toolchain::{Toolchain, Variant};
use crate::trial::build;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Best processor times of a kernel, by the earlier build and by this one.
struct Row {
    real: RealType,
    before_s: f64,
    now_s: f64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.now_s / self.before_s
    }
}

/// True: what is slower is measured, and is no failure.
pub fn run(plan: &Plan, earlier: &Path) -> Result<bool> {
    let earlier = Toolchain::at(earlier)?;
    let mut text = String::from("                          before        now   now/before   (best processor time)\n");
    print!("{text}");
    let mut rows = Vec::new();
    for (kernel, real) in plan.kernels.iter().flat_map(|k| k.types.iter().map(move |t| (k, *t))) {
        if real == RealType::None {
            continue;
        }
        let row = measure(plan, &earlier, kernel, real).with_context(|| format!("measuring {}", kernel.name))?;
        let line = format!(
            "{:<16}{:<8}{:>8.3} s{:>9.3} s{:>13.3}\n",
            kernel.name,
            real.name(),
            row.before_s,
            row.now_s,
            row.ratio()
        );
        print!("{line}");
        text += &line;
        rows.push(row);
    }
    for real in [RealType::Double, RealType::Float] {
        let ratios: Vec<f64> = rows.iter().filter(|row| row.real == real).map(Row::ratio).collect();
        if let Some(mean) = geometric_mean(ratios.iter().copied()) {
            let line = format!("{}, {} kernels: {mean:.3} of the earlier build's time\n", real.name(), ratios.len());
            print!("{line}");
            let _ = write!(text, "{line}");
        }
    }
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    fs::write(plan.out.join("before.txt"), &text)?;
    Ok(true)
}

fn measure(plan: &Plan, earlier: &Toolchain, kernel: &Kernel, real: RealType) -> Result<Row> {
    let folder = tempfile::tempdir()?;
    let problem = kernel.problem(plan.quick);
    let mut runners = Vec::new();
    for (name, toolchain) in [("before", earlier), ("now", &plan.toolchain)] {
        let folder = folder.path().join(name);
        fs::create_dir(&folder)?;
        let program = build(toolchain, kernel, real, Variant::Nonius, &folder)?;
        let mut runner = Runner::new(Variant::Nonius, program, problem, plan.rounds);
        runner.warm_up();
        runners.push(runner);
    }
    race::run(&mut runners.iter_mut().collect::<Vec<_>>());
    for runner in &runners {
        runner.must_succeed()?;
    }
    ensure!(runners[0].output == runners[1].output, "the builds print different results");
    let best = |runner: &Runner| runner.series.cpu_s.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(Row { real, before_s: best(&runners[0]), now_s: best(&runners[1]) })
}
