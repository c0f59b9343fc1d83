//! What functions compute of what they are given, by real arithmetic: polynomials of at most two factors a term.
//!
//! `tail(a, b, x)`, which returns `(a - (x - (x - a))) + (b - (x - a))`, is `a + b - x`: if its caller passes `x = a + b`, it
//! asks what that sum has lost. The same of products: `two_product_tail(a, b, x)`, whose halves come from a function of their
//! own, is `a b - x`. Made bottom-up, before any function of the module is changed.
//! Misses: what goes through memory that is not the function's own, loops, and functions of other modules.

use super::is_plain;
use super::looked_at::LookedAt;
use super::value_numbers::{Sought, ValueNumbers};
use crate::cfg::Cfg;
use crate::fp::FpType;
use crate::llvm::{Kind, Opcode, Value};
use std::collections::{BTreeMap, HashMap};

/// Larger functions compute more than a tail.
const INSTRUCTIONS: usize = 400;
const TERMS: usize = 6;
const DEPTH: u32 = 64;
/// No factor.
const ONE: u8 = u8::MAX;

/// Coefficients by the parameters that they multiply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomial(BTreeMap<[u8; 2], f64>);

/// What a function gives back: a polynomial for each number of its result.
pub type Summary = Vec<Option<Polynomial>>;

/// The functions of a module that have one.
#[derive(Default)]
pub struct Summaries {
    known: HashMap<Value, Option<Summary>>,
    pub looked_at: LookedAt,
}

/// A result of a call as a sum of arguments.
pub enum Tail {
    Linear(Vec<(u8, i32)>),
    /// `sign * (x * y - whole)`.
    Product {
        factors: [u8; 2],
        whole: u8,
        sign: i32,
    },
}

impl Summaries {
    pub fn of(functions: &[Value]) -> Summaries {
        let mut summaries = Summaries::default();
        functions.iter().for_each(|&f| summaries.add(f, 0));
        summaries.known.retain(|_, summary| summary.is_some());
        let mut looked_at = LookedAt::default();
        functions.iter().for_each(|&f| looked_at.add(f, &summaries));
        Summaries { looked_at, ..summaries }
    }

    /// What number `member` of a call's result is.
    pub fn tail(&self, call: Value, member: usize) -> Option<Tail> {
        let polynomial = self.result(call, member)?;
        polynomial.as_linear().map(Tail::Linear).or_else(|| polynomial.as_product())
    }

    fn result(&self, call: Value, member: usize) -> Option<&Polynomial> {
        self.known.get(&call.callee())?.as_ref()?.get(member)?.as_ref()
    }

    fn add(&mut self, function: Value, depth: u32) {
        if depth > DEPTH || self.known.contains_key(&function) {
            return;
        }
        self.known.insert(function, None);
        let summary = self.summary(function, depth);
        self.known.insert(function, summary);
    }

    fn summary(&mut self, function: Value, depth: u32) -> Option<Summary> {
        let result = function.function_type().result();
        let members = match result.kind() {
            Kind::Float | Kind::Double => 1,
            Kind::Struct(n @ 1..=4) => n,
            _ => return None,
        };
        if function.is_declaration()
            || function.blocks().iter().map(|b| b.instructions().len()).sum::<usize>() > INSTRUCTIONS
        {
            return None;
        }
        let order = Cfg::of(function).order;
        let mut returns = order.iter().filter_map(|b| b.terminator()).filter(|t| t.is(Opcode::LLVMRet));
        let (Some(end), None) = (returns.next(), returns.next()) else { return None };
        let mut evaluation = Evaluation {
            summaries: self,
            names: ValueNumbers::of(function, &order),
            parameters: function.parameters(),
            known: HashMap::new(),
            depth,
        };
        let returned = end.operand(0);
        let summary: Summary = match result.kind() {
            Kind::Struct(_) => (0..members).map(|i| evaluation.member(returned, i, 0)).collect(),
            _ => vec![evaluation.of(returned, 0)],
        };
        summary.iter().any(Option::is_some).then_some(summary)
    }
}

struct Evaluation<'a> {
    summaries: &'a mut Summaries,
    names: ValueNumbers,
    parameters: Vec<Value>,
    known: HashMap<Value, Option<Polynomial>>,
    depth: u32,
}

