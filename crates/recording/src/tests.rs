use crate::{RecordingError, Writer, read};
use nonius_abi::code::{Block, Code, Function};
use nonius_abi::event::{Consumer, EventError, Module};
use proptest::prelude::*;
use std::io;

/// Keeps what it gets.
#[derive(Default, Debug, PartialEq)]
struct Events {
    modules: Vec<Module>,
    chunks: Vec<(u32, Vec<u64>)>,
    finished: bool,
}

impl Consumer for Events {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.modules.push(module);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        self.chunks.push((thread, words.to_vec()));
    }

    fn finish(&mut self) {
        self.finished = true;
    }
}

fn module(base: u32) -> Module {
    let mut sites = nonius_abi::table::Builder::default();
    let name = sites.string("f");
    sites.function(nonius_abi::site::Function { name, ..Default::default() }, &[]);
    let blocks = vec![Block { words: 2, enters: true, ..Block::default() }];
    let code = Code { functions: vec![Function::default()], blocks, ..Code::default() };
    Module { base, sites: sites.finish(), code, addresses: vec![0x4000_1000] }
}

fn feed(consumer: &mut dyn Consumer) {
    consumer.module(module(0)).unwrap();
    consumer.events(0, &[0, 5, 6, 0, 7, 8]);
    consumer.module(module(1)).unwrap();
    consumer.events(3, &[1, 9, u64::MAX]);
    consumer.finish();
}

fn sample() -> Vec<u8> {
    let mut bytes = Vec::new();
    feed(&mut Writer::new(&mut bytes));
    bytes
}

#[test]
fn a_file_reads_back_as_written() {
    let (mut expected, mut read_back) = (Events::default(), Events::default());
    feed(&mut expected);
    let summary = read(&sample()[..], &mut read_back).unwrap();
    assert_eq!(read_back, expected);
    assert!(summary.complete && summary.modules == 2 && summary.words == 9);
}

#[test]
fn foreign_files_are_told_apart() {
    let error = |bytes: &[u8]| read(bytes, &mut Events::default()).unwrap_err();
    assert!(matches!(error(b"\x7fELF"), RecordingError::Magic));
    let mut newer = sample();
    newer[8] = 99;
    assert!(matches!(error(&newer), RecordingError::Version { found: 99 }));
    let mut twice = sample();
    twice.truncate(twice.len() - 16);
    let again = twice[12..].to_vec();
    twice.extend(again);
    assert!(matches!(error(&twice), RecordingError::Events(EventError::Base { base: 0 })));
}

#[test]
fn a_cut_file_counts_as_far_as_it_goes() {
    let bytes = sample();
    let mut read_back = Events::default();
    let summary = read(&bytes[..bytes.len() - 17], &mut read_back).unwrap();
    assert!(!summary.complete && read_back.chunks.len() == 1 && read_back.finished);
}

/// A disk with room for some bytes.
struct Small(usize);

impl io::Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.0);
        self.0 -= n;
        if n == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(n) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_loses_events_and_nothing_else() {
    for room in [0, 10, 100] {
        let mut writer = Writer::new(Small(room));
        feed(&mut writer);
        assert_eq!(writer.error().map(io::Error::kind), Some(io::ErrorKind::StorageFull));
        assert_eq!(writer.words_lost(), 9);
    }
}

proptest! {
    #[test]
    fn no_damage_makes_the_reader_panic(at in 0usize..1000, value: u8, cut in 0usize..1000) {
        let mut bytes = sample();
        let len = bytes.len();
        bytes[at % len] = value;
        bytes.truncate(len - cut % len);
        let _ = read(&bytes[..], &mut Events::default());
    }
}
