//! A ring of chunks in memory that two processes share: one writes, the other reads, and neither takes a lock.
//!
//! ```text
//!            head (the reader moves it)          tail (the writer moves it)
//!             v                                   v
//!  ---------- | words, tag | payload ... | words, tag | payload ... | ------------ | end
//!                                                            a chunk that does not fit before the end
//!                                                            leaves a mark there, and begins anew at 0
//! ```
//! Positions count words from the beginning and never wrap. Each side keeps the position of the other as it last saw
//! it, and looks again only when that leaves no room, or nothing to read. What is written becomes visible by a release
//! of `tail`; what was read is given back by a release of `head`. Payloads lie in one piece, so the reader reads them
//! where they are.
//!
//! Whoever finds nothing to do arms a [`Bell`] and looks once more before it sleeps; the other side rings if it is
//! armed. How one sleeps is the caller's affair (a futex on the bell's word). All of it is checked with loom.

#![cfg_attr(test, allow(clippy::duplicate_mod, reason = "once with the processor's atomics, once with loom's"))]

mod bell;
mod memory;
mod ring;

pub use bell::Bell;
pub use memory::Words;
pub use ring::{Chunk, Control, HEAD_WORDS, Reader, Writer};

#[cfg(test)]
#[allow(dead_code, reason = "tests need not call all of it")]
mod modelled;
#[cfg(test)]
mod tests;
