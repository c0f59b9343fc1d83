//! The machine as its owner sees it: events go in, an analysis comes out.

use crate::checks::found::Founds;
use crate::checks::requests::Asked;
use crate::core::{Core, Shares};
use crate::findings;
use crate::inputs::{Asked as AskedFor, Input};
use crate::options::Options;
use crate::program::FlatProgram;
use crate::register::{Register, UNKNOWN};
use crate::request::{Cell, Request, Sight};
use crate::tasks::Tasks;
use crate::thread::Thread;
use crate::threads::Threads;
use crate::trail::{GONE, Trail};
use crate::walk_four::Avx2;
use crate::yields::Candidate;
use nonius_abi::event::{Admission, CONTROL, Consumer, EventError, Module, Note};
use nonius_abi::table::Table;
use nonius_finding::{
    Bounds, Finding, HoldsFor, LikelyResult, Observable, OperationStatistics, Report, Summary, Suppressions,
};
use nonius_options::TasksMode;
use nonius_oracle::{Estimate, Oracle, Spec, Visitor};
use nonius_verdict::verdict::Seen;
use std::sync::Arc;
use std::time::Duration;

/// What the machine makes of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Analysis {
    pub findings: Vec<Finding>,
    pub operations: Vec<OperationStatistics>,
    pub observables: Vec<Observable>,
    pub results: Vec<LikelyResult>,
    pub bounds: Vec<Bounds>,
    /// Which inputs an abstract execution speaks of.
    pub holds_for: Option<HoldsFor>,
    pub summary: Summary,
    pub notes: Vec<String>,
    /// Findings that show an ideal of which no digit is known.
    pub vague: usize,
}

impl Analysis {
    /// Verdicts that depend on what the oracle does not know.
    pub fn open(&self) -> usize {
        self.observables.iter().map(|o| o.open).sum::<u64>() as usize
    }

    /// Whether a finer oracle could close any of them, or tell of an ideal that is shown.
    pub fn may_be_closed(&self) -> bool {
        self.unsettled() > 0
    }

    /// What a finer oracle could close or tell of.
    pub fn unsettled(&self) -> u64 {
        self.observables.iter().map(|o| o.open.saturating_sub(o.undefined)).sum::<u64>() + self.vague as u64
    }

    /// Whether there are any, also those that no oracle can close: they depend on how constants were rounded.
    pub fn has_open_verdicts(&self) -> bool {
        self.observables.iter().any(|o| o.open + o.open_by_constants > 0)
    }

    /// Puts everything into a report, but for what is suppressed.
    pub fn into_report(self, report: &mut Report, suppressions: &Suppressions) {
        let applied = suppressions.apply(self.findings);
        report.findings = applied.remaining;
        (report.suppressions_used, report.suppressions_unused) = (applied.used, applied.unused);
        report.summary = self.summary;
        report.summary.findings = report.findings.len() as u64;
        report.summary.suppressed = applied.suppressed;
        report.operations = self.operations;
        report.observables = self.observables;
        report.results = self.results;
        report.bounds = self.bounds;
        report.notes.extend(self.notes);
    }
}

/// A machine whose oracle was chosen when the program ran.
pub trait Engine: Consumer {
    fn analysis(&mut self) -> Analysis;

    /// Operations so far.
    fn operations(&self) -> u64;

    /// Findings so far, before suppressions.
    fn found(&self) -> usize;

    /// Whether another execution, of a finer oracle or with other residues, could tell more.
    fn is_settled(&self) -> bool;

    /// From now on these count; the memory that it may take stays as it was.
    fn set_options(&mut self, options: Options);

    /// The process is about to be copied: no thread of the engine's is left, until there is more to walk.
    fn rest(&mut self) {}

    /// What the program asks of it by `nonius.h`, once all events before are walked.
    fn request(&mut self, request: Request) -> Option<Sight>;

    /// The same, with the thread that asks.
    fn request_by(&mut self, _thread: u32, request: Request) -> Option<Sight> {
        self.request(request)
    }

