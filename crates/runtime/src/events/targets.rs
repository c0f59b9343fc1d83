//! Who gets the events.

use super::again::Again;
use super::beside::{self, Beside};
use super::{RECORDS, file};
use crate::options::Options;
use crate::output::of_this_process;
use crate::say::say;
use nonius_abi::event::{CONTROL, Consumer, EventError, Module, header};
use nonius_finding::{Finding, Suppressions};
use nonius_machine::{Analysis, Engine, Request, Settled, Sight};
use nonius_oracle::Spec;
use nonius_recording::Writer;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::Ordering;

/// All that were asked for.
pub struct Targets {
    file: Option<Writer<file::Limited>>,
    machine: Option<Box<dyn Engine>>,
    /// A machine in a process of its own, in place of one here.
    beside: Option<Beside>,
    /// Why there is none, where there should be.
    alone: Option<String>,
    /// For oracles that may take more than one execution.
    again: Option<Again>,
    /// Where the machine's operations are counted.
    counter: Option<File>,
    /// Why the machine walks no more.
    pub stopped: Option<String>,
    /// Forked children, which the file says nothing of.
    children: u32,
    /// How many findings there were when news were last asked for, and which.
    asked_at: usize,
    told: Vec<String>,
}

/// A finding that is told at once.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    pub value: f64,
    pub ideal: f64,
    /// In a line.
    pub words: String,
}

/// Opens what the options ask for.
pub fn start(options: &Options) -> Result<(), String> {
    let mut targets = Targets::NONE;
    if let Some(path) = options.record.as_deref().map(of_this_process) {
        // Asked to keep nothing: then the file's format costs nothing either.
        if path != Path::new("/dev/null") {
            let file = file::create(&path).map_err(|error| format!("'record={}': {error}", path.display()))?;
            targets.file = Some(Writer::new(file::Limited::new(file, options.record_mib << 20)));
        }
    }
    let path = options.counter.as_deref().map(of_this_process).filter(|_| options.oracle.is_some());
    let counter =
        path.map(|path| file::create(&path).map_err(|error| format!("'counter={}': {error}", path.display())));
    let counter = counter.transpose()?;
    if let Some(spec) = options.oracle {
        match beside_the_program(options, spec) {
            Some(Ok(beside)) => targets.beside = Some(beside),
            refused => {
                let of_oracle = Targets::walking(options, spec);
                (targets.machine, targets.again) = (of_oracle.machine, of_oracle.again);
                (targets.alone, targets.counter) = (refused.and_then(Result::err), counter);
            }
        }
    }
    if let Some(why) = targets.alone.as_ref().filter(|_| !options.quiet) {
        say!("note: {}", alone(why));
    }
    let answers = targets.machine.as_ref().is_some_and(|machine| machine.answers_tests());
    super::DECIDES.store(answers, Ordering::Relaxed);
    super::AT_ONCE.store(options.halt || options.debug, Ordering::Relaxed);
    super::lock().state.targets = targets;
    RECORDS.store(options.record.is_some() || options.oracle.is_some(), Ordering::Relaxed);
    Ok(())
}

/// A machine in a process of its own, where one is asked for and the oracle can do with it.
fn beside_the_program(options: &Options, spec: Spec) -> Option<Result<Beside, String>> {
    let is_abstract = nonius_abstraction::engine(spec, &nonius_machine::Options::from(&**options)).is_some();
    let is_wanted = options.machine_process && !options.halt && !options.debug && !is_abstract;
    is_wanted.then(|| beside::start(options, spec))
}

fn alone(why: &str) -> String {
    format!("the analysis ran in the program's own threads, and would have been lost if that had been killed: {why}")
}

/// Shows how many operations were walked. Nobody is harmed if it does not move.
pub fn count(counter: &File, operations: u64) {
    let _ = counter.write_all_at(&operations.to_le_bytes(), 0);
}

impl Targets {
    pub const NONE: Targets = Targets {
        file: None,
        machine: None,
        beside: None,
        alone: None,
        again: None,
        counter: None,
        stopped: None,
        children: 0,
        asked_at: 0,
        told: Vec::new(),
    };

    /// With a machine that walks here.
    pub fn walking(options: &Options, spec: Spec) -> Targets {
        let mut targets = Targets::NONE;
        crate::alloc::lend_to_gmp();
        let mut machine_options = nonius_machine::Options::from(&**options);
        // In the program's own process threads of ours would be seen.
        if beside::is_machine() {
            let cores = || std::thread::available_parallelism().map_or(1, usize::from);
            machine_options.workers = options.jobs.unwrap_or_else(cores);
        }
        if spec.reexecutes() {
            // This machine and the one of another execution have it together.
            machine_options.most_bytes /= 2;
            targets.again = Some(Again::new(spec, options, machine_options.clone()));
        }
        if beside::is_machine() {
            let path = options.counter.as_deref().map(of_this_process);
            targets.counter = path.and_then(|path| file::create(&path).ok());
        }
        let domain = nonius_abstraction::engine(spec, &machine_options);
        targets.machine = Some(domain.unwrap_or_else(|| nonius_machine::engine(spec, machine_options)));
        targets
    }

