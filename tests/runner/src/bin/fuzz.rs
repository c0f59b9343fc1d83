//! `./x fuzz`: random programs against the plain compilers and MPFR.
#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use nonius_tests::bounds::campaign::{self, Campaign};
use nonius_tests::fuzz::totals::Totals;
use nonius_tests::fuzz::{Kind, Reduce, Report, Unit, save, try_unit};
use nonius_tests::language::Language;
use nonius_tests::tools::{nonius_binary, tests_root};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Random floating-point programs, held against the plain compilers and against MPFR. Exit status 1 with failures.
#[derive(Debug, Parser)]
#[command(name = "./x fuzz", disable_help_subcommand = true)]
struct Arguments {
    /// Begin no new unit after so many minutes.
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// The first seed; each unit takes the next.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Most units that are made.
    #[arg(long, default_value_t = u64::MAX)]
    units: u64,
    /// Programs in a unit.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..1000))]
    programs: u64,
    /// One language instead of all.
    #[arg(long)]
    language: Option<Chosen>,
    /// One kind instead of both.
    #[arg(long)]
    kind: Option<ChosenKind>,
    /// Compile with these flags instead of those that the seed names.
    #[arg(long, allow_hyphen_values = true)]
    flags: Option<String>,
    /// Units at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Do not cut failing programs down.
    #[arg(long)]
    whole: bool,
    /// Cut down the differences of this name, such as nan-bits, instead of what fails.
    #[arg(long)]
    reduce: Option<String>,
    /// Where failing programs are saved.
    #[arg(long, default_value = "target/fuzz")]
    save: PathBuf,
    /// Feed damaged files to what reads recordings, tables, reports, suppressions and options, instead.
    #[arg(long)]
    readers: bool,
    /// Hold the bounds of abstract execution against runs inside of the declared inputs, instead.
    #[arg(long, conflicts_with = "readers")]
    bounds: bool,
    /// With --bounds: runs of each program.
    #[arg(long, default_value_t = 10_000)]
    samples: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Chosen {
    C,
    #[value(name = "c++")]
    Cpp,
    Rust,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ChosenKind {
    Judged,
    Wild,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if arguments.readers {
        return readers(&arguments);
    }
    let nonius = nonius_binary(&tests_root()?)?;
    let end = Instant::now() + Duration::from_secs_f64(arguments.minutes.max(0.0) * 60.0);
    if arguments.bounds {
        return bounds(&arguments, nonius, end);
    }
    let reduce = match &arguments.reduce {
        _ if arguments.whole => Reduce::Nothing,
        Some(name) => Reduce::Named(name.clone()),
        None => Reduce::Failures,
    };
    let next = AtomicU64::new(0);
    let totals = Mutex::new((Totals::default(), Progress::new()));
    std::thread::scope(|scope| -> Result<()> {
        let worker = || -> Result<()> {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= arguments.units || Instant::now() >= end {
                    return Ok(());
                }
                let unit = arguments.unit(arguments.seed + n);
                let seed = unit.seed;
                let report = try_unit(unit, nonius.clone(), &reduce).with_context(|| format!("seed {seed}"))?;
                let mut guard = totals.lock().expect("no thread panics");
                let (totals, progress) = &mut *guard;
                totals.add(&report);
                progress.clear();
                tell(&report, &arguments)?;
                progress.show(totals, end);
            }
        };
        let workers: Vec<_> = (0..arguments.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|w| w.join().expect("no thread panics"))
    })?;
    let (totals, mut progress) = totals.into_inner().expect("no thread panics");
    progress.clear();
    println!("{totals}");
    Ok(if totals.failing() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Arguments {
    fn unit(&self, seed: u64) -> Unit {
        let unit = Unit::of_seed(seed, self.programs as usize);
        let language = match self.language {
            Some(Chosen::C) => Language::C,
            Some(Chosen::Cpp) => Language::Cpp,
            Some(Chosen::Rust) => Language::Rust,
            None => unit.language,
        };
        let kind = match self.kind {
            Some(ChosenKind::Judged) => Kind::Judged,
            Some(ChosenKind::Wild) => Kind::Wild,
            None => unit.kind,
        };
        let flags = self.flags.as_ref().map(|f| f.split_whitespace().map(str::to_owned).collect());
        Unit { language, kind, flags, ..unit }
    }
}

/// Says what failed, and saves the program.
fn tell(report: &Report, arguments: &Arguments) -> Result<()> {
    let Some(first) = report.outcome.failures.first() else { return Ok(()) };
    let first = report.outcome.failures.iter().find(|f| !f.is_documented()).unwrap_or(first);
    let mut text = format!("{first:?}").replace("\\n", "\n    ");
    text.truncate(text.char_indices().nth(600).map_or(text.len(), |(at, _)| at));
    let count = report.outcome.failures.len();
    println!("{} ({count} differences): ./x fuzz {}\n    {text}", first.name(), save::again(report));
    if let Some(reduced) = &report.reduced {
        println!("    saved: {}", save::save(report, reduced, &arguments.save)?.display());
    }
    Ok(())
}

/// A line on stderr.
struct Progress {
    shown: Option<Instant>,
    is_terminal: bool,
}

impl Progress {
    fn new() -> Progress {
        Progress { shown: None, is_terminal: std::io::stderr().is_terminal() }
    }

    fn show(&mut self, totals: &Totals, end: Instant) {
        let pause = Duration::from_secs(if self.is_terminal { 0 } else { 60 });
        if self.shown.is_some_and(|shown| shown.elapsed() < pause) {
            return;
        }
        let left = end.saturating_duration_since(Instant::now()).as_secs() / 60;
        let line_end = if self.is_terminal { "" } else { "\n" };
        let (units, programs, failing) = (totals.units, totals.programs, totals.failing());
        eprint!("fuzz: {programs} programs in {units} units, {failing} failing; {left} min left{line_end}");
        self.shown = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.is_terminal && self.shown.is_some() {
            eprint!("\r\x1b[K");
            let _ = std::io::stderr().flush();
        }
    }
}

fn bounds(arguments: &Arguments, nonius: PathBuf, end: Instant) -> Result<ExitCode> {
    let Arguments { seed, units, jobs, samples, .. } = *arguments;
    let save = (!arguments.whole).then(|| arguments.save.clone());
    let outcome = campaign::run(&Campaign { nonius, seed, units, end, jobs, samples, save })?;
    Ok(if outcome.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Hands over to the program that lies beside this one.
fn readers(arguments: &Arguments) -> Result<ExitCode> {
    let program = std::env::current_exe()?.with_file_name("fuzz_readers");
    if !program.is_file() {
        bail!("no {}: build it ('cargo build --release -p nonius-fuzz-readers')", program.display());
    }
    let (minutes, seed) = (arguments.minutes.to_string(), arguments.seed.to_string());
    let status = Command::new(&program).args(["--minutes", &minutes, "--seed", &seed]).status()?;
    Ok(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)))
}
