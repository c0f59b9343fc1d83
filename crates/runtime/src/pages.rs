//! Memory straight from the kernel: the runtime's tables must not come from the program's heap.

use std::ptr::NonNull;

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
    NonNull::new(at.cast())
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
}
