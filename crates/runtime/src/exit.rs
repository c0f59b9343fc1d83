//! The end of the program: findings are merged, ranked, suppressed, printed and written.
//!
//! The handler is registered before the loader's own, so it runs after the destructors of the
//! program and of all its libraries, and is told the exit status. Where the process ends without
//! exit handlers, `__nonius_flush` reports before. A report prints what has not been printed yet;
//! a JSON file always holds everything. What the program has buffered is its own: it is written where `exit` would have
//! written it, and nowhere else.

use crate::blocked_signals::{BlockedSignals, Uncancelled};
use crate::fenv::Usual;
use crate::options::{self, Options};
use crate::say::say;
use crate::symbols::Symbols;
use crate::thread::Inside;
use crate::{
    acsl, coverage, doctests, doubts, events, findings, fork, found, image, output, printed, stats, suppress, tallies,
};
use found::Place;
use nonius_abi::table::Table;
use nonius_finding::{Assertion, Confirmation, Finding, Kind, Program, Report, Summary, Suppressions, Verdict};
use std::collections::{HashMap, HashSet};
use std::ffi::{c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

unsafe extern "C" {
    fn on_exit(handler: unsafe extern "C" fn(c_int, *mut c_void), data: *mut c_void) -> c_int;
    /// Flushes all streams as `exit` does, without waiting for those that another thread holds.
    fn fcloseall() -> c_int;
}

pub fn start() {
    // SAFETY: the handler is a plain function of a library that is never unloaded.
    unsafe { on_exit(at_exit, std::ptr::null_mut()) };
}

unsafe extern "C" fn at_exit(status: c_int, _: *mut c_void) {
    events::end_paths();
    let found = report(Some(status), true);
    image::end();
    if let Some(status) = options::current().exit_status().filter(|_| found) {
        end(status);
    }
}

/// Reports before the process ends without exit handlers.
pub fn flush() {
    let _errno = crate::say::KeepErrno::new();
    events::end_paths();
    report(None, false);
}

/// Reports before a call or a signal that may be a crash. Of a path of an abstract execution its parent sees how it ended.
pub fn flush_before_end() {
    let _errno = crate::say::KeepErrno::new();
    if !events::is_path() {
        report(None, false);
    }
}

/// Reports, and ends the process.
pub fn halt() -> ! {
    static HALTING: AtomicBool = AtomicBool::new(false);
    let _uncancelled = Uncancelled::new();
    // Another thread is at it, and will end the process when it has said everything.
    while HALTING.swap(true, Ordering::AcqRel) || BUSY.load(Ordering::Acquire) {
        // SAFETY: has no preconditions.
        unsafe { ::libc::pause() };
    }
    let status = options::current().exit_status().unwrap_or(1);
    report(Some(status), true);
    end(status)
}

fn end(status: c_int) -> ! {
    // SAFETY: has no preconditions.
    unsafe { fcloseall() };
    leave(status)
}

/// Ends the process, and reports nothing.
pub fn leave(status: c_int) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { ::libc::syscall(::libc::SYS_exit_group, status) };
    }
}

static BUSY: AtomicBool = AtomicBool::new(false);
/// What was printed before: ids of findings; `None` before the first report.
static PRINTED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

pub fn after_fork() {
    BUSY.store(false, Ordering::Release);
    if let Ok(mut printed) = PRINTED.try_lock() {
        *printed = None;
    }
}

/// Reports what was found. `at_end`: the process exits, and what it has buffered goes out first, so that the report follows
/// it. Returns whether there is any finding that makes the run fail.
fn report(status: Option<c_int>, at_end: bool) -> bool {
    if fork::is_borrowed() || BUSY.swap(true, Ordering::AcqRel) {
        return false;
    }
    // The report's own writes end nothing, and nothing jumps out of it.
    let _signals = BlockedSignals::for_writing();
    events::flush();
    image::note_telling();
    let found = crate::guarded(|| write(options::current(), status, at_end));
    match found {
        Some(_) => {
            image::note_told();
            events::note_told(&printed_ids(), at_end);
        }
        None => say!("error: the report could not be made; this is a mistake in Nonius"),
    }
    BUSY.store(false, Ordering::Release);
    found.unwrap_or_default()
}

/// Reports what another process has left in its image.
pub fn tell_of_the_dead() {
    output::start();
    write(options::current(), None, false);
}

