//! The switch between a function and its recording clone, and what the clone does at its entry.

use super::variadic::export_clone;
use crate::llvm::{Builder, IntPredicate, Kind, Linkage, Opcode, Type, Value};
use crate::lower::is_inner;
use crate::tables::Tables;
use nonius_abi::hooks::id;
use std::collections::{HashMap, HashSet};

/// Whether a function can be run in two copies. Not so:
/// * jumps to addresses of blocks, which would mix the copies up;
/// * chains that the code generator may reassociate: it goes by latencies, which recording changes.
pub fn can_clone(function: Value) -> bool {
    let stays = |i: Value| {
        matches!(i.opcode(), Opcode::LLVMIndirectBr | Opcode::LLVMCallBr) || i.may_reassociate() && is_inner(i)
    };
    !function.blocks().into_iter().flat_map(|b| b.instructions()).any(stays)
}

/// The functions that call `function`, if no other use of it can be: only then is it known who asks for it.
pub fn callers(function: Value) -> Option<Vec<Value>> {
    if function.linkage() != Linkage::LLVMInternalLinkage {
        return None;
    }
    let caller = |user: Value| {
        let calls = user.is(Opcode::LLVMCall) || user.is(Opcode::LLVMInvoke);
        let hands_over = || user.arguments().contains(&function);
        (calls && user.callee() == function && !hands_over()).then(|| user.block().function())
    };
    function.users().into_iter().map(caller).collect()
}

/// A function, the clone that records, and who calls the function, if that is known.
pub struct Pair {
    pub function: Value,
    pub clone: Value,
    pub callers: Option<Vec<Value>>,
}

/// Lets the module's flag choose between functions and their clones. Where only functions with
/// clones call, they have chosen already: clones then call the clone, and nothing is asked.
///
/// Variable arguments cannot be handed on (LLVM spills them wrongly where a function both forwards and reads them), so
/// there too clones call the clone, those of other objects as well (see `variadic`); whoever else calls the function, or
/// calls it by its address, finds it as it is.
pub fn connect(tables: &Tables, pairs: &[Pair]) {
    let originals: HashSet<Value> = pairs.iter().map(|p| p.function).collect();
    let is_chosen = |p: &Pair| p.callers.as_ref().is_some_and(|all| all.iter().all(|c| originals.contains(c)));
    let is_variadic = |p: &Pair| p.function.function_type().is_variadic();
    let direct = pairs.iter().filter(|p| is_chosen(p) || is_variadic(p) && !may_be_replaced(p.function));
    let direct: HashMap<Value, Value> = direct.map(|p| (p.function, p.clone)).collect();
    for pair in pairs {
        if is_variadic(pair) {
            export_clone(tables, pair.function, pair.clone);
        } else if !is_chosen(pair) {
            dispatch(tables, pair.function, pair.clone);
        }
        let calls = pair.clone.blocks().into_iter().flat_map(|b| b.instructions());
        for call in calls.filter(|i| matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)) {
            if let Some(&clone) = direct.get(&call.callee()) {
                call.set_callee(clone);
            }
        }
    }
}

/// Whether another definition may take the place of this one.
fn may_be_replaced(function: Value) -> bool {
    matches!(function.linkage(), Linkage::LLVMWeakAnyLinkage | Linkage::LLVMLinkOnceAnyLinkage)
}

/// At the function's entry: if the module's flag says so, the clone runs instead.
fn dispatch(tables: &Tables, function: Value, clone: Value) {
    let instructions = function.blocks()[0].instructions();
    let start = *instructions.iter().find(|i| i.opcode() != Opcode::LLVMAlloca).expect("a terminator");
    let b = tables.module.builder();
    b.before(start);
    let flag = b.load(b.types.i8(), tables.recording(), 1);
    let records = b.icmp(IntPredicate::LLVMIntNE, flag, b.types.i8().zero());
    let jump = start.split_if(records);
    b.before(jump);
    let result = b.hand_on(clone, can_replace_frame(function));
    match function.function_type().result().kind() {
        Kind::Void => b.ret_void(),
        _ => b.ret(result),
    }
    jump.erase();
}

/// Whether the target can always jump from the function to its clone: all that is passed fits registers
/// or has its place on the stack already.
fn can_replace_frame(function: Value) -> bool {
    let is_simple = |ty: Type| {
        matches!(
            ty.kind(),
            Kind::Void | Kind::Pointer | Kind::Float | Kind::Double | Kind::X87 | Kind::Integer(1 | 8 | 16 | 32 | 64)
        )
    };
    let ty = function.function_type();
    let result = ty.result();
    let is_pair = matches!(result.kind(), Kind::Struct(2)) && (0..2).all(|n| is_simple(result.field(n)));
    let parameters = ty.parameters();
    function.has_plain_convention()
        && (is_simple(result) || is_pair)
        && (0..parameters.len()).all(|n| is_simple(parameters[n]) && function.parameter_byval(n as u32).is_none())
}

/// Emits the clone's entry before `entry`. Returns the thread's block, and the header of an event
/// of the object's block 0.
pub fn enter(b: &Builder, tables: &Tables, entry: Value, clone: Value) -> (Value, Value) {
    b.before(clone.blocks()[0].instructions()[0]);
    // Its address tells this frame from all others that live.
    let frame = b.alloca(b.types.i8(), 1);
    let thread = find_thread(b, tables, entry);
    let i64_type = b.types.i64();
    let base = b.zext(b.load(b.types.i32(), tables.base(), 4), i64_type);
    let frame = b.shl(b.ptr_to_int(frame, i64_type), i64_type.const_int(32));
    (thread, b.or(frame, base))
}

fn find_thread(b: &Builder, tables: &Tables, entry: Value) -> Value {
    b.before(entry);
    let ptr = b.types.ptr();
    let known = b.load(ptr, tables.thread_pointer(), 8);
    let missing = b.icmp(IntPredicate::LLVMIntEQ, known, ptr.zero());
    let head = entry.block();
    let then = entry.split_if(missing);
    b.before(then);
    let (make, ty) = tables.hook(id::__nonius_thread);
    let made = b.call(make, ty, &[]);
    b.before(entry);
    let thread = b.phi(ptr);
    thread.add_incoming(known, head);
    thread.add_incoming(made, then.block());
    thread
}
