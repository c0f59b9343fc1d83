//! What the program itself looks for: NaNs and infinities that it tests for, and equality that is the short way through a
//! comparison with a tolerance.
//!
//! From each test (`x != x`, a class of floats, a comparison with infinity or with the largest number) the operands are
//! followed back through arithmetic, local variables, parameters and what functions return; the operations on the way are
//! noted by their places, before anything is instrumented. `x == y` is such a short way if the same function also takes
//! the difference of the two and compares its size.
//!
//! Limits: what goes through memory other than local variables, or to another module, is not followed.

use crate::llvm::{Module, Opcode, RealPredicate, Value};
use crate::locals;
use crate::sites::is_fp;
use nonius_abi::site::mark;
use nonius_abi::table::Builder;
use std::collections::HashSet;

/// Operations from a test back to where a NaN or infinity is made.
const DEPTH: u32 = 12;
/// Values that are looked at for one test.
const MOST: usize = 256;

const BOTH: u8 = mark::NAN_TESTED | mark::INF_TESTED;

pub fn note(module: Module, table: &mut Builder) {
    for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
        let mut sums = None;
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            for (operand, bits) in tested(i) {
                Walk { table, seen: HashSet::new() }.back(operand, function, bits, DEPTH);
            }
            if is_equality(i) && is_short_way(i, sums.get_or_insert_with(|| differences(function))) {
                note_at(table, i, mark::MEANT);
            }
        }
    }
}

/// What was noted of an operation.
pub fn noted(i: Value, table: &Builder) -> u8 {
    place(i).map_or(0, |(function, line, column)| table.noted(&function, line, column, i.is(Opcode::LLVMFCmp)))
}

fn note_at(table: &mut Builder, i: Value, bits: u8) {
    if let Some((function, line, column)) = place(i) {
        table.note(function, line, column, i.is(Opcode::LLVMFCmp), bits);
    }
}

fn place(i: Value) -> Option<(String, u32, u32)> {
    let loc = i.debug_loc().filter(|loc| loc.line() != 0)?;
    Some((loc.function(), loc.line(), loc.column()))
}

/// The operands that an instruction tests for being a NaN or an infinity, and for which.
fn tested(i: Value) -> Vec<(Value, u8)> {
    match i.opcode() {
        Opcode::LLVMFCmp => by_comparison(i),
        Opcode::LLVMCall if i.callee().is_function() => by_call(i),
        _ => Vec::new(),
    }
}

fn by_comparison(test: Value) -> Vec<(Value, u8)> {
    use RealPredicate::*;
    let [x, y] = [test.operand(0), test.operand(1)];
    let predicate = test.real_predicate();
    match predicate {
        LLVMRealUNO | LLVMRealORD => return vec![(x, mark::NAN_TESTED), (y, mark::NAN_TESTED)],
        LLVMRealOEQ | LLVMRealUNE if is_same(x, y) => return vec![(x, mark::NAN_TESTED)],
        _ => {}
    }
    let is_limit = |v: Value| v.as_const_real().is_some_and(|c| c.abs() == f64::INFINITY || is_largest(c));
    let (value, limit) = match (is_limit(x), is_limit(y)) {
        (false, true) => (x, y.as_const_real()),
        (true, false) => (y, x.as_const_real()),
        _ => return Vec::new(),
    };
    // Of finite numbers, infinities and NaNs, which have the same outcome?
    let holds =
        |v: f64| holds(predicate, if value == x { [v, limit.unwrap_or(0.0)] } else { [limit.unwrap_or(0.0), v] });
    let of_finite = holds(0.0);
    let nan = if holds(f64::NAN) != of_finite { mark::NAN_TESTED } else { 0 };
    let inf = [f64::INFINITY, f64::NEG_INFINITY].iter().any(|v| holds(*v) != of_finite);
    vec![(value, nan | if inf { mark::INF_TESTED } else { 0 })]
}

fn is_largest(c: f64) -> bool {
    [f64::MAX, f64::from(f32::MAX)].contains(&c.abs())
}

fn holds(predicate: RealPredicate, [x, y]: [f64; 2]) -> bool {
    use RealPredicate::*;
    let unordered = x.is_nan() || y.is_nan();
    match predicate {
        LLVMRealOEQ => x == y,
        LLVMRealOGT => x > y,
        LLVMRealOGE => x >= y,
        LLVMRealOLT => x < y,
        LLVMRealOLE => x <= y,
        LLVMRealONE => !unordered && x != y,
        LLVMRealORD => !unordered,
        LLVMRealUNO => unordered,
        LLVMRealUEQ => unordered || x == y,
        LLVMRealUGT => unordered || x > y,
        LLVMRealUGE => unordered || x >= y,
        LLVMRealULT => unordered || x < y,
        LLVMRealULE => unordered || x <= y,
        LLVMRealUNE => unordered || x != y,
        _ => false,
    }
}

/// The classes of floats of `llvm.is.fpclass`.
const NANS: u64 = 0x3;
const INFINITIES: u64 = 0x204;
const NORMAL: u64 = 0x108;

