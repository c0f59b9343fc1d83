//! Instructions that move floats between registers.

use super::{Emitter, Shadow};
use crate::fp::{FpType, Leaf, leaves};
use crate::llvm::{Opcode, Value};

impl Emitter<'_> {
    /// select, freeze, bitcast.
    pub fn visit_copy(&mut self, i: Value) {
        match i.opcode() {
            Opcode::LLVMSelect => self.visit_select(i),
            Opcode::LLVMFreeze => {
                self.origins.copy(i, i.operand(0));
                for index in 0..self.leaves(i).len() {
                    let shadow = self.shadows.get(i.operand(0), index);
                    self.shadows.set(i, index, shadow);
                }
                self.punned_same(i, i.operand(0));
            }
            _ => self.visit_bitcast(i),
        }
    }

    fn visit_select(&mut self, i: Value) {
        let (condition, a, b) = (i.operand(0), i.operand(1), i.operand(2));
        self.origins.select(i, condition, a, b);
        self.punned_select(i, condition, a, b);
        for (index, leaf) in self.leaves(i).into_iter().enumerate() {
            let (sa, sb) = (self.shadows.get(a, index), self.shadows.get(b, index));
            if (sa, sb) == (Shadow::Exact, Shadow::Exact) {
                continue;
            }
            let [sa, sb] = [(a, sa), (b, sb)].map(|(v, s)| self.leaf_shadow(v, &leaf, s));
            let shadow = self.b.select(condition, sa, sb);
            self.shadows.set(i, index, Shadow::Known(shadow));
        }
    }

    /// The register shadow of a leaf of `value`.
    pub fn leaf_shadow(&self, value: Value, leaf: &Leaf, shadow: Shadow) -> Value {
        let member = self.member_if_needed(value, leaf, shadow);
        self.materialize(member, leaf.fp, shadow)
    }

    /// A float moved as other bits: the residue goes along in the format it has in memory.
    fn visit_bitcast(&mut self, i: Value) {
        let x = i.operand(0);
        match (FpType::of(x.ty()), FpType::of(i.ty())) {
            (Some(from), Some(to)) if from.precision == to.precision && from.lanes == to.lanes => {
                let shadow = self.shadow(x);
                self.shadows.set(i, 0, shadow);
            }
            (Some(from), None) => self.pun_from_float(i, x, from),
            (None, Some(to)) => self.float_from_punned(i, x, to),
            (None, None) => self.punned_bitcast(i, x),
            // Other floats in the same bits: nothing is known of them.
            _ => {}
        }
    }

    /// extractelement, insertelement, shufflevector.
    pub fn visit_lanes(&mut self, i: Value) {
        let Some(result) = FpType::of(i.ty()) else { return self.punned_lanes(i) };
        let source = i.operand(0);
        let shadow = self.shadow(source);
        let redone = self.recompute_lanes(i);
        let made = match i.opcode() {
            Opcode::LLVMExtractElement => {
                let Shadow::Known(lanes) = shadow else { return };
                let vector = FpType::of(source.ty()).expect("a vector of floats");
                self.regrouped(redone, vector, result, self.b.extract_element(lanes, i.operand(1)))
            }
            Opcode::LLVMInsertElement => {
                let element = i.operand(1);
                let element_shadow = self.shadow(element);
                if (shadow, element_shadow) == (Shadow::Exact, Shadow::Exact) {
                    return;
                }
                let scalar = FpType { lanes: None, ..result };
                let element_shadow = self.materialize(element, scalar, element_shadow);
                let element = self.regrouped(self.actual(element), scalar, result, element_shadow);
                self.b.insert_element(self.materialize(source, result, shadow), element, i.operand(2))
            }
            _ => {
                let other = i.operand(1);
                let other_shadow = self.shadow(other);
                if (shadow, other_shadow) == (Shadow::Exact, Shadow::Exact) {
                    return;
                }
                let operand = FpType::of(source.ty()).expect("a vector of floats");
                let a = self.materialize(source, operand, shadow);
                let b = self.materialize(other, operand, other_shadow);
                self.regrouped(redone, operand, result, self.b.shuffle(a, b, &i.shuffle_mask()))
            }
        };
        self.shadows.set(i, 0, Shadow::Known(self.rebase(i, redone, result, made)));
    }

    /// extractvalue, insertvalue: leaves move with their paths.
    pub fn visit_member(&mut self, i: Value) {
        let path = i.indices();
        let aggregate = i.operand(0);
        let outer = leaves(self.module, aggregate.ty());
        if i.opcode() == Opcode::LLVMExtractValue {
            if aggregate.is(Opcode::LLVMAtomicCmpXchg) && path == [0] {
                self.punned_same(i, aggregate);
            }
            let inside = outer.iter().enumerate().filter(|(_, leaf)| leaf.path.starts_with(&path));
            for (to, (from, _)) in inside.enumerate() {
                let shadow = self.shadows.get(aggregate, from);
                self.shadows.set(i, to, shadow);
            }
            return;
        }
        let inserted = i.operand(1);
        let mut member = 0;
        for (index, leaf) in outer.iter().enumerate() {
            let shadow = if leaf.path.starts_with(&path) {
                member += 1;
                self.shadows.get(inserted, member - 1)
            } else {
                self.shadows.get(aggregate, index)
            };
            self.shadows.set(i, index, shadow);
        }
    }

    /// Applies `f` to each lane of a vector (or to a scalar) and puts the results together.
    pub fn each_lane(&self, value: Value, f: impl Fn(&Self, Value) -> Value) -> Value {
        let lanes = Self::lanes_of(value.ty());
        if FpType::of(value.ty()).is_some_and(|fp| fp.lanes.is_none()) {
            return f(self, value);
        }
        let index = |i: u32| self.b.types.i32().const_int(u64::from(i));
        let mut result = None;
        for i in 0..lanes {
            let made = f(self, self.b.extract_element(value, index(i)));
            let vector = result.unwrap_or_else(|| made.ty().vector(lanes).zero());
            result = Some(self.b.insert_element(vector, made, index(i)));
        }
        result.expect("at least one lane")
    }
}
