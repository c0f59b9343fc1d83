//! What operations on constants are by real arithmetic, as far as double-doubles tell.

use super::{Known, function_of, is_call_of, predicate_holds};
use crate::fp::FpType;
use crate::llvm::{Opcode, Value};
use nonius_abi::Precision;
use nonius_abi::libm::Function;
use nonius_numerics::{Dd, Threshold, libm};

/// What double-doubles leave open, in proportion to what was added up.
const NOISE: f64 = f64::from_bits((1023 - 90) << 52);

/// How much stricter than a run's usual threshold constants are judged, for runs that ask for more.
const STRICTER: f64 = 1024.0;

pub struct Judged {
    pub ideal: Dd,
    /// A run may find something here.
    pub is_wrong: bool,
    pub is_checked: bool,
}

pub fn judge(i: Value, operands: &[Known], constant: Value) -> Judged {
    match i.opcode() {
        Opcode::LLVMFCmp => Judged { ideal: Dd::ZERO, is_wrong: flips(i, operands), is_checked: true },
        Opcode::LLVMFPToSI | Opcode::LLVMFPToUI => {
            let actual = operands[0].constant.as_const_real().unwrap_or(0.0);
            let is_wrong = operands[0].ideal.to_f64().trunc() != actual.trunc();
            Judged { ideal: Dd::ZERO, is_wrong, is_checked: true }
        }
        _ => match constant.as_const_real() {
            Some(actual) if actual.is_finite() => {
                let Some(ideal) = ideal(i, operands).filter(|ideal| ideal.is_finite()) else {
                    return Judged { ideal: Dd::from(actual), is_wrong: false, is_checked: false };
                };
                Judged { ideal, is_wrong: is_wrong(i, operands, actual, ideal), is_checked: true }
            }
            // Of NaNs and infinities nothing is known; of integers, all.
            actual => {
                let is_checked = actual.is_none();
                Judged { ideal: actual.map_or(Dd::ZERO, Dd::from), is_wrong: false, is_checked }
            }
        },
    }
}

fn is_wrong(i: Value, operands: &[Known], actual: f64, ideal: Dd) -> bool {
    let precision = FpType::of(i.ty()).map_or(Precision::Double, |fp| fp.precision);
    let rounding = 2f64.powi(3 - precision.bits() as i32);
    let limit = (Threshold::Standard.relative_limit(precision) / STRICTER).max(rounding);
    let error = ideal.minus_actual(actual).abs();
    error > limit * actual.abs() && error > NOISE * size(operands)
}

/// Whether a comparison comes out otherwise.
fn flips(i: Value, operands: &[Known]) -> bool {
    let [a, b] = operands else { return false };
    let (Some(x), Some(y)) = (a.constant.as_const_real(), b.constant.as_const_real()) else { return false };
    let difference = (a.ideal - b.ideal).to_f64();
    let difference = if difference.abs() > NOISE * size(operands) { difference } else { 0.0 };
    let outcome = |difference| predicate_holds(i.real_predicate(), difference);
    x.is_finite() && y.is_finite() && outcome(difference) != outcome(x - y)
}

fn size(operands: &[Known]) -> f64 {
    operands.iter().map(|o| o.ideal.to_f64().abs()).fold(0.0, f64::max)
}

fn ideal(i: Value, operands: &[Known]) -> Option<Dd> {
    let of = |n: usize| operands[n].ideal;
    match i.opcode() {
        Opcode::LLVMFAdd => Some(of(0) + of(1)),
        Opcode::LLVMFSub => Some(of(0) - of(1)),
        Opcode::LLVMFMul => Some(of(0) * of(1)),
        Opcode::LLVMFDiv => Some(of(0) / of(1)),
        Opcode::LLVMFNeg => Some(-of(0)),
        Opcode::LLVMFPExt | Opcode::LLVMFPTrunc => Some(of(0)),
        Opcode::LLVMSelect => Some(of(if operands[0].constant.as_const_int()? == 1 { 1 } else { 2 })),
        Opcode::LLVMCall if is_call_of(i, "llvm.fma.") || is_call_of(i, "llvm.fmuladd.") => Some(of(0) * of(1) + of(2)),
        Opcode::LLVMCall if is_call_of(i, "llvm.fabs.") || is_call_of(i, "fabs") => Some(of(0).abs()),
        Opcode::LLVMCall if is_call_of(i, "llvm.sqrt.") => Some(of(0).sqrt()),
        Opcode::LLVMCall => function(function_of(i)?, operands),
        _ => None,
    }
}

fn function(f: Function, operands: &[Known]) -> Option<Dd> {
    use Function::*;
    let x = operands.first()?.ideal;
    let of_one: fn(f64, f64) -> Dd = match f {
        Sin => libm::sin,
        Cos => libm::cos,
        Tan => libm::tan,
        Asin => libm::asin,
        Acos => libm::acos,
        Atan => libm::atan,
        Sinh => libm::sinh,
        Cosh => libm::cosh,
        Tanh => libm::tanh,
        Asinh => libm::asinh,
        Acosh => libm::acosh,
        Atanh => libm::atanh,
        Exp => libm::exp,
        Exp2 => libm::exp2,
        Exp10 => libm::exp10,
        Expm1 => libm::expm1,
        Log => libm::log,
        Log2 => libm::log2,
        Log10 => libm::log10,
        Log1p => libm::log1p,
        Cbrt => libm::cbrt,
        Sqrt => return Some(x.sqrt()),
        Pow | Atan2 | Hypot => {
            let y = operands.get(1)?.ideal;
            let of_two = match f {
                Pow => libm::pow,
                Atan2 => libm::atan2,
                _ => libm::hypot,
            };
            return Some(of_two(x.hi, x.lo, y.hi, y.lo));
        }
        _ => return None,
    };
    Some(of_one(x.hi, x.lo))
}
