//! The order in which a block's instructions are done: sums and products that do not need each other come together, so
//! that they can be done at once (`fours`).
//!
//! Whatever touches memory or observes a value keeps its place among its like. All else waits for those that write what
//! it reads, and for those that read or write what it overwrites.

use super::fours::{in_fours, with_common_second};
use super::moves::{reads, writes};
use super::places::{Places, Row};
use super::{Insn, Opcode};
use nonius_abi::site::NONE;
use std::collections::{BTreeSet, HashMap};

/// An instruction, or four that are done at once.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    pub insns: &'a [Insn],
    /// The instruction that does all four.
    pub together: Option<Opcode>,
}

impl Unit<'_> {
    fn is_barrier(&self) -> bool {
        self.insns.iter().any(|insn| matches!(insn.op, Opcode::Call | Opcode::Return | Opcode::Request))
    }

    /// Whether it may be done at once with others of its kind.
    fn is_sociable(&self) -> bool {
        self.together.is_none() && self.insns[0].op.is_quick() && self.insns[0].site != NONE
    }
}

/// Units that are looked at together: what is loaded early should still be near when it is used.
const WINDOW: usize = 128;

/// Puts instructions in the order in which they are to be done; some with the one that does all four.
pub fn put_in_order(units: &[Unit], places: &mut Places, mut put: impl FnMut(Option<Opcode>, &[Insn])) {
    for part in units.chunk_by(|a, b| !a.is_barrier() && !b.is_barrier()).flat_map(|part| part.chunks(WINDOW)) {
        if !has_four_of_a_kind(part) {
            part.iter().for_each(|unit| put(unit.together, unit.insns));
            continue;
        }
        let mut waiting = Waiting::new(part);
        while let Some(next) = waiting.take(part, places) {
            match next {
                Next::Unit(number) => put(part[number].together, part[number].insns),
                Next::Four(op, four) => put(Some(op), &four),
            }
        }
    }
}

fn has_four_of_a_kind(units: &[Unit]) -> bool {
    let mut kinds: Vec<Kind> = units.iter().filter(|unit| unit.is_sociable()).map(kind).collect();
    kinds.sort_unstable();
    kinds.chunk_by(|a, b| a == b).any(|same| same.len() >= 4)
}

/// What is to be done next.
enum Next {
    Unit(usize),
    Four(Opcode, [Insn; 4]),
}

/// The instruction that does four at once, if their registers can be neighbours; then they are, or will be.
fn joined(four: [Insn; 4], places: &mut Places) -> Option<(Opcode, [Insn; 4])> {
    let four = with_common_second(four);
    let [outs, left, right] = [four.map(|i| i.out), four.map(|i| i.args[0]), four.map(|i| i.args[1])];
    let (out, x, y) = (places.row(outs)?, places.row(left)?, places.row(right)?);
    let is_apart = |of: [u32; 4]| of.iter().all(|register| !outs.contains(register));
    // What is on both sides has one place only.
    let share = left != right && left.iter().any(|register| right.contains(register));
    if out == Row::Same || x == Row::Same || share || !is_apart(left) || !is_apart(right) {
        return None;
    }
    let op = in_fours(four[0].op, y == Row::Same)?;
    places.assign(out, outs);
    places.assign(x, left);
    if left != right {
        places.assign(y, right);
    }
    Some((op, four))
}

/// The units of a part, by number, that are not done yet.
struct Waiting {
    /// For how many others each waits, and who waits for it.
    before: Vec<u32>,
    behind: Vec<Vec<usize>>,
    /// Those that wait for none: the sociable ones, and the others.
    sociable: BTreeSet<usize>,
    others: BTreeSet<usize>,
    /// How many of a kind are not done.
    left: HashMap<Kind, usize>,
}

/// What can be done at once has the same operation and site.
type Kind = (u8, u32);

fn kind(unit: &Unit) -> Kind {
    (unit.insns[0].op as u8, unit.insns[0].site)
}

