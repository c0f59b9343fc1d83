//! Steps of code tables as instructions, a lane each.

use super::places::CONSTANT;
use super::{Bases, FlatProgram, Insn, Opcode};
use crate::format::decode;
use nonius_abi::Precision;
use nonius_abi::code::{Arith, Code, Kind, Move, Operand, Source, Step, lane_bytes};
use nonius_abi::site::NONE;
use std::collections::HashMap;

/// In the index of a constant that counts as exact.
pub const EXACT: u32 = 1 << 30;

/// One function's operands by name.
#[derive(Debug, Default)]
pub struct Layout {
    constants: HashMap<u32, u32>,
    pub order: Vec<u32>,
}

impl Layout {
    pub fn name(&mut self, operand: Operand, lane: u32) -> u32 {
        match operand.source() {
            Source::Slot(slot) => slot + lane,
            Source::Constant(index) => self.constant(index + lane),
            Source::Nothing => self.constant(NONE),
        }
    }

    /// Of what is stored: a constant is one of its own there.
    fn name_of_data(&mut self, operand: Operand, lane: u32) -> u32 {
        match operand.source() {
            Source::Constant(index) => self.constant(EXACT | (index + lane)),
            _ => self.name_or_none(operand, lane),
        }
    }

    fn constant(&mut self, constant: u32) -> u32 {
        let next = CONSTANT + self.order.len() as u32;
        *self.constants.entry(constant).or_insert_with(|| {
            self.order.push(constant);
            next
        })
    }

    /// Of an operand that may be absent: then nobody looks.
    fn name_or_none(&mut self, operand: Operand, lane: u32) -> u32 {
        if operand == Operand::NOTHING { 0 } else { self.name(operand, lane) }
    }

    pub fn lane_moves(&mut self, moves: &[Move]) -> Vec<(u32, u32)> {
        let mut lanes = Vec::new();
        for m in moves {
            for lane in 0..m.lanes {
                let from = self.name(m.from, lane);
                lanes.push((m.to + lane, from));
            }
        }
        lanes.retain(|(to, from)| to != from);
        lanes
    }
}

impl FlatProgram {
    /// Adds a step's instructions.
    pub(super) fn lower(&self, step: &Step, layout: &mut Layout, bases: &Bases, insns: &mut Vec<Insn>) {
        let lanes = if step.kind == Kind::Copy { 1 } else { u32::from(step.lanes) };
        let site = if step.site == NONE { NONE } else { bases.site + step.site };
        let Some((op, detail)) = self.operation(step, bases) else { return };
        if self.only_repeats
            && matches!(op, Opcode::Check | Opcode::Compare | Opcode::ToInteger | Opcode::Store | Opcode::Copy)
        {
            return;
        }
        for lane in 0..lanes {
            let byte = lane * lane_bytes(step.precision);
            let value_at = |byte: u32| step.word.saturating_add(byte / 8);
            let (word, shift) = match (step.kind, step.word) {
                // The lane's bit in the word that says whether it counts.
                (Kind::Compare | Kind::ToInteger, _) => (NONE, lane.min(63) as u8),
                (_, NONE) => (NONE, 0),
                (Kind::FromInteger, word) => (word + lane, 0),
                _ => (value_at(byte), (byte % 8 * 8) as u8),
            };
            let stride = i64::from(lane * memory_bytes(step.precision));
            let (place, offset) = match step.kind {
                Kind::Gather | Kind::Scatter => (step.place + lane, 0),
                Kind::Load | Kind::Store => (step.place, i64::from(step.offset) + stride),
                Kind::Complex => (NONE, i64::from(layout.name_or_none(step.args[1], 1))),
                _ => (step.place, i64::from(step.offset)),
            };
            let detail = match step.kind {
                Kind::Parameter | Kind::Result => detail + lane,
                Kind::Complex => 2 * detail + lane,
                // The bit of the lane.
                Kind::Select => {
                    if step.detail == 1 {
                        0
                    } else {
                        lane
                    }
                }
                _ => detail,
            };
            let out = if step.result == NONE { 0 } else { step.result + lane };
            let args = match step.kind {
                Kind::Complex => [(0, 0), (0, 1), (1, 0)].map(|(n, part)| layout.name_or_none(step.args[n], part)),
                Kind::Store if step.detail == 1 => step.args.map(|o| layout.name_of_data(o, lane)),
                _ => step.args.map(|o| layout.name_or_none(o, lane)),
            };
            let is_signed = !(step.kind == Kind::FromInteger && step.detail == 1);
            insns.push(Insn {
                op: op.quicker(step.precision, word != NONE),
                format: step.precision,
                shift,
                is_signed,
                out,
                args,
                word,
                place,
                offset,
                site,
                detail,
            });
        }
    }

