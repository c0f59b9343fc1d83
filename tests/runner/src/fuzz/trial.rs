//! One program under test: compiled by the plain compiler and by Nonius with the same flags, run under both engines,
//! and compared.

use super::compile::Setup;
use super::emit::{Source, emit};
use super::engines::{self, Class, Contradiction, Report};
use super::evaluate::Observed;
use super::execute::{Difference, Run, difference, execute};
use super::judge::{Expected, expected};
use super::observations::{observation, place_name, sites};
use super::program::{Place, Program};
use crate::language::Language;
use anyhow::Result;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// What differs from what must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A compiler failed, or the program left no report.
    Broken(String),
    /// Output or status are not the plain compiler's.
    Changed(String),
    /// The same under the event engine.
    ChangedByEvents(String),
    /// Output differs where the compiler may do algebra, which docs/book/limits.md allows.
    Rearranged(String),
    /// A NaN's sign or payload differs.
    Nan(String),
    FalsePositive(Wrong),
    FalseNegative(Wrong),
    /// A finding is due, and the inline engine says that it does not know.
    Open(Wrong),
    /// The engines contradict each other.
    Engines(Contradiction),
    /// So do the inline engine's residues and the event engine's.
    Residues(Contradiction),
    /// The plain compiler refuses the program, or the program does not end: the generator's fault.
    Invalid(String),
    /// Our own evaluation of the program is not what the plain compiler's program computes.
    Oracle(String),
}

/// An observation with a wrong verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    pub id: usize,
    pub line: u32,
    pub place: Place,
    pub value: f64,
    pub ideal: f64,
    pub noise: f64,
}

impl Failure {
    /// Its name in counts and of folders.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::Broken(_) => "broken",
            Failure::Changed(_) => "changed",
            Failure::ChangedByEvents(_) => "changed-by-events",
            Failure::Rearranged(_) => "rearranged",
            Failure::Nan(_) => "nan-bits",
            Failure::FalsePositive(_) => "false-positive",
            Failure::FalseNegative(_) => "false-negative",
            Failure::Open(_) | Failure::Engines(Contradiction { class: Class::Open, .. }) => "open",
            Failure::Engines(Contradiction { class: Class::Range, .. }) => "range",
            Failure::Engines(Contradiction { class: Class::Absorption, .. }) => "absorption",
            Failure::Engines(Contradiction { class: Class::Noise, .. }) => "noise",
            Failure::Engines(Contradiction { class: Class::FloatShadow, .. }) => "float-shadow",
            Failure::Engines(Contradiction { class: Class::Residue, .. }) => "residue",
            Failure::Engines(Contradiction { class: Class::ShortFormat, .. }) => "short-format",
            Failure::Engines(Contradiction { is_refuted: true, .. }) => "refuted",
            Failure::Engines(Contradiction { is_refuted: false, .. }) => "missed",
            Failure::Residues(_) => "residues",
            Failure::Invalid(_) => "invalid",
            Failure::Oracle(_) => "oracle",
        }
    }

    /// Whether it is of a class that the documentation names: counted, but no failure of a run.
    pub fn is_documented(&self) -> bool {
        const DOCUMENTED: &[&str] = &[
            "rearranged",
            "nan-bits",
            "open",
            "range",
            "absorption",
            "float-shadow",
            "noise",
            "residue",
            "short-format",
        ];
        DOCUMENTED.contains(&self.name())
    }

    /// Failures of one name are taken for the same while a program is cut.
    pub fn is_like(&self, other: &Failure) -> bool {
        self.name() == other.name()
    }
}

/// How many observations were judged how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub found: usize,
    pub silent: usize,
    pub close: usize,
    pub unresolved: usize,
    pub excluded: usize,
    /// Findings of the inline engine, and of MPFR.
    pub inline: usize,
    pub mpfr: usize,
}

impl Counts {
    fn add(&mut self, verdict: Expected) {
        *match verdict {
            Expected::Found => &mut self.found,
            Expected::Silent => &mut self.silent,
            Expected::Close => &mut self.close,
            Expected::Unresolved => &mut self.unresolved,
            Expected::Excluded => &mut self.excluded,
        } += 1;
    }

    pub fn merge(&mut self, other: Counts) {
        self.found += other.found;
        self.silent += other.silent;
        self.close += other.close;
        self.unresolved += other.unresolved;
        self.excluded += other.excluded;
        self.inline += other.inline;
        self.mpfr += other.mpfr;
    }
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub failures: Vec<Failure>,
    pub counts: Counts,
}

/// The files of a trial, and what it says.
struct Trial<'a> {
    setup: &'a Setup,
    dir: &'a Path,
    source: Source,
    /// Whether there may be halves and bfloats in it.
    has_short: bool,
    outcome: Outcome,
}

const PLAIN: &str = "plain";
const INSTRUMENTED: &str = "instrumented";

