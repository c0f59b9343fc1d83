//! Moving floats between registers: mostly new names for the same slots.

use super::{Recorder, step};
use crate::fp::{FpType, leaves};
use crate::llvm::{Kind as TypeKind, Opcode, Value};
use crate::lower::stays_inside;
use nonius_abi::code::{Kind, Operand, Step};
use nonius_abi::site::NONE;

impl Recorder<'_> {
    /// `i` is `x`.
    pub fn rename(&mut self, i: Value, x: Value) {
        let operands = self.operands(x);
        if !operands.is_empty() {
            self.slots.set(i, operands);
        }
    }

    /// The same bits as another type: a rename where both are the same floats.
    pub fn bitcast(&mut self, i: Value) {
        let lanes = |r: &Self, v: Value| -> Vec<_> {
            r.parts(v).into_iter().map(|part| (part.fp.precision, part.fp.lane_count())).collect()
        };
        let x = i.operand(0);
        let (from, to) = (lanes(self, x), lanes(self, i));
        match from == to {
            true => self.rename(i, x),
            false => self.restart(i),
        }
    }

    /// The word that holds a condition, and 1 if it is one for all lanes.
    pub fn select(&mut self, i: Value) {
        let parts = self.parts(i);
        if parts.is_empty() {
            return;
        }
        let (condition, a, b) = (i.operand(0), i.operand(1), i.operand(2));
        let (a, b) = (self.operands(a), self.operands(b));
        let whole = !matches!(condition.ty().kind(), TypeKind::Vector(_));
        let site = self.meetings.picking.get(&condition).copied().unwrap_or(NONE);
        self.stand_behind(i);
        let place = match self.known_word(condition) {
            Some(word) => word,
            None => {
                let mask = self.b.lane_mask(condition);
                let word = self.put(mask);
                self.remember_word(condition, word);
                word
            }
        };
        let mut slot = self.name(i);
        let mut at = 0;
        for part in parts {
            let lanes = part.fp.lane_count() as usize;
            let pick = |r: &mut Self, from: &[Operand]| match from.get(at..at + lanes) {
                Some(lanes) => r.together(lanes, part.fp),
                None => Operand::NOTHING,
            };
            let args = [pick(self, &a), pick(self, &b), Operand::NOTHING];
            let detail = u32::from(whole);
            self.step(Step { detail, result: slot, args, place, site, ..step(Kind::Select, part.fp) });
            at += lanes;
            slot += lanes as u32;
        }
    }

    /// extractelement, insertelement, shufflevector.
    pub fn lanes(&mut self, i: Value) {
        if self.parts(i).is_empty() {
            return;
        }
        let mut from = self.operands(i.operand(0));
        let made = match i.opcode() {
            Opcode::LLVMExtractElement => {
                i.operand(1).as_const_int().and_then(|n| from.get(n as usize)).map(|&lane| vec![lane])
            }
            Opcode::LLVMInsertElement => {
                let element = self.operands(i.operand(1));
                let place = i.operand(2).as_const_int().and_then(|n| from.get_mut(n as usize));
                match (place, element.first()) {
                    (Some(place), Some(&element)) => {
                        *place = element;
                        Some(from)
                    }
                    _ => None,
                }
            }
            _ => {
                from.extend(self.operands(i.operand(1)));
                let lane = |m: i32| usize::try_from(m).ok().and_then(|m| from.get(m)).copied();
                Some(i.shuffle_mask().into_iter().map(|m| lane(m).unwrap_or(Operand::NOTHING)).collect())
            }
        };
        match made {
            Some(lanes) => self.slots.set(i, lanes),
            None => return self.restart(i),
        }
        if i.operands().iter().any(|o| self.inside_chains.contains(o)) {
            self.end_of_chain(i);
        }
    }

    /// Lanes out of a fast-math chain get the program's own value, unless they stay inside.
    fn end_of_chain(&mut self, i: Value) {
        let Some(fp) = FpType::of(i.ty()) else { return };
        if stays_inside(i) {
            self.inside_chains.insert(i);
            return;
        }
        let args = self.arguments(&[i], fp);
        self.stand_behind(i);
        let word = self.put(i);
        let result = self.name(i);
        self.step(Step { detail: fp.precision as u32, result, args, word, site: NONE, ..step(Kind::Convert, fp) });
    }

    /// extractvalue, insertvalue: floats move with their paths.
    pub fn member(&mut self, i: Value) {
        let path = i.indices();
        let aggregate = i.operand(0);
        if let Some(&found) = self.exchanged.get(&aggregate).filter(|_| path == [0]) {
            return self.slots.set(i, vec![found]);
        }
        let outer = leaves(self.module, aggregate.ty());
        let from = self.operands(aggregate);
        let inserted = if i.opcode() == Opcode::LLVMInsertValue { self.operands(i.operand(1)) } else { Vec::new() };
        let mut inserted = inserted.into_iter();
        let (mut made, mut at) = (Vec::new(), 0);
        for leaf in outer {
            let lanes = leaf.fp.lane_count() as usize;
            let inside = leaf.path.starts_with(&path);
            match i.opcode() {
                Opcode::LLVMInsertValue if inside => made.extend(inserted.by_ref().take(lanes)),
                Opcode::LLVMInsertValue => made.extend_from_slice(&from[at..at + lanes]),
                _ if inside => made.extend_from_slice(&from[at..at + lanes]),
                _ => {}
            }
            at += lanes;
        }
        if self.parts(i).iter().map(|part| part.fp.lane_count() as usize).sum::<usize>() != made.len() {
            return self.restart(i);
        }
        if !made.is_empty() {
            self.slots.set(i, made);
        }
    }
}
