//! What an oracle says of a value, and how sure it is of that.

/// Bits that an oracle's error may have grown by while its noise was followed.
///
/// Noise is followed by its largest term (`noise`): what many small terms add up to is not. A sum of 2^20 roundings
/// that all lie on one side stays within this, one of 2^40 whose signs are independent too.
pub const HEADROOM: i32 = 20;

/// An oracle's answer: the ideal of a value and a bound on the oracle's own error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The ideal, rounded once; infinite where it is beyond the range of doubles.
    pub ideal: f64,
    /// Ideal minus actual, rounded once; as large as a double gets where it would be larger.
    pub residue: f64,
    /// The true ideal lies this close. 0: it is exactly that. Infinite: nothing is known.
    pub radius: f64,
}
