//! Where NaNs and infinities originate.
//!
//! One test a block, at its end: the results that nothing in the block uses further (the roots)
//! are finite, or the cold path looks at every operation of the block in turn. Sums, products and
//! the like propagate a NaN or infinity, so the roots stand for all; what divides by an infinity or
//! selects another value does not, so its operand is a root itself.
//!
//! A value that a select discards is not demanded: compilers compute `1/x` first and then choose
//! whether to use it. They also compute it ahead of the branch or loop that may ask for it; such
//! an operation (see `early`) is looked at in the blocks that use it.

use super::Emitter;
use super::call::may_end_the_program;
use super::entry::MAX_LANES;
use crate::early::{self, Demanded};
use crate::fp::FpType;
use crate::guard::{self, Guard, Originals};
use crate::llvm::{Kind, Opcode, RealPredicate, Type, Value};
use crate::sites::{self};
use nonius_abi::Precision;
use nonius_abi::hooks::id;
use nonius_abi::site::Observed;
use std::collections::{HashMap, HashSet};

#[derive(Clone)]
enum Node {
    Operation { value: Value, operands: Vec<Value> },
    Copy { value: Value, from: Value },
    Select { value: Value, condition: Value, arms: [Value; 2] },
}

/// The operations of the block that is being emitted.
#[derive(Default)]
pub struct Origins {
    nodes: Vec<Node>,
    /// Operations of any block up to this one that are looked at where they are used.
    early: Vec<Node>,
    has_lines: bool,
    /// Stores of some lanes only: the instruction, what it stores, and which lanes.
    stores: Vec<MaskedStore>,
}

struct MaskedStore {
    instruction: Value,
    value: Value,
    mask: Value,
}

/// In which lanes a value is used.
#[derive(Clone, Copy)]
enum Demand {
    Nowhere,
    Everywhere,
    Lanes(Value),
}

impl Node {
    fn value(&self) -> Value {
        match self {
            Node::Operation { value, .. } | Node::Copy { value, .. } | Node::Select { value, .. } => *value,
        }
    }

    /// Whether a NaN or infinity in `operand` shows in this node's value.
    fn hands_on(&self, operand: Value) -> bool {
        match self {
            Node::Copy { .. } => true,
            Node::Select { .. } => false,
            Node::Operation { value, .. } => match value.opcode() {
                Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFPTrunc => true,
                Opcode::LLVMFDiv => value.operand(0) == operand,
                Opcode::LLVMCall => {
                    let name = value.callee().name();
                    name.starts_with("llvm.fma.") || name.starts_with("llvm.sqrt.")
                }
                _ => false,
            },
        }
    }
}

impl Origins {
    pub fn of(function: Value) -> Origins {
        Origins { has_lines: function.has_lines(), ..Origins::default() }
    }

    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    fn push(&mut self, node: Node) {
        let is_early = self.has_lines && early::is_early(node.value());
        if is_early { &mut self.early } else { &mut self.nodes }.push(node);
    }

    /// `value` is the result of an operation on `operands` that can make a NaN or an infinity.
    pub fn add(&mut self, value: Value, operands: &[Value]) {
        if value.is_instruction() {
            self.push(Node::Operation { value, operands: operands.to_vec() });
        }
    }

    /// `instruction` stores the lanes of `mask`; the others are not used by it.
    pub fn masked_store(&mut self, instruction: Value, value: Value, mask: Value) {
        self.stores.push(MaskedStore { instruction, value, mask });
    }

    pub fn copy(&mut self, value: Value, from: Value) {
        if value.is_instruction() && FpType::of(value.ty()).is_some() {
            self.push(Node::Copy { value, from });
        }
    }

    pub fn select(&mut self, value: Value, condition: Value, a: Value, b: Value) {
        if FpType::of(value.ty()).is_some() {
            self.push(Node::Select { value, condition, arms: [a, b] });
        }
    }
}

