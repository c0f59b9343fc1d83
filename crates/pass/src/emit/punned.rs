//! Integers that carry floats: structs copied by integer loads and stores, doubles moved as i64.
//!
//! A carrier is an integer with the bits of both planes beside it. Only integers that can reach a
//! store or a bitcast to float are carried. Where the program's types say that an integer moves,
//! a float may still be behind it (through a union): such a move is carried if it is nothing but a
//! copy, and only in modules that have floats at all.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Kind, Module, Opcode, RealPredicate, Type, Value};
use nonius_abi::planes::{COPY, RESIDUE};
use std::collections::HashSet;

/// The planes' bits for an integer.
#[derive(Clone, Copy, Debug)]
pub struct Punned {
    residue: Value,
    copy: Value,
}

/// The integers worth carrying.
#[derive(Debug, Default)]
pub struct Wanted {
    values: HashSet<Value>,
    phis: Vec<(Value, Punned)>,
}

/// Scalars of these names in the program's type tree hold no float.
fn is_integer_access(i: Value) -> bool {
    i.tbaa_access().is_some_and(|name| {
        !matches!(
            name.as_str(),
            "omnipotent char" | "float" | "double" | "long double" | "_Float16" | "__bf16" | "__float128"
        )
    })
}

fn can_pun(module: Module, ty: Type) -> bool {
    match ty.kind() {
        Kind::Integer(bits) => matches!(bits, 32 | 64 | 80 | 128 | 256 | 512),
        Kind::Vector(_) => {
            matches!(ty.element().kind(), Kind::Integer(16 | 32 | 64 | 128)) && module.store_bytes(ty) <= 64
        }
        _ => false,
    }
}

/// A vector each of whose lanes can be a float.
fn has_lanes_of_floats(ty: Type) -> bool {
    matches!(ty.element().kind(), Kind::Integer(32 | 64))
}

/// A load for one store: a copy.
fn is_pure_copy(store: Value) -> bool {
    store.operand(0).is(Opcode::LLVMLoad) && store.operand(0).users().len() == 1
}

