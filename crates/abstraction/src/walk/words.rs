//! What words of a record and a block's edges say.

use crate::domain::{Domain, ToInteger};
use crate::frames::{Register, Thread};
use nonius_abi::Precision;
use nonius_abi::code::{Block, Code, Source, Step, lane_bytes};
use nonius_abi::site::Op;
use nonius_machine::decode;

/// How a rounding function becomes an integer.
pub(super) fn rounding(op: Op) -> Option<ToInteger> {
    Some(match op {
        Op::Floor => ToInteger::Down,
        Op::Ceil => ToInteger::Up,
        Op::Trunc => ToInteger::Truncate,
        Op::Round => ToInteger::Nearest,
        Op::Rint => ToInteger::NearestEven,
        _ => return None,
    })
}

/// The phis of a block, by the block that control came from, all at once.
pub(super) fn phis<D: Domain>(thread: &mut Thread<D::Value>, code: &Code, block: &Block, domain: &mut D) {
    let Some(top) = thread.frames.last_mut() else { return };
    let edge = block.edges.iter().find(|edge| edge.from == top.last);
    let Some(edge) = edge else {
        for m in block.edges.iter().flat_map(|e| &e.moves) {
            for lane in 0..m.lanes {
                if let Some(slot) = top.registers.get_mut((m.to + lane) as usize) {
                    *slot = None;
                }
            }
        }
        return;
    };
    let mut moved = Vec::new();
    for m in &edge.moves {
        for lane in 0..m.lanes {
            let from = match m.from.source() {
                Source::Slot(slot) => top.registers.get((slot + lane) as usize).cloned().flatten(),
                Source::Constant(index) => code.constants.get((index + lane) as usize).map(|c| {
                    let (actual, low) = decode(c.precision, c.bits);
                    Register { actual, value: domain.lift(actual, low) }
                }),
                Source::Nothing => None,
            };
            moved.push((m.to + lane, from));
        }
    }
    for (to, from) in moved {
        if let Some(slot) = top.registers.get_mut(to as usize) {
            *slot = from;
        }
    }
}

pub(super) fn recorded(format: Precision, step: &Step, words: &[u64], lane: u32) -> (f64, f64) {
    let byte = lane * lane_bytes(format);
    let at = step.word.saturating_add(byte / 8) as usize;
    let low = words.get(at).copied().unwrap_or(0);
    let high = words.get(at + 1).copied().unwrap_or(0);
    let bits = (u128::from(high) << 64 | u128::from(low)) >> (byte % 8 * 8);
    decode(format, bits)
}

/// Bytes from a lane to the next in memory.
pub(super) fn memory_bytes(format: Precision) -> u32 {
    if format == Precision::X87 { 16 } else { format.store_bytes() }
}
