//! One kernel for one type: built three ways, run in turns, compared.

use crate::cli::{Peer, Plan};
use crate::kernel::{Kernel, Problem, RealType};
use crate::peer;
use crate::process;
use crate::race::{self, Runner, TIME_LIMIT};
use crate::results::{Clock, Side, Skipped, Trial};
use crate::stats;
use crate::toolchain::{Product, Toolchain, Variant};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Native runs as short as nsan's problem asks for are repeated until they add up to this.
const SHORT_RUN_S: f64 = 0.05;

pub fn run(plan: &Plan, kernel: &Kernel, real: RealType) -> Result<Result<Trial, Skipped>> {
    let folder = tempfile::tempdir()?;
    let program = match build(&plan.toolchain, kernel, real, Variant::Native, folder.path()) {
        Ok(program) => program,
        // Flags ask for something that this system may not have.
        Err(error) if !kernel.flags.is_empty() => return Ok(Err(skipped(kernel, real, &error))),
        Err(error) => return Err(error),
    };
    let problem = kernel.problem(plan.quick);
    let clock = if problem.threads > 1 { Clock::Wall } else { Clock::Cpu };
    let mut native = Runner::new(Variant::Native, program, problem, plan.rounds);
    native.warm_up();
    native.must_succeed()?;

    let mut nonius = prepared(plan, kernel, real, Variant::Nonius, folder.path(), problem);
    if nonius.failure.is_none() {
        nonius.warm_up();
    }
    let has_peer = plan.peer == Peer::Nsan && kernel.language().is_of_clang();
    let mut nsan = has_peer.then(|| Opponent::prepare(plan, kernel, real, folder.path(), &native));
    let mut runners = vec![&mut native, &mut nonius];
    if let Some(opponent) = &mut nsan {
        runners.extend(opponent.runners());
    }
    race::run(&mut runners);
    native.must_succeed()?;

    let costs = CompileCosts::measure(plan, kernel, real, folder.path(), nsan.is_some())?;
    let mut ours = side(&nonius, &native, clock, &costs);
    if ours.failure.is_none() {
        (ours.findings, ours.finding_list) = read_findings(&nonius.report_path())?;
    }
    let findings_on_smaller = nsan.as_ref().and_then(|o| findings_on(&nonius, o.tool.problem));
    Ok(Ok(Trial {
        name: kernel.name.clone(),
        group: kernel.group.clone(),
        summary: kernel.summary.clone(),
        real,
        problem,
        clock,
        nonius: ours,
        nsan: nsan.map(|opponent| opponent.side(&native, clock, &costs)),
        nonius_findings_on_nsan_problem: findings_on_smaller,
        native: native.series,
        native_compile_s: costs.native.seconds,
        native_object_bytes: costs.native.bytes,
    }))
}

fn skipped(kernel: &Kernel, real: RealType, error: &anyhow::Error) -> Skipped {
    let text = format!("{error:#}");
    let line = text.lines().find(|l| l.contains("error")).or(text.lines().next()).unwrap_or_default();
    let package = if kernel.flags.iter().any(|f| f == "-fopenmp") { " (package libomp-22-dev?)" } else { "" };
    let reason = format!("not built with {}{package}: {line}", kernel.flags.join(" "));
    Skipped { name: kernel.name.clone(), real, reason }
}

pub fn build(
    toolchain: &Toolchain,
    kernel: &Kernel,
    real: RealType,
    variant: Variant,
    folder: &Path,
) -> Result<PathBuf> {
    let program = folder.join(format!("{}-{}-{variant:?}", kernel.name, real.name()).to_lowercase());
    process::run(toolchain.compile(kernel, real, variant, Product::Program, &program), TIME_LIMIT)?;
    Ok(program)
}

/// A runner whose failure to build is its failure.
fn prepared(plan: &Plan, kernel: &Kernel, real: RealType, variant: Variant, folder: &Path, problem: Problem) -> Runner {
    match build(&plan.toolchain, kernel, real, variant, folder) {
        Ok(program) => Runner::new(variant, program, problem, plan.rounds),
        Err(error) => {
            let mut runner = Runner::new(variant, PathBuf::new(), problem, 0);
            runner.failure = Some(format!("{error:#}"));
            runner
        }
    }
}

/// nsan, with native code on the same problem if that had to be made smaller.
struct Opponent {
    tool: Runner,
    reduced_native: Option<Runner>,
    warnings: Option<u64>,
}

impl Opponent {
    fn prepare(plan: &Plan, kernel: &Kernel, real: RealType, folder: &Path, native: &Runner) -> Self {
        let mut tool = prepared(plan, kernel, real, Variant::Nsan, folder, native.problem);
        if tool.failure.is_some() {
            return Self { tool, reduced_native: None, warnings: None };
        }
        match peer::fitting(&tool.program, native.problem, plan.peer_seconds()) {
            Ok((problem, expected_s)) => {
                tool.problem = problem;
                tool.rounds = plan.peer_rounds(expected_s);
            }
            Err(error) => tool.failure = Some(format!("{error:#}")),
        }
        let reduced_native = (tool.problem != native.problem).then(|| reduced(native, tool.problem, tool.rounds));
        let limit = Duration::from_secs_f64(plan.peer_seconds() * 2.0);
        Self { warnings: peer::count_warnings(&tool.program, tool.problem, limit), reduced_native, tool }
    }

