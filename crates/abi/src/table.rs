//! The site table: one blob an object, in the section `nonius_sites`.
//!
//! ```text
//! +----------------------------------------------------------------------+
//! | magic "NONIUS\0\x01" | abi version | locs | sites | functions | lost  |  header: 8 bytes,
//! | strings (count) | string bytes | flags                               |  then 8 u32
//! +----------------------------------------------------------------------+
//! | locs       5 u32 each: file, function, line, column (and, as its      |
//! |            highest bit, whether the function is small), inlined_at   |
//! | sites      5 u32 each: op|precision|observed|predicate and marks,     |
//! |            at, seen, name, function                                  |
//! | functions  9 u32 each, as in `site::Function`                         |
//! | lost       3 u32 each: name, loss, count                              |
//! | ends       1 u32 a string: where it ends in the string bytes          |
//! | string bytes, UTF-8                                                   |
//! +----------------------------------------------------------------------+
//! ```
//! All little-endian. A reader trusts nothing: counts are checked against the length, indices
//! against the counts, and inlining chains only point backwards, so they end.

use crate::site::{Function, LeftAlone, Loc, Loss, Lost, NONE, Observed, Op, Site};
use crate::{ABI_VERSION, Precision};
use std::collections::{HashMap, HashSet};

pub const SECTION: &str = "nonius_sites";
pub const MAGIC: [u8; 8] = *b"NONIUS\0\x01";
const HEADER_WORDS: usize = 8;

/// The object puts residues into memory, not only from one place of it to another.
pub const FLAG_FLOATS: u32 = 1;
/// The object calls functions of floats by their addresses (see `by_address`).
pub const FLAG_CALLS_BY_ADDRESS: u32 = 2;
/// Some function begins tasks: what is recorded lies in them.
pub const FLAG_TASKS: u32 = 4;

/// In the column of a position: its function is small.
const SMALL: u32 = 1 << 31;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum TableError {
    #[error("the site table is cut off: {have} bytes where {need} are needed")]
    Truncated { have: usize, need: usize },
    #[error("this is no Nonius site table")]
    Magic,
    #[error("the object was built by a Nonius of ABI {found}, this one is ABI {ABI_VERSION}: rebuild the object")]
    Version { found: u32 },
    #[error("the site table is corrupt: {what}")]
    Corrupt { what: &'static str },
}

/// A site table in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub flags: u32,
    pub locs: Vec<Loc>,
    pub sites: Vec<Site>,
    pub functions: Vec<Function>,
    /// Operations and callees without shadow.
    pub lost: Vec<Lost>,
    pub strings: Vec<String>,
}

impl Table {
    /// Operations on constants of a function that the compiler computed and nobody checked.
    pub fn folded(&self, function: &Function) -> u32 {
        let (start, count) = (function.lost_start as usize, function.lost_count as usize);
        let entries = self.lost.get(start..start.saturating_add(count)).unwrap_or_default();
        entries.iter().filter(|entry| entry.loss == Loss::Folded).map(|entry| entry.count).fold(0, u32::saturating_add)
    }

    pub fn string(&self, index: u32) -> &str {
        self.strings.get(index as usize).map_or("", String::as_str)
    }

    pub fn loc(&self, index: u32) -> Option<&Loc> {
        self.locs.get(index as usize)
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let mut word = |x: u32| out.extend_from_slice(&x.to_le_bytes());
        let text_bytes: usize = self.strings.iter().map(String::len).sum();
        word(ABI_VERSION);
        for count in [self.locs.len(), self.sites.len(), self.functions.len(), self.lost.len(), self.strings.len()] {
            word(count as u32);
        }
        word(text_bytes as u32);
        word(self.flags);
        for l in &self.locs {
            let column = l.column & !SMALL | if l.is_small { SMALL } else { 0 };
            [l.file, l.function, l.line, column, l.inlined_at].into_iter().for_each(&mut word);
        }
        for s in &self.sites {
            let kinds = [s.op as u8, s.precision as u8, s.observed as u8, s.predicate & 15 | s.marks << 4];
            [u32::from_le_bytes(kinds), s.at, s.seen, s.name, s.function].into_iter().for_each(&mut word);
        }
        for f in &self.functions {
            [
                f.name,
                f.operations,
                f.operations_shadowed,
                f.calls,
                f.calls_shadowed,
                f.checks,
                f.lost_start,
                f.lost_count,
                f.left_alone.map_or(NONE, |reason| u32::from(reason as u8)),
            ]
            .into_iter()
            .for_each(&mut word);
        }
        for l in &self.lost {
            [l.name, u32::from(l.loss as u8), l.count].into_iter().for_each(&mut word);
        }
        let mut end = 0;
        for s in &self.strings {
            end += s.len() as u32;
            word(end);
        }
        for s in &self.strings {
            out.extend_from_slice(s.as_bytes());
        }
        out
    }

