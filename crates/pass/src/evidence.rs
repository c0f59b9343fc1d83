//! What the code around an operation says of it: evidence by which findings are told apart (`nonius_finding::classify`).
//!
//! *Ends*: a test for equality of which the sides' being different leads nowhere but to the end of the program or the test:
//! an assertion. The outcome is followed through logic, local variables, and out of functions that do nothing else with it
//! for any of their callers. *Counts*: a side of a comparison is a variable that a loop adds something to. *Meant*: a
//! large power of 2, or one and a half of it, is added and taken away again, to round. What the program itself tests for is
//! in [`tested`], which sums leave a result in [`result`], which comparisons keep one of their sides in [`keeps`].
//!
//! Limits: what a call of another module does with an outcome is not seen.

use crate::keeps;
use crate::llvm::{Block, IntPredicate, Kind, Module, Opcode, RealPredicate, Value};
use crate::locals;
use crate::result;
use crate::sites::Origin;
use crate::tested;
use nonius_abi::site::{Op, mark};
use nonius_abi::table::Builder;
use std::collections::{HashMap, HashSet};

/// Steps from an outcome to what is done with it.
const DEPTH: u32 = 8;
/// Blocks from a branch to the program's end.
const BLOCKS: u32 = 6;

/// What matters to the marks of a module: to be noted before any function is instrumented or cloned.
pub fn note(module: Module, table: &mut Builder) {
    tested::note(module, table);
    let mut operations: HashMap<String, HashSet<(u32, u32, u32)>> = HashMap::new();
    for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| computes(*i)) {
            if let Some(loc) = i.debug_loc().filter(|loc| loc.line() != 0) {
                let own = operations.entry(loc.function()).or_default();
                own.insert((loc.line(), loc.column(), i.opcode() as u32));
                // A product and a sum.
                if i.is(Opcode::LLVMCall) && i.callee().name().starts_with("llvm.fm") {
                    own.insert((loc.line(), loc.column(), Opcode::LLVMFAdd as u32));
                }
            }
        }
        if ends_for_all_callers(function) {
            table.note_asserting(&function.name());
        }
    }
    let small = operations.into_iter().filter(|(_, operations)| is_small(operations));
    small.for_each(|(name, _)| table.note_small(&name));
}

/// An operation or two, or one that is done to the parts of a whole.
fn is_small(operations: &HashSet<(u32, u32, u32)>) -> bool {
    let lines: HashSet<u32> = operations.iter().map(|(line, ..)| *line).collect();
    let opcodes: HashSet<u32> = operations.iter().map(|(.., opcode)| *opcode).collect();
    operations.len() <= 2 || opcodes.len() == 1 && lines.len() <= 4
}

/// Whether an instruction computes something of floats.
fn computes(i: Value) -> bool {
    use Opcode::*;
    let is_function = || i.is(LLVMCall) && crate::sites::is_fp(i) && i.arguments().into_iter().any(crate::sites::is_fp);
    matches!(i.opcode(), LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFCmp) || is_function()
}

/// The marks of the site of an operation.
pub fn of(origin: &Origin, table: &Builder) -> u8 {
    let Some(i) = origin.instruction else { return 0 };
    match origin.op {
        Op::Compare if i.is(Opcode::LLVMFCmp) => {
            let ends = if is_asserted(i, table) { mark::ENDS } else { 0 };
            let counts = if i.operands().into_iter().any(is_counter) { mark::COUNTS } else { 0 };
            let keeps = if keeps::is_one(i) { mark::KEEPS } else { 0 };
            ends | counts | keeps | tested::noted(i, table) & mark::MEANT
        }
        Op::Compare => 0,
        Op::Add | Op::Sub if takes_away(i) => mark::MEANT,
        Op::Add | Op::Sub if is_sum(i) && result::is_one(i) => mark::RESULT | tested::noted(i, table),
        _ => tested::noted(i, table),
    }
}

fn is_asserted(test: Value, table: &Builder) -> bool {
    let Some(outcome) = outcome_of_equality(test.real_predicate()) else { return false };
    let by_callers = || test.debug_loc().is_some_and(|loc| table.is_asserting(&loc.function()));
    ends(test, !outcome, DEPTH, &mut |_| by_callers())
}

/// What a test says of equal sides, if it tests for that.
fn outcome_of_equality(predicate: RealPredicate) -> Option<bool> {
    match predicate {
        RealPredicate::LLVMRealOEQ | RealPredicate::LLVMRealUEQ => Some(true),
        RealPredicate::LLVMRealONE | RealPredicate::LLVMRealUNE => Some(false),
        _ => None,
    }
}

/// Whether the program ends where `value` is `outcome`, as soon as it is looked at. `returned`: the same of what is returned.
fn ends(value: Value, outcome: bool, depth: u32, returned: &mut dyn FnMut(bool) -> bool) -> bool {
    depth > 0
        && value.users().into_iter().any(|user| user.is_instruction() && ends_by(value, user, outcome, depth, returned))
}

