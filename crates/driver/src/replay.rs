//! Runs the shadow machine on a recorded run, without the program.

use crate::run::Progress;
use crate::runtime_options::{OptionForm, RuntimeOptions};
use nonius_abi::event::{Consumer, EventError, Module};
use nonius_finding::{Program, Report, SuppressionError, Suppressions};
use nonius_machine::{Engine, Fed, Options, Settled, executed};
use nonius_options::Values;
use nonius_recording::{RecordingError, Summary};
use nonius_report::Sources;
use std::any::Any;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ReplayError {
    #[error("cannot open {path}")]
    Open { path: String, source: io::Error },
    #[error("cannot replay {path}")]
    Read { path: String, source: RecordingError },
    #[error(
        "{path} changed while its run was executed again: it held {before} words of events, now {after}; copy it first"
    )]
    Changed { path: String, before: u64, after: u64 },
    #[error(transparent)]
    Options(#[from] OptionForm),
    #[error(transparent)]
    Suppressions(#[from] SuppressionError),
    #[error("the machine failed on {path}: {what}; please report this as a bug of Nonius, with the recording")]
    Panicked { path: String, what: String },
}

/// What an oracle makes of the events in a file.
pub fn replay(path: &Path, options: &RuntimeOptions, progress: Progress) -> Result<Report, ReplayError> {
    let values = options.values()?;
    guarded(path, || replayed(path, &values, progress))
}

/// A file from elsewhere must not end in a backtrace. The machine is gone with the panic.
fn guarded<T>(path: &Path, run: impl FnOnce() -> Result<T, ReplayError>) -> Result<T, ReplayError> {
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        Err(ReplayError::Panicked { path: path.display().to_string(), what: said_by(&*payload) })
    })
}

/// The words of a panic.
fn said_by(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}

fn replayed(path: &Path, values: &Values, progress: Progress) -> Result<Report, ReplayError> {
    let suppressions = values.suppressions.as_deref().map(Suppressions::read).transpose()?.unwrap_or_default();
    // What is not a file, a pipe say, can be read once.
    let most = if path.is_file() { values.reexecutions } else { 1 };
    let mut first: Option<Summary> = None;
    let feed = |machine: &mut dyn Engine| {
        let now = fed(path, machine, progress)?;
        let first = first.get_or_insert_with(|| now.clone());
        // Operations are known by their numbers: those of another run would be taken for the same.
        if *first != now {
            let path = path.display().to_string();
            return Err(ReplayError::Changed { path, before: first.words, after: now.words });
        }
        Ok(Fed::All)
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options { workers: values.jobs.unwrap_or_else(cores), ..Options::from(values) };
    let settled = executed(values.oracle.unwrap_or_default(), &options, most, feed)?;
    let Settled { mut analysis, oracle } = settled.expect("no replay is late");
    let program = Program { path: path.display().to_string(), ..Program::default() };
    let mut report = Report::new(program, &oracle.to_string());
    nonius_report::identify(&mut analysis.findings, &mut Sources::new(std::env::current_dir().ok()));
    analysis.into_report(&mut report, &suppressions);
    if first.is_none_or(|summary| !summary.complete) {
        report.notes.push("the recording is not complete: the program was stopped, or the disk was full".to_owned());
    }
    Ok(report)
}

/// Hands the file to a machine.
fn fed(path: &Path, machine: &mut dyn Engine, progress: Progress) -> Result<Summary, ReplayError> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|source| ReplayError::Open { path: shown.clone(), source })?;
    let bytes = file.metadata().map_or(0, |m| m.len());
    let file = Arc::new(file);
    // Small: what is larger than the buffer, as all sections of events are, is read without a copy.
    let input = BufReader::with_capacity(1 << 12, Shared(file.clone()));
    let share = || (&*file).stream_position().map_or(0.0, |at| at as f64 / bytes.max(1) as f64);
    let tell = |operations| progress.iter().for_each(|tell| tell(operations, Some(share())));
    nonius_recording::read(input, &mut Telling { machine, tell: &tell })
        .map_err(|source| ReplayError::Read { path: shown, source })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Cut off behind the first execution, at the last events that it told of.
    #[test]
    fn a_file_that_is_cut_off_between_executions_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.events");
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/replay/roots.events");
        std::fs::copy(recorded, &path).unwrap();
        let whole = std::fs::metadata(&path).unwrap().len();
        let under = |oracle: &str| {
            let mut options = RuntimeOptions::default();
            options.set("oracle", oracle);
            options
        };
        for oracle in ["residue-override", "auto"] {
            assert!(replay(&path, &under(oracle), None).is_ok(), "{oracle}");
        }
        let cut = |_: u64, share: Option<f64>| {
            if share.is_some_and(|share| share > 0.99) {
                File::options().write(true).open(&path).and_then(|file| file.set_len(whole / 2)).unwrap();
            }
        };
        let error = replay(&path, &under("residue-override"), Some(&cut)).unwrap_err().to_string();
        assert!(error.contains("a.events changed while its run was executed again"), "{error}");
    }

    #[test]
    fn a_panic_is_an_error_that_names_the_file() {
        let index = std::hint::black_box(3);
        let error = guarded(Path::new("a.events"), || Ok([1, 2][index])).unwrap_err().to_string();
        assert!(error.starts_with("the machine failed on a.events: index out of bounds"), "{error}");
        let error = guarded::<()>(Path::new("a.events"), || panic!("so")).unwrap_err().to_string();
        assert!(error.contains("a.events: so;"), "{error}");
    }
}
