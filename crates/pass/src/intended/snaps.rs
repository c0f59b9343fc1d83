//! Numbers that are rounded to a step by adding a constant and taking it away again.
//!
//! `(x + c) - c` is x by real arithmetic; with c = 2^52, or 1.5 * 2^52 for both signs, it is x rounded to an integer, as in
//! every mathematical library. Smaller constants of the second kind round to binary fractions. `z - (z - y)` where `y < z` and z is
//! 1/16 or another power of two lets go of what is too small to be an angle (GeographicLib). All that is rounded away is meant to
//! be; an error of x below half a step leaves the result as it is, a larger one stays.
//! A power of two that is added to what is kept elsewhere and the sum only stored, to be taken away from what the same object
//! holds (RANLUX, which cuts its numbers so), rounds too.
//! Not `(1 + x) - 1`, nor with any other number that is no such constant: there the program wanted x.

use super::value_numbers::ValueNumbers;
use super::{Product, Sum, Term, is_plain};
use crate::fp::FpType;
use crate::llvm::{Opcode, Value};
use nonius_abi::Precision;
use std::collections::{HashMap, HashSet};

/// The sums, and fused multiply-adds, that round to a step, each with half of that.
pub fn snaps(names: &mut ValueNumbers, all: &[Value], products: &[Product], sums: &[Sum]) -> HashMap<Value, f64> {
    let mut found = HashMap::new();
    for &i in all.iter().filter(|i| is_sum(**i)) {
        let Some(fp) = FpType::of(i.ty()) else { continue };
        if [0, 1].iter().any(|&n| i.operand(n).as_const_real().is_some_and(|c| is_magic(c, fp.precision))) {
            found.insert(i, 0.5);
        }
    }
    let mut by_term: HashMap<Value, Vec<&Sum>> = HashMap::new();
    for sum in sums {
        sum.terms.iter().for_each(|t| by_term.entry(t.name).or_default().push(sum));
    }
    let mut tests = None;
    let fused = products.iter().filter(|p| !p.is_call && p.plus.name.as_const_real().is_some());
    let inner =
        sums.iter().flat_map(|s| [(s.result, s.terms[0], Some(s.terms[1])), (s.result, s.terms[1], Some(s.terms[0]))]);
    for (result, constant, other) in inner.chain(fused.map(|p| (p.result, p.plus, None))) {
        let Some((half, size)) = step(constant) else { continue };
        let is_taken_away = by_term.get(&result).into_iter().flatten().any(|outer| takes_away(outer, result, constant));
        let is_snap = match size {
            Size::Power => other.is_some_and(|x| is_cut_in_memory(sums, result, constant, x)),
            _ if !is_taken_away => false,
            Size::Shift => true,
            Size::Small => other.is_some_and(|x| {
                let tests = tests.get_or_insert_with(|| compared(names, all));
                // The first constant of a size has given it its name, whatever its sign.
                let is_negative = constant.name.as_const_real().is_some_and(|c| c < 0.0) != (constant.sign < 0);
                let is_difference = (x.sign < 0) != is_negative;
                is_difference && (tests.contains(&(x.name, constant.name)) || tests.contains(&(result, result)))
            }),
        };
        if is_snap {
            found.insert(result, half);
        }
    }
    found
}

fn is_sum(i: Value) -> bool {
    let is_constrained = || {
        let name = if i.callee().is_function() { i.callee().name() } else { String::new() };
        let base = name.strip_prefix("llvm.experimental.constrained.").unwrap_or_default();
        base.starts_with("fadd.") || base.starts_with("fsub.")
    };
    matches!(i.opcode(), Opcode::LLVMFAdd | Opcode::LLVMFSub) || i.is(Opcode::LLVMCall) && is_constrained()
}

enum Size {
    /// Larger than what is rounded.
    Shift,
    /// The same, but it may be added for another purpose.
    Power,
    /// A bound that what is rounded is compared with.
    Small,
}

