//! Requests of `nonius.h` about a value, with its shadow.
//!
//! Under `resume=1` a value that was found is exact from there on, and so is what is computed from it, but for that. Who asks
//! gets the error that was found: of the value itself, known again by its bits, or of one that it was computed from, times
//! the slopes that the pass knows. Limits: of a site, the worst value is known; three operations back, in one function.

use super::types::ptr;
use super::{At, Which, at, check_lanes};
use crate::fenv::Usual;
use crate::found::{self, Place};
use crate::roots::Root;
use crate::{options, thread};
use nonius_abi::Precision;
use nonius_verdict::verdict::{self, Seen};

/// What a slope is good for: it is one of first order.
const SLOPE: f64 = 1.0 / 128.0;

impl At {
    fn asked(&self, value: f64, residue: f64) -> (Seen, Option<Place>) {
        let behind = thread::locals().map(|locals| locals.restarted.replace((0.0, Root::default())));
        if let Some((place, sample)) = found::restarted_by(value, self.place).filter(|_| residue == 0.0) {
            return (sample.seen(), Some(place));
        }
        if let Some((part, (module, site))) = behind.and_then(|(part, root)| Some((part, root.place()?))) {
            let seen = Seen::by_residue(value, residue + part, part.abs() * SLOPE);
            return (seen, Some(Place { module, site, which: Which::Main }));
        }
        let seen = Seen::by_residue(value, residue, 0.0);
        (Seen { radius: verdict::residue_radius(seen, self.precision), ..seen }, None)
    }
}

/// The value that is asked for next was computed from this one, and moves with it by `slope`. Of those that were found and
/// restarted, the one counts that moves it furthest.
pub fn made_of(table: ptr, site: u32, value: f64, slope: f64) {
    let _usual = Usual::enter();
    let (Some(at), Some(locals)) = (at(table, site, Which::Main), thread::locals()) else { return };
    let Some((place, sample)) = found::restarted_by(value, at.place) else { return };
    let part = slope * sample.seen().residue;
    if part.is_finite() && part.abs() > locals.restarted.get().0.abs() {
        locals.restarted.set((part, Root::at(place)));
    }
}

/// Checks a value at the program's request.
pub fn check_request(table: ptr, site: u32, value: f64, residue: f64) {
    let _usual = Usual::enter();
    if let Some(at) = at(table, site, Which::Main) {
        let seen = at.asked(value, residue).0;
        check_lanes(&at, 1, |_| seen, None, 0.0, options::current());
    }
}

/// What is known of a value that the program asks about, and the finding that this is taken from, if its shadow restarted.
pub fn asked(table: ptr, site: u32, value: f64, residue: f64) -> Option<(Precision, Seen, Option<Place>)> {
    let _usual = Usual::enter();
    let at = at(table, site, Which::Main)?;
    let (seen, place) = crate::guarded(|| at.asked(value, residue))?;
    Some((at.precision, seen, place))
}
