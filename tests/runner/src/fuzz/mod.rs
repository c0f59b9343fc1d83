//! Random programs, held against the plain compiler and against MPFR.
//!
//! ```text
//!  seed --generate--> program --emit--> C, C++, Rust --compile, execute--> outputs, reports --+
//!                        |                                                                   trial --> failures
//!                        +--evaluate (MPFR) --judge--> expected verdicts --------------------+            |
//!                                                                                           save <-- shrink
//! ```
//! A *unit* is a translation unit with several programs: functions that `main` calls once, each with its own inputs,
//! variables and observations.
//!
//! A *judged* unit is straight-line code over floats and doubles: sums, products, quotients, roots, fused operations,
//! functions of the library, conversions, arrays, calls, loops of fixed length and branches on integers. What it shows
//! at stores, arguments, returns and output must be reported exactly where the relative error is over the threshold.
//!
//! A *wild* unit also has what the evaluator does not follow (see `wild`): its output must be the plain compiler's, and
//! the two engines may not contradict each other about it (see `engines`).

pub mod compile;
pub mod emit;
pub mod engines;
pub mod evaluate;
pub mod execute;
pub mod format;
pub mod generate;
pub mod judge;
pub mod math;
pub mod observations;
pub mod program;
pub mod random;
pub mod save;
pub mod shrink;
pub mod totals;
pub mod trial;
pub mod wild;

use crate::language::Language;
use anyhow::Result;
use compile::Setup;
use generate::{Shape, generate};
use program::Program;
use random::Random;
use std::path::PathBuf;
use trial::{Failure, Outcome};

/// Tries that cutting a failing program down may take.
const SHRINK_TRIES: usize = 250;

/// Which programs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Judged,
    Wild,
}

/// Which unit is made, and how it is compiled.
#[derive(Clone, Debug)]
pub struct Unit {
    pub seed: u64,
    pub kind: Kind,
    pub language: Language,
    /// How many programs are in it.
    pub programs: usize,
    /// In place of the flags that the seed names.
    pub flags: Option<Vec<String>>,
}

impl Unit {
    /// What a seed names: half of the units are C, a quarter each C++ and Rust; half are judged.
    pub fn of_seed(seed: u64, programs: usize) -> Unit {
        let language = match seed % 4 {
            1 => Language::Cpp,
            3 => Language::Rust,
            _ => Language::C,
        };
        let kind = if (seed / 4).is_multiple_of(2) { Kind::Judged } else { Kind::Wild };
        Unit { seed, kind, language, programs, flags: None }
    }
}

/// What became of one unit.
#[derive(Debug)]
pub struct Report {
    pub unit: Unit,
    pub setup: Setup,
    pub outcome: Outcome,
    /// Of the first failure, if it was to be cut down.
    pub reduced: Option<Reduced>,
}

/// Which differences are cut down.
#[derive(Clone, Debug)]
pub enum Reduce {
    Nothing,
    /// What fails.
    Failures,
    /// What has this name, be it documented.
    Named(String),
}

impl Reduce {
    fn wants(&self, failure: &Failure) -> bool {
        match self {
            Reduce::Nothing => false,
            Reduce::Failures => !failure.is_documented(),
            Reduce::Named(name) => failure.name() == name,
        }
    }
}

/// A failing program, cut down.
#[derive(Debug)]
pub struct Reduced {
    pub failure: Failure,
    pub text: String,
}

/// Makes the unit and tries it.
pub fn try_unit(unit: Unit, nonius: PathBuf, reduce: &Reduce) -> Result<Report> {
    let Unit { seed, kind, language, programs, .. } = unit;
    let shape = Shape { roots: programs, helpers: programs / 3, wild: kind == Kind::Wild, language };
    let program = generate(seed, shape);
    let flags = unit.flags.clone().unwrap_or_else(|| {
        let flags = compile::pick(&mut Random::new(!seed), language, || is_finite(&program));
        flags.iter().map(|f| (*f).to_owned()).collect()
    });
    let setup = Setup { nonius, language, flags, asks_residues: (seed / 8).is_multiple_of(4) };
    let outcome = try_program(&program, &setup)?;
    let wanted = outcome.failures.iter().find(|f| reduce.wants(f));
    let reduced = wanted.map(|failure| reduced(&program, failure, &setup));
    Ok(Report { unit, setup, outcome, reduced })
}

/// Whether no infinity or NaN comes up: where one may, `-ffast-math` makes results undefined, and nothing can be
/// compared.
fn is_finite(program: &Program) -> bool {
    let mut observed = (0..program.functions.len()).flat_map(|root| evaluate::evaluate(program, root, 64));
    !program.is_wild() && observed.all(|(_, o)| !o.value.excluded)
}

fn try_program(program: &Program, setup: &Setup) -> Result<Outcome> {
    let ideals = (!program.is_wild()).then(|| judge::settle(program));
    trial::run(program, ideals.as_ref(), setup)
}

/// The smallest program that fails like this.
fn reduced(program: &Program, failure: &Failure, setup: &Setup) -> Reduced {
    let like = |p: &Program| {
        let outcome = try_program(p, setup).ok()?;
        outcome.failures.into_iter().find(|f| f.is_like(failure))
    };
    let small = shrink::shrink(program, SHRINK_TRIES, |p| like(p).is_some());
    let failure = like(&small).unwrap_or_else(|| failure.clone());
    Reduced { failure, text: emit::emit(&small, setup.language, setup.is_fast()).text }
}
