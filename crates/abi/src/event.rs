//! Events: what the recording clones write, and how it is read.
//!
//! A thread's events are a stream of 8-byte words, cut into chunks at whole records:
//!
//! ```text
//!  63          32 31           0
//! +--------------+--------------+
//! | frame        | block        |   header of an event
//! +--------------+--------------+
//! | the block's recorded words  |   as many as the code table says
//! +-----------------------------+
//! ```
//! *block* is the index in the object's code table plus the object's base, which the runtime gives
//! out when the object registers; so it names one block of the whole process. *frame* is the low half
//! of an address in the stack frame of the function that ran: two frames of a thread that live
//! at one time never share it. A machine that keeps a stack of frames is right whatever happens:
//!
//! * an event of a block that `enters` pushes a frame;
//! * `Return` pops it;
//! * an event of another frame than the top one: control left by unwinding, `longjmp` or `exit`; pop
//!   until its frame is on top. If it is not there at all (a stack was switched, events were dropped),
//!   begin one in which nothing is known.
//!
//! Blocks from [`CONTROL`] on are no blocks but notes of the runtime: [`Note`], one word each behind
//! the header; the frame half is 0.

use crate::code::{Block, Code, Size};
use crate::table::Table;

/// Blocks of all objects together stay below this number.
pub const CONTROL: u32 = 0xffff_0000;

/// Something that the runtime says in a thread's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Note {
    /// Events are missing before this point: frames begin anew. The word is how many words, 0 if unknown.
    Lost,
    /// The thread ended.
    End,
    /// The program's own requests, each a chunk of its own. The word is the set of stages,
    BeginStage,
    EndStage,
    /// whether to analyse from here on,
    Analyse,
    /// or nothing.
    Reset,
    /// Code that does not record moved bytes. The word is the address that they went to.
    To,
    /// The address that they came from; 0: from something that has no shadows.
    From,
    /// How many: with this the move is done.
    Copy,
    /// What follows is a forked child's, in a chunk of its own: what was found before is its parent's.
    Forked,
    /// Up to eight bytes of the name of the task that begins next; see [`task_begin`].
    Name,
    /// A task begins: what the thread records from here on is looked at by itself. The word is how many bytes its name
    /// has.
    BeginTask,
    /// The task ends.
    EndTask,
}

impl Note {
    pub const ALL: [Note; 13] = [
        Note::Lost,
        Note::End,
        Note::BeginStage,
        Note::EndStage,
        Note::Analyse,
        Note::Reset,
        Note::To,
        Note::From,
        Note::Copy,
        Note::Forked,
        Note::Name,
        Note::BeginTask,
        Note::EndTask,
    ];

    /// The note that a header is of.
    pub fn of(header: u64) -> Option<Note> {
        let number = (header as u32).checked_sub(CONTROL)?;
        Note::ALL.get(number as usize).copied()
    }
}

/// Bytes of a task's name that are kept.
const NAME_BYTES: usize = 64;

/// The chunk that begins a task: its name in notes of eight bytes each, then the note that says how long it is.
pub fn task_begin(name: &str) -> Vec<u64> {
    let mut bytes = name.len().min(NAME_BYTES);
    while !name.is_char_boundary(bytes) {
        bytes -= 1;
    }
    let mut chunk = Writer::default();
    for part in name.as_bytes()[..bytes].chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        chunk.note(Note::Name, u64::from_le_bytes(word));
    }
    chunk.note(Note::BeginTask, bytes as u64);
    chunk.words
}

/// The chunk that ends a task.
pub fn task_end() -> Vec<u64> {
    let mut chunk = Writer::default();
    chunk.note(Note::EndTask, 0);
    chunk.words
}

/// Where a task begins or ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskMark {
    Begin(String),
    End,
}

impl TaskMark {
    /// The mark that a chunk of events is, if it is one. A name that is damaged is what can be read of it.
    pub fn of(words: &[u64]) -> Option<TaskMark> {
        let first = Note::of(*words.first()?)?;
        if !matches!(first, Note::Name | Note::BeginTask | Note::EndTask) || words.len() > 2 + NAME_BYTES / 4 {
            return None;
        }
        let mut name = Vec::new();
        for note in words.chunks_exact(2) {
            match Note::of(note[0])? {
                Note::Name => name.extend(note[1].to_le_bytes()),
                Note::BeginTask => {
                    name.truncate(usize::try_from(note[1]).unwrap_or(usize::MAX));
                    return Some(TaskMark::Begin(String::from_utf8_lossy(&name).into_owned()));
                }
                Note::EndTask => return Some(TaskMark::End),
                _ => return None,
            }
        }
        None
    }
}

