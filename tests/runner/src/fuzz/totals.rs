//! What a run of many units comes to.

use super::trial::Counts;
use super::{Kind, Report, save};
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};

#[derive(Debug, Default)]
pub struct Totals {
    pub units: u64,
    pub programs: u64,
    wild: u64,
    by_language: BTreeMap<&'static str, (u64, u64)>,
    by_flags: BTreeMap<String, u64>,
    counts: Counts,
    by_name: BTreeMap<&'static str, u64>,
    /// How each failing unit is made again, and what failed first.
    failing: Vec<String>,
}

impl Totals {
    pub fn add(&mut self, report: &Report) {
        let programs = report.unit.programs as u64;
        self.units += 1;
        self.programs += programs;
        self.wild += u64::from(report.unit.kind == Kind::Wild);
        let (units, of_language) = self.by_language.entry(report.unit.language.wrapper()).or_default();
        *units += 1;
        *of_language += programs;
        *self.by_flags.entry(report.setup.flags.join(" ")).or_default() += 1;
        self.counts.merge(report.outcome.counts);
        for failure in &report.outcome.failures {
            *self.by_name.entry(failure.name()).or_default() += 1;
        }
        if let Some(first) = report.outcome.failures.iter().find(|f| !f.is_documented()) {
            self.failing.push(format!("{}: ./x fuzz {}", first.name(), save::again(report)));
        }
    }

    /// Units with failures that no documented class explains.
    pub fn failing(&self) -> usize {
        self.failing.len()
    }
}

impl Display for Totals {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Counts { found, silent, close, unresolved, excluded, inline, mpfr } = self.counts;
        writeln!(f, "{} programs in {} units, {} of the units wild", self.programs, self.units, self.wild)?;
        for (language, (units, programs)) in &self.by_language {
            writeln!(f, "  {language:6} {programs:7} programs in {units} units")?;
        }
        writeln!(f, "compared with the plain compiler and between the engines, units by flags:")?;
        for (flags, units) in &self.by_flags {
            writeln!(f, "  {units:6} {flags}")?;
        }
        writeln!(f, "findings: {inline} inline, {mpfr} by MPFR")?;
        writeln!(
            f,
            "{} verdicts judged: {found} findings due, {silent} silences due; not judged: {close} too close, {unresolved} \
             beyond a residue's digits, {excluded} out of range",
            found + silent
        )?;
        if self.by_name.is_empty() {
            writeln!(f, "no differences")?;
        }
        for (name, count) in &self.by_name {
            writeln!(f, "  {count:6} {name}")?;
        }
        write!(f, "{} failing units", self.failing.len())?;
        self.failing.iter().try_for_each(|failing| write!(f, "\n  {failing}"))
    }
}