/// Builds, runs and compares; `ideals` are the program's observations, or none if it is not judged.
pub fn run(program: &Program, ideals: Option<&HashMap<usize, Observed>>, setup: &Setup) -> Result<Outcome> {
    let dir = tempfile::tempdir()?;
    let source = emit(program, setup.language, setup.is_fast());
    let path = dir.path().join(setup.file_name());
    fs::write(&path, &source.text)?;
    let has_short = program.is_wild() && setup.language != Language::Rust;
    let mut trial = Trial { setup, dir: dir.path(), source, has_short, outcome: Outcome::default() };
    let plain = crate::ir::succeed(setup.plain(&path, &dir.path().join(PLAIN)));
    let plain = match plain.and_then(|_| execute(dir.path(), PLAIN, "")) {
        Ok(plain) => plain,
        Err(error) => {
            trial.outcome.failures.push(Failure::Invalid(format!("{error:#}")));
            return Ok(trial.outcome);
        }
    };
    if let Err(error) = trial.instrumented(&path, &plain, ideals) {
        trial.outcome.failures.push(Failure::Broken(format!("{error:#}")));
    }
    Ok(trial.outcome)
}

impl Trial<'_> {
    fn instrumented(&mut self, source: &Path, plain: &Run, ideals: Option<&HashMap<usize, Observed>>) -> Result<()> {
        crate::ir::succeed(self.setup.instrumented(source, &self.dir.join(INSTRUMENTED)))?;
        let report = self.dir.join("inline.json");
        let options = format!(
            "stats=1:constants=exact:resume=0:max_stacks=0:max_findings=0:color=never:report={}",
            report.display()
        );
        let inline = execute(self.dir, INSTRUMENTED, &options)?;
        self.compare(plain, &inline, Failure::Changed);
        let mut unresolved = HashMap::new();
        let reported = sites(&inline.stderr, self.setup.file_name())?;
        let inline = Report { reported, ..Report::read(&report)? };
        if let Some(ideals) = ideals {
            unresolved = self.judge(ideals, plain, &inline);
        }
        let (run, mpfr) = engines::ask(self.dir, INSTRUMENTED, &format!("mpfr:{}", engines::BITS))?;
        self.compare(plain, &run, Failure::ChangedByEvents);
        self.outcome.counts.inline += inline.findings.len();
        self.outcome.counts.mpfr += mpfr.findings.len();
        // Functions with reassociation have no copy for the event engine.
        if !self.setup.is_fast() {
            let mut contradictions = engines::contradictions(self.dir, INSTRUMENTED, &inline, &mpfr, self.has_short)?;
            for c in contradictions.iter_mut().filter(|c| c.class == Class::None) {
                c.class = unresolved.get(&c.seen).copied().unwrap_or(Class::None);
            }
            self.outcome.failures.extend(contradictions.into_iter().map(Failure::Engines));
            if self.setup.asks_residues {
                let (run, residues) = engines::ask(self.dir, INSTRUMENTED, "residue")?;
                self.compare(plain, &run, Failure::ChangedByEvents);
                let contradictions = engines::of_residues(&inline, &residues, self.has_short);
                self.outcome.failures.extend(contradictions.into_iter().map(Failure::Residues));
            }
        }
        Ok(())
    }

    fn compare(&mut self, plain: &Run, other: &Run, changed: fn(String) -> Failure) {
        self.outcome.failures.extend(difference(plain, other, self.setup.ignores_signs_of_zero()).map(|d| match d {
            Difference::Nan(text) => Failure::Nan(text),
            Difference::Other(text) if self.setup.is_fast() => Failure::Rearranged(text),
            Difference::Other(text) => changed(text),
        }));
    }

    /// Compares the report with what must be in it. Gives the lines where a residue cannot tell, and why.
    fn judge(&mut self, ideals: &HashMap<usize, Observed>, plain: &Run, inline: &Report) -> HashMap<u32, Class> {
        let Outcome { failures, counts } = &mut self.outcome;
        let mut unresolved = HashMap::new();
        for (id, value) in plain.stdout.lines().filter_map(observation) {
            let Some(observed) = ideals.get(&id) else { continue };
            let Some((line, place)) = self.source.lines[id] else { continue };
            let known = &observed.value;
            if !self.setup.may_rearrange() && !known.excluded && known.is_exact && value != known.actual {
                let difference = format!("line {line}: the program computes {value:e}, the oracle {:e}", known.actual);
                failures.push(Failure::Oracle(difference));
            }
            let verdict = expected(observed, value);
            counts.add(verdict);
            let found = inline.reported.contains(&(line, place_name(place).to_owned()));
            let open = inline.is_open(line, Some(place_name(place)));
            let wrong = Wrong { id, line, place, value, ideal: known.ideal.to_f64(), noise: known.noise };
            match (verdict, found) {
                (Expected::Silent, true) => failures.push(Failure::FalsePositive(wrong)),
                (Expected::Found, false) if open => failures.push(Failure::Open(wrong)),
                (Expected::Found, false) => failures.push(Failure::FalseNegative(wrong)),
                (Expected::Unresolved, _) => drop(unresolved.insert(line, Class::Residue)),
                (Expected::Excluded, _) => drop(unresolved.insert(line, Class::Range)),
                _ => {}
            }
        }
        unresolved
    }
}
