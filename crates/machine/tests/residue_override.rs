//! The oracle that executes again, on streams written by hand: its verdicts against MPFR's of 1024 bits.

mod common;

use common::{Builder, run, started};
use nonius_abi::Precision::{Double, Float};
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::event::{Module, Writer};
use nonius_abi::libm::FUNCTIONS;
use nonius_abi::site::{Observed, Op};
use nonius_finding::Kind as Found;
use nonius_machine::{Analysis, Engine, Fed, Options, executed};
use nonius_oracle::Spec;
use std::collections::BTreeSet;
use std::convert::Infallible;

fn slot(n: u32) -> Operand {
    Operand::slot(n)
}

/// What residue override makes of the events.
fn reexecuted(options: &Options, most: u32, mut feed: impl FnMut(&mut dyn Engine)) -> Analysis {
    let Ok(settled) = executed(Spec::ResidueOverride, options, most, |engine| {
        feed(engine);
        Ok::<_, Infallible>(Fed::All)
    });
    settled.expect("there is time").analysis
}

/// The analysis of chunks of several threads, and how many executions it took.
fn reexecuted_chunks(module: &Module, chunks: &[(u32, Vec<u64>)], most: u32) -> (Analysis, u32) {
    let options = Options { most_bytes: 1 << 24, ..Options::default() };
    let mut executions = 0;
    let analysis = reexecuted(&options, most, |engine| {
        executions += 1;
        engine.module(module.clone()).unwrap();
        chunks.iter().for_each(|(thread, words)| engine.events(*thread, words));
        engine.finish();
    });
    (analysis, executions)
}

fn again(module: &Module, stream: &Writer, most: u32) -> (Analysis, u32) {
    reexecuted_chunks(module, &[(0, stream.words.clone())], most)
}

/// The lines at which something was found.
fn lines(analysis: &Analysis) -> BTreeSet<u32> {
    analysis.findings.iter().map(|finding| finding.location.line).collect()
}

/// A call of a function of one argument, whose result is recorded.
fn calls(b: &mut Builder, name: &str, result: u32, x: Operand, word: u32, line: u32) {
    let site = b.site(Op::Unknown, Observed::Operation, line, 0);
    let detail = FUNCTIONS.iter().position(|f| f.name == name).unwrap() as u32;
    let args = [x, Operand::NOTHING, Operand::NOTHING];
    b.step(Step { result, args, detail, word, site, ..b.blank(Kind::Function) });
}

/// `f` of each input, in places of its own: whatever is found there is on the input's own lines.
fn for_each_input(inputs: &[f64], slots: u32, f: impl Fn(&mut Builder, u32, u32)) -> (Module, Writer) {
    let mut b = Builder::new(Double, slots * inputs.len() as u32);
    b.block(true, inputs.len() as u32);
    for at in 0..inputs.len() as u32 {
        b.value(slots * at, at);
        f(&mut b, slots * at, 10 * (at + 1));
    }
    let mut w = Writer::default();
    let bits: Vec<u64> = inputs.iter().map(|x| x.to_bits()).collect();
    w.event(1, 0, &bits);
    (b.finish(), w)
}

/// 100 positive inputs over wide exponents.
fn inputs() -> Vec<f64> {
    (0..100).map(|n| (1.0 + 0.37 * f64::from(n % 7)) * 10f64.powi(3 * n - 20)).collect()
}

/// `sqrt(x + 1) - sqrt(x)`
fn difference_of_roots(b: &mut Builder, x: u32, line: u32) {
    let one = b.constant(1.0);
    b.arith(Arith::Add, x + 1, &[slot(x), one], line);
    b.arith(Arith::Sqrt, x + 2, &[slot(x)], line);
    b.arith(Arith::Sqrt, x + 3, &[slot(x + 1)], line);
    b.arith(Arith::Sub, x + 4, &[slot(x + 3), slot(x + 2)], line);
}

