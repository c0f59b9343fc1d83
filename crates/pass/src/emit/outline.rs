//! Cold paths become functions of the module, one for all that compute alike.
//!
//! Before a check asks the runtime it computes what the runtime is to know: radii, sides, whom to blame. Inlined code has the
//! same check hundreds of times, and what code generation spends on a function grows faster than the function does. So the
//! straight part of a cold block, up to its last hook, moves into a function (the outliner's usual trick), which is called
//! through [`nonius_abi::hooks::COLD`]: that keeps all registers, as the hooks' own forms for cold paths do.
//!
//! ```text
//!  cold:  radius = |a| * e + ...                      cold:  cold_path(nonius.cold.7; a, e, site)
//!         check(table, site, buffer)          ->             known = load buffer
//!         known = load buffer
//! ```
//!
//! Limits: what does not fit into the registers that arguments go through stays where it is, and so do wide vectors.

use super::Emitter;
use crate::llvm::{Block, Kind, Linkage, Opcode, Type, Value};
use nonius_abi::hooks;
use std::collections::{HashMap, HashSet};

/// Fewer instructions are as short as the call.
const LEAST: usize = 8;
/// Arguments that go through registers. One more register of integers holds the function's address.
const INTEGERS: usize = 6;
const FLOATS: usize = 8;
/// Operations that a condition is computed with again rather than passed.
const MOST_AGAIN: usize = 32;

/// What was outlined in a module.
#[derive(Default)]
pub struct Outlined {
    known: HashMap<Key, Vec<Cold>>,
    count: u32,
}

/// The target's features, and what each instruction does to what.
type Key = (String, Vec<Step>);
type Step = (i32, Vec<Operand>);

#[derive(PartialEq, Eq, Hash)]
enum Operand {
    /// What an earlier instruction of the path computes.
    Own(usize),
    Input(usize),
    Constant(Value),
}

impl Outlined {
    pub fn functions(&self) -> impl Iterator<Item = Value> {
        self.known.values().flatten().map(|cold| cold.function)
    }
}

struct Cold {
    function: Value,
    /// The path that it was made of.
    body: Vec<Value>,
}

/// The part of a block that can move.
struct Path {
    /// Instructions that the block loses.
    moved: Vec<Value>,
    /// These, behind others that are computed again.
    body: Vec<Value>,
    inputs: Vec<Value>,
    /// Inputs in front that are floats and go through registers of integers, since there are too many of them.
    as_bits: usize,
}

