//! NaNs and infinities that are made on purpose, as libraries make them to answer what has no number.
//!
//! `(x - x) / (x - x)`, `x / 0.0` and `1 / (x - x)` divide by what is 0 whatever x is; `s * 1e300 * 1e300` overflows for
//! every s but 0. A divisor that happens to be 0, or a product that happens to be large, is none of these; nor is x - x that
//! was given a name before it divides, as a result of arithmetic is.

use super::is_plain;
use super::value_numbers::ValueNumbers;
use crate::fp::FpType;
use crate::llvm::{BY_NAME, Opcode, Value};
use nonius_abi::Precision;
use std::collections::HashSet;

/// The operations that make one.
pub fn on_purpose(names: &mut ValueNumbers, all: &[Value]) -> HashSet<Value> {
    let is_one = |i: &Value| match i.opcode() {
        Opcode::LLVMFDiv => is_plain(*i) && is_zero(names, *i),
        Opcode::LLVMFMul => is_plain(*i) && overflows(names, *i),
        _ => false,
    };
    all.iter().copied().filter(is_one).collect()
}

/// Whether the divisor is 0, or x - x.
fn is_zero(names: &mut ValueNumbers, division: Value) -> bool {
    let divisor = division.operand(1);
    if let Some(constant) = divisor.as_const_real() {
        return constant == 0.0;
    }
    // Without optimization a variable is still one.
    let is_by_name =
        divisor.is(Opcode::LLVMLoad) || division.noted_place().is_some_and(|place| place.opcode == BY_NAME);
    let name = names.term(divisor).name;
    !is_by_name && name.is(Opcode::LLVMFSub) && {
        let [a, b] = [0, 1].map(|n| names.name(name.operand(n)));
        a == b
    }
}

/// A product with a constant of a product with the same one, whose square is not finite.
fn overflows(names: &mut ValueNumbers, product: Value) -> bool {
    let most = match FpType::of(product.ty()).map(|fp| fp.precision) {
        Some(Precision::Float) => f64::exp2(64.0),
        _ => f64::exp2(512.0),
    };
    let mut huge = |value: Value| {
        let [a, b] = [0, 1].map(|n| names.term(value.operand(n)).name);
        let is_huge = |v: Value| v.as_const_real().is_some_and(|c| c.abs() >= most && c.is_finite());
        match () {
            () if is_huge(b) => Some((a, b)),
            () if is_huge(a) => Some((b, a)),
            () => None,
        }
    };
    let Some((inner, constant)) = huge(product) else { return false };
    inner.is(Opcode::LLVMFMul) && huge(inner).is_some_and(|(_, c)| c == constant)
}
