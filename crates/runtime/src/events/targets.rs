//! Who gets the events.

use super::{RECORDS, file};
use crate::options::Options;
use crate::output::of_this_process;
use nonius_abi::event::{Consumer, EventError, Module};
use nonius_recording::Writer;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::Ordering;

/// All that were asked for.
pub struct Targets {
    file: Option<Writer<File>>,
}

/// Opens what the options ask for.
pub fn start(options: &Options) -> Result<(), String> {
    let Some(path) = options.record.as_deref().map(of_this_process) else { return Ok(()) };
    let mut targets = Targets::NONE;
    // Asked to keep nothing: then the file's format costs nothing either.
    if path != Path::new("/dev/null") {
        let writer = file::create(&path).and_then(Writer::new);
        targets.file = Some(writer.map_err(|error| format!("'record={}': {error}", path.display()))?);
    }
    super::lock().targets = targets;
    RECORDS.store(true, Ordering::Relaxed);
    Ok(())
}

impl Targets {
    pub const NONE: Targets = Targets { file: None };

    pub fn module(&mut self, module: Module) -> Result<(), EventError> {
        match &mut self.file {
            Some(file) => file.module(module),
            None => Ok(()),
        }
    }

    pub fn events(&mut self, thread: u32, words: &[u64]) {
        if let Some(file) = &mut self.file {
            file.events(thread, words);
        }
    }

    /// The process may end here. Returns what the user must know.
    pub fn settle(&mut self) -> Option<String> {
        let file = self.file.as_mut()?;
        file.finish();
        let error = file.error()?;
        Some(format!("the recorded events are not complete: {error} ({} words are missing)", file.words_lost()))
    }
}
