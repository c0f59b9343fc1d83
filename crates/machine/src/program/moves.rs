//! What reads a copy may read the original, as long as both are the same; a copy that nobody reads is not made.

use super::fours::{together, with_common_second};
use super::{Draft, Insn, Opcode};
use std::collections::{HashMap, HashSet};

/// The registers that an instruction may read.
pub fn reads(insn: &Insn) -> impl Iterator<Item = u32> {
    let extra_operand = (insn.op == Opcode::Complex).then_some(insn.offset as u32);
    insn.args.into_iter().take(operands(insn.op)).chain(extra_operand)
}

/// So many arguments may be registers that are read.
fn operands(op: Opcode) -> usize {
    match op {
        Opcode::Value
        | Opcode::Parameter
        | Opcode::Result
        | Opcode::FromInteger
        | Opcode::Load
        | Opcode::LoadDouble => 0,
        Opcode::Neg
        | Opcode::Abs
        | Opcode::Sqrt
        | Opcode::Move
        | Opcode::Check
        | Opcode::Store
        | Opcode::StoreDouble => 1,
        _ if op.is_quick() => 2,
        _ => 3,
    }
}

/// The register that an instruction may write: a check may begin its value anew.
pub fn writes(insn: &Insn) -> Option<u32> {
    match insn.op {
        Opcode::Check => Some(insn.args[0]),
        Opcode::Store | Opcode::StoreDouble | Opcode::Copy | Opcode::Compare | Opcode::ToInteger => None,
        _ => Some(insn.out),
    }
}

/// Sums, products and quotients of a block read originals in place of copies. Four that are done at once stay so.
pub fn see_through(insns: &mut [Insn]) {
    // Copies that are still the same as their originals.
    let mut copies: HashMap<u32, u32> = HashMap::new();
    let mut at = 0;
    while at < insns.len() {
        let four = insns[at..].first_chunk::<4>().copied().filter(|four| together(four).is_some());
        let some = &mut insns[at..at + if four.is_some() { 4 } else { 1 }];
        at += some.len();
        for insn in some.iter_mut().filter(|insn| insn.op.is_quick() && !copies.is_empty()) {
            insn.args[..2].iter_mut().for_each(|arg| *arg = copies.get(arg).copied().unwrap_or(*arg));
        }
        if let (Some(now), Some(old)) = (some.first_chunk_mut::<4>(), four) {
            *now = with_common_second(*now);
            if together(now).is_none() {
                *now = old;
            }
        }
        for insn in some {
            if let Some(written) = writes(insn) {
                copies.retain(|&copy, &mut original| copy != written && original != written);
            }
            if insn.op == Opcode::Move && insn.args[0] != insn.out {
                let original = copies.get(&insn.args[0]).copied().unwrap_or(insn.args[0]);
                copies.insert(insn.out, original);
            }
        }
    }
}

/// Leaves out the copies that nobody in their function reads.
pub fn drop_unread(blocks: &mut [Draft]) {
    // By function and register.
    let mut unread: HashSet<(u32, u32)> = HashSet::new();
    for block in blocks.iter() {
        unread.extend(block.insns.iter().filter(|i| i.op == Opcode::Move).map(|i| (block.function, i.out)));
    }
    if unread.is_empty() {
        return;
    }
    for block in blocks.iter() {
        let moved = block.edges.iter().flat_map(|edge| &edge.1).map(|&(_, from)| from);
        let registers = block.insns.iter().flat_map(reads).chain(moved).chain(block.passed.iter().copied());
        registers.for_each(|register| _ = unread.remove(&(block.function, register)));
    }
    for Draft { insns, function, .. } in blocks {
        insns.retain(|insn| insn.op != Opcode::Move || !unread.contains(&(*function, insn.out)));
    }
}