/// Who wrote a register last, and who has read it since.
#[derive(Default)]
struct Uses {
    writer: Option<usize>,
    readers: Vec<usize>,
}

impl Waiting {
    fn new(units: &[Unit]) -> Waiting {
        let (before, behind) = (vec![0; units.len()], vec![Vec::new(); units.len()]);
        let mut waiting =
            Waiting { before, behind, sociable: BTreeSet::new(), others: BTreeSet::new(), left: HashMap::new() };
        let mut registers: HashMap<u32, Uses> = HashMap::new();
        let mut effect = None;
        for (number, insn) in units.iter().enumerate().flat_map(|(n, unit)| unit.insns.iter().map(move |i| (n, i))) {
            if has_effect(insn.op) {
                waiting.link(effect.replace(number), number);
            }
            for read in reads(insn) {
                let uses = registers.entry(read).or_default();
                waiting.link(uses.writer, number);
                uses.readers.push(number);
            }
            if let Some(written) = writes(insn) {
                let uses = registers.entry(written).or_default();
                waiting.link(uses.writer.replace(number), number);
                uses.readers.drain(..).for_each(|reader| waiting.link(Some(reader), number));
            }
        }
        for (number, unit) in units.iter().enumerate() {
            *waiting.left.entry(kind(unit)).or_default() += 1;
            if waiting.before[number] == 0 {
                waiting.is_ready(units, number);
            }
        }
        waiting
    }

    fn link(&mut self, first: Option<usize>, then: usize) {
        if let Some(first) = first.filter(|&first| first != then) {
            self.before[then] += 1;
            self.behind[first].push(then);
        }
    }

    fn is_ready(&mut self, units: &[Unit], number: usize) {
        let set = if units[number].is_sociable() { &mut self.sociable } else { &mut self.others };
        set.insert(number);
    }

    /// What is to be done next: all that the sociable ones may wait for first, then four of them; then one that will not
    /// be one of four, and if there is none, any.
    fn take(&mut self, units: &[Unit], places: &mut Places) -> Option<Next> {
        if self.others.is_empty()
            && let Some((numbers, op, four)) = self.four(units, places)
        {
            numbers.iter().for_each(|&number| self.is_done(units, number));
            return Some(Next::Four(op, four));
        }
        let is_lonely = |number: &&usize| self.left[&kind(&units[**number])] < 4;
        let lonely = || self.sociable.iter().find(is_lonely);
        let next = *self.others.first().or_else(lonely).or_else(|| self.sociable.first())?;
        self.is_done(units, next);
        Some(Next::Unit(next))
    }

    /// Four of the ready that can be done at once.
    fn four(&self, units: &[Unit], places: &mut Places) -> Option<([usize; 4], Opcode, [Insn; 4])> {
        let mut alike: HashMap<Kind, Vec<usize>> = HashMap::new();
        for &number in &self.sociable {
            let like = alike.entry(kind(&units[number])).or_default();
            like.push(number);
            if let Some(&numbers) = like.last_chunk::<4>()
                && let Some((op, four)) = joined(numbers.map(|number| units[number].insns[0]), places)
            {
                return Some((numbers, op, four));
            }
        }
        None
    }

    fn is_done(&mut self, units: &[Unit], number: usize) {
        self.sociable.remove(&number);
        self.others.remove(&number);
        *self.left.entry(kind(&units[number])).or_default() -= 1;
        for then in std::mem::take(&mut self.behind[number]) {
            self.before[then] -= 1;
            if self.before[then] == 0 {
                self.is_ready(units, then);
            }
        }
    }
}

/// Whether an instruction keeps its place among others of which this is true.
fn has_effect(op: Opcode) -> bool {
    let is_free = matches!(
        op,
        Opcode::Neg | Opcode::Abs | Opcode::Sqrt | Opcode::Fma | Opcode::Move | Opcode::Select | Opcode::FromInteger
    );
    !is_free && !op.is_quick()
}
