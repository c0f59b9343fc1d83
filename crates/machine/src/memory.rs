//! Shadow memory: by address, with a copy of the value as its validity.
//!
//! A page of the program has a page of cells once something was stored there: one a double, or one a
//! float or less after the first such store. What a cell holds counts for a load only if address,
//! format and value are those of the store, so whatever else wrote to the memory needs no notice.
//!
//! Two levels of tables, no hashing. The number of pages is bounded: beyond it the oldest page is taken,
//! and what it held restarts from the program's values.

use crate::register::{Known, Register};
use nonius_abi::Precision;
use nonius_oracle::Oracle;

const PAGE: u64 = 1 << 12;
/// Addresses have 47 bits in user space: 12 in the page, 17 and 18 above.
const LOW_BITS: u32 = 17;
const LOW: usize = 1 << LOW_BITS;
const HIGH: usize = 1 << 18;
const ABSENT: u32 = u32::MAX;

const EMPTY: u32 = u32::MAX;

#[derive(Debug)]
struct Page<S> {
    number: u64,
    /// Bytes a cell, as a power of two.
    grain: u32,
    /// A cell's address in the page and format; `EMPTY` if nothing is held. Apart from what is held, so that
    /// that begins with a cache line.
    tags: Vec<u32>,
    cells: Vec<Register<S>>,
}

impl<S> Page<S> {
    fn new<O: Oracle<Shadow = S>>(number: u64, grain: u32, oracle: &O) -> Page<S> {
        let count = (PAGE >> grain) as usize;
        let cells = (0..count).map(|_| Register::new(oracle)).collect();
        Page { number, grain, tags: vec![EMPTY; count], cells }
    }

    #[inline(always)]
    fn cell(&self, address: u64) -> usize {
        (address % PAGE) as usize >> self.grain
    }
}

#[derive(Debug)]
pub struct Memory<S> {
    tables: Vec<Option<Box<[u32; LOW]>>>,
    pages: Vec<Page<S>>,
    most_pages: usize,
    /// The page that is taken next when there are too many.
    oldest: usize,
    /// Pages that were given up.
    pub evicted: u64,
}

fn tag(address: u64, format: Precision) -> u32 {
    (address % PAGE) as u32 | (format as u32) << 12
}

/// The grain that a format needs: 8 bytes for doubles and wider, else 2 or 4.
fn grain(format: Precision) -> u32 {
    match format {
        Precision::Half | Precision::Bfloat => 1,
        Precision::Float => 2,
        _ => 3,
    }
}

impl<S> Memory<S> {
    /// `most_bytes` in all, where a cell's shadow takes `shadow_bytes` beyond its own size.
    pub fn new(most_bytes: u64, shadow_bytes: u64) -> Memory<S> {
        let cell = (size_of::<Register<S>>() + size_of::<u32>()) as u64 + shadow_bytes;
        let page = cell * (PAGE / 8);
        let tables = vec![None; HIGH];
        let most_pages = (most_bytes / page).clamp(16, u64::from(ABSENT) - 1) as usize;
        Memory { tables, pages: Vec::new(), most_pages, oldest: 0, evicted: 0 }
    }

    /// Where a page of cells is, or would be: `ABSENT` is beyond all.
    #[inline(always)]
    fn find(&self, address: u64) -> Option<usize> {
        let number = address / PAGE;
        let table = self.tables.get((number >> LOW_BITS) as usize)?.as_ref()?;
        Some(table[number as usize % LOW] as usize)
    }

    /// What was stored at the address, to be changed.
    pub fn cell(&mut self, address: u64, format: Precision) -> Option<&mut Register<S>> {
        let index = self.find(address)?;
        let page = self.pages.get_mut(index)?;
        let at = page.cell(address);
        let is_held = *page.tags.get(at)? == tag(address, format);
        page.cells.get_mut(at).filter(|_| is_held)
    }

    /// What was stored at the address, if it was this value.
    #[inline(always)]
    pub fn load(&self, address: u64, format: Precision, value: f64) -> Option<&Register<S>> {
        let page = self.pages.get(self.find(address)?)?;
        let at = page.cell(address);
        let register = page.cells.get(at)?;
        let is_held = *page.tags.get(at)? == tag(address, format);
        (is_held && register.known.value.to_bits() == value.to_bits()).then_some(register)
    }

