//! Shadow memory: by address, with a copy of the value as its validity.
//!
//! A page of the program has cells once something was stored there: one a double, or one a float or less after the
//! first such store. What a cell holds counts for a load only if address, format and value are those of the store, so
//! whatever else wrote to the memory needs no notice.
//!
//! ```text
//!  address --two levels of tables--> first unit of cells, bytes a cell
//!  unit: 512 tags   what a cell holds: address and format, and whether it has a rest
//!        512 heads  value, site, depth: all there is of a value that is its own ideal
//!        rests      residue, shadow and where they came from: as many as errors were stored
//! ```
//! Most of what programs keep is their input, and has no error: memory that is never written takes no room.
//!
//! The number of pages is bounded: beyond it the oldest page is taken, and what it held restarts from the program's
//! values.

mod access;
mod copy;
mod unit;

use crate::register::{Known, Register};
use nonius_abi::Precision;
use nonius_oracle::Oracle;
use unit::{CELLS, Unit, tag};
use zerocopy::FromZeros;

pub use unit::Head;

const PAGE: u64 = 1 << 12;
/// Addresses have 47 bits in user space: 12 in the page, 17 and 18 above.
const LOW_BITS: u32 = 17;
const LOW: usize = 1 << LOW_BITS;
const HIGH: usize = 1 << 18;

/// Where the cells of a page are: 0 for nowhere, so that tables begin as the kernel gives memory.
type Entry = u32;
/// Of an entry, the bytes a cell, as a power of two; above, the first unit.
const GRAIN_BITS: u32 = 2;
/// The grain of a page that has held nothing shorter than a double.
const DOUBLES: u32 = 3;

#[derive(Clone, Copy, Debug)]
struct Page {
    number: u64,
    entry: Entry,
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    unit: usize,
    at: usize,
    grain: u32,
}

#[derive(Debug)]
pub struct Memory<S> {
    tables: Vec<Option<Box<[Entry; LOW]>>>,
    pages: Vec<Page>,
    units: Vec<Unit<S>>,
    /// Units that no page has.
    spare: Vec<usize>,
    most_pages: usize,
    /// The page that is taken next when there are too many.
    oldest: usize,
    /// Pages that were given up.
    pub evicted: u64,
}

/// The grain that a format needs: 8 bytes for doubles and wider, else 2 or 4.
#[inline(always)]
fn grain(format: Precision) -> u32 {
    match format {
        Precision::Half | Precision::Bfloat => 1,
        Precision::Float => 2,
        _ => DOUBLES,
    }
}

/// Units of a page.
fn units_of(grain: u32) -> usize {
    (PAGE >> grain) as usize / CELLS
}

/// The cell of an address in a page whose cells begin there.
#[inline(always)]
fn place(entry: Entry, address: u64) -> Place {
    let grain = entry % (1 << GRAIN_BITS);
    let cell = (address % PAGE) as usize >> grain;
    Place { unit: (entry >> GRAIN_BITS) as usize + cell / CELLS, at: cell % CELLS, grain }
}

impl<S> Memory<S> {
    /// `most_bytes` in all, where a cell's shadow takes `shadow_bytes` beyond its own size.
    pub fn new(most_bytes: u64, shadow_bytes: u64) -> Memory<S> {
        let page = (Unit::<S>::BYTES_A_CELL as u64 + shadow_bytes) * (PAGE / 8);
        let most_entries = u64::from(Entry::MAX >> GRAIN_BITS) / units_of(1) as u64;
        let most_pages = (most_bytes / page).clamp(16, most_entries) as usize;
        let tables = vec![None; HIGH];
        let (pages, units, spare) = (Vec::new(), Vec::new(), Vec::new());
        Memory { tables, pages, units, spare, most_pages, oldest: 0, evicted: 0 }
    }

    /// The cell of an address, if its page has cells.
    #[inline(always)]
    fn find(&self, address: u64) -> Option<Place> {
        let number = address / PAGE;
        let table = self.tables.get((number >> LOW_BITS) as usize)?.as_ref()?;
        let entry = table[number as usize % LOW];
        (entry != 0).then(|| place(entry, address))
    }

