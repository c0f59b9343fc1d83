//! From what the checks kept to findings.

use crate::blame::Slice;
use crate::checks::found::{Found, Founds, Key};
use crate::checks::samples::Samples;
use crate::checks::stages::Stage;
use crate::machine::{Analysis, Machine};
use crate::yields::Candidate;
use nonius_abi::site::{NONE, Observed, Op, Site};
use nonius_abi::table::Table;
use nonius_finding::{
    Cause, Coverage, ErrorSamples, Finding, Frame, Growth, Kind, LikelyResult, Location, Loss, Marks, Measured,
    Observable, ObservedAt, OperationStatistics, Summary, Unshadowed, classify, merge, rank,
};
use nonius_oracle::Oracle;
use nonius_verdict::demangle::demangle;
use nonius_verdict::describe::{self, Sample};
use std::collections::HashMap;

/// Everything that a machine found.
pub fn analysis<O: Oracle>(machine: &Machine<O>) -> Analysis {
    let view = View::new(machine);
    let founds = machine.core.founds.all.iter().filter_map(|(key, found)| view.finding(key, found));
    let stages = machine.core.stages.all.iter().filter_map(|(&set, stage)| view.stage(set, stage));
    let mut findings = merge(founds.chain(stages));
    rank(&mut findings);
    let summary = view.summary(findings.len() as u64);
    Analysis {
        operations: view.operations(),
        observables: view.observables(),
        results: view.results(),
        findings,
        summary,
        bounds: Vec::new(),
        holds_for: None,
        notes: Vec::new(),
        vague: machine.core.founds.vague(),
    }
}

/// By operation: what was found first that goes back to it.
fn first_seen(founds: &Founds) -> HashMap<u32, &Found> {
    let mut first: HashMap<u32, &Found> = HashMap::new();
    for (key, found) in &founds.all {
        let earliest = first.entry(key.blamed).or_insert(found);
        if found.order < earliest.order {
            *earliest = found;
        }
    }
    first
}

/// One finding.
pub fn finding<O: Oracle>(machine: &Machine<O>, key: &Key, found: &Found) -> Option<Finding> {
    View::new(machine).finding(key, found)
}

/// What a double that holds a residue may leave of it.
fn rounding(residue: f64) -> f64 {
    residue.abs() * (f64::EPSILON / 2.0)
}

fn told(samples: &Samples) -> ErrorSamples {
    let (every, errors) = samples.kept();
    ErrorSamples { every, errors }
}

pub struct View<'a, O: Oracle> {
    machine: &'a Machine<O>,
    first_seen: HashMap<u32, &'a Found>,
}

