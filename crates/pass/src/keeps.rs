//! Comparisons that keep the greater or the less of their sides, with what belongs to it: the search for a maximum, for a
//! pivot, for the next candidate. Those that keep the value alone, and note nothing, are in [`crate::min_max`].
//!
//! Optimized, the new value and the one that was kept meet in a phi or a select. Before that, and through a pointer, the
//! new one is stored where the other was loaded, a few blocks behind the test.
//!
//! Limits: what is kept is known by the shape of the code around the test. That it is the test which decides is not proved.

use crate::llvm::{Block, Opcode, RealPredicate, Value};
use crate::locals;

/// Blocks behind a test in which its new side may be kept.
const BLOCKS: usize = 6;
/// Operations back in which two values are to be the same.
const DEPTH: u32 = 12;

pub fn is_one(test: Value) -> bool {
    use RealPredicate::*;
    let orders =
        [LLVMRealOLT, LLVMRealOLE, LLVMRealOGT, LLVMRealOGE, LLVMRealULT, LLVMRealULE, LLVMRealUGT, LLVMRealUGE];
    let [x, y] = [test.operand(0), test.operand(1)];
    orders.contains(&test.real_predicate())
        && !x.is_constant()
        && !y.is_constant()
        && (replaces(test, x, y) || replaces(test, y, x))
}

/// Whether `new` takes the place of `kept`.
fn replaces(test: Value, new: Value, kept: Value) -> bool {
    let meets = |user: Value| match user.is_instruction().then(|| user.opcode()) {
        Some(Opcode::LLVMPHI) => user.phi_incoming().into_iter().any(|(v, _)| v == kept),
        Some(Opcode::LLVMSelect) => {
            let arms = [user.operand(1), user.operand(2)];
            arms == [new, kept] || arms == [kept, new]
        }
        _ => false,
    };
    if new.users().into_iter().any(meets) {
        return true;
    }
    if !kept.is(Opcode::LLVMLoad) || kept.is_volatile() {
        return false;
    }
    let place = kept.operand(0);
    let is_kept = |i: Value| {
        i.is(Opcode::LLVMStore)
            && !i.is_volatile()
            && is_again(i.operand(1), place, DEPTH)
            && is_again(i.operand(0), new, DEPTH)
    };
    blocks_behind(test.block()).into_iter().any(|block| block.instructions().into_iter().any(is_kept))
}

/// The nearest blocks behind a test, nearest first, without its own: a few, however many ways lead from them.
fn blocks_behind(test: Block) -> Vec<Block> {
    let mut blocks = vec![test];
    let mut at = 0;
    while at < blocks.len() && blocks.len() <= BLOCKS {
        for next in blocks[at].successors().into_iter().take(BLOCKS) {
            if !blocks.contains(&next) {
                blocks.push(next);
            }
        }
        at += 1;
    }
    blocks.remove(0);
    blocks.truncate(BLOCKS);
    blocks
}

/// Whether two values are the same, or computed alike of the same places.
fn is_again(a: Value, b: Value, depth: u32) -> bool {
    if a == b || locals::same_place(a, b) {
        return true;
    }
    let is_plain = |v: Value| match v.opcode() {
        Opcode::LLVMLoad => !v.is_volatile(),
        Opcode::LLVMCall => v.callee().is_function() && v.callee().name().starts_with("llvm.fabs"),
        Opcode::LLVMGetElementPtr | Opcode::LLVMFNeg | Opcode::LLVMSExt | Opcode::LLVMZExt => true,
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul => true,
        Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFDiv => true,
        _ => false,
    };
    depth > 0
        && a.is_instruction()
        && b.is_instruction()
        && a.opcode() == b.opcode()
        && is_plain(a)
        && is_plain(b)
        && a.operand_count() == b.operand_count()
        && a.operands().into_iter().zip(b.operands()).all(|(a, b)| is_again(a, b, depth - 1))
}
