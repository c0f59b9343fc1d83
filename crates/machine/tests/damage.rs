//! Whatever a recorded file holds, the machine does not panic, and the same file gives the same analysis.

mod common;

use common::Builder;
use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Code, Kind, Operand, Step};
use nonius_abi::event::{Module, Writer};
use nonius_abi::site::Observed;
use nonius_machine::{Analysis, Options, engine};
use proptest::prelude::*;

/// A program with a loop, memory, a call, a choice, a function and a copy.
fn program() -> Module {
    let mut b = Builder::new(Double, 8);
    let big = b.constant(1e16);
    let slot = Operand::slot;
    let one = |o| [o, Operand::NOTHING, Operand::NOTHING];
    let entry = b.block(true, 6);
    b.value(0, 0);
    b.arith(Arith::Add, 1, &[big, slot(0)], 2);
    b.store(1, 1);
    b.load(2, 1, 2);
    b.step(Step { place: 3, ..b.blank(Kind::Copy) });
    let body = b.block(false, 3);
    b.edge(entry, &[(3, slot(2)), (4, slot(1))]);
    b.edge(body, &[(3, slot(4)), (4, slot(3))]);
    b.step(Step { result: 5, args: [slot(3), slot(4), Operand::NOTHING], place: 0, ..b.blank(Kind::Select) });
    b.step(Step { result: 6, word: 1, detail: 1, args: one(slot(5)), ..b.blank(Kind::Function) });
    b.step(Step { result: 7, word: 2, ..b.blank(Kind::FromInteger) });
    b.compare(slot(6), slot(7), 4, 6);
    b.call(1, vec![slot(6)]);
    b.block(false, 1);
    b.step(Step { result: 5, word: 0, ..b.blank(Kind::Result) });
    b.check(5, Observed::Output, 7);
    b.returns(vec![]);
    b.function("g", 2);
    b.block(true, 1);
    b.step(Step { result: 0, word: 0, ..b.blank(Kind::Parameter) });
    b.arith(Arith::Sub, 1, &[slot(0), big], 11);
    b.returns(vec![slot(1)]);
    b.finish()
}

fn analysis(oracle: &str, module: &Module, words: &[u64]) -> Option<Analysis> {
    let mut machine = engine(oracle.parse().unwrap(), Options { most_bytes: 1 << 20, ..Options::default() });
    machine.module(module.clone()).ok()?;
    machine.events(0, words);
    machine.events(1, words);
    machine.finish();
    Some(machine.analysis())
}

fn word() -> impl Strategy<Value = u64> {
    let floats = prop_oneof![Just(1.0), Just(0.0), Just(1e16), Just(f64::NAN), Just(f64::INFINITY), -1e3..1e3f64];
    prop_oneof![any::<u64>(), 0u64..64, floats.prop_map(f64::to_bits), (0u64..64).prop_map(|i| 0x1000 + 4 * i)]
}

proptest! {
    #[test]
    fn no_stream_makes_it_panic(events in proptest::collection::vec((1u32..4, 0u32..5, proptest::collection::vec(word(), 6)), 0..60), cut in 0usize..20) {
        let module = program();
        let sizes: Vec<usize> = module.code.blocks.iter().map(|b| b.words as usize).collect();
        let mut w = Writer::default();
        for (frame, block, words) in events {
            let size = sizes.get(block as usize).copied().unwrap_or(1);
            w.event(frame, block, &words[..size]);
        }
        let words = &w.words[..w.words.len().saturating_sub(cut)];
        for oracle in ["mpfr:100", "double-double", "residue", "residue-override", "native"] {
            let first = analysis(oracle, &module, words);
            // As text: a NaN is not equal to itself.
            prop_assert_eq!(format!("{first:?}"), format!("{:?}", analysis(oracle, &module, words)));
        }
    }

    #[test]
    fn no_code_table_makes_it_panic(damage in proptest::collection::vec((0usize..2000, any::<u8>()), 1..4), words in proptest::collection::vec(word(), 60)) {
        let module = program();
        let mut bytes = module.code.encode();
        let len = bytes.len();
        for (at, value) in damage {
            bytes[at % len] = value;
        }
        let Ok(code) = Code::parse(&bytes) else { return Ok(()) };
        // Tables that are merely large belong to the reader's own tests.
        let lanes: u64 = code.blocks.iter().flat_map(|b| &b.steps).map(|s| u64::from(s.lanes)).sum();
        if lanes > 10_000 || code.functions.iter().any(|f| f.slots > 10_000) {
            return Ok(());
        }
        let addresses = vec![0; code.functions.len()];
        let blocks = code.blocks.len() as u32;
        let sizes: Vec<usize> = code.blocks.iter().map(|b| b.words as usize).collect();
        let damaged = Module { code, addresses, ..module };
        let mut w = Writer::default();
        for block in 0..blocks.min(6) {
            let size = sizes[block as usize].min(words.len());
            w.event(1, block, &words[..size]);
        }
        analysis("mpfr:100", &damaged, &w.words);
    }
}
