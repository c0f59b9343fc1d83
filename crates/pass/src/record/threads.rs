//! What one thread lets others see: its events are handed on before, so that the machine knows of a
//! value when the others' events tell that they read it.
//!
//! Atomic accesses of floats are locked (see `emit::atomic`) until their own events are handed on.

use super::Recorder;
use crate::llvm::{Opcode, Value};
use nonius_abi::hooks::id;
use nonius_abi::libc::publishes;

impl Recorder<'_> {
    /// Ends the record before `i` and hands the thread's events on, if `i` lets other threads go on.
    pub fn publish_if_seen(&mut self, i: Value) {
        let seen = match i.opcode() {
            Opcode::LLVMCall => i.callee().is_function() && publishes(&i.callee().name()),
            Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMFence => i.is_release(),
            _ => false,
        };
        if seen {
            self.publish(i);
        }
    }

    /// At the end of a function that OpenMP's threads run: they wait for the next one then.
    pub fn publish_if_done(&mut self, terminator: Value) {
        let function = self.tables.code.originals[self.code_function as usize];
        let hands_over =
            |user: &Value| user.is(Opcode::LLVMCall) && user.callee().is_function() && publishes(&user.callee().name());
        if terminator.is(Opcode::LLVMRet) && function.users().iter().any(hands_over) {
            self.hand_on(terminator);
        }
    }

    fn publish(&mut self, before: Value) {
        self.cut(before, before);
        self.hand_on(before);
    }

    fn hand_on(&mut self, before: Value) {
        self.b.before(before);
        let (hook, ty) = self.tables.hook(id::__nonius_events_publish);
        self.b.call(hook, ty, &[self.thread]);
    }

    /// Holds the address over the atomic write `i` of a float and its events.
    pub fn hold(&mut self, i: Value, pointer: Value) -> Locked {
        let next = i.next().expect("an access ends no block");
        Locked { lock: self.lock(i, pointer), next }
    }

    /// Behind the events of what is locked.
    pub fn release(&mut self, locked: Locked) {
        self.publish(locked.next);
        self.tables.release(&self.b, locked.lock);
    }

    /// Lets the atomic load `i` of a float wait for who holds the address.
    pub fn wait_for_writer(&mut self, i: Value) {
        let lock = self.lock(i, i.operand(0));
        self.stand_behind(i);
        self.tables.release(&self.b, lock);
    }

    fn lock(&mut self, i: Value, pointer: Value) -> Value {
        self.b.before(i);
        self.tables.hold(&self.b, pointer)
    }
}

pub struct Locked {
    lock: Value,
    /// The program's next instruction: events of the access come before it.
    next: Value,
}
