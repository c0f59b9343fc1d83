//! What was found at each site, counted in place: atomics, no allocation.
//!
//! A site has two tallies, since one operation can produce NaNs and infinities. All
//! tallies lie in one reserved range, zero until used. The counter is free for all; the worst
//! sample and its stack belong together, so a tally is written under a lock, which is waited for
//! for a while (see `address_locks`).

use crate::blocked_signals::BlockedSignals;
use crate::roots::Root;
use crate::stack::{self, StackId};
use crate::{address_locks, image, sites};
use nonius_abi::tally::{PASSED, STRIDE};
use nonius_image::Section;
use nonius_verdict::describe::Sample;
use std::cell::UnsafeCell;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// A stack is walked again only for an error that is this much worse than the worst so far.
const MUCH_WORSE: f64 = 2.0;

/// Address space for all tallies: twenty-odd million sites.
const RESERVED: usize = Section::Tallies.bytes() as usize;
/// Stands for how a tally lies in memory.
pub const LAYOUT: (usize, usize) = (size_of::<Tally>(), std::mem::offset_of!(Tally, worst));
static START: AtomicPtr<Tally> = AtomicPtr::new(null_mut());
static USED: AtomicUsize = AtomicUsize::new(0);
static ANY_OPEN: AtomicBool = AtomicBool::new(false);
static ANY_BY_CONSTANTS: AtomicBool = AtomicBool::new(false);

/// Which of a site's tallies: infinities have one of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Main,
    Infinity,
}

/// A sample, and what its error goes back to, if that is known and is elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sighting {
    pub sample: Sample,
    pub root: Root,
}

impl From<Sample> for Sighting {
    fn from(sample: Sample) -> Sighting {
        Sighting { sample, root: Root::default() }
    }
}

/// The worst that was seen at a site.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    actual: [f64; 2],
    ideal: [f64; 2],
    pub stack: StackId,
    pub first_stack: StackId,
    pub thread: u32,
    pub region: u32,
    pub captures: u32,
    pub root: Root,
    /// Of the sample's radii no more than the size matters.
    radius: [PowerOfTwo; 2],
}

impl Worst {
    pub fn sample(&self) -> Sample {
        Sample { actual: self.actual, ideal: self.ideal, radius: self.radius.map(PowerOfTwo::size), left: 0.0 }
    }

    fn set_sample(&mut self, sample: &Sample) {
        (self.actual, self.ideal) = (sample.actual, sample.ideal);
        self.radius = sample.radius.map(PowerOfTwo::at_least);
    }
}

/// 0, or a power of two, infinity among them.
#[derive(Clone, Copy, Debug, Default)]
struct PowerOfTwo(i16);

impl PowerOfTwo {
    /// Added to exponents, so that 0 means 0.
    const BIAS: i16 = 1200;

    /// The least that is as large as `x`.
    fn at_least(x: f64) -> PowerOfTwo {
        match x {
            0.0 => PowerOfTwo(0),
            // NaN ends up at the top too.
            x if x.is_finite() => PowerOfTwo(x.abs().log2().ceil() as i16 + Self::BIAS),
            _ => PowerOfTwo(i16::MAX),
        }
    }

    fn size(self) -> f64 {
        if self.0 == 0 { 0.0 } else { f64::exp2(f64::from(self.0 - Self::BIAS)) }
    }
}

/// What was found at one site. Instrumented code reaches into the first field: see `abi::tally`.
#[derive(Default)]
#[repr(C)]
pub struct Tally {
    /// Values that came to the hook and passed.
    passed: AtomicU64,
    /// Findings of this check that came to the runtime.
    told: AtomicU32,
    /// The site that was blamed for the last of them, and one more.
    blamed: AtomicU32,
    count: AtomicU64,
    /// The worst relative error, as bits: those of positive doubles are in order.
    error: AtomicU64,
    locked: AtomicBool,
    has_worst: AtomicBool,
    /// For whoever reports; see `exit`.
    pub mark: AtomicU8,
    /// The most that a bad sum left of its largest term (see `Sample`), as a float's bits: those are in order.
    left: AtomicU32,
    /// Verdicts that depend on what residues do not know.
    open: AtomicU64,
    /// Verdicts that depend on how constants were rounded.
    by_constants: AtomicU64,
    worst: UnsafeCell<Worst>,
}