impl Emitter<'_> {
    /// Outlines the cold paths of a function that is finished but for this.
    pub fn outline(&mut self) {
        // The registers that the runtime keeps: as for hooks (see `call_cold`).
        if self.options.cold_inline || !self.entry.avx2 || self.entry.avx512 || self.function.has_attribute(c"strictfp")
        {
            return;
        }
        for block in self.function.blocks() {
            let Some(path) = self.path_of(block) else { continue };
            let function = self.function_of(&path);
            let last = *path.moved.last().expect("a hook at least");
            self.b.before(last);
            let bits = |(n, input): (usize, Value)| {
                if n < path.as_bits { self.b.bitcast(input, self.b.types.i64()) } else { input }
            };
            let inputs = path.inputs.into_iter().enumerate().map(bits);
            let arguments: Vec<Value> = [function].into_iter().chain(inputs).collect();
            let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
            let ty = self.b.types.function(self.b.types.void(), &types);
            let call = self.b.call(self.tables.cold_hook(), ty, &arguments);
            call.keep_registers();
            call.add_first_argument_attribute(self.module, c"nest");
            for instruction in path.moved.into_iter().rev() {
                instruction.erase();
            }
        }
    }

    fn path_of(&self, block: Block) -> Option<Path> {
        let instructions = block.instructions();
        let last = instructions.iter().rposition(|&i| asks_runtime(i))?;
        let all: Vec<Value> = instructions[..=last].iter().copied().filter(|i| !i.is(Opcode::LLVMPHI)).collect();
        if all.len() < LEAST || all.iter().any(|i| self.originals.contains(i) || !may_move(*i)) {
            return None;
        }
        let kept = kept(&all)?;
        let moved: Vec<Value> = all.into_iter().filter(|i| !kept.contains(i)).collect();
        let again = self.computed_again(&moved);
        let body: Vec<Value> = again.into_iter().chain(moved.iter().copied()).collect();
        let (inputs, as_bits) = self.inputs(&body)?;
        (moved.len() >= LEAST).then_some(Path { moved, body, inputs, as_bits })
    }

    /// What the path can compute again of what else it takes from outside, in order: conditions, and numbers that are not the
    /// program's own, so that paths of other operations stay alike.
    fn computed_again(&self, moved: &[Value]) -> Vec<Value> {
        let own: HashSet<Value> = moved.iter().copied().collect();
        let outside = |i: &Value| !i.is_constant() && !own.contains(i);
        let taken: Vec<Value> = moved.iter().flat_map(|i| i.operands()).filter(outside).collect();
        let is_condition = |i: &Value| i.ty().kind() == Kind::Integer(1);
        let mut given: HashSet<Value> = taken.iter().copied().collect();
        let mut found = Vec::new();
        let (conditions, numbers): (Vec<Value>, Vec<Value>) = taken.into_iter().partition(is_condition);
        for input in conditions.into_iter().chain(numbers.into_iter().filter(|n| !self.originals.contains(n))) {
            if given.remove(&input) && compute_again(input, &given, &mut Vec::new()) {
                found.push(input);
            } else if !found.contains(&input) {
                given.insert(input);
            }
        }
        let mut again = Vec::new();
        for input in found {
            // Each is known by itself; together they may be too long.
            let before = again.len();
            if !compute_again(input, &given, &mut again) {
                again.truncate(before);
            }
        }
        again
    }

    /// What a path takes from outside, and how many of the first are floats that go as bits; `None` if it is too much.
    fn inputs(&self, body: &[Value]) -> Option<(Vec<Value>, usize)> {
        let own: HashSet<Value> = body.iter().copied().collect();
        let (mut inputs, mut integers, mut floats) = (Vec::new(), 0, 0);
        for &i in body {
            for (n, operand) in i.operands().into_iter().enumerate() {
                if own.contains(&operand) || inputs.contains(&operand) || !self.is_input(i, n, operand) {
                    continue;
                }
                match register_of(operand.ty())? {
                    Register::Integer => integers += 1,
                    Register::Float => floats += 1,
                }
                inputs.push(operand);
            }
        }
        let as_bits = floats.max(FLOATS) - FLOATS;
        inputs.sort_by_key(|input| input.ty().kind() != Kind::Double);
        let can_be_bits = inputs.iter().take(as_bits).all(|input| input.ty().kind() == Kind::Double);
        (integers + as_bits <= INTEGERS && can_be_bits).then_some((inputs, as_bits))
    }

    /// Whether an operand that the path does not compute is none of its own constants: those of a place in the program are
    /// inputs too.
    fn is_input(&self, user: Value, index: usize, constant: Value) -> bool {
        if !constant.is_constant() {
            return true;
        }
        match constant.ty().kind() {
            // What is asked of a constant, such as its size, is asked of the program's.
            Kind::Double | Kind::Float if user.is(Opcode::LLVMCall) && !asks_runtime(user) => true,
            Kind::Double | Kind::Float => constant.as_const_real().is_some_and(|value| !is_own_number(value)),
            Kind::Integer(32) => match user.opcode() {
                Opcode::LLVMCall => index == hooks::SITE_ARGUMENT && asks_runtime(user),
                opcode => opcode == Opcode::LLVMSelect,
            },
            Kind::Pointer if !constant.is_function() && user.opcode() != Opcode::LLVMGetElementPtr => {
                let base = self.module.base_and_offset(constant).0;
                base != constant && base != self.tables.limits()
            }
            _ => false,
        }
    }

    /// The function that does what the path does.
    fn function_of(&mut self, path: &Path) -> Value {
        let features = self.function.string_attribute("target-features").unwrap_or_default();
        let key = (features, self.steps(path));
        let known = self.tables.outlined.known.get(&key).map_or(&[][..], Vec::as_slice);
        // Hooks have another form there, and are the same if their operands are.
        let is_same = |(a, b): (&Value, &Value)| asks_runtime(*b) || a.is_same_operation(*b);
        let is_same = |cold: &&Cold| cold.body.iter().zip(&path.body).all(is_same);
        if let Some(cold) = known.iter().find(is_same) {
            return cold.function;
        }
        let number = self.tables.outlined.count;
        self.tables.outlined.count += 1;
        let (function, body) = self.make(path, &key.1, number);
        self.tables.outlined.known.entry(key).or_default().push(Cold { function, body });
        function
    }

    fn steps(&self, path: &Path) -> Vec<Step> {
        let own: HashMap<Value, usize> = path.body.iter().enumerate().map(|(n, i)| (*i, n)).collect();
        let inputs: HashMap<Value, usize> = path.inputs.iter().enumerate().map(|(n, i)| (*i, n)).collect();
        let operand = |user: Value, n: usize, v: Value| match own.get(&v) {
            Some(&n) => Operand::Own(n),
            None if self.is_input(user, n, v) => Operand::Input(inputs[&v]),
            None => Operand::Constant(v),
        };
        let operands = |i: Value| i.operands().into_iter().enumerate().map(|(n, v)| operand(i, n, v)).collect();
        path.body.iter().map(|&i| (i.opcode() as i32, operands(i))).collect()
    }

    /// A new function that does what a path does, and its instructions.
    fn make(&self, path: &Path, steps: &[Step], number: u32) -> (Value, Vec<Value>) {
        let function = self.declare(path, number);
        let b = self.module.builder();
        b.at_end(function.append_block(self.module, ""));
        let mut parameters = function.parameters();
        for bits in parameters.iter_mut().take(path.as_bits) {
            *bits = b.bitcast(*bits, b.types.double());
        }
        let mut body: Vec<Value> = Vec::new();
        for (&i, (_, operands)) in path.body.iter().zip(steps) {
            let now = |operand: &Operand| match *operand {
                Operand::Own(n) => body[n],
                Operand::Input(n) => parameters[n],
                Operand::Constant(v) => v,
            };
            let operands: Vec<Value> = operands.iter().map(now).collect();
            body.push(if asks_runtime(i) {
                let (hook, ty) = self.tables.hook(&hooks::plain(&i.callee().name()));
                b.call(hook, ty, &operands[..i.arguments().len()])
            } else {
                let copy = b.copy(i);
                operands.into_iter().zip(0..).for_each(|(v, n)| copy.set_operand(n, v));
                copy
            });
        }
        b.ret_void();
        (function, body)
    }

    fn declare(&self, path: &Path, number: u32) -> Value {
        let types = self.module.types();
        let bits = |n: usize, ty: Type| if n < path.as_bits { types.i64() } else { ty };
        let parameters: Vec<Type> = path.inputs.iter().enumerate().map(|(n, i)| bits(n, i.ty())).collect();
        let ty = types.function(types.void(), &parameters);
        let function = self.module.declare(&format!("nonius.cold.{number}"), ty);
        function.set_linkage(Linkage::LLVMInternalLinkage);
        for attribute in [c"cold", c"noinline", c"nounwind"] {
            function.add_attribute(self.module, attribute);
        }
        function.keep_unwind_table(self.module);
        for name in ["target-cpu", "target-features", "tune-cpu"] {
            if let Some(value) = self.function.string_attribute(name) {
                function.set_string_attribute(self.module, name, &value);
            }
        }
        function
    }
}

