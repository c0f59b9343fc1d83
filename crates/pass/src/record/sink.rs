//! Functions whose value is only picked under a condition: `x > 1 ? log(x) : 0`.
//!
//! The optimizer makes it `select` of a call, and the code generator puts the call under a branch
//! again, as long as the `select` is its one use. A recorded value would be another, and the
//! function would be called in vain, with exceptions that the program does not raise. So the branch
//! is made here.

use crate::llvm::{Kind, Module, Opcode, Value};
use nonius_abi::libm;

/// These are an instruction on most processors, and cheap.
const CHEAP: &[&str] = &["sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven"];

/// Puts calls that only a `select` uses under its condition.
pub fn put_under_conditions(module: Module, function: Value) {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let selects = all.filter(|i| i.is(Opcode::LLVMSelect) && i.operand(0).ty().kind() == Kind::Integer(1));
    let arm_of = |select: Value| [1, 2].into_iter().find(|&arm| is_only_here(select.operand(arm), select));
    let found: Vec<(Value, u32)> = selects.filter_map(|select| Some((select, arm_of(select)?))).collect();
    found.into_iter().for_each(|(select, arm)| branch(module, select, arm));
}

/// Whether a value is a call of a function that could be skipped.
fn is_only_here(value: Value, select: Value) -> bool {
    let base = |name: &str| name.strip_prefix("llvm.").and_then(|n| n.split('.').next()).map(str::to_owned);
    value.is(Opcode::LLVMCall)
        && value.callee().is_function()
        && base(&value.callee().name()).is_some_and(|n| !CHEAP.contains(&&*n) && libm::by_intrinsic(&n).is_some())
        && value.users() == [select]
        && value.block() == select.block()
}

fn branch(module: Module, select: Value, arm: u32) {
    let (call, other) = (select.operand(arm), select.operand(3 - arm));
    let b = module.builder();
    b.before(select);
    let condition = if arm == 1 { select.operand(0) } else { b.not(select.operand(0)) };
    let head = select.block();
    let then = select.split_if(condition);
    call.move_before(then);
    b.before(select);
    let picked = b.phi(select.ty());
    picked.add_incoming(call, then.block());
    picked.add_incoming(other, head);
    select.replace_uses_with(picked);
    select.erase();
}