impl Wanted {
    /// `floats`: the module has some.
    pub fn of(module: Module, function: Value, floats: bool) -> Wanted {
        let mut wanted = HashSet::new();
        let mut work = Vec::new();
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            let sink = match i.opcode() {
                Opcode::LLVMStore => {
                    can_pun(module, i.operand(0).ty()) && (!is_integer_access(i) || floats && is_pure_copy(i))
                }
                Opcode::LLVMAtomicRMW => i.rmw_operation() == Some("xchg") && can_pun(module, i.ty()),
                Opcode::LLVMAtomicCmpXchg => can_pun(module, i.operand(2).ty()),
                Opcode::LLVMBitCast => can_pun(module, i.operand(0).ty()) && FpType::of(i.ty()).is_some(),
                _ => false,
            };
            if sink {
                work.push(match i.opcode() {
                    Opcode::LLVMAtomicRMW => i.operand(1),
                    Opcode::LLVMAtomicCmpXchg => i.operand(2),
                    _ => i.operand(0),
                });
            }
        }
        while let Some(value) = work.pop() {
            if !value.is_instruction() || !can_pun(module, value.ty()) || wanted.contains(&value) {
                continue;
            }
            let operands = match value.opcode() {
                Opcode::LLVMLoad if !is_integer_access(value) || floats && value.users().len() == 1 => vec![],
                Opcode::LLVMAtomicRMW if value.rmw_operation() == Some("xchg") => vec![],
                Opcode::LLVMExtractValue if value.operand(0).is(Opcode::LLVMAtomicCmpXchg) => vec![],
                Opcode::LLVMPHI => value.phi_incoming().into_iter().map(|(v, _)| v).collect(),
                Opcode::LLVMSelect => vec![value.operand(1), value.operand(2)],
                Opcode::LLVMFreeze | Opcode::LLVMBitCast => vec![value.operand(0)],
                Opcode::LLVMExtractElement if has_lanes_of_floats(value.operand(0).ty()) => vec![value.operand(0)],
                Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector if has_lanes_of_floats(value.operand(0).ty()) => {
                    vec![value.operand(0), value.operand(1)]
                }
                _ => continue,
            };
            wanted.insert(value);
            work.extend(operands);
        }
        Wanted { values: wanted, phis: Vec::new() }
    }

    pub fn contains(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Emitter<'_> {
    /// The planes' bits for any integer: nothing is known of one that is not carried.
    fn carrier(&self, value: Value) -> Punned {
        let none = value.ty().zero();
        self.punned.get(&value).copied().unwrap_or(Punned { residue: none, copy: none })
    }

    pub fn punned_load(&mut self, i: Value) {
        if !self.wanted.values.contains(&i) {
            return;
        }
        if i.is_atomic() {
            self.wait_for_writer(i);
        }
        let align = i.alignment().clamp(1, 64);
        let [residue, copy] =
            [RESIDUE, COPY].map(|plane| self.b.load(i.ty(), self.b.offset(i.operand(0), plane), align));
        self.punned.insert(i, Punned { residue, copy });
    }

    pub fn punned_store(&mut self, i: Value) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        if !can_pun(self.module, value.ty()) {
            return;
        }
        // A constant restarts what was there; of other integers nothing is known, and the copy
        // tells that the old residue is not theirs.
        let Some(&carrier) = self.punned.get(&value) else {
            if value.is_constant() && !is_integer_access(i) {
                self.b.before(i);
                let align = i.alignment().clamp(1, 64);
                self.b.store(value.ty().zero(), self.b.offset(pointer, RESIDUE), align);
            }
            return;
        };
        let lock = i.is_atomic().then(|| self.hold(i, pointer));
        self.b.before(i);
        let align = i.alignment().clamp(1, 64);
        self.stores.set(true);
        self.b.store(carrier.residue, self.b.offset(pointer, RESIDUE), align);
        self.b.store(carrier.copy, self.b.offset(pointer, COPY), align);
        self.release_after(i, lock);
    }

    /// An integer exchanged or compared and exchanged: what was there comes out with its planes,
    /// what goes in takes its own along. Returns what was there.
    fn carry_exchange(&mut self, i: Value, pointer: Value, new: Value, stored: Option<Value>) -> Punned {
        let align = i.alignment().clamp(1, 64);
        let here = self.b.point();
        let lock = self.hold(i, pointer);
        self.b.before_with_loc_of(here, i);
        let old = [RESIDUE, COPY].map(|plane| self.b.load(new.ty(), self.b.offset(pointer, plane), align));
        let new = self.carrier(new);
        self.stores.set(true);
        for (plane, new, old) in [(RESIDUE, new.residue, old[0]), (COPY, new.copy, old[1])] {
            let written = stored.map_or(new, |stored| self.b.select(stored, new, old));
            self.b.store(written, self.b.offset(pointer, plane), align);
        }
        self.release(lock);
        Punned { residue: old[0], copy: old[1] }
    }

    pub fn punned_rmw(&mut self, i: Value) {
        let (pointer, new) = (i.operand(0), i.operand(1));
        if self.wanted.values.contains(&i) || self.punned.contains_key(&new) {
            let old = self.carry_exchange(i, pointer, new, None);
            self.punned.insert(i, old);
        }
    }

    pub fn punned_cmpxchg(&mut self, i: Value) {
        let (pointer, new) = (i.operand(0), i.operand(2));
        let taken = i.users().into_iter().any(|u| self.wanted.values.contains(&u));
        if taken || self.punned.contains_key(&new) {
            let stored = self.b.extract_value(i, 1);
            let old = self.carry_exchange(i, pointer, new, Some(stored));
            self.punned.insert(i, old);
        }
    }

    pub fn punned_phi(&mut self, phi: Value) {
        if !self.wanted.values.contains(&phi) {
            return;
        }
        self.b.before(phi);
        let carrier = Punned { residue: self.b.phi(phi.ty()), copy: self.b.phi(phi.ty()) };
        self.punned.insert(phi, carrier);
        self.wanted.phis.push((phi, carrier));
    }

    pub fn finish_punned_phis(&mut self) {
        for (phi, carrier) in std::mem::take(&mut self.wanted.phis) {
            for (value, block) in phi.phi_incoming() {
                let incoming = self.carrier(value);
                carrier.residue.add_incoming(incoming.residue, block);
                carrier.copy.add_incoming(incoming.copy, block);
            }
        }
    }

    pub fn punned_same(&mut self, i: Value, x: Value) {
        if let (true, Some(&carrier)) = (self.wanted.values.contains(&i), self.punned.get(&x)) {
            self.punned.insert(i, carrier);
        }
    }

    pub fn punned_select(&mut self, i: Value, condition: Value, a: Value, b: Value) {
        if self.wanted.values.contains(&i) {
            let (a, b) = (self.carrier(a), self.carrier(b));
            let residue = self.b.select(condition, a.residue, b.residue);
            let copy = self.b.select(condition, a.copy, b.copy);
            self.punned.insert(i, Punned { residue, copy });
        }
    }

    /// Lanes that are taken out, put in or rearranged.
    pub fn punned_lanes(&mut self, i: Value) {
        if !self.wanted.values.contains(&i) {
            return;
        }
        let (a, b) = (self.carrier(i.operand(0)), i.operand(1));
        let each = |e: &Self, of: fn(Punned) -> Value| match i.opcode() {
            Opcode::LLVMExtractElement => e.b.extract_element(of(a), b),
            Opcode::LLVMInsertElement => e.b.insert_element(of(a), of(e.carrier(b)), i.operand(2)),
            _ => e.b.shuffle(of(a), of(e.carrier(b)), &i.shuffle_mask()),
        };
        let carrier = Punned { residue: each(self, |c| c.residue), copy: each(self, |c| c.copy) };
        self.punned.insert(i, carrier);
    }

    pub fn punned_bitcast(&mut self, i: Value, x: Value) {
        if self.wanted.values.contains(&i) {
            let from = self.carrier(x);
            let [residue, copy] = [from.residue, from.copy].map(|v| self.b.bitcast(v, i.ty()));
            self.punned.insert(i, Punned { residue, copy });
        }
    }

    /// A float's bits become an integer.
    pub fn pun_from_float(&mut self, i: Value, x: Value, fp: FpType) {
        if !self.wanted.values.contains(&i) {
            return;
        }
        let residue = match self.shadow(x) {
            Shadow::Exact => i.ty().zero(),
            Shadow::Known(shadow) => self.b.bitcast(self.to_plane(x, fp, shadow), i.ty()),
        };
        self.punned.insert(i, Punned { residue, copy: i });
    }

    /// An integer's bits become a float; its residue counts if the copy is this float.
    pub fn float_from_punned(&mut self, i: Value, x: Value, fp: FpType) {
        let Some(&carrier) = self.punned.get(&x) else { return };
        let plane = fp.plane(self.b.types);
        let copy = self.b.bitcast(carrier.copy, i.ty());
        let valid = self.b.fcmp(RealPredicate::LLVMRealOEQ, copy, i);
        let residue = self.b.select(valid, self.b.bitcast(carrier.residue, plane), plane.zero());
        let shadow = self.shadow_of_plane(i, fp, residue);
        self.shadows.set(i, 0, Shadow::Known(shadow));
    }
}
