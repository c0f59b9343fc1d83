//! The second run of `nonius run`: the event engine confirms and explains what the inline engine found. What 256 bits leave
//! open is asked of finer oracles by the program's own runtime (`oracle=auto`), on the events of that run.

use super::changes;
use super::run::read;
use crate::progress::Show;
use anyhow::{Context, Result, bail};
use nonius_driver::{
    Again, Changes, Confinement, Layer, ProgramStart, Ran, RepeatableInput, RunError, RuntimeOptions, Spec,
};
use nonius_finding::{Report, Verdict};
use std::env;
use std::ffi::OsString;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Whether findings are confirmed, and by which oracle.
#[derive(Debug, Clone)]
pub struct Confirm {
    oracle: Option<Spec>,
    /// Asked for, whatever the program does.
    asked: bool,
}

/// Begins with MPFR, not with double-double: its numbers have all exponents, and the bits of every format.
const USUAL: Spec = Spec::Auto { first: nonius_driver::DEFAULT_BITS };

impl Default for Confirm {
    fn default() -> Confirm {
        Confirm { oracle: Some(USUAL), asked: false }
    }
}

impl Confirm {
    /// `0`, or an oracle.
    pub fn read(text: &str) -> Result<Confirm> {
        let oracle = match text {
            "0" | "no" | "off" => None,
            "1" | "yes" | "on" => Some(USUAL),
            name => match name.parse::<Spec>() {
                Ok(Spec::Native) => bail!("--confirm=native: 'native' measures nothing; try mpfr"),
                Ok(spec) => Some(spec),
                Err(error) => bail!("--confirm: {error}; or 0 for no second run"),
            },
        };
        Ok(Confirm { oracle, asked: true })
    }

    pub fn oracle(&self) -> Option<Spec> {
        self.oracle
    }

    pub fn is_asked(&self) -> bool {
        self.asked
    }
}

/// A second run that takes longer is told when it ends.
const LONG: Duration = Duration::from_secs(5);
/// Unless `confirm_time=` says something else, a second run may take so many times the first, and at least so long.
const TIMES: u32 = 100;
const LEAST: Duration = Duration::from_secs(60);
/// Names the ways of confinement to try, with commas between: for tests.
const CONFINEMENT: &str = "NONIUS_CONFINEMENT";

/// A second run to be made.
pub struct Second<'a> {
    pub program: &'a OsString,
    pub args: &'a [OsString],
    pub options: &'a RuntimeOptions,
    pub oracle: Spec,
    /// The command's standard input.
    pub input: &'a RepeatableInput,
    pub first: &'a Ran,
    /// The command itself can run again.
    pub repeats: bool,
    /// What reads the command's input is one program alone.
    pub is_alone: bool,
    /// One of the programs that the command started, and not the whole.
    pub only: Option<&'a ProgramStart>,
    /// When it is ended.
    pub limit: Option<Duration>,
    /// Even if it changes the user's data.
    pub asked: bool,
}

