//! From tallies to findings: what was counted at a site, in the words of a report.

use crate::region;
use crate::sites::Module;
use crate::stack;
use crate::symbols::Symbols;
use crate::tallies::{Which, Worst};
use nonius_abi::site::{Observed, Op, Site};
use nonius_abi::table::Table;
use nonius_finding::{Finding, Kind, Location};
use nonius_verdict::describe::{location, observed_at, operation, own_code, unplaced, worst};

/// The finding of one tally; `None` if nothing was found there.
pub fn finding(
    module: &Module,
    table: &Table,
    site: u32,
    which: Which,
    symbols: &mut Symbols,
    most_frames: usize,
) -> Option<Finding> {
    let tally = module.tallies.of(site, which)?;
    let sampled = tally.worst()?;
    let site = table.sites.get(site as usize)?;
    let kind = kind(site, which);
    let produced = location(table, site.at);
    let seen = location(table, site.seen);
    let addresses = stack::addresses(sampled.stack);
    let stack = symbols.stack(&addresses, most_frames);
    let lined = produced.clone().filter(Location::has_line).or_else(|| seen.clone()).or_else(|| produced.clone());
    let place = lined.unwrap_or_else(|| unplaced(table, site));
    let place = own_code(place, &stack);
    let operation = operation(site.op, table.string(site.name));
    let mut finding =
        Finding::new(kind, observed_at(site.observed), place, &operation, worst(kind, site, &sampled.sample()));
    finding.count = tally.count();
    let seen = seen.map(|seen| own_code(seen, &stack));
    finding.observed_location = seen.filter(|seen| produced.is_some() && finding.location != *seen);
    finding.stack = stack;
    finding.tests = tests(&sampled, symbols);
    finding.region = region::name(sampled.region).map(str::to_owned);
    finding.thread = sampled.thread.into();
    Some(finding)
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
