//! Drives the toolchain: wraps the compiler, and runs programs under the shadow.
//!
//! ```text
//!  words --> items --> invocation --> refusal | additions --> clang's command line
//! ```
//! The wrapper adds words to a clang command line and takes none away but its own, and those of
//! gfortran that MPI's wrappers add; it never parses what clang prints, and lets clang take its place in the process.

#![forbid(unsafe_code)]

mod acsl;
mod additions;
mod combine;
mod compile_options;
mod compiler;
mod confirm;
mod environment;
mod files;
mod identity;
mod image;
mod input;
mod invocation;
mod item;
mod lto;
mod machines;
mod mpi;
mod pieces;
mod programs;
pub mod project;
mod refusal;
mod replay;
mod response_file;
mod run;
mod runtime_options;
mod rust;
mod second;
mod signals;
mod stdin;
mod toolchain;

pub use acsl::Held;
pub use combine::{combine, silent_ranks};
pub use compile_options::{COMPILE_OPTIONS, OptionError, PASS_OPTIONS, help as compile_help};
pub use compiler::{Compile, CompileError, Language, compile};
pub use confirm::confirm;
pub use environment::Environment;
pub use files::{Changes, State};
pub use input::{is_cpp_source, is_fortran_source, is_rust_source};
pub use nonius_oracle::{DEFAULT_BITS, Spec};
pub use pieces::{HEADER, MissingPiece, PLUGIN, Pieces, RUNTIME};
pub use programs::{Part, ProgramStart};
pub use refusal::Refusal;
pub use replay::{ReplayError, replay};
pub use response_file::split as response_words;
pub use run::{Again, Progress, Ran, RunError, private_folder, run, run_again, run_keeping, run_watched};
pub use runtime_options::{OPTIONS, OptionForm, RuntimeOptions};
pub use rust::{
    Cargo, CargoError, RUSTDOC, RustError, RustToolchain, RustToolchainError, Wrapped, cargo, cargo_help, compile_rust,
    rustc_wrapper, rustdoc_wrapper,
};
pub use second::{Confinement, Layer, SECOND, second_run};
pub use stdin::RepeatableInput;
pub use toolchain::{LLVM_VERSION, ToolchainError, describe, find_clang, find_flang, find_llvm_tool};