    /// The instruction for a step, and its detail.
    fn operation(&self, step: &Step, bases: &Bases) -> Option<(Opcode, u32)> {
        let detail = step.detail;
        Some(match step.kind {
            Kind::Value => (Opcode::Value, detail),
            Kind::Parameter => (Opcode::Parameter, detail),
            Kind::Arith => arith(step)?,
            Kind::Function => (Opcode::Function, detail),
            Kind::Complex => (Opcode::Complex, detail),
            Kind::Convert => (Opcode::Convert, detail),
            Kind::FromInteger => (Opcode::FromInteger, 0),
            Kind::ToInteger => (Opcode::ToInteger, detail),
            Kind::Compare => (Opcode::Compare, detail),
            Kind::Select => (Opcode::Select, 0),
            Kind::Move => (Opcode::Move, 0),
            Kind::Load | Kind::Gather => (Opcode::Load, 0),
            Kind::Store | Kind::Scatter => (Opcode::Store, 0),
            Kind::Copy => (Opcode::Copy, 0),
            Kind::Check => (Opcode::Check, 0),
            Kind::Call => (Opcode::Call, bases.call + detail),
            Kind::Result => (Opcode::Result, detail),
            // For abstract execution only.
            Kind::Decide | Kind::Meet => return None,
            Kind::ByAddress => (Opcode::ByAddress, detail),
            Kind::Return => (Opcode::Return, bases.list + detail),
            Kind::Request => (Opcode::Request, detail),
        })
    }
}

fn arith(step: &Step) -> Option<(Opcode, u32)> {
    let which = u8::try_from(step.detail).ok().and_then(Arith::from_u8)?;
    Some(match which {
        Arith::SnapAdd => (Opcode::Snap, 0),
        Arith::SnapSub => (Opcode::Snap, 1),
        Arith::SnapFma => (Opcode::Snap, 2),
        Arith::IntendedAdd => (Opcode::Intended, 0),
        Arith::IntendedSub => (Opcode::Intended, 1),
        Arith::IntendedMul => (Opcode::Intended, 2),
        Arith::LowAdd => (Opcode::Low, 0),
        Arith::LowSub => (Opcode::Low, 1),
        Arith::LowFma => (Opcode::Low, 2),
        Arith::IntendedDiv => (Opcode::Intended, 3),
        Arith::IntendedSqrt => (Opcode::IntendedSqrt, 0),
        Arith::Beside => (Opcode::Beside, 0),
        Arith::Seed => (Opcode::Beside, 1),
        Arith::Bounded => (Opcode::Beside, 2),
        Arith::Add => (Opcode::Add, 0),
        Arith::Sub => (Opcode::Sub, 0),
        Arith::Mul => (Opcode::Mul, 0),
        Arith::Div => (Opcode::Div, 0),
        Arith::Rem => (Opcode::Rem, 0),
        Arith::Neg => (Opcode::Neg, 0),
        Arith::Abs => (Opcode::Abs, 0),
        Arith::Sqrt => (Opcode::Sqrt, 0),
        Arith::Fma => (Opcode::Fma, 0),
        Arith::CopySign => (Opcode::CopySign, 0),
        Arith::MinNum => (Opcode::Pick, 0),
        Arith::MaxNum => (Opcode::Pick, 1),
        Arith::Minimum => (Opcode::Pick, 2),
        Arith::Maximum => (Opcode::Pick, 3),
    })
}

pub fn constant(code: &Code, index: u32) -> (f64, f64) {
    code.constants.get(index as usize).map_or((0.0, 0.0), |c| decode(c.precision, c.bits))
}

/// Bytes from a lane to the next in memory: vectors of x87 do not pack.
fn memory_bytes(precision: Precision) -> u32 {
    match precision {
        Precision::X87 => 16,
        other => other.store_bytes(),
    }
}
