//! An abstract execution as the machine's owner sees it.

mod notes;
mod sections;
mod unstable;

use super::domain::{Asked, Domain, Input, Ways};
use super::frames::{Register, Thread};
use super::meeting::Meetings;
use super::memory::{Loaded, Memory};
use super::paths::{self, Choice, Key, Paths};
use super::report::{Observed, Places};
use super::stochastic::Stochastic;
use super::walk::{Core, Given, Tested};
use super::zonotope::{MOST_CONTINUOUS, Zonotopes};
use nonius_abi::event::{Admission, Consumer, EventError, Module};
use nonius_finding::{Bounds, Range, Summary, merge, rank};
use nonius_machine::{Analysis, Arrival, Cell, Difference, Engine, Look, Options, Request, Sight};
use nonius_oracle::Spec;
use nonius_zonotope::{Flow, Side};
use std::collections::BTreeMap;

/// Cells that memory may have, for each MiB of `machine_mib`: a value of many symbols takes a few KiB.
const CELLS_A_MIB: u64 = 512;

/// An engine for the oracles that are domains.
pub fn engine(spec: Spec, options: &Options) -> Option<Box<dyn Engine>> {
    Some(match spec {
        Spec::Zonotope => Box::new(Abstract::new(Zonotopes::new(options.symbols, options.limits), options)),
        Spec::Stochastic { runs } => Box::new(Abstract::new(Stochastic::new(runs, options.seed), options)),
        _ => return None,
    })
}

pub struct Abstract<D: Domain> {
    pub(crate) core: Core<D>,
    pub(crate) threads: BTreeMap<u32, Thread<D::Value>>,
    admission: Admission,
    fault: Option<EventError>,
    pub(crate) paths: Paths,
    pub(crate) meetings: Meetings<D::Value>,
    /// Parts of each input, and those of the one that is just declared.
    split: u32,
    parts: Option<(D::Value, Vec<[f64; 2]>)>,
    /// The thread whose paths are followed.
    pub(crate) thread: u32,
    /// The test that the program waits at.
    pending: Option<Tested<D::Value>>,
    /// Its ways.
    pub(crate) choices: Vec<Choice>,
    /// Some of them cannot be followed.
    is_left_out: bool,
}

impl<D: Domain> Abstract<D> {
    fn new(domain: D, options: &Options) -> Abstract<D> {
        let cells = (options.most_bytes >> 20) * CELLS_A_MIB;
        let core = Core {
            domain,
            memory: Memory::new(cells as usize),
            modules: Vec::new(),
            site_bases: Vec::new(),
            observed: Observed::default(),
            operations: 0,
            is_partial: false,
            is_off: false,
            declared: options.inputs.iter().map(|what| Given { what: what.clone(), is_met: false }).collect(),
            uncertainty: options.uncertainty,
            limits: options.limits,
            side: Side::Both,
            takes_one_path: false,
            picking: BTreeMap::new(),
        };
        let (threads, admission) = (BTreeMap::new(), Admission::default());
        Abstract {
            core,
            threads,
            admission,
            fault: None,
            paths: Paths::default(),
            meetings: Meetings::default(),
            split: options.split,
            parts: None,
            thread: 0,
            pending: None,
            choices: Vec::new(),
            is_left_out: false,
        }
    }

