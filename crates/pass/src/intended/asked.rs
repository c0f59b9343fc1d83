//! Which later operations ask what a sum has lost: those that are made of it and its own operands alone and are 0 by real
//! arithmetic. Each is a linear form in the two operands. Only what is made of the sum is looked at, wherever it stands.
//! Where the program orders the operands by size first (`if (fabs(x) < fabs(y)) swap`), the optimizer adds them up as they were and
//! selects the larger for the tail: such a form has one value where the condition holds, and one where it does not.

use super::{Step, Sum, Term};
use crate::llvm::{Block, Opcode, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Operations behind a sum that are looked at, and uses of one value.
const MOST: usize = 96;

/// Ways into a phi.
const WAYS: usize = 8;

/// A value that is a sum of others, each with its sign.
pub struct Linear {
    pub result: Value,
    pub terms: Vec<Term>,
    pub by: By,
}

pub enum By {
    Operation,
    /// A function that adds up what it is given.
    Call(Value),
    /// One of the terms: a phi with the blocks that they come from.
    Choice(Vec<Block>),
    /// The first of the terms where the condition holds, else the second.
    Select(Value),
}

/// All linear values of a function, in its order.
pub struct Linears {
    all: Vec<Linear>,
    /// By the name of a term.
    users: HashMap<Value, Vec<usize>>,
    results: HashMap<Value, usize>,
}

/// A linear form in the two terms of a sum, and whether the sum itself is in it.
#[derive(Clone, Copy)]
struct Form {
    /// Where the condition holds, and where it does not.
    of: [[i32; 2]; 2],
    condition: Option<Value>,
    has_sum: bool,
}

impl Form {
    fn plain(of: [i32; 2], has_sum: bool) -> Form {
        Form { of: [of; 2], condition: None, has_sum }
    }

    fn signed(self, sign: i32) -> Form {
        Form { of: self.of.map(|of| of.map(|c| sign * c)), ..self }
    }

    /// None under two conditions.
    fn plus(self, other: Form) -> Option<Form> {
        let is_one = self.condition.is_none() || other.condition.is_none() || self.condition == other.condition;
        let of = [0, 1].map(|case| [0, 1].map(|i| self.of[case][i] + other.of[case][i]));
        let condition = self.condition.or(other.condition);
        is_one.then_some(Form { of, condition, has_sum: self.has_sum || other.has_sum })
    }

    /// One form where the condition holds, another where it does not.
    fn select(condition: Value, then: Form, otherwise: Form) -> Option<Form> {
        let is_plain = [then, otherwise].iter().all(|f| f.condition.is_none_or(|c| c == condition));
        let has_sum = then.has_sum || otherwise.has_sum;
        is_plain.then_some(Form { of: [then.of[0], otherwise.of[1]], condition: Some(condition), has_sum })
    }
}

/// Later sums of a sum and its terms.
#[derive(Default)]
pub struct Asked {
    /// All of them, and the calls among them.
    pub pattern: Vec<Value>,
    /// Those on the way to a low word: of use for nothing else, or the program wants them for themselves, as in
    /// `s = a + b; back = s - a` and then `lost = back - b`.
    pub steps: Vec<Value>,
    /// Those that are 0 by real arithmetic.
    pub low: Vec<Value>,
    terms: HashMap<Value, Vec<Term>>,
    /// Those that are no operation.
    others: HashSet<Value>,
    /// Choices among which is the sum itself, or only its operands: what the program does with those is its own affair.
    own: HashSet<Value>,
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

    /// The steps that lead to a low word, if all of them are operations.
    pub fn steps_to(&self, low: Value) -> Option<Vec<Step>> {
        let order = self.needed_for(&[low]);
        if order.iter().any(|step| self.others.contains(step)) {
            return None;
        }
        let number = |v: Value| order.iter().position(|&o| o == v);
        let step = |&operation: &Value| {
            let of = self.terms[&operation].iter().filter_map(|t| Some((number(t.name)?, t.sign)));
            Step { operation, of: of.collect() }
        };
        Some(order.iter().map(step).collect())
    }

    fn add(&mut self, linear: &Linear, form: Form, sum: [i32; 2]) {
        self.terms.insert(linear.result, linear.terms.clone());
        self.pattern.push(linear.result);
        if !matches!(linear.by, By::Operation) {
            self.others.insert(linear.result);
        }
        if let By::Call(call) = linear.by {
            self.pattern.push(call);
        }
        if linear.is_choice() && (!form.has_sum || form.of == [sum; 2]) {
            self.own.insert(linear.result);
        } else if form.of == [[0; 2]; 2] && !linear.is_choice() {
            self.low.push(linear.result);
        }
    }
}

/// The way that a sum takes through blocks where several meet: other values that meet there come the same way.
struct Ways {
    from: Block,
    into: HashMap<Block, Block>,
}

impl Linears {
    pub fn new(all: Vec<Linear>) -> Linears {
        let mut users: HashMap<Value, Vec<usize>> = HashMap::new();
        for (at, linear) in all.iter().enumerate() {
            for term in &linear.terms {
                let known = users.entry(term.name).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        let results = all.iter().enumerate().map(|(at, linear)| (linear.result, at)).collect();
        Linears { all, users, results }
    }

    /// What is asked of a sum.
    pub fn asked_of(&self, sum: &Sum) -> Asked {
        let [a, b] = sum.terms;
        let mut asked = Asked::default();
        if a.name == b.name {
            return asked;
        }
        let [of_a, of_b] = [[1, 0], [0, 1]].map(|of| Form::plain(of, false));
        let own = Form::plain([a.sign, b.sign], true);
        let mut forms = HashMap::from([(a.name, of_a), (b.name, of_b), (sum.result, own)]);
        let mut open = self.users_of(sum.result);
        open.extend(
            [a.name, b.name].iter().flat_map(|&name| self.users_of(name)).filter(|&at| self.all[at].is_choice()),
        );
        let (mut looked_at, mut put_off, mut ways) =
            (0, Vec::new(), Ways { from: sum.result.block(), into: HashMap::new() });
        let first = self.results.get(&sum.result).copied().unwrap_or(0);
        while let Some(at) = open.pop_first() {
            let linear = &self.all[at];
            looked_at += 1;
            if looked_at > MOST {
                break;
            }
            let is_before = at <= first && !matches!(linear.by, By::Select(_));
            if is_before || forms.contains_key(&linear.result) {
                continue;
            }
            let known = ways.into.len();
            let Some(form) = linear.form(&forms, &mut ways) else {
                put_off.extend(linear.is_choice().then_some(at));
                continue;
            };
            if ways.into.len() > known {
                open.extend(put_off.drain(..));
            }
            forms.insert(linear.result, form);
            asked.add(linear, form, [a.sign, b.sign]);
            open.extend(self.users_of(linear.result));
        }
        let needed = asked.needed_for(&asked.low);
        let is_step = |step: &Value| !asked.low.contains(step) && !asked.own.contains(step);
        asked.steps = needed.into_iter().filter(is_step).collect();
        asked
    }

    fn users_of(&self, name: Value) -> BTreeSet<usize> {
        self.users.get(&name).into_iter().flatten().copied().take(MOST).collect()
    }
}

impl Linear {
    /// One of several values, if a sum may be among them.
    pub fn choice(i: Value, order: &HashMap<Block, usize>, mut term: impl FnMut(Value) -> Term) -> Option<Linear> {
        if i.is(Opcode::LLVMSelect) {
            let terms = [1, 2].map(|n| term(i.operand(n))).to_vec();
            return Some(Linear { result: i, terms, by: By::Select(i.operand(0)) });
        }
        let (values, blocks): (Vec<Value>, Vec<Block>) = match i.opcode() {
            Opcode::LLVMPHI => i.phi_incoming().into_iter().unzip(),
            _ => return None,
        };
        let terms = || values.into_iter().map(&mut term).collect();
        // Around a loop comes what belongs to the round before.
        let is_loop = blocks.iter().any(|from| order.get(from) >= order.get(&i.block()));
        (blocks.len() <= WAYS && !is_loop).then(|| Linear { result: i, terms: terms(), by: By::Choice(blocks) })
    }

    fn is_choice(&self) -> bool {
        matches!(self.by, By::Choice(_) | By::Select(_))
    }

    /// Its form, if all its terms have one and the sum is among them. Of several values it is the one that the sum leads to, or
    /// that comes the same way.
    fn form(&self, forms: &HashMap<Value, Form>, ways: &mut Ways) -> Option<Form> {
        let part = |term: &Term| Some(forms.get(&term.name)?.signed(term.sign));
        match &self.by {
            By::Choice(blocks) => {
                let here = self.result.block();
                let mut parts = self.terms.iter().zip(blocks).filter_map(|(term, from)| Some((part(term)?, *from)));
                if let Some(&way) = ways.into.get(&here) {
                    return parts.find(|(_, from)| *from == way).map(|(form, _)| form);
                }
                let (form, from) = parts.find(|(form, from)| form.has_sum || *from == ways.from)?;
                if form.has_sum {
                    ways.into.insert(here, from);
                }
                return Some(form);
            }
            By::Select(condition) => {
                let [then, otherwise] = [0, 1].map(|n| part(&self.terms[n]));
                return match (then, otherwise) {
                    (Some(then), Some(otherwise)) => Form::select(*condition, then, otherwise),
                    (one, other) => one.or(other).filter(|form| form.has_sum),
                };
            }
            By::Operation | By::Call(_) => {}
        }
        let mut form = Form::plain([0, 0], false);
        for term in &self.terms {
            form = form.plus(part(term)?)?;
        }
        // `s - s` asks whether s is finite, and a second `a + b` is another sum.
        let is_one_name = self.terms.iter().all(|t| t.name == self.terms[0].name);
        (form.has_sum && !is_one_name).then_some(form)
    }
}
