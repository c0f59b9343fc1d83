//! The machine in a process beside the program. What the program hands on crosses in shared memory, and is safe there: a
//! program that crashes, is killed or never ends loses nothing of it, for its machine reports in its stead.
//!
//! ```text
//!  program: threads' buffers --copy, under the lock--> ring --> machine: walks, and answers when it is asked
//!     |  full: waits                                   ring <--/    |
//!     |  asks, waits for the answer                                 |  program gone: walks the rest, reports, ends
//!     +- fork: a slot for the child                                 +- forks itself: a machine for the child
//! ```
//! The machine is forked from the program before any of its code runs, by way of a process in between, so that the
//! program has no child that it does not know of. It has a session of its own, none of the program's descriptors but
//! stderr, and no signal reaches it. The program has no descriptor of it either: both sleep on words of the shared memory.
//! Whether the machine lives the program knows by a lock that the kernel takes from the dead; the machine sees by the
//! program's memory whether that is gone, be it by its end or by `exec`.
//!
//! Where there can be no such process the machine walks in the program's own threads, and the report says so. Abstract
//! execution always does: at each test the program waits for it. So do runs that stop at their first finding.

mod channel;
mod client;
mod message;
mod process;
mod spawn;

pub use process::{client, is_machine};
pub use spawn::start;

use super::targets::News;
use channel::{Shared, State, sleep, wake};
use message::{AnalysisMessage, Kind, SightMessage, packed, request_words, unpack};
use nonius_abi::event::{Admission, EventError, Module};
use nonius_machine::{Request, Settled, Sight};
use nonius_ring::{Reader, Writer};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often somebody who waits looks whether the other still lives.
const MOMENT: Duration = Duration::from_millis(100);
/// A machine that was not there after so long, and whose parent is gone, will not come.
const PATIENCE: Duration = Duration::from_secs(5);
/// Looks for an answer before it sleeps: a few microseconds.
const LOOKS: u32 = 200;
/// Words of a part.
const PART_WORDS: usize = 4096;

/// The program's end.
pub struct Beside {
    shared: Shared,
    slot: usize,
    writer: Writer,
    reader: Reader,
    admission: Admission,
    /// The machine is gone.
    is_gone: bool,
    /// The slot of the process that this one was forked from, for a machine that is still on its way.
    parent: usize,
    since: Instant,
    /// The slot of the child that is about to be forked.
    child: Option<usize>,
}

impl Beside {
    fn new(shared: Shared, slot: usize, parent: usize) -> Beside {
        Beside {
            shared,
            slot,
            writer: Writer::new(shared.to_machine(slot)),
            reader: Reader::new(shared.to_program(slot)),
            admission: Admission::default(),
            is_gone: false,
            parent,
            since: Instant::now(),
            child: None,
        }
    }

    /// Why the machine says nothing any more, if it does not.
    pub fn complaint(&self) -> Option<String> {
        self.is_gone.then(|| {
            let operations = self.shared.slot(self.slot).operations.load(Ordering::Relaxed);
            format!(
                "the analysis stopped after {operations} operations, with the process that it was made in (killed, or \
                 out of memory): what it had found is lost, nothing after it was looked at"
            )
        })
    }

