//! Who gets the events.

use super::{RECORDS, file};
use crate::options::Options;
use crate::output::of_this_process;
use nonius_abi::event::{Consumer, EventError, Module};
use nonius_machine::{Analysis, Engine, Request, Sight};
use nonius_recording::Writer;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::Ordering;

/// All that were asked for.
pub struct Targets {
    file: Option<Writer<File>>,
    machine: Option<Box<dyn Engine>>,
}

/// Opens what the options ask for.
pub fn start(options: &Options) -> Result<(), String> {
    let mut targets = Targets::NONE;
    if let Some(path) = options.record.as_deref().map(of_this_process) {
        // Asked to keep nothing: then the file's format costs nothing either.
        if path != Path::new("/dev/null") {
            let writer = file::create(&path).and_then(Writer::new);
            targets.file = Some(writer.map_err(|error| format!("'record={}': {error}", path.display()))?);
        }
    }
    if options.oracle.is_some() {
        crate::alloc::lend_to_gmp();
    }
    targets.machine = options.oracle.map(|spec| nonius_machine::engine(spec, machine_options(options)));
    super::lock().targets = targets;
    RECORDS.store(options.record.is_some() || options.oracle.is_some(), Ordering::Relaxed);
    Ok(())
}

fn machine_options(options: &Options) -> nonius_machine::Options {
    nonius_machine::Options {
        limits: options.limits,
        resume: options.resume,
        check_branch: options.check_branch,
        check_cast: options.check_cast,
        check_nan: options.check_nan,
        check_inf: options.check_inf,
        most_bytes: options.machine_mib << 20,
        ..nonius_machine::Options::default()
    }
}

impl Targets {
    pub const NONE: Targets = Targets { file: None, machine: None };

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
        }
    }

    /// The process may end here. Returns what the user must know.
    pub fn settle(&mut self) -> Option<String> {
        let file = self.file.as_mut()?;
        file.finish();
        let error = file.error()?;
        Some(format!("the recorded events are not complete: {error} ({} words are missing)", file.words_lost()))
    }

    /// What the machine answers to the program.
    pub fn request(&mut self, request: Request) -> Option<Sight> {
        self.machine.as_mut()?.request(request)
    }

    /// What the machine makes of all so far.
    pub fn analysis(&mut self) -> Option<Analysis> {
        let machine = self.machine.as_mut()?;
        machine.finish();
        Some(machine.analysis())
    }
}
