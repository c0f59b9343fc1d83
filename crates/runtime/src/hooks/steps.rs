//! Integers, and remainders beside them, that come out otherwise for the ideals.

use super::{At, at, doubles, ptr};
use crate::fenv::Usual;
use crate::found;
use crate::options::{self, Options};
use crate::tallies::{Sighting, Which};
use crate::{doubts, roots};
use nonius_abi::Precision;
use nonius_verdict::describe::Sample;
use nonius_verdict::verdict::{self, Seen};

/// # Safety
/// The arrays have `lanes` doubles each; `moved` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_cast(table: ptr, site: u32, lanes: u32, values: ptr, residues: ptr, moved: ptr) {
    let _usual = Usual::enter();
    let options = options::current();
    let Some(at) = at(table, site, Which::Main).filter(|_| options.check_cast) else { return };
    // SAFETY: as this function demands.
    let [values, residues, moved] = [values, residues, moved].map(|array| unsafe { doubles(array, lanes as usize) });
    for (lane, (&value, &residue)) in values.iter().zip(residues).enumerate() {
        let seen = at.seen(value, residue, 0.0);
        let judged = verdict::cast(seen, at.precision, at.op);
        if judged.is_open() {
            at.tally.leave_open(1);
            continue;
        }
        let by = moved.get(lane).copied().unwrap_or_default();
        let holds = verdict::cast(seen.widened(by), at.precision, at.op).found().is_some();
        match (judged.found().is_some(), holds) {
            (true, true) => tell(&at, seen, Sample::by_residue(&seen, at.precision), seen, options),
            (true, false) => at.tally.leave_to_constants(1),
            _ => at.tally.pass(1),
        }
    }
}

/// # Safety
/// The arrays have `lanes` doubles each; `moved` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_remainder(
    table: ptr,
    site: u32,
    lanes: u32,
    x: ptr,
    x_residues: ptr,
    y: ptr,
    y_residues: ptr,
    moved: ptr,
) {
    let _usual = Usual::enter();
    let options = options::current();
    let Some(at) = at(table, site, Which::Main).filter(|_| options.check_cast) else { return };
    // SAFETY: as this function demands.
    let [x, e_x, y, e_y, moved] =
        [x, x_residues, y, y_residues, moved].map(|array| unsafe { doubles(array, lanes as usize) });
    for lane in 0..x.len() {
        if at.precision == Precision::Float {
            doubts::note_condition((x[lane] / y[lane]).abs());
        }
        let sides = [(x[lane], e_x[lane]), (y[lane], e_y[lane])].map(|(v, e)| at.seen(v, e, 0.0));
        let verdict = |by: f64| verdict::remainder(sides[0].widened(by), sides[1], at.precision, at.op);
        if verdict(0.0).is_open() {
            at.tally.leave_open(1);
            continue;
        }
        let verdict = |by: f64| verdict(by).found();
        let Some(seen) = verdict(0.0) else {
            at.tally.pass(1);
            continue;
        };
        if verdict(moved.get(lane).copied().unwrap_or_default()).is_none() {
            at.tally.leave_to_constants(1);
            continue;
        }
        let errors = sides.map(|side| verdict::relative(side.value, side.ideal));
        let worse = sides[usize::from(errors[1] > errors[0])];
        tell(&at, seen, Sample::of(&seen), worse, options);
    }
}

/// `bad` is the value that a root may be known by.
fn tell(at: &At, seen: Seen, sample: Sample, bad: Seen, options: &Options) {
    let root = roots::find(bad.value, bad.ideal).unwrap_or_default();
    let sighting = || Sighting { sample, root };
    found::add(at.place, at.tally, 1, verdict::relative(seen.value, seen.ideal), sighting, options);
}
