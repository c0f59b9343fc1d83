//! Error-free transformations, residue functions, error measures, and the elementary functions in double-double.
//!
//! Everything here is a pure function of its arguments and none of it is unsafe. The crate means to be `no_std`, but
//! `f64::mul_add` and `f64::sqrt` are not stable in `core` (feature `core_float_math`), so it uses `std` for those and
//! for nothing else that touches the system.
//!
//! All formulas assume rounding to nearest, ties to even, and gradual underflow.
//!
//! Words: the *residue* of a value is ideal minus actual; a *Dd* is an unevaluated sum of two doubles.

#![forbid(unsafe_code)]

pub mod dd;
pub mod eft;
pub mod error;
pub mod exact;
pub mod libm;
pub mod residue;
pub mod threshold;

pub use dd::Dd;
pub use error::{Error, Precision};
pub use threshold::Threshold;
