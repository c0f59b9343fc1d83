//! Event files: the events of a run with the tables that they speak of, so that a machine can be
//! run on them later, elsewhere, without the program.
//!
//! ```text
//! +------------------------------------------------------------------+
//! | magic "NONIUSE\x01" | abi version (u32)                          |
//! +------------------------------------------------------------------+
//! | kind | bytes | the section's bytes                               |  u32 each, as often as
//! |  1   module: base, bytes of the site table and of the code table,|  needed; a module comes
//! |      functions (u32 each), site table, code table, addresses     |  before its events
//! |  2   events: thread, words (u32 each), the words under LZ4       |
//! |  3   end: words that could not be recorded (u64)                 |  the last one, if it is
//! +------------------------------------------------------------------+
//! ```
//! All little-endian. A file without end comes from a process that was killed, or from a full disk:
//! what is there counts, and the reader says that it is not all.
#![forbid(unsafe_code)]

mod read;
mod write;

pub use read::{RecordingError, Summary, module_of, read};
pub use write::{Writer, module_bytes};

pub const MAGIC: [u8; 8] = *b"NONIUSE\x01";
/// Magic and version.
pub const HEADER_BYTES: u64 = 12;

const MODULE: u32 = 1;
const EVENTS: u32 = 2;
const END: u32 = 3;

/// No section is longer: more comes from a damaged length.
const MOST_BYTES: u32 = 1 << 30;
/// No chunk has more words.
const MOST_WORDS: u32 = 1 << 24;

#[cfg(test)]
mod tests;
