//! Hooks for arrays of Fortran.

use super::types::ptr;
use super::{at, check_lanes};
use crate::fenv::Usual;
use crate::fortran::{self, Array, MadeArray};
use crate::options;
use crate::tallies::Which;
use nonius_abi::Precision;
use nonius_abi::fortran::{Making, Rearrangement, Reduction};
use nonius_verdict::verdict::Seen;

/// # Safety
/// `array` is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_output(table: ptr, float_site: u32, double_site: u32, array: ptr) {
    let _usual = Usual::enter();
    // SAFETY: as this function demands.
    let Some(array) = (unsafe { Array::read(array.cast()) }) else { return };
    let site = match array.floats() {
        Some((Precision::Float, _)) => float_site,
        Some(_) => double_site,
        None => return,
    };
    let Some(at) = at(table, site, Which::Main) else { return };
    for (value, residue) in array.values().filter(|(_, residue)| *residue != 0.0) {
        check_lanes(&at, 1, |_| Seen::by_residue(value, residue, 0.0), None, 0.0, options::current());
    }
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_copied(to: ptr, from: ptr) {
    // SAFETY: as this function demands.
    if let (Some(to), Some(from)) = unsafe { (Array::read(to.cast()), Array::read(from.cast())) } {
        fortran::copied(&to, &from);
    }
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_reduced(reduction: u32, a: ptr, b: ptr, mask: ptr, value: f64) -> f64 {
    let _usual = Usual::enter();
    // SAFETY: as this function demands.
    let (a, b, mask) = unsafe { (Array::read(a.cast()), Array::read(b.cast()), Array::read(mask.cast())) };
    match (Reduction::ALL.get(reduction as usize), a, mask) {
        (Some(&reduction), Some(a), mask) => {
            fortran::reduction_residue(reduction, &a, b.as_ref(), mask.as_ref(), value)
        }
        _ => 0.0,
    }
}

/// # Safety
/// `array` is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_count(array: ptr, precision: u32) -> u64 {
    // SAFETY: as this function demands.
    let array = unsafe { Array::read(array.cast()) };
    array.map_or(0, |array| array.float_count(precision) as u64)
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_element(reduction: u32, array: ptr, mask: ptr, index: u64) -> ptr {
    // SAFETY: as this function demands.
    let (array, mask) = unsafe { (Array::read(array.cast()), Array::read(mask.cast())) };
    let index = index as usize;
    let chosen = array.filter(|_| fortran::holds(mask.as_ref(), index));
    let at = chosen.and_then(|array| array.float_address(index)).unwrap_or_else(|| {
        let precision = array.and_then(|array| array.floats()).map_or(Precision::Double, |(precision, _)| precision);
        fortran::neutral(reduction == Reduction::Product as u32, precision)
    });
    at as ptr
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_picked(array: ptr, mask: ptr, value: f64) -> ptr {
    // SAFETY: as this function demands.
    let (array, mask) = unsafe { (Array::read(array.cast()), Array::read(mask.cast())) };
    array.and_then(|array| array.find(mask.as_ref(), value)).map_or(std::ptr::null_mut(), |at| at as ptr)
}

/// # Safety
/// Each is null or a descriptor of flang's.
unsafe fn made(how: u32, from: ptr, second: ptr, dimension: u32) -> Option<MadeArray> {
    // SAFETY: as this function demands.
    let (from, second) = unsafe { (Array::read(from.cast())?, Array::read(second.cast())) };
    MadeArray::new(*Making::ALL.get(how as usize)?, from, second, dimension)
}

/// # Safety
/// As for `MadeArray::target`; the others are null or descriptors of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_made(how: u32, to: ptr, from: ptr, second: ptr, dimension: u32) -> u64 {
    let _usual = Usual::enter();
    // SAFETY: as this function demands.
    unsafe {
        let made = made(how, from, second, dimension);
        match made.as_ref().and_then(|made| Some((made, made.target(to.cast())?))) {
            Some((made, target)) => {
                made.put(&target);
                0
            }
            None if how == Making::ComplexSum as u32 => 2,
            None => Array::read(to.cast()).map_or(0, |to| to.all_floats() as u64),
        }
    }
}

/// # Safety
/// As for `__nonius_fortran_made`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_made_count(
    how: u32,
    precision: u32,
    to: ptr,
    from: ptr,
    second: ptr,
    dimension: u32,
) -> u64 {
    // SAFETY: as this function demands.
    let made = unsafe { made(how, from, second, dimension) }.filter(|made| made.precision() as u32 == precision);
    // SAFETY: as this function demands.
    let target = made.and_then(|made| unsafe { made.target(to.cast()) });
    target.filter(|_| how != Making::Pick as u32).map_or(0, |target| target.floats() as u64)
}

/// # Safety
/// As for `__nonius_fortran_made`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_made_at(how: u32, to: ptr, from: ptr, index: u64) -> ptr {
    // SAFETY: as this function demands.
    let at = unsafe {
        match Array::read(from.cast()).and_then(|from| from.floats()) {
            Some((precision, _)) if how == Making::ComplexSum as u32 => {
                Some(to as usize + (index as usize & 1) * precision.store_bytes() as usize)
            }
            _ => Array::read(to.cast()).and_then(|to| to.float_address(index as usize)),
        }
    };
    at.unwrap_or_else(|| fortran::neutral(false, Precision::Double)) as ptr
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_terms(how: u32, from: ptr, second: ptr, dimension: u32) -> u64 {
    // SAFETY: as this function demands.
    unsafe { made(how, from, second, dimension) }.map_or(1, |made| made.terms().max(1) as u64)
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_term(
    how: u32,
    which: u32,
    from: ptr,
    second: ptr,
    dimension: u32,
    index: u64,
    term: u64,
) -> ptr {
    // SAFETY: as this function demands.
    let made = unsafe { made(how, from, second, dimension) };
    let at = made.map(|made| made.term(which, index as usize, term as usize));
    at.unwrap_or_else(|| fortran::neutral(false, Precision::Double)) as ptr
}

/// # Safety
/// Each is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_rearranged(how: u32, to: ptr, from: ptr, mask: ptr, field: ptr, number: u64) {
    // SAFETY: as this function demands.
    let [to, from, mask, field] = [to, from, mask, field].map(|array| unsafe { Array::read(array.cast()) });
    if let (Some(&how), Some(to), Some(from)) = (Rearrangement::ALL.get(how as usize), to, from) {
        fortran::rearranged(how, &to, &from, mask.as_ref(), field.as_ref(), number as i64);
    }
}

/// # Safety
/// `array` is null or a descriptor of flang's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_fortran_read(array: ptr) {
    // SAFETY: as this function demands.
    if let Some(array) = unsafe { Array::read(array.cast()) } {
        fortran::was_read(&array);
    }
}
