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
//! * Silencing assumes that what is silent cancels altogether. So a probe is done with more bits as well ([`fine`](super::fine)), from
//!   the first operation on its way that was not exact, and these have the last word; what silencing left says how many
//!   it takes. An open verdict asks for a probe as an absorption does, with nobody to silence.
//! * A residue counts as settled in the first execution in which its probe is not spoilt. Later ones, which silence
//!   more for others, do not change it.
//! * A residue that was put hides what lies below its largest contributor, as the one did that it replaced. Where that
//!   contributor is silenced, the residue is not put, and what it was probed without is silent again.
//! * A probed residue is believed only if it is no larger than what can have been absorbed. It is where a sum of
//!   several roundings cancelled with one, and only the largest of them was silenced: then its own largest
//!   contributor is silenced next.
//! * What nobody contributed to (errors from outside) stays as it is.
//! * The last execution is kept for putting what was settled, however many are left to do.

use super::fine::{FIRST_BITS, FineProbe, SHORT, Shadow, WHOLE_RANGE};
use super::plan::{Absorption, Contributor, Outcome, Plan, Probe};
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

/// Executes until no residue is spoilt, or `most_executions` are done (at least one is). `execute` does as the plan
/// says.
pub fn resolve<E>(mut execute: impl FnMut(&Plan) -> Result<Outcome, E>, most_executions: u32) -> Result<Resolution, E> {
    let mut executions = 0;
    let mut settled = Settled::default();
    let mut hopeless = HashSet::new();
    loop {
        let outcome = execute(&Round::default().plan(&settled))?;
        executions += 1;
        let mut round = Round::default();
        for absorption in &outcome.absorptions {
            let is_done = hopeless.contains(&absorption.op) || settled.residues.contains_key(&absorption.op);
            if !is_done && (!absorption.since.is_none() || !is_stuck(absorption, &BTreeSet::new())) {
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
        round.give_up(&mut settled);
    }
}

/// Nobody is left to be silenced, where these are silent.
fn is_stuck(absorption: &Absorption, silent: &BTreeSet<OpId>) -> bool {
    absorption.contributors.iter().all(|c| c.largest.is_none() || silent.contains(&c.largest))
}

/// A shadow that was probed, and what was silent for it.
#[derive(Clone, Debug)]
struct Probed {
    shadow: Shadow,
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
        self.by_largest.entry(probed.shadow.residue.largest).or_default().push(op);
        self.residues.insert(op, probed);
    }

    /// Residues that this operation contributed most to.
    fn made_by(&self, op: OpId) -> impl Iterator<Item = (OpId, &Probed)> {
        let ops = self.by_largest.get(&op).map_or(&[][..], Vec::as_slice);
        ops.iter().filter_map(|op| Some((*op, self.residues.get(op)?)))
    }
}

/// A residue that is probed: what is silent for it, and how large it can be.
#[derive(Clone, Debug)]
struct Pending {
    silenced: BTreeSet<OpId>,
    most: f64,
    since: OpId,
    /// What more bits said of it, if not enough of them.
    vague: Option<FineProbe>,
}

impl Pending {
    /// What is still to be silenced by what was probed; `None` if silencing has done what it can.
    fn still_spoilt(&self, op: OpId, probe: &Probe, detected: Option<&Absorption>) -> Option<Absorption> {
        let Residue { value, largest, second, .. } = probe.residue;
        let too_large = || {
            let contributors = vec![Contributor { largest, second }];
            Absorption { op, since: self.since, contributors, most: self.most }
        };
        detected.cloned().or_else(|| (value.abs() > self.most).then(too_large))
    }

    /// The operations that it takes to know the residue of `op` with more bits. Of another thread all that follow.
    fn stretches(&self, op: OpId) -> impl Iterator<Item = (OpId, OpId)> {
        let (since, start) = (self.since, OpId::new(op.thread(), 0));
        let stretches = match since.thread() == op.thread() {
            _ if since.is_none() => [None, None],
            true => [Some((since, op)), None],
            false => [Some((since, since.last_of_thread())), Some((start, op))],
        };
        stretches.into_iter().flatten()
    }
}

/// Executions that settle what one execution detected.
#[derive(Clone, Debug, Default)]
struct Round {
    pending: BTreeMap<OpId, Pending>,
    silent: BTreeSet<OpId>,
    /// Settled residues that are not put, since a contributor of theirs is silent.
    lifted: BTreeSet<OpId>,
    /// Bits that the next execution is to have at least.
    bits: u32,
    /// `maxErrOps` and `sndErrOps` of the paper.
    largest: HashSet<OpId>,
    second: HashSet<OpId>,
}

impl Round {
    fn plan(&self, settled: &Settled) -> Plan {
        let mut plan = Plan::default();
        for (&op, probed) in settled.residues.iter().filter(|(op, _)| !self.lifted.contains(op)) {
            plan.put(op, probed.shadow.clone());
        }
        let stretches = || self.pending.iter().flat_map(|(&op, pending)| pending.stretches(op));
        plan.refine(stretches(), self.bits.max(FIRST_BITS));
        if plan.refined_operations() <= SHORT {
            plan.refine(stretches(), self.bits.max(WHOLE_RANGE));
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
        let new = || Pending { silenced: BTreeSet::new(), most: absorption.most, since: absorption.since, vague: None };
        self.pending.entry(absorption.op).or_insert_with(new).silenced.extend(silenced);
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

    /// What is known well enough is settled; for the rest more is silenced, and done with more bits.
    fn go_on(&mut self, outcome: &Outcome, settled: &mut Settled, hopeless: &mut HashSet<OpId>) {
        let spoilt: HashMap<OpId, &Absorption> = outcome.absorptions.iter().map(|a| (a.op, a)).collect();
        let mut more = Vec::new();
        for (op, mut pending) in std::mem::take(&mut self.pending) {
            let Some(probe) = outcome.probed.get(&op) else {
                hopeless.insert(op);
                continue;
            };
            let spoilt = pending.still_spoilt(op, probe, spoilt.get(&op).copied());
            let known = match &probe.fine {
                Some(fine) => fine.is_last().then(|| fine.shadow.clone()),
                // Nothing but silencing has a say.
                None => spoilt.is_none().then(|| probe.residue.into()),
            };
            if let Some(shadow) = known {
                settled.insert(op, Probed { shadow, silenced: pending.silenced });
                continue;
            }
            let can_silence = spoilt.as_ref().is_some_and(|next| !is_stuck(next, &self.silent));
            if !can_silence && probe.fine.is_none() {
                hopeless.insert(op);
                continue;
            }
            let left = if spoilt.is_none() { probe.residue.value } else { 0.0 };
            self.bits = probe.fine.as_ref().map_or(self.bits, |fine| self.bits.max(fine.bits_for(left)));
            more.extend(spoilt.filter(|_| can_silence));
            pending.vague.clone_from(&probe.fine);
            self.pending.insert(op, pending);
        }
        (self.largest, self.second) = Default::default();
        more.iter().for_each(|absorption| self.take(absorption, settled));
    }

    /// There are no more executions: what is still vague is put as well as it is known.
    fn give_up(self, settled: &mut Settled) {
        for (op, pending) in self.pending {
            if let Some(fine) = pending.vague.filter(|fine| fine.radius < f64::INFINITY) {
                settled.insert(op, Probed { shadow: fine.shadow, silenced: pending.silenced });
            }
        }
    }
}

#[cfg(test)]
mod tests;