    /// The same of four doubles in a row. `None` also if they lie on two pages.
    #[inline(always)]
    pub fn load_four(&self, address: u64, values: &[u64; 4]) -> Option<&[Register<S>; 4]> {
        let page = self.pages.get(self.find(address)?)?;
        let at = page.cell(address);
        let (tags, cells) = (page.tags.get(at..)?.first_chunk::<4>()?, page.cells.get(at..)?.first_chunk::<4>()?);
        let first = tag(address, Precision::Double);
        let mut is_held = page.grain == 3;
        for lane in 0..4 {
            is_held &= tags[lane] == first + 8 * lane as u32;
            is_held &= cells[lane].known.value.to_bits() == values[lane];
        }
        is_held.then_some(cells)
    }

    /// Where four doubles in a row go, if there is a page for them.
    #[inline(always)]
    pub fn cells_of_four(&mut self, address: u64) -> Option<&mut [Register<S>; 4]> {
        let index = self.find(address)?;
        let page = self.pages.get_mut(index).filter(|page| page.grain == 3)?;
        let at = page.cell(address);
        let tags = page.tags.get_mut(at..)?.first_chunk_mut::<4>()?;
        let cells = page.cells.get_mut(at..)?.first_chunk_mut::<4>()?;
        let first = tag(address, Precision::Double);
        *tags = [first, first + 8, first + 16, first + 24];
        Some(cells)
    }

    #[inline(always)]
    pub fn store<O: Oracle<Shadow = S>>(
        &mut self,
        address: u64,
        format: Precision,
        from: &Register<S>,
        oracle: &mut O,
    ) {
        let index = self.find(address).unwrap_or(ABSENT as usize);
        if self.pages.get(index).is_none_or(|page| page.grain > grain(format)) {
            return self.store_anew(address, format, from, oracle);
        }
        let Some(page) = self.pages.get_mut(index) else { return };
        let at = page.cell(address);
        let (Some(held), Some(cell)) = (page.tags.get_mut(at), page.cells.get_mut(at)) else { return };
        *held = tag(address, format);
        cell.copy_from(from, oracle);
    }

    /// A store to a page that is not there yet, or has cells that are too large.
    #[cold]
    #[inline(never)]
    fn store_anew<O: Oracle<Shadow = S>>(
        &mut self,
        address: u64,
        format: Precision,
        from: &Register<S>,
        oracle: &mut O,
    ) {
        let found = self.find(address).filter(|&index| index < self.pages.len());
        let Some(index) = found.or_else(|| self.page(address, oracle)) else { return };
        if self.pages[index].grain > grain(format) {
            self.refine(index, grain(format), oracle);
        }
        self.store(address, format, from, oracle);
    }

    /// A page for the address, empty.
    #[cold]
    fn page<O: Oracle<Shadow = S>>(&mut self, address: u64, oracle: &mut O) -> Option<usize> {
        let number = address / PAGE;
        let high = (number >> LOW_BITS) as usize;
        if high >= HIGH {
            return None;
        }
        let index = if self.pages.len() < self.most_pages {
            self.pages.push(Page::new(number, 3, oracle));
            self.pages.len() - 1
        } else {
            self.evict(number)
        };
        let new = || vec![ABSENT; LOW].into_boxed_slice().try_into().expect("as long as it says");
        let table = self.tables[high].get_or_insert_with(new);
        table[number as usize % LOW] = index as u32;
        Some(index)
    }

    fn evict(&mut self, number: u64) -> usize {
        let index = self.oldest;
        self.oldest = (self.oldest + 1) % self.pages.len();
        self.evicted += 1;
        let page = &mut self.pages[index];
        if let Some(table) = &mut self.tables[(page.number >> LOW_BITS) as usize] {
            table[page.number as usize % LOW] = ABSENT;
        }
        page.number = number;
        page.tags.fill(EMPTY);
        index
    }

    /// Smaller cells; what is held moves along.
    #[cold]
    fn refine<O: Oracle<Shadow = S>>(&mut self, index: usize, grain: u32, oracle: &O) {
        let page = &mut self.pages[index];
        let mut finer = Page::new(page.number, grain, oracle);
        for (&tag, cell) in page.tags.iter().zip(page.cells.drain(..)).filter(|(tag, _)| **tag != EMPTY) {
            let at = finer.cell(u64::from(tag));
            finer.tags[at] = tag;
            finer.cells[at] = cell;
        }
        *page = finer;
    }

