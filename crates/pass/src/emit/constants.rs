//! How far a value moves if constants are not quite what they were rounded to.
//!
//! A constant such as 0.1 stands for a number within half an ulp of it (`abi::constant`). On the cold path of a check the
//! value is differentiated by such constants, as far back as its operations are at hand: each hands its derivative to its
//! operands (reverse mode). Constants that were rounded alike move together, of others the worst is taken. What is a
//! finding only for some of what they may be is counted by itself and no finding (`machine::checks::constants` does the
//! same along the whole way of a value).
//!
//! A variable of a loop that a constant is added to in every round has had it added as often as tells its value.
//!
//! Limits: constants that come from memory or through calls are out of sight, and so are those behind phis, or in the second
//! argument of a function.

use super::made::Made;
use super::{Emitter, Shadow};
use crate::fp::FpType;
use crate::llvm::{Opcode, RealPredicate, Type, Value};
use crate::locals;
use nonius_abi::Precision;
use nonius_abi::constant::Rounded;
use nonius_abi::hooks::MOST_OFF;
use std::collections::{BTreeMap, HashMap};

/// Operations that one value is followed through.
const MOST: usize = 40;
/// Steps of one variable in one round of an unrolled loop.
const MOST_STEPS: usize = 16;

/// How a value depends on others.
#[derive(Clone, Copy)]
enum Link {
    Constant(Rounded),
    /// What it was at first, and what is added again and again.
    Counted(Value, Value),
    Made(Made),
}

impl Link {
    fn operands(&self) -> Vec<Value> {
        match self {
            Link::Constant(_) => Vec::new(),
            Link::Counted(first, step) => vec![*first, *step],
            Link::Made(made) => made.operands(),
        }
    }
}

/// Values that lead to a constant, operands before those who use them.
#[derive(Default)]
struct Chain {
    links: HashMap<Value, Link>,
    moves: HashMap<Value, bool>,
    order: Vec<Value>,
}

/// How far constants move the sides of a comparison, and their difference; a side that they do not move has none.
pub struct Moves {
    pub each: [Option<Value>; 2],
    pub difference: Value,
}

