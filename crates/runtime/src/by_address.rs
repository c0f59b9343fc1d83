//! Mathematical functions that the program calls through pointers, by their addresses (see `abi::by_address`), and how
//! many floats came from functions of which no more is known than the address.
//!
//! The addresses are those that the C library gives out, asked for when the first object that may need them registers:
//! then the loader is at work anyway, while later its lock may be held by a thread that waits for this one.

use crate::loaded;
use crate::symbols::Symbols;
use nonius_abi::Precision;
use nonius_abi::by_address::{self, NO_FUNCTION, Signature};
use nonius_abi::libm;
use nonius_abi::site::Op;
use nonius_numerics::residue;
use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

#[derive(Debug)]
struct Entry {
    address: usize,
    number: u32,
    signature: Signature,
    precision: Precision,
    /// For the inline engine; 0 if there is none.
    evaluator: usize,
}

/// Sorted by address.
static KNOWN: OnceLock<Vec<Entry>> = OnceLock::new();

/// Looks up the addresses of all functions, once.
pub fn start() {
    KNOWN.get_or_init(|| {
        let libraries = [c"libm.so.6", c"libc.so.6"].map(loaded_library);
        let mut entries = Vec::new();
        for function in by_address::all() {
            let evaluator = evaluator_of(function.evaluator, function.precision).unwrap_or(0);
            // The C library has a few of them twice.
            for address in libraries.into_iter().flatten().filter_map(|library| symbol(library, &function.symbol)) {
                let (number, signature, precision) = (function.number, function.signature, function.precision);
                entries.push(Entry { address, number, signature, precision, evaluator });
            }
        }
        entries.sort_by_key(|entry| entry.address);
        entries
    });
}

fn loaded_library(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: a C string; the library is not loaded for this.
    let handle = unsafe { ::libc::dlopen(name.as_ptr(), ::libc::RTLD_LAZY | ::libc::RTLD_NOLOAD) };
    (!handle.is_null()).then_some(handle)
}

fn symbol(library: *mut c_void, name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: a live handle, or one of the special ones, and a C string.
    let address = unsafe { ::libc::dlsym(library, name.as_ptr()) } as usize;
    (address != 0).then_some(address)
}

/// The evaluator of a function for results of this format, if there is one that needs no more than the call's arguments.
fn evaluator_of(name: &str, precision: Precision) -> Option<usize> {
    match precision {
        Precision::Double => operation(name).or_else(|| exported("__nonius_r_", name)),
        Precision::Float => operation_of_float(name).or_else(|| exported("__nonius_w_", name)),
        // What steps must not step for an error that is nothing in the program's format, and quads have no such here.
        _ if rounds(name) => None,
        _ => exported("__nonius_q_", name),
    }
}

fn exported(family: &str, name: &str) -> Option<usize> {
    symbol(::libc::RTLD_DEFAULT, &format!("{family}{name}"))
}

/// Whether the function gives an integer: the program's own stands, as it has decided.
fn rounds(name: &str) -> bool {
    libm::decision(name).is_some_and(Op::rounds)
}

fn operation(name: &str) -> Option<usize> {
    extern "C" fn fabs(x: f64, ex: f64, _: f64) -> f64 {
        residue::abs(x, ex)
    }
    extern "C" fn pick(x: f64, ex: f64, _: f64, ey: f64, z: f64) -> f64 {
        if z == x { ex } else { ey }
    }
    extern "C" fn copysign(x: f64, ex: f64, _: f64, _: f64, z: f64) -> f64 {
        if z == x { ex } else { -ex }
    }
    extern "C" fn fma(x: f64, ex: f64, y: f64, ey: f64, c: f64, ec: f64, z: f64) -> f64 {
        let _usual = crate::fenv::Usual::enter();
        residue::fma(x, ex, y, ey, c, ec, z)
    }
    Some(match name {
        "fabs" => fabs as *const () as usize,
        "fmin" | "fmax" => pick as *const () as usize,
        "copysign" => copysign as *const () as usize,
        "fma" => fma as *const () as usize,
        _ => return None,
    })
}

/// On ideals that are doubles.
fn operation_of_float(name: &str) -> Option<usize> {
    /// No ideal: the result's own value stands in, as the program has decided.
    extern "C" fn decided(_: f64) -> f64 {
        f64::NAN
    }
    extern "C" fn fabs(x: f64) -> f64 {
        x.abs()
    }
    extern "C" fn fmin(x: f64, y: f64) -> f64 {
        x.min(y)
    }
    extern "C" fn fmax(x: f64, y: f64) -> f64 {
        x.max(y)
    }
    extern "C" fn copysign(x: f64, y: f64) -> f64 {
        x.copysign(y)
    }
    extern "C" fn fma(x: f64, y: f64, c: f64) -> f64 {
        let _usual = crate::fenv::Usual::enter();
        x.mul_add(y, c)
    }
    Some(match name {
        "fabs" => fabs as *const () as usize,
        "fmin" => fmin as *const () as usize,
        "fmax" => fmax as *const () as usize,
        "copysign" => copysign as *const () as usize,
        "fma" => fma as *const () as usize,
        _ if rounds(name) => decided as *const () as usize,
        _ => return None,
    })
}

