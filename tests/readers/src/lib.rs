//! Everything that Nonius reads, given damaged and made-up input: nothing may panic, take long or fill memory.
//!
//! ```text
//!  valid inputs --bytes--------> changed bytes ----------------------------------+
//!        |                                                                       v
//!        +--------decoded------> changed fields --written again--> bytes --> reader --> what came of it
//!                                                                                |
//!                 inputs that came to something new are changed further <--------+
//! ```
//! Without instrumentation: what tells one input from another is what the reader says of it ([`Outcome`]). Fields are
//! changed in recordings and code tables, where changed bytes seldom get past the first check.
#![forbid(unsafe_code)]

pub mod fields;
pub mod mutate;
pub mod random;
pub mod readers;
pub mod run;

pub use readers::{READERS, Reader};
pub use run::{Failure, Tally, Worker};

/// What a reader made of an input, as far as it tells inputs apart.
pub type Outcome = u64;
