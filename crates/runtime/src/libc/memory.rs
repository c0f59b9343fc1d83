//! Memory that the C library allocates, moves or fills.

use super::wrap;
use crate::moved::{clear, copy};
use crate::planes::{forget, is_shadowed};
use crate::say::say;
use ::libc::{c_int, off_t, size_t, wchar_t};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

const WIDE: usize = size_of::<wchar_t>();

wrap! {
    calloc(count: size_t, size: size_t) -> *mut c_void as block => fresh(block, count.saturating_mul(size));
    aligned_alloc(align: size_t, bytes: size_t) -> *mut c_void as block => fresh(block, bytes);
    posix_memalign(to: *mut *mut c_void, align: size_t, bytes: size_t) -> c_int as failed => {
        if failed == 0 {
            // SAFETY: on success the function wrote the block's address to `to`.
            fresh(unsafe { *to }, bytes)
        }
    };
    munmap(at: *mut c_void, bytes: size_t) -> c_int as failed => {
        if failed == 0 {
            forget(at as usize, bytes)
        }
    };
    bcopy(from: *const c_void, to: *mut c_void, bytes: size_t) -> () as result => {
        copy(to as usize, from as usize, bytes)
    };
    bzero(to: *mut c_void, bytes: size_t) -> () as result => clear(to as usize, bytes);
    mempcpy(to: *mut c_void, from: *const c_void, bytes: size_t) -> *mut c_void as end => {
        copy(to as usize, from as usize, bytes)
    };
    memccpy(to: *mut c_void, from: *const c_void, last: c_int, bytes: size_t) -> *mut c_void as end => {
        let copied = if end.is_null() { bytes } else { end as usize - to as usize };
        copy(to as usize, from as usize, copied)
    };
    wmemcpy(to: *mut wchar_t, from: *const wchar_t, count: size_t) -> *mut wchar_t as result => {
        copy(to as usize, from as usize, count * WIDE)
    };
    wmemmove(to: *mut wchar_t, from: *const wchar_t, count: size_t) -> *mut wchar_t as result => {
        copy(to as usize, from as usize, count * WIDE)
    };
    wmemset(to: *mut wchar_t, value: wchar_t, count: size_t) -> *mut wchar_t as result => {
        clear(to as usize, count * WIDE)
    };
    swab(from: *const c_void, to: *mut c_void, bytes: isize) -> () as result => {
        if bytes > 0 {
            clear(to as usize, bytes as usize)
        }
    };
    __memcpy_chk(to: *mut c_void, from: *const c_void, bytes: size_t, room: size_t) -> *mut c_void as result => {
        copy(to as usize, from as usize, bytes)
    };
    __memmove_chk(to: *mut c_void, from: *const c_void, bytes: size_t, room: size_t) -> *mut c_void as result => {
        copy(to as usize, from as usize, bytes)
    };
    __mempcpy_chk(to: *mut c_void, from: *const c_void, bytes: size_t, room: size_t) -> *mut c_void as end => {
        copy(to as usize, from as usize, bytes)
    };
    __memset_chk(to: *mut c_void, value: c_int, bytes: size_t, room: size_t) -> *mut c_void as result => {
        clear(to as usize, bytes)
    };
}

fn fresh(block: *mut c_void, bytes: usize) {
    if !block.is_null() {
        clear(block as usize, bytes);
    }
}

/// `realloc`, with the shadows of what was kept.
///
/// # Safety
/// As the C function.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __nonius_libc_realloc(old: *mut c_void, bytes: size_t) -> *mut c_void {
    let room = old_room(old);
    // SAFETY: the program's own call, as it came.
    let new = unsafe { ::libc::realloc(old, bytes) };
    moved(new, old, room.min(bytes));
    new
}

/// The same under the name that the linker gives it; see `abi::libc::WRAP_REALLOC`.
///
/// # Safety
/// As for `realloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __wrap_realloc(old: *mut c_void, bytes: size_t) -> *mut c_void {
    // SAFETY: as this function demands.
    unsafe { __nonius_libc_realloc(old, bytes) }
}

