//! What lies in the program's memory. A cell counts only while the program's bytes are still those that were stored.

use super::frames::Register;
use nonius_abi::Precision;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Cell<V> {
    pub format: Precision,
    pub register: Register<V>,
    /// Something that has no domain may have written here since: then what lies here now is as good as an input.
    pub is_overwritten: bool,
}

/// By address.
#[derive(Clone, Debug)]
pub struct Memory<V> {
    cells: BTreeMap<u64, Cell<V>>,
    /// The oldest are forgotten beyond this many, and the report says so.
    most: usize,
    pub forgotten: u64,
    /// What lay where since a path began and since each test whose paths have not met yet: as it was before the first change.
    logs: Vec<Log<V>>,
    /// What was read from outside, by its end; kept where that is uncertain.
    read: BTreeMap<u64, u64>,
}

/// By address; `None`: nothing lay there.
pub type Log<V> = BTreeMap<u64, Option<Cell<V>>>;

/// What is known of what was loaded.
pub enum Loaded<V> {
    Known(V),
    /// Nothing was ever stored there that has a domain.
    Nothing,
    /// Something was, and the program has something else there now.
    Changed,
}

impl<V: Clone> Memory<V> {
    pub fn new(most: usize) -> Memory<V> {
        Memory { cells: BTreeMap::new(), most, forgotten: 0, logs: Vec::new(), read: BTreeMap::new() }
    }

    /// From here on changes are noted anew, and those before are forgotten.
    pub fn log_from_here(&mut self) {
        self.logs = vec![Log::new()];
    }

    /// From here on changes are noted by themselves too. Returns the number of the log.
    pub fn begin_log(&mut self) -> usize {
        self.logs.push(Log::new());
        self.logs.len() - 1
    }

    /// A log goes, and what it has belongs to the one before it.
    pub fn end_log(&mut self, number: usize) {
        let log = self.logs.remove(number);
        if let Some(before) = number.checked_sub(1).and_then(|n| self.logs.get_mut(n)) {
            log.into_iter().for_each(|(at, old)| {
                before.entry(at).or_insert(old);
            });
        }
    }

    /// All that has changed since a log began.
    pub fn changed_since(&self, number: usize) -> Log<V> {
        let mut all = Log::new();
        for (at, old) in self.logs.iter().skip(number).flatten() {
            all.entry(*at).or_insert_with(|| old.clone());
        }
        all
    }

    pub fn cell(&self, address: u64) -> Option<&Cell<V>> {
        self.cells.get(&address).filter(|cell| !cell.is_overwritten)
    }

    fn note(&mut self, address: u64) {
        let cells = &self.cells;
        if let Some(log) = self.logs.last_mut() {
            log.entry(address).or_insert_with(|| cells.get(&address).cloned());
        }
    }

    fn put(&mut self, address: u64, cell: Cell<V>) {
        self.note(address);
        self.cells.insert(address, cell);
    }

    fn remove(&mut self, address: u64) {
        self.note(address);
        self.cells.remove(&address);
    }

    pub fn load(&self, address: u64, format: Precision, actual: f64) -> Loaded<V> {
        match self.cells.get(&address) {
            Some(cell) if cell.format == format && cell.register.actual.to_bits() == actual.to_bits() => {
                Loaded::Known(cell.register.value.clone())
            }
            Some(cell) if cell.is_overwritten => Loaded::Nothing,
            Some(_) => Loaded::Changed,
            None => Loaded::Nothing,
        }
    }

    pub fn store(&mut self, address: u64, format: Precision, register: Register<V>) {
        let bytes = u64::from(format.store_bytes());
        self.forget(address, bytes);
        if self.cells.len() >= self.most {
            self.forgotten += self.cells.len() as u64;
            self.clear();
        }
        self.put(address, Cell { format, register, is_overwritten: false });
    }

    /// Nothing is known of these bytes.
    pub fn forget(&mut self, address: u64, bytes: u64) {
        const WIDEST: u64 = 16;
        let from = address.saturating_sub(WIDEST - 1);
        let end = address.saturating_add(bytes);
        let touched: Vec<u64> = self
            .cells
            .range(from..end)
            .filter(|(at, cell)| *at + u64::from(cell.format.store_bytes()) > address)
            .map(|(at, _)| *at)
            .collect();
        for at in touched {
            self.remove(at);
        }
    }

    /// These bytes come from outside of the program.
    pub fn was_read(&mut self, address: u64, bytes: u64) {
        let end = self.read.entry(address).or_default();
        *end = address.saturating_add(bytes).max(*end);
    }

    /// Whether what lies there came from outside, and nothing of the program's since.
    pub fn is_read(&self, address: u64) -> bool {
        self.read.range(..=address).next_back().is_some_and(|(_, end)| *end > address)
    }

    /// Something is there of which nothing is known.
    pub fn lose(&mut self, address: u64, value: V) {
        if let Some(mut cell) = self.cells.get(&address).cloned() {
            cell.register.value = value;
            self.put(address, cell);
        }
    }

    /// Bytes move; from address 0 they come from something that has no domain.
    pub fn copy(&mut self, to: u64, from: u64, bytes: u64) {
        if from == 0 {
            // How far it wrote is not always known: a cell whose bytes are still the same stays.
            let end = to.saturating_add(bytes);
            let touched: Vec<u64> = self.cells.range(to.saturating_sub(15)..end).map(|(at, _)| *at).collect();
            for at in touched {
                self.note(at);
                if let Some(cell) = self.cells.get_mut(&at) {
                    cell.is_overwritten = true;
                }
            }
            return;
        }
        let end = from.saturating_add(bytes);
        let moved: Vec<(u64, Cell<V>)> = self.cells.range(from..end).map(|(at, cell)| (*at, cell.clone())).collect();
        self.forget(to, bytes);
        for (at, cell) in moved.into_iter().filter(|(at, c)| at + u64::from(c.format.store_bytes()) <= end) {
            self.put(to.wrapping_add(at - from), cell);
        }
    }

    pub fn clear(&mut self) {
        let all: Vec<u64> = self.cells.keys().copied().collect();
        all.into_iter().for_each(|at| self.remove(at));
    }
}
