//! Statistics a site: how often it ran, how wrong its results were, and what it cancelled.
//!
//! Cancellation badness relates the bits that a sum cancels to those that were still exact in its operands. With p the
//! format's bits and an operand v of ideal w:
//!
//! * ebits(v) = p if w = v; 0 if their exponents differ; else min(p, exponent(w) - exponent(w - v));
//! * cbits = max(exponent(x), exponent(y)) - exponent(z); of a sum that is 0, p - 1: all that can cancel;
//! * cbad = max(0, 1 + cbits - min(ebits(x), ebits(y))).
//!
//! Above 0, nothing that is left of the sum is right. The introduced error is what a site adds to the worst of the
//! errors that came into it at the time of its own worst. Source: FpDebug, sections 3.1 and 3.2. The error relative to an
//! ideal of 0 is taken relative to 2^-53 of the value instead, so that a mean exists.

use super::samples::Samples;
use crate::program::Insn;
use crate::register::Known;
use nonius_abi::site::NONE;

/// What is kept of a site: a cache line.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
pub struct Site {
    pub count: u64,
    pub sum_of_errors: f64,
    pub largest_error: f64,
    pub sum_of_badness: u64,
    pub largest_badness: u32,
    /// The sites that made the operands of the largest error; `NONE` for those from outside.
    pub from: [u32; 3],
    /// The number of the result whose error is kept next.
    pub next_sample: u64,
    pub samples: Option<Box<Samples>>,
}

impl Default for Site {
    fn default() -> Site {
        Site {
            count: 0,
            sum_of_errors: 0.0,
            largest_error: 0.0,
            sum_of_badness: 0,
            largest_badness: 0,
            from: [NONE; 3],
            next_sample: 1,
            samples: None,
        }
    }
}

impl Site {
    /// Counts a result; its error may be kept.
    #[inline(always)]
    pub fn counts(&mut self, value: f64, residue: f64) {
        self.count += 1;
        if self.count >= self.next_sample {
            self.keeps_one(value, residue);
        }
    }

    /// The same for four.
    #[inline(always)]
    pub fn counts_four(&mut self, errors: impl FnOnce() -> [f64; 4]) {
        self.count += 4;
        if self.count >= self.next_sample {
            self.keeps_of_four(errors());
        }
    }

    #[cold]
    #[inline(never)]
    fn keeps_one(&mut self, value: f64, residue: f64) {
        self.keeps(self.count, relative(value, residue));
    }

    fn keeps(&mut self, number: u64, error: f64) {
        let samples = self.samples.get_or_insert_default();
        self.next_sample = number + samples.keep(error);
    }

    #[cold]
    #[inline(never)]
    fn keeps_of_four(&mut self, errors: [f64; 4]) {
        for (number, error) in (self.count - 3..).zip(errors) {
            if number >= self.next_sample {
                self.keeps(number, error);
            }
        }
    }

    /// Errors of results over the run.
    pub fn samples(&self) -> Option<&Samples> {
        self.samples.as_deref()
    }

    #[inline(always)]
    pub fn cancels(&mut self, badness: u32) {
        self.sum_of_badness += u64::from(badness);
        self.largest_badness = self.largest_badness.max(badness);
    }

    #[inline(always)]
    pub fn errs(&mut self, error: f64, operands: &[&Known; 3]) {
        self.sum_of_errors += error;
        if error > self.largest_error {
            self.largest_error = error;
            self.from = operands.map(|o| o.site);
        }
    }

    /// Counts a result and its error, unless that is not a finite number: then it says `false`.
    #[inline(always)]
    pub fn takes(&mut self, value: f64, residue: f64, x: &Known, y: &Known) -> bool {
        let error = ratio(value, residue);
        // No infinity or NaN in value or residue comes out as a number.
        if error <= self.largest_error {
            self.sum_of_errors += error;
        } else if !self.takes_more(error, residue, x, y) {
            return false;
        }
        self.counts(value, residue);
        true
    }

    /// The largest error so far, or none that could be related to anything.
    #[cold]
    #[inline(never)]
    fn takes_more(&mut self, error: f64, residue: f64, x: &Known, y: &Known) -> bool {
        if error < f64::INFINITY {
            self.errs(error, &[x, y, &Known::ABSENT]);
        }
        residue.is_finite()
    }

    pub fn mean_error(&self) -> f64 {
        self.sum_of_errors / (self.count.max(1)) as f64
    }

    pub fn mean_badness(&self) -> f64 {
        self.sum_of_badness as f64 / (self.count.max(1)) as f64
    }
}

#[derive(Debug, Default)]
pub struct Statistics {
    sites: Vec<Site>,
}

impl Statistics {
    pub fn grow(&mut self, sites: usize) {
        self.sites.resize(sites, Site::default());
    }

    pub fn reset(&mut self) {
        self.sites.fill(Site::default());
    }

    pub fn get(&self, site: u32) -> Option<&Site> {
        self.sites.get(site as usize).filter(|s| s.count > 0)
    }

