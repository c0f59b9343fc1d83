//! Comparisons that only pick one of the compared values: minimum, maximum, clamp. Where such a comparison flips, its result
//! changes continuously.
//!
//! Optimized it is a select. Before that it is a branch: both ways put one side into the same variable, or one side goes where
//! the other was (`if (x > most) most = x;`). `std::max` picks a reference, of values that were loaded from there.
//! An arm that does anything else, such as noting an index, is a decision.

use crate::llvm::{Block, Opcode, Value};
use crate::locals;
use std::collections::HashSet;

/// All of a function, before shadow code is in it.
pub fn all(order: &[Block]) -> HashSet<Value> {
    let tests = order.iter().flat_map(|b| b.instructions()).filter(|i| i.is(Opcode::LLVMFCmp));
    tests.filter(|&i| is_select(i, i.operand(0), i.operand(1)) || is_branch(i)).collect()
}

/// Whether the outcome only picks one of the compared values.
pub fn is_select(i: Value, x: Value, y: Value) -> bool {
    let users = i.users();
    let is_side = |v: Value| is_read_of(v, x) || is_read_of(v, y);
    let is_side = |v: Value| is_side(v) || v.is(Opcode::LLVMFNeg) && is_side(v.operand(0));
    let picks =
        |u: &Value| u.is(Opcode::LLVMSelect) && u.operand(0) == i && is_side(u.operand(1)) && is_side(u.operand(2));
    !users.is_empty() && users.iter().all(picks)
}

fn is_branch(i: Value) -> bool {
    let [branch] = i.users()[..] else { return false };
    if !branch.is(Opcode::LLVMBr) || branch.block() != i.block() || !is_quiet_until(i, branch) {
        return false;
    }
    let sides = [i.operand(0), i.operand(1)];
    let [yes, no] = i.block().successors()[..] else { return false };
    match (Arm::of(yes), Arm::of(no)) {
        (Some(a), Some(b)) if a.end == b.end => picks_two(&a, &b, sides),
        (Some(a), _) if a.end == no => picks_one(&a, sides),
        (_, Some(b)) if b.end == yes => picks_one(&b, sides),
        _ => false,
    }
}

/// A block that only reads, and puts at most one value somewhere.
struct Arm {
    block: Block,
    store: Option<Value>,
    end: Block,
}

impl Arm {
    fn of(block: Block) -> Option<Arm> {
        let [end] = block.successors()[..] else { return None };
        let mut store = None;
        for i in block.instructions() {
            match i.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMBr => {}
                Opcode::LLVMStore if store.is_none() && !i.is_volatile() => store = Some(i),
                _ => return None,
            }
        }
        Some(Arm { block, store, end })
    }
}

/// Both ways lead a side to the same place.
fn picks_two(a: &Arm, b: &Arm, sides: [Value; 2]) -> bool {
    let picks =
        |v: Value, w: Value| [[0, 1], [1, 0]].iter().any(|&[m, n]| is_read_of(v, sides[m]) && is_read_of(w, sides[n]));
    match (a.store, b.store) {
        (Some(x), Some(y)) => locals::same_place(x.operand(1), y.operand(1)) && picks(x.operand(0), y.operand(0)),
        (None, None) => match a.end.phis().collect::<Vec<_>>()[..] {
            [phi] => {
                let from = |arm: &Arm| phi.phi_incoming().into_iter().find(|(_, b)| *b == arm.block).map(|(v, _)| v);
                from(a).zip(from(b)).is_some_and(|(v, w)| picks(v, w))
            }
            _ => false,
        },
        _ => false,
    }
}

/// One side goes where the other was.
fn picks_one(arm: &Arm, sides: [Value; 2]) -> bool {
    let Some(store) = arm.store else { return false };
    let was_there = |side: Value| side.is(Opcode::LLVMLoad) && is_same(side.operand(0), store.operand(1));
    [[0, 1], [1, 0]].iter().any(|&[m, n]| is_read_of(store.operand(0), sides[m]) && was_there(sides[n]))
}

/// Whether a value is this side, or the address that it was loaded from.
fn is_read_of(value: Value, side: Value) -> bool {
    is_same(value, side) || side.is(Opcode::LLVMLoad) && !side.is_volatile() && is_same(value, side.operand(0))
}

/// The same value, or another load of the same variable.
fn is_same(a: Value, b: Value) -> bool {
    let is_load = |v: Value| v.is(Opcode::LLVMLoad) && !v.is_volatile();
    a == b
        || locals::same_place(a, b)
        || is_load(a) && is_load(b) && a.ty() == b.ty() && is_same(a.operand(0), b.operand(0))
}

/// Whether nothing is written between what a test has loaded and `end`.
fn is_quiet_until(test: Value, end: Value) -> bool {
    let mut open: HashSet<Value> = test.operands().into_iter().filter(|o| o.is(Opcode::LLVMLoad)).collect();
    let mut at = Some(end);
    while let Some(i) = at.filter(|_| !open.is_empty()) {
        open.remove(&i);
        let writes = match i.opcode() {
            Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMInvoke => true,
            Opcode::LLVMCall => !i.callee().is_function() || !i.callee().name().starts_with("llvm."),
            _ => false,
        };
        if writes && !open.is_empty() {
            return false;
        }
        at = i.previous();
    }
    true
}