    /// The program copied bytes: their shadows go with them. Ranges may overlap.
    pub fn copy<O: Oracle<Shadow = S>>(&mut self, to: u64, from: u64, bytes: u64, oracle: &mut O) {
        /// Beyond this, a length comes from a damaged stream.
        const MOST: u64 = 1 << 36;
        let (Some(end), Some(_)) = (from.checked_add(bytes), to.checked_add(bytes)) else { return };
        if to == from || bytes == 0 || bytes > MOST {
            return;
        }
        self.clear_unless(to, bytes, from, bytes);
        let mut aside = Register::new(oracle);
        // From the end if what is written lies above what is read.
        let backwards = to > from;
        let mut left = from..end;
        while !left.is_empty() {
            let address = if backwards { left.end - 1 } else { left.start };
            let page = self.find(address).and_then(|index| self.pages.get(index));
            // Nothing is held on this page: on to the next one.
            let reach = page.map_or(PAGE, |page| 1 << page.grain);
            let start = address / reach * reach;
            if backwards {
                left.end = start.max(from);
            } else {
                left.start = start.saturating_add(reach).min(end);
            }
            let Some(page) = page else { continue };
            let cell = page.cell(address);
            let Some((&held, register)) = page.tags.get(cell).zip(page.cells.get(cell)) else { continue };
            let Some(format) = Precision::from_u8((held >> 12) as u8).filter(|_| held != EMPTY) else { continue };
            let Some(at) = (address / PAGE * PAGE + u64::from(held) % PAGE).checked_sub(from) else { continue };
            if at % 2 == 0 && at + u64::from(format.store_bytes()) <= bytes {
                aside.copy_from(register, oracle);
                self.store(to + at, format, &aside, oracle);
            }
        }
    }

    /// Forgets what is held in a range, but for where it overlaps another.
    fn clear_unless(&mut self, start: u64, bytes: u64, kept: u64, kept_bytes: u64) {
        let mut address = start;
        while address < start + bytes {
            let end = (address / PAGE + 1).saturating_mul(PAGE).min(start + bytes);
            if let Some(page) = self.find(address).and_then(|index| self.pages.get_mut(index)) {
                let cells = page.cell(address)..=page.cell(end - 1);
                for tag in page.tags.get_mut(cells).into_iter().flatten() {
                    let at = address / PAGE * PAGE + u64::from(*tag) % PAGE;
                    let inside = *tag != EMPTY && (address..end).contains(&at);
                    if inside && !(kept..kept + kept_bytes).contains(&at) {
                        *tag = EMPTY;
                    }
                }
            }
            address = end;
        }
    }

    /// Forgets everything, keeping the room.
    pub fn reset(&mut self) {
        for page in &mut self.pages {
            page.tags.fill(EMPTY);
        }
    }

    pub fn held_mut(&mut self) -> impl Iterator<Item = &mut Known> {
        let cells = self.pages.iter_mut().flat_map(|p| p.tags.iter().zip(&mut p.cells));
        cells.filter(|(tag, _)| **tag != EMPTY).map(|(_, register)| &mut register.known)
    }

    /// What is held, for the values that nothing goes on from.
    pub fn held(&self) -> impl Iterator<Item = &Known> {
        let cells = self.pages.iter().flat_map(|p| p.tags.iter().zip(&p.cells));
        cells.filter(|(tag, _)| **tag != EMPTY).map(|(_, register)| &register.known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_oracle::Residue;

    fn register(value: f64, residue: f64) -> Register<f64> {
        Register { known: Known { residue, ..Known::outside(value) }, shadow: residue }
    }

    fn memory() -> Memory<f64> {
        Memory::new(1 << 20, 0)
    }

    fn shadow(memory: &Memory<f64>, address: u64, format: Precision, value: f64) -> Option<f64> {
        memory.load(address, format, value).map(|r| r.shadow)
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
        assert!(m.cells_of_four(0x1fe0).is_none(), "there is no page yet");
        m.store(0x1fe0, Precision::Double, &register(9.0, 0.9), &mut Residue);
        let cells = m.cells_of_four(0x1fe0).unwrap();
        cells.iter_mut().zip(values).for_each(|(cell, v)| *cell = register(v, v / 8.0));
        let four = |m: &Memory<f64>, at, values: [f64; 4]| m.load_four(at, &values.map(f64::to_bits)).is_some();
        assert!(four(&m, 0x1fe0, values));
        for (lane, value) in values.into_iter().enumerate() {
            assert_eq!(shadow(&m, 0x1fe0 + 8 * lane as u64, Precision::Double, value), Some(value / 8.0));
            let mut other = values;
            other[lane] = 0.5;
            assert!(!four(&m, 0x1fe0, other), "another value in lane {lane}");
        }
        assert!(!four(&m, 0x1fe4, values) && !four(&m, 0x2fe0, values));
        assert!(m.cells_of_four(0x1fe8).is_none(), "they would lie on two pages");
        m.store(0x1000, Precision::Float, &register(2.0, 0.2), &mut Residue);
        assert!(!four(&m, 0x1fe0, values) && m.cells_of_four(0x1fe0).is_none(), "cells are smaller now");
        assert_eq!(shadow(&m, 0x1ff8, Precision::Double, 4.0), Some(0.5));
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
