//! Whether a recorded file reads as one: every event is of a block that is there, and frames nest.

use anyhow::{Context, Result};
use nonius_abi::code::Kind;
use nonius_abi::event::{Consumer, Event, EventError, Events, Module, Note, Objects};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

#[derive(Default)]
struct Walk {
    program: Objects,
    /// Frames of each thread: the function and the frame's number.
    frames: HashMap<u32, Vec<(usize, u32, u32)>>,
    /// Threads that lost events: frames that they entered meanwhile come without their first block.
    lost: HashSet<u32>,
    /// Events of frames that were never entered.
    orphans: u64,
    error: Option<EventError>,
}

impl Consumer for Walk {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.program.add(module)
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        let frames = self.frames.entry(thread).or_default();
        for event in Events::new(&self.program, words) {
            match event {
                Ok(Event::Ran { module, block, frame, .. }) => {
                    let block = &self.program.modules()[module].code.blocks[block as usize];
                    let this = (module, block.function, frame);
                    let adopted = self.lost.contains(&thread) && !frames.contains(&this);
                    if block.enters || adopted {
                        frames.push(this);
                    } else if !frames.contains(&this) {
                        self.orphans += 1;
                    }
                    while frames.last().is_some_and(|top| *top != this) && frames.contains(&this) {
                        frames.pop();
                    }
                    if block.steps.last().is_some_and(|step| step.kind == Kind::Return) {
                        frames.pop();
                    }
                }
                Ok(Event::Note { note: Note::Lost, .. }) => {
                    frames.clear();
                    self.lost.insert(thread);
                }
                Ok(Event::Note { note: Note::End, .. }) => frames.clear(),
                Ok(Event::Note { .. }) => {}
                Err(error) => self.error = self.error.take().or(Some(error)),
            }
        }
    }

    fn finish(&mut self) {}
}

/// What is wrong with a recorded file.
pub fn faults(path: &Path) -> Result<Vec<String>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut walk = Walk::default();
    let read = nonius_recording::read(BufReader::new(file), &mut walk);
    let mut faults: Vec<String> = read.err().into_iter().map(|e| format!("the record cannot be read: {e}")).collect();
    faults.extend(walk.error.map(|e| format!("the recorded events cannot be read: {e}")));
    if walk.orphans > 0 {
        faults.push(format!("{} events are of frames that were never entered", walk.orphans));
    }
    Ok(faults)
}
