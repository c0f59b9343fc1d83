//! How much the inline engine does not know of an ideal.
//!
//! A residue is one float. Where values and residues cancel, what is left of the residues is their own rounding (noise), or
//! nothing; what they held beyond their last digit may have been all of the ideal. So a value of 0 whose residue is as small
//! as that may be right or wholly wrong: its verdict is open, and an oracle with more digits is to be asked.
//!
//! Where such a zero is first seen, the sum that made it is at hand. From there on its residue is `DOUBT`, too small to change
//! anything that it is added to, which says so to whoever sees the zero next.
//!
//! All this is computed on the cold path of a check, which zeros of such sums take.

use super::made::Made;
use super::{Emitter, Shadow};
use crate::fp::{Family, FpType};
use crate::llvm::{Block, Opcode, RealPredicate, Type, Value};
use crate::{locals, sites};
use nonius_abi::Precision;
use nonius_abi::hooks::most_doubt;

/// Bits of headroom above the shadow arithmetic's own rounding, below which an ideal that was
/// subtracted from something larger is indistinguishable from zero.
pub const NOISE_BITS: i32 = 5;

/// The same above two formats' digits, for values that cancel to 0: the residues of what they were computed from have
/// cancelled too, at places that are out of sight.
const ZERO_BITS: i32 = 16;
/// The same above a wide ideal's digits: there are none to spare, and the functions are good to the last.
const WIDE_ZERO_BITS: i32 = 10;

/// The same from a sum's operands back to what they were computed from.
const UNKNOWN_DEPTH: u32 = 2;

/// Sums within a sum that are looked at for zeros that were lost.
pub const SUMS: u32 = 2;

/// Operations between a zero and the sum that made it, at most, that are looked through.
pub const DEPTH: u32 = 4;

