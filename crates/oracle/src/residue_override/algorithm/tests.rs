//! On programs of residues alone: each operation has a rounding error, and takes earlier residues times factors.

use super::*;
use crate::residue_override::residue::{Term, Terms};
use crate::residue_override::{ResidueOverride, resolve};
use std::convert::Infallible;
use std::sync::Arc;

/// An operation's own rounding error, and its operands with their factors.
type Operation = (f64, Vec<(f64, usize)>);

fn execute(program: &[Operation], plan: &Plan) -> (Vec<Residue>, Outcome) {
    let mut oracle = ResidueOverride::new(Arc::new(plan.clone()));
    let mut residues: Vec<Residue> = Vec::new();
    for (introduced, operands) in program {
        let term = |at: usize| match operands.get(at) {
            Some(&(factor, at)) => Term::amplified(&residues[at], factor),
            None => Term::amplified(&Residue::EXACT, 0.0),
        };
        let residue = oracle.made(*introduced, [term(0), term(1)], Terms::Exact);
        residues.push(residue);
    }
    (residues, oracle.take_outcome())
}

/// What re-executing came to, and the residues of the last execution.
fn resolved(program: &[Operation], most_executions: u32) -> (Resolution, Vec<f64>) {
    let mut last = Vec::new();
    let run = |plan: &Plan| {
        let (residues, outcome) = execute(program, plan);
        last = residues.iter().map(|residue| residue.value).collect();
        Ok::<_, Infallible>(outcome)
    };
    let Ok(resolution) = resolve(run, most_executions);
    (resolution, last)
}

fn came_to(executions: u32, settled: usize, open: u64) -> Resolution {
    Resolution { executions, settled, open }
}

/// `(1 + small) - 1`, with `small` an operation's rounding error; from this operation on.
fn single(from: usize, small: f64) -> Vec<Operation> {
    vec![(small, vec![]), (1.0, vec![(1.0, from)]), (1.0, vec![]), (0.0, vec![(1.0, from + 1), (-1.0, from + 2)])]
}

/// Two layers cancel, one below the other (figure 3).
fn two_layers(from: usize) -> Vec<Operation> {
    let at = |n: usize| (1.0, from + n);
    vec![
        (1e-60, vec![]),
        (1e-30, vec![at(0)]),
        (1.0, vec![at(1)]),
        (1e-30, vec![]),
        (1.0, vec![at(3)]),
        (0.0, vec![at(2), (-1.0, from + 4)]),
    ]
}

#[test]
fn nothing_is_executed_again_without_need() {
    let benign = [(1.0, vec![]), (1.0, vec![]), (0.0, vec![(1.0, 0), (-1.0, 1)])];
    assert_eq!(resolved(&benign, 20), (came_to(1, 0, 0), vec![1.0, 1.0, 0.0]));
    assert_eq!(resolved(&[], 20).0, came_to(1, 0, 0));
}

#[test]
fn one_absorption_takes_three_executions() {
    assert_eq!(resolved(&single(0, 1e-30), 20), (came_to(3, 1, 0), vec![1e-30, 1.0, 1.0, 1e-30]));
}

#[test]
fn layers_are_silenced_one_after_another() {
    let (resolution, residues) = resolved(&two_layers(0), 20);
    assert_eq!(resolution, came_to(4, 1, 0));
    assert_eq!(residues, [1e-60, 1e-30, 1.0, 1e-30, 1.0, 1e-60]);
}

/// Figure 4: three absorptions, of which the second has two layers.
#[test]
fn independent_absorptions_are_settled_at_once() {
    let mut program = single(0, 1e-30);
    program.extend(two_layers(4));
    program.extend(single(10, 1e-40));
    let (resolution, residues) = resolved(&program, 20);
    assert_eq!(resolution, came_to(4, 3, 0));
    assert_eq!([residues[3], residues[9], residues[13]], [1e-30, 1e-60, 1e-40]);
}

#[test]
fn absorptions_of_the_same_contributors_are_settled_at_once() {
    let mut program = single(0, 1e-30);
    program.push((0.0, vec![(2.0, 1), (-2.0, 2)]));
    assert_eq!(resolved(&program, 20), (came_to(3, 2, 0), vec![1e-30, 1.0, 1.0, 1e-30, 2e-30]));
}

