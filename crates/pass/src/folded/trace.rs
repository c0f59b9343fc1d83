//! Runs that need no input: where control flow hangs on nothing but constants, a function is followed as it will run,
//! through loops, arrays, references and calls. The optimizer does the same in its own ways (unrolling, scalar
//! replacement, inlining, counting loops out), and what it comes to is a constant.
//!
//! A value is known by its number and by a node: the operation that made it and the nodes of its operands, down to
//! literals. Where a number is wrong, these literals are to be hidden. They may feed other operations too; if one of those
//! would come to another value computed than folded (`fmuladd`), they are needed as they are.
//!
//! Ends at: a branch on what is not known, exceptions, a budget of steps. There the search by blocks is all there is.

use super::memory::{Memory, Object};
use super::{Known, Literal, Search, fuses, ideal, is_call_of, is_foldable, is_library_call, is_number, is_strict};
use super::{may_fold, operands};
use crate::fp::FpType;
use crate::llvm::{Block, Kind, Module, Opcode, Value};
use crate::select;
use nonius_abi::Precision;
use nonius_numerics::Dd;
use std::collections::{HashMap, HashSet};

/// Calls into each other that are followed, and wrong values of a run whose literals are looked for.
const MOST_CALLS: u32 = 16;
const MOST_CHAINS: usize = 64;

#[derive(Clone, Copy)]
pub enum Datum {
    Number(Known, Option<Node>),
    Pointer(Object, i64),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node(usize);

/// Where a number comes from.
enum Origin {
    Literal(Literal),
    Made { by: Value, of: Vec<Node>, differs_fused: bool },
}

/// A function that is being followed.
struct Frame {
    values: HashMap<Value, Datum>,
    depth: u32,
}

pub struct Trace<'a> {
    module: Module,
    search: &'a mut Search,
    memory: Memory,
    origins: Vec<Origin>,
    /// Operations with a wrong result.
    wrong: HashMap<Value, Node>,
    instructions: HashMap<Block, Vec<Value>>,
}

/// How following a function ended.
enum End {
    Returned(Option<Datum>),
    Lost,
}

/// Follows a function from its beginning, and notes in `search` which literals are to be hidden.
pub fn follow(module: Module, function: Value, search: &mut Search) {
    let mut trace = Trace {
        module,
        search,
        memory: Memory::default(),
        origins: Vec::new(),
        wrong: HashMap::new(),
        instructions: HashMap::new(),
    };
    trace.run(function, Frame { values: HashMap::new(), depth: 0 });
    trace.note_literals();
}