impl Emitter<'_> {
    /// How far constants move a value, in doubles, lane by lane; `None` if they do not, as far as is in sight.
    pub fn moved_by_constants(&self, value: Value, fp: FpType) -> Option<Value> {
        self.moved_together(&[(value, 1.0)], fp)
    }

    /// The same for the sides of a comparison. One that is a constant itself is as the program's format has it.
    pub fn moves_by_constants(&self, sides: [Value; 2], fp: FpType) -> Option<Moves> {
        let each =
            sides.map(|side| self.moved_by_constants(side, fp).filter(|_| !self.seen_through(side).is_constant()));
        let difference = match each {
            [None, None] => return None,
            [Some(one), None] | [None, Some(one)] => one,
            [Some(_), Some(_)] => {
                let zero = fp.shaped(self.b.types.double()).zero();
                self.moved_together(&[(sides[0], 1.0), (sides[1], -1.0)], fp).unwrap_or(zero)
            }
        };
        Some(Moves { each, difference })
    }

    fn moved_together(&self, values: &[(Value, f64)], fp: FpType) -> Option<Value> {
        if !matches!(fp.precision, Precision::Float | Precision::Double) {
            return None;
        }
        let mut chain = Chain::default();
        let moves = values.iter().map(|&(value, _)| self.follow(&mut chain, value)).fold(false, |a, b| a | b);
        if !moves {
            return None;
        }
        let ty = fp.shaped(self.b.types.double());
        let mut weights: HashMap<Value, Value> = HashMap::new();
        for &(value, weight) in values {
            self.hand_on(&chain, &mut weights, self.seen_through(value), self.b.real(ty, weight));
        }
        let mut families: BTreeMap<u128, Value> = BTreeMap::new();
        for &value in chain.order.iter().rev() {
            let Some(&weight) = weights.get(&value) else { continue };
            if let Link::Constant(rounded) = chain.links[&value] {
                self.add_to(&mut families, rounded.family, self.b.fmul(weight, self.b.real(ty, rounded.ulp)));
                continue;
            }
            if let Link::Counted(first, step) = chain.links[&value] {
                let Some(Link::Constant(rounded)) = chain.links.get(&step) else { continue };
                let share = rounded.ulp / step.as_const_real().unwrap_or(f64::INFINITY);
                let so_far = self.b.fsub(self.double(value), self.double(first));
                let moved = self.b.fmul(self.b.fmul(weight, so_far), self.b.real(ty, share));
                self.add_to(&mut families, rounded.family, moved);
                self.hand_on(&chain, &mut weights, first, weight);
                continue;
            }
            for (operand, partial) in self.partials(&chain, value, ty) {
                let weight = if partial == self.b.real(ty, 1.0) { weight } else { self.b.fmul(weight, partial) };
                self.hand_on(&chain, &mut weights, operand, weight);
            }
        }
        let sum = families.into_values().map(|moved| self.b.fabs(moved)).reduce(|a, b| self.b.fadd(a, b))?;
        Some(self.b.fmul(sum, self.b.splat(self.limit_now(fp, MOST_OFF), ty)))
    }

    fn add_to(&self, families: &mut BTreeMap<u128, Value>, family: u128, moved: Value) {
        let sum = families.get(&family).map_or(moved, |&before| self.b.fadd(before, moved));
        families.insert(family, sum);
    }

    fn hand_on(&self, chain: &Chain, weights: &mut HashMap<Value, Value>, value: Value, weight: Value) {
        let value = self.seen_through(value);
        if chain.moves.get(&value) == Some(&true) {
            let sum = weights.get(&value).map_or(weight, |&before| self.b.fadd(before, weight));
            weights.insert(value, sum);
        }
    }

    /// Whether constants move a value, which is entered with all that leads to them.
    fn follow(&self, chain: &mut Chain, value: Value) -> bool {
        let value = self.seen_through(value);
        if let Some(&moves) = chain.moves.get(&value) {
            return moves;
        }
        if chain.moves.len() >= MOST {
            return false;
        }
        // A cycle ends where it began.
        chain.moves.insert(value, false);
        let link = self.link(value);
        let moves = match &link {
            Link::Constant(_) => true,
            link => link.operands().into_iter().fold(false, |moves, operand| self.follow(chain, operand) | moves),
        };
        chain.moves.insert(value, moves);
        chain.links.insert(value, link);
        if moves {
            chain.order.push(value);
        }
        moves
    }

    fn link(&self, value: Value) -> Link {
        if value.is_constant() {
            return rounded(value).map_or(Link::Made(Made::Otherwise), Link::Constant);
        }
        let is_variable = value.is(Opcode::LLVMPHI) || value.is(Opcode::LLVMLoad);
        let counted = if is_variable { self.counted(value) } else { None };
        counted.unwrap_or_else(|| Link::Made(Made::by(value)))
    }

    /// A variable that is nothing but its first value and a constant that is added in every round, in a register or, in
    /// unoptimized code, in memory.
    fn counted(&self, variable: Value) -> Option<Link> {
        let (comes_in, place) = match variable.opcode() {
            Opcode::LLVMPHI => (variable.phi_incoming().into_iter().map(|(value, _)| value).collect(), None),
            _ => (locals::stored_values(variable), Some(variable.operand(0))),
        };
        let is_itself = |value: Value| match place {
            Some(place) => value.is(Opcode::LLVMLoad) && locals::same_place(value.operand(0), place),
            None => value == variable,
        };
        let [a, b]: [Value; 2] = comes_in.try_into().ok()?;
        let (first, step) = match (step_of(a, is_itself), step_of(b, is_itself)) {
            (None, Some(step)) => (a, step),
            (Some(step), None) => (b, step),
            _ => return None,
        };
        rounded(step)?;
        let is_at_hand = first.is_constant() || self.shadow(first) != Shadow::Exact;
        is_at_hand.then_some(Link::Counted(first, step))
    }

    /// Derivatives by operands, of those that lead to constants.
    fn partials(&self, chain: &Chain, value: Value, ty: Type) -> Vec<(Value, Value)> {
        let real = |x: f64| self.b.real(ty, x);
        let double = |v: Value| self.double(v);
        let leads = |v: Value| chain.moves.get(&self.seen_through(v)) == Some(&true);
        let by_factors = |[x, y]: [Value; 2]| {
            [(x, y), (y, x)].into_iter().filter(|f| leads(f.0)).map(|(own, other)| (own, double(other)))
        };
        let Link::Made(made) = chain.links[&value] else { return Vec::new() };
        let mut all = Vec::new();
        match made {
            Made::Otherwise => {}
            Made::Sum([x, y]) => {
                all.extend([(x, real(1.0)), (y, real(if value.is(Opcode::LLVMFSub) { -1.0 } else { 1.0 }))])
            }
            Made::Negated(x) => all.push((x, real(-1.0))),
            Made::Converted(x, _) => all.push((x, real(1.0))),
            Made::Product(factors) => all.extend(by_factors(factors)),
            Made::Quotient(x, y) => {
                all.extend(leads(x).then(|| (x, self.b.fdiv(real(1.0), double(y)))));
                all.extend(leads(y).then(|| (y, self.b.fneg(self.b.fdiv(double(value), double(y))))));
            }
            Made::Fused([x, y, c]) => {
                all.extend(by_factors([x, y]));
                all.push((c, real(1.0)));
            }
            Made::Root(x) => all.push((x, self.b.fdiv(real(0.5), double(value)))),
            Made::Magnitude(x) => {
                let is_negative = self.b.fcmp(RealPredicate::LLVMRealOLT, double(x), ty.zero());
                all.push((x, self.b.select(is_negative, real(-1.0), real(1.0))));
            }
            Made::Function("pow", x) => {
                let power = double(value.arguments()[1]);
                all.push((x, self.b.fdiv(self.b.fmul(power, double(value)), double(x))));
            }
            Made::Function("hypot", x) => all.push((x, self.b.fdiv(double(x), double(value)))),
            Made::Function(name, x) => {
                all.extend(self.derivative(name, double(x), double(value)).map(|partial| (x, partial)));
            }
            Made::Power(x, power) => {
                let power = self.b.splat(self.b.sitofp(power, self.b.types.double()), ty);
                all.push((x, self.b.fdiv(self.b.fmul(power, double(value)), double(x))));
            }
            Made::Choice(condition, [x, y]) => {
                all.push((x, self.b.select(condition, real(1.0), ty.zero())));
                all.push((y, self.b.select(condition, ty.zero(), real(1.0))));
            }
        }
        all
    }

    /// The derivative of a function whose value is `z`, by sums, products and roots alone. Of sine and cosine it has no sign.
    fn derivative(&self, name: &str, x: Value, z: Value) -> Option<Value> {
        let real = |c: f64| self.b.real(x.ty(), c);
        let one = real(1.0);
        let square = |v: Value| self.b.fmul(v, v);
        let root = |v: Value| self.b.intrinsic("llvm.sqrt", &[v.ty()], &[self.b.fabs(v)]);
        let over = |v: Value| self.b.fdiv(one, v);
        Some(match name {
            "sin" | "cos" => root(self.b.fsub(one, square(z))),
            "tan" => self.b.fadd(one, square(z)),
            "asin" => over(root(self.b.fsub(one, square(x)))),
            "acos" => self.b.fneg(over(root(self.b.fsub(one, square(x))))),
            "atan" => over(self.b.fadd(one, square(x))),
            "sinh" => root(self.b.fadd(one, square(z))),
            "tanh" => self.b.fsub(one, square(z)),
            "asinh" => over(root(self.b.fadd(one, square(x)))),
            "atanh" => over(self.b.fsub(one, square(x))),
            "exp" => z,
            "expm1" => self.b.fadd(z, one),
            "log" => over(x),
            "log2" => self.b.fdiv(real(std::f64::consts::LOG2_E), x),
            "log10" => self.b.fdiv(real(std::f64::consts::LOG10_E), x),
            "log1p" => over(self.b.fadd(one, x)),
            _ => return None,
        })
    }

    fn double(&self, value: Value) -> Value {
        self.to_double(self.actual(value))
    }

    /// What a load from a local variable gives, if that is certain and at hand; what a loop leaves behind.
    fn seen_through(&self, mut value: Value) -> Value {
        for _ in 0..MOST {
            let comes_in: Vec<Value> = match () {
                () if value.is(Opcode::LLVMLoad) => locals::stored_values(value),
                () if value.is(Opcode::LLVMPHI) => value.phi_incoming().into_iter().map(|(value, _)| value).collect(),
                () => return value,
            };
            match comes_in[..] {
                [one] if one.ty() == value.ty() && (one.is_constant() || self.shadow(one) != Shadow::Exact) => {
                    value = one
                }
                _ => return value,
            }
        }
        value
    }
}

/// How a constant was rounded, if it was; a vector, if all lanes are the same.
fn rounded(value: Value) -> Option<Rounded> {
    let precision = FpType::of(value.ty())?.precision;
    value.as_const_real()?;
    let scalar = if FpType::of(value.ty())?.lanes.is_some() { value.constant_member(0)? } else { value };
    Rounded::of(precision, scalar.constant_bits()?)
}

/// The constant that is added, once or several times, to what `is_start` says.
fn step_of(value: Value, is_start: impl Fn(Value) -> bool) -> Option<Value> {
    let mut at = value;
    let mut step = None;
    for _ in 0..MOST_STEPS {
        if !at.is(Opcode::LLVMFAdd) && !at.is(Opcode::LLVMFSub) {
            return None;
        }
        let (rest, added) = match at.operand(0).is_constant() {
            true => (at.operand(1), at.operand(0)),
            false => (at.operand(0), at.operand(1)),
        };
        if !added.is_constant() || step.is_some_and(|step| step != added) {
            return None;
        }
        step = Some(added);
        if is_start(rest) {
            return step;
        }
        at = rest;
    }
    None
}
