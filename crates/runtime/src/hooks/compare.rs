//! Comparisons that come out otherwise for the ideals.

use super::{At, at, doubles, ptr};
use crate::fenv::Usual;
use crate::found;
use crate::options::{self, Options};
use crate::tallies::{Sighting, Which};
use crate::{doubts, roots};
use nonius_abi::hooks::{is_doubt, most_doubt};
use nonius_abi::site::Op;
use nonius_options::Constants;
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict;

/// # Safety
/// The arrays have `2 * lanes` doubles each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_compare(
    table: ptr,
    site: u32,
    lanes: u32,
    actual: ptr,
    ideal: ptr,
    mask: u64,
    left: f64,
) {
    let _usual = Usual::enter();
    let options = options::current();
    let Some(at) = at(table, site, Which::Main).filter(|_| options.check_branch) else { return };
    let lanes = lanes as usize;
    // SAFETY: as this function demands.
    let (actual, ideal) = unsafe { (doubles(actual, 2 * lanes), doubles(ideal, 2 * lanes)) };
    for lane in (0..lanes.min(64)).filter(|lane| mask >> lane & 1 != 0) {
        let sides = |values: &[f64]| Some([*values.get(lane)?, *values.get(lanes + lane)?]);
        let (Some(actual), Some(ideal)) = (sides(actual), sides(ideal)) else { return };
        at.flips(actual, ideal, left, options);
    }
}

/// # Safety
/// The array has `5 * lanes` doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_near(table: ptr, site: u32, lanes: u32, sides: ptr, mask: u64, left: f64) {
    let _usual = Usual::enter();
    let options = options::current();
    let Some(at) = at(table, site, Which::Main).filter(|_| options.check_branch) else { return };
    let lanes = lanes as usize;
    // SAFETY: as this function demands.
    let sides = unsafe { doubles(sides, 5 * lanes) };
    for lane in (0..lanes.min(64)).filter(|lane| mask >> lane & 1 != 0) {
        let Some([x, y, ideal_x, ideal_y, number]) = nth_of_each(sides, lanes, lane) else { return };
        match options.constants == Constants::Rounded && verdict::is_recorded(number, at.precision) {
            true => at.tally.leave_to_constants(1),
            false => at.flips([x, y], [ideal_x, ideal_y], left, options),
        }
    }
}

/// One lane of each run of lanes.
fn nth_of_each<const N: usize>(all: &[f64], lanes: usize, lane: usize) -> Option<[f64; N]> {
    let mut found = [0.0; N];
    for (run, place) in found.iter_mut().enumerate() {
        *place = *all.get(run * lanes + lane)?;
    }
    Some(found)
}

impl At {
    /// A comparison that comes out otherwise for the ideals. `left`: see the hook.
    fn flips(&self, actual: [f64; 2], ideal: [f64; 2], left: f64, options: &Options) {
        let errors = [0, 1].map(|side: usize| verdict::relative(actual[side], ideal[side]));
        let worse = usize::from(errors[1] > errors[0]);
        let root = roots::find(actual[worse], ideal[worse]);
        let is_bad = !options.limits.allow(actual[worse], ideal[worse] - actual[worse], self.precision);
        // Of an error that came in nothing tells how much of the ideal is known, but the finding that it goes back to.
        let is_unknown = is_bad && root.is_none() && left.is_sign_negative() && doubts::any_lost_ideals();
        if is_bad {
            doubts::note_ideal(actual[worse], ideal[worse]);
        }
        let root = root.unwrap_or_default();
        let sighting = Sighting { sample: Sample::of_sides(actual, ideal, self.precision), root };
        let counts = self.op != Op::Choice || verdict::matters(ideal, self.precision, &options.limits);
        match verdict::compare(actual, ideal).filter(|_| counts) {
            Some(_) if is_unknown || self.is_in_doubt(actual, ideal) => self.tally.leave_open(1),
            Some(error) => {
                self.tally.note_left(left.abs());
                found::add(self.place, self.tally, 1, error, || sighting, options);
            }
            None => self.tally.pass(1),
        }
    }

    /// Whether a side is a 0 of which nothing is known, so that it may be where the other one is.
    fn is_in_doubt(&self, actual: [f64; 2], ideal: [f64; 2]) -> bool {
        let doubts = [0, 1].map(|side| is_doubt(self.precision, actual[side], ideal[side]));
        doubts != [false; 2] && ideal.iter().all(|ideal| ideal.abs() <= most_doubt(self.precision))
    }
}
