//! An abstract execution as the machine's owner sees it.

use super::domain::{Asked, Domain, Input, Packed, Ways};
use super::frames::{Register, Thread};
use super::memory::{Loaded, Memory};
use super::paths::{self, Choice, Key, Paths, Section};
use super::report::{INPUTS, Observed, Places, Unstable};
use super::stochastic::Stochastic;
use super::walk::{Core, TestKind, Tested};
use super::zonotope::Zonotopes;
use nonius_abi::Precision;
use nonius_abi::event::{Admission, Consumer, EventError, Module};
use nonius_finding::{Bounds, HoldsFor, Range, Summary, rank};
use nonius_machine::{Analysis, Cell, Engine, Options, Request, Sight};
use nonius_oracle::Spec;
use nonius_zonotope::{Flow, Side};
use std::collections::BTreeMap;

/// Cells that memory may have, for each MiB of `machine_mib`: a value of many symbols takes a few KiB.
const CELLS_A_MIB: u64 = 512;

/// An engine for the oracles that are domains.
pub fn engine(spec: Spec, options: &Options) -> Option<Box<dyn Engine>> {
    Some(match spec {
        Spec::Zonotope => Box::new(Abstract::new(Zonotopes::new(options.symbols), options)),
        Spec::Stochastic { runs } => Box::new(Abstract::new(Stochastic::new(runs, options.seed), options)),
        _ => return None,
    })
}