impl Emitter<'_> {
    /// Tests the block's operations before `at`, its end.
    pub fn emit_origins(&mut self, instructions: &[Value], at: Value) {
        let own = std::mem::take(&mut self.origins.nodes);
        let stores = std::mem::take(&mut self.origins.stores);
        let demanded = self.demanded_early(instructions, at);
        let early = self.origins.early.iter().filter(|n| demanded.contains(n.value())).cloned();
        let is_small = |n: &Node| FpType::of(n.value().ty()).is_some_and(|fp| fp.lane_count() <= MAX_LANES);
        let nodes: Vec<Node> = early.chain(own).filter(is_small).collect();
        if !nodes.iter().any(|n| matches!(n, Node::Operation { .. })) {
            return;
        }
        self.b.before(at);
        let uses =
            Uses::of(&nodes, stores, &Scope { originals: &self.originals, block: instructions, demanded: &demanded });
        let Some(suspicious) = self.any_root_not_finite(&nodes, &uses) else { return };
        let then = at.split_if(suspicious);
        self.b.before(then);
        let demands = self.demands(&nodes, &uses);
        for (node, demand) in nodes.iter().zip(demands) {
            if let Node::Operation { value, operands } = node {
                let seen_by = demanded.by(*value).unwrap_or(*value);
                self.report_origin(*value, seen_by, operands, demand, then);
            }
        }
        self.b.before(at);
    }

    /// Whether the block's operations so far are tested before a call: it may be the last thing that the program does. In
    /// unoptimized code they would take room on the stack through every call, and calls may go deep.
    pub fn is_tested_before(&self, i: Value) -> bool {
        let is_intrinsic = || i.callee().is_function() && i.callee().name().starts_with("llvm.");
        may_end_the_program(i) || self.options.unoptimized && i.is(Opcode::LLVMCall) && !is_intrinsic()
    }

    /// What the instructions up to `at` ask for, from the last test in their block on.
    fn demanded_early(&self, instructions: &[Value], at: Value) -> Demanded {
        if self.origins.early.is_empty() {
            return Demanded::default();
        }
        let end = instructions.iter().position(|&i| i == at).map_or(instructions.len(), |n| n + 1);
        let since = instructions[..end - 1].iter().rposition(|&i| self.is_tested_before(i)).map_or(0, |n| n + 1);
        Demanded::of(&instructions[since..end], at.block())
    }

    fn any_root_not_finite(&mut self, nodes: &[Node], uses: &Uses) -> Option<Value> {
        // x - x is 0 for a number and NaN else; one sum a type collects all.
        let mut sums: Vec<(Type, Value)> = Vec::new();
        for node in nodes.iter().filter(|n| uses.is_root(n.value())) {
            let value = self.actual(node.value());
            let zero_or_nan = self.b.fsub(value, value);
            match sums.iter_mut().find(|(ty, _)| *ty == value.ty()) {
                Some((_, sum)) => *sum = self.b.fadd(*sum, zero_or_nan),
                None => sums.push((value.ty(), zero_or_nan)),
            }
        }
        let tests: Vec<Value> =
            sums.into_iter().map(|(_, sum)| self.b.any(self.b.fcmp(RealPredicate::LLVMRealUNO, sum, sum))).collect();
        tests.into_iter().reduce(|a, b| self.b.or(a, b))
    }

    /// In which lanes each node's value is used, from the last node to the first.
    fn demands(&self, nodes: &[Node], uses: &Uses) -> Vec<Demand> {
        let index: HashMap<Value, usize> = nodes.iter().enumerate().map(|(i, n)| (n.value(), i)).collect();
        let mut demands = vec![Demand::Nowhere; nodes.len()];
        for node in nodes {
            if let Some(lanes) = uses.outside.get(&node.value()) {
                demands[index[&node.value()]] = self.demand_of(*lanes, node.value());
            }
        }
        for (value, guard) in &uses.guarded {
            let at = index[value];
            let open = guard.is_open(&self.b);
            let open =
                if is_vector(open) == is_vector(*value) { open } else { self.b.splat(self.b.any(open), value.ty()) };
            demands[at] = self.either(demands[at], Demand::Lanes(open));
        }
        for store in &uses.stores {
            if let Some(&at) = index.get(&store.value) {
                demands[at] = self.either(demands[at], Demand::Lanes(store.mask));
            }
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            let here = demands[i];
            let mut hand_on = |from: &Value, demand: Demand| {
                if let Some(&at) = index.get(from).filter(|&&at| at < i) {
                    demands[at] = self.either(demands[at], demand);
                }
            };
            match node {
                Node::Operation { operands, .. } => operands.iter().for_each(|o| hand_on(o, here)),
                Node::Copy { from, .. } => hand_on(from, here),
                Node::Select { condition, arms, .. } => {
                    let condition = self
                        .b
                        .splat(*condition, if is_vector(*condition) { self.b.types.i1() } else { node.value().ty() });
                    hand_on(&arms[0], self.both(here, condition));
                    hand_on(&arms[1], self.both(here, self.b.not(condition)));
                }
            }
        }
        demands
    }

    fn demand_of(&self, lanes: u64, value: Value) -> Demand {
        match value.ty().kind() {
            Kind::Vector(count) if lanes != u64::MAX => {
                let bit = |lane: u32| self.b.types.i1().const_int(lanes >> lane & 1);
                Demand::Lanes(Value::const_vector(&(0..count).map(bit).collect::<Vec<_>>()))
            }
            _ => Demand::Everywhere,
        }
    }

    fn either(&self, a: Demand, b: Demand) -> Demand {
        match (a, b) {
            (Demand::Nowhere, d) | (d, Demand::Nowhere) => d,
            (Demand::Lanes(a), Demand::Lanes(b)) if a.ty() == b.ty() => Demand::Lanes(self.b.or(a, b)),
            _ => Demand::Everywhere,
        }
    }

    fn both(&self, a: Demand, lanes: Value) -> Demand {
        match a {
            Demand::Nowhere => Demand::Nowhere,
            Demand::Everywhere => Demand::Lanes(lanes),
            Demand::Lanes(a) if a.ty() == lanes.ty() => Demand::Lanes(self.b.and(a, lanes)),
            Demand::Lanes(_) => Demand::Lanes(lanes),
        }
    }

    /// The hook looks whether it is one: all that costs here is the call, and most code is never run.
    fn ask_of_origin(
        &mut self,
        value: Value,
        seen_by: Value,
        operands: &[Value],
        (site, demand): (u32, Demand),
        then: Value,
    ) {
        let i32_type = self.b.types.i32();
        let used = match demand {
            Demand::Nowhere => return,
            Demand::Lanes(mask) if !is_vector(mask) => self.b.zext(mask, i32_type),
            Demand::Lanes(_) | Demand::Everywhere => i32_type.const_int(1),
        };
        let mut arguments = vec![self.tables.table(), i32_type.const_int(u64::from(site)), used, self.to_double(value)];
        let doubles = operands.iter().map(|&o| self.to_double(o)).collect::<Vec<_>>();
        arguments.extend(doubles.iter().cycle().take(3));
        self.b.before_with_loc_of(then, seen_by);
        self.call_cold(id::__nonius_nonfinite_of, &arguments);
    }

    fn report_origin(&mut self, value: Value, seen_by: Value, operands: &[Value], demand: Demand, then: Value) {
        let fp = FpType::of(value.ty()).expect("a float");
        let origin = sites::origin(value);
        let site = sites::site(&mut self.tables.sites, &origin, fp.precision, Observed::Operation, seen_by, self.index);
        let value = self.actual(value);
        let operands: Vec<Value> =
            operands.iter().map(|&o| self.actual(o)).filter(|o| FpType::of(o.ty()).is_some()).collect();
        if matches!(operands.len(), 1..=3) && operands.iter().chain([&value]).all(is_within_double) {
            return self.ask_of_origin(value, seen_by, &operands, (site, demand), then);
        }
        let is_nan = |v: Value| self.b.fcmp(RealPredicate::LLVMRealUNO, v, v);
        let same_shape = |test: Value| {
            let alike = is_vector(test) == is_vector(value) && Self::lanes_of(test.ty()) == fp.lane_count();
            if alike { test } else { self.b.splat(self.b.any(test), value.ty()) }
        };
        let originates = |made: Value, test: &dyn Fn(Value) -> Value| {
            operands.iter().fold(made, |made, &o| self.b.and(made, self.b.not(same_shape(test(o)))))
        };
        let not_finite = |v: Value| self.b.not(self.is_finite(v));
        let makes_nan = originates(is_nan(value), &is_nan);
        let infinite = self.b.and(not_finite(value), self.b.not(is_nan(value)));
        let makes_infinity = originates(infinite, &not_finite);
        let mut lanes = self.b.or(makes_nan, makes_infinity);
        match demand {
            Demand::Nowhere => return,
            Demand::Everywhere => {}
            Demand::Lanes(mask) if mask.ty() == lanes.ty() => lanes = self.b.and(lanes, mask),
            Demand::Lanes(_) => {}
        }
        let i32_type = self.b.types.i32();
        let site = i32_type.const_int(u64::from(site));
        let count = i32_type.const_int(u64::from(fp.lane_count()));
        let mask = self.b.lane_mask(lanes);
        self.b.before_with_loc_of(then, seen_by);
        let buffer = self.begin_buffer();
        self.fill(&buffer, 0, value);
        let values = self.array(&buffer, 0);
        self.call_cold(id::__nonius_nonfinite, &[self.tables.table(), site, count, values, mask]);
        self.end_buffer(buffer);
    }
}

