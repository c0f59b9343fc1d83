//! The functions that Nonius compiled, by the hashes of their names (see `abi::defined`).
//!
//! Each executable and library has one list, which all of its objects tell of when they register.

use crate::loaded;
use nonius_abi::defined::hash;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const LISTS: usize = 1 << 10;
static STARTS: [AtomicUsize; LISTS] = [const { AtomicUsize::new(0) }; LISTS];
static STOPS: [AtomicUsize; LISTS] = [const { AtomicUsize::new(0) }; LISTS];
/// There were more lists than there is room for.
static IS_FULL: AtomicBool = AtomicBool::new(false);

/// Notes where a list lies.
pub fn register(start: usize, stop: usize) {
    if start == 0 || stop <= start {
        return;
    }
    for (first, last) in STARTS.iter().zip(&STOPS) {
        match first.compare_exchange(0, start, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return last.store(stop, Ordering::Release),
            // A library at the place of one that was unloaded.
            Err(known) if known == start => return last.store(stop, Ordering::Release),
            Err(_) => {}
        }
    }
    IS_FULL.store(true, Ordering::Relaxed);
}

/// All that is listed.
pub struct Defined {
    hashes: HashSet<u64>,
    is_complete: bool,
}

impl Defined {
    pub fn read() -> Defined {
        let objects = loaded::objects();
        let ends = STARTS.iter().zip(&STOPS).map(|(a, b)| (a.load(Ordering::Acquire), b.load(Ordering::Acquire)));
        let mut hashes = HashSet::new();
        for (start, stop) in ends.filter(|(start, stop)| *start != 0 && stop > start) {
            // A library may have been unloaded since.
            if objects.iter().any(|object| object.holds(start, stop - start)) {
                // SAFETY: lies in an object that is loaded, which the linker filled with these numbers.
                hashes.extend(unsafe { std::slice::from_raw_parts(start as *const u64, (stop - start) / 8) });
            }
        }
        Defined { hashes, is_complete: !IS_FULL.load(Ordering::Relaxed) }
    }

    /// Whether a function of an executable or library that has lists is surely not in them.
    pub fn lacks(&self, name: &str) -> bool {
        self.is_complete && !self.hashes.contains(&hash(name)) && !OF_THE_C_LIBRARY.contains(&name)
    }
}

/// Functions of the C library that the linker puts into each executable and library.
const OF_THE_C_LIBRARY: &[&str] = &["at_quick_exit", "atexit", "pthread_atfork"];
