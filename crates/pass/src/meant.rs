//! Roundings that are meant: the program works out what they cost, and keeps both.
//!
//! `s = a + b; z = s - a; low = b - z` wants what `s` lost. By real arithmetic `low` is 0 whatever `a` and `b` are, and
//! nobody computes a 0 with three roundings for its own sake: the pair `s`, `low` is the sum. So `s` is taken for what it
//! is, without the rounding error that `low` has, and from the ordinary residue formulas follows that `low` is right as
//! computed (where it is: what the transformation itself loses, or gets from outside, stays a residue).
//! The same holds for a product that a fused multiply-add is taken from, and for a quotient whose remainder is asked for.
//! If `s` is not kept, `low` alone is rounding error and nothing else: then nothing is meant.
//!
//! Found by looking, for each sum, at the sums and differences that are made of it and its own operands alone, as linear
//! forms in those: one that is 0 tells. This knows Fast2Sum, TwoSum, Kahan's and Neumaier's steps in any order and sign.
//! Misses: operands that come from memory other than local variables, pieces in other functions (of a quotient's remainder
//! the product may be in a call), roots and other approximations that a step of Newton's corrects.

use crate::fp::FpType;
use crate::llvm::{Block, Opcode, Value};
use crate::locals;
use nonius_abi::Precision;
use std::collections::{HashMap, HashSet};

/// Operations behind one that are looked at.
const NEAR: usize = 48;

#[derive(Default)]
pub struct Meant {
    /// Operations whose rounding is meant.
    pub rounded: HashSet<Value>,
    /// What they cost, each with the operation it is for. Its ideal is a difference of that one's errors: what the
    /// shadows' own rounding leaves of them is none.
    pub low: HashMap<Value, Value>,
}

/// What a function means. Asked before shadow code is there.
pub fn roundings(function: Value, order: &[Block]) -> Meant {
    let all: Vec<Value> = order.iter().flat_map(|b| b.instructions()).collect();
    let mut names = Names::of(function, order);
    let sums: Vec<Sum> = all.iter().filter_map(|&i| names.sum(i)).collect();
    let products: Vec<Product> = all.iter().filter_map(|&i| names.product(i)).collect();
    let mut meant = Meant::default();
    for (at, sum) in sums.iter().enumerate() {
        let Asked { pattern, steps, low } = sum.asked_for_by(&sums[at + 1..]);
        let leaks = |names: &mut Names| steps.iter().any(|&step| names.is_kept(step, &pattern));
        if low.iter().any(|&l| is_read(l)) && names.is_kept(sum.result, &pattern) && !leaks(&mut names) {
            meant.rounded.insert(sum.result);
            meant.low.extend(low.into_iter().map(|l| (l, sum.result)));
        }
    }
    for product in &products {
        let under = product.plus.name;
        if names.is_error_of(product, under) && is_read(product.result) && names.is_kept(under, &[product.result]) {
            meant.rounded.insert(under);
            meant.low.insert(product.result, under);
        }
    }
    for &quotient in all.iter().filter(|i| i.is(Opcode::LLVMFDiv) && is_plain(**i)) {
        let pattern = names.remainder_of(quotient, &products, &sums, &meant.rounded);
        if !pattern.is_empty() && names.is_kept(quotient, &pattern) {
            meant.rounded.insert(quotient);
        }
    }
    meant
}

/// A name with a sign.
#[derive(Clone, Copy, PartialEq)]
struct Term {
    name: Value,
    sign: i32,
}

/// A sum or difference.
struct Sum {
    result: Value,
    terms: [Term; 2],
}

/// A fused multiply-add, or a call that is given both factors.
struct Product {
    result: Value,
    factors: Vec<Term>,
    plus: Term,
    is_call: bool,
}

/// A linear form in the two terms of a sum, and whether the sum itself is in it.
#[derive(Clone, Copy)]
struct Form {
    of: [i32; 2],
    has_sum: bool,
}

/// Later sums of a sum and its terms.
#[derive(Default)]
struct Asked {
    /// All of them.
    pattern: Vec<Value>,
    /// Those on the way to a low word: of use for nothing else, or the program wants them for themselves, as in
    /// `s = a + b; back = s - a` and then `lost = back - b`.
    steps: Vec<Value>,
    /// Those that are 0 by real arithmetic.
    low: Vec<Value>,
}

impl Sum {
    fn asked_for_by(&self, later: &[Sum]) -> Asked {
        let [a, b] = self.terms;
        let mut asked = Asked::default();
        if a.name == b.name {
            return asked;
        }
        let plain = |of| Form { of, has_sum: false };
        let own = Form { of: [a.sign, b.sign], has_sum: true };
        let mut forms = HashMap::from([(a.name, plain([1, 0])), (b.name, plain([0, 1])), (self.result, own)]);
        let mut parts: HashMap<Value, [Value; 2]> = HashMap::new();
        for sum in later.iter().take(NEAR) {
            let [left, right] = sum.terms;
            let (Some(x), Some(y)) = (forms.get(&left.name), forms.get(&right.name)) else { continue };
            // `s - s` asks whether s is finite, and a second `a + b` is another sum.
            if left.name == right.name || !(x.has_sum || y.has_sum) {
                continue;
            }
            let of = [0, 1].map(|i| left.sign * x.of[i] + right.sign * y.of[i]);
            forms.insert(sum.result, Form { of, has_sum: true });
            parts.insert(sum.result, [left.name, right.name]);
            asked.pattern.push(sum.result);
            if of == [0, 0] {
                asked.low.push(sum.result);
            }
        }
        let mut open = asked.low.clone();
        while let Some(value) = open.pop() {
            let made_of = parts.remove(&value).into_iter().flatten();
            for step in made_of.filter(|step| parts.contains_key(step)) {
                open.push(step);
                if !asked.low.contains(&step) && !asked.steps.contains(&step) {
                    asked.steps.push(step);
                }
            }
        }
        asked
    }
}