/// A scalar that is a double or becomes one as it is.
fn is_within_double(value: &Value) -> bool {
    let within = |p| !matches!(p, Precision::X87 | Precision::Quad);
    FpType::of(value.ty()).is_some_and(|fp| fp.lanes.is_none() && within(fp.precision))
}

fn is_vector(value: Value) -> bool {
    matches!(value.ty().kind(), Kind::Vector(_))
}

/// The lanes of `value` that its user takes: vectorized code fills only some of a vector.
fn lanes_used(user: Value, value: Value) -> u64 {
    let Kind::Vector(count) = value.ty().kind() else { return u64::MAX };
    match user.opcode() {
        Opcode::LLVMExtractElement => user.operand(1).as_const_int().filter(|&i| i < 64).map_or(u64::MAX, |i| 1 << i),
        Opcode::LLVMShuffleVector if count <= 32 => {
            let count = count as i32;
            let side = |n: u32| if user.operand(n) == value { n as i32 * count..(n as i32 + 1) * count } else { 0..0 };
            let taken = user.shuffle_mask().into_iter().filter(|m| side(0).contains(m) || side(1).contains(m));
            taken.fold(0, |lanes, m| lanes | 1 << (m % count))
        }
        _ => u64::MAX,
    }
}

/// How the block's values are used by the program (not by shadow code).
struct Uses {
    /// Used by an operation of the block that shows a NaN or infinity.
    shown: HashSet<Value>,
    /// Used by anything that is no node of the block, or does not propagate it: in these lanes.
    outside: HashMap<Value, u64>,
    /// Used by a test that has a say only where its guard is open.
    guarded: Vec<(Value, Guard)>,
    stores: Vec<MaskedStore>,
}

