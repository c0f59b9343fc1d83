//! Loads and stores: the planes beside the program's memory (see `nonius_abi::planes`).

use super::{Emitter, Shadow, entry::MAX_LANES};
use crate::fp::{Family, FpType};
use crate::llvm::{IntPredicate, Kind, Opcode, RealPredicate, Type, Value};
use crate::locals;
use crate::sites::{self, Origin};
use nonius_abi::Precision;
use nonius_abi::hooks::id;
use nonius_abi::planes::{COPY, RESIDUE};
use nonius_abi::site::{Observed, Op};

/// The planes' offsets are multiples of a cache line, so shadows are aligned up to that.
const MAX_ALIGN: u32 = 64;
/// Raw bytes on the stack up to this size may be storage for an object with floats; larger ones are
/// text.
const RAW_BYTES: u64 = 256;
/// Escaping stack objects up to this size are cleared inline when they are made.
const INLINE_CLEAR: u64 = 64;

impl Emitter<'_> {
    pub fn visit_load(&mut self, i: Value) {
        let leaves = self.leaves(i);
        if leaves.is_empty() {
            return self.punned_load(i);
        }
        let pointer = i.operand(0);
        if i.is_atomic() {
            self.wait_for_writer(i);
        }
        for (index, leaf) in leaves.into_iter().enumerate() {
            let value = self.member(i, &leaf.path);
            let at = self.b.offset(pointer, leaf.offset as i64);
            let align = align_at(i.alignment(), leaf.offset);
            let shadow = self.load_shadow(value, leaf.fp, at, align, i);
            self.shadows.set(i, index, Shadow::Known(shadow));
        }
    }

    /// The shadow of `value`, which the program just loaded from `pointer`.
    pub fn load_shadow(&mut self, value: Value, fp: FpType, pointer: Value, align: u32, i: Value) -> Value {
        let align = align.min(MAX_ALIGN);
        let plane = fp.plane(self.b.types);
        // Always loaded and then selected: a load under a condition becomes a masked one, which
        // is slow on pages that were never touched.
        let residue = self.b.load(plane, self.b.offset(pointer, RESIDUE), align);
        let copy = self.b.load(value.ty(), self.b.offset(pointer, COPY), align);
        let valid = self.b.fcmp(RealPredicate::LLVMRealOEQ, copy, value);
        if self.options.check_loads {
            self.check_load(value, fp, copy, residue, valid, i);
        }
        let residue = self.b.select(valid, residue, plane.zero());
        self.shadow_of_plane(value, fp, residue)
    }

    /// The register shadow of a value with this residue in the plane's format.
    pub fn shadow_of_plane(&self, value: Value, fp: FpType, residue: Value) -> Value {
        let shadow = fp.shadow(self.b.types);
        match fp.family() {
            Family::Residue => residue,
            Family::Wider => {
                let residue = if is_bits(fp) { self.bits_to_float(residue, fp) } else { residue };
                self.b.fadd(self.b.fpext(value, shadow), self.b.fpext(residue, shadow))
            }
        }
    }

    /// The upper half of a float, which is a bfloat, and back.
    fn bits_to_float(&self, bits: Value, fp: FpType) -> Value {
        let wide = fp.shaped(self.b.types.i32());
        let shifted = self.b.shl(self.b.zext(bits, wide), self.b.integer(wide, 16));
        self.b.bitcast(shifted, fp.shaped(self.b.types.float()))
    }

    fn float_to_bits(&self, value: Value, fp: FpType) -> Value {
        let wide = fp.shaped(self.b.types.i32());
        let shifted = self.b.lshr(self.b.bitcast(value, wide), self.b.integer(wide, 16));
        self.b.trunc(shifted, fp.plane(self.b.types))
    }

    /// The residue as the plane keeps it.
    pub fn to_plane(&self, value: Value, fp: FpType, shadow: Value) -> Value {
        match fp.family() {
            Family::Residue => shadow,
            Family::Wider => {
                let residue = self.b.fsub(shadow, self.b.fpext(value, shadow.ty()));
                if is_bits(fp) {
                    let float = self.b.fptrunc(residue, fp.shaped(self.b.types.float()));
                    return self.float_to_bits(float, fp);
                }
                self.b.fptrunc(residue, fp.plane(self.b.types))
            }
        }
    }

    fn check_load(&mut self, value: Value, fp: FpType, copy: Value, residue: Value, valid: Value, i: Value) {
        if fp.lane_count() > MAX_LANES {
            return;
        }
        let had = if is_bits(fp) {
            self.b.icmp(IntPredicate::LLVMIntNE, residue, residue.ty().zero())
        } else {
            self.b.fcmp(RealPredicate::LLVMRealUNE, residue, residue.ty().zero())
        };
        let stale = self.b.any(self.b.and(self.b.not(valid), had));
        let point = self.b.point();
        let then = point.split_if(stale);
        self.b.before_with_loc_of(then, i);
        let buffer = self.begin_buffer();
        self.fill(&buffer, 0, value);
        self.fill(&buffer, 1, copy);
        let origin = Origin::new(Op::Load, Some(i));
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Operation, i, self.index);
        let i32_type = self.b.types.i32();
        let lanes = i32_type.const_int(u64::from(fp.lane_count()));
        let site = i32_type.const_int(u64::from(site));
        let [values, copies] = [0, 1].map(|n| self.array(&buffer, n));
        self.call_cold(id::__nonius_load_mismatch, &[self.tables.table(), site, lanes, values, copies]);
        self.end_buffer(buffer);
        self.b.before_with_loc_of(point, i);
    }

    pub fn visit_store(&mut self, i: Value) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        let leaves = self.leaves(value);
        if leaves.is_empty() {
            self.visit_formatted(i);
            return self.punned_store(i);
        }
        let lock = i.is_atomic().then(|| self.hold(i, pointer));
        let register = !i.is_volatile() && locals::base(pointer).is_some_and(|a| self.registers[&a]);
        let is_seen = !register && !self.intended.is_on_the_way(value);
        // Before the store, so that the shadow is there when another thread sees the value.
        self.b.before(i);
        for (index, leaf) in leaves.into_iter().enumerate() {
            let shadow = self.shadows.get(value, index);
            let member = if value.is_constant() { value } else { self.member(value, &leaf.path) };
            let (shadow, residue) =
                if is_seen { self.check_stored(member, leaf.fp, shadow, i) } else { (shadow, None) };
            self.shadows.set(value, index, shadow);
            let at = self.b.offset(pointer, leaf.offset as i64);
            let align = align_at(i.alignment(), leaf.offset);
            match residue {
                Some(residue) => self.store_planes(member, residue, at, align),
                None => self.store_shadow(member, leaf.fp, shadow, at, align),
            }
            if lock.is_some() {
                self.b.store(member, self.b.offset(at, COPY), align.min(MAX_ALIGN));
            }
        }
        self.release_after(i, lock);
    }

    /// The program is about to store `value` to `pointer`.
    pub fn store_shadow(&self, value: Value, fp: FpType, shadow: Shadow, pointer: Value, align: u32) {
        match shadow {
            // A residue of 0 needs no copy.
            Shadow::Exact => {
                let zero = fp.plane(self.b.types).zero();
                self.b.store(zero, self.b.offset(pointer, RESIDUE), align.min(MAX_ALIGN));
            }
            Shadow::Known(shadow) => self.store_planes(value, self.to_plane(value, fp, shadow), pointer, align),
        }
    }

    fn store_planes(&self, value: Value, residue: Value, pointer: Value, align: u32) {
        let align = align.min(MAX_ALIGN);
        self.stores.set(true);
        self.b.store(residue, self.b.offset(pointer, RESIDUE), align);
        self.b.store(value, self.b.offset(pointer, COPY), align);
    }

    /// A stack object whose address leaves the function may be filled by code without shadows;
    /// a residue from the slot's former life must not meet an equal value (0 above all).
    pub fn visit_alloca(&mut self, i: Value) {
        let ty = i.allocated_type();
        let count = i.operand(0);
        let element = self.module.alloc_bytes(ty);
        let raw = matches!(ty.kind(), Kind::Array(_)) && matches!(ty.element().kind(), Kind::Integer(8));
        if !(may_hold_floats(ty) || raw && element <= RAW_BYTES) || !escapes(i) {
            return;
        }
        let fixed = count.as_const_int().map(|n| n * element);
        if fixed == Some(0) {
            return;
        }
        if self.entry.allocas.contains(&i) {
            self.b.before(self.entry.anchor);
        }
        match fixed {
            Some(bytes) if bytes <= INLINE_CLEAR => {
                let at = self.b.offset(i, RESIDUE);
                self.b.store(self.b.types.i8().vector(bytes as u32).zero(), at, 1);
            }
            _ => {
                let wide = self.b.types.i64();
                let n = if count.ty() == wide { count } else { self.b.zext(count, wide) };
                let bytes = self.b.mul(n, wide.const_int(element));
                let (hook, ty) = self.tables.hook(id::__nonius_clear);
                self.b.call(hook, ty, &[i, bytes]);
            }
        }
    }
}

