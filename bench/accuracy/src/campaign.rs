//! All trials, as many at a time as there are cores.

use crate::cli::Plan;
use crate::engine;
use crate::formula::Formula;
use crate::kernels;
use crate::real::Real;
use crate::results::{KernelTrial, Results, Trial};
use crate::trial;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use nonius_bench::kernel::Kernel;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Measures everything in the plan.
pub fn run(plan: &Plan) -> Result<Results> {
    let start = Instant::now();
    let (engines, refused) = engine::available(&plan.tools, &plan.engines)?;
    for refusal in &refused {
        eprintln!("engine {} is left out: {}", refusal.engine, refusal.why);
    }
    let (nonius, clang) = plan.tools.versions()?;
    let formulas: Vec<(&Formula, Real)> = with_types(&plan.formulas, &plan.types).collect();
    let kernels: Vec<(&Kernel, Real)> =
        with_types(&plan.kernels, &plan.types).filter(|(k, real)| kernels::has_type(k, *real)).collect();
    let bar = progress(formulas.len() + kernels.len());
    let trials: Vec<Trial> = in_parallel(plan.jobs, &formulas, &bar, |&(formula, real)| {
        trial::measure(&plan.tools, formula, real, &engines, plan.settings)
    });
    let kernels: Vec<KernelTrial> =
        in_parallel(plan.jobs, &kernels, &bar, |&(kernel, real)| kernels::measure(&plan.tools, kernel, real, &engines));
    bar.finish_and_clear();
    let (machine, settings, seconds) = (plan.machine.clone(), plan.settings, start.elapsed().as_secs_f64());
    Ok(Results { machine, nonius, clang, settings, engines, refused, trials, kernels, seconds })
}

fn with_types<'a, T>(items: &'a [T], types: &'a [Real]) -> impl Iterator<Item = (&'a T, Real)> {
    items.iter().flat_map(|item| types.iter().map(move |real| (item, *real)))
}

fn progress(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} (about {eta} left)") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// A bar on a terminal, a line now and then elsewhere.
fn advance(bar: &ProgressBar) {
    const LINES: u64 = 50;
    bar.inc(1);
    if bar.is_hidden() && bar.position().is_multiple_of(LINES) {
        eprintln!("{} of {} programs measured", bar.position(), bar.length().unwrap_or(0));
    }
}

/// The results in the order of the items.
fn in_parallel<T: Sync, R: Send>(jobs: usize, items: &[T], bar: &ProgressBar, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(|| {
                while let Some((index, item)) = take(&next, items) {
                    let result = work(item);
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((index, result));
                    advance(bar);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_their_items() {
        let items: Vec<u32> = (0..100).collect();
        let doubled = in_parallel(4, &items, &ProgressBar::hidden(), |x| 2 * x);
        assert_eq!(doubled, items.iter().map(|x| 2 * x).collect::<Vec<_>>());
    }
}
