//! The rules: a kind of finding each, with what a reader who has never met it must know.

use crate::words;
use nonius_finding::{Kind, Report};
use serde_json::{Value, json};

pub(super) fn driver(report: &Report) -> Value {
    let rules: Vec<_> = Kind::ALL.iter().map(|kind| rule(*kind)).collect();
    json!({
        "name": report.tool.name,
        "version": report.tool.version,
        "semanticVersion": report.tool.version,
        "rules": rules,
    })
}

/// The place of a kind's rule in the list.
pub(super) fn index(kind: Kind) -> Option<usize> {
    Kind::ALL.iter().position(|k| *k == kind)
}

fn rule(kind: Kind) -> Value {
    let (full, help) = (description(kind), help(kind));
    let steps: Vec<String> = help.iter().enumerate().map(|(n, step)| format!("{}. {step}", n + 1)).collect();
    json!({
        "id": kind.as_str(),
        "name": name(kind),
        "shortDescription": { "text": words::meaning(kind) },
        "fullDescription": { "text": full },
        "help": {
            "text": format!("{full}\n\n{}", steps.join("\n").replace('`', "'")),
            "markdown": format!("{full}\n\n**What to do**\n\n{}", steps.join("\n")),
        },
        "defaultConfiguration": { "level": "warning" },
        "properties": {
            "tags": ["correctness", "floating-point"],
            "precision": "high",
            "problem.severity": "warning",
        },
    })
}

/// `PrecisionLoss`, as rules are called in lists.
fn name(kind: Kind) -> String {
    let part = |word: &str| word[..1].to_uppercase() + &word[1..];
    kind.as_str().split('-').map(part).collect()
}

/// What happened, and why that matters.
fn description(kind: Kind) -> &'static str {
    match kind {
        Kind::PrecisionLoss => {
            "A value that has an effect (printed, returned, stored, passed on) differs from what exact arithmetic would \
             have given from the same inputs by more than the threshold allows. The usual reason is a subtraction of \
             nearly equal numbers, which leaves little but their rounding errors."
        }
        Kind::BranchFlip => {
            "A comparison, or a choice such as fmin, comes out otherwise than it would on exact values: rounding errors \
             decide which way the program goes."
        }
        Kind::CastFlip => {
            "A conversion to an integer, a rounding function or a quotient gives another integer than it would for the \
             exact value: a rounding error has pushed the number over a step."
        }
        Kind::Nan => {
            "An operation made a NaN of operands that are none, such as 0/0 or the square root of a negative number. It \
             spreads to all that is computed of it, and every comparison with it is false."
        }
        Kind::Inf => {
            "An operation made an infinity of finite operands: a division by 0, or a result too large for its format."
        }
        Kind::LoadMismatch => {
            "Memory holds another value than the one that was stored with its shadow: code that Nonius did not build \
             wrote there, and the error of what it wrote is unknown."
        }
        Kind::Assertion => {
            "An assertion that the program makes in ACSL, evaluated over exact numbers, does not hold, or depends on \
             digits that the oracle does not know."
        }
        Kind::UnstableBranch => {
            "A comparison or conversion has another outcome for some inputs of the ranges that the program declares, as \
             floats or as the real numbers that they stand for: the program's result may jump there."
        }
        Kind::Stage => {
            "The error of an iteration grows faster from stage to stage than an error that only adds up: the iteration \
             amplifies it."
        }
    }
}

/// What to do, step by step.
fn help(kind: Kind) -> [&'static str; 3] {
    let first = match kind {
        Kind::PrecisionLoss => {
            "Look at the operation that the finding names, and at the digits that survive: are they enough for what the \
             value is used for?"
        }
        Kind::BranchFlip => "Ask whether the two sides should be equal: if so, compare them with a tolerance.",
        Kind::CastFlip => "Round to the nearest integer before converting, or add a tolerance that the units suggest.",
        Kind::Nan => "Test the operands before the operation, or clamp what rounding has pushed out of the domain.",
        Kind::Inf => {
            "Test the divisor, or scale the operands: `hypot(x, y)` for `sqrt(x*x + y*y)`, logarithms for products."
        }
        Kind::LoadMismatch => "Build the code that wrote there with Nonius too.",
        Kind::Assertion => "Look at the values that the finding names: is the assertion wrong, or what it speaks of?",
        Kind::UnstableBranch => "Look at what both ways compute where the test flips: do they meet?",
        Kind::Stage => "Look for the recurrence's other direction, or a form whose error does not grow.",
    };
    [
        first,
        "`nonius explain ID` shows where the error was introduced, and what amplified it.",
        "Rewrite the formula, or accept the finding with a suppression that says why.",
    ]
}