    /// A double on a page that has held nothing shorter.
    #[inline(always)]
    fn find_double(&self, address: u64) -> Option<(usize, usize)> {
        let number = address / PAGE;
        let table = self.tables.get((number >> LOW_BITS) as usize)?.as_ref()?;
        let entry = table[number as usize % LOW];
        let at = (address % PAGE) as usize >> DOUBLES;
        (entry % (1 << GRAIN_BITS) == DOUBLES).then_some(((entry >> GRAIN_BITS) as usize, at))
    }

    /// Whether something of this format was stored at the address.
    pub fn holds(&self, address: u64, format: Precision) -> bool {
        let found = self.find(address).and_then(|p| Some((p, self.units.get(p.unit)?)));
        found.is_some_and(|(p, unit)| unit.holds(p.at, tag(address, format, p.grain)))
    }

    /// Cells for a page, empty.
    fn take_units(&mut self, grain: u32, page: usize) -> Entry {
        let count = units_of(grain);
        let spare = self.spare.pop_if(|_| count == 1);
        let first = spare.unwrap_or(self.units.len());
        if spare.is_none() {
            self.units.extend((0..count).map(|_| Unit::new()));
        }
        self.units[first].page = page;
        (first as Entry) << GRAIN_BITS | grain
    }

    /// Makes a page for the address, empty. `false`: there can be none.
    fn page(&mut self, address: u64, grain: u32) -> bool {
        let number = address / PAGE;
        let high = (number >> LOW_BITS) as usize;
        if high >= HIGH {
            return false;
        }
        let entry = if self.pages.len() < self.most_pages {
            let entry = self.take_units(grain, self.pages.len());
            self.pages.push(Page { number, entry });
            entry
        } else {
            self.evict(number)
        };
        let new = || <[Entry; LOW]>::new_box_zeroed().expect("memory for a table");
        self.tables[high].get_or_insert_with(new)[number as usize % LOW] = entry;
        true
    }

    /// The oldest page becomes that of another number.
    fn evict(&mut self, number: u64) -> Entry {
        let index = self.oldest;
        self.oldest = (self.oldest + 1) % self.pages.len();
        self.evicted += 1;
        let old = std::mem::replace(&mut self.pages[index].number, number);
        self.set_entry(old, 0);
        self.clear(self.pages[index].entry);
        self.pages[index].entry
    }

    fn set_entry(&mut self, number: u64, entry: Entry) {
        if let Some(table) = &mut self.tables[(number >> LOW_BITS) as usize] {
            table[number as usize % LOW] = entry;
        }
    }

    fn units_at(entry: Entry) -> std::ops::Range<usize> {
        let first = (entry >> GRAIN_BITS) as usize;
        first..first + units_of(entry % (1 << GRAIN_BITS))
    }

    /// Forgets what a page holds.
    fn clear(&mut self, entry: Entry) {
        self.units[Self::units_at(entry)].iter_mut().for_each(Unit::clear);
    }

    /// Smaller cells for the page of an address; what is held moves along.
    #[cold]
    fn refine<O: Oracle<Shadow = S>>(&mut self, address: u64, grain: u32, oracle: &mut O) {
        let number = address / PAGE;
        let Some(first) = self.find(number * PAGE) else { return };
        let index = self.units[first.unit].page;
        let new = self.take_units(grain, index);
        let old = std::mem::replace(&mut self.pages[index].entry, new);
        self.set_entry(number, new);
        let mut moved = Register::new(oracle);
        let old_grain = old % (1 << GRAIN_BITS);
        for cell in 0..PAGE >> old_grain {
            let from = place(old, cell << old_grain);
            let Some((offset, format)) = self.units[from.unit].read(from.at, &mut moved, oracle) else { continue };
            self.store(number * PAGE + (cell << old_grain) + offset, format, &moved, oracle);
        }
        self.units[Self::units_at(old)].iter_mut().for_each(Unit::retire);
        self.spare.extend(Self::units_at(old));
    }