fn find(callee: usize, signature: u32) -> Option<&'static Entry> {
    let known = KNOWN.get()?;
    let (signature, precision) = Signature::from_code(signature)?;
    let first = known.partition_point(|entry| entry.address < callee);
    let same = known[first..].iter().take_while(|entry| entry.address == callee);
    same.into_iter().find(|entry| entry.signature == signature && entry.precision == precision)
}

/// The number of the function at an address.
pub fn number(callee: usize, signature: u32) -> u64 {
    find(callee, signature).map_or(NO_FUNCTION, |entry| u64::from(entry.number))
}

/// What gives the shadow of the result of a function of which only the address is known. Where that is no mathematical
/// function the result restarts, and is counted.
pub fn evaluator(callee: usize, signature: u32) -> usize {
    if let Some(entry) = find(callee, signature).filter(|entry| entry.evaluator != 0) {
        return entry.evaluator;
    }
    count(callee, 1);
    /// No residue; callers of the C calling convention may pass what they like.
    extern "C" fn no_residue() -> f64 {
        0.0
    }
    /// No ideal that could be used: the result's own value stands in.
    extern "C" fn no_ideal() -> f64 {
        f64::NAN
    }
    unsafe extern "C" {
        fn nonius_quad_nothing();
    }
    match Signature::from_code(signature) {
        Some((_, Precision::Double)) => no_residue as *const () as usize,
        Some((_, Precision::X87)) => nonius_quad_nothing as *const () as usize,
        _ => no_ideal as *const () as usize,
    }
}

const SLOTS: usize = 1 << 10;
static CALLEES: [AtomicUsize; SLOTS] = [const { AtomicUsize::new(0) }; SLOTS];
static FLOATS: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
/// Of those that found no room.
static OTHERS: AtomicU64 = AtomicU64::new(0);

/// Floats came from a function without shadows.
pub fn count(callee: usize, floats: u64) {
    const TRIES: usize = 16;
    let first = (callee as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
    for step in 0..TRIES {
        let slot = (first as usize + step) % SLOTS;
        let there = match CALLEES[slot].load(Ordering::Relaxed) {
            0 => {
                CALLEES[slot].compare_exchange(0, callee, Ordering::Relaxed, Ordering::Relaxed).err().unwrap_or(callee)
            }
            there => there,
        };
        if there == callee {
            FLOATS[slot].fetch_add(floats, Ordering::Relaxed);
            return;
        }
    }
    OTHERS.fetch_add(floats, Ordering::Relaxed);
}

/// Who gave floats without shadows, and how many: the name, as far as there is one, and the object.
pub fn counted() -> Vec<(String, String, u64)> {
    let mut symbols = Symbols::new();
    let callees = CALLEES.iter().zip(&FLOATS).map(|(c, f)| (c.load(Ordering::Relaxed), f.load(Ordering::Relaxed)));
    let mut all: Vec<_> = callees
        .filter(|(callee, floats)| *callee != 0 && *floats > 0)
        .map(|(callee, floats)| {
            let (object, name) = loaded::at(callee);
            let name = name.or_else(|| symbols.function(callee));
            (name.unwrap_or_else(|| "a function called by its address".to_owned()), object, floats)
        })
        .collect();
    let others = OTHERS.load(Ordering::Relaxed);
    all.extend((others > 0).then(|| ("functions called by their addresses".to_owned(), String::new(), others)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_address_and_type() {
        start();
        let libm = loaded_library(c"libm.so.6").unwrap();
        let sine = symbol(libm, "sin").unwrap();
        let double = Signature::X.code(Precision::Double);
        assert_ne!(number(sine, double), NO_FUNCTION);
        assert_eq!(number(sine, Signature::XX.code(Precision::Double)), NO_FUNCTION);
        assert_eq!(number(sine, Signature::X.code(Precision::Float)), NO_FUNCTION);
        assert_eq!(number(sine + 1, double), NO_FUNCTION);
        let absolute = symbol(libm, "fabs").unwrap();
        assert!(number(absolute, double) >= nonius_abi::libm::FUNCTIONS.len() as u64);
    }

    #[test]
    fn what_is_not_known_is_counted_once_a_call() {
        let callee = what_is_not_known_is_counted_once_a_call as *const () as usize;
        let before: u64 = counted().iter().map(|(.., floats)| floats).sum();
        evaluator(callee, Signature::X.code(Precision::Double));
        count(callee, 2);
        assert_eq!(counted().iter().map(|(.., floats)| floats).sum::<u64>(), before + 3);
    }
}