    /// How long each task took that has ended, and how many words were handed on before its end.
    fn task_lengths(&self) -> &[(Duration, u64)] {
        &[]
    }

    // What follows is asked of abstract execution; other engines do nothing.

    /// The float there is an input, which can be anything of a range.
    fn input(&mut self, _cell: Cell, _asked: AskedFor, _input: Input) {}

    /// The ways that the input just declared is followed in, a part of its range each; 0 if it is not cut.
    fn ways_of_input(&mut self) -> usize {
        0
    }

    /// The program wants to know what the float there can be.
    fn bounds(&mut self, _cell: Cell, _asked: AskedFor) {}

    /// What the float that a thread has last captured can be.
    fn captured(&mut self, _thread: u32) -> Option<Bounds> {
        None
    }

    /// Paths that part from here on meet at the end of the section.
    fn begin_section(&mut self) {}

    /// They meet, and differ in these floats. `Some`: this path ends here, with these bytes for its parent.
    fn end_section(&mut self, _cells: &[Cell]) -> Option<Vec<u8>> {
        None
    }

    /// From here on tests go the program's way for all inputs, or no more.
    fn one_path(&mut self, _begins: bool) {}

    /// Whether it wants to be asked at each test before the program goes on.
    fn answers_tests(&self) -> bool {
        false
    }

    /// The outcomes that the test at a step of a record can have, a path each, the own one first; none if it can go one way
    /// only.
    fn decide(&mut self, _thread: u32, _header: u64, _words: &[u64], _step: u32) -> Vec<i64> {
        Vec::new()
    }

    /// The program goes the way of this number; `path`: in a process of its own.
    fn take(&mut self, _way: usize, _path: Option<u64>) {}

    /// What a path has brought back; if nothing, what became of it.
    fn adopt(&mut self, _results: Option<&[u8]>, _what: &str) {}

    /// A way is not followed.
    fn leave_out(&mut self, _why: &str) {}

    /// This process ends. `Some`: it is a path, with these bytes for its parent.
    fn path_ends(&mut self) -> Option<Vec<u8>> {
        None
    }

    // Paths that meet by themselves. A test is known by its number among those whose paths have not met; `None` is the one
    // that the program stands at.

    /// Whether paths wait for this process, or somebody waits for it: then it wants to be told where it comes to.
    fn may_meet(&self) -> bool {
        false
    }

    /// The program comes to a point where paths may meet.
    fn arrive(&mut self, _thread: u32, _header: u64, _words: &[u64], _step: u32) -> Arrival {
        Arrival::default()
    }

    /// The paths of a test that wait.
    fn waiting(&self, _test: usize) -> Vec<u64> {
        Vec::new()
    }

    /// All paths that wait for this process.
    fn all_waiting(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Whether a path is where this process is, if these words of memory are all that differs.
    fn can_meet(&mut self, _test: usize, _path: u64, _differences: &[Difference]) -> bool {
        false
    }

    /// The paths of a test and this one become one.
    fn meet(&mut self, _test: usize, _look: &mut Look<'_>) {}

    /// The paths of a test go on to the next point; `None`: this process does, for which another waits.
    fn go_on(&mut self, _test: Option<usize>) {}

    /// Nobody waits for this process any more until it ends.
    fn go_on_to_end(&mut self) {}

    /// What this process has for the one that waits for it.
    fn state(&mut self, _look: &mut Look<'_>) -> Option<Vec<u8>> {
        None
    }

    /// A path waits at the next point, with these bytes.
    fn waits(&mut self, _test: Option<usize>, _path: u64, _bytes: &[u8]) {}

    /// A path has ended, and [`Engine::adopt`] was told; of the test that the program stands at it is known by its way.
    fn ended(&mut self, _test: Option<usize>, _path: u64) {}
}

/// What waits where the program has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Tests whose paths do, the last first.
    pub tests: Vec<usize>,
    /// The process that this one is a path of.
    pub is_awaited: bool,
}

/// A word of memory that is not the same in two processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    pub at: u64,
    pub own: u64,
    pub other: u64,
}