    fn places(&self) -> Places<'_> {
        let (modules, site_bases) = (&self.core.modules[..], &self.core.site_bases[..]);
        Places { modules, site_bases, inputs: &self.core.observed.inputs }
    }

    /// What memory holds of a float that lies there.
    fn held(&mut self, cell: Cell) -> D::Value {
        match self.core.memory.load(cell.address, cell.format, cell.value) {
            Loaded::Known(value) => value,
            Loaded::Nothing if !self.core.is_partial => self.core.domain.lift(cell.value, 0.0),
            Loaded::Nothing | Loaded::Changed => self.core.domain.unknown(),
        }
    }

    fn declare(&mut self, cell: Cell, asked: Asked, input: Input) {
        let origin = self.core.observed.input(&asked);
        match self.core.domain.input(input, cell.value, cell.format, [origin; 2]) {
            Ok(value) => {
                self.cut(&value, input, cell.value);
                let register = Register { actual: cell.value, value };
                self.core.memory.store(cell.address, cell.format, register);
            }
            Err(why) => {
                let Asked { name, file, line } = &asked;
                self.core.observed.warn(format!("{file}:{line}: nonius_input of {name} is left out: {why}"));
                self.core.observed.incomplete.insert("an input's range could not be taken".to_owned());
            }
        }
    }

    /// The range of an input in parts, a path each; the program's own first.
    fn cut(&mut self, value: &D::Value, input: Input, actual: f64) {
        let ([lo, hi], parts) = (input.real, self.split);
        if parts < 2 || self.paths.side != Side::Both || self.paths.sections.len() > 1 {
            return;
        }
        let at = |n: u32| if n == parts { hi } else { lo + (hi - lo) * (f64::from(n) / f64::from(parts)) };
        let mut ranges: Vec<[f64; 2]> = (0..parts).map(|n| [at(n), at(n + 1)]).collect();
        ranges.retain(|r| r[0] <= r[1]);
        // The program's own real is near its float.
        let own = ranges.iter().position(|r| actual <= r[1]).unwrap_or(ranges.len() - 1);
        ranges.swap(0, own);
        self.parts = Some((value.clone(), ranges));
    }

    fn bounds(&mut self, cell: Cell, asked: Asked) {
        let value = self.held(cell);
        let occurrence = self.paths.occurrences.entry(asked.clone()).or_default();
        *occurrence += 1;
        let occurrence = *occurrence;
        if self.paths.side == Side::Both {
            let (mut bounds, shares) = self.core.domain.bounds(&value, cell.value, cell.format);
            bounds.count = 1;
            self.note_jumps(&shares);
            self.core.observed.add_bounds(&asked, bounds, shares);
        }
        if self.paths.ends_with.is_some() || self.paths.side != Side::Both {
            let key = Key::Bounds(asked, occurrence, cell.format.store_bytes() as u8);
            let values = vec![(key, self.core.domain.pack(&value))];
            let knowledge = self.core.domain.knowledge();
            self.paths.asked.push(paths::Result { tag: self.paths.sided(), knowledge, values });
        }
    }

    /// A test whose paths met with another result each counts where that is seen: as far as what the jump makes of a value
    /// stands out from the rest of its error.
    fn note_jumps(&mut self, shares: &[(u32, f64)]) {
        let unstable = &mut self.core.observed.unstable;
        let rest: f64 = shares.iter().filter(|s| !unstable.contains_key(&s.0)).map(|s| s.1).sum();
        for (site, jump) in shares.iter().filter(|s| s.1 > MOST_CONTINUOUS * rest) {
            if let Some(test) = unstable.get_mut(site) {
                test.jump = test.jump.max(*jump);
            }
        }
    }

    /// What a path would have come to is not known.
    fn is_missing(&mut self, why: &str) {
        self.core.observed.incomplete.insert(why.to_owned());
        if let Some(tested) = &self.pending
            && let Some(unstable) = self.core.observed.unstable.get_mut(&tested.site)
        {
            unstable.is_explored = false;
        }
    }

    /// From here on this process is another path.
    fn become_path(&mut self, number: u64) {
        self.begin_as_path();
        self.core.domain.begin_path(number);
        self.paths.ends_with = Some(self.paths.sections.len());
        self.paths.number = number;
        self.paths.asked.clear();
        // What came before is the parent's.
        let observed = &mut self.core.observed;
        (observed.bounds, observed.incomplete) = (BTreeMap::new(), Default::default());
        (observed.paths, observed.one_path, observed.losses) = (0, 0, BTreeMap::new());
        self.paths.sections.iter_mut().for_each(|s| s.results.clear());
    }
}

impl<D: Domain> Consumer for Abstract<D> {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.admission.admit(&module)?;
        let next = self.core.site_bases.last().copied().unwrap_or(0)
            + self.core.modules.last().map_or(0, |m| m.sites.sites.len() as u32);
        self.core.site_bases.push(next);
        self.core.is_partial |= module.code.unrecorded > 0;
        self.core.modules.push(module);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        if self.fault.is_some() {
            return;
        }
        if let Some(request) = Request::of(words) {
            self.request(request);
            return;
        }
        let mut taken = self.threads.remove(&thread).unwrap_or_default();
        if let Err(fault) = self.core.chunk(&mut taken, words) {
            self.fault = Some(fault);
        }
        self.threads.insert(thread, taken);
    }

    fn finish(&mut self) {}
}

