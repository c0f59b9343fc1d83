//! From tallies to findings: what was counted at a site, in the words of a report.

use crate::exit::Tables;
use crate::found::Place;
use crate::outputs;
use crate::region;
use crate::roots::{self, Root};
use crate::sites::Module;
use crate::stack;
use crate::symbols::Symbols;
use crate::tallies::{Tally, Which, Worst};
use nonius_abi::site::{Observed, Op, Site};
use nonius_abi::table::Table;
use nonius_finding::{Finding, Frame, Kind, Location, Marks, classify};
use nonius_verdict::describe::{self, Sample, location, observed_at, operation, own_code, unplaced, worst};
use std::collections::BTreeSet;

/// The finding of a place, the worst; `None` if nothing was found there.
pub fn finding(at: &Place, tables: &mut Tables, symbols: &mut Symbols, most_frames: usize) -> Option<Finding> {
    by_tally(at, at.module.tallies.of(at.site, at.which)?, tables, symbols, most_frames)
}

/// All findings of a place: one for each root whose values were seen there, if it is an output.
pub fn at_place(at: &Place, tables: &mut Tables, symbols: &mut Symbols, most_frames: usize) -> Vec<Finding> {
    let Some(mut worst) = finding(at, tables, symbols, most_frames) else { return Vec::new() };
    let root = at.module.tallies.of(at.site, at.which).and_then(Tally::worst).map(|worst| worst.root);
    let besides = outputs::besides(at, root.unwrap_or_default()).into_iter();
    let others: Vec<Finding> = besides.filter_map(|tally| by_tally(at, tally, tables, symbols, most_frames)).collect();
    worst.count = worst.count.saturating_sub(others.iter().map(|other| other.count).sum()).max(1);
    std::iter::once(worst).chain(others).collect()
}

fn by_tally(
    at: &Place,
    tally: &Tally,
    tables: &mut Tables,
    symbols: &mut Symbols,
    most_frames: usize,
) -> Option<Finding> {
    let Place { module, site, which } = *at;
    let sampled = tally.worst()?;
    let addresses = stack::addresses(sampled.stack);
    let stack = symbols.stack(&addresses, most_frames);
    let kind = kind(tables.of(module)?.sites.get(site as usize)?, which);
    let known = sampled.root.place().or_else(|| found_since(kind, &sampled.sample())?.place());
    let root_tally = known.and_then(|(module, site)| module.tallies.of(site, Which::Main));
    let is_decision = matches!(kind, Kind::BranchFlip | Kind::CastFlip);
    let left = match root_tally.map(Tally::left) {
        Some(left) if !is_decision || tally.left() == 0.0 => left,
        _ => tally.left(),
    };
    let root = known.and_then(|known| root(known, tables, symbols, most_frames));
    let table = tables.of(module)?;
    let site = table.sites.get(site as usize)?;
    let own = describe_own(table, site, &stack);
    let (marks, caller) = match root.clone().filter(|_| !is_decision) {
        Some(root) => (root.marks, root.caller),
        None => (describe::marks(site), own.caller.clone()),
    };
    let Described { place, operation, .. } = root.clone().filter(|_| !is_decision).unwrap_or(own);
    let worst = worst(kind, site, &sampled.sample().with_left(left));
    let mut finding = Finding::new(kind, observed_at(site.observed), place, &operation, worst);
    finding.count = tally.count();
    let seen = location(table, site.seen).map(|seen| own_code(seen, &stack));
    let has_place = root.is_some() || location(table, site.at).is_some();
    finding.observed_location = seen.filter(|seen| has_place && finding.location != *seen);
    finding.inherited = kind == Kind::PrecisionLoss && root.is_none() && roots::is_inherited(site.op);
    if let Some(root) = root.filter(|_| is_decision) {
        finding.is_caused_by(root.place, &root.operation);
    }
    finding.callers = caller.filter(|caller| *caller != finding.location).into_iter().collect();
    finding.class = classify(&finding, marks);
    finding.stack = stack;
    finding.tests = tests(&sampled, symbols);
    finding.region = region::name(sampled.region).map(str::to_owned);
    finding.thread = sampled.thread.into();
    Some(finding)
}

