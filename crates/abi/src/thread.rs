//! How shadows travel between functions: a block a thread, found through the thread-local
//! pointer [`POINTER`] (null until the thread's first instrumented call needs it; then
//! `__nonius_thread` makes it).
//!
//! ```text
//!  0     ARG_TAG   address of the callee that the arguments are for, plus their layout
//!  8     RET_TAG   address of the function whose result is in RET, plus its layout
//!  16    VA_TAG    like ARG_TAG, for the variable arguments
//!  24    VA_COUNT  entries in VA
//!  32    EVENT_AT  where the next event goes
//!  40    EVENT_END past this the buffer is full; `EVENT_ROOM` words are left behind it
//!  48    EVENT_DECIDES  not 0: tests of floats are answered by a machine, see `code::Kind::Decide`
//!  56    EVENT_MEETS  not 0: paths may meet, see `code::Kind::Meet`
//!  64    RET       shadow of the result
//!  1088  ARGS      shadows of the arguments, one after the other
//!  9280  VA        entries of `VA_ENTRY_BYTES`: u64 place, u64 copy (low 8 bytes), f64 residue
//! ```
//! A shadow of a double is its residue; of half, bfloat and float the ideal as a double; of x87
//! the ideal as a quad; of quad its residue. Lanes follow each other; a slot is 16-byte aligned.
//! A byval argument's slot holds the address that the caller copied from.
//!
//! The tag makes any mixture with code that was not instrumented right: such code sets no tag,
//! so what its callee finds is not for it. A callee clears the tag when it takes the arguments.

pub const POINTER: &str = "__nonius_tls";

pub const ARG_TAG: u32 = 0;
pub const RET_TAG: u32 = 8;
pub const VA_TAG: u32 = 16;
pub const VA_COUNT: u32 = 24;
pub const EVENT_AT: u32 = 32;
pub const EVENT_END: u32 = 40;
pub const EVENT_DECIDES: u32 = 48;
pub const EVENT_MEETS: u32 = 56;
/// A record is shorter than this; one that begins before the end fits.
pub const EVENT_ROOM: u32 = 8192;
pub const RET: u32 = 64;
pub const RET_BYTES: u32 = 1024;
pub const ARGS: u32 = RET + RET_BYTES;
pub const ARGS_BYTES: u32 = 8192;
pub const VA: u32 = ARGS + ARGS_BYTES;
pub const VA_ENTRY_BYTES: u32 = 24;
pub const VA_ENTRIES: u32 = 256;
pub const BYTES: u32 = VA + VA_ENTRY_BYTES * VA_ENTRIES;

/// In an entry's place: the argument lies in the overflow area at this offset; without it,
/// the place is an offset into the register save area (x86-64 System V).
pub const VA_OVERFLOW: u64 = 1 << 32;
