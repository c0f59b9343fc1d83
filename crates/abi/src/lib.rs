//! What the compiler pass and the runtime share. The pass emits code against these
//! definitions and the runtime implements them; nothing is written down twice.
#![forbid(unsafe_code)]

pub mod api;
pub mod by_address;
pub mod code;
pub mod constant;
pub mod defined;
pub mod event;
pub mod files;
pub mod fortran;
pub mod hooks;
pub mod libc;
pub mod libm;
pub mod planes;
pub mod rust;
pub mod site;
pub mod table;
pub mod tally;
pub mod thread;

/// Version of everything in this crate. Pass and runtime of different versions do not mix;
/// the runtime says so when an object registers its site table.
pub const ABI_VERSION: u32 = 10;

pub use nonius_numerics::Precision;