/// The block's and the program's own instructions.
struct Scope<'a> {
    originals: &'a Originals,
    block: &'a [Value],
    demanded: &'a Demanded,
}

impl Scope<'_> {
    /// The guard of a test by `user`, if both are in this block.
    fn guard(&self, user: Value) -> Option<Guard> {
        let guard = user.is(Opcode::LLVMFCmp).then(|| guard::of(user, self.originals)).flatten()?;
        self.block.contains(&guard.joint).then_some(guard)
    }
}

impl Uses {
    fn of(nodes: &[Node], stores: Vec<MaskedStore>, scope: &Scope) -> Uses {
        let by_value: HashMap<Value, &Node> = nodes.iter().map(|n| (n.value(), n)).collect();
        let mut uses = Uses { shown: HashSet::new(), outside: HashMap::new(), guarded: Vec::new(), stores };
        for node in nodes {
            let value = node.value();
            // What was computed early is used here only where this block asks for it.
            let is_early = scope.demanded.contains(value);
            let counts = |u: &Value| scope.originals.contains(u) && (!is_early || scope.demanded.asks(*u));
            for user in value.users().into_iter().filter(counts) {
                match by_value.get(&user) {
                    Some(n) if n.hands_on(value) => {
                        uses.shown.insert(value);
                    }
                    Some(Node::Select { .. }) => {}
                    _ if uses.stores.iter().any(|s| s.instruction == user && s.value == value) => {}
                    _ => match scope.guard(user) {
                        Some(guard) => uses.guarded.push((value, guard)),
                        None => *uses.outside.entry(value).or_default() |= lanes_used(user, value),
                    },
                }
            }
        }
        uses
    }

    fn is_root(&self, value: Value) -> bool {
        let used = self.outside.contains_key(&value)
            || self.stores.iter().any(|s| s.value == value)
            || self.guarded.iter().any(|(v, _)| *v == value);
        used && !self.shown.contains(&value)
    }
}
