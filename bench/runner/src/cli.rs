//! The command line, and the plan that it resolves to.

use crate::kernel::{self, Kernel};
use crate::machine::Machine;
use crate::toolchain::Toolchain;
use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};
use std::path::{Path, PathBuf};

/// Measure Nonius on the kernels in bench/kernels, against native code and upstream nsan.
#[derive(Debug, Parser)]
#[command(bin_name = "./x bench", version)]
pub struct Cli {
    /// Small problems and fewer rounds: a quarter of the time, and rougher numbers
    #[arg(long)]
    quick: bool,
    /// Only these kernels
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// The sanitizer to compare with
    #[arg(long, value_enum, default_value_t = Peer::Nsan)]
    peer: Peer,
    /// Measure the event engine instead: recording, and the machine under its oracles
    #[arg(long)]
    events: bool,
    /// With --events: the machine's memory on a run of 10^10 operations, and its rate
    #[arg(long, requires = "events")]
    long: bool,
    /// With --events: what it gains to cut runs into tasks, and to walk those on all cores
    #[arg(long, requires = "events", conflicts_with = "long")]
    tasks: bool,
    /// Measure abstract execution instead: bounds against symbols and time, long runs, paths
    #[arg(long = "abstract", conflicts_with = "events")]
    bounds: bool,
    /// Measure the inline engine against this earlier build instead: its 'nonius', of another checkout
    #[arg(long, value_name = "NONIUS", conflicts_with = "events")]
    before: Option<PathBuf>,
    /// How often each program runs [default: 5, with --quick 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// Where the results go [default: bench/runs/DATE-MACHINE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Peer {
    Nsan,
    None,
}

/// What will be done.
pub struct Plan {
    pub events: bool,
    pub long: bool,
    pub tasks: bool,
    pub bounds: bool,
    pub before: Option<PathBuf>,
    pub kernels: Vec<Kernel>,
    pub quick: bool,
    pub peer: Peer,
    pub rounds: usize,
    pub out: PathBuf,
    pub machine: Machine,
    pub toolchain: Toolchain,
}

impl Plan {
    /// How long one run of the peer may take; its problem is made smaller until it fits.
    pub fn peer_seconds(&self) -> f64 {
        if self.quick { 1.0 } else { 4.0 }
    }

    /// How often the peer runs, if one run takes about `expected_s`: a long run needs no repetition.
    pub fn peer_rounds(&self, expected_s: f64) -> usize {
        let most = if expected_s > self.peer_seconds() / 4.0 { 1 } else { 3 };
        self.rounds.min(most)
    }

    /// How often each kernel is compiled by each compiler.
    pub fn compile_rounds(&self) -> usize {
        if self.quick { 1 } else { self.rounds.min(3) }
    }
}

impl Cli {
    pub fn resolve(self) -> Result<Plan> {
        let machine = Machine::this();
        let kernels = selected(kernel::load_all(Path::new("bench/kernels"))?, &self.only)?;
        let rounds = self.rounds.unwrap_or(if self.quick { 3 } else { 5 }) as usize;
        let out = self.out.clone().unwrap_or_else(|| self.default_folder(&machine));
        let toolchain = Toolchain::find()?;
        let Cli { events, long, tasks, bounds, before, quick, peer, .. } = self;
        Ok(Plan { events, long, tasks, bounds, before, kernels, quick, peer, rounds, out, machine, toolchain })
    }

    /// Runs that are not whole carry it in their name; git does not keep them.
    fn default_folder(&self, machine: &Machine) -> PathBuf {
        let mut name = format!("{}-{}", machine.date, machine.slug);
        if self.quick {
            name.push_str("-quick");
        }
        if self.events {
            name.push_str("-events");
        }
        if self.long {
            name.push_str("-long");
        }
        if self.tasks {
            name.push_str("-tasks");
        }
        if self.bounds {
            name.push_str("-abstract");
        }
        if self.before.is_some() {
            name.push_str("-before");
        }
        if !self.only.is_empty() || self.peer == Peer::None {
            name.push_str("-part");
        }
        Path::new("bench/runs").join(name)
    }
}

fn selected(kernels: Vec<Kernel>, only: &[String]) -> Result<Vec<Kernel>> {
    for name in only {
        if !kernels.iter().any(|k| k.name == *name) {
            let known: Vec<_> = kernels.iter().map(|k| k.name.as_str()).collect();
            bail!("there is no kernel '{name}'; there are: {}", known.join(", "));
        }
    }
    Ok(kernels.into_iter().filter(|k| only.is_empty() || only.contains(&k.name)).collect())
}
