//! The second run of `nonius run`: the event engine confirms and explains what the inline engine found.

use super::changes;
use super::run::read;
use crate::progress::Show;
use anyhow::{Context, Result, bail};
use nonius_driver::{Again, Changes, Confinement, Layer, Ran, RepeatableInput, RunError, RuntimeOptions, Spec};
use nonius_finding::{Report, Verdict};
use std::env;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Whether findings are confirmed, and by which oracle.
#[derive(Debug, Clone)]
pub struct Confirm {
    oracle: Option<Spec>,
    /// The oracle was asked for by name.
    is_fixed: bool,
    /// Asked for, whatever the program does.
    asked: bool,
}

impl Default for Confirm {
    fn default() -> Confirm {
        Confirm { oracle: Some(Spec::default()), is_fixed: false, asked: false }
    }
}

impl Confirm {
    /// `0`, or an oracle.
    pub fn read(text: &str) -> Result<Confirm> {
        let oracle = match text {
            "0" | "no" | "off" => None,
            "1" | "yes" | "on" => Some(Spec::default()),
            name => match name.parse::<Spec>() {
                Ok(Spec::Native) => bail!("--confirm=native: 'native' measures nothing; try mpfr"),
                Ok(spec) => Some(spec),
                Err(error) => bail!("--confirm: {error}; or 0 for no second run"),
            },
        };
        let is_fixed = text.parse::<Spec>().is_ok();
        Ok(Confirm { oracle, is_fixed, asked: true })
    }

    pub fn oracle(&self) -> Option<Spec> {
        self.oracle
    }

    pub fn is_fixed(&self) -> bool {
        self.is_fixed
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
/// The finest oracle that is tried: it decides what counts as 0 (`zero_bits=`).
const MOST_BITS: u32 = 8192;
/// Names the ways of confinement to try, with commas between: for tests.
const CONFINEMENT: &str = "NONIUS_CONFINEMENT";

/// A second run to be made.
pub struct Second<'a> {
    pub program: &'a OsString,
    pub args: &'a [OsString],
    pub options: &'a RuntimeOptions,
    pub oracle: Spec,
    pub input: &'a RepeatableInput,
    pub first: &'a Ran,
    /// Even if it changes the user's data.
    pub asked: bool,
    /// The oracle was asked for by name: no other is tried.
    pub is_fixed: bool,
}

impl Second<'_> {
    /// Runs the program again, and joins what the oracle says to the report. Whatever goes wrong is a note.
    ///
    /// Verdicts that the oracle leaves open are asked for again at twice its precision, within the same time, unless
    /// the oracle was asked for by name.
    pub fn confirm(&self, report: &mut Report, show: Show) {
        let changes = self.first.changes(self.program);
        let started = Instant::now();
        let mut settled: Option<(Report, Ran, Spec)> = None;
        let mut oracle = self.oracle;
        loop {
            let answer = self.run(oracle, started, &changes, report, show).and_then(|ran| {
                let said = ran.as_ref().map(read).transpose()?.flatten();
                Ok((ran, said.filter(|said| said.summary.operations > 0)))
            });
            match answer {
                Ok((None, _)) => break,
                // What a coarser oracle said to the end counts more than what a finer one had no time for.
                Ok((Some(ran), Some(said))) if !ran.is_late || settled.is_none() => {
                    let next = self.finer(oracle, &said, &ran);
                    settled = Some((said, ran, oracle));
                    match next {
                        Some(next) => oracle = next,
                        None => break,
                    }
                }
                Ok((Some(_), _)) if settled.is_some() => break,
                Ok((Some(ran), _)) => {
                    report.notes.push(match ran.is_late {
                        true => format!("not confirmed: {}, and recorded nothing", late(&ran)),
                        false => format!("not confirmed: the second run, under {oracle}, recorded nothing"),
                    });
                    report.notes.extend(changes::doubt(&changes).filter(|_| !ran.is_late));
                    break;
                }
                Err(error) => {
                    report.notes.push(format!("not confirmed: the second run, under {oracle}, failed: {error:#}"));
                    break;
                }
            }
        }
        if let Some((said, second, oracle)) = settled {
            self.join(report, &said, &second, &changes, oracle);
        }
        if started.elapsed() > LONG {
            let seconds = started.elapsed().as_secs_f64();
            report.notes.push(format!(
                "the second run, under {oracle} in the end, took {seconds:.0} s; --confirm=0 leaves it out"
            ));
        }
    }

