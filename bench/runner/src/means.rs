//! Geometric means and extremes over the kernels of a type.

use crate::kernel::RealType;
use crate::results::{Side, Trial};
use crate::stats::geometric_mean;
use serde::Serialize;

/// Below this, what a program's memory ratio shows is the size of the C library and of the runtime.
pub const MEMORY_COUNTS_FROM: f64 = 8e6;

#[derive(Debug, Serialize)]
pub struct Means {
    pub real: RealType,
    pub kernels: usize,
    pub nonius_slowdown: Option<f64>,
    pub nonius_worst: Option<Extreme>,
    pub nsan_slowdown: Option<f64>,
    /// nsan's slowdown over that of Nonius.
    pub nsan_over_nonius: Option<f64>,
    /// Over kernels whose native program needs at least 8 MB.
    pub nonius_peak: Option<f64>,
    pub nonius_peak_worst: Option<Extreme>,
    pub nsan_peak: Option<f64>,
    pub nonius_compile: Option<f64>,
    pub nonius_compile_worst: Option<Extreme>,
    pub nsan_compile: Option<f64>,
    pub nonius_object: Option<f64>,
    pub nsan_object: Option<f64>,
    pub nonius_findings: u64,
    pub nsan_findings: u64,
}

/// The largest ratio, and whose it is.
#[derive(Clone, Debug, Serialize)]
pub struct Extreme {
    pub name: String,
    pub ratio: f64,
}

/// For double and for float, as far as there are trials of them.
pub fn of(trials: &[Trial]) -> Vec<Means> {
    [RealType::Double, RealType::Float]
        .into_iter()
        .map(|real| (real, trials.iter().filter(|t| t.real == real).collect::<Vec<_>>()))
        .filter(|(_, of_type)| !of_type.is_empty())
        .map(|(real, of_type)| one(real, &of_type))
        .collect()
}

fn one(real: RealType, trials: &[&Trial]) -> Means {
    let ours = |ratio: fn(&Side) -> Option<f64>| geometric_mean(trials.iter().filter_map(|t| ratio(&t.nonius)));
    let theirs =
        |ratio: fn(&Side) -> Option<f64>| geometric_mean(trials.iter().filter_map(|t| ratio(t.nsan.as_ref()?)));
    let large: Vec<&Trial> = trials.iter().copied().filter(|t| t.native.peak() >= MEMORY_COUNTS_FROM).collect();
    Means {
        real,
        kernels: trials.len(),
        nonius_slowdown: ours(|s| s.slowdown),
        nonius_worst: worst(trials, |s| s.slowdown),
        nsan_slowdown: theirs(|s| s.slowdown),
        nsan_over_nonius: geometric_mean(trials.iter().filter_map(|t| lead(t))),
        nonius_peak: geometric_mean(large.iter().filter_map(|t| t.nonius.peak_ratio)),
        nonius_peak_worst: worst(&large, |s| s.peak_ratio),
        nsan_peak: geometric_mean(large.iter().filter_map(|t| t.nsan.as_ref()?.peak_ratio)),
        nonius_compile: ours(|s| s.compile_ratio),
        nonius_compile_worst: worst(trials, |s| s.compile_ratio),
        nsan_compile: theirs(|s| s.compile_ratio),
        nonius_object: ours(|s| s.object_ratio),
        nsan_object: theirs(|s| s.object_ratio),
        nonius_findings: trials.iter().filter_map(|t| t.nonius.findings).sum(),
        nsan_findings: trials.iter().filter_map(|t| t.nsan.as_ref()?.findings).sum(),
    }
}

/// How many times faster Nonius is than nsan.
pub fn lead(trial: &Trial) -> Option<f64> {
    Some(trial.nsan.as_ref()?.slowdown? / trial.nonius.slowdown?)
}

fn worst(trials: &[&Trial], ratio: fn(&Side) -> Option<f64>) -> Option<Extreme> {
    trials
        .iter()
        .filter_map(|t| Some(Extreme { name: t.name.clone(), ratio: ratio(&t.nonius)? }))
        .max_by(|a, b| a.ratio.total_cmp(&b.ratio))
}