/// Half of the step that a constant rounds to.
fn step(constant: Term) -> Option<(f64, Size)> {
    let precision = FpType::of(constant.name.ty())?.precision;
    let (bits, least) = match precision {
        Precision::Double => (53, 20),
        Precision::Float => (24, 12),
        _ => return None,
    };
    let c = constant.name.as_const_real()?.abs();
    let half = |power: f64| power * f64::exp2(-f64::from(bits));
    let is_power = |x: f64| x.is_normal() && x.to_bits() & ((1 << 52) - 1) == 0;
    match () {
        () if is_power(c / 1.5) && c >= f64::exp2(f64::from(least)) => Some((half(c / 1.5), Size::Shift)),
        () if is_power(c) && c >= f64::exp2(f64::from(bits - 1)) => Some((half(c), Size::Shift)),
        () if is_power(c) && c >= f64::exp2(f64::from(least)) => Some((half(c), Size::Power)),
        () if is_power(c) && c < 1.0 => Some((half(c), Size::Small)),
        () => None,
    }
}

/// 1.5 * 2^52 and its like in other formats, which nobody adds for another purpose; the sum's bits may be all that is used.
fn is_magic(c: f64, precision: Precision) -> bool {
    c.abs() == 1.5 * f64::exp2(f64::from(precision.bits()) - 1.0)
}

/// Whether `outer` is `inner` without the constant that is in it.
fn takes_away(outer: &Sum, inner: Value, constant: Term) -> bool {
    let [a, b] = outer.terms;
    let is_one = |x: Term, c: Term| x.name == inner && c.name == constant.name && x.sign * constant.sign == -c.sign;
    is_plain(outer.result) && (is_one(a, b) || is_one(b, a))
}

/// Whether the sum of a constant and `x`, which is kept in memory too, is nothing but stored, and the constant is taken away
/// from what the same object holds.
fn is_cut_in_memory(sums: &[Sum], result: Value, constant: Term, x: Term) -> bool {
    let stored_in = |value: Value| {
        value
            .users()
            .into_iter()
            .filter(move |u| u.is(Opcode::LLVMStore) && u.operand(0) == value)
            .map(|u| object(u.operand(1)))
    };
    let Some(held) = stored_in(result).next() else { return false };
    let is_kept = x.name.is(Opcode::LLVMLoad) || stored_in(x.name).next().is_some();
    let is_loaded = |term: Term| term.name.is(Opcode::LLVMLoad) && object(term.name.operand(0)) == held;
    let takes =
        |from: Term, c: Term| is_loaded(from) && c.name == constant.name && from.sign * constant.sign == -c.sign;
    is_kept
        && result.users().iter().all(|u| u.is(Opcode::LLVMStore))
        && sums.iter().any(|s| takes(s.terms[0], s.terms[1]) || takes(s.terms[1], s.terms[0]))
}

/// What a pointer leads into: where its own variable lies, if it has one.
fn object(mut pointer: Value) -> Value {
    while pointer.is(Opcode::LLVMGetElementPtr) || pointer.is(Opcode::LLVMLoad) {
        pointer = pointer.operand(0);
    }
    pointer
}

/// The pairs that are compared, in both orders; what is compared with 0, with itself.
fn compared(names: &mut ValueNumbers, all: &[Value]) -> HashSet<(Value, Value)> {
    let mut pairs = HashSet::new();
    for &i in all.iter().filter(|i| i.is(Opcode::LLVMFCmp)) {
        let [a, b] = [0, 1].map(|n| names.term(i.operand(n)).name);
        let is_zero = |v: Value| v.as_const_real() == Some(0.0);
        match () {
            () if is_zero(b) => pairs.extend([(a, a)]),
            () if is_zero(a) => pairs.extend([(b, b)]),
            () => pairs.extend([(a, b), (b, a)]),
        }
    }
    pairs
}
