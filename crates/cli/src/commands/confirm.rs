//! The second run of `nonius run`: the event engine confirms and explains what the inline engine found.

use super::run::read;
use anyhow::{Result, bail};
use nonius_driver::{Kept, RuntimeOptions, Spec};
use nonius_finding::Report;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Whether findings are confirmed, and by which oracle.
#[derive(Debug, Clone)]
pub struct Confirm(Option<Spec>);

impl Default for Confirm {
    fn default() -> Confirm {
        Confirm(Some(Spec::default()))
    }
}

impl Confirm {
    /// `0`, or an oracle.
    pub fn read(text: &str) -> Result<Confirm> {
        match text {
            "0" | "no" | "off" => Ok(Confirm(None)),
            "1" | "yes" | "on" => Ok(Confirm::default()),
            name => match name.parse::<Spec>() {
                Ok(Spec::Native) => bail!("--confirm=native: 'native' measures nothing; try mpfr"),
                Ok(spec) => Ok(Confirm(Some(spec))),
                Err(error) => bail!("--confirm: {error}; or 0 for no second run"),
            },
        }
    }

    pub fn oracle(&self) -> Option<Spec> {
        self.0
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
    let second = nonius_driver::run_again(program, args, &again, input).map_err(anyhow::Error::from);
    let second = second.and_then(|ran| read(&ran));
    match second {
        Ok(Some(second)) if second.summary.operations > 0 => nonius_driver::confirm(report, &second),
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
