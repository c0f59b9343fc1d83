//! Sorting by the C library: elements move, and their shadows must follow.
//!
//! The library's own function runs on the program's array, so the comparisons and the result
//! are its own. The elements with their shadows are remembered before, and each element of the result takes the
//! shadow of an element with the same bytes, in order. Elements of equal bytes but different
//! residues may thus swap them, where no observer could tell them apart.
//! Limits: an array of more than `MOST_BYTES` loses its residues.
//!
//! The event engine is told the same in its own terms: the array moves aside, into the bytes that are remembered, and its
//! elements from there to their new places.

use crate::events;
use crate::planes::{Shadow, clear, has_residues};
use ::libc::{c_int, size_t};
use std::ffi::c_void;

/// What is remembered takes three times the array.
const MOST_BYTES: usize = 1 << 30;

type Compare = Option<unsafe extern "C-unwind" fn(*const c_void, *const c_void) -> c_int>;
type CompareR = Option<unsafe extern "C-unwind" fn(*const c_void, *const c_void, *mut c_void) -> c_int>;

unsafe extern "C-unwind" {
    fn qsort(base: *mut c_void, count: size_t, size: size_t, compare: Compare);
    fn qsort_r(base: *mut c_void, count: size_t, size: size_t, compare: CompareR, context: *mut c_void);
}

/// `qsort`, with the shadows.
///
/// # Safety
/// As the C function.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __nonius_libc_qsort(base: *mut c_void, count: size_t, size: size_t, compare: Compare) {
    // SAFETY: the program's array, as it says itself.
    let before = unsafe { Remembered::of(base, count, size) };
    // SAFETY: the program's own call, as it came.
    unsafe { qsort(base, count, size, compare) };
    // SAFETY: the same array, which the call has only permuted.
    unsafe { restore(before, base, count, size) };
}

/// `qsort_r`, with the shadows.
///
/// # Safety
/// As the C function.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __nonius_libc_qsort_r(
    base: *mut c_void,
    count: size_t,
    size: size_t,
    compare: CompareR,
    context: *mut c_void,
) {
    // SAFETY: the program's array, as it says itself.
    let before = unsafe { Remembered::of(base, count, size) };
    // SAFETY: the program's own call, as it came.
    unsafe { qsort_r(base, count, size, compare, context) };
    // SAFETY: the same array, which the call has only permuted.
    unsafe { restore(before, base, count, size) };
}

/// The array before: its bytes, and the planes of the same range if there is anything in them.
struct Remembered {
    bytes: Vec<u8>,
    shadow: Option<Shadow>,
}

impl Remembered {
    /// `None` if no element can have a residue, so that there is nothing to follow.
    ///
    /// # Safety
    /// `base` is an array of `count` elements of `size` bytes.
    unsafe fn of(base: *const c_void, count: usize, size: usize) -> Option<Remembered> {
        let total = count.checked_mul(size)?;
        if total == 0 || total > MOST_BYTES || base.is_null() {
            return None;
        }
        let shadow = has_residues(base as usize, total).then(|| Shadow::of(base as usize, total)).flatten();
        if shadow.is_none() && !events::records() {
            return None;
        }
        // SAFETY: as this function demands.
        let bytes = unsafe { std::slice::from_raw_parts(base.cast::<u8>(), total) }.to_vec();
        events::moved(bytes.as_ptr() as usize, base as usize, total);
        Some(Remembered { bytes, shadow })
    }
}

/// # Safety
/// `base` is an array of `count` elements of `size` bytes, a permutation of what was remembered.
unsafe fn restore(before: Option<Remembered>, base: *const c_void, count: usize, size: usize) {
    let Some(before) = before else {
        if count.checked_mul(size).is_some_and(|total| total > MOST_BYTES) {
            clear(base as usize, count * size);
        }
        return;
    };
    // SAFETY: as this function demands.
    let after = unsafe { std::slice::from_raw_parts(base.cast::<u8>(), count * size) };
    for (new, old) in matching(&before.bytes, after, size) {
        let to = base as usize + new * size;
        if let Some(shadow) = &before.shadow {
            shadow.put(old * size, to, size);
        }
        events::moved(to, before.bytes.as_ptr() as usize + old * size, size);
    }
    // What lies there next has nothing to do with this.
    events::moved(before.bytes.as_ptr() as usize, 0, before.bytes.len());
}

/// Pairs each element of `after` with one of `before` that has the same bytes, equal ones in order.
fn matching(before: &[u8], after: &[u8], size: usize) -> impl Iterator<Item = (usize, usize)> {
    let in_order = |bytes: &[u8]| {
        let mut order: Vec<usize> = (0..bytes.len() / size).collect();
        order.sort_by(|&a, &b| bytes[a * size..][..size].cmp(&bytes[b * size..][..size]));
        order
    };
    in_order(after).into_iter().zip(in_order(before))
}

#[cfg(test)]
mod tests {
    use super::matching;

    #[test]
    fn equal_elements_keep_their_order() {
        let mut pairs: Vec<_> = matching(b"bbaabbcc", b"aabbbbcc", 2).collect();
        pairs.sort();
        assert_eq!(pairs, [(0, 1), (1, 0), (2, 2), (3, 3)]);
    }
}
