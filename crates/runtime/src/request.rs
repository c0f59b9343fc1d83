//! What `nonius.h` offers to programs. The pass turns requests about a value into calls with its
//! shadow; the others are called as they are.

use crate::hooks::asked::{self, check_request};
use crate::planes::{copies_of, is_shadowed, residues_of};
use crate::say::{KeepErrno, say};
use crate::thread;
use crate::{events, found, options, region, start, suppress};
use nonius_abi::Precision;
use nonius_finding::hex_float;
use nonius_numerics::Error;
use nonius_verdict::verdict::Seen;
use std::ffi::{CStr, c_char, c_void};

/// A C string as text; null and what is not UTF-8 are nothing.
///
/// # Safety
/// `text` is null or a C string that stays while the result is used.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    // SAFETY: as this function demands.
    if text.is_null() { None } else { unsafe { CStr::from_ptr(text) }.to_str().ok() }
}

/// Checks a value as if it were output.
///
/// # Safety
/// None; the text is for `print`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_request_check(
    table: *mut c_void,
    site: u32,
    value: f64,
    residue: f64,
    _text: *const c_char,
) {
    check_request(table, site, value, residue);
}

/// Tells what the value of the next request was computed from.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_request_made_of(table: *mut c_void, site: u32, value: f64, slope: f64) {
    if !found::is_empty() {
        let _ = crate::guarded(|| asked::made_of(table, site, value, slope));
    }
}

/// Prints a value beside its shadow.
///
/// # Safety
/// `label` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_request_print(
    table: *mut c_void,
    site: u32,
    value: f64,
    residue: f64,
    label: *const c_char,
) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let label = unsafe { text(label) }.unwrap_or("value");
    let Some((precision, seen, place)) = asked::asked(table, site, value, residue) else { return };
    let _ = crate::guarded(|| print(label, &seen, precision, place.and_then(found::id).as_deref()));
}

/// A value beside its ideal, in a line: to the digits that are known.
pub fn print(label: &str, seen: &Seen, precision: Precision, reported_as: Option<&str>) {
    let Seen { value, ideal, residue, radius } = *seen;
    let error = Error::between(value, ideal, residue, precision);
    let is_exact = ideal + radius == ideal && ideal - radius == ideal;
    let ideal = match is_exact {
        true => format!("{ideal:e} ({})", hex_float(ideal)),
        false => nonius_report::ideal(ideal, Some(radius)),
    };
    say!(
        "{label} = {value:e} ({}), ideal {ideal}: relative error {:.2e}, {:.2e} ulps, {:.1} digits left{}",
        hex_float(value),
        error.relative,
        error.ulps,
        error.digits_left,
        reported_as.map(|id| format!("; reported above as {id}, error restarted")).unwrap_or_default()
    );
}

/// A value's error in ulps.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_request_ulps(
    table: *mut c_void,
    site: u32,
    value: f64,
    residue: f64,
    _text: *const c_char,
) -> f64 {
    let asked = asked::asked(table, site, value, residue);
    asked.map_or(0.0, |(precision, seen, _)| Error::between(value, seen.ideal, seen.residue, precision).ulps)
}

/// What `nonius.h` declares for a value, as it is called where no shadow is at hand. In functions that record, the machine
/// knows what was asked; in code that was left uninstrumented there is nothing to say, and the value passes through.
mod without_shadow {
    use crate::machine_request;
    use std::ffi::c_char;

    macro_rules! silent {
        ($($name:ident)*) => { $(
            /// Does nothing, whatever the argument's type.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() {}
        )* };
    }
    silent! { __nonius_api_check_f __nonius_api_check_d __nonius_api_check_l }

    macro_rules! printed {
        ($($name:ident)*) => { $(
            /// Prints what the machine knows, if there is one. The value, whatever its type, is in another register.
            ///
            /// # Safety
            /// `label` is null or a C string.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(label: *const c_char) {
                // SAFETY: as this function demands.
                unsafe { machine_request::print_asked(label) }
            }
        )* };
    }
    printed! { __nonius_api_print_f __nonius_api_print_d __nonius_api_print_l }

    macro_rules! ulps {
        ($($name:ident)*) => { $(
            /// The error that the machine knows, if there is one, whatever the argument's type.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> f64 {
                machine_request::ulps_asked()
            }
        )* };
    }
    ulps! { __nonius_api_ulps_f __nonius_api_ulps_d __nonius_api_ulps_l }

    #[unsafe(no_mangle)]
    pub extern "C" fn __nonius_api_resume_f(value: f32) -> f32 {
        value
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn __nonius_api_resume_d(value: f64) -> f64 {
        value
    }

    /// A long double comes on the stack and goes back in the x87 register.
    #[unsafe(no_mangle)]
    #[unsafe(naked)]
    pub extern "C" fn __nonius_api_resume_l() {
        std::arch::naked_asm!("fld tbyte ptr [rsp + 8]", "ret")
    }
}

