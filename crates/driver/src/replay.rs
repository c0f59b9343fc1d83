//! Runs the shadow machine on a recorded run, without the program.

use crate::runtime_options::RuntimeOptions;
use nonius_finding::{Program, Report, Suppressions};
use nonius_machine::{Options, OptionsError, engine};
use nonius_oracle::{Spec, SpecError};
use nonius_recording::RecordingError;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
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
pub fn replay(path: &Path, options: &RuntimeOptions) -> Result<Report, ReplayError> {
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
    // Small: what is larger than the buffer, as all sections of events are, is read without a copy.
    let summary = nonius_recording::read(BufReader::with_capacity(1 << 12, file), &mut *machine)
        .map_err(|source| ReplayError::Read { path: shown.clone(), source })?;
    let analysis = machine.analysis();
    let mut report = Report::new(Program { path: shown, ..Program::default() }, &spec.to_string());
    analysis.into_report(&mut report, &Suppressions::default());
    if !summary.complete {
        report.notes.push("the recording is not complete: the program was stopped, or the disk was full".to_owned());
    }
    Ok(report)
}
