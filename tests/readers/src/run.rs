//! A run: inputs are made, read, and kept if they came to something new.

use crate::Outcome;
use crate::mutate::{MOST_BYTES, change};
use crate::random::Random;
use crate::readers::Reader;
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Processor time that a reader may take for one input. Inputs have a few kilobytes.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Inputs that are kept to be changed further.
const MOST_KEPT: usize = 512;
/// The clock is looked at once in so many reads.
const BATCH: u32 = 16;

/// An input that a reader failed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub reader: &'static str,
    pub input: Vec<u8>,
    /// What it said, or how long it took.
    pub what: String,
}

/// What a worker did with one reader.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub cases: u64,
    pub time: Duration,
    /// Different outcomes.
    pub outcomes: usize,
    pub failures: Vec<Failure>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.time += other.time;
        self.outcomes = self.outcomes.max(other.outcomes);
        for failure in other.failures {
            if !self.failures.iter().any(|f| f.reader == failure.reader && f.what == failure.what) {
                self.failures.push(failure);
            }
        }
    }
}

/// One reader under test, on one thread.
pub struct Worker {
    reader: &'static Reader,
    random: Random,
    pool: Vec<Vec<u8>>,
    seen: HashSet<Outcome>,
    pub tally: Tally,
}

impl Worker {
    pub fn new(reader: &'static Reader, seed: u64) -> Worker {
        let pool = (reader.seeds)();
        assert!(!pool.is_empty(), "{} has no valid input", reader.name);
        Worker { reader, random: Random::new(seed), pool, seen: HashSet::new(), tally: Tally::default() }
    }

    pub fn reader(&self) -> &'static Reader {
        self.reader
    }

    /// So many inputs.
    pub fn cases(&mut self, count: u64) {
        let start = own_time();
        let mut left = count;
        while left > 0 {
            let batch = left.min(BATCH.into());
            self.batch(batch);
            left -= batch;
        }
        self.tally.time += own_time() - start;
    }

    fn batch(&mut self, count: u64) {
        let start = own_time();
        let mut last = Vec::new();
        for _ in 0..count {
            last = self.next_input();
            self.read(&last);
        }
        // Only what is slow by itself: the batch is read one by one then.
        if own_time() - start > MOST_TIME {
            let start = own_time();
            self.read(&last);
            let time = own_time() - start;
            if time > MOST_TIME {
                self.fail(last, format!("took {} s", time.as_secs()));
            }
        }
    }

    fn next_input(&mut self) -> Vec<u8> {
        let Worker { reader, random, pool, .. } = self;
        let mut input = random.pick(pool).clone();
        let by_fields = reader.change.filter(|_| !random.once_in(4));
        if let Some(changed) = by_fields.and_then(|change| change(&input, random)) {
            input = changed;
        } else {
            let other = random.below(pool.len());
            change(random, &mut input, reader.words, &pool[other]);
        }
        input
    }

    /// Reads an input, and keeps it if nothing like it was seen.
    fn read(&mut self, input: &[u8]) {
        self.tally.cases += 1;
        match catch_unwind(AssertUnwindSafe(|| (self.reader.read)(input))) {
            Ok(outcome) => {
                if self.seen.len() < 1 << 16 && self.seen.insert(outcome) && input.len() < MOST_BYTES {
                    self.keep(input.to_vec());
                }
                self.tally.outcomes = self.seen.len();
            }
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
                self.fail(input.to_vec(), text);
            }
        }
    }

    fn keep(&mut self, input: Vec<u8>) {
        if self.pool.len() < MOST_KEPT {
            self.pool.push(input);
        } else {
            let at = self.random.below(self.pool.len());
            self.pool[at] = input;
        }
    }

    fn fail(&mut self, input: Vec<u8>, what: String) {
        let what: String = what.chars().take(200).collect();
        let reader = self.reader.name;
        self.tally.add(Tally { failures: vec![Failure { reader, input, what }], ..Tally::default() });
    }
}

/// The processor time of this thread: others may keep the machine busy.
fn own_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
