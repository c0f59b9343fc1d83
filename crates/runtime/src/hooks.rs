//! The hooks that instrumented code calls; `abi::hooks` says what each means.
//!
//! None takes a lock that it waits for without end (`address_locks` waits a while), allocates from the
//! program's heap, unwinds, or changes
//! `errno`. A value at an observable costs a look-up and a verdict; keeping it costs more, once.

pub mod asked;
mod compare;
mod fortran;
mod steps;

pub use compare::*;
pub use fortran::*;
pub use steps::*;

use crate::fenv::Usual;
use crate::found::{self, Place};
use crate::options::{self, Options};
use crate::roots::{self, Root};
use crate::sites::Module;
use crate::tallies::{Sighting, Tally, Which};
use crate::{address_locks, by_address, events, exit, libc, outputs, planes, printed, sites, thread};
use nonius_abi::Precision;
use nonius_abi::for_each_hook;
use nonius_abi::hooks::{doubt, is_doubt};
use nonius_abi::site::{Observed, Op};
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict::{self, Seen, Verdict};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// What checks in the program's own code go by, as `abi::hooks` has it: infinite until options are read.
/// Doubles, kept as bits so that they can be set while the program runs.
#[unsafe(no_mangle)]
pub static __nonius_limits: [[AtomicU64; 6]; 3] = [const { [const { AtomicU64::new(0x7ff0_0000_0000_0000) }; 6] }; 3];

/// Not 0 once there may be residues in memory.
#[unsafe(no_mangle)]
pub static __nonius_floats: AtomicU8 = AtomicU8::new(0);

#[inline]
pub fn floats() -> bool {
    __nonius_floats.load(Ordering::Relaxed) != 0
}

pub fn set_floats() {
    __nonius_floats.store(1, Ordering::Relaxed);
}

pub fn set_limits(limits: [[f64; 6]; 3]) {
    for (place, limit) in __nonius_limits.as_flattened().iter().zip(limits.as_flattened()) {
        place.store(limit.to_bits(), Ordering::Relaxed);
    }
}

/// The types of the list of hooks, by the names they have there.
mod types {
    #![allow(non_camel_case_types)]
    pub type ptr = *mut core::ffi::c_void;
    pub type void = ();
    pub type u32 = core::primitive::u32;
    pub type u64 = core::primitive::u64;
    pub type f64 = core::primitive::f64;
}
use types::ptr;

/// Fails to compile where a hook here differs from the list.
macro_rules! defined_as_listed {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $ret:ident;)*) => {
        $(const _: unsafe extern "C" fn($(types::$ty),*) -> types::$ret = $name;)*
    };
}
for_each_hook!(defined_as_listed);

/// # Safety
/// As `abi::hooks` says: `table` holds `bytes` bytes, `ran` a byte for each function, `lost` a number for each entry, for as
/// long as the object is loaded; `tallies` is room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_module_start(table: ptr, bytes: u64, ran: ptr, lost: ptr, tallies: ptr) {
    let _errno = crate::say::KeepErrno::new();
    // SAFETY: as this function demands.
    crate::guarded(|| unsafe {
        if let Some(first) = sites::register(table.cast(), bytes, ran.cast(), lost.cast()) {
            *tallies.cast() = first;
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn __nonius_defined(start: ptr, stop: ptr) {
    crate::defined::register(start as usize, stop as usize);
}

/// # Safety
/// There are `count` slots at `slots` until `__nonius_checks_end`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_checks_start(table: ptr, slots: ptr, count: u64) {
    if let Some(module) = sites::find(table.cast()) {
        // SAFETY: as this function demands.
        unsafe { module.checks.start(slots.cast(), count as usize) };
    }
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_checks_end(table: ptr) {
    if let Some(module) = sites::find(table.cast()) {
        module.checks.end(&module.tallies);
    }
}

/// # Safety
/// As `abi::hooks` says: `code` holds `bytes` bytes, `addresses` a pointer for each function of the
/// code table; `base` and `record` are the object's own variables.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_code_start(
    table: ptr,
    code: ptr,
    bytes: u64,
    addresses: ptr,
    base: ptr,
    record: ptr,
) {
    let _errno = crate::say::KeepErrno::new();
    let sites = || match sites::find(table.cast()) {
        Some(module) => module.table().map_err(|error| error.to_string()),
        None => Err("its site table could not be used".to_owned()),
    };
    // SAFETY: as this function demands.
    unsafe {
        let number = crate::guarded(|| events::register(sites, code.cast(), bytes, addresses.cast())).flatten();
        if let Some(number) = number {
            base.cast::<u32>().write(number);
            record.cast::<u8>().write(1);
        }
    }
}

/// # Safety
/// `thread` is this thread's block, `record` a record of its buffer that is being written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_decide(thread: ptr, record: ptr, header: u64, step: u32, outcome: u64) -> u64 {
    events::decide(thread.cast(), record.cast(), header, step, outcome as i64) as u64
}

/// # Safety
/// As for `__nonius_decide`; `state` has `words` words, and the caller's frame is from `low` to `high`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_meet(
    thread: ptr,
    record: ptr,
    header: u64,
    step: u32,
    state: ptr,
    words: u64,
    low: ptr,
    high: ptr,
) {
    // SAFETY: as this function demands.
    let state = unsafe { std::slice::from_raw_parts(state.cast::<u64>(), words as usize) };
    let here = events::Here { state, low: low as u64, high: high as u64 };
    events::meet(thread.cast(), record.cast(), header, step, &here);
}

