//! A site's tally of findings, as far as instrumented code reaches into it.
//!
//! The runtime judges a value, keeps it if it is the worst, and notes its relative error as *known*, in the tally of the
//! check's own site. From then on a value at that check whose error is no greater needs no more than being counted, which
//! the program's own code does by itself; the count is later added to that of the site that was blamed. An error of 0 (a
//! fresh tally) is known of no value.
//!
//! A site has two tallies; these are offsets into the first. All are 8 bytes: two counters and a double.

/// Values that were found again.
pub const REPEATED: i64 = 0;
/// Values that were looked at and passed.
pub const PASSED: i64 = 8;
/// The relative error up to which a finding is just counted.
pub const KNOWN: i64 = 16;
/// Bytes from a site's tallies to the next site's.
pub const STRIDE: u64 = 288;

/// In C libraries: a byte that is not 0 as long as the process has one thread, so that counting needs
/// no atomic operation.
pub const SINGLE_THREADED: &str = "__libc_single_threaded";