    /// Forgets everything, keeping the room.
    pub fn reset(&mut self) {
        self.units.iter_mut().for_each(Unit::clear);
    }

    /// The numbers of nodes that are held.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.units.iter_mut().flat_map(Unit::nodes_mut)
    }

    /// What is held, for the values that nothing goes on from: page by page, in the order of addresses.
    pub fn held(&self) -> impl Iterator<Item = (Place, &Head)> {
        let units = self.pages.iter().flat_map(|page| Self::units_at(page.entry));
        units.flat_map(|unit| self.units[unit].all().map(move |(at, head)| (Place { unit, at, grain: 0 }, head)))
    }

    /// What is known of a value that is held.
    pub fn known(&self, place: Place) -> Known {
        self.units[place.unit].known(place.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk_four::Avx2;
    use nonius_oracle::Residue;

    fn register(value: f64, residue: f64) -> Register<f64> {
        Register { known: Known { residue, ..Known::outside(value) }, shadow: residue }
    }

    fn memory() -> Memory<f64> {
        Memory::new(1 << 20, 0)
    }

    #[test]
    fn numbers_of_nodes_can_be_changed() {
        let mut memory = memory();
        let with_node = Register { known: Known { node: 7, ..register(1.0, 0.5).known }, shadow: 0.5 };
        memory.store(0x1000, Precision::Double, &with_node, &mut Residue);
        memory.store(0x1008, Precision::Double, &register(2.0, 0.0), &mut Residue);
        memory.nodes_mut().for_each(|node| *node += 1);
        let mut out = register(0.0, 0.0);
        assert!(memory.load(None, 0x1000, Precision::Double, 1.0, &mut out, &mut Residue));
        assert_eq!((out.known.node, out.known.residue), (8, 0.5));
        assert_eq!(memory.nodes_mut().count(), 1);
    }

    fn shadow(memory: &Memory<f64>, address: u64, format: Precision, value: f64) -> Option<f64> {
        let mut out = register(f64::NAN, f64::NAN);
        memory.load(None, address, format, value, &mut out, &mut Residue).then_some(out.shadow)
    }

    #[test]
    fn a_value_that_is_its_own_ideal_comes_back_as_it_was() {
        let mut m: Memory<nonius_oracle::Dd> = Memory::new(1 << 20, 0);
        let dd = &mut nonius_oracle::DoubleDouble;
        let ideal = |hi, lo| nonius_oracle::Dd { hi, lo };
        let exact = Known { site: 7, depth: 3, ..Known::outside(1.5) };
        let all = [
            (exact, ideal(1.5, 0.0), false),
            (Known { value: -0.0, ..exact }, ideal(-0.0, 0.0), false),
            (Known { value: f64::INFINITY, ..exact }, ideal(f64::INFINITY, 0.0), false),
            (exact, ideal(1.5, 1e-20), true),
            (exact, ideal(1.5, -0.0), true),
            (Known { residue: -0.0, ..exact }, ideal(1.5, 0.0), true),
            (Known { node: 9, ..exact }, ideal(1.5, 0.0), true),
            (Known { cancelled: 9 << 32, ..exact }, ideal(1.5, 0.0), true),
        ];
        for (i, (known, shadow, has_rest)) in all.into_iter().enumerate() {
            let address = 0x1000 * (i as u64 + 1);
            m.store(address, Precision::Double, &Register { known, shadow }, dd);
            let mut out = Register { known: Known::NOTHING, shadow: ideal(9.0, 9.0) };
            assert!(m.load(Avx2::find(), address, Precision::Double, known.value, &mut out, dd));
            let words = |k: Known| -> [u64; 5] { zerocopy::transmute!(k) };
            assert_eq!(words(out.known), words(known), "{i}");
            let bits = |x: nonius_oracle::Dd| [x.hi, x.lo].map(f64::to_bits);
            assert_eq!(bits(out.shadow), bits(shadow), "{i}");
            assert_eq!(!m.units[i].rests.is_empty(), has_rest, "{i}");
        }
    }

    #[test]
    fn a_shadow_counts_only_for_its_own_value() {
        let mut m = memory();
        m.store(0x7fff_0000_1000, Precision::Double, &register(1.5, 0.25), &mut Residue);
        assert_eq!(shadow(&m, 0x7fff_0000_1000, Precision::Double, 1.5), Some(0.25));
        assert_eq!(shadow(&m, 0x7fff_0000_1000, Precision::Double, 1.25), None);
        assert_eq!(shadow(&m, 0x7fff_0000_1000, Precision::Float, 1.5), None);
        assert_eq!(shadow(&m, 0x7fff_0000_1004, Precision::Double, 1.5), None);
        assert_eq!(shadow(&m, u64::MAX - 3, Precision::Double, 1.5), None);
        m.store(u64::MAX - 3, Precision::Double, &register(1.5, 0.25), &mut Residue);
    }

    #[test]
    fn floats_and_doubles_share_a_page() {
        let mut m = memory();
        m.store(0x1008, Precision::Double, &register(1.0, 0.1), &mut Residue);
        m.store(0x1010, Precision::Float, &register(2.0, 0.2), &mut Residue);
        m.store(0x1014, Precision::Float, &register(3.0, 0.3), &mut Residue);
        m.store(0x1018, Precision::Half, &register(4.0, 0.4), &mut Residue);
        m.store(0x101a, Precision::Half, &register(5.0, 0.5), &mut Residue);
        let found =
            [(0x1008, Precision::Double, 1.0), (0x1010, Precision::Float, 2.0), (0x1014, Precision::Float, 3.0)];
        for (address, format, value) in found {
            assert!(shadow(&m, address, format, value).is_some(), "{address:x}");
        }
        assert_eq!(shadow(&m, 0x101a, Precision::Half, 5.0), Some(0.5));
    }

    #[test]
    fn four_doubles_in_a_row_are_found_if_all_are() {
        let mut m = memory();
        let values = [1.0f64, 2.0, 3.0, 4.0];
        let registers = values.map(|v| register(v, v / 8.0));
        assert!(!m.store_four(0x1fe0, &registers, &mut Residue), "there is no page yet");
        m.store(0x1fe0, Precision::Double, &register(9.0, 0.0), &mut Residue);
        assert!(!m.store_four(0x1fe0, &registers, &mut Residue), "there is no room for errors yet");
        m.store(0x1ff8, Precision::Double, &register(9.0, 0.9), &mut Residue);
        assert!(m.store_four(0x1fe0, &registers, &mut Residue));
        let four = |m: &Memory<f64>, at, values: [f64; 4]| {
            let mut out = values.map(|_| register(f64::NAN, f64::NAN));
            let is_held = m.load_four(Avx2::find(), at, &values.map(f64::to_bits), &mut out, &mut Residue);
            assert!(!is_held || out.iter().zip(values).all(|(out, v)| out.known.value == v && out.shadow == v / 8.0));
            is_held
        };
        assert!(four(&m, 0x1fe0, values));
        for (lane, value) in values.into_iter().enumerate() {
            assert_eq!(shadow(&m, 0x1fe0 + 8 * lane as u64, Precision::Double, value), Some(value / 8.0));
            let mut other = values;
            other[lane] = 0.5;
            assert!(!four(&m, 0x1fe0, other), "another value in lane {lane}");
        }
        assert!(!four(&m, 0x1fe4, values) && !four(&m, 0x2fe0, values));
        assert!(!m.store_four(0x1fe8, &registers, &mut Residue), "they would lie on two pages");
        m.store(0x1000, Precision::Float, &register(2.0, 0.2), &mut Residue);
        assert!(!four(&m, 0x1fe0, values), "cells are smaller now");
        assert!(!m.store_four(0x1fe0, &registers, &mut Residue), "and so no place for four in a row");
        assert_eq!(shadow(&m, 0x1ff8, Precision::Double, 4.0), Some(0.5));
    }

    #[test]
    fn cells_of_a_page_that_has_smaller_ones_now_go_to_another() {
        let mut m = memory();
        for page in 0..20u64 {
            let address = page * PAGE;
            m.store(address, Precision::Double, &register(1.0, 0.5), &mut Residue);
            m.store(address + 8, Precision::Float, &register(2.0, 0.0), &mut Residue);
            assert_eq!(shadow(&m, address, Precision::Double, 1.0), Some(0.5));
            assert_eq!(shadow(&m, address + 8, Precision::Float, 2.0), Some(0.0));
        }
        assert_eq!((m.units.len(), m.spare.len()), (41, 1));
        let held: Vec<f64> = m.held().map(|(place, _)| m.known(place).ideal()).collect();
        assert_eq!(held, [1.5, 2.0].repeat(20), "in the order of addresses");
    }

    #[test]
    fn copies_overlap() {
        for (to, from) in [(0x2008u64, 0x2000u64), (0x2000, 0x2008), (0x5000, 0x2000), (0x2ff8, 0x2000)] {
            let mut m = memory();
            for i in 0..8 {
                m.store(from + 8 * i, Precision::Double, &register(i as f64, 10.0 + i as f64), &mut Residue);
            }
            m.copy(to, from, 64, &mut Residue);
            for i in 0..8 {
                assert_eq!(shadow(&m, to + 8 * i, Precision::Double, i as f64), Some(10.0 + i as f64), "{to:x} {i}");
            }
        }
        let mut m = memory();
        m.store(0x3000, Precision::Double, &register(7.0, 1.0), &mut Residue);
        m.copy(0x3000, 0x9000, 8, &mut Residue);
        assert_eq!(shadow(&m, 0x3000, Precision::Double, 7.0), None, "overwritten by what has no shadow");
    }

    #[test]
    fn copies_by_cells_are_those_by_values() {
        // The same bytes 8 further on, and one byte too few or too many for what lies at the end.
        for (to, bytes) in [(0x9000u64, 0x1810u64), (0x8ff8, 0x1810), (0x9000, 0x180c), (0x1800, 0x700), (0xfff0, 24)] {
            let mut m = memory();
            for i in (0..0x1810 / 8).filter(|i| i % 3 != 0) {
                let residue = if i % 2 == 0 { 0.0 } else { 0.5 };
                m.store(0x1000 + 8 * i, Precision::Double, &register(i as f64, residue), &mut Residue);
                m.store(to + 8 * i, Precision::Double, &register(-1.0, 0.25), &mut Residue);
            }
            m.store(0x1024, Precision::Double, &register(0.5, 0.125), &mut Residue);
            let before: Vec<_> =
                (0..bytes).map(|at| shadow(&m, 0x1000 + at, Precision::Double, at as f64 / 8.0)).collect();
            m.copy(to, 0x1000, bytes, &mut Residue);
            for at in 0..bytes {
                let is_whole = at + 8 <= bytes;
                let expected = before[at as usize].filter(|_| is_whole);
                assert_eq!(shadow(&m, to + at, Precision::Double, at as f64 / 8.0), expected, "{to:x} {at:x}");
                assert_eq!(shadow(&m, to + at, Precision::Double, -1.0), None, "{to:x} {at:x}");
            }
            assert_eq!(shadow(&m, to + 0x24, Precision::Double, 0.5), Some(0.125).filter(|_| bytes >= 0x2c));
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut m: Memory<f64> = Memory::new(0, 0);
        for page in 0..100u64 {
            m.store(page * PAGE, Precision::Double, &register(1.0, page as f64), &mut Residue);
        }
        assert_eq!((m.pages.len(), m.evicted), (16, 84));
        assert_eq!(shadow(&m, 99 * PAGE, Precision::Double, 1.0), Some(99.0));
        assert_eq!(shadow(&m, 0, Precision::Double, 1.0), None);
    }
}