impl<'a, O: Oracle> View<'a, O> {
    pub fn new(machine: &'a Machine<O>) -> View<'a, O> {
        View { machine, first_seen: first_seen(&machine.core.founds) }
    }

    /// A site of all objects: its table and itself.
    fn site(&self, number: u32) -> Option<(&Table, &Site)> {
        let kind = self.machine.core.sites.get(number as usize)?;
        let base = self.machine.program.site_bases.get(kind.module as usize)?;
        let table = self.machine.tables.get(kind.module as usize)?;
        Some((table, table.sites.get((number - base) as usize)?))
    }

    /// Where the operation of a site is.
    fn place(&self, number: u32) -> Option<(Location, String)> {
        let (table, site) = self.site(number)?;
        let location = describe::location(table, site.at).or_else(|| describe::location(table, site.seen));
        let location = location.unwrap_or_else(|| describe::unplaced(table, site));
        Some((location, describe::operation(site.op, table.string(site.name))))
    }

    fn finding(&self, key: &Key, found: &Found) -> Option<Finding> {
        let (table, site) = self.site(key.site)?;
        let seen = describe::location(table, site.seen);
        let is_origin = matches!(key.kind, Kind::Nan | Kind::Inf);
        // A decision is named where it was made; what made its operands bad is a finding of its own, if it was seen.
        let is_decision = matches!(key.kind, Kind::BranchFlip | Kind::CastFlip);
        let named = if key.blamed == NONE || is_decision { key.site } else { key.blamed };
        let (mut place, mut operation) = self.place(named)?;
        if is_origin && key.blamed != NONE {
            // Computed ahead of where the program asks for it: named by what it is, placed where it is asked for.
            operation = self.place(key.site)?.1;
        }
        if !place.has_line() {
            place = seen.clone().unwrap_or(place);
        }
        let left = if is_decision { found.sample.left } else { self.machine.core.roots.left(key.blamed) };
        let mut worst = describe::worst(key.kind, site, &found.sample.with_left(left));
        if matches!(key.kind, Kind::Nan | Kind::Inf) {
            worst.shadow = f64::NAN;
        }
        let printed = found.printed.and_then(|number| self.site(number));
        let at = match key.kind {
            Kind::Nan | Kind::Inf => ObservedAt::Operation,
            _ => describe::observed_at(site.observed),
        };
        let stack = self.stack(key, found, seen.as_ref());
        // Code of a library is named as its first symptom's caller has it, the same for all.
        let root_stack = match self.first_seen.get(&key.blamed) {
            Some(first) if key.blamed != NONE => first.stack.iter().map(|f| self.frame(f)).collect(),
            _ => stack.clone(),
        };
        let place = describe::own_code(place, if is_decision { &stack } else { &root_stack });
        let seen = seen.map(|seen| describe::own_code(seen, &stack));
        let mut finding = Finding::new(key.kind, at, place.clone(), &operation, worst);
        finding.count = match key.kind {
            Kind::Nan | Kind::Inf if key.blamed == NONE => {
                self.machine.core.origins.count(key.site, key.kind == Kind::Nan)
            }
            _ => found.count,
        };
        finding.observed_location = seen.filter(|seen| *seen != place);
        finding.causes = self.causes(&found.slice);
        let root = if is_decision { self.place(key.blamed) } else { None };
        if let Some((place, operation)) = root {
            finding.is_caused_by(describe::own_code(place, &root_stack), &operation);
        }
        let (table, named) = self.site(named)?;
        let caller = describe::caller(table, named.at, if is_decision { &stack } else { &root_stack });
        finding.callers = caller.filter(|caller| *caller != finding.location).into_iter().collect();
        let [tolerates, is_alike] =
            [found.tolerates, found.is_alike].map(|each_time| (key.kind == Kind::BranchFlip).then_some(each_time));
        finding.class = classify(&finding, Marks { tolerates, is_alike, ..describe::marks(named) });
        printed.into_iter().for_each(|(table, site)| finding.note_printed(describe::seen_at(table, site)));
        finding.stack = stack;
        finding.thread = found.thread.into();
        finding.region = found.task.as_deref().map(str::to_owned);
        Some(finding)
    }

    /// The frames, innermost first: that one where the value was seen, the others where they called.
    fn stack(&self, key: &Key, found: &Found, seen: Option<&Location>) -> Vec<Frame> {
        let mut stack: Vec<Frame> = found.stack.iter().map(|f| self.frame(f)).collect();
        // An origin is reported where it happened, which may have been in another function.
        let seen = seen.filter(|_| !matches!(key.kind, Kind::Nan | Kind::Inf));
        if let (Some(frame), Some(seen)) = (stack.first_mut(), seen) {
            (frame.file, frame.line, frame.column) = (seen.file.clone(), seen.line, seen.column);
        }
        stack
    }

    /// A frame: its function, and where in it control was.
    fn frame(&self, &(function, call_site): &(u32, u32)) -> Frame {
        let name = self.machine.program.function_name(function);
        let location = self.place(call_site).map(|(location, _)| location).unwrap_or_default();
        Frame {
            function: demangle(name),
            file: location.file,
            line: location.line,
            column: location.column,
            ..Frame::default()
        }
    }

    pub fn causes(&self, slice: &Slice) -> Vec<Cause> {
        let mut order: Vec<usize> = (0..slice.parts.len()).collect();
        // Most to blame first: on the dominant path, then by what was added to the error.
        order.sort_by(|&a, &b| {
            let (a, b) = (&slice.parts[a], &slice.parts[b]);
            b.is_dominant.cmp(&a.is_dominant).then(b.introduced.total_cmp(&a.introduced)).then(a.site.cmp(&b.site))
        });
        let cause = |index: usize| {
            let part = &slice.parts[index];
            let (location, operation) = self.place(part.site)?;
            let measured = Measured {
                node: index as u32,
                operands: part.operands.iter().map(|&o| o as u32).collect(),
                value: part.value,
                ideal: part.value + part.residue,
                radius: Some(rounding(part.residue)),
                relative_error: part.error,
                inherited_error: part.before,
                introduced_error: part.introduced,
                count: part.count,
                dominant: part.is_dominant,
                typical: part.is_typical,
            };
            Some(Cause { location, operation, measured: Some(measured), ..Cause::default() })
        };
        order.into_iter().filter_map(cause).collect()
    }

    fn stage(&self, set: u64, stage: &Stage) -> Option<Finding> {
        let (number, growth) = stage.worst()?;
        let (_, site) = self.site(number)?;
        let (place, operation) = self.place(number)?;
        let (before, after) = growth.worst;
        let (value, residue) = growth.value;
        let sample = Sample {
            actual: [value, 0.0],
            ideal: [residue, value + residue],
            radius: [rounding(residue), 0.0],
            left: 0.0,
        };
        let worst = describe::worst(Kind::Stage, site, &sample);
        let mut finding = Finding::new(Kind::Stage, ObservedAt::Api, place, &operation, worst);
        finding.count = growth.faults;
        let growth = Growth {
            set,
            stages: stage.count,
            faults: growth.faults,
            first_fault: growth.first_fault,
            last_fault: growth.last_fault,
            before,
            after,
            samples: Some(told(&growth.samples)),
        };
        let location = finding.location.clone();
        finding.causes = vec![Cause { location, operation, growth: Some(growth), ..Cause::default() }];
        Some(finding)
    }

    fn operations(&self) -> Vec<OperationStatistics> {
        let statistics = &self.machine.core.statistics;
        OperationStatistics::listed(statistics.all().filter_map(|(number, s)| {
            let (location, operation) = self.place(number)?;
            Some(OperationStatistics {
                location,
                operation,
                count: s.count,
                mean_error: s.mean_error(),
                max_error: s.largest_error,
                introduced_error: statistics.introduced(number),
                mean_badness: s.mean_badness(),
                max_badness: s.largest_badness,
                samples: s.samples().filter(|_| s.count > 1).map(told),
            })
        }))
    }

    fn observables(&self) -> Vec<Observable> {
        let founds = &self.machine.core.founds;
        let (open, by_constants) = (founds.open_by_site(), &founds.by_constants);
        let sites = 0..self.machine.core.sites.len() as u32;
        let all = sites.filter_map(|number| {
            let seen = founds.seen(number);
            let (table, site) = self.site(number).filter(|_| seen.count > 0)?;
            Some(Observable {
                location: describe::seen_at(table, site),
                observed_at: describe::observed_at(site.observed),
                count: seen.count,
                max_error: seen.largest_error,
                not_followed: seen.not_followed,
                open: open.get(&number).copied().unwrap_or(0),
                undefined: founds.undefined.get(&number).copied().unwrap_or(0),
                open_by_constants: by_constants.get(&number).copied().unwrap_or(0),
            })
        });
        Observable::listed(all)
    }

    /// What is left in memory, deepest first, one a site.
    fn results(&self) -> Vec<LikelyResult> {
        let result = |&Candidate { known: k, ideal }: &Candidate| {
            let (location, operation) = self.place(k.site)?;
            let (badness, cancelled) = k.worst_cancellation();
            Some(LikelyResult {
                location,
                operation,
                depth: k.steps(),
                value: k.value,
                ideal,
                relative_error: nonius_verdict::verdict::relative(k.value, ideal),
                badness,
                cancelled_at: self.place(cancelled).filter(|_| badness > 0).map(|(location, _)| location),
            })
        };
        LikelyResult::listed(self.machine.candidates().iter().filter_map(result))
    }

    fn summary(&self, findings: u64) -> Summary {
        let core = &self.machine.core;
        let sites = 0..core.sites.len() as u32;
        let checks = sites.clone().map(|s| core.founds.seen(s).count).sum();
        let prints = |s: &u32| core.founds.seen(*s).count > 0 && core.sites[*s as usize].observed == Observed::Output;
        let outputs = sites.filter(prints).count() as u64;
        let ran = self.machine.program.functions.iter().zip(&core.functions_run).filter(|(_, ran)| **ran);
        let mut coverage = Coverage {
            functions_run: core.functions_run.iter().filter(|ran| **ran).count() as u64,
            sites: 0,
            operations: core.operations,
            operations_shadowed: core.operations - core.restarted,
            loads: core.loads,
            loads_shadowed: core.loads - core.loads_restarted,
            folded: ran.map(|(f, _)| u64::from(f.folded)).sum(),
            ..Coverage::default()
        };
        self.unshadowed().into_iter().for_each(|u| coverage.add_unknown(u));
        coverage.sort();
        Summary { findings, checks, outputs, operations: core.operations, coverage, ..Summary::default() }
    }

    /// What values came from code that was not seen.
    fn unshadowed(&self) -> Vec<Unshadowed> {
        let lost = &self.machine.core.lost;
        let at_sites = lost.sites().filter_map(|(number, count)| {
            let (table, site) = self.site(number)?;
            let name = demangle(table.string(site.name));
            let loss = if site.op == Op::Call { Loss::Result } else { Loss::Operation };
            let name = match (loss, name.as_str()) {
                (Loss::Result, "") => "a function called by its address".to_owned(),
                (_, "") => describe::operation(site.op, ""),
                _ => name,
            };
            Some(Unshadowed::new(&name, loss, count))
        });
        let arguments = lost.functions().map(|(function, count)| {
            let name = demangle(self.machine.program.function_name(function));
            Unshadowed::new(&name, Loss::Argument, count)
        });
        let loads = (lost.loads > 0).then(|| Unshadowed::new("memory written unseen", Loss::Load, lost.loads));
        at_sites.chain(arguments).chain(loads).collect()
    }
}