    fn runners(&mut self) -> impl Iterator<Item = &mut Runner> {
        self.reduced_native.iter_mut().chain([&mut self.tool])
    }

    fn side(self, native: &Runner, clock: Clock, costs: &CompileCosts) -> Side {
        let baseline = self.reduced_native.as_ref().unwrap_or(native);
        let mut side = side(&self.tool, baseline, clock, costs);
        side.findings = self.warnings;
        side.reduced_reps = self.reduced_native.as_ref().map(|r| r.problem.reps);
        side.reduced_native = self.reduced_native.map(|r| r.series);
        side
    }
}

fn reduced(native: &Runner, problem: Problem, rounds: usize) -> Runner {
    let mut runner = Runner::new(Variant::Native, native.program.clone(), problem, rounds);
    let share = problem.reps as f64 / native.problem.reps as f64;
    let expected_s = share * native.warm_up_s.unwrap_or(SHORT_RUN_S);
    runner.per_round = ((SHORT_RUN_S / expected_s) as usize).clamp(1, 10);
    runner
}

fn side(tool: &Runner, baseline: &Runner, clock: Clock, costs: &CompileCosts) -> Side {
    if tool.failure.is_some() {
        return Side { failure: tool.failure.clone(), ..Side::default() };
    }
    let cost = if tool.variant == Variant::Nonius { &costs.nonius } else { &costs.nsan };
    Side {
        slowdown: Some(tool.series.seconds(clock) / baseline.series.seconds(clock)),
        peak_ratio: Some(tool.series.peak() / baseline.series.peak()),
        compile_ratio: cost.as_ref().map(|c| c.seconds / costs.native.seconds),
        object_ratio: cost.as_ref().map(|c| c.bytes as f64 / costs.native.bytes as f64),
        same_results: Some(!tool.unsteady && !baseline.unsteady && tool.output == baseline.output),
        series: tool.series.clone(),
        ..Side::default()
    }
}

struct Cost {
    seconds: f64,
    bytes: u64,
}

/// What it costs to compile an object, and its size. `None`: that compiler failed, which is reported elsewhere.
struct CompileCosts {
    native: Cost,
    nonius: Option<Cost>,
    nsan: Option<Cost>,
}

impl CompileCosts {
    fn measure(plan: &Plan, kernel: &Kernel, real: RealType, folder: &Path, with_nsan: bool) -> Result<Self> {
        let variants = [Some(Variant::Native), Some(Variant::Nonius), with_nsan.then_some(Variant::Nsan)];
        let mut seconds = [Vec::new(), Vec::new(), Vec::new()];
        let object = |variant: Variant| folder.join(format!("{variant:?}.o"));
        for _ in 0..plan.compile_rounds() {
            for (i, variant) in variants.iter().enumerate().filter_map(|(i, v)| Some((i, (*v)?))) {
                let command = plan.toolchain.compile(kernel, real, variant, Product::Object, &object(variant));
                seconds[i].extend(process::run(command, TIME_LIMIT).map(|sample| sample.cpu_s));
            }
        }
        let mut costs = variants.into_iter().zip(seconds).map(|(variant, seconds)| {
            let bytes = fs::metadata(object(variant?)).ok()?.len();
            Some(Cost { seconds: stats::median(seconds), bytes })
        });
        let mut next = || costs.next().flatten();
        Ok(Self { native: next().context("no object was made by clang-22")?, nonius: next(), nsan: next() })
    }
}

/// The parts of Nonius's JSON report that are kept.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    kind: String,
    location: Location,
    observed_at: String,
}

#[derive(Deserialize)]
struct Location {
    file: String,
    line: u64,
}

fn read_findings(report: &Path) -> Result<(Option<u64>, Vec<String>)> {
    let text = fs::read(report).with_context(|| format!("no report was left in {}", report.display()))?;
    let report: Report = serde_json::from_slice(&text).context("the report cannot be read")?;
    let mut list: Vec<String> = report.findings.iter().map(Finding::line).collect();
    list.sort();
    Ok((Some(list.len() as u64), list))
}

impl Finding {
    fn line(&self) -> String {
        let file = Path::new(&self.location.file).file_name().unwrap_or_default().to_string_lossy();
        format!("{} at {file}:{} in {}", self.kind, self.location.line, self.observed_at)
    }
}

/// What Nonius finds on another problem; not timed.
fn findings_on(nonius: &Runner, problem: Problem) -> Option<u64> {
    if nonius.failure.is_some() {
        return None;
    }
    let mut runner = Runner::new(Variant::Nonius, nonius.program.clone(), problem, 1);
    runner.warm_up();
    read_findings(&runner.report_path()).ok()?.0
}
