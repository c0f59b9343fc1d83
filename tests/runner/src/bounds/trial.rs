//! A unit under test: bounds by abstract execution, floats by the plain compiler, reals by the evaluator.

use super::emit;
use super::evaluate::{Failed, evaluate};
use super::program::{Body, Program, Statement};
use super::sample::{Sample, samples};
use crate::fuzz::random::Random;
use anyhow::{Context, Result, bail};
use rug::Float;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

pub struct Setup<'a> {
    pub nonius: &'a Path,
    pub level: &'static str,
    pub samples: usize,
    pub seed: u64,
}

/// A run that left what was said of it.
#[derive(Clone, Debug)]
pub struct Violation {
    pub program: usize,
    pub level: &'static str,
    /// What left what, in words.
    pub what: String,
}

/// What was tried, and what failed.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub violations: Vec<Violation>,
    pub programs: u64,
    /// Programs whose bounds hold for all inputs, and those where they hold for the own path.
    pub whole: u64,
    pub own_path: u64,
    pub runs: u64,
    /// Values, reals, errors and relative errors that were looked for in finite bounds.
    pub checks: u64,
    /// Runs on reals that no precision here decides.
    pub unclear: u64,
    /// Programs whose bounds no run came to, and observations without bounds.
    pub unbounded: u64,
    pub paths: u64,
}

impl Outcome {
    pub fn merge(&mut self, other: Outcome) {
        self.violations.extend(other.violations);
        self.programs += other.programs;
        self.whole += other.whole;
        self.own_path += other.own_path;
        self.runs += other.runs;
        self.checks += other.checks;
        self.unclear += other.unclear;
        self.unbounded += other.unbounded;
        self.paths += other.paths;
    }
}

/// Of reals; what one of them says against a bound, another of more bits has to confirm.
const BITS: u32 = 256;
const MORE_BITS: u32 = 1200;
const PATHS: u32 = 300;

pub fn run(programs: &[Program], setup: &Setup<'_>) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("program.c");
    std::fs::write(&source, emit::unit(programs))?;
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    let build = |mut compiler: Command, name: &str| {
        compiler.args([setup.level, "-w", "-g", "-std=gnu17", "-I"]).arg(&include).arg(&source);
        compiler.arg("-o").arg(folder.path().join(name)).arg("-lm");
        let built = compiler.output().context("the compiler starts")?;
        if !built.status.success() {
            bail!("{name} does not compile: {}", String::from_utf8_lossy(&built.stderr));
        }
        Ok(())
    };
    let mut nonius = Command::new(setup.nonius);
    nonius.arg("cc");
    build(nonius, "nonius")?;
    build(Command::new("clang-22"), "plain")?;
    let mut outcome = Outcome::default();
    for (number, program) in programs.iter().enumerate() {
        let Reported { bounds, holds_for_all, paths } = match abstractly(folder.path(), number) {
            Ok(reported) => reported,
            Err(error) => {
                let what = format!("no report: {error:#}");
                outcome.violations.push(Violation { program: number, level: setup.level, what });
                continue;
            }
        };
        outcome.programs += 1;
        outcome.paths += paths;
        *if holds_for_all { &mut outcome.whole } else { &mut outcome.own_path } += 1;
        let mut random = Random::new(setup.seed << 8 ^ number as u64);
        let samples = samples(program, &mut random, setup.samples);
        let floats = concretely(folder.path(), number, &samples)?;
        let mut trial = Trial { program, bounds, holds_for_all, outcome: &mut outcome, own_trace: None };
        if let Some(what) = trial.compare(&samples, &floats) {
            outcome.violations.push(Violation { program: number, level: setup.level, what });
        }
    }
    Ok(outcome)
}

/// [lo, hi] of value, real, error and relative error.
type Bounds = [[f64; 2]; 4];
const DOMAINS: [&str; 4] = ["value", "real", "error", "relative_error"];

struct Reported {
    /// By observation.
    bounds: BTreeMap<usize, Bounds>,
    holds_for_all: bool,
    paths: u64,
}

fn abstractly(folder: &Path, number: usize) -> Result<Reported> {
    let report = folder.join("report.json");
    let _ = std::fs::remove_file(&report);
    let options = format!("oracle=zonotope:quiet=1:paths={PATHS}:report={}", report.display());
    let mut command = Command::new(folder.join("nonius"));
    let ran = command.arg(number.to_string()).current_dir(folder).env("NONIUS_OPTIONS", options).output()?;
    if !ran.status.success() {
        bail!("{}: {}", ran.status, String::from_utf8_lossy(&ran.stderr));
    }
    let report: Value = serde_json::from_slice(&std::fs::read(report)?)?;
    let mut bounds = BTreeMap::new();
    let mut holds_for_all = true;
    for one in report["bounds"].as_array().context("bounds[]")? {
        let id = one["name"].as_str().and_then(|n| n.strip_prefix('o')?.parse().ok()).context("a name")?;
        let range = |key: &str| {
            let end = |n: usize, open: f64| one[key][n].as_f64().unwrap_or(open);
            [end(0, f64::NEG_INFINITY), end(1, f64::INFINITY)]
        };
        bounds.insert(id, DOMAINS.map(range));
        holds_for_all &= one["holds_for"] == "all-inputs";
    }
    let notes = report["notes"].as_array().map_or(&[][..], Vec::as_slice);
    let other_paths =
        notes.iter().filter_map(|n| n.as_str()?.strip_suffix(" other paths were followed")?.parse::<u64>().ok());
    Ok(Reported { bounds, holds_for_all, paths: other_paths.sum() })
}

/// What the plain program came to on one sample.
struct Floats {
    trace: u64,
    observed: Vec<f64>,
}

