//! What instrumented code does by itself with values past the limit.
//!
//! A check in a loop has a *slot* in its object. The runtime judges a value, keeps it if it is the worst, and notes its
//! relative error in the slot as *known*. From then on a value at that check whose error is no greater needs no more than
//! being counted, which the program's own code does there; the count is later added to that of the site that was blamed. An
//! error of 0 (a fresh slot) is known of no value. A slot: a counter (u64), the error as a double, and as a float, the number
//! of the check's own site (u32).
//!
//! What passes is counted in the tally of the check's own site. A site has two tallies; this is an offset into the first.

/// In a slot: values that were found again.
pub const REPEATED: i64 = 0;
/// The relative error below which a finding is just counted, a few ulps above the worst that is known.
pub const KNOWN: i64 = 8;
/// The same for values and residues in float: what their roundings might do is taken off, and it is at most
/// [`MOST_IN_FLOAT`].
pub const KNOWN_FLOAT: i64 = 16;
pub const SITE: i64 = 20;
/// Bytes of a slot.
pub const SLOT: u64 = 24;

/// With an ideal of less than a fourth of its error, the rounding of a residue to float would show in it.
pub const MOST_IN_FLOAT: f64 = 4.0;
/// Values and residues in float are judged in floats, whose roundings are less than 2^-22 of either side, but for ideals at
/// the limit of [`MOST_IN_FLOAT`]: there 2^-21.
pub const BELOW: f64 = 1.0 - 1.0 / 524_288.0;

/// In a tally: values that were looked at and passed.
pub const PASSED: i64 = 0;
/// Bytes from a site's tallies to the next site's.
pub const STRIDE: u64 = 256;

/// In C libraries: a byte that is not 0 as long as the process has one thread, so that counting needs
/// no atomic operation.
pub const SINGLE_THREADED: &str = "__libc_single_threaded";
