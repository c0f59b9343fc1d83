//! Shadows that leave the process and come back: what the carrier of messages (`mpi/`, one for each MPI library) asks for.
//!
//! A residue leaves only if it counts: its copy equals the value. The copy itself need not travel, as it is the value
//! that arrives. Bytes of unknown layout take both planes with them, and are judged when they are loaded.

use crate::planes::{self, copies_of, is_shadowed, residues_of};
use crate::say::{KeepErrno, say};
use crate::{events, hooks};
use nonius_finding::{Coverage, Loss, Unshadowed};
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts up with every change to what carriers ask for or send each other.
const VERSION: u32 = 2;
/// Ranges below this are looked at without asking the kernel for their pages.
const SMALL: usize = 1 << 16;

static IS_CARRIED: AtomicBool = AtomicBool::new(false);

/// Whether a carrier is at work: it counts by itself what it does not carry.
pub fn is_carried() -> bool {
    IS_CARRIED.load(Ordering::Relaxed)
}

/// A carrier begins. Returns the version of what both agree on, or 0 if there are no shadows to carry: under the event
/// engine they are the machine's, and restart.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_exchange_start() -> u32 {
    if events::records() {
        return 0;
    }
    IS_CARRIED.store(true, Ordering::Relaxed);
    VERSION
}

/// Whether a range may have residues.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_exchange_any(at: *const c_void, bytes: u64) -> u32 {
    let (at, bytes) = (at as usize, bytes as usize);
    if !hooks::floats() || !is_shadowed(at as u64, bytes as u64) {
        return 0;
    }
    if bytes >= SMALL {
        return planes::has_residues(at, bytes).into();
    }
    // SAFETY: the range has shadows, so it lies inside the plane; a race is the program's own.
    let residues = unsafe { std::slice::from_raw_parts(residues_of(at), bytes) };
    let (words, rest) = residues.as_chunks::<8>();
    let any = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word)) != 0;
    (any || rest.iter().any(|byte| *byte != 0)).into()
}

/// Puts the residues of `count` floats of `width` bytes, side by side, to `out`; 0 for those that do not count. Returns how
/// many are not 0.
///
/// # Safety
/// The floats can be read, and `out` is room for as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_take(at: *const c_void, width: u32, count: u64, out: *mut c_void) -> u64 {
    // SAFETY: as this function demands.
    unsafe {
        match width {
            4 => take::<u32>(at.cast(), count as usize, out.cast()),
            8 => take::<u64>(at.cast(), count as usize, out.cast()),
            16 => take::<X87>(at.cast(), count as usize, out.cast()),
            _ => 0,
        }
    }
}

/// The bits of a float, of which a sign alone counts for nothing.
trait Bits: Copy + Default {
    fn is_same(self, other: Self) -> bool;
    fn is_zero(self) -> bool;
}

impl Bits for u32 {
    fn is_same(self, other: Self) -> bool {
        self == other
    }
    fn is_zero(self) -> bool {
        self << 1 == 0
    }
}

impl Bits for u64 {
    fn is_same(self, other: Self) -> bool {
        self == other
    }
    fn is_zero(self) -> bool {
        self << 1 == 0
    }
}

/// An x87 value in its 16 bytes, of which ten count.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
struct X87([u8; 16]);

impl Bits for X87 {
    fn is_same(self, other: Self) -> bool {
        self.0[..10] == other.0[..10]
    }
    fn is_zero(self) -> bool {
        self.0[..9] == [0; 9] && self.0[9] & 0x7f == 0
    }
}

/// # Safety
/// As for `__nonius_exchange_take`.
unsafe fn take<T: Bits>(at: *const T, count: usize, out: *mut T) -> u64 {
    let bytes = count.saturating_mul(size_of::<T>());
    let has_shadows = hooks::floats() && is_shadowed(at as u64, bytes as u64);
    let (residues, copies) = (residues_of(at as usize).cast::<T>(), copies_of(at as usize).cast::<T>());
    let mut carried = 0;
    for i in 0..count {
        let mut residue = T::default();
        if has_shadows {
            // SAFETY: the caller's floats can be read; their range has shadows, so it lies inside both planes.
            let (value, copy, theirs) = unsafe {
                (at.add(i).read_unaligned(), copies.add(i).read_unaligned(), residues.add(i).read_unaligned())
            };
            if value.is_same(copy) {
                residue = theirs;
            }
        }
        carried += u64::from(!residue.is_zero());
        // SAFETY: `out` is room for `count` of them.
        unsafe { out.add(i).write_unaligned(residue) };
    }
    carried
}

/// Gives `count` floats of `width` bytes, as they are now, these residues.
///
/// # Safety
/// The floats can be read, and there are as many residues.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_put(at: *mut c_void, width: u32, count: u64, residues: *const c_void) {
    let bytes = (width as usize).saturating_mul(count as usize);
    if bytes == 0 || !matches!(width, 4 | 8 | 16) || !is_shadowed(at as u64, bytes as u64) {
        return;
    }
    hooks::set_floats();
    // SAFETY: the caller's floats and residues can be read; the floats' range lies inside both planes, which overlap neither.
    unsafe {
        std::ptr::copy_nonoverlapping(residues.cast::<u8>(), residues_of(at as usize), bytes);
        std::ptr::copy_nonoverlapping(at.cast::<u8>(), copies_of(at as usize), bytes);
    }
}

