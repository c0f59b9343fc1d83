//! Tests of floats whose outcome a machine may answer before the program goes on: abstract execution follows all ways that a
//! test can go, a process each.
//!
//! ```text
//! outcome = fcmp ..
//! if thread.EVENT_DECIDES: outcome = __nonius_decide(thread, record, header, step, outcome)
//! ```
//! The record is not closed for it: all words of the steps before are in memory, and that is all that the machine reads.

use super::meet::{is_asked, picks, rounds, saturates};
use super::{Recorder, step};
use crate::fp::FpType;
use crate::llvm::{IntPredicate, Kind as TypeKind, Opcode, RealPredicate, Value};
use crate::sites::{self, Origin};
use nonius_abi::code::{BITS, Kind, Operand, Step, TO_INTEGER};
use nonius_abi::hooks::id;
use nonius_abi::site::{Observed, Op};
use nonius_abi::thread::EVENT_DECIDES;

impl Recorder<'_> {
    pub fn decide_comparison(&mut self, i: Value, predicate: RealPredicate, x: Value, y: Value) {
        use RealPredicate::{LLVMRealORD, LLVMRealPredicateFalse, LLVMRealPredicateTrue, LLVMRealUNO};
        let trivial = matches!(predicate, LLVMRealORD | LLVMRealUNO | LLVMRealPredicateTrue | LLVMRealPredicateFalse);
        let Some(fp) = FpType::of(x.ty()).filter(|_| !trivial && x != y) else { return };
        let origin = Origin::new(Op::Compare, Some(i));
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Branch, i, function);
        let args = self.arguments(&[x, y], fp);
        if picks(i) {
            self.meetings.picking.insert(i, site);
        }
        self.decide(i, Step { detail: predicate as u32, args, site, ..step(Kind::Decide, fp) });
    }

    pub fn decide_conversion(&mut self, i: Value, fp: FpType, op: Op, args: [Operand; 3]) {
        if !op.converts() {
            return;
        }
        let origin = Origin::new(op, Some(i));
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Cast, i, function);
        self.decide(i, Step { detail: TO_INTEGER + op as u32, args, site, ..step(Kind::Decide, fp) });
    }

    /// A rounding function: its result is an integer that the machine may answer too. What stands for it from here on.
    pub fn decide_rounding(&mut self, i: Value, fp: FpType, op: Op, args: [Operand; 3]) -> Value {
        if !rounds(i) {
            return i;
        }
        let origin = Origin::new(op, Some(i));
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Cast, i, function);
        self.decide(i, Step { detail: TO_INTEGER + op as u32, args, site, ..step(Kind::Decide, fp) });
        let decided = self.meetings.decided.get(&i).copied().unwrap_or(i);
        self.rename(decided, i);
        decided
    }

    /// A whole number within what the result of `i` holds.
    fn saturated(&mut self, answer: Value, i: Value, is_signed: bool) -> Value {
        let TypeKind::Integer(bits) = i.ty().kind() else { return answer };
        let i64_type = self.b.types.i64();
        let (lo, hi) = match is_signed {
            true => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
            false => (0, ((1u128 << bits.min(63)) - 1) as i64),
        };
        let answer = self.b.intrinsic("llvm.smax", &[i64_type], &[answer, i64_type.const_int(lo as u64)]);
        self.b.intrinsic("llvm.smin", &[i64_type], &[answer, i64_type.const_int(hi as u64)])
    }

    /// A test of a float by its bits: it goes the program's way, and the machine says if it could go another.
    pub fn decide_by_bits(&mut self, i: Value, x: Value) {
        let Some(fp) = FpType::of(x.ty()) else { return };
        let origin = Origin::new(Op::Compare, Some(i));
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Branch, i, function);
        let args = self.arguments(&[x], fp);
        self.step(Step { detail: BITS, args, site, ..step(Kind::Decide, fp) });
    }

    /// The same, of its sign.
    pub fn decide_by_sign(&mut self, i: Value, x: Value) {
        let Some(fp) = FpType::of(x.ty()) else { return };
        let origin = Origin::named(Op::Sign, "signbit", i, RealPredicate::LLVMRealOLT);
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Branch, i, function);
        let args = self.arguments(&[x, x.ty().zero()], fp);
        self.step(Step { detail: RealPredicate::LLVMRealOLT as u32, args, site, ..step(Kind::Decide, fp) });
    }

    fn decide(&mut self, i: Value, step: Step) {
        self.step(step);
        // A vector goes one way: the program's.
        let Some(next) = i.next().filter(|_| is_asked(i)) else { return };
        let users = i.users();
        let (at, index, number) = self.open_record();
        self.b.before_with_loc_of(next, i);
        let i64_type = self.b.types.i64();
        let flag = self.b.load(i64_type, self.b.offset(self.thread, i64::from(EVENT_DECIDES)), 8);
        let asked = self.b.icmp(IntPredicate::LLVMIntNE, flag, i64_type.const_int(0));
        let block = next.block();
        let then = next.split_if(asked);
        self.b.before_with_loc_of(then, i);
        let is_whole = i.ty() == i64_type;
        let is_signed = i.is(Opcode::LLVMFPToSI) || saturates(i) == Some(true);
        let stays_float = rounds(i);
        let outcome = match is_signed {
            _ if is_whole => i,
            _ if stays_float => self.b.intrinsic("llvm.fptosi.sat", &[i64_type, i.ty()], &[i]),
            true => self.b.sext(i, i64_type),
            false => self.b.zext(i, i64_type),
        };
        let header = self.b.add(self.header, i64_type.const_int(u64::from(index)));
        let step = self.b.types.i32().const_int(u64::from(number));
        let (hook, ty) = self.tables.hook(id::__nonius_decide);
        let answer = self.b.call(hook, ty, &[self.thread, at, header, step, outcome]);
        let answer = if saturates(i).is_some() { self.saturated(answer, i, is_signed) } else { answer };
        let answer = match is_whole {
            true => answer,
            // What is no other integer stays as it is: a zero of any sign, what is too large, and what is none.
            false if stays_float => {
                let is_same = self.b.icmp(IntPredicate::LLVMIntEQ, answer, outcome);
                self.b.select(is_same, i, self.b.sitofp(answer, i.ty()))
            }
            false => self.b.trunc(answer, i.ty()),
        };
        let from = then.block();
        self.b.before(next);
        let decided = self.b.phi(i.ty());
        decided.add_incoming(i, block);
        decided.add_incoming(answer, from);
        users.into_iter().for_each(|user| user.replace_operand(i, decided));
        self.meetings.decided.insert(i, decided);
    }
}
