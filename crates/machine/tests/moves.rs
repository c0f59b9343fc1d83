//! Values that change their place: by tail calls, by code that does not record, and through complex functions.

mod common;

use common::{Builder, ORACLES, run};
use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::event::{Note, Writer};
use nonius_abi::libm::FUNCTIONS;
use nonius_abi::site::Observed;

fn slot(n: u32) -> Operand {
    Operand::slot(n)
}

/// f(x) = g(x + big) by a tail call; g(y) takes big away again.
#[test]
fn a_tail_call_takes_its_arguments_along() {
    let mut b = Builder::new(Double, 1);
    let big = b.constant(1e17);
    let enter = b.block(true, 1);
    b.value(0, 0);
    b.arith(Arith::Add, 0, &[slot(0), big], 1);
    b.call(1, vec![slot(0)]);
    b.code.blocks.last_mut().unwrap().steps.last_mut().unwrap().offset = 1;
    b.function("g", 2);
    let callee = b.block(true, 1);
    b.step(Step { result: 0, word: 0, ..b.blank(Kind::Parameter) });
    b.arith(Arith::Sub, 1, &[slot(0), big], 2);
    b.check(1, Observed::Return, 3);
    b.returns(vec![slot(1)]);
    let module = b.finish();
    let sum = (3.0 + 1e17f64).to_bits();
    // The callee's frame is at the caller's address, or at another one.
    for frame in [9, 8] {
        let mut w = Writer::default();
        w.event(9, enter, &[3f64.to_bits()]).event(frame, callee, &[sum]);
        for oracle in ORACLES {
            assert_eq!(run(oracle, &module, &w).findings.len(), 1, "{oracle} {frame}");
        }
    }
    let mut w = Writer::default();
    w.event(9, enter, &[4f64.to_bits()]).event(9, callee, &[sum + 1]);
    assert_eq!(run("mpfr", &module, &w).findings, [], "another value than was passed");
}

#[test]
fn what_others_move_keeps_its_shadow() {
    let mut b = Builder::new(Double, 3);
    let big = b.constant(1e17);
    let put = b.block(true, 2);
    b.value(0, 0);
    b.arith(Arith::Add, 1, &[slot(0), big], 1);
    b.store(1, 1);
    let take = b.block(false, 2);
    b.load(2, 0, 1);
    b.arith(Arith::Sub, 2, &[slot(2), big], 2);
    b.check(2, Observed::Output, 3);
    let module = b.finish();
    let sum = (3.0 + 1e17f64).to_bits();
    let moved = |to: u64, from: u64| {
        let mut w = Writer::default();
        w.event(1, put, &[3f64.to_bits(), 0x1000]);
        w.note(Note::To, to).note(Note::From, from).note(Note::Copy, 8);
        w.event(1, take, &[0x2000, sum]);
        w
    };
    for oracle in ORACLES {
        assert_eq!(run(oracle, &module, &moved(0x2000, 0x1000)).findings.len(), 1, "{oracle}");
        assert_eq!(run(oracle, &module, &moved(0x3000, 0x1000)).findings.len(), 0, "{oracle}");
        assert_eq!(run(oracle, &module, &moved(0x2000, 0)).findings.len(), 0, "{oracle}");
    }
}

/// The real part of exp(z) for an inexact z, minus what it is for the exact one.
#[test]
fn complex_functions_are_evaluated_anew() {
    let mut b = Builder::new(Double, 6);
    let third = b.constant(3.0);
    b.block(true, 5);
    b.value(0, 0);
    b.arith(Arith::Div, 1, &[slot(0), third], 1);
    b.value(2, 1);
    let detail = FUNCTIONS.iter().position(|f| f.name == "cexp").unwrap() as u32;
    let site = b.site(nonius_abi::site::Op::Function, Observed::Operation, 2, 0);
    let args = [slot(1), Operand::NOTHING, Operand::NOTHING];
    b.step(Step { detail, result: 3, args, word: 2, site, ..Step::new(Kind::Complex, Double, 2) });
    b.value(5, 4);
    b.arith(Arith::Sub, 5, &[slot(3), slot(5)], 3);
    b.check(5, Observed::Return, 4);
    let module = b.finish();
    let (x, y) = (1.0 / 3.0f64, 0.5f64);
    let (re, im) = (x.exp() * y.cos(), x.exp() * y.sin());
    let words = |other: f64| [1.0, y, re, im, other].map(f64::to_bits);
    for oracle in ORACLES {
        for (other, count) in [(re + f64::EPSILON, 1), (0.5, 0)] {
            let mut w = Writer::default();
            w.event(1, 0, &words(other));
            let analysis = run(oracle, &module, &w);
            assert_eq!(analysis.findings.len(), count, "{oracle}: {:?}", analysis.findings);
            assert_eq!(analysis.summary.coverage.operations, analysis.summary.coverage.operations_shadowed);
        }
    }
}

#[test]
fn what_is_not_followed_is_told_apart_from_what_is_exact() {
    let mut b = Builder::new(Double, 2);
    let one = b.constant(1.0);
    let from_outside = b.block(true, 2);
    b.value(0, 0);
    b.arith(Arith::Add, 1, &[slot(0), one], 1);
    b.store(1, 1);
    b.check(1, Observed::Output, 2);
    let from_memory = b.block(false, 2);
    b.load(0, 0, 1);
    b.arith(Arith::Mul, 1, &[slot(0), one], 3);
    b.check(1, Observed::Output, 4);
    let from_the_unknown = b.block(false, 1);
    b.step(Step { result: 0, word: 0, detail: 1, ..b.blank(Kind::Value) });
    b.arith(Arith::Add, 1, &[slot(0), one], 5);
    b.check(1, Observed::Output, 6);
    let mut module = b.finish();
    let [two, three] = [2f64, 3.0].map(f64::to_bits);
    let mut w = Writer::default();
    // The second load finds another value than was stored, the third a place that nothing was stored to.
    w.event(1, from_outside, &[two, 0x1000]).event(1, from_memory, &[0x1000, three]);
    w.event(1, from_memory, &[0x1000, two]).event(1, from_memory, &[0x9000, two]).event(1, from_the_unknown, &[two]);
    let told = |module: &nonius_abi::event::Module| -> Vec<(u32, u64, u64)> {
        let all = run("residue", module, &w).observables;
        all.iter().map(|o| (o.location.line, o.count, o.not_followed)).collect()
    };
    assert_eq!(told(&module), [(2, 1, 0), (4, 3, 1), (6, 1, 1)]);
    // Functions without clones may have written to any place.
    module.code.unrecorded = 1;
    assert_eq!(told(&module), [(2, 1, 0), (4, 3, 2), (6, 1, 1)]);
}

#[test]
fn a_test_counts_only_where_another_leaves_it_open() {
    let mut b = Builder::new(Double, 2);
    let (big, half) = (b.constant(1e16), b.constant(0.5));
    b.block(true, 2);
    b.value(0, 0);
    b.arith(Arith::Add, 1, &[big, slot(0)], 1);
    b.arith(Arith::Sub, 1, &[slot(1), big], 2);
    b.compare(slot(1), half, 2, 3);
    b.code.blocks.last_mut().unwrap().steps.last_mut().unwrap().place = 1;
    let module = b.finish();
    for (open, count) in [(1, 1), (0, 0)] {
        let mut w = Writer::default();
        w.event(1, 0, &[1f64.to_bits(), open]);
        ORACLES.iter().for_each(|oracle| assert_eq!(run(oracle, &module, &w).findings.len(), count, "{oracle}"));
    }
}
