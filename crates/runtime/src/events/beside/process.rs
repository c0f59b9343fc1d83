//! The machine's process: walks what comes, answers, and reports in the program's stead if that is gone before it could.

use super::channel::{Shared, Slot, State, sleep, wake};
use super::client::Client;
use super::message::{AnalysisMessage, Kind, SightMessage, packed, request_of, unpack};
use super::spawn::{_Fork, leave_program};
use super::{MOMENT, PART_WORDS};
use crate::events::targets::Targets;
use crate::events::{RECORDS, STATE};
use crate::options::{self, Options};
use crate::output::of_this_process;
use crate::thread::Inside;
use crate::{exit, fork, suppress};
use nonius_oracle::Spec;
use nonius_ring::{Chunk, Reader, Writer};
use std::fs::File;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The process that this one speaks for, 0 if it is no machine.
static CLIENT: AtomicU32 = AtomicU32::new(0);

/// The process that this one speaks for, if it is a machine.
pub fn client() -> Option<u32> {
    Some(CLIENT.load(Ordering::Relaxed)).filter(|pid| *pid != 0)
}

pub fn is_machine() -> bool {
    client().is_some()
}

/// Once the program has reported it is most likely about to end, or to become another.
const QUICK: Duration = Duration::from_millis(1);
const QUICK_LOOKS: u32 = 30;
/// A program that waits for room is woken once half of it is free, or as late: it may have to answer to more than the machine.
const LATEST: Duration = Duration::from_millis(10);
/// A child of the program has said who it is by then.
const MOST: Duration = Duration::from_secs(10);

pub struct Process {
    shared: Shared,
    number: usize,
    slot: &'static Slot,
    reader: Reader,
    writer: Writer,
    client: Client,
    /// Bytes of a chunk that comes in parts.
    bytes: Vec<u8>,
    /// How many findings there were when the program reported; `None` if it has not.
    told: Option<usize>,
    /// It has said that it ends.
    is_over: bool,
    /// Looks in quick succession that are left.
    quick: u32,
    /// When the program was woken last.
    woken: Instant,
    /// Held as long as something may be left to tell: 'nonius run' waits for it.
    _lock: Option<File>,
}

impl Process {
    /// Is the machine until the program is gone.
    pub fn begin(shared: Shared, number: usize, client: Client, options: &Options, oracle: Spec) {
        leave_program(client.descriptors(), !options.quiet);
        std::mem::forget(Inside::enter());
        become_machine_of(client.pid);
        let begun = crate::guarded(|| {
            with(|targets| *targets = Targets::walking(options, oracle));
            RECORDS.store(true, Ordering::Relaxed);
            Process::new(shared, number, client)
        });
        match begun {
            Some(process) if process.slot.hold() && process.slot.attach() => process.serve(),
            _ => shared.slot(number).set_state(State::Refused),
        }
    }

    fn new(shared: Shared, number: usize, client: Client) -> Process {
        Process {
            shared,
            number,
            slot: shared.slot(number),
            reader: Reader::new(shared.to_machine(number)),
            writer: Writer::new(shared.to_program(number)),
            client,
            bytes: Vec::new(),
            told: None,
            is_over: false,
            quick: 0,
            woken: Instant::now(),
            _lock: lock(options::current()),
        }
    }

    fn serve(mut self) {
        let mut is_last = false;
        loop {
            match self.reader.next(&self.slot.to_machine) {
                Ok(Some(chunk)) => {
                    let forked = crate::guarded(|| self.take(chunk)).flatten();
                    if self.reader.done(&self.slot.to_machine, chunk) || self.woken.elapsed() > LATEST {
                        wake(&self.slot.program_bell);
                        self.woken = Instant::now();
                    }
                    if let Some(child) = forked {
                        self = self.forked(child);
                    }
                }
                // What it handed on before its end is all there.
                Ok(None) if is_last => break,
                Ok(None) => is_last = self.idle(),
                Err(what) => {
                    let why = format!("the program has written over its events: {what}");
                    with(|targets| targets.stopped = targets.stopped.take().or(Some(why)));
                    break;
                }
            }
        }
        self.end()
    }

    /// Sleeps for a while, or until there is something to do. Returns whether the program is gone.
    fn idle(&mut self) -> bool {
        let bell = &self.slot.machine_bell;
        bell.arm();
        if matches!(self.reader.next(&self.slot.to_machine), Ok(None)) {
            sleep(bell, if self.quick > 0 { QUICK } else { MOMENT });
        }
        bell.disarm();
        self.quick = self.quick.saturating_sub(1);
        matches!(self.reader.next(&self.slot.to_machine), Ok(None)) && self.client.is_gone()
    }