impl Second<'_> {
    /// Runs the program again, and joins what the oracle says to the report. Whatever goes wrong is a note.
    pub fn confirm(&self, report: &mut Report, show: Show) {
        let changes = match self.only {
            Some(program) => self.first.changes_of(program),
            None => self.first.changes(self.program),
        };
        let started = Instant::now();
        let oracle = self.oracle.first();
        let answer = self.run(&changes, report, show).and_then(|ran| {
            let said = ran.as_ref().map(read).transpose()?.flatten();
            Ok((ran, said.filter(|said| said.summary.operations > 0)))
        });
        match answer {
            Ok((None, _)) => {}
            Ok((Some(ran), Some(said))) => self.join(report, said, &ran, &changes),
            Ok((Some(ran), None)) => {
                report.notes.push(match ran.is_late {
                    true => format!("not confirmed: {}, and recorded nothing", late(&ran)),
                    false => format!(
                        "not confirmed: the second run, under {oracle}, recorded nothing: functions built with -ffast-math \
                         are not recorded, nor are runs that end before their first operation"
                    ),
                });
                report.notes.extend(changes::doubt(&changes).filter(|_| !ran.is_late));
            }
            Err(error) => {
                report.notes.push(format!("not confirmed: the second run, under {oracle}, failed: {error:#}"));
            }
        }
        if started.elapsed() > LONG {
            let (seconds, last) = (started.elapsed().as_secs_f64(), report.settled_by.clone());
            let last = last.unwrap_or_else(|| oracle.to_string());
            report.notes.push(format!("the second run, under {last}, took {seconds:.0} s; --confirm=0 leaves it out"));
        }
    }

    fn join(&self, report: &mut Report, said: Report, second: &Ran, changes: &Changes) {
        let (before, now) = (report.program.exit, said.program.exit);
        let (oracle, stopped) = (said.oracle.clone(), said.stopped.clone());
        nonius_driver::confirm(report, said, second.is_late);
        report.notes.extend(stopped.iter().map(|why| format!("in the second run, under {oracle}, {why}")));
        if second.is_late {
            return report.notes.push(format!("{}; what it confirmed until then counts", late(second)));
        }
        if before != now {
            let words = |status: Option<i32>| status.map_or("a signal".to_owned(), |s| format!("status {s}"));
            report.notes.push(format!(
                "the second run ended with {}, the first with {}: they are not the same run",
                words(now),
                words(before)
            ));
        }
        let missed = |verdict| matches!(verdict, Verdict::NotReproduced);
        if report.findings.iter().any(|f| f.confirmation.as_ref().is_some_and(|c| missed(c.verdict))) {
            report.notes.extend(changes::doubt(changes));
        }
    }

    /// Tries one way of confinement after the other. None, with a note, if there is no way.
    fn run(&self, changes: &Changes, report: &mut Report, show: Show) -> Result<Option<Ran>> {
        let mut options = self.options.clone();
        options.set("oracle", self.oracle.to_string());
        // The first run found what it found anywhere.
        options.set("tasks", "off");
        for key in ["record", "log_path"] {
            options.set(key, "");
        }
        for key in ["halt", "debug", "stats", "verbose"] {
            options.set(key, "0");
        }
        let has_changed = self.only.is_none() && self.input.has_changed();
        let changed = has_changed.then(|| "standard input is a file that has changed since".to_owned());
        let reasons = changes::refusal(changes).into_iter().chain(changed);
        let mut refusals: Vec<String> = reasons.filter(|_| !self.asked).collect();
        let ways = if refusals.is_empty() { ways(self.asked)? } else { Vec::new() };
        for confinement in ways {
            if let Some(why) = self.hindrance(confinement, changes) {
                refusals.extend(why);
                continue;
            }
            let input = self.input_again().map_err(anyhow::Error::msg)?;
            let again = Again { first: self.first, only: self.only, input, confinement, limit: self.limit };
            let second = show
                .during(false, |progress| nonius_driver::run_again(self.program, self.args, &options, again, progress));
            match second {
                Err(RunError::Refused(why)) => refusals.push(why),
                result => return Ok(Some(result?)),
            }
        }
        report.notes.push(format!(
            "not confirmed: a second run could not be kept from changing anything: {}; 'nonius run --oracle=auto' measures in \
             the only run, 'nonius run --confirm=1' runs it again all the same",
            refusals.join("; ")
        ));
        Ok(None)
    }

    /// Why a way is none, if it is not; an empty reason where there is no need to say.
    fn hindrance(&self, confinement: Confinement, changes: &Changes) -> Option<Option<String>> {
        match confinement {
            Confinement::Layer(_) => None,
            Confinement::ReadOnly if changes.is_nothing() => None,
            Confinement::ReadOnly => Some(changes::written(changes)),
            Confinement::None if self.asked => {
                let warning = changes::warning(changes).filter(|_| !self.options.is_on("quiet"));
                // Before the second run, not after it.
                warning.iter().for_each(|text| eprintln!("nonius: warning: {text}"));
                None
            }
            Confinement::None => Some(None),
        }
    }

    /// Standard input for it, or why there is none.
    pub fn input_again(&self) -> Result<Stdio, String> {
        match self.only {
            Some(program) if program.reads_from(&self.first.input) && (self.is_alone || self.input.is_empty()) => {
                Ok(self.input.second())
            }
            Some(program) => program.input_again(),
            None => Ok(self.input.second()),
        }
    }
}

/// The time that second runs may take, all together.
pub fn limit(options: &RuntimeOptions, first: &Ran) -> Result<Option<Duration>> {
    let text = options.get("confirm_time").filter(|text| !text.is_empty());
    let Some(text) = text else { return Ok(Some((first.took * TIMES).max(LEAST))) };
    let seconds: f64 = text.to_string_lossy().parse().context("confirm_time= is a number of seconds")?;
    Ok((seconds > 0.0).then(|| Duration::from_secs_f64(seconds)))
}

/// Whether a second run could tell more.
pub fn is_wanted(report: &Report) -> bool {
    !report.findings.is_empty() || report.is_open() || report.summary.may_have_lost()
}

fn late(second: &Ran) -> String {
    format!(
        "the second run was ended after {:.1} s (confirm_time= sets its time, 0 is no limit)",
        second.took.as_secs_f64()
    )
}

fn way(word: &str) -> Result<Confinement> {
    let known = "layer, layer+network, read-only and none";
    Confinement::read(word).with_context(|| format!("{CONFINEMENT}={word} is no way to confine it: there are {known}"))
}

/// A program that is asked to run again keeps the network, but not the user's files if that can be.
fn ways(asked: bool) -> Result<Vec<Confinement>> {
    let layer = Confinement::Layer(Layer { network: asked, ..Layer::default() });
    match env::var(CONFINEMENT) {
        Ok(text) => text.split(',').map(way).collect(),
        Err(_) => Ok(vec![layer, Confinement::ReadOnly, Confinement::None]),
    }
}
