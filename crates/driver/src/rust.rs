//! Rust: the wrappers of rustc and rustdoc, and `cargo nonius`.
//!
//! ```text
//!  cargo nonius test --> cargo test, RUSTC_WRAPPER and RUSTDOC set to cargo-nonius
//!                          |-- cargo-nonius RUSTC ARGS: a crate of the target gets the plugin
//!                          |-- cargo-nonius --test ARGS: doctests, likewise
//! ```
//! Cargo is given a target, so that it tells what runs on it from what only builds it: build
//! scripts and proc macros come without `--target` and stay as they are.
//! See docs/decisions/rust-route.md.

mod cargo;
mod request;
mod rustc;
mod toolchain;

pub use cargo::{Cargo, CargoError, cargo, cargo_help};
pub use rustc::{RUSTDOC, RustError, Wrapped, compile_rust, rustc_wrapper, rustdoc_wrapper};
pub use toolchain::{RustToolchain, RustToolchainError};
