//! Sites and samples in the words of a finding, the same for both engines.

use crate::demangle::demangle;
use crate::verdict::{self, Seen};
use nonius_abi::site::{Observed, Op, Site, mark};
use nonius_abi::table::Table;
use nonius_finding::{Frame, Kind, Location, Marks, ObservedAt, Operand, Precision, Worst};
use nonius_numerics::Error;
use std::collections::HashSet;

pub fn observed_at(observed: Observed) -> ObservedAt {
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
pub fn operation(op: Op, name: &str) -> String {
    let words = match op {
        Op::Function | Op::Call if !name.is_empty() => return format!("call {}", demangle(name)),
        Op::Function | Op::Call => "call",
        Op::Unknown => "operation",
        Op::Add => "addition",
        Op::Sub => "subtraction",
        Op::Mul => "multiplication",
        Op::Div => "division",
        Op::Rem | Op::Remainder | Op::Modulo => "remainder",
        Op::Neg => "negation",
        Op::Fma => "fused multiply-add",
        Op::Sqrt => "square root",
        Op::Load => "load",
        Op::Parameter => "parameter",
        Op::Select => "choice",
        Op::Convert => "conversion",
        Op::FromInteger => "conversion from integer",
        Op::ToInteger | Op::ToIntegerRint | Op::ToIntegerRound => "conversion to integer",
        Op::Exponent => "ilogb",
        Op::Floor => "floor",
        Op::Ceil => "ceil",
        Op::Trunc => "trunc",
        Op::Round => "round",
        Op::Rint => "rint",
        Op::Logb => "logb",
        Op::Choice | Op::Sign => name,
        Op::Compare => "comparison",
        Op::Reduce => "reduction",
        Op::Atomic => "atomic update",
    };
    words.to_owned()
}

pub fn location(table: &Table, index: u32) -> Option<Location> {
    let loc = table.loc(index)?;
    Some(Location::new(table.string(loc.file), loc.line, loc.column, &demangle(table.string(loc.function))))
}

/// Where a site's value is seen.
pub fn seen_at(table: &Table, site: &Site) -> Location {
    let place = location(table, site.seen).or_else(|| location(table, site.at));
    place.unwrap_or_else(|| unplaced(table, site))
}

/// Without debug information the function is all there is.
pub fn unplaced(table: &Table, site: &Site) -> Location {
    let function = table.functions.get(site.function as usize).map_or("", |f| table.string(f.name));
    Location::new("", 0, 0, &demangle(function))
}

/// Whether a file is of Rust's own library.
pub fn is_library(file: &str) -> bool {
    file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/library/")
}

/// Where the program's own code was, for a place in Rust's library, or no place at all: what is not
/// inlined there has only the stack to tell.
pub fn own_code(place: Location, stack: &[Frame]) -> Location {
    if place.has_line() && !is_library(&place.file) {
        return place;
    }
    let own = stack.iter().find(|frame| frame.line != 0 && !frame.file.is_empty() && !is_library(&frame.file));
    own.map_or(place, |frame| Location::new(&frame.file, frame.line, frame.column, &frame.function))
}

/// Two floats of the program and what is known of their ideals: the sides of a comparison, or a value and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    pub actual: [f64; 2],
    /// For a value, its residue and its ideal; for a comparison, the ideals.
    pub ideal: [f64; 2],
    /// How far from the ideals the true ones may be.
    pub radius: [f64; 2],
    /// What the sum to blame left of its largest term, as a share of it; 0 if that is not known.
    pub left: f64,
}

impl Sample {
    /// What an oracle has seen.
    pub fn of(seen: &Seen) -> Sample {
        Sample {
            actual: [seen.value, 0.0],
            ideal: [seen.known_residue(), seen.known_ideal()],
            radius: [seen.radius, 0.0],
            left: 0.0,
        }
    }

    pub fn with_left(mut self, left: f64) -> Sample {
        self.left = left;
        self
    }

    /// What residues tell of a value: they have no more digits than that.
    pub fn by_residue(seen: &Seen, precision: Precision) -> Sample {
        let mut sample = Sample::of(seen);
        sample.radius[0] = sample.radius[0].max(verdict::residue_radius(*seen, precision));
        sample
    }

    /// The value that was sampled, as it was seen.
    pub fn seen(&self) -> Seen {
        let [residue, ideal] = self.ideal;
        Seen { value: self.actual[0], ideal, residue, radius: self.radius[0] }
    }

