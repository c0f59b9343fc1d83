//! Oracles that may take more than one execution (`auto`, `residue-override`): the run's events are kept, and what its own
//! machine leaves open is asked of them when the process reports.

use super::journal::Journal;
use super::targets::count;
use crate::options::Options;
use crate::output::of_this_process;
use nonius_abi::event::{EventError, Module};
use nonius_machine::{Engine, Settled, escalated, executed};
use nonius_oracle::Spec;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Unless the options say something else, other executions may take so many times the run, and at least so long.
const TIMES: u32 = 100;
const LEAST: Duration = Duration::from_secs(60);
/// Of a deadline, so that what was settled is told in time.
const SHARE: f64 = 0.9;

pub struct Again {
    oracle: Spec,
    options: nonius_machine::Options,
    most_executions: u32,
    journal: Result<Journal, String>,
    started: Instant,
    /// Seconds: those of `deadline=` and `confirm_time=`.
    deadline: Option<f64>,
    limit: Option<f64>,
    /// What was settled, and of how many bytes: a process may report more than once.
    last: Option<(u64, Settled)>,
}

impl Again {
    pub fn new(oracle: Spec, options: &Options, machine: nonius_machine::Options) -> Again {
        let journal = Journal::new(&folder(options), options.record_mib << 20);
        Again {
            oracle,
            options: machine,
            most_executions: options.reexecutions,
            journal: journal.map_err(|error| format!("the run's events cannot be kept: {error}")),
            started: Instant::now(),
            deadline: options.deadline.filter(|seconds| *seconds > 0.0),
            limit: options.confirm_time,
            last: None,
        }
    }

    pub fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.module(module))
    }

    pub fn events(&mut self, thread: u32, words: &[u64]) {
        self.journal.iter_mut().for_each(|journal| journal.events(thread, words));
    }

    pub fn set_options(&mut self, options: &nonius_machine::Options) {
        self.options = nonius_machine::Options { most_bytes: self.options.most_bytes, ..options.clone() };
    }

    pub fn go_on_in_child(&mut self) {
        self.last = None;
        let gone_on = self.journal.as_mut().map_or(Ok(()), Journal::go_on_in_child);
        if let Err(error) = gone_on {
            self.journal = Err(format!("the run's events cannot be kept: {error}"));
        }
    }

    /// What other executions make of what the first has left open. `walked` operations were counted until now.
    pub fn settled(&mut self, first: Settled, walked: u64, counter: Option<&File>) -> Settled {
        let journal = match &self.journal {
            Ok(journal) => journal,
            Err(why) => return with_note(first, why.clone()),
        };
        if let Some(complaint) = journal.complaint() {
            return with_note(first, complaint);
        }
        if let Some((_, settled)) = self.last.as_ref().filter(|(bytes, _)| *bytes == journal.bytes()) {
            return settled.clone();
        }
        let (until, mut walked_before) = (self.until(), walked);
        let feed = |machine: &mut dyn Engine| {
            let fed = journal.feed(machine, until, &mut |operations| {
                counter.iter().for_each(|counter| count(counter, walked_before + operations));
            });
            walked_before += machine.operations();
            fed
        };
        let settled = match self.oracle {
            Spec::Auto { .. } => escalated(&self.options, first.clone(), feed).map(Some),
            oracle => executed(oracle, &self.options, self.most_executions, feed),
        };
        let settled = match settled {
            Ok(Some(settled)) => settled,
            Ok(None) => with_note(first, "there was no time to execute the run again (confirm_time=)".to_owned()),
            Err(error) => with_note(first, format!("the run could not be executed again: {error}")),
        };
        self.last = Some((journal.bytes(), settled.clone()));
        settled
    }

    fn until(&self) -> Option<Instant> {
        let ran = self.started.elapsed();
        let time = match (self.deadline, self.limit) {
            (Some(seconds), _) => return Some(self.started + Duration::from_secs_f64(seconds * SHARE)),
            (None, Some(0.0)) => return None,
            (None, Some(seconds)) => Duration::from_secs_f64(seconds),
            (None, None) => (ran * TIMES).max(LEAST),
        };
        Some(Instant::now() + time)
    }
}

fn with_note(mut settled: Settled, note: String) -> Settled {
    settled.analysis.notes.push(note);
    settled
}

/// Beside the report, where there is room for it: a second run's temporary folder is in memory.
fn folder(options: &Options) -> PathBuf {
    let report = options.report.as_deref().map(of_this_process);
    let beside = report.as_deref().and_then(Path::parent).filter(|folder| folder.is_dir());
    beside.map_or_else(std::env::temp_dir, Path::to_owned)
}
