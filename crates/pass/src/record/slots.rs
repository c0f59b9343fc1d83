//! Where floats are: each lane of a value is a slot of the frame or a constant of the table.
//!
//! Moving lanes about makes no new slots: the result names those that it was made of. That is
//! sound because values are in SSA form: wherever a result is used, what it was made of has not
//! been computed anew since.

use super::code::CodeBuilder;
use crate::emit::Wanted;
use crate::fp::{FpType, Leaf, leaves};
use crate::llvm::{Kind, Module, Value};
use nonius_abi::Precision;
use nonius_abi::code::{Constant, Operand, Source};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Slots {
    known: HashMap<Value, Vec<Operand>>,
    /// Slots given out.
    pub slots: u32,
}

/// The floats of a value; an integer that is `wanted` as a carrier counts as the floats that fill it.
pub fn parts(module: Module, wanted: &Wanted, value: Value) -> Vec<Leaf> {
    let parts = leaves(module, value.ty());
    if !parts.is_empty() || !wanted.contains(value) {
        return parts;
    }
    let carried = punned_type(value);
    carried.map(|fp| Leaf { fp, path: Vec::new(), offset: 0 }).into_iter().collect()
}

/// The floats that most likely fill an integer. A wrong guess is found out when they are loaded.
fn punned_type(value: Value) -> Option<FpType> {
    let float = |bits, lanes| match bits {
        32 => Some(FpType { precision: Precision::Float, lanes }),
        64 => Some(FpType { precision: Precision::Double, lanes }),
        _ => None,
    };
    match value.ty().kind() {
        Kind::Integer(bits @ (32 | 64)) => float(bits, None),
        Kind::Integer(bits @ (128 | 256 | 512)) => float(64, Some(bits / 64)),
        Kind::Vector(lanes) => match value.ty().element().kind() {
            Kind::Integer(bits) => float(bits, Some(lanes)),
            _ => None,
        },
        _ => None,
    }
}

impl Slots {
    pub fn fresh_slots(&mut self, lanes: u32) -> u32 {
        let first = self.slots;
        self.slots += lanes;
        first
    }

    /// New slots for a value.
    pub fn fresh(&mut self, value: Value, lanes: u32) -> u32 {
        let first = self.fresh_slots(lanes);
        self.known.insert(value, (first..first + lanes).map(Operand::slot).collect());
        first
    }

    pub fn set(&mut self, value: Value, operands: Vec<Operand>) {
        self.known.insert(value, operands);
    }

    /// Each lane of a value that consists of `parts`.
    pub fn of(&self, value: Value, parts: &[Leaf], code: &mut CodeBuilder) -> Vec<Operand> {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let mut operands = Vec::new();
        for part in parts {
            let lanes = part.fp.lane_count();
            let constants = value.is_constant().then(|| constants(value, part)).flatten();
            match constants {
                Some(constants) => {
                    let first = code.constants(&constants);
                    operands.extend((first..first + lanes).map(Operand::constant));
                }
                None => operands.extend((0..lanes).map(|_| Operand::NOTHING)),
            }
        }
        operands
    }
}

/// The lanes of a constant; undefined ones are 0, which is what a machine may take them for.
fn constants(value: Value, part: &Leaf) -> Option<Vec<Constant>> {
    let precision = part.fp.precision;
    let member = part.path.iter().try_fold(value, |v, &index| v.constant_member(index))?;
    let lane = |value: Value| Constant { precision, bits: value.constant_bits().unwrap_or(0) };
    match part.fp.lanes {
        None => Some(vec![Constant { precision, bits: member.constant_bits()? }]),
        Some(lanes) => (0..lanes).map(|n| member.constant_member(n).map(lane)).collect(),
    }
}

/// Whether `b` is the lane behind `a`.
fn follows(a: Operand, b: Operand) -> bool {
    match (a.source(), b.source()) {
        (Source::Slot(a), Source::Slot(b)) | (Source::Constant(a), Source::Constant(b)) => a + 1 == b,
        (Source::Nothing, Source::Nothing) => true,
        _ => false,
    }
}

/// Lanes cut into runs that follow each other.
pub fn runs(operands: &[Operand]) -> impl Iterator<Item = &[Operand]> {
    operands.chunk_by(|a, b| follows(*a, *b))
}
