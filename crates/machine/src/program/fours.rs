//! Four instructions at once. Where four of the same kind follow each other on neighbours, as the lanes of vectors do,
//! one goes in front that does all four, or nothing. (`walk_four`; then the four themselves are done, or passed over.)
//! Others are made to follow each other (`schedule`), and their registers to be neighbours (`places`).

use super::places::Places;
use super::schedule::{Unit, put_in_order};
use super::{Insn, Opcode};
use nonius_abi::Precision;

/// What is done at once as it is.
pub fn units(single: &[Insn]) -> Vec<Unit<'_>> {
    let mut units = Vec::with_capacity(single.len());
    let mut rest = single;
    while !rest.is_empty() {
        let op = rest.first_chunk::<4>().and_then(together);
        let (insns, behind) = rest.split_at(if op.is_some() { 4 } else { 1 });
        units.push(Unit { insns, together: op });
        rest = behind;
    }
    units
}

/// Registers that must stay where they are, for they are neighbours.
pub fn fix(units: &[Unit], places: &mut Places) {
    for insn in units.iter().filter(|unit| unit.together.is_some()).flat_map(|unit| unit.insns) {
        [insn.out, insn.args[0], insn.args[1]].into_iter().for_each(|register| places.keep(register));
    }
}

/// A block with such instructions. `places`: where registers are, if they may be elsewhere.
pub fn grouped(units: &[Unit], places: Option<&mut Places>) -> Vec<Insn> {
    let mut insns = Vec::with_capacity(2 * units.len());
    let mut put = |op: Option<Opcode>, some: &[Insn]| {
        insns.extend(op.map(|op| Insn { op, ..some[0] }));
        insns.extend_from_slice(some);
    };
    match places {
        Some(places) => put_in_order(units, places, put),
        None => units.iter().for_each(|unit| put(unit.together, unit.insns)),
    }
    insns
}

/// What all lanes have in common becomes the second operand, where it does not matter which it is.
pub fn with_common_second(mut four: [Insn; 4]) -> [Insn; 4] {
    let is_common = |register: u32| four.iter().all(|insn| insn.args[..2].contains(&register));
    let common = four[0].args[..2].iter().copied().find(|&register| is_common(register));
    if let Some(common) = common.filter(|_| matches!(four[0].op, Opcode::QuickAdd | Opcode::QuickMul)) {
        four.iter_mut().filter(|insn| insn.args[1] != common).for_each(|insn| insn.args.swap(0, 1));
    }
    four
}

/// The instruction that does four like this one at once; `same`: all have the same second operand.
pub fn in_fours(op: Opcode, same: bool) -> Option<Opcode> {
    Some(match op {
        Opcode::QuickAdd if same => Opcode::AddSame,
        Opcode::QuickSub if same => Opcode::SubSame,
        Opcode::QuickMul if same => Opcode::MulSame,
        Opcode::QuickDiv if same => return None,
        Opcode::QuickAdd => Opcode::AddFour,
        Opcode::QuickSub => Opcode::SubFour,
        Opcode::QuickMul => Opcode::MulFour,
        Opcode::QuickDiv => Opcode::DivFour,
        Opcode::LoadDouble => Opcode::LoadFour,
        Opcode::StoreDouble => Opcode::StoreFour,
        Opcode::Check => Opcode::CheckFour,
        Opcode::Move => Opcode::MoveFour,
        _ => return None,
    })
}

/// The instruction that does what these four do.
pub fn together(four: &[Insn; 4]) -> Option<Opcode> {
    let first = &four[0];
    let same = first.op.is_quick() && four.iter().all(|insn| insn.args[1] == first.args[1]);
    let op = in_fours(first.op, same).filter(|_| first.op != Opcode::Check || first.format == Precision::Double)?;
    let alike = four.iter().all(|insn| insn.op == first.op && insn.site == first.site);
    let follow =
        |of: fn(&Insn) -> u32| (0..).zip(four).all(|(lane, insn)| of(insn).checked_sub(of(first)) == Some(lane));
    let are_beside = || (0..).zip(four).all(|(lane, insn)| is_beside(lane, insn, first));
    // Results are written when all operands are read: no lane may be an operand of another.
    let is_apart = |a: u32| first.out.abs_diff(a) >= 4;
    let fit = match first.op {
        Opcode::Move => true,
        Opcode::LoadDouble => follow(|i| i.out) && follow(|i| i.word) && are_beside(),
        Opcode::StoreDouble => follow(|i| i.args[0]) && are_beside(),
        Opcode::Check => follow(|i| i.args[0]),
        _ => {
            let are_rows = follow(|i| i.args[0]) && (same || follow(|i| i.args[1]));
            follow(|i| i.out) && are_rows && is_apart(first.args[0]) && is_apart(first.args[1])
        }
    };
    (alike && fit).then_some(op)
}

