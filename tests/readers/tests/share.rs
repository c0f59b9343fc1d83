//! A small fixed share of what `fuzz_readers` does for hours.

use nonius_fuzz_readers::{READERS, Worker};

#[test]
fn no_reader_fails() {
    for reader in READERS {
        let mut worker = Worker::new(reader, 7);
        worker.cases(if reader.name == "recordings" { 3_000 } else { 20_000 });
        let failures = &worker.tally.failures;
        assert!(failures.is_empty(), "{}: {:?}", reader.name, failures.iter().map(|f| &f.what).collect::<Vec<_>>());
        assert!(worker.tally.outcomes > 3, "{}: all inputs came to the same", reader.name);
    }
}