impl Trace<'_> {
    fn run(&mut self, function: Value, mut frame: Frame) -> End {
        let mut block = function.entry_block();
        let mut came_from = None;
        loop {
            if let Some(from) = came_from {
                self.phis(block, from, &mut frame);
            }
            let instructions = self.instructions.entry(block).or_insert_with(|| block.instructions()).clone();
            let Some((last, others)) = instructions.split_last() else { return End::Lost };
            for &i in others {
                if self.search.steps == 0 {
                    return End::Lost;
                }
                self.search.steps -= 1;
                self.step(i, &mut frame);
            }
            came_from = Some(block);
            block = match last.opcode() {
                Opcode::LLVMRet => {
                    let value = (last.operand_count() == 1).then(|| self.datum(last.operand(0), *last, 0, &frame));
                    return End::Returned(value.flatten());
                }
                Opcode::LLVMInvoke => {
                    self.call(*last, &mut frame);
                    last.normal_dest()
                }
                _ => match self.next(block, *last, &frame) {
                    Some(next) => next,
                    None => return End::Lost,
                },
            };
        }
    }

    fn next(&self, block: Block, last: Value, frame: &Frame) -> Option<Block> {
        let successors = block.successors();
        match (last.opcode(), successors.as_slice()) {
            (Opcode::LLVMBr, [next]) => Some(*next),
            (Opcode::LLVMBr, [then, otherwise]) => {
                let Some(Datum::Number(known, _)) = self.value(last.operand(0), frame) else { return None };
                Some(if known.constant.as_const_int()? & 1 == 1 { *then } else { *otherwise })
            }
            _ => None,
        }
    }

    fn phis(&mut self, block: Block, from: Block, frame: &mut Frame) {
        let made: Vec<(Value, Option<Datum>)> = block
            .phis()
            .map(|phi| {
                let incoming = phi.phi_incoming();
                let at = incoming.iter().position(|(_, b)| *b == from);
                (phi, at.and_then(|n| self.datum(incoming[n].0, phi, n as u32, frame)))
            })
            .collect();
        made.into_iter().for_each(|(phi, datum)| set(frame, phi, datum));
    }

    /// What is known of a value.
    fn value(&self, value: Value, frame: &Frame) -> Option<Datum> {
        match value.is_constant() {
            true => number_of(value).map(|known| Datum::Number(known, None)),
            false => frame.values.get(&value).copied(),
        }
    }

    /// What an instruction hands on: a literal of its own is one that can be hidden.
    fn datum(&mut self, value: Value, user: Value, index: u32, frame: &Frame) -> Option<Datum> {
        match self.value(value, frame) {
            Some(Datum::Number(known, None)) if value.is_constant() && is_number(value) => {
                let node = self.origin(Origin::Literal(Literal::Operand(user, index)));
                Some(Datum::Number(known, Some(node)))
            }
            None if value.ty().kind() == Kind::Pointer => {
                self.pointer(value, frame).map(|(o, at)| Datum::Pointer(o, at))
            }
            datum => datum,
        }
    }

    fn origin(&mut self, origin: Origin) -> Node {
        self.origins.push(origin);
        Node(self.origins.len() - 1)
    }

    fn pointer(&mut self, value: Value, frame: &Frame) -> Option<(Object, i64)> {
        if let Some(Datum::Pointer(object, offset)) = frame.values.get(&value) {
            return Some((*object, *offset));
        }
        if !value.is_constant() {
            return None;
        }
        let (base, offset) = self.module.base_and_offset(value);
        let literal = self.origins.len();
        let leaf = |constant: Value| {
            number_of(constant).map(|known| Datum::Number(known, is_number(constant).then_some(Node(literal))))
        };
        let object = self.memory.global(self.module, base, leaf)?;
        self.origins.push(Origin::Literal(Literal::Global(base)));
        Some((object, offset))
    }

    fn step(&mut self, i: Value, frame: &mut Frame) {
        match i.opcode() {
            Opcode::LLVMPHI => {}
            Opcode::LLVMAlloca => {
                let object = self.memory.new_object();
                set(frame, i, Some(Datum::Pointer(object, 0)));
            }
            Opcode::LLVMLoad => {
                let bytes = self.module.store_bytes(i.ty()) as i64;
                let place = if i.is_volatile() || i.is_atomic() { None } else { self.pointer(i.operand(0), frame) };
                let datum = place.and_then(|(object, offset)| match self.memory.is_zero(object, offset, bytes) {
                    true => number_of(i.ty().zero()).map(|known| Datum::Number(known, None)),
                    false => self.memory.read(object, offset, bytes),
                });
                set(frame, i, datum.filter(|d| is_of_type(*d, i)));
            }
            Opcode::LLVMStore => self.store(i, frame),
            Opcode::LLVMGetElementPtr => {
                let address = self.address(i, frame);
                set(frame, i, address);
            }
            Opcode::LLVMCall => self.call(i, frame),
            _ => self.operation(i, frame),
        }
    }

    fn store(&mut self, i: Value, frame: &Frame) {
        let bytes = self.module.store_bytes(i.operand(0).ty()) as i64;
        let datum = self.datum(i.operand(0), i, 0, frame);
        if let Some((object, offset)) = self.pointer(i.operand(1), frame) {
            self.memory.write(object, offset, bytes, datum.filter(|_| !i.is_volatile() && !i.is_atomic()));
        } else {
            if let Some(Datum::Pointer(object, _)) = datum {
                self.memory.escape(object);
            }
            self.memory.forget_escaped();
        }
    }

    fn address(&mut self, i: Value, frame: &Frame) -> Option<Datum> {
        let (object, mut offset) = self.pointer(i.operand(0), frame)?;
        let mut ty = i.indexed_type();
        for (n, index) in i.operands().into_iter().skip(1).enumerate() {
            let Some(Datum::Number(known, _)) = self.value(index, frame) else { return None };
            let Kind::Integer(bits) = index.ty().kind() else { return None };
            let number = sign_extended(known.constant.as_const_int()?, bits);
            if n == 0 {
                offset = offset.checked_add(number.checked_mul(self.module.alloc_bytes(ty) as i64)?)?;
                continue;
            }
            match ty.kind() {
                Kind::Struct(_) => {
                    let field = u32::try_from(number).ok()?;
                    offset = offset.checked_add(self.module.field_offset(ty, field) as i64)?;
                    ty = ty.field(field);
                }
                Kind::Array(_) => {
                    ty = ty.element();
                    offset = offset.checked_add(number.checked_mul(self.module.alloc_bytes(ty) as i64)?)?;
                }
                _ => return None,
            }
        }
        Some(Datum::Pointer(object, offset))
    }

    fn call(&mut self, i: Value, frame: &mut Frame) {
        let callee = i.callee();
        if !callee.is_function() {
            self.unknown_call(i, frame);
        } else if callee.is_declaration() {
            let name = callee.name();
            match name.strip_prefix("llvm.").map(|rest| rest.split('.').next().unwrap_or_default()) {
                Some("lifetime" | "dbg" | "assume" | "experimental" | "donothing") => {}
                Some("memcpy" | "memmove") => self.copy(i, frame),
                Some("memset") => self.fill(i, frame),
                _ if is_foldable(i) => self.operation(i, frame),
                _ => self.unknown_call(i, frame),
            }
        } else if frame.depth < MOST_CALLS && select::is_code(callee) && may_fold(callee) {
            self.enter(i, callee, frame);
        } else {
            self.unknown_call(i, frame);
        }
    }

    fn enter(&mut self, i: Value, callee: Value, frame: &mut Frame) {
        let mut inner = Frame { values: HashMap::new(), depth: frame.depth + 1 };
        for (n, (parameter, argument)) in callee.parameters().into_iter().zip(i.arguments()).enumerate() {
            let datum = match self.datum(argument, i, n as u32, frame) {
                Some(Datum::Pointer(object, offset)) if callee.parameter_byval(n as u32).is_some() => {
                    Some(Datum::Pointer(self.memory.copy_of(object), offset))
                }
                datum => datum,
            };
            set(&mut inner, parameter, datum);
        }
        match self.run(callee, inner) {
            End::Returned(datum) => set(frame, i, datum.filter(|d| is_of_type(*d, i))),
            End::Lost => self.unknown_call(i, frame),
        }
    }

    /// A call of code that is not followed: it may write wherever it was told of.
    fn unknown_call(&mut self, i: Value, frame: &mut Frame) {
        for argument in i.arguments() {
            if let Some(Datum::Pointer(object, _)) = frame.values.get(&argument) {
                self.memory.escape(*object);
            }
        }
        self.memory.forget_escaped();
        set(frame, i, None);
    }

    fn copy(&mut self, i: Value, frame: &Frame) {
        let arguments = i.arguments();
        let length = self.integer(arguments[2], frame);
        let [to, from] = [arguments[0], arguments[1]].map(|a| self.pointer(a, frame));
        match (to, from, length) {
            (Some(to), Some(from), Some(length)) => self.memory.copy(to, from, length),
            (Some(to), _, length) => self.memory.forget_range(to.0, to.1, length.unwrap_or(i64::MAX)),
            (None, ..) => self.memory.forget_escaped(),
        }
    }

    fn fill(&mut self, i: Value, frame: &Frame) {
        let arguments = i.arguments();
        let length = self.integer(arguments[2], frame);
        match (self.pointer(arguments[0], frame), self.integer(arguments[1], frame), length) {
            (Some((object, offset)), Some(0), Some(length)) => self.memory.set_to_zero(object, offset, length),
            (Some((object, offset)), _, length) => {
                self.memory.forget_range(object, offset, length.unwrap_or(i64::MAX));
            }
            (None, ..) => self.memory.forget_escaped(),
        }
    }

    fn integer(&self, value: Value, frame: &Frame) -> Option<i64> {
        match self.value(value, frame) {
            Some(Datum::Number(known, _)) => known.constant.as_const_int().and_then(|n| i64::try_from(n).ok()),
            _ => None,
        }
    }

    fn operation(&mut self, i: Value, frame: &mut Frame) {
        let made = if is_foldable(i) { self.computed(i, frame) } else { None };
        set(frame, i, made);
    }

    fn computed(&mut self, i: Value, frame: &Frame) -> Option<Datum> {
        let values = operands(i);
        let mut known = Vec::new();
        let mut of = Vec::new();
        for value in &values {
            let Some(Datum::Number(number, node)) = self.value(*value, frame) else { return None };
            known.push(number);
            of.extend(node);
        }
        let constants: Vec<Value> = known.iter().map(|k| k.constant).collect();
        let constant = i.folded(&constants)?;
        if constant.as_const_real().is_none() && constant.as_const_int().is_none() {
            return None;
        }
        let is_loose = !is_strict(i) || known.iter().any(|k| k.is_loose);
        let judged = ideal::judge(i, &known, constant);
        let known = Known { constant, ideal: judged.ideal, is_loose };
        let reads_numbers = values.iter().any(|v| is_number(*v));
        if !is_number(i) && !reads_numbers {
            return Some(Datum::Number(known, None));
        }
        let differs_fused = is_call_of(i, "llvm.fmuladd.") && !fuses(i) && !fuses_alike(i, &constants, constant);
        let node = self.origin(Origin::Made { by: i, of, differs_fused });
        if judged.is_wrong && !is_loose && self.wrong.len() < MOST_CHAINS {
            self.wrong.entry(i).or_insert(node);
        } else if judged.is_wrong {
            self.search.unchecked(i);
        }
        Some(Datum::Number(known, is_number(i).then_some(node)))
    }

    /// Hands on what is wrong, what a hidden literal would change, and the library calls.
    fn note_literals(self) {
        for (i, node) in &self.wrong {
            let literals = self.literals_behind(vec![*node]);
            self.search.wrong(*i, literals);
        }
        let (mut changing, mut calls) = (Vec::new(), HashMap::<Value, Vec<Node>>::new());
        for (n, origin) in self.origins.iter().enumerate() {
            let Origin::Made { by, differs_fused, .. } = origin else { continue };
            if *differs_fused && !self.search.fused.contains_key(by) {
                changing.push(Node(n));
            } else if is_library_call(*by) {
                calls.entry(*by).or_default().push(Node(n));
            }
        }
        let needed = self.literals_behind(changing);
        self.search.needed.extend(needed);
        for (call, nodes) in calls {
            let literals = self.literals_behind(nodes);
            self.search.calls.entry(call).or_default().extend(literals);
        }
    }

    /// The literals that any of these goes back to.
    fn literals_behind(&self, mut work: Vec<Node>) -> HashSet<Literal> {
        let (mut met, mut found) = (HashSet::new(), HashSet::new());
        while let Some(node) = work.pop() {
            if !met.insert(node) {
                continue;
            }
            match &self.origins[node.0] {
                Origin::Literal(literal) => drop(found.insert(*literal)),
                Origin::Made { by, of, .. } if of.is_empty() => found.extend(Literal::alone_in(*by)),
                Origin::Made { of, .. } => work.extend(of),
            }
        }
        found
    }
}

