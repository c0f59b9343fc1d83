//! `cargo test -p nonius-tests --test fuzz`: a few random units, always the same. Long runs are `./x fuzz`'s.

use libtest_mimic::{Arguments, Failed, Trial};
use nonius_tests::fuzz::{Kind, Unit, save, try_unit};
use nonius_tests::language::Language;
use nonius_tests::tools::{nonius_binary, tests_root};
use std::process::ExitCode;

/// Seeds of each language: the first, and how many.
const SEEDS: &[(Language, u64, u64)] = &[(Language::C, 1, 40), (Language::Cpp, 101, 20), (Language::Rust, 201, 20)];
/// Programs in a unit.
const PROGRAMS: usize = 8;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let nonius = tests_root().and_then(|root| nonius_binary(&root)).map_err(|error| format!("{error:#}"));
    let trial = |language: Language, seed: u64| {
        let kind = if seed.is_multiple_of(2) { Kind::Wild } else { Kind::Judged };
        let nonius = nonius.clone();
        Trial::test(format!("fuzz/{language:?}/{kind:?}/{seed}").to_lowercase(), move || {
            let unit = Unit { seed, kind, language, programs: PROGRAMS, flags: None };
            let report = try_unit(unit, nonius?.clone(), false).map_err(|e| format!("{e:#}"))?;
            let failures: Vec<_> = report.outcome.failures.iter().filter(|f| !f.is_documented()).collect();
            if failures.is_empty() {
                return Ok(());
            }
            let again = save::again(&report);
            Err(Failed::from(format!("{failures:#?}\nto cut it down: ./x fuzz {again}")))
        })
    };
    let trials = SEEDS.iter().flat_map(|&(language, first, count)| (first..first + count).map(move |s| (language, s)));
    libtest_mimic::run(&arguments, trials.map(|(language, seed)| trial(language, seed)).collect()).exit_code()
}
