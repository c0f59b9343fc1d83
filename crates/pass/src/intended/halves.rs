//! Numbers cut into halves, and products of two that are made of such halves: what a fused multiply-add does in one step.
//!
//! `c = (2^k + 1) x; high = c - (c - x); low = x - high` (Veltkamp), or `high = (x + 2^k) - 2^k`, cuts x where it
//! wants; by real arithmetic `high` is x and `low` 0. The rounding of the step between is meant.
//! `low = ((xh yh - p) + xh yl + xl yh) + xl yl` (Dekker) is what `p = x y` lost. All four products of two pairs, and `p` with the
//! other sign, in one sum: that tells, however the halves came about.

use super::value_numbers::ValueNumbers;
use super::{Sum, Term, is_plain};
use crate::llvm::{Opcode, Value};
use std::collections::HashMap;

/// Whether a sum is the step that cuts a number in two.
pub fn cuts(names: &mut ValueNumbers, sum: &Sum) -> bool {
    [[0, 1], [1, 0]].iter().any(|&[i, j]| {
        let (scaled, x) = (sum.terms[i].name, sum.terms[j].name);
        if let Some(shift) = scaled.as_const_real() {
            return is_power_of_two(shift.abs());
        }
        scaled.is(Opcode::LLVMFMul) && is_plain(scaled) && {
            let [a, b] = [0, 1].map(|n| names.term(scaled.operand(n)).name);
            let is_scale = |v: Value| v.as_const_real().is_some_and(|c| is_power_of_two(c.abs() - 1.0));
            a == x && is_scale(b) || b == x && is_scale(a)
        }
    })
}

/// Above 1: below, a constant is just a number.
fn is_power_of_two(x: f64) -> bool {
    const FRACTION: u64 = (1 << 52) - 1;
    x > 1.0 && x.is_finite() && x.to_bits() & FRACTION == 0
}

/// A product with its factors, and how often it is in a sum.
#[derive(Clone, Debug)]
struct Part {
    product: Value,
    factors: [Value; 2],
    count: i32,
}

/// What a product lost, by halves.
pub struct Lost {
    pub product: Value,
    /// The steps of the sum.
    pub pattern: Vec<Value>,
}

/// A sum of more is none of these.
const PARTS: usize = 5;

/// The products of a sum, and its steps.
type Expanded = (Vec<Part>, Vec<Value>);

/// Sums of products, each with its steps.
#[derive(Default)]
pub struct Sums {
    known: HashMap<Value, Option<Expanded>>,
}

impl Sums {
    /// What `low` is the loss of, if it is one.
    pub fn lost(&mut self, names: &mut ValueNumbers, low: Value) -> Option<Lost> {
        let (parts, pattern) = self.parts(names, low)?;
        let of = |sign: i32| parts.iter().filter(move |p| p.count.signum() == sign);
        let (whole, halves) = if of(1).count() == 1 { (1, -1) } else { (-1, 1) };
        let [product] = of(whole).collect::<Vec<_>>()[..] else { return None };
        let mut cells = Vec::new();
        for part in of(halves) {
            cells.extend(std::iter::repeat_n(part.factors, part.count.unsigned_abs() as usize));
        }
        let is_one = product.count.abs() == 1 && product.product.is(Opcode::LLVMFMul);
        (is_one && is_grid(&cells)).then_some(Lost { product: product.product, pattern })
    }

    fn parts(&mut self, names: &mut ValueNumbers, value: Value) -> Option<Expanded> {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        self.known.insert(value, None);
        let parts = self.parts_of(names, value).filter(|(parts, _)| parts.len() <= PARTS);
        self.known.insert(value, parts.clone());
        parts
    }

    fn parts_of(&mut self, names: &mut ValueNumbers, value: Value) -> Option<Expanded> {
        if !value.is_instruction() {
            return None;
        }
        if value.is(Opcode::LLVMFMul) {
            let part = part(names, value, [value.operand(0), value.operand(1)]);
            return is_plain(value).then(|| (vec![part], Vec::new()));
        }
        if let Some(sum) = names.sum(value) {
            let (mut parts, mut pattern) = self.signed(names, sum.terms[0])?;
            let (more, steps) = self.signed(names, sum.terms[1])?;
            more.into_iter().for_each(|part| join(&mut parts, part));
            pattern.extend(steps);
            pattern.push(value);
            return Some((parts, pattern));
        }
        let fused = names.product(value).filter(|p| !p.is_call)?;
        let (mut parts, mut pattern) = self.signed(names, fused.plus)?;
        let mut own = part(names, value, [0, 1].map(|i| fused.factors[i].name));
        own.count *= fused.factors[0].sign * fused.factors[1].sign;
        join(&mut parts, own);
        pattern.push(value);
        Some((parts, pattern))
    }

    fn signed(&mut self, names: &mut ValueNumbers, term: Term) -> Option<Expanded> {
        let (mut parts, pattern) = self.parts(names, term.name)?;
        parts.iter_mut().for_each(|p| p.count *= term.sign);
        Some((parts, pattern))
    }
}

/// A product of two; a factor that is twice another counts as that twice.
fn part(names: &mut ValueNumbers, product: Value, factors: [Value; 2]) -> Part {
    let mut count = 1;
    let factors = factors.map(|factor| {
        let term = names.term(factor);
        count *= term.sign;
        let Some(half) = half_of(names, term.name) else { return term.name };
        count *= 2;
        half
    });
    Part { product, factors, count }
}

fn half_of(names: &mut ValueNumbers, value: Value) -> Option<Value> {
    if !value.is(Opcode::LLVMFMul) && !value.is(Opcode::LLVMFAdd) {
        return None;
    }
    let [a, b] = [0, 1].map(|i| names.name(value.operand(i)));
    let is_two = |v: Value| v.as_const_real() == Some(2.0);
    match value.opcode() {
        Opcode::LLVMFAdd => (a == b).then_some(a),
        _ if is_two(a) => Some(b),
        _ => is_two(b).then_some(a),
    }
}

fn join(parts: &mut Vec<Part>, part: Part) {
    let [a, b] = part.factors;
    match parts.iter_mut().find(|p| p.factors == [a, b] || p.factors == [b, a]) {
        Some(same) => same.count += part.count,
        None => parts.push(part),
    }
}

/// Whether four products are those of two pairs.
fn is_grid(cells: &[[Value; 2]]) -> bool {
    let [first, rest @ ..] = cells else { return false };
    if rest.len() != 3 {
        return false;
    }
    let other = |cell: &[Value; 2], known: Value| match *cell {
        [a, b] if a == known => Some(b),
        [a, b] if b == known => Some(a),
        _ => None,
    };
    [[first[0], first[1]], [first[1], first[0]]].iter().any(|&[high, top]| {
        (0..3).any(|same_row| {
            let Some(low) = other(&rest[same_row], high) else { return false };
            let [x, y] = [1, 2].map(|n| rest[(same_row + n) % 3]);
            let below = |x: &[Value; 2], y: &[Value; 2]| {
                other(x, top).is_some_and(|second| other(y, low) == Some(second) || other(y, second) == Some(low))
            };
            below(&x, &y) || below(&y, &x)
        })
    })
}
