//! The kernels of `bench/` in dense linear algebra, stencils and data mining, operation by operation.
//!
//! An operation is past the limit if the largest error among its executions is 2^45 ulps of a double (2^16 of a float,
//! the same share) or more: the limit of RePo's section 3.4, which counts executions where this counts operations in
//! the source. No formula gives the ideal here. The reference is Nonius's own machine under MPFR, at a precision that
//! leaves the same operations past the limit as one of half as many bits. So an operation that the machine does not
//! follow is not seen by either side: this part measures the arithmetic of shadows, not the machine.

use crate::engine::Engine;
use crate::program::{Compiler, Program, Ran};
use crate::real::Real;
use crate::report::Place;
use crate::results::{ComparedBy, KernelTrial, KernelVerdicts};
use crate::tools::Tools;
use anyhow::{Context, Result, ensure};
use nonius_bench::kernel::{self, Kernel, Language, RealType};
use nonius_numerics::{Precision, Threshold};
use std::path::{Path, PathBuf};

const GROUPS: [&str; 4] = ["dense", "solver", "stencil", "mining"];
const PRECISIONS: [u32; 4] = [512, 1024, 2048, 4096];
/// Size, repetitions and threads: MPFR at 1024 bits takes a second or so for it.
const PROBLEM: [&str; 3] = ["20", "3", "1"];

/// The kernels in C of these groups.
pub fn all(folder: &Path) -> Result<Vec<Kernel>> {
    let mut kernels = kernel::load_all(folder)?;
    kernels.retain(|k| GROUPS.contains(&k.group.as_str()) && k.language() == Language::C);
    Ok(kernels)
}

/// The relative error that 2^45 ulps of a double are.
pub fn limit() -> f64 {
    Threshold::Ulps(2f64.powi(45)).relative_limit(Precision::Double)
}

pub fn measure(tools: &Tools, kernel: &Kernel, real: Real, engines: &[Engine]) -> KernelTrial {
    let mut trial = KernelTrial {
        name: kernel.name.clone(),
        real,
        operations: 0,
        past_limit: 0,
        near_limit: 0,
        settled_bits: None,
        engines: Vec::new(),
        failure: None,
    };
    if let Err(error) = fill(&mut trial, tools, kernel, engines) {
        trial.failure = Some(format!("{error:#}"));
    }
    trial
}

/// Whether `kernel` is measured in this format.
pub fn has_type(kernel: &Kernel, real: Real) -> bool {
    kernel.types.contains(match real {
        Real::Double => &RealType::Double,
        Real::Float => &RealType::Float,
    })
}

fn fill(trial: &mut KernelTrial, tools: &Tools, kernel: &Kernel, engines: &[Engine]) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = copy(kernel, folder.path())?;
    let mut flags = kernel.flags.clone();
    flags.push(format!("-DREAL={}", trial.real.name()));
    let program = Program::compile(tools, Compiler::Nonius, &source, &flags)?;
    let (reference, settled) = reference(tools, &program)?;
    let errors = reference.report.errors();
    ensure!(!errors.is_empty(), "the report has no operations");
    trial.settled_bits = settled;
    trial.operations = errors.len();
    trial.past_limit = errors.values().filter(|e| standing(**e) == Some(true)).count();
    trial.near_limit = errors.values().filter(|e| standing(**e).is_none()).count();
    for engine in engines.iter().filter(|e| **e != Engine::Run) {
        trial.engines.push(compare(tools, &program, engine, &reference));
    }
    Ok(())
}

/// The source stands beside its header, and its program goes there too.
fn copy(kernel: &Kernel, folder: &Path) -> Result<PathBuf> {
    let from = kernel.path.parent().context("a kernel in no folder")?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().context("a file without a name")?;
        if path == kernel.path || path.extension().is_some_and(|e| e == "h") {
            std::fs::copy(&path, folder.join(name))?;
        }
    }
    Ok(folder.join(kernel.path.file_name().context("a kernel without a name")?))
}

fn run(tools: &Tools, program: &Program, oracle: Option<&str>) -> Result<Ran> {
    // Shadows never restart, so that errors are those of the whole computation.
    program.run_with(tools, oracle, &format!("resume=0:threshold={:e}", limit()), &PROBLEM.map(str::to_owned))
}

/// The run whose operations past the limit are those of a run with half its precision.
fn reference(tools: &Tools, program: &Program) -> Result<(Ran, Option<u32>)> {
    let at = |bits: u32| run(tools, program, Some(&format!("mpfr:{bits}")));
    let past = |ran: &Ran| -> Vec<Place> {
        ran.report.errors().into_iter().filter(|(_, e)| *e >= limit()).map(|(place, _)| place).collect()
    };
    let mut before = at(PRECISIONS[0])?;
    for bits in &PRECISIONS[1..] {
        let now = at(*bits)?;
        if past(&before) == past(&now) {
            return Ok((now, Some(*bits)));
        }
        before = now;
    }
    Ok((before, None))
}

/// Whether an error is past the limit; `None` within a factor of 2 of it.
fn standing(error: f64) -> Option<bool> {
    let past = error >= limit();
    ((error * 2.0 >= limit()) == past && (error * 0.5 >= limit()) == past).then_some(past)
}

fn compare(tools: &Tools, program: &Program, engine: &Engine, reference: &Ran) -> KernelVerdicts {
    let by = if *engine == Engine::Inline { ComparedBy::Finding } else { ComparedBy::Operation };
    let mut verdicts =
        KernelVerdicts { engine: engine.clone(), by, missed: 0, false_alarms: 0, seconds: 0.0, failure: None };
    let ran = match run(tools, program, engine.oracle()) {
        Ok(ran) => ran,
        Err(error) => {
            verdicts.failure = Some(format!("{error:#}"));
            return verdicts;
        }
    };
    verdicts.seconds = ran.seconds;
    match by {
        ComparedBy::Finding => {
            let (wanted, found) = (reference.report.observed(), ran.report.observed());
            verdicts.missed = wanted.difference(&found).count();
            verdicts.false_alarms = found.difference(&wanted).count();
        }
        ComparedBy::Operation => {
            let own = ran.report.errors();
            for (place, error) in &reference.report.errors() {
                let said = own.get(place).is_some_and(|e| *e >= limit());
                match standing(*error) {
                    Some(true) if !said => verdicts.missed += 1,
                    Some(false) if said => verdicts.false_alarms += 1,
                    _ => {}
                }
            }
        }
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_repos() {
        assert_eq!(limit(), 2f64.powi(-8));
        assert_eq!(
            (standing(0.1), standing(0.005), standing(0.003), standing(0.001)),
            (Some(true), None, None, Some(false))
        );
    }

    #[test]
    fn there_are_kernels_of_each_group() {
        let kernels = all(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels"))).unwrap();
        for group in GROUPS {
            assert!(kernels.iter().filter(|k| k.group == group).count() >= 2, "{group}");
        }
    }
}
