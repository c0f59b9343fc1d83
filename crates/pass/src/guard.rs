//! Tests that the optimizer makes although another has already decided: `a && b` becomes a bitwise
//! and of both. What `b` says then counts only where `a` holds.

use crate::llvm::{Opcode, Value};
use std::collections::HashSet;

/// Where a test counts: only where `other` is true (`negated`: false).
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// The instruction that joins the two.
    pub joint: Value,
    pub other: Value,
    pub negated: bool,
}

/// The guard of a test that is, for the program's own instructions, only one side of an `and` or `or`.
pub fn of(test: Value, originals: &HashSet<Value>) -> Option<Guard> {
    let users: Vec<Value> = test.users().into_iter().filter(|u| originals.contains(u)).collect();
    let [joint] = users[..] else { return None };
    if joint.ty() != test.ty() {
        return None;
    }
    let (a, b, is_or) = sides(joint)?;
    let other = if a == test { b } else { a };
    (other != test && !other.is_constant()).then_some(Guard { joint, other, negated: is_or })
}

/// Both sides of an `and`, or of an `or`.
fn sides(joint: Value) -> Option<(Value, Value, bool)> {
    match joint.opcode() {
        Opcode::LLVMAnd => Some((joint.operand(0), joint.operand(1), false)),
        Opcode::LLVMOr => Some((joint.operand(0), joint.operand(1), true)),
        // `select a, b, false` and `select a, true, b` are how LLVM writes && and ||.
        Opcode::LLVMSelect if joint.operand(0).ty() == joint.ty() => {
            let [a, yes, no] = [0, 1, 2].map(|n| joint.operand(n));
            match (yes.as_const_int(), no.as_const_int()) {
                (None, Some(0)) => Some((a, yes, false)),
                (Some(1), None) => Some((a, no, true)),
                _ => None,
            }
        }
        _ => None,
    }
}
