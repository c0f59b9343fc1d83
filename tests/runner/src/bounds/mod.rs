//! Abstract execution held against runs: random programs, whose bounds no run inside of the declared domain may leave.
//!
//! ```text
//!  seed --generate--> program --emit--> C --nonius cc, oracle=zonotope--> bounds of each observation -----+
//!                        |               \--clang, many inputs-----------> floats ----------------------+  |
//!                        |                                                                              v  v
//!                        +--evaluate (MPFR, the same inputs less their errors)--> reals ------------> trial --> violations
//! ```
//! A *unit* is a translation unit of several programs, of which an argument picks one. A *sample* is a float and a real
//! for each input, inside of what was declared. Floats come from the plain compiler's program, reals from an evaluator
//! that knows nothing of the domain and follows its own way through every test.

pub mod campaign;
pub mod emit;
pub mod evaluate;
pub mod generate;
pub mod program;
pub mod sample;
pub mod shrink;
pub mod trial;

use crate::fuzz::random::Random;
use anyhow::Result;
use program::Program;
use std::path::Path;
use trial::{Outcome, Setup};

/// Programs in a unit.
pub const PROGRAMS: usize = 6;
pub const LEVELS: [&str; 2] = ["-O0", "-O2"];

/// The programs of a unit; a seed names them for good.
pub fn unit(seed: u64) -> Vec<Program> {
    let mut random = Random::new(seed ^ 0x626f_756e_6473);
    (0..PROGRAMS).map(|_| generate::program(&mut random)).collect()
}

/// Tries a unit at both levels with so many samples a program.
pub fn try_unit(seed: u64, nonius: &Path, samples: usize) -> Result<Outcome> {
    let programs = unit(seed);
    let mut outcome = Outcome::default();
    for level in LEVELS {
        let setup = Setup { nonius, level, samples, seed };
        outcome.merge(trial::run(&programs, &setup)?);
    }
    Ok(outcome)
}

/// The smallest program that violates its bounds like this, at the level where it did.
pub fn reduced(violation: &trial::Violation, seed: u64, nonius: &Path, samples: usize) -> Program {
    let program = unit(seed).swap_remove(violation.program);
    let setup = Setup { nonius, level: violation.level, samples, seed };
    let fails = |p: &Program| trial::run(std::slice::from_ref(p), &setup).is_ok_and(|o| !o.violations.is_empty());
    shrink::shrink(program, 150, fails)
}