    /// Does what a chunk asks for. Returns the slot of a child that the program is about to fork.
    fn take(&mut self, chunk: Chunk) -> Option<usize> {
        let words = self.reader.memory().slice(chunk.at, chunk.words);
        let (kind, thread) = Kind::of(chunk.tag)?;
        match kind {
            Kind::Part => {
                unpack(words, &mut self.bytes);
                return None;
            }
            // Threads that go on while the process exits.
            Kind::Events | Kind::Request if self.is_over => return None,
            Kind::Events => {
                self.slot.operations.store(with(|targets| targets.walk(thread, words)), Ordering::Relaxed);
                return None;
            }
            Kind::Request => {
                let request = request_of(words)?;
                with(|targets| targets.request(thread, request));
            }
            Kind::Ask => {
                let request = request_of(words);
                let sight = request.and_then(|request| with(|targets| targets.request(thread, request)));
                self.answer(&serde_json::to_vec(&sight.map(SightMessage::new)).unwrap_or_default());
            }
            Kind::News => {
                let news = with(Targets::news).map(|news| (news.value.to_bits(), news.ideal.to_bits(), news.words));
                self.answer(&serde_json::to_vec(&news).unwrap_or_default());
            }
            Kind::Analysis => {
                let answer = options::current().oracle.and_then(|oracle| {
                    with(|targets| Some(AnalysisMessage::new(targets.analysis(oracle)?, targets.stopped.clone())))
                });
                self.answer(&serde_json::to_vec(&answer).unwrap_or_default());
            }
            Kind::Fork => return words.first().map(|child| *child as usize),
            Kind::Module | Kind::Options | Kind::Suppression | Kind::Told | Kind::Ends => {
                let bytes = std::mem::take(&mut self.bytes);
                self.learn(kind, &bytes);
            }
            Kind::Answer => {}
        }
        None
    }

    fn learn(&mut self, kind: Kind, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        match kind {
            // The program has had it checked already.
            Kind::Module => {
                if let Ok(module) = nonius_recording::module_of(bytes) {
                    let _ = with(|targets| targets.module(module));
                }
            }
            Kind::Options => {
                let mut changed = options::current().clone();
                if changed.apply(&text).is_ok() {
                    let changed = options::put(changed);
                    with(|targets| targets.set_options(changed));
                }
            }
            Kind::Suppression => {
                let _ = suppress::add(&text, "nonius_suppress");
            }
            _ => {
                self.told = Some(with(Targets::found));
                (self.is_over, self.quick) = (kind == Kind::Ends, QUICK_LOOKS);
                exit::set_printed(text.lines().map(str::to_owned));
            }
        }
    }

    /// Sends an answer, in parts.
    fn answer(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(PART_WORDS * 8) {
            self.send(Kind::Part, &[&[part.len() as u64], &packed(part)]);
        }
        self.send(Kind::Answer, &[]);
    }

    fn send(&mut self, kind: Kind, parts: &[&[u64]]) {
        while !self.writer.push(&self.slot.to_program, kind.tag(0), parts) {
            let bell = &self.slot.machine_bell;
            bell.arm();
            if self.writer.push(&self.slot.to_program, kind.tag(0), parts) {
                break;
            }
            sleep(bell, MOMENT);
            if self.client.is_gone() {
                return;
            }
        }
        wake(&self.slot.program_bell);
    }

    /// The program forks: so does its machine. Returns who goes on here.
    fn forked(self, child: usize) -> Process {
        let slot = self.shared.slot(child);
        with(Targets::rest);
        // SAFETY: there is one thread: those that walk tasks have ended.
        match unsafe { _Fork() } {
            0 => {}
            -1 => {
                slot.set_state(State::Refused);
                return self;
            }
            _ => return self,
        }
        let shared = self.shared;
        drop(self);
        match slot.hold().then(|| child_client(slot, shared)).flatten() {
            Some(client) => {
                become_machine_of(client.pid);
                fork::restore(true);
                exit::after_fork();
                with(Targets::go_on_in_child);
                Process::new(shared, child, client)
            }
            None => {
                slot.set_state(State::Refused);
                exit::leave(1)
            }
        }
    }

    /// The program is gone. What it has not told is told.
    fn end(self) {
        let is_news = self.told.is_none_or(|before| with(Targets::found) > before);
        if !self.is_over && is_news {
            crate::guarded(exit::tell_of_the_dead);
        }
        if self.number > 0 {
            self.slot.set_state(State::Free);
        }
    }
}

/// The process that the program has forked, once it has said who it is.
fn child_client(slot: &Slot, shared: Shared) -> Option<Client> {
    let until = Instant::now() + MOST;
    while Instant::now() < until {
        match slot.client.load(Ordering::Acquire) {
            0 => std::thread::sleep(Duration::from_micros(200)),
            pid => return Client::find(pid, shared.address()).ok().filter(|_| slot.attach()),
        }
    }
    None
}

fn become_machine_of(pid: u32) {
    CLIENT.store(pid, Ordering::Relaxed);
    fork::note_process();
}

fn with<T>(work: impl FnOnce(&mut Targets) -> T) -> T {
    work(&mut STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).targets)
}

/// Says that this process has something to tell.
fn lock(options: &Options) -> Option<File> {
    let mut path = of_this_process(options.machines.as_deref()?).into_os_string();
    path.push(format!(".{}", std::process::id()));
    let file = File::create(path).ok()?;
    file.lock().ok()?;
    Some(file)
}
