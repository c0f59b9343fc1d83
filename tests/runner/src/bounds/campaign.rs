//! `./x fuzz --bounds`: units by seed until time or units run out.

use super::trial::{Outcome, Violation};
use super::{PROGRAMS, emit, reduced, try_unit};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What is tried.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub nonius: PathBuf,
    pub seed: u64,
    pub units: u64,
    pub end: Instant,
    pub jobs: usize,
    pub samples: usize,
    /// Where failing programs are saved; `None` saves none, and cuts none down.
    pub save: Option<PathBuf>,
}

/// Runs it. Says what fails as it comes, and sums up.
pub fn run(campaign: &Campaign) -> Result<Outcome> {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Outcome::default());
    std::thread::scope(|scope| -> Result<()> {
        let worker = || -> Result<()> {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= campaign.units || Instant::now() >= campaign.end {
                    return Ok(());
                }
                let seed = campaign.seed + n;
                let outcome =
                    try_unit(seed, &campaign.nonius, campaign.samples).with_context(|| format!("seed {seed}"))?;
                for violation in &outcome.violations {
                    let Violation { program, level, what } = violation;
                    println!("seed {seed} program {program} {level}: {what}");
                    if let Some(folder) = &campaign.save {
                        println!("    saved: {}", save(campaign, folder, seed, violation)?.display());
                    }
                }
                total.lock().expect("no thread panics").merge(outcome);
            }
        };
        let workers: Vec<_> = (0..campaign.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|w| w.join().expect("no thread panics"))
    })?;
    let total = total.into_inner().expect("no thread panics");
    println!("{}", summary(&total));
    Ok(total)
}

fn summary(o: &Outcome) -> String {
    format!(
        "{} programs ({PROGRAMS} a unit, each at -O0 and -O2): bounds of {} for all inputs, of {} for the own path; {} other \
         paths; {} runs inside, {} checks, {} observations without bounds, {} runs undecided; {} violations",
        o.programs,
        o.whole,
        o.own_path,
        o.paths,
        o.runs,
        o.checks,
        o.unbounded,
        o.unclear,
        o.violations.len()
    )
}

fn save(campaign: &Campaign, folder: &Path, seed: u64, violation: &Violation) -> Result<PathBuf> {
    let small = reduced(violation, seed, &campaign.nonius, campaign.samples);
    let folder = folder.join(format!("bounds-{seed}-{}{}", violation.program, violation.level));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("program.c"), emit::unit(std::slice::from_ref(&small)))?;
    let again = format!("./x fuzz --bounds --seed {seed} --units 1 --samples {}", campaign.samples);
    let Violation { program, level, what } = violation;
    fs::write(folder.join("failure.txt"), format!("program {program} of the unit, {level}: {what}\n\n{again}\n"))?;
    Ok(folder)
}