/// `reallocarray`, with the shadows of what was kept.
///
/// # Safety
/// As the C function.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __nonius_libc_reallocarray(
    old: *mut c_void,
    count: size_t,
    size: size_t,
) -> *mut c_void {
    let room = old_room(old);
    // SAFETY: the program's own call, as it came.
    let new = unsafe { ::libc::reallocarray(old, count, size) };
    moved(new, old, room.min(count.saturating_mul(size)));
    new
}

/// Bytes of the block that may hold something. An allocator of the program's own may not say:
/// then all, which is harmless, as a shadow that does not fit its value never counts.
fn old_room(block: *mut c_void) -> usize {
    match block.is_null() {
        true => 0,
        false if crate::start::heap_is_libc() => {
            // SAFETY: `block` is the program's argument to realloc, so a live block of malloc, which is libc's.
            unsafe { ::libc::malloc_usable_size(block) }
        }
        false => usize::MAX,
    }
}

/// The old block is free by now, and another thread may already have been given it. That costs
/// residues at worst: what it stores there does not fit the values that moved.
fn moved(new: *mut c_void, old: *mut c_void, bytes: usize) {
    if !new.is_null() && !old.is_null() && new != old {
        copy(new as usize, old as usize, bytes);
    }
}

/// `mmap`; fresh pages have no shadows. A wish for an address that can have none is dropped.
///
/// # Safety
/// As the C function.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __nonius_libc_mmap(
    wish: *mut c_void,
    bytes: size_t,
    protection: c_int,
    flags: c_int,
    fd: c_int,
    at: off_t,
) -> *mut c_void {
    let fixed = flags & (::libc::MAP_FIXED | ::libc::MAP_FIXED_NOREPLACE) != 0;
    let wish = if fixed || is_shadowed(wish as u64, bytes as u64) { wish } else { std::ptr::null_mut() };
    // SAFETY: the program's own call; the kernel is free to ignore a wish anyway.
    let block = unsafe { ::libc::mmap(wish, bytes, protection, flags, fd, at) };
    if block != ::libc::MAP_FAILED {
        if !is_shadowed(block as u64, bytes as u64) {
            say_unshadowed(block);
        }
        forget(block as usize, bytes);
    }
    block
}

/// Floats there would be looked up outside the planes. The crash that follows needs an explanation.
#[cold]
fn say_unshadowed(block: *mut c_void) {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        say!(
            "warning: the program mapped memory at {block:p}, where there is no shadow memory; floating-point \
             accesses there will crash: leave out MAP_32BIT and MAP_FIXED addresses below 0x{:x}",
            nonius_abi::planes::MAPPINGS.start
        );
    }
}

/// `mremap`, with the shadows of what was kept.
///
/// # Safety
/// As the C function. The last argument is only read by the kernel, and only if `flags` asks for it.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn __nonius_libc_mremap(
    old: *mut c_void,
    old_bytes: size_t,
    bytes: size_t,
    flags: c_int,
    wish: *mut c_void,
) -> *mut c_void {
    // SAFETY: the program's own call, as it came.
    let new = unsafe { ::libc::mremap(old, old_bytes, bytes, flags, wish) };
    if new == ::libc::MAP_FAILED {
        return new;
    }
    let kept = old_bytes.min(bytes);
    if new != old {
        copy(new as usize, old as usize, kept);
        forget(old as usize, old_bytes);
        forget(new as usize + kept, bytes - kept);
        return new;
    }
    // Grown: fresh pages. Shrunk: pages that are gone.
    forget(new as usize + kept, bytes.max(old_bytes) - kept);
    new
}

/// `mlockall`, which does nothing: locking all memory would make the kernel fill the planes.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_libc_mlockall(flags: c_int) -> c_int {
    const KNOWN: c_int = ::libc::MCL_CURRENT | ::libc::MCL_FUTURE | ::libc::MCL_ONFAULT;
    if flags == 0 || flags & !KNOWN != 0 {
        // SAFETY: the location is this thread's own and always valid.
        unsafe { *::libc::__errno_location() = ::libc::EINVAL };
        return -1;
    }
    0
}
