//! What must hold of verdicts whatever the program: more digits never change one that was closed, oracles never contradict
//! each other on closed ones, and where the numbers lie does not matter, only how they lie to each other.

mod common;

use common::Builder;
use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::event::{Module, Writer};
use nonius_abi::libm::FUNCTIONS;
use nonius_abi::site::{Observed, Op};
use nonius_finding::ObservedAt;
use nonius_machine::{Options, engine};
use proptest::prelude::*;
use std::collections::BTreeMap;

const INPUTS: usize = 4;
const ADD: usize = 0;
const SUB: usize = 1;
const MUL: usize = 2;
const DIV: usize = 3;
const SQRT: usize = 4;
const ARITH: [Arith; 5] = [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div, Arith::Sqrt];
const CALLED: [&str; 5] = ["exp", "log", "sin", "cos", "atan"];
const CALCULATED: [fn(f64) -> f64; 5] = [f64::exp, f64::ln, f64::sin, f64::cos, f64::atan];

/// LLVM's predicate that holds of all numbers.
const ORDERED: u8 = 7;

/// An operation, by its index in [`ARITH`] and then in [`CALLED`], on two of what was there before.
#[derive(Clone, Copy, Debug)]
struct Operation {
    which: usize,
    left: usize,
    right: usize,
    predicate: u8,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Said {
    Clear,
    Open,
    Found,
}

/// The code of the operations, and their results.
fn program(inputs: [f64; INPUTS], operations: &[Operation], converts: bool) -> (Module, Writer, Vec<f64>) {
    let mut b = Builder::new(Double, (INPUTS + operations.len()) as u32);
    b.block(true, (INPUTS + operations.len()) as u32);
    (0..INPUTS as u32).for_each(|word| b.value(word, word));
    let mut values = inputs.to_vec();
    for (index, operation) in operations.iter().enumerate() {
        let (out, line) = ((INPUTS + index) as u32, index as u32 + 1);
        let [left, right] = [operation.left, operation.right].map(|at| at % values.len());
        let (x, y) = (values[left], values[right]);
        let [a, c] = [left, right].map(|at| Operand::slot(at as u32));
        match operation.which {
            which @ 0..SQRT => b.arith(ARITH[which], out, &[a, c], line),
            SQRT => b.arith(Arith::Sqrt, out, &[a], line),
            which => {
                let site = b.site(Op::Function, Observed::Operation, line, 0);
                let name = CALLED[which - ARITH.len()];
                let detail = FUNCTIONS.iter().position(|f| f.name == name).unwrap() as u32;
                let args = [a, Operand::NOTHING, Operand::NOTHING];
                b.step(Step { result: out, args, detail, word: out, site, ..b.blank(Kind::Function) });
            }
        }
        values.push(match operation.which {
            ADD => x + y,
            SUB => x - y,
            MUL => x * y,
            DIV => x / y,
            SQRT => x.sqrt(),
            which => CALCULATED[which - ARITH.len()](x),
        });
    }
    observe_last(&mut b, operations, converts);
    let mut w = Writer::default();
    let words: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
    w.event(1, 0, &words);
    (b.finish(), w, values)
}

/// The last result is printed, compared with its right operand, and made an integer if that is asked for.
fn observe_last(b: &mut Builder, operations: &[Operation], converts: bool) {
    let Some((last, before)) = operations.split_last() else { return };
    let slots = INPUTS + before.len();
    let (out, right) = (Operand::slot(slots as u32), Operand::slot((last.right % slots) as u32));
    b.check(slots as u32, Observed::Output, 100);
    b.compare(out, right, last.predicate, 101);
    if converts {
        let site = b.site(Op::ToInteger, Observed::Cast, 102, 0);
        let args = [out, Operand::NOTHING, Operand::NOTHING];
        b.step(Step { detail: Op::ToInteger as u32, args, site, ..b.blank(Kind::ToInteger) });
    }
}

/// The verdict at each of the last result's observables.
fn verdicts(oracle: &str, (module, stream, _): &(Module, Writer, Vec<f64>)) -> BTreeMap<ObservedAt, Said> {
    let options = Options { most_bytes: 1 << 24, resume: false, ..Options::default() };
    let mut machine = engine(oracle.parse().unwrap(), options);
    machine.module(module.clone()).unwrap();
    machine.events(0, &stream.words);
    machine.finish();
    let analysis = machine.analysis();
    let places = [ObservedAt::Output, ObservedAt::Branch, ObservedAt::Cast];
    let said = |at: ObservedAt| match () {
        () if analysis.findings.iter().any(|f| f.observed_at == at) => Said::Found,
        () if analysis.observables.iter().any(|o| o.observed_at == at && o.open > 0) => Said::Open,
        () => Said::Clear,
    };
    places.map(|at| (at, said(at))).into()
}

/// Numbers that cancel well: near each other, or short.
fn number() -> impl Strategy<Value = f64> {
    let near_one = (-8i32..8).prop_map(|n| 1.0 + f64::from(n) * f64::EPSILON);
    let short = (1i32..40, -6i32..7).prop_map(|(n, e)| f64::from(n) * 2f64.powi(e));
    let wide = (1.0f64..2.0, -60i32..60).prop_map(|(x, e)| x * 2f64.powi(e));
    let decimal = (1i32..1000).prop_map(|n| f64::from(n) / 100.0);
    prop_oneof![1 => near_one, 1 => short, 2 => wide, 2 => decimal]
}

fn operations(kinds: usize) -> impl Strategy<Value = Vec<Operation>> {
    // Sums and differences are what verdicts hang on.
    let which = prop_oneof![1 => 0usize..2, 1 => 0..kinds];
    let operation = (which, any::<usize>(), any::<usize>(), 1u8..7)
        .prop_map(|(which, left, right, predicate)| Operation { which, left, right, predicate });
    proptest::collection::vec(operation, 1..10)
}

/// Keeps to operations whose result is scaled by a power of the inputs' scale, and small powers: sums of equal powers,
/// roots of even ones.
fn homogeneous(operations: &[Operation]) -> Vec<Operation> {
    const MOST: i32 = 4;
    let mut degrees = vec![2; INPUTS];
    let mut kept: Vec<Operation> = Vec::new();
    for operation in operations {
        let [left, right] = [operation.left, operation.right].map(|at| at % degrees.len());
        let (x, y) = (degrees[left], degrees[right]);
        let degree: i32 = match operation.which {
            ADD | SUB if x == y => x,
            MUL => x + y,
            DIV => x - y,
            SQRT if x % 2 == 0 => x / 2,
            _ => continue,
        };
        if degree.abs() <= MOST {
            // Of values of another power it is only asked whether they are numbers.
            let predicate = if degree == y { operation.predicate } else { ORDERED };
            kept.push(Operation { left, right, predicate, ..*operation });
            degrees.push(degree);
        }
    }
    kept
}

/// Whether all of a run stays away from the ends of the range, where roundings are others.
fn is_in_range((.., values): &(Module, Writer, Vec<f64>)) -> bool {
    values.iter().all(|v| v.is_finite() && (*v == 0.0 || (1e-60..1e60).contains(&v.abs())))
}

/// Those that answer at once; what `residue-override` says holds after its re-executions (`residue_override.rs`).
const COARSE: [&str; 4] = ["residue", "double-double", "mpfr:128", "mpfr:256"];

/// The cosine of a number whose last known digit is worth many turns: its ideal may be anything from -1 to 1.
#[test]
fn what_is_known_of_a_cosine_is_at_most_its_range() {
    let step = |which, left, right| Operation { which, left, right, predicate: 2 };
    let operations = [step(5, 1, 0), step(8, 4, 0), step(1, 5, 5)];
    let program = program([1.0, 124.0, 1.0, 1.0], &operations, true);
    let truth = verdicts("mpfr:1024", &program);
    for oracle in COARSE {
        for (at, said) in verdicts(oracle, &program) {
            assert!(said == Said::Open || said == truth[&at], "at {at}: {said:?} by {oracle}, {:?}", truth[&at]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn more_digits_never_change_a_closed_verdict(
        inputs in [number(), number(), number(), number()],
        operations in operations(ARITH.len() + CALLED.len()),
    ) {
        let program = program(inputs, &operations, true);
        let by: Vec<_> = ["mpfr:128", "mpfr:256", "mpfr:512", "mpfr:1024"].map(|o| (o, verdicts(o, &program))).into();
        for pair in by.windows(2) {
            let [(few, coarse), (more, fine)] = pair else { unreachable!() };
            for (at, said) in coarse.iter().filter(|(_, said)| **said != Said::Open) {
                prop_assert_eq!(fine[at], *said, "at {}: {} and {}", at, few, more);
            }
        }
    }

    #[test]
    fn oracles_do_not_contradict_each_other(
        inputs in [number(), number(), number(), number()],
        operations in operations(ARITH.len() + CALLED.len()),
    ) {
        let program = program(inputs, &operations, true);
        let truth = verdicts("mpfr:1024", &program);
        for oracle in COARSE {
            for (at, said) in verdicts(oracle, &program).into_iter().filter(|(_, said)| *said != Said::Open) {
                let is_the_same = truth[&at] == said || truth[&at] == Said::Open;
                prop_assert!(is_the_same, "at {}: {:?} by {}, {:?} by 1024 bits", at, said, oracle, truth[&at]);
            }
        }
    }

    #[test]
    fn scale_changes_no_verdict(
        inputs in [number(), number(), number(), number()],
        operations in operations(ARITH.len()),
        scale in -20i32..=20,
    ) {
        let operations = homogeneous(&operations);
        let scaled = inputs.map(|x| x * 2f64.powi(2 * scale));
        let [here, there] = [inputs, scaled].map(|inputs| program(inputs, &operations, false));
        prop_assume!(!operations.is_empty() && is_in_range(&here) && is_in_range(&there));
        for oracle in COARSE.into_iter().chain(["residue-override"]) {
            prop_assert_eq!(verdicts(oracle, &here), verdicts(oracle, &there), "{}", oracle);
        }
    }
}
