//! What copies and other writes of the program do to the planes.
//!
//! Most bytes that programs copy are no floats, and most floats have no error: their residues
//! are 0. Such stretches are only read, never written, so that copying text or integers takes no
//! shadow memory. A residue of 0 needs no copy of the value either, so the copy plane is touched
//! only where a residue is not 0. Large ranges first ask the kernel which pages exist at all:
//! reading a page for the first time costs a fault, far more than asking.

use super::{copies_of, is_shadowed, present, residues_of};
use crate::hooks::floats;
use crate::pages::PAGE;

/// Large ranges are done in steps, each of which decides by itself if there is anything to do;
/// steps go by strides, about which the kernel is asked first.
const STEP: usize = 16 * PAGE;
const STRIDE: usize = present::MOST_PAGES / 2 * PAGE;

/// Copies of up to this many bytes are most of all copies, and most have nothing to move.
const FEW: usize = 32;

/// Moves the shadows of `bytes` bytes; the ranges may overlap.
#[inline]
pub fn copy(to: usize, from: usize, bytes: usize) {
    let nothing = |at| {
        // SAFETY: the range has shadows, so it lies inside the plane; a race is the program's own.
        is_shadowed(at as u64, FEW as u64)
            && unsafe { residues_of(at).cast::<[u64; FEW / 8]>().read_unaligned() } == [0; FEW / 8]
    };
    if floats() && !(bytes <= FEW && nothing(from) && nothing(to)) {
        copy_any(to, from, bytes);
    }
}

#[inline(never)]
fn copy_any(to: usize, from: usize, bytes: usize) {
    if bytes == 0 || to == from || !is_shadowed(to as u64, bytes as u64) {
        return;
    }
    if !is_shadowed(from as u64, bytes as u64) {
        return clear(to, bytes);
    }
    if bytes < STEP {
        return copy_step(to, from, bytes);
    }
    let is_present = |at, n| present::any(residues_of(from + at) as usize, n);
    let from_the_end = begins_inside(to, from, bytes);
    let step = |at, n| if is_present(at, n) { copy_step(to + at, from + at, n) } else { clear_large(to + at, n) };
    let stride = |at, n| match is_present(at, n) {
        true => in_pieces(at, n, STEP, from_the_end, step),
        false => clear_large(to + at, n),
    };
    in_pieces(0, bytes, STRIDE, from_the_end, stride);
}

/// Whether a copy must start at the end, as memmove has it: the target begins inside the source.
fn begins_inside(to: usize, from: usize, bytes: usize) -> bool {
    to.wrapping_sub(from) < bytes
}

/// Calls `f` with the offset and size of each piece of a range.
fn in_pieces(start: usize, bytes: usize, piece: usize, from_the_end: bool, f: impl FnMut(usize, usize)) {
    let pieces = (0..bytes).step_by(piece).map(|at| (start + at, piece.min(bytes - at)));
    let mut f = f;
    let f = |(at, n)| f(at, n);
    if from_the_end { pieces.rev().for_each(f) } else { pieces.for_each(f) }
}

#[inline]
fn copy_step(to: usize, from: usize, bytes: usize) {
    if is_zero(residues_of(from), bytes) {
        return clear_step(to, bytes);
    }
    // SAFETY: both ranges of the program have shadows (checked by `copy`), so these ranges lie
    // inside the planes, which are mapped for as long as the process lives.
    unsafe {
        move_bytes(residues_of(to), residues_of(from), bytes);
        move_bytes(copies_of(to), copies_of(from), bytes);
    }
}

/// Forgets the residues of `bytes` bytes.
#[inline]
pub fn clear(to: usize, bytes: usize) {
    if !floats() || bytes == 0 || !is_shadowed(to as u64, bytes as u64) {
        return;
    }
    if bytes < STEP { clear_step(to, bytes) } else { clear_large(to, bytes) }
}

/// Pages that exist are set to 0, not given back: a program that clears an array mostly goes on
/// to fill it, and a page that is needed again costs ten times the clearing.
fn clear_large(to: usize, bytes: usize) {
    let is_present = |at, n| present::any(residues_of(to + at) as usize, n);
    in_pieces(0, bytes, STRIDE, false, |at, n| {
        if is_present(at, n) {
            let step = |at, n| {
                if is_present(at, n) {
                    clear_step(to + at, n)
                }
            };
            in_pieces(at, n, STEP, false, step);
        }
    });
}

#[inline]
fn clear_step(to: usize, bytes: usize) {
    let residues = residues_of(to);
    if !is_zero(residues, bytes) {
        // SAFETY: the callers checked that the range has shadows, so it lies inside the plane.
        unsafe { zero_bytes(residues, bytes) };
    }
}

/// Gives the shadow memory of a range back whose own memory is gone or new.
pub fn forget(to: usize, bytes: usize) {
    if !floats() || bytes == 0 || !is_shadowed(to as u64, bytes as u64) {
        return;
    }
    for plane in [residues_of(to) as usize, copies_of(to) as usize] {
        let (first, last) = (plane.next_multiple_of(PAGE), (plane + bytes) / PAGE * PAGE);
        if first < last {
            let _errno = crate::say::KeepErrno::new();
            // SAFETY: whole pages of a plane, which is anonymous memory: they read as 0 afterwards.
            unsafe { ::libc::madvise(first as *mut ::libc::c_void, last - first, ::libc::MADV_DONTNEED) };
        }
    }
    // The ends, which share their pages, and everything if the advice was refused.
    clear(to, bytes);
}