fn set(frame: &mut Frame, value: Value, datum: Option<Datum>) {
    match datum {
        Some(datum) => drop(frame.values.insert(value, datum)),
        None => drop(frame.values.remove(&value)),
    }
}

fn is_of_type(datum: Datum, value: Value) -> bool {
    match datum {
        Datum::Number(known, _) => known.constant.ty() == value.ty(),
        Datum::Pointer(..) => value.ty().kind() == Kind::Pointer,
    }
}

pub fn number_of(constant: Value) -> Option<Known> {
    let number = constant.as_const_real().filter(|_| !matches!(constant.ty().kind(), Kind::Vector(_)));
    let ideal = number.map(Dd::from).or_else(|| constant.as_const_int().map(|_| Dd::ZERO));
    ideal.map(|ideal| Known { constant, ideal, is_loose: false })
}

fn sign_extended(bits: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((bits << unused) as i64) >> unused
}

/// Whether a product and a sum make the same of constants as one operation.
pub fn fuses_alike(i: Value, constants: &[Value], folded: Value) -> bool {
    let numbers: Option<Vec<f64>> = constants.iter().map(|c| c.as_const_real()).collect();
    let apart = numbers.map(|n| match FpType::of(i.ty()).map(|fp| fp.precision) {
        Some(Precision::Float) => f64::from(n[0] as f32 * n[1] as f32 + n[2] as f32),
        _ => n[0] * n[1] + n[2],
    });
    let folded = folded.as_const_real();
    folded.is_some() && folded == apart
}
