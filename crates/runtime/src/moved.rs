//! Memory that moved, or was written by something without shadows, outside of instrumented code: both engines are told.

use crate::{events, planes};

/// `bytes` bytes were copied; the ranges may overlap.
#[inline]
pub fn copy(to: usize, from: usize, bytes: usize) {
    planes::copy(to, from, bytes);
    events::moved(to, from, bytes);
}

/// The bytes come from somewhere that has no shadows.
#[inline]
pub fn clear(to: usize, bytes: usize) {
    planes::clear(to, bytes);
    events::moved(to, 0, bytes);
}