/// Whether any residue of the range is not 0.
pub fn has_residues(at: usize, bytes: usize) -> bool {
    floats()
        && is_shadowed(at as u64, bytes as u64)
        && (0..bytes).step_by(STRIDE).any(|offset| {
            let n = STRIDE.min(bytes - offset);
            let residues = residues_of(at + offset);
            present::any(residues as usize, n) && !is_zero(residues, n)
        })
}

/// The shadows of a range, kept aside.
pub struct Shadow {
    residues: Vec<u8>,
    copies: Vec<u8>,
}

impl Shadow {
    /// `None` if the range has no shadows.
    pub fn of(at: usize, bytes: usize) -> Option<Shadow> {
        if !is_shadowed(at as u64, bytes as u64) {
            return None;
        }
        // SAFETY: the range has shadows, so it lies inside both planes.
        let kept = |plane: *mut u8| unsafe { std::slice::from_raw_parts(plane, bytes) }.to_vec();
        Some(Shadow { residues: kept(residues_of(at)), copies: kept(copies_of(at)) })
    }

    /// Puts `bytes` bytes from `offset` into the planes of `to`, if both are there.
    pub fn put(&self, offset: usize, to: usize, bytes: usize) {
        let range = offset..offset.saturating_add(bytes);
        let (Some(residues), Some(copies)) = (self.residues.get(range.clone()), self.copies.get(range)) else {
            return;
        };
        if is_shadowed(to as u64, bytes as u64) {
            // SAFETY: the range has shadows; the slices are of the length given and not in the planes.
            unsafe {
                move_bytes(residues_of(to), residues.as_ptr(), bytes);
                move_bytes(copies_of(to), copies.as_ptr(), bytes);
            }
        }
    }
}

/// Whether all bytes are 0. Only reads: a page never written stays the kernel's zero page.
#[inline]
fn is_zero(at: *const u8, bytes: usize) -> bool {
    // SAFETY: the callers checked that the range lies inside a plane. Another thread may write to
    // it only if the program itself races on the values.
    let bytes = unsafe { std::slice::from_raw_parts(at, bytes) };
    let (chunks, rest) = bytes.as_chunks::<256>();
    let any = |lanes: &[[u8; 8]]| lanes.iter().fold(0, |sum, lane| sum | u64::from_ne_bytes(*lane));
    let (lanes, tail) = rest.as_chunks::<8>();
    chunks.iter().all(|chunk| any(chunk.as_chunks::<8>().0) == 0)
        && any(lanes) == 0
        && tail.iter().fold(0, |sum, byte| sum | byte) == 0
}

/// `memmove`, by the processor's own instruction: the C library's function of that name may be
/// the program's own, instrumented, and lead back here.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes.
#[inline]
unsafe fn move_bytes(to: *mut u8, from: *const u8, bytes: usize) {
    match bytes {
        // SAFETY: as this function demands; two pieces, which may overlap, cover the range.
        8..=16 => return unsafe { move_ends::<u64>(to, from, bytes) },
        // SAFETY: as above.
        17..=32 => return unsafe { move_ends::<[u64; 2]>(to, from, bytes) },
        // SAFETY: as above.
        33..=64 => return unsafe { move_ends::<[u64; 4]>(to, from, bytes) },
        _ => {}
    }
    if begins_inside(to as usize, from as usize, bytes) {
        // SAFETY: as this function demands; the last byte goes first, so no byte is overwritten unread.
        unsafe {
            std::arch::asm!(
                "std", "rep movsb", "cld",
                inout("rcx") bytes => _,
                inout("rdi") to.wrapping_add(bytes).wrapping_sub(1) => _,
                inout("rsi") from.wrapping_add(bytes).wrapping_sub(1) => _,
                options(nostack)
            );
        }
        return;
    }
    // SAFETY: as this function demands; the first byte goes first, so no byte is overwritten unread.
    unsafe {
        std::arch::asm!(
            "rep movsb",
            inout("rcx") bytes => _,
            inout("rdi") to => _,
            inout("rsi") from => _,
            options(nostack, preserves_flags)
        );
    }
}

/// Moves the first and the last `T` of a range. Both are read before either is written, so
/// overlap does no harm.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes, at least the size of `T`.
#[inline]
unsafe fn move_ends<T>(to: *mut u8, from: *const u8, bytes: usize) {
    let last = bytes - size_of::<T>();
    // SAFETY: as this function demands.
    unsafe {
        let ends = (from.cast::<T>().read_unaligned(), from.add(last).cast::<T>().read_unaligned());
        to.cast::<T>().write_unaligned(ends.0);
        to.add(last).cast::<T>().write_unaligned(ends.1);
    }
}

/// `memset` to 0; see [`move_bytes`].
///
/// # Safety
/// The range is valid for `bytes` bytes.
#[inline]
unsafe fn zero_bytes(to: *mut u8, bytes: usize) {
    // SAFETY: as this function demands.
    unsafe {
        std::arch::asm!(
            "rep stosb",
            inout("rcx") bytes => _,
            inout("rdi") to => _,
            in("al") 0u8,
            options(nostack, preserves_flags)
        );
    }
}
