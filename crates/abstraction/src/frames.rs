//! The frames of a thread: a register for each lane.

use super::walk::Tested;
use nonius_abi::Precision;
use nonius_abi::code::{Callee, NO_MEETING};
use nonius_abi::event::Module;
use nonius_abi::site::NONE;
use nonius_zonotope::Flow;
use std::collections::{BTreeMap, BTreeSet};

/// The program's float, and what the domain knows of it.
#[derive(Clone, Debug)]
pub struct Register<V> {
    pub actual: f64,
    pub value: V,
}

/// A call that a frame's last block ended with.
#[derive(Clone, Debug)]
pub struct Pending<V> {
    pub module: usize,
    pub callee: Callee,
    pub address: u64,
    pub arguments: Vec<Option<Register<V>>>,
    pub is_tail: bool,
}

/// A comparison that chooses one of two floats, and how it can go.
#[derive(Clone, Debug)]
pub struct Picking<V> {
    pub tested: Tested<V>,
    pub flows: Vec<Flow>,
}

#[derive(Clone, Debug)]
pub struct Frame<V> {
    pub key: u32,
    pub module: usize,
    pub function: u32,
    pub registers: Vec<Option<Register<V>>>,
    /// The block that ran last.
    pub last: u32,
    /// The next point of the function where paths may meet.
    pub meets: u32,
    pub pending: Option<Pending<V>>,
    /// Lanes of vectors whose comparison can go several ways, by site and lane: what they choose comes in the same block.
    pub picks: BTreeMap<(u32, u32), Picking<V>>,
    pub arguments: Vec<Option<Register<V>>>,
}

/// A block that was walked in part, for a test in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    pub key: u32,
    pub number: u32,
    /// Steps that are done.
    pub steps: usize,
}

#[derive(Clone, Debug)]
pub struct Thread<V> {
    /// Functions that ran, by module.
    pub ran: BTreeSet<(usize, u32)>,
    pub frames: Vec<Frame<V>>,
    pub returned: Option<Vec<Option<Register<V>>>>,
    /// What the function is about to return, where paths have met.
    pub joined: Option<Vec<Option<Register<V>>>>,
    pub begun: Option<Begun>,
    pub moved: (u64, u64),
    /// The integer that a rounding function gives here, which comes next.
    pub decided: Option<i64>,
    /// What the program has last captured, for an assertion.
    pub captured: Option<(Register<V>, Precision)>,
}

impl<V> Default for Thread<V> {
    fn default() -> Self {
        Thread {
            frames: Vec::new(),
            returned: None,
            joined: None,
            begun: None,
            moved: (0, 0),
            captured: None,
            decided: None,
            ran: BTreeSet::new(),
        }
    }
}

/// Frames that a thread may have; beyond it the outermost are forgotten.
const MOST_FRAMES: usize = 100_000;

impl<V: Clone> Thread<V> {
    /// The frame of an event becomes the top one.
    pub fn arrive(&mut self, key: u32, module: usize, function: u32, enters: bool, modules: &[Module]) {
        if !enters {
            let same = |f: &Frame<V>| f.key == key && f.function == function && f.module == module;
            match self.frames.iter().rposition(same) {
                Some(index) if index + 1 == self.frames.len() => {}
                Some(index) => {
                    self.frames.truncate(index + 1);
                    self.returned = None;
                }
                None => {
                    self.push(key, module, function, Vec::new(), modules);
                }
            }
            return;
        }
        let called = |p: &Pending<V>| calls(p, module, function, modules);
        let pending = self.frames.last_mut().and_then(|top| top.pending.take()).filter(called);
        if pending.as_ref().is_some_and(|p| p.is_tail) {
            self.frames.pop();
        }
        while self.frames.last().is_some_and(|top| top.key == key) {
            self.frames.pop();
        }
        self.push(key, module, function, pending.map_or(Vec::new(), |p| p.arguments), modules);
    }

    fn push(
        &mut self,
        key: u32,
        module: usize,
        function: u32,
        arguments: Vec<Option<Register<V>>>,
        modules: &[Module],
    ) {
        if self.frames.len() >= MOST_FRAMES {
            self.frames.drain(..MOST_FRAMES / 2);
        }
        self.ran.insert((module, function));
        let slots = modules[module].code.functions[function as usize].slots as usize;
        let registers = vec![None; slots];
        self.frames.push(Frame {
            key,
            module,
            function,
            registers,
            last: NONE,
            meets: NO_MEETING,
            pending: None,
            picks: BTreeMap::new(),
            arguments,
        });
        self.returned = None;
    }
}

/// Whether a call is of this function.
fn calls<V>(pending: &Pending<V>, module: usize, function: u32, modules: &[Module]) -> bool {
    let name = |m: &Module, index: u32| -> String {
        let site_function = m.code.functions[index as usize].site_function as usize;
        m.sites.functions.get(site_function).map_or(String::new(), |f| m.sites.string(f.name).to_owned())
    };
    match pending.callee {
        Callee::Here(index) => pending.module == module && index == function,
        Callee::Named(text) => {
            let here = &modules[module];
            !here.code.functions[function as usize].local
                && modules[pending.module].sites.string(text) == name(here, function)
        }
        Callee::Address => pending.address != 0 && modules[module].addresses[function as usize] == pending.address,
    }
}
