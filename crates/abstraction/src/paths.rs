//! Paths: which ways of a test are followed, by whom, and what they bring back.
//!
//! A process that comes to a test with several ways forks one child for each way but the one that it takes itself. A child
//! goes on to where its section ends (`nonius_merge`, else the end of the program), hands over what it has, and is gone.
//! Where float and real go apart there are two children: one is the float's, one is the real's.

use super::domain::Asked;
use nonius_zonotope::{Flow, Side};
use std::collections::BTreeMap;

/// A way through a test, for one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the program shall take for the outcome.
    pub outcome: i64,
    pub flow: Flow,
    pub side: Side,
    /// The test, if float and real go apart here.
    pub tag: Option<u64>,
}

/// What a path brings back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Result {
    pub tag: Option<(u64, Side)>,
    pub knowledge: Vec<u8>,
    /// By what they are known by.
    pub values: Vec<(Key, Vec<u8>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// An address, and the bytes of the float there.
    Cell(u64, u8),
    /// A slot of the function's frame.
    Slot(u32),
    /// The functions that called it have the floats that they had.
    Fits,
    /// The bounds that the program asked for there, for the how manieth time.
    Bounds(Asked, u64, u8),
}

/// A stretch of the program at whose end paths meet.
#[derive(Clone, Debug, Default)]
pub struct Section {
    pub results: Vec<Result>,
    /// What was known at its beginning.
    pub knowledge: Vec<u8>,
}

/// Where this process stands.
#[derive(Clone, Debug)]
pub struct Paths {
    pub side: Side,
    pub tag: Option<u64>,
    /// The whole program is the first.
    pub sections: Vec<Section>,
    /// A child: it ends with the section of this number.
    pub ends_with: Option<usize>,
    /// Tests that float and real went apart at, to tell them by.
    pub number: u64,
    pub tests: u64,
    /// The site of each.
    pub sites: BTreeMap<u64, u32>,
    /// What the program asked for since this path began, in order, each with what was known then: tests that come later
    /// say nothing about it.
    pub asked: Vec<Result>,
    pub occurrences: BTreeMap<Asked, u64>,
}

impl Default for Paths {
    fn default() -> Paths {
        Paths {
            side: Side::Both,
            tag: None,
            sections: vec![Section::default()],
            ends_with: None,
            number: 0,
            tests: 0,
            sites: BTreeMap::new(),
            asked: Vec::new(),
            occurrences: BTreeMap::new(),
        }
    }
}

impl Paths {
    /// The test where float and real went apart, and which of them this is, if it is one alone.
    pub fn sided(&self) -> Option<(u64, Side)> {
        self.tag.filter(|_| self.side != Side::Both).map(|test| (test, self.side))
    }

    /// The processes that a test's ways take, the own one first: that of the program's outcome, float and real together.
    pub fn choices(&mut self, flows: &[Flow], outcome: i64, site: u32) -> Vec<Choice> {
        let mut all = Vec::new();
        for &flow in flows {
            if self.side != Side::Both || flow.float == flow.real {
                let outcome = if self.side == Side::Real { flow.real } else { flow.float };
                all.push(Choice { outcome, flow, side: self.side, tag: self.tag });
            } else {
                self.tests += 1;
                let test = self.number << 32 | self.tests;
                self.sites.insert(test, site);
                let tag = Some(test);
                all.push(Choice { outcome: flow.float, flow, side: Side::Float, tag });
                all.push(Choice { outcome: flow.real, flow, side: Side::Real, tag });
            }
        }
        let own = |c: &Choice| (c.outcome != outcome, c.side != Side::Both, c.side == Side::Real);
        all.sort_by_key(own);
        all
    }
}

/// Results as bytes, for the process that waits.
pub mod wire {
    use super::{Asked, Key, Result, Side};
    use crate::report::Unstable;
    use nonius_zonotope::wire::{Sink, Source};
    use std::collections::BTreeMap;

    fn bytes(sink: &mut Sink, bytes: &[u8]) {
        sink.word(bytes.len() as u64);
        sink.0.extend_from_slice(bytes);
    }

    fn read_bytes(source: &mut Source<'_>) -> Option<Vec<u8>> {
        let length = usize::try_from(source.word()?).ok()?;
        let (first, rest) = source.0.split_at_checked(length)?;
        source.0 = rest;
        Some(first.to_vec())
    }