fn concretely(folder: &Path, number: usize, samples: &[Sample]) -> Result<Vec<Floats>> {
    let (input, output) = (folder.join("in"), folder.join("out"));
    let mut file = std::io::BufWriter::new(File::create(&input)?);
    for x in samples.iter().flat_map(|s| &s.floats) {
        file.write_all(&x.to_le_bytes())?;
    }
    file.into_inner()?;
    let mut command = Command::new(folder.join("plain"));
    command.arg(number.to_string()).stdin(Stdio::from(File::open(&input)?)).stdout(File::create(&output)?);
    let status = command.status()?;
    if !status.success() {
        bail!("the plain program: {status}");
    }
    let bytes = std::fs::read(&output)?;
    let mut words = bytes.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w));
    let mut all = Vec::with_capacity(samples.len());
    while let (Some(trace), Some(count)) = (words.next(), words.next()) {
        all.push(Floats { trace, observed: words.by_ref().take(count as usize).map(f64::from_bits).collect() });
    }
    if all.len() != samples.len() {
        bail!("the plain program answered {} of {} samples", all.len(), samples.len());
    }
    Ok(all)
}

struct Trial<'a> {
    program: &'a Program,
    bounds: BTreeMap<usize, Bounds>,
    holds_for_all: bool,
    outcome: &'a mut Outcome,
    own_trace: Option<u64>,
}

impl Trial<'_> {
    /// The first sample that is outside, in words.
    fn compare(&mut self, samples: &[Sample], floats: &[Floats]) -> Option<String> {
        let ids = observations(&self.program.main);
        self.outcome.unbounded += ids.iter().filter(|id| !self.is_bounded(**id)).count() as u64;
        if !ids.iter().any(|&id| self.is_bounded(id)) {
            return None;
        }
        for (sample, floats) in samples.iter().zip(floats) {
            if let Some(what) = self.one(sample, floats, &ids) {
                let inputs: Vec<String> = sample.floats.iter().map(|x| emit::hex(*x)).collect();
                let reals: Vec<f64> = sample.reals.iter().map(Float::to_f64).collect();
                return Some(format!("{what}\n  at floats {} reals {reals:?}", inputs.join(" ")));
            }
        }
        None
    }

    fn is_bounded(&self, id: usize) -> bool {
        self.bounds.get(&id).is_some_and(|b| b.iter().flatten().any(|x| x.is_finite()))
    }

    fn one(&mut self, sample: &Sample, floats: &Floats, ids: &[usize]) -> Option<String> {
        let reals = match evaluate(self.program, &sample.reals, BITS) {
            Ok(run) => run,
            Err(Failed::Undefined) if self.holds_for_all => {
                return Some("a test of a real that is no number, and bounds that hold for all inputs".to_owned());
            }
            Err(_) => {
                self.outcome.unclear += 1;
                return None;
            }
        };
        // The first sample is the program's own.
        let own = *self.own_trace.get_or_insert(floats.trace);
        if !self.holds_for_all && (floats.trace != own || reals.trace != own) {
            return None;
        }
        self.outcome.runs += 1;
        for (n, id) in ids.iter().enumerate() {
            let (&float, real) = (floats.observed.get(n)?, reals.observed.get(n)?);
            let Some(bounds) = self.bounds.get(id).copied() else { continue };
            self.outcome.checks += bounds.iter().filter(|b| b.iter().any(|x| x.is_finite())).count() as u64;
            let Some(first) = outside(&bounds, float, real) else { continue };
            let Ok(again) = evaluate(self.program, &sample.reals, MORE_BITS) else { continue };
            let real = &again.observed[n];
            if again.trace == reals.trace && outside(&bounds, float, real).is_some_and(|s| s.domain == first.domain) {
                let way = if reals.trace == floats.trace { "the same way" } else { "different ways" };
                return Some(format!(
                    "o{id}: {} {:e} is outside of {:?}; float {float:e}, real {:e}, {way}",
                    DOMAINS[first.domain],
                    first.value,
                    bounds[first.domain],
                    real.to_f64()
                ));
            }
        }
        None
    }
}

struct Outside {
    domain: usize,
    value: f64,
}

fn outside(bounds: &Bounds, float: f64, real: &Float) -> Option<Outside> {
    let bits = real.prec();
    let error = Float::with_val(bits, float - real);
    let relative = Float::with_val(bits, &error / real);
    let float = Float::with_val(bits, float);
    let all = [&float, real, &error, &relative];
    all.iter().zip(bounds).enumerate().find_map(|(domain, (x, &[lo, hi]))| {
        if domain == 3 && real.is_zero() {
            return None;
        }
        // MPFR's own rounding, far below anything that a bound shows.
        let slack = Float::with_val(bits, real.clone().abs() + (*x).clone().abs()) >> (bits * 3 / 4);
        let is_open = lo == f64::NEG_INFINITY && hi == f64::INFINITY;
        let above = Float::with_val(bits, *x + &slack) >= lo;
        let below = Float::with_val(bits, *x - &slack) <= hi;
        let is_outside = !(is_open || above && below);
        is_outside.then(|| Outside { domain, value: x.to_f64() })
    })
}

/// The observations of a run, in order: none stands where a test decides on it.
fn observations(body: &Body) -> Vec<usize> {
    fn of(statements: &[Statement], all: &mut Vec<usize>) {
        for statement in statements {
            match statement {
                Statement::Observe { id, .. } => all.push(*id),
                Statement::Loop { turns, body, .. } => (0..*turns).for_each(|_| of(body, all)),
                _ => {}
            }
        }
    }
    let mut all = Vec::new();
    of(&body.statements, &mut all);
    all
}
