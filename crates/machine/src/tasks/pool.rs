//! Who walks tasks: threads that steal work from each other, or the thread that hands a task in.
//!
//! ```text
//!  router --chunks--> task --when it has ended, or is long--> queue --stolen--> worker: walks it on a machine
//!     ^                                                                             |
//!     +------------------------- yields, by the order of the tasks' ends -----------+
//! ```
//! A worker walks what there is of a task and never waits for more of it: another thread of the program may have to go on
//! first. The machine stays with the task until that has ended. Whoever hands in more than may wait is kept waiting.

use crate::options::Options;
use crate::yields::{Loaded, Walker, Yield};
use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Makes a machine.
pub type Make = Box<dyn Fn() -> Box<dyn Walker> + Send + Sync>;

/// What a chunk takes beside its words, in words.
const CHUNK_WORDS: usize = 16;

/// A part of the run that is looked at by itself.
pub struct Task {
    pub name: Arc<str>,
    thread: u32,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    chunks: Vec<Chunk>,
    machine: Option<Box<dyn Walker>>,
    /// Its number among those that have ended.
    end: Option<u64>,
    is_queued: bool,
    /// What the walk took so far.
    took: Duration,
}

struct Chunk {
    loaded: Loaded,
    words: Vec<u64>,
}

impl Chunk {
    fn size(&self) -> usize {
        self.words.len() + CHUNK_WORDS
    }
}

impl Task {
    pub fn new(name: Arc<str>, thread: u32) -> Arc<Task> {
        Arc::new(Task { name, thread, inner: Mutex::default() })
    }

    /// What it came to so far; nothing, if nobody has walked any of it.
    pub fn yields(&self) -> Option<Yield> {
        locked(&self.inner).machine.as_ref().map(|machine| machine.yields())
    }

    /// Asks its machine, if it has one.
    pub fn ask<T>(&self, ask: impl FnOnce(&mut dyn Walker) -> T) -> Option<T> {
        locked(&self.inner).machine.as_mut().map(|machine| ask(&mut **machine))
    }
}

/// A task that has ended, walked.
pub struct Walked {
    pub name: Arc<str>,
    pub yields: Yield,
    pub took: Duration,
}

pub struct Pool {
    shared: Arc<Shared>,
    /// How many threads there are to be, from the first task on.
    wanted: usize,
    workers: Vec<JoinHandle<()>>,
    most_words: usize,
}

struct Shared {
    queue: Injector<Arc<Task>>,
    state: Mutex<State>,
    /// There is work, or no more will come.
    wake: Condvar,
    /// Something was walked.
    progress: Condvar,
    make: Make,
}

#[derive(Default)]
struct State {
    /// Tasks in the queue that nobody has claimed.
    unclaimed: usize,
    /// Tasks in the queue, or being walked.
    active: usize,
    /// Words that wait in them.
    words: usize,
    stops: bool,
    operations: u64,
    walked: BTreeMap<u64, Walked>,
    /// Machines that walk nothing.
    idle: Vec<Box<dyn Walker>>,
    options: Option<Options>,
    /// What a worker said when it failed.
    failed: Option<String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// Of `workers` threads; none: whoever hands a task in walks it. At most `most_words` wait to be walked.
    pub fn new(workers: usize, most_words: usize, make: Make) -> Pool {
        let (queue, state, wake, progress) = (Injector::new(), Mutex::default(), Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { queue, state, wake, progress, make });
        Pool { shared, wanted: workers, workers: Vec::new(), most_words }
    }

    fn start_workers(&mut self) {
        let locals: Vec<Worker<Arc<Task>>> = (0..self.wanted).map(|_| Worker::new_fifo()).collect();
        let stealers: Arc<[Stealer<Arc<Task>>]> = locals.iter().map(Worker::stealer).collect();
        let start = |(number, local): (usize, Worker<Arc<Task>>)| {
            let (shared, stealers) = (self.shared.clone(), stealers.clone());
            let name = format!("nonius-task-{number}");
            std::thread::Builder::new().name(name).spawn(move || shared.work(&local, &stealers)).ok()
        };
        // Fewer than asked for, where there can be no more.
        self.workers = locals.into_iter().enumerate().filter_map(start).collect();
        self.wanted = self.workers.len();
    }

    /// No thread is left, until there is another task: the process is about to be copied.
    pub fn rest(&mut self) {
        self.drain();
        locked(&self.shared.state).stops = true;
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
        locked(&self.shared.state).stops = false;
    }

    /// Adds events to a task. Waits while too many wait to be walked.
    pub fn push(&self, task: &Arc<Task>, loaded: &Loaded, words: &[u64]) {
        let chunk = Chunk { loaded: loaded.clone(), words: words.to_vec() };
        let mut inner = locked(&task.inner);
        let is_queued = inner.is_queued;
        if is_queued {
            // Before a worker can see it: it counts down.
            locked(&self.shared.state).words += chunk.size();
        }
        inner.chunks.push(chunk);
        drop(inner);
        if is_queued {
            self.wait_for_room();
        }
    }

