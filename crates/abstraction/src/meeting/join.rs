//! What is left of the floats where paths meet: one value for each that any of them changed.

use super::{Open, bits_of, number_of};
use crate::domain::{Domain, Packed};
use crate::engine::Abstract;
use crate::frames::Register;
use crate::memory::{Cell, Log};
use crate::paths::Key;
use nonius_abi::Precision;
use nonius_machine::Look;
use nonius_zonotope::Side;
use std::collections::BTreeMap;

/// The path that goes on, as it came to where all meet.
struct Own {
    knowledge: Vec<u8>,
    tag: Option<(u64, Side)>,
}

/// A float where paths meet.
enum Place {
    Memory(u64, Precision),
    Slot(usize),
    Returned,
}

/// What is left of the floats.
struct Left<V> {
    all: Vec<(Place, Option<Register<V>>)>,
    /// A float or a real that went apart has no partner.
    is_partial: bool,
}

impl<D: Domain> Abstract<D> {
    /// All paths of a test become one: what each left of the floats is joined.
    pub(crate) fn meet(&mut self, open: usize, look: &mut Look<'_>) {
        let test = self.meetings.open.remove(open);
        let changed = self.core.memory.changed_since(test.log);
        // What is joined holds for all paths, so it must not be bounded by what the own one knows.
        let own_knowledge = self.core.domain.knowledge();
        self.core.domain.set_knowledge(&test.knowledge);
        let own_tag = self.paths.tag.filter(|_| self.paths.side != Side::Both && self.paths.tag != test.tag);
        let own = Own { knowledge: own_knowledge, tag: own_tag.map(|tag| (tag, self.paths.side)) };
        let mut left = Left { all: Vec::new(), is_partial: false };
        self.meet_in_memory(&test, &own, &changed, look, &mut left);
        self.meet_in_frame(&test, &own, &mut left);
        self.settle(left);
        let others = test.paths.iter().map(|p| &p.result.knowledge[..]);
        let all: Vec<&[u8]> = others.chain([&own.knowledge[..]]).collect();
        self.core.domain.gather(&all);
        // What the own path has asked for while float and real were apart holds for it alone.
        if own.tag.is_some() {
            let asked = self.paths.asked.split_off(test.asked.min(self.paths.asked.len()));
            self.paths.sections[0].results.extend(asked);
        }
        self.core.memory.end_log(test.log);
        (self.paths.side, self.paths.tag, self.core.side) = (test.side, test.tag, test.side);
        // Tests that are still open know no more than this now.
        for later in &mut self.meetings.open[open..] {
            later.log -= 1;
            later.knowledge.clone_from(&test.knowledge);
            (later.side, later.tag) = (test.side, test.tag);
        }
    }

    /// This process has what all of them left.
    fn settle(&mut self, left: Left<D::Value>) {
        if left.is_partial {
            let why = "floats and reals that went apart did not come to the same places";
            self.core.observed.incomplete.insert(why.to_owned());
        }
        let is_return = self.is_return();
        let Some(thread) = self.threads.get_mut(&self.thread) else { return };
        if !is_return {
            thread.returned = None;
            thread.frames.iter_mut().next_back().into_iter().for_each(|top| top.pending = None);
        }
        let mut returned = Vec::new();
        for (place, register) in left.all {
            match (place, register) {
                (Place::Memory(at, format), Some(register)) => self.core.memory.store(at, format, register),
                (Place::Memory(at, _), None) => self.core.memory.lose(at, self.core.domain.unknown()),
                (Place::Slot(n), register) => {
                    if let Some(slot) = thread.frames.last_mut().and_then(|top| top.registers.get_mut(n)) {
                        *slot = register;
                    }
                }
                (Place::Returned, register) => returned.push(register),
            }
        }
        if is_return {
            thread.joined = Some(returned);
        }
    }

    fn meet_in_memory(
        &mut self,
        test: &Open<D::Value>,
        own: &Own,
        changed: &Log<D::Value>,
        look: &mut Look<'_>,
        left: &mut Left<D::Value>,
    ) {
        let mut all: BTreeMap<u64, Precision> = BTreeMap::new();
        for (&at, old) in changed {
            if let Some(cell) = self.core.memory.cell(at).or(old.as_ref()) {
                all.insert(at, cell.format);
            }
        }
        for (key, _) in test.paths.iter().flat_map(|p| &p.result.values) {
            if let Key::Cell(at, bytes) = key {
                let format = if *bytes == 4 { Precision::Float } else { Precision::Double };
                all.entry(*at).or_insert(format);
            }
        }
        for (at, format) in all {
            if !matches!(format, Precision::Float | Precision::Double) {
                left.all.push((Place::Memory(at, format), None));
                continue;
            }
            let bytes = format.store_bytes() as u8;
            let (bits, packed) = self.float_at(None, at, format, look);
            let others: Vec<Vec<u8>> = test
                .paths
                .iter()
                .map(|path| match path.result.values.iter().find(|v| v.0 == Key::Cell(at, bytes)) {
                    Some((_, entry)) => entry.get(8..).unwrap_or_default().to_vec(),
                    None => self.before(changed.get(&at), path.id, at, format, look),
                })
                .collect();
            let Some(x) = number_of(bits, format) else { continue };
            let value = self.join_all(test, own, &packed, &others, format, left);
            left.all.push((Place::Memory(at, format), Some(Register { actual: x, value })));
        }
    }