/// Reads up to 8 bytes of memory, of this process or of a path.
pub type Look<'a> = dyn FnMut(Option<u64>, u64, usize) -> Option<u64> + 'a;

/// A machine for the oracle that was asked for. Where it can be, tasks are looked at each by itself: not by residue
/// override, which knows operations by their numbers in the whole run, nor where nothing is measured.
pub fn engine(spec: Spec, options: Options) -> Box<dyn Engine> {
    match (spec, options.tasks) {
        (Spec::ResidueOverride | Spec::Native, _) | (_, TasksMode::Off) => spec.visit(Make(options)),
        _ => Box::new(Tasks::new(spec, options)),
    }
}

/// Makes a machine that walks everything as one.
struct Make(Options);

impl Visitor for Make {
    type Output = Box<dyn Engine>;

    fn visit<O>(self, oracle: O, shadow_bytes: u64) -> Box<dyn Engine>
    where
        O: Oracle + Send + 'static,
        O::Shadow: Send,
    {
        Box::new(Machine::new(oracle, self.0, shadow_bytes))
    }
}

pub struct Machine<O: Oracle> {
    /// These two may be other machines' as well, which walk the same program.
    pub(crate) program: Arc<FlatProgram>,
    pub(crate) tables: Arc<Vec<Table>>,
    pub(crate) core: Core<O>,
    pub(crate) threads: Threads<O::Shadow>,
    admission: Admission,
    /// What was wrong with the events, once.
    pub(crate) fault: Option<EventError>,
    pub(crate) lost_words: u64,
    /// Likely results of other machines.
    pub(crate) absorbed: Vec<Candidate>,
    avx2: Option<Avx2>,
}

impl<O: Oracle> Machine<O> {
    /// `shadow_bytes`: what a shadow takes on the heap.
    pub fn new(oracle: O, options: Options, shadow_bytes: u64) -> Machine<O> {
        let threads = Threads::new(Shares::of(options.most_bytes).stacks, shadow_bytes);
        Machine {
            program: Arc::new(FlatProgram::new(O::MEASURES, O::HAS_FOURS)),
            tables: Arc::new(Vec::new()),
            core: Core::new(oracle, options, shadow_bytes),
            threads,
            admission: Admission::default(),
            fault: None,
            lost_words: 0,
            absorbed: Vec::new(),
            avx2: Avx2::find(),
        }
    }

    /// What is held of a value in memory.
    fn loaded(&mut self, cell: Cell) -> Option<Register<O::Shadow>> {
        let Core { memory, oracle, .. } = &mut self.core;
        let mut loaded = Register::new(oracle);
        memory.load(None, cell.address, cell.format, cell.value, &mut loaded, oracle).then_some(loaded)
    }

    fn look_up(&mut self, cell: Cell) -> Option<Sight> {
        let loaded = self.loaded(cell)?;
        let known = loaded.known;
        let Estimate { ideal, residue, radius } = self.core.oracle.estimate(&loaded.shadow, cell.value);
        let (trail, sites, statistics) = (&self.core.trail, &self.core.sites, &self.core.statistics);
        let slice = crate::blame::slice(trail, sites, statistics, &[known]);
        let causes = findings::View::new(self).causes(&slice);
        let (value, format) = (cell.value, cell.format);
        let rounded = format.rounded(ideal);
        Some(Sight { value, format, residue, ideal, rounded, radius, causes, reported_as: None })
    }