fn checked_difference_of_roots(b: &mut Builder, x: u32, line: u32) {
    difference_of_roots(b, x, line);
    b.check(x + 4, Observed::Output, line);
}

#[test]
fn differences_of_roots_are_judged_as_by_mpfr() {
    let (module, stream) = for_each_input(&inputs(), 5, checked_difference_of_roots);
    let truth = lines(&run("mpfr:1024", &module, &stream));
    let (first, _) = again(&module, &stream, 1);
    let missed = truth.difference(&lines(&first)).count();
    let invented = lines(&first).difference(&truth).count();
    let (last, executions) = again(&module, &stream, 20);
    println!("{} findings, first {missed} missed {invented} invented, {executions} executions", truth.len());
    assert!(missed > 40 && invented == 0, "{missed} {invented}");
    assert_eq!(lines(&last), truth);
    assert_eq!(executions, 3);
    assert!(last.notes.iter().any(|note| note.contains("3 executions settled")), "{:?}", last.notes);
    assert_eq!(last, again(&module, &stream, 20).0, "the same twice");
    // A single execution says so.
    let live = run("residue-override", &module, &stream);
    assert_eq!(live.findings, first.findings);
    assert!(live.notes.iter().any(|note| note.contains("one execution cannot settle")), "{:?}", live.notes);
}

/// The ideal too, not only that there is one.
#[test]
fn the_error_of_the_last_execution_is_mpfrs() {
    let (module, stream) = for_each_input(&[1e99], 6, |b, x, line| {
        difference_of_roots(b, x, line);
        // With its actual value 0, only the product of the residues is left.
        b.arith(Arith::Mul, x + 5, &[slot(x + 4), slot(x + 4)], line + 1);
        b.check(x + 5, Observed::Output, line + 1);
    });
    let (analysis, _) = again(&module, &stream, 20);
    let [finding] = &analysis.findings[..] else { panic!("{:?}", analysis.findings) };
    assert_eq!((finding.kind, finding.worst.value), (Found::PrecisionLoss, 0.0));
    assert!((finding.worst.shadow / 2.5e-100 - 1.0).abs() < 1e-15, "{finding:?}");
    assert_eq!(again(&module, &stream, 1).0.findings, []);
}

/// Several threads, whose chunks alternate.
#[test]
fn operations_are_told_apart_by_their_threads() {
    let mut b = Builder::new(Double, 6);
    let first = b.block(true, 1);
    b.value(0, 0);
    difference_of_roots(&mut b, 0, 1);
    b.block(false, 0);
    b.arith(Arith::Mul, 5, &[slot(4), slot(3)], 2);
    b.check(5, Observed::Output, 2);
    let module = b.finish();
    let chunk = |block: u32, words: &[u64]| {
        let mut w = Writer::default();
        w.event(1, block, words);
        w.words
    };
    let mut chunks = Vec::new();
    for thread in [3, 0, 900] {
        chunks.push((thread, chunk(first, &[1e60f64.to_bits()])));
    }
    for thread in [0, 900, 3] {
        chunks.push((thread, chunk(first + 1, &[])));
    }
    let (analysis, executions) = reexecuted_chunks(&module, &chunks, 20);
    assert_eq!((lines(&analysis), executions), ([1].into(), 3));
    // In each thread the difference, which was absorbed, and the product, whose verdict was open for it.
    assert!(analysis.notes.iter().any(|note| note.contains("settled 6 residues")), "{:?}", analysis.notes);
}

