//! The places where something was found, in order of discovery: what a report goes through.
//! And what happens right away, where options ask for it.

use crate::findings;
use crate::image;
use crate::options::{self, Options};
use crate::sites::Module;
use crate::suppress;
use crate::symbols::Symbols;
use crate::tallies::{Added, Sighting, Tally, Which};
use crate::thread::Inside;
use crate::{debugger, exit, fatal_signals};
use exit::Tables;
use nonius_finding::{Finding, Resume};
use nonius_image::Section;
use nonius_verdict::describe::Sample;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Bits of `Tally::mark`.
pub mod mark {
    /// A suppression covers it.
    pub const SUPPRESSED: u8 = 2;
    /// The suppression says that the shadow goes on from the program's value.
    pub const FROM_VALUE: u8 = 4;
    /// The suppression says that the shadow stays.
    pub const FROM_SHADOW: u8 = 8;
}

/// A tally with findings.
#[derive(Clone, Copy)]
pub struct Place {
    pub module: &'static Module,
    pub site: u32,
    pub which: Which,
}

/// As kept: the module's address, 0 until the rest is written; then site and which.
struct Slot {
    module: AtomicUsize,
    site: AtomicU64,
}

const MOST: usize = 1 << 20;
const RESERVED: usize = MOST * size_of::<Slot>();
const _: () = assert!(RESERVED as u64 <= Section::Places.bytes());
static START: AtomicPtr<Slot> = AtomicPtr::new(null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// All places, in order of discovery.
pub fn places() -> Vec<Place> {
    let start = START.load(Ordering::Acquire);
    if start.is_null() {
        return Vec::new();
    }
    let slots = (0..COUNT.load(Ordering::Acquire).min(MOST)).filter_map(|index| {
        // SAFETY: the slot lies in the range.
        let slot = unsafe { &*start.add(index) };
        let module = image::module_at(slot.module.load(Ordering::Acquire))?;
        let site = slot.site.load(Ordering::Relaxed);
        let which = if site & 1 == 0 { Which::Main } else { Which::Infinity };
        Some(Place { module, site: (site >> 1) as u32, which })
    });
    slots.collect()
}

/// The places of a process that is gone.
pub fn restore(start: NonNull<u8>) {
    let start: *mut Slot = start.as_ptr().cast();
    START.store(start, Ordering::Release);
    // A few may have been counted and not written.
    const GAP: usize = 64;
    let mut count = 0;
    for index in 0..MOST {
        // SAFETY: the slot lies in the range.
        if unsafe { (*start.add(index)).module.load(Ordering::Relaxed) } != 0 {
            count = index + 1;
        } else if index - count >= GAP {
            break;
        }
    }
    COUNT.store(count, Ordering::Release);
}

/// Whether nothing was found.
pub fn is_empty() -> bool {
    COUNT.load(Ordering::Acquire) == 0
}

pub fn after_fork() {
    let start = START.load(Ordering::Acquire);
    let used = COUNT.swap(0, Ordering::AcqRel).min(MOST);
    for index in 0..used {
        // SAFETY: the slot lies in the range.
        unsafe { (*start.add(index)).module.store(0, Ordering::Relaxed) };
    }
}

fn remember(place: Place) {
    if START.load(Ordering::Acquire).is_null() {
        let Some(new) = image::reserve(Section::Places, RESERVED) else { return };
        if START.compare_exchange(null_mut(), new.as_ptr().cast(), Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: reserved just now and known to nobody.
            unsafe { image::release(Section::Places, new, RESERVED) };
        }
    }
    let index = COUNT.fetch_add(1, Ordering::AcqRel);
    if index < MOST {
        // SAFETY: START is set by now, and the slot lies in the range.
        let slot = unsafe { &*START.load(Ordering::Acquire).add(index) };
        slot.site.store(u64::from(place.site) << 1 | place.which as u64, Ordering::Relaxed);
        slot.module.store(std::ptr::from_ref(place.module) as usize, Ordering::Release);
    }
}

/// Counts findings in their tally; `sighting` is the worst of them, with its relative error. Returns
/// whether the shadow is to go on from the program's value.
#[inline]
pub fn add(
    place: Place,
    tally: &Tally,
    times: u64,
    error: f64,
    sighting: impl Fn() -> Sighting,
    options: &Options,
) -> bool {
    if tally.add(times, error, &sighting, options.max_stacks) == Added::First {
        at_first(place, tally, sighting(), options);
    }
    match tally.mark.load(Ordering::Relaxed) & (mark::FROM_VALUE | mark::FROM_SHADOW) {
        mark::FROM_VALUE => true,
        mark::FROM_SHADOW => false,
        _ => options.resume,
    }
}

/// The place of the finding after which the shadow of an exact value restarted, with what was found: the value is known again
/// by its bits. Zeros are many, and are known in the function that asks alone.
pub fn restarted_by(value: f64, asking: Place) -> Option<(Place, Sample)> {
    let function = |place: Place| {
        let table = place.module.table().ok()?;
        Some((std::ptr::from_ref(place.module) as usize, table.sites.get(place.site as usize)?.function))
    };
    let restarts = |tally: &Tally| match tally.mark.load(Ordering::Relaxed) & (mark::FROM_VALUE | mark::FROM_SHADOW) {
        0 => options::current().resume,
        marks => marks == mark::FROM_VALUE,
    };
    let sampled = |place: Place| {
        let is_other = place.which == Which::Main && is_value(place) && place.site != asking.site;
        let tally = place.module.tallies.of(place.site, place.which).filter(|tally| is_other && restarts(tally))?;
        Some((place, tally.worst()?.sample()))
    };
    let is_it = |(place, sample): &(Place, Sample)| {
        sample.actual[0].to_bits() == value.to_bits() && (value != 0.0 || function(*place) == function(asking))
    };
    places().into_iter().filter_map(sampled).find(is_it)
}

/// The id of the finding at a place.
pub fn id(place: Place) -> Option<String> {
    let _inside = Inside::enter()?;
    finding(place).map(crate::output::id_of)
}

/// What was found at a place, for a debugger.
fn in_a_line(place: Place) -> Option<String> {
    let _inside = Inside::enter()?;
    finding(place).map(crate::output::in_a_line)
}

#[cold]
fn at_first(place: Place, tally: &Tally, Sighting { sample, .. }: Sighting, options: &Options) {
    let _errno = crate::say::KeepErrno::new();
    remember(place);
    image::note_place();
    fatal_signals::watch();
    let judge_now = options.halt || options.debug || suppress::any_resumes();
    if judge_now && crate::guarded(|| is_suppressed(place, tally)) == Some(true) {
        return;
    }
    let [value, _] = sample.actual;
    let ideal = sample.ideal[usize::from(is_value(place))];
    debugger::at_finding(value, ideal, options, || in_a_line(place));
    if options.halt {
        exit::halt();
    }
}

/// Whether the sample is a value with its residue and ideal.
fn is_value(place: Place) -> bool {
    use nonius_abi::site::Observed::{Branch, Operation};
    place.module.kinds(place.site).is_some_and(|(_, _, observed, _)| !matches!(observed, Branch | Operation))
}

/// Holds the finding against the suppressions, and marks the tally.
fn is_suppressed(place: Place, tally: &Tally) -> bool {
    let (Some(all), Some(_inside)) = (suppress::current(), Inside::enter()) else { return false };
    let Some(mut finding) = finding(place) else { return false };
    if all.any_ids() {
        finding.id = crate::output::id_of(finding.clone());
    }
    let Some(entry) = all.find_early(&finding) else { return false };
    let resume = match all.entries()[entry].resume {
        Some(Resume::Value) => mark::FROM_VALUE,
        Some(Resume::Shadow) => mark::FROM_SHADOW,
        None => 0,
    };
    tally.mark.fetch_or(mark::SUPPRESSED | resume, Ordering::Relaxed);
    true
}

fn finding(place: Place) -> Option<Finding> {
    let most_frames = options::current().max_frames;
    findings::finding(&place, &mut Tables::default(), &mut Symbols::new(), most_frames)
}