    fn wait_for_room(&self) {
        let mut state = locked(&self.shared.state);
        while state.words > self.most_words && state.active > 0 && state.failed.is_none() {
            state = self.shared.progress.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What there is of a task is to be walked.
    pub fn submit(&mut self, task: &Arc<Task>) {
        self.hand_in(task, None);
    }

    /// A task has ended, the `number`th.
    pub fn end(&mut self, task: &Arc<Task>, number: u64) {
        self.hand_in(task, Some(number));
    }

    fn hand_in(&mut self, task: &Arc<Task>, end: Option<u64>) {
        let mut inner = locked(&task.inner);
        inner.end = inner.end.or(end);
        if std::mem::replace(&mut inner.is_queued, true) {
            return;
        }
        let mut state = locked(&self.shared.state);
        state.active += 1;
        state.words += inner.chunks.iter().map(Chunk::size).sum::<usize>();
        drop((inner, state));
        if self.workers.is_empty() && self.wanted > 0 {
            self.start_workers();
        }
        if self.workers.is_empty() {
            return self.shared.walk_or_fail(task);
        }
        self.shared.queue.push(task.clone());
        locked(&self.shared.state).unclaimed += 1;
        self.shared.wake.notify_one();
        self.wait_for_room();
    }

    /// Waits until all that was handed in is walked.
    pub fn drain(&self) {
        let mut state = locked(&self.shared.state);
        while state.active > 0 && state.failed.is_none() {
            state = self.shared.progress.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The task of this number among those that have ended, if it is walked.
    pub fn take(&self, number: u64) -> Option<Walked> {
        locked(&self.shared.state).walked.remove(&number)
    }

    /// Operations that were walked in tasks.
    pub fn operations(&self) -> u64 {
        locked(&self.shared.state).operations
    }

    /// What a worker said when it failed.
    pub fn failed(&self) -> Option<String> {
        locked(&self.shared.state).failed.clone()
    }

    /// Tasks that begin from here on have these.
    pub fn set_options(&self, options: &Options) {
        locked(&self.shared.state).options = Some(options.clone());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        locked(&self.shared.state).stops = true;
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn work(&self, local: &Worker<Arc<Task>>, stealers: &[Stealer<Arc<Task>>]) {
        while self.claims() {
            let task = loop {
                // What was claimed is somewhere.
                match self.find(local, stealers) {
                    Some(task) => break task,
                    None => std::thread::yield_now(),
                }
            };
            self.walk_or_fail(&task);
        }
    }

    /// Waits for a task that nobody has claimed; `false`: none will come.
    fn claims(&self) -> bool {
        let mut state = locked(&self.state);
        while state.unclaimed == 0 && !state.stops {
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        // Nobody asks for what was not walked when the pool goes.
        let goes_on = !state.stops;
        state.unclaimed -= usize::from(goes_on);
        goes_on
    }

    fn find(&self, local: &Worker<Arc<Task>>, stealers: &[Stealer<Arc<Task>>]) -> Option<Arc<Task>> {
        let stolen = || {
            let from_others = || stealers.iter().map(Stealer::steal).collect::<Steal<_>>();
            self.queue.steal_batch_and_pop(local).or_else(from_others).success()
        };
        local.pop().or_else(stolen)
    }

    /// Walks what there is of a task. A mistake in a machine is kept for whoever asks for its work.
    fn walk_or_fail(&self, task: &Arc<Task>) {
        let walked = catch_unwind(AssertUnwindSafe(|| self.walk(task)));
        let mut state = locked(&self.state);
        state.active -= 1;
        if let Err(payload) = walked {
            state.failed.get_or_insert_with(|| said_by(&*payload));
        }
        drop(state);
        self.progress.notify_all();
    }

    fn walk(&self, task: &Arc<Task>) {
        loop {
            let (chunks, machine) = {
                let mut inner = locked(&task.inner);
                if inner.chunks.is_empty() {
                    match inner.end {
                        Some(number) => {
                            let (machine, took) = (inner.machine.take(), inner.took);
                            drop(inner);
                            return self.has_ended(task, number, machine, took);
                        }
                        None => {
                            inner.is_queued = false;
                            return;
                        }
                    }
                }
                (std::mem::take(&mut inner.chunks), inner.machine.take())
            };
            let began = Instant::now();
            let mut machine = machine.unwrap_or_else(|| self.machine());
            for chunk in chunks {
                let before = machine.operations();
                machine.load(&chunk.loaded);
                machine.events(task.thread, &chunk.words);
                let mut state = locked(&self.state);
                state.operations += machine.operations() - before;
                state.words = state.words.saturating_sub(chunk.size());
                drop(state);
                self.progress.notify_all();
            }
            let mut inner = locked(&task.inner);
            inner.machine = Some(machine);
            inner.took += began.elapsed();
        }
    }

    fn machine(&self) -> Box<dyn Walker> {
        let (idle, options) = {
            let mut state = locked(&self.state);
            (state.idle.pop(), state.options.clone())
        };
        let mut machine = idle.unwrap_or_else(|| (self.make)());
        options.into_iter().for_each(|options| machine.set_options(options));
        machine.begin_in_the_midst();
        machine
    }

    fn has_ended(&self, task: &Task, number: u64, machine: Option<Box<dyn Walker>>, took: Duration) {
        let began = Instant::now();
        let yields = machine.as_ref().map(|machine| machine.yields()).unwrap_or_default();
        let idle = machine.map(|mut machine| {
            machine.begin_anew();
            machine
        });
        let took = took + began.elapsed();
        let mut state = locked(&self.state);
        state.walked.insert(number, Walked { name: task.name.clone(), yields, took });
        state.idle.extend(idle);
    }
}

/// The words of a panic.
fn said_by(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}
