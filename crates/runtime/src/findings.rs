//! From records to findings: what was counted at a site, in the words of a report.

use crate::check;
use crate::demangle::demangle;
use crate::records::{Which, Worst as Sampled};
use crate::region;
use crate::sites::Module;
use crate::stack;
use crate::symbols::Symbols;
use nonius_abi::Precision;
use nonius_abi::site::{Observed, Op, Site};
use nonius_abi::table::Table;
use nonius_finding::{Finding, Frame, Kind, Location, ObservedAt, Worst};

/// The finding of one record; `None` if nothing was found there.
pub fn finding(
    module: &Module,
    table: &Table,
    site: u32,
    which: Which,
    symbols: &mut Symbols,
    most_frames: usize,
) -> Option<Finding> {
    let record = module.records.of(site, which)?;
    let sampled = record.worst()?;
    let site = table.sites.get(site as usize)?;
    let kind = kind(site, which);
    let born = location(table, site.at);
    let seen = location(table, site.seen);
    let addresses = stack::addresses(sampled.stack);
    let stack = symbols.stack(&addresses, most_frames);
    let place = born.clone().or_else(|| seen.clone()).unwrap_or_else(|| unplaced(table, site));
    let place = own_code(place, &stack);
    let operation = operation(site.op, table.string(site.name));
    let mut finding = Finding::new(kind, observed_at(site.observed), place, &operation, worst(kind, site, &sampled));
    finding.count = record.count();
    let seen = seen.map(|seen| own_code(seen, &stack));
    finding.observed_location = seen.filter(|seen| born.is_some() && finding.location != *seen);
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

fn observed_at(observed: Observed) -> ObservedAt {
    match observed {
        Observed::Operation => ObservedAt::Operation,
        Observed::Return => ObservedAt::Return,
        Observed::Argument => ObservedAt::Argument,
        Observed::Store => ObservedAt::Store,
        Observed::Output => ObservedAt::Output,
        Observed::Branch => ObservedAt::Branch,
        Observed::Cast => ObservedAt::Cast,
        Observed::Api => ObservedAt::Api,
    }
}

/// The operation in words that can follow "in".
fn operation(op: Op, name: &str) -> String {
    let words = match op {
        Op::Function | Op::Call if !name.is_empty() => return format!("call {}", demangle(name)),
        Op::Function | Op::Call => "call",
        Op::Unknown => "operation",
        Op::Add => "addition",
        Op::Sub => "subtraction",
        Op::Mul => "multiplication",
        Op::Div => "division",
        Op::Rem => "remainder",
        Op::Neg => "negation",
        Op::Fma => "fused multiply-add",
        Op::Sqrt => "square root",
        Op::Load => "load",
        Op::Parameter => "parameter",
        Op::Select => "choice",
        Op::Convert => "conversion",
        Op::FromInteger => "conversion from integer",
        Op::ToInteger | Op::ToIntegerRint | Op::ToIntegerRound => "conversion to integer",
        Op::Compare => "comparison",
        Op::Reduce => "reduction",
        Op::Atomic => "atomic update",
    };
    words.to_owned()
}

fn location(table: &Table, index: u32) -> Option<Location> {
    let loc = table.loc(index)?;
    Some(Location::new(table.string(loc.file), loc.line, loc.column, &demangle(table.string(loc.function))))
}

/// Where the program's own code was, for a place in Rust's library, or no place at all: what is not
/// inlined there has only the stack to tell.
fn own_code(place: Location, stack: &[Frame]) -> Location {
    let is_library = |file: &str| file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/library/");
    if place.has_line() && !is_library(&place.file) {
        return place;
    }
    let own = stack.iter().find(|frame| frame.line != 0 && !frame.file.is_empty() && !is_library(&frame.file));
    own.map_or(place, |frame| Location::new(&frame.file, frame.line, frame.column, &frame.function))
}

/// The tests that saw the first of it and the worst.
fn tests(sampled: &Sampled, symbols: &mut Symbols) -> Vec<String> {
    let mut tests: Vec<String> = Vec::new();
    for stack in [sampled.first_stack, sampled.stack] {
        tests.extend(symbols.test(&stack::addresses(stack)).filter(|test| !tests.contains(test)));
    }
    tests
}

/// Without debug information the function is all there is.
fn unplaced(table: &Table, site: &Site) -> Location {
    let function = table.functions.get(site.function as usize).map_or("", |f| table.string(f.name));
    Location::new("", 0, 0, &demangle(function))
}

fn precision(precision: Precision) -> nonius_finding::Precision {
    match precision {
        Precision::Half => nonius_finding::Precision::Half,
        Precision::Bfloat => nonius_finding::Precision::Bfloat,
        Precision::Float => nonius_finding::Precision::Float,
        Precision::Double => nonius_finding::Precision::Double,
        Precision::X87 => nonius_finding::Precision::X87,
        Precision::Quad => nonius_finding::Precision::Quad,
    }
}

/// The sample, in the form that `Worst` asks for by kind.
fn worst(kind: Kind, site: &Site, sampled: &Sampled) -> Worst {
    let format = precision(site.precision);
    let [left, right] = sampled.sample.actual;
    let [ideal_left, ideal_right] = sampled.sample.ideal;
    let with_error = |worst: Worst, value: f64, residue: f64| {
        let error = check::error(value, residue, site.precision);
        worst.with_error(error.relative, error.ulps, error.bits_lost)
    };
    match kind {
        Kind::BranchFlip => {
            let outcome = check::holds(site.predicate, left, right);
            let worst = Worst::new(truth(outcome), truth(!outcome), format)
                .with_operands(&[(left, ideal_left), (right, ideal_right)]);
            let left_is_worse = check::relative(left, ideal_left) >= check::relative(right, ideal_right);
            let (value, ideal) = if left_is_worse { (left, ideal_left) } else { (right, ideal_right) };
            with_error(worst, value, ideal - value)
        }
        Kind::CastFlip => {
            let (actual, ideal) = check::cast(left, ideal_left, site.precision, site.op).unwrap_or((left, left));
            let worst = Worst::new(actual, ideal, format).with_operands(&[(left, left + ideal_left)]);
            with_error(worst, left, ideal_left)
        }
        Kind::Nan | Kind::Inf => Worst::new(left, f64::NAN, format),
        // What was loaded, and what had been stored.
        Kind::LoadMismatch => Worst::new(left, ideal_left, format),
        _ => with_error(Worst::new(left, left + ideal_left, format), left, ideal_left),
    }
}

fn truth(outcome: bool) -> f64 {
    f64::from(u8::from(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_abi::site::NONE;

    fn site(op: Op, observed: Observed, predicate: u8) -> Site {
        Site { op, precision: Precision::Double, observed, predicate, at: NONE, seen: NONE, name: 0, function: 0 }
    }

    fn sampled(actual: [f64; 2], ideal: [f64; 2]) -> Sampled {
        Sampled { sample: crate::records::Sample { actual, ideal }, ..Sampled::default() }
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

    #[test]
    fn a_flipped_branch_shows_both_sides() {
        let olt = 4;
        let w = worst(Kind::BranchFlip, &site(Op::Compare, Observed::Branch, olt), &sampled([1.0, 2.0], [3.0, 2.0]));
        assert_eq!((w.value, w.shadow, w.operands.len()), (1.0, 0.0, 2));
        assert!((w.relative_error - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_value_shows_its_error() {
        let w = worst(Kind::PrecisionLoss, &site(Op::Sub, Observed::Return, 0), &sampled([1.0, 0.0], [0.5, 0.0]));
        assert_eq!((w.value, w.shadow), (1.0, 1.5));
        assert!((w.relative_error - 1.0 / 3.0).abs() < 1e-15 && w.bits_lost > 50.0);
    }
}
