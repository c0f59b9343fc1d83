//! In a block, operations that do not need each other change places so that they are done at once, and copies are seen
//! through. With every step in a block of its own nothing of the kind happens: both must come to the same analysis.

mod common;

use common::{Builder, run};
use nonius_abi::Precision::Double;
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::event::{Module, Writer};
use nonius_abi::site::{Observed, Op};
use nonius_machine::Analysis;
use proptest::prelude::*;

const ARITH: [(Arith, Op); 4] =
    [(Arith::Add, Op::Add), (Arith::Sub, Op::Sub), (Arith::Mul, Op::Mul), (Arith::Div, Op::Div)];
const INPUTS: usize = 8;
const CELLS: usize = 3;
/// Few lines, so that many operations have the same site.
const LINES: usize = 3;

#[derive(Clone, Copy, Debug)]
enum Act {
    Arith {
        which: usize,
        line: usize,
        left: usize,
        right: usize,
    },
    /// Four lanes at once, of slots in a row.
    Vector {
        which: usize,
        line: usize,
        left: usize,
        right: usize,
    },
    Copy {
        from: usize,
    },
    Negate {
        from: usize,
    },
    Check {
        of: usize,
    },
    Store {
        of: usize,
        cell: usize,
    },
    Load {
        cell: usize,
    },
}

#[derive(Clone, Debug)]
struct Program {
    /// What is done, and whether its result takes the place of an old one.
    acts: Vec<(Act, Option<usize>)>,
    inputs: Vec<[f64; INPUTS]>,
}

fn act() -> impl Strategy<Value = Act> {
    let any = 0usize..1000;
    prop_oneof![
        12 => (0usize..ARITH.len(), 0..LINES, any.clone(), any.clone())
            .prop_map(|(which, line, left, right)| Act::Arith { which, line, left, right }),
        2 => (0usize..ARITH.len(), 0..LINES, any.clone(), any.clone())
            .prop_map(|(which, line, left, right)| Act::Vector { which, line, left, right }),
        3 => any.clone().prop_map(|from| Act::Copy { from }),
        1 => any.clone().prop_map(|from| Act::Negate { from }),
        1 => any.clone().prop_map(|of| Act::Check { of }),
        1 => (any, 0..CELLS).prop_map(|(of, cell)| Act::Store { of, cell }),
        1 => (0..CELLS).prop_map(|cell| Act::Load { cell }),
    ]
}

fn programs() -> impl Strategy<Value = Program> {
    let old = prop_oneof![9 => Just(None), 1 => (0usize..1000).prop_map(Some)];
    let input = prop_oneof![6 => 0.5f64..2.0, 1 => -2.0f64..2.0, 1 => Just(0.0), 1 => Just(1.0)];
    let inputs = proptest::collection::vec(proptest::array::uniform8(input), 1..4);
    (proptest::collection::vec((act(), old), 1..60), inputs).prop_map(|(acts, inputs)| Program { acts, inputs })
}

/// Steps, each with the words that it needs of its event, and what the program computes.
struct Made {
    steps: Vec<(Step, usize)>,
    /// By event: the words of each step.
    words: Vec<Vec<Vec<u64>>>,
    slots: u32,
}

fn made(program: &Program, b: &mut Builder) -> Made {
    let sites: Vec<Vec<u32>> = (0..LINES as u32)
        .map(|line| ARITH.map(|(_, op)| b.site(op, Observed::Operation, 10 + line, 0)).to_vec())
        .collect();
    let check = b.site(Op::Unknown, Observed::Output, 99, 0);
    let argument = |slot: usize| [Operand::slot(slot as u32), Operand::NOTHING, Operand::NOTHING];
    let mut steps: Vec<(Step, usize)> =
        (0..INPUTS).map(|slot| (Step { result: slot as u32, word: 0, ..b.blank(Kind::Value) }, 1)).collect();
    let mut slots = INPUTS;
    // What each act does, with slots that exist by then: from, from, to.
    let mut plan = Vec::new();
    for &(act, old) in &program.acts {
        let is_vector = matches!(act, Act::Vector { .. });
        let old = old.filter(|_| !is_vector);
        let to = old.map_or(slots, |old| old % slots);
        let has_result = !matches!(act, Act::Check { .. } | Act::Store { .. });
        let from = match act {
            Act::Arith { left, right, .. } => [left % slots, right % slots],
            Act::Vector { left, right, .. } => [left % (slots - 3), right % (slots - 3)],
            Act::Copy { from } | Act::Negate { from } => [from % slots; 2],
            Act::Check { of } | Act::Store { of, .. } => [of % slots; 2],
            Act::Load { .. } => [0; 2],
        };
        let result = to as u32;
        steps.push(match act {
            Act::Arith { which, line, .. } | Act::Vector { which, line, .. } => {
                let args = [Operand::slot(from[0] as u32), Operand::slot(from[1] as u32), Operand::NOTHING];
                let (detail, site) = (ARITH[which].0 as u32, sites[line][which]);
                let lanes = if is_vector { 4 } else { 1 };
                (Step { result, args, detail, site, lanes, ..b.blank(Kind::Arith) }, 0)
            }
            Act::Copy { .. } => (Step { result, args: argument(from[0]), ..b.blank(Kind::Move) }, 0),
            Act::Negate { .. } => {
                let detail = Arith::Neg as u32;
                (Step { result, args: argument(from[0]), detail, ..b.blank(Kind::Arith) }, 0)
            }
            Act::Check { .. } => (Step { args: argument(from[0]), site: check, ..b.blank(Kind::Check) }, 0),
            Act::Store { .. } => (Step { args: argument(from[0]), place: 0, ..b.blank(Kind::Store) }, 1),
            Act::Load { .. } => (Step { result, place: 0, word: 1, ..b.blank(Kind::Load) }, 2),
        });
        plan.push((act, from, to));
        slots += if has_result && old.is_none() { if is_vector { 4 } else { 1 } } else { 0 };
    }
    let mut memory = [0.0; CELLS];
    let words = program.inputs.iter().map(|inputs| recorded(inputs, &plan, slots, &mut memory)).collect();
    Made { steps, words, slots: slots as u32 }
}