    /// Walks a chunk. Inlined into two callers, for processors with a fused multiply-add and without.
    #[inline(always)]
    fn walk(&mut self, avx2: Option<Avx2>, thread: &mut Thread<O::Shadow>, words: &[u64]) -> Result<(), EventError> {
        let Machine { program, core, lost_words, .. } = self;
        let program: &FlatProgram = program;
        let mut at = 0;
        while at < words.len() {
            let header = words[at];
            let (key, number) = ((header >> 32) as u32, header as u32);
            if number >= CONTROL {
                let &word = words.get(at + 1).ok_or(EventError::Truncated { at })?;
                match Note::of(header).ok_or(EventError::Block { at, block: number })? {
                    Note::Lost => {
                        *lost_words = lost_words.saturating_add(word.max(1));
                        thread.forget();
                    }
                    Note::End => {
                        thread.forget();
                        thread.has_ended = true;
                    }
                    Note::To => thread.moved.0 = word,
                    Note::From => thread.moved.1 = word,
                    Note::Copy => core.moved(thread.moved, word),
                    // What lies between tasks may not have been recorded.
                    Note::Name | Note::BeginTask | Note::EndTask => thread.forget(),
                    // Requests are chunks of their own.
                    Note::BeginStage | Note::EndStage | Note::Analyse | Note::Reset | Note::Forked => {
                        return Err(EventError::Block { at, block: number });
                    }
                }
                at += 2;
                continue;
            }
            let index = program.find(number).ok_or(EventError::Block { at, block: number })?;
            let block = &program.blocks[index as usize];
            let end = at + 1 + block.words as usize;
            if end > words.len() {
                return Err(EventError::Truncated { at });
            }
            core.functions_run[block.function as usize] = true;
            thread.arrive(key, block.function, block.enters, program, &mut core.oracle);
            at = core.stretch(avx2, program, thread, words, (at, index));
        }
        Ok(())
    }