pub struct Abstract<D: Domain> {
    core: Core<D>,
    threads: BTreeMap<u32, Thread<D::Value>>,
    admission: Admission,
    fault: Option<EventError>,
    paths: Paths,
    /// The test that the program waits at.
    pending: Option<Tested<D::Value>>,
    /// Its ways.
    choices: Vec<Choice>,
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
        };
        let (threads, admission) = (BTreeMap::new(), Admission::default());
        Abstract { core, threads, admission, fault: None, paths: Paths::default(), pending: None, choices: Vec::new() }
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
        let observed = &mut self.core.observed;
        let number = observed.inputs.iter().position(|a| *a == asked).unwrap_or_else(|| {
            observed.inputs.push(asked.clone());
            observed.inputs.len() - 1
        });
        let origin = INPUTS + number as u32;
        match self.core.domain.input(input, cell.value, cell.format, [origin; 2]) {
            Ok(value) => {
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

    fn bounds(&mut self, cell: Cell, asked: Asked) {
        let value = self.held(cell);
        let occurrence = self.paths.occurrences.entry(asked.clone()).or_default();
        *occurrence += 1;
        if self.paths.side == Side::Both {
            let (mut bounds, shares) = self.core.domain.bounds(&value, cell.value, cell.format);
            bounds.count = 1;
            self.core.observed.add_bounds(&asked, bounds, shares);
        }
        if self.paths.ends_with.is_some() || self.paths.side != Side::Both {
            let key = Key::Bounds(asked, *occurrence, cell.format.store_bytes() as u8);
            self.paths.asked.push((key, self.core.domain.pack(&value)));
        }
    }

    fn split(&mut self) {
        let knowledge = self.core.domain.knowledge();
        self.paths.sections.push(Section { results: Vec::new(), knowledge });
    }

    /// The section ends; these floats are what its paths leave. `Some`: this path ends here, with these bytes for its parent.
    fn merge(&mut self, cells: &[Cell]) -> Option<Vec<u8>> {
        if self.paths.sections.len() <= 1 {
            self.core.observed.warn("nonius_merge() without nonius_split() before it: left out".to_owned());
            return None;
        }
        let is_end = self.paths.ends_with == Some(self.paths.sections.len());
        if is_end {
            let values = cells.iter().map(|&cell| {
                let value = self.held(cell);
                (Key::Cell(cell.address, cell.format.store_bytes() as u8), self.core.domain.pack(&value))
            });
            let values = values.collect();
            return Some(self.result(values));
        }
        let section = self.paths.sections.pop().unwrap_or_default();
        for &cell in cells {
            let own = self.held(cell);
            let key = Key::Cell(cell.address, cell.format.store_bytes() as u8);
            self.join(&section, &key, Some((&own, cell)));
        }
        if !section.results.is_empty() {
            self.core.domain.set_knowledge(&section.knowledge);
        }
        None
    }

    /// Joins what the paths of a section have under a key.
    fn join(&mut self, section: &Section, key: &Key, own: Option<(&D::Value, Cell)>) {
        let mut others: Vec<Packed<'_>> = Vec::new();
        let mut missing = false;
        for result in &section.results {
            match result.values.iter().find(|v| v.0 == *key) {
                Some((_, value)) => others.push(Packed { tag: result.tag, knowledge: &result.knowledge, value }),
                None => missing = true,
            }
        }
        if others.is_empty() {
            return;
        }
        let format = match key {
            Key::Cell(_, 4) | Key::Bounds(_, _, 4) => Precision::Float,
            _ => Precision::Double,
        };
        // The own path may itself be the float's alone.
        let packed;
        let mut own_value = own.map(|o| o.0);
        let own_knowledge = self.core.domain.knowledge();
        if let (Some(value), Some(test), Side::Float) = (own_value, self.paths.tag, self.paths.side) {
            packed = self.core.domain.pack(value);
            others.push(Packed { tag: Some((test, Side::Float)), knowledge: &own_knowledge, value: &packed });
            own_value = None;
        }
        let Some(joined) = self.core.domain.join(own_value, &others, format) else { return };
        if joined.is_partial || missing && matches!(key, Key::Cell(..)) {
            let why = "floats and reals that went apart did not come to the same places";
            self.core.observed.incomplete.insert(why.to_owned());
        }
        let jump = joined.apart.iter().map(|a| a.1).fold(0.0, f64::max);
        let own_error = match key {
            Key::Bounds(asked, ..) => self.core.observed.bounds.get(asked).map_or(0.0, |b| b.0.error.magnitude()),
            Key::Cell(..) => 0.0,
        };
        // Where no way leads to another result than the errors of either do, the test is continuous.
        if jump > 4.0 * joined.together.max(own_error) {
            for unstable in self.core.observed.unstable.values_mut().filter(|u| u.is_explored) {
                unstable.jump = unstable.jump.max(jump);
            }
        }
        match (key, own) {
            (Key::Cell(..), Some((_, cell))) => {
                let register = Register { actual: cell.value, value: joined.value };
                self.core.memory.store(cell.address, cell.format, register);
            }
            (Key::Bounds(asked, ..), _) => {
                let (mut bounds, shares) = self.core.domain.bounds(&joined.value, f64::NAN, format);
                bounds.count = 0;
                self.core.observed.add_bounds(asked, bounds, shares);
            }
            _ => {}
        }
    }

    /// What this path brings back, with those that it waited for.
    fn result(&mut self, mut values: Vec<(Key, Vec<u8>)>) -> Vec<u8> {
        values.append(&mut self.paths.asked);
        let tag = self.paths.tag.filter(|_| self.paths.side != Side::Both).map(|test| (test, self.paths.side));
        let own = paths::Result { tag, knowledge: self.core.domain.knowledge(), values };
        let ended = self.paths.sections.split_off(self.paths.ends_with.unwrap_or(1).saturating_sub(1));
        let mut all = vec![own];
        all.extend(ended.into_iter().flat_map(|s| s.results));
        let observed = &self.core.observed;
        let incomplete = observed.incomplete.iter().cloned().collect::<Vec<_>>();
        let unstable: Vec<(u32, Unstable)> = observed.unstable.iter().map(|(s, u)| (*s, u.clone())).collect();
        paths::wire::write(&all, &incomplete, &unstable, observed.paths)
    }

    /// At the end of the program: bounds that other paths came to.
    fn join_bounds(&mut self) {
        let mut section =
            Section { results: std::mem::take(&mut self.paths.sections[0].results), knowledge: Vec::new() };
        if let (Some(test), Side::Float) = (self.paths.tag, self.paths.side) {
            let values = self.paths.asked.clone();
            let tag = Some((test, Side::Float));
            section.results.push(paths::Result { tag, knowledge: self.core.domain.knowledge(), values });
        }
        let mut keys: Vec<Key> = section.results.iter().flat_map(|r| r.values.iter().map(|v| v.0.clone())).collect();
        keys.sort();
        keys.dedup();
        for key in keys.into_iter().filter(|k| matches!(k, Key::Bounds(..))) {
            self.join(&section, &key, None);
        }
    }
}

impl<D: Domain> Core<D> {
    /// The program has come to a test, and goes on as its own floats do.
    pub fn came_to(&mut self, _: &Thread<D::Value>, tested: &Tested<D::Value>) {
        if self.is_off {
            return;
        }
        match self.domain.ways(&tested.test(), Side::Both) {
            Ways::One => {}
            Ways::Several(flows) => {
                let outcome = tested.outcome();
                self.saw_unstable(tested, &flows, false);
                self.observed.incomplete.insert("other ways through unstable tests were not followed".to_owned());
                self.domain.learn(&tested.test(), Flow { float: outcome, real: outcome }, Side::Both);
            }
            Ways::Unknown => self.undecided(tested.site),
        }
    }

    pub fn undecided(&mut self, site: u32) {
        *self.observed.undecided.entry(site).or_default() += 1;
        self.observed.incomplete.insert("tests of values whose domain is unknown were taken as they came".to_owned());
    }

    pub fn saw_unstable(&mut self, tested: &Tested<D::Value>, flows: &[Flow], is_explored: bool) {
        let outcome = tested.outcome();
        let others = flows.iter().flat_map(|f| [f.float, f.real]);
        let other = others.filter(|&o| o != outcome).min_by_key(|o| o.abs_diff(outcome)).unwrap_or(outcome);
        let unstable = self.observed.unstable.entry(tested.site).or_insert_with(|| Unstable {
            operands: [tested.x.actual, tested.y.actual],
            outcome,
            other,
            is_cast: matches!(tested.kind, TestKind::ToInteger(_)),
            is_explored: true,
            ..Unstable::default()
        });
        unstable.count += 1;
        unstable.is_explored &= is_explored;
    }

    /// A value is observed.
    pub fn observe(&mut self, _site: u32, _x: &Register<D::Value>, _format: Precision) {
        self.observed.checks += 1;
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
        let mut findings = places.unstable(observed);
        rank(&mut findings);
        let bounds = places.bounds(observed, D::IS_ESTIMATE);
        let mut notes = observed.warnings.clone();
        if !observed.incomplete.is_empty() && !D::IS_ESTIMATE {
            let why: Vec<&str> = observed.incomplete.iter().map(String::as_str).collect();
            notes.push(format!(
                "incomplete: {}; bounds hold only for inputs that take this run's way through every test, as floats and as \
                 reals",
                why.join("; ")
            ));
        }
        if observed.paths > 0 {
            notes.push(format!("{} other paths were followed", observed.paths));
        }
        for (site, count) in observed.lost.iter().take(5) {
            let place = places.of_site(*site).map_or("code that was not recorded".to_owned(), |(l, operation)| {
                format!("{operation} at {}:{}", l.file_name(), l.line)
            });
            notes.push(format!("nothing is known of {count} values from {place}"));
        }
        if self.core.memory.forgotten > 0 {
            notes.push(
                "the machine's memory was full, and bounds of stored values were dropped: raise machine_mib".to_owned(),
            );
        }
        if let Some(fault) = &self.fault {
            notes.push(format!("the events cannot be read to the end: {fault}"));
        }
        let summary = Summary {
            findings: findings.len() as u64,
            checks: observed.checks,
            operations: self.core.operations,
            ..Summary::default()
        };
        let holds_for = match (D::IS_ESTIMATE, observed.incomplete.is_empty()) {
            (true, _) => HoldsFor::Nothing,
            (_, true) => HoldsFor::AllInputs,
            (_, false) => HoldsFor::ThisPath,
        };
        Analysis { findings, bounds, summary, notes, holds_for: Some(holds_for), ..Analysis::default() }
    }

    fn operations(&self) -> u64 {
        self.core.operations
    }

    fn found(&self) -> usize {
        self.core.observed.unstable.len()
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
        let outcome = tested.outcome();
        match self.core.domain.ways(&tested.test(), self.paths.side) {
            Ways::One => Vec::new(),
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
                self.choices = self.paths.choices(&possible, outcome);
                self.pending = Some(tested);
                self.choices.iter().map(|c| c.outcome).collect()
            }
        }
    }

    fn take(&mut self, way: usize, path: Option<u64>) {
        let (Some(tested), Some(&choice)) = (self.pending.clone(), self.choices.get(way)) else { return };
        if let Some(number) = path {
            self.core.domain.begin_path(number);
            self.paths.ends_with = Some(self.paths.sections.len());
            self.paths.number = number;
            self.paths.asked.clear();
            // What came before is the parent's.
            let observed = &mut self.core.observed;
            (observed.bounds, observed.incomplete) = (BTreeMap::new(), Default::default());
            observed.paths = 0;
            self.paths.sections.iter_mut().for_each(|s| s.results.clear());
        }
        // Where they go apart, both sides are of the inputs that do.
        let before = std::mem::replace(&mut self.paths.side, choice.side);
        self.paths.tag = choice.tag;
        self.core.domain.learn(&tested.test(), choice.flow, before);
    }

    fn adopt(&mut self, results: Option<&[u8]>, what: &str) {
        self.core.observed.paths += 1;
        match results.and_then(paths::wire::read) {
            Some((results, incomplete, unstable, paths)) => {
                if let Some(section) = self.paths.sections.last_mut() {
                    section.results.extend(results);
                }
                self.core.observed.paths += paths;
                self.core.observed.incomplete.extend(incomplete);
                for (site, unstable) in unstable {
                    let explored = unstable.is_explored;
                    let known = self.core.observed.unstable.entry(site).or_insert(unstable);
                    known.is_explored &= explored;
                }
            }
            None => self.leave_out(what),
        }
    }

    fn leave_out(&mut self, why: &str) {
        self.core.observed.incomplete.insert(why.to_owned());
        if let Some(tested) = &self.pending
            && let Some(unstable) = self.core.observed.unstable.get_mut(&tested.site)
        {
            unstable.is_explored = false;
        }
    }

    fn path_ends(&mut self) -> Option<Vec<u8>> {
        self.paths.ends_with?;
        Some(self.result(Vec::new()))
    }
}
