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
//! The number of units is bounded: where none is left, the oldest pages are given up, and what they held restarts from
//! the program's values.

mod access;
mod copy;
mod room;
mod unit;

use crate::register::{Known, Register};
use nonius_abi::Precision;
use nonius_oracle::Oracle;
use room::Room;
use std::collections::VecDeque;
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

/// Entries of a table, and how many of them are not 0.
#[derive(Debug, FromZeros)]
struct Table {
    entries: [Entry; LOW],
    used: u32,
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
    tables: Box<[Option<Box<Table>>; HIGH]>,
    /// The numbers of the pages that have cells, oldest first.
    pages: VecDeque<u64>,
    units: Vec<Unit<S>>,
    room: Room,
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
        // A page that lies far from all others has a page of its table to itself.
        let unit = (Unit::<S>::BYTES_A_CELL as u64 + shadow_bytes) * CELLS as u64 + PAGE;
        let most = (most_bytes / unit).min(u64::from(Entry::MAX >> GRAIN_BITS));
        // As the kernel gives memory: what nobody looks at takes none.
        let tables = FromZeros::new_box_zeroed().expect("memory for a table");
        Memory { tables, pages: VecDeque::new(), units: Vec::new(), room: Room::new(most as usize), evicted: 0 }
    }

    #[inline(always)]
    fn entry(&self, number: u64) -> Option<Entry> {
        let table = self.tables.get((number >> LOW_BITS) as usize)?.as_ref()?;
        Some(table.entries[number as usize % LOW])
    }

    /// The cell of an address, if its page has cells.
    #[inline(always)]
    fn find(&self, address: u64) -> Option<Place> {
        let entry = self.entry(address / PAGE)?;
        (entry != 0).then(|| place(entry, address))
    }

    /// A double on a page that has held nothing shorter.
    #[inline(always)]
    fn find_double(&self, address: u64) -> Option<(usize, usize)> {
        let entry = self.entry(address / PAGE)?;
        let at = (address % PAGE) as usize >> DOUBLES;
        (entry % (1 << GRAIN_BITS) == DOUBLES).then_some(((entry >> GRAIN_BITS) as usize, at))
    }

    /// Whether something of this format was stored at the address.
    pub fn holds(&self, address: u64, format: Precision) -> bool {
        let found = self.find(address).and_then(|p| Some((p, self.units.get(p.unit)?)));
        found.is_some_and(|(p, unit)| unit.holds(p.at, tag(address, format, p.grain)))
    }

    /// Cells for a page, empty. The oldest pages go where there is no other room.
    fn take_units(&mut self, grain: u32) -> Entry {
        let first = loop {
            if let Some(first) = self.room.take(units_of(grain)) {
                break first;
            }
            self.evict();
        };
        if self.units.len() < self.room.units() {
            self.units.resize_with(self.room.units(), Unit::new);
        }
        (first as Entry) << GRAIN_BITS | grain
    }

    /// Makes a page for the address, empty. `false`: there can be none.
    fn page(&mut self, address: u64, grain: u32) -> bool {
        let number = address / PAGE;
        if (number >> LOW_BITS) as usize >= HIGH {
            return false;
        }
        let entry = self.take_units(grain);
        self.pages.push_back(number);
        self.set_entry(number, entry);
        true
    }

    /// Gives up the oldest page.
    #[cold]
    fn evict(&mut self) {
        let oldest = self.pages.pop_front().expect("there is room for a page, or one to give up");
        self.evicted += 1;
        let entry = self.entry(oldest).unwrap_or(0);
        self.set_entry(oldest, 0);
        self.units[Self::units_at(entry)].iter_mut().for_each(Unit::clear);
        self.room.give_back(Self::units_at(entry));
    }

    /// Tables are made with their first entry, and go with their last.
    fn set_entry(&mut self, number: u64, entry: Entry) {
        let place = &mut self.tables[(number >> LOW_BITS) as usize];
        let new = || Table::new_box_zeroed().expect("memory for a table");
        let table = place.get_or_insert_with(new);
        let old = std::mem::replace(&mut table.entries[number as usize % LOW], entry);
        table.used = table.used + u32::from(entry != 0) - u32::from(old != 0);
        if table.used == 0 {
            *place = None;
        }
    }

    fn units_at(entry: Entry) -> std::ops::Range<usize> {
        let first = (entry >> GRAIN_BITS) as usize;
        first..first + units_of(entry % (1 << GRAIN_BITS))
    }

    /// Smaller cells for the page of an address; what is held moves along.
    #[cold]
    fn refine<O: Oracle<Shadow = S>>(&mut self, address: u64, grain: u32, oracle: &mut O) {
        let number = address / PAGE;
        let Some(old) = self.entry(number).filter(|&entry| entry != 0) else { return };
        let new = self.take_units(grain);
        if self.entry(number) != Some(old) {
            // It was the oldest, and went to make room.
            self.pages.push_back(number);
            return self.set_entry(number, new);
        }
        self.set_entry(number, new);
        let mut moved = Register::new(oracle);
        let old_grain = old % (1 << GRAIN_BITS);
        for cell in 0..PAGE >> old_grain {
            let from = place(old, cell << old_grain);
            let Some((offset, format)) = self.units[from.unit].read(from.at, &mut moved, oracle) else { continue };
            self.store(number * PAGE + (cell << old_grain) + offset, format, &moved, oracle);
        }
        self.units[Self::units_at(old)].iter_mut().for_each(Unit::clear);
        self.room.give_back(Self::units_at(old));
    }

    /// Forgets everything, keeping the room.
    pub fn reset(&mut self) {
        self.units.iter_mut().for_each(Unit::clear);
    }

    /// As if it were new, but for what it has of the heap.
    pub fn begin_anew(&mut self) {
        while !self.pages.is_empty() {
            self.evict();
        }
        self.evicted = 0;
    }

    /// The numbers of nodes that are held.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.units.iter_mut().flat_map(Unit::nodes_mut)
    }

    /// What is held, for the values that nothing goes on from: page by page, in the order of addresses.
    pub fn entries(&self) -> impl Iterator<Item = (Place, &Head)> {
        let entries = self.pages.iter().filter_map(|&number| self.entry(number));
        let units = entries.flat_map(Self::units_at);
        units.flat_map(|unit| self.units[unit].all().map(move |(at, head)| (Place { unit, at, grain: 0 }, head)))
    }

    /// The shadow of a value, if it is not its own ideal.
    pub fn shadow(&self, place: Place) -> Option<&S> {
        self.units[place.unit].shadow(place.at)
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
    use nonius_oracle::{Dd, NoisyDd, NoisyResidue, Residue};

    fn register(value: f64, residue: f64) -> Register<NoisyResidue> {
        let shadow = NoisyResidue { residue, noise: 0.0 };
        Register { known: Known { residue, ..Known::outside(value) }, shadow }
    }

    fn memory() -> Memory<NoisyResidue> {
        Memory::new(1 << 20, 0)
    }

    #[test]
    fn numbers_of_nodes_can_be_changed() {
        let mut memory = memory();
        let mut with_node = register(1.0, 0.5);
        with_node.known.node = 7;
        memory.store(0x1000, Precision::Double, &with_node, &mut Residue);
        memory.store(0x1008, Precision::Double, &register(2.0, 0.0), &mut Residue);
        memory.nodes_mut().for_each(|node| *node += 1);
        let mut out = register(0.0, 0.0);
        assert!(memory.load(None, 0x1000, Precision::Double, 1.0, &mut out, &mut Residue));
        assert_eq!((out.known.node, out.known.residue), (8, 0.5));
        assert_eq!(memory.nodes_mut().count(), 1);
    }

    fn shadow(memory: &Memory<NoisyResidue>, address: u64, format: Precision, value: f64) -> Option<f64> {
        let mut out = register(f64::NAN, f64::NAN);
        memory.load(None, address, format, value, &mut out, &mut Residue).then_some(out.shadow.residue)
    }

    #[test]
    fn a_value_that_is_its_own_ideal_comes_back_as_it_was() {
        let mut m: Memory<NoisyDd> = Memory::new(1 << 20, 0);
        let dd = &mut nonius_oracle::DoubleDouble;
        let ideal = |hi, lo| NoisyDd { ideal: Dd { hi, lo }, noise: 0.0 };
        let exact = Known { site: 7, depth: 3, ..Known::outside(1.5) };
        let all = [
            (exact, ideal(1.5, 0.0), false),
            (Known { value: -0.0, ..exact }, ideal(-0.0, 0.0), false),
            (Known { value: f64::INFINITY, ..exact }, ideal(f64::INFINITY, 0.0), false),
            (exact, ideal(1.5, 1e-20), true),
            (exact, ideal(1.5, -0.0), true),
            (exact, NoisyDd { noise: 1e-30, ..ideal(1.5, 0.0) }, true),
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
            let bits = |x: NoisyDd| [x.ideal.hi, x.ideal.lo, x.noise].map(f64::to_bits);
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
        let four = |m: &Memory<NoisyResidue>, at, values: [f64; 4]| {
            let mut out = values.map(|_| register(f64::NAN, f64::NAN));
            let is_held = m.load_four(Avx2::find(), at, &values.map(f64::to_bits), &mut out, &mut Residue);
            assert!(
                !is_held
                    || out.iter().zip(values).all(|(out, v)| out.known.value == v && out.shadow.residue == v / 8.0)
            );
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
        let mut m: Memory<NoisyResidue> = Memory::new(1 << 22, 0);
        for page in 0..20u64 {
            let address = page * PAGE;
            m.store(address, Precision::Double, &register(1.0, 0.5), &mut Residue);
            m.store(address + 8, Precision::Float, &register(2.0, 0.0), &mut Residue);
            assert_eq!(shadow(&m, address, Precision::Double, 1.0), Some(0.5));
            assert_eq!(shadow(&m, address + 8, Precision::Float, 2.0), Some(0.0));
        }
        assert!(m.units.len() <= 44, "two a page, and those that the last one had: {}", m.units.len());
        let ideals: Vec<f64> = m.entries().map(|(place, _)| m.known(place).value + m.known(place).residue).collect();
        assert_eq!(ideals, [1.5, 2.0].repeat(20), "in the order of addresses");
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
    fn memory_is_bounded_whatever_is_stored() {
        use Precision::{Double, Float, Half};
        for formats in [[Double; 3], [Float; 3], [Half; 3], [Double, Float, Half], [Half, Float, Double]] {
            let mut m: Memory<NoisyResidue> = Memory::new(1 << 20, 0);
            let most = (1 << 20) / (Unit::<f64>::BYTES_A_CELL * CELLS + 4096);
            let pages = |at: u64| (0..1000u64).map(move |page| (at + page) * PAGE);
            for (i, format) in (0..).zip(formats) {
                for (address, residue) in pages(1 << (12 * i)).zip(0u16..) {
                    m.store(address, format, &register(1.0, f64::from(residue)), &mut Residue);
                    assert_eq!(shadow(&m, address, format, 1.0), Some(f64::from(residue)), "the newest is there");
                    // On every other page doubles first.
                    m.store(address + 64, Double, &register(2.0, 0.5), &mut Residue);
                }
            }
            assert!(m.units.len() <= most.next_multiple_of(4), "{formats:?}: {} units", m.units.len());
            assert!(m.evicted + m.pages.len() as u64 >= 3000);
            assert_eq!(shadow(&m, PAGE, formats[0], 1.0), None, "the oldest is not");
            let last: Vec<u64> = pages(1 << 24).skip(996).collect();
            assert!(last.iter().all(|&at| shadow(&m, at + 64, Double, 2.0) == Some(0.5)));
        }
    }

    #[test]
    fn pages_far_apart_leave_no_tables_behind() {
        let mut m: Memory<NoisyResidue> = Memory::new(1 << 20, 0);
        for far in 0..1000u64 {
            m.store(far << (12 + LOW_BITS), Precision::Double, &register(1.0, 0.5), &mut Residue);
        }
        let tables = m.tables.iter().filter(|table| table.is_some()).count();
        assert_eq!(tables, m.pages.len());
        assert!(tables < 64);
    }
}