/// What the operands of a decision go back to: they may have been found bad after it.
fn found_since(kind: Kind, sample: &Sample) -> Option<Root> {
    let [left, right] = sample.actual;
    let [ideal_left, ideal_right] = sample.ideal;
    match kind {
        Kind::BranchFlip => roots::find(left, ideal_left).or_else(|| roots::find(right, ideal_right)),
        Kind::CastFlip => roots::find(left, ideal_right),
        _ => None,
    }
}

/// The operation that a sample goes back to, if that is elsewhere; named as where it was seen itself.
fn root(
    (module, site): (&'static Module, u32),
    tables: &mut Tables,
    symbols: &mut Symbols,
    most_frames: usize,
) -> Option<Described> {
    let seen = module.tallies.of(site, Which::Main).and_then(|tally| tally.worst());
    let stack = seen.map(|seen| symbols.stack(&stack::addresses(seen.stack), most_frames)).unwrap_or_default();
    let table = tables.of(module)?;
    Some(describe_own(table, table.sites.get(site as usize)?, &stack))
}

/// If there is one root alone, all inherited errors go back to it.
pub fn adopt(findings: &mut [Finding]) {
    let losses = || findings.iter().filter(|f| f.kind == Kind::PrecisionLoss && !f.inherited);
    let roots: BTreeSet<(&Location, &String)> = losses().map(|f| (&f.location, &f.operation)).collect();
    let Some(root) = losses().next().filter(|_| roots.len() == 1).cloned() else { return };
    for finding in findings.iter_mut().filter(|f| f.inherited) {
        finding.goes_back_to(root.location.clone(), &root.operation);
        (finding.class, finding.callers, finding.worst.left) = (root.class, root.callers.clone(), root.worst.left);
    }
}

/// A site's operation: where it is, its name, what is known of it.
#[derive(Clone)]
struct Described {
    place: Location,
    operation: String,
    marks: Marks,
    caller: Option<Location>,
}

fn describe_own(table: &Table, site: &Site, stack: &[Frame]) -> Described {
    let (produced, seen) = (location(table, site.at), location(table, site.seen));
    let lined = produced.clone().filter(Location::has_line).or(seen).or(produced.clone());
    let place = lined.unwrap_or_else(|| unplaced(table, site));
    Described {
        place: own_code(place, stack),
        operation: operation(site.op, table.string(site.name)),
        marks: describe::marks(site),
        caller: describe::caller(table, if produced.is_some() { site.at } else { site.seen }, stack),
    }
}

fn kind(site: &Site, which: Which) -> Kind {
    match (which, site.observed, site.op) {
        (Which::Infinity, ..) => Kind::Inf,
        (_, Observed::Operation, Op::Load) => Kind::LoadMismatch,
        (_, Observed::Operation, _) => Kind::Nan,
        (_, Observed::Branch, _) => Kind::BranchFlip,
        (_, Observed::Cast, _) => Kind::CastFlip,
        _ => Kind::PrecisionLoss,
    }
}

/// The tests that saw the first of it and the worst.
fn tests(sampled: &Worst, symbols: &mut Symbols) -> Vec<String> {
    let mut tests: Vec<String> = Vec::new();
    for stack in [sampled.first_stack, sampled.stack] {
        tests.extend(symbols.test(&stack::addresses(stack)).filter(|test| !tests.contains(test)));
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_abi::Precision;
    use nonius_abi::site::NONE;

    fn site(op: Op, observed: Observed, predicate: u8) -> Site {
        Site {
            op,
            precision: Precision::Double,
            observed,
            predicate,
            marks: 0,
            at: NONE,
            seen: NONE,
            name: 0,
            function: 0,
        }
    }

    #[test]
    fn kinds_follow_from_the_site() {
        let kind_of = |op, observed| kind(&site(op, observed, 0), Which::Main);
        assert_eq!(kind_of(Op::Sub, Observed::Return), Kind::PrecisionLoss);
        assert_eq!(kind_of(Op::Compare, Observed::Branch), Kind::BranchFlip);
        assert_eq!(kind_of(Op::ToInteger, Observed::Cast), Kind::CastFlip);
        assert_eq!(kind_of(Op::Div, Observed::Operation), Kind::Nan);
        assert_eq!(kind_of(Op::Load, Observed::Operation), Kind::LoadMismatch);
        assert_eq!(kind(&site(Op::Div, Observed::Operation, 0), Which::Infinity), Kind::Inf);
    }
}
