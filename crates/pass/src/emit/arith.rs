//! The residue of each arithmetic operation (design, section 5; RePo, section 3).
//!
//! `mu` is the operation's own rounding error: exact by error-free transformation for sums and
//! products, the rounded remainder for quotients and roots. Wide ideals just repeat the operation
//! in the wider format. A residue that is no number while the value is one (an infinite or zero
//! divisor) restarts at 0. The root of an ideal below zero is all error, and of a 0 nobody knows.

use super::radius::NOISE_BITS;
use super::{Emitter, Shadow};
use crate::fp::{Family, FpType};
use crate::llvm::{Opcode, RealPredicate, Value};
use nonius_abi::Precision;
use nonius_abi::code::{beside_two_words, few_last_bits};
use nonius_abi::hooks::doubt;
use nonius_abi::site::Op;

impl Emitter<'_> {
    pub fn visit_arithmetic(&mut self, i: Value) {
        let Some(fp) = FpType::of(i.ty()) else { return };
        let operands = i.operands();
        self.arithmetic(i, fp, i.opcode(), &operands);
    }

    /// The shadow of `z`, the result of `opcode` on `operands`.
    pub fn arithmetic(&mut self, z: Value, fp: FpType, opcode: Opcode, operands: &[Value]) {
        if opcode == Opcode::LLVMFRem {
            return self.remainder(z, fp, Op::Rem, [operands[0], operands[1]]);
        }
        self.count_operation();
        let shadows: Vec<Shadow> = operands.iter().map(|&o| self.shadow(o)).collect();
        let redone = self.recompute(z, opcode, operands);
        let actual: Vec<Value> = operands.iter().map(|&o| self.actual(o)).collect();
        let shadow = match fp.family() {
            _ if self.intended.snaps.contains_key(&z) => self.snapped(z, fp, opcode, &actual, &shadows),
            _ if self.intended.rounded.contains(&z) => self.inherited(z, fp, opcode, &actual, &shadows),
            Family::Residue => self.residue(redone, fp, opcode, &actual, &shadows),
            Family::Wider => self.wide(redone, fp, opcode, &actual, &shadows),
        };
        match opcode {
            Opcode::LLVMFNeg => self.origins.copy(z, operands[0]),
            _ if self.intended.nonfinite.contains(&z) => {}
            _ => self.origins.add(z, operands),
        }
        let shadow = match shadow {
            _ if self.intended.steps.contains_key(&z) => Shadow::Known(self.low_word_of_steps(z, fp)),
            Shadow::Known(shadow) if self.intended.low.contains_key(&z) => {
                Shadow::Known(self.low_word(z, fp, shadow, &shadows))
            }
            Shadow::Known(shadow) => Shadow::Known(self.rebase(z, redone, fp, shadow)),
            Shadow::Exact => Shadow::Exact,
        };
        let whole = self.intended.beside.get(&z).copied();
        self.shadows.set(z, 0, self.beside(z, fp, shadow, whole));
    }

    /// A call of a function whose result the program corrects (see `intended`).
    pub fn visit_seed(&mut self, z: Value) {
        let after = z.next().expect("a call is no terminator");
        self.visit_call(z);
        let fp = FpType::of(z.ty()).expect("a float");
        self.b.before_with_loc_of(after, z);
        let shadow = self.within(z, fp, self.shadow(z), z, few_last_bits(fp.precision));
        self.shadows.set(z, 0, shadow);
    }

    /// A value that the program has held against a bound of its error (see `intended`), before `next`.
    pub fn bounded(&mut self, i: Value, next: Option<Value>) {
        let (Some(&(value, bound)), Some(next)) = (self.intended.bounded.get(&i), next) else { return };
        let Some(fp) = FpType::of(value.ty()) else { return };
        self.b.before_with_loc_of(next, i);
        let shadow = self.within(value, fp, self.shadow(value), bound, 1.0);
        self.shadows.set(value, 0, shadow);
    }

    /// The shadow of a part of what is left of `whole`: an error that is nothing beside that is none (see `intended`).
    pub fn beside(&self, z: Value, fp: FpType, shadow: Shadow, whole: Option<Value>) -> Shadow {
        let Some(whole) = whole else { return shadow };
        self.within(z, fp, shadow, whole, beside_two_words(fp.precision))
    }

    /// The shadow of `z` without an error that is at most this share of `whole`.
    fn within(&self, z: Value, fp: FpType, shadow: Shadow, whole: Value, share: f64) -> Shadow {
        let Shadow::Known(known) = shadow else { return shadow };
        let (error, none, whole) = match fp.family() {
            Family::Residue => (known, known.ty().zero(), whole),
            Family::Wider => {
                let [z, whole] = [z, whole].map(|v| self.b.fpext(v, known.ty()));
                (self.b.fsub(known, z), z, whole)
            }
        };
        let share = self.b.real(known.ty(), share);
        let most = self.b.fmul(self.b.fabs(whole), share);
        let is_nothing = self.b.fcmp(RealPredicate::LLVMRealOLE, self.b.fabs(error), most);
        Shadow::Known(self.b.select(is_nothing, none, known))
    }

    fn wide(&self, z: Value, fp: FpType, opcode: Opcode, operands: &[Value], shadows: &[Shadow]) -> Shadow {
        let wide: Vec<Value> = operands.iter().zip(shadows).map(|(&v, &s)| self.materialize(v, fp, s)).collect();
        Shadow::Known(match opcode {
            Opcode::LLVMFAdd => self.b.fadd(wide[0], wide[1]),
            Opcode::LLVMFSub => self.b.fsub(wide[0], wide[1]),
            Opcode::LLVMFMul => self.b.fmul(wide[0], wide[1]),
            Opcode::LLVMFNeg => self.b.fneg(wide[0]),
            _ => {
                let quotient = self.b.fdiv(wide[0], wide[1]);
                let restart = self.b.fpext(z, quotient.ty());
                let usable = self.b.and(self.is_finite(quotient), self.is_finite(operands[1]));
                self.b.select(usable, quotient, restart)
            }
        })
    }

    fn residue(&self, z: Value, fp: FpType, opcode: Opcode, operands: &[Value], e: &[Shadow]) -> Shadow {
        Shadow::Known(match opcode {
            Opcode::LLVMFAdd => {
                let mu = self.sum_error(operands[0], operands[1], z);
                self.plus(self.plus(mu, e[0]), e[1])
            }
            Opcode::LLVMFSub => {
                let mu = self.difference_error(operands[0], operands[1], z);
                self.minus(self.plus(mu, e[0]), e[1])
            }
            Opcode::LLVMFMul => {
                let mu = self.product_error(fp, operands[0], operands[1], z);
                self.product_residue(fp, mu, operands, e)
            }
            Opcode::LLVMFNeg => match e[0] {
                Shadow::Exact => return Shadow::Exact,
                Shadow::Known(e) => self.b.fneg(e),
            },
            _ => self.quotient_residue(fp, z, operands, e),
        })
    }

    /// Only what the operands bring along: z is rounded on purpose (see `intended`).
    fn inherited(&self, z: Value, fp: FpType, opcode: Opcode, operands: &[Value], shadows: &[Shadow]) -> Shadow {
        if shadows == [Shadow::Exact; 2] {
            return Shadow::Exact;
        }
        let errors = match fp.family() {
            Family::Residue => shadows.to_vec(),
            Family::Wider => {
                let error = |(&v, &s): (&Value, &Shadow)| match s {
                    Shadow::Known(ideal) => Shadow::Known(self.b.fsub(ideal, self.b.fpext(v, ideal.ty()))),
                    Shadow::Exact => Shadow::Exact,
                };
                operands.iter().zip(shadows).map(error).collect()
            }
        };
        let ty = fp.shadow(self.b.types);
        let error = match opcode {
            Opcode::LLVMFAdd => self.plus(self.plus(ty.zero(), errors[0]), errors[1]),
            Opcode::LLVMFSub => self.minus(self.plus(ty.zero(), errors[0]), errors[1]),
            _ => {
                let z = if fp.family() == Family::Wider { self.b.fpext(z, ty) } else { z };
                let factors: Vec<Value> = match fp.family() {
                    Family::Residue => operands.to_vec(),
                    Family::Wider => operands.iter().map(|&v| self.b.fpext(v, ty)).collect(),
                };
                match opcode {
                    Opcode::LLVMFMul => self.product_residue(fp, ty.zero(), &factors, &errors),
                    _ => self.quotient_error(fp, z, factors[1], ty.zero(), &errors),
                }
            }
        };
        Shadow::Known(match fp.family() {
            Family::Residue => error,
            Family::Wider => self.b.fadd(self.b.fpext(z, ty), error),
        })
    }

    /// A low word of a sum: what its steps round away is its error.
    fn low_word_of_steps(&self, z: Value, fp: FpType) -> Value {
        let wide = fp.shadow(self.b.types);
        let mut errors: Vec<Value> = Vec::new();
        for step in &self.intended.steps[&z] {
            let [x, y] = [0, 1].map(|i| self.actual(step.operation.operand(i)));
            let made = self.actual(step.operation);
            let is_sum = step.operation.is(Opcode::LLVMFAdd);
            let own = match fp.family() {
                Family::Residue if is_sum => self.sum_error(x, y, made),
                Family::Residue => self.difference_error(x, y, made),
                Family::Wider => {
                    let [x, y, made] = [x, y, made].map(|v| self.b.fpext(v, wide));
                    self.b.fsub(if is_sum { self.b.fadd(x, y) } else { self.b.fsub(x, y) }, made)
                }
            };
            errors.push(step.of.iter().fold(own, |error, &(earlier, sign)| match sign {
                1 => self.b.fadd(error, errors[earlier]),
                _ => self.b.fsub(error, errors[earlier]),
            }));
        }
        let error = *errors.last().expect("its own");
        match fp.family() {
            Family::Residue => error,
            Family::Wider => self.b.fadd(self.b.fpext(z, wide), error),
        }
    }

    /// The error of a low word: none, if no more is left of those it is made of than shadows round away.
    fn low_word(&self, z: Value, fp: FpType, shadow: Value, operands: &[Shadow]) -> Value {
        let shadow_bits = FpType::of(shadow.ty()).expect("a float").precision.bits() as i32;
        let noise = self.b.real(shadow.ty(), 2f64.powi(NOISE_BITS - shadow_bits));
        let whole = self.shadow(self.intended.low[&z]);
        let errors = operands.iter().chain([&whole]);
        let scale = errors.fold(shadow.ty().zero(), |most, &operand| match operand {
            // Shadows of locals may be doubles where those in memory are floats.
            Shadow::Known(e) => self.larger(most, self.b.fabs(self.in_format_of(e, shadow))),
            Shadow::Exact => most,
        });
        let (error, none) = self.error_and_none(z, fp, shadow);
        let is_noise = self.b.fcmp(RealPredicate::LLVMRealOLE, self.b.fabs(error), self.b.fmul(scale, noise));
        self.b.select(is_noise, none, shadow)
    }

    /// A shadow in the format of another.
    fn in_format_of(&self, shadow: Value, other: Value) -> Value {
        let bits = |v: Value| FpType::of(v.ty()).map_or(0, |fp| fp.precision.bits());
        match bits(shadow).cmp(&bits(other)) {
            std::cmp::Ordering::Less => self.b.fpext(shadow, other.ty()),
            std::cmp::Ordering::Equal => shadow,
            std::cmp::Ordering::Greater => self.b.fptrunc(shadow, other.ty()),
        }
    }

    /// x + y - z for z = fl(x + y), exactly (Knuth).
    pub fn sum_error(&self, x: Value, y: Value, z: Value) -> Value {
        let y_part = self.b.fsub(z, x);
        let x_part = self.b.fsub(z, y_part);
        self.b.fadd(self.b.fsub(x, x_part), self.b.fsub(y, y_part))
    }

    /// x - y - z for z = fl(x - y), exactly.
    pub fn difference_error(&self, x: Value, y: Value, z: Value) -> Value {
        let y_part = self.b.fsub(x, z);
        let x_part = self.b.fadd(z, y_part);
        self.b.fsub(self.b.fsub(x, x_part), self.b.fsub(y, y_part))
    }

    /// A sum with a constant that rounds to a step (see `intended`): an error below half of that is none.
    fn snapped(&self, z: Value, fp: FpType, opcode: Opcode, operands: &[Value], shadows: &[Shadow]) -> Shadow {
        match self.inherited(z, fp, opcode, operands, shadows) {
            Shadow::Known(shadow) => Shadow::Known(self.whole_steps(z, fp, shadow)),
            Shadow::Exact => Shadow::Exact,
        }
    }

    fn whole_steps(&self, z: Value, fp: FpType, shadow: Value) -> Value {
        let half = self.b.real(shadow.ty(), self.intended.snaps[&z]);
        let (error, none) = self.error_and_none(z, fp, shadow);
        let is_small = self.b.fcmp(RealPredicate::LLVMRealOLT, self.b.fabs(error), half);
        self.b.select(is_small, none, shadow)
    }

    /// The error in a shadow of `z`, and the shadow that has none.
    fn error_and_none(&self, z: Value, fp: FpType, shadow: Value) -> (Value, Value) {
        match fp.family() {
            Family::Residue => (shadow, shadow.ty().zero()),
            Family::Wider => {
                let wide = self.b.fpext(z, shadow.ty());
                (self.b.fsub(shadow, wide), wide)
            }
        }
    }

    /// x * y - z for z = fl(x * y), exactly.
    pub fn product_error(&self, fp: FpType, x: Value, y: Value, z: Value) -> Value {
        if fp.precision == Precision::Quad {
            return self.split_product_error(x, y, z);
        }
        self.b.fma(x, y, self.b.fneg(z))
    }

    /// The same without a fused operation (Dekker): both factors cut into halves.
    fn split_product_error(&self, x: Value, y: Value, z: Value) -> Value {
        let cut = |v: Value| {
            let c = self.b.fmul(v, self.b.real(v.ty(), (1u64 << 57) as f64 + 1.0));
            let high = self.b.fsub(c, self.b.fsub(c, v));
            (high, self.b.fsub(v, high))
        };
        let ((xh, xl), (yh, yl)) = (cut(x), cut(y));
        let e = self.b.fsub(self.b.fmul(xh, yh), z);
        let e = self.b.fadd(e, self.b.fmul(xh, yl));
        let e = self.b.fadd(e, self.b.fmul(xl, yh));
        self.b.fadd(e, self.b.fmul(xl, yl))
    }

    /// mu + x e_y + (y + e_y) e_x.
    pub fn product_residue(&self, fp: FpType, mu: Value, operands: &[Value], e: &[Shadow]) -> Value {
        let mut sum = mu;
        if let Shadow::Known(ey) = e[1] {
            sum = self.multiply_add(fp, operands[0], ey, sum);
        }
        if let Shadow::Known(ex) = e[0] {
            let ideal_y = self.plus(operands[1], e[1]);
            sum = self.multiply_add(fp, ideal_y, ex, sum);
        }
        sum
    }

    fn multiply_add(&self, fp: FpType, x: Value, y: Value, c: Value) -> Value {
        match fp.precision {
            Precision::Quad => self.b.fadd(self.b.fmul(x, y), c),
            _ => self.b.fma(x, y, c),
        }
    }

    /// (x - z y + e_x - z e_y) / (y + e_y).
    fn quotient_residue(&self, fp: FpType, z: Value, operands: &[Value], e: &[Shadow]) -> Value {
        let (x, y) = (operands[0], operands[1]);
        let remainder = match fp.precision {
            Precision::Quad => {
                let product = self.b.fmul(z, y);
                let error = self.split_product_error(z, y, product);
                self.b.fsub(self.b.fsub(x, product), error)
            }
            _ => self.b.fma(self.b.fneg(z), y, x),
        };
        self.quotient_error(fp, z, y, remainder, e)
    }

    /// What a remainder and the operands' errors make of a quotient.
    fn quotient_error(&self, fp: FpType, z: Value, y: Value, remainder: Value, e: &[Shadow]) -> Value {
        let mut numerator = self.plus(remainder, e[0]);
        if let Shadow::Known(ey) = e[1] {
            numerator = self.multiply_add(fp, self.b.fneg(z), ey, numerator);
        }
        self.restart_unless_finite(self.b.fdiv(numerator, self.plus(y, e[1])))
    }

    /// (x - z^2 + e_x) / (z + sqrt(x + e_x)), or the wide root.
    pub fn sqrt(&mut self, z: Value, fp: FpType, x: Value) {
        self.count_operation();
        self.origins.add(z, &[x]);
        let e = self.shadow(x);
        let is_intended = self.intended.rounded.contains(&z);
        if is_intended && e == Shadow::Exact {
            return self.shadows.set(z, 0, Shadow::Exact);
        }
        let shadow = match fp.family() {
            Family::Wider if is_intended => {
                let wide = |v: Value| self.b.fpext(v, fp.shadow(self.b.types));
                let [root, own] = [self.materialize(x, fp, e), wide(x)].map(|v| self.root(fp, v));
                let error = self.restart_unless_finite(self.b.fsub(root, own));
                self.b.fadd(wide(z), error)
            }
            Family::Wider => {
                let root = self.root(fp, self.materialize(x, fp, e));
                // Without a root of the ideal operand: of a 0 it is said that its ideal is not known.
                let restart = self.b.fpext(z, root.ty());
                let restart = self.b.fadd(restart, self.b.real(root.ty(), doubt(fp.precision)));
                self.b.select(self.is_finite(root), root, restart)
            }
            Family::Residue => {
                let square_error = match fp.precision {
                    _ if is_intended => z.ty().zero(),
                    Precision::Quad => {
                        let square = self.b.fmul(z, z);
                        let error = self.split_product_error(z, z, square);
                        self.b.fsub(self.b.fsub(x, square), error)
                    }
                    _ => self.b.fma(self.b.fneg(z), z, x),
                };
                let quotient = |root: Value| self.b.fdiv(self.plus(square_error, e), self.b.fadd(z, root));
                let residue = match e {
                    Shadow::Exact => quotient(z),
                    Shadow::Known(_) => {
                        let ideal = self.plus(x, e);
                        // It has no root: what there is is all error, and of a 0 nobody knows.
                        let none = self.b.fsub(self.b.real(z.ty(), doubt(fp.precision)), z);
                        let is_negative = self.b.fcmp(RealPredicate::LLVMRealOLT, ideal, ideal.ty().zero());
                        self.b.select(is_negative, none, quotient(self.root(fp, ideal)))
                    }
                };
                self.restart_unless_finite(residue)
            }
        };
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    fn root(&self, fp: FpType, x: Value) -> Value {
        match fp.precision {
            Precision::X87 | Precision::Quad => self.each_lane(x, |e, lane| e.quad_evaluator("sqrt", &[lane])),
            _ => self.b.intrinsic("llvm.sqrt", &[x.ty()], &[x]),
        }
    }

    /// z = x y + c in one rounding: the product's error, the sum's error and what is left.
    pub fn fused(&mut self, z: Value, fp: FpType, operands: &[Value]) {
        self.count_operation();
        self.origins.add(z, operands);
        let e: Vec<Shadow> = operands.iter().map(|&o| self.shadow(o)).collect();
        let redone = self.recompute(z, Opcode::LLVMCall, operands);
        let operands: Vec<Value> = operands.iter().map(|&o| self.actual(o)).collect();
        let (x, y, c) = (operands[0], operands[1], operands[2]);
        let snaps = self.intended.snaps.contains_key(&z);
        let shadow = match fp.family() {
            Family::Wider => {
                let [x, y, c] = [0, 1, 2].map(|i| self.materialize(operands[i], fp, e[i]));
                let ideal = self.b.fadd(self.b.fmul(x, y), c);
                if snaps { self.forgiven(z, ideal, &operands) } else { ideal }
            }
            Family::Residue if snaps => self.plus(self.product_residue(fp, z.ty().zero(), &operands, &e), e[2]),
            Family::Residue => {
                let product = self.b.fmul(x, y);
                let product_error = self.product_error(fp, x, y, product);
                let sum = self.b.fadd(product, c);
                let sum_error = self.sum_error(product, c, sum);
                let mu = self.b.fadd(self.b.fsub(sum, redone), self.b.fadd(sum_error, product_error));
                let residue = self.plus(self.product_residue(fp, mu, &operands, &e), e[2]);
                self.rebase(z, redone, fp, residue)
            }
        };
        let shadow = match () {
            () if snaps => self.whole_steps(z, fp, shadow),
            () if self.intended.low.contains_key(&z) => self.low_word(z, fp, shadow, &e),
            () => shadow,
        };
        self.shadows.set(z, 0, Shadow::Known(shadow));
    }

    /// A wide ideal of x y + c without the operation's own rounding.
    fn forgiven(&self, z: Value, ideal: Value, operands: &[Value]) -> Value {
        let [x, y, c] = [0, 1, 2].map(|i| self.b.fpext(operands[i], ideal.ty()));
        let error = self.b.fsub(ideal, self.b.fadd(self.b.fmul(x, y), c));
        self.b.fadd(self.b.fpext(z, ideal.ty()), error)
    }

    pub fn plus(&self, a: Value, e: Shadow) -> Value {
        match e {
            Shadow::Exact => a,
            Shadow::Known(e) => self.b.fadd(a, e),
        }
    }

    fn minus(&self, a: Value, e: Shadow) -> Value {
        match e {
            Shadow::Exact => a,
            Shadow::Known(e) => self.b.fsub(a, e),
        }
    }

    /// Neither infinite nor NaN, lane by lane.
    pub fn is_finite(&self, v: Value) -> Value {
        self.b.fcmp(RealPredicate::LLVMRealORD, self.b.fsub(v, v), v.ty().zero())
    }

    pub fn restart_unless_finite(&self, e: Value) -> Value {
        self.b.select(self.is_finite(e), e, e.ty().zero())
    }
}
