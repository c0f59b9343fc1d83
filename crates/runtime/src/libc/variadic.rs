//! The shadows of variable arguments, put where `va_arg` will load the values.
//!
//! A caller leaves an entry for each double among its variable arguments in the thread's block:
//! where the System V ABI for x86-64 places it, the value's bits, and the residue. Once the
//! callee's `va_start` has said where its areas are, the entries go into the planes there.

use crate::planes::put_double;
use nonius_abi::thread::{VA, VA_COUNT, VA_ENTRIES, VA_ENTRY_BYTES, VA_OVERFLOW};

/// `va_list` of x86-64.
#[repr(C)]
struct VaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow_area: usize,
    register_area: usize,
}

#[repr(C)]
struct Entry {
    place: u64,
    copy: u64,
    residue: f64,
}
const _: () = assert!(size_of::<Entry>() == VA_ENTRY_BYTES as usize);

/// Moves the entries of `thread` into the planes of the areas of `list`.
///
/// # Safety
/// `list` was filled by `va_start` in the calling function; `thread` is this thread's block.
pub unsafe fn va_start(list: *const u8, thread: *const u8) {
    if list.is_null() || thread.is_null() {
        return;
    }
    // SAFETY: as this function demands; a block holds VA_ENTRIES entries, aligned to 8, at VA.
    let (list, entries) = unsafe {
        let count = thread.add(VA_COUNT as usize).cast::<u64>().read().min(VA_ENTRIES.into()) as usize;
        (&*list.cast::<VaList>(), std::slice::from_raw_parts(thread.add(VA as usize).cast::<Entry>(), count))
    };
    for entry in entries {
        let area = if entry.place & VA_OVERFLOW == 0 { list.register_area } else { list.overflow_area };
        let address = area.wrapping_add((entry.place & (VA_OVERFLOW - 1)) as usize);
        put_double(address, entry.copy, entry.residue);
    }
}
