//! Variable arguments: the caller's clone leaves them where the thread's block has room for them, and says where `va_arg` will
//! look for each; once the callee's `va_start` has said where its areas are, the runtime moves them there.
//!
//! A function with variable arguments cannot hand them on to its clone, so whoever calls it must call the clone. Other
//! objects find it by an entry beside the function, under a name made of the function's:
//!
//! ```text
//!  f.nonius.variadic = { f, f's clone, the byte that says whether f's object records }
//! ```
//! The caller's reference is weak: without the entry it stays null. Where the linker took another `f` than the entry's,
//! addresses differ, and the call stays as it is.

use super::{Recorder, one, step};
use crate::emit::variable_floats;
use crate::llvm::{Builder, IntPredicate, Linkage, Value};
use crate::tables::Tables;
use nonius_abi::code::{Kind, Step};
use nonius_abi::hooks::id;
use nonius_abi::thread::{VA, VA_COUNT, VA_ENTRY_BYTES, VA_TAG};

fn entry_name(function: Value) -> String {
    format!("{}.nonius.variadic", function.name())
}

/// Lets other objects find the clone of a function with variable arguments.
pub fn export_clone(tables: &Tables, function: Value, clone: Value) {
    if function.linkage() != Linkage::LLVMExternalLinkage {
        return;
    }
    let module = tables.module;
    let fields = Value::const_array(module.types().ptr(), &[function, clone, tables.recording()]);
    let entry =
        module.global(&entry_name(function)).unwrap_or_else(|| module.add_global(&entry_name(function), fields.ty()));
    entry.set_initializer(fields);
    entry.set_constant();
    entry.set_linkage(Linkage::LLVMExternalLinkage);
    entry.set_visibility_of(function);
}

/// The clone of a function of another object, or the function itself.
fn clone_elsewhere(b: &Builder, tables: &Tables, function: Value) -> Value {
    let (module, ptr) = (tables.module, b.types.ptr());
    let ty = ptr.array(3);
    let entry = module.global(&entry_name(function)).unwrap_or_else(|| {
        let entry = module.add_global(&entry_name(function), ty);
        entry.set_linkage(Linkage::LLVMExternalWeakLinkage);
        entry
    });
    let is_there = b.icmp(IntPredicate::LLVMIntNE, entry, ptr.zero());
    let entry = b.select(is_there, entry, tables.no_variadic());
    let field = |n: i64| b.load(ptr, b.offset(entry, 8 * n), 8);
    let is_same = b.icmp(IntPredicate::LLVMIntEQ, field(0), function);
    let byte = b.types.i8();
    let records = b.load(byte, b.select(is_same, field(2), tables.recording()), 1);
    let records = b.icmp(IntPredicate::LLVMIntNE, records, byte.zero());
    b.select(b.and(is_same, records), field(1), function)
}

impl Recorder<'_> {
    /// A call with variable floats of a function that another object defines: its clone is called, if it has one.
    pub fn call_clone_elsewhere(&mut self, call: Value) {
        let callee = call.callee();
        let is_elsewhere = callee.is_function() && callee.is_declaration() && call.callee_type().is_variadic();
        if is_elsewhere && !variable_floats(self.module, call).is_empty() {
            self.b.before(call);
            let target = clone_elsewhere(&self.b, self.tables, callee);
            call.set_callee(target);
        }
    }

    /// Before a call: the floats among its variable arguments.
    pub fn hand_over_variable(&mut self, call: Value) {
        let entries = variable_floats(self.module, call);
        if !call.callee_type().is_variadic() || entries.is_empty() {
            return;
        }
        self.b.before(call);
        let (i64_type, thread) = (self.b.types.i64(), self.thread);
        let count = i64_type.const_int(entries.len() as u64);
        for (n, (place, value, fp)) in entries.into_iter().enumerate() {
            let at = i64::from(VA) + n as i64 * i64::from(VA_ENTRY_BYTES);
            self.b.store(i64_type.const_int(place), self.b.offset(thread, at), 8);
            let operand = self.operands(value)[0];
            let place = self.put_shared(thread);
            self.step(Step { args: one(operand), place, offset: at as i32 + 8, ..step(Kind::Store, fp) });
        }
        self.b.store(count, self.b.offset(thread, i64::from(VA_COUNT)), 8);
        self.b.store(call.callee(), self.b.offset(thread, i64::from(VA_TAG)), 8);
    }

    pub fn va_start(&mut self, i: Value) {
        self.cut(i, i.next().expect("no terminator"));
        self.b.before(self.segment.head);
        let original = self.tables.code.originals[self.code_function as usize];
        let (hook, ty) = self.tables.hook(id::__nonius_events_va_start);
        self.b.call(hook, ty, &[i.operand(0), self.thread, original]);
    }
}
