//! `cargo run --release -p nonius-fuzz-readers --bin fuzz_readers -- --minutes N`: damaged input for every reader.
#![forbid(unsafe_code)]

use anyhow::{Context, Result};
use clap::Parser;
use nonius_fuzz_readers::{READERS, Tally, Worker};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Damaged and made-up input for everything that Nonius reads.
#[derive(Debug, Parser)]
struct Arguments {
    /// How long, unless --cases says how much.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// So many inputs for each reader, however long it takes.
    #[arg(long)]
    cases: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the readers whose names hold this.
    #[arg(long, default_value = "")]
    reader: String,
    #[arg(long, default_value_t = 2)]
    threads: u64,
    /// Where inputs that a reader failed on are saved.
    #[arg(long, default_value = "target/fuzz-readers")]
    save: PathBuf,
    /// Read one file by the reader, and say nothing if all is well.
    #[arg(long)]
    replay: Option<PathBuf>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(path) = &arguments.replay {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let readers = READERS.iter().filter(|r| r.name.contains(&arguments.reader));
        readers.for_each(|reader| _ = (reader.read)(&bytes));
        return Ok(ExitCode::SUCCESS);
    }
    // Failures are told at the end, once each.
    std::panic::set_hook(Box::new(|_| ()));
    let tallies = std::thread::scope(|scope| {
        let arguments = &arguments;
        let workers: Vec<_> = (0..arguments.threads.max(1)).map(|n| scope.spawn(move || work(arguments, n))).collect();
        workers.into_iter().map(|w| w.join().expect("a worker")).collect::<Vec<_>>()
    });
    let mut all: BTreeMap<&str, Tally> = BTreeMap::new();
    for (name, tally) in tallies.into_iter().flatten() {
        all.entry(name).or_default().add(tally);
    }
    print(&all);
    save(&arguments, &all)
}

/// One thread: all readers in turn, each for its share of the time.
fn work(arguments: &Arguments, number: u64) -> Vec<(&'static str, Tally)> {
    let chosen = READERS.iter().filter(|r| r.name.contains(&arguments.reader));
    let seed =
        |name: &str| name.bytes().fold(arguments.seed * 1000 + number, |s, b| s.wrapping_mul(257) + u64::from(b));
    let mut workers: Vec<Worker> = chosen.map(|reader| Worker::new(reader, seed(reader.name))).collect();
    if let Some(cases) = arguments.cases {
        workers.iter_mut().for_each(|w| w.cases(cases.div_ceil(arguments.threads.max(1))));
    } else {
        let end = Instant::now() + Duration::from_secs_f64(60.0 * arguments.minutes);
        while Instant::now() < end {
            for worker in &mut workers {
                let until = worker.tally.time + Duration::from_millis(10 * worker.reader().share);
                while worker.tally.time < until && Instant::now() < end {
                    worker.cases(64);
                }
            }
        }
    }
    workers.into_iter().map(|w| (w.reader().name, w.tally)).collect()
}

fn print(all: &BTreeMap<&str, Tally>) {
    println!("{:<16} {:>12} {:>12} {:>9} {:>9}", "reader", "reads", "per second", "outcomes", "failures");
    for (name, tally) in all {
        let rate = tally.cases as f64 / tally.time.as_secs_f64().max(1e-9);
        println!("{name:<16} {:>12} {rate:>12.0} {:>9} {:>9}", tally.cases, tally.outcomes, tally.failures.len());
    }
    let cases: u64 = all.values().map(|t| t.cases).sum();
    println!("{:<16} {cases:>12}", "all");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("peak memory: {}", peak.map_or("unknown", str::trim));
}

fn save(arguments: &Arguments, all: &BTreeMap<&str, Tally>) -> Result<ExitCode> {
    let failures: Vec<_> = all.values().flat_map(|t| &t.failures).collect();
    for (n, failure) in failures.iter().enumerate() {
        std::fs::create_dir_all(&arguments.save).context("the folder for failures")?;
        let path = arguments.save.join(format!("{}-{n}.bin", failure.reader.replace(' ', "-")));
        std::fs::write(&path, &failure.input).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}: {} ({})", failure.reader, failure.what, path.display());
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
