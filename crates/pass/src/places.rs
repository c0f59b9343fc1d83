//! Where operations stand in the source, kept from what optimization does to lines.
//!
//! What is moved out of a branch gets the line of the `if`, what is moved out of a loop gets none, and returns are merged
//! into one at the function's end. So each operation's place is noted before anything is optimized, and in the end each
//! way to a shared return gets a return of its own. Operations that were merged into one are where the choice between
//! them is made.

use crate::fp;
use crate::llvm::{Block, Module, Opcode, Value};
use crate::min_max;
use crate::sites;
use std::collections::{HashMap, HashSet};

/// Ways to one return that are told apart; each has its checks.
const MOST_WAYS: u32 = 8;

/// Notes the places of a module's float operations. Says whether there are any.
pub fn note(module: Module) -> bool {
    let mut noted = false;
    for function in module.functions().into_iter().filter(|f| !f.is_declaration() && f.has_lines()) {
        for i in written_once(function) {
            i.note_place(divides_by_name(i));
            noted = true;
        }
    }
    noted
}

/// Whether a divisor is a variable, or used for more: it is not written out where it divides.
fn divides_by_name(i: Value) -> bool {
    if !i.is(Opcode::LLVMFDiv) {
        return false;
    }
    let divisor = i.operand(1);
    match divisor.is(Opcode::LLVMLoad) {
        true => divisor.operand(0).is(Opcode::LLVMAlloca),
        false => divisor.is_instruction() && divisor.users().len() > 1,
    }
}

/// The float operations of a function, but for those that stand on several lines: of these one may come to do the work
/// of all, and no line tells which of them the program came by.
fn written_once(function: Value) -> Vec<Value> {
    let instructions: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    if !instructions.iter().any(|i| is_operation(*i)) {
        return Vec::new();
    }
    let mut names: HashMap<Value, u64> = HashMap::new();
    let mut lines: HashMap<u64, HashSet<u32>> = HashMap::new();
    let mut operations = Vec::new();
    for i in instructions {
        let name = name(i, &names);
        names.insert(i, name);
        if is_operation(i) {
            lines.entry(name).or_default().insert(i.debug_loc().map_or(0, |loc| loc.line()));
            operations.push((i, name));
        }
    }
    operations.retain(|(_, name)| lines[name].len() == 1);
    operations.into_iter().map(|(i, _)| i).collect()
}

/// What an instruction computes: the same for the same of the same variables.
fn name(i: Value, names: &HashMap<Value, u64>) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    match i.opcode() {
        Opcode::LLVMAlloca | Opcode::LLVMPHI => i.hash(&mut hasher),
        opcode => {
            (opcode as u32).hash(&mut hasher);
            for operand in i.operands() {
                match names.get(&operand) {
                    Some(name) => name.hash(&mut hasher),
                    None => operand.hash(&mut hasher),
                }
            }
        }
    }
    hasher.finish()
}

fn is_operation(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFCmp | LLVMFPTrunc => true,
        LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP => true,
        LLVMCall => sites::is_fp(i),
        _ => false,
    }
}

/// A function that returns floats: returns of its own for each `return` that was written, if it is known where. Not where
/// that would cost depth: unoptimized, what each return is checked by has its place in the frame.
pub fn split_returns(module: Module, function: Value, unoptimized: bool) {
    if !function.has_lines() || unoptimized && calls_itself(function) {
        return;
    }
    let ends = function.blocks().into_iter().filter_map(Block::terminator);
    let mut results = ends.filter(|end| end.is(Opcode::LLVMRet) && end.operand_count() == 1).map(|end| end.operand(0));
    let returns_floats = results.any(|result| !fp::leaves(module, result.ty()).is_empty());
    // A minimum or maximum is known by the variable that both ways put a value into.
    if returns_floats && min_max::all(&function.blocks()).is_empty() {
        function.split_returns(MOST_WAYS);
    }
}

fn calls_itself(function: Value) -> bool {
    let mut all = function.blocks().into_iter().flat_map(|b| b.instructions());
    all.any(|i| matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) && i.callee() == function)
}

/// Blocks back from where ways meet that are looked at for where they part.
const MOST_BLOCKS: usize = 32;

/// The branch from which the ways to a block part.
pub fn branch_before(block: Block) -> Option<Value> {
    let ways = block.predecessors();
    let mut reach = ways.iter().map(|way| before(*way));
    let first = reach.next()?;
    let others: Vec<Vec<Block>> = reach.collect();
    let parts = |b: &&Block| b.successors().len() > 1 && others.iter().all(|reach| reach.contains(b));
    first.iter().find(parts)?.terminator()
}

/// A block and those before it, the nearest first.
fn before(block: Block) -> Vec<Block> {
    let mut reach = vec![block];
    let mut at = 0;
    while at < reach.len() && reach.len() < MOST_BLOCKS {
        for other in reach[at].predecessors() {
            if !reach.contains(&other) {
                reach.push(other);
            }
        }
        at += 1;
    }
    reach
}
