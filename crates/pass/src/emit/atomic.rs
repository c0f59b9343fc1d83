//! Atomic accesses: value and planes change together, or another thread would start from a value
//! whose shadow is still on its way, and lose it.
//!
//! Whoever writes holds the address (`__nonius_hold`) over the access and the planes' stores. A
//! reader takes what it finds; only where the copy does not fit does it wait for a writer and
//! look again.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{IntPredicate, Opcode, Value};
use nonius_abi::planes::COPY;
use nonius_abi::site::Observed;

impl Emitter<'_> {
    /// Holds the address that the atomic access `i` is about to write.
    pub fn hold(&mut self, i: Value, pointer: Value) -> Value {
        self.b.before(i);
        self.tables.hold(&self.b, pointer)
    }

    pub fn release(&mut self, lock: Value) {
        self.tables.release(&self.b, lock);
    }

    /// Releases the lock, if there is one, once the store `i` was done.
    pub fn release_after(&mut self, i: Value, lock: Option<Value>) {
        if let (Some(lock), Some(next)) = (lock, i.next()) {
            self.b.before_with_loc_of(next, i);
            self.release(lock);
        }
    }

    /// After the atomic load `i`: a writer may be between value and planes.
    pub fn wait_for_writer(&mut self, i: Value) {
        let (pointer, bytes) = (i.operand(0), self.module.store_bytes(i.ty()));
        if !matches!(bytes, 4 | 8) {
            return;
        }
        let bits = self.b.types.int(8 * bytes as u32);
        let copy = self.b.load(bits, self.b.offset(pointer, COPY), i.alignment().max(1));
        let differs = self.b.icmp(IntPredicate::LLVMIntNE, copy, self.b.bitcast(i, bits));
        let point = self.b.point();
        let then = point.split_if(differs);
        self.b.before_with_loc_of(then, i);
        let lock = self.tables.hold(&self.b, pointer);
        self.release(lock);
        self.b.before_with_loc_of(point, i);
    }

    /// `atomicrmw`: the old value is loaded, the new one stored.
    pub fn visit_atomic_rmw(&mut self, i: Value) {
        let Some(fp) = FpType::of(i.ty()) else { return self.punned_rmw(i) };
        let (pointer, align) = (i.operand(0), i.alignment().max(1));
        let here = self.b.point();
        let lock = self.hold(i, pointer);
        self.b.before_with_loc_of(here, i);
        let old = self.load_shadow(i, fp, pointer, align, i);
        self.shadows.set(i, 0, Shadow::Known(old));
        match self.modified(i, fp) {
            Some((new, shadow)) => self.store_shadow(new, fp, shadow, pointer, align),
            None => self.lose(i, "atomicrmw"),
        }
        self.release(lock);
    }

    /// What an `atomicrmw` of a float leaves in memory, and its shadow.
    fn modified(&mut self, i: Value, fp: FpType) -> Option<(Value, Shadow)> {
        let operand = i.operand(1);
        let new = match i.rmw_operation()? {
            "xchg" => return Some((operand, self.shadow(operand))),
            "fadd" => {
                let sum = self.b.fadd(i, operand);
                self.arithmetic(sum, fp, Opcode::LLVMFAdd, &[i, operand]);
                sum
            }
            "fsub" => {
                let difference = self.b.fsub(i, operand);
                self.arithmetic(difference, fp, Opcode::LLVMFSub, &[i, operand]);
                difference
            }
            extreme => {
                let which = if extreme == "fmax" { "max" } else { "min" };
                let picked = self.b.intrinsic(&format!("llvm.{which}num"), &[i.ty()], &[i, operand]);
                self.pick(picked, fp, which, [i, operand]);
                picked
            }
        };
        let shadow = self.shadow(new);
        Some((new, self.check(new, fp, shadow, Observed::Store, i)))
    }
}
