//! What instrumented code counts by itself: the slots of an object's checks (see `abi::tally`).

use crate::tallies::{Tallies, Tally, Which};
use nonius_abi::tally::{BELOW, KNOWN, KNOWN_FLOAT, MOST_IN_FLOAT, REPEATED, SITE, SLOT};
use std::mem::offset_of;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Findings of a check that come to the runtime before others are just counted: they are to be known again where they are
/// seen next.
const FIRST: u32 = 64;
/// A few ulps, so that an error that comes again is below.
const ABOVE: f64 = 1.0 + 1.0 / (1u64 << 50) as f64;

/// A slot, in the object itself.
#[repr(C)]
pub struct Check {
    repeated: AtomicU64,
    known: AtomicU64,
    known_float: AtomicU32,
    site: u32,
}

const _: () = assert!(
    offset_of!(Check, repeated) == REPEATED as usize
        && offset_of!(Check, known) == KNOWN as usize
        && offset_of!(Check, known_float) == KNOWN_FLOAT as usize
        && offset_of!(Check, site) == SITE as usize
        && size_of::<Check>() == SLOT as usize
);

impl Check {
    /// Findings up to this error are to be counted.
    fn raise(&self, error: f64) {
        let below = error.min(MOST_IN_FLOAT) * BELOW;
        self.known_float.fetch_max((below as f32).to_bits(), Ordering::Relaxed);
        self.known.fetch_max((error * ABOVE).to_bits(), Ordering::Relaxed);
    }

    fn forget(&self) {
        self.known_float.store(0, Ordering::Relaxed);
        self.known.store(0, Ordering::Relaxed);
    }

    fn hand_over(&self, tallies: &Tallies, own: &Tally) {
        if self.repeated.load(Ordering::Relaxed) == 0 {
            return;
        }
        if let Some(blamed) = own.last_blamed().and_then(|site| tallies.of(site, Which::Main)) {
            blamed.count_more(self.repeated.swap(0, Ordering::Relaxed));
        }
    }
}

/// The slots of one object, as long as it is loaded.
pub struct Checks {
    first: AtomicPtr<Check>,
    count: AtomicUsize,
}

impl Checks {
    pub const fn none() -> Checks {
        Checks { first: AtomicPtr::new(null_mut()), count: AtomicUsize::new(0) }
    }

    /// # Safety
    /// There are `count` slots at `first` until [`Checks::end`].
    pub unsafe fn start(&self, first: *mut Check, count: usize) {
        self.count.store(count, Ordering::Relaxed);
        self.first.store(first, Ordering::Release);
    }

    /// The object goes, with its slots.
    pub fn end(&self, tallies: &Tallies) {
        self.gather(tallies);
        self.first.store(null_mut(), Ordering::Release);
    }

    fn all(&self) -> &[Check] {
        let first = self.first.load(Ordering::Acquire);
        if first.is_null() {
            return &[];
        }
        // SAFETY: as `start` demands; all fields that change are atomic.
        unsafe { std::slice::from_raw_parts(first, self.count.load(Ordering::Relaxed)) }
    }

    /// Notes that a check, by its number from 1, had a finding of this error, for which a site was blamed. If it `may_repeat`,
    /// findings that are no worse need not come to the runtime again, once it has seen the first ones.
    pub fn note(&self, tallies: &Tallies, number: u32, blamed: u32, error: f64, may_repeat: bool) {
        let slot = number.checked_sub(1).and_then(|index| self.all().get(index as usize));
        let Some((slot, own)) = slot.and_then(|slot| Some((slot, tallies.of(slot.site, Which::Main)?))) else { return };
        slot.hand_over(tallies, own);
        let told = own.note_blamed(blamed);
        if may_repeat && told >= FIRST && error > 0.0 {
            slot.raise(error);
        }
    }

    /// Adds what instrumented code has counted to the counts of the sites that were blamed.
    pub fn gather(&self, tallies: &Tallies) {
        for slot in self.all() {
            if let Some(own) = tallies.of(slot.site, Which::Main) {
                slot.hand_over(tallies, own);
            }
        }
    }

    /// Other options are in force: each check is judged by them before its findings are just counted again.
    pub fn forget(&self) {
        self.all().iter().for_each(Check::forget);
    }

    /// After a fork: what was counted before is the parent's.
    pub fn after_fork(&self) {
        for slot in self.all() {
            slot.forget();
            slot.repeated.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tallies;

    fn slot(site: u32) -> Check {
        Check { repeated: AtomicU64::new(0), known: AtomicU64::new(0), known_float: AtomicU32::new(0), site }
    }

    #[test]
    fn what_is_counted_goes_to_the_site_that_was_blamed() {
        let tallies = tallies::for_sites(2).unwrap();
        let mut slots = [slot(0)];
        let checks = Checks::none();
        // SAFETY: the slots are there as long as `checks` is used.
        unsafe { checks.start(slots.as_mut_ptr(), 1) };
        let known = || f64::from_bits(checks.all()[0].known.load(Ordering::Relaxed));
        for _ in 0..FIRST {
            checks.note(&tallies, 1, 1, 0.5, true);
            assert_eq!(known(), 0.0, "the first ones all come to the runtime");
        }
        checks.note(&tallies, 1, 1, 0.5, true);
        assert!(known() > 0.5 && known() < 0.500_001);
        let in_float = || f32::from_bits(checks.all()[0].known_float.load(Ordering::Relaxed));
        assert!(in_float() > 0.499_99 && in_float() < 0.5);
        checks.note(&tallies, 1, 1, 1e9, true);
        assert!(f64::from(in_float()) < MOST_IN_FLOAT);
        checks.all()[0].repeated.store(7, Ordering::Relaxed);
        checks.note(&tallies, 0, 1, 0.5, true);
        assert_eq!(tallies.of(1, Which::Main).unwrap().count(), 0);
        checks.end(&tallies);
        assert_eq!([0, 1].map(|site| tallies.of(site, Which::Main).unwrap().count()), [0, 7]);
        assert!(checks.all().is_empty());
    }
}