    /// What a path hands over: results, why it is not all, unstable tests, and the paths that it followed itself.
    pub struct Handed {
        pub results: Vec<Result>,
        pub incomplete: Vec<String>,
        pub unstable: Vec<(u32, Unstable)>,
        pub paths: u64,
        /// Of tests that floats and reals went apart at.
        pub sites: BTreeMap<u64, u32>,
    }

    pub fn write(handed: &Handed) -> Vec<u8> {
        let Handed { results, incomplete, unstable, paths, sites } = handed;
        let mut sink = Sink::default();
        sink.word(sites.len() as u64);
        for (&test, &site) in sites {
            sink.word(test);
            sink.word(u64::from(site));
        }
        sink.word(results.len() as u64);
        for result in results {
            let (test, side) = result.tag.unwrap_or((0, Side::Both));
            sink.word(test);
            sink.word(side as u64);
            bytes(&mut sink, &result.knowledge);
            sink.word(result.values.len() as u64);
            for (key, value) in &result.values {
                match key {
                    Key::Cell(address, size) => {
                        sink.word(0);
                        sink.word(*address);
                        sink.word(u64::from(*size));
                    }
                    Key::Slot(slot) => {
                        sink.word(2);
                        sink.word(u64::from(*slot));
                    }
                    Key::Fits => sink.word(3),
                    Key::Bounds(asked, occurrence, size) => {
                        sink.word(1);
                        bytes(&mut sink, asked.name.as_bytes());
                        bytes(&mut sink, asked.file.as_bytes());
                        sink.word(u64::from(asked.line));
                        sink.word(*occurrence);
                        sink.word(u64::from(*size));
                    }
                }
                bytes(&mut sink, value);
            }
        }
        sink.word(incomplete.len() as u64);
        incomplete.iter().for_each(|why| bytes(&mut sink, why.as_bytes()));
        sink.word(unstable.len() as u64);
        for (site, u) in unstable {
            sink.word(u64::from(*site));
            sink.word(u.count);
            u.operands.iter().for_each(|&x| sink.double(x));
            sink.word(u.outcome as u64);
            sink.word(u.other as u64);
            sink.word(u64::from(u.is_cast) | u64::from(u.is_explored) << 1);
            sink.double(u.jump);
        }
        sink.word(*paths);
        sink.0
    }

    fn key(source: &mut Source<'_>) -> Option<Key> {
        match source.word()? {
            0 => return Some(Key::Cell(source.word()?, source.word()? as u8)),
            2 => return Some(Key::Slot(source.word()? as u32)),
            3 => return Some(Key::Fits),
            _ => {}
        }
        let mut text = || Some(String::from_utf8_lossy(&read_bytes(source)?).into_owned());
        let (name, file) = (text()?, text()?);
        let asked = Asked { name, file, line: source.word()? as u32 };
        Some(Key::Bounds(asked, source.word()?, source.word()? as u8))
    }

    pub fn read(all: &[u8]) -> Option<Handed> {
        let mut source = Source(all);
        let count = source.word()?;
        let sites = (0..count).map(|_| Some((source.word()?, source.word()? as u32))).collect::<Option<_>>()?;
        let count = source.word()?;
        let mut results = Vec::new();
        for _ in 0..count {
            let (test, side) = (source.word()?, source.word()?);
            let tag = match side {
                0 => None,
                1 => Some((test, Side::Float)),
                _ => Some((test, Side::Real)),
            };
            let knowledge = read_bytes(&mut source)?;
            let values = source.word()?;
            let values =
                (0..values).map(|_| Some((key(&mut source)?, read_bytes(&mut source)?))).collect::<Option<_>>()?;
            results.push(Result { tag, knowledge, values });
        }
        let count = source.word()?;
        let incomplete = (0..count).map(|_| Some(String::from_utf8_lossy(&read_bytes(&mut source)?).into_owned()));
        let incomplete = incomplete.collect::<Option<Vec<_>>>()?;
        let count = source.word()?;
        let unstable = (0..count).map(|_| read_unstable(&mut source)).collect::<Option<Vec<_>>>()?;
        Some(Handed { results, incomplete, unstable, paths: source.word()?, sites })
    }

    fn read_unstable(source: &mut Source<'_>) -> Option<(u32, Unstable)> {
        let site = source.word()? as u32;
        let count = source.word()?;
        let operands = [source.double()?, source.double()?];
        let (outcome, other) = (source.word()? as i64, source.word()? as i64);
        let flags = source.word()?;
        let jump = source.double()?;
        let (is_cast, is_explored) = (flags & 1 != 0, flags & 2 != 0);
        Some((site, Unstable { count, operands, outcome, other, is_cast, is_explored, jump }))
    }
}
