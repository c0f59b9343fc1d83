//! Roundings that are meant: the program works out what they cost, and keeps both.
//!
//! `s = a + b; z = s - a; low = b - z` wants what `s` lost. By real arithmetic `low` is 0 whatever `a` and `b` are, and
//! nobody computes a 0 with three roundings for its own sake: the pair `s`, `low` is the sum. So `s` is taken for what it
//! is, without the rounding error that `low` has, and from the ordinary residue formulas follows that `low` is right as
//! computed (where it is: what the transformation itself loses, or gets from outside, stays a residue).
//! The same holds for a product that a fused multiply-add is taken from or that is made anew of halves (see `halves`), and for
//! a quotient or a root whose remainder is asked for (see `powers`).
//! If `s` is not kept, `low` alone is rounding error and nothing else: then nothing is meant.
//!
//! Found by looking, for each sum, at the sums and differences that are made of it and its own operands alone, as linear
//! forms in those: one that is 0 tells. This knows Fast2Sum, TwoSum, Kahan's and Neumaier's steps in any order and sign.
//! Misses: pieces in other functions (the product and the difference behind a remainder may be calls).

mod halves;
mod powers;
mod value_numbers;

use crate::fp::FpType;
use crate::llvm::{Block, Opcode, Value};
use crate::locals;
use nonius_abi::Precision;
use std::collections::{HashMap, HashSet};
use value_numbers::ValueNumbers;

/// Operations behind one that are looked at.
const NEAR: usize = 48;

#[derive(Default)]
pub struct IntendedRoundings {
    /// Operations whose rounding is meant.
    pub rounded: HashSet<Value>,
    /// What they cost, each with the operation it is for. Its ideal is a difference of that one's errors: what the
    /// shadows' own rounding leaves of them is none.
    pub low: HashMap<Value, Value>,
    /// The steps that lead to low words of sums, each last its own. By real arithmetic what the sum's operands bring along cancels
    /// in them: the error of the low word is what the steps themselves round away, and asks for no shadow.
    pub steps: HashMap<Value, Vec<Step>>,
    /// Sums that are what is left of a value, and calls that work it out of their arguments, each with that value. Errors
    /// that two words of it could not hold are none there: they are added to it, or to its root or quotient.
    pub beside: HashMap<Value, Value>,
    /// Results of functions that the program corrects. An error of a few last bits is none.
    pub seeds: HashSet<Value>,
}

/// A sum or difference on the way to a low word.
#[derive(Clone, Debug)]
pub struct Step {
    pub operation: Value,
    /// Its operands that are earlier steps, by their number, each with its sign.
    pub of: Vec<(usize, i32)>,
}

/// What a function means. Asked before shadow code is there.
pub fn roundings(function: Value, order: &[Block]) -> IntendedRoundings {
    let all: Vec<Value> = order.iter().flat_map(|b| b.instructions()).collect();
    let mut names = ValueNumbers::of(function, order);
    let sums: Vec<Sum> = all.iter().filter_map(|&i| names.sum(i)).collect();
    let products: Vec<Product> = all.iter().filter_map(|&i| names.product(i)).collect();
    let mut meant = IntendedRoundings::default();
    for (at, sum) in sums.iter().enumerate() {
        let asked = sum.asked_for_by(&sums[at + 1..]);
        let Asked { pattern, steps, low, .. } = &asked;
        if !low.iter().any(|&l| is_read(l)) {
            continue;
        }
        let leaks = |names: &mut ValueNumbers| steps.iter().any(|&step| names.is_kept(step, pattern));
        if halves::cuts(&mut names, sum) || names.is_kept(sum.result, pattern) && !leaks(&mut names) {
            meant.rounded.insert(sum.result);
            meant.low.extend(low.iter().map(|&l| (l, sum.result)));
            meant.steps.extend(low.iter().map(|&l| (l, asked.steps_to(l))));
        }
    }
    for product in &products {
        let under = product.plus.name;
        if names.is_error_of(product, under) && is_read(product.result) && names.is_kept(under, &[product.result]) {
            meant.rounded.insert(under);
            meant.low.insert(product.result, under);
        }
    }
    let mut by_halves = halves::Sums::default();
    for &low in &all {
        let Some(lost) = by_halves.lost(&mut names, low) else { continue };
        if is_read(low) && names.is_kept(lost.product, &lost.pattern) {
            meant.rounded.insert(lost.product);
            meant.low.insert(low, lost.product);
            meant.steps.remove(&low);
        }
    }
    for &quotient in all.iter().filter(|i| i.is(Opcode::LLVMFDiv) && is_plain(**i)) {
        let pattern = names.remainder_of(quotient, &products, &sums, &meant.rounded);
        if !pattern.is_empty() && names.is_kept(quotient, &pattern) {
            meant.rounded.insert(quotient);
        }
    }
    let found = powers::approximations(&mut names, &all, &products, &sums, &meant);
    meant.rounded.extend(found.operations);
    meant.beside = found.remainders;
    meant.seeds = found.seeds;
    for sum in &sums {
        // Further parts of the same: low words, and what they are multiplied by.
        let of = sum.terms.iter().find(|t| meant.beside.contains_key(&t.name) && t.name.block() == sum.result.block());
        if let Some(&whole) = of.and_then(|t| meant.beside.get(&t.name)) {
            meant.beside.entry(sum.result).or_insert(whole);
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
    terms: HashMap<Value, [Term; 2]>,
}

impl Asked {
    /// The sums that lead to these, which are among them, in their order.
    fn needed_for(&self, low: &[Value]) -> Vec<Value> {
        let (mut needed, mut open) = (HashSet::new(), low.to_vec());
        while let Some(value) = open.pop() {
            if let Some(terms) = self.terms.get(&value).filter(|_| needed.insert(value)) {
                open.extend(terms.iter().map(|t| t.name));
            }
        }
        self.pattern.iter().copied().filter(|v| needed.contains(v)).collect()
    }

    fn steps_to(&self, low: Value) -> Vec<Step> {
        let order = self.needed_for(&[low]);
        let number = |v: Value| order.iter().position(|&o| o == v);
        let step = |&operation: &Value| {
            let of = self.terms[&operation].iter().filter_map(|t| Some((number(t.name)?, t.sign)));
            Step { operation, of: of.collect() }
        };
        order.iter().map(step).collect()
    }
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
        for sum in later.iter().take(NEAR) {
            let [left, right] = sum.terms;
            let (Some(x), Some(y)) = (forms.get(&left.name), forms.get(&right.name)) else { continue };
            // `s - s` asks whether s is finite, and a second `a + b` is another sum.
            if left.name == right.name || !(x.has_sum || y.has_sum) {
                continue;
            }
            let of = [0, 1].map(|i| left.sign * x.of[i] + right.sign * y.of[i]);
            forms.insert(sum.result, Form { of, has_sum: true });
            asked.terms.insert(sum.result, sum.terms);
            asked.pattern.push(sum.result);
            if of == [0, 0] {
                asked.low.push(sum.result);
            }
        }
        let needed = asked.needed_for(&asked.low);
        asked.steps = needed.into_iter().filter(|step| !asked.low.contains(step)).collect();
        asked
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

/// What both engines re-do alike.
fn is_plain(i: Value) -> bool {
    let precision = FpType::of(i.ty()).map(|fp| fp.precision);
    matches!(precision, Some(Precision::Float | Precision::Double)) && !i.has_fast_math()
}
