//! Runs Nonius's corpus: small programs in C, C++, Fortran and Rust that say in comments what must be found in them.
//!
//! ```text
//!  corpus --> directive + annotation --> build (plain, nonius) --> run --> verdict
//! ```
//! - `fire/` and `clean/`: the report must hold exactly the annotated findings, line for line
//!   (none in `clean/`), at every optimization level the test names.
//! - `transparent/`: standard output and exit status must be those of the plain compiler with the same flags.
//!
//! The format of the comments is described in `tests/README.md`.
#![forbid(unsafe_code)]

pub mod annotation;
pub mod book;
pub mod bounds;
pub mod build;
pub mod corpus;
pub mod directive;
pub mod events;
pub mod fuzz;
pub mod ir;
pub mod language;
pub mod level;
pub mod program;
pub mod replay;
pub mod report;
pub mod run;
pub mod tools;
pub mod verdict;
