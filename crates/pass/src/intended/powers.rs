//! Quotients, roots and their reciprocals that are approximations: the program takes their remainder, and corrects them by it.
//!
//! `q = a / b; r = fma(-q, b, a)`, then `q + r / b`; `y = a * (1 / sqrt(a)); p = y * y`, then `y + ((a - p) - e) * x / 2`. By real
//! arithmetic such a remainder is 0, and the program that takes it of an exact product wants what `y` lacks. So `y` is
//! taken for what it is: none of the roundings that made it counts.
//!
//! Found by writing values as products of powers: a fused multiply-add whose product and addend are the same one with other signs,
//! or a difference of a value and an exact product of that kind. The product may be in a call (of a function that is given
//! both factors), and so may the difference; then what the first call leaves must reach the second.
//! A product that is rounded before it is taken away is none: its remainder is as bad as any cancelled difference.

use super::value_numbers::ValueNumbers;
use super::{IntendedRoundings, Product, Sum, Term, is_plain};
use crate::llvm::{Kind, Opcode, Value};
use std::collections::{HashMap, HashSet};

/// An exponent of 1: square and cube roots of roots have whole ones.
const ONE: i32 = 36;
/// Longer products are values of their own.
const MANY: usize = 6;
/// Steps on the way back or forth.
const FAR: usize = 400;

/// `factor` times a power of each of these.
#[derive(Clone, Debug)]
struct Power {
    factor: f64,
    of: HashMap<Value, i32>,
}

#[derive(Default)]
pub struct Found {
    /// What makes up approximations that a remainder is taken of.
    pub operations: HashSet<Value>,
    /// The operations and calls that take it, each with the value that it is taken from.
    pub remainders: HashMap<Value, Value>,
    /// Results of functions that a step of Newton's corrects.
    pub seeds: HashSet<Value>,
}

/// Approximations that a remainder is taken of.
pub fn approximations(
    names: &mut ValueNumbers,
    all: &[Value],
    products: &[Product],
    sums: &[Sum],
    meant: &IntendedRoundings,
) -> Found {
    let mut search = Search { names, powers: HashMap::new(), found: Found::default() };
    for product in products.iter().filter(|p| !p.is_call) {
        let [x, y] = [product.factors[0], product.factors[1]];
        let whole = *product.result.arguments().last().expect("an addend");
        if search.remainder([x, y], product.plus, &[product.result]) {
            search.found.remainders.insert(product.result, whole);
        }
    }
    for sum in sums {
        for [taken, whole] in [[0, 1], [1, 0]].map(|order| order.map(|i: usize| sum.terms[i])) {
            if !taken.name.is(Opcode::LLVMFMul) || !meant.rounded.contains(&taken.name) {
                continue;
            }
            let factors = [0, 1].map(|i| search.names.term(taken.name.operand(i)));
            let signed = [Term { sign: factors[0].sign * taken.sign, ..factors[0] }, factors[1]];
            let mut pattern = vec![taken.name, sum.result];
            pattern.extend(meant.low.iter().filter(|(_, of)| **of == taken.name).map(|(low, _)| *low));
            if search.remainder(signed, whole, &pattern) {
                let operand = sum.result.operand(if whole.name == sum.terms[0].name { 0 } else { 1 });
                search.found.remainders.insert(sum.result, operand);
            }
        }
    }
    let mut from = 0;
    for product in products.iter().filter(|p| p.is_call) {
        // Both are in the order of the program, and a remainder is not far from its product.
        from += all[from..].iter().position(|&i| i == product.result).expect("an instruction of the function");
        let behind = &all[from..all.len().min(from + FAR)];
        search.remainder_by_calls(product, behind);
        search.seed(product, behind);
    }
    search.found
}

struct Search<'a> {
    names: &'a mut ValueNumbers,
    powers: HashMap<Value, Power>,
    found: Found,
}