impl Emitter<'_> {
    /// The radius of the ideal around value and residue, lane by lane; 0 if nothing is known of it. Floats where residues
    /// are floats, doubles else.
    pub fn radius(&self, value: Value, fp: FpType, depth: u32) -> Value {
        let noise = self.noise(value, fp);
        // Close by, the residues of a sum's operands have to do, and what its own says.
        if depth == 1 && noise != noise.ty().zero() {
            return self.larger(noise, self.doubt_of_zero(value, fp));
        }
        self.larger(noise, self.radius_of_zero(value, fp, depth))
    }

    /// Whether a zero of this value may be one of a sum whose operands' residues cancelled.
    pub fn may_be_cancelled(&self, value: Value, fp: FpType, depth: u32) -> bool {
        let value = self.through_local(value);
        if depth == 0 || FpType::of(value.ty()) != Some(fp) {
            return false;
        }
        let is_inexact = |operand| self.shadow(operand) != Shadow::Exact && !self.is_exact_residue(operand);
        if self.radii.contains_key(&value) {
            return true;
        }
        match Made::by(value) {
            Made::Sum(operands) if depth == 1 => operands.into_iter().all(is_inexact),
            Made::Sum(operands) => operands.into_iter().any(is_inexact),
            Made::Product(operands) => operands.into_iter().any(|o| self.may_be_cancelled(o, fp, depth - 1)),
            Made::Quotient(x, _) | Made::Negated(x) | Made::Magnitude(x) | Made::Root(x) => {
                self.may_be_cancelled(x, fp, depth - 1)
            }
            Made::Function(name, x) if is_zero_beside(name) => is_inexact(x),
            Made::Function(_, x) => self.may_be_cancelled(x, fp, depth - 1),
            Made::Converted(x, from) => self.may_be_cancelled(x, from, depth - 1),
            Made::Choice(_, arms) => arms.into_iter().any(|o| self.may_be_cancelled(o, fp, depth - 1)),
            Made::Fused(_) | Made::Power(..) | Made::Otherwise => false,
        }
    }

    /// Where ways of a function meet, the sums that made a zero are at hand on the ways alone: computes there what is not
    /// known of them. Not for loops, where that would cost something.
    pub fn meet(&mut self, value: Value, fp: FpType) {
        let phi = match Made::by(self.through_local(value)) {
            Made::Converted(x, from) => return self.meet(x, from),
            Made::Negated(x) | Made::Magnitude(x) => return self.meet(x, fp),
            _ => self.through_local(value),
        };
        if !phi.is(Opcode::LLVMPHI) || self.shadows.is_in_loop() || self.shadows.is_loop_phi(phi) {
            return;
        }
        let Some(ways) = self.shadows.incoming.get(&phi).cloned().filter(|_| !self.radii.contains_key(&phi)) else {
            return;
        };
        let point = self.b.point();
        let zero = self.radius_type(fp).zero();
        let blocks: Vec<Block> = phi.phi_incoming().into_iter().map(|(_, block)| block).collect();
        let mut radii: Vec<Value> = Vec::new();
        for (n, (value, from)) in ways.into_iter().enumerate() {
            // A switch may come from one block by several ways, with one value.
            radii.push(match blocks[..n].iter().position(|block| *block == blocks[n]) {
                Some(same) => radii[same],
                None => self.radius_on_way(value, fp, from, blocks[n]).unwrap_or(zero),
            });
        }
        if radii.iter().any(|&radius| radius != zero) {
            self.b.before(phi);
            let met = self.b.phi(zero.ty());
            radii.into_iter().zip(blocks).for_each(|(radius, block)| met.add_incoming(radius, block));
            self.radii.insert(phi, met);
        }
        self.b.before_with_loc_of(point, point);
    }

    /// The radius of a zero at the end of a block, of which `from` is the number before it was split.
    fn radius_on_way(&mut self, value: Value, fp: FpType, from: Option<usize>, block: Block) -> Option<Value> {
        let (from, end) = (from?, block.terminator().filter(|end| end.is(Opcode::LLVMBr))?);
        let here = self.shadows.enter(from);
        let radius = self.may_be_cancelled(value, fp, DEPTH - 1).then(|| {
            self.b.before(end);
            self.radius_of_zero(value, fp, DEPTH - 1)
        });
        self.shadows.enter(here);
        radius
    }

    /// The lanes of a sum that has an operand of 0 whose ideal may not be known, or a sum among its operands that has.
    pub fn lost_operand(&self, sum: Value, fp: FpType, depth: u32) -> Option<Value> {
        let Made::Sum(operands) = Made::by(sum) else { return None };
        let lanes = operands.into_iter().map(|o| self.through_local(o)).flat_map(|o| {
            let is_lost = self.may_be_cancelled(o, fp, DEPTH - 1);
            let zero = is_lost.then(|| self.b.fcmp(RealPredicate::LLVMRealOEQ, self.actual(o), o.ty().zero()));
            let below = if depth > 0 { self.lost_operand(o, fp, depth - 1) } else { None };
            [zero, below]
        });
        lanes.flatten().reduce(|a, b| self.b.or(a, b))
    }

    /// What is not known of a sum because an operand is 0, and not known.
    pub fn radius_by_operands(&self, sum: Value, fp: FpType, depth: u32) -> Value {
        self.of_operands([sum.operand(0), sum.operand(1)], |o| {
            let o = self.through_local(o);
            let own = self.radius_of_zero(o, fp, DEPTH - 1);
            match Made::by(o) {
                Made::Sum(_) if depth > 0 => self.larger(own, self.radius_by_operands(o, fp, depth - 1)),
                _ => own,
            }
        })
    }

    /// The radius where the value is 0, else 0.
    pub fn radius_of_zero(&self, value: Value, fp: FpType, depth: u32) -> Value {
        let ty = self.radius_type(fp);
        let value = self.through_local(value);
        let Shadow::Known(shadow) = self.shadow(value) else { return ty.zero() };
        if FpType::of(value.ty()) != Some(fp) || shadow.ty() != fp.shadow(self.b.types) {
            return ty.zero();
        }
        let (v, e) = self.in_radius_type(value, fp, shadow);
        let made = if depth > 0 { Made::by(value) } else { Made::Otherwise };
        let within = |operand| self.radius_of_zero(operand, fp, depth - 1);
        let radius = match made {
            Made::Sum(operands) => {
                let unknown = self.of_operands(operands, |o| self.unknown(o, fp, UNKNOWN_DEPTH));
                self.larger(unknown, self.of_operands(operands, within))
            }
            Made::Product([x, y]) => self.b.fadd(self.times(within(x), y, fp), self.times(within(y), x, fp)),
            Made::Quotient(x, y) => {
                let (y, _) = self.in_radius_type(y, fp, self.materialized(y, fp));
                self.b.fdiv(within(x), self.b.fabs(y))
            }
            Made::Root(x) => self.root_of(within(x)),
            Made::Function(name, x) if is_zero_beside(name) => {
                self.amplified(name, v, x, fp, self.unknown(x, fp, UNKNOWN_DEPTH))
            }
            Made::Negated(x) | Made::Magnitude(x) | Made::Function(_, x) => within(x),
            Made::Converted(x, from) => self.resized(self.radius_of_zero(x, from, depth - 1), ty),
            Made::Choice(condition, [x, y]) => self.b.select(condition, within(x), within(y)),
            Made::Fused(_) | Made::Power(..) | Made::Otherwise if self.radii.contains_key(&value) => self.radii[&value],
            // Whence the residue is, is out of sight: it says itself if it is in doubt.
            Made::Fused(_) | Made::Power(..) | Made::Otherwise => self.doubt(e, fp),
        };
        if radius == ty.zero() {
            return radius;
        }
        // A doubt that came in from further away than is looked at.
        let radius = if matches!(made, Made::Otherwise) { radius } else { self.larger(radius, self.doubt(e, fp)) };
        let is_zero = self.b.fcmp(RealPredicate::LLVMRealOEQ, v, ty.zero());
        self.b.select(is_zero, radius, ty.zero())
    }

    /// The radius of a 0 as its residue says it.
    fn doubt_of_zero(&self, value: Value, fp: FpType) -> Value {
        let (v, e) = self.in_radius_type(value, fp, self.materialized(value, fp));
        let is_zero = self.b.fcmp(RealPredicate::LLVMRealOEQ, v, v.ty().zero());
        self.b.select(is_zero, self.doubt(e, fp), v.ty().zero())
    }

    /// The radius of a 0 whose residue is a doubt, else 0.
    fn doubt(&self, residue: Value, fp: FpType) -> Value {
        let size = self.b.fabs(residue);
        let most = self.b.real(size.ty(), most_doubt(fp.precision));
        let is_doubt = self.b.fcmp(RealPredicate::LLVMRealOLE, size, most);
        self.b.select(is_doubt, self.b.fadd(size, size), size.ty().zero())
    }

    /// The radius of a factor of 0, times the other one.
    fn times(&self, radius: Value, other: Value, fp: FpType) -> Value {
        if radius == radius.ty().zero() {
            return radius;
        }
        let (v, e) = self.in_radius_type(other, fp, self.materialized(other, fp));
        self.b.fmul(radius, self.b.fadd(self.b.fabs(v), self.b.fabs(e)))
    }

    /// What is not known of a value, as an operand of a sum that is 0: it has so many digits and no more, and what was lost
    /// on the way to it.
    fn unknown(&self, value: Value, fp: FpType, depth: u32) -> Value {
        let ty = self.radius_type(fp);
        let value = self.through_local(value);
        if self.shadow(value) == Shadow::Exact || FpType::of(value.ty()) != Some(fp) || self.is_exact_residue(value) {
            return ty.zero();
        }
        let digits = match fp.family() {
            Family::Residue => 2 * fp.precision.bits() as i32 - ZERO_BITS,
            Family::Wider => self.shadow_bits(fp) - WIDE_ZERO_BITS,
        };
        let (v, _) = self.in_radius_type(value, fp, self.materialized(value, fp));
        let own = self.b.fmul(self.b.fabs(v), self.b.real(ty, 2f64.powi(-digits)));
        let made = if depth > 0 { Made::by(value) } else { Made::Otherwise };
        let unknown = match made {
            Made::Sum(operands) => self.larger(own, self.of_operands(operands, |o| self.unknown(o, fp, depth - 1))),
            Made::Function(name, x) => {
                let unknown = self.unknown(x, fp, depth - 1);
                self.larger(own, self.amplified(name, v, x, fp, unknown))
            }
            _ => own,
        };
        match self.is_known(value, fp, UNKNOWN_DEPTH) {
            Some(is_known) => self.b.select(is_known, ty.zero(), unknown),
            None => unknown,
        }
    }

    /// What a function, whose value is `v`, makes of what is not known of its argument.
    fn amplified(&self, name: &str, v: Value, x: Value, fp: FpType, unknown: Value) -> Value {
        if unknown == unknown.ty().zero() {
            return unknown;
        }
        let size = self.b.fabs(v);
        let one = self.b.real(v.ty(), 1.0);
        match name {
            "asin" | "acos" => self.root_of(self.b.fadd(unknown, unknown)),
            "exp" | "sinh" | "cosh" | "expm1" => self.b.fmul(unknown, self.b.fadd(size, one)),
            "tan" => self.b.fmul(unknown, self.b.fadd(self.b.fmul(size, size), one)),
            "log" | "log2" | "log10" => {
                let (x, _) = self.in_radius_type(x, fp, self.materialized(x, fp));
                self.b.fdiv(self.b.fadd(unknown, unknown), self.b.fabs(x))
            }
            _ => unknown,
        }
    }

    fn root_of(&self, radius: Value) -> Value {
        if radius == radius.ty().zero() { radius } else { self.b.intrinsic("llvm.sqrt", &[radius.ty()], &[radius]) }
    }

    /// The lanes whose shadow is known to the last digit; `None` if that is not to be told of any.
    ///
    /// That a value is right does not mean that its ideal is: what made it may have had an error that it rounded away.
    fn is_known(&self, value: Value, fp: FpType, depth: u32) -> Option<Value> {
        let value = self.through_local(value);
        let has_no_error = |v: Value| {
            let (_, e) = self.in_radius_type(v, fp, self.materialized(v, fp));
            self.b.fcmp(RealPredicate::LLVMRealOEQ, e, e.ty().zero())
        };
        let made = Made::by(value);
        match made {
            // Their values may be right beyond what residues tell: cosh(x) is 1 for small ones.
            Made::Function(_, x) => {
                let (x, _) = self.in_radius_type(x, fp, self.materialized(x, fp));
                return Some(self.b.fcmp(RealPredicate::LLVMRealOEQ, x, x.ty().zero()));
            }
            Made::Fused(_) | Made::Otherwise => return Some(has_no_error(value)),
            _ => (),
        }
        let is_float = |o: &Value| FpType::of(o.ty()) == Some(fp) && self.shadow(*o) != Shadow::Exact;
        // A wide sum of floats that it takes for exact may have absorbed one of them.
        let is_sure = |o: Value| match (Made::by(self.through_local(o)), fp.family()) {
            (Made::Sum(_), Family::Wider) if depth > 0 => {
                self.is_known(o, fp, depth - 1).unwrap_or_else(|| has_no_error(o))
            }
            _ => has_no_error(o),
        };
        let operands = value.operands().into_iter().filter(is_float).map(is_sure);
        let operands = operands.reduce(|a, b| self.b.and(a, b));
        let and_operands = |lanes: Value| operands.map_or(lanes, |o| self.b.and(lanes, o));
        match (made, fp.family()) {
            (Made::Sum(_) | Made::Product(_), Family::Residue) | (Made::Product(_), Family::Wider) => operands,
            (Made::Sum([x, y]), Family::Wider) => {
                let [x, y, z] = [x, y, value].map(|v| self.materialized(v, fp));
                let is_sum = value.is(Opcode::LLVMFAdd);
                let error = if is_sum { self.sum_error(x, y, z) } else { self.difference_error(x, y, z) };
                Some(and_operands(self.b.fcmp(RealPredicate::LLVMRealOEQ, error, error.ty().zero())))
            }
            (_, Family::Residue) => Some(and_operands(has_no_error(value))),
            (_, Family::Wider) => None,
        }
    }

    /// Whether a residue is the rounding error of a single operation, so that it is known to the last digit. Of wide ideals,
    /// only products are known like that.
    fn is_exact_residue(&self, value: Value) -> bool {
        let is_wide = FpType::of(value.ty()).is_some_and(|fp| fp.family() == Family::Wider);
        let operation = sites::origin(value).instruction;
        operation.is_some_and(|i| {
            (is_sum(i) && !is_wide || i.is(Opcode::LLVMFMul))
                && i.operands().into_iter().all(|o| self.shadow(o) == Shadow::Exact)
        })
    }

    /// What cannot be told from zero in the ideal of a sum, because the residues of its operands are that coarse. Of zeros
    /// there is more to say: see [`Emitter::radius`].
    pub fn noise(&self, value: Value, fp: FpType) -> Value {
        let ty = self.radius_type(fp);
        let (seen, sum) = (value.ty(), self.through_local(value));
        // A union may be read as another type than the sum's.
        if !is_sum(sum) || sum.ty() != seen {
            return ty.zero();
        }
        let scale = self.of_operands([sum.operand(0), sum.operand(1)], |operand| {
            let Shadow::Known(shadow) = self.shadow(operand) else {
                return match fp.family() {
                    Family::Wider => self.b.fabs(self.in_radius_type(operand, fp, self.materialized(operand, fp)).0),
                    Family::Residue => ty.zero(),
                };
            };
            let is_quad = matches!(fp.precision, Precision::X87 | Precision::Quad);
            let lanes = self.b.fabs(shadow);
            let lanes = if is_quad { self.b.fptrunc(lanes, ty) } else { lanes };
            let is_residue = fp.precision == Precision::Double || fp.has_float_residues();
            if !(is_residue && self.is_of_inexact_factors(operand)) {
                return lanes;
            }
            // The parts of such a residue may have cancelled; each is about an ulp of the product.
            let epsilon = self.b.real(operand.ty(), 2f64.powi(1 - fp.precision.bits() as i32));
            self.larger(lanes, self.b.fmul(self.b.fabs(self.actual(operand)), epsilon))
        });
        if scale == ty.zero() {
            return scale;
        }
        self.b.fmul(scale, self.b.real(ty, 2f64.powi(NOISE_BITS - self.shadow_bits(fp))))
    }

    /// The larger of what `of` says of both operands.
    fn of_operands(&self, operands: [Value; 2], of: impl Fn(Value) -> Value) -> Value {
        let [x, y] = operands.map(of);
        self.larger(x, y)
    }

    fn radius_type(&self, fp: FpType) -> Type {
        fp.shaped(if fp.has_float_residues() { self.b.types.float() } else { self.b.types.double() })
    }

    /// A radius in the type of another.
    fn resized(&self, radius: Value, ty: Type) -> Value {
        let is_double = |ty: Type| FpType::of(ty).is_some_and(|fp| fp.precision == Precision::Double);
        match (is_double(radius.ty()), is_double(ty)) {
            (false, true) => self.b.fpext(radius, ty),
            (true, false) => self.b.fptrunc(radius, ty),
            _ => radius,
        }
    }

    fn in_radius_type(&self, value: Value, fp: FpType, shadow: Value) -> (Value, Value) {
        let value = self.actual(value);
        if fp.has_float_residues() { (value, shadow) } else { self.as_doubles(value, fp, shadow) }
    }

    fn materialized(&self, value: Value, fp: FpType) -> Value {
        self.materialize(value, fp, self.shadow(value))
    }

    fn shadow_bits(&self, fp: FpType) -> i32 {
        FpType::of(fp.shadow(self.b.types)).expect("a float").precision.bits() as i32
    }

    /// What a load from a local variable gives, if that is certain and still at hand.
    pub fn through_local(&self, value: Value) -> Value {
        let stored = if value.is(Opcode::LLVMLoad) { locals::stored_values(value) } else { Vec::new() };
        // Only what dominates this point has a shadow here.
        match stored[..] {
            [one] if self.shadow(one) != Shadow::Exact => one,
            _ => value,
        }
    }

    fn is_of_inexact_factors(&self, value: Value) -> bool {
        let is_product = |i: &Value| i.is(Opcode::LLVMFMul) || i.is(Opcode::LLVMFDiv);
        let product = sites::origin(value).instruction.filter(is_product);
        product.is_some_and(|p| p.operands().into_iter().any(|o| self.shadow(o) != Shadow::Exact))
    }
}

/// Whether a function is 0 where its argument is not.
fn is_zero_beside(name: &str) -> bool {
    matches!(name, "log" | "log2" | "log10" | "acos")
}

fn is_sum(value: Value) -> bool {
    value.is(Opcode::LLVMFAdd) || value.is(Opcode::LLVMFSub)
}