/// Prints the shadow memory of a range, eight bytes a line.
///
/// # Safety
/// The range is readable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_dump(at: *const c_void, bytes: usize) {
    let _errno = KeepErrno::new();
    if !is_shadowed(at as u64, bytes as u64) {
        return say!("{bytes} bytes at {at:p} have no shadow memory");
    }
    say!("shadow of {bytes} bytes at {at:p} (=: the copy fits the byte, type, value, residue)");
    let first = at as usize;
    for address in (first..first + bytes).step_by(8) {
        let length = (first + bytes - address).min(8);
        // SAFETY: the range is readable, and its shadows lie in the planes.
        let (memory, copies, residues) = unsafe {
            (
                bytes_at(address as _, length),
                bytes_at(copies_of(address), length),
                bytes_at(residues_of(address), length),
            )
        };
        say!("{address:#014x}: {}", Line { memory, copies, residues, length });
    }
}

/// Up to eight bytes from `at`, the rest 0.
///
/// # Safety
/// `length` bytes are readable.
unsafe fn bytes_at(at: *const u8, length: usize) -> [u8; 8] {
    let mut bytes = [0; 8];
    // SAFETY: as this function demands; `length` is at most 8.
    unsafe { std::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), length.min(8)) };
    bytes
}

/// A line of a dump.
struct Line {
    memory: [u8; 8],
    copies: [u8; 8],
    residues: [u8; 8],
    length: usize,
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fits = |index: usize| self.memory[index] == self.copies[index];
        for index in 0..self.length {
            f.write_str(if fits(index) { "=" } else { "." })?;
        }
        if self.residues == [0; 8] {
            return f.write_str("  no residue");
        }
        if self.length == 8 && (0..8).all(fits) && is_double_residue(self) {
            let (value, residue) = (f64::from_ne_bytes(self.memory), f64::from_ne_bytes(self.residues));
            return write!(f, "  double {value:e} {residue:+e}");
        }
        for half in [0, 4] {
            let quarter = |bytes: [u8; 8]| [bytes[half], bytes[half + 1], bytes[half + 2], bytes[half + 3]];
            let residue = f32::from_ne_bytes(quarter(self.residues));
            match half + 4 <= self.length && (half..half + 4).all(fits) && residue != 0.0 {
                true => write!(f, "  float {:e} {residue:+e}", f32::from_ne_bytes(quarter(self.memory)))?,
                false if quarter(self.residues) != [0; 4] => f.write_str("  stale")?,
                false => {}
            }
        }
        Ok(())
    }
}

/// Eight bytes of residue may be a double's, or those of two floats: a double's residue is small
/// beside its value.
fn is_double_residue(line: &Line) -> bool {
    let (value, residue) = (f64::from_ne_bytes(line.memory), f64::from_ne_bytes(line.residues));
    residue.is_finite() && value.is_finite() && residue.abs() <= value.abs()
}

/// Findings of this thread carry the region's name until it ends.
///
/// # Safety
/// `name` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_region_begin(name: *const c_char) {
    // SAFETY: as this function demands.
    let name = unsafe { text(name) }.unwrap_or_default();
    if let Some(locals) = thread::locals() {
        region::begin(locals, name);
    }
}

/// Ends the innermost region of this thread.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_region_end() {
    if let Some(locals) = thread::locals() {
        region::end(locals);
    }
}

/// A task begins, which the event engine looks at by itself; it is a region of that name as well.
///
/// # Safety
/// `name` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_task_begin(name: *const c_char) {
    // SAFETY: as this function demands.
    let name = unsafe { text(name) }.unwrap_or_default();
    if let Some(locals) = thread::locals() {
        region::begin(locals, name);
        events::tasks::begin(locals, name);
    }
}

/// Ends the innermost task of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_task_end() {
    if let Some(locals) = thread::locals() {
        events::tasks::end(locals);
        region::end(locals);
    }
}

/// Sets options while the program runs, as `NONIUS_OPTIONS` would have.
///
/// # Safety
/// `setting` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_set_option(setting: *const c_char) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let Some(setting) = (unsafe { text(setting) }) else { return };
    let _ = crate::guarded(|| {
        let mut changed = options::current().clone();
        match changed.apply(setting) {
            Ok(()) => {
                if start::is_privileged() {
                    changed.leave_files_alone();
                }
                events::set_options(options::put(changed), setting);
            }
            Err(error) => say!("error: nonius_set_option: {error}"),
        }
    });
}

/// Adds a suppression.
///
/// # Safety
/// `entry` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_suppress(entry: *const c_char) {
    let _errno = KeepErrno::new();
    // SAFETY: as this function demands.
    let Some(entry) = (unsafe { text(entry) }) else { return };
    let _ = crate::guarded(|| match suppress::add(entry, "nonius_suppress") {
        Ok(()) => events::note_suppression(entry),
        Err(error) => say!("error: {error}"),
    });
}
