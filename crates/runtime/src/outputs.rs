//! Outputs that show values of several roots.
//!
//! A function that prints whatever it is given is one place, and what it printed may go back to more than one operation.
//! The tally of the place has the worst of all; here is the worst of each root.
//!
//! Limits: so many pairs of a place and a root, the first that come; what instrumented code counts by itself stays with the
//! place.

use crate::found::Place;
use crate::roots::Root;
use crate::sites::Module;
use crate::tallies::{self, Sighting, Tallies, Tally, Which};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

const MOST: usize = 512;
/// Places in the table that are looked at for a pair.
const TRIES: usize = 16;

/// A place and a root; its tally has the same index.
struct Pair {
    /// A number for both; 0 while it is free.
    key: AtomicU64,
    /// The module's address, 0 until the site is written.
    module: AtomicUsize,
    site: AtomicU32,
}

static PAIRS: [Pair; MOST] =
    [const { Pair { key: AtomicU64::new(0), module: AtomicUsize::new(0), site: AtomicU32::new(0) } }; MOST];
static TALLIES: OnceLock<Option<Tallies>> = OnceLock::new();

/// Sets the tallies aside; for hooks this would take too long.
pub fn prepare() {
    TALLIES.get_or_init(|| tallies::for_sites(MOST as u32));
}

fn tally(index: usize) -> Option<&'static Tally> {
    TALLIES.get().copied().flatten()?.of(index as u32, Which::Main)
}

/// Counts values of one root that were seen at an output; `sighting` is the worst of them, with its relative error.
pub fn add(place: Place, times: u64, error: f64, sighting: Sighting, most_stacks: u32) {
    let module = std::ptr::from_ref(place.module) as usize;
    let key = key(module, place.site, sighting.root);
    for index in (0..TRIES).map(|n| (key as usize).wrapping_add(n) % MOST) {
        let pair = &PAIRS[index];
        let before = pair.key.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
        if before.is_ok() {
            pair.site.store(place.site, Ordering::Relaxed);
            pair.module.store(module, Ordering::Release);
        }
        if before.is_ok() || before == Err(key) {
            if let Some(tally) = tally(index) {
                tally.add(times, error, || sighting, most_stacks);
            }
            return;
        }
    }
}

/// The tallies of a place, one for each root but this one.
pub fn besides(place: &Place, root: Root) -> Vec<&'static Tally> {
    let module = std::ptr::from_ref(place.module) as usize;
    let is_here =
        |pair: &Pair| pair.module.load(Ordering::Acquire) == module && pair.site.load(Ordering::Relaxed) == place.site;
    let here = PAIRS.iter().enumerate().filter(|(_, pair)| place.which == Which::Main && is_here(pair));
    let tallies = here.filter_map(|(index, _)| tally(index));
    tallies.filter(|tally| tally.worst().is_some_and(|worst| worst.root != root)).collect()
}

/// After a fork: what was found before is the parent's to report. The tallies are emptied with all others.
pub fn after_fork() {
    for pair in &PAIRS {
        pair.module.store(0, Ordering::Relaxed);
        pair.key.store(0, Ordering::Relaxed);
    }
}

fn key(module: usize, site: u32, root: Root) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let root = root.place().map(|(module, site)| (std::ptr::from_ref::<Module>(module) as usize, site));
    let mut hasher = DefaultHasher::new();
    (module, site, root).hash(&mut hasher);
    hasher.finish() | 1
}
