//! Functions that step: to an integer, and remainders, whose quotient is one. Where the ideal is a step away, the program
//! has decided otherwise than it would have; that is reported there, and the shadow follows the program (see
//! `nonius_numerics::exact`). More than a step is an error of the argument, and goes on.

use super::{Emitter, Shadow, entry::MAX_LANES};
use crate::fp::{Family, FpType};
use crate::guard::{self, Guard};
use crate::llvm::{RealPredicate, Value};
use crate::sites::{self, Origin};
use nonius_abi::Precision;
use nonius_abi::hooks::id;
use nonius_abi::site::{Observed, Op};

/// Beyond this many divisors, a double that is the ideal of a float has not enough digits to tell what is left.
const MOST_TURNS: f64 = (1u64 << 34) as f64;

impl Emitter<'_> {
    /// `z` is `x`, rounded to an integer by `op`, as `evaluator` does.
    pub fn round_to_integer(&mut self, z: Value, fp: FpType, op: Op, evaluator: &str, x: Value) {
        if fp.precision == Precision::Quad {
            return self.lose(z, &format!("{evaluator} of quad"));
        }
        self.count_operation();
        self.origins.add(z, &[x]);
        let Shadow::Known(shadow) = self.shadow(x) else { return };
        if fp.lane_count() > MAX_LANES {
            return;
        }
        self.counts.checks += 1;
        let ideal = self.rounded_ideal(x, fp, shadow);
        let ideally = self.integer_of(ideal, op, evaluator);
        let differs = self.b.fcmp(RealPredicate::LLVMRealONE, ideally, z);
        let point = self.b.point();
        let head = point.block();
        let exact = self.exact(z, fp);
        let then = point.split_if(self.b.any(differs));
        self.b.before_with_loc_of(then, z);
        match guard::of(z, &self.originals) {
            None => self.tell_of_step(z, fp, op, x, shadow),
            Some(guard) => self.tell_where_it_counts(z, fp, op, [x, shadow, differs], guard),
        }
        let difference = self.b.fsub(ideally, z);
        let one = self.b.real(difference.ty(), 1.0);
        let decided = self.b.fcmp(RealPredicate::LLVMRealOEQ, self.b.fabs(difference), one);
        let difference = self.b.select(decided, difference.ty().zero(), difference);
        let after = match fp.family() {
            Family::Residue => self.restart_unless_finite(difference),
            Family::Wider => self.usable(self.b.fadd(exact, self.b.fpext(difference, exact.ty())), z, fp),
        };
        let end = then.block();
        self.b.before_with_loc_of(point, z);
        let merged = self.b.phi(exact.ty());
        merged.add_incoming(exact, head);
        merged.add_incoming(after, end);
        let merged = match op {
            Op::Logb => merged,
            // Beyond this, all numbers are integers.
            _ => {
                let integers = f64::exp2(f64::from(fp.precision.bits()) - 1.0);
                let is_same = self.b.fcmp(RealPredicate::LLVMRealOGE, self.b.fabs(x), self.b.real(x.ty(), integers));
                self.b.select(is_same, shadow, merged)
            }
        };
        self.shadows.set(z, 0, Shadow::Known(merged));
    }

    /// The same behind what says whether the step counts.
    fn tell_where_it_counts(&mut self, z: Value, fp: FpType, op: Op, of: [Value; 3], guard: Guard) {
        let joint = guard.joint;
        let tell = move |this: &mut Emitter<'_>| {
            let [x, shadow, differs] = of;
            let counts = this.b.and(differs, guard.is_open(&this.b));
            let point = this.b.point();
            let then = point.split_if(this.b.any(counts));
            this.b.before_with_loc_of(then, z);
            this.tell_of_step(z, fp, op, x, this.where_known(fp, [x, shadow], counts));
            this.b.before_with_loc_of(point, z);
        };
        self.later.entry(joint).or_default().push(Box::new(tell));
    }

    /// The shadow in these lanes; in others none.
    fn where_known(&self, fp: FpType, [x, shadow]: [Value; 2], lanes: Value) -> Value {
        self.b.select(lanes, shadow, self.exact(x, fp))
    }

    fn tell_of_step(&mut self, z: Value, fp: FpType, op: Op, x: Value, shadow: Value) {
        let (v, e) = self.as_doubles(x, fp, shadow);
        let buffer = self.begin_buffer();
        self.fill(&buffer, 0, v);
        self.fill(&buffer, 1, e);
        let [table, site, lanes] = self.decision(z, fp, op);
        let moved = self.moved_by_constants(x, fp).map(|moved| {
            self.fill(&buffer, 2, moved);
            self.array(&buffer, 2)
        });
        let moved = moved.unwrap_or(self.b.types.ptr().zero());
        let [values, residues] = [0, 1].map(|n| self.array(&buffer, n));
        self.call_cold(id::__nonius_cast, &[table, site, lanes, values, residues, moved]);
        self.end_buffer(buffer);
    }

    /// What the hooks of decisions begin with.
    fn decision(&mut self, z: Value, fp: FpType, op: Op) -> [Value; 3] {
        let origin = Origin::new(op, Some(z));
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Cast, z, self.index);
        let i32_type = self.b.types.i32();
        [self.tables.table(), i32_type.const_int(u64::from(site)), i32_type.const_int(u64::from(fp.lane_count()))]
    }

    /// The integer that `op` makes of each lane, as a float.
    fn integer_of(&self, x: Value, op: Op, evaluator: &str) -> Value {
        let fp = FpType::of(x.ty()).expect("a float");
        // One that raises no flag.
        let name = if evaluator == "rint" { "llvm.nearbyint".to_owned() } else { format!("llvm.{evaluator}") };
        match (op, fp.precision) {
            (Op::Logb, _) => self.exponent(x),
            (_, Precision::Bfloat) => {
                let float = self.b.fpext(x, fp.shaped(self.b.types.float()));
                self.b.fptrunc(self.b.intrinsic(&name, &[float.ty()], &[float]), x.ty())
            }
            _ => self.b.intrinsic(&name, &[x.ty()], &[x]),
        }
    }

    /// The exponent of each lane. Of a wider format that may be beyond the range of doubles: then nothing steps.
    fn exponent(&self, x: Value) -> Value {
        self.each_lane(x, |this, lane| {
            let double = this.b.types.double();
            let made = this.evaluator("__nonius_w_", "logb", double, &[this.to_double(lane)]);
            let native = lane.ty();
            match FpType::of(native).map(|fp| fp.precision) {
                Some(Precision::Double) => made,
                Some(Precision::X87 | Precision::Quad) => this.b.fpext(made, native),
                _ => this.b.fptrunc(made, native),
            }
        })
    }

    /// `z` is the remainder of `x` by `y` that `op` says.
    pub fn remainder(&mut self, z: Value, fp: FpType, op: Op, [x, y]: [Value; 2]) {
        if fp.precision == Precision::Quad {
            return self.lose(z, "remainder of quad");
        }
        self.count_operation();
        self.origins.add(z, &[x, y]);
        let shadows = [self.shadow(x), self.shadow(y)];
        if shadows == [Shadow::Exact; 2] || fp.lane_count() > MAX_LANES {
            return;
        }
        self.counts.checks += 1;
        let [e_x, e_y] = [(x, shadows[0]), (y, shadows[1])].map(|(v, s)| self.residue_in_shadow_type(v, fp, s));
        let wide = |v: Value| if v.ty() == e_x.ty() { v } else { self.b.fpext(v, e_x.ty()) };
        let [wide_x, wide_y, wide_z] = [x, y, z].map(wide);
        let by_divisor = match shadows[1] {
            Shadow::Exact => None,
            // The quotient, or its leading digits.
            Shadow::Known(_) => Some(self.b.fmul(self.b.fdiv(self.b.fsub(wide_x, wide_z), wide_y), e_y)),
        };
        let residue = by_divisor.map_or(e_x, |part| self.b.fsub(e_x, part));
        let residue = self.restart_unless_finite(residue);
        let point = self.b.point();
        let head = point.block();
        let beside = self.is_beside(fp, op, [wide_x, wide_y], self.b.fadd(wide_z, residue), residue);
        let then = point.split_if(self.b.any(beside));
        self.b.before_with_loc_of(then, z);
        let after = self.tell_of_remainder(z, fp, op, [x, y], [e_x, e_y, residue]);
        let end = then.block();
        self.b.before_with_loc_of(point, z);
        let merged = self.b.phi(residue.ty());
        merged.add_incoming(residue, head);
        merged.add_incoming(after, end);
        let shadow = match fp.family() {
            Family::Residue => merged,
            Family::Wider => self.usable(self.b.fadd(wide_z, merged), z, fp),
        };
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    /// `z` is what `modf` leaves of `x`: it has the error of that, beside the integer that the program got.
    pub fn fraction(&mut self, z: Value, fp: FpType, x: Value) {
        self.count_operation();
        self.origins.add(z, &[x]);
        let shadow = self.shadow(x);
        if shadow == Shadow::Exact {
            return;
        }
        let residue = self.residue_in_shadow_type(x, fp, shadow);
        let shadow = match fp.family() {
            Family::Residue => residue,
            Family::Wider => self.usable(self.b.fadd(self.b.fpext(z, residue.ty()), residue), z, fp),
        };
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    /// The residue of a value, in the type of its shadow.
    fn residue_in_shadow_type(&self, value: Value, fp: FpType, shadow: Shadow) -> Value {
        let known = self.materialize(value, fp, shadow);
        match (fp.family(), shadow) {
            (_, Shadow::Exact) => known.ty().zero(),
            (Family::Residue, _) => known,
            (Family::Wider, _) => self.b.fsub(known, self.b.fpext(value, known.ty())),
        }
    }

    /// The lanes whose ideal may not belong to the program's quotient, or is not known well enough to tell.
    fn is_beside(&self, fp: FpType, op: Op, [x, y]: [Value; 2], ideal: Value, residue: Value) -> Value {
        use RealPredicate::{LLVMRealOGT, LLVMRealOLT, LLVMRealONE};
        let [size, divisor, dividend] = [ideal, y, x].map(|v| self.b.fabs(v));
        // What rounding the ideals of dividend and divisor to their format may change, and more.
        let share = f64::exp2(3.0 - f64::from(fp.precision.bits()));
        let slack = self.b.fmul(dividend, self.b.real(dividend.ty(), share));
        let beside = match op {
            Op::Rem | Op::Modulo => {
                let x = if op == Op::Rem { x } else { y };
                let low = self.b.fcmp(LLVMRealOLT, self.b.fmul(self.sign(x), ideal), slack);
                self.b.or(low, self.b.fcmp(LLVMRealOGT, self.b.fadd(size, slack), divisor))
            }
            _ => self.b.fcmp(LLVMRealOGT, self.b.fadd(self.b.fadd(size, size), slack), divisor),
        };
        let beside = self.b.and(beside, self.b.fcmp(LLVMRealONE, residue, residue.ty().zero()));
        if fp.precision != Precision::Float {
            return beside;
        }
        let most = self.b.fmul(divisor, self.b.real(divisor.ty(), MOST_TURNS));
        self.b.or(beside, self.b.fcmp(LLVMRealOGT, dividend, most))
    }

    fn sign(&self, x: Value) -> Value {
        let one = self.b.real(x.ty(), 1.0);
        self.b.intrinsic("llvm.copysign", &[x.ty()], &[one, x])
    }

    /// How far constants that were rounded may move a dividend from its multiples of the divisor. A constant divisor is what
    /// it is.
    fn remainder_moved_by_constants(&self, z: Value, fp: FpType, [x, y]: [Value; 2]) -> Option<Value> {
        let by_dividend = self.moved_by_constants(x, fp);
        let by_divisor = self.moved_by_constants(y, fp).map(|moved| {
            let [x, y, z] = [x, y, z].map(|v| self.to_double(self.actual(v)));
            self.b.fmul(moved, self.b.fabs(self.b.fdiv(self.b.fsub(x, z), y)))
        });
        match (by_dividend, by_divisor) {
            (Some(a), Some(b)) => Some(self.b.fadd(a, b)),
            (one, other) => one.or(other),
        }
    }

    /// Returns the residues from there on.
    fn tell_of_remainder(&mut self, z: Value, fp: FpType, op: Op, operands: [Value; 2], residues: [Value; 3]) -> Value {
        let [e_x, e_y, residue] = residues;
        let buffer = self.begin_buffer();
        for (array, lanes) in [(0, operands[0]), (1, e_x), (2, operands[1]), (3, e_y)] {
            self.fill(&buffer, array, lanes);
        }
        let [table, site, lanes] = self.decision(z, fp, op);
        let moved = self.remainder_moved_by_constants(z, fp, operands).map(|moved| {
            self.fill(&buffer, 4, moved);
            self.array(&buffer, 4)
        });
        let moved = moved.unwrap_or(self.b.types.ptr().zero());
        let arrays = [0, 1, 2, 3].map(|n| self.array(&buffer, n));
        let (hook, ty) = self.tables.hook(id::__nonius_remainder);
        self.b.call(hook, ty, &[table, site, lanes, arrays[0], arrays[1], arrays[2], arrays[3], moved]);
        self.end_buffer(buffer);
        if matches!(fp.precision, Precision::X87 | Precision::Quad) {
            return residue;
        }
        let name = if op == Op::Remainder { "remainder" } else { "fmod" };
        let all = [operands[0], e_x, operands[1], e_y, z].map(|v| self.to_double(v));
        let mut made = residue;
        for lane in 0..fp.lane_count() {
            let arguments = all.map(|v| self.lane(v, fp, lane));
            let one = self.evaluator("__nonius_r_", name, self.b.types.double(), &arguments);
            let ty = residue.ty().element_or_self();
            let one = if one.ty() == ty { one } else { self.b.fptrunc(one, ty) };
            made = match fp.lanes {
                None => one,
                Some(_) => self.b.insert_element(made, one, self.b.types.i32().const_int(u64::from(lane))),
            };
        }
        made
    }
}