    /// Lets the machine in its own process know something, if there is one.
    pub fn beside(&mut self, tell: impl FnOnce(&mut Beside)) {
        if let Some(beside) = &mut self.beside {
            tell(beside);
        }
    }

    /// Why the machine walks no more, if it does not.
    pub fn stopped(&self) -> Option<String> {
        self.stopped.clone().or_else(|| self.beside.as_ref()?.complaint())
    }

    /// Walks events; how many operations there were so far.
    pub fn walk(&mut self, thread: u32, words: &[u64]) -> u64 {
        self.events(thread, words);
        self.machine.as_ref().map_or(0, |machine| machine.operations())
    }

    /// This process, a machine's, is about to fork.
    pub fn rest(&mut self) {
        self.in_machine(|machine| machine.rest());
    }

    /// Findings so far, before suppressions.
    pub fn found(&mut self) -> usize {
        self.in_machine(|machine| machine.found()).unwrap_or(0)
    }

    pub fn module(&mut self, module: Module) -> Result<(), EventError> {
        if let Some(again) = &mut self.again {
            again.module(module.clone())?;
        }
        if let Some(beside) = &mut self.beside {
            self.file.iter_mut().try_for_each(|file| file.module(module.clone()))?;
            return beside.module(module);
        }
        match (&mut self.file, &mut self.machine) {
            (Some(file), Some(machine)) => file.module(module.clone()).and_then(|()| machine.module(module)),
            (Some(file), None) => file.module(module),
            (None, Some(machine)) => machine.module(module),
            (None, None) => Ok(()),
        }
    }

    pub fn events(&mut self, thread: u32, words: &[u64]) {
        if let Some(file) = &mut self.file {
            file.events(thread, words);
        }
        if let Some(again) = &mut self.again {
            again.events(thread, words);
        }
        if let Some(beside) = &mut self.beside {
            return beside.events(thread, words);
        }
        self.in_machine(|machine| machine.events(thread, words));
        if let (Some(machine), Some(counter)) = (&self.machine, &self.counter) {
            count(counter, machine.operations());
        }
    }

    /// Lets the machine work, if there is one. A mistake in it stops it, and the user is told: the program goes on.
    pub fn in_machine<T>(&mut self, work: impl FnOnce(&mut dyn Engine) -> T) -> Option<T> {
        let machine = self.machine.as_mut().filter(|_| self.stopped.is_none())?;
        let done = crate::guarded(|| work(&mut **machine));
        if done.is_none() {
            let operations = machine.operations();
            let why = crate::mistakes::last();
            self.stopped = Some(format!(
                "the analysis stopped after {operations} operations by a mistake in Nonius ({why}): what was found until \
                 then is reported, nothing after it was looked at"
            ));
        }
        done
    }

    /// The process may end here. Returns what the user must know.
    pub fn finish(&mut self) -> Option<String> {
        self.file.as_mut()?.finish();
        self.complaint()
    }

    /// What a report must say of the run's events.
    pub fn notes(&mut self) -> Vec<String> {
        let children = (self.children > 0 && self.file.is_some())
            .then(|| format!("the recorded events are the first process's; it has forked {} times", self.children));
        let alone = self.alone.as_deref().map(alone);
        self.complaint().into_iter().chain(children).chain(alone).collect()
    }

    /// Why the recorded file is not all of the run.
    fn complaint(&mut self) -> Option<String> {
        let file = self.file.as_ref()?;
        let error = file.error()?;
        Some(format!("the recorded events are not complete: {error} ({} words are missing)", file.words_lost()))
    }

    /// What the machine answers to a thread of the program.
    pub fn request(&mut self, thread: u32, request: Request) -> Option<Sight> {
        if let Some((note, word)) = request.note() {
            let words = [header(0, CONTROL + note as u32), word];
            self.file.iter_mut().for_each(|file| file.events(thread, &words));
            self.again.iter_mut().for_each(|again| again.events(thread, &words));
        }
        if let Some(beside) = &mut self.beside {
            return beside.request(thread, request);
        }
        self.in_machine(|machine| machine.request_by(thread, request)).flatten()
    }

    /// The options have changed while the program runs.
    pub fn set_options(&mut self, options: &Options) {
        let options = nonius_machine::Options::from(&**options);
        self.again.iter_mut().for_each(|again| again.set_options(&options));
        self.in_machine(|machine| machine.set_options(options));
    }

