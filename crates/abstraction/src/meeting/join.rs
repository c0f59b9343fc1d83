//! What is left of the floats where paths meet: one value for each that any of them changed.

use super::{Open, bits_of, number_of};
use crate::domain::{Domain, Packed};
use crate::engine::Abstract;
use crate::frames::Register;
use crate::memory::{Cell, Log};
use crate::paths::{Key, Result};
use nonius_abi::Precision;
use nonius_machine::Look;
use nonius_zonotope::Side;
use std::collections::BTreeMap;

impl<D: Domain> Abstract<D> {
    /// All paths of a test have become one: what each left of the floats is joined.
    pub(crate) fn meet(&mut self, open: usize, look: &mut Look<'_>) {
        let test = self.meetings.open.remove(open);
        let changed = self.core.memory.changed_since(test.log);
        self.meet_in_memory(&test, &changed, look);
        self.meet_in_frame(&test);
        // What the paths have asked for holds for them alone; so does what the own one has, if float and real were apart.
        let own_tag = self.paths.tag.filter(|_| self.paths.side != Side::Both);
        if let Some(tag) = own_tag.filter(|_| self.paths.tag != test.tag) {
            let values = self.paths.asked.split_off(test.asked.min(self.paths.asked.len()));
            let knowledge = self.core.domain.knowledge();
            self.paths.sections[0].results.push(Result { tag: Some((tag, self.paths.side)), knowledge, values });
        }
        for path in test.paths {
            let values: Vec<_> = path.result.values.into_iter().filter(|v| matches!(v.0, Key::Bounds(..))).collect();
            if !values.is_empty() {
                self.paths.sections[0].results.push(Result { values, ..path.result });
            }
        }
        self.core.memory.end_log(test.log);
        self.core.domain.set_knowledge(&test.knowledge);
        (self.paths.side, self.paths.tag) = (test.side, test.tag);
        // Tests that are still open know no more than this now.
        for later in &mut self.meetings.open[open..] {
            later.log -= 1;
            later.knowledge.clone_from(&test.knowledge);
            (later.side, later.tag) = (test.side, test.tag);
        }
    }

    fn meet_in_memory(&mut self, test: &Open<D::Value>, changed: &Log<D::Value>, look: &mut Look<'_>) {
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
                self.core.memory.lose(at, self.core.domain.unknown());
                continue;
            }
            let bytes = format.store_bytes() as u8;
            let (bits, own) = self.float_at(None, at, format, look);
            let others: Vec<Vec<u8>> = test
                .paths
                .iter()
                .map(|path| match path.result.values.iter().find(|v| v.0 == Key::Cell(at, bytes)) {
                    Some((_, entry)) => entry.get(8..).unwrap_or_default().to_vec(),
                    None => self.before(changed.get(&at), path.id, at, format, look),
                })
                .collect();
            let Some(x) = number_of(bits, format) else { continue };
            let value = self.join_all(test, own, &others, format);
            self.core.memory.store(at, format, Register { actual: x, value });
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
    fn meet_at_return(&mut self, test: &Open<D::Value>) {
        let mut joined = Vec::new();
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
                Some(others) => self.join_all(test, packed, &others, Precision::Quad),
                None => self.core.domain.unknown(),
            };
            joined.push(Some(Register { actual: own.actual, value }));
        }
        if let Some(thread) = self.threads.get_mut(&self.thread) {
            thread.joined = Some(joined);
        }
    }

    fn meet_in_frame(&mut self, test: &Open<D::Value>) {
        if self.is_return() {
            return self.meet_at_return(test);
        }
        let mut slots = self.changed_slots(&test.frames);
        for (key, _) in test.paths.iter().flat_map(|p| &p.result.values) {
            if let Key::Slot(n) = key {
                slots.insert(*n);
            }
        }
        let Some(mut taken) = self.threads.remove(&self.thread) else { return };
        let depth = taken.frames.len().saturating_sub(1);
        taken.returned = None;
        if let Some(top) = taken.frames.last_mut() {
            top.pending = None;
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
                top.registers[n as usize] = others.map(|others| {
                    let packed = self.core.domain.pack(&own.value);
                    let value = self.join_all(test, packed, &others, Precision::Quad);
                    Register { actual: own.actual, value }
                });
            }
        }
        self.threads.insert(self.thread, taken);
    }

    fn join_all(&mut self, test: &Open<D::Value>, own: Vec<u8>, others: &[Vec<u8>], format: Precision) -> D::Value {
        let own_tag = self.paths.tag.filter(|_| self.paths.side != Side::Both && self.paths.tag != test.tag);
        let own_knowledge = self.core.domain.knowledge();
        let own_tag = own_tag.map(|tag| (tag, self.paths.side));
        let mut all = vec![Packed { tag: own_tag, knowledge: &own_knowledge, value: &own }];
        for (path, value) in test.paths.iter().zip(others) {
            // Those that were apart before the test still are.
            let tag = path.result.tag.filter(|t| Some(t.0) != test.tag || test.side == Side::Both);
            all.push(Packed { tag, knowledge: &path.result.knowledge, value });
        }
        if all.iter().all(|p| p.value == &own[..])
            && let Some(same) = self.core.domain.unpack(&own)
        {
            return same;
        }
        let Some(joined) = self.core.domain.join(None, &all, format, test.site) else {
            return self.core.domain.unknown();
        };
        if joined.is_partial {
            self.core
                .observed
                .incomplete
                .insert("floats and reals that went apart did not come to the same places".to_owned());
        }
        joined.value
    }
}
