//! How a value was made, for those who take it apart on a cold path (`radius`, `constants`).

use crate::fp::FpType;
use crate::llvm::{Opcode, Value};
use nonius_abi::libm;

/// The functions of `abi::libm` that are looked through; of two arguments, the first.
const FUNCTIONS: [&str; 20] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "exp", "expm1", "log",
    "log2", "log10", "log1p", "erf", "pow", "hypot",
];

#[derive(Clone, Copy)]
pub enum Made {
    /// A sum, or a difference.
    Sum([Value; 2]),
    Product([Value; 2]),
    Quotient(Value, Value),
    /// A product and what is added to it, rounded once.
    Fused([Value; 3]),
    Root(Value),
    /// One of [`FUNCTIONS`].
    Function(&'static str, Value),
    /// To an integer power.
    Power(Value, Value),
    Negated(Value),
    Magnitude(Value),
    /// One of two, by a condition.
    Choice(Value, [Value; 2]),
    /// It is its operand, in another format.
    Converted(Value, FpType),
    Otherwise,
}

impl Made {
    pub fn by(value: Value) -> Made {
        if !value.is_instruction() {
            return Made::Otherwise;
        }
        let operand = |i| value.operand(i);
        match value.opcode() {
            Opcode::LLVMFAdd | Opcode::LLVMFSub => Made::Sum([operand(0), operand(1)]),
            Opcode::LLVMFMul => Made::Product([operand(0), operand(1)]),
            Opcode::LLVMFDiv => Made::Quotient(operand(0), operand(1)),
            Opcode::LLVMFNeg => Made::Negated(operand(0)),
            Opcode::LLVMSelect => Made::Choice(operand(0), [operand(1), operand(2)]),
            Opcode::LLVMFPExt | Opcode::LLVMFPTrunc => match FpType::of(operand(0).ty()) {
                Some(from) => Made::Converted(operand(0), from),
                None => Made::Otherwise,
            },
            Opcode::LLVMCall => Made::by_call(value),
            _ => Made::Otherwise,
        }
    }

    fn by_call(call: Value) -> Made {
        let callee = call.callee();
        // What the program defines itself may be anything.
        if !callee.is_function() || !callee.is_declaration() {
            return Made::Otherwise;
        }
        let name = callee.name();
        let base = name.strip_prefix("llvm.").and_then(|n| n.split('.').next());
        let x = match (base, &call.arguments()[..]) {
            (Some("fma" | "fmuladd"), &[x, y, c]) => return Made::Fused([x, y, c]),
            (Some("powi"), &[x, power]) => return Made::Power(x, power),
            (_, &[x] | &[x, _]) => x,
            _ => return Made::Otherwise,
        };
        match base.unwrap_or(&name) {
            "fabs" | "fabsf" => return Made::Magnitude(x),
            "sqrt" | "sqrtf" => return Made::Root(x),
            _ => (),
        }
        let function = match base {
            Some(base) => libm::by_intrinsic(base),
            None => libm::by_c_name(&name).map(|(function, _)| function),
        };
        match function.filter(|f| FUNCTIONS.contains(&f.name)) {
            Some(function) => Made::Function(function.name, x),
            None => Made::Otherwise,
        }
    }

    /// What it was made of, the condition of a choice left out.
    pub fn operands(&self) -> Vec<Value> {
        match *self {
            Made::Sum(both) | Made::Product(both) | Made::Choice(_, both) => both.to_vec(),
            Made::Quotient(x, y) => vec![x, y],
            Made::Fused(all) => all.to_vec(),
            Made::Root(x) | Made::Function(_, x) | Made::Power(x, _) => vec![x],
            Made::Negated(x) | Made::Magnitude(x) | Made::Converted(x, _) => vec![x],
            Made::Otherwise => Vec::new(),
        }
    }
}
