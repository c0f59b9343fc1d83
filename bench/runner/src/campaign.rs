//! Everything in order: each kernel and type, then the sizes, then the threads.

use crate::cli::{Peer, Plan};
use crate::kernel::{Kernel, RealType};
use crate::means;
use crate::progress::Progress;
use crate::results::{Results, Settings, SizePoint, Skipped, ThreadPoint, Trial};
use crate::{process, sweep, table, trial};
use anyhow::{Context, Result};

pub fn run(plan: &Plan) -> Result<Results> {
    let progress = Progress::new(steps(plan));
    let (trials, skipped) = run_trials(plan, &progress)?;
    let sizes = run_sizes(plan, &progress, &trials)?;
    let threads = run_threads(plan, &progress, &trials)?;
    progress.finish();
    Ok(Results {
        machine: plan.machine.clone(),
        nonius: plan.toolchain.nonius_version.clone(),
        clang: plan.toolchain.clang_version.clone(),
        settings: Settings {
            quick: plan.quick,
            rounds: plan.rounds,
            peer_seconds: (plan.peer == Peer::Nsan).then(|| plan.peer_seconds()),
        },
        means: means::of(&trials),
        trials,
        sizes,
        threads,
        skipped,
        peak_floor_bytes: process::own_peak_bytes(),
    })
}

fn steps(plan: &Plan) -> usize {
    plan.kernels
        .iter()
        .map(|k| k.types.len() * if k.threads > 1 { 2 } else { 1 } + usize::from(!k.sweep.is_empty()))
        .sum()
}

fn run_trials(plan: &Plan, progress: &Progress) -> Result<(Vec<Trial>, Vec<Skipped>)> {
    let (mut trials, mut skipped) = (Vec::new(), Vec::new());
    for (kernel, real) in plan.kernels.iter().flat_map(|k| k.types.iter().map(move |t| (k, *t))) {
        progress.begin(&format!("{} {}", kernel.name, real.name()));
        match trial::run(plan, kernel, real).with_context(|| format!("measuring {} ({})", kernel.name, real.name()))? {
            Ok(trial) => {
                progress.note(&table::progress_line(&trial));
                trials.push(trial);
            }
            Err(skip) => {
                progress.note(&format!("{} {}: skipped, {}", skip.name, real.name(), skip.reason));
                skipped.push(skip);
            }
        }
        progress.end();
    }
    Ok((trials, skipped))
}

/// Whether Nonius can be measured further on this kernel.
fn ran(trials: &[Trial], kernel: &Kernel, real: RealType) -> bool {
    trials.iter().any(|t| t.name == kernel.name && t.real == real && t.nonius.failure.is_none())
}

fn run_sizes(plan: &Plan, progress: &Progress, trials: &[Trial]) -> Result<Vec<SizePoint>> {
    let mut points = Vec::new();
    for kernel in plan.kernels.iter().filter(|k| !k.sweep.is_empty()) {
        progress.begin(&format!("{} by size", kernel.name));
        if ran(trials, kernel, RealType::Double) {
            points.extend(sweep::sizes(plan, kernel)?);
        }
        progress.end();
    }
    Ok(points)
}

fn run_threads(plan: &Plan, progress: &Progress, trials: &[Trial]) -> Result<Vec<ThreadPoint>> {
    let mut points = Vec::new();
    let threaded = plan.kernels.iter().filter(|k| k.threads > 1);
    for (kernel, real) in threaded.flat_map(|k| k.types.iter().map(move |t| (k, *t))) {
        progress.begin(&format!("{} {} by threads", kernel.name, real.name()));
        if ran(trials, kernel, real) {
            points.push(sweep::threads(plan, kernel, real)?);
        }
        progress.end();
    }
    Ok(points)
}