impl Search<'_> {
    /// `x y + whole` is 0: what makes up the factors is meant, where it goes beyond `pattern`.
    fn remainder(&mut self, factors: [Term; 2], whole: Term, pattern: &[Value]) -> bool {
        let product = self.signed(factors[0]).times(&self.signed(factors[1]));
        product.is(&self.signed(whole).scaled(-1.0)) && self.correct(factors, whole.name, pattern)
    }

    /// Whether there was an approximation among the factors.
    fn correct(&mut self, factors: [Term; 2], whole: Value, pattern: &[Value]) -> bool {
        let mut found = false;
        for [y, other] in [[0, 1], [1, 0]].map(|order| order.map(|i: usize| factors[i].name)) {
            let mut pattern = pattern.to_vec();
            if let Some(call) = product_in(y) {
                // A square that is multiplied again.
                pattern.push(call);
                let inner: Vec<Value> = floats(call).into_iter().map(|v| self.names.term(v).name).collect();
                inner.into_iter().for_each(|y| found |= self.correct_one(y, &[whole, other], &pattern));
            } else {
                found |= self.correct_one(y, &[whole, other], &pattern);
            }
        }
        found
    }

    fn correct_one(&mut self, y: Value, ends: &[Value], pattern: &[Value]) -> bool {
        let is_one = is_operation(y) && !self.is_made_of(ends[0], y) && self.names.is_kept(y, pattern);
        if is_one {
            let ends: Vec<Value> = ends.iter().copied().filter(|&end| end != y).collect();
            self.chain(y, &ends);
        }
        is_one
    }

    /// The operations between `ends` and `y`.
    fn chain(&mut self, y: Value, ends: &[Value]) {
        let mut open = vec![y];
        while let Some(value) = open.pop() {
            if ends.contains(&value) || !is_operation(value) || !self.found.operations.insert(value) {
                continue;
            }
            let operands = if root_of(value).is_some() { value.arguments() } else { value.operands() };
            open.extend(operands.into_iter().map(|o| self.names.term(o).name));
        }
    }

    /// Whether `part` is among the operations that lead to `value`, in this round of a loop.
    fn is_made_of(&mut self, value: Value, part: Value) -> bool {
        let (mut open, mut seen) = (vec![value], HashSet::new());
        while let Some(at) = open.pop() {
            if at == part {
                return true;
            }
            let is_far = seen.len() > FAR || !at.is_instruction() || at.is(Opcode::LLVMPHI) || at.is(Opcode::LLVMLoad);
            if !is_far && seen.insert(at) {
                open.extend(at.operands().into_iter().map(|o| self.names.name(o)));
            }
        }
        false
    }

    /// A product in a call that has both factors, whose result reaches a sum or a call together with what the product should be.
    fn remainder_by_calls(&mut self, product: &Product, behind: &[Value]) {
        let terms = self.factors_of(product);
        let is_square = terms.len() == 1;
        for (i, &x) in terms.iter().enumerate() {
            for &y in &terms[if is_square { i } else { i + 1 }..] {
                if ![x, y].iter().any(|t| is_operation(t.name) || product_in(t.name).is_some()) {
                    continue;
                }
                let power = self.factor(x).times(&self.factor(y));
                if let Some((taker, operand, whole)) = self.taken_from(&power, product.result, behind)
                    && self.correct([x, y], whole, &[product.result])
                    && operand.ty() == whole.ty()
                {
                    self.found.remainders.insert(taker, operand);
                }
            }
        }
    }

    /// `y = log(a)`, of which a function makes two words, which meet `a` again: `y + (a * exp(-y) - 1)`, where `exp` is one of two
    /// words. What the function's last bits lack is in the remainder.
    fn seed(&mut self, product: &Product, behind: &[Value]) {
        let is_of_words = matches!(product.result.ty().kind(), Kind::Struct(2));
        for term in product.factors.iter().filter(|t| is_of_words && is_function(t.name)) {
            let given = self.names.term(floats(term.name)[0]).name;
            let power = self.power(given);
            if given.is_constant() || self.taken_from(&power, product.result, behind).is_none() {
                continue;
            }
            self.found.seeds.insert(term.name);
            let reached = Reached::from(self.names, product.result);
            for &call in behind.iter().filter(|&&i| is_call(i) && is_taking(i)) {
                let is_one = |v: &Value| v.as_const_real().is_some_and(|c| c != 0.0);
                let whole = floats(call).into_iter().find(|v| is_one(v) || self.names.term(*v).name == given);
                if let Some(whole) = whole.filter(|_| call.arguments().iter().any(|&a| reached.has(self.names, a))) {
                    self.found.remainders.insert(call, whole);
                }
            }
        }
    }

    /// The numbers that a call is given: as they are, in a variable, or as part of an object that others of them come from.
    fn factors_of(&mut self, product: &Product) -> Vec<Term> {
        let mut terms = product.factors.clone();
        let pointers = product.result.arguments().into_iter().filter(|a| a.ty().kind() == Kind::Pointer);
        let objects: Vec<Value> = pointers.map(|p| self.names.object(p)).collect();
        let values: Vec<Value> = objects.iter().filter_map(|&o| self.names.only_value_in(o)).collect();
        terms.extend(values.into_iter().map(|v| self.names.term(v)));
        let leaves: Vec<Value> = terms.iter().flat_map(|t| self.power(t.name).of.into_keys()).collect();
        for leaf in leaves.into_iter().filter(|l| l.is(Opcode::LLVMLoad)) {
            let name = Term { name: leaf, sign: 1 };
            if objects.contains(&self.names.object(leaf.operand(0))) && !terms.contains(&name) {
                terms.push(name);
            }
        }
        terms
    }

    /// The power of a factor; one that is the first word of another product is that product.
    fn factor(&mut self, term: Term) -> Power {
        match product_in(term.name).map(|call| pair(&floats(call))) {
            Some(factors) => {
                let [x, y] = factors.map(|v| self.names.term(v)).map(|t| self.signed(t));
                x.times(&y).scaled(f64::from(term.sign))
            }
            None => self.signed(term),
        }
    }

    /// Where a value that is this product by real arithmetic meets what `call` leaves: the operation or call, its operand,
    /// and the value.
    fn taken_from(&mut self, power: &Power, call: Value, behind: &[Value]) -> Option<(Value, Value, Value)> {
        let mut reached = None;
        for &i in behind.iter().filter(|&&i| i != call && is_taking(i)) {
            let operands = if is_call(i) { i.arguments() } else { i.operands() };
            let whole = operands.iter().find_map(|&o| Some((o, self.is_whole(o, power)?)));
            let Some((operand, whole)) = whole else { continue };
            let reached = reached.get_or_insert_with(|| Reached::from(self.names, call));
            if operands.iter().any(|&o| reached.has(self.names, o)) {
                return Some((i, operand, whole));
            }
        }
        None
    }

    /// An operand that is the product, or a pointer to what has it.
    fn is_whole(&mut self, operand: Value, power: &Power) -> Option<Value> {
        let either_sign = |p: &Power| p.is(power) || p.is(&power.scaled(-1.0));
        match operand.ty().kind() {
            Kind::Float | Kind::Double => {
                let whole = self.names.term(operand).name;
                either_sign(&self.power(whole)).then_some(whole)
            }
            Kind::Pointer => {
                let object = self.names.object(operand);
                let mut loads = power.of.iter().filter(|(v, p)| v.is(Opcode::LLVMLoad) && **p == ONE).map(|(v, _)| *v);
                loads.find(|&load| power.of.len() == 1 && self.names.object(load.operand(0)) == object)
            }
            _ => None,
        }
    }

    fn signed(&mut self, term: Term) -> Power {
        self.power(term.name).scaled(f64::from(term.sign))
    }

    fn power(&mut self, value: Value) -> Power {
        if let Some(known) = self.powers.get(&value) {
            return known.clone();
        }
        let own = Power { factor: 1.0, of: HashMap::from([(value, ONE)]) };
        self.powers.insert(value, own.clone());
        let power = self.of_operation(value).filter(|p| p.of.len() <= MANY).unwrap_or(own);
        self.powers.insert(value, power.clone());
        power
    }

    fn of_operation(&mut self, value: Value) -> Option<Power> {
        if let Some(factor) = value.as_const_real() {
            return (factor != 0.0 && factor.is_finite()).then(|| Power { factor, of: HashMap::new() });
        }
        if !is_operation(value) {
            return None;
        }
        let mut operand = |v: Value| {
            let term = self.names.term(v);
            self.signed(term)
        };
        if let Some(root) = root_of(value) {
            return operand(value.arguments()[0]).root(root);
        }
        let [x, y] = [0, 1].map(|i| operand(value.operand(i)));
        Some(if value.is(Opcode::LLVMFMul) { x.times(&y) } else { x.times(&y.reciprocal()) })
    }
}

