//! What was found, a record for each kind, observable and operation to blame.

use crate::blame::Slice;
use crate::thread::Stack;
use nonius_finding::Kind;
use nonius_verdict::describe::Sample;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub kind: Kind,
    /// The observable.
    pub site: u32,
    /// The operation that the error goes back to.
    pub blamed: u32,
}

#[derive(Clone, Debug)]
pub struct Found {
    pub count: u64,
    pub error: f64,
    pub sample: Sample,
    pub slice: Slice,
    /// Functions and the sites of their calls, innermost first.
    pub stack: Vec<(u32, u32)>,
    pub thread: u32,
    /// How many were found before it.
    pub order: usize,
    /// Where a NaN or an infinity was printed.
    pub printed: Option<u32>,
    /// The task that it was found in.
    pub task: Option<Arc<str>>,
    /// Of a comparison: it was a tolerance test each time.
    pub tolerates: bool,
    /// The same: it was one, or its sides were alike.
    pub is_alike: bool,
}

/// What was seen at an observable, whether or not anything was found there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    pub count: u64,
    pub largest_error: f64,
    /// Of values on whose way something was not followed.
    pub not_followed: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Founds {
    pub all: BTreeMap<Key, Found>,
    /// Verdicts that depend on what the oracle does not know, by kind and observable: how often.
    pub open: BTreeMap<Key, u64>,
    /// Of the open ones, those that no precision closes, by observable.
    pub undefined: BTreeMap<u32, u64>,
    /// Verdicts that depend on how constants were rounded, by observable: how often.
    pub by_constants: BTreeMap<u32, u64>,
    /// Verdicts for which an ideal counted as 0, or two as equal, because no precision told otherwise.
    pub zeros: u64,
    seen: Vec<Seen>,
    /// The thread whose events are walked.
    pub thread: u32,
    most: usize,
    /// Sightings of what there was no room for.
    pub dropped: u64,
}

/// A finding this many times worse than the worst so far is explained anew.
const MUCH_WORSE: f64 = 2.0;
const MOST_FRAMES: usize = 64;
/// What a finding takes with its stack and a long slice.
const FOUND_BYTES: u64 = 4096;

impl Founds {
    pub fn new(most_bytes: u64) -> Founds {
        Founds { most: (most_bytes / FOUND_BYTES).max(64) as usize, ..Founds::default() }
    }

    /// Counts a look at an observable.
    #[inline(always)]
    pub fn saw(&mut self, site: u32, value: f64, residue: f64, is_followed: bool) {
        if let Some(seen) = self.seen.get_mut(site as usize) {
            seen.count += 1;
            seen.not_followed += u64::from(!is_followed);
            if residue.abs() > seen.largest_error * (value + residue).abs() {
                seen.largest_error = super::statistics::relative(value, residue);
            }
        } else {
            self.saw_first(site, value, residue, is_followed);
        }
    }

    /// What was seen at an observable, if it was seen before.
    #[inline(always)]
    pub fn seen_mut(&mut self, site: u32) -> Option<&mut Seen> {
        self.seen.get_mut(site as usize)
    }

    /// Makes room for an observable first.
    #[cold]
    fn saw_first(&mut self, site: u32, value: f64, residue: f64, is_followed: bool) {
        // Sites are below the number of sites that there are; `NONE` is not one.
        if site < 1 << 28 {
            self.seen.resize(site as usize + 1, Seen::default());
            self.saw(site, value, residue, is_followed);
        }
    }

    pub fn seen(&self, site: u32) -> Seen {
        self.seen.get(site as usize).copied().unwrap_or_default()
    }

    /// How many verdicts are open, by observable.
    pub fn open_by_site(&self) -> BTreeMap<u32, u64> {
        let mut by_site = BTreeMap::new();
        self.open.iter().for_each(|(key, count)| *by_site.entry(key.site).or_default() += count);
        by_site
    }

    /// Notes that a verdict is open, and whether a finer oracle may close it.
    #[cold]
    pub fn leave_open(&mut self, key: Key, is_undefined: bool) {
        if self.open.len() < self.most || self.open.contains_key(&key) {
            *self.open.entry(key).or_default() += 1;
            if is_undefined {
                *self.undefined.entry(key.site).or_default() += 1;
            }
        } else {
            self.dropped += 1;
        }
    }

    /// Whether a finer oracle could close a verdict, or tell of an ideal that is shown.
    pub fn may_be_closed(&self) -> bool {
        self.open.values().sum::<u64>() > self.undefined.values().sum::<u64>() || self.vague() > 0
    }

