//! From tallies to findings: what was counted at a site, in the words of a report.

use crate::exit::Tables;
use crate::found::Place;
use crate::region;
use crate::roots::{self, Root};
use crate::sites::Module;
use crate::stack;
use crate::symbols::Symbols;
use crate::tallies::{Which, Worst};
use nonius_abi::site::{Observed, Op, Site};
use nonius_abi::table::Table;
use nonius_finding::{Finding, Frame, Kind, Location};
use nonius_verdict::describe::{Sample, location, observed_at, operation, own_code, unplaced, worst};
use std::collections::BTreeSet;

/// The finding of one tally; `None` if nothing was found there.
pub fn finding(at: &Place, tables: &mut Tables, symbols: &mut Symbols, most_frames: usize) -> Option<Finding> {
    let Place { module, site, which } = *at;
    let tally = module.tallies.of(site, which)?;
    let sampled = tally.worst()?;
    let addresses = stack::addresses(sampled.stack);
    let stack = symbols.stack(&addresses, most_frames);
    let kind = kind(tables.of(module)?.sites.get(site as usize)?, which);
    let known = sampled.root.place().or_else(|| found_since(kind, &sampled.sample())?.place());
    let root = known.and_then(|known| root(known, tables, symbols, most_frames));
    let table = tables.of(module)?;
    let site = table.sites.get(site as usize)?;
    let own = describe_own(table, site, &stack);
    let is_decision = matches!(kind, Kind::BranchFlip | Kind::CastFlip);
    let (place, operation) = root.clone().filter(|_| !is_decision).unwrap_or(own);
    let worst = worst(kind, site, &sampled.sample());
    let mut finding = Finding::new(kind, observed_at(site.observed), place, &operation, worst);
    finding.count = tally.count();
    let seen = location(table, site.seen).map(|seen| own_code(seen, &stack));
    let has_place = root.is_some() || location(table, site.at).is_some();
    finding.observed_location = seen.filter(|seen| has_place && finding.location != *seen);
    finding.inherited = kind == Kind::PrecisionLoss && root.is_none() && roots::is_inherited(site.op);
    if let Some((place, operation)) = root.filter(|_| is_decision) {
        finding.is_caused_by(place, &operation);
    }
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
) -> Option<(Location, String)> {
    let seen = module.tallies.of(site, Which::Main).and_then(|tally| tally.worst());
    let stack = seen.map(|seen| symbols.stack(&stack::addresses(seen.stack), most_frames)).unwrap_or_default();
    let table = tables.of(module)?;
    Some(describe_own(table, table.sites.get(site as usize)?, &stack))
}

/// If there is one root alone, all inherited errors go back to it.
pub fn adopt(findings: &mut [Finding]) {
    let losses = findings.iter().filter(|f| f.kind == Kind::PrecisionLoss && !f.inherited);
    let roots: BTreeSet<(Location, String)> = losses.map(|f| (f.location.clone(), f.operation.clone())).collect();
    if let Some((location, operation)) = roots.first().filter(|_| roots.len() == 1) {
        for finding in findings.iter_mut().filter(|f| f.inherited) {
            finding.goes_back_to(location.clone(), operation);
        }
    }
}

/// Where a site's operation is, and its name.
fn describe_own(table: &Table, site: &Site, stack: &[Frame]) -> (Location, String) {
    let (produced, seen) = (location(table, site.at), location(table, site.seen));
    let lined = produced.clone().filter(Location::has_line).or(seen).or(produced);
    let place = lined.unwrap_or_else(|| unplaced(table, site));
    (own_code(place, stack), operation(site.op, table.string(site.name)))
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
        Site { op, precision: Precision::Double, observed, predicate, at: NONE, seen: NONE, name: 0, function: 0 }
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