impl Evaluation<'_> {
    fn of(&mut self, value: Value, depth: u32) -> Option<Polynomial> {
        let name = self.names.name(value);
        if let Some(known) = self.known.get(&name) {
            return known.clone();
        }
        if depth > DEPTH {
            return None;
        }
        self.known.insert(name, None);
        let polynomial = self.evaluate(name, depth + 1);
        self.known.insert(name, polynomial.clone());
        polynomial
    }

    fn evaluate(&mut self, value: Value, depth: u32) -> Option<Polynomial> {
        if !matches!(value.ty().kind(), Kind::Float | Kind::Double) {
            return None;
        }
        if let Some(constant) = value.as_const_real() {
            return Some(Polynomial::constant(constant));
        }
        if let Some(number) = self.parameters.iter().position(|&p| p == value) {
            return Some(Polynomial::parameter(u8::try_from(number).ok().filter(|&n| n != ONE)?));
        }
        if !value.is_instruction() {
            return None;
        }
        let operand = |this: &mut Self, n: u32| this.of(value.operand(n), depth);
        match value.opcode() {
            Opcode::LLVMFAdd if is_plain(value) => operand(self, 0)?.plus(&operand(self, 1)?, 1.0),
            Opcode::LLVMFSub if is_plain(value) => operand(self, 0)?.plus(&operand(self, 1)?, -1.0),
            Opcode::LLVMFMul if is_plain(value) => operand(self, 0)?.times(&operand(self, 1)?),
            Opcode::LLVMFNeg => Polynomial::default().plus(&operand(self, 0)?, -1.0),
            Opcode::LLVMExtractValue => match value.indices()[..] {
                [index] => self.member(value.operand(0), index, depth),
                _ => None,
            },
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.call(value, 0, depth),
            _ => None,
        }
    }

    /// A number of an aggregate.
    fn member(&mut self, aggregate: Value, index: u32, depth: u32) -> Option<Polynomial> {
        let mut at = aggregate;
        while at.is(Opcode::LLVMInsertValue) {
            if at.indices() == [index] {
                return self.of(at.operand(1), depth);
            }
            at = at.operand(0);
        }
        match at.is_instruction().then(|| at.opcode()) {
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => self.call(at, index as usize, depth),
            Some(Opcode::LLVMLoad) => {
                let stored = self.names.member(at, index, Sought::member(at, at.ty().field(index)))?;
                self.of(stored, depth)
            }
            _ => None,
        }
    }

    fn call(&mut self, call: Value, member: usize, depth: u32) -> Option<Polynomial> {
        if !call.callee().is_function() {
            return None;
        }
        let arguments = call.arguments();
        let name = call.callee().name();
        if name.starts_with("llvm.fma.") || name.starts_with("llvm.fmuladd.") || matches!(name.as_str(), "fma" | "fmaf")
        {
            let [x, y, z] = [0, 1, 2].map(|n| self.of(arguments[n], depth));
            return x?.times(&y?)?.plus(&z?, 1.0);
        }
        self.summaries.add(call.callee(), self.depth + 1);
        let inner = self.summaries.result(call, member)?.clone();
        let mut sum = Polynomial::default();
        for (factors, coefficient) in inner.0 {
            let mut term = Polynomial::constant(coefficient);
            for factor in factors.into_iter().filter(|&f| f != ONE) {
                term = term.times(&self.of(*arguments.get(usize::from(factor))?, depth)?)?;
            }
            sum = sum.plus(&term, 1.0)?;
        }
        Some(sum)
    }
}

impl Polynomial {
    fn constant(value: f64) -> Polynomial {
        Polynomial(if value == 0.0 { BTreeMap::new() } else { BTreeMap::from([([ONE; 2], value)]) })
    }

    fn parameter(number: u8) -> Polynomial {
        Polynomial(BTreeMap::from([([number, ONE], 1.0)]))
    }

    fn plus(mut self, other: &Polynomial, sign: f64) -> Option<Polynomial> {
        for (&factors, &coefficient) in &other.0 {
            self.add(factors, sign * coefficient)?;
        }
        (self.0.len() <= TERMS).then_some(self)
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (x, a) in &self.0 {
            for (y, b) in &other.0 {
                let mut factors: Vec<u8> = x.iter().chain(y).copied().filter(|&f| f != ONE).collect();
                factors.sort_unstable();
                factors.resize(factors.len().max(2), ONE);
                product.add(factors.try_into().ok()?, a * b)?;
            }
        }
        (product.0.len() <= TERMS).then_some(product)
    }

    /// None if the coefficients are no longer exact.
    fn add(&mut self, factors: [u8; 2], coefficient: f64) -> Option<()> {
        const EXACT: f64 = (1u64 << 53) as f64;
        let sum = self.0.get(&factors).copied().unwrap_or(0.0) + coefficient;
        if !(sum.abs() < EXACT && sum.fract() == 0.0) {
            return None;
        }
        match sum == 0.0 {
            true => self.0.remove(&factors),
            false => self.0.insert(factors, sum),
        };
        Some(())
    }

    /// At least two parameters, each once.
    fn as_linear(&self) -> Option<Vec<(u8, i32)>> {
        let term = |(&[x, y], &c): (&[u8; 2], &f64)| (x != ONE && y == ONE && c.abs() == 1.0).then_some((x, c as i32));
        let terms: Vec<(u8, i32)> = self.0.iter().map(term).collect::<Option<_>>()?;
        (terms.len() >= 2).then_some(terms)
    }

    fn as_product(&self) -> Option<Tail> {
        let [(&first, &a), (&second, &b)] = self.0.iter().collect::<Vec<_>>()[..] else { return None };
        let (factors, whole, sign) = if first[1] == ONE { (second, first, b) } else { (first, second, a) };
        let is_one = factors[1] != ONE && whole[0] != ONE && whole[1] == ONE && a == -b && a.abs() == 1.0;
        is_one.then_some(Tail::Product { factors, whole: whole[0], sign: sign as i32 })
    }
}

/// The numbers of a call's result that the program looks at, each with its place.
pub fn members(call: Value) -> Vec<(Value, usize)> {
    if FpType::of(call.ty()).is_some() {
        return vec![(call, 0)];
    }
    let taken = call.users().into_iter().filter(|u| u.is(Opcode::LLVMExtractValue));
    taken.filter_map(|u| Some((u, *u.indices().first()? as usize))).collect()
}