    /// A finding that is new since this was asked, and that no suppression covers.
    pub fn news(&mut self) -> Option<News> {
        if let Some(beside) = &mut self.beside {
            return beside.news();
        }
        let count = self.in_machine(|machine| machine.found())?;
        if count == std::mem::replace(&mut self.asked_at, count) {
            return None;
        }
        let findings = self.in_machine(|machine| machine.analysis())?.findings;
        let (all, none) = (crate::suppress::current(), Suppressions::default());
        let all = all.unwrap_or(&none);
        let is_suppressed = |finding: &Finding| {
            let mut finding = finding.clone();
            if all.any_ids() {
                finding.id = crate::output::id_of(finding.clone());
            }
            all.find_early(&finding).is_some()
        };
        let mut new = findings.iter().filter(|finding| !self.told.contains(&finding.id));
        let news = new.find(|finding| !is_suppressed(finding));
        let news = news.map(|finding| News {
            value: finding.worst.value,
            ideal: finding.worst.shadow,
            words: crate::output::in_a_line(finding.clone()),
        });
        self.told.extend(findings.into_iter().map(|finding| finding.id));
        news
    }

    /// This process has forked.
    pub fn has_forked(&mut self) {
        self.children += 1;
    }

    /// This process was forked: what was found before is the parent's, and so are its files.
    pub fn go_on_in_child(&mut self) {
        (self.file, self.counter) = (None, None);
        self.again.iter_mut().for_each(Again::go_on_in_child);
        if let Some(Err(why)) = self.beside.as_mut().map(Beside::go_on_in_child) {
            (self.beside, self.stopped) = (None, Some(format!("what a forked process does was not looked at: {why}")));
        }
        self.in_machine(|machine| machine.request(Request::Forked));
    }

    /// What the oracle makes of all so far, `oracle` by its name.
    pub fn analysis(&mut self, oracle: Spec) -> Option<Settled> {
        if let Some(beside) = &mut self.beside {
            let (settled, stopped) = beside.analysis().unwrap_or_else(|| {
                let nothing = Settled { analysis: Analysis::default(), oracle: oracle.first() };
                (nothing, beside.complaint())
            });
            self.stopped = stopped;
            return Some(settled);
        }
        let machine = self.machine.as_mut()?;
        let (again, counter, stopped) = (&mut self.again, &self.counter, &self.stopped);
        let settled = crate::guarded(|| {
            machine.finish();
            let first = Settled { analysis: machine.analysis(), oracle: oracle.first() };
            match again {
                Some(again) if stopped.is_none() && !machine.is_settled() => {
                    again.settled(first, machine.operations(), counter.as_ref())
                }
                _ => first,
            }
        });
        // Where even that is not to be had, the report says so.
        settled.or_else(|| {
            self.stopped.get_or_insert_with(|| {
                format!("the analysis could not be put together, by a mistake in Nonius: {}", crate::mistakes::last())
            });
            Some(Settled { analysis: Analysis::default(), oracle })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks two chunks, and makes a mistake at the third.
    struct Mistaken(u64);

    impl Consumer for Mistaken {
        fn module(&mut self, _: Module) -> Result<(), EventError> {
            Ok(())
        }

        fn events(&mut self, _: u32, words: &[u64]) {
            assert!(self.0 < 2, "a shadow too many");
            self.0 += words.len() as u64;
        }

        fn finish(&mut self) {}
    }

    impl Engine for Mistaken {
        fn analysis(&mut self) -> Analysis {
            Analysis { notes: vec!["until then".to_owned()], ..Analysis::default() }
        }

        fn operations(&self) -> u64 {
            self.0
        }

        fn found(&self) -> usize {
            0
        }

        fn is_settled(&self) -> bool {
            true
        }

        fn set_options(&mut self, _: nonius_machine::Options) {}

        fn request(&mut self, _: Request) -> Option<Sight> {
            None
        }
    }

    #[test]
    fn a_mistake_stops_the_machine_and_is_told() {
        crate::mistakes::start();
        let mut targets = Targets { machine: Some(Box::new(Mistaken(0))), ..Targets::NONE };
        for _ in 0..5 {
            targets.events(0, &[0]);
        }
        let why = targets.stopped.clone().expect("stopped");
        for part in ["after 2 operations", "a shadow too many at ", "targets.rs:"] {
            assert!(why.contains(part), "{why}");
        }
        // What was found until then is still there.
        assert_eq!(targets.analysis(Spec::Residue).expect("an analysis").analysis.notes, ["until then"]);
        assert!(targets.request(0, Request::Reset).is_none() && targets.news().is_none());
    }
}
