//! Constants that were rounded, each with a number that values made of it lead back to, and which instruction made a
//! site's values: what it takes to differentiate a value by constants (`checks::constants`).

use super::lower::{EXACT, constant};
use super::{FlatProgram, Opcode};
use crate::trail::Trail;
use nonius_abi::code::{self, Code};
use nonius_abi::constant::Rounded;
use nonius_abi::site::NONE;
use std::collections::HashMap;

/// A constant of a function's frame.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    pub value: f64,
    /// What a double lacks to it.
    pub low: f64,
    /// Its number in the trail; 0 if it is exact.
    pub node: u64,
}

/// Those of all functions that were rounded.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    numbers: HashMap<code::Constant, u64>,
    /// By index: the value, and how it was rounded.
    pub all: Vec<(f64, Rounded)>,
}

impl Constants {
    /// A constant of a table, with its number. The index is as `lower` has it.
    pub fn number(&mut self, code: &Code, index: u32) -> Constant {
        let is_exact = index != NONE && index & EXACT != 0;
        let index = if is_exact { index & !EXACT } else { index };
        let (value, low) = constant(code, index);
        let rounded = code.constants.get(index as usize).filter(|_| !is_exact);
        let node = rounded.map_or(0, |&constant| self.node(constant, value));
        Constant { value, low, node }
    }

    fn node(&mut self, constant: code::Constant, value: f64) -> u64 {
        if let Some(&node) = self.numbers.get(&constant) {
            return node;
        }
        let rounded = Rounded::of(constant.precision, constant.bits);
        let Some((rounded, node)) = rounded.zip(Trail::constant(self.all.len())) else { return 0 };
        self.all.push((value, rounded));
        self.numbers.insert(constant, node);
        node
    }
}

impl FlatProgram {
    /// Notes for the sites of new blocks what makes their values.
    pub(super) fn note_makers(&mut self, first_block: u32) {
        let start = self.blocks.get(first_block as usize).map_or(self.insns.len(), |block| block.insns.start);
        let mut makers: HashMap<u32, Option<(Opcode, u32)>> = HashMap::new();
        for insn in self.insns[start..].iter().filter(|insn| insn.site != NONE) {
            let Some(op) = insn.op.plain() else { continue };
            let maker = Some((op, insn.detail));
            makers.entry(insn.site).and_modify(|made| *made = made.filter(|_| *made == maker)).or_insert(maker);
        }
        self.made_by.resize(self.sites as usize, None);
        for (site, maker) in makers {
            if let Some(made_by) = self.made_by.get_mut(site as usize) {
                *made_by = maker;
            }
        }
    }
}
