//! What an abstract execution has seen, and what a report says of it.

mod findings;

use super::domain::{Asked, Drawn};
use nonius_abi::event::Module;
use nonius_abi::site::NONE;
use nonius_finding::{Bounds, ErrorSource, Example, HoldsFor, InputValue, Location, Range};
use nonius_verdict::describe;
use nonius_verdict::verdict::{Seen, relative};
use std::collections::{BTreeMap, BTreeSet};

/// Origins from here on are inputs, in the order of their declaration.
pub const INPUTS: u32 = 1 << 30;
/// What was read is named by its place, once that is known.
const READ: &str = "";
/// Sources of an error that are listed.
const MOST_SOURCES: usize = 20;

/// A test that can go more than one way.
#[derive(Clone, Debug, Default)]
pub struct Unstable {
    pub count: u64,
    /// Of the first time: the program's operands, and how far each can go.
    pub operands: [f64; 2],
    pub outcome: i64,
    pub other: i64,
    pub is_cast: bool,
    /// Its ways were all followed.
    pub is_explored: bool,
    /// By how much the results differ across it, where that is known.
    pub jump: f64,
    /// What the floats that it tests can be.
    pub ranges: [Range; 2],
    /// Inputs for which it goes another way, as floats or as reals.
    pub example: Option<Example>,
}

impl Unstable {
    /// With what another path saw of the same test.
    pub fn unite(&mut self, other: Unstable) {
        self.is_explored &= other.is_explored;
        self.ranges = [0, 1].map(|n| self.ranges[n].hull(other.ranges[n]));
        self.jump = self.jump.max(other.jump);
        self.example = self.example.take().or(other.example);
    }
}

/// A value that has lost more digits than it may, where it is observed.
#[derive(Clone, Debug)]
pub struct Lost {
    /// The site of the operation that lost them.
    pub blamed: u32,
    pub count: u64,
    /// Of the relative error.
    pub bound: f64,
    /// The worst sample, and its inputs.
    pub example: Option<(Seen, Example)>,
}

impl Lost {
    pub fn unite(&mut self, other: Lost) {
        self.count += other.count;
        self.bound = self.bound.max(other.bound);
        let error = |lost: &Lost| lost.example.as_ref().map_or(-1.0, |(s, _)| relative(s.value, s.known_ideal()));
        if error(&other) > error(self) {
            (self.blamed, self.example) = (other.blamed, other.example);
        }
    }
}

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    pub unstable: BTreeMap<u32, Unstable>,
    /// Values that have lost too many digits, by the site where they are observed.
    pub losses: BTreeMap<u32, Lost>,
    /// Tests of something that is unknown, by site.
    pub undecided: BTreeMap<u32, u64>,
    /// Values without a domain, by the site where they came in.
    pub lost: BTreeMap<u32, u64>,
    pub bounds: BTreeMap<Asked, (Bounds, BTreeMap<u32, f64>)>,
    pub inputs: Vec<Asked>,
    /// Other ways were left: nothing holds for all inputs.
    pub incomplete: BTreeSet<String>,
    pub warnings: Vec<String>,
    pub checks: u64,
    /// Tests that went the program's way for all inputs, as it asked for.
    pub one_path: u64,
    /// Paths that were followed beside the program's own.
    pub paths: u64,
}

impl Observed {
    /// Which inputs bounds hold for.
    pub fn holds_for(&self, is_estimate: bool) -> HoldsFor {
        match () {
            () if is_estimate => HoldsFor::Nothing,
            () if !self.incomplete.is_empty() => HoldsFor::ThisPath,
            () if self.one_path > 0 => HoldsFor::OnePath,
            () => HoldsFor::AllInputs,
        }
    }

    pub fn lost(&mut self, site: u32) {
        *self.lost.entry(site).or_default() += 1;
    }

    /// The origin of what an input makes.
    pub fn input(&mut self, asked: &Asked) -> u32 {
        let number = self.inputs.iter().position(|a| a == asked).unwrap_or_else(|| {
            self.inputs.push(asked.clone());
            self.inputs.len() - 1
        });
        INPUTS + number as u32
    }

