//! The machine on streams written by hand.

mod common;

use common::{Builder, ORACLES, run, started};
use nonius_abi::Precision::{Double, Float};
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::event::{Note, Writer};
use nonius_abi::site::Observed;
use nonius_finding::Kind as Found;

fn slot(n: u32) -> Operand {
    Operand::slot(n)
}

/// FpDebug's figure 3, lines and all.
fn figure_3() -> (nonius_abi::event::Module, Writer) {
    let mut b = Builder::new(Float, 8);
    b.block(true, 2);
    let (one, two) = (b.constant(1.0), b.constant(2.0));
    b.value(0, 0); // e
    b.value(1, 1); // x
    b.arith(Arith::Add, 2, &[one, slot(1)], 3); // y
    b.arith(Arith::Add, 3, &[slot(2), slot(0)], 4); // more
    b.arith(Arith::Sub, 4, &[slot(3), slot(2)], 5); // diff_e
    b.arith(Arith::Sub, 5, &[slot(4), slot(0)], 6); // diff_0
    b.arith(Arith::Add, 6, &[slot(5), slot(5)], 7); // zero
    b.arith(Arith::Mul, 7, &[two, slot(6)], 8); // result
    b.check(7, Observed::Output, 9);
    let mut w = Writer::default();
    w.event(1, 0, &[u64::from(0.00000006f32.to_bits()), u64::from(0.5f32.to_bits())]);
    (b.finish(), w)
}

#[test]
fn an_error_is_traced_to_where_it_came_from() {
    let (module, stream) = figure_3();
    for oracle in ORACLES {
        let analysis = run(oracle, &module, &stream);
        let [finding] = &analysis.findings[..] else { panic!("{oracle}: {:?}", analysis.findings) };
        assert_eq!(finding.kind, Found::PrecisionLoss);
        assert_eq!(finding.worst.shadow, 0.0, "{oracle}");
        let lines: Vec<u32> = finding.causes.iter().map(|c| c.location.line).collect();
        assert!(lines.contains(&5), "{oracle}: {lines:?}");
        let at_5 = analysis.operations.iter().find(|o| o.location.line == 5).unwrap();
        assert!((0.95..1.05).contains(&at_5.introduced_error), "{oracle}: {at_5:?}");
        let at_6 = analysis.operations.iter().find(|o| o.location.line == 6).unwrap();
        assert!(at_6.max_badness > 0, "{oracle}: {at_6:?}");
        let at_8 = analysis.operations.iter().find(|o| o.location.line == 8).unwrap();
        assert!(at_8.introduced_error <= 0.0, "{oracle}: {at_8:?}");
        assert_eq!(analysis, run(oracle, &module, &stream), "the same twice");
    }
}

/// FpDebug's figure 1: the Patriot's clock.
#[test]
fn a_loop_is_folded() {
    let mut b = Builder::new(Float, 2);
    let tenth = b.constant(f64::from(0.1f32));
    let zero = b.constant(0.0);
    let entry = b.block(true, 0);
    let body = b.block(false, 0);
    b.edge(entry, &[(0, zero)]);
    b.edge(body, &[(0, slot(1))]);
    b.arith(Arith::Add, 1, &[slot(0), tenth], 4);
    b.block(false, 0);
    b.check(1, Observed::Output, 6);
    let module = b.finish();
    let mut w = Writer::default();
    w.event(1, entry, &[]);
    for _ in 0..20_000 {
        w.event(1, body, &[]);
    }
    w.event(1, 2, &[]);
    for oracle in ORACLES {
        let analysis = run(oracle, &module, &w);
        let [finding] = &analysis.findings[..] else { panic!("{oracle}: {:?}", analysis.findings) };
        assert_eq!(finding.worst.value, f64::from(1999.6588f32));
        assert!((1.6e-4..1.8e-4).contains(&finding.worst.relative_error), "{oracle}");
        assert_eq!(finding.location.line, 4, "{oracle}");
        let [cause] = &finding.causes[..] else { panic!("{oracle}: {:?}", finding.causes) };
        assert!(cause.measured.as_ref().unwrap().count > 16_000, "{oracle}: {cause:?}");
        assert_eq!(analysis.summary.operations, 20_000);
    }
}

