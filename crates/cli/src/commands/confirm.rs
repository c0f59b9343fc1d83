//! The second run of `nonius run`: the event engine confirms and explains what the inline engine found.

use super::changes;
use super::run::read;
use crate::progress::Show;
use anyhow::{Result, bail};
use nonius_driver::{Changes, Kept, RuntimeOptions, Spec};
use nonius_finding::Report;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Whether findings are confirmed, and by which oracle.
#[derive(Debug, Clone)]
pub struct Confirm {
    oracle: Option<Spec>,
    /// Asked for, whatever the program does to files.
    asked: bool,
}

impl Default for Confirm {
    fn default() -> Confirm {
        Confirm { oracle: Some(Spec::default()), asked: false }
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
        Ok(Confirm { oracle, asked: true })
    }

    pub fn oracle(&self) -> Option<Spec> {
        self.oracle
    }

    /// Whether a program that did this to files may run again. Says what there is to know of it.
    pub fn allows(&self, changes: &Changes, report: &mut Report, quiet: bool) -> bool {
        if let Some(refusal) = changes::refusal(changes).filter(|_| !self.asked) {
            report.notes.push(refusal);
            return false;
        }
        for warning in changes::warnings(changes) {
            // Before the second run, not after it.
            if quiet { report.notes.push(warning) } else { eprintln!("nonius: warning: {warning}") }
        }
        true
    }
}

/// A second run that takes longer is told when it ends.
const LONG: Duration = Duration::from_secs(5);

/// Runs the program again under `oracle`, and joins what it says to the report. Whatever goes wrong there is a note.
pub fn confirmed(
    report: &mut Report,
    program: &OsString,
    args: &[OsString],
    options: &RuntimeOptions,
    oracle: Spec,
    input: Kept,
    show: Show,
) {
    let mut again = options.clone();
    again.set("oracle", oracle.to_string());
    for key in ["record", "log_path"] {
        again.set(key, "");
    }
    for key in ["halt", "debug", "stats", "verbose"] {
        again.set(key, "0");
    }
    let started = Instant::now();
    let second = show.during(false, |progress| nonius_driver::run_again(program, args, &again, input, progress));
    let second = second.map_err(anyhow::Error::from).and_then(|ran| read(&ran));
    match second {
        Ok(Some(second)) if second.summary.operations > 0 => {
            let (before, now) = (report.program.exit, second.program.exit);
            nonius_driver::confirm(report, &second);
            report.notes.extend(second.stopped.iter().map(|why| format!("in the second run, under {oracle}, {why}")));
            if before != now {
                let words = |status: Option<i32>| status.map_or("a signal".to_owned(), |s| format!("status {s}"));
                report.notes.push(format!(
                    "the second run ended with {}, the first with {}: they are not the same run",
                    words(now),
                    words(before)
                ));
            }
        }
        Ok(_) => report.notes.push(format!("not confirmed: the second run, under {oracle}, recorded nothing")),
        Err(error) => report.notes.push(format!("not confirmed: the second run, under {oracle}, failed: {error:#}")),
    }
    let took = started.elapsed();
    if took > LONG {
        report.notes.push(format!(
            "the second run, under {oracle}, took {:.0} s; --confirm=0 leaves it out",
            took.as_secs_f64()
        ));
    }
}
