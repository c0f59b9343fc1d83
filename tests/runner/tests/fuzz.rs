//! `cargo test -p nonius-tests --test fuzz`: a few random programs, always the same. Long runs are `--bin fuzz`'s.

use libtest_mimic::{Arguments, Failed, Trial};
use nonius_tests::fuzz::{Kind, try_seed};
use nonius_tests::tools::{nonius_binary, tests_root};
use std::process::ExitCode;

const FIRST: u64 = 1;
const COUNT: u64 = 60;
/// One in so many is wild.
const WILD: u64 = 3;
const FUNCTIONS: usize = 8;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let nonius = tests_root().and_then(|root| nonius_binary(&root)).map_err(|error| format!("{error:#}"));
    let trial = |seed: u64| {
        let kind = if seed.is_multiple_of(WILD) { Kind::Wild } else { Kind::Judged };
        let nonius = nonius.clone();
        Trial::test(format!("fuzz/{kind:?}/{seed}").to_lowercase(), move || {
            let report = try_seed(seed, kind, FUNCTIONS, nonius?.clone(), false).map_err(|e| format!("{e:#}"))?;
            if report.outcome.failures.is_empty() {
                return Ok(());
            }
            let wild = if kind == Kind::Wild { 1 } else { 0 };
            let again = format!("--seed {seed} --count 1 --functions {FUNCTIONS} --wild {wild}");
            Err(Failed::from(format!(
                "{}: {:#?}\nto cut it down: cargo run --release -p nonius-tests --bin fuzz -- {again}",
                report.flags.join(" "),
                report.outcome.failures
            )))
        })
    };
    libtest_mimic::run(&arguments, (FIRST..FIRST + COUNT).map(trial).collect()).exit_code()
}