/// Puts both planes of a range to `out`: the residues, then the copies.
///
/// # Safety
/// `out` is room for twice `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_take_bytes(at: *const c_void, bytes: u64, out: *mut c_void) {
    let (at, bytes, out) = (at as usize, bytes as usize, out.cast::<u8>());
    // SAFETY: a range with shadows lies inside both planes; `out` is as large as this function demands.
    unsafe {
        if is_shadowed(at as u64, bytes as u64) {
            std::ptr::copy_nonoverlapping(residues_of(at), out, bytes);
            std::ptr::copy_nonoverlapping(copies_of(at), out.add(bytes), bytes);
        } else {
            out.write_bytes(0, 2 * bytes);
        }
    }
}

/// Gives both planes of a range what `take_bytes` took.
///
/// # Safety
/// `from` has twice `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_put_bytes(at: *mut c_void, bytes: u64, from: *const c_void) {
    let (at, bytes, from) = (at as usize, bytes as usize, from.cast::<u8>());
    if bytes == 0 || !is_shadowed(at as u64, bytes as u64) {
        return;
    }
    hooks::set_floats();
    // SAFETY: the range lies inside both planes; `from` is as long as this function demands, and no plane.
    unsafe {
        std::ptr::copy_nonoverlapping(from, residues_of(at), bytes);
        std::ptr::copy_nonoverlapping(from.add(bytes), copies_of(at), bytes);
    }
}

/// Where the planes of a range lie, that of residues and that of copies, for windows that others write to. Returns 0 if it
/// has none.
///
/// # Safety
/// `planes` is room for two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_planes(at: *const c_void, bytes: u64, planes: *mut *mut c_void) -> u32 {
    let at = at as usize;
    if !is_shadowed(at as u64, bytes) {
        return 0;
    }
    hooks::set_floats();
    // SAFETY: as this function demands.
    unsafe { planes.cast::<[*mut u8; 2]>().write([residues_of(at), copies_of(at)]) };
    1
}

/// Tells the user a line, once a process at most for each text the carrier has.
///
/// # Safety
/// A C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_say(text: *const c_char) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let text = unsafe { CStr::from_ptr(text) };
    say!("{}", text.to_string_lossy());
}

/// A function of the library, and how many floats lost their shadows by it.
struct Restarts {
    name: AtomicU64,
    floats: AtomicU64,
}

/// More than a library has functions that restart.
const FUNCTIONS: usize = 128;
static RESTARTS: [Restarts; FUNCTIONS] =
    [const { Restarts { name: AtomicU64::new(0), floats: AtomicU64::new(0) } }; FUNCTIONS];

/// `floats` floats that a function of the library wrote restart from their values.
///
/// # Safety
/// `name` is a C string that stays for as long as the process lives, always the same for one function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_exchange_lost(name: *const c_char, floats: u64) {
    let key = name as u64;
    for entry in &RESTARTS {
        let known = entry.name.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
        if known.is_ok() || known == Err(key) {
            entry.floats.fetch_add(floats, Ordering::Relaxed);
            return;
        }
    }
}

/// Adds what restarted to what is told of coverage.
pub fn add_restarts(coverage: &mut Coverage) {
    for entry in &RESTARTS {
        let (name, count) = (entry.name.load(Ordering::Relaxed), entry.floats.load(Ordering::Relaxed));
        if name == 0 || count == 0 {
            continue;
        }
        // SAFETY: given as a C string that stays.
        let name = unsafe { CStr::from_ptr(name as *const c_char) }.to_string_lossy().into_owned();
        coverage.add_unknown(Unshadowed { name, object: String::new(), loss: Loss::Memory, count });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_residues_that_count_leave() {
        let (values, mut out) = (Box::new([1.0f64, 2.0, 3.0]), [0f64; 3]);
        let at = values.as_ptr() as usize;
        // Tests have no planes: a range without shadows has residues of 0, and putting some does nothing.
        // SAFETY: three floats, and room for three.
        let carried = unsafe { __nonius_exchange_take(at as *const c_void, 8, 3, out.as_mut_ptr().cast()) };
        assert_eq!((carried, out), (0, [0.0; 3]));
    }

    #[test]
    fn what_restarts_is_counted_by_name() {
        let mut coverage = Coverage::default();
        // SAFETY: a C string that stays.
        unsafe {
            let name = c"MPI_Get".as_ptr();
            __nonius_exchange_lost(name, 3);
            __nonius_exchange_lost(name, 4);
        }
        add_restarts(&mut coverage);
        assert_eq!(coverage.unknown, [Unshadowed::new("MPI_Get", Loss::Memory, 7)]);
    }
}