impl Power {
    fn times(&self, other: &Power) -> Power {
        let mut product = Power { factor: self.factor * other.factor, of: self.of.clone() };
        for (&value, &exponent) in &other.of {
            *product.of.entry(value).or_insert(0) += exponent;
        }
        product.of.retain(|_, exponent| *exponent != 0);
        product
    }

    fn reciprocal(&self) -> Power {
        Power { factor: 1.0 / self.factor, of: self.of.iter().map(|(&v, &e)| (v, -e)).collect() }
    }

    fn scaled(&self, by: f64) -> Power {
        Power { factor: self.factor * by, of: self.of.clone() }
    }

    fn root(&self, root: Root) -> Option<Power> {
        let Root { degree, is_reciprocal } = root;
        let fits = self.of.values().all(|e| e % degree == 0) && (self.factor > 0.0 || degree == 3);
        let factor = if degree == 2 { self.factor.sqrt() } else { self.factor.cbrt() };
        let power = Power { factor, of: self.of.iter().map(|(&v, &e)| (v, e / degree)).collect() };
        fits.then(|| if is_reciprocal { power.reciprocal() } else { power })
    }

    /// Factors are constants, and a few roundings apart.
    fn is(&self, other: &Power) -> bool {
        self.of == other.of && (self.factor - other.factor).abs() <= 1e-14 * self.factor.abs()
    }
}

