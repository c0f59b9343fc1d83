//! Variable arguments: the caller's clone leaves them where the thread's block has room for them, and says where `va_arg` will
//! look for each; once the callee's `va_start` has said where its areas are, the runtime moves them there.

use super::{Recorder, one, step};
use crate::emit::variable_floats;
use crate::llvm::Value;
use nonius_abi::code::{Kind, Step};
use nonius_abi::hooks::id;
use nonius_abi::thread::{VA, VA_COUNT, VA_ENTRY_BYTES, VA_TAG};

impl Recorder<'_> {
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
