//! Mapping the shadow planes at start-up, and moving and clearing what they hold.

mod copy;
mod layout;
mod present;

pub use copy::{Shadow, clear, copy, forget, has_residues};
pub use layout::{forget_guard, make_room, restore};
pub use nonius_abi::planes::is_shadowed;

use nonius_abi::planes::{COPY, EXECUTABLE, MAPPINGS, RESIDUE, Span};

/// The residue plane's address for a program's address.
#[inline]
pub fn residues_of(address: usize) -> *mut u8 {
    (address as u64).wrapping_add_signed(RESIDUE) as *mut u8
}

/// The copy plane's address for a program's address.
#[inline]
pub fn copies_of(address: usize) -> *mut u8 {
    (address as u64).wrapping_add_signed(COPY) as *mut u8
}

/// Stores the shadow of a double at `address`, if it can have one.
pub fn put_double(address: usize, bits: u64, residue: f64) {
    if is_shadowed(address as u64, 8) {
        crate::hooks::set_floats();
        // SAFETY: the address has shadows, so both places lie inside the planes.
        unsafe {
            residues_of(address).cast::<f64>().write_unaligned(residue);
            copies_of(address).cast::<u64>().write_unaligned(bits);
        }
    }
}

/// Why the planes cannot be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Something of the process lies where a plane must be.
    Taken { start: u64, end: u64 },
    /// The kernel gives no such range.
    Kernel { errno: i32 },
    /// A part of the process lies where it can have no shadows.
    Outside { what: &'static str, address: u64 },
}

/// Reserves all planes; they take memory only where they are written.
pub fn map() -> Result<(), Refusal> {
    layout::check()?;
    for offset in [RESIDUE, COPY] {
        for span in [EXECUTABLE, MAPPINGS] {
            map_one(span.plane(offset))?;
        }
    }
    Ok(())
}

fn map_one(plane: Span) -> Result<(), Refusal> {
    let start = plane.start as *mut ::libc::c_void;
    let bytes = plane.bytes() as usize;
    let flags = ::libc::MAP_PRIVATE | ::libc::MAP_ANONYMOUS | ::libc::MAP_NORESERVE | ::libc::MAP_FIXED_NOREPLACE;
    // SAFETY: MAP_FIXED_NOREPLACE never replaces a mapping.
    let at = unsafe { ::libc::mmap(start, bytes, ::libc::PROT_READ | ::libc::PROT_WRITE, flags, -1, 0) };
    let errno = crate::say::errno();
    match at {
        ::libc::MAP_FAILED if errno == ::libc::EEXIST => Err(Refusal::Taken { start: plane.start, end: plane.end }),
        ::libc::MAP_FAILED => Err(Refusal::Kernel { errno }),
        // A kernel before 4.17 takes the address as a mere wish.
        _ if at != start => {
            // SAFETY: `at` was mapped above and nothing knows it.
            unsafe { ::libc::munmap(at, bytes) };
            Err(Refusal::Taken { start: plane.start, end: plane.end })
        }
        _ => {
            crate::pages::note(at as usize, bytes);
            // Core files leave the planes out. Huge pages would make one touched residue cost 2 MiB.
            // SAFETY: advice on the range just mapped, which holds nothing yet.
            unsafe {
                ::libc::madvise(start, bytes, ::libc::MADV_DONTDUMP);
                ::libc::madvise(start, bytes, ::libc::MADV_NOHUGEPAGE);
            }
            Ok(())
        }
    }
}
