//! Which executions it takes until no residue is spoilt (RePo, algorithm 1).
//!
//! ```text
//! execute: detect --> silence, probe --> execute --> still spoilt? silence more --+
//!    ^                                      ^                                     |
//!    |                                      +-------------------------------------+
//!    +------- put what was probed <--- settled
//! ```
//!
//! Several absorptions are settled at once, unless silencing for one would take a contribution from another: the
//! largest contributors of the one are the second-largest of the other. Those wait for the next round.
//!
//! Beyond the paper:
//!
//! * A residue counts as settled in the first execution in which its probe is not spoilt. Later ones, which silence
//!   more for others, do not change it.
//! * A residue that was put hides what lies below its largest contributor, as the one did that it replaced. Where that
//!   contributor is silenced, the residue is not put, and what it was probed without is silent again.
//! * An absorption that nobody can be silenced for (errors from outside) stays as it is.
//! * The last execution is kept for putting what was settled, however many are left to do.

use super::plan::{Absorption, Outcome, Plan};
use super::residue::{OpId, Residue};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What re-executing came to. The last execution is the one to report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// The first included.
    pub executions: u32,
    /// Residues that the last execution had from earlier ones.
    pub settled: usize,
    /// Residues that are spoilt in the last execution.
    pub open: u64,
}

/// Executes until no residue is spoilt, or `most_executions` are done (at least one is). `execute` does as the plan says.
pub fn resolve<E>(mut execute: impl FnMut(&Plan) -> Result<Outcome, E>, most_executions: u32) -> Result<Resolution, E> {
    let mut executions = 0;
    let mut settled = Settled::default();
    let mut hopeless = HashSet::new();
    loop {
        let outcome = execute(&Round::default().plan(&settled))?;
        executions += 1;
        let mut round = Round::default();
        for absorption in &outcome.absorptions {
            if !hopeless.contains(&absorption.op) && !is_stuck(absorption, &BTreeSet::new()) {
                round.take(absorption, &settled);
            }
        }
        // One that probes and one that puts.
        if round.pending.is_empty() || executions + 2 > most_executions {
            return Ok(Resolution { executions, settled: settled.residues.len(), open: outcome.detected });
        }
        while !round.pending.is_empty() && executions + 1 < most_executions {
            let outcome = execute(&round.plan(&settled))?;
            executions += 1;
            round.go_on(&outcome, &mut settled, &mut hopeless);
        }
    }
}

/// Nobody is left to be silenced, where these are silent.
fn is_stuck(absorption: &Absorption, silent: &BTreeSet<OpId>) -> bool {
    absorption.contributors.iter().all(|c| c.largest.is_none() || silent.contains(&c.largest))
}

/// A residue that was probed, and what was silent for it.
#[derive(Clone, Debug)]
struct Probed {
    residue: Residue,
    silenced: BTreeSet<OpId>,
}

/// `resOverride` of the paper.
#[derive(Clone, Debug, Default)]
struct Settled {
    residues: BTreeMap<OpId, Probed>,
    by_largest: HashMap<OpId, Vec<OpId>>,
}

impl Settled {
    fn insert(&mut self, op: OpId, probed: Probed) {
        self.by_largest.entry(probed.residue.largest).or_default().push(op);
        self.residues.insert(op, probed);
    }

    /// Residues that this operation contributed most to.
    fn made_by(&self, op: OpId) -> impl Iterator<Item = (OpId, &Probed)> {
        let ops = self.by_largest.get(&op).map_or(&[][..], Vec::as_slice);
        ops.iter().filter_map(|op| Some((*op, self.residues.get(op)?)))
    }
}

/// Executions that settle what one execution detected.
#[derive(Clone, Debug, Default)]
struct Round {
    /// Residues that are probed, and what is silent for each.
    pending: BTreeMap<OpId, BTreeSet<OpId>>,
    silent: BTreeSet<OpId>,
    /// Settled residues that are not put, since a contributor of theirs is silent.
    lifted: BTreeSet<OpId>,
    /// `maxErrOps` and `sndErrOps` of the paper.
    largest: HashSet<OpId>,
    second: HashSet<OpId>,
}

impl Round {
    fn plan(&self, settled: &Settled) -> Plan {
        let mut plan = Plan::default();
        for (&op, probed) in settled.residues.iter().filter(|(op, _)| !self.lifted.contains(op)) {
            plan.put(op, probed.residue);
        }
        self.silent.iter().for_each(|&op| plan.silence(op));
        self.pending.keys().for_each(|&op| plan.probe(op));
        plan
    }

    /// Silences what the absorption asks for, unless it has to wait for another.
    fn take(&mut self, absorption: &Absorption, settled: &Settled) {
        let contributors = || absorption.contributors.iter();
        let mut largest = contributors().map(|c| c.largest).filter(|op| !op.is_none());
        let mut second = contributors().map(|c| c.second).filter(|op| !op.is_none());
        if largest.any(|op| self.second.contains(&op)) || second.any(|op| self.largest.contains(&op)) {
            return;
        }
        let mut silenced = BTreeSet::new();
        for op in contributors().map(|c| c.largest).filter(|op| !op.is_none()) {
            self.silence(op, settled, &mut silenced);
        }
        self.pending.entry(absorption.op).or_default().extend(silenced);
        self.second.extend(contributors().map(|c| c.second).filter(|op| !op.is_none()));
    }

    /// Silences an operation, and lifts what was put in whose way it was.
    fn silence(&mut self, op: OpId, settled: &Settled, silenced: &mut BTreeSet<OpId>) {
        let mut waiting = vec![op];
        while let Some(op) = waiting.pop() {
            self.largest.insert(op);
            self.silent.insert(op);
            if !silenced.insert(op) {
                continue;
            }
            for (put, probed) in settled.made_by(op) {
                self.lifted.insert(put);
                waiting.extend(&probed.silenced);
            }
        }
    }

    /// What is no longer spoilt is settled; for the rest more is silenced.
    fn go_on(&mut self, outcome: &Outcome, settled: &mut Settled, hopeless: &mut HashSet<OpId>) {
        let spoilt: HashMap<OpId, bool> =
            outcome.absorptions.iter().map(|a| (a.op, is_stuck(a, &self.silent))).collect();
        for (op, silenced) in std::mem::take(&mut self.pending) {
            match (spoilt.get(&op), outcome.probed.get(&op)) {
                (Some(false), _) => {
                    self.pending.insert(op, silenced);
                }
                (None, Some(&residue)) => settled.insert(op, Probed { residue, silenced }),
                _ => {
                    hopeless.insert(op);
                }
            }
        }
        (self.largest, self.second) = Default::default();
        for absorption in &outcome.absorptions {
            if self.pending.contains_key(&absorption.op) {
                self.take(absorption, settled);
            }
        }
    }
}

#[cfg(test)]
mod tests;
