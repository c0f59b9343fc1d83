//! What an image's log says of the process: how it was started, its objects with their site tables, its regions.
//!
//! A record is its length and its kind, a word each, then words and texts; a text is its length and its bytes, up to the
//! next word. What is cut off or makes no sense ends the log.

/// An executable or library that was in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Added to an address of the file to get one in memory.
    pub bias: u64,
    /// As the loader knew it; empty for the executable.
    pub name: Vec<u8>,
    pub path: Vec<u8>,
    /// Where its segments lay: from, to.
    pub segments: Vec<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record<'a> {
    /// How the process was started. `is_child`: it was forked from one that the runtime started in.
    Program {
        path: &'a [u8],
        arguments: Vec<&'a [u8]>,
        folder: &'a [u8],
        suppressions: &'a [u8],
        is_child: bool,
    },
    /// An object's site table: the address by which places name it, that of the table, its first tally, its object's file.
    Module {
        module: u64,
        address: u64,
        first: u64,
        file: &'a [u8],
        table: &'a [u8],
    },
    /// What is loaded from now on.
    Objects(Vec<Object>),
    Region {
        number: u64,
        name: &'a [u8],
    },
}

const PROGRAM: u64 = 1;
const MODULE: u64 = 2;
const OBJECTS: u64 = 3;
const REGION: u64 = 4;
const WORD: usize = 8;

impl Record<'_> {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Out(vec![0; WORD]);
        match self {
            Record::Program { path, arguments, folder, suppressions, is_child } => {
                out.word(PROGRAM).text(path).word(arguments.len() as u64);
                for argument in arguments {
                    out.text(argument);
                }
                out.text(folder).text(suppressions).word(u64::from(*is_child));
            }
            Record::Module { module, address, first, file, table } => {
                out.word(MODULE).word(*module).word(*address).word(*first).text(file).text(table);
            }
            Record::Objects(objects) => {
                out.word(OBJECTS).word(objects.len() as u64);
                for object in objects {
                    out.word(object.bias).text(&object.name).text(&object.path).word(object.segments.len() as u64);
                    for (from, to) in &object.segments {
                        out.word(*from).word(*to);
                    }
                }
            }
            Record::Region { number, name } => {
                out.word(REGION).word(*number).text(name);
            }
        }
        let bytes = (out.0.len() as u64).to_le_bytes();
        out.0[..WORD].copy_from_slice(&bytes);
        out.0
    }
}

struct Out(Vec<u8>);

impl Out {
    fn word(&mut self, word: u64) -> &mut Out {
        self.0.extend_from_slice(&word.to_le_bytes());
        self
    }

    fn text(&mut self, text: &[u8]) -> &mut Out {
        self.word(text.len() as u64);
        self.0.extend_from_slice(text);
        self.0.resize(self.0.len().next_multiple_of(WORD), 0);
        self
    }
}

/// The records of a log, in order.
pub fn records(log: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let mut rest = log;
    std::iter::from_fn(move || {
        let bytes = usize::try_from(In(rest).word()?).ok().filter(|bytes| *bytes >= WORD)?;
        let (record, behind) = rest.split_at_checked(bytes)?;
        rest = behind;
        decode(In(&record[WORD..]))
    })
}

fn decode(mut input: In) -> Option<Record> {
    let kind = input.word()?;
    Some(match kind {
        PROGRAM => {
            let path = input.text()?;
            let count = input.count()?;
            let arguments = (0..count).map(|_| input.text()).collect::<Option<_>>()?;
            let (folder, suppressions) = (input.text()?, input.text()?);
            Record::Program { path, arguments, folder, suppressions, is_child: input.word()? != 0 }
        }
        MODULE => Record::Module {
            module: input.word()?,
            address: input.word()?,
            first: input.word()?,
            file: input.text()?,
            table: input.text()?,
        },
        OBJECTS => {
            let count = input.count()?;
            Record::Objects((0..count).map(|_| input.object()).collect::<Option<_>>()?)
        }
        REGION => Record::Region { number: input.word()?, name: input.text()? },
        _ => return None,
    })
}

struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk::<WORD>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    /// A number of things, each of which takes a word at least.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.word()?).ok().filter(|count| *count <= self.0.len() / WORD)
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let bytes = usize::try_from(self.word()?).ok()?;
        let text = self.0.get(..bytes)?;
        self.0 = self.0.get(bytes.next_multiple_of(WORD)..)?;
        Some(text)
    }

    fn object(&mut self) -> Option<Object> {
        let bias = self.word()?;
        let (name, path) = (self.text()?.to_vec(), self.text()?.to_vec());
        let count = self.count()?;
        let segments = (0..count).map(|_| Some((self.word()?, self.word()?))).collect::<Option<_>>()?;
        Some(Object { bias, name, path, segments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Record<'static>> {
        let arguments: Vec<&[u8]> = vec![b"-n", b"", b"\xff three"];
        let object = Object {
            bias: 3,
            name: b"libm.so.6".to_vec(),
            path: b"/lib/libm".to_vec(),
            segments: vec![(1, 2), (5, 9)],
        };
        vec![
            Record::Program { path: b"/a/b", arguments, folder: b"/tmp", suppressions: b"", is_child: true },
            Record::Module { module: 4096, address: 77, first: 12, file: b"", table: &[7; 33] },
            Record::Objects(vec![object.clone(), Object { segments: Vec::new(), ..object }]),
            Record::Region { number: 2, name: b"solve" },
        ]
    }

    #[test]
    fn records_come_back() {
        let log: Vec<u8> = samples().iter().flat_map(Record::encode).chain([0; 64]).collect();
        assert_eq!(records(&log).collect::<Vec<_>>(), samples());
    }

    /// Cut anywhere, and with any byte changed: what is read is a beginning, and nothing panics.
    #[test]
    fn damaged_logs_end_early() {
        let log: Vec<u8> = samples().iter().flat_map(Record::encode).collect();
        for at in 0..log.len() {
            let read: Vec<_> = records(&log[..at]).collect();
            assert_eq!(read, samples()[..read.len()]);
            for change in [1, 0x80, 0xff] {
                let mut damaged = log.clone();
                damaged[at] ^= change;
                assert!(records(&damaged).count() <= samples().len());
            }
        }
    }
}