fn align_at(align: u32, offset: u64) -> u32 {
    let align = align.max(1);
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(6)) }
}

/// Whether the plane's residue is a bfloat's bits.
fn is_bits(fp: FpType) -> bool {
    matches!(fp.precision, Precision::Half | Precision::Bfloat)
}

fn may_hold_floats(ty: Type) -> bool {
    if FpType::of(ty).is_some() {
        return true;
    }
    match ty.kind() {
        Kind::Struct(n) => (0..n).any(|i| may_hold_floats(ty.field(i))),
        Kind::Array(_) => may_hold_floats(ty.element()),
        _ => false,
    }
}

/// Whether a stack object's address is handed to other code.
fn escapes(alloca: Value) -> bool {
    let mut work = vec![alloca];
    let mut seen = std::collections::HashSet::new();
    while let Some(pointer) = work.pop() {
        for user in pointer.users() {
            if !seen.insert((pointer, user)) || !user.is_instruction() {
                continue;
            }
            match user.opcode() {
                Opcode::LLVMLoad | Opcode::LLVMICmp => {}
                Opcode::LLVMStore if user.operand(0) != pointer => {}
                Opcode::LLVMGetElementPtr | Opcode::LLVMPHI | Opcode::LLVMSelect => work.push(user),
                Opcode::LLVMCall | Opcode::LLVMInvoke => {
                    let name = if user.callee().is_function() { user.callee().name() } else { String::new() };
                    if !name.starts_with("llvm.") {
                        return true;
                    }
                }
                _ => return true,
            }
        }
    }
    false
}