const _: () =
    assert!(std::mem::offset_of!(Tally, passed) == PASSED as usize && 2 * size_of::<Tally>() == STRIDE as usize);

// SAFETY: `worst` is only reached while `locked` was set by the one who reaches it.
unsafe impl Sync for Tally {}

/// The tallies of one module's sites.
#[derive(Clone, Copy)]
pub struct Tallies {
    first: usize,
    sites: u32,
}

/// Sets tallies aside for a module's sites.
pub fn for_sites(sites: u32) -> Option<Tallies> {
    let count = 2 * sites as usize;
    let first = USED.fetch_add(count, Ordering::Relaxed);
    (all().is_some() && first + count <= RESERVED / size_of::<Tally>()).then_some(Tallies { first, sites })
}

/// The start of the range, reserved at the first call.
fn all() -> Option<*mut Tally> {
    let start = START.load(Ordering::Acquire);
    if !start.is_null() {
        return Some(start);
    }
    let new = image::reserve(Section::Tallies, RESERVED)?;
    match START.compare_exchange(null_mut(), new.as_ptr().cast(), Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(new.as_ptr().cast()),
        Err(other) => {
            // SAFETY: reserved just now and known to nobody.
            unsafe { image::release(Section::Tallies, new, RESERVED) };
            Some(other)
        }
    }
}

/// The tallies of a process that is gone.
pub fn restore(start: NonNull<u8>) {
    START.store(start.as_ptr().cast(), Ordering::Release);
}

/// Those of one of its modules; `None` if they do not lie in the range.
pub fn restored(first: usize, sites: u32) -> Option<Tallies> {
    let end = first.checked_add(2 * sites as usize)?;
    (end <= RESERVED / size_of::<Tally>()).then_some(Tallies { first, sites })
}

/// Looks for open verdicts among them.
pub fn restore_doubts() {
    for tallies in sites::modules().map(|module| module.tallies) {
        for tally in (0..tallies.sites).filter_map(|site| tallies.of(site, Which::Main)) {
            ANY_OPEN.fetch_or(tally.open() > 0, Ordering::Relaxed);
            ANY_BY_CONSTANTS.fetch_or(tally.by_constants() > 0, Ordering::Relaxed);
        }
    }
}

/// Whether any verdict is open.
pub fn any_open() -> bool {
    ANY_OPEN.load(Ordering::Relaxed)
}

/// Whether any verdict depends on how constants were rounded.
pub fn any_by_constants() -> bool {
    ANY_BY_CONSTANTS.load(Ordering::Relaxed)
}

/// After a fork: what was found before is the parent's to report.
pub fn after_fork() {
    ANY_OPEN.store(false, Ordering::Relaxed);
    ANY_BY_CONSTANTS.store(false, Ordering::Relaxed);
    let start = START.load(Ordering::Acquire);
    let bytes = (USED.load(Ordering::Relaxed) * size_of::<Tally>()).min(RESERVED);
    if !start.is_null() && bytes > 0 {
        // SAFETY: memory of the range's start. Anonymous, it reads as 0, which is an empty tally; in an image, the child's
        // own is empty and stays.
        unsafe { ::libc::madvise(start.cast(), bytes, ::libc::MADV_DONTNEED) };
    }
}

impl Tallies {
    /// The number of the first among all.
    pub fn index(&self) -> usize {
        self.first
    }

    /// Where they begin.
    pub fn first(&self) -> Option<*mut Tally> {
        all().map(|start| start.wrapping_add(self.first))
    }

