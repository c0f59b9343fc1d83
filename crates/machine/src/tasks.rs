//! Shadow tasks: parts of a run that are walked each by itself, from the program's own values, on a machine of its own.
//!
//! A task begins in the midst of the run. Every value that it has not made itself comes with its events: arguments, what is
//! loaded, results of calls, and floats that were live when it began. A copy that the task's own machine holds counts if it
//! agrees with the program's value; else the shadow begins anew from that, and is not *followed*: no verdict that hangs on
//! it refutes anything. So tasks need nothing of each other, and can be walked in any order, by any thread.
//!
//! What tasks come to is put together in the order of their ends, whoever walked them: the same events give the same
//! analysis, bit for bit, however many threads there are. Source: PFPSanitizer, sections 3.2 to 3.4.

mod cut;
mod pool;

use crate::machine::{Analysis, Engine, Machine};
use crate::options::Options;
use crate::request::{Request, Sight};
use crate::yields::{Loaded, Walker};
use cut::{Calls, Part, Position, Whose};
use nonius_abi::event::{CONTROL, Consumer, EventError, Module, Note, TaskMark, header};
use nonius_options::TasksMode;
use nonius_oracle::{Oracle, Spec, Visitor};
use pool::{Pool, Task};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Tasks of so many words are walked before they have ended.
const LONG_WORDS: u64 = 1 << 17;
/// Machines that there are room for, at least; half of them for tasks that have not ended.
const LEAST_MACHINES: usize = 16;
/// Tasks that have ended and are not put together yet, at most.
const MOST_WAITING: u64 = 1024;

pub struct Tasks {
    spec: Spec,
    options: Options,
    /// Walks what lies in no task.
    trunk: Box<dyn Walker>,
    /// Puts together what tasks that have ended came to.
    merged: Box<dyn Walker>,
    loaded: Loaded,
    open: BTreeMap<u32, Open>,
    pool: Pool,
    /// By thread, for `tasks=auto`.
    positions: BTreeMap<u32, Position>,
    calls: Calls,
    /// Tasks that have ended, and those of them that are merged.
    ended: u64,
    absorbed: u64,
    counts: BTreeMap<Arc<str>, u64>,
    /// Names of tasks that were not ended by the program.
    unended: BTreeMap<Arc<str>, u64>,
    /// Ends without a beginning.
    strays: u64,
    /// Long tasks that went on from the program's values, for want of memory.
    cut_short: u64,
    chunks: u64,
    is_settled: bool,
    /// How long tasks that have ended took, and the words that were handed on before their ends; if that is asked for.
    lengths: Vec<(Duration, u64)>,
    ends: VecDeque<u64>,
    words: u64,
}

/// A task that has begun.
struct Open {
    task: Arc<Task>,
    words: u64,
    /// Tasks that have begun within it.
    depth: u32,
    last_chunk: u64,
}

fn walker(spec: Spec, options: Options) -> Box<dyn Walker> {
    struct Make(Options);

    impl Visitor for Make {
        type Output = Box<dyn Walker>;

        fn visit<O>(self, oracle: O, shadow_bytes: u64) -> Box<dyn Walker>
        where
            O: Oracle + Send + 'static,
            O::Shadow: Send,
        {
            Box::new(Machine::new(oracle, self.0, shadow_bytes))
        }
    }

    spec.visit(Make(options))
}

impl Tasks {
    pub fn new(spec: Spec, options: Options) -> Tasks {
        let machines = LEAST_MACHINES.max(2 * options.workers) as u64;
        // The trunk has all, until there are tasks: what a program with tasks does elsewhere is not looked at.
        let most_bytes = if options.tasks == TasksMode::Auto { options.most_bytes / 2 } else { options.most_bytes };
        let each = Options { most_bytes: most_bytes / machines, ..options.clone() };
        let trunk = walker(spec, Options { most_bytes, ..options.clone() });
        let merged = walker(spec, options.clone());
        // An eighth of the memory for what waits to be walked.
        let most_words = (options.most_bytes / 64).clamp(1 << 16, 1 << 23) as usize;
        let pool = Pool::new(options.workers, most_words, Box::new(move || walker(spec, each.clone())));
        Tasks {
            spec,
            loaded: trunk.loaded(),
            trunk,
            merged,
            open: BTreeMap::new(),
            pool,
            positions: BTreeMap::new(),
            calls: Calls::default(),
            ended: 0,
            absorbed: 0,
            counts: BTreeMap::new(),
            unended: BTreeMap::new(),
            strays: 0,
            cut_short: 0,
            chunks: 0,
            is_settled: true,
            lengths: Vec::new(),
            ends: VecDeque::new(),
            words: 0,
            options,
        }
    }

    fn has_tasks(&self) -> bool {
        !self.counts.is_empty()
    }

