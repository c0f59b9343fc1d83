//! Runs the shadow machine on a recorded run, without the program.

use crate::run::Progress;
use crate::runtime_options::RuntimeOptions;
use nonius_abi::event::{Consumer, EventError, Module};
use nonius_finding::{Program, Report, Suppressions};
use nonius_machine::{Engine, Options, OptionsError, engine};
use nonius_oracle::{Spec, SpecError};
use nonius_recording::RecordingError;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ReplayError {
    #[error("cannot open {path}")]
    Open { path: String, source: io::Error },
    #[error("cannot replay {path}")]
    Read { path: String, source: RecordingError },
    #[error(transparent)]
    Oracle(#[from] SpecError),
    #[error(transparent)]
    Options(#[from] OptionsError),
}

/// What an oracle makes of the events in a file.
pub fn replay(path: &Path, options: &RuntimeOptions, progress: Progress) -> Result<Report, ReplayError> {
    let text = |key: &str| options.get(key).map(|value| value.to_string_lossy().into_owned());
    let spec = text("oracle").filter(|s| !s.is_empty()).map_or(Ok(Spec::default()), |s| s.parse())?;
    let mut settings = Options::default();
    for key in Options::KEYS {
        if let Some(value) = text(key) {
            settings.set(key, &value)?;
        }
    }
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|source| ReplayError::Open { path: shown.clone(), source })?;
    let mut machine = engine(spec, settings);
    let bytes = file.metadata().map_or(0, |m| m.len());
    let file = Arc::new(file);
    // Small: what is larger than the buffer, as all sections of events are, is read without a copy.
    let input = BufReader::with_capacity(1 << 12, Shared(file.clone()));
    let share = || (&*file).stream_position().map_or(0.0, |at| at as f64 / bytes.max(1) as f64);
    let tell = |operations| progress.iter().for_each(|tell| tell(operations, Some(share())));
    let summary = nonius_recording::read(input, &mut Telling { machine: &mut *machine, tell: &tell })
        .map_err(|source| ReplayError::Read { path: shown.clone(), source })?;
    let analysis = machine.analysis();
    let mut report = Report::new(Program { path: shown, ..Program::default() }, &spec.to_string());
    analysis.into_report(&mut report, &Suppressions::default());
    if !summary.complete {
        report.notes.push("the recording is not complete: the program was stopped, or the disk was full".to_owned());
    }
    Ok(report)
}

/// A file whose position can be asked for while it is read.
struct Shared(Arc<File>);

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.0).read(buffer)
    }
}

/// Hands everything to a machine, and tells how far it is.
struct Telling<'a> {
    machine: &'a mut dyn Engine,
    tell: &'a (dyn Fn(u64) + Sync),
}

impl Consumer for Telling<'_> {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.machine.module(module)
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        self.machine.events(thread, words);
        (self.tell)(self.machine.operations());
    }

    fn finish(&mut self) {
        self.machine.finish();
    }
}
