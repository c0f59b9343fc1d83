//! Which values are the same, and what is done with them.

use super::{NEAR, Product, Sum, Term, is_plain};
use crate::fp::FpType;
use crate::llvm::{Block, Kind, Opcode, Type, Value};
use crate::locals;
use nonius_abi::libm;
use std::collections::{HashMap, HashSet};

#[derive(PartialEq)]
struct Place {
    object: Value,
    steps: Vec<u64>,
}

/// Which values are the same: at -O0 each use of a local variable is a load of its own.
pub struct ValueNumbers {
    /// The only block before each that has one.
    above: HashMap<Block, Block>,
    known: HashMap<Value, Value>,
    /// The first constant of each size and type: a difference is a sum with the other sign, once it is optimized.
    constants: HashMap<(Type, u64), Term>,
}

impl ValueNumbers {
    pub fn of(function: Value, order: &[Block]) -> ValueNumbers {
        let mut above: HashMap<Block, Vec<Block>> = HashMap::new();
        for &block in order {
            for next in block.successors() {
                above.entry(next).or_default().push(block);
            }
        }
        let entry = function.blocks()[0];
        let above = above.into_iter().filter(|(b, from)| *b != entry && from.len() == 1);
        ValueNumbers {
            above: above.map(|(b, from)| (b, from[0])).collect(),
            known: HashMap::new(),
            constants: HashMap::new(),
        }
    }

    pub fn sum(&mut self, i: Value) -> Option<Sum> {
        let sign = match i.opcode() {
            Opcode::LLVMFAdd => 1,
            Opcode::LLVMFSub => -1,
            _ => return None,
        };
        if !is_plain(i) {
            return None;
        }
        let [left, right] = [0, 1].map(|index| self.term(i.operand(index)));
        Some(Sum { result: i, terms: [left, Term { sign: sign * right.sign, ..right }] })
    }

