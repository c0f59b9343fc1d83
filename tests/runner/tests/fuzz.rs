//! `cargo test -p nonius-tests --test fuzz`: a few random units, always the same. Long runs are `./x fuzz`'s.

use libtest_mimic::{Arguments, Failed, Trial};
use nonius_tests::fuzz::{Reduce, Unit, save, try_unit};
use nonius_tests::tools::{nonius_binary, tests_root};
use std::process::ExitCode;

/// Seeds, each of which is a unit of so many programs.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=40;
const PROGRAMS: usize = 8;
/// Units that once failed, of twelve programs: intended roundings whose shadows had two formats.
const ONCE_FAILED: &[u64] = &[910_087];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let nonius = tests_root().and_then(|root| nonius_binary(&root)).map_err(|error| format!("{error:#}"));
    let trial = |(seed, programs): (u64, usize)| {
        let unit = Unit::of_seed(seed, programs);
        let nonius = nonius.clone();
        let name = format!("fuzz/{:?}/{:?}/{seed}", unit.language, unit.kind).to_lowercase();
        Trial::test(name, move || {
            let report = try_unit(unit, nonius?.clone(), &Reduce::Nothing).map_err(|e| format!("{e:#}"))?;
            let failures: Vec<_> = report.outcome.failures.iter().filter(|f| !f.is_documented()).collect();
            if failures.is_empty() {
                return Ok(());
            }
            let again = save::again(&report);
            Err(Failed::from(format!("{failures:#?}\nto cut it down: ./x fuzz {again}")))
        })
    };
    let seeds = SEEDS.map(|seed| (seed, PROGRAMS)).chain(ONCE_FAILED.iter().map(|&seed| (seed, 12)));
    libtest_mimic::run(&arguments, seeds.map(trial).collect()).exit_code()
}
