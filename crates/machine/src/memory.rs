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

#[derive(Debug)]
struct Cell<S> {
    /// Address in the page and format; `EMPTY` if nothing is held.
    tag: u32,
    register: Register<S>,
}

const EMPTY: u32 = u32::MAX;

#[derive(Debug)]
struct Page<S> {
    number: u64,
    /// Bytes a cell, as a power of two.
    grain: u32,
    cells: Vec<Cell<S>>,
}

#[derive(Debug)]
pub struct Memory<S> {
    tables: Vec<Option<Box<[u32]>>>,
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
        let cell = size_of::<Cell<S>>() as u64 + shadow_bytes;
        let page = cell * (PAGE / 8);
        let tables = (0..HIGH).map(|_| None).collect();
        let most_pages = (most_bytes / page).clamp(16, u64::from(ABSENT) - 1) as usize;
        Memory { tables, pages: Vec::new(), most_pages, oldest: 0, evicted: 0 }
    }

    #[inline(always)]
    fn find(&self, address: u64) -> Option<usize> {
        let number = address / PAGE;
        let table = self.tables.get((number >> LOW_BITS) as usize)?.as_ref()?;
        let index = table[number as usize % LOW];
        (index != ABSENT).then_some(index as usize)
    }

    /// What was stored at the address, to be changed.
    pub fn cell(&mut self, address: u64, format: Precision) -> Option<&mut Register<S>> {
        let index = self.find(address)?;
        let page = &mut self.pages[index];
        let cell = page.cells.get_mut((address % PAGE) as usize >> page.grain)?;
        (cell.tag == tag(address, format)).then_some(&mut cell.register)
    }

    /// What was stored at the address, if it was this value.
    #[inline(always)]
    pub fn load(&self, address: u64, format: Precision, value: f64) -> Option<&Register<S>> {
        let page = &self.pages[self.find(address)?];
        let cell = page.cells.get((address % PAGE) as usize >> page.grain)?;
        let same = cell.tag == tag(address, format) && cell.register.known.value.to_bits() == value.to_bits();
        same.then_some(&cell.register)
    }

    #[inline(always)]
    pub fn store<O: Oracle<Shadow = S>>(
        &mut self,
        address: u64,
        format: Precision,
        from: &Register<S>,
        oracle: &mut O,
    ) {
        let index = match self.find(address) {
            Some(index) => index,
            None => match self.page(address, oracle) {
                Some(index) => index,
                None => return,
            },
        };
        if self.pages[index].grain > grain(format) {
            self.refine(index, grain(format), oracle);
        }
        let page = &mut self.pages[index];
        let Some(cell) = page.cells.get_mut((address % PAGE) as usize >> page.grain) else { return };
        cell.tag = tag(address, format);
        cell.register.copy_from(from, oracle);
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
            let cells = (0..PAGE / 8).map(|_| Cell { tag: EMPTY, register: Register::new(oracle) }).collect();
            self.pages.push(Page { number, grain: 3, cells });
            self.pages.len() - 1
        } else {
            self.evict(number)
        };
        let table = self.tables[high].get_or_insert_with(|| vec![ABSENT; LOW].into_boxed_slice());
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
        page.cells.iter_mut().for_each(|cell| cell.tag = EMPTY);
        index
    }

    /// Smaller cells; what is held moves along.
    #[cold]
    fn refine<O: Oracle<Shadow = S>>(&mut self, index: usize, grain: u32, oracle: &O) {
        let page = &mut self.pages[index];
        let mut cells: Vec<Cell<S>> =
            (0..PAGE >> grain).map(|_| Cell { tag: EMPTY, register: Register::new(oracle) }).collect();
        for cell in page.cells.drain(..).filter(|c| c.tag != EMPTY) {
            let at = (cell.tag as u64 % PAGE) as usize >> grain;
            cells[at] = cell;
        }
        page.grain = grain;
        page.cells = cells;
    }

    /// The program copied bytes: their shadows go with them. Ranges may overlap.
    pub fn copy<O: Oracle<Shadow = S>>(&mut self, to: u64, from: u64, bytes: u64, oracle: &mut O) {
        /// Beyond this, a length comes from a damaged stream.
        const MOST: u64 = 1 << 36;
        if to == from || bytes > MOST || to.checked_add(bytes).is_none() || from.checked_add(bytes).is_none() {
            return;
        }
        self.clear_unless(to, bytes, from, bytes);
        let mut aside = Register::new(oracle);
        let backwards = to > from;
        let steps = bytes.div_ceil(2);
        let mut step = 0;
        while step < steps {
            let at = if backwards { steps - 1 - step } else { step } * 2;
            let Some(index) = self.find(from + at) else {
                // Nothing is held on this page: on to the next one.
                let in_page = (from + at) % PAGE;
                step += if backwards { in_page / 2 + 1 } else { (PAGE - in_page).div_ceil(2) };
                continue;
            };
            step += 1;
            let page = &self.pages[index];
            let address = from + at;
            let Some(cell) = page.cells.get((address % PAGE) as usize >> page.grain) else { continue };
            let format = Precision::from_u8((cell.tag >> 12) as u8);
            let Some(format) = format.filter(|&f| cell.tag == tag(address, f)) else { continue };
            if at + u64::from(format.store_bytes()) <= bytes {
                aside.copy_from(&cell.register, oracle);
                self.store(to + at, format, &aside, oracle);
            }
        }
    }

    /// Forgets what is held in a range, but for where it overlaps another.
    fn clear_unless(&mut self, start: u64, bytes: u64, kept: u64, kept_bytes: u64) {
        let mut address = start;
        while address < start + bytes {
            let end = (address / PAGE + 1).saturating_mul(PAGE).min(start + bytes);
            if let Some(index) = self.find(address) {
                let page = &mut self.pages[index];
                let first = (address % PAGE) as usize >> page.grain;
                let last = ((end - 1) % PAGE) as usize >> page.grain;
                for cell in page.cells.iter_mut().take(last + 1).skip(first) {
                    let at = address / PAGE * PAGE + u64::from(cell.tag) % PAGE;
                    let inside = cell.tag != EMPTY && (address..end).contains(&at);
                    if inside && !(kept..kept + kept_bytes).contains(&at) {
                        cell.tag = EMPTY;
                    }
                }
            }
            address = end;
        }
    }

    /// Forgets everything, keeping the room.
    pub fn reset(&mut self) {
        for page in &mut self.pages {
            page.cells.iter_mut().for_each(|cell| cell.tag = EMPTY);
        }
    }

    /// What is held, for the values that nothing goes on from.
    pub fn held(&self) -> impl Iterator<Item = &Known> {
        self.pages.iter().flat_map(|p| &p.cells).filter(|c| c.tag != EMPTY).map(|c| &c.register.known)
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