    pub fn parse(bytes: &[u8]) -> Result<Table, TableError> {
        let (mut words, [locs, sites, functions, lost, strings, _, flags]) = Words::of_table(bytes)?;
        let mut table = Table { flags, ..Table::default() };
        table.locs = (0..locs).map(|i| loc(words.take(), i)).collect::<Result<_, _>>()?;
        table.sites = (0..sites).map(|_| site(words.take())).collect::<Result<_, _>>()?;
        table.functions = (0..functions).map(|_| function(words.take())).collect::<Result<_, _>>()?;
        table.lost = (0..lost).map(|_| lost_entry(words.take())).collect::<Result<_, _>>()?;
        table.strings = words.strings(strings)?;
        table.validate()?;
        Ok(table)
    }

    fn validate(&self) -> Result<(), TableError> {
        let corrupt = |what| Err(TableError::Corrupt { what });
        let within = |index: u32, len: usize| (index as usize) < len;
        let optional = |index: u32, len: usize| index == NONE || within(index, len);
        let strings = self.strings.len();
        if !self.locs.iter().all(|l| within(l.file, strings) && within(l.function, strings)) {
            return corrupt("a position names a string that is not there");
        }
        for s in &self.sites {
            if !optional(s.at, self.locs.len()) || !optional(s.seen, self.locs.len()) {
                return corrupt("a site names a position that is not there");
            }
            if !within(s.name, strings) || !within(s.function, self.functions.len()) {
                return corrupt("a site names a string or function that is not there");
            }
        }
        for f in &self.functions {
            let lost_end = u64::from(f.lost_start) + u64::from(f.lost_count);
            if !within(f.name, strings) || lost_end > self.lost.len() as u64 {
                return corrupt("a function points outside the table");
            }
        }
        if !self.lost.iter().all(|l| within(l.name, strings)) {
            return corrupt("a lost operation names a string that is not there");
        }
        Ok(())
    }
}

fn loc([file, function, line, column, inlined_at]: [u32; 5], index: u32) -> Result<Loc, TableError> {
    if inlined_at != NONE && inlined_at >= index {
        return Err(TableError::Corrupt { what: "an inlining chain does not point backwards" });
    }
    Ok(Loc { file, function, line, column: column & !SMALL, inlined_at, is_small: column & SMALL != 0 })
}

fn site([kinds, at, seen, name, function]: [u32; 5]) -> Result<Site, TableError> {
    let [op, precision, observed, predicate] = kinds.to_le_bytes();
    let corrupt = TableError::Corrupt { what: "a site of unknown kind" };
    match (Op::from_u8(op), Precision::from_u8(precision), Observed::from_u8(observed)) {
        (Some(op), Some(precision), Some(observed)) => {
            let (predicate, marks) = (predicate & 15, predicate >> 4);
            Ok(Site { op, precision, observed, predicate, marks, at, seen, name, function })
        }
        _ => Err(corrupt),
    }
}

fn lost_entry([name, loss, count]: [u32; 3]) -> Result<Lost, TableError> {
    let loss = u8::try_from(loss).ok().and_then(Loss::from_u8);
    let loss = loss.ok_or(TableError::Corrupt { what: "a loss of unknown kind" })?;
    Ok(Lost { name, loss, count })
}

fn function(w: [u32; 9]) -> Result<Function, TableError> {
    let left_alone = match w[8] {
        NONE => None,
        reason => {
            let reason = u8::try_from(reason).ok().and_then(LeftAlone::from_u8);
            Some(reason.ok_or(TableError::Corrupt { what: "a function left alone for no known reason" })?)
        }
    };
    Ok(Function {
        name: w[0],
        operations: w[1],
        operations_shadowed: w[2],
        calls: w[3],
        calls_shadowed: w[4],
        checks: w[5],
        lost_start: w[6],
        lost_count: w[7],
        left_alone,
    })
}

