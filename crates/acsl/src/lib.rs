//! Assertions over exact numbers, in the language of ACSL.
//!
//! ```text
//! /*@ assert x - 0.1 <= y; */ --lexer, parser--> predicate --kinds--> machine integers, or exact rationals
//!                                                    |
//!            C source --source, contract, weave------+--c--> C that evaluates the predicate where the comment was
//! ```
//! The grammar is that of figure 3 of Vedrine et al., "Runtime abstract interpretation for numerical accuracy and
//! robustness", with what is listed in `docs/assertions.md`; the types are those of its figure 6. Numbers are those of
//! mathematics: C's values are converted exactly, and nothing is rounded.
//!
//! Limits: reals are rationals, so there are no functions such as a square root; of C's expressions, places (variables,
//! members, elements, what a pointer points to) and calls are understood.

#![forbid(unsafe_code)]

pub mod ast;
pub mod c;
pub mod clause;
pub mod contract;
pub mod eager;
#[cfg(feature = "exact")]
pub mod eval;
pub mod kinds;
pub mod lexer;
mod literal;
mod parser;
mod pragma;
pub mod source;
#[cfg(feature = "exact")]
pub mod value;
pub mod weave;

pub use ast::{Atom, Builtin, Comparison, Dialect, Measure, Operator, Place, Predicate, Role, Term};
pub use clause::{Clause, ClauseKind, Problem, clauses};

pub use parser::{Parsed, SyntaxError, predicate};