/// # Safety
/// `thread` is this thread's block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_events_full(thread: ptr) {
    events::full(thread.cast());
}

/// # Safety
/// None: the address is a number here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_evaluator(callee: ptr, signature: u32) -> ptr {
    by_address::evaluator(callee as usize, signature) as ptr
}

/// # Safety
/// None: the address is a number here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_lost(callee: ptr, floats: u32) {
    by_address::count(callee as usize, floats.into());
}

/// # Safety
/// None: the address is a number here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_function_at(callee: ptr, signature: u32) -> u64 {
    by_address::number(callee as usize, signature)
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_thread() -> ptr {
    let _errno = crate::say::KeepErrno::new();
    thread::block().cast()
}

/// What a hook knows of a site.
struct At {
    place: Place,
    tally: &'static Tally,
    op: Op,
    precision: Precision,
    observed: Observed,
}

#[inline]
fn at(table: ptr, site: u32, which: Which) -> Option<At> {
    let module = sites::find(table.cast())?;
    let (op, precision, observed, _) = module.kinds(site)?;
    let tally = module.tallies.of(site, which)?;
    Some(At { place: Place { module, site, which }, tally, op, precision, observed })
}

/// The `count` doubles at `array`.
///
/// # Safety
/// There are so many, and they stay as they are.
#[inline]
unsafe fn doubles<'a>(array: ptr, count: usize) -> &'a [f64] {
    // SAFETY: as this function demands; an empty slice needs no array.
    if array.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(array.cast(), count) } }
}

/// # Safety
/// The arrays have as many doubles as there are lanes; `residues` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_check(
    table: ptr,
    site: u32,
    check: u64,
    values: ptr,
    residues: ptr,
    noise: ptr,
    culprit: f64,
    its_residue: f64,
    left: f64,
) {
    let _usual = Usual::enter();
    let Some(at) = at(table, site, Which::Main) else { return };
    let options = options::current();
    // SAFETY: the arrays have `lanes` doubles; without noise, there is none.
    let lane = |index: usize| unsafe {
        let noise = if noise.is_null() { 0.0 } else { *noise.cast::<f64>().add(index) };
        at.seen(*values.cast::<f64>().add(index), *residues.cast::<f64>().add(index), noise.abs())
    };
    let (lanes, number) = (check as u32 as usize, (check >> 32) as u32);
    let culprit = (its_residue != 0.0).then_some((culprit, culprit + its_residue));
    let found = check_lanes(&at, lanes, lane, culprit, left, options);
    let restarts = found.is_some_and(|found| found.restarts);
    if let Some(Found { error, restarts }) = found {
        let Module { checks, tallies, .. } = at.place.module;
        checks.note(tallies, number, site, error, !restarts);
    }
    for index in 0..lanes {
        let seen = lane(index);
        let restarted = restarts && at.verdict(seen, options).found().is_some();
        let residue = match seen.value {
            _ if restarted => 0.0,
            0.0 if seen.may_be_zero() => doubt(at.precision),
            // Noise that was taken for 0 is 0 from here on.
            _ => seen.known_residue(),
        };
        // SAFETY: `residues` is writable.
        unsafe { *residues.cast::<f64>().add(index) = residue };
    }
}

