//! Conversions between formats, from integers and to integers.

use super::{Recorder, step};
use crate::fp::FpType;
use crate::llvm::{Kind as TypeKind, Opcode, Value};
use crate::sites::{self, Origin};
use nonius_abi::Precision;
use nonius_abi::code::{Kind, Operand, Step};
use nonius_abi::site::{Observed, Op};

impl Recorder<'_> {
    pub fn between_formats(&mut self, i: Value) {
        let (Some(from), Some(to)) = (FpType::of(i.operand(0).ty()), FpType::of(i.ty())) else { return };
        let args = self.arguments(&[i.operand(0)], from);
        let exotic = !matches!(from.precision, Precision::Float | Precision::Double);
        let word = self.word_unless_exact(i, to, exotic);
        let site = self.operation_site(i, to);
        let result = self.name(i);
        let detail = from.precision as u32;
        self.step(Step { detail, result, args, word, site, ..step(Kind::Convert, to) });
    }

    /// The integers are recorded, a word each: a wide one is rounded, and its ideal is itself.
    pub fn integer_to_float(&mut self, i: Value) {
        let Some(fp) = FpType::of(i.ty()) else { return };
        let x = i.operand(0);
        let TypeKind::Integer(bits) = x.ty().element_or_self().kind() else { return };
        if bits > 64 {
            return self.restart(i);
        }
        let signed = i.opcode() == Opcode::LLVMSIToFP;
        let wide = fp.shaped(self.b.types.i64());
        self.stand_behind(i);
        let x = match (bits, signed) {
            (64, _) => x,
            (_, true) => self.b.sext(x, wide),
            (_, false) => self.b.zext(x, wide),
        };
        let word = self.put(x);
        let site = self.operation_site(i, fp);
        let result = self.name(i);
        self.step(Step { detail: u32::from(!signed), result, word, site, ..step(Kind::FromInteger, fp) });
    }

    /// A check: would the ideal become the same integer?
    pub fn float_to_integer(&mut self, i: Value, x: Value, op: Op) {
        let Some(fp) = FpType::of(x.ty()) else { return };
        let args = self.arguments(&[x], fp);
        self.decides(i, fp, op, args);
        self.decide_conversion(i, fp, op, args);
    }

    /// The same for all operations that step; of a remainder, the operands follow it.
    pub fn decides(&mut self, i: Value, fp: FpType, op: Op, args: [Operand; 3]) {
        let origin = Origin::new(op, Some(i));
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Cast, i, function);
        let decided = Step { detail: op as u32, args, site, ..step(Kind::ToInteger, fp) };
        // Of remainders the check is the evaluation.
        if op.is_remainder() { self.step(decided) } else { self.decision(i, decided) }
    }
}