    fn begin(&mut self, thread: u32, name: &str) {
        if let Some(open) = self.open.get_mut(&thread) {
            open.depth = open.depth.saturating_add(1);
            return;
        }
        if !self.has_tasks() && self.options.tasks == TasksMode::Marked {
            // What was walked before counts; its memory is for tasks from here on.
            self.merged.absorb(&self.trunk.yields(), None);
            self.trunk.begin_anew();
        }
        let known = self.counts.get_key_value(name).map(|(name, _)| name.clone());
        let name: Arc<str> = known.unwrap_or_else(|| name.into());
        *self.counts.entry(name.clone()).or_default() += 1;
        self.chunks += 1;
        self.open.insert(thread, Open { task: Task::new(name, thread), words: 0, depth: 0, last_chunk: self.chunks });
    }

    fn end(&mut self, thread: u32) {
        match self.open.get_mut(&thread) {
            Some(open) if open.depth > 0 => open.depth -= 1,
            Some(_) => self.close(thread),
            None => self.strays += 1,
        }
    }

    fn close(&mut self, thread: u32) {
        if let Some(open) = self.open.remove(&thread) {
            self.has_ended(&open.task);
            self.absorb_ended();
            if self.ended - self.absorbed > MOST_WAITING {
                self.pool.drain();
                self.absorb_ended();
            }
        }
    }

    fn has_ended(&mut self, task: &Arc<Task>) {
        if self.options.measures_tasks {
            self.ends.push_back(self.words);
        }
        self.pool.end(task, self.ended);
        self.ended += 1;
    }

    /// Takes what tasks came to, in the order of their ends.
    fn absorb_ended(&mut self) {
        while let Some(walked) = self.pool.take(self.absorbed) {
            self.merged.load(&self.loaded);
            self.merged.absorb(&walked.yields, Some(&walked.name));
            self.absorbed += 1;
            if let Some(end) = self.ends.pop_front() {
                self.lengths.push((walked.took, end));
            }
        }
    }

    /// Events of the task that a thread is in.
    fn push(&mut self, thread: u32, words: &[u64]) {
        self.chunks += 1;
        let Some(open) = self.open.get_mut(&thread) else { return };
        let was_long = open.words > LONG_WORDS;
        open.words += words.len() as u64;
        open.last_chunk = self.chunks;
        self.pool.push(&open.task, &self.loaded, words);
        let is_long = open.words > LONG_WORDS;
        if is_long || self.options.at_once {
            self.pool.submit(&open.task);
        }
        if is_long && !was_long {
            self.make_room();
        }
    }

    /// No more long tasks than there are machines for: the one that was silent for longest goes on without its shadows.
    fn make_room(&mut self) {
        let long = self.open.iter().filter(|(_, open)| open.words > LONG_WORDS);
        if long.clone().count() <= LEAST_MACHINES.max(2 * self.options.workers) / 2 {
            return;
        }
        let Some((&thread, _)) = long.min_by_key(|(_, open)| open.last_chunk) else { return };
        let Some(open) = self.open.remove(&thread) else { return };
        let (name, depth, last_chunk) = (open.task.name.clone(), open.depth, open.last_chunk);
        self.has_ended(&open.task);
        self.cut_short += 1;
        self.open.insert(thread, Open { task: Task::new(name, thread), words: 0, depth, last_chunk });
    }

    /// The thread is no more, and did not end its task.
    fn thread_ends(&mut self, thread: u32) {
        if let Some(open) = self.open.get(&thread) {
            *self.unended.entry(open.task.name.clone()).or_default() += 1;
            self.close(thread);
        }
        self.positions.remove(&thread);
    }

    /// Cuts a thread's events at function entries.
    fn cut(&mut self, thread: u32, words: &[u64]) {
        let position = self.positions.entry(thread).or_default();
        let loaded = self.loaded.clone();
        for Part { of, words } in position.cut(loaded.program(), &mut self.calls, words) {
            if of != Whose::Task {
                self.close(thread);
            }
            match of {
                Whose::Trunk => self.trunk.events(thread, words),
                Whose::Begins(function) => {
                    self.begin(thread, loaded.program().function_name(function));
                    self.push(thread, words);
                }
                // A task that was reported in the midst of it goes on in the trunk.
                Whose::Task if !self.open.contains_key(&thread) => self.trunk.events(thread, words),
                Whose::Task => self.push(thread, words),
            }
        }
    }

    /// All that was handed on is walked, and what tasks that have ended came to is put together.
    fn settle(&mut self) {
        self.open.values().for_each(|open| self.pool.submit(&open.task));
        self.pool.drain();
        if let Some(why) = self.pool.failed() {
            panic!("{why}");
        }
        self.absorb_ended();
    }

    /// What is found belongs to another process: this one was forked.
    fn forked(&mut self) {
        self.settle();
        self.merged.begin_anew();
        self.trunk.request(Request::Forked);
        for open in self.open.values() {
            open.task.ask(|machine| machine.request(Request::Forked));
        }
    }