/// Which values are the same: at -O0 each use of a local variable is a load of its own.
struct Names {
    /// The only block before each that has one.
    above: HashMap<Block, Block>,
    known: HashMap<Value, Value>,
}

impl Names {
    fn of(function: Value, order: &[Block]) -> Names {
        let mut above: HashMap<Block, Vec<Block>> = HashMap::new();
        for &block in order {
            for next in block.successors() {
                above.entry(next).or_default().push(block);
            }
        }
        let entry = function.blocks()[0];
        let above = above.into_iter().filter(|(b, from)| *b != entry && from.len() == 1);
        Names { above: above.map(|(b, from)| (b, from[0])).collect(), known: HashMap::new() }
    }

    fn sum(&mut self, i: Value) -> Option<Sum> {
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

    fn product(&mut self, i: Value) -> Option<Product> {
        if !matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
            return None;
        }
        let name = if i.callee().is_function() { i.callee().name() } else { String::new() };
        let is_fused = name.starts_with("llvm.fma.") || matches!(name.as_str(), "fma" | "fmaf");
        if name.starts_with("llvm.") && !is_fused {
            return None;
        }
        let mut terms = Vec::new();
        for argument in i.arguments().into_iter().filter(|a| FpType::of(a.ty()).is_some()) {
            terms.push(self.term(argument));
        }
        let least = if is_fused { 3 } else { 2 };
        let plus = *terms.last().filter(|_| terms.len() >= least)?;
        let factors = if is_fused { terms[..2].to_vec() } else { terms };
        Some(Product { result: i, factors, plus, is_call: !is_fused })
    }

    /// Whether `error` is a fused multiply-add that takes a product from itself.
    fn is_error_of(&mut self, error: &Product, product: Value) -> bool {
        if error.is_call || !product.is(Opcode::LLVMFMul) || !is_plain(product) {
            return false;
        }
        let [a, b] = [0, 1].map(|index| self.term(product.operand(index)));
        let [x, y] = [error.factors[0], error.factors[1]];
        let same = (a.name, b.name) == (x.name, y.name) || (a.name, b.name) == (y.name, x.name);
        same && x.sign * y.sign * error.plus.sign * a.sign * b.sign == -1
    }

    /// The operations that take a quotient times its divisor from its dividend, if there are any.
    fn remainder_of(&mut self, q: Value, products: &[Product], sums: &[Sum], meant: &HashSet<Value>) -> Vec<Value> {
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
    fn is_kept(&mut self, value: Value, pattern: &[Value]) -> bool {
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

    fn term(&mut self, value: Value) -> Term {
        let mut term = Term { name: self.name(value), sign: 1 };
        while term.name.is(Opcode::LLVMFNeg) {
            term = Term { name: self.name(term.name.operand(0)), sign: -term.sign };
        }
        term
    }

    fn name(&mut self, value: Value) -> Value {
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
    fn origin(&self, load: Value) -> Option<Value> {
        let pointer = load.operand(0);
        let alloca = locals::base(pointer).filter(|&a| locals::is_register(a))?;
        let same = |place: Value, ty| locals::same_place(place, pointer) && ty == load.ty();
        let mut earlier = None;
        for at in self.backwards(load).take(locals::NEAR) {
            match at.opcode() {
                Opcode::LLVMStore if same(at.operand(1), at.operand(0).ty()) => return Some(at.operand(0)),
                Opcode::LLVMStore if at.operand(0).ty() != load.ty() && locals::base(at.operand(1)) == Some(alloca) => {
                    return earlier;
                }
                Opcode::LLVMCall if is_copy_to(at, alloca) => return earlier,
                Opcode::LLVMLoad if same(at.operand(0), at.ty()) => earlier = Some(at),
                _ => {}
            }
        }
        match locals::stored_values(load)[..] {
            [one] if one.ty() == load.ty() && earlier.is_none() => Some(one),
            _ => earlier,
        }
    }

    /// What ran before an instruction, as far as that is certain.
    fn backwards(&self, from: Value) -> impl Iterator<Item = Value> + '_ {
        std::iter::successors(Some(from), |at| {
            at.previous().or_else(|| self.above.get(&at.block()).and_then(|b| b.terminator()))
        })
        .skip(1)
    }
}

/// Whether anything is done with a value: a variable that is only written does not count, as in a compensated sum
/// that forgets its compensation.
fn is_read(value: Value) -> bool {
    value.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMFNeg => is_read(user),
        Opcode::LLVMStore => match locals::base(user.operand(1)).filter(|&a| locals::is_register(a)) {
            Some(variable) => variable.users().into_iter().any(|u| !u.is(Opcode::LLVMStore)),
            None => true,
        },
        _ => true,
    })
}

fn is_copy_to(call: Value, alloca: Value) -> bool {
    let is_copy = !call.callee().is_function() || call.callee().name().starts_with("llvm.mem");
    is_copy && call.arguments().into_iter().any(|a| locals::base(a) == Some(alloca))
}

/// What both engines re-do alike.
fn is_plain(i: Value) -> bool {
    let precision = FpType::of(i.ty()).map(|fp| fp.precision);
    !i.has_fast_math() && matches!(precision, Some(Precision::Float | Precision::Double))
}