fn write(options: &Options, status: Option<c_int>, at_end: bool) -> bool {
    // Before anything here computes.
    let underflow = doubts::underflow();
    let is_open = tallies::any_open() || tallies::any_by_constants();
    let asserts = acsl::is_any_open();
    let speaks = options.stats || is_open || asserts || (options.verbose && !fork::is_child());
    let writes = options.report.is_some() && !fork::is_child();
    if found::is_empty() && options.oracle.is_none() && !speaks && !writes {
        return false;
    }
    let settled = events::analysis();
    let speaks =
        speaks || settled.as_ref().is_some_and(|s| s.analysis.has_open_verdicts() || !s.analysis.bounds.is_empty());
    if found::is_empty()
        && !speaks
        && !writes
        && settled.as_ref().is_none_or(|s| s.analysis.findings.is_empty())
        && events::stopped().is_none()
    {
        return false;
    }
    let _usual = Usual::enter();
    // Hooks called from here on, by a destructor or another thread, count and do no more.
    let _inside = Inside::enter();
    let places = found::places();
    let mut tables = Tables::default();
    let none = Suppressions::default();
    let mut findings = collect(&places, &mut tables, options);
    let printed = printed::mark(&mut findings, &mut tables);
    let oracle = settled.as_ref().map(|settled| settled.oracle).or(options.oracle);
    let mut analysis = settled.map(|settled| settled.analysis).unwrap_or_default();
    if let Some(oracle) = oracle {
        leave_unfollowed(&mut findings, &analysis.findings, &oracle.to_string());
    }
    findings.append(&mut analysis.findings);
    let mut asserted = acsl::assertions(analysis.holds_for, options.max_frames);
    findings.extend(asserted.iter_mut().filter_map(|(_, finding)| finding.take()));
    doctests::relocate(&mut findings);
    nonius_report::identify(&mut findings, &mut output::sources());
    let applied = suppress::current().unwrap_or(&none).apply(findings);
    let oracle = oracle.map_or("residue".to_owned(), |oracle| oracle.to_string());
    let mut report = Report::new(program(status), &oracle);
    report.findings = nonius_finding::merge(applied.remaining);
    nonius_finding::rank(&mut report.findings);
    (report.suppressions_used, report.suppressions_unused) = (applied.used, applied.unused);
    report.summary = coverage::summary(&mut tables, report.findings.len() as u64, applied.suppressed);
    if options.oracle.is_some() {
        let (findings, suppressed) = (report.summary.findings, report.summary.suppressed);
        // A function that only moves floats leaves no event.
        let outputs = report.summary.outputs.max(analysis.summary.outputs);
        let functions_run = report.summary.coverage.functions_run.max(analysis.summary.coverage.functions_run);
        let by_tables = std::mem::take(&mut report.summary.coverage);
        report.summary = Summary { findings, suppressed, ..analysis.summary };
        report.summary.coverage.functions_run = functions_run;
        report.summary.outputs = outputs;
        coverage::add_what_events_lack(&mut report.summary.coverage, by_tables);
    }
    (report.operations, report.observables, report.results) =
        (analysis.operations, analysis.observables, analysis.results);
    report.bounds = std::mem::take(&mut analysis.bounds);
    report.assertions = Assertion::merge(asserted.into_iter().map(|(assertion, _)| assertion));
    if options.oracle.is_none() {
        report.observables = doubts::open(&mut tables);
        report.summary.underflow = underflow;
        report.summary.ill_conditioned = doubts::ill_conditioned();
        report.summary.without_ideal = doubts::without_ideal();
    }
    report.notes = std::mem::take(&mut tables.notes);
    report.notes.extend(printed);
    report.notes.append(&mut analysis.notes);
    report.notes.extend(events::notes());
    report.notes.extend(image::is_read().then(|| GONE.to_owned()));
    report.notes.extend(events::client().map(|_| GONE_BESIDE.to_owned()));
    report.stopped = events::stopped();
    suppress::apply_baseline(&mut report);
    let any = !report.findings.is_empty();
    let fails = nonius_finding::failing(&report, options.selection()) > 0;
    // Silence about what is suppressed would pass for having found nothing.
    let speaks = speaks || report.stopped.is_some() || report.summary.suppressed > 0 || !report.known.is_empty();
    if writes || (any && options.report.is_some()) {
        output::json(&report, options);
    }
    // A forked child that found nothing has nothing to say.
    if !options.quiet && (any || speaks) && keep_news(&mut report) {
        if at_end {
            // SAFETY: has no preconditions; `exit` does the same right after this.
            unsafe { fcloseall() };
        }
        output::text(&report, options);
        if options.stats {
            stats::print(&mut tables);
        }
    }
    fails
}