impl<D: Domain> Engine for Abstract<D> {
    fn analysis(&mut self) -> Analysis {
        self.join_bounds();
        let places = self.places();
        let observed = &self.core.observed;
        let mut findings = merge(places.unstable(observed).into_iter().chain(places.losses(observed)));
        rank(&mut findings);
        let bounds = places.bounds(observed, D::IS_ESTIMATE);
        let notes = self.notes();
        let summary = Summary {
            findings: findings.len() as u64,
            checks: observed.checks,
            operations: self.core.operations,
            coverage: self.coverage(),
            ..Summary::default()
        };
        let holds_for = observed.holds_for(D::IS_ESTIMATE);
        Analysis { findings, bounds, summary, notes, holds_for: Some(holds_for), ..Analysis::default() }
    }

    fn operations(&self) -> u64 {
        self.core.operations
    }

    fn found(&self) -> usize {
        self.core.observed.unstable.len() + self.core.observed.losses.len()
    }

    fn is_settled(&self) -> bool {
        true
    }

    fn set_options(&mut self, _: Options) {}

    fn request(&mut self, request: Request) -> Option<Sight> {
        match request {
            Request::Analyse(on) => self.core.is_off = !on,
            Request::Reset => {
                self.core.memory.clear();
                self.threads.clear();
            }
            _ => {}
        }
        None
    }

    fn input(&mut self, cell: Cell, asked: Asked, input: Input) {
        self.declare(cell, asked, input);
    }

    fn bounds(&mut self, cell: Cell, asked: Asked) {
        Abstract::bounds(self, cell, asked);
    }

    fn captured(&mut self, thread: u32) -> Option<Bounds> {
        let (register, format) = self.threads.get_mut(&thread)?.captured.take()?;
        let (mut bounds, _) = self.core.domain.bounds(&register.value, register.actual, format);
        let everything = Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        // Floats and reals that went apart meet in another process.
        if self.paths.side != Side::Both {
            (bounds.real, bounds.error, bounds.relative_error) = (everything, everything, everything);
        }
        if self.paths.side == Side::Real {
            bounds.value = everything;
        }
        (!D::IS_ESTIMATE).then_some(bounds)
    }

    fn one_path(&mut self, begins: bool) {
        self.core.takes_one_path = begins;
    }

    fn begin_section(&mut self) {
        self.split();
    }

    fn end_section(&mut self, cells: &[Cell]) -> Option<Vec<u8>> {
        self.merge(cells)
    }

    fn answers_tests(&self) -> bool {
        !D::IS_ESTIMATE
    }

    fn decide(&mut self, thread: u32, header: u64, words: &[u64], step: u32) -> Vec<i64> {
        if self.fault.is_some() || self.core.is_off {
            return Vec::new();
        }
        let mut taken = self.threads.remove(&thread).unwrap_or_default();
        let tested = self.core.block(&mut taken, (header >> 32) as u32, header as u32, words, Some(step as usize));
        if let Some(begun) = &mut taken.begun {
            // The test itself is done with.
            begun.steps += 1;
        }
        self.threads.insert(thread, taken);
        let Some(tested) = tested else { return Vec::new() };
        (self.thread, self.is_left_out) = (thread, false);
        let outcome = tested.outcome();
        match self.core.domain.ways(&tested.test(), self.paths.side) {
            // Of this path's inputs, which need not be the program's own.
            Ways::One(Some(only)) if only != outcome => {
                self.choices = self.paths.choices(&[Flow { float: only, real: only }], outcome, tested.site);
                self.pending = Some(tested);
                self.will_not_meet();
                vec![only]
            }
            Ways::One(_) => Vec::new(),
            Ways::Unknown if tested.is_rounding() => Vec::new(),
            Ways::Unknown | Ways::Several(_) if self.core.takes_one_path => {
                self.core.one_path(&tested);
                Vec::new()
            }
            Ways::Unknown => {
                self.core.undecided(tested.site);
                Vec::new()
            }
            Ways::Several(flows) => {
                // What the path's knowledge rules out is no way.
                let knowledge = self.core.domain.knowledge();
                let side = self.paths.side;
                let possible: Vec<Flow> = flows
                    .into_iter()
                    .filter(|&flow| {
                        let can = self.core.domain.learn(&tested.test(), flow, side);
                        self.core.domain.set_knowledge(&knowledge);
                        can
                    })
                    .collect();
                self.core.saw_unstable(&tested, &possible, true);
                self.choices = self.paths.choices(&possible, outcome, tested.site);
                self.pending = Some(tested);
                self.will_meet(thread, header as u32, step);
                self.choices.iter().map(|c| c.outcome).collect()
            }
        }
    }

