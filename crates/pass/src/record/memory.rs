//! Loads, stores and copies of memory.

use super::{Recorder, one, step};
use crate::llvm::{Kind as TypeKind, Value};
use crate::locals;
use nonius_abi::Precision;
use nonius_abi::code::{Kind, Step};
use nonius_abi::site::{NONE, Observed};

impl Recorder<'_> {
    /// The word that holds the address of `pointer`'s object, and the bytes from there.
    fn place(&mut self, pointer: Value, plus: u64) -> (u32, i32) {
        let (base, offset) = self.module.base_and_offset(pointer);
        match i32::try_from(offset + plus as i64) {
            Ok(offset) => (self.put_shared(base), offset),
            Err(_) => (self.put_shared(pointer), plus as i32),
        }
    }

    pub fn load(&mut self, i: Value) {
        let parts = self.parts(i);
        if parts.is_empty() {
            return;
        }
        if !i.operand(0).ty().is_ordinary_pointer() {
            return self.restart(i);
        }
        let mut slot = self.name(i);
        for part in parts {
            let value = self.member_of(i, &part);
            let (place, offset) = self.place(i.operand(0), part.offset);
            let word = self.put(value);
            self.step(Step { result: slot, place, offset, word, ..step(Kind::Load, part.fp) });
            slot += part.fp.lane_count();
        }
    }

    pub fn store(&mut self, i: Value) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        let parts = self.parts(value);
        if parts.is_empty() || !pointer.ty().is_ordinary_pointer() {
            return;
        }
        let register = !i.is_volatile() && locals::base(pointer).is_some_and(|a| self.registers[&a]);
        if !register {
            self.check(value, Observed::Store, i);
        }
        let operands = self.operands(value);
        let mut at = 0;
        self.b.before(i);
        for part in parts {
            let lanes = part.fp.lane_count() as usize;
            let a = self.together(&operands[at..at + lanes], part.fp);
            let (place, offset) = self.place(pointer, part.offset);
            self.step(Step { args: one(a), place, offset, ..step(Kind::Store, part.fp) });
            at += lanes;
        }
    }

    /// Memory is copied; stands where the three values are known.
    pub fn copy(&mut self, to: Value, from: Value, bytes: Value) {
        let wide = self.b.types.i64();
        let bytes = match bytes.ty().kind() {
            TypeKind::Integer(64) => bytes,
            _ => self.b.zext(bytes, wide),
        };
        let place = self.put(to);
        self.put(from);
        self.put(bytes);
        let step = Step::new(Kind::Copy, Precision::Double, 1);
        self.step(Step { place, site: NONE, ..step });
    }
}
