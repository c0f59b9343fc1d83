//! What moves in memory while no clone runs: the runtime's wrappers write it into the thread's stream, between two records.
//!
//! Clones end their record before they call a wrapper of this kind (`abi::libc::MOVERS`).

use super::{Block, DROPS, full, records};
use crate::thread;
use nonius_abi::event::{CONTROL, Note, header};
use nonius_abi::thread::{VA, VA_COUNT, VA_ENTRIES, VA_ENTRY_BYTES, VA_OVERFLOW, VA_TAG};
use std::sync::atomic::Ordering;

/// Fewer bytes hold no float that the machine keeps.
const LEAST_BYTES: usize = 2;

/// `bytes` bytes were copied, or came from nowhere (`from` is 0).
#[inline]
pub fn moved(to: usize, from: usize, bytes: usize) {
    if records() && bytes >= LEAST_BYTES && to != from {
        note_move(to as u64, from as u64, bytes as u64);
    }
}

#[cold]
fn note_move(to: u64, from: u64, bytes: u64) {
    if DROPS.load(Ordering::Relaxed) {
        return;
    }
    // A thread that has no block has run nothing yet that is recorded.
    let Some(block) = thread::existing().map(Block) else { return };
    if block.at() >= block.end() {
        full(block.0);
    }
    let words = [(Note::To, to), (Note::From, from), (Note::Copy, bytes)];
    let words = words.map(|(note, word)| [header(0, CONTROL + note as u32), word]);
    let at = block.at();
    // SAFETY: behind EVENT_AT there is room for a record once `full` was asked, and this is shorter.
    unsafe {
        at.copy_from_nonoverlapping(words.as_ptr().cast(), 6);
        block.set(at.add(6), block.end());
    }
}

/// `va_list` of x86-64.
#[repr(C)]
struct VaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow_area: u64,
    register_area: u64,
}

/// The variable arguments of `function` move from where the caller's clone said that they are, the entries of the
/// thread's block, to where `va_arg` will look for them.
///
/// # Safety
/// `list` was filled by `va_start` in the calling function; `thread` is this thread's block.
pub unsafe fn va_start(list: *const u8, thread: *const u8, function: u64) {
    if list.is_null() || thread.is_null() || !records() {
        return;
    }
    // SAFETY: as this function demands; a block has these fields, aligned to 8.
    let (list, tag, count) = unsafe {
        let field = |at: u32| thread.add(at as usize).cast::<u64>().read();
        (&*list.cast::<VaList>(), field(VA_TAG), field(VA_COUNT).min(VA_ENTRIES.into()))
    };
    if tag != function {
        return;
    }
    for n in 0..count as usize {
        let entry = VA as usize + n * VA_ENTRY_BYTES as usize;
        // SAFETY: a block holds VA_ENTRIES entries, aligned to 8, at VA; the first word is the place.
        let place = unsafe { thread.add(entry).cast::<u64>().read() };
        let area = if place & VA_OVERFLOW == 0 { list.register_area } else { list.overflow_area };
        let from = thread as usize + entry + 8;
        moved((area + (place & (VA_OVERFLOW - 1))) as usize, from, VA_ENTRY_BYTES as usize - 8);
    }
}
