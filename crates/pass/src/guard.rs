//! Values that the optimizer computes although the program as written may not ask for them: `a && b` becomes a bitwise and
//! of both, `a ? (b ? 1 : 2) : 3` two selects, and what a branch computed an arm of a select. What such a value decides
//! counts only where the other tests let it through to the end.
//!
//! A value is followed through its only use each time, within its block. Misses: values that are used twice, and those
//! that lie in a block of their own or go through memory.

use crate::llvm::{Builder, Kind, Opcode, Value};
use std::collections::HashMap;

/// Longer ways are not followed.
const MOST_STEPS: usize = 32;

/// The program's own instructions, by their block. Blocks are split as code is added to them; these are as they were.
#[derive(Debug)]
pub struct Originals(HashMap<Value, usize>);

impl Originals {
    /// Of the instructions of all blocks.
    pub fn of<'a>(blocks: impl Iterator<Item = &'a [Value]>) -> Originals {
        Originals(blocks.enumerate().flat_map(|(n, all)| all.iter().map(move |&i| (i, n))).collect())
    }

    pub fn contains(&self, i: &Value) -> bool {
        self.0.contains_key(i)
    }

    fn share_block(&self, a: Value, b: Value) -> bool {
        self.0.get(&a).is_some_and(|block| self.0.get(&b) == Some(block))
    }
}

/// Where a value counts: only where all conditions are met.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Behind this instruction they are known.
    pub joint: Value,
    pub conditions: Vec<Condition>,
}

/// A boolean, or one for each lane, that must be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    pub value: Value,
    pub is: bool,
}

impl Guard {
    /// Whether the conditions are met, in each lane.
    pub fn is_open(&self, b: &Builder) -> Value {
        let met = self.conditions.iter().map(|c| c.is_met(b));
        met.reduce(|a, other| b.and(a, other)).expect("a guard has a condition")
    }
}

impl Condition {
    pub fn is_met(&self, b: &Builder) -> Value {
        if self.is { self.value } else { b.not(self.value) }
    }
}

/// The guard of a value that something else may keep from counting.
pub fn of(value: Value, originals: &Originals) -> Option<Guard> {
    let mut guard: Option<Guard> = None;
    let mut current = value;
    for _ in 0..MOST_STEPS {
        let users: Vec<Value> = current.users().into_iter().filter(|u| originals.contains(u)).collect();
        let [user] = users[..] else { break };
        // One side of an `and` may be tested in another block than both together.
        let is_first_join = current == value && joined(user).is_some();
        if !is_first_join && !originals.share_block(value, user) {
            break;
        }
        match pass(current, user) {
            Some(Pass::If(condition)) if lanes(condition.value) == lanes(value) => {
                let guard = guard.get_or_insert_with(|| Guard { joint: user, conditions: Vec::new() });
                guard.joint = user;
                guard.conditions.push(condition);
            }
            Some(Pass::Always) => {}
            _ => break,
        }
        current = user;
    }
    guard
}

/// How a value gets through an instruction that uses it.
enum Pass {
    Always,
    If(Condition),
}

fn pass(value: Value, user: Value) -> Option<Pass> {
    use Opcode::*;
    if let Some((a, b, is_or)) = joined(user) {
        let other = if a == value { b } else { a };
        return (other != value && !other.is_constant()).then_some(Pass::If(Condition { value: other, is: !is_or }));
    }
    match user.opcode() {
        LLVMSelect => {
            let [condition, yes, no] = [0, 1, 2].map(|n| user.operand(n));
            match (condition == value, yes == value, no == value) {
                (true, false, false) => Some(Pass::Always),
                (false, true, false) => Some(Pass::If(Condition { value: condition, is: true })),
                (false, false, true) => Some(Pass::If(Condition { value: condition, is: false })),
                _ => None,
            }
        }
        LLVMZExt | LLVMSExt | LLVMTrunc | LLVMFPExt | LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP | LLVMFPToSI
        | LLVMFPToUI | LLVMAdd | LLVMSub | LLVMMul | LLVMAnd | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr
        | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFNeg | LLVMICmp | LLVMFCmp | LLVMFreeze => Some(Pass::Always),
        _ => None,
    }
}

fn lanes(value: Value) -> Option<u32> {
    if let Kind::Vector(lanes) = value.ty().kind() { Some(lanes) } else { None }
}

/// Both sides of an `and` of booleans, or of an `or`.
fn joined(user: Value) -> Option<(Value, Value, bool)> {
    if user.ty().element_or_self().kind() != Kind::Integer(1) {
        return None;
    }
    match user.opcode() {
        Opcode::LLVMAnd => Some((user.operand(0), user.operand(1), false)),
        Opcode::LLVMOr => Some((user.operand(0), user.operand(1), true)),
        // `select a, b, false` and `select a, true, b` are how LLVM writes && and ||.
        Opcode::LLVMSelect if user.operand(0).ty() == user.ty() => {
            let [a, yes, no] = [0, 1, 2].map(|n| user.operand(n));
            match (yes.as_const_int(), no.as_const_int()) {
                (None, Some(0)) => Some((a, yes, false)),
                (Some(1), None) => Some((a, no, true)),
                _ => None,
            }
        }
        _ => None,
    }
}
