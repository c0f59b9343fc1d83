//! Sections that the program marks itself, and the end of the program: where paths that did not meet before are joined.

use super::Abstract;
use crate::domain::{Domain, Packed};
use crate::frames::Register;
use crate::paths::wire::Handed;
use crate::paths::{self, Key, Section};
use crate::report::Unstable;
use crate::zonotope::MOST_CONTINUOUS;
use nonius_abi::Precision;
use nonius_machine::Cell;
use nonius_zonotope::Side;
use std::collections::btree_map::Entry;

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
        if !section.results.is_empty() {
            // What is joined holds for all paths, so it must not be bounded by what the own one knows.
            let own_knowledge = self.core.domain.knowledge();
            self.core.domain.set_knowledge(&section.knowledge);
            for &cell in cells {
                let held = self.held(cell);
                let own = self.core.domain.pack(&held);
                let key = Key::Cell(cell.address, cell.format.store_bytes() as u8);
                self.join(&section, &key, Some((&own, &own_knowledge, cell)));
            }
            let is_left = |r: &&paths::Result| !r.values.iter().any(|v| matches!(v.0, Key::Bounds(..)));
            let others = section.results.iter().filter(is_left).map(|r| &r.knowledge[..]);
            let all: Vec<&[u8]> = others.chain([&own_knowledge[..]]).collect();
            self.core.domain.gather(&all);
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
        let Handed { results, incomplete, unstable, losses, paths, one_path, sites } = paths::wire::read(bytes)?;
        self.paths.sites.extend(sites);
        self.core.observed.paths += paths;
        self.core.observed.one_path += one_path;
        self.core.observed.incomplete.extend(incomplete);
        for (site, unstable) in unstable {
            match self.core.observed.unstable.entry(site) {
                Entry::Vacant(vacant) => _ = vacant.insert(unstable),
                Entry::Occupied(mut known) => known.get_mut().unite(unstable),
            }
        }
        for (site, lost) in losses {
            match self.core.observed.losses.entry(site) {
                Entry::Vacant(vacant) => _ = vacant.insert(lost),
                Entry::Occupied(mut known) => known.get_mut().unite(lost),
            }
        }
        Some(results)
    }

    /// Joins what the paths of a section have under a key.
    fn join(&mut self, section: &Section, key: &Key, own: Option<(&[u8], &[u8], Cell)>) {
        let mut others: Vec<Packed<'_>> = Vec::new();
        let mut missing = false;
        // What a path asked for on its way is no state that it left.
        let is_left = |r: &&paths::Result| match key {
            Key::Bounds(..) => true,
            _ => r.values.is_empty() || r.values.iter().any(|v| !matches!(v.0, Key::Bounds(..))),
        };
        for result in section.results.iter().filter(is_left) {
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
        if let Some((value, knowledge, _)) = own {
            // The own path may itself be the float's alone.
            let tag = self.paths.sided().filter(|tag| tag.1 == Side::Float);
            others.insert(0, Packed { tag, knowledge, value });
        }
        let Some(joined) = self.core.domain.join(&others, format, u32::MAX) else { return };
        if joined.is_partial || missing && matches!(key, Key::Cell(..)) {
            let why = "floats and reals that went apart did not come to the same places";
            self.core.observed.incomplete.insert(why.to_owned());
        }
        let own_error = match key {
            Key::Bounds(asked, ..) => self.core.observed.bounds.get(asked).map_or(0.0, |b| b.0.error.magnitude()),
            _ => 0.0,
        };
        // Where no way leads to another result than the errors of either do, the test is continuous.
        for &(test, jump) in joined.apart.iter().filter(|a| a.1 > MOST_CONTINUOUS * joined.together.max(own_error)) {
            let site = self.paths.sites.get(&test);
            if let Some(unstable) = site.and_then(|site| self.core.observed.unstable.get_mut(site)) {
                unstable.jump = unstable.jump.max(jump);
            }
        }
        match (key, own) {
            (Key::Cell(..), Some((_, _, cell))) => {
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
    pub(crate) fn result(&mut self, values: Vec<(Key, Vec<u8>)>) -> Vec<u8> {
        let own = paths::Result { tag: self.paths.sided(), knowledge: self.core.domain.knowledge(), values };
        let ended = &mut self.paths.sections[self.paths.ends_with.unwrap_or(1).saturating_sub(1)..];
        let mut all = vec![own];
        // It may go on from here, and bring the same again.
        all.extend(self.paths.asked.iter().cloned());
        ended.iter_mut().for_each(|s| all.append(&mut s.results));
        let observed = &mut self.core.observed;
        let paths = std::mem::take(&mut observed.paths);
        let incomplete = observed.incomplete.iter().cloned().collect::<Vec<_>>();
        let unstable: Vec<(u32, Unstable)> = observed.unstable.iter().map(|(s, u)| (*s, u.clone())).collect();
        // Those of paths before this one are known to who waits for it.
        let is_new = |t: &(&u64, &u32)| *t.0 >> 32 >= self.paths.number;
        let sites = self.paths.sites.iter().filter(is_new).map(|(&test, &site)| (test, site)).collect();
        let one_path = std::mem::take(&mut observed.one_path);
        let losses = std::mem::take(&mut observed.losses).into_iter().collect();
        paths::wire::write(&Handed { results: all, incomplete, unstable, losses, paths, one_path, sites })
    }

    /// At the end of the program: bounds that other paths came to.
    pub(super) fn join_bounds(&mut self) {
        let mut section =
            Section { results: std::mem::take(&mut self.paths.sections[0].results), knowledge: Vec::new() };
        if self.paths.side == Side::Float {
            section.results.extend(self.paths.asked.iter().cloned());
        }
        // These bounds are of all paths.
        self.core.domain.set_knowledge(&[]);
        let mut keys: Vec<Key> = section.results.iter().flat_map(|r| r.values.iter().map(|v| v.0.clone())).collect();
        keys.sort();
        keys.dedup();
        for key in keys.into_iter().filter(|k| matches!(k, Key::Bounds(..))) {
            self.join(&section, &key, None);
        }
    }
}
