//! Random programs, held against plain clang and against MPFR.
//!
//! ```text
//!  seed --generate--> program --emit--> C --clang, nonius--> output, report --+
//!                        |                                                    trial --> failures --shrink--> saved
//!                        +--evaluate (MPFR) --judge--> expected verdicts -----+
//! ```
//! A *judged* program is straight-line code over floats and doubles: sums, products, quotients, roots, fused operations,
//! functions of the library, conversions, arrays, calls, loops of fixed length and branches on integers. What it shows at
//! stores, arguments, returns and output must be reported exactly where the relative error is over the threshold.
//!
//! A *wild* program also has what the evaluator does not follow (see `wild`); its output must only be plain clang's.

pub mod emit;
pub mod evaluate;
pub mod generate;
pub mod judge;
pub mod math;
pub mod program;
pub mod random;
pub mod shrink;
pub mod trial;
pub mod wild;

use anyhow::Result;
use generate::{Shape, generate};
use program::Program;
use random::Random;
use std::path::PathBuf;
use trial::{FLAGS, Failure, Outcome, Setup};

/// Tries that cutting a failing program down may take.
const SHRINK_TRIES: usize = 250;

/// Which programs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Judged,
    Wild,
}

/// What became of one seed.
#[derive(Debug)]
pub struct Report {
    pub seed: u64,
    pub kind: Kind,
    pub flags: &'static [&'static str],
    pub outcome: Outcome,
    /// The first failure, cut down: its text as C with the failure in a comment.
    pub reduced: Option<String>,
}

/// Makes the seed's program and tries it.
pub fn try_seed(seed: u64, kind: Kind, roots: usize, nonius: PathBuf, reduce: bool) -> Result<Report> {
    let shape = Shape { roots, helpers: roots / 3, wild: kind == Kind::Wild };
    let program = generate(seed, shape);
    let flags = *Random::new(!seed).pick(FLAGS);
    let setup = Setup { nonius, flags: usable(flags, &program) };
    let outcome = try_program(&program, &setup)?;
    let reduced = match outcome.failures.first() {
        Some(failure) if reduce => Some(reduced(&program, failure, &setup)),
        _ => None,
    };
    Ok(Report { seed, kind, flags: setup.flags, outcome, reduced })
}

/// Where infinities or NaNs may come up, `-ffast-math` makes results undefined, and nothing can be compared.
fn usable(flags: &'static [&'static str], program: &Program) -> &'static [&'static str] {
    let assumes_finite = flags.contains(&"-ffast-math");
    let is_finite = || {
        let mut observed = (0..program.functions.len()).flat_map(|root| evaluate::evaluate(program, root, 64));
        !program.is_wild() && observed.all(|(_, o)| !o.value.excluded)
    };
    if assumes_finite && !is_finite() { &["-O2", "-ffp-contract=fast", "-march=native"] } else { flags }
}

fn try_program(program: &Program, setup: &Setup) -> Result<Outcome> {
    let ideals = (!program.is_wild()).then(|| judge::settle(program));
    trial::run(program, ideals.as_ref(), setup)
}

/// The smallest program that fails like this, as C.
fn reduced(program: &Program, failure: &Failure, setup: &Setup) -> String {
    let like = |p: &Program| {
        let outcome = try_program(p, setup).ok()?;
        outcome.failures.into_iter().find(|f| f.is_like(failure))
    };
    let small = shrink::shrink(program, SHRINK_TRIES, |p| like(p).is_some());
    let failure = like(&small).unwrap_or_else(|| failure.clone());
    let text = format!("{failure:#?}").replace("*/", "* /");
    format!("/* flags: {}\n{text}\n*/\n{}", setup.flags.join(" "), emit::emit(&small, trial::is_fast(setup.flags)).text)
}
