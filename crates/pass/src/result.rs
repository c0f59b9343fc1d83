//! Sums that leave a result, however little of their terms that is.
//!
//! Of `b - a * x` the data themselves are rounded: what is left is within what that moves `b` by, and says nothing. Of
//! `sqrt(x + 1) - sqrt(x)` and `-b + sqrt(b * b - 4 * c)` it is a number that the data determine well, for the terms are
//! computed of the same values, which move them together; so it is of `1 - cos(x)`, where a term is a constant.
//!
//! A factor that all terms have, as in `s * b - s * a * x`, moves what is left in proportion, and is no such value.
//!
//! Limits: values are followed within a function and through local variables, not through memory.

use crate::emit::made::Made;
use crate::llvm::{Opcode, Value};
use crate::locals;

/// Operations back from a sum that are looked at.
const DEPTH: u32 = 12;
/// Values that are kept of a term: beyond them it is taken to have no others.
const MOST: usize = 32;

/// Where a value comes from, and whether it is but a factor there.
type Source = (Value, bool);

/// Whether what a sum leaves is a result.
pub fn is_one(sum: Value) -> bool {
    let sides = [0, 1].map(|n| sum.operand(n));
    if sides.iter().any(|side| is_constant_term(*side, DEPTH)) {
        return true;
    }
    let [xs, ys] = sides.map(|side| {
        let mut sources = Vec::new();
        collect(side, true, DEPTH, &mut sources);
        // By itself it is the term, and no factor of one.
        if let [(one, is_factor)] = &mut sources[..] {
            *is_factor &= *one != place(side);
        }
        sources
    });
    xs.iter().any(|(x, x_is_factor)| ys.iter().any(|(y, y_is_factor)| x == y && !(*x_is_factor && *y_is_factor)))
}

/// Whether a term of a sum, or of a sum within it, is a constant other than 0.
fn is_constant_term(value: Value, depth: u32) -> bool {
    let value = through_local(value);
    if let Some(constant) = value.as_const_real() {
        return constant != 0.0;
    }
    match Made::by(value) {
        Made::Negated(x) if depth > 0 => is_constant_term(x, depth - 1),
        _ => false,
    }
}

fn collect(value: Value, is_factor: bool, depth: u32, sources: &mut Vec<Source>) {
    let value = through_local(value);
    if depth == 0 || sources.len() >= MOST || value.as_const_real().is_some() {
        return;
    }
    let mut further = |x: Value, is_factor: bool| collect(x, is_factor, depth - 1, sources);
    match Made::by(value) {
        Made::Negated(x) | Made::Magnitude(x) | Made::Converted(x, _) => further(x, is_factor),
        // A square moves otherwise than what it is the square of.
        Made::Product([x, y]) => {
            [x, y].into_iter().for_each(|v| further(v, is_factor && through_local(x) != through_local(y)))
        }
        Made::Quotient(x, y) => {
            further(x, is_factor);
            further(y, false);
        }
        Made::Sum([x, y]) => [x, y].into_iter().for_each(|v| further(v, false)),
        Made::Fused(parts) => parts.into_iter().for_each(|v| further(v, false)),
        Made::Root(x) | Made::Function(_, x) | Made::Power(x, _) => further(x, false),
        Made::Choice(_, both) => both.into_iter().for_each(|v| further(v, false)),
        Made::Otherwise => sources.push((place(value), is_factor)),
    }
}

/// What is loaded is known by where it lies.
fn place(value: Value) -> Value {
    let value = through_local(value);
    if value.is(Opcode::LLVMLoad) { value.operand(0) } else { value }
}

fn through_local(value: Value) -> Value {
    let stored = if value.is(Opcode::LLVMLoad) { locals::stored_values(value) } else { Vec::new() };
    if let [one] = stored[..] { one } else { value }
}
