//! `cargo run --release -p nonius-tests --bin fuzz -- --seed S --count N`: random programs against plain clang and MPFR.
#![forbid(unsafe_code)]

use anyhow::{Context, Result};
use clap::Parser;
use nonius_tests::fuzz::trial::{Counts, Failure};
use nonius_tests::fuzz::{Kind, Report, try_seed};
use nonius_tests::tools::{nonius_binary, tests_root};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Random floating-point programs, held against plain clang and against MPFR.
#[derive(Debug, Parser)]
struct Arguments {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs.
    #[arg(long, default_value_t = 60)]
    count: u64,
    /// Functions that each program observes.
    #[arg(long, default_value_t = 12)]
    functions: usize,
    /// One program in so many is wild: 1 makes all wild, 0 none.
    #[arg(long, default_value_t = 3)]
    wild: u64,
    /// Programs at a time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Do not cut failing programs down.
    #[arg(long)]
    whole: bool,
    /// Where failing programs are saved.
    #[arg(long, default_value = "target/fuzz")]
    save: PathBuf,
}

#[derive(Debug, Default)]
struct Totals {
    programs: u64,
    wild: u64,
    counts: Counts,
    broken: usize,
    changed: usize,
    false_positives: usize,
    false_negatives: usize,
    oracle: usize,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let nonius = nonius_binary(&tests_root()?)?;
    let next = AtomicU64::new(0);
    let totals = Mutex::new(Totals::default());
    std::thread::scope(|scope| -> Result<()> {
        let worker = || -> Result<()> {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= arguments.count {
                    return Ok(());
                }
                let seed = arguments.seed + n;
                let wild = arguments.wild != 0 && seed.is_multiple_of(arguments.wild);
                let kind = if wild { Kind::Wild } else { Kind::Judged };
                let report = try_seed(seed, kind, arguments.functions, nonius.clone(), !arguments.whole)
                    .with_context(|| format!("seed {seed}"))?;
                let mut totals = totals.lock().expect("no thread panics");
                totals.add(&report);
                tell(&report, &arguments)?;
            }
        };
        let workers: Vec<_> = (0..arguments.threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|w| w.join().expect("no thread panics"))
    })?;
    let totals = totals.into_inner().expect("no thread panics");
    println!("{}", totals.text());
    Ok(if totals.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says what failed, and saves the program.
fn tell(report: &Report, arguments: &Arguments) -> Result<()> {
    let Some(first) = report.outcome.failures.first() else { return Ok(()) };
    let kind = match first {
        Failure::Broken(_) => "broken",
        Failure::Changed(_) => "changed",
        Failure::FalsePositive(_) => "false-positive",
        Failure::FalseNegative(_) => "false-negative",
        Failure::Oracle(_) => "oracle",
    };
    println!(
        "seed {} {:?} {}: {} failures, first {first:?}",
        report.seed,
        report.kind,
        report.flags.join(" "),
        report.outcome.failures.len()
    );
    if let Some(text) = &report.reduced {
        std::fs::create_dir_all(&arguments.save)?;
        let path = arguments.save.join(format!("{kind}-{}.c", report.seed));
        std::fs::write(&path, text)?;
        println!("  saved as {}", path.display());
    }
    Ok(())
}

impl Totals {
    fn add(&mut self, report: &Report) {
        self.programs += 1;
        self.wild += u64::from(report.kind == Kind::Wild);
        self.counts.merge(report.outcome.counts);
        for failure in &report.outcome.failures {
            *match failure {
                Failure::Broken(_) => &mut self.broken,
                Failure::Changed(_) => &mut self.changed,
                Failure::FalsePositive(_) => &mut self.false_positives,
                Failure::FalseNegative(_) => &mut self.false_negatives,
                Failure::Oracle(_) => &mut self.oracle,
            } += 1;
        }
    }

    fn is_clean(&self) -> bool {
        [self.broken, self.changed, self.false_positives, self.false_negatives, self.oracle].iter().all(|&n| n == 0)
    }

    fn text(&self) -> String {
        let Counts { found, silent, close, unresolved, excluded } = self.counts;
        format!(
            "{} programs, {} of them wild; {} broken, {} changed\n\
             {} verdicts: {found} findings due, {silent} silences due; not judged: {close} too close, \
             {unresolved} beyond a residue's digits, {excluded} out of range\n\
             {} false positives, {} false negatives; {} disagreements between oracle and clang",
            self.programs,
            self.wild,
            self.broken,
            self.changed,
            found + silent,
            self.false_positives,
            self.false_negatives,
            self.oracle
        )
    }
}