    /// A site's tally; `None` if there is no such site.
    #[inline]
    pub fn of(&self, site: u32, which: Which) -> Option<&'static Tally> {
        let start = START.load(Ordering::Acquire);
        if site >= self.sites || start.is_null() {
            return None;
        }
        // SAFETY: `for_sites` set two tallies aside for each of the sites, inside the range, which
        // stays for good; all-zero memory is an empty tally.
        Some(unsafe { &*start.add(self.first + 2 * site as usize + which as usize) })
    }
}

/// What [`Tally::add`] made of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    Counted,
    /// The first at this site.
    First,
}

impl Tally {
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    pub fn count_more(&self, times: u64) {
        self.count.fetch_add(times, Ordering::Relaxed);
    }

    /// Notes which site a finding of this check was blamed on. Returns how many there were before.
    pub fn note_blamed(&self, site: u32) -> u32 {
        self.blamed.store(site.wrapping_add(1), Ordering::Relaxed);
        self.told.fetch_add(1, Ordering::Relaxed)
    }

    pub fn last_blamed(&self) -> Option<u32> {
        self.blamed.load(Ordering::Relaxed).checked_sub(1)
    }

    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn pass(&self, times: u64) {
        self.passed.fetch_add(times, Ordering::Relaxed);
    }

    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn leave_open(&self, times: u64) {
        ANY_OPEN.store(true, Ordering::Relaxed);
        self.open.fetch_add(times, Ordering::Relaxed);
    }

    /// Whether any value came here.
    pub fn is_used(&self) -> bool {
        self.count() > 0 || self.passed() > 0 || self.open() > 0 || self.by_constants() > 0
    }

    /// The most that a bad sum left of its largest term; 0 if nothing is known of it.
    pub fn left(&self) -> f64 {
        f32::from_bits(self.left.load(Ordering::Relaxed)).into()
    }

    /// Notes what a bad sum left, if that is known.
    #[inline]
    pub fn note_left(&self, left: f64) {
        if left > 0.0 {
            self.left.fetch_max((left as f32).to_bits(), Ordering::Relaxed);
        }
    }