    pub fn product(&mut self, i: Value) -> Option<Product> {
        if !matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
            return None;
        }
        let name = if i.callee().is_function() { i.callee().name() } else { String::new() };
        let is_fused = name.starts_with("llvm.fma.") || matches!(name.as_str(), "fma" | "fmaf");
        if !is_fused && (name.starts_with("llvm.") || libm::by_c_name(&name).is_some()) {
            return None;
        }
        let mut terms = Vec::new();
        for argument in i.arguments().into_iter().filter(|a| FpType::of(a.ty()).is_some()) {
            terms.push(self.term(argument));
        }
        let least = if is_fused { 3 } else { 1 };
        let has_pointers = || i.arguments().into_iter().any(|a| a.ty().kind() == Kind::Pointer);
        if !is_fused && terms.is_empty() && has_pointers() && !name.is_empty() {
            return Some(Product { result: i, factors: terms, plus: Term { name: i, sign: 1 }, is_call: true });
        }
        let plus = *terms.last().filter(|_| terms.len() >= least)?;
        let factors = if is_fused { terms[..2].to_vec() } else { terms };
        Some(Product { result: i, factors, plus, is_call: !is_fused })
    }

    /// Whether `error` is a fused multiply-add that takes a product from itself.
    pub fn is_error_of(&mut self, error: &Product, product: Value) -> bool {
        if error.is_call || !product.is(Opcode::LLVMFMul) || !is_plain(product) {
            return false;
        }
        let [a, b] = [0, 1].map(|index| self.term(product.operand(index)));
        let [x, y] = [error.factors[0], error.factors[1]];
        let same = (a.name, b.name) == (x.name, y.name) || (a.name, b.name) == (y.name, x.name);
        same && x.sign * y.sign * error.plus.sign * a.sign * b.sign == -1
    }

    /// The operations that take a quotient times its divisor from its dividend, if there are any.
    pub fn remainder_of(&mut self, q: Value, products: &[Product], sums: &[Sum], meant: &HashSet<Value>) -> Vec<Value> {
        let [a, b] = [0, 1].map(|index| self.term(q.operand(index)).name);
        let has_both = |factors: &[Term]| [q, b].iter().all(|&f| factors.iter().any(|t| t.name == f));
        let is_taken_from = sums.iter().any(|s| s.terms.iter().any(|t| t.name == a));
        let asks = |p: &&Product| {
            has_both(&p.factors)
                && if p.is_call { is_taken_from } else { p.plus.name == a || meant.contains(&p.plus.name) }
        };
        products.iter().filter(asks).map(|p| p.result).collect()
    }

    /// Whether a value is used for something else than `pattern`.
    pub fn is_kept(&mut self, value: Value, pattern: &[Value]) -> bool {
        value.users().into_iter().any(|user| {
            if !user.is_instruction() || pattern.contains(&user) {
                return false;
            }
            match user.opcode() {
                Opcode::LLVMFNeg => self.is_kept(user, pattern),
                Opcode::LLVMStore => self.is_kept_in(user, value, pattern),
                _ => true,
            }
        })
    }

    /// The same for what `store` puts into a local variable.
    fn is_kept_in(&mut self, store: Value, value: Value, pattern: &[Value]) -> bool {
        let place = store.operand(1);
        let Some(alloca) = locals::base(place).filter(|&a| locals::is_register(a)) else { return true };
        if place != alloca {
            return true;
        }
        let name = self.name(value);
        alloca.users().into_iter().any(|user| match user.opcode() {
            Opcode::LLVMStore => false,
            Opcode::LLVMLoad if user.ty() == value.ty() && self.name(user) == name => self.is_kept(user, pattern),
            Opcode::LLVMCall => user.callee().name().starts_with("llvm.mem"),
            _ => true,
        })
    }

    pub fn term(&mut self, value: Value) -> Term {
        let mut term = Term { name: self.name(value), sign: 1 };
        while term.name.is(Opcode::LLVMFNeg) {
            term = Term { name: self.name(term.name.operand(0)), sign: -term.sign };
        }
        if let Some(constant) = term.name.as_const_real().filter(|c| *c != 0.0) {
            let own = Term { name: term.name, sign: if constant < 0.0 { -1 } else { 1 } };
            let first = *self.constants.entry((value.ty(), constant.abs().to_bits())).or_insert(own);
            return Term { name: first.name, sign: term.sign * own.sign * first.sign };
        }
        term
    }

    pub fn name(&mut self, value: Value) -> Value {
        if !value.is(Opcode::LLVMLoad) {
            return value;
        }
        if let Some(&name) = self.known.get(&value) {
            return name;
        }
        self.known.insert(value, value);
        let name = self.origin(value).map_or(value, |stored| self.name(stored));
        self.known.insert(value, name);
        name
    }

    /// What the place of a load was given, or an earlier load of the same.
    fn origin(&mut self, load: Value) -> Option<Value> {
        let pointer = load.operand(0);
        let Some(alloca) = locals::base(pointer).filter(|&a| locals::is_register(a)) else {
            return self.origin_in_memory(load);
        };
        let same = |place: Value, ty| locals::same_place(place, pointer) && ty == load.ty();
        let mut earlier = None;
        let before: Vec<Value> = self.backwards(load).take(locals::NEAR).collect();
        for at in before {
            match at.opcode() {
                Opcode::LLVMStore if same(at.operand(1), at.operand(0).ty()) => return Some(at.operand(0)),
                Opcode::LLVMStore if at.operand(0).ty() != load.ty() && locals::base(at.operand(1)) == Some(alloca) => {
                    return earlier;
                }
                Opcode::LLVMCall if is_copy_to(at, alloca) => return earlier.or_else(|| self.origin_of_copy(at, load)),
                Opcode::LLVMLoad if same(at.operand(0), at.ty()) => earlier = Some(at),
                _ => {}
            }
        }
        match locals::stored_values(load)[..] {
            [one] if one.ty() == load.ty() && earlier.is_none() => Some(one),
            _ => earlier,
        }
    }

    /// The same for memory of others.
    fn origin_in_memory(&mut self, load: Value) -> Option<Value> {
        if load.is_volatile() || FpType::of(load.ty()).is_none() {
            return None;
        }
        let place = self.place(load.operand(0))?;
        self.last_in(&place, load, load)
    }

    /// What a copy put into the variable that `load` reads.
    fn origin_of_copy(&mut self, copy: Value, load: Value) -> Option<Value> {
        let is_copy = copy.callee().is_function() && copy.callee().name().starts_with("llvm.memcpy.");
        let steps = self.place(load.operand(0))?.steps;
        if !is_copy || !copy.arguments()[0].is(Opcode::LLVMAlloca) || FpType::of(load.ty()).is_none() {
            return None;
        }
        let from = self.place(copy.arguments()[1]).filter(|p| p.steps.is_empty())?;
        self.last_in(&Place { steps, ..from }, copy, load)
    }

    /// What `place` has before `from`, of the type of `like`. A call is taken to leave alone what it is not given: if it does
    /// not, a rounding that is not asked for may pass for one that is, no more.
    fn last_in(&mut self, place: &Place, from: Value, like: Value) -> Option<Value> {
        let before: Vec<Value> = self.backwards(from).take(NEAR).collect();
        let mut earlier = None;
        for at in before {
            match at.opcode() {
                Opcode::LLVMStore if self.place(at.operand(1)).as_ref() == Some(place) => {
                    return Some(at.operand(0)).filter(|v| v.ty() == like.ty()).or(earlier);
                }
                Opcode::LLVMStore if !locals::base(at.operand(1)).is_some_and(|a| a != place.object) => return earlier,
                Opcode::LLVMCall | Opcode::LLVMInvoke => {
                    let is_copied = at.callee().is_function() && at.callee().name().starts_with("llvm.memcpy.");
                    let given = if is_copied { at.arguments()[..1].to_vec() } else { at.arguments() };
                    if given.into_iter().any(|a| self.is_within(a, place.object)) {
                        return earlier;
                    }
                }
                Opcode::LLVMLoad if at.ty() == like.ty() && self.place(at.operand(0)).as_ref() == Some(place) => {
                    earlier = Some(at);
                }
                _ => {}
            }
        }
        earlier
    }

    /// The object that a pointer leads into, and how far, if that is constant.
    fn place(&mut self, pointer: Value) -> Option<Place> {
        let (mut at, mut steps) = (pointer, Vec::new());
        while at.is(Opcode::LLVMGetElementPtr) {
            for index in at.operands().into_iter().skip(1) {
                steps.push(index.as_const_int()?);
            }
            at = at.operand(0);
        }
        // A first member is at the object's own address.
        while steps.last() == Some(&0) {
            steps.pop();
        }
        Some(Place { object: self.name(at), steps })
    }

    /// The object that a pointer leads into.
    pub fn object(&mut self, pointer: Value) -> Value {
        let mut at = pointer;
        while at.is(Opcode::LLVMGetElementPtr) {
            at = at.operand(0);
        }
        self.name(at)
    }

    /// What a variable of one float is given once, and passed on by pointer.
    pub fn only_value_in(&self, object: Value) -> Option<Value> {
        if !object.is(Opcode::LLVMAlloca) {
            return None;
        }
        let stores = object.users().into_iter().filter(|u| u.is(Opcode::LLVMStore) && u.operand(1) == object);
        match stores.map(|s| s.operand(0)).collect::<Vec<_>>()[..] {
            [one] if FpType::of(one.ty()).is_some() => Some(one),
            _ => None,
        }
    }

    fn is_within(&mut self, pointer: Value, object: Value) -> bool {
        pointer.ty().kind() == Kind::Pointer && self.object(pointer) == object
    }

    /// What ran before an instruction, as far as that is certain.
    fn backwards(&self, from: Value) -> impl Iterator<Item = Value> + '_ {
        std::iter::successors(Some(from), |at| {
            at.previous().or_else(|| self.above.get(&at.block()).and_then(|b| b.terminator()))
        })
        .skip(1)
    }
}

fn is_copy_to(call: Value, alloca: Value) -> bool {
    let is_copy = !call.callee().is_function() || call.callee().name().starts_with("llvm.mem");
    is_copy && call.arguments().into_iter().any(|a| locals::base(a) == Some(alloca))
}
