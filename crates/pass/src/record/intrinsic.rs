//! LLVM's intrinsics, and the functions of the mathematical library.

use super::{Recorder, step};
use crate::emit::TO_INTEGER;
use crate::fp::FpType;
use crate::llvm::{Kind as TypeKind, Value};
use nonius_abi::code::{Arith, Kind, Step};
use nonius_abi::libm::{self, MathFunction, Shape};
use nonius_abi::site::NONE;

impl Recorder<'_> {
    pub fn intrinsic(&mut self, i: Value, name: &str) {
        let name = name.strip_prefix("llvm.").unwrap_or(name);
        let constrained = name.strip_prefix("experimental.constrained.");
        let base = constrained.unwrap_or(name).split('.').next().unwrap_or_default();
        let arguments = i.arguments();
        match base {
            "memcpy" | "memmove" if arguments[0].ty().is_ordinary_pointer() => {
                self.b.before(i);
                self.copy(arguments[0], arguments[1], arguments[2]);
            }
            "fcmp" | "fcmps" => {}
            _ if !self.operation(i, base, &arguments) => self.restart(i),
            _ => {}
        }
    }

    /// An operation by its name, as an intrinsic or a C function has it; `false` if it is none.
    pub fn operation(&mut self, i: Value, base: &str, arguments: &[Value]) -> bool {
        if let Some((_, op)) = TO_INTEGER.iter().find(|(n, _)| *n == base) {
            self.to_integer(i, arguments[0], *op);
            return true;
        }
        if FpType::of(i.ty()).is_none() {
            return false;
        }
        let (op, count) = match base {
            "fadd" => (Arith::Add, 2),
            "fsub" => (Arith::Sub, 2),
            "fmul" => (Arith::Mul, 2),
            "fdiv" => (Arith::Div, 2),
            "frem" => (Arith::Rem, 2),
            "sqrt" => (Arith::Sqrt, 1),
            "fabs" => (Arith::Abs, 1),
            "fma" | "fmuladd" => (Arith::Fma, 3),
            "copysign" => (Arith::CopySign, 2),
            "minnum" | "minimumnum" | "fmin" => (Arith::MinNum, 2),
            "maxnum" | "maximumnum" | "fmax" => (Arith::MaxNum, 2),
            "minimum" => (Arith::Minimum, 2),
            "maximum" => (Arith::Maximum, 2),
            "canonicalize" | "arithmetic" | "ssa" => {
                self.rename(i, arguments[0]);
                return true;
            }
            _ => return libm::by_intrinsic(base).is_some_and(|f| self.function(i, f, arguments)),
        };
        let fits = arguments.len() >= count && arguments[..count].iter().all(|a| a.ty() == i.ty());
        if fits {
            self.apply(i, op, &arguments[..count]);
        }
        fits
    }

    /// A function of the library whose value is recorded; `false` if its shape has no step.
    pub fn function(&mut self, i: Value, function: &MathFunction, arguments: &[Value]) -> bool {
        let Some(fp) = FpType::of(i.ty()) else { return false };
        let floats = match function.shape {
            Shape::X | Shape::XX => arguments,
            Shape::XI => arguments.get(..1).unwrap_or_default(),
            Shape::IX => arguments.get(1..).unwrap_or_default(),
            _ => return false,
        };
        // Constrained intrinsics have metadata behind their operands.
        let floats: Vec<Value> = floats.iter().copied().filter(|a| FpType::of(a.ty()).is_some()).collect();
        if floats.is_empty() || floats.len() > 3 || floats.iter().any(|a| a.ty() != i.ty()) {
            return false;
        }
        let detail = libm::FUNCTIONS.iter().position(|f| f.name == function.name).expect("from the table") as u32;
        let args = self.arguments(&floats, fp);
        self.stand_behind(i);
        let place = arguments.iter().find_map(|&a| self.integer_word(a)).unwrap_or(NONE);
        let word = self.put(i);
        let site = self.operation_site(i, fp);
        let result = self.name(i);
        self.step(Step { detail, result, args, word, place, site, ..step(Kind::Function, fp) });
        true
    }

    /// An integer argument, as i64.
    fn integer_word(&mut self, argument: Value) -> Option<u32> {
        let TypeKind::Integer(bits) = argument.ty().kind() else { return None };
        let wide = if bits < 64 { self.b.sext(argument, self.b.types.i64()) } else { argument };
        Some(self.put(wide))
    }
}
