//! Blocks.

use super::{Opcode, Value, list};
use llvm_sys::core;
use llvm_sys::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block(pub(super) LLVMBasicBlockRef);

impl Block {
    pub fn instructions(self) -> Vec<Value> {
        // SAFETY: walks the block's list.
        list(unsafe { core::LLVMGetFirstInstruction(self.0) }, |i| unsafe { core::LLVMGetNextInstruction(i) })
    }

    pub fn first(self) -> Option<Value> {
        // SAFETY: a block handle.
        Value::from_nullable(unsafe { core::LLVMGetFirstInstruction(self.0) })
    }

    pub fn phis(self) -> impl Iterator<Item = Value> {
        std::iter::successors(self.first(), |i| i.next()).take_while(|i| i.is(Opcode::LLVMPHI))
    }

    pub fn function(self) -> Value {
        // SAFETY: a block of a function.
        Value::new(unsafe { core::LLVMGetBasicBlockParent(self.0) })
    }

    pub fn terminator(self) -> Option<Value> {
        // SAFETY: a block handle.
        Value::from_nullable(unsafe { core::LLVMGetBasicBlockTerminator(self.0) })
    }

    /// The first place where ordinary instructions may stand: behind phis and pads.
    pub fn first_insertion_point(self) -> Value {
        let is_head = |i: &Value| {
            matches!(
                i.opcode(),
                Opcode::LLVMPHI | Opcode::LLVMLandingPad | Opcode::LLVMCatchPad | Opcode::LLVMCleanupPad
            )
        };
        std::iter::successors(self.first(), |i| i.next()).find(|i| !is_head(i)).expect("a block has a terminator")
    }

    /// The blocks that control can reach from here, in the terminator's order.
    pub fn successors(self) -> Vec<Block> {
        let Some(t) = self.terminator() else { return Vec::new() };
        // SAFETY: a terminator has this many successors.
        unsafe {
            let count = core::LLVMGetNumSuccessors(t.0);
            (0..count).map(|i| Block(core::LLVMGetSuccessor(t.0, i))).collect()
        }
    }

    pub fn predecessors(self) -> Vec<Block> {
        // SAFETY: a block handle.
        let label = Value::new(unsafe { core::LLVMBasicBlockAsValue(self.0) });
        let mut from: Vec<Block> = Vec::new();
        // Blocks' addresses are constants; all else that uses a block ends another.
        for block in label.users().into_iter().filter(|user| user.is_instruction()).map(Value::block) {
            if !from.contains(&block) {
                from.push(block);
            }
        }
        from
    }

    pub fn split_edge_to(self, to: Block) -> Block {
        // SAFETY: there is an edge from this block to `to`.
        Block(unsafe { super::nonius_split_edge(self.0, to.0) })
    }
}