struct Root {
    degree: i32,
    is_reciprocal: bool,
}

/// A root, by the name of the function: those of libraries are instrumented code of any kind.
fn root_of(value: Value) -> Option<Root> {
    if !is_call(value) || !value.callee().is_function() {
        return None;
    }
    let floats = value.arguments().iter().filter(|a| a.ty() == value.ty()).count();
    let name = value.callee().name();
    let degree = if name.contains("sqrt") { 2 } else { 3 };
    let is_root = floats == 1 && (name.contains("sqrt") || name.contains("cbrt"));
    is_root.then(|| Root { degree, is_reciprocal: name.contains("rsqrt") })
}

/// Whether a value is a function of one number.
fn is_function(value: Value) -> bool {
    let is_float = matches!(value.ty().kind(), Kind::Float | Kind::Double);
    is_float
        && is_call(value)
        && value.callee().is_function()
        && value.arguments().len() == 1
        && floats(value).len() == 1
}

/// The call that may have made a product, of which this is the first of two words.
fn product_in(value: Value) -> Option<Value> {
    if !value.is(Opcode::LLVMExtractValue) || value.indices() != [0] {
        return None;
    }
    let call = value.operand(0);
    let is_pair = matches!(call.ty().kind(), Kind::Struct(2));
    (is_call(call) && is_pair && matches!(floats(call).len(), 1 | 2)).then_some(call)
}

/// The float arguments of a call.
fn floats(call: Value) -> Vec<Value> {
    call.arguments().into_iter().filter(|a| matches!(a.ty().kind(), Kind::Float | Kind::Double)).collect()
}

/// Both factors; of one, its square.
fn pair(factors: &[Value]) -> [Value; 2] {
    [factors[0], factors[factors.len() - 1]]
}

fn is_operation(value: Value) -> bool {
    let is_float = matches!(value.ty().element_or_self().kind(), Kind::Float | Kind::Double);
    let is_power = value.is(Opcode::LLVMFMul) || value.is(Opcode::LLVMFDiv) || root_of(value).is_some();
    value.is_instruction() && is_float && is_power && is_plain(value)
}

fn is_call(value: Value) -> bool {
    value.is(Opcode::LLVMCall) || value.is(Opcode::LLVMInvoke)
}

/// A sum or difference, or a call that may make one.
fn is_taking(i: Value) -> bool {
    let is_intrinsic = || i.callee().is_function() && i.callee().name().starts_with("llvm.");
    i.is(Opcode::LLVMFAdd) || i.is(Opcode::LLVMFSub) || is_call(i) && !is_intrinsic()
}

/// What a call leaves, through local variables and other calls.
struct Reached {
    values: HashSet<Value>,
    objects: HashSet<Value>,
}

impl Reached {
    fn from(names: &mut ValueNumbers, call: Value) -> Reached {
        let mut reached = Reached { values: HashSet::new(), objects: HashSet::new() };
        let mut open = vec![call];
        while let Some(value) = open.pop().filter(|_| reached.values.len() < FAR) {
            if !reached.values.insert(value) {
                continue;
            }
            open.extend(value.users().into_iter().filter(|u| u.is_instruction() && !u.is(Opcode::LLVMStore)));
            let mut objects: Vec<Value> = value
                .users()
                .into_iter()
                .filter(|u| u.is(Opcode::LLVMStore))
                .map(|u| names.object(u.operand(1)))
                .collect();
            if is_call(value) {
                let pointers = value.arguments().into_iter().filter(|a| a.ty().kind() == Kind::Pointer);
                objects.extend(pointers.map(|p| names.object(p)));
            }
            for object in objects.into_iter().filter(|o| o.is(Opcode::LLVMAlloca)) {
                if reached.objects.insert(object) {
                    open.extend(object.users().into_iter().filter(|u| u.is_instruction() && !u.is(Opcode::LLVMStore)));
                }
            }
        }
        reached
    }

    fn has(&self, names: &mut ValueNumbers, operand: Value) -> bool {
        let is_pointer = operand.ty().kind() == Kind::Pointer;
        self.values.contains(&operand) || is_pointer && self.objects.contains(&names.object(operand))
    }
}
