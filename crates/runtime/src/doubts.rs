//! What the inline engine knows that it does not know: verdicts that depend on digits beyond its residues, and underflow.

use crate::exit::Tables;
use crate::fenv;
use crate::sites;
use crate::tallies::{self, Which};
use nonius_finding::Observable;
use nonius_verdict::describe;
use std::sync::atomic::{AtomicBool, Ordering};

/// The observables with open verdicts.
pub fn open(tables: &mut Tables) -> Vec<Observable> {
    let mut all = Vec::new();
    if !tallies::any_open() && !tallies::any_by_constants() {
        return all;
    }
    for module in sites::modules() {
        let Some(table) = tables.of(module) else { continue };
        for (index, site) in table.sites.iter().enumerate() {
            let Some(tally) = module.tallies.of(index as u32, Which::Main).filter(|t| t.open() + t.by_constants() > 0)
            else {
                continue;
            };
            all.push(Observable {
                location: describe::seen_at(table, site),
                observed_at: describe::observed_at(site.observed),
                count: tally.count() + tally.passed() + tally.by_constants() + tally.open(),
                max_error: 0.0,
                not_followed: 0,
                open: tally.open(),
                undefined: 0,
                open_by_constants: tally.by_constants(),
            });
        }
    }
    all
}

static UNDERFLOW: AtomicBool = AtomicBool::new(false);

/// Notes whether an operation of this thread underflowed, of the program or beside it: what that lost, a residue in the same
/// format may not hold. The processor's flag stays set unless the program clears it.
pub fn note_underflow() {
    if fenv::underflowed() {
        UNDERFLOW.store(true, Ordering::Relaxed);
    }
}

/// Whether an operation underflowed in this thread, or in one that has ended.
pub fn underflow() -> bool {
    // The processor's flags are not those of a process that is gone.
    if !crate::image::is_read() {
        note_underflow();
    }
    UNDERFLOW.load(Ordering::Relaxed)
}

static LOST_IDEALS: AtomicBool = AtomicBool::new(false);

/// Notes what is known of a bad value's ideal. A 0 is what residues make of one that they cannot tell from it: what is computed
/// of that has ideals of its own, of which no digit need be right.
#[inline]
pub fn note_ideal(value: f64, ideal: f64) {
    if ideal == 0.0 && value != 0.0 {
        LOST_IDEALS.store(true, Ordering::Relaxed);
    }
}

pub fn any_lost_ideals() -> bool {
    LOST_IDEALS.load(Ordering::Relaxed)
}

static ILL_CONDITIONED: AtomicBool = AtomicBool::new(false);

/// What one double, the ideal of a float, does not tell of an argument, as a share of it.
const UNKNOWN_SHARE: f64 = f64::EPSILON / 2.0;
/// Beyond this a verdict may hang on it: half of the usual threshold.
const MOST: f64 = f64::from_bits((1023 - 20) << 52);

/// Notes that a function of an ideal in double has this condition number: how many times larger a relative error comes out
/// than it went in.
#[inline]
pub fn note_condition(condition: f64) {
    if condition * UNKNOWN_SHARE > MOST {
        ILL_CONDITIONED.store(true, Ordering::Relaxed);
    }
}

pub fn ill_conditioned() -> bool {
    ILL_CONDITIONED.load(Ordering::Relaxed)
}

static WITHOUT_IDEAL: AtomicBool = AtomicBool::new(false);

/// Notes that a function has a result, and none for its ideal argument, which is outside of its domain.
pub fn note_without_ideal() {
    WITHOUT_IDEAL.store(true, Ordering::Relaxed);
}

pub fn without_ideal() -> bool {
    WITHOUT_IDEAL.load(Ordering::Relaxed)
}

/// After a fork: what the parent has lost is its own to tell.
pub fn after_fork() {
    UNDERFLOW.store(false, Ordering::Relaxed);
    ILL_CONDITIONED.store(false, Ordering::Relaxed);
    WITHOUT_IDEAL.store(false, Ordering::Relaxed);
    // Values that the parent left in memory are as little known as before: the lost ideals stay.
}
