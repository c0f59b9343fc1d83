//! Tasks: parts of a run that are looked at each by itself.

mod common;

use common::Builder;
use nonius_abi::Precision::{Double, Float};
use nonius_abi::code::{Arith, Kind, LIVE, Operand, Step};
use nonius_abi::event::{Module, Note, Writer, task_begin, task_end};
use nonius_abi::site::Observed;
use nonius_finding::Kind as Found;
use nonius_machine::{Analysis, Engine, Options, engine};
use nonius_options::TasksMode;

fn slot(n: u32) -> Operand {
    Operand::slot(n)
}

fn single(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// A chunk of a thread's events.
type Chunk = (u32, Vec<u64>);

fn events(write: impl FnOnce(&mut Writer)) -> Vec<u64> {
    let mut writer = Writer::default();
    write(&mut writer);
    writer.words
}

fn begun(oracle: &str, tasks: TasksMode, workers: usize, module: &Module) -> Box<dyn Engine> {
    let options = Options { most_bytes: 1 << 26, tasks, workers, ..Options::default() };
    let mut machine = engine(oracle.parse().unwrap(), options);
    machine.module(module.clone()).unwrap();
    machine
}

/// The analysis, which is the same whoever walks the tasks.
fn run(tasks: TasksMode, module: &Module, chunks: &[Chunk]) -> Analysis {
    let by = |workers: usize| {
        let mut machine = begun("mpfr:128", tasks, workers, module);
        chunks.iter().for_each(|(thread, words)| machine.events(*thread, words));
        machine.finish();
        machine.analysis()
    };
    let alone = by(0);
    for workers in [1, 2, 8] {
        assert_eq!(format!("{alone:?}"), format!("{:?}", by(workers)), "{workers} workers");
    }
    alone
}

fn lines(analysis: &Analysis, kind: Found) -> Vec<u32> {
    analysis.findings.iter().filter(|f| f.kind == kind).map(|f| f.location.line).collect()
}

/// Lines where comparisons went the other way, and how often: symptoms of the sum that lost digits.
fn flips(analysis: &Analysis) -> Vec<(u32, u64)> {
    let symptoms = analysis.findings.iter().flat_map(|f| &f.symptoms);
    symptoms.filter(|s| s.kind == Found::BranchFlip).map(|s| (s.location.line, s.count)).collect()
}

/// PFPSanitizer's figure 3: x1 = a + b, x2 = x1 - a, x3 = x2 - b, a test of x3 against 0 and a product or a sum; each
/// function call a task. Block 0 computes, block 1 is the one way on and block 2 the other.
fn figure_3() -> Module {
    let mut b = Builder::new(Float, 6);
    b.block(true, 4);
    b.load(0, 0, 2);
    b.load(1, 1, 3);
    b.arith(Arith::Add, 2, &[slot(0), slot(1)], 5);
    b.arith(Arith::Sub, 3, &[slot(2), slot(0)], 6);
    b.arith(Arith::Sub, 4, &[slot(3), slot(1)], 7);
    let zero = b.constant(0.0);
    b.compare(slot(4), zero, 1, 9);
    b.block(false, 0);
    b.arith(Arith::Mul, 5, &[slot(3), slot(4)], 10);
    b.check(5, Observed::Return, 16);
    b.returns(vec![slot(5)]);
    b.block(false, 0);
    b.arith(Arith::Add, 5, &[slot(3), slot(4)], 13);
    b.check(5, Observed::Return, 16);
    b.returns(vec![slot(5)]);
    b.finish()
}

/// A call of figure 3's function on two numbers in memory, as the program's own arithmetic goes.
fn call_of_foo(a: f32, b: f32) -> Vec<u64> {
    let x3 = ((a + b) - a) - b;
    events(|w| {
        w.event(1, 0, &[0x1000, 0x2000, single(a), single(b)]).event(1, if x3 == 0.0 { 1 } else { 2 }, &[]);
    })
}

#[test]
fn the_papers_figure_3_each_call_a_task() {
    // The sum of 0.5 and 0.00134 is rounded, so the float says that x3 is not 0, where the ideal is.
    let (bad, good) = (call_of_foo(0.5, 0.00134), call_of_foo(0.5, 0.25));
    let mut chunks: Vec<Chunk> = Vec::new();
    for call in [&good, &bad, &good, &bad, &bad] {
        chunks.extend([(0, task_begin("foo")), (0, call.clone()), (0, task_end())]);
    }
    let analysis = run(TasksMode::Marked, &figure_3(), &chunks);
    assert_eq!(lines(&analysis, Found::PrecisionLoss), [6], "{:#?}", analysis.findings);
    assert_eq!(flips(&analysis), [(9, 3)], "{:#?}", analysis.findings);
    assert_eq!(analysis.findings[0].region.as_deref(), Some("foo"));
    assert_eq!(analysis.operations.iter().find(|o| o.location.line == 5).unwrap().count, 5);
    assert_eq!(analysis.notes, ["what lies in tasks was looked at, each by itself: 'foo' 5 times"]);
    // Where the path of the program is followed, and nothing is wrong, nothing is said.
    let silent = run(TasksMode::Marked, &figure_3(), &[(0, task_begin("foo")), (0, good), (0, task_end())]);
    assert!(silent.findings.is_empty(), "{:#?}", silent.findings);
}

/// Block 0: [p] = (a + b) - b, rounded away. Block 1: loads it, takes a off and shows the rest.
fn writer_and_reader() -> Module {
    let mut b = Builder::new(Double, 6);
    b.block(true, 3);
    b.value(0, 0);
    b.value(1, 1);
    b.arith(Arith::Add, 2, &[slot(0), slot(1)], 3);
    b.arith(Arith::Sub, 3, &[slot(2), slot(1)], 4);
    b.store(3, 2);
    b.block(false, 3);
    b.load(4, 0, 1);
    b.value(0, 2);
    b.arith(Arith::Sub, 5, &[slot(4), slot(0)], 8);
    b.check(5, Observed::Output, 9);
    b.finish()
}

const A: f64 = 0.1;
const B: f64 = 1e13;

fn writes() -> Vec<u64> {
    events(|w| _ = w.event(1, 0, &[A.to_bits(), B.to_bits(), 0x7000]))
}

fn reads(value: f64) -> Vec<u64> {
    events(|w| _ = w.event(1, 1, &[0x7000, value.to_bits(), A.to_bits()]))
}

#[test]
fn a_task_that_reads_what_another_wrote_takes_it_over() {
    let module = writer_and_reader();
    let stored = (A + B) - B;
    // One task: what it stored is its own, and the error comes out (figure 6, "yes").
    let one = [(0, task_begin("all")), (0, writes()), (0, reads(stored)), (0, task_end())];
    let analysis = run(TasksMode::Marked, &module, &one);
    assert_eq!(lines(&analysis, Found::PrecisionLoss), [4], "{:#?}", analysis.findings);
    // Two: the value is the program's, and nothing that is said of it counts as followed (figure 6, "no").
    let [begin, end] = [task_begin("write"), task_end()];
    let two = [(0, begin), (0, writes()), (0, end.clone()), (0, task_begin("read")), (0, reads(stored)), (0, end)];
    let analysis = run(TasksMode::Marked, &module, &two);
    let seen = analysis.observables.iter().find(|o| o.location.line == 9).unwrap();
    assert_eq!((seen.count, seen.not_followed), (1, 1));
    assert!(analysis.findings.iter().all(|f| f.observed_at != nonius_finding::ObservedAt::Output));
    // One task again, but somebody else wrote in between.
    let other = [(0, task_begin("all")), (0, writes()), (0, reads(0.25)), (0, task_end())];
    let seen = run(TasksMode::Marked, &module, &other);
    assert_eq!(seen.observables.iter().find(|o| o.location.line == 9).unwrap().not_followed, 1);
}

#[test]
fn what_lies_outside_of_tasks_is_not_looked_at() {
    let module = writer_and_reader();
    let stored = (A + B) - B;
    let chunks = [(0, task_begin("read")), (0, reads(stored)), (0, task_end()), (0, writes()), (0, reads(stored))];
    let analysis = run(TasksMode::Marked, &module, &chunks);
    assert_eq!(analysis.summary.operations, 1);
    let off = run(TasksMode::Off, &module, &chunks);
    assert_eq!(off.summary.operations, 4);
}

#[test]
fn floats_that_are_live_where_a_task_begins_come_with_it() {
    let mut b = Builder::new(Double, 4);
    b.block(true, 2);
    b.value(0, 0);
    b.value(1, 1);
    b.arith(Arith::Sub, 2, &[slot(0), slot(1)], 3);
    b.block(false, 2);
    for n in [0, 2] {
        b.step(Step { result: n, word: n / 2, detail: LIVE, ..b.blank(Kind::Value) });
    }
    b.arith(Arith::Div, 3, &[slot(2), slot(0)], 6);
    b.check(3, Observed::Output, 7);
    let module = b.finish();
    let (x, y) = (1.0 + f64::EPSILON, 1f64);
    let before = events(|w| _ = w.event(1, 0, &[x.to_bits(), y.to_bits()]));
    let behind = events(|w| _ = w.event(1, 1, &[x.to_bits(), (x - y).to_bits()]));
    let marked = [(0, before.clone()), (0, task_begin("t")), (0, behind.clone()), (0, task_end())];
    let analysis = run(TasksMode::Marked, &module, &marked);
    let shown = |analysis: &Analysis| {
        let seen = analysis.observables.iter().find(|o| o.location.line == 7).unwrap();
        (seen.count, seen.not_followed)
    };
    assert_eq!(shown(&analysis), (1, 1));
    // A machine that has walked what came before has more than the values.
    assert_eq!(shown(&run(TasksMode::Off, &module, &[(0, before), (0, behind)])), (1, 0));
}

#[test]
fn tasks_that_do_not_pair_are_told() {
    let module = figure_3();
    let call = call_of_foo(0.5, 0.00134);
    let nested = [
        (0, task_begin("outer")),
        (0, task_begin("inner")),
        (0, call.clone()),
        (0, task_end()),
        (0, call.clone()),
        (0, task_end()),
    ];
    let analysis = run(TasksMode::Marked, &module, &nested);
    assert_eq!(analysis.notes, ["what lies in tasks was looked at, each by itself: 'outer' once"]);
    assert_eq!(flips(&analysis), [(9, 2)]);
    let ends = [(0, task_end()), (0, task_begin("t")), (0, call.clone())];
    let analysis = run(TasksMode::Marked, &module, &ends);
    assert_eq!(flips(&analysis), [(9, 1)], "what it did until then counts");
    let notes = analysis.notes.join("\n");
    assert!(notes.contains("tasks that did not end before their thread or the program did: 't' once"), "{notes}");
    assert!(notes.contains("the end of a task came once without a beginning"), "{notes}");
    let thread_ends = [(3, task_begin("t")), (3, call), (3, events(|w| _ = w.note(Note::End, 0)))];
    let notes = run(TasksMode::Marked, &module, &thread_ends).notes.join("\n");
    assert!(notes.contains("did not end") && notes.contains("'t' once"), "{notes}");
}

#[test]
fn long_tasks_of_many_threads_are_all_walked() {
    let module = figure_3();
    let call = call_of_foo(0.5, 0.00134);
    let long: Vec<u64> = call.iter().copied().cycle().take(call.len() * 4000).collect();
    let mut chunks: Vec<Chunk> = (0..10).map(|thread| (thread, task_begin("long"))).collect();
    for _ in 0..6 {
        chunks.extend((0..10).map(|thread| (thread, long.clone())));
    }
    chunks.extend((0..10).map(|thread| (thread, task_end())));
    let analysis = run(TasksMode::Marked, &module, &chunks);
    assert_eq!(analysis.summary.operations, 10 * 6 * 4000 * 4);
    assert_eq!(flips(&analysis), [(9, 10 * 6 * 4000)]);
    assert!(analysis.notes.iter().any(|note| note.contains("too many long tasks")), "{:?}", analysis.notes);
}

/// `main` calls a function that sums up an array, and prints what it returns.
#[test]
fn long_calls_are_cut_out_by_themselves() {
    const TERMS: u64 = 5000;
    let mut b = Builder::new(Double, 2);
    b.block(true, 0);
    b.call(1, vec![]);
    b.block(false, 1);
    b.step(Step { result: 0, word: 0, ..b.blank(Kind::Result) });
    b.check(0, Observed::Output, 5);
    b.call(1, vec![]);
    b.function("total", 3);
    b.block(true, 1);
    b.value(0, 0);
    b.block(false, 2);
    b.load(1, 0, 1);
    b.arith(Arith::Add, 0, &[slot(0), slot(1)], 11);
    b.block(false, 0);
    b.check(0, Observed::Return, 12);
    b.returns(vec![slot(0)]);
    let module = b.finish();
    let mut words = Writer::default();
    words.event(9, 0, &[]);
    for _ in 0..6 {
        let mut total: f64 = 1e9;
        words.event(8, 2, &[total.to_bits()]);
        for n in 0..TERMS {
            words.event(8, 3, &[0x1000 + 8 * n, 0.1f64.to_bits()]);
            total += 0.1;
        }
        words.event(8, 4, &[]);
        words.event(9, 1, &[total.to_bits()]);
    }
    let chunks = |size: usize| words_in_chunks(&words.words, size);
    let analysis = run(TasksMode::Auto, &module, &chunks(3 * 2500));
    assert_eq!(analysis.summary.operations, 6 * TERMS);
    assert!(analysis.notes[0].starts_with("5 calls were looked at each by itself (tasks=auto): 'total' 5 times"));
    let printed = analysis.observables.iter().find(|o| o.location.line == 5).unwrap();
    // The first call was not cut out: its result is followed.
    assert_eq!((printed.count, printed.not_followed), (6, 5));
    // However chunks lie.
    assert_eq!(format!("{analysis:?}"), format!("{:?}", run(TasksMode::Auto, &module, &chunks(3 * 700))));
}

/// Cut at whole records: `size` words at least.
fn words_in_chunks(words: &[u64], size: usize) -> Vec<Chunk> {
    let sizes = [1, 2, 2, 3, 1];
    let (mut chunks, mut from, mut at) = (Vec::new(), 0, 0);
    while at < words.len() {
        at += sizes[words[at] as u32 as usize];
        if at - from >= size || at == words.len() {
            chunks.push((0, words[from..at].to_vec()));
            from = at;
        }
    }
    chunks
}

#[test]
fn events_that_make_no_sense_end_their_task_and_are_told() {
    let module = figure_3();
    let good = call_of_foo(0.5, 0.00134);
    let bad = events(|w| _ = w.event(1, 77, &[1]));
    let chunks = [
        (0, task_begin("a")),
        (0, bad.clone()),
        (0, task_end()),
        (0, task_begin("b")),
        (0, good),
        (0, task_end()),
        (0, vec![bad[0]]),
    ];
    let analysis = run(TasksMode::Marked, &module, &chunks);
    assert_eq!(flips(&analysis), [(9, 1)]);
    assert!(analysis.notes.iter().any(|note| note.contains("cannot be read to the end")), "{:?}", analysis.notes);
}

#[test]
fn a_request_is_answered_from_the_task_that_asks() {
    use nonius_machine::{Cell, Request};
    let module = writer_and_reader();
    let stored = (A + B) - B;
    let cell = Cell { address: 0x7000, format: Double, value: stored };
    for workers in [0, 2] {
        let mut machine = begun("mpfr:128", TasksMode::Marked, workers, &module);
        machine.events(0, &task_begin("t"));
        machine.events(0, &writes());
        let sight = machine.request_by(0, Request::Look(cell)).expect("it is known");
        assert!((sight.ideal - A).abs() < 1e-17 && sight.value == stored, "{sight:?}");
        assert_eq!(machine.request_by(1, Request::Look(cell)), None, "another thread is in no task");
        machine.events(0, &task_end());
        assert_eq!(machine.request_by(0, Request::Look(cell)), None);
    }
}
