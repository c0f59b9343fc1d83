//! What was measured. The JSON file is this, field by field; `docs/accuracy.md` explains it.

use crate::engine::{Engine, Refused};
use crate::formula::Kind;
use crate::real::Real;
use crate::truth::Truth;
use crate::worst::Shown;
use anyhow::Result;
use nonius_bench::machine::Machine;
use serde::Serialize;

const SCHEMA: &str = "nonius-accuracy/1";

#[derive(Debug)]
pub struct Results {
    pub machine: Machine,
    pub nonius: String,
    pub clang: String,
    pub settings: Settings,
    pub engines: Vec<Engine>,
    pub refused: Vec<Refused>,
    pub trials: Vec<Trial>,
    pub kernels: Vec<KernelTrial>,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Settings {
    /// Inputs a formula and format.
    pub inputs: usize,
    /// Of these, those that `nonius run` gets.
    pub run_inputs: usize,
}

/// One formula in one format.
#[derive(Debug, Serialize)]
pub struct Trial {
    pub name: String,
    pub kind: Kind,
    pub real: Real,
    pub formula: String,
    pub truths: Truths,
    pub engines: Vec<Verdicts>,
    /// Why it could not be measured at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// How many of the results are what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Truths {
    pub right: usize,
    pub wrong: usize,
    pub near_threshold: usize,
    pub not_finite: usize,
    pub no_ideal: usize,
    /// Right or wrong, where something on the way underflows or overflows.
    pub out_of_range: usize,
}

impl Truths {
    pub fn add(&mut self, truth: Truth, out_of_range: bool) {
        match truth {
            Truth::Right => self.right += 1,
            Truth::Wrong => self.wrong += 1,
            Truth::NearThreshold => self.near_threshold += 1,
            Truth::NotFinite => self.not_finite += 1,
            Truth::NoIdeal => self.no_ideal += 1,
        }
        self.out_of_range += usize::from(out_of_range && matches!(truth, Truth::Right | Truth::Wrong));
    }

    pub fn plus(self, other: Truths) -> Truths {
        Truths {
            right: self.right + other.right,
            wrong: self.wrong + other.wrong,
            near_threshold: self.near_threshold + other.near_threshold,
            not_finite: self.not_finite + other.not_finite,
            no_ideal: self.no_ideal + other.no_ideal,
            out_of_range: self.out_of_range + other.out_of_range,
        }
    }
}

/// What an engine said of one formula's results.
#[derive(Debug, Serialize)]
pub struct Verdicts {
    pub engine: Engine,
    /// Results that are right or wrong, and were given to this engine.
    pub judged: usize,
    /// Wrong and not reported.
    pub missed: usize,
    /// Of these, what the engine says that it does not know.
    pub open: usize,
    /// Right and reported.
    pub false_alarms: usize,
    /// Of missed and false ones, where something on the way underflows or overflows.
    pub out_of_range: usize,
    /// Lines of output of which a finding shows another value, ideal or error than the true one, and findings that show
    /// another line than their worst.
    pub wrong_worsts: usize,
    pub seconds: f64,
    /// Runs of the program again, for each run that says how many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reexecutions: Vec<u64>,
    /// The first few wrong verdicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Verdicts {
    pub fn of(engine: &Engine) -> Verdicts {
        Verdicts {
            engine: engine.clone(),
            judged: 0,
            missed: 0,
            open: 0,
            false_alarms: 0,
            out_of_range: 0,
            wrong_worsts: 0,
            seconds: 0.0,
            reexecutions: Vec::new(),
            examples: Vec::new(),
            failure: None,
        }
    }

    pub fn wrong(&self) -> usize {
        self.missed + self.false_alarms
    }
}

/// A wrong verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    pub index: usize,
    pub inputs: Vec<String>,
    pub actual: String,
    pub ideal: String,
    pub truth: Truth,
    /// What a finding shows instead, where that is what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
}

/// One kernel in one format, operation by operation.
#[derive(Debug, Serialize)]
pub struct KernelTrial {
    pub name: String,
    pub real: Real,
    /// Operations in the source that ran.
    pub operations: usize,
    /// Of these, those past the limit, and those near it.
    pub past_limit: usize,
    pub near_limit: usize,
    /// Precision at which the reference settled; `None` if it did not.
    pub settled_bits: Option<u32>,
    pub engines: Vec<KernelVerdicts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct KernelVerdicts {
    pub engine: Engine,
    /// What is compared.
    pub by: ComparedBy,
    pub missed: usize,
    pub false_alarms: usize,
    pub seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ComparedBy {
    /// The largest error of each operation.
    Operation,
    /// The places with findings, from an engine that does not measure every operation.
    Finding,
}

impl Results {
    /// One trial a line, so that two runs can be compared line by line.
    pub fn json(&self) -> Result<String> {
        let fields = [
            ("schema", serde_json::to_string(SCHEMA)?),
            ("machine", serde_json::to_string(&self.machine)?),
            ("nonius", serde_json::to_string(&self.nonius)?),
            ("clang", serde_json::to_string(&self.clang)?),
            ("settings", serde_json::to_string(&self.settings)?),
            ("engines", serde_json::to_string(&self.engines)?),
            ("refused", serde_json::to_string(&self.refused)?),
            ("seconds", serde_json::to_string(&self.seconds)?),
            ("trials", list(&self.trials)?),
            ("kernels", list(&self.kernels)?),
        ];
        let lines: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
    }

    /// Programs that could not be measured.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for trial in &self.trials {
            let by_engine = trial.engines.iter().map(|e| (e.engine.to_string(), e.failure.as_ref()));
            let all = by_engine.chain([("all engines".to_owned(), trial.failure.as_ref())]);
            note(&mut failures, &trial.name, trial.real, all);
        }
        for trial in &self.kernels {
            let by_engine = trial.engines.iter().map(|e| (e.engine.to_string(), e.failure.as_ref()));
            let all = by_engine.chain([("all engines".to_owned(), trial.failure.as_ref())]);
            note(&mut failures, &trial.name, trial.real, all);
        }
        failures
    }
}

fn note<'a>(
    failures: &mut Vec<String>,
    name: &str,
    real: Real,
    all: impl Iterator<Item = (String, Option<&'a String>)>,
) {
    for (engine, failure) in all {
        failures.extend(failure.map(|why| format!("{name} ({}), {engine}: {why}", real.name())));
    }
}

fn list(items: &[impl Serialize]) -> Result<String> {
    let lines = items.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(if lines.is_empty() { "[]".into() } else { format!("[\n  {}\n]", lines.join(",\n  ")) })
}
