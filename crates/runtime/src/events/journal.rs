//! The run's events so far, for oracles that execute them again: in a file without a name, which is gone with the process.
//!
//! A forked child reads what its parents wrote until then, and writes on in a file of its own.

use super::file::{self, Limited};
use nonius_abi::event::{CONTROL, Consumer, EventError, Module, Note, header};
use nonius_machine::{Engine, Fed};
use nonius_recording::{HEADER_BYTES, RecordingError, Writer, read};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub struct Journal {
    /// What this process's parents wrote before it was forked.
    before: Vec<Part>,
    writer: Writer<Limited>,
    folder: PathBuf,
    most_bytes: u64,
}

/// The bytes of a file from one place to another.
struct Part {
    file: File,
    from: u64,
    to: u64,
}

impl Journal {
    /// Takes at most so many bytes, and no more than half of what is free on the disk.
    pub fn new(folder: &Path, most_bytes: u64) -> io::Result<Journal> {
        let writer = new_file(folder, most_bytes)?;
        Ok(Journal { before: Vec::new(), writer, folder: folder.to_owned(), most_bytes })
    }

    pub fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.writer.module(module)
    }

    pub fn events(&mut self, thread: u32, words: &[u64]) {
        self.writer.events(thread, words);
    }

    /// This process was forked.
    pub fn go_on_in_child(&mut self) -> io::Result<()> {
        if self.writer.error().is_some() {
            return Ok(());
        }
        let writer = new_file(&self.folder, self.most_bytes)?;
        let parents = std::mem::replace(&mut self.writer, writer).into_inner();
        // Where the child's own begins, a file's header would be in the way.
        let from = if self.before.is_empty() { 0 } else { HEADER_BYTES };
        self.before.push(Part { from, to: parents.written(), file: parents.into_file() });
        self.events(0, &[header(0, CONTROL + Note::Forked as u32), 0]);
        Ok(())
    }

    /// How much there is.
    pub fn bytes(&self) -> u64 {
        self.writer.get_ref().written()
    }

    /// Why it is not all, if it is not.
    pub fn complaint(&self) -> Option<String> {
        let error = self.writer.error()?;
        Some(format!(
            "verdicts that are open could not be asked of a finer oracle: the run's events were not kept: {error}"
        ))
    }

    /// Hands all that was written to a machine, unless it is `until` before. Tells how far the machine is.
    pub fn feed(
        &self,
        machine: &mut dyn Engine,
        until: Option<Instant>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Fed, RecordingError> {
        let from = if self.before.is_empty() { 0 } else { HEADER_BYTES };
        let own = Part { file: self.writer.get_ref().file().try_clone()?, from, to: self.bytes() };
        let parts: Vec<&Part> = self.before.iter().chain([&own]).collect();
        let at = parts.first().map_or(0, |part| part.from);
        let mut guarded = InTime { machine, until, tell, is_late: false };
        read(Chain { parts, at }, &mut guarded)?;
        Ok(if guarded.is_late { Fed::Late } else { Fed::All })
    }
}

fn new_file(folder: &Path, most_bytes: u64) -> io::Result<Writer<Limited>> {
    let file = file::out_of_the_way(tempfile::tempfile_in(folder)?)?;
    let most_bytes = most_bytes.min(file::free_bytes(&file) / 2);
    Ok(Writer::new(Limited::new(file, most_bytes)))
}

/// Reads one part after the other. Never by a descriptor's own position: parents and children share it.
struct Chain<'a> {
    parts: Vec<&'a Part>,
    at: u64,
}

impl Read for Chain<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(part) = self.parts.first() {
            let most = buffer.len().min(part.to.saturating_sub(self.at) as usize);
            let count = part.file.read_at(&mut buffer[..most], self.at)?;
            if count > 0 || buffer.is_empty() {
                self.at += count as u64;
                return Ok(count);
            }
            self.parts.remove(0);
            self.at = self.parts.first().map_or(0, |next| next.from);
        }
        Ok(0)
    }
}

/// A machine that is given nothing more once its time is over.
struct InTime<'a> {
    machine: &'a mut dyn Engine,
    until: Option<Instant>,
    tell: &'a mut (dyn FnMut(u64) + Send),
    is_late: bool,
}

impl Consumer for InTime<'_> {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.machine.module(module)
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        self.is_late |= self.until.is_some_and(|until| Instant::now() >= until);
        if !self.is_late {
            self.machine.events(thread, words);
            (self.tell)(self.machine.operations());
        }
    }

    fn finish(&mut self) {
        self.machine.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_machine::{Analysis, Request, Sight};

    /// Keeps what it is given.
    #[derive(Default)]
    struct Given(Vec<(u32, Vec<u64>)>);

    impl Consumer for Given {
        fn module(&mut self, _: Module) -> Result<(), EventError> {
            Ok(())
        }

        fn events(&mut self, thread: u32, words: &[u64]) {
            self.0.push((thread, words.to_vec()));
        }

        fn finish(&mut self) {}
    }

    impl Engine for Given {
        fn analysis(&mut self) -> Analysis {
            Analysis::default()
        }

        fn operations(&self) -> u64 {
            self.0.len() as u64
        }

        fn found(&self) -> usize {
            0
        }

        fn is_settled(&self) -> bool {
            true
        }

        fn set_options(&mut self, _: nonius_machine::Options) {}

        fn request(&mut self, _: Request) -> Option<Sight> {
            None
        }
    }

    fn given(journal: &Journal) -> Vec<(u32, Vec<u64>)> {
        let mut machine = Given::default();
        assert_eq!(journal.feed(&mut machine, None, &mut |_| ()).unwrap(), Fed::All);
        machine.0
    }

    #[test]
    fn a_childs_journal_begins_with_its_parents() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::new(folder.path(), 1 << 20).unwrap();
        let forked = (0, vec![header(0, CONTROL + Note::Forked as u32), 0]);
        journal.events(0, &[1, 2]);
        journal.go_on_in_child().unwrap();
        journal.events(3, &[4]);
        assert_eq!(given(&journal), [(0, vec![1, 2]), forked.clone(), (3, vec![4])]);
        // Its own child's, and again: what was read can be read again.
        journal.go_on_in_child().unwrap();
        journal.events(5, &[6]);
        for _ in 0..2 {
            let all = [(0, vec![1, 2]), forked.clone(), (3, vec![4]), forked.clone(), (5, vec![6])];
            assert_eq!(given(&journal), all);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_journal_that_is_full_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::new(folder.path(), 60).unwrap();
        journal.events(0, &[1, 2]);
        assert_eq!(journal.complaint(), None);
        journal.events(0, &[7; 1000].map(|n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        journal.events(0, &(0..1000).map(|n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect::<Vec<_>>());
        let complaint = journal.complaint().expect("full");
        assert!(complaint.contains("record_mib"), "{complaint}");
    }

    #[test]
    fn a_machine_is_given_nothing_once_its_time_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::new(folder.path(), 1 << 20).unwrap();
        journal.events(0, &[1]);
        let mut machine = Given::default();
        assert_eq!(journal.feed(&mut machine, Some(Instant::now()), &mut |_| ()).unwrap(), Fed::Late);
        assert!(machine.0.is_empty());
    }
}