/// What a hook needs of a table, without reading it whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    pub sites: u32,
    pub functions: u32,
    pub lost: u32,
    pub flags: u32,
    first_site: usize,
}

impl Outline {
    /// Checks the header and the length; the records themselves are checked when they are read.
    pub fn read(bytes: &[u8]) -> Result<Outline, TableError> {
        let (words, [locs, sites, functions, lost, .., flags]) = Words::of_table(bytes)?;
        Ok(Outline { sites, functions, lost, flags, first_site: words.at + locs as usize * 20 })
    }

    /// The kinds of a site: its operation, format, observable and predicate.
    pub fn kinds(&self, bytes: &[u8], site: u32) -> Option<(Op, Precision, Observed, u8)> {
        let at = self.first_site + (site < self.sites).then_some(site as usize)? * 20;
        let [op, precision, observed, predicate] = bytes.get(at..at + 4)?.try_into().ok()?;
        Some((Op::from_u8(op)?, Precision::from_u8(precision)?, Observed::from_u8(observed)?, predicate & 15))
    }
}

/// A reader whose length was checked before the first word is taken.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, TableError> {
        let need = MAGIC.len() + 4 * HEADER_WORDS;
        if bytes.len() < need {
            return Err(TableError::Truncated { have: bytes.len(), need });
        }
        if bytes[..MAGIC.len()] != MAGIC {
            return Err(TableError::Magic);
        }
        Ok(Words { bytes, at: MAGIC.len() })
    }

    /// The words after the header, and what the header says: counts that the length bears out, and flags.
    fn of_table(bytes: &'a [u8]) -> Result<(Self, [u32; 7]), TableError> {
        let mut words = Words::open(bytes)?;
        let [version, locs, sites, functions, lost, strings, text_bytes, flags] = words.take();
        if version != ABI_VERSION {
            return Err(TableError::Version { found: version });
        }
        words.need(&[(locs, 20), (sites, 20), (functions, 36), (lost, 12), (strings, 4), (text_bytes, 1)])?;
        Ok((words, [locs, sites, functions, lost, strings, text_bytes, flags]))
    }

    fn need(&self, parts: &[(u32, usize)]) -> Result<(), TableError> {
        let need = parts.iter().fold(self.at, |sum, &(count, size)| sum + count as usize * size);
        if self.bytes.len() < need {
            return Err(TableError::Truncated { have: self.bytes.len(), need });
        }
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| {
            let word = self.bytes[self.at..self.at + 4].try_into().expect("four bytes");
            self.at += 4;
            u32::from_le_bytes(word)
        })
    }

    fn strings(&mut self, count: u32) -> Result<Vec<String>, TableError> {
        let ends: Vec<usize> = (0..count).map(|_| self.take::<1>()[0] as usize).collect();
        let text = &self.bytes[self.at..];
        let mut start = 0;
        ends.into_iter()
            .map(|end| {
                let bytes =
                    text.get(start..end).ok_or(TableError::Corrupt { what: "a string lies outside the table" })?;
                start = end;
                Ok(String::from_utf8_lossy(bytes).into_owned())
            })
            .collect()
    }
}

/// Builds a table, each string and position once.
#[derive(Debug, Default)]
pub struct Builder {
    table: Table,
    strings: HashMap<String, u32>,
    locs: HashMap<Loc, u32>,
    sites: HashMap<Site, u32>,
    small: HashSet<String>,
    asserting: HashSet<String>,
    noted: HashMap<(String, u32, u32, bool), u8>,
}

impl Builder {
    pub fn string(&mut self, text: &str) -> u32 {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.table.strings.len() as u32;
        self.table.strings.push(text.to_owned());
        self.strings.insert(text.to_owned(), index);
        index
    }

    /// Says that positions in this function are in a small one.
    pub fn note_small(&mut self, function: &str) {
        self.small.insert(function.to_owned());
    }

    /// Whether positions in this function are.
    pub fn is_small(&self, function: &str) -> bool {
        self.small.contains(function)
    }

    /// Says that whoever calls this function asserts what it returns.
    pub fn note_asserting(&mut self, function: &str) {
        self.asserting.insert(function.to_owned());
    }

    pub fn is_asserting(&self, function: &str) -> bool {
        self.asserting.contains(function)
    }

    /// Adds marks to the operation at a place: function, line and column, and whether it is a comparison.
    pub fn note(&mut self, function: String, line: u32, column: u32, is_comparison: bool, marks: u8) {
        *self.noted.entry((function, line, column, is_comparison)).or_default() |= marks;
    }

