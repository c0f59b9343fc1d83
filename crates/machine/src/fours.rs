//! Where four instructions of the same kind follow each other on neighbours, as the lanes of vectors do, one goes in
//! front that does all four at once, or nothing. (`walk_four`; then the four themselves are done, or passed over.)

use crate::program::{Insn, Op};
use nonius_abi::Precision;

/// Puts such instructions into a block.
pub fn grouped(insns: &mut Vec<Insn>, start: usize) {
    let single = insns.split_off(start);
    let mut rest = &single[..];
    while let Some((first, behind)) = rest.split_first() {
        match rest.first_chunk::<4>().and_then(together) {
            Some(op) => {
                insns.push(Insn { op, ..*first });
                insns.extend_from_slice(&rest[..4]);
                rest = &rest[4..];
            }
            None => {
                insns.push(*first);
                rest = behind;
            }
        }
    }
}

/// The instruction that does what these four do.
fn together(four: &[Insn; 4]) -> Option<Op> {
    let first = &four[0];
    let op = match first.op {
        Op::QuickAdd => Op::AddFour,
        Op::QuickSub => Op::SubFour,
        Op::QuickMul => Op::MulFour,
        Op::QuickDiv => Op::DivFour,
        Op::LoadDouble => Op::LoadFour,
        Op::StoreDouble => Op::StoreFour,
        Op::Check if first.format == Precision::Double => Op::CheckFour,
        Op::Move => Op::MoveFour,
        _ => return None,
    };
    let has = |lane: u32, insn: &Insn| {
        let follows = |of: fn(&Insn) -> u32| of(insn).checked_sub(of(first)) == Some(lane);
        if insn.op != first.op || insn.site != first.site {
            return false;
        }
        match first.op {
            Op::Move => true,
            Op::LoadDouble => follows(|i| i.out) && follows(|i| i.word) && is_beside(lane, insn, first),
            Op::StoreDouble => follows(|i| i.args[0]) && is_beside(lane, insn, first),
            Op::Check => follows(|i| i.args[0]),
            _ => follows(|i| i.out) && follows(|i| i.args[0]) && follows(|i| i.args[1]),
        }
    };
    let are_neighbours = (0..).zip(four).all(|(lane, insn)| has(lane, insn));
    // Results are written when all operands are read: no lane may be an operand of another.
    let is_apart = |a: u32| first.out.abs_diff(a) >= 4;
    let are_apart = !first.op.is_quick() || first.args[..2].iter().all(|&a| is_apart(a));
    (are_neighbours && are_apart).then_some(op)
}

/// Whether a lane's double lies in memory where it would in a vector.
fn is_beside(lane: u32, insn: &Insn, first: &Insn) -> bool {
    insn.place == first.place && insn.offset.checked_sub(first.offset) == Some(8 * i64::from(lane))
}