fn by_call(call: Value) -> Vec<(Value, u8)> {
    let name = call.callee().name();
    if name.starts_with("llvm.is.fpclass.") {
        let classes = call.operand(1).as_const_int().unwrap_or(0);
        let of_finite = classes & NORMAL != 0;
        let bit = |of: u64, bit: u8| if (classes & of != 0) != of_finite { bit } else { 0 };
        return vec![(call.operand(0), bit(NANS, mark::NAN_TESTED) | bit(INFINITIES, mark::INF_TESTED))];
    }
    // The C library's own, where the compiler does not know them.
    let bits = match name.trim_start_matches('_').trim_end_matches(['f', 'l']) {
        "isnan" => mark::NAN_TESTED,
        "isin" | "isinf" => mark::INF_TESTED,
        "finite" | "isfinite" => BOTH,
        _ => return Vec::new(),
    };
    call.arguments()
        .first()
        .filter(|x| call.callee().is_declaration() && is_fp(**x))
        .map(|x| (*x, bits))
        .into_iter()
        .collect()
}

struct Walk<'a> {
    table: &'a mut Builder,
    seen: HashSet<Value>,
}

impl Walk<'_> {
    /// Notes the operations that `value`, of `function`, comes from.
    fn back(&mut self, value: Value, function: Value, bits: u8, depth: u32) {
        use Opcode::*;
        if bits == 0 || depth == 0 || self.seen.len() >= MOST || value.is_constant() || !self.seen.insert(value) {
            return;
        }
        if !value.is_instruction() {
            return self.follow_callers(value, function, bits, depth);
        }
        let operands = match value.opcode() {
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMFPTrunc | LLVMFPExt => {
                note_at(self.table, value, bits);
                value.operands()
            }
            LLVMCall | LLVMInvoke => {
                note_at(self.table, value, bits);
                return self.follow_callee(value, function, bits, depth);
            }
            LLVMPHI => value.phi_incoming().into_iter().map(|(v, _)| v).collect(),
            LLVMSelect => vec![value.operand(1), value.operand(2)],
            LLVMFreeze | LLVMExtractElement | LLVMBitCast => vec![value.operand(0)],
            LLVMLoad => locals::stored_values(value),
            _ => Vec::new(),
        };
        operands.into_iter().for_each(|o| self.back(o, function, bits, depth - 1));
    }

    /// What a parameter was given.
    fn follow_callers(&mut self, parameter: Value, function: Value, bits: u8, depth: u32) {
        let Some(index) = function.parameters().into_iter().position(|p| p == parameter) else { return };
        let is_call = |u: &Value| (u.is(Opcode::LLVMCall) || u.is(Opcode::LLVMInvoke)) && u.callee() == function;
        for call in function.users().into_iter().filter(|u| u.is_instruction() && is_call(u)) {
            if let Some(given) = call.arguments().get(index) {
                self.back(*given, call.block().function(), bits, depth - 1);
            }
        }
    }

    /// What a function returns, or what a function of the library was given.
    fn follow_callee(&mut self, call: Value, function: Value, bits: u8, depth: u32) {
        let callee = call.callee();
        if !callee.is_function() || callee.is_declaration() {
            return call
                .arguments()
                .into_iter()
                .filter(|x| is_fp(*x))
                .for_each(|x| self.back(x, function, bits, depth - 1));
        }
        let returns = callee.blocks().into_iter().filter_map(|b| b.terminator()).filter(|i| i.is(Opcode::LLVMRet));
        let returned: Vec<Value> = returns.filter(|i| i.operand_count() > 0).map(|i| i.operand(0)).collect();
        returned.into_iter().for_each(|x| self.back(x, callee, bits, depth - 1));
    }
}

fn is_equality(i: Value) -> bool {
    use RealPredicate::*;
    i.is(Opcode::LLVMFCmp)
        && matches!(i.real_predicate(), LLVMRealOEQ | LLVMRealUNE | LLVMRealUEQ | LLVMRealONE)
        && !i.operands().into_iter().any(Value::is_constant)
}

/// The differences of a function whose size is compared.
fn differences(function: Value) -> Vec<Value> {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    all.filter(|i| i.is(Opcode::LLVMFSub) && is_compared(*i, 4)).collect()
}

/// Whether a value is held against another by its size.
fn is_compared(value: Value, depth: u32) -> bool {
    let is_size = |call: Value| call.callee().is_function() && call.callee().name().starts_with("llvm.fabs.");
    depth > 0
        && value.users().into_iter().filter(|u| u.is_instruction()).any(|user| match user.opcode() {
            Opcode::LLVMFCmp => !is_equality(user) && !user.operands().iter().any(|o| o.as_const_real() == Some(0.0)),
            Opcode::LLVMCall if is_size(user) => is_compared(user, depth - 1),
            Opcode::LLVMStore if user.operand(0) == value => {
                let place = user.operand(1);
                let loads = locals::base(place).filter(|a| *a == place && locals::is_register(*a)).map(Value::users);
                loads.into_iter().flatten().any(|u| u.is(Opcode::LLVMLoad) && is_compared(u, depth - 1))
            }
            _ => false,
        })
}

fn is_short_way(test: Value, differences: &[Value]) -> bool {
    let [x, y] = [test.operand(0), test.operand(1)];
    differences.iter().any(|d| {
        let [a, b] = [d.operand(0), d.operand(1)];
        is_same(x, a) && is_same(y, b) || is_same(x, b) && is_same(y, a)
    })
}

/// The same value, or loads of the same place.
fn is_same(a: Value, b: Value) -> bool {
    let are_loads = || a.is_instruction() && b.is_instruction() && a.is(Opcode::LLVMLoad) && b.is(Opcode::LLVMLoad);
    a == b || are_loads() && (locals::same_place(a.operand(0), b.operand(0)) || is_same(a.operand(0), b.operand(0)))
}
