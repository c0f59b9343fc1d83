//! What an abstract execution says of the inputs of a finding.

use super::{clean, truth};
use crate::numbers::{bits_lost, decimal, integer, rough};
use nonius_finding::{Example, Finding, InputValue, Kind, ObservedAt, Worst};

/// Inputs that are named.
const MOST_INPUTS: usize = 6;

/// `up to 38 of 53 bits lost in subtraction, seen in output, for inputs of the declared ranges`.
pub(super) fn headline(f: &Finding, operation: &str, seen: &str) -> String {
    let bound = f.for_inputs.as_ref().and_then(|about| about.relative_error).unwrap_or(f64::INFINITY);
    let is_certain = f.for_inputs.as_ref().is_some_and(|about| about.example.is_some());
    let bits = f64::from(f.worst.precision.bits());
    let lost = (bound.log2() + bits).clamp(0.0, bits);
    let lost = bits_lost(&Worst { bits_lost: lost, ..f.worst.clone() });
    let is = if is_certain { "are" } else { "may be" };
    format!("up to {lost} {is} lost in {operation}{seen}, for inputs of the declared ranges")
}

/// The lines of a finding that is about inputs.
pub(super) fn lines(f: &Finding) -> Vec<String> {
    let Some(about) = &f.for_inputs else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(bound) = about.relative_error {
        lines.push(match bound {
            f64::INFINITY => "by its bounds the relative error has no limit".to_owned(),
            x => format!("by its bounds the relative error is up to {}", rough(x)),
        });
    }
    match &about.example {
        Some(example) => lines.push(of_example(f, example)),
        None if f.kind == Kind::PrecisionLoss => {
            lines.push("possible, not certain: no sample of the inputs shows it".to_owned());
        }
        None => {}
    }
    let operands = about.operands.iter().map(|r| format!("[{}, {}]", decimal(r.lo), decimal(r.hi)));
    let operands: Vec<String> = operands.collect();
    match &operands[..] {
        [] => {}
        [one] => lines.push(format!("its operand can be anywhere in {one}")),
        several => lines.push(format!("its operands can be anywhere in {}", several.join(" and "))),
    }
    lines
}

fn of_example(f: &Finding, example: &Example) -> String {
    let mut inputs: Vec<String> = example.inputs.iter().take(MOST_INPUTS).map(of_input).collect();
    if let Some(more) = example.inputs.len().checked_sub(MOST_INPUTS).filter(|&n| n > 0) {
        inputs.push(format!("{more} others"));
    }
    let inputs = if inputs.is_empty() { "any input".to_owned() } else { inputs.join(", ") };
    let what = match f.kind {
        Kind::PrecisionLoss => return format!("for example with {inputs}"),
        _ if f.observed_at == ObservedAt::Cast => integer,
        _ => |x: f64| truth(x).to_owned(),
    };
    match example.value == example.ideal {
        true => format!("it is {} for example with {inputs}", what(example.value)),
        false => {
            let (float, real) = (what(example.value), what(example.ideal));
            format!("it is {float} for the float and {real} for the real, for example with {inputs}")
        }
    }
}

/// `x = 0.5 (real 0.50000001)`.
fn of_input(input: &InputValue) -> String {
    let last = if input.count > 1 { format!(" (the last of {})", input.count) } else { String::new() };
    let place = match input.location.has_line() && input.name.contains(' ') {
        true => format!(" at {}:{}", clean(input.location.file_name()), input.location.line),
        false => String::new(),
    };
    let off = input.value - input.ideal;
    let real = match off {
        0.0 => String::new(),
        _ if decimal(input.ideal) != decimal(input.value) => format!(" (real {})", decimal(input.ideal)),
        _ => format!(" (off by {})", rough(off)),
    };
    format!("{}{place} = {}{real}{last}", clean(&input.name), decimal(input.value))
}
