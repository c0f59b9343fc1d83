//! Writes an event file.

use crate::{END, EVENTS, MAGIC, MODULE, MOST_WORDS};
use nonius_abi::ABI_VERSION;
use nonius_abi::event::{Consumer, EventError, Module};
use std::io::{self, Write};

/// A consumer that writes all it gets to `out`. After the first error, a full disk say, it takes
/// events and drops them: the program must go on.
pub struct Writer<W: Write> {
    out: W,
    error: Option<io::Error>,
    words_lost: u64,
    compressed: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub fn new(mut out: W) -> Writer<W> {
        let written = out.write_all(&MAGIC).and_then(|()| out.write_all(&ABI_VERSION.to_le_bytes()));
        Writer { out, error: written.err(), words_lost: 0, compressed: Vec::new() }
    }

    /// Why the file is not complete, if it is not.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    pub fn get_ref(&self) -> &W {
        &self.out
    }

    pub fn into_inner(self) -> W {
        self.out
    }

    pub fn words_lost(&self) -> u64 {
        self.words_lost
    }

    fn section(&mut self, kind: u32, parts: &[&[u8]]) {
        if self.error.is_some() {
            return;
        }
        let bytes: usize = parts.iter().map(|part| part.len()).sum();
        let head = [kind.to_le_bytes(), (bytes as u32).to_le_bytes()].concat();
        let written = self.out.write_all(&head).and_then(|()| parts.iter().try_for_each(|p| self.out.write_all(p)));
        self.error = written.err();
    }

    fn chunk(&mut self, thread: u32, words: &[u64]) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut compressed = std::mem::take(&mut self.compressed);
        compressed.resize(lz4_flex::block::get_maximum_output_size(bytes.len()), 0);
        // The room is as large as it can ever need.
        let used = lz4_flex::block::compress_into(&bytes, &mut compressed).unwrap_or(0);
        let head = [thread.to_le_bytes(), (words.len() as u32).to_le_bytes()].concat();
        self.section(EVENTS, &[&head, &compressed[..used]]);
        self.compressed = compressed;
    }
}

impl<W: Write + Send> Consumer for Writer<W> {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.section(MODULE, &[&module_bytes(&module)]);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        for part in words.chunks(MOST_WORDS as usize) {
            self.chunk(thread, part);
            if self.error.is_some() {
                self.words_lost += part.len() as u64;
            }
        }
    }

    fn finish(&mut self) {
        let lost = self.words_lost.to_le_bytes();
        self.section(END, &[&lost]);
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }
}

/// A module, as a section has it.
pub fn module_bytes(module: &Module) -> Vec<u8> {
    let (sites, code) = (module.sites.encode(), module.code.encode());
    let counts = [module.base, sites.len() as u32, code.len() as u32, module.addresses.len() as u32];
    let counts = counts.map(u32::to_le_bytes).concat();
    let addresses: Vec<u8> = module.addresses.iter().flat_map(|a| a.to_le_bytes()).collect();
    [counts, sites, code, addresses].concat()
}