fn ends_by(value: Value, user: Value, outcome: bool, depth: u32, returned: &mut dyn FnMut(bool) -> bool) -> bool {
    use Opcode::*;
    let operand = |n: u32| user.operand(n);
    let mut follow = |outcome| ends(user, outcome, depth - 1, &mut *returned);
    match user.opcode() {
        LLVMBr if user.operand_count() == 3 => {
            let [yes, no] = user.block().successors()[..] else { return false };
            is_end(if outcome { yes } else { no }, BLOCKS)
        }
        LLVMRet => returned(outcome),
        LLVMXor if user.operands().iter().any(|o| o.as_const_int() == Some(1)) => follow(!outcome),
        LLVMICmp if operand(1).as_const_int() == Some(0) => match user.int_predicate() {
            IntPredicate::LLVMIntEQ => follow(!outcome),
            IntPredicate::LLVMIntNE => follow(outcome),
            _ => false,
        },
        // `x && y` is false where x is, `x || y` true: that is what is followed.
        LLVMAnd | LLVMOr | LLVMZExt | LLVMTrunc | LLVMFreeze | LLVMPHI | LLVMSelect => follow(outcome),
        LLVMStore if operand(0) == value => {
            let loads = locals::base(operand(1)).filter(|a| *a == operand(1) && locals::is_register(*a));
            let loads: Vec<Value> = loads.map(Value::users).unwrap_or_default();
            loads.into_iter().filter(|u| u.is(LLVMLoad)).any(|load| ends(load, outcome, depth - 1, &mut *returned))
        }
        _ => false,
    }
}

/// Whether all ways from a block lead to the end of the program, by way of a few blocks. One that throws goes on elsewhere.
fn is_end(block: Block, depth: u32) -> bool {
    let Some(last) = block.terminator().filter(|_| depth > 0) else { return false };
    match last.opcode() {
        Opcode::LLVMUnreachable => !block
            .instructions()
            .into_iter()
            .filter(|i| i.is(Opcode::LLVMCall))
            .any(|i| i.callee().name() == "__cxa_throw"),
        Opcode::LLVMInvoke => last.callee().name() != "__cxa_throw" && is_end(last.normal_dest(), depth - 1),
        Opcode::LLVMBr => block.successors().into_iter().all(|next| is_end(next, depth - 1)),
        _ => false,
    }
}

/// Whether what a function returns, a truth, is asserted by all that call it.
fn ends_for_all_callers(function: Value) -> bool {
    if function.function_type().result().kind() != Kind::Integer(1) {
        return false;
    }
    let users = function.users();
    let is_asserted = |u: &Value| {
        (u.is(Opcode::LLVMCall) || u.is(Opcode::LLVMInvoke))
            && u.callee() == function
            && ends(*u, false, DEPTH, &mut |_| false)
    };
    !users.is_empty() && users.iter().all(is_asserted)
}

/// Whether a loop adds something to this value, round by round.
fn is_counter(value: Value) -> bool {
    let adds_to = |sum: Value, value: Value| is_sum(sum) && sum.operands().contains(&value);
    let is_recurrence = |phi: Value| phi.phi_incoming().into_iter().any(|(next, _)| adds_to(next, phi));
    let in_memory = |load: Value| {
        let place = load.operand(0);
        let is_same = |o: Value| o.is(Opcode::LLVMLoad) && o.operand(0) == place;
        locals::stored_values(load).into_iter().any(|sum| is_sum(sum) && sum.operands().into_iter().any(is_same))
    };
    match value.is_instruction().then(|| value.opcode()) {
        Some(Opcode::LLVMPHI) => is_recurrence(value),
        Some(Opcode::LLVMLoad) => in_memory(value),
        Some(Opcode::LLVMFAdd | Opcode::LLVMFSub) => value
            .operands()
            .into_iter()
            .any(|o| o.is(Opcode::LLVMPHI) && o.phi_incoming().iter().any(|(v, _)| *v == value)),
        _ => false,
    }
}

fn is_sum(value: Value) -> bool {
    value.is(Opcode::LLVMFAdd) || value.is(Opcode::LLVMFSub)
}

/// Whether a sum takes away the constant that was added to its other operand.
fn takes_away(sum: Value) -> bool {
    let constant = |sum: Value| {
        let at = |n: u32| sum.operand(n).as_const_real().filter(|c| c.is_finite() && *c != 0.0);
        let negated = if sum.is(Opcode::LLVMFSub) { -1.0 } else { 1.0 };
        match (at(0), at(1)) {
            (None, Some(c)) => Some((sum.operand(0), negated * c)),
            (Some(c), None) if sum.is(Opcode::LLVMFAdd) => Some((sum.operand(1), c)),
            _ => None,
        }
    };
    let Some((inner, taken)) = Some(sum).filter(|s| is_sum(*s)).and_then(constant) else { return false };
    let stored = if inner.is(Opcode::LLVMLoad) { locals::stored_values(inner) } else { Vec::new() };
    let inner = if let [one] = stored[..] { one } else { inner };
    is_sum(inner) && is_shift(taken) && constant(inner).is_some_and(|(_, added)| added == -taken)
}

/// Whether a constant is one to round by: a large power of 2, or one and a half of it. `(1 + x) - 1` and
/// `(t + 1e6) - 1e6` are no such thing.
fn is_shift(constant: f64) -> bool {
    const LEAST: f64 = (1u64 << 20) as f64;
    let fraction = constant.to_bits() & ((1 << 52) - 1);
    constant.abs() >= LEAST && (fraction == 0 || fraction == 1 << 51)
}
