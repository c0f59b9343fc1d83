//! Regions: names that the program gives to stretches of its run, kept by number.

use crate::thread::{REGION_DEPTH, ThreadLocals};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Most different names; further regions go without.
const NAMES: usize = 1024;
static TABLE: [AtomicPtr<String>; NAMES] = [const { AtomicPtr::new(null_mut()) }; NAMES];

/// The region that this thread is in, 0 for none.
pub fn current(locals: &ThreadLocals) -> u32 {
    let depth = (locals.region_depth.get() as usize).min(REGION_DEPTH);
    locals.regions[..depth].last().map_or(0, |region| region.get())
}

/// The name of a region.
pub fn name(number: u32) -> Option<&'static str> {
    let slot = TABLE.get((number as usize).checked_sub(1)?)?;
    // SAFETY: slots hold null or leaked strings.
    unsafe { slot.load(Ordering::Acquire).as_ref() }.map(String::as_str)
}

/// All that have a name.
pub fn all() -> impl Iterator<Item = (u32, &'static str)> {
    (1..=NAMES as u32).map_while(|number| Some((number, name(number)?)))
}

/// A name in a process that is gone.
pub fn restore(number: u32, name: &str) {
    if let Some(slot) = (number as usize).checked_sub(1).and_then(|index| TABLE.get(index)) {
        slot.store(Box::into_raw(Box::new(name.to_owned())), Ordering::Release);
    }
}

/// Enters a region. Deeper than `REGION_DEPTH`, the name of the last that was kept stays.
pub fn begin(locals: &ThreadLocals, name: &str) {
    let depth = locals.region_depth.get();
    if let Some(place) = locals.regions.get(depth as usize) {
        place.set(number(name));
    }
    locals.region_depth.set(depth.saturating_add(1));
}

/// Leaves the innermost region.
pub fn end(locals: &ThreadLocals) {
    locals.region_depth.set(locals.region_depth.get().saturating_sub(1));
}

fn number(name: &str) -> u32 {
    let mut new: *mut String = null_mut();
    for (index, slot) in TABLE.iter().enumerate() {
        let mut there = slot.load(Ordering::Acquire);
        if there.is_null() {
            if new.is_null() {
                new = Box::into_raw(Box::new(name.to_owned()));
            }
            match slot.compare_exchange(null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {
                    crate::image::note_region(index as u32 + 1, name);
                    return index as u32 + 1;
                }
                Err(other) => there = other,
            }
        }
        // SAFETY: not null, so a leaked string.
        if unsafe { &*there } == name {
            if !new.is_null() {
                // SAFETY: made above and put nowhere.
                drop(unsafe { Box::from_raw(new) });
            }
            return index as u32 + 1;
        }
    }
    0
}
