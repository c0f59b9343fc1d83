//! LLVM's intrinsics.

use super::meet::saturates;
use super::{Recorder, step};
use crate::emit::TO_INTEGER;
use crate::fp::FpType;
use crate::llvm::{Kind as TypeKind, Value};
use nonius_abi::code::{Arith, Kind, Operand, Step};
use nonius_abi::libm;
use nonius_abi::site::{NONE, Op};

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
            "memset" if arguments[0].ty().is_ordinary_pointer() => {
                self.b.before(i);
                self.clear(arguments[0], &[arguments[2]]);
            }
            "fcmp" | "fcmps" => arguments[..2].iter().for_each(|&x| self.decide_by_bits(i, x)),
            "is" if name.starts_with("is.fpclass") => {
                const NO_NUMBER: u64 = 0x207;
                if arguments[1].as_const_int().is_none_or(|classes| classes & !NO_NUMBER != 0) {
                    self.decide_by_bits(i, arguments[0]);
                }
            }
            _ if saturates(i).is_some() => self.float_to_integer(i, arguments[0], Op::ToInteger),
            "va_start" => self.va_start(i),
            "masked" if name.starts_with("masked.load") || name.starts_with("masked.gather") => {
                self.masked_load(i, arguments[0], mask_of(&arguments[1..]));
            }
            "masked" if name.starts_with("masked.store") || name.starts_with("masked.scatter") => {
                self.masked_store(i, arguments[0], arguments[1], mask_of(&arguments[2..]));
            }
            "vector" if name.starts_with("vector.reduce.fadd") => self.reduce(i, Arith::Add, &arguments),
            "vector" if name.starts_with("vector.reduce.fmul") => self.reduce(i, Arith::Mul, &arguments),
            "powi" => self.power(i, &arguments),
            _ if !self.operation(i, base, &arguments) => self.restart(i),
            _ => {}
        }
    }

    /// An operation by its name, as an intrinsic or a C function has it; `false` if it is none.
    pub fn operation(&mut self, i: Value, base: &str, arguments: &[Value]) -> bool {
        if let Some((_, op)) = TO_INTEGER.iter().find(|(n, _)| *n == base) {
            self.float_to_integer(i, arguments[0], *op);
            return true;
        }
        if FpType::of(i.ty()).is_none() {
            return libm::by_intrinsic(base).is_some_and(|f| self.function(i, f, arguments));
        }
        let (op, count) = match base {
            "fadd" if self.intended.snaps.contains_key(&i) => (Arith::SnapAdd, 2),
            "fsub" if self.intended.snaps.contains_key(&i) => (Arith::SnapSub, 2),
            "fma" if self.intended.snaps.contains_key(&i) => (Arith::SnapFma, 3),
            "fadd" => (Arith::Add, 2),
            "fsub" => (Arith::Sub, 2),
            "fmul" => (Arith::Mul, 2),
            "fdiv" => (Arith::Div, 2),
            "frem" => (Arith::Rem, 2),
            "sqrt" if self.intended.rounded.contains(&i) => (Arith::IntendedSqrt, 1),
            "sqrt" => (Arith::Sqrt, 1),
            "fabs" => (Arith::Abs, 1),
            "fma" if self.intended.low.contains_key(&i) => (Arith::LowFma, 3),
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

    /// The lanes of a vector are added or multiplied, one after the other onto the first argument. The
    /// value is recorded: the program may do it in another order.
    fn reduce(&mut self, i: Value, op: Arith, arguments: &[Value]) {
        let Some(fp) = FpType::of(i.ty()) else { return self.restart(i) };
        let mut sum = self.operands(arguments[0])[0];
        let lanes = self.operands(arguments[1]);
        let site = self.operation_site(i, fp);
        let result = self.name(i);
        let partial = self.slots.fresh_slots(1);
        for (n, &lane) in lanes.iter().enumerate() {
            let last = n + 1 == lanes.len();
            let word = if last {
                self.stand_behind(i);
                self.put(i)
            } else {
                NONE
            };
            let (args, result) = ([sum, lane, Operand::NOTHING], if last { result } else { partial });
            self.step(Step { detail: op as u32, result, args, word, site, ..step(Kind::Arith, fp) });
            sum = Operand::slot(partial);
        }
    }
}

/// The mask among an intrinsic's last arguments: a vector of i1.
fn mask_of(arguments: &[Value]) -> Value {
    let is_mask = |v: &&Value| v.ty().element_or_self().kind() == TypeKind::Integer(1);
    *arguments.iter().find(is_mask).expect("a masked intrinsic has a mask")
}
