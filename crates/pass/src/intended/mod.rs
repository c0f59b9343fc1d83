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
//! Pieces in other functions of the module are known by what those compute (see `summary`); the product and the difference behind
//! a remainder may be any calls. Beside these stand values whose error the program bounds (see `filters`).
//! Pieces behind pointers in other functions, and in variables that several branches write, are found in a copy (see
//! `looked_at`). Numbers that are rounded to a step by adding and taking away a constant are a kind of their own (see `snaps`).
//! Misses: pieces in other modules, and sums in small functions that others call for other purposes too.

mod asked;
mod filters;
mod halves;
mod looked_at;
mod nonfinite;
mod powers;
mod snaps;
mod summary;
mod value_numbers;

use crate::fp::FpType;
use crate::llvm::{Block, Opcode, Value};
use crate::locals;
use asked::{Asked, By, Linear, Linears};
use nonius_abi::Precision;
use std::collections::{HashMap, HashSet};
pub use summary::Summaries;
use summary::Tail;
use value_numbers::ValueNumbers;

/// Instructions before one that are looked at.
const NEAR: usize = 200;

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
    /// Behind these instructions, values whose error the program has bounded, each with the bound (see `filters`).
    pub bounded: HashMap<Value, (Value, Value)>,
    /// Sums with a constant that only round to a step, each with half of that.
    pub snaps: HashMap<Value, f64>,
    /// Operations whose NaN or infinity is made on purpose (see `nonfinite`).
    pub nonfinite: HashSet<Value>,
    between: HashSet<Value>,
}

impl IntendedRoundings {
    /// Whether a value only leads to a low word: what it rounds away is taken into account there.
    pub fn is_on_the_way(&self, value: Value) -> bool {
        self.between.contains(&value)
    }