    pub fn by_constants(&self) -> u64 {
        self.by_constants.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn leave_to_constants(&self, times: u64) {
        ANY_BY_CONSTANTS.store(true, Ordering::Relaxed);
        self.by_constants.fetch_add(times, Ordering::Relaxed);
    }

    /// Counts findings, and keeps the one given if it is the worst so far; walks the stack for the
    /// first and for those that are much worse, `most_stacks` times in all.
    #[inline]
    pub fn add(&self, times: u64, error: f64, sighting: impl FnOnce() -> Sighting, most_stacks: u32) -> Added {
        self.count.fetch_add(times, Ordering::Relaxed);
        let error = if error.is_nan() { 0.0 } else { error.abs() };
        let worst = f64::from_bits(self.error.load(Ordering::Relaxed));
        if error <= worst && self.has_worst.load(Ordering::Relaxed) {
            return Added::Counted;
        }
        self.keep(error, worst, sighting(), most_stacks)
    }

    #[cold]
    fn keep(&self, error: f64, worst_before: f64, sighting: Sighting, most_stacks: u32) -> Added {
        let _errno = crate::say::KeepErrno::new();
        image::note_news();
        // Walking the stack takes long enough to be interrupted, by a handler that may not come back.
        let walks = error >= MUCH_WORSE * worst_before || !self.has_worst.load(Ordering::Relaxed);
        let _signals = walks.then(BlockedSignals::new);
        let Some(inside) = crate::thread::Inside::enter() else { return Added::Counted };
        let added = self.with_worst(|worst| {
            let first = !self.has_worst.swap(true, Ordering::AcqRel);
            if !first && error <= f64::from_bits(self.error.load(Ordering::Relaxed)) {
                return Added::Counted;
            }
            self.error.store(error.to_bits(), Ordering::Relaxed);
            worst.set_sample(&sighting.sample);
            worst.root = sighting.root;
            worst.thread = inside.locals().number;
            worst.region = crate::region::current(inside.locals());
            if first {
                worst.first_stack = stack::capture(StackId::NONE);
                worst.stack = worst.first_stack;
            } else if worst.captures < most_stacks && error >= MUCH_WORSE * worst_before {
                let locals = if worst.stack == worst.first_stack { StackId::NONE } else { worst.stack };
                worst.stack = stack::capture(locals);
                worst.captures += 1;
            }
            if first { Added::First } else { Added::Counted }
        });
        added.unwrap_or(Added::Counted)
    }

    /// The worst so far; `None` while there is none, or while it is being written without end.
    pub fn worst(&self) -> Option<Worst> {
        if !self.has_worst.load(Ordering::Acquire) {
            return None;
        }
        self.with_worst(|worst| *worst)
    }

    /// Waits for another thread that walks its stack: what it keeps may not be the worst.
    fn with_worst<T>(&self, f: impl FnOnce(&mut Worst) -> T) -> Option<T> {
        if !address_locks::wait_for(&self.locked) {
            return None;
        }
        // SAFETY: `locked` went from false to true by this call, so nobody else has `worst`.
        let result = f(unsafe { &mut *self.worst.get() });
        self.locked.store(false, Ordering::Release);
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(value: f64) -> Sighting {
        Sample { actual: [value, 0.0], ..Sample::default() }.into()
    }

    #[test]
    fn the_worst_is_kept_and_all_are_counted() {
        let tallies = for_sites(1).unwrap();
        let tally = tallies.of(0, Which::Main).unwrap();
        assert!(tally.worst().is_none());
        assert_eq!(tally.add(1, 0.1, || value(1.0), 20), Added::First);
        assert_eq!(tally.add(1, 0.05, || value(2.0), 20), Added::Counted);
        assert_eq!(tally.worst().unwrap().sample(), value(1.0).sample);
        assert_eq!(tally.add(1, f64::INFINITY, || value(3.0), 20), Added::Counted);
        let worst = tally.worst().unwrap();
        assert_eq!((worst.sample(), tally.count()), (value(3.0).sample, 3));
        assert_ne!(worst.stack, worst.first_stack);
        assert!(tallies.of(1, Which::Main).is_none());
        assert_eq!(tallies.of(0, Which::Infinity).unwrap().count(), 0);
    }

    #[test]
    fn a_radius_is_kept_by_its_size() {
        let kept = |x| PowerOfTwo::at_least(x).size();
        for exact in [0.0, 1.0, 2f64.powi(-1074), 2f64.powi(1023), f64::INFINITY] {
            assert_eq!(kept(exact), exact);
        }
        assert_eq!([kept(3e-30), kept(-0.75)], [2f64.powi(-98), 1.0]);
        assert_eq!([kept(f64::MAX), kept(f64::NAN)], [f64::INFINITY; 2]);
    }

    #[test]
    fn an_error_without_measure_is_kept_once() {
        let tally = for_sites(1).unwrap().of(0, Which::Infinity).unwrap();
        assert_eq!(tally.add(1, f64::NAN, || value(1.0), 20), Added::First);
        assert_eq!(tally.add(1, f64::NAN, || value(2.0), 20), Added::Counted);
        assert_eq!(tally.worst().unwrap().sample(), value(1.0).sample);
    }

    #[test]
    fn threads_lose_no_count() {
        let tally = for_sites(1).unwrap().of(0, Which::Main).unwrap();
        std::thread::scope(|s| {
            for t in 0..4 {
                s.spawn(move || {
                    (0..10_000).for_each(|i| {
                        tally.add(1, f64::from(i * 4 + t), || value(1.0), 20);
                    })
                });
            }
        });
        assert_eq!(tally.count(), 40_000);
    }
}
