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
}

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
        Memory { cells: BTreeMap::new(), most, forgotten: 0 }
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
            self.cells.clear();
        }
        self.cells.insert(address, Cell { format, register, is_overwritten: false });
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
            self.cells.remove(&at);
        }
    }

    /// Bytes move; from address 0 they come from something that has no domain.
    pub fn copy(&mut self, to: u64, from: u64, bytes: u64) {
        if from == 0 {
            // How far it wrote is not always known: a cell whose bytes are still the same stays.
            let end = to.saturating_add(bytes);
            let cells = self.cells.range_mut(to.saturating_sub(15)..end);
            return cells.for_each(|(_, cell)| cell.is_overwritten = true);
        }
        let end = from.saturating_add(bytes);
        let moved: Vec<(u64, Cell<V>)> = self.cells.range(from..end).map(|(at, cell)| (*at, cell.clone())).collect();
        self.forget(to, bytes);
        for (at, cell) in moved.into_iter().filter(|(at, c)| at + u64::from(c.format.store_bytes()) <= end) {
            self.cells.insert(to.wrapping_add(at - from), cell);
        }
    }

    pub fn clear(&mut self) {
        self.cells.clear();
    }
}
