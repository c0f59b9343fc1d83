//! Tables and streams that no compiler writes: they are refused in words, or cost no more than their size allows.

mod common;

use common::Builder;
use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Code, Kind, Move, Operand, Step};
use nonius_abi::event::{Module, Note, Writer};
use nonius_abi::site::Observed;
use nonius_machine::{Engine, Options, engine};
use std::time::{Duration, Instant};

/// A step of every kind in one block of one function.
fn every_kind() -> Module {
    let mut b = Builder::new(Double, 40);
    let slot = Operand::slot;
    b.constant(2.0);
    b.constant(3.0);
    b.code.calls.push(nonius_abi::code::Call { callee: nonius_abi::code::Callee::Here(0), arguments: vec![slot(0)] });
    b.code.lists.push(vec![slot(1)]);
    let first = b.block(true, 40);
    let site = b.site(nonius_abi::site::Op::Add, Observed::Operation, 1, 0);
    for &kind in Kind::ALL {
        let lanes = if kind == Kind::Complex { 2 } else { 4 };
        let args = [slot(0), slot(4), slot(8)];
        let detail = if kind == Kind::ToInteger { nonius_abi::site::Op::Remainder as u32 } else { 0 };
        let step = Step { detail, result: 12, args, word: 0, place: 4, site, ..Step::new(kind, Double, lanes) };
        let ends = matches!(kind, Kind::Call | Kind::Return);
        if ends {
            b.block(false, 40);
        }
        b.step(Step { word: if ends { nonius_abi::site::NONE } else { step.word }, ..step });
        if ends {
            b.block(false, 40);
        }
    }
    b.edge(first, &[(0, slot(4)), (4, slot(0))]);
    b.finish()
}

fn run(module: Module) -> Option<Box<dyn Engine>> {
    let blocks = module.code.blocks.clone();
    // As a file has it: through the reader.
    let code = Code::parse(&module.code.encode()).ok()?;
    let mut machine = engine("double-double".parse().unwrap(), Options { most_bytes: 1 << 22, ..Options::default() });
    machine.module(Module { code, ..module }).ok()?;
    let mut w = Writer::default();
    for round in 0..3 {
        for (number, block) in (0..).zip(&blocks).filter(|(_, b)| b.words < 100) {
            w.event(1 + round, number, &vec![0x3ff0_0000_0000_1000; block.words as usize]);
        }
    }
    machine.events(0, &w.words);
    machine.analysis();
    Some(machine)
}

#[test]
fn a_step_without_lanes_is_refused() {
    assert!(run(every_kind()).is_some(), "the table is right as it is");
    let steps = every_kind().code.blocks.iter().map(|b| b.steps.len()).collect::<Vec<_>>();
    for (block, step) in steps.iter().enumerate().flat_map(|(b, &n)| (0..n).map(move |s| (b, s))) {
        for words in [0, 40] {
            let mut module = every_kind();
            module.code.blocks[block].steps[step].lanes = 0;
            module.code.blocks[block].words = words;
            let kind = module.code.blocks[block].steps[step].kind;
            assert!(run(module).is_none(), "{kind:?} without lanes, {words} words");
        }
    }
}

/// What reading and lowering takes, and whether the table was taken.
fn cost(module: Module) -> (bool, Duration) {
    let start = Instant::now();
    let is_taken = run(module).is_some();
    (is_taken, start.elapsed())
}

#[test]
fn lanes_of_edges_cost_what_their_table_weighs() {
    for lanes in [1000, 60_000, 2_000_000] {
        for reversed in [false, true] {
            let mut module = every_kind();
            module.code.functions[0].slots = 2 * lanes + 40;
            let moves = if reversed {
                // Each waits for the one behind it.
                vec![Move { to: 1, from: Operand::slot(0), lanes }]
            } else {
                vec![
                    Move { to: 0, from: Operand::slot(lanes), lanes },
                    Move { to: lanes, from: Operand::slot(0), lanes },
                ]
            };
            module.code.blocks.last_mut().unwrap().edges[0].moves = moves;
            let (is_taken, time) = cost(module);
            assert_eq!(is_taken, lanes < 10_000, "{lanes} lanes");
            assert!(time < Duration::from_secs(2), "{lanes} lanes of an edge took {time:?}");
        }
    }
}

#[test]
fn moves_to_one_slot_twice_are_refused() {
    let mut module = every_kind();
    let edge = &mut module.code.blocks.last_mut().unwrap().edges[0];
    edge.moves = vec![
        Move { to: 0, from: Operand::slot(1), lanes: 2 },
        Move { to: 1, from: Operand::slot(0), lanes: 1 },
        Move { to: 2, from: Operand::slot(1), lanes: 1 },
    ];
    assert!(run(module).is_none());
}

#[test]
fn a_list_that_many_steps_pass_counts_for_each() {
    let mut module = every_kind();
    module.code.lists[0] = vec![Operand::slot(0); 10_000];
    let last = module.code.blocks.last_mut().unwrap();
    last.steps = vec![Step::new(Kind::Return, Double, 1); 5_000];
    let (is_taken, time) = cost(module);
    assert!(!is_taken && time < Duration::from_secs(2), "{is_taken} {time:?}");
}

#[test]
fn limits_hold_for_all_modules_together() {
    let mut machine = engine("residue".parse().unwrap(), Options { most_bytes: 1 << 22, ..Options::default() });
    let mut taken = 0;
    let start = Instant::now();
    for base in 0..200 {
        let mut b = Builder::new(Double, 30_000);
        b.block(true, 0);
        let args = [Operand::slot(0), Operand::slot(0), Operand::NOTHING];
        b.step(Step { result: 0, args, detail: Arith::Add as u32, ..Step::new(Kind::Arith, Double, 30_000) });
        taken += u32::from(machine.module(Module { base, ..b.finish() }).is_ok());
    }
    assert!((1..10).contains(&taken), "{taken} modules of 30,000 lanes each");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn threads_that_are_only_named_cost_nothing() {
    let mut machine = run(every_kind()).unwrap();
    let start = Instant::now();
    let mut w = Writer::default();
    w.note(Note::End, 0);
    for thread in (0..1 << 20).rev().step_by(1 << 10) {
        machine.events(thread, &w.words);
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

/// Processor time for so many events that go from object to object.
fn walking(objects: u32, events: u32) -> Duration {
    let mut machine = engine("native".parse().unwrap(), Options::default());
    for base in 0..objects {
        let mut b = Builder::new(Double, 2);
        b.block(true, 1);
        b.value(0, 0);
        b.returns(vec![Operand::slot(0)]);
        machine.module(Module { base, ..b.finish() }).unwrap();
    }
    let mut w = Writer::default();
    for n in 0..events {
        w.event(64, n.wrapping_mul(7919) % objects, &[1.5f64.to_bits()]);
    }
    let now = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    };
    let start = now();
    machine.events(0, &w.words);
    now() - start
}

#[test]
fn two_hundred_objects_are_found_as_fast_as_two() {
    let best = |objects| (0..5).map(|_| walking(objects, 200_000)).min().unwrap();
    let (two, many) = (best(2), best(200));
    println!("200,000 events: {two:?} in 2 objects, {many:?} in 200");
    assert!(many < 3 * two, "{two:?} for 2 objects, {many:?} for 200");
}
