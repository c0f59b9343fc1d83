//! A crate without the standard library.
#![no_std]

/// Loses digits.
pub fn rest(big: f64, small: f64) -> f64 {
    let sum = big + small;
    sum - big
}