impl At {
    /// What a residue tells, with this much that it does not: of a 0 it may say that nothing is known.
    #[inline]
    fn seen(&self, value: f64, residue: f64, noise: f64) -> Seen {
        let doubt = if is_doubt(self.precision, value, residue) { 2.0 * residue.abs() } else { 0.0 };
        Seen::by_residue(value, residue, noise.max(doubt))
    }

    #[inline]
    fn verdict(&self, seen: Seen, options: &Options) -> Verdict<f64> {
        verdict::precision(seen, self.precision, self.observed, &options.limits)
    }

    /// What a bad value goes back to, if it came from elsewhere and was found there.
    fn root(&self, seen: Seen, culprit: Option<(f64, f64)>) -> Option<Root> {
        let (value, ideal) = culprit.unwrap_or((seen.value, seen.ideal));
        if roots::is_inherited(self.op) { roots::find(value, ideal) } else { None }
    }
}

/// What was found among lanes.
#[derive(Clone, Copy)]
struct Found {
    /// The worst relative error.
    error: f64,
    /// Whether the shadows of findings are to go on from the values.
    restarts: bool,
}

/// Judges values. `culprit`: the operand that their error came in with, and its ideal; `left`: see [`Sample`].
#[inline]
fn check_lanes(
    at: &At,
    lanes: usize,
    lane: impl Fn(usize) -> Seen,
    culprit: Option<(f64, f64)>,
    left: f64,
    options: &Options,
) -> Option<Found> {
    let (mut found, mut open) = (0, 0);
    let mut worst = (-1.0, 0);
    let mut passes = None;
    for index in 0..lanes {
        let seen = lane(index);
        match at.verdict(seen, options) {
            // Pure rounding error on its way: what it goes back to is asked for where it is printed.
            Verdict::Clear if seen.value != 0.0 && seen.residue != 0.0 => passes = Some(seen),
            Verdict::Clear => (),
            Verdict::Open => open += 1,
            Verdict::Found(error) => {
                found += 1;
                if error > worst.0 {
                    worst = (error, index);
                }
            }
        }
    }
    if open > 0 {
        at.tally.leave_open(open);
    }
    if found < lanes as u64 {
        at.tally.pass(lanes as u64 - found);
    }
    if let Some(seen) = passes {
        roots::note(seen.value, seen.known_ideal(), at.root(seen, culprit).unwrap_or_else(|| Root::at(at.place)));
    }
    if found == 0 {
        return None;
    }
    let shown = lane(worst.1);
    let root = at.root(shown, culprit);
    for seen in (0..lanes).map(&lane).filter(|seen| at.verdict(*seen, options).found().is_some()) {
        roots::note(seen.value, seen.known_ideal(), root.unwrap_or_else(|| Root::at(at.place)));
    }
    let sighting = || Sighting { sample: Sample::by_residue(&shown, at.precision), root: root.unwrap_or_default() };
    at.tally.note_left(left);
    if root.is_some() && at.observed == Observed::Output {
        outputs::add(at.place, found, worst.0, sighting(), options.max_stacks);
    }
    let restarts = found::add(at.place, at.tally, found, worst.0, sighting, options);
    Some(Found { error: worst.0, restarts })
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_open(table: ptr, site: u32, mask: u64) {
    if let Some(at) = looked_at(table, site, mask) {
        at.tally.leave_open(mask.count_ones().into());
    }
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_by_constants(table: ptr, site: u32, mask: u64) {
    if let Some(at) = looked_at(table, site, mask) {
        at.tally.leave_to_constants(mask.count_ones().into());
    }
}

/// A site at which lanes are open, if the options have it looked at.
fn looked_at(table: ptr, site: u32, mask: u64) -> Option<At> {
    let at = at(table, site, Which::Main).filter(|_| mask != 0)?;
    let options = options::current();
    let is_looked_at = match at.observed {
        Observed::Branch => options.check_branch,
        _ => options.limits.looks_at_values(),
    };
    is_looked_at.then_some(at)
}

/// # Safety
/// `values` has `lanes` doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_nonfinite(table: ptr, site: u32, lanes: u32, values: ptr, mask: u64) {
    // SAFETY: as this function demands.
    let values = unsafe { doubles(values, lanes as usize) };
    for (_, &value) in values.iter().take(64).enumerate().filter(|(lane, _)| mask >> lane & 1 != 0) {
        originates(table, site, value);
    }
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_nonfinite_of(table: ptr, site: u32, used: u32, result: f64, a: f64, b: f64, c: f64) {
    let operands = [a, b, c];
    let is_new = match result.is_nan() {
        true => !operands.into_iter().any(f64::is_nan),
        false => result.is_infinite() && operands.into_iter().all(f64::is_finite),
    };
    if is_new && used != 0 {
        originates(table, site, result);
    }
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_printed(table: ptr, site: u32, value: f64) {
    if let Some(at) = at(table, site, Which::Main) {
        printed::note(at.place, value);
    }
}

fn originates(table: ptr, site: u32, value: f64) {
    let options = options::current();
    let (which, wanted) = match value.is_nan() {
        true => (Which::Main, options.check_nan),
        false => (Which::Infinity, options.check_inf),
    };
    let Some(at) = at(table, site, which) else { return };
    if wanted {
        let sample = || Sample { actual: [value, 0.0], ..Sample::default() }.into();
        found::add(at.place, at.tally, 1, 0.0, sample, options);
    }
    libc::raise_for(at.op, value);
}

/// # Safety
/// The arrays have `lanes` doubles each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_load_mismatch(table: ptr, site: u32, lanes: u32, values: ptr, copies: ptr) {
    let options = options::current();
    let Some(at) = at(table, site, Which::Main).filter(|_| options.check_load) else { return };
    // SAFETY: as this function demands.
    let (values, copies) = unsafe { (doubles(values, lanes as usize), doubles(copies, lanes as usize)) };
    for (&value, &copy) in values.iter().zip(copies).filter(|(value, copy)| value.to_bits() != copy.to_bits()) {
        let sample = || Sample { actual: [value, 0.0], ideal: [copy, 0.0], ..Sample::default() }.into();
        found::add(at.place, at.tally, 1, 0.0, sample, options);
    }
}

/// # Safety
/// None: addresses without shadows are left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_copy(to: ptr, from: ptr, bytes: u64) {
    planes::copy(to as usize, from as usize, bytes as usize);
}

/// # Safety
/// None: addresses without shadows are left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_clear(to: ptr, bytes: u64) {
    planes::clear(to as usize, bytes as usize);
}