    fn ways_of_input(&mut self) -> usize {
        self.pending = None;
        self.will_not_meet();
        self.parts.as_ref().map_or(0, |p| p.1.len())
    }

    fn take(&mut self, way: usize, path: Option<u64>) {
        if let Some((value, ranges)) = self.parts.clone() {
            if let Some(number) = path {
                self.become_path(number);
            }
            self.core.domain.learn_range(&value, ranges[way.min(ranges.len() - 1)]);
            self.parts = None;
            return;
        }
        let (Some(tested), Some(&choice)) = (self.pending.clone(), self.choices.get(way)) else { return };
        if path.is_none() {
            self.open_meeting(tested.site);
        }
        if let Some(number) = path {
            self.become_path(number);
        }
        if tested.is_rounding() {
            // Ways that nobody follows are this one's.
            if path.is_none() && std::mem::take(&mut self.is_left_out) {
                return;
            }
            if let Some(thread) = self.threads.get_mut(&self.thread) {
                thread.decided = Some(choice.outcome);
            }
        }
        // Where they go apart, both sides are of the inputs that do.
        let before = std::mem::replace(&mut self.paths.side, choice.side);
        self.core.side = choice.side;
        self.paths.tag = choice.tag;
        self.core.domain.learn(&tested.test(), choice.flow, before);
        self.core.domain.take_side(choice.side);
    }

    fn adopt(&mut self, results: Option<&[u8]>, what: &str) {
        self.core.observed.paths += 1;
        match results.and_then(|bytes| self.take_over(bytes)) {
            Some(results) => {
                if let Some(section) = self.paths.sections.last_mut() {
                    section.results.extend(results);
                }
            }
            None => self.is_missing(what),
        }
    }

    fn leave_out(&mut self, why: &str) {
        match self.pending.as_ref().is_some_and(Tested::is_rounding) {
            true => self.is_left_out = true,
            false => self.is_missing(why),
        }
    }

    fn path_ends(&mut self) -> Option<Vec<u8>> {
        self.paths.ends_with?;
        Some(self.result(Vec::new()))
    }

    fn may_meet(&self) -> bool {
        !self.meetings.open.is_empty() || self.meetings.begun.as_ref().is_some_and(|b| b.at.is_some())
    }

    fn arrive(&mut self, thread: u32, header: u64, words: &[u64], step: u32) -> Arrival {
        if self.fault.is_some() { Arrival::default() } else { self.arrived(thread, header, words, step) }
    }

    fn waiting(&self, test: usize) -> Vec<u64> {
        self.paths_of(test)
    }

    fn all_waiting(&self) -> Vec<u64> {
        Abstract::all_waiting(self)
    }

    fn can_meet(&mut self, test: usize, path: u64, differences: &[Difference]) -> bool {
        Abstract::may_meet(self, test, path, differences)
    }

    fn meet(&mut self, test: usize, look: &mut Look<'_>) {
        Abstract::meet(self, test, look);
    }

    fn go_on(&mut self, test: Option<usize>) {
        self.go_on_from(test);
    }

    fn go_on_to_end(&mut self) {
        if let Some(begun) = &mut self.meetings.begun {
            begun.at = None;
        }
    }

    fn state(&mut self, look: &mut Look<'_>) -> Option<Vec<u8>> {
        Abstract::waits(self, look)
    }

    fn waits(&mut self, test: Option<usize>, path: u64, bytes: &[u8]) {
        if !self.path_waits(test, path, bytes) {
            self.is_missing("a path ended in an unusual way: its results are missing");
        }
    }

    fn ended(&mut self, test: Option<usize>, path: u64) {
        self.path_has_ended(test, path);
    }
}
