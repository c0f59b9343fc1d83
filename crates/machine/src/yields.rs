//! What a machine came to, apart from what it needs to go on: taken from one machine, added to another.
//!
//! Machines that walk tasks hand theirs to one that puts them together. Sums of floats depend on their order, so whoever
//! adds them up must always do it in the same one.

use crate::checks::found::Founds;
use crate::checks::stages::{Stage, Stages};
use crate::checks::statistics::Site;
use crate::core::{Core, Shares};
use crate::lost::Lost;
use crate::machine::{Engine, Machine};
use crate::memory::Place;
use crate::program::FlatProgram;
use crate::register::{Known, STEPS, UNKNOWN};
use nonius_abi::event::EventError;
use nonius_abi::table::Table;
use nonius_finding::MOST_RESULTS;
use nonius_oracle::Oracle;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A value that nothing goes on from: likely a result of the program.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub known: Known,
    pub ideal: f64,
}

impl Candidate {
    /// Made in more steps; of those made in as many, the least.
    fn is_better_than(&self, other: &Candidate) -> bool {
        let (own, others) = (self.known.steps(), other.known.steps());
        own > others || own == others && self.known.value.total_cmp(&other.known.value).is_lt()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Yield {
    founds: Founds,
    statistics: Vec<(u32, Site)>,
    stages: BTreeMap<u64, Stage>,
    stages_dropped: u64,
    left: HashMap<u32, f64>,
    origins: HashMap<(u32, bool), u64>,
    /// Functions that ran.
    functions: Vec<u32>,
    operations: u64,
    restarted: u64,
    loads: u64,
    loads_restarted: u64,
    lost: Lost,
    results: Vec<Candidate>,
    pages_evicted: u64,
    frames_dropped: u64,
    lost_words: u64,
    fault: Option<EventError>,
}

/// The objects of a program, as machines share them.
#[derive(Clone, Debug)]
pub struct Loaded {
    program: Arc<FlatProgram>,
    tables: Arc<Vec<Table>>,
}

impl Loaded {
    pub fn program(&self) -> &FlatProgram {
        &self.program
    }
}

/// A machine that can walk a task, or put together what others came to.
pub trait Walker: Engine {
    fn loaded(&self) -> Loaded;

    /// It walks events of these objects from here on.
    fn load(&mut self, loaded: &Loaded);

    /// What it walks begins in the midst of the run: memory that it knows nothing of may hold anything.
    fn begin_in_the_midst(&mut self);

    fn yields(&self) -> Yield;

    /// Adds what another machine came to, in a task if that has a name.
    fn absorb(&mut self, other: &Yield, task: Option<&Arc<str>>);

    /// As if it were new, but for the objects.
    fn begin_anew(&mut self);
}

impl<O: Oracle> Machine<O> {
    /// Likely results: the deepest values first, one a site.
    pub fn candidates(&self) -> Vec<Candidate> {
        best(self.left_in_memory().chain(self.absorbed.iter().copied()))
    }

    /// The best value in memory of each site.
    fn left_in_memory(&self) -> impl Iterator<Item = Candidate> {
        let memory = &self.core.memory;
        let mut best: Vec<Option<(u32, f64, Place)>> = vec![None; self.core.sites.len()];
        memory.entries().for_each(|(place, head)| {
            let (value, [site, depth]) = (head.value(), head.site_and_depth());
            // `NONE` is beyond all sites.
            let Some(best_here) = best.get_mut(site as usize).filter(|_| depth < UNKNOWN) else { return };
            let steps = depth & STEPS;
            let is_better = |best_here: &(u32, f64, Place)| {
                steps > best_here.0 || steps == best_here.0 && value.total_cmp(&best_here.1).is_lt()
            };
            if best_here.as_ref().is_none_or(is_better) {
                *best_here = Some((steps, value, place));
            }
        });
        best.into_iter().flatten().map(|(.., place)| {
            let known = memory.known(place);
            let estimate = memory.shadow(place).map(|shadow| self.core.oracle.estimate(shadow, known.value));
            // A zero of either sign is the same ideal.
            let ideal = estimate.map(|estimate| estimate.ideal).filter(|ideal| *ideal != known.value);
            Candidate { known, ideal: ideal.unwrap_or(known.value) }
        })
    }
}

/// The best of each site, deepest first.
fn best(all: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let mut by_site: BTreeMap<u32, Candidate> = BTreeMap::new();
    for candidate in all {
        let best = by_site.entry(candidate.known.site).or_insert(candidate);
        if candidate.is_better_than(best) {
            *best = candidate;
        }
    }
    let mut all: Vec<Candidate> = by_site.into_values().collect();
    all.sort_by_key(|c| (std::cmp::Reverse(c.known.steps()), c.known.site));
    all
}

impl<O> Walker for Machine<O>
where
    O: Oracle + Send,
    O::Shadow: Send,
{
    fn loaded(&self) -> Loaded {
        Loaded { program: self.program.clone(), tables: self.tables.clone() }
    }

    fn load(&mut self, loaded: &Loaded) {
        if Arc::ptr_eq(&self.tables, &loaded.tables) {
            return;
        }
        let known = self.tables.len();
        (self.program, self.tables) = (loaded.program.clone(), loaded.tables.clone());
        self.learn_from(known);
    }

    fn begin_in_the_midst(&mut self) {
        self.core.is_partial = true;
    }

    fn yields(&self) -> Yield {
        let core = &self.core;
        let ran = (0..).zip(&core.functions_run).filter(|(_, ran)| **ran);
        let mut results = self.candidates();
        results.truncate(MOST_RESULTS);
        Yield {
            founds: core.founds.clone(),
            statistics: core.statistics.all().map(|(number, site)| (number, site.clone())).collect(),
            stages: core.stages.all.clone(),
            stages_dropped: core.stages.dropped,
            left: core.roots.all_left().clone(),
            origins: core.origins.counts().clone(),
            functions: ran.map(|(function, _)| function).collect(),
            operations: core.operations,
            restarted: core.restarted,
            loads: core.loads,
            loads_restarted: core.loads_restarted,
            lost: core.lost.clone(),
            results,
            pages_evicted: core.memory.evicted,
            frames_dropped: self.threads.dropped(),
            lost_words: self.lost_words,
            fault: self.fault.clone(),
        }
    }

    fn absorb(&mut self, other: &Yield, task: Option<&Arc<str>>) {
        let core = &mut self.core;
        core.founds.absorb(&other.founds, task);
        core.statistics.absorb(&other.statistics);
        core.stages.absorb(&other.stages, other.stages_dropped);
        other.left.iter().for_each(|(root, left)| core.roots.note_left(*root, *left));
        core.origins.absorb(&other.origins);
        for &function in &other.functions {
            core.functions_run.get_mut(function as usize).into_iter().for_each(|ran| *ran = true);
        }
        core.operations += other.operations;
        core.restarted += other.restarted;
        core.loads += other.loads;
        core.loads_restarted += other.loads_restarted;
        core.lost.absorb(&other.lost);
        core.memory.evicted += other.pages_evicted;
        self.threads.absorb_dropped(other.frames_dropped);
        self.lost_words = self.lost_words.saturating_add(other.lost_words);
        self.fault = self.fault.take().or_else(|| other.fault.clone());
        self.absorbed = best(self.absorbed.iter().chain(&other.results).copied());
        self.absorbed.truncate(MOST_RESULTS);
    }

    fn begin_anew(&mut self) {
        let shares = Shares::of(self.core.options.most_bytes);
        let Core { founds, statistics, stages, roots, origins, functions_run, lost, constants, asked, .. } =
            &mut self.core;
        *founds = Founds::new(shares.founds);
        statistics.reset();
        *stages = Stages::new(shares.stages);
        (*roots, *origins, *lost) = Default::default();
        functions_run.fill(false);
        constants.forget_verdicts();
        asked.clear();
        let core = &mut self.core;
        (core.operations, core.restarted, core.loads, core.loads_restarted) = (0, 0, 0, 0);
        (core.is_off, core.deepest) = (false, UNKNOWN);
        core.memory.begin_anew();
        self.threads.begin_anew();
        self.absorbed.clear();
        (self.fault, self.lost_words) = (None, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::statistics::Statistics;

    #[test]
    fn what_a_site_counted_adds_up() {
        let site = |count, sum_of_errors, largest_error, from| Site {
            count,
            sum_of_errors,
            largest_error,
            from: [from; 3],
            ..Site::default()
        };
        let mut all = Statistics::default();
        all.grow(3);
        all.absorb(&[(1, site(2, 0.5, 0.25, 7)), (9, site(1, 1.0, 1.0, 0))]);
        all.absorb(&[(1, site(1, 0.125, 0.125, 8)), (2, site(4, 2.0, 1.0, 9))]);
        assert_eq!(all.get(1), Some(&site(3, 0.625, 0.25, 7)));
        assert_eq!(all.get(2), Some(&site(4, 2.0, 1.0, 9)));
    }
}
