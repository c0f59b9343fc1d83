//! Tests of a float's sign by its bits: `signbit`, `is_sign_negative`.

use crate::fp::FpType;
use crate::llvm::{IntPredicate, Kind, Opcode, Value};

/// The float whose sign decides `i`: its bits, as an integer of its width, are compared with 0, or shifted but for the last.
pub fn of(i: Value) -> Option<Value> {
    let bits = i.operands().first().copied().filter(|bits| bits.is(Opcode::LLVMBitCast))?;
    let Kind::Integer(width) = bits.ty().element_or_self().kind() else { return None };
    let is_test = match i.opcode() {
        Opcode::LLVMICmp => match i.int_predicate() {
            IntPredicate::LLVMIntSLT => i.operand(1) == bits.ty().zero(),
            IntPredicate::LLVMIntSGT => i.operand(1) == bits.ty().all_ones(),
            _ => false,
        },
        Opcode::LLVMLShr | Opcode::LLVMAShr => i.operand(1).as_const_int() == Some(u64::from(width) - 1),
        _ => false,
    };
    let x = bits.operand(0);
    let fp = FpType::of(x.ty()).filter(|_| is_test)?;
    // Lane by lane, not several of them in one integer.
    (fp.lanes.is_some() == (bits.ty().element_or_self() != bits.ty())).then_some(x)
}
