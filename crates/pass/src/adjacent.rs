//! Loads of floats that lie side by side, as unrolled loops have them: joined into one load of a vector, of which the program
//! takes its lanes. Four shadows are then loaded, compared and widened at a time.
//!
//! All of them are in one block with nothing between that writes, may not return or may trap: who loads the first loads
//! the last. Bits and order of all operations on the values stay as they are.

use crate::llvm::{Kind, Module, Opcode, Value};
use std::collections::{BTreeMap, HashMap};

/// Lanes of a joined load.
const LANES: usize = 4;

/// What a pointer is a constant away from: addresses that are worked out twice are the same.
#[derive(PartialEq, Eq, Hash)]
struct Base {
    /// A value, or the operands of an address computation.
    parts: Vec<Value>,
    /// Bytes of what its last index counts.
    stride: u64,
    lane_bytes: u64,
}

/// Loads by their offset from a base.
type Found = HashMap<Base, BTreeMap<i64, Value>>;

pub fn join(module: Module, function: Value) {
    for block in function.blocks() {
        let mut found = Found::new();
        let mut order = HashMap::new();
        for (at, i) in block.instructions().into_iter().enumerate() {
            order.insert(i, at);
            if separates(i) {
                join_all(module, std::mem::take(&mut found), &order);
            } else if let Some((base, offset)) = plain_load(module, i) {
                found.entry(base).or_default().entry(offset).or_insert(i);
            }
        }
        join_all(module, found, &order);
    }
}

/// Whether loads behind an instruction cannot be moved before it.
fn separates(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg | LLVMFence | LLVMInvoke | LLVMCallBr => true,
        LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem | LLVMVAArg => true,
        LLVMLoad => i.is_volatile() || i.is_atomic(),
        LLVMCall => {
            const PURE: &[&str] = &[
                "llvm.fma.",
                "llvm.fmuladd.",
                "llvm.fabs.",
                "llvm.sqrt.",
                "llvm.minnum.",
                "llvm.maxnum.",
                "llvm.dbg.",
            ];
            !(i.callee().is_function() && PURE.iter().any(|name| i.callee().name().starts_with(name)))
        }
        _ => false,
    }
}

fn plain_load(module: Module, i: Value) -> Option<(Base, i64)> {
    if !i.is(Opcode::LLVMLoad) || !matches!(i.ty().kind(), Kind::Float | Kind::Double) {
        return None;
    }
    let (base, mut offset) = module.base_and_offset(i.operand(0));
    if !base.ty().is_ordinary_pointer() || base.is(Opcode::LLVMAlloca) {
        return None;
    }
    let (mut parts, mut stride) = (vec![base], 0);
    if base.is(Opcode::LLVMGetElementPtr) {
        (parts, stride) = (base.operands(), module.alloc_bytes(base.indexed_type()));
        if let [_, index] = &mut parts[..]
            && let Some((variable, more)) = variable_and_constant(*index)
        {
            *index = variable;
            offset = more.checked_mul(i64::try_from(stride).ok()?)?.checked_add(offset)?;
        }
    }
    Some((Base { parts, stride, lane_bytes: module.alloc_bytes(i.ty()) }, offset))
}

/// `i + 3`, as wide as an address; where no bit is in both, an `or` is a sum.
fn variable_and_constant(index: Value) -> Option<(Value, i64)> {
    let is_sum = index.is(Opcode::LLVMAdd) || index.is(Opcode::LLVMOr) && index.is_disjoint();
    if !is_sum || index.ty().kind() != Kind::Integer(64) {
        return None;
    }
    Some((index.operand(0), index.operand(1).as_const_int()? as i64))
}

fn join_all(module: Module, found: Found, order: &HashMap<Value, usize>) {
    for (base, loads) in found {
        let loads: Vec<(i64, Value)> = loads.into_iter().collect();
        let mut at = 0;
        while at + LANES <= loads.len() {
            let run = &loads[at..at + LANES];
            let is_run = run.windows(2).all(|pair| pair[1].0 - pair[0].0 == base.lane_bytes as i64);
            if is_run {
                join_run(module, run, order);
            }
            at += if is_run { LANES } else { 1 };
        }
    }
}

fn join_run(module: Module, run: &[(i64, Value)], order: &HashMap<Value, usize>) {
    let &(offset, first) = run.iter().min_by_key(|(_, load)| order[load]).expect("four");
    let align = run.iter().map(|(_, load)| load.alignment()).min().expect("four");
    let b = module.builder();
    b.before(first);
    let start = b.offset(first.operand(0), run[0].0 - offset);
    let joined = b.load(first.ty().vector(LANES as u32), start, align);
    for (lane, (_, load)) in run.iter().enumerate() {
        b.before(first);
        let taken = b.extract_element(joined, module.types().i32().const_int(lane as u64));
        load.replace_uses_with(taken);
    }
    run.iter().for_each(|(_, load)| load.erase());
}
