//! Loads, stores and copies of memory.

use super::{Recorder, one, step};
use crate::fp::FpType;
use crate::llvm::{Kind as TypeKind, Opcode, Value};
use crate::locals;
use crate::sites;
use nonius_abi::Precision;
use nonius_abi::code::{Arith, Constant, Kind, Operand, Step, lane_bytes};
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
        if i.is_atomic() {
            self.wait_for_writer(i);
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

    /// A float that a formatter of Rust will read: behind the store, or before the call, that hands it over.
    pub fn formatted(&mut self, i: Value) {
        let Some(&formatted) = self.formats.get(&i) else { return };
        let fp = FpType { precision: formatted.precision, lanes: None };
        if i.is(Opcode::LLVMStore) {
            self.stand_behind(i);
        } else {
            self.b.before(i);
        }
        let value = self.b.load(fp.native(self.b.types), formatted.pointer, fp.precision.store_bytes());
        let (place, offset) = self.place(formatted.pointer, 0);
        let word = self.put(value);
        let result = self.slots.fresh_slots(1);
        self.step(Step { result, place, offset, word, ..step(Kind::Load, fp) });
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &sites::origin(value), fp.precision, Observed::Output, i, function);
        self.step(Step { args: one(Operand::slot(result)), site, ..step(Kind::Check, fp) });
        // Where a finding lets the value go on without its error, whoever loads it next finds none.
        self.step(Step { args: one(Operand::slot(result)), place, offset, ..step(Kind::Store, fp) });
    }

    pub fn store(&mut self, i: Value) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        let parts = self.parts(value);
        if parts.is_empty() || !pointer.ty().is_ordinary_pointer() {
            return;
        }
        let register = !i.is_volatile() && locals::base(pointer).is_some_and(|a| self.registers[&a]);
        if !register && !self.intended.is_on_the_way(value) {
            self.check(value, Observed::Store, i);
        }
        let operands = self.operands(value);
        let mut at = 0;
        self.b.before(i);
        for part in parts {
            let lanes = part.fp.lane_count() as usize;
            let a = self.together(&operands[at..at + lanes], part.fp);
            let (place, offset) = self.place(pointer, part.offset);
            // The program's own variables are registers; what is in other memory is what it is given.
            let detail = u32::from(!register);
            self.step(Step { args: one(a), place, offset, detail, ..step(Kind::Store, part.fp) });
            at += lanes;
        }
    }

    /// `atomicrmw`: the old value is loaded, the new one stored.
    pub fn atomic(&mut self, i: Value) {
        let pointer = i.operand(0);
        let [part] = &self.parts(i)[..] else { return };
        if !pointer.ty().is_ordinary_pointer() {
            return self.restart(i);
        }
        let locked = self.hold(i, pointer);
        self.modify(i, part.fp);
        self.release(locked);
    }

    fn modify(&mut self, i: Value, fp: FpType) {
        let (pointer, operand) = (i.operand(0), i.operand(1));
        let old = self.name(i);
        self.stand_behind(i);
        let (place, offset) = self.place(pointer, 0);
        let word = self.put(i);
        self.step(Step { result: old, place, offset, word, ..step(Kind::Load, fp) });
        let operands = self.operands(operand);
        let operand = self.together(&operands, fp);
        let op = match i.rmw_operation() {
            Some("fadd") => Arith::Add,
            Some("fsub") => Arith::Sub,
            Some("xchg") => return self.step(Step { args: one(operand), place, offset, ..step(Kind::Store, fp) }),
            _ => return,
        };
        if !matches!(fp.precision, Precision::Float | Precision::Double) {
            return;
        }
        let new = self.slots.fresh_slots(fp.lane_count());
        let args = [Operand::slot(old), operand, Operand::NOTHING];
        let site = self.operation_site(i, fp);
        self.step(Step { detail: op as u32, result: new, args, site, ..step(Kind::Arith, fp) });
        self.step(Step { args: one(Operand::slot(new)), place, offset, ..step(Kind::Store, fp) });
    }

    /// `cmpxchg`, of integers that carry a float: what was there is loaded, and where that was as
    /// expected, the new value is stored.
    pub fn exchange(&mut self, i: Value) {
        let (pointer, new) = (i.operand(0), i.operand(2));
        let [part] = &self.parts(new)[..] else { return };
        let fp = part.fp;
        if !pointer.ty().is_ordinary_pointer() || fp.lanes.is_some() {
            return;
        }
        let locked = self.hold(i, pointer);
        self.stand_behind(i);
        let (old, stored) = (self.b.extract_value(i, 0), self.b.extract_value(i, 1));
        let (place, offset) = self.place(pointer, 0);
        let word = self.put(old);
        let result = self.slots.fresh_slots(1);
        self.step(Step { result, place, offset, word, ..step(Kind::Load, fp) });
        self.exchanged.insert(i, Operand::slot(result));
        let address = self.b.select(stored, pointer, self.b.types.ptr().zero());
        let place = self.put(address);
        let operands = self.operands(new);
        let a = self.together(&operands, fp);
        self.step(Step { args: one(a), place, ..step(Kind::Scatter, fp) });
        self.release(locked);
    }

    /// A masked load or gather: an address a lane, 0 where the mask is off.
    pub fn masked_load(&mut self, i: Value, pointers: Value, mask: Value) {
        let Some(fp) = FpType::of(i.ty()) else { return self.restart(i) };
        if !pointers.ty().is_ordinary_pointer() {
            return self.restart(i);
        }
        self.stand_behind(i);
        let place = self.lane_addresses(pointers, mask, fp);
        let word = self.put(i);
        let result = self.name(i);
        self.step(Step { result, place, word, ..step(Kind::Gather, fp) });
    }

    /// A masked store or scatter.
    pub fn masked_store(&mut self, i: Value, value: Value, pointers: Value, mask: Value) {
        let Some(fp) = FpType::of(value.ty()) else { return };
        if !pointers.ty().is_ordinary_pointer() {
            return;
        }
        self.b.before(i);
        let operands = self.operands(value);
        let a = self.together(&operands, fp);
        let checked = self.check_masked(i, value, a, mask, fp);
        self.b.before(i);
        let place = self.lane_addresses(pointers, mask, fp);
        self.step(Step { args: one(checked), place, ..step(Kind::Scatter, fp) });
    }

    /// Checks the lanes that are stored; the others count as 0. Returns the lanes from then on.
    fn check_masked(&mut self, i: Value, value: Value, a: Operand, mask: Value, fp: FpType) -> Operand {
        if value.is_constant() {
            return a;
        }
        let zero = Constant { precision: fp.precision, bits: 0 };
        let zeros = self.tables.code.constants(&vec![zero; fp.lane_count() as usize]);
        let bits = self.b.lane_mask(mask);
        let place = self.put(bits);
        let result = self.slots.fresh_slots(fp.lane_count());
        let args = [a, Operand::constant(zeros), Operand::NOTHING];
        self.step(Step { result, args, place, ..step(Kind::Select, fp) });
        let origin = sites::origin(value);
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Store, i, function);
        self.step(Step { args: one(Operand::slot(result)), site, ..step(Kind::Check, fp) });
        Operand::slot(result)
    }

    fn lane_addresses(&mut self, pointers: Value, mask: Value, fp: FpType) -> u32 {
        let (i64_type, lanes) = (self.b.types.i64(), fp.lane_count());
        let wide = i64_type.vector(lanes);
        let all = if matches!(pointers.ty().kind(), TypeKind::Vector(_)) {
            self.b.ptr_to_int(pointers, wide)
        } else {
            let first = self.b.splat(self.b.ptr_to_int(pointers, i64_type), wide);
            let bytes = u64::from(lane_bytes(fp.precision));
            let steps: Vec<Value> = (0..lanes).map(|n| i64_type.const_int(u64::from(n) * bytes)).collect();
            self.b.add(first, Value::const_vector(&steps))
        };
        let addresses = self.b.select(mask, all, wide.zero());
        self.put(addresses)
    }

    /// Memory was written by something that has no shadows; its size is a product.
    pub fn clear(&mut self, to: Value, sizes: &[Value]) {
        let wide = self.b.types.i64();
        let factor = |n: Value| if n.ty() == wide { n } else { self.b.zext(n, wide) };
        let bytes = sizes.iter().map(|&n| factor(n)).reduce(|a, b| self.b.mul(a, b)).expect("at least one");
        self.copy(to, self.b.types.ptr().zero(), bytes);
    }

    /// The same, by a function that reads.
    pub fn read(&mut self, to: Value, sizes: &[Value]) {
        self.clear(to, sizes);
        self.mark_as_read();
    }

    /// Memory is copied; stands where the three values are known.
    pub fn copy(&mut self, to: Value, from: Value, bytes: Value) {
        // Too few bytes for a float.
        if bytes.as_const_int().is_some_and(|n| n < 4) {
            return;
        }
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