/// FPBench's hamming-ch3-1, with eps too small to show beside x.
#[test]
fn sines_of_near_arguments() {
    let mut b = Builder::new(Double, 6);
    b.block(true, 4);
    b.value(0, 0);
    b.value(1, 1);
    b.arith(Arith::Add, 2, &[slot(0), slot(1)], 1);
    calls(&mut b, "sin", 3, slot(2), 2, 2);
    calls(&mut b, "sin", 4, slot(0), 3, 3);
    b.arith(Arith::Sub, 5, &[slot(3), slot(4)], 4);
    b.check(5, Observed::Output, 4);
    let module = b.finish();
    for (x, eps) in [(0.5, 1e-40), (0.5, 1e-60), (3.0, 1e-100), (100.25, 1e-250)] {
        let mut w = Writer::default();
        let sine = f64::sin(x).to_bits();
        w.event(1, 0, &[f64::to_bits(x), f64::to_bits(eps), sine, sine]);
        let truth = run("mpfr:1024", &module, &w);
        assert_eq!(truth.findings.len(), 1);
        assert_eq!(again(&module, &w, 1).0.findings, [], "{x} {eps}");
        let (analysis, executions) = again(&module, &w, 20);
        let [finding] = &analysis.findings[..] else { panic!("{x} {eps}: {:?}", analysis.findings) };
        assert_eq!(executions, 3, "{x} {eps}");
        let ideal = eps * x.cos();
        assert!((finding.worst.shadow / ideal - 1.0).abs() < 1e-12, "{x} {eps}: {finding:?}");
    }
}

/// What is below the residue that was put: `(sqrt(x + 1) - sqrt(x)) - 1 / (2 sqrt(x))`, whose ideal is that of the
/// second order.
#[test]
fn several_layers() {
    let at = [1e20, 1e40, 1e60];
    let (module, stream) = for_each_input(&at, 8, |b, x, line| {
        let two = b.constant(2.0);
        let one = b.constant(1.0);
        b.arith(Arith::Add, x + 1, &[slot(x), one], line);
        b.arith(Arith::Sqrt, x + 2, &[slot(x)], line);
        b.arith(Arith::Sqrt, x + 3, &[slot(x + 1)], line);
        b.arith(Arith::Sub, x + 4, &[slot(x + 3), slot(x + 2)], line);
        b.arith(Arith::Mul, x + 5, &[slot(x + 2), slot(x + 4)], line + 1);
        b.arith(Arith::Mul, x + 6, &[slot(x + 5), two], line + 1);
        b.check(x + 6, Observed::Output, line + 1);
    });
    let truth = lines(&run("mpfr:1024", &module, &stream));
    assert_eq!(lines(&again(&module, &stream, 20).0), truth);
    assert_eq!(truth.len(), at.len());
}

/// Magnitudes hand on what they are of.
#[test]
fn through_magnitudes() {
    let (module, stream) = for_each_input(&[1e50, 1e70], 8, |b, x, line| {
        let one = b.constant(1.0);
        b.arith(Arith::Add, x + 1, &[slot(x), one], line);
        b.arith(Arith::Sqrt, x + 2, &[slot(x)], line);
        b.arith(Arith::Sqrt, x + 3, &[slot(x + 1)], line);
        b.arith(Arith::Neg, x + 4, &[slot(x + 3)], line);
        b.arith(Arith::Abs, x + 5, &[slot(x + 4)], line);
        b.arith(Arith::Sub, x + 6, &[slot(x + 2), slot(x + 5)], line);
        b.arith(Arith::Abs, x + 7, &[slot(x + 6)], line);
        b.check(x + 7, Observed::Output, line);
    });
    let (analysis, executions) = again(&module, &stream, 20);
    assert_eq!((lines(&analysis), executions), (lines(&run("mpfr:1024", &module, &stream)), 3));
    assert!(analysis.findings.iter().all(|f| f.worst.shadow > 0.0), "{:?}", analysis.findings);
}