/// # Safety
/// `thread` is this thread's block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_events_publish(thread: ptr) {
    events::publish(thread.cast());
}

/// # Safety
/// None: the address is a number here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_hold(at: ptr) -> ptr {
    address_locks::hold(at as usize).map_or(std::ptr::null_mut(), |lock| std::ptr::from_ref(lock).cast_mut().cast())
}

/// # Safety
/// `lock` comes from `__nonius_hold`, and was not released.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_release(lock: ptr) {
    // SAFETY: null or one of the locks, which are static.
    if let Some(lock) = unsafe { lock.cast::<AtomicBool>().as_ref() } {
        address_locks::let_go(lock);
    }
}

/// # Safety
/// `format` is a C string; `pointers` has `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_scanned(format: ptr, count: u32, pointers: ptr) {
    // SAFETY: as this function demands.
    unsafe { libc::scanned(format.cast(), count, pointers.cast()) };
}

/// # Safety
/// `va_list` was filled by `va_start`; `thread` is this thread's block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_va_start(va_list: ptr, thread: ptr) {
    // SAFETY: as this function demands.
    unsafe { libc::va_start(va_list.cast(), thread.cast()) };
}

/// # Safety
/// `va_list` was filled by `va_start` in `function`; `thread` is this thread's block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_events_va_start(va_list: ptr, thread: ptr, function: ptr) {
    // SAFETY: as this function demands.
    unsafe { events::va_start(va_list.cast(), thread.cast(), function as u64) };
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_own_exceptions() {
    libc::own_exceptions();
}

/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_flush() {
    exit::flush_before_end();
}
