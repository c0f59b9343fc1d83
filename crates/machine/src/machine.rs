//! The machine as its owner sees it: events go in, an analysis comes out.

use crate::checks::found::Founds;
use crate::checks::requests::Asked;
use crate::core::{Core, Shares};
use crate::findings;
use crate::inputs::{Asked as AskedFor, Input};
use crate::options::Options;
use crate::program::FlatProgram;
use crate::register::{Register, UNKNOWN};
use crate::thread::Thread;
use crate::threads::Threads;
use crate::trail::{GONE, Trail};
use crate::walk_four::Avx2;
use nonius_abi::Precision;
use nonius_abi::event::{Admission, CONTROL, Consumer, EventError, Module, Note};
use nonius_abi::table::Table;
use nonius_finding::{
    Bounds, Cause, Finding, HoldsFor, LikelyResult, Observable, OperationStatistics, Report, Summary, Suppressions,
};
use nonius_oracle::{Estimate, Oracle, Spec, Visitor};
use nonius_verdict::verdict::Seen;

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
        self.observables.iter().any(|o| o.open > o.undefined) || self.vague > 0
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

    /// What the program asks of it by `nonius.h`, once all events before are walked.
    fn request(&mut self, request: Request) -> Option<Sight>;

    // What follows is asked of abstract execution; other engines do nothing.

    /// The float there is an input, which can be anything of a range.
    fn input(&mut self, _cell: Cell, _asked: AskedFor, _input: Input) {}

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
}

/// A request of the program that is about no register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    BeginStage(u64),
    EndStage(u64),
    /// Analyse from here on, or no more.
    Analyse(bool),
    /// Forget all shadows and statistics; findings stay.
    Reset,
    /// What was found so far is another process's: this one was forked.
    Forked,
    /// What is known of the value that lies in memory.
    Look(Cell),
    /// The same; from now on it is its own ideal, rounded to its format.
    Insert(Cell),
    /// What is known of the value that this thread has just asked for.
    Asked(u32),
}

impl Request {
    /// How it is recorded; what asks for an answer is not.
    pub fn note(self) -> Option<(Note, u64)> {
        match self {
            Request::BeginStage(set) => Some((Note::BeginStage, set)),
            Request::EndStage(set) => Some((Note::EndStage, set)),
            Request::Analyse(on) => Some((Note::Analyse, u64::from(on))),
            Request::Reset => Some((Note::Reset, 0)),
            Request::Forked => Some((Note::Forked, 0)),
            Request::Look(_) | Request::Insert(_) | Request::Asked(_) => None,
        }
    }

    /// The request that a chunk of events is, if it is one.
    pub fn of(words: &[u64]) -> Option<Request> {
        let &[header, word] = words else { return None };
        match Note::of(header)? {
            Note::BeginStage => Some(Request::BeginStage(word)),
            Note::EndStage => Some(Request::EndStage(word)),
            Note::Analyse => Some(Request::Analyse(word != 0)),
            Note::Reset => Some(Request::Reset),
            Note::Forked => Some(Request::Forked),
            Note::Lost | Note::End | Note::To | Note::From | Note::Copy => None,
        }
    }
}

/// A value in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub address: u64,
    pub format: Precision,
    pub value: f64,
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    pub value: f64,
    pub format: Precision,
    pub residue: f64,
    pub ideal: f64,
    /// The ideal in the value's format.
    pub rounded: f64,
    /// How far off the oracle may be.
    pub radius: f64,
    pub causes: Vec<Cause>,
    /// The id of the finding that all this is taken from: after it the shadow restarted from the value.
    pub reported_as: Option<Finding>,
}

/// A machine for the oracle that was asked for.
pub fn engine(spec: Spec, options: Options) -> Box<dyn Engine> {
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

    spec.visit(Make(options))
}

pub struct Machine<O: Oracle> {
    pub(crate) program: FlatProgram,
    pub(crate) tables: Vec<Table>,
    pub(crate) core: Core<O>,
    threads: Threads<O::Shadow>,
    admission: Admission,
    /// What was wrong with the events, once.
    fault: Option<EventError>,
    lost_words: u64,
    avx2: Option<Avx2>,
}

impl<O: Oracle> Machine<O> {
    /// `shadow_bytes`: what a shadow takes on the heap.
    pub fn new(oracle: O, options: Options, shadow_bytes: u64) -> Machine<O> {
        let threads = Threads::new(Shares::of(options.most_bytes).stacks, shadow_bytes);
        Machine {
            program: FlatProgram::new(O::MEASURES, O::HAS_FOURS),
            tables: Vec::new(),
            core: Core::new(oracle, options, shadow_bytes),
            threads,
            admission: Admission::default(),
            fault: None,
            lost_words: 0,
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
            if block.enters {
                core.functions_run[block.function as usize] = true;
            }
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
        self.program.add(&module);
        self.core.add_sites(&module.sites, self.tables.len() as u32);
        self.core.constants.follow(&self.program);
        self.core.functions_run.resize(self.program.functions.len(), false);
        self.core.is_partial |= module.code.unrecorded > 0;
        self.tables.push(module.sites);
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