    /// A part of a low word is one too, `a - (s - z)` of `(a - (s - z)) + (b - z)`: what it lacks is in the other. And so are
    /// copies of it, as unoptimized code makes them of objects.
    fn note_steps_between(&mut self, names: &mut ValueNumbers, order: &[Block]) {
        let on_the_way = |(&low, steps): (&Value, &Vec<Step>)| {
            steps.iter().map(|step| step.operation).filter(|&step| step != low).collect::<Vec<_>>()
        };
        self.between = self.steps.iter().flat_map(on_the_way).collect();
        if self.between.is_empty() {
            return;
        }
        let is_copy = |i: &Value| i.is(Opcode::LLVMLoad) || i.is(Opcode::LLVMExtractValue);
        for copy in order.iter().flat_map(|b| b.instructions()).filter(is_copy) {
            if FpType::of(copy.ty()).is_some() && self.between.contains(&names.name(copy)) {
                self.between.insert(copy);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rounded.is_empty() && self.seeds.is_empty()
    }

    /// A sum that is asked what it has lost.
    fn add_sum(&mut self, names: &mut ValueNumbers, sum: &Sum, asked: &Asked) {
        let Asked { pattern, steps, low, .. } = asked;
        if !low.iter().any(|&l| is_read(names, l)) {
            return;
        }
        let leaks = |names: &mut ValueNumbers| steps.iter().any(|&step| names.is_kept(step, pattern));
        // Of what is 0 by real arithmetic nobody asks the sign, but whether the sum is exact.
        let is_asked = |names: &mut ValueNumbers, l: Value| !names.is_kept(l, pattern) || names.is_only_tested(l);
        let is_wanted =
            |names: &mut ValueNumbers| names.is_kept(sum.result, pattern) || low.iter().all(|&l| is_asked(names, l));
        if halves::cuts(names, sum) || is_wanted(names) && !leaks(names) {
            self.rounded.insert(sum.result);
            for (low, steps) in low.iter().filter_map(|&l| Some((l, asked.steps_to(l)?))) {
                self.low.insert(low, sum.result);
                self.steps.insert(low, steps);
            }
        }
    }

    /// What is rounded to a step is not a sum whose low word is wanted, even if the program takes the step from its operand.
    fn forget_words_of_snaps(&mut self) {
        let IntendedRoundings { rounded, low, steps, snaps, .. } = self;
        rounded.retain(|sum| !snaps.contains_key(sum));
        low.retain(|l, sum| {
            let is_kept = !snaps.contains_key(sum);
            if !is_kept {
                steps.remove(l);
            }
            is_kept
        });
    }

    /// Products that are asked what they have lost: by calls, by fused multiply-adds, and by halves.
    fn add_products(&mut self, names: &mut ValueNumbers, all: &[Value], fused: &[Product], calls: &[Product]) {
        let is_wanted = |names: &mut ValueNumbers, product: Value, pattern: &[Value], low: Value| {
            is_read(names, low) && (names.is_kept(product, pattern) || names.is_only_tested(low))
        };
        for &Product { result, plus, .. } in calls {
            let call = if result.is(Opcode::LLVMExtractValue) { result.operand(0) } else { result };
            if is_wanted(names, plus.name, &[result, call], result) {
                self.rounded.insert(plus.name);
            }
        }
        for product in fused {
            let under = product.plus.name;
            if names.is_error_of(product, under) && is_wanted(names, under, &[product.result], product.result) {
                self.rounded.insert(under);
                self.low.insert(product.result, under);
            }
        }
        let mut by_halves = halves::Sums::default();
        for &low in all {
            let Some(lost) = by_halves.lost(names, low) else { continue };
            if is_wanted(names, lost.product, &lost.pattern, low) {
                self.rounded.insert(lost.product);
                self.low.insert(low, lost.product);
                self.steps.remove(&low);
            }
        }
    }
}

/// A sum or difference on the way to a low word.
#[derive(Clone, Debug)]
pub struct Step {
    pub operation: Value,
    /// Its operands that are earlier steps, by their number, each with its sign.
    pub of: Vec<(usize, i32)>,
}

/// What a function intends. Asked before shadow code is there.
pub fn roundings(function: Value, order: &[Block], summaries: &Summaries) -> IntendedRoundings {
    let mut names = ValueNumbers::of(function, order);
    let mut intended = search(&mut names, function, order, summaries);
    summaries.looked_at.add_to(&mut intended, order);
    intended.note_steps_between(&mut names, order);
    intended
}

/// The same, of what shows in it.
fn search(names: &mut ValueNumbers, function: Value, order: &[Block], summaries: &Summaries) -> IntendedRoundings {
    let all: Vec<Value> = order.iter().flat_map(|b| b.instructions()).collect();
    let sums: Vec<Sum> = all.iter().filter_map(|&i| names.sum(i)).collect();
    let products: Vec<Product> = all.iter().filter_map(|&i| names.product(i)).collect();
    let (linears, tails) = tails(names, order, summaries);
    let mut meant = IntendedRoundings::default();
    sums.iter().for_each(|sum| meant.add_sum(names, sum, &linears.asked_of(sum)));
    meant.add_products(names, &all, &products, &tails);
    for &quotient in all.iter().filter(|i| i.is(Opcode::LLVMFDiv) && is_plain(**i)) {
        let pattern = names.remainder_of(quotient, &products, &sums, &meant.rounded);
        if !pattern.is_empty() && names.is_kept(quotient, &pattern) {
            meant.rounded.insert(quotient);
        }
    }
    let found = powers::approximations(names, &all, &products, &sums, &meant);
    meant.rounded.extend(found.operations);
    meant.beside = found.remainders;
    meant.seeds = found.seeds;
    meant.bounded = filters::bounded(names, function, order);
    meant.snaps = snaps::snaps(names, &all, &products, &sums);
    meant.forget_words_of_snaps();
    meant.nonfinite = nonfinite::on_purpose(names, &all);
    for sum in &sums {
        // Further parts of the same: low words, and what they are multiplied by.
        let of = sum.terms.iter().find(|t| meant.beside.contains_key(&t.name) && t.name.block() == sum.result.block());
        if let Some(&whole) = of.and_then(|t| meant.beside.get(&t.name)) {
            meant.beside.entry(sum.result).or_insert(whole);
        }
    }
    meant
}

/// What is a sum of other values, in the function's order, and the calls that ask what a product has lost.
fn tails(names: &mut ValueNumbers, order: &[Block], summaries: &Summaries) -> (Linears, Vec<Product>) {
    let places: HashMap<Block, usize> = order.iter().enumerate().map(|(at, &block)| (block, at)).collect();
    let (mut linears, mut products) = (Vec::new(), Vec::new());
    for i in order.iter().flat_map(|b| b.instructions()) {
        if let Some(sum) = names.sum(i) {
            linears.push(Linear { result: sum.result, terms: sum.terms.to_vec(), by: By::Operation });
        }
        if FpType::of(i.ty()).is_some() {
            linears.extend(Linear::choice(i, &places, |v| names.term(v)));
        }
        if !matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
            continue;
        }
        let arguments = i.arguments();
        for (result, tail) in summary::members(i).into_iter().filter_map(|(v, n)| Some((v, summaries.tail(i, n)?))) {
            let mut term = |n: u8| names.term(arguments[usize::from(n)]);
            match tail {
                Tail::Linear(terms) => {
                    let signed = |(n, sign): (u8, i32)| Term { sign: sign * term(n).sign, ..term(n) };
                    linears.push(Linear { result, terms: terms.into_iter().map(signed).collect(), by: By::Call(i) });
                }
                Tail::Product { factors, whole, sign } => {
                    let mut factors = factors.map(&mut term);
                    factors[0].sign *= sign;
                    let plus = Term { sign: -sign * term(whole).sign, ..term(whole) };
                    let product = Product { result, factors: factors.to_vec(), plus, is_call: false };
                    if names.is_error_of(&product, plus.name) {
                        products.push(product);
                    }
                }
            }
        }
    }
    (Linears::new(linears), products)
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

/// Whether anything is done with a value: a variable that is only written does not count, as in a compensated sum
/// that forgets its compensation.
fn is_read(names: &mut ValueNumbers, value: Value) -> bool {
    value.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMFNeg => is_read(names, user),
        Opcode::LLVMStore => match locals::base(user.operand(1)).filter(|&a| names.is_register(a)) {
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