    /// The same of the sides of a comparison.
    pub fn of_sides(actual: [f64; 2], ideal: [f64; 2], precision: Precision) -> Sample {
        let side = |i: usize| Seen { value: actual[i], ideal: ideal[i], residue: ideal[i] - actual[i], radius: 0.0 };
        let radius = std::array::from_fn(|i| match ideal[i] == actual[i] {
            true => 0.0,
            false => verdict::residue_radius(side(i), precision),
        });
        Sample { actual, ideal, radius, left: 0.0 }
    }

    /// Whether nothing is known of an ideal that a finding of this kind shows.
    pub fn is_vague(&self, kind: Kind) -> bool {
        let [x, y] = self.actual;
        let side = |value, ideal, radius| Seen { value, ideal, residue: ideal - value, radius }.is_vague();
        match kind {
            Kind::BranchFlip => side(x, self.ideal[0], self.radius[0]) || side(y, self.ideal[1], self.radius[1]),
            Kind::PrecisionLoss | Kind::CastFlip => self.seen().is_vague(),
            _ => false,
        }
    }
}

/// A sample, in the form that `Worst` asks for by kind.
pub fn worst(kind: Kind, site: &Site, sample: &Sample) -> Worst {
    let format = match kind {
        Kind::PrecisionLoss => verdict::format_of(sample.actual[0], site.precision),
        _ => site.precision,
    };
    let [left, right] = sample.actual;
    let [ideal_left, ideal_right] = sample.ideal;
    let [radius, radius_right] = sample.radius;
    let operand = |value, ideal, radius| Operand::new(value, ideal).with_radius(radius);
    let with_error = |worst: Worst, value: f64, ideal: f64, residue: f64| {
        let error = Error::between(value, ideal, residue, format);
        worst.with_error(error.relative, error.ulps, error.bits_lost)
    };
    let worst = match kind {
        Kind::BranchFlip => {
            let outcome = verdict::holds(site.predicate, left, right);
            let sides = [operand(left, ideal_left, radius), operand(right, ideal_right, radius_right)];
            let worst = Worst::new(truth(outcome), truth(!outcome), format).with_operands(&sides);
            let left_is_worse = verdict::relative(left, ideal_left) >= verdict::relative(right, ideal_right);
            let (value, ideal) = if left_is_worse { (left, ideal_left) } else { (right, ideal_right) };
            with_error(worst, value, ideal, ideal - value)
        }
        // The remainder itself, and the one that belongs to the other quotient.
        Kind::CastFlip if site.op.is_remainder() => {
            with_error(Worst::new(left, ideal_right, format).with_radius(radius), left, ideal_right, ideal_left)
        }
        Kind::CastFlip => {
            let seen = Seen { value: left, ideal: ideal_right, residue: ideal_left, radius: 0.0 };
            let (actual, ideal) = verdict::cast(seen, site.precision, site.op).found().unwrap_or((left, left));
            let worst = Worst::new(actual, ideal, format).with_operands(&[operand(left, ideal_right, radius)]);
            with_error(worst, left, ideal_right, ideal_left)
        }
        Kind::Nan | Kind::Inf => Worst::new(left, f64::NAN, format),
        // What was loaded, and what had been stored.
        Kind::LoadMismatch => Worst::new(left, ideal_left, format),
        _ => {
            let worst = Worst::new(left, ideal_right, format).with_radius(radius);
            with_error(worst, left, ideal_right, ideal_left)
        }
    };
    worst.with_left(sample.left)
}

/// What the table says of a site, as evidence for a finding's class.
pub fn marks(site: &Site) -> Marks {
    const EQUALITY: [u8; 4] = [1, 6, 9, 14];
    let has = |bit| site.marks & bit != 0;
    let is_comparison = site.op == Op::Compare;
    Marks {
        ends: is_comparison && has(mark::ENDS),
        is_equality: is_comparison && EQUALITY.contains(&site.predicate),
        counts: is_comparison && has(mark::COUNTS),
        is_meant: has(mark::MEANT),
        nan_tested: !is_comparison && has(mark::NAN_TESTED),
        inf_tested: !is_comparison && has(mark::INF_TESTED),
        keeps: is_comparison && has(mark::KEEPS),
        tolerates: None,
        is_alike: None,
    }
}

/// Where the function of a position was called, if that is a small one, and so on outwards: as the position was inlined, then
/// as the stack has it.
pub fn caller(table: &Table, at: u32, stack: &[Frame]) -> Option<Location> {
    let mut place = table.loc(at).filter(|loc| loc.is_small)?;
    while place.is_small {
        match table.loc(place.inlined_at) {
            Some(outer) => place = outer,
            None => return caller_on_stack(table, &demangle(table.string(place.function)), stack),
        }
    }
    let name = demangle(table.string(place.function));
    Some(Location::new(table.string(place.file), place.line, place.column, &name)).filter(Location::has_line)
}