    /// The oracle to ask what this one has left open.
    fn finer(&self, oracle: Spec, said: &Report, second: &Ran) -> Option<Spec> {
        match oracle {
            Spec::Mpfr { bits } if said.is_open() && !self.is_fixed && !second.is_late && bits < MOST_BITS => {
                Some(Spec::Mpfr { bits: 2 * bits })
            }
            _ => None,
        }
    }

    fn join(&self, report: &mut Report, said: &Report, second: &Ran, changes: &Changes, oracle: Spec) {
        let (before, now) = (report.program.exit, said.program.exit);
        nonius_driver::confirm(report, said, second.is_late);
        report.notes.extend(said.stopped.iter().map(|why| format!("in the second run, under {oracle}, {why}")));
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
    fn run(
        &self,
        oracle: Spec,
        started: Instant,
        changes: &Changes,
        report: &mut Report,
        show: Show,
    ) -> Result<Option<Ran>> {
        let limit = self.limit()?.map(|limit| limit.saturating_sub(started.elapsed()).max(Duration::from_millis(1)));
        let mut options = self.options.clone();
        options.set("oracle", oracle.to_string());
        for key in ["record", "log_path"] {
            options.set(key, "");
        }
        for key in ["halt", "debug", "stats", "verbose"] {
            options.set(key, "0");
        }
        let changed = self.input.has_changed().then(|| "standard input is a file that has changed since".to_owned());
        let reasons = changes::refusal(changes).into_iter().chain(changed);
        let mut refusals: Vec<String> = reasons.filter(|_| !self.asked).collect();
        let ways = if refusals.is_empty() { ways(self.asked)? } else { Vec::new() };
        for confinement in ways {
            if let Some(why) = self.hindrance(confinement, changes) {
                refusals.extend(why);
                continue;
            }
            let again = Again { first: self.first, input: self.input, confinement, limit };
            let second = show.during(false, |progress| {
                nonius_driver::run_again(self.program, self.args, &options, &again, progress)
            });
            match second {
                Err(RunError::Refused(why)) => refusals.push(why),
                result => return Ok(Some(result?)),
            }
        }
        report.notes.push(format!(
            "not confirmed: a second run could not be kept from changing anything: {}; 'nonius run --confirm=1' runs it again \
             all the same",
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

    fn limit(&self) -> Result<Option<Duration>> {
        let text = self.options.get("confirm_time").filter(|text| !text.is_empty());
        let Some(text) = text else { return Ok(Some((self.first.took * TIMES).max(LEAST))) };
        let seconds: f64 = text.to_string_lossy().parse().context("confirm_time= is a number of seconds")?;
        Ok((seconds > 0.0).then(|| Duration::from_secs_f64(seconds)))
    }
}

fn late(second: &Ran) -> String {
    format!(
        "the second run was ended after {:.1} s (confirm_time= sets its time, 0 is no limit)",
        second.took.as_secs_f64()
    )
}

/// A program that is asked to run again keeps the network, but not the user's files if that can be.
fn ways(asked: bool) -> Result<Vec<Confinement>> {
    let layer = Confinement::Layer(Layer { network: asked, ..Layer::default() });
    match env::var(CONFINEMENT) {
        Ok(text) => text.split(',').map(|word| Confinement::read(word).context(CONFINEMENT)).collect(),
        Err(_) => Ok(vec![layer, Confinement::ReadOnly, Confinement::None]),
    }
}
