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
pub mod wire;
