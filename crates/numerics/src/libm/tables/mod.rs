//! Tables and constants, to 106 bits unless said otherwise.

pub(crate) mod atan;
pub(crate) mod constants;
pub(crate) mod exp;
pub(crate) mod log;
pub(crate) mod sine;
pub(crate) mod two_over_pi;

use crate::Dd;

/// A factor that brings a significand near 1, and minus its logarithm.
pub(crate) struct LogEntry {
    pub(crate) factor: f64,
    pub(crate) minus_log: Dd,
}

const fn dd(hi: u64, lo: u64) -> Dd {
    Dd::new(f64::from_bits(hi), f64::from_bits(lo))
}

const fn log_entry(factor: u64, hi: u64, lo: u64) -> LogEntry {
    LogEntry { factor: f64::from_bits(factor), minus_log: dd(hi, lo) }
}