#[test]
fn shadows_pass_through_memory_and_calls() {
    let mut b = Builder::new(Double, 4);
    let big = b.constant(1e16);
    let block = b.block(true, 3);
    b.value(0, 0);
    b.arith(Arith::Add, 1, &[big, slot(0)], 2);
    b.store(1, 1);
    b.load(2, 1, 2);
    b.call(1, vec![slot(2)]);
    let after = b.block(false, 1);
    b.step(Step { result: 3, word: 0, ..b.blank(Kind::Result) });
    b.check(3, Observed::Output, 5);
    b.returns(vec![]);
    b.function("g", 2);
    let callee = b.block(true, 1);
    b.step(Step { result: 0, word: 0, ..b.blank(Kind::Parameter) });
    b.arith(Arith::Sub, 1, &[slot(0), big], 11);
    b.returns(vec![slot(1)]);
    let module = b.finish();
    let bits = |x: f64| x.to_bits();
    let stream = |loaded: f64, passed: f64, result: f64| {
        let mut w = Writer::default();
        w.event(9, block, &[bits(1.0), 0x7fff_1238, bits(loaded)]);
        w.event(8, callee, &[bits(passed)]);
        w.event(9, after, &[bits(result)]);
        w
    };
    for oracle in ORACLES {
        let analysis = run(oracle, &module, &stream(1e16, 1e16, 0.0));
        let [finding] = &analysis.findings[..] else { panic!("{oracle}: {:?}", analysis.findings) };
        assert_eq!((finding.worst.value, finding.worst.shadow), (0.0, 1.0), "{oracle}");
        let lines: Vec<u32> = finding.causes.iter().map(|c| c.location.line).collect();
        assert_eq!(lines.len(), 2, "{oracle}: {lines:?}");
        assert!(lines.contains(&2) && lines.contains(&11), "{oracle}: {lines:?}");
        // Another value in memory, in the callee, or as its result: it came from elsewhere.
        assert_eq!(run(oracle, &module, &stream(3.0, 3.0, -1e16)).findings, []);
        assert_eq!(run(oracle, &module, &stream(1e16, 5.0, 5.0 - 1e16)).findings, []);
        assert_eq!(run(oracle, &module, &stream(1e16, 1e16, 7.0)).findings, []);
    }
}

#[test]
fn frames_that_are_left_otherwise_do_no_harm() {
    let mut b = Builder::new(Double, 2);
    let big = b.constant(1e16);
    let enter = b.block(true, 1);
    b.value(0, 0);
    b.arith(Arith::Add, 0, &[slot(0), big], 1);
    let go_on = b.block(false, 0);
    b.arith(Arith::Sub, 1, &[slot(0), big], 2);
    b.check(1, Observed::Output, 3);
    let module = b.finish();
    let one = 1f64.to_bits();
    // A callee's frame is left by unwinding; the caller's registers are as they were.
    let mut w = Writer::default();
    w.event(9, enter, &[one]).event(8, enter, &[one]).event(9, go_on, &[]);
    assert_eq!(run("mpfr", &module, &w).findings.len(), 1);
    // A frame that nothing is known of, and events that were lost.
    let mut w = Writer::default();
    w.event(7, go_on, &[]);
    assert_eq!(run("mpfr", &module, &w).findings.len(), 0);
    let mut w = Writer::default();
    w.event(9, enter, &[one]).note(Note::Lost, 3).event(9, go_on, &[]);
    let analysis = run("mpfr", &module, &w);
    assert_eq!((analysis.findings.len(), analysis.notes.len()), (0, 1));
}

#[test]
fn branches_flip_only_if_the_rounded_ideals_do() {
    let mut b = Builder::new(Double, 3);
    let big = b.constant(1e16);
    let half = b.constant(0.5);
    b.block(true, 1);
    b.value(0, 0);
    b.arith(Arith::Add, 1, &[big, slot(0)], 1);
    b.arith(Arith::Sub, 2, &[slot(1), big], 2);
    b.compare(slot(2), half, 2, 3);
    let module = b.finish();
    for (x, flips) in [(1.0, true), (2.0, false), (0.25, false)] {
        let mut w = Writer::default();
        w.event(1, 0, &[f64::to_bits(x)]);
        for oracle in ORACLES {
            let analysis = run(oracle, &module, &w);
            let kinds: Vec<Found> = analysis.findings.iter().map(|f| f.kind).collect();
            assert_eq!(kinds, if flips { vec![Found::BranchFlip] } else { vec![] }, "{oracle} {x}");
        }
    }
}

#[test]
fn an_infinity_is_traced_to_its_origin() {
    let mut b = Builder::new(Double, 4);
    b.block(true, 2);
    b.value(0, 0);
    b.value(1, 1);
    b.arith(Arith::Div, 2, &[slot(0), slot(1)], 4);
    b.arith(Arith::Add, 3, &[slot(2), slot(0)], 5);
    b.check(3, Observed::Return, 6);
    let module = b.finish();
    let mut w = Writer::default();
    w.event(1, 0, &[1f64.to_bits(), 0f64.to_bits()]);
    for oracle in ORACLES {
        let analysis = run(oracle, &module, &w);
        let [finding] = &analysis.findings[..] else { panic!("{oracle}: {:?}", analysis.findings) };
        assert_eq!((finding.kind, finding.location.line), (Found::Inf, 4), "{oracle}");
        assert_eq!(finding.causes.len(), 2, "{oracle}");
    }
    let mut w = Writer::default();
    w.event(1, 0, &[f64::INFINITY.to_bits(), 2f64.to_bits()]);
    assert_eq!(run("mpfr", &module, &w).findings, [], "it came from outside");
}

#[test]
fn damaged_streams_are_noted() {
    let (module, stream) = figure_3();
    let mut machine = started("mpfr", &module);
    machine.events(0, &stream.words);
    machine.events(0, &[77]);
    machine.events(0, &stream.words);
    let analysis = machine.analysis();
    assert_eq!(analysis.findings.len(), 1);
    assert!(analysis.notes[0].contains("block 77"), "{:?}", analysis.notes);
}
