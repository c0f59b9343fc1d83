//! Floats that Rust code hands to a formatter: what becomes text is output.
//!
//! `println!("{}", x)` leaves a pair of pointers for each argument: to `x`, and behind it to the
//! function that formats it. The pair is a pair of stores here; see `nonius_abi::rust`.

use crate::llvm::{Module, Opcode, Value};
use nonius_abi::Precision;
use nonius_abi::rust::{argument_builder, float_formatter};
use std::collections::HashMap;

/// Bytes from the pointer to the value to the pointer to its formatter.
const TO_FORMATTER: i64 = 8;

/// A float that is formatted: where it lies, and its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formatted {
    pub pointer: Value,
    pub precision: Precision,
}

/// What a store or call hands to a formatter, for each of the function's that does.
pub fn formatted(function: Value) -> HashMap<Value, Formatted> {
    let mut all = HashMap::new();
    for block in function.blocks() {
        let instructions = block.instructions();
        for (at, &i) in instructions.iter().enumerate() {
            if let Some(formatted) = by_call(i) {
                all.insert(i, Formatted { pointer: resolve(formatted.pointer), ..formatted });
            }
            let Some(precision) = stored_formatter(i) else { continue };
            let is_value = |v: &Value| v.is(Opcode::LLVMStore) && is_before(*v, i);
            if let Some(value_at) = instructions.iter().position(is_value) {
                // Only behind both stores is the pair whole.
                let pointer = instructions[value_at].operand(0);
                all.insert(instructions[at.max(value_at)], Formatted { pointer, precision });
            }
        }
    }
    all
}

/// Whether the pointer goes to a formatter of floats and nowhere else, by this user of it.
pub fn is_formatting(user: Value, pointer: Value) -> bool {
    match user.opcode() {
        Opcode::LLVMStore => is_value_of_pair(user) || is_kept_for_formatter(user),
        Opcode::LLVMCall | Opcode::LLVMInvoke => by_call(user).is_some_and(|f| f.pointer == pointer),
        _ => false,
    }
}

/// At level 0 the pointers wait in a tuple on the stack, and are put where a debugger looks for
/// them. Whether what `store` puts there is loaded only to be formatted, if at all.
fn is_kept_for_formatter(store: Value) -> bool {
    let (object, at) = store.operand(1).base_and_offset();
    let is_load = |i: &Value| i.is(Opcode::LLVMLoad) && i.operand(0).base_and_offset().1 == at;
    let is_formatted = |load: Value| load.users().into_iter().all(|u| by_call(u).is_some());
    object.is(Opcode::LLVMAlloca)
        && accesses(object).is_some_and(|all| all.into_iter().filter(is_load).all(is_formatted))
}

/// The loads and stores of a stack object; `None` if it is used otherwise.
fn accesses(object: Value) -> Option<Vec<Value>> {
    let (mut all, mut work) = (Vec::new(), vec![object]);
    while let Some(pointer) = work.pop() {
        for user in pointer.users() {
            match () {
                () if user.is(Opcode::LLVMGetElementPtr) => work.push(user),
                () if user.is(Opcode::LLVMLoad) => all.push(user),
                () if user.is(Opcode::LLVMStore) && user.operand(0) != pointer => all.push(user),
                () if user.is(Opcode::LLVMCall) && is_lifetime(user) => {}
                () => return None,
            }
        }
    }
    Some(all)
}

fn is_lifetime(call: Value) -> bool {
    call.callee().is_function() && call.callee().name().starts_with("llvm.lifetime.")
}

/// The stack object behind a pointer that was kept in a tuple.
fn resolve(pointer: Value) -> Value {
    if !pointer.is(Opcode::LLVMLoad) {
        return pointer;
    }
    let (object, at) = pointer.operand(0).base_and_offset();
    if !object.is(Opcode::LLVMAlloca) {
        return pointer;
    }
    let here = |i: &Value| i.is(Opcode::LLVMStore) && i.operand(1).base_and_offset().1 == at;
    let stores: Vec<Value> = accesses(object).unwrap_or_default().into_iter().filter(here).collect();
    match stores.as_slice() {
        [store] if store.operand(0).is(Opcode::LLVMAlloca) => store.operand(0),
        _ => pointer,
    }
}

/// Gives each formatter that a table of functions refers to a forwarder in this module, whose
/// call of the formatter is then seen like any other.
pub fn forward_from_tables(module: Module) {
    for function in module.functions() {
        if float_formatter(&function.name()).is_some() && function.users().into_iter().any(|u| !u.is_instruction()) {
            function.forward_constant_uses();
        }
    }
}

fn by_call(i: Value) -> Option<Formatted> {
    if !(i.is(Opcode::LLVMCall) || i.is(Opcode::LLVMInvoke)) || !i.callee().is_function() {
        return None;
    }
    let (name, arguments) = (i.callee().name(), i.arguments());
    if let Some(precision) = float_formatter(&name) {
        return arguments.first().map(|&pointer| Formatted { pointer, precision });
    }
    // The result may come first, by pointer.
    argument_builder(&name).and_then(|precision| arguments.last().map(|&pointer| Formatted { pointer, precision }))
}

fn stored_formatter(i: Value) -> Option<Precision> {
    if !i.is(Opcode::LLVMStore) || !i.operand(0).is_function() {
        return None;
    }
    float_formatter(&i.operand(0).name())
}

/// Whether `value` stores the pointer that stands before the formatter which `formatter` stores.
fn is_before(value: Value, formatter: Value) -> bool {
    let ((value_base, value_at), (base, at)) =
        (value.operand(1).base_and_offset(), formatter.operand(1).base_and_offset());
    value_base == base && value_at + TO_FORMATTER == at
}

fn is_value_of_pair(store: Value) -> bool {
    let (base, _) = store.operand(1).base_and_offset();
    let mut work = vec![base];
    while let Some(pointer) = work.pop() {
        for user in pointer.users() {
            if user.is(Opcode::LLVMGetElementPtr) {
                work.push(user);
            } else if user.is_instruction() && stored_formatter(user).is_some() && is_before(store, user) {
                return true;
            }
        }
    }
    false
}
