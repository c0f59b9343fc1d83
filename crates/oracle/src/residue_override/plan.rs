//! What an execution is to do otherwise, and what came of it.

use super::fine::{FineProbe, Shadow};
use super::residue::{OpId, Residue};
use std::collections::{BTreeMap, BTreeSet};

/// What happens at one operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Action {
    /// Its rounding error counts as none.
    pub is_silent: bool,
    /// Its residue is wanted.
    pub is_probed: bool,
    /// Its shadow was measured before.
    pub put: Option<Shadow>,
}

/// `silentOps`, `probeOps` and `resOverride` of the paper in one table, by operation; and the stretches of the run that
/// are done with more bits beside.
///
/// The operations of a thread come in the table's order: whoever walks them has to look at the next entry only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    actions: BTreeMap<OpId, Action>,
    /// From the first operation to the last, in one thread; no two meet.
    stretches: BTreeMap<OpId, OpId>,
    /// Where one begins, and where one is over.
    boundaries: BTreeSet<OpId>,
    /// Bits that the stretches are done with.
    bits: u32,
}

impl Plan {
    pub fn silence(&mut self, op: OpId) {
        self.actions.entry(op).or_default().is_silent = true;
    }

    pub fn probe(&mut self, op: OpId) {
        self.actions.entry(op).or_default().is_probed = true;
    }

    pub fn put(&mut self, op: OpId, shadow: Shadow) {
        self.actions.entry(op).or_default().put = Some(shadow);
    }

    /// Operations that are done with so many bits beside, as pairs of the first and the last.
    pub fn refine(&mut self, stretches: impl IntoIterator<Item = (OpId, OpId)>, bits: u32) {
        self.stretches = joined(stretches.into_iter().collect());
        self.boundaries = self.stretches.iter().flat_map(|(&from, &to)| [from, to.following()]).collect();
        self.bits = bits;
    }

    /// How many operations the stretches can have, as far as threads are known.
    #[must_use]
    pub fn refined_operations(&self) -> u64 {
        self.stretches.iter().fold(0, |sum: u64, (from, to)| sum.saturating_add(to.0 - from.0))
    }

    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    #[must_use]
    pub fn is_refined(&self, op: OpId) -> bool {
        self.stretches.range(..=op).next_back().is_some_and(|(_, &to)| op <= to)
    }

    #[must_use]
    pub fn at(&self, op: OpId) -> Action {
        self.actions.get(&op).cloned().unwrap_or_default()
    }

    /// The first operation from this one on at which anything is to be done; [`OpId::NONE`] if there is none.
    #[must_use]
    pub fn next_from(&self, op: OpId) -> OpId {
        let action = self.actions.range(op..).next().map_or(OpId::NONE, |(&op, _)| op);
        self.boundaries.range(op..).next().map_or(action, |&boundary| boundary.min(action))
    }
}

/// The same operations in stretches that do not meet.
fn joined(mut stretches: Vec<(OpId, OpId)>) -> BTreeMap<OpId, OpId> {
    stretches.sort_unstable();
    let mut all: Vec<(OpId, OpId)> = Vec::new();
    for (from, to) in stretches {
        match all.last_mut() {
            Some(last) if from <= last.1.following() => last.1 = last.1.max(to),
            _ => all.push((from, to)),
        }
    }
    all.into_iter().collect()
}

/// Who contributed to a term that cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contributor {
    pub largest: OpId,
    pub second: OpId,
}

/// The residue of `op` is not known well enough: it lacks contributions that were absorbed in terms that cancelled, or a
/// verdict is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Absorption {
    pub op: OpId,
    /// The first operation on the way to it that was not exact.
    pub since: OpId,
    pub contributors: Vec<Contributor>,
    /// The residue cannot be larger: more was not absorbed.
    pub most: f64,
}

/// What was probed at an operation.
#[derive(Clone, Debug)]
pub struct Probe {
    pub residue: Residue,
    /// What more bits say, where the operation is refined.
    pub fine: Option<FineProbe>,
}

/// What an execution found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub probed: BTreeMap<OpId, Probe>,
    /// In the order of the run: all at probed operations, and of the others as many as are kept.
    pub absorptions: Vec<Absorption>,
    /// How many residues lack contributions.
    pub detected: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_entry_is_found_thread_by_thread() {
        let mut plan = Plan::default();
        let [a, b, c] = [OpId::new(0, 5), OpId::new(0, 9), OpId::new(3, 2)];
        plan.silence(a);
        plan.probe(a);
        plan.probe(b);
        plan.put(c, Shadow::default());
        assert_eq!(plan.at(a), Action { is_silent: true, is_probed: true, put: None });
        assert_eq!(plan.at(OpId::new(0, 6)), Action::default());
        for (from, next) in [(OpId::new(0, 0), a), (a, a), (OpId::new(0, 6), b), (OpId::new(1, 0), c)] {
            assert_eq!(plan.next_from(from), next);
        }
        assert_eq!(plan.next_from(OpId::new(3, 3)), OpId::NONE);
    }

    #[test]
    fn stretches_that_meet_are_one() {
        let at = |ordinal| OpId::new(0, ordinal);
        let mut plan = Plan::default();
        plan.refine([(at(8), at(9)), (at(2), at(4)), (at(3), at(5)), (at(6), at(6)), (at(20), at(21))], 512);
        let refined: Vec<u64> = (0..30).filter(|&n| plan.is_refined(at(n))).collect();
        assert_eq!(refined, [2, 3, 4, 5, 6, 8, 9, 20, 21]);
        let boundaries: Vec<u64> = (0..30).filter(|&n| plan.next_from(at(n)) == at(n)).collect();
        assert_eq!(boundaries, [2, 7, 8, 10, 20, 22]);
        assert_eq!((plan.refined_operations(), plan.bits()), (6, 512));
        assert!(!plan.is_refined(OpId::new(1, 3)));
    }
}
