//! Who gets the events.

use super::{RECORDS, file};
use crate::options::Options;
use crate::output::of_this_process;
use nonius_abi::event::{CONTROL, Consumer, EventError, Module, header};
use nonius_machine::{Analysis, Engine, Request, Sight};
use nonius_recording::Writer;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::Ordering;

/// All that were asked for.
pub struct Targets {
    file: Option<Writer<file::Limited>>,
    machine: Option<Box<dyn Engine>>,
    /// Where the machine's operations are counted.
    counter: Option<File>,
}

/// Opens what the options ask for.
pub fn start(options: &Options) -> Result<(), String> {
    let mut targets = Targets::NONE;
    if let Some(path) = options.record.as_deref().map(of_this_process) {
        // Asked to keep nothing: then the file's format costs nothing either.
        if path != Path::new("/dev/null") {
            let file = file::create(&path).map_err(|error| format!("'record={}': {error}", path.display()))?;
            targets.file = Some(Writer::new(file::Limited::new(file)));
        }
    }
    if options.oracle.is_some() {
        crate::alloc::lend_to_gmp();
    }
    targets.machine =
        options.oracle.map(|spec| nonius_machine::engine(spec, nonius_machine::Options::from(&**options)));
    if let Some(path) = options.counter.as_deref().map(of_this_process).filter(|_| targets.machine.is_some()) {
        let file = file::create(&path);
        targets.counter = Some(file.map_err(|error| format!("'counter={}': {error}", path.display()))?);
    }
    super::lock().state.targets = targets;
    RECORDS.store(options.record.is_some() || options.oracle.is_some(), Ordering::Relaxed);
    Ok(())
}

impl Targets {
    pub const NONE: Targets = Targets { file: None, machine: None, counter: None };

    pub fn module(&mut self, module: Module) -> Result<(), EventError> {
        match (&mut self.file, &mut self.machine) {
            (Some(file), Some(machine)) => file.module(module.clone()).and_then(|()| machine.module(module)),
            (Some(file), None) => file.module(module),
            (None, Some(machine)) => machine.module(module),
            (None, None) => Ok(()),
        }
    }

    pub fn events(&mut self, thread: u32, words: &[u64]) {
        if let Some(file) = &mut self.file {
            file.events(thread, words);
        }
        if let Some(machine) = &mut self.machine {
            machine.events(thread, words);
            if let Some(counter) = &self.counter {
                // Nobody is harmed if it does not move.
                let _ = counter.write_all_at(&machine.operations().to_le_bytes(), 0);
            }
        }
    }

    /// The process may end here. Returns what the user must know.
    pub fn finish(&mut self) -> Option<String> {
        self.file.as_mut()?.finish();
        self.complaint()
    }

    /// Why the recorded file is not all of the run.
    pub fn complaint(&mut self) -> Option<String> {
        let file = self.file.as_ref()?;
        let error = file.error()?;
        Some(format!("the recorded events are not complete: {error} ({} words are missing)", file.words_lost()))
    }

    /// What the machine answers to the program.
    pub fn request(&mut self, request: Request) -> Option<Sight> {
        if let (Some(file), Some((note, word))) = (&mut self.file, request.note()) {
            file.events(0, &[header(0, CONTROL + note as u32), word]);
        }
        self.machine.as_mut()?.request(request)
    }

    /// What the machine makes of all so far.
    pub fn analysis(&mut self) -> Option<Analysis> {
        let machine = self.machine.as_mut()?;
        machine.finish();
        Some(machine.analysis())
    }
}