/// An object of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The number of its first block.
    pub base: u32,
    pub sites: Table,
    pub code: Code,
    /// Where each function of the code table lies in memory; calls by address name it so.
    pub addresses: Vec<u64>,
}

/// All objects, by base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    modules: Vec<Module>,
    admission: Admission,
}

#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum EventError {
    #[error("the code table does not belong to the site table: they come from different builds")]
    Tables,
    #[error("an object has {have} function addresses for {need} functions")]
    Addresses { have: usize, need: usize },
    #[error("an object's blocks begin at {base}, where another's already are")]
    Base { base: u32 },
    #[error("the code tables together have {lanes} lanes, more than any program of their length")]
    TooLarge { lanes: u64 },
    #[error("block {block} of word {at} is in no object")]
    Block { at: usize, block: u32 },
    #[error("the event at word {at} is cut off")]
    Truncated { at: usize },
}

/// Which objects belong together: whoever takes objects asks here first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    next_base: u32,
    size: Size,
}

impl Admission {
    /// Takes an object, or says what is wrong with it. Objects come in the order of their bases.
    pub fn admit(&mut self, module: &Module) -> Result<(), EventError> {
        let end = u64::from(module.base) + module.code.blocks.len() as u64;
        if module.base < self.next_base || end > u64::from(CONTROL) {
            return Err(EventError::Base { base: module.base });
        }
        let (have, need) = (module.addresses.len(), module.code.functions.len());
        if have != need {
            return Err(EventError::Addresses { have, need });
        }
        if !module.code.fits(&module.sites) {
            return Err(EventError::Tables);
        }
        let size = self.size.plus(module.code.size());
        if !size.is_sound() {
            return Err(EventError::TooLarge { lanes: size.lanes });
        }
        *self = Admission { next_base: end as u32, size };
        Ok(())
    }

    /// The base that the next object can have.
    pub fn next_base(&self) -> u32 {
        self.next_base
    }
}

impl Objects {
    /// Adds an object.
    pub fn add(&mut self, module: Module) -> Result<(), EventError> {
        self.admission.admit(&module)?;
        self.modules.push(module);
        Ok(())
    }

    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    pub fn next_base(&self) -> u32 {
        self.admission.next_base()
    }

    /// The object that block `number` is in: its index, and the block's index in it.
    pub fn find(&self, number: u32) -> Option<(usize, u32)> {
        let module = self.modules.partition_point(|m| m.base <= number).checked_sub(1)?;
        let block = number - self.modules[module].base;
        ((block as usize) < self.modules[module].code.blocks.len()).then_some((module, block))
    }
}

/// A word of the stream, read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    Ran {
        /// Index of the object in the program, and of the block in its code table.
        module: usize,
        block: u32,
        frame: u32,
        words: &'a [u64],
    },
    Note {
        note: Note,
        word: u64,
    },
}

/// The header of an event.
pub const fn header(frame: u32, block: u32) -> u64 {
    (frame as u64) << 32 | block as u64
}

/// Walks a chunk. Ends at the first error.
#[derive(Debug)]
pub struct Events<'a> {
    program: &'a Objects,
    words: &'a [u64],
    at: usize,
    /// Most events are of the object of the one before.
    module: usize,
}

impl<'a> Events<'a> {
    pub fn new(program: &'a Objects, words: &'a [u64]) -> Events<'a> {
        Events { program, words, at: 0, module: 0 }
    }

    fn read(&mut self, header: u64) -> Result<Event<'a>, EventError> {
        let (frame, number) = ((header >> 32) as u32, header as u32);
        let at = self.at;
        if number >= CONTROL {
            let note = Note::of(header).ok_or(EventError::Block { at, block: number })?;
            let word = *self.words.get(at + 1).ok_or(EventError::Truncated { at })?;
            self.at += 2;
            return Ok(Event::Note { note, word });
        }
        let (module, block, code) = self.find(number).ok_or(EventError::Block { at, block: number })?;
        let end = at + 1 + code.words as usize;
        let words = self.words.get(at + 1..end).ok_or(EventError::Truncated { at })?;
        self.at = end;
        Ok(Event::Ran { module, block, frame, words })
    }

    fn find(&mut self, number: u32) -> Option<(usize, u32, &'a Block)> {
        let last = self.program.modules.get(self.module)?;
        let near = number.checked_sub(last.base).and_then(|b| Some((b, last.code.blocks.get(b as usize)?)));
        if let Some((block, code)) = near {
            return Some((self.module, block, code));
        }
        let (module, block) = self.program.find(number)?;
        self.module = module;
        Some((module, block, &self.program.modules[module].code.blocks[block as usize]))
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, EventError>;

    fn next(&mut self) -> Option<Self::Item> {
        let header = *self.words.get(self.at)?;
        let event = self.read(header);
        if event.is_err() {
            self.at = self.words.len();
        }
        Some(event)
    }
}

