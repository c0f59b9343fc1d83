//! Values whose error the program bounds itself: filters of exact predicates.
//!
//! `det = left - right; bound = 3.3e-16 * (fabs(left) + fabs(right)); if (det > bound || -det > bound) return det;` The sign is all
//! that is wanted of `det`, and the bound, a few ulps of what it is made of, says that it is right. So an error of up to the bound is
//! none in what is returned; a larger one, under a bound that is too small, still is.
//!
//! Known by both tests, of the value and of what it is with the other sign (or one of its size), against a product with a constant
//! of a few ulps, or a sum of such, and by the value being returned.

use super::value_numbers::ValueNumbers;
use crate::cfg::Cfg;
use crate::fp::FpType;
use crate::llvm::{Block, Opcode, Value};
use crate::locals;
use std::collections::{HashMap, HashSet};

/// Sums and products that make up a bound.
const DEPTH: u32 = 4;

/// A test of a value against a bound.
struct Test {
    at: Value,
    value: Value,
    bound: Value,
    /// Whether the value has the other sign, or none.
    sides: [bool; 2],
}

/// Behind which instruction which value is known within which bound.
pub fn bounded(names: &mut ValueNumbers, function: Value, order: &[Block]) -> HashMap<Value, (Value, Value)> {
    let mut found = HashMap::new();
    let all = || order.iter().flat_map(|b| b.instructions());
    let tests: Vec<Test> = all().filter(|i| i.is(Opcode::LLVMFCmp)).flat_map(|i| tests_of(names, i)).collect();
    if tests.is_empty() {
        return found;
    }
    let (cfg, returned) = (Cfg::of(function), returned(names, order));
    for test in tests.iter().filter(|t| returned.contains(&t.value)) {
        let same = || tests.iter().filter(|t| t.value == test.value && t.bound == test.bound);
        let is_first = same().next().is_some_and(|t| t.at == test.at);
        let both = [0, 1].iter().all(|&side| same().any(|t| t.sides[side]));
        if !is_first || !both || !dominates(&cfg, test.bound, test.at) || !dominates(&cfg, test.value, test.at) {
            continue;
        }
        found.insert(test.at, (test.value, test.bound));
        // Unoptimized, each use of the variable is a load of its own.
        for load in all().filter(|i| i.is(Opcode::LLVMLoad) && i.ty() == test.value.ty()) {
            if dominates(&cfg, test.at, load) && names.name(load) == test.value {
                found.insert(load, (load, test.bound));
            }
        }
    }
    found
}

/// What a comparison holds against a bound.
fn tests_of(names: &mut ValueNumbers, i: Value) -> Vec<Test> {
    let mut tests = Vec::new();
    if FpType::of(i.operand(0).ty()).is_none_or(|fp| fp.lane_count() != 1) {
        return tests;
    }
    for [v, b] in [[0, 1], [1, 0]].map(|order| order.map(|n| i.operand(n))) {
        let bound = names.term(b);
        if !is_bound(names, bound.name, DEPTH) {
            continue;
        }
        let mut value = names.term(v);
        let size = size_of(value.name);
        if let Some(of) = size {
            value = names.term(of);
        }
        let is_same = value.sign * bound.sign == 1;
        let sides = [size.is_some() || is_same, size.is_some() || !is_same];
        if value.name.is_instruction() {
            tests.push(Test { at: i, value: value.name, bound: bound.name, sides });
        }
    }
    tests
}

fn size_of(value: Value) -> Option<Value> {
    let is_size = value.is(Opcode::LLVMCall)
        && value.callee().is_function()
        && (value.callee().name().starts_with("llvm.fabs.") || value.callee().name() == "fabs");
    is_size.then(|| value.arguments()[0])
}

/// A few ulps of something, or a sum of such.
fn is_bound(names: &mut ValueNumbers, value: Value, depth: u32) -> bool {
    if depth == 0 || !value.is_instruction() {
        return false;
    }
    let operand = |names: &mut ValueNumbers, n: u32| names.term(value.operand(n)).name;
    match value.opcode() {
        Opcode::LLVMFMul => (0..2).any(|n| is_few_ulps(operand(names, n))),
        Opcode::LLVMFAdd => {
            let [a, b] = [0, 1].map(|n| operand(names, n));
            is_bound(names, a, depth - 1) && is_bound(names, b, depth - 1)
        }
        _ => false,
    }
}

fn is_few_ulps(constant: Value) -> bool {
    let Some(fp) = FpType::of(constant.ty()) else { return false };
    let most = f64::exp2(8.0 - f64::from(fp.precision.bits()));
    constant.as_const_real().is_some_and(|c| c > 0.0 && c <= most)
}

/// What the function returns, on one way or another.
fn returned(names: &mut ValueNumbers, order: &[Block]) -> HashSet<Value> {
    const MANY: usize = 64;
    let ends = order.iter().filter_map(|b| b.terminator()).filter(|t| t.is(Opcode::LLVMRet) && t.operand_count() == 1);
    let mut open: Vec<Value> = ends.map(|end| end.operand(0)).collect();
    let mut returned = HashSet::new();
    while let Some(value) = open.pop().filter(|_| returned.len() < MANY) {
        if FpType::of(value.ty()).is_none() || !returned.insert(value) || !value.is_instruction() {
            continue;
        }
        match value.opcode() {
            Opcode::LLVMPHI => open.extend(value.phi_incoming().into_iter().map(|(v, _)| v)),
            Opcode::LLVMSelect => open.extend([value.operand(1), value.operand(2)]),
            Opcode::LLVMLoad => {
                open.extend(locals::stored_values(value));
                open.push(names.name(value));
            }
            _ => {}
        }
    }
    returned
}

/// Whether an instruction runs before another, whenever that runs.
fn dominates(cfg: &Cfg, first: Value, second: Value) -> bool {
    if first.block() == second.block() {
        return first == second || first.comes_before(second);
    }
    let (Some(a), Some(b)) = (cfg.index(first.block()), cfg.index(second.block())) else { return false };
    cfg.dominators(b).any(|block| block == a)
}
