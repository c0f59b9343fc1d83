//! Integers that carry floats: structs copied by integer loads and stores, doubles moved as i64.
//!
//! A carrier is an integer with the bits of both planes beside it. Only integers that can reach a
//! store or a bitcast to float are carried, and not those that the program's types say are
//! integers, pointers or booleans: a program without floats pays nothing.

use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Kind, Module, Opcode, RealPredicate, Type, Value};
use nonius_abi::planes::{COPY, RESIDUE};
use std::collections::HashSet;

/// The planes' bits for an integer.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    residue: Value,
    copy: Value,
}

/// The integers worth carrying.
#[derive(Debug, Default)]
pub struct Wanted {
    values: HashSet<Value>,
    phis: Vec<(Value, Carrier)>,
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

fn can_carry(module: Module, ty: Type) -> bool {
    match ty.kind() {
        Kind::Integer(bits) => matches!(bits, 32 | 64 | 80 | 128 | 256 | 512),
        Kind::Vector(_) => {
            matches!(ty.element().kind(), Kind::Integer(16 | 32 | 64 | 128)) && module.store_bytes(ty) <= 64
        }
        _ => false,
    }
}

impl Wanted {
    pub fn of(module: Module, function: Value) -> Wanted {
        let mut wanted = HashSet::new();
        let mut work = Vec::new();
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()) {
            let sink = match i.opcode() {
                Opcode::LLVMStore => can_carry(module, i.operand(0).ty()) && !is_integer_access(i),
                Opcode::LLVMBitCast => can_carry(module, i.operand(0).ty()) && FpType::of(i.ty()).is_some(),
                _ => false,
            };
            if sink {
                work.push(i.operand(0));
            }
        }
        while let Some(value) = work.pop() {
            if !value.is_instruction() || !can_carry(module, value.ty()) || wanted.contains(&value) {
                continue;
            }
            let operands = match value.opcode() {
                Opcode::LLVMLoad if !is_integer_access(value) => vec![],
                Opcode::LLVMPHI => value.phi_incoming().into_iter().map(|(v, _)| v).collect(),
                Opcode::LLVMSelect => vec![value.operand(1), value.operand(2)],
                Opcode::LLVMFreeze | Opcode::LLVMBitCast => vec![value.operand(0)],
                _ => continue,
            };
            wanted.insert(value);
            work.extend(operands);
        }
        Wanted { values: wanted, phis: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl Emitter<'_> {
    /// The planes' bits for any integer: nothing is known of one that is not carried.
    fn carrier(&self, value: Value) -> Carrier {
        let none = value.ty().zero();
        self.carriers.get(&value).copied().unwrap_or(Carrier { residue: none, copy: none })
    }

    pub fn carry_load(&mut self, i: Value) {
        if !self.wanted.values.contains(&i) {
            return;
        }
        let align = i.alignment().clamp(1, 64);
        let [residue, copy] =
            [RESIDUE, COPY].map(|plane| self.b.load(i.ty(), self.b.offset(i.operand(0), plane), align));
        self.carriers.insert(i, Carrier { residue, copy });
    }

    pub fn carry_store(&mut self, i: Value) {
        let (value, pointer) = (i.operand(0), i.operand(1));
        if !can_carry(self.module, value.ty()) || is_integer_access(i) {
            return;
        }
        // A constant restarts what was there; of other integers nothing is known, and the copy
        // tells that the old residue is not theirs.
        let Some(&carrier) = self.carriers.get(&value) else {
            if value.is_constant() {
                self.b.before(i);
                let align = i.alignment().clamp(1, 64);
                self.b.store(value.ty().zero(), self.b.offset(pointer, RESIDUE), align);
            }
            return;
        };
        self.b.before(i);
        let align = i.alignment().clamp(1, 64);
        self.b.store(carrier.residue, self.b.offset(pointer, RESIDUE), align);
        self.b.store(carrier.copy, self.b.offset(pointer, COPY), align);
    }

    pub fn carry_phi(&mut self, phi: Value) {
        if !self.wanted.values.contains(&phi) {
            return;
        }
        self.b.before(phi);
        let carrier = Carrier { residue: self.b.phi(phi.ty()), copy: self.b.phi(phi.ty()) };
        self.carriers.insert(phi, carrier);
        self.wanted.phis.push((phi, carrier));
    }

    pub fn finish_carried_phis(&mut self) {
        for (phi, carrier) in std::mem::take(&mut self.wanted.phis) {
            for (value, block) in phi.phi_incoming() {
                let incoming = self.carrier(value);
                carrier.residue.add_incoming(incoming.residue, block);
                carrier.copy.add_incoming(incoming.copy, block);
            }
        }
    }

    pub fn carry_same(&mut self, i: Value, x: Value) {
        if self.wanted.values.contains(&i) {
            let carrier = self.carrier(x);
            self.carriers.insert(i, carrier);
        }
    }

    pub fn carry_select(&mut self, i: Value, condition: Value, a: Value, b: Value) {
        if self.wanted.values.contains(&i) {
            let (a, b) = (self.carrier(a), self.carrier(b));
            let residue = self.b.select(condition, a.residue, b.residue);
            let copy = self.b.select(condition, a.copy, b.copy);
            self.carriers.insert(i, Carrier { residue, copy });
        }
    }

    pub fn carry_bitcast(&mut self, i: Value, x: Value) {
        if self.wanted.values.contains(&i) {
            let from = self.carrier(x);
            let [residue, copy] = [from.residue, from.copy].map(|v| self.b.bitcast(v, i.ty()));
            self.carriers.insert(i, Carrier { residue, copy });
        }
    }

    /// A float's bits become an integer.
    pub fn carry_from_float(&mut self, i: Value, x: Value, fp: FpType) {
        if !self.wanted.values.contains(&i) {
            return;
        }
        let residue = match self.shadow(x) {
            Shadow::Exact => i.ty().zero(),
            Shadow::Known(shadow) => self.b.bitcast(self.to_plane(x, fp, shadow), i.ty()),
        };
        self.carriers.insert(i, Carrier { residue, copy: i });
    }

    /// An integer's bits become a float; its residue counts if the copy is this float.
    pub fn float_from_carrier(&mut self, i: Value, x: Value, fp: FpType) {
        let Some(&carrier) = self.carriers.get(&x) else { return };
        let plane = fp.plane(self.b.types);
        let copy = self.b.bitcast(carrier.copy, i.ty());
        let valid = self.b.fcmp(RealPredicate::LLVMRealOEQ, copy, i);
        let residue = self.b.select(valid, self.b.bitcast(carrier.residue, plane), plane.zero());
        let shadow = self.from_plane(i, fp, residue);
        self.shadows.set(i, 0, Shadow::Known(shadow));
    }
}