fn caller_on_stack(table: &Table, callee: &str, stack: &[Frame]) -> Option<Location> {
    let small: HashSet<String> =
        table.locs.iter().filter(|l| l.is_small).map(|l| demangle(table.string(l.function))).collect();
    let from = stack.iter().position(|frame| frame.function == callee)?;
    let is_outside = |frame: &&Frame| frame.function != callee && !small.contains(&frame.function);
    let frame = stack[from..].iter().find(is_outside)?;
    let location = Location::new(&frame.file, frame.line, frame.column, &frame.function);
    Some(location).filter(|l| l.has_line() && !is_library(&l.file))
}

fn truth(outcome: bool) -> f64 {
    f64::from(u8::from(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_abi::site::NONE;

    fn site(op: Op, observed: Observed, predicate: u8) -> Site {
        Site {
            op,
            precision: nonius_abi::Precision::Double,
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
    fn a_flipped_branch_shows_both_sides() {
        let olt = 4;
        let sample = Sample::of_sides([1.0, 2.0], [3.0, 2.0], Precision::Double);
        let w = worst(Kind::BranchFlip, &site(Op::Compare, Observed::Branch, olt), &sample);
        assert_eq!((w.value, w.shadow, w.operands.len()), (1.0, 0.0, 2));
        assert!((w.relative_error - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_value_shows_its_error() {
        let seen = Seen::by_residue(1.0, 0.5, 0.0);
        let sample = Sample::by_residue(&seen, Precision::Double);
        let w = worst(Kind::PrecisionLoss, &site(Op::Sub, Observed::Return, 0), &sample);
        assert_eq!((w.value, w.shadow), (1.0, 1.5));
        assert!((w.relative_error - 1.0 / 3.0).abs() < 1e-15 && w.bits_lost > 50.0);
        assert_eq!(w.radius, Some(2f64.powi(-48)));
        // Of a float, a residue has 24 bits.
        assert_eq!(Sample::by_residue(&seen, Precision::Float).radius[0], 2f64.powi(-20));
        let unsure = Seen { radius: 0.25, ..seen };
        assert_eq!(Sample::by_residue(&unsure, Precision::Double).radius[0], 0.25);
    }

    /// What inline measured, with the ideal by MPFR: each lies within the radius.
    #[test]
    fn residues_of_values_that_cancelled_have_few_digits() {
        let cases = [
            // sqrt(x + 1) - sqrt(x), x (sqrt(x + 1) - sqrt(x)), tan(x + e) - tan(x): all of both cancelled.
            (0.0, 2.0909149932633068e-10, 2.0909149932632055e-10),
            (0.0, 140850479085.22946, 140850479004.05194),
            (0.0, 6.1391905872259724e-30, 6.139213157843063e-30),
            // A law of cosines, whose root makes more of it, and Bessel's recurrence.
            (1.9073486328125e-06, 1.2443970877349235e-10, 1.2443970951264566e-10),
            (-9.264e-8, 8.258882083506771e-11, 8.258882083376927e-11),
        ];
        for (value, shown, ideal) in cases {
            let seen = Seen { value, ideal: shown, residue: shown - value, radius: 0.0 };
            let radius = Sample::by_residue(&seen, Precision::Double).radius[0];
            assert!((shown - ideal).abs() <= radius, "{shown} within {radius}");
            assert!(radius <= shown.abs() * 2f64.powi(-13), "{shown} within {radius}");
        }
        // The sum that made a zero is known.
        let seen = Seen { value: 0.0, ideal: 1.0, residue: 1.0, radius: 1e-14 };
        assert_eq!(Sample::by_residue(&seen, Precision::Double).radius[0], 1e-14);
    }

    #[test]
    fn an_ideal_without_digits_is_vague() {
        let vague = |value, ideal: f64, radius| {
            Sample::of(&Seen { value, ideal, residue: ideal - value, radius }).is_vague(Kind::PrecisionLoss)
        };
        // Rump's polynomial by double-double, and by 256 bits.
        assert!(vague(1.18e21, 0.0, 1.6e12));
        assert!(!vague(1.18e21, -0.827, 1e-20));
        // What is left of a residual is nothing, whatever it is.
        assert!(!vague(1e-16, 0.0, 1e-70));
        assert!(!vague(1.5, 1.0, 0.0));
    }
}