    pub fn noted(&self, function: &str, line: u32, column: u32, is_comparison: bool) -> u8 {
        if self.noted.is_empty() {
            return 0;
        }
        self.noted.get(&(function.to_owned(), line, column, is_comparison)).copied().unwrap_or(0)
    }

    pub fn loc(&mut self, loc: Loc) -> u32 {
        *self.locs.entry(loc).or_insert_with_key(|loc| {
            self.table.locs.push(loc.clone());
            self.table.locs.len() as u32 - 1
        })
    }

    pub fn site(&mut self, site: Site) -> u32 {
        *self.sites.entry(site).or_insert_with_key(|site| {
            self.table.sites.push(site.clone());
            self.table.sites.len() as u32 - 1
        })
    }

    /// The index that the next function gets.
    pub fn next_function(&self) -> u32 {
        self.table.functions.len() as u32
    }

    /// The index that the next entry of `lost` gets.
    pub fn next_lost(&self) -> u32 {
        self.table.lost.len() as u32
    }

    pub fn function(&mut self, mut function: Function, lost: &[Lost]) {
        function.lost_start = self.table.lost.len() as u32;
        function.lost_count = lost.len() as u32;
        self.table.lost.extend_from_slice(lost);
        self.table.functions.push(function);
    }

    pub fn set_flag(&mut self, flag: u32) {
        self.table.flags |= flag;
    }

    pub fn finish(self) -> Table {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Table {
        let mut b = Builder::default();
        let (file, f, empty) = (b.string("a b.c"), b.string("f"), b.string(""));
        let outer = b.loc(Loc { file, function: f, line: 3, column: 1, inlined_at: NONE, is_small: false });
        let inner = b.loc(Loc { file, function: f, line: 9, column: 4, inlined_at: outer, is_small: true });
        let site = Site {
            op: Op::Sub,
            precision: Precision::Double,
            observed: Observed::Return,
            predicate: 4,
            marks: crate::site::mark::COUNTS,
            at: inner,
            seen: NONE,
            name: empty,
            function: 0,
        };
        assert_eq!(b.site(site.clone()), b.site(site));
        b.function(Function { name: f, operations: 4, ..Function::default() }, &[]);
        let alone = Function { name: f, left_alone: Some(LeftAlone::Strict), ..Function::default() };
        b.function(alone, &[Lost { name: f, loss: Loss::Result, count: 2 }]);
        b.set_flag(FLAG_FLOATS);
        b.finish()
    }

    #[test]
    fn a_table_reads_back_as_written() {
        let table = sample();
        assert_eq!(Table::parse(&table.encode()), Ok(table));
    }

    #[test]
    fn an_outline_agrees_with_the_table() {
        let table = sample();
        let bytes = table.encode();
        let outline = Outline::read(&bytes).unwrap();
        assert_eq!((outline.sites as usize, outline.flags), (table.sites.len(), table.flags));
        for (index, s) in table.sites.iter().enumerate() {
            let kinds = (s.op, s.precision, s.observed, s.predicate);
            assert_eq!(outline.kinds(&bytes, index as u32), Some(kinds));
        }
        assert_eq!(outline.kinds(&bytes, outline.sites), None);
        assert!(Outline::read(&bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn foreign_and_cut_tables_are_told_apart() {
        let bytes = sample().encode();
        assert!(matches!(Table::parse(&bytes[..20]), Err(TableError::Truncated { .. })));
        assert!(matches!(Table::parse(&bytes[..bytes.len() - 1]), Err(TableError::Truncated { .. })));
        let mut foreign = bytes.clone();
        foreign[0] = b'X';
        assert_eq!(Table::parse(&foreign), Err(TableError::Magic));
        let mut newer = bytes;
        newer[8] = 99;
        assert_eq!(Table::parse(&newer), Err(TableError::Version { found: 99 }));
    }

    proptest! {
        #[test]
        fn no_damage_makes_the_reader_panic(at in 0usize..200, value: u8, cut in 0usize..200) {
            let mut bytes = sample().encode();
            let len = bytes.len();
            bytes[at % len] = value;
            bytes.truncate(len - cut % len);
            if let Ok(table) = Table::parse(&bytes) {
                for site in &table.sites {
                    let _ = (table.loc(site.at), table.string(site.name));
                }
            }
        }
    }
}