fn computed(which: usize, a: f64, b: f64) -> f64 {
    [a + b, a - b, a * b, a / b][which]
}

/// The program's own run: what each step records.
fn recorded(
    inputs: &[f64; INPUTS],
    plan: &[(Act, [usize; 2], usize)],
    slots: usize,
    memory: &mut [f64; CELLS],
) -> Vec<Vec<u64>> {
    let mut values = vec![0.0; slots];
    values[..INPUTS].copy_from_slice(inputs);
    let mut words: Vec<Vec<u64>> = inputs.iter().map(|value| vec![value.to_bits()]).collect();
    let address = |cell: usize| 0x1000 + 8 * cell as u64;
    for &(act, [x, y], to) in plan {
        let (a, b) = (values[x], values[y]);
        words.push(match act {
            Act::Store { cell, .. } => vec![address(cell)],
            Act::Load { cell } => vec![address(cell), memory[cell].to_bits()],
            _ => Vec::new(),
        });
        match act {
            Act::Arith { which, .. } => values[to] = computed(which, a, b),
            Act::Vector { which, .. } => {
                (0..4).for_each(|lane| values[to + lane] = computed(which, values[x + lane], values[y + lane]));
            }
            Act::Copy { .. } => values[to] = a,
            Act::Negate { .. } => values[to] = -a,
            Act::Check { .. } => {}
            Act::Store { cell, .. } => memory[cell] = a,
            Act::Load { cell } => values[to] = memory[cell],
        }
    }
    words
}

/// All steps in one block, which runs again and again; or each in its own.
fn built(program: &Program, in_one: bool) -> (Module, Writer) {
    let mut b = Builder::new(Double, 0);
    let made = made(program, &mut b);
    b.code.functions[0].slots = made.slots;
    b.block(true, 0);
    let mut w = Writer::default();
    w.event(1, 0, &[]);
    let shifted = |step: Step, by: u32| {
        let moved = |word: u32| if word == nonius_abi::site::NONE { word } else { word + by };
        Step { word: moved(step.word), place: moved(step.place), ..step }
    };
    if in_one {
        let count: usize = made.steps.iter().map(|(_, words)| words).sum();
        b.block(false, count as u32);
        let mut at = 0;
        for (step, words) in &made.steps {
            b.step(shifted(step.clone(), at));
            at += *words as u32;
        }
        made.words.iter().for_each(|event| _ = w.event(1, 1, &event.concat()));
    } else {
        for (step, words) in &made.steps {
            b.block(false, *words as u32);
            b.step(step.clone());
        }
        for (block, words) in made.words.iter().flat_map(|event| (1..).zip(event)) {
            w.event(1, block, words);
        }
    }
    (b.finish(), w)
}

/// Equal, but for the last bits of double-doubles and of sums in another order.
fn is_close(x: f64, y: f64) -> bool {
    x == y || (x - y).abs() <= 1e-9 * x.abs().max(y.abs()) || x.abs().max(y.abs()) < 1e-28
}

fn compare(one: &Analysis, many: &Analysis) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.operations.len(), many.operations.len());
    for x in &one.operations {
        let same = |y: &&_| -> bool {
            let y: &nonius_finding::OperationStatistics = y;
            y.location == x.location && y.operation == x.operation
        };
        let y = many.operations.iter().find(same);
        prop_assert!(y.is_some_and(|y| y.count == x.count && is_close(x.max_error, y.max_error)), "{x:?} {y:?}");
        let close = y.is_some_and(|y| is_close(x.mean_error, y.mean_error) && x.max_badness == y.max_badness);
        prop_assert!(close, "{x:?} {y:?}");
    }
    prop_assert_eq!(one.observables.len(), many.observables.len());
    for (x, y) in one.observables.iter().zip(&many.observables) {
        prop_assert!(x.count == y.count && is_close(x.max_error, y.max_error), "{x:?} {y:?}");
    }
    let found = |a: &Analysis| -> Vec<String> {
        let mut found: Vec<String> = a.findings.iter().map(|f| format!("{:?} {}", f.kind, f.count)).collect();
        found.sort();
        found
    };
    prop_assert_eq!(found(one), found(many));
    prop_assert_eq!(one.summary.operations, many.summary.operations);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_order_does_not_matter(program in programs()) {
        let [one, many] = [true, false].map(|in_one| {
            let (module, words) = built(&program, in_one);
            run("double-double", &module, &words)
        });
        compare(&one, &many)?;
    }
}
