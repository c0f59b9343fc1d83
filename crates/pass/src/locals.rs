//! Stack objects that are registers in disguise: at -O0 every local variable is one. A store to
//! such an object lets nothing escape, so it is not checked, and a load from it leads back to the
//! operation that was stored: findings are the same at every optimization level.

use crate::formats;
use crate::llvm::{Opcode, Value};
use std::cell::RefCell;
use std::collections::HashMap;

/// The alloca behind a pointer, through constant offsets.
pub fn base(pointer: Value) -> Option<Value> {
    let mut at = pointer;
    while at.is(Opcode::LLVMGetElementPtr) {
        at = at.operand(0);
    }
    at.is(Opcode::LLVMAlloca).then_some(at)
}

/// All stack objects of a function, asked before shadow code uses them too.
pub fn registers(function: Value) -> HashMap<Value, bool> {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    all.filter(|i| i.opcode() == Opcode::LLVMAlloca).map(|a| (a, is_register(a))).collect()
}

thread_local! {
    /// What [`Known`] has.
    static KNOWN: RefCell<HashMap<Value, bool>> = RefCell::default();
    /// The stores to each of the known registers that were asked for.
    static STORES: RefCell<HashMap<Value, Vec<Value>>> = RefCell::default();
}

/// As long as this is there, it is known which stack objects of a function are registers, and what the program stores to
/// them. To ask again takes as long as an object has uses, and every one of them asks. There is one at a time.
pub struct Known;

impl Known {
    pub fn of(registers: &HashMap<Value, bool>) -> Known {
        KNOWN.set(registers.clone());
        STORES.take();
        Known
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        KNOWN.take();
        STORES.take();
    }
}

/// Whether the object could live in registers: only loaded, stored, formatted, and copied whole or
/// by constant parts.
pub fn is_register(alloca: Value) -> bool {
    KNOWN.with_borrow(|known| known.get(&alloca).copied()).unwrap_or_else(|| could_be_register(alloca))
}

fn could_be_register(alloca: Value) -> bool {
    alloca.operand(0).as_const_int() == Some(1) && alloca.users().into_iter().all(|u| is_plain_use(u, alloca))
}

fn is_plain_use(user: Value, pointer: Value) -> bool {
    if !user.is_instruction() {
        return false;
    }
    match user.opcode() {
        Opcode::LLVMLoad => !user.is_volatile(),
        Opcode::LLVMStore => {
            !user.is_volatile() && (user.operand(0) != pointer || formats::is_formatting(user, pointer))
        }
        Opcode::LLVMGetElementPtr => {
            user.operands().into_iter().skip(1).all(|index| index.as_const_int().is_some())
                && user.users().into_iter().all(|u| is_plain_use(u, user))
        }
        Opcode::LLVMCall => {
            let name = if user.callee().is_function() { user.callee().name() } else { String::new() };
            ["llvm.lifetime.", "llvm.mem", "llvm.dbg."].iter().any(|prefix| name.starts_with(prefix))
                || formats::is_formatting(user, pointer)
        }
        Opcode::LLVMInvoke => formats::is_formatting(user, pointer),
        _ => false,
    }
}

/// How far back in a block the store behind a load is looked for.
pub const NEAR: usize = 200;

/// What was stored to the place that `load` reads: the store before it in its block first, then
/// the others, the program's last first.
pub fn stored_values(load: Value) -> Vec<Value> {
    stores(load).into_iter().map(|store| store.operand(0)).collect()
}

/// The stores behind [`stored_values`].
pub fn stores(load: Value) -> Vec<Value> {
    let pointer = load.operand(0);
    if !base(pointer).is_some_and(is_register) {
        return Vec::new();
    }
    let is_store = |i: Value| i.is(Opcode::LLVMStore) && same_place(i.operand(1), pointer);
    let before = std::iter::successors(load.previous(), |i| i.previous()).take(NEAR);
    if let Some(near) = before.into_iter().find(|&i| is_store(i)) {
        return vec![near];
    }
    let alloca = base(pointer).expect("checked above");
    let to_place = |all: &[Value]| all.iter().copied().filter(|&store| is_store(store)).collect();
    if !KNOWN.with_borrow(|known| known.contains_key(&alloca)) {
        return to_place(&stores_to(alloca));
    }
    STORES.with_borrow_mut(|known| to_place(known.entry(alloca).or_insert_with(|| stores_to(alloca))))
}

/// All stores to an object or its parts, the program's last first.
fn stores_to(alloca: Value) -> Vec<Value> {
    let mut stores = Vec::new();
    let mut work = vec![alloca];
    while let Some(at) = work.pop() {
        for user in at.users() {
            if user.is(Opcode::LLVMGetElementPtr) {
                work.push(user);
            } else if user.is(Opcode::LLVMStore) && user.operand(1) == at {
                stores.push(user);
            }
        }
    }
    stores
}

/// The same address: the same value, or the same constant steps from one object.
pub fn same_place(a: Value, b: Value) -> bool {
    a == b
        || a.is(Opcode::LLVMGetElementPtr)
            && b.is(Opcode::LLVMGetElementPtr)
            && a.operand_count() == b.operand_count()
            && {
                let steps = |v: Value| v.operands().into_iter().skip(1).map(|i| i.as_const_int()).collect::<Vec<_>>();
                same_place(a.operand(0), b.operand(0)) && steps(a) == steps(b) && steps(a).iter().all(Option::is_some)
            }
}