    /// Findings that show an ideal of which no digit is known.
    pub fn vague(&self) -> usize {
        self.all.iter().filter(|(key, found)| found.sample.is_vague(key.kind)).count()
    }

    /// Notes that a verdict depends on how constants were rounded.
    #[cold]
    pub fn leave_to_constants(&mut self, site: u32) {
        *self.by_constants.entry(site).or_default() += 1;
    }

    /// Notes where a NaN or an infinity that was found is printed, the first time.
    pub fn note_printed(&mut self, key: &Key, site: u32) {
        if let Some(found) = self.all.get_mut(key) {
            found.printed.get_or_insert(site);
        }
    }

    pub fn add(&mut self, key: Key, error: f64, sample: Sample, stack: &Stack, explain: impl FnOnce() -> Slice) {
        let error = if error.is_nan() { 0.0 } else { error.abs() };
        let thread = self.thread;
        if let Some(found) = self.all.get_mut(&key) {
            found.count += 1;
            if error > found.error {
                if error >= MUCH_WORSE * found.error {
                    found.slice = explain();
                    found.stack = frames(stack);
                }
                found.error = error;
                found.sample = sample;
                found.thread = thread;
            }
            return;
        }
        if self.all.len() >= self.most {
            self.dropped += 1;
            return;
        }
        let order = self.all.len();
        let found = Found {
            count: 1,
            error,
            sample,
            slice: explain(),
            stack: frames(stack),
            thread,
            order,
            printed: None,
            task: None,
            tolerates: true,
            is_alike: true,
        };
        self.all.insert(key, found);
    }

    /// Notes of a comparison that was found whether it was a tolerance test this time, and whether its sides were alike.
    pub fn note_tolerance(&mut self, key: &Key, tolerates: bool, is_alike: bool) {
        if let Some(found) = self.all.get_mut(key) {
            found.tolerates &= tolerates;
            found.is_alike &= tolerates || is_alike;
        }
    }

    /// Adds what was found on another machine, in a task if that has a name, as if it had been found here after all that
    /// there is.
    pub fn absorb(&mut self, other: &Founds, task: Option<&Arc<str>>) {
        let mut in_order: Vec<(&Key, &Found)> = other.all.iter().collect();
        in_order.sort_by_key(|(_, found)| found.order);
        in_order.into_iter().for_each(|(key, found)| self.absorb_one(*key, found, task));
        other.open.iter().for_each(|(key, count)| *self.open.entry(*key).or_default() += count);
        other.undefined.iter().for_each(|(site, count)| *self.undefined.entry(*site).or_default() += count);
        other.by_constants.iter().for_each(|(site, count)| *self.by_constants.entry(*site).or_default() += count);
        self.zeros += other.zeros;
        self.dropped += other.dropped;
        if self.seen.len() < other.seen.len() {
            self.seen.resize(other.seen.len(), Seen::default());
        }
        for (seen, more) in self.seen.iter_mut().zip(&other.seen) {
            seen.count += more.count;
            seen.not_followed += more.not_followed;
            seen.largest_error = seen.largest_error.max(more.largest_error);
        }
    }

    fn absorb_one(&mut self, key: Key, found: &Found, task: Option<&Arc<str>>) {
        let order = self.all.len();
        let task = found.task.as_ref().or(task).cloned();
        let Some(own) = self.all.get_mut(&key) else {
            if order < self.most {
                self.all.insert(key, Found { order, task, ..found.clone() });
            } else {
                self.dropped += found.count;
            }
            return;
        };
        own.count += found.count;
        own.printed = own.printed.or(found.printed);
        own.tolerates &= found.tolerates;
        own.is_alike &= found.is_alike;
        if found.error > own.error {
            if found.error >= MUCH_WORSE * own.error {
                own.slice.clone_from(&found.slice);
                own.stack.clone_from(&found.stack);
            }
            (own.error, own.sample, own.thread, own.task) = (found.error, found.sample, found.thread, task);
        }
    }
}

fn frames(stack: &Stack) -> Vec<(u32, u32)> {
    stack.frames().iter().rev().take(MOST_FRAMES).map(|f| (f.function, f.call_site)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_look_at_an_observable_counts_with_its_error() {
        let mut founds = Founds::default();
        founds.saw(7, 1.5, 0.5, true);
        assert_eq!(founds.seen(7), Seen { count: 1, largest_error: 0.25, not_followed: 0 });
        founds.saw(7, 1.0, 0.0, false);
        assert_eq!(founds.seen(7), Seen { count: 2, largest_error: 0.25, not_followed: 1 });
        assert_eq!(founds.seen(6), Seen::default());
    }
}
