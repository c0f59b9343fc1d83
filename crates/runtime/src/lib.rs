//! The runtime that instrumented programs link.
//!
//! ```text
//!  start    planes, options, suppressions            before the program's own constructors
//!  hooks -> sites -> verdict -> tallies, stack        while it runs: no lock, no heap of the program's
//!  libc, libm                                         what the pass calls instead of, or beside, the library
//!  files                                              what the program does to files, for those who run it twice
//!  events                                             the event engine: buffers, and who gets them
//!  exit  <- found -> findings -> output               merge, rank, suppress, print, write
//! ```
//!
//! Exported are names that begin with `__nonius_`, and those functions of the C library that `files`, `endings` and
//! `cancellation` listen to. The program's results stay as they are: nothing here changes what it computes, prints or returns, unless an option asks for it.

mod acsl;
mod address_locks;
mod alloc;
mod blocked_signals;
mod by_address;
pub mod cancellation;
mod checks;
mod coverage;
mod deadline;
mod debugger;
mod defined;
mod doctests;
mod doubts;
pub mod endings;
mod events;
pub mod exchange;
mod exit;
mod fatal_signals;
mod fenv;
pub mod files;
mod findings;
mod fork;
mod fortran;
mod found;
pub mod hooks;
mod image;
pub mod libc;
pub mod libm;
mod loaded;
mod machine_request;
mod mistakes;
mod moved;
mod options;
mod output;
mod outputs;
mod pages;
mod planes;
pub mod preserving;
mod printed;
mod region;
pub mod request;
mod roots;
mod say;
mod sites;
mod stack;
mod start;
mod stats;
mod suppress;
mod symbols;
mod tallies;
mod thread;

/// Runs `f`; a mistake of the runtime's own must not end the program, and neither must a thread be cancelled within.
fn guarded<T>(f: impl FnOnce() -> T) -> Option<T> {
    let _uncancelled = blocked_signals::Uncancelled::new();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).ok()
}
