//! How much of a run was really shadowed, and what was not.

use crate::vocabulary::{LeftAloneFor, Loss};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// What share of the run was really shadowed. What is not shadowed starts anew from the
/// program's own value, so an error that passes through it is lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Coverage {
    /// Functions of instrumented objects that ran at least once.
    pub functions_run: u64,
    /// Sites in the functions that ran; 0 if `operations` counts just these.
    pub sites: u64,
    /// Floating-point operations in the functions that ran: how often they ran if the engine
    /// counts that, else how many there are.
    pub operations: u64,
    pub operations_shadowed: u64,
    pub loads: u64,
    /// Loads whose shadow was there and belonged to the loaded value.
    pub loads_shadowed: u64,
    /// Calls that pass or return floating-point values.
    pub calls: u64,
    pub calls_shadowed: u64,
    /// Operations on constants in the functions that ran that the compiler computed and nobody checked.
    #[serde(skip_serializing_if = "is_zero")]
    pub folded: u64,
    /// Code without shadows, with how many values came from it while the program ran; most first.
    pub unknown: Vec<Unshadowed>,
    /// Functions with floats that ran and are as the compiler made them.
    pub left_alone: Vec<LeftAlone>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Something that has no shadows, and what came from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unshadowed {
    /// The callee or operation.
    pub name: String,
    /// File name of the library that has it; empty if that is not known, or it is the executable.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub object: String,
    #[serde(default)]
    pub loss: Loss,
    /// Values; of memory, calls.
    pub count: u64,
}

/// Functions left as they are for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftAlone {
    pub reason: LeftAloneFor,
    pub functions: u64,
    /// The first few.
    pub names: Vec<String>,
}

impl Unshadowed {
    pub fn new(name: &str, loss: Loss, count: u64) -> Self {
        Self { name: name.to_owned(), object: String::new(), loss, count }
    }
}

impl Coverage {
    /// How many names of functions that were left alone a report has.
    pub const NAMES: usize = 5;

    /// Values came from code without shadows.
    pub fn add_unknown(&mut self, other: Unshadowed) {
        let same = |u: &Unshadowed| u.name == other.name && u.object == other.object && u.loss == other.loss;
        match self.unknown.iter().position(same) {
            Some(at) => self.unknown[at].count += other.count,
            None => self.unknown.push(other),
        }
    }

    /// Functions were left alone.
    pub fn add_left_alone(&mut self, other: LeftAlone) {
        let Some(same) = self.left_alone.iter_mut().find(|l| l.reason == other.reason) else {
            return self.left_alone.push(other);
        };
        same.functions += other.functions;
        same.names.extend(other.names);
        same.names.dedup();
        same.names.truncate(Coverage::NAMES);
    }

    /// Brings the lists into the order that a report has.
    pub fn sort(&mut self) {
        self.unknown.sort_by(|a, b| (Reverse(a.count), &a.name, a.loss).cmp(&(Reverse(b.count), &b.name, b.loss)));
        self.left_alone.sort_by_key(|l| l.reason);
    }

    /// Values that came from code without shadows.
    pub fn values_lost(&self) -> u64 {
        self.unknown.iter().filter(|u| u.loss != Loss::Memory).map(|u| u.count).sum()
    }

    /// Adds what another process did.
    pub fn absorb(&mut self, part: Coverage) {
        self.functions_run += part.functions_run;
        self.sites += part.sites;
        self.operations += part.operations;
        self.operations_shadowed += part.operations_shadowed;
        self.loads += part.loads;
        self.loads_shadowed += part.loads_shadowed;
        self.calls += part.calls;
        self.calls_shadowed += part.calls_shadowed;
        self.folded += part.folded;
        part.unknown.into_iter().for_each(|u| self.add_unknown(u));
        part.left_alone.into_iter().for_each(|l| self.add_left_alone(l));
        self.sort();
    }
}