    /// Sites that ran, with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Site)> {
        self.sites.iter().enumerate().filter(|(_, s)| s.count > 0).map(|(i, s)| (i as u32, s))
    }

    /// Adds what was counted elsewhere, by site.
    pub fn absorb(&mut self, other: &[(u32, Site)]) {
        for (number, more) in other {
            let Some(own) = self.sites.get_mut(*number as usize) else { continue };
            own.count += more.count;
            // Errors over the run are those of the first task that has any.
            if own.samples.is_none() {
                own.samples.clone_from(&more.samples);
            }
            own.sum_of_errors += more.sum_of_errors;
            own.sum_of_badness += more.sum_of_badness;
            own.largest_badness = own.largest_badness.max(more.largest_badness);
            if more.largest_error > own.largest_error {
                (own.largest_error, own.from) = (more.largest_error, more.from);
            }
        }
    }

    /// Counts a result; returns its cancellation badness.
    #[inline(always)]
    pub fn add(&mut self, insn: &Insn, z: f64, residue: f64, operands: &[&Known; 3], is_sum: bool) -> u32 {
        let Some(site) = self.sites.get_mut(insn.site as usize) else { return 0 };
        site.counts(z, residue);
        let [x, y, _] = operands;
        let bad = if is_sum { badness(x, y, z, insn.format.bits() as i32) } else { 0 };
        site.cancels(bad);
        if residue != 0.0 {
            site.errs(relative(z, residue), operands);
        }
        bad
    }

    /// A site, to be counted at by hand.
    #[inline(always)]
    pub fn site(&mut self, number: u32) -> Option<&mut Site> {
        self.sites.get_mut(number as usize)
    }

    /// What the site adds to the error of its operands. Negative if errors cancel there.
    pub fn introduced(&self, site: u32) -> f64 {
        let Some(own) = self.get(site) else { return 0.0 };
        let before = own.from.iter().filter(|&&s| s != NONE).map(|&s| {
            // An operation that feeds itself brings nothing in.
            if s == site { 0.0 } else { self.get(s).map_or(0.0, |s| s.largest_error) }
        });
        own.largest_error - before.fold(0.0, f64::max)
    }
}

/// |residue| / |ideal|, finite.
#[inline(always)]
pub fn relative(value: f64, residue: f64) -> f64 {
    const TINY: f64 = f64::EPSILON / 2.0;
    let error = residue.abs() / (value + residue).abs().max(TINY * value.abs());
    // 0 / 0, of a zero without error, is none.
    if error.is_finite() { error } else { 0.0 }
}

/// The same where both are finite, in fewer steps; infinite or NaN in place of 0 where there is no such number.
#[inline(always)]
fn ratio(value: f64, residue: f64) -> f64 {
    const TINY: f64 = f64::EPSILON / 2.0;
    let (ideal, least) = ((value + residue).abs(), TINY * value.abs());
    residue.abs() / if ideal > least { ideal } else { least }
}

#[inline(always)]
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32
}

#[inline(always)]
fn exact_bits(known: &Known, bits: i32) -> i32 {
    let ideal = exponent(known.value + known.residue);
    // All are worked out and one is chosen: a branch would be taken as values come.
    let apart = (ideal - exponent(known.residue)).abs().min(bits);
    let same = if ideal == exponent(known.value) { apart } else { 0 };
    if known.residue == 0.0 { bits } else { same }
}

#[inline(always)]
pub fn badness(x: &Known, y: &Known, z: f64, bits: i32) -> u32 {
    let cancelled = exponent(x.value).max(exponent(y.value)) - exponent(z);
    let cancelled = if z == 0.0 { cancelled.min(bits - 1) } else { cancelled };
    let exact = exact_bits(x, bits).min(exact_bits(y, bits));
    (1 + cancelled - exact).max(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_cache_line_and_keeps_every_turn() {
        assert_eq!(size_of::<Site>(), 64);
        let (mut one_by_one, mut by_fours) = (Site::default(), Site::default());
        for number in 0..1000 {
            let errors = [0.0, 1e-16, 2e-16, f64::from(number)];
            // An ideal of 1.
            errors.iter().for_each(|error| one_by_one.counts(1.0 - error, *error));
            by_fours.counts_four(|| errors.map(|error| relative(1.0 - error, error)));
        }
        assert_eq!(one_by_one, by_fours);
        assert_eq!(one_by_one.samples().unwrap().kept().0, 64);
    }

    fn known(value: f64, residue: f64) -> Known {
        Known { residue, ..Known::outside(value) }
    }

    #[test]
    fn badness_is_fpdebugs() {
        let bad = |x, ex, y, ey| badness(&known(x, ex), &known(y, ey), x - y, 53);
        // Exact operands cancel benignly, even completely.
        assert_eq!(bad(1.379, 0.0, 1.375, 0.0), 0);
        assert_eq!(bad(1.0, 0.0, 1.0, 0.0), 0);
        // 1 - (1 - 2^-10) cancels 10 bits; 8 exact bits are 3 too few, 11 are enough.
        let y = 1.0 - 2f64.powi(-10);
        assert_eq!(bad(1.0, 0.0, y, -2f64.powi(-9)), 1 + 10 - 8);
        assert_eq!(bad(1.0, 0.0, y, 2f64.powi(-12)), 0);
        // Nothing was exact to begin with.
        assert_eq!(bad(1.0, 3.0, -0.25, 0.0), 1);
        // All cancelled, and the operand had an error of an ulp: 52 of 53 bits are exact.
        assert_eq!(bad(1.0, 2f64.powi(-52), 1.0, 0.0), 1);
    }

    #[test]
    fn errors_are_relative_to_the_ideal() {
        let values = [0.0, -0.0, 1.0, -1.0, 5e-324, 1e-310, -3.5, f64::MAX, -f64::MAX, 1e-300, 2f64.powi(-53)];
        for (value, residue) in values.iter().flat_map(|&v| values.map(|r| (v, r))) {
            let (error, quick) = (relative(value, residue), ratio(value, residue));
            let quick = if quick.is_finite() { quick } else { 0.0 };
            assert_eq!(error.to_bits(), quick.to_bits(), "{value:e} {residue:e}");
        }
        assert_eq!(relative(1.0, 1.0), 0.5);
        assert_eq!(relative(1.0, -1.0), 2f64.powi(53));
        assert_eq!(relative(0.0, 1e-300), 1.0);
    }
}
