//! Operations that a machine re-does.

use super::{Recorder, step};
use crate::fp::FpType;
use crate::guard;
use crate::llvm::{Opcode, RealPredicate, Value};
use crate::lower::is_inner;
use crate::min_max;
use crate::sites::{self, Origin};
use nonius_abi::Precision;
use nonius_abi::code::{Arith, CHOICE, Kind, Operand, SIGN, Step};
use nonius_abi::site::{NONE, Observed, Op};

impl Recorder<'_> {
    pub fn arithmetic(&mut self, i: Value) {
        let op = match i.opcode() {
            Opcode::LLVMFAdd if self.intended.snaps.contains_key(&i) => Arith::SnapAdd,
            Opcode::LLVMFSub if self.intended.snaps.contains_key(&i) => Arith::SnapSub,
            Opcode::LLVMFAdd if self.intended.rounded.contains(&i) => Arith::IntendedAdd,
            Opcode::LLVMFSub if self.intended.rounded.contains(&i) => Arith::IntendedSub,
            Opcode::LLVMFMul if self.intended.rounded.contains(&i) => Arith::IntendedMul,
            Opcode::LLVMFDiv if self.intended.rounded.contains(&i) => Arith::IntendedDiv,
            Opcode::LLVMFAdd if self.intended.low.contains_key(&i) => Arith::LowAdd,
            Opcode::LLVMFSub if self.intended.low.contains_key(&i) => Arith::LowSub,
            Opcode::LLVMFAdd => Arith::Add,
            Opcode::LLVMFSub => Arith::Sub,
            Opcode::LLVMFMul => Arith::Mul,
            Opcode::LLVMFDiv => Arith::Div,
            Opcode::LLVMFRem => Arith::Rem,
            _ => Arith::Neg,
        };
        let mut operands = i.operands();
        if matches!(op, Arith::LowAdd | Arith::LowSub) {
            operands.push(self.intended.low[&i]);
        }
        self.apply(i, op, &operands);
        self.part_of_remainder(i, i);
    }

    /// A result that the program corrects, without the error of its last bits.
    pub fn seed(&mut self, i: Value) {
        let Some(fp) = FpType::of(i.ty()).filter(|_| i.is(Opcode::LLVMCall) && self.intended.seeds.contains(&i)) else {
            return;
        };
        let args = self.arguments(&[i], fp);
        let result = self.name(i);
        self.step(Step { detail: Arith::Seed as u32, result, args, ..step(Kind::Arith, fp) });
    }

    /// A value that the program has held against a bound of its error, without an error up to that.
    pub fn bounded(&mut self, i: Value) {
        let Some(&(value, bound)) = self.intended.bounded.get(&i) else { return };
        let Some(fp) = FpType::of(value.ty()) else { return };
        let args = self.arguments(&[value, bound], fp);
        let result = self.name(value);
        self.step(Step { detail: Arith::Bounded as u32, result, args, ..step(Kind::Arith, fp) });
    }

    /// `value`, which is part of what `taker` leaves of a whole, without an error that is nothing beside that. Returns
    /// what the value's lanes were.
    pub fn part_of_remainder(&mut self, value: Value, taker: Value) -> Option<Vec<Operand>> {
        let whole = self.intended.beside.get(&taker).copied().filter(|w| w.ty() == value.ty())?;
        let fp = FpType::of(value.ty())?;
        let before = self.operands(value);
        let args = self.arguments(&[value, whole], fp);
        let result = self.name(value);
        self.step(Step { detail: Arith::Beside as u32, result, args, ..step(Kind::Arith, fp) });
        Some(before)
    }

    /// `i` is `op` of `operands`.
    pub fn apply(&mut self, i: Value, op: Arith, operands: &[Value]) {
        let Some(fp) = FpType::of(i.ty()) else { return };
        let args = self.arguments(operands, fp);
        let word = self.word_unless_exact(i, fp, matches!(op, Arith::MinNum | Arith::MaxNum));
        let site = match op {
            Arith::Neg | Arith::Abs | Arith::CopySign => NONE,
            _ if self.intended.nonfinite.contains(&i) => NONE,
            _ => self.operation_site(i, fp),
        };
        let result = self.name(i);
        self.step(Step { detail: op as u32, result, args, word, site, ..step(Kind::Arith, fp) });
        let operands = [0, 1].map(|n| operands.get(n).copied());
        match (op, operands) {
            (Arith::Rem, _) => self.decides(i, fp, Op::Rem, args),
            (Arith::CopySign, [Some(x), Some(sign)]) => self.takes_sign(i, "copysign", sign, Some(x)),
            (Arith::MinNum | Arith::Minimum, [Some(x), Some(y)]) => self.chooses(i, "fmin", [x, y]),
            (Arith::MaxNum | Arith::Maximum, [Some(x), Some(y)]) => self.chooses(i, "fmax", [x, y]),
            _ => {}
        }
    }

    /// The lesser or the greater of two is taken (see `emit::compare`).
    fn chooses(&mut self, i: Value, name: &str, sides: [Value; 2]) {
        let predicate = if name == "fmin" { RealPredicate::LLVMRealOLT } else { RealPredicate::LLVMRealOGT };
        if !sides.iter().any(|side| *side == side.ty().zero()) {
            self.decide_by(i, Origin::named(Op::Choice, name, i, predicate), predicate as u32 | CHOICE, &sides);
        }
    }

    /// The sign of a value is asked for, or given to another.
    pub fn takes_sign(&mut self, i: Value, name: &str, sign: Value, given_to: Option<Value>) {
        let less = RealPredicate::LLVMRealOLT;
        let origin = Origin::named(Op::Sign, name, i, less);
        let sides = [sign, sign.ty().zero()];
        match given_to {
            Some(x) => self.decide_by(i, origin, less as u32 | SIGN, &[sides[0], sides[1], x]),
            None => self.decide_by(i, origin, less as u32, &sides),
        }
    }

    fn decide_by(&mut self, i: Value, origin: Origin, detail: u32, operands: &[Value]) {
        let Some(fp) = FpType::of(operands[0].ty()) else { return };
        let args = self.arguments(operands, fp);
        let (sites, function) = (&mut self.tables.sites, self.site_function);
        let site = sites::site(sites, &origin, fp.precision, Observed::Branch, i, function);
        self.decision(i, Step { detail, args, site, ..step(Kind::Compare, fp) });
    }

    /// Up to three float operands, lanes together.
    pub fn arguments(&mut self, operands: &[Value], fp: FpType) -> [Operand; 3] {
        let mut args = [Operand::NOTHING; 3];
        for (arg, &operand) in args.iter_mut().zip(operands) {
            let lanes = self.operands(operand);
            *arg = self.together(&lanes, fp);
        }
        args
    }

    /// Records the value of an operation that a machine cannot re-do to the bit. Inside a fast-math
    /// chain nothing is recorded: another use would keep the code generator from fusing as it would.
    pub fn word_unless_exact(&mut self, i: Value, fp: FpType, inexact: bool) -> u32 {
        let exact = matches!(fp.precision, Precision::Float | Precision::Double) && !i.has_fast_math() && !inexact;
        if exact {
            return NONE;
        }
        if is_inner(i) {
            self.inside_chains.insert(i);
            return NONE;
        }
        self.stand_behind(i);
        self.put(i)
    }

    /// `i` is the outcome of comparing `x` with `y`.
    pub fn compare(&mut self, i: Value, predicate: RealPredicate, x: Value, y: Value) {
        self.check_comparison(i, predicate, x, y);
        self.decide_comparison(i, predicate, x, y);
    }

    fn check_comparison(&mut self, i: Value, predicate: RealPredicate, x: Value, y: Value) {
        use RealPredicate::{LLVMRealORD, LLVMRealPredicateFalse, LLVMRealPredicateTrue, LLVMRealUNO};
        let trivial = matches!(predicate, LLVMRealORD | LLVMRealUNO | LLVMRealPredicateTrue | LLVMRealPredicateFalse);
        if trivial || x == y || self.min_max.contains(&i) || min_max::is_select(i, x, y) {
            return;
        }
        self.decide_by(i, Origin::new(Op::Compare, Some(i)), predicate as u32, &[x, y]);
    }

    /// A decision of `i`, which is looked at where it counts.
    pub fn decision(&mut self, i: Value, step: Step) {
        match guard::of(i, &self.originals) {
            Some(guard) => self.guarded.entry(guard.joint).or_default().push((step, guard)),
            None => self.step(step),
        }
    }

    /// Decisions of which it is known at `i` whether they count.
    pub fn joined(&mut self, i: Value) {
        for (step, guard) in self.guarded.remove(&i).unwrap_or_default() {
            self.b.before(i);
            let mask = self.b.lane_mask(guard.is_open(&self.b));
            let place = self.put(mask);
            self.step(Step { place, ..step });
        }
    }
}
