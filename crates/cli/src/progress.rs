//! How far a long run of the event engine is: a line on stderr that comes after two seconds and is wiped at the end.
//!
//! Only on a terminal, and only where nothing else is written meanwhile: while a program's output is hidden, while it goes
//! elsewhere than to a terminal, and in a replay. `--progress=1` shows it always, as plain lines where stderr is a file.

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nonius_driver::Progress;
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What is over sooner needs no progress.
const AFTER: Duration = Duration::from_secs(2);
/// Between lines in a file.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
/// Rates are those of the last moments.
const RATE_OVER: Duration = Duration::from_secs(1);

/// When to show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    #[default]
    Auto,
    Always,
    Never,
}

impl Show {
    pub fn read(text: &str) -> Result<Show> {
        match text {
            "auto" => Ok(Show::Auto),
            "1" | "yes" | "on" => Ok(Show::Always),
            "0" | "no" | "off" => Ok(Show::Never),
            other => bail!("--progress={other}: expected auto, 1 or 0"),
        }
    }

    /// Shows the progress of what `run` does, whose output can be seen or not, and wipes it afterwards.
    pub fn during<T>(self, output_is_seen: bool, run: impl FnOnce(Progress) -> T) -> T {
        match self.meter(output_is_seen) {
            Some(meter) => run(Some(&|operations, share| meter.tell(operations, share))),
            None => run(None),
        }
    }

    fn meter(self, output_is_seen: bool) -> Option<Meter> {
        let terminal = io::stderr().is_terminal();
        let apart = !output_is_seen || !io::stdout().is_terminal();
        let wanted = match self {
            Show::Auto => terminal && apart,
            Show::Always => true,
            Show::Never => false,
        };
        wanted.then(|| Meter::new(terminal))
    }
}

/// Shows what it is told.
struct Meter(Mutex<State>);

struct State {
    started: Instant,
    terminal: bool,
    bar: Option<ProgressBar>,
    lines: u32,
    /// Where the rate is measured from: when, and how many operations were done.
    since: (Instant, u64),
    rate: f64,
}

impl Meter {
    fn new(terminal: bool) -> Meter {
        let now = Instant::now();
        Meter(Mutex::new(State { started: now, terminal, bar: None, lines: 0, since: (now, 0), rate: 0.0 }))
    }

    /// So many operations are done, and this share of the whole if that is known.
    fn tell(&self, operations: u64, share: Option<f64>) {
        if let Ok(mut state) = self.0.lock() {
            state.tell(operations, share);
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let bar = self.0.get_mut().ok().and_then(|state| state.bar.take());
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }
}

impl State {
    fn tell(&mut self, operations: u64, share: Option<f64>) {
        let now = Instant::now();
        let (since, before) = self.since;
        if now - since >= RATE_OVER {
            self.rate = operations.saturating_sub(before) as f64 / (now - since).as_secs_f64();
            self.since = (now, operations);
        }
        let age = now - self.started;
        if age < AFTER {
            return;
        }
        let text = words(operations, self.rate, share, age);
        if self.terminal {
            self.bar.get_or_insert_with(line).set_message(text);
        } else if age >= AFTER + BETWEEN_LINES * self.lines {
            self.lines += 1;
            eprintln!("nonius: {text}");
        }
    }
}

fn line() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("nonius: {wide_msg}").expect("a template that is right"));
    bar
}

/// "1.24 G operations, 80.1 M/s, 34% done, 25 s left".
fn words(operations: u64, rate: f64, share: Option<f64>, age: Duration) -> String {
    let mut text = format!("{} operations", short(operations as f64));
    if rate > 0.0 {
        text += &format!(", {}/s", short(rate));
    }
    match share {
        Some(share) if share > 0.01 => {
            let left = age.as_secs_f64() * (1.0 - share.min(1.0)) / share;
            text += &format!(", {:.0}% done, {left:.0} s left", share * 100.0);
        }
        Some(share) => text += &format!(", {:.1}% done", share * 100.0),
        None => text += &format!(", {} s", age.as_secs()),
    }
    text
}

/// Three digits and the unit.
fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e12 => (n / 1e12, " T"),
        n if n >= 1e9 => (n / 1e9, " G"),
        n if n >= 1e6 => (n / 1e6, " M"),
        n if n >= 1e3 => (n / 1e3, " k"),
        n => return format!("{n:.0}"),
    };
    let digits = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    format!("{scaled:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_shares_are_told() {
        assert_eq!([999.0, 1240.0, 80.14e6, 123e9, 2.5e12].map(short), ["999", "1.24 k", "80.1 M", "123 G", "2.50 T"]);
        let age = Duration::from_secs(10);
        assert_eq!(words(5_000_000, 1e6, None, age), "5.00 M operations, 1.00 M/s, 10 s");
        assert_eq!(words(5_000_000, 0.0, Some(0.25), age), "5.00 M operations, 25% done, 30 s left");
    }

    #[test]
    fn modes_are_read() {
        assert_eq!(Show::read("1").unwrap(), Show::Always);
        assert!(Show::read("maybe").unwrap_err().to_string().contains("auto, 1 or 0"));
        assert!(Show::Never.meter(false).is_none());
    }
}