/// The largest contributor to the second absorption is the one that the first is about.
#[test]
fn absorptions_in_each_others_way_are_settled_apart() {
    let mut program = vec![(1e-60, vec![]), (1e-30, vec![(1.0, 0)])];
    program.extend([(1.0, vec![(1.0, 1)]), (1.0, vec![]), (0.0, vec![(1.0, 2), (-1.0, 3)])]);
    program.extend([(1e-30, vec![]), (0.0, vec![(1.0, 1), (-1.0, 5)])]);
    let (_, outcome) = execute(&program, &Plan::default());
    let ops: Vec<u64> = outcome.absorptions.iter().map(|a| a.op.0).collect();
    assert_eq!(ops, [4, 6]);
    let (resolution, residues) = resolved(&program, 20);
    assert_eq!(resolution, came_to(5, 2, 0));
    assert_eq!([residues[4], residues[6]], [1e-30, 1e-60]);
}

/// What was put cancels in its turn: it hides a smaller contribution.
#[test]
fn below_a_residue_that_was_put() {
    let mut program = vec![(1e-60, vec![]), (1e-30, vec![(1.0, 0)])];
    program.extend([(1.0, vec![(1.0, 1)]), (1.0, vec![]), (0.0, vec![(1.0, 2), (-1.0, 3)])]);
    program.extend([(1e-30, vec![]), (0.0, vec![(1.0, 4), (-1.0, 5)])]);
    let (resolution, residues) = resolved(&program, 20);
    assert_eq!(resolution, came_to(5, 2, 0));
    assert_eq!([residues[4], residues[6]], [1e-30, 1e-60]);
}

/// The rounding of the operation itself is what an operand cancels with.
#[test]
fn an_operations_own_rounding_is_silenced_with_the_rest() {
    let program = [(1e-30, vec![]), (1.0, vec![(1.0, 0)]), (-1.0, vec![(1.0, 1)])];
    assert_eq!(resolved(&program, 20), (came_to(3, 1, 0), vec![1e-30, 1.0, 1e-30]));
}

/// One rounding cancels with two others of its size: all three have to be silenced.
#[test]
fn what_is_left_of_a_sum_is_silenced_too() {
    let program = [(1e-30, vec![]), (0.25, vec![(1.0, 0)]), (0.75, vec![(1.0, 1)]), (-1.0, vec![(1.0, 2)])];
    assert_eq!(resolved(&program, 20), (came_to(4, 1, 0), vec![1e-30, 0.25, 1.0, 1e-30]));
}

/// Nothing is left once the large terms are silent: the residue is 0 indeed, and asked for once.
#[test]
fn a_residue_of_nothing_is_settled() {
    let program = [(1e-30, vec![]), (1.0, vec![(1.0, 0)]), (1.0, vec![(1.0, 0)]), (0.0, vec![(1.0, 1), (-1.0, 2)])];
    assert_eq!(resolved(&program, 20), (came_to(3, 1, 0), vec![1e-30, 1.0, 1.0, 0.0]));
}

#[test]
fn the_last_execution_puts_what_was_settled_until_then() {
    for most in [0, 1, 2] {
        assert_eq!(resolved(&single(0, 1e-30), most).0, came_to(1, 0, 1), "{most}");
    }
    assert_eq!(resolved(&single(0, 1e-30), 3).0, came_to(3, 1, 0));
    assert_eq!(resolved(&two_layers(0), 3).0, came_to(3, 0, 1));
    let both: Vec<Operation> = single(0, 1e-30).into_iter().chain(two_layers(4)).collect();
    let (resolution, residues) = resolved(&both, 3);
    assert_eq!(resolution, came_to(3, 1, 1));
    assert_eq!([residues[3], residues[9]], [1e-30, 0.0]);
}

#[test]
fn what_nobody_can_be_silenced_for_stays() {
    let op = OpId::new(0, 3);
    let contributors = vec![Contributor { largest: OpId::NONE, second: OpId::NONE }];
    let outcome = Outcome {
        absorptions: vec![Absorption { op, since: OpId::NONE, contributors, most: 1.0 }],
        detected: 1,
        ..Outcome::default()
    };
    let Ok(resolution) = resolve(|_| Ok::<_, Infallible>(outcome.clone()), 20);
    assert_eq!(resolution, came_to(1, 0, 1));
    // Silencing does not help.
    let contributors = vec![Contributor { largest: OpId::new(0, 1), second: OpId::NONE }];
    let outcome = Outcome {
        absorptions: vec![Absorption { op, since: OpId::NONE, contributors, most: 1.0 }],
        detected: 1,
        ..Outcome::default()
    };
    let Ok(resolution) = resolve(|_| Ok::<_, Infallible>(outcome.clone()), 20);
    assert_eq!(resolution, came_to(3, 0, 1));
}

#[test]
fn an_execution_that_fails_ends_it() {
    assert_eq!(resolve(|_| Err::<Outcome, _>("no file"), 20), Err("no file"));
}
