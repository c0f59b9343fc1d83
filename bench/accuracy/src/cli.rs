//! The command line, and the plan that it resolves to.

use crate::engine::Engine;
use crate::formula::{self, Formula};
use crate::kernels;
use crate::real::Real;
use crate::results::Settings;
use crate::tools::Tools;
use anyhow::{Context, Result, bail};
use clap::Parser;
use nonius_bench::kernel::Kernel;
use nonius_bench::machine::Machine;
use std::env;
use std::path::{Path, PathBuf};

const INPUTS: usize = 500;
const QUICK_INPUTS: usize = 40;
/// With --quick, every so many-th formula and kernel.
const QUICK_STEP: usize = 4;
/// Inputs of each formula that `nonius run` gets.
const RUN_INPUTS: usize = 12;
const QUICK_RUN_INPUTS: usize = 2;

/// Measure the verdicts of Nonius against exact values of formulas.
#[derive(Debug, Parser)]
#[command(bin_name = "./x accuracy", version)]
pub struct Cli {
    /// Every fourth formula with 40 inputs: less than a minute
    #[arg(long)]
    quick: bool,
    /// Only these formulas, identities and kernels
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Only these engines: inline, run, or the name of an oracle
    #[arg(long, value_name = "ENGINE", value_delimiter = ',', default_values = Engine::DEFAULT)]
    engine: Vec<Engine>,
    /// Only these formats
    #[arg(long = "type", value_enum, value_name = "TYPE", value_delimiter = ',', default_values = ["double", "float"])]
    types: Vec<Real>,
    /// Inputs a formula and format [default: 500, with --quick 40]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    inputs: Option<u32>,
    /// Inputs a formula and format that 'nonius run' gets [default: 12, with --quick 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    run_inputs: Option<u32>,
    /// How many programs to measure at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    jobs: Option<u32>,
    /// Print each formula with a wrong verdict, as table.txt always does
    #[arg(long)]
    verbose: bool,
    /// Where the results go [default: bench/accuracy/runs/DATE-MACHINE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What will be done.
pub struct Plan {
    pub formulas: Vec<Formula>,
    pub kernels: Vec<Kernel>,
    pub types: Vec<Real>,
    pub engines: Vec<Engine>,
    pub settings: Settings,
    pub jobs: usize,
    pub verbose: bool,
    pub out: PathBuf,
    pub machine: Machine,
    pub tools: Tools,
}

impl Cli {
    pub fn resolve(self) -> Result<Plan> {
        let machine = Machine::this();
        let (formulas, kernels) = self.selected(formula::all()?, kernels::all(Path::new("bench/kernels"))?)?;
        let or =
            |given: Option<u32>, quick, whole| given.map_or(if self.quick { quick } else { whole }, |n| n as usize);
        let settings = Settings {
            inputs: or(self.inputs, QUICK_INPUTS, INPUTS),
            run_inputs: or(self.run_inputs, QUICK_RUN_INPUTS, RUN_INPUTS),
        };
        let folder = env::current_exe()?;
        let tools = Tools::find(folder.parent().context("a program in no folder")?)?;
        let out = self.out.clone().unwrap_or_else(|| self.default_folder(&machine));
        let jobs = self.jobs.map_or(machine.cores, |jobs| jobs as usize);
        let Cli { types, engine: engines, verbose, .. } = self;
        Ok(Plan { formulas, kernels, types, engines, settings, jobs, verbose, out, machine, tools })
    }

    fn selected(&self, formulas: Vec<Formula>, kernels: Vec<Kernel>) -> Result<(Vec<Formula>, Vec<Kernel>)> {
        for name in &self.only {
            let known = formulas.iter().any(|f| f.name == *name) || kernels.iter().any(|k| k.name == *name);
            if !known {
                bail!("there is no formula or kernel '{name}': bench/accuracy/formulas and bench/kernels have them");
            }
        }
        let named = |name: &String| self.only.is_empty() || self.only.contains(name);
        // What was asked for by name is not thinned out.
        let step = if self.quick && self.only.is_empty() { QUICK_STEP } else { 1 };
        let formulas = formulas.into_iter().filter(|f| named(&f.name)).step_by(step).collect();
        let kernels = kernels.into_iter().filter(|k| named(&k.name)).step_by(step).collect();
        Ok((formulas, kernels))
    }

    /// Runs that are not whole carry it in their name; git does not keep them.
    fn default_folder(&self, machine: &Machine) -> PathBuf {
        let mut name = format!("{}-{}", machine.date, machine.slug);
        if self.quick {
            name.push_str("-quick");
        }
        let all_engines = Engine::DEFAULT.iter().all(|d| self.engine.iter().any(|e| e.to_string() == **d));
        if !self.only.is_empty() || self.inputs.is_some() || self.types.len() < Real::ALL.len() || !all_engines {
            name.push_str("-part");
        }
        Path::new("bench/accuracy/runs").join(name)
    }
}
