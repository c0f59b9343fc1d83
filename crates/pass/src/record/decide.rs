//! Tests of floats whose outcome a machine may answer before the program goes on: abstract execution follows all ways that a
//! test can go, a process each.
//!
//! ```text
//! outcome = fcmp ..
//! if thread.EVENT_DECIDES: outcome = __nonius_decide(thread, record, header, step, outcome)
//! ```
//! The record is not closed for it: all words of the steps before are in memory, and that is all that the machine reads.

use super::meet::is_asked;
use super::{Recorder, step};
use crate::fp::FpType;
use crate::llvm::{IntPredicate, Opcode, RealPredicate, Value};
use crate::sites::{self, Origin};
use nonius_abi::code::{Kind, Operand, Step, TO_INTEGER};
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
        let outcome = match i.opcode() {
            _ if is_whole => i,
            Opcode::LLVMFPToSI => self.b.sext(i, i64_type),
            _ => self.b.zext(i, i64_type),
        };
        let header = self.b.add(self.header, i64_type.const_int(u64::from(index)));
        let step = self.b.types.i32().const_int(u64::from(number));
        let (hook, ty) = self.tables.hook(id::__nonius_decide);
        let answer = self.b.call(hook, ty, &[self.thread, at, header, step, outcome]);
        let answer = if is_whole { answer } else { self.b.trunc(answer, i.ty()) };
        let from = then.block();
        self.b.before(next);
        let decided = self.b.phi(i.ty());
        decided.add_incoming(i, block);
        decided.add_incoming(answer, from);
        users.into_iter().for_each(|user| user.replace_operand(i, decided));
        self.meetings.decided.insert(i, decided);
    }
}
