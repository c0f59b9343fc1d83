//! Operations that the optimizer computes before the program asks for them.
//!
//! Out of a branch, so that a select can take its place; out of a loop, once for all rounds. What
//! such an operation gives is thrown away where the program as written would not have computed it,
//! so a NaN there is nobody's fault. LLVM takes the line away from what it moves like this.

use crate::llvm::{Block, Opcode, Value};
use std::collections::HashMap;

/// Whether an instruction of a function with debug information may have been moved up.
pub fn is_early(i: Value) -> bool {
    use Opcode::*;
    let has_effects = match i.opcode() {
        LLVMCall => !i.callee().is_function() || !i.callee().name().starts_with("llvm."),
        LLVMPHI | LLVMStore | LLVMAlloca | LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMFence | LLVMLandingPad => true,
        LLVMRet | LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable | LLVMResume | LLVMInvoke | LLVMCallBr => true,
        _ => false,
    };
    !has_effects && i.debug_loc().is_none_or(|loc| loc.line() == 0)
}

/// The early operations that a block asks for, directly or through others, and who asks.
#[derive(Debug, Default)]
pub struct Demanded {
    by: HashMap<Value, Value>,
    askers: std::collections::HashSet<Value>,
}

impl Demanded {
    /// What instructions of a block use and, if its end is among them, the phis behind it.
    pub fn of(instructions: &[Value], block: Block) -> Demanded {
        let mut demanded = Demanded::default();
        for &i in instructions.iter().filter(|i| i.opcode() != Opcode::LLVMPHI && !is_early(**i)) {
            demanded.askers.insert(i);
            demanded.ask_for(i.operands(), i);
        }
        let end = block.terminator().expect("a finished block");
        let behind = if instructions.contains(&end) { block.successors() } else { Vec::new() };
        for phi in behind.into_iter().flat_map(Block::phis) {
            let from_here = phi.phi_incoming().into_iter().filter(|(_, from)| *from == block);
            let values: Vec<Value> = from_here.map(|(value, _)| value).collect();
            if values.iter().any(|v| v.is_instruction() && is_early(*v)) {
                demanded.askers.insert(phi);
            }
            demanded.ask_for(values, end);
        }
        demanded
    }

    fn ask_for(&mut self, mut values: Vec<Value>, by: Value) {
        while let Some(value) = values.pop() {
            if value.is_instruction() && is_early(value) && !self.by.contains_key(&value) {
                self.by.insert(value, by);
                self.askers.insert(value);
                values.extend(value.operands());
            }
        }
    }

    pub fn contains(&self, value: Value) -> bool {
        self.by.contains_key(&value)
    }

    /// The instruction of the block behind the demand for `value`.
    pub fn by(&self, value: Value) -> Option<Value> {
        self.by.get(&value).copied()
    }

    /// Whether a use by `user` is part of the demand.
    pub fn asks(&self, user: Value) -> bool {
        self.askers.contains(&user)
    }
}
