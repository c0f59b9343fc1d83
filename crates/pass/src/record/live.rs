//! Where a task begins, the floats that were computed before and are used behind it: a machine that walks the task knows
//! nothing of how they came about, so their values are recorded. One that has walked what came before goes on with what it
//! has (`code::LIVE`).

use super::{Recorder, slots, step};
use crate::emit::Wanted;
use crate::fp::FpType;
use crate::llvm::{Block, Module, Opcode, Value};
use nonius_abi::api::TASK_BEGIN;
use nonius_abi::code::{Kind, LIVE, Operand, Source, Step};
use std::collections::{HashMap, HashSet};

/// By call that begins a task: the floats that are live behind it, in the order of their definitions.
pub fn behind_task_begins(
    module: Module,
    wanted: &Wanted,
    function: Value,
    blocks: &[(Block, Vec<Value>)],
) -> HashMap<Value, Vec<Value>> {
    let begins_task = |i: &Value| i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().name() == TASK_BEGIN;
    if !blocks.iter().flat_map(|(_, all)| all).any(begins_task) {
        return HashMap::new();
    }
    let defined = function.parameters().into_iter().chain(blocks.iter().flat_map(|(_, all)| all).copied());
    let floats = defined.filter(|&value| !slots::parts(module, wanted, value).is_empty());
    let order: HashMap<Value, usize> = floats.enumerate().map(|(n, value)| (value, n)).collect();
    let ends = live_at_ends(blocks, &order);
    let mut behind = HashMap::new();
    for (block, instructions) in blocks {
        let mut live = ends[block].clone();
        for i in instructions.iter().rev() {
            if begins_task(i) {
                let mut all: Vec<Value> = live.iter().copied().collect();
                all.sort_by_key(|value| order[value]);
                behind.insert(*i, all);
            }
            step_back(&mut live, *i, &order);
        }
    }
    behind
}

/// What is live before an instruction, of what is live behind it. What a phi takes is live at the ends of other blocks.
fn step_back(live: &mut HashSet<Value>, i: Value, order: &HashMap<Value, usize>) {
    live.remove(&i);
    if i.opcode() != Opcode::LLVMPHI {
        live.extend(i.operands().into_iter().filter(|value| order.contains_key(value)));
    }
}

fn live_at_ends(blocks: &[(Block, Vec<Value>)], order: &HashMap<Value, usize>) -> HashMap<Block, HashSet<Value>> {
    let mut ends: HashMap<Block, HashSet<Value>> = blocks.iter().map(|(b, _)| (*b, HashSet::new())).collect();
    let phis = blocks.iter().flat_map(|(_, all)| all).filter(|i| i.opcode() == Opcode::LLVMPHI);
    for (value, from) in phis.flat_map(|phi| phi.phi_incoming()).filter(|(value, _)| order.contains_key(value)) {
        if let Some(end) = ends.get_mut(&from) {
            end.insert(value);
        }
    }
    loop {
        let mut grew = false;
        for (block, instructions) in blocks.iter().rev() {
            let mut live = ends[block].clone();
            instructions.iter().rev().for_each(|i| step_back(&mut live, *i, order));
            for (before, _) in blocks.iter().filter(|(b, _)| b.successors().contains(block)) {
                let end = ends.get_mut(before).expect("all blocks are there");
                let size = end.len();
                end.extend(&live);
                grew |= end.len() > size;
            }
        }
        if !grew {
            return ends;
        }
    }
}

impl Recorder<'_> {
    /// Records the floats that are live behind a call that begins a task, at the head of the segment behind it.
    pub fn take_over_live(&mut self, call: Value) {
        let Some(live) = self.live.remove(&call) else { return };
        for value in live {
            let head = self.segment.head;
            self.cut_if_long(head);
            let operands = self.operands(value);
            let mut lanes = &operands[..];
            for part in self.parts(value) {
                let (own, rest) = lanes.split_at(part.fp.lane_count() as usize);
                lanes = rest;
                self.b.before_with_loc_of(self.segment.head, call);
                let member = part.path.iter().fold(value, |v, &index| self.b.extract_value(v, index));
                self.take_over(own, part.fp, member);
            }
        }
    }

    /// A float's lanes, in one step if they are neighbours.
    fn take_over(&mut self, lanes: &[Operand], fp: FpType, value: Value) {
        if let (Source::Slot(result), 1) = (lanes[0].source(), slots::runs(lanes).count()) {
            let word = self.put(value);
            return self.step(Step { detail: LIVE, result, word, ..step(Kind::Value, fp) });
        }
        let one = FpType { lanes: None, ..fp };
        for (lane, operand) in (0..).zip(lanes) {
            let Source::Slot(result) = operand.source() else { continue };
            let index = self.b.types.i32().const_int(lane);
            let value = if fp.lanes.is_some() { self.b.extract_element(value, index) } else { value };
            let word = self.put(value);
            self.step(Step { detail: LIVE, result, word, ..step(Kind::Value, one) });
        }
    }
}