/// Whether it is a hook that keeps all registers.
fn asks_runtime(i: Value) -> bool {
    i.is(Opcode::LLVMCall)
        && i.keeps_registers()
        && i.callee().is_function()
        && hooks::is_preserving(&i.callee().name())
}

/// Whether an instruction may stand in another function.
fn may_move(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMCall => asks_runtime(i) || is_intrinsic(i),
        LLVMLoad | LLVMStore => !i.is_atomic() && !i.is_volatile(),
        LLVMAlloca | LLVMGetElementPtr => true,
        _ => is_pure(i),
    }
}

fn is_intrinsic(i: Value) -> bool {
    i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().name().starts_with("llvm.")
}

/// Whether it computes a value of its operands alone.
fn is_pure(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFNeg | LLVMFCmp | LLVMICmp | LLVMSelect | LLVMFPExt
        | LLVMFPTrunc | LLVMAnd | LLVMOr | LLVMXor | LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMZExt
        | LLVMSExt | LLVMTrunc | LLVMBitCast | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector
        | LLVMUIToFP | LLVMSIToFP | LLVMFreeze => true,
        LLVMCall => is_intrinsic(i) && ["llvm.fabs.", "llvm.fma."].iter().any(|n| i.callee().name().starts_with(n)),
        _ => false,
    }
}

