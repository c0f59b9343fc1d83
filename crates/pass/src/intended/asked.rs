//! Which later operations ask what a sum has lost: those that are made of it and its own operands alone and are 0 by real
//! arithmetic. Each is a linear form in the two operands. Only what is made of the sum is looked at, wherever it stands.

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
    /// One of the terms: a select, or a phi with the blocks that they come from.
    Choice(Vec<Block>),
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
    of: [i32; 2],
    has_sum: bool,
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

    fn add(&mut self, linear: &Linear, of: [i32; 2]) {
        self.terms.insert(linear.result, linear.terms.clone());
        self.pattern.push(linear.result);
        if !matches!(linear.by, By::Operation) {
            self.others.insert(linear.result);
        }
        if let By::Call(call) = linear.by {
            self.pattern.push(call);
        }
        if of == [0, 0] && !matches!(linear.by, By::Choice(_)) {
            self.low.push(linear.result);
        }
    }
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
        let plain = |of| Form { of, has_sum: false };
        let own = Form { of: [a.sign, b.sign], has_sum: true };
        let mut forms = HashMap::from([(a.name, plain([1, 0])), (b.name, plain([0, 1])), (sum.result, own)]);
        let mut open = self.users_of(sum.result);
        open.extend(
            [a.name, b.name].iter().flat_map(|&name| self.users_of(name)).filter(|&at| self.all[at].is_choice()),
        );
        let mut looked_at = 0;
        let first = self.results.get(&sum.result).copied().unwrap_or(0);
        while let Some(at) = open.pop_first() {
            let linear = &self.all[at];
            looked_at += 1;
            if looked_at > MOST {
                break;
            }
            if at <= first || forms.contains_key(&linear.result) {
                continue;
            }
            let Some(form) = linear.form(&forms, sum.result.block()) else { continue };
            forms.insert(linear.result, form);
            asked.add(linear, form.of);
            open.extend(self.users_of(linear.result));
        }
        let needed = asked.needed_for(&asked.low);
        asked.steps = needed.into_iter().filter(|step| !asked.low.contains(step)).collect();
        asked
    }

    fn users_of(&self, name: Value) -> BTreeSet<usize> {
        self.users.get(&name).into_iter().flatten().copied().take(MOST).collect()
    }
}

impl Linear {
    /// One of several values, if a sum may be among them.
    pub fn choice(i: Value, order: &HashMap<Block, usize>, mut term: impl FnMut(Value) -> Term) -> Option<Linear> {
        let (values, blocks): (Vec<Value>, Vec<Block>) = match i.opcode() {
            Opcode::LLVMSelect => (vec![i.operand(1), i.operand(2)], Vec::new()),
            Opcode::LLVMPHI => i.phi_incoming().into_iter().unzip(),
            _ => return None,
        };
        let terms = || values.into_iter().map(&mut term).collect();
        // Around a loop comes what belongs to the round before.
        let is_loop = blocks.iter().any(|from| order.get(from) >= order.get(&i.block()));
        (blocks.len() <= WAYS && !is_loop).then(|| Linear { result: i, terms: terms(), by: By::Choice(blocks) })
    }

    fn is_choice(&self) -> bool {
        matches!(self.by, By::Choice(_))
    }

    /// Its form, if all its terms have one and the sum is among them. Of several values it is the one that the sum leads to,
    /// or that comes the same way.
    fn form(&self, forms: &HashMap<Value, Form>, way: Block) -> Option<Form> {
        if let By::Choice(blocks) = &self.by {
            let part = |(n, term): (usize, &Term)| {
                let form = *forms.get(&term.name)?;
                let of = form.of.map(|c| term.sign * c);
                (form.has_sum || blocks.get(n) == Some(&way)).then_some(Form { of, ..form })
            };
            return self.terms.iter().enumerate().find_map(part);
        }
        let mut form = Form { of: [0, 0], has_sum: false };
        for term in &self.terms {
            let part = forms.get(&term.name)?;
            form.has_sum |= part.has_sum;
            (0..2).for_each(|i| form.of[i] += term.sign * part.of[i]);
        }
        // `s - s` asks whether s is finite, and a second `a + b` is another sum.
        let is_one_name = self.terms.iter().all(|t| t.name == self.terms[0].name);
        (form.has_sum && !is_one_name).then_some(form)
    }
}