    /// Nodes before this one are overwritten: nobody keeps their numbers.
    #[cold]
    fn forget_before(&mut self, oldest: u64) {
        for node in
            self.threads.registers_mut().map(|register| &mut register.known.node).chain(self.core.memory.nodes_mut())
        {
            if *node != 0 && *node < oldest && !Trail::is_constant(*node) {
                *node = GONE;
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn walk_avx2(&mut self, avx2: Avx2, thread: &mut Thread<O::Shadow>, words: &[u64]) -> Result<(), EventError> {
        self.walk(Some(avx2), thread, words)
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    fn walk_best(&mut self, thread: &mut Thread<O::Shadow>, words: &[u64]) -> Result<(), EventError> {
        match self.avx2 {
            // SAFETY: a `Avx2` says that the processor has AVX2 and FMA.
            Some(avx2) => unsafe { self.walk_avx2(avx2, thread, words) },
            None => self.walk(None, thread, words),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn walk_best(&mut self, thread: &mut Thread<O::Shadow>, words: &[u64]) -> Result<(), EventError> {
        self.walk(None, thread, words)
    }
}

impl<O: Oracle> Consumer for Machine<O>
where
    O: Send,
    O::Shadow: Send,
{
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.admission.admit(&module)?;
        Arc::make_mut(&mut self.program).add(&module);
        self.core.is_partial |= module.code.unrecorded > 0;
        Arc::make_mut(&mut self.tables).push(module.sites);
        self.learn_from(self.tables.len() - 1);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        if self.fault.is_some() {
            return;
        }
        if let Some(request) = Request::of(words) {
            self.request(request);
            return;
        }
        self.core.founds.thread = thread;
        self.core.oracle.begin_thread(thread);
        if let Some(oldest) = self.core.trail.oldest_when_due() {
            self.forget_before(oldest);
        }
        let mut taken = self.threads.take(thread);
        if let Err(fault) = self.walk_best(&mut taken, words) {
            self.fault = Some(fault);
        }
        self.threads.put_back(thread, taken);
    }

    fn finish(&mut self) {}
}

impl<O: Oracle> Engine for Machine<O>
where
    O: Send,
    O::Shadow: Send,
{
    fn analysis(&mut self) -> Analysis {
        let mut analysis = findings::analysis(self);
        if let Some(fault) = &self.fault {
            analysis.notes.push(format!("the events cannot be read to the end: {fault}"));
        }
        if self.lost_words > 0 {
            analysis
                .notes
                .push("events are missing: where they are, shadows went on from the program's values".to_owned());
        }
        analysis.notes.extend(self.dropped());
        analysis.notes.extend(self.zeros());
        analysis.notes.extend(self.core.oracle.note());
        analysis
    }

    fn operations(&self) -> u64 {
        self.core.operations
    }

    fn found(&self) -> usize {
        self.core.founds.all.len()
    }

    fn is_settled(&self) -> bool {
        !self.core.founds.may_be_closed() && self.core.oracle.is_settled()
    }

    fn set_options(&mut self, options: Options) {
        self.core.filter = options.limits.filter();
        self.core.options = Options { most_bytes: self.core.options.most_bytes, ..options };
    }

    fn request(&mut self, request: Request) -> Option<Sight> {
        let sight = self.answer(request);
        let is_usual = !self.core.is_off && !self.core.stages.is_open;
        self.core.deepest = if is_usual { UNKNOWN } else { 0 };
        sight
    }
}

impl<O: Oracle> Machine<O> {
    /// Takes what it needs of the objects from this one on.
    pub(crate) fn learn_from(&mut self, first: usize) {
        for (number, table) in self.tables.iter().enumerate().skip(first) {
            self.core.add_sites(table, number as u32);
        }
        self.core.constants.follow(&self.program);
        self.core.functions_run.resize(self.program.functions.len(), false);
    }

    /// What was found and counted so far belongs to another process. Shadows stay.
    fn forget_findings(&mut self) {
        let core = &mut self.core;
        core.founds = Founds::new(Shares::of(core.options.most_bytes).founds);
        core.statistics.reset();
        core.functions_run.fill(false);
        (core.operations, core.restarted, core.loads, core.loads_restarted) = (0, 0, 0, 0);
    }

    /// What the oracle takes for 0, in words.
    fn zeros(&self) -> Option<String> {
        let founds = &self.core.founds;
        (founds.zeros > 0).then(|| {
            format!(
                "{} ideals counted as 0, or two as equal: {} bits do not tell them apart (zero_bits={})",
                founds.zeros,
                self.core.oracle.bits(),
                self.core.options.zero_bits
            )
        })
    }

    /// What the bound on memory cost, in words.
    fn dropped(&self) -> Option<String> {
        let counts = [
            (self.core.memory.evicted, "pages of shadow memory"),
            (self.threads.dropped(), "stack frames"),
            (self.core.founds.dropped, "findings"),
            (self.core.stages.dropped, "operations in stages"),
        ];
        let dropped: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        let mib = self.core.options.most_bytes >> 20;
        let consequence = "what was dropped went on from the program's values: raise machine_mib to keep it";
        (!dropped.is_empty()).then(|| {
            format!(
                "the machine's memory (machine_mib={mib}) was full, and {} were dropped; {consequence}",
                dropped.join(", ")
            )
        })
    }

    fn answer(&mut self, request: Request) -> Option<Sight> {
        match request {
            Request::BeginStage(set) => self.core.stages.begin(set),
            Request::EndStage(set) => self.core.stages.end(set),
            Request::Analyse(on) => self.core.is_off = !on,
            Request::Reset => {
                self.core.memory.reset();
                self.core.statistics.reset();
                self.threads.forget();
            }
            Request::Forked => self.forget_findings(),
            Request::Look(cell) => return self.look_up(cell),
            Request::Asked(thread) => {
                let Asked { seen, format, is_known, restarted_by } = self.core.asked.remove(&thread)?;
                let found = restarted_by.and_then(|key| Some((key, self.core.founds.all.get(&key)?)));
                let reported_as = found.and_then(|(key, found)| findings::finding(self, &key, found));
                let Seen { value, ideal, residue, radius } = seen;
                let rounded = format.rounded(ideal);
                let causes = Vec::new();
                let sight = Sight { value, format, residue, ideal, rounded, radius, causes, reported_as };
                return is_known.then_some(sight);
            }
            Request::Insert(cell) => {
                let sight = self.look_up(cell)?;
                let mut loaded = self.loaded(cell)?;
                let Core { memory, oracle, .. } = &mut self.core;
                oracle.rebase(&mut loaded.shadow, loaded.known.value, sight.rounded);
                loaded.known.value = sight.rounded;
                loaded.known.residue = oracle.residue(&loaded.shadow, sight.rounded);
                memory.store(cell.address, cell.format, &loaded, oracle);
                return Some(sight);
            }
        }
        None
    }
}