/// What must stay, since code behind the path uses it; `None` if that cannot be.
fn kept(all: &[Value]) -> Option<HashSet<Value>> {
    let own: HashSet<Value> = all.iter().copied().collect();
    let escapes = |i: &Value| i.users().iter().any(|user| !own.contains(user));
    let mut queue: Vec<Value> = all.iter().copied().filter(escapes).collect();
    let mut kept = HashSet::new();
    while let Some(i) = queue.pop() {
        let stays_right = is_pure(i) || matches!(i.opcode(), Opcode::LLVMAlloca | Opcode::LLVMGetElementPtr);
        if !stays_right && !is_stack_mark(i) {
            return None;
        }
        if kept.insert(i) {
            queue.extend(i.operands().into_iter().filter(|operand| own.contains(operand)));
        }
    }
    // Both marks of the stack, or none.
    let splits = all.iter().any(|i| is_stack_mark(*i) && !kept.contains(i));
    (!splits).then_some(kept)
}

fn is_stack_mark(i: Value) -> bool {
    is_intrinsic(i) && i.callee().name().starts_with("llvm.stack")
}

/// Adds `i` and what it needs to `again`, in order; false if that is more than is `given`, or much.
fn compute_again(i: Value, given: &HashSet<Value>, again: &mut Vec<Value>) -> bool {
    if i.is_constant() || given.contains(&i) || again.contains(&i) {
        return true;
    }
    let can_be = i.is_instruction() && (is_pure(i) || i.is(Opcode::LLVMGetElementPtr)) && !i.has_fast_math();
    if !can_be || again.len() >= MOST_AGAIN {
        return false;
    }
    let is_known = i.operands().into_iter().all(|operand| compute_again(operand, given, again));
    again.push(i);
    is_known
}

enum Register {
    Integer,
    Float,
}

/// Where an argument goes, if it is in one register.
fn register_of(ty: Type) -> Option<Register> {
    match ty.kind() {
        Kind::Pointer => Some(Register::Integer),
        Kind::Integer(bits) if bits <= 64 => Some(Register::Integer),
        Kind::Float | Kind::Double => Some(Register::Float),
        Kind::Vector(lanes) => match ty.element().kind() {
            Kind::Double if lanes <= 2 => Some(Register::Float),
            Kind::Float if lanes == 4 => Some(Register::Float),
            _ => None,
        },
        _ => None,
    }
}

/// Zeros, infinities, and tiny and huge powers of two are the checks' own numbers.
fn is_own_number(value: f64) -> bool {
    const FRACTION: u64 = (1 << 52) - 1;
    const USUAL: std::ops::RangeInclusive<f64> = 1.0 / (1 << 20) as f64..=(1 << 20) as f64;
    value.to_bits() & FRACTION == 0 && !USUAL.contains(&value.abs())
}
