//! How often Nonius is right: its verdicts against truth that knows nothing of it.
//!
//! Formulas are data (`formula`, `expression`, `inputs`). From each come a C program (`source`), which is compiled and
//! run under every engine (`program`, `engine`, `report`), and the exact value of each of its results (`exact`), which
//! says whether the result is wrong (`truth`). `trial` puts both together, `kernels` does the same for whole kernels,
//! `table` and `results` tell.

#![forbid(unsafe_code)]

pub mod campaign;
pub mod cli;
pub mod engine;
pub mod exact;
pub mod expression;
pub mod formula;
pub mod inputs;
pub mod kernels;
pub mod process;
pub mod program;
pub mod real;
pub mod report;
pub mod results;
pub mod source;
pub mod table;
pub mod tools;
pub mod trial;
pub mod truth;
pub mod worst;
