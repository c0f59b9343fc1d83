//! Requests of `nonius.h` that only the event engine answers. Everywhere else they do nothing.
//!
//! They are plain calls: the record before them is complete, and all events so far are walked first.

use crate::say::{KeepErrno, say};
use crate::{events, output, request};
use nonius_abi::Precision;
use nonius_machine::{Asked, Cell, Engine, Input, Request, Sight};
use nonius_numerics::Error;
use nonius_verdict::verdict::{self, Seen};
use std::ffi::{CStr, c_char, c_double, c_int, c_void};

/// The answer to a request, where there is a machine.
fn ask(request: Request) -> Option<Sight> {
    let _errno = KeepErrno::new();
    let thread = crate::thread::locals()?.number;
    crate::guarded(|| events::with_targets(|targets| targets.request(thread, request)).flatten()).flatten()
}

/// What the machine knows of the value that the request just recorded is about.
pub fn sight() -> Option<Sight> {
    let thread = crate::thread::locals()?.number;
    ask(Request::Asked(thread))
}

/// The same, with its error.
fn asked() -> Option<(Sight, Error)> {
    let sight = sight()?;
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

/// Lets the machine work, where there is one, on all events so far.
pub fn tell_machine<T>(work: impl FnOnce(&mut dyn Engine) -> T) -> Option<T> {
    let _errno = KeepErrno::new();
    crate::guarded(|| events::with_targets(|targets| targets.in_machine(work)).flatten()).flatten()
}

/// What a request says of itself.
///
/// # Safety
/// `name` and `file` are null or C strings.
unsafe fn asked_for(name: *const c_char, file: *const c_char, line: c_int) -> Asked {
    let text = |text: *const c_char| match text.is_null() {
        true => String::new(),
        // SAFETY: as this function demands.
        false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
    };
    let name = text(name);
    // The program names the variable by its address.
    let name = name.trim_start_matches('&').to_owned();
    Asked { name, file: text(file), line: u32::try_from(line).unwrap_or(0) }
}

/// The float at `at` is an input: the real that it stands for is in [lo, hi], and it differs from that by [elo, ehi].
///
/// # Safety
/// `at` points to a float or double of `bytes` bytes; `name` and `file` are null or C strings.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn __nonius_api_input(
    at: *const c_void,
    bytes: usize,
    name: *const c_char,
    file: *const c_char,
    line: c_int,
    lo: c_double,
    hi: c_double,
    elo: c_double,
    ehi: c_double,
) {
    // SAFETY: as this function demands.
    let (Some(cell), asked) = (unsafe { (cell(at, bytes), asked_for(name, file, line)) }) else {
        return say!("warning: nonius_input: not a float or double, left out");
    };
    tell_machine(|machine| machine.input(cell, asked, Input { real: [lo, hi], error: [elo, ehi] }));
    events::follow_parts();
}

/// What the float at `at` can be goes into the report.
///
/// # Safety
/// As for `__nonius_api_input`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_bounds(
    at: *const c_void,
    bytes: usize,
    name: *const c_char,
    file: *const c_char,
    line: c_int,
) {
    // SAFETY: as this function demands.
    let (Some(cell), asked) = (unsafe { (cell(at, bytes), asked_for(name, file, line)) }) else {
        return say!("warning: nonius_bounds: not a float or double, left out");
    };
    tell_machine(|machine| machine.bounds(cell, asked));
}

/// Paths that part from here on meet at `__nonius_api_merge`.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_split() {
    tell_machine(|machine| machine.begin_section());
}

/// Tests go the program's way for all inputs from here on (`begins`), or no more.
#[unsafe(no_mangle)]
pub extern "C" fn __nonius_api_one_path(begins: c_int) {
    tell_machine(|machine| machine.one_path(begins != 0));
}

/// Paths meet here, and differ in the floats or doubles of `each` bytes in `bytes` bytes at `at`.
///
/// # Safety
/// `at` points to that many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_api_merge(at: *const c_void, bytes: usize, each: usize) {
    if !matches!(each, 4 | 8) {
        return say!("warning: nonius_merge: not a float or double, left out");
    }
    // SAFETY: as this function demands.
    let cells: Vec<Cell> = (0..bytes / each).filter_map(|n| unsafe { cell(at.byte_add(n * each), each) }).collect();
    if let Some(results) = tell_machine(|machine| machine.end_section(&cells)).flatten() {
        events::end_path(&results);
    }
}
