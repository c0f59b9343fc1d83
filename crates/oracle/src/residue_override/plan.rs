//! What an execution is to do otherwise, and what came of it.

use super::residue::{OpId, Residue};
use std::collections::BTreeMap;

/// What happens at one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Action {
    /// Its rounding error counts as none.
    pub is_silent: bool,
    /// Its residue is wanted.
    pub is_probed: bool,
    /// Its residue was measured before.
    pub put: Option<Residue>,
}

/// `silentOps`, `probeOps` and `resOverride` of the paper in one table, by operation.
///
/// The operations of a thread come in the table's order: whoever walks them has to look at the next entry only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    actions: BTreeMap<OpId, Action>,
}

impl Plan {
    pub fn silence(&mut self, op: OpId) {
        self.actions.entry(op).or_default().is_silent = true;
    }

    pub fn probe(&mut self, op: OpId) {
        self.actions.entry(op).or_default().is_probed = true;
    }

    pub fn put(&mut self, op: OpId, residue: Residue) {
        self.actions.entry(op).or_default().put = Some(residue);
    }

    #[must_use]
    pub fn at(&self, op: OpId) -> Action {
        self.actions.get(&op).copied().unwrap_or_default()
    }

    /// The first operation from this one on at which anything is to be done; [`OpId::NONE`] if there is none.
    #[must_use]
    pub fn next_from(&self, op: OpId) -> OpId {
        self.actions.range(op..).next().map_or(OpId::NONE, |(&op, _)| op)
    }
}

/// Who contributed to a term that cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contributor {
    pub largest: OpId,
    pub second: OpId,
}

/// The residue of `op` lacks contributions: they were absorbed in terms that cancelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Absorption {
    pub op: OpId,
    pub contributors: Vec<Contributor>,
    /// The residue cannot be larger: more was not absorbed.
    pub most: f64,
}

/// What an execution found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub probed: BTreeMap<OpId, Residue>,
    /// In the order of the run: all at probed operations, and of the others as many as are kept.
    pub absorptions: Vec<Absorption>,
    /// How many there were.
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
        plan.put(c, Residue::EXACT);
        assert_eq!(plan.at(a), Action { is_silent: true, is_probed: true, put: None });
        assert_eq!(plan.at(OpId::new(0, 6)), Action::default());
        for (from, next) in [(OpId::new(0, 0), a), (a, a), (OpId::new(0, 6), b), (OpId::new(1, 0), c)] {
            assert_eq!(plan.next_from(from), next);
        }
        assert_eq!(plan.next_from(OpId::new(3, 3)), OpId::NONE);
    }
}