    /// What a path has where only the own one wrote: what was there at the test.
    fn before(
        &mut self,
        old: Option<&Option<Cell<D::Value>>>,
        path: u64,
        at: u64,
        format: Precision,
        look: &mut Look<'_>,
    ) -> Vec<u8> {
        let raw = look(Some(path), at, format.store_bytes() as usize).unwrap_or(u64::MAX);
        let value = match old {
            // Another path wrote it, and neither this one nor the own.
            None => match self.core.memory.cell(at) {
                Some(cell) => cell.register.value.clone(),
                None => self.lifted(raw, format),
            },
            Some(Some(cell)) if cell.format == format && bits_of(cell.register.actual, format) == Some(raw) => {
                cell.register.value.clone()
            }
            Some(Some(_)) => self.core.domain.unknown(),
            Some(None) => self.lifted(raw, format),
        };
        self.core.domain.pack(&value)
    }

    /// What the function returns, whichever way it does.
    fn meet_at_return(&mut self, test: &Open<D::Value>, own_path: &Own, left: &mut Left<D::Value>) {
        for (n, own) in self.returned().into_iter().enumerate() {
            let others: Option<Vec<Vec<u8>>> = test
                .paths
                .iter()
                .map(|path| {
                    let found = path.result.values.iter().find(|v| v.0 == Key::Slot(n as u32));
                    found.and_then(|(_, entry)| entry.get(8..)).map(<[u8]>::to_vec)
                })
                .collect();
            let packed = self.core.domain.pack(&own.value);
            let value = match others {
                Some(others) => self.join_all(test, own_path, &packed, &others, Precision::Quad, left),
                None => self.core.domain.unknown(),
            };
            left.all.push((Place::Returned, Some(Register { actual: own.actual, value })));
        }
    }

    fn meet_in_frame(&mut self, test: &Open<D::Value>, own_path: &Own, left: &mut Left<D::Value>) {
        if self.is_return() {
            return self.meet_at_return(test, own_path, left);
        }
        let mut slots = self.changed_slots(&test.frames);
        for (key, _) in test.paths.iter().flat_map(|p| &p.result.values) {
            if let Key::Slot(n) = key {
                slots.insert(*n);
            }
        }
        let Some(taken) = self.threads.remove(&self.thread) else { return };
        let depth = taken.frames.len().saturating_sub(1);
        if let Some(top) = taken.frames.last() {
            let was = test.frames.get(depth).filter(|f| f.key == top.key && f.function == top.function);
            for n in slots {
                let Some(own) = top.registers.get(n as usize).cloned().flatten() else { continue };
                let others: Option<Vec<Vec<u8>>> = test
                    .paths
                    .iter()
                    .map(|path| match path.result.values.iter().find(|v| v.0 == Key::Slot(n)) {
                        Some((_, entry)) => entry.get(8..).map(<[u8]>::to_vec),
                        None => {
                            let was = was.and_then(|f| f.registers.get(n as usize)).cloned().flatten()?;
                            Some(self.core.domain.pack(&was.value))
                        }
                    })
                    .collect();
                let joined = others.map(|others| {
                    let packed = self.core.domain.pack(&own.value);
                    let value = self.join_all(test, own_path, &packed, &others, Precision::Quad, left);
                    Register { actual: own.actual, value }
                });
                left.all.push((Place::Slot(n as usize), joined));
            }
        }
        self.threads.insert(self.thread, taken);
    }

    fn join_all(
        &mut self,
        test: &Open<D::Value>,
        own: &Own,
        packed: &[u8],
        others: &[Vec<u8>],
        format: Precision,
        left: &mut Left<D::Value>,
    ) -> D::Value {
        let mut all = vec![Packed { tag: own.tag, knowledge: &own.knowledge, value: packed }];
        for (path, value) in test.paths.iter().zip(others) {
            // Those that were apart before the test still are.
            let tag = path.result.tag.filter(|t| Some(t.0) != test.tag || test.side == Side::Both);
            all.push(Packed { tag, knowledge: &path.result.knowledge, value });
        }
        if all.iter().all(|p| p.value == packed)
            && let Some(same) = self.core.domain.unpack(packed)
        {
            return same;
        }
        let Some(joined) = self.core.domain.join(&all, format, test.site) else {
            return self.core.domain.unknown();
        };
        left.is_partial |= joined.is_partial;
        joined.value
    }
}