/// Writes a stream by hand, for tests.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    pub words: Vec<u64>,
}

impl Writer {
    pub fn event(&mut self, frame: u32, block: u32, words: &[u64]) -> &mut Writer {
        self.words.push(header(frame, block));
        self.words.extend_from_slice(words);
        self
    }

    pub fn note(&mut self, note: Note, word: u64) -> &mut Writer {
        self.event(0, CONTROL + note as u32, &[word])
    }
}

/// Who takes the events of a run: a machine in the program's own threads, or a file.
///
/// Called with a lock held, by any thread of the program. Objects come before their first event.
pub trait Consumer: Send {
    fn module(&mut self, module: Module) -> Result<(), EventError>;

    /// A chunk of whole records of thread `thread` (numbered from 0 as they start).
    fn events(&mut self, thread: u32, words: &[u64]);

    /// No more events will come.
    fn finish(&mut self);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Function;
    use proptest::prelude::*;

    fn program() -> Objects {
        let module = |base, sizes: &[u32]| {
            let mut sites = crate::table::Builder::default();
            sites.function(crate::site::Function::default(), &[]);
            let blocks = sizes.iter().map(|&words| Block { words, ..Block::default() }).collect();
            let code = Code { functions: vec![Function::default()], blocks, ..Code::default() };
            Module { base, sites: sites.finish(), code, addresses: vec![0x1000] }
        };
        let mut program = Objects::default();
        program.add(module(0, &[0, 2])).unwrap();
        program.add(module(10, &[1])).unwrap();
        program
    }

    #[test]
    fn a_stream_reads_back_as_written() {
        let program = program();
        let mut w = Writer::default();
        w.event(7, 1, &[5, 6]).event(8, 10, &[9]).note(Note::Lost, 3).note(Note::Copy, 8).event(7, 0, &[]);
        let read: Result<Vec<_>, _> = Events::new(&program, &w.words).collect();
        let expected = vec![
            Event::Ran { module: 0, block: 1, frame: 7, words: &[5, 6] },
            Event::Ran { module: 1, block: 0, frame: 8, words: &[9] },
            Event::Note { note: Note::Lost, word: 3 },
            Event::Note { note: Note::Copy, word: 8 },
            Event::Ran { module: 0, block: 0, frame: 7, words: &[] },
        ];
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn the_marks_of_tasks_read_back_as_written() {
        let long = "a name of a task that is too long by far, with ü at its end: ..üüüü";
        for name in ["", "solve", "eight by", "with ü", long] {
            let Some(TaskMark::Begin(read)) = TaskMark::of(&task_begin(name)) else { panic!("{name}") };
            assert!(name.starts_with(&read) && (read == name || read.len() > NAME_BYTES - 4), "{name}: {read}");
        }
        assert_eq!(TaskMark::of(&task_end()), Some(TaskMark::End));
        assert_eq!(TaskMark::of(&[header(0, CONTROL + Note::Lost as u32), 0]), None);
        assert_eq!(TaskMark::of(&[header(0, CONTROL + Note::Name as u32), 7]), None);
        assert_eq!(TaskMark::of(&[]), None);
    }

    #[test]
    fn bad_streams_and_objects_are_refused() {
        let program = program();
        let only = |words: &[u64]| Events::new(&program, words).find_map(Result::err);
        assert_eq!(only(&[5]), Some(EventError::Block { at: 0, block: 5 }));
        assert_eq!(only(&[1, 2]), Some(EventError::Truncated { at: 0 }));
        let unknown = CONTROL + Note::ALL.len() as u32;
        assert_eq!(only(&[unknown.into()]), Some(EventError::Block { at: 0, block: unknown }));
        let mut twice = program.clone();
        assert_eq!(twice.add(program.modules[1].clone()), Err(EventError::Base { base: 10 }));
        let orphan = Module { base: 20, sites: Table::default(), ..program.modules[1].clone() };
        assert_eq!(twice.add(orphan), Err(EventError::Tables));
    }

    proptest! {
        #[test]
        fn no_stream_makes_the_reader_panic(words in proptest::collection::vec(0u64..12, 0..40)) {
            let program = program();
            let _ = Events::new(&program, &words).count();
        }
    }
}
