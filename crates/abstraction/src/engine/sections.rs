//! Sections that the program marks itself, and the end of the program: where paths that did not meet before are joined.

use super::Abstract;
use crate::domain::{Domain, Packed};
use crate::frames::Register;
use crate::paths::{self, Key, Section};
use crate::report::Unstable;
use crate::zonotope::MOST_CONTINUOUS;
use nonius_abi::Precision;
use nonius_machine::Cell;
use nonius_zonotope::Side;

impl<D: Domain> Abstract<D> {
    pub(super) fn split(&mut self) {
        let knowledge = self.core.domain.knowledge();
        self.paths.sections.push(Section { results: Vec::new(), knowledge });
    }

    /// The section ends; these floats are what its paths leave. `Some`: this path ends here, with these bytes for its parent.
    pub(super) fn merge(&mut self, cells: &[Cell]) -> Option<Vec<u8>> {
        if self.paths.sections.len() <= 1 {
            self.core.observed.warn("nonius_merge() without nonius_split() before it: left out".to_owned());
            return None;
        }
        let is_end = self.paths.ends_with == Some(self.paths.sections.len());
        if is_end {
            let values = cells.iter().map(|&cell| {
                let value = self.held(cell);
                (Key::Cell(cell.address, cell.format.store_bytes() as u8), self.core.domain.pack(&value))
            });
            let values = values.collect();
            return Some(self.result(values));
        }
        let section = self.paths.sections.pop().unwrap_or_default();
        for &cell in cells {
            let own = self.held(cell);
            let key = Key::Cell(cell.address, cell.format.store_bytes() as u8);
            self.join(&section, &key, Some((&own, cell)));
        }
        if !section.results.is_empty() {
            self.core.domain.set_knowledge(&section.knowledge);
        }
        // What its paths have asked for meanwhile.
        for mut result in section.results {
            result.values.retain(|v| matches!(v.0, Key::Bounds(..)));
            if !result.values.is_empty() {
                self.paths.sections[0].results.push(result);
            }
        }
        None
    }

    /// What a path hands over; its results are for who asked.
    pub(crate) fn take_over(&mut self, bytes: &[u8]) -> Option<Vec<paths::Result>> {
        let (results, incomplete, unstable, paths) = paths::wire::read(bytes)?;
        self.core.observed.paths += paths;
        self.core.observed.incomplete.extend(incomplete);
        for (site, unstable) in unstable {
            let (explored, jump) = (unstable.is_explored, unstable.jump);
            let known = self.core.observed.unstable.entry(site).or_insert(unstable);
            known.is_explored &= explored;
            known.jump = known.jump.max(jump);
        }
        Some(results)
    }

    /// Joins what the paths of a section have under a key.
    fn join(&mut self, section: &Section, key: &Key, own: Option<(&D::Value, Cell)>) {
        let mut others: Vec<Packed<'_>> = Vec::new();
        let mut missing = false;
        for result in &section.results {
            match result.values.iter().find(|v| v.0 == *key) {
                Some((_, value)) => others.push(Packed { tag: result.tag, knowledge: &result.knowledge, value }),
                None => missing = true,
            }
        }
        if others.is_empty() {
            return;
        }
        let format = match key {
            Key::Cell(_, 4) | Key::Bounds(_, _, 4) => Precision::Float,
            _ => Precision::Double,
        };
        // The own path may itself be the float's alone.
        let packed;
        let mut own_value = own.map(|o| o.0);
        let own_knowledge = self.core.domain.knowledge();
        if let (Some(value), Some(test), Side::Float) = (own_value, self.paths.tag, self.paths.side) {
            packed = self.core.domain.pack(value);
            others.push(Packed { tag: Some((test, Side::Float)), knowledge: &own_knowledge, value: &packed });
            own_value = None;
        }
        let Some(joined) = self.core.domain.join(own_value, &others, format, u32::MAX) else { return };
        if joined.is_partial || missing && matches!(key, Key::Cell(..)) {
            let why = "floats and reals that went apart did not come to the same places";
            self.core.observed.incomplete.insert(why.to_owned());
        }
        let jump = joined.apart.iter().map(|a| a.1).fold(0.0, f64::max);
        let own_error = match key {
            Key::Bounds(asked, ..) => self.core.observed.bounds.get(asked).map_or(0.0, |b| b.0.error.magnitude()),
            _ => 0.0,
        };
        // Where no way leads to another result than the errors of either do, the test is continuous.
        if jump > MOST_CONTINUOUS * joined.together.max(own_error) {
            for unstable in self.core.observed.unstable.values_mut().filter(|u| u.is_explored) {
                unstable.jump = unstable.jump.max(jump);
            }
        }
        match (key, own) {
            (Key::Cell(..), Some((_, cell))) => {
                let register = Register { actual: cell.value, value: joined.value };
                self.core.memory.store(cell.address, cell.format, register);
            }
            (Key::Bounds(asked, ..), _) => {
                let (mut bounds, shares) = self.core.domain.bounds(&joined.value, f64::NAN, format);
                bounds.count = 0;
                self.core.observed.add_bounds(asked, bounds, shares);
            }
            _ => {}
        }
    }

    /// What this path brings back, with those that it waited for.
    pub(crate) fn result(&mut self, mut values: Vec<(Key, Vec<u8>)>) -> Vec<u8> {
        // It may go on from here, and bring the same again.
        values.extend(self.paths.asked.iter().cloned());
        let tag = self.paths.tag.filter(|_| self.paths.side != Side::Both).map(|test| (test, self.paths.side));
        let own = paths::Result { tag, knowledge: self.core.domain.knowledge(), values };
        let ended = &mut self.paths.sections[self.paths.ends_with.unwrap_or(1).saturating_sub(1)..];
        let mut all = vec![own];
        ended.iter_mut().for_each(|s| all.append(&mut s.results));
        let observed = &mut self.core.observed;
        let paths = std::mem::take(&mut observed.paths);
        let incomplete = observed.incomplete.iter().cloned().collect::<Vec<_>>();
        let unstable: Vec<(u32, Unstable)> = observed.unstable.iter().map(|(s, u)| (*s, u.clone())).collect();
        paths::wire::write(&all, &incomplete, &unstable, paths)
    }

    /// At the end of the program: bounds that other paths came to.
    pub(super) fn join_bounds(&mut self) {
        let mut section =
            Section { results: std::mem::take(&mut self.paths.sections[0].results), knowledge: Vec::new() };
        if let (Some(test), Side::Float) = (self.paths.tag, self.paths.side) {
            let values = self.paths.asked.clone();
            let tag = Some((test, Side::Float));
            section.results.push(paths::Result { tag, knowledge: self.core.domain.knowledge(), values });
        }
        let mut keys: Vec<Key> = section.results.iter().flat_map(|r| r.values.iter().map(|v| v.0.clone())).collect();
        keys.sort();
        keys.dedup();
        for key in keys.into_iter().filter(|k| matches!(k, Key::Bounds(..))) {
            self.join(&section, &key, None);
        }
    }
}