/// Whether a lane's double lies in memory where it would in a vector.
fn is_beside(lane: u32, insn: &Insn, first: &Insn) -> bool {
    insn.place == first.place && insn.offset.checked_sub(first.offset) == Some(8 * i64::from(lane))
}

#[cfg(test)]
mod tests {
    use super::super::places::CONSTANT;
    use super::*;
    use nonius_abi::site::NONE;

    fn insn(op: Opcode, out: u32, [a, b]: [u32; 2], site: u32) -> Insn {
        let (format, shift, is_signed) = (Precision::Double, 0, false);
        let args = [a, b, 0];
        Insn { op, format, shift, is_signed, out, args, word: NONE, place: NONE, offset: 0, site, detail: 0 }
    }

    fn ops(insns: &[Insn]) -> Vec<Opcode> {
        insns.iter().map(|insn| insn.op).collect()
    }

    #[test]
    fn products_of_an_unrolled_sum_are_done_at_once() {
        // s += a[i] * b[i], four times: 0 is the sum before, 1 to 8 are loaded, anywhere.
        let mut block = Vec::new();
        let mut sum = 0;
        for lane in 0..4 {
            let product = 10 + 2 * lane;
            block.push(insn(Opcode::QuickMul, product, [1 + lane, 8 - lane], 30));
            block.push(insn(Opcode::QuickAdd, product + 1, [product, sum], 31));
            sum = product + 1;
        }
        let mut places = Places::new(20);
        let arranged = grouped(&units(&block), Some(&mut places));
        let expected = [[Opcode::MulFour; 1].as_slice(), &[Opcode::QuickMul; 4], &[Opcode::QuickAdd; 4]].concat();
        assert_eq!(ops(&arranged), expected);
        let offsets = |of: fn(&Insn) -> u32| arranged[1..5].iter().map(|i| places.offset(of(i))).collect::<Vec<_>>();
        for row in [offsets(|i| i.out), offsets(|i| i.args[0]), offsets(|i| i.args[1])] {
            assert!(row.is_sorted_by(|a, b| b - a == 1), "{row:?}");
        }
        // Slots that moved are not far: constants lie behind them.
        assert_eq!(places.offset(CONSTANT), places.size() + 1);
        assert_eq!(ops(&grouped(&units(&block), None)), ops(&block));
    }

    #[test]
    fn what_needs_each_other_stays_apart() {
        let chain: Vec<Insn> = (0..8).map(|n| insn(Opcode::QuickMul, n + 1, [n, n], 30)).collect();
        assert_eq!(ops(&grouped(&units(&chain), Some(&mut Places::new(9)))), ops(&chain));
        let sites: Vec<Insn> = (0..4).map(|n| insn(Opcode::QuickMul, n + 8, [n, n + 4], n)).collect();
        assert_eq!(ops(&grouped(&units(&sites), Some(&mut Places::new(12)))), ops(&sites), "of four sites");
    }

    #[test]
    fn a_common_factor_is_the_second() {
        let pairs = [[1, 9], [9, 2], [3, 9], [9, 4]];
        let block: Vec<Insn> = (0..4).map(|n| insn(Opcode::QuickMul, 10 + n, pairs[n as usize], 30)).collect();
        let arranged = grouped(&units(&block), Some(&mut Places::new(14)));
        assert_eq!(arranged[0].op, Opcode::MulSame);
        assert!(arranged.iter().all(|insn| insn.args[1] == 9));
        let differences: Vec<Insn> = block.iter().map(|i| Insn { op: Opcode::QuickSub, ..*i }).collect();
        assert_eq!(
            ops(&grouped(&units(&differences), Some(&mut Places::new(14)))),
            ops(&differences),
            "not of differences"
        );
    }
}
