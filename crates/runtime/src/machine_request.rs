//! Requests of `nonius.h` that only the event engine answers. Everywhere else they do nothing.
//!
//! They are plain calls: the record before them is complete, and all events so far are walked first.

use crate::say::{KeepErrno, say};
use crate::{events, output, request};
use nonius_abi::Precision;
use nonius_machine::{Cell, Request, Sight};
use nonius_numerics::Error;
use nonius_verdict::verdict::{self, Seen};
use std::ffi::{CStr, c_char, c_int, c_void};

/// The answer to a request, where there is a machine.
fn ask(request: Request) -> Option<Sight> {
    let _errno = KeepErrno::new();
    crate::guarded(|| events::with_targets(|targets| targets.request(request)).flatten()).flatten()
}

/// What the machine knows of the value that the request just recorded is about, with its error.
fn asked() -> Option<(Sight, Error)> {
    let thread = crate::thread::locals()?.number;
    let sight = ask(Request::Asked(thread))?;
    let error = Error::between(sight.value, sight.ideal, sight.residue, sight.format);
    Some((sight, error))
}

/// # Safety
/// `label` is null or a C string.
pub unsafe fn print_asked(label: *const c_char) {
    let _errno = KeepErrno::new();
    let Some((sight, _)) = asked() else { return };
    // SAFETY: as this function demands.
    let label = if label.is_null() { "value".into() } else { unsafe { CStr::from_ptr(label) }.to_string_lossy() };
    let Sight { value, ideal, residue, radius, format, .. } = sight;
    let seen = Seen { value, ideal, residue, radius };
    let _ = crate::guarded(|| {
        let id = sight.reported_as.map(output::id_of);
        request::print(&label, &seen, format, id.as_deref());
    });
}

pub fn ulps_asked() -> f64 {
    let _errno = KeepErrno::new();
    asked().map_or(0.0, |(_, error)| error.ulps)
}

#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_stage_begin(set: c_int) {
    ask(Request::BeginStage(set as u64));
}

#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_stage_end(set: c_int) {
    ask(Request::EndStage(set as u64));
}

#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_analysis_begin() {
    ask(Request::Analyse(true));
}

#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_analysis_end() {
    ask(Request::Analyse(false));
}

#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_analysis_reset() {
    ask(Request::Reset);
}

/// The float or double at an address.
///
/// # Safety
/// `at` points to `bytes` readable bytes.
unsafe fn cell(at: *const c_void, bytes: usize) -> Option<Cell> {
    // SAFETY: as this function demands.
    let (format, value) = unsafe {
        match bytes {
            4 => (Precision::Float, f64::from(at.cast::<f32>().read_unaligned())),
            8 => (Precision::Double, at.cast::<f64>().read_unaligned()),
            _ => return None,
        }
    };
    Some(Cell { address: at as u64, format, value })
}

/// Prints the error of the variable at `at`.
///
/// # Safety
/// `at` points to a float or double of `bytes` bytes, `name` to a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_print_error(at: *const c_void, bytes: usize, name: *const c_char) {
    // SAFETY: as this function demands.
    unsafe { tell(at, bytes, name, 0) }
}

/// Prints the error of the variable at `at`, and where it came from.
///
/// # Safety
/// As for `__nonius_api_print_error`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_trace(at: *const c_void, bytes: usize, name: *const c_char) {
    const CAUSES: usize = 20;
    // SAFETY: as this function demands.
    unsafe { tell(at, bytes, name, CAUSES) }
}

/// # Safety
/// As for `__nonius_api_print_error`.
unsafe fn tell(at: *const c_void, bytes: usize, name: *const c_char, causes: usize) {
    // SAFETY: as this function demands.
    let Some(cell) = (unsafe { cell(at, bytes) }) else { return };
    let Some(sight) = ask(Request::Look(cell)) else { return };
    // SAFETY: as this function demands.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let (value, ideal) = (cell.value, sight.ideal);
    let error = Error::between(value, ideal, sight.residue, cell.format);
    let _ = crate::guarded(|| {
        say!(
            "{name} = {value:e}, ideal {ideal:e}: relative error {:.2e}, {:.1} digits left",
            error.relative,
            error.digits_left
        );
        for cause in sight.causes.iter().take(causes) {
            let l = &cause.location;
            say!("  {} in {} at {}:{}:{}", cause.description, cause.operation, l.file, l.line, l.column);
        }
    });
}

/// Whether the relative error of the variable at `at` is greater than `bound`.
///
/// # Safety
/// `at` points to a float or double of `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_error_greater(at: *const c_void, bytes: usize, bound: f64) -> c_int {
    // SAFETY: as this function demands.
    let Some(cell) = (unsafe { cell(at, bytes) }) else { return 0 };
    let Some(sight) = ask(Request::Look(cell)) else { return 0 };
    c_int::from(verdict::relative(cell.value, sight.ideal) > bound)
}

/// Replaces the variable at `at` by its ideal, rounded.
///
/// # Safety
/// `at` points to a float or double of `bytes` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_insert_shadow(at: *mut c_void, bytes: usize) {
    // SAFETY: as this function demands.
    let Some(cell) = (unsafe { cell(at, bytes) }) else { return };
    let Some(sight) = ask(Request::Insert(cell)) else { return };
    debug_assert_eq!(cell.format.rounded(sight.rounded), sight.rounded);
    // SAFETY: as this function demands.
    unsafe {
        match cell.format {
            Precision::Float => at.cast::<f32>().write_unaligned(sight.rounded as f32),
            _ => at.cast::<f64>().write_unaligned(sight.rounded),
        }
    }
}