    /// What the user must know of the tasks.
    fn notes(&self) -> Vec<String> {
        let times = |count: u64| if count == 1 { "once".to_owned() } else { format!("{count} times") };
        let list = |counts: &BTreeMap<Arc<str>, u64>| {
            const MOST: usize = 8;
            let mut named: Vec<String> =
                counts.iter().take(MOST).map(|(name, count)| format!("'{name}' {}", times(*count))).collect();
            if counts.len() > MOST {
                named.push(format!("{} others", counts.len() - MOST));
            }
            named.join(", ")
        };
        let tasks: u64 = self.counts.values().sum();
        let first = match self.options.tasks {
            TasksMode::Auto => format!(
                "{tasks} calls were looked at each by itself (tasks=auto): {}; what a task takes over from outside is not \
                 followed further back",
                list(&self.counts)
            ),
            _ => format!("what lies in tasks was looked at, each by itself: {}", list(&self.counts)),
        };
        let mut notes = vec![first];
        let mut unended = self.unended.clone();
        if self.options.tasks != TasksMode::Auto {
            self.open.values().for_each(|open| *unended.entry(open.task.name.clone()).or_default() += 1);
        }
        if !unended.is_empty() {
            notes.push(format!("tasks that did not end before their thread or the program did: {}", list(&unended)));
        }
        if self.strays > 0 {
            notes.push(format!("the end of a task came {} without a beginning, and is ignored", times(self.strays)));
        }
        if self.cut_short > 0 {
            notes.push(format!(
                "too many long tasks were open at once: {} one went on from the program's values (raise machine_mib)",
                times(self.cut_short)
            ));
        }
        notes
    }
}

impl Consumer for Tasks {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.trunk.module(module)?;
        self.loaded = self.trunk.loaded();
        self.merged.load(&self.loaded);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        if let Some(why) = self.pool.failed() {
            panic!("{why}");
        }
        self.words += words.len() as u64;
        let first = words.first().and_then(|&header| Note::of(header));
        match first.filter(|_| self.options.tasks != TasksMode::Auto).and_then(|_| TaskMark::of(words)) {
            Some(TaskMark::Begin(name)) => return self.begin(thread, &name),
            Some(TaskMark::End) => return self.end(thread),
            None => {}
        }
        if Request::of(words) == Some(Request::Forked) {
            return self.forked();
        }
        if first == Some(Note::End) {
            self.thread_ends(thread);
        }
        let is_alone = first.is_some() && (Request::of(words).is_some() || first == Some(Note::End));
        match self.options.tasks {
            _ if self.open.contains_key(&thread) && is_alone => self.push(thread, words),
            TasksMode::Auto if !is_alone => self.cut(thread, words),
            _ if self.open.contains_key(&thread) => self.push(thread, words),
            // Of a program with tasks, what lies in none is not looked at.
            TasksMode::Marked if self.has_tasks() => {}
            _ => self.trunk.events(thread, words),
        }
    }

    fn finish(&mut self) {
        self.trunk.finish();
    }
}

impl Engine for Tasks {
    fn analysis(&mut self) -> Analysis {
        if !self.has_tasks() {
            return self.trunk.analysis();
        }
        self.settle();
        let mut all = walker(self.spec, self.options.clone());
        all.load(&self.loaded);
        all.absorb(&self.merged.yields(), None);
        all.absorb(&self.trunk.yields(), None);
        for open in self.open.values() {
            open.task.yields().iter().for_each(|yields| all.absorb(yields, Some(&open.task.name)));
        }
        self.is_settled = all.is_settled();
        let mut analysis = all.analysis();
        analysis.notes.extend(self.notes());
        analysis
    }

    fn operations(&self) -> u64 {
        self.trunk.operations() + self.pool.operations()
    }

    fn found(&self) -> usize {
        let open = self.open.values().filter_map(|open| open.task.ask(|machine| machine.found())).sum::<usize>();
        self.trunk.found() + self.merged.found() + open
    }

    fn task_lengths(&self) -> &[(Duration, u64)] {
        &self.lengths
    }

    fn is_settled(&self) -> bool {
        if self.has_tasks() { self.is_settled } else { self.trunk.is_settled() }
    }

    fn rest(&mut self) {
        self.pool.rest();
    }

    fn set_options(&mut self, options: Options) {
        let (tasks, workers) = (self.options.tasks, self.options.workers);
        self.trunk.set_options(options.clone());
        self.merged.set_options(options.clone());
        self.pool.set_options(&options);
        for open in self.open.values() {
            open.task.ask(|machine| machine.set_options(options.clone()));
        }
        self.options = Options { most_bytes: self.options.most_bytes, tasks, workers, ..options };
    }

    fn request(&mut self, request: Request) -> Option<Sight> {
        match request {
            Request::Forked => {
                self.forked();
                None
            }
            request => self.trunk.request(request),
        }
    }

    fn request_by(&mut self, thread: u32, request: Request) -> Option<Sight> {
        if !self.open.contains_key(&thread) || request == Request::Forked {
            return self.request(request);
        }
        if let Some((note, word)) = request.note() {
            self.push(thread, &[header(0, CONTROL + note as u32), word]);
            return None;
        }
        self.settle();
        self.open.get(&thread)?.task.ask(|machine| machine.request(request)).flatten()
    }
}