    /// What comes of inputs, with their names.
    pub fn example(&self, inputs: &[Drawn], [value, ideal]: [f64; 2]) -> Example {
        let named = |drawn: &Drawn| {
            let of_request = drawn.origin.checked_sub(INPUTS).and_then(|n| self.inputs.get(n as usize));
            let (name, location) = match of_request {
                Some(asked) => (asked.name.clone(), Location::new(&asked.file, asked.line, 0, "")),
                None => (READ.to_owned(), Location::new("", drawn.origin, 0, "")),
            };
            InputValue { name, location, count: drawn.count, value: drawn.float, ideal: drawn.real }
        };
        Example { inputs: inputs.iter().map(named).collect(), value, ideal }
    }

    pub fn warn(&mut self, text: String) {
        if self.warnings.len() < 100 && !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    pub fn add_bounds(&mut self, asked: &Asked, new: Bounds, shares: impl IntoIterator<Item = (u32, f64)>) {
        let (bounds, sources) = self.bounds.entry(asked.clone()).or_insert_with(|| {
            let location = Location::new(&asked.file, asked.line, 0, "");
            (Bounds { name: asked.name.clone(), location, is_known: true, ..Bounds::default() }, BTreeMap::new())
        });
        bounds.count += new.count.max(1);
        if new.count > 0 || bounds.count == 1 {
            bounds.actual = new.actual;
        }
        bounds.value = bounds.value.hull(new.value);
        bounds.real = bounds.real.hull(new.real);
        bounds.error = bounds.error.hull(new.error);
        bounds.relative_error = bounds.relative_error.hull(new.relative_error);
        bounds.is_known &= new.is_known;
        bounds.common_digits = match (bounds.common_digits, new.common_digits) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        for (origin, error) in shares {
            let most = sources.entry(origin).or_default();
            *most = most.max(error);
        }
    }
}

/// Turns what was observed into words and places.
pub struct Places<'a> {
    pub modules: &'a [Module],
    pub site_bases: &'a [u32],
    pub inputs: &'a [Asked],
}

impl Places<'_> {
    pub fn of_site(&self, number: u32) -> Option<(Location, String)> {
        let module = self.site_bases.partition_point(|&base| base <= number).checked_sub(1)?;
        let table = &self.modules.get(module)?.sites;
        let site = table.sites.get((number - self.site_bases[module]) as usize)?;
        let location = describe::location(table, site.at).or_else(|| describe::location(table, site.seen));
        let location = location.unwrap_or_else(|| describe::unplaced(table, site));
        Some((location, describe::operation(site.op, table.string(site.name))))
    }

    fn of_origin(&self, origin: u32) -> (Location, String) {
        if origin >= INPUTS
            && let Some(asked) = self.inputs.get((origin - INPUTS) as usize)
        {
            return (Location::new(&asked.file, asked.line, 0, ""), format!("input {}", asked.name));
        }
        let of_site = if origin == NONE { None } else { self.of_site(origin) };
        of_site.unwrap_or_else(|| (Location::default(), "several operations".to_owned()))
    }

    pub fn bounds(&self, observed: &Observed, is_estimate: bool) -> Vec<Bounds> {
        let holds_for = observed.holds_for(is_estimate);
        let all = observed.bounds.values().map(|(bounds, shares)| {
            let sum: f64 = shares.values().sum();
            let mut sources: Vec<ErrorSource> = Vec::new();
            for (&origin, &error) in shares {
                let (location, operation) = self.of_origin(origin);
                match sources.iter_mut().find(|s| s.location == location && s.operation == operation) {
                    Some(same) => same.error += error,
                    None => sources.push(ErrorSource { location, operation, error, share: 0.0 }),
                }
            }
            sources.iter_mut().for_each(|s| s.share = if sum > 0.0 { s.error / sum } else { 0.0 });
            sources.sort_by(|a, b| b.error.total_cmp(&a.error));
            sources.truncate(MOST_SOURCES);
            Bounds { holds_for, sources, ..bounds.clone() }
        });
        let mut all: Vec<Bounds> = all.collect();
        all.sort_by(|a, b| (&a.location, &a.name).cmp(&(&b.location, &b.name)));
        all
    }
}

/// For stochastic bounds and the like.
pub fn everything() -> Range {
    Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY }
}
