//! Memory straight from the kernel: the runtime's tables must not come from the program's heap.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub const PAGE: usize = 4096;
/// Core files leave out what is larger: the kernel looks at every page of a mapping, there or not, and a program that dumps
/// core would take minutes.
const LARGE: usize = 1 << 20;

/// Zeroed memory that takes no space until it is touched; `None` if the kernel refuses.
pub fn reserve(bytes: usize) -> Option<NonNull<u8>> {
    map(bytes, ::libc::MAP_NORESERVE)
}

fn map(bytes: usize, flags: i32) -> Option<NonNull<u8>> {
    // SAFETY: an anonymous mapping at an address of the kernel's choice touches no other memory.
    let at = unsafe {
        ::libc::mmap(
            std::ptr::null_mut(),
            bytes.next_multiple_of(PAGE),
            ::libc::PROT_READ | ::libc::PROT_WRITE,
            ::libc::MAP_PRIVATE | ::libc::MAP_ANONYMOUS | flags,
            -1,
            0,
        )
    };
    if at == ::libc::MAP_FAILED {
        return None;
    }
    if bytes >= LARGE {
        // SAFETY: advice on the range just mapped, which holds nothing yet.
        unsafe { ::libc::madvise(at, bytes, ::libc::MADV_DONTDUMP) };
    }
    note(at as usize, bytes.next_multiple_of(PAGE));
    NonNull::new(at.cast())
}

/// Mappings that are noted.
const MOST_NOTED: usize = 4096;

/// Which memory is the runtime's own, so that two states of a program can be compared without it.
pub struct Own {
    /// Start and length; a start of 0 is none.
    mappings: [[AtomicUsize; 2]; MOST_NOTED],
    /// There are more.
    is_partial: AtomicBool,
}

static OWN: Own = Own {
    mappings: [const { [AtomicUsize::new(0), AtomicUsize::new(0)] }; MOST_NOTED],
    is_partial: AtomicBool::new(false),
};

/// A mapping is the runtime's.
pub fn note(at: usize, bytes: usize) {
    let free = |m: &&[AtomicUsize; 2]| m[0].compare_exchange(0, at, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    match OWN.mappings.iter().find(free) {
        Some(mapping) => mapping[1].store(bytes, Ordering::Relaxed),
        None => OWN.is_partial.store(true, Ordering::Relaxed),
    }
}

/// The address of what [`own_in`] reads, the same in a forked process.
pub fn own() -> (usize, usize) {
    (&raw const OWN as usize, size_of::<Own>())
}

/// The runtime's mappings by the bytes at [`own`], of this process or of another; `None` if not all are known.
pub fn own_in(bytes: &[u8]) -> Option<Vec<(usize, usize)>> {
    let words: Vec<usize> =
        bytes.chunks_exact(8).map(|c| usize::from_le_bytes(c.try_into().expect("8 bytes"))).collect();
    let (mappings, rest) = words.split_at_checked(2 * MOST_NOTED)?;
    if rest.iter().any(|w| w & 0xff != 0) {
        return None;
    }
    Some(mappings.chunks_exact(2).filter(|m| m[0] != 0).map(|m| (m[0], m[0] + m[1])).collect())
}

/// Takes memory of [`reserve`] in one go that would else be taken page by page. `false` if the kernel has no way to.
///
/// # Safety
/// `at` is the start of a page, and the pages up to `bytes` from there on are mapped.
pub unsafe fn populate(at: NonNull<u8>, bytes: usize) -> bool {
    // SAFETY: by this function's own contract; what the pages hold stays as it is.
    unsafe { ::libc::madvise(at.as_ptr().cast(), bytes, ::libc::MADV_POPULATE_WRITE) == 0 }
}

/// Gives memory of [`reserve`] back.
///
/// # Safety
/// `at` and `bytes` are those of one call of `reserve`, and nothing refers to the memory any more.
pub unsafe fn release(at: NonNull<u8>, bytes: usize) {
    // SAFETY: by this function's own contract.
    unsafe { ::libc::munmap(at.as_ptr().cast(), bytes.next_multiple_of(PAGE)) };
    let start = at.as_ptr() as usize;
    if let Some(mapping) = OWN.mappings.iter().find(|m| m[0].load(Ordering::Relaxed) == start) {
        mapping[0].store(0, Ordering::Relaxed);
    }
}