/// Says of what instrumented code found by itself under an oracle that this knows nothing of it: a function without a copy
/// that records runs as always.
fn leave_unfollowed(findings: &mut [Finding], of_oracle: &[Finding], oracle: &str) {
    for finding in findings {
        let is_judged = matches!(finding.kind, Kind::PrecisionLoss | Kind::BranchFlip | Kind::CastFlip);
        if !is_judged || of_oracle.iter().any(|other| other.id == finding.id) {
            continue;
        }
        finding.confirmation = Some(Confirmation {
            verdict: Verdict::NotFollowed,
            oracle: oracle.to_owned(),
            relative_error: 0.0,
            first_error: None,
            count: finding.count,
        });
    }
}

/// What the report of an image says of itself.
const GONE: &str = "the program was ended before it could report (or still runs): this is what it had found until then; counts are \
                    lower bounds, and how much of it was shadowed is not known";

/// What the report of a machine says of itself.
const GONE_BESIDE: &str =
    "the program was ended before it could report: this is what it had handed to the machine beside it until then";

/// Findings of these ids were printed, by the program that this process speaks for.
pub fn set_printed(ids: impl Iterator<Item = String>) {
    if let Ok(mut printed) = PRINTED.try_lock() {
        *printed = Some(ids.collect());
    }
}

/// The ids of findings that were printed, by lines.
fn printed_ids() -> String {
    let ids = |printed: &HashSet<String>| printed.iter().cloned().collect::<Vec<_>>().join("\n");
    PRINTED.try_lock().ok().and_then(|printed| printed.as_ref().map(ids)).unwrap_or_default()
}

/// Leaves out the findings that were printed before; what stays counts as printed from now on. Returns whether there is
/// anything to print.
fn keep_news(report: &mut Report) -> bool {
    // One report is written at a time; only a forked child may find the lock taken, by a thread that it has not.
    let Ok(mut printed) = PRINTED.try_lock() else { return true };
    let first_time = printed.is_none();
    let printed = printed.get_or_insert_default();
    report.findings.retain(|finding| printed.insert(finding.id.clone()));
    first_time || !report.findings.is_empty()
}

fn collect(places: &[Place], tables: &mut Tables, options: &Options) -> Vec<Finding> {
    if places.is_empty() {
        return Vec::new();
    }
    crate::sites::modules().for_each(|module| module.checks.gather(&module.tallies));
    let mut symbols = Symbols::new();
    let at_place = |place: &Place| findings::at_place(place, tables, &mut symbols, options.max_frames);
    let mut findings: Vec<Finding> = places.iter().flat_map(at_place).collect();
    findings::adopt(&mut findings);
    findings
}

pub fn program(status: Option<c_int>) -> Program {
    if let Some(program) = image::program() {
        return program;
    }
    let arguments = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(&arguments);
    Program {
        path: std::fs::read_link("/proc/self/exe").map(|path| path.display().to_string()).unwrap_or_default(),
        args: arguments.split(|byte| *byte == 0).skip(1).map(|a| String::from_utf8_lossy(a).into_owned()).collect(),
        pid: fork::reported(),
        exit: status,
        ..Program::default()
    }
    .with_rank(|name| std::env::var(name).ok())
}

/// The tables of modules, each parsed once; what cannot be read becomes a note.
#[derive(Default)]
pub struct Tables {
    parsed: HashMap<*const crate::sites::Module, Option<Table>>,
    notes: Vec<String>,
}

impl Tables {
    pub fn of(&mut self, module: &'static crate::sites::Module) -> Option<&Table> {
        let notes = &mut self.notes;
        let parsed = self.parsed.entry(std::ptr::from_ref(module)).or_insert_with(|| {
            let table = module.table();
            if let Err(error) = &table {
                notes.push(format!("{} is left out: {error}; rebuild it", module.object()));
            }
            table.ok()
        });
        parsed.as_ref()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_program_is_this_one() {
        let program = super::program(Some(3));
        assert!(program.path.contains("nonius_rt") && program.exit == Some(3));
    }
}