/// Doubles that are rounded to floats, and cancel there: what the roundings absorbed is an error of 1e-20 in 1.
#[test]
fn through_casts() {
    let mut b = Builder::new(Double, 8);
    let big = b.constant(1e20);
    b.block(true, 1);
    b.value(0, 0);
    b.arith(Arith::Mul, 1, &[slot(0), slot(0)], 1);
    b.arith(Arith::Div, 2, &[slot(1), slot(0)], 2);
    for (from, to) in [(2, 3), (0, 4)] {
        let site = b.site(Op::Unknown, Observed::Operation, 3, 0);
        let args = [slot(from), Operand::NOTHING, Operand::NOTHING];
        b.step(Step { result: to, args, detail: Double as u32, site, ..Step::new(Kind::Convert, Float, 1) });
    }
    for (from, to) in [(3, 5), (4, 6)] {
        let args = [slot(from), Operand::NOTHING, Operand::NOTHING];
        b.step(Step { result: to, args, detail: Float as u32, ..Step::new(Kind::Convert, Double, 1) });
    }
    b.arith(Arith::Sub, 7, &[slot(5), slot(6)], 4);
    b.arith(Arith::Mul, 7, &[slot(7), big], 5);
    b.check(7, Observed::Output, 5);
    let module = b.finish();
    for x in [0.1, 1.1, 1e10 + 0.3] {
        let mut w = Writer::default();
        w.event(1, 0, &[f64::to_bits(x)]);
        let truth = run("mpfr:1024", &module, &w);
        let (analysis, _) = again(&module, &w, 20);
        assert_eq!(lines(&analysis), lines(&truth), "{x}");
    }
}

/// Adding 1.5 2^52 and taking it away rounds to an integer, on purpose.
#[test]
fn the_shift_trick_has_no_error() {
    let (module, stream) = for_each_input(&[0.3, 7.75, 1e9 + 0.5, 123.456], 3, |b, x, line| {
        let magic = b.constant(1.5 * f64::exp2(52.0));
        b.arith(Arith::SnapAdd, x + 1, &[slot(x), magic], line);
        b.arith(Arith::Sub, x + 2, &[slot(x + 1), magic], line);
        b.check(x + 2, Observed::Output, line);
    });
    let (analysis, executions) = again(&module, &stream, 20);
    assert_eq!((analysis.findings, executions), (vec![], 1));
    assert_eq!(analysis.notes, [""; 0]);
}

/// A comparison that comes out otherwise for ideals that only a re-execution has.
#[test]
fn branches_flip_on_what_was_settled() {
    let (module, stream) = for_each_input(&[1e10, 1e40, 1e80], 5, |b, x, line| {
        let zero = b.constant(0.0);
        difference_of_roots(b, x, line);
        b.compare(slot(x + 4), zero, 2, line + 1);
    });
    let options = Options { resume: false, most_bytes: 1 << 24, ..Options::default() };
    let flips = |most| {
        let analysis = reexecuted(&options, most, |engine| {
            engine.module(module.clone()).unwrap();
            engine.events(0, &stream.words);
        });
        let of_kind = analysis.findings.iter().filter(|f| f.kind == Found::BranchFlip);
        of_kind.map(|f| f.location.line).collect::<Vec<_>>()
    };
    assert_eq!(flips(1), [0; 0]);
    assert_eq!(flips(20), [21, 31]);
}

/// The cap holds, and the note says what is open.
#[test]
fn the_cap_is_kept() {
    let (module, stream) = for_each_input(&[1e40], 5, checked_difference_of_roots);
    let (analysis, executions) = again(&module, &stream, 2);
    assert_eq!((executions, analysis.findings.len()), (1, 0));
    assert!(analysis.notes.iter().any(|note| note.contains("raise reexecutions")), "{:?}", analysis.notes);
}

/// A failure of the input ends it.
#[test]
fn an_input_that_fails_is_told() {
    let failed = executed(Spec::ResidueOverride, &Options::default(), 20, |_| Err::<Fed, _>("gone"));
    assert_eq!(failed.unwrap_err(), "gone");
    let (module, stream) = for_each_input(&[1e40], 5, checked_difference_of_roots);
    let mut machine = started("repo", &module);
    machine.events(0, &stream.words);
    assert_eq!(machine.operations(), 4);
}
