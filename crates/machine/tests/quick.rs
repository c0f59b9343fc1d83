//! Sums, products and quotients of doubles have a quick way through the walk, and an open stage takes every operation
//! the long way: both must come to the same analysis, whatever the values are. And MPFR has two ways of its own.

mod common;

use common::{Builder, started};
use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::event::{Module, Writer};
use nonius_abi::site::{Observed, Op};
use nonius_machine::Request;
use proptest::prelude::*;

const OPERATIONS: [Arith; 4] = [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div];
const ORACLES: [&str; 7] =
    ["residue", "residue-override", "double-double", "mpfr:100", "mpfr:128", "mpfr:256", "mpfr:512"];
const SITES: [Op; 4] = [Op::Add, Op::Sub, Op::Mul, Op::Div];

/// Each operation on two results before it; some results go through memory, some are compared.
fn program(steps: &[(usize, u32, u32)]) -> Module {
    let mut b = Builder::new(Double, 4 + 2 * steps.len() as u32);
    b.block(true, 5);
    for word in 0..4 {
        b.value(word, word);
    }
    for (step, &(which, left, right)) in steps.iter().enumerate() {
        let (out, line) = (4 + step as u32, 10 * (step as u32 + 1));
        let [x, y] = [left % out, right % out].map(Operand::slot);
        b.arith(OPERATIONS[which], out, &[x, y], line);
        b.compare(Operand::slot(out), y, 4, line + 1);
        b.check(out, Observed::Output, line + 2);
        b.store(out, 4);
    }
    b.finish()
}

/// The same with vectors: four operations of four lanes each, on lanes of those before, loaded and stored as vectors.
fn vectors(steps: &[(usize, u32, u32)]) -> Module {
    let mut b = Builder::new(Double, 8 + 8 * steps.len() as u32);
    b.block(true, 5);
    let four = |step: Step| Step { lanes: 4, ..step };
    let arguments = |slot: u32| [Operand::slot(slot), Operand::NOTHING, Operand::NOTHING];
    for word in 0..4 {
        b.value(word, word);
        b.value(7 - word, word);
    }
    for (step, &(which, left, right)) in steps.iter().enumerate() {
        let (out, line) = (8 + 8 * step as u32, 10 * (step as u32 + 1));
        let [x, y] = [left % (out - 3), right % (out - 3)].map(Operand::slot);
        let site = b.site(SITES[which], Observed::Operation, line, 0);
        let detail = OPERATIONS[which] as u32;
        b.step(four(Step { result: out, args: [x, y, Operand::NOTHING], detail, site, ..b.blank(Kind::Arith) }));
        let site = b.site(Op::Unknown, Observed::Output, line + 1, 0);
        b.step(four(Step { args: arguments(out), site, ..b.blank(Kind::Check) }));
        b.step(four(Step { args: arguments(out), place: 4, offset: 32 * step as i32, ..b.blank(Kind::Store) }));
        // What was recorded is there only where the program's values are those of the record.
        b.step(four(Step { result: out + 4, place: 4, word: 0, offset: 8 * step as i32, ..b.blank(Kind::Load) }));
    }
    b.finish()
}

fn analysed(oracle: &str, module: &Module, values: &[[f64; 4]], the_long_way: bool) -> String {
    let mut machine = started(oracle, module);
    if the_long_way {
        machine.request(Request::BeginStage(1));
    }
    let mut w = Writer::default();
    for values in values {
        let [a, b, c, d] = values.map(f64::to_bits);
        w.event(1, 0, &[a, b, c, d, 0x1000]);
    }
    machine.events(0, &w.words);
    machine.finish();
    // As text, in which a NaN equals itself.
    format!("{:?}", machine.analysis())
}

fn value() -> impl Strategy<Value = f64> {
    let edges =
        [0.0, -0.0, 1.0, 0.1, -0.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX, 1e-300, 1e300];
    prop_oneof![2 => -2.0..2.0, 1 => any::<f64>(), 2 => proptest::sample::select(edges.to_vec())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_quick_way_comes_to_the_same(
        steps in proptest::collection::vec((0usize..4, any::<u32>(), any::<u32>()), 1..12),
        values in proptest::collection::vec([value(), value(), value(), value()], 1..6),
    ) {
        for (module, oracle) in [program(&steps), vectors(&steps)].iter().flat_map(|m| ORACLES.map(|o| (m, o))) {
            let (quick, long) = (analysed(oracle, module, &values, false), analysed(oracle, module, &values, true));
            prop_assert_eq!(quick, long, "{}", oracle);
        }
    }
}