    pub fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.admission.admit(&module)?;
        self.long(Kind::Module, &nonius_recording::module_bytes(&module));
        Ok(())
    }

    pub fn events(&mut self, thread: u32, words: &[u64]) {
        self.send(Kind::Events.tag(thread), &[words]);
    }

    /// Asks; what needs no answer is not waited for.
    pub fn request(&mut self, thread: u32, request: Request) -> Option<Sight> {
        let words = request_words(request);
        if request.note().is_some() {
            self.send(Kind::Request.tag(thread), &[&words]);
            return None;
        }
        let answer = self.ask(Kind::Ask.tag(thread), &words)?;
        serde_json::from_slice::<Option<SightMessage>>(&answer).ok()??.sight()
    }

    pub fn news(&mut self) -> Option<News> {
        let answer = self.ask(Kind::News.tag(0), &[])?;
        let (value, ideal, words): (u64, u64, String) = serde_json::from_slice(&answer).ok()?;
        Some(News { value: f64::from_bits(value), ideal: f64::from_bits(ideal), words })
    }

    /// What it came to, and why it stopped, if it did.
    pub fn analysis(&mut self) -> Option<(Settled, Option<String>)> {
        let answer = self.ask(Kind::Analysis.tag(0), &[])?;
        let mut answer: AnalysisMessage = serde_json::from_slice(&answer).ok()?;
        let stopped = answer.stopped.take();
        Some((answer.settled()?, stopped))
    }

    /// Options were set, or a suppression was added.
    pub fn set_options(&mut self, text: &str) {
        self.long(Kind::Options, text.as_bytes());
    }

    pub fn suppress(&mut self, entry: &str) {
        self.long(Kind::Suppression, entry.as_bytes());
    }

    /// The program has reported so far, and printed findings of these ids. `ends`: that was all.
    pub fn told(&mut self, printed: &str, ends: bool) {
        self.long(if ends { Kind::Ends } else { Kind::Told }, printed.as_bytes());
    }

    /// The program is about to fork: a machine for the child.
    pub fn before_fork(&mut self) {
        self.child = if self.is_gone { None } else { self.shared.take() };
        if let Some(child) = self.child {
            self.send(Kind::Fork.tag(0), &[&[child as u64]]);
        }
    }

    /// This is the child. An error: it has no machine.
    pub fn go_on_in_child(&mut self) -> Result<(), &'static str> {
        let Some(child) = self.child.filter(|_| !self.is_gone) else {
            return Err("there is no machine for it: too many processes at once");
        };
        let admission = std::mem::take(&mut self.admission);
        *self = Beside { admission, ..Beside::new(self.shared, child, self.slot) };
        self.shared.slot(child).client.store(client::own_pid(), Ordering::Release);
        Ok(())
    }

    /// Sends bytes, in parts.
    fn long(&mut self, kind: Kind, bytes: &[u8]) {
        for part in bytes.chunks(PART_WORDS * 8) {
            self.send(Kind::Part.tag(0), &[&[part.len() as u64], &packed(part)]);
        }
        self.send(kind.tag(0), &[]);
    }

    /// Sends a chunk, as soon as there is room for it.
    fn send(&mut self, tag: u64, parts: &[&[u64]]) {
        if self.is_gone || parts.iter().map(|part| part.len()).sum::<usize>() > self.writer.most_words() {
            return;
        }
        let slot = self.shared.slot(self.slot);
        if !self.writer.push(&slot.to_machine, tag, parts) {
            let mut writer = std::mem::replace(&mut self.writer, Writer::new(self.shared.to_machine(self.slot)));
            let sent = self.wait(0, || writer.push(&slot.to_machine, tag, parts).then_some(()));
            self.writer = writer;
            self.is_gone |= sent.is_none();
        }
        wake(&slot.machine_bell);
    }

    /// Asks, and waits for the answer.
    fn ask(&mut self, tag: u64, words: &[u64]) -> Option<Vec<u8>> {
        self.send(tag, &[words]);
        let (slot, mut bytes) = (self.shared.slot(self.slot), Vec::new());
        while !self.is_gone {
            let mut reader = std::mem::replace(&mut self.reader, Reader::new(self.shared.to_program(self.slot)));
            let chunk = self.wait(LOOKS, || reader.next(&slot.to_program).transpose());
            self.reader = reader;
            let Some(Ok(chunk)) = chunk else { break };
            match Kind::of(chunk.tag) {
                Some((Kind::Part, _)) => unpack(self.reader.memory().slice(chunk.at, chunk.words), &mut bytes)?,
                _ => {
                    self.reader.done(&slot.to_program, chunk);
                    return Some(bytes);
                }
            }
            self.reader.done(&slot.to_program, chunk);
            wake(&slot.machine_bell);
        }
        self.is_gone = true;
        None
    }

    /// Waits until there is what is asked for. `None`: the machine is gone.
    fn wait<T>(&self, looks: u32, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
        let bell = &self.shared.slot(self.slot).program_bell;
        for _ in 0..looks {
            if let Some(done) = ready() {
                return Some(done);
            }
            std::hint::spin_loop();
        }
        loop {
            bell.arm();
            let mut done = ready();
            if done.is_none() {
                sleep(bell, MOMENT);
                done = ready();
            }
            bell.disarm();
            if done.is_some() {
                return done;
            }
            if !self.lives() {
                return ready();
            }
        }
    }

    fn lives(&self) -> bool {
        let slot = self.shared.slot(self.slot);
        match slot.state() {
            State::Attached => slot.is_held(),
            // On its way, as long as somebody is there to bring it.
            State::Taken => {
                let parent = self.shared.slot(self.parent);
                self.since.elapsed() < PATIENCE || (parent.state() == State::Attached && parent.is_held())
            }
            State::Free | State::Refused => false,
        }
    }
}
