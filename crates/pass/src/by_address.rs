//! Calls by address that may be of mathematical functions (see `nonius_abi::by_address`).

use crate::fp::FpType;
use crate::llvm::{Kind, Value};
use nonius_abi::Precision;
use nonius_abi::by_address::Signature;

/// The type of a call by address, if a mathematical function has it.
pub fn signature(call: Value) -> Option<(Signature, FpType)> {
    let fp = FpType::of(call.ty()).filter(|fp| fp.lanes.is_none())?;
    let callee = call.callee();
    if callee.is_function() || callee.is_inline_asm() || call.callee_type().is_variadic() {
        return None;
    }
    if !matches!(fp.precision, Precision::Float | Precision::Double | Precision::X87) {
        return None;
    }
    let arguments = call.arguments();
    let is_float = |n: usize| arguments[n].ty() == call.ty();
    let is_integer = |n: usize| matches!(arguments[n].ty().kind(), Kind::Integer(32 | 64));
    let signature = match arguments.len() {
        1 if is_float(0) => Signature::X,
        2 if is_float(0) && is_float(1) => Signature::XX,
        2 if is_float(0) && is_integer(1) => Signature::XI,
        2 if is_integer(0) && is_float(1) => Signature::IX,
        3 if (0..3).all(is_float) => Signature::XXX,
        _ => return None,
    };
    Some((signature, fp))
}
