//! Reads an event file, and hands its events on. Trusts nothing.

use crate::{END, EVENTS, HEADER_BYTES, MAGIC, MODULE, MOST_BYTES, MOST_WORDS};
use nonius_abi::ABI_VERSION;
use nonius_abi::code::{Code, CodeError};
use nonius_abi::event::{Admission, Consumer, EventError, Module};
use nonius_abi::table::{Table, TableError};
use std::io::{self, ErrorKind, Read};

#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("this is no Nonius event file")]
    Magic,
    #[error("the events were recorded by a Nonius of ABI {found}, this one is ABI {ABI_VERSION}: record them anew")]
    Version { found: u32 },
    #[error("the event file is damaged at byte {at}: {what}")]
    Corrupt { at: u64, what: &'static str },
    #[error("the event file is damaged: {0}")]
    Sites(#[from] TableError),
    #[error("the event file is damaged: {0}")]
    Code(#[from] CodeError),
    #[error("the event file is damaged: {0}")]
    Events(#[from] EventError),
    #[error("the event file cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// What a file held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub modules: u32,
    pub words: u64,
    /// The file ends as it should, and nothing was lost.
    pub complete: bool,
}

/// Hands the whole file to `consumer`, `finish` included. Events that were read before an error
/// have been handed on.
pub fn read(input: impl Read, consumer: &mut dyn Consumer) -> Result<Summary, RecordingError> {
    let mut reader = Reader { input, at: 0 };
    reader.header()?;
    let mut summary = Summary::default();
    // Modules are checked against each other here, whoever the consumer is.
    let mut admission = Admission::default();
    // Reused: a new one for each section would be new pages each time, which cost more than their words.
    let (mut bytes, mut unpacked, mut words) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(kind) = reader.section(&mut bytes)? {
        // A process that announced its end may have gone on.
        summary.complete = false;
        match kind {
            MODULE => {
                let module = module_at(&bytes, reader.at)?;
                admission.admit(&module)?;
                consumer.module(module)?;
                summary.modules += 1;
            }
            EVENTS => {
                let thread = reader.events(&bytes, &mut unpacked, &mut words)?;
                summary.words += words.len() as u64;
                consumer.events(thread, &words);
            }
            END => {
                let lost: [u8; 8] =
                    bytes.as_slice().try_into().map_err(|_| reader.corrupt("an end of another size"))?;
                summary.complete = u64::from_le_bytes(lost) == 0;
            }
            _ => return Err(reader.corrupt("a section of unknown kind")),
        }
    }
    consumer.finish();
    Ok(summary)
}

/// A module from the bytes of a section.
pub fn module_of(bytes: &[u8]) -> Result<Module, RecordingError> {
    module_at(bytes, 0)
}

fn module_at(bytes: &[u8], at: u64) -> Result<Module, RecordingError> {
    let corrupt = |what| RecordingError::Corrupt { at, what };
    let Some((counts, rest)) = bytes.split_at_checked(16) else {
        return Err(corrupt("a short module"));
    };
    let [base, sites, code, functions] = [0, 4, 8, 12].map(|at| word(counts, at));
    let parts = rest.split_at_checked(sites as usize);
    let parts = parts.and_then(|(sites, rest)| Some((sites, rest.split_at_checked(code as usize)?)));
    let Some((sites, (code, addresses))) = parts.filter(|p| p.1.1.len() == functions as usize * 8) else {
        return Err(corrupt("a module's parts do not fit"));
    };
    let addresses = addresses.chunks_exact(8).map(long).collect();
    Ok(Module { base, sites: Table::parse(sites)?, code: Code::parse(code)?, addresses })
}

struct Reader<R> {
    input: R,
    at: u64,
}

impl<R: Read> Reader<R> {
    fn corrupt(&self, what: &'static str) -> RecordingError {
        RecordingError::Corrupt { at: self.at, what }
    }

    /// Fills `buffer` as far as the file goes.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut have = 0;
        while have < buffer.len() {
            match self.input.read(&mut buffer[have..]) {
                Ok(0) => break,
                Ok(n) => have += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        self.at += have as u64;
        Ok(have)
    }

    fn header(&mut self) -> Result<(), RecordingError> {
        let mut head = [0; HEADER_BYTES as usize];
        let have = self.fill(&mut head)?;
        if have < head.len() || head[..8] != MAGIC {
            return Err(RecordingError::Magic);
        }
        let found = word(&head, 8);
        if found != ABI_VERSION {
            return Err(RecordingError::Version { found });
        }
        Ok(())
    }

    /// The next section; `None` where the file ends, in the middle of a section too: then the
    /// process that wrote it was stopped.
    fn section(&mut self, bytes: &mut Vec<u8>) -> Result<Option<u32>, RecordingError> {
        let mut head = [0; 8];
        if self.fill(&mut head)? < head.len() {
            return Ok(None);
        }
        let (kind, length) = (word(&head, 0), word(&head, 4));
        if length > MOST_BYTES || !(MODULE..=END).contains(&kind) {
            return Err(self.corrupt("a section of unknown kind or size"));
        }
        // Grows with what is really there, whatever the length says.
        bytes.clear();
        let have = (&mut self.input).take(u64::from(length)).read_to_end(bytes)?;
        self.at += have as u64;
        Ok((have == length as usize).then_some(kind))
    }

    /// Unpacks events into `words`; returns their thread.
    fn events(&self, bytes: &[u8], unpacked: &mut Vec<u8>, words: &mut Vec<u64>) -> Result<u32, RecordingError> {
        let Some((head, compressed)) = bytes.split_at_checked(8) else {
            return Err(self.corrupt("a short chunk of events"));
        };
        let (thread, count) = (word(head, 0), word(head, 4));
        if count > MOST_WORDS {
            return Err(self.corrupt("a chunk of too many events"));
        }
        unpacked.resize(count as usize * 8, 0);
        match lz4_flex::block::decompress_into(compressed, unpacked) {
            Ok(n) if n == unpacked.len() => {
                words.clear();
                words.extend(unpacked.chunks_exact(8).map(long));
                Ok(thread)
            }
            _ => Err(self.corrupt("events that cannot be unpacked")),
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[inline]
fn long(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}
