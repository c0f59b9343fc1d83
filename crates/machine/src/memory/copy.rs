//! The program copied bytes: their shadows go with them.
//!
//! What lies in the same place of its cell here and there is copied by cells, a page of both at a time; everything
//! else by values. What is written in part only, or by what has no shadow, is forgotten.

use super::unit::Unit;
use super::{DOUBLES, Memory, PAGE};
use crate::register::Register;
use nonius_oracle::Oracle;

/// Beyond this, a length comes from a damaged stream.
const MOST: u64 = 1 << 36;

/// Bytes to copy.
#[derive(Clone, Copy)]
struct Range {
    to: u64,
    from: u64,
    bytes: u64,
    /// Values may reach so far beyond the first byte.
    most: u64,
}

impl Range {
    /// What lies on one page here and there, from the front or from the back, and the rest.
    fn split(self, from_the_back: bool) -> (Range, Range) {
        let Range { to, from, bytes, most } = self;
        if from_the_back {
            let on_page = |start: u64| (start + bytes - 1) % PAGE + 1;
            let left = bytes - bytes.min(on_page(to)).min(on_page(from));
            let last = Range { to: to + left, from: from + left, bytes: bytes - left, most: most - left };
            return (last, Range { bytes: left, ..self });
        }
        let run = bytes.min(PAGE - to % PAGE).min(PAGE - from % PAGE);
        let rest = Range { to: to + run, from: from + run, bytes: bytes - run, most: most - run };
        (Range { bytes: run, ..self }, rest)
    }
}

impl<S> Memory<S> {
    /// Ranges may overlap.
    pub fn copy<O: Oracle<Shadow = S>>(&mut self, to: u64, from: u64, bytes: u64, oracle: &mut O) {
        let ends = from.checked_add(bytes).zip(to.checked_add(bytes));
        if ends.is_none() || to == from || bytes == 0 || bytes > MOST {
            return;
        }
        // From the end if what is written lies above what is read.
        let backwards = to > from;
        let mut left = Range { to, from, bytes, most: bytes };
        if to.abs_diff(from) < bytes || !(to | from).is_multiple_of(1 << DOUBLES) {
            return self.copy_values(left, backwards, oracle);
        }
        while left.bytes > 0 {
            let (run, rest) = left.split(backwards);
            left = rest;
            if !self.copy_cells(run, oracle) {
                self.copy_values(run, backwards, oracle);
            }
        }
    }

    /// Ranges apart that begin with a cell each, and lie on one page. `false`: nothing is done.
    fn copy_cells<O: Oracle<Shadow = S>>(&mut self, range: Range, oracle: &mut O) -> bool {
        let Range { to, from, bytes, most } = range;
        let (here, there) = match (self.find(to), self.find(from)) {
            (None, None) => return true,
            (Some(here), Some(there)) if here.grain == DOUBLES && there.grain == DOUBLES => (here, there),
            _ => return false,
        };
        if bytes % (1 << DOUBLES) != 0 {
            return false;
        }
        for cell in 0..(bytes >> DOUBLES) as usize {
            let start = (cell as u64) << DOUBLES;
            let is_whole = |&(offset, format): &(u64, nonius_abi::Precision)| {
                offset % 2 == 0 && start + offset + u64::from(format.store_bytes()) <= most
            };
            if self.units[there.unit].entry(there.at + cell).filter(is_whole).is_none() {
                self.units[here.unit].forget(here.at + cell);
            } else if here.unit == there.unit {
                self.units[here.unit].copy_within(here.at + cell, there.at + cell, oracle);
            } else if let Ok([here_unit, there_unit]) = self.units.get_disjoint_mut([here.unit, there.unit]) {
                here_unit.copy_from(here.at + cell, there_unit, there.at + cell, oracle);
            }
        }
        true
    }

    fn copy_values<O: Oracle<Shadow = S>>(&mut self, range: Range, backwards: bool, oracle: &mut O) {
        let Range { to, from, bytes, most } = range;
        let end = from + bytes;
        self.clear_unless(to, bytes, from, bytes);
        let mut moved = Register::new(oracle);
        let mut left = from..end;
        while !left.is_empty() {
            let address = if backwards { left.end - 1 } else { left.start };
            let place = self.find(address);
            // Nothing is held on this page: on to the next one.
            let reach = place.map_or(PAGE, |place| 1 << place.grain);
            let start = address / reach * reach;
            if backwards {
                left.end = start.max(from);
            } else {
                left.start = start.saturating_add(reach).min(end);
            }
            let Some(place) = place else { continue };
            let Some((offset, format)) = self.units[place.unit].entry(place.at) else { continue };
            let Some(at) = (start + offset).checked_sub(from) else { continue };
            if at % 2 == 0 && at + u64::from(format.store_bytes()) <= most {
                self.units[place.unit].read(place.at, &mut moved, oracle);
                self.store(to + at, format, &moved, oracle);
            }
        }
    }

    /// Forgets what is held in a range, but for where it overlaps another.
    fn clear_unless(&mut self, start: u64, bytes: u64, kept: u64, kept_bytes: u64) {
        let end = start + bytes;
        let mut address = start;
        while address < end {
            let Some(place) = self.find(address) else {
                address = (address / PAGE + 1).saturating_mul(PAGE);
                continue;
            };
            let cell = address >> place.grain << place.grain;
            if let Some((offset, _)) = self.units[place.unit].entry(place.at) {
                let at = cell + offset;
                if (start..end).contains(&at) && !(kept..kept + kept_bytes).contains(&at) {
                    self.units[place.unit].forget(place.at);
                }
            }
            address = cell.saturating_add(1 << place.grain);
        }
    }
}

impl<S> Unit<S> {
    /// What another unit's cell holds.
    fn copy_from<O: Oracle<Shadow = S>>(&mut self, at: usize, other: &Unit<S>, from: usize, oracle: &mut O) {
        if let Some(rest) = other.rest(from) {
            self.make_room(at, oracle);
            self.rests[at].copy_from(rest, oracle);
        }
        (self.tags[at], self.heads[at]) = (other.tags[from], other.heads[from]);
    }

    fn copy_within<O: Oracle<Shadow = S>>(&mut self, at: usize, from: usize, oracle: &mut O) {
        if self.rest(from).is_some() {
            self.make_room(at, oracle);
            if let Ok([to, from]) = self.rests.get_disjoint_mut([at, from]) {
                to.copy_from(from, oracle);
            }
        }
        (self.tags[at], self.heads[at]) = (self.tags[from], self.heads[from]);
    }
}
