//! Arithmetic on constants, which the optimizer does itself: what it leaves is a constant like any other, exact to all
//! who see it later (docs/decisions/folded.md).
//!
//! So before anything is optimized, operations whose operands are constants are computed twice: as the compiler will, and
//! in double-double. Where the two differ by more than rounding, the literals that the value goes back to are hidden behind
//! a fence: the operations stay in the program, compute what they would have, and are shadowed. All else folds as ever.
//!
//! Where control flow hangs on constants too, functions are followed as they will run (`trace`). Elsewhere constants are
//! followed block by block, through local variables and into functions of the module that are called with them. Both ways
//! of a branch are looked at, which hides a literal too many now and then, and costs no more than that.

use crate::fp::FpType;
use crate::llvm::{Module, Opcode, RealPredicate, Value};
use crate::locals;
use crate::options::Options;
use crate::select;
use nonius_abi::Precision;
use nonius_abi::libm::{self, Function};
use nonius_numerics::Dd;
use std::collections::{HashMap, HashSet};

mod ideal;
mod memory;
mod trace;

/// Calls into each other that constants are followed through, and instructions that are looked at on the way in a module.
const MOST_CALLS: u32 = 3;
const MOST_INSTRUCTIONS: usize = 50_000;
/// The same where functions are followed as they run.
const MOST_STEPS: usize = 50_000;

/// Where the program looks at exceptions or rounds otherwise, what is computed when it runs may be another value.
const CHANGES_ARITHMETIC: &[&str] = &[
    "fetestexcept",
    "feenableexcept",
    "fegetexceptflag",
    "fesetround",
    "fesetenv",
    "feupdateenv",
    "llvm.x86.sse.ldmxcsr",
];

/// A value that the compiler knows.
#[derive(Clone, Copy)]
struct Known {
    constant: Value,
    ideal: Dd,
    /// The compiler may compute it otherwise than the machine would, so it is left to it.
    is_loose: bool,
}

/// Where a literal stands: an operand, all that an instruction makes of integers, or a constant global.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Literal {
    Operand(Value, u32),
    Result(Value),
    Global(Value),
}

/// A function, as it is when it is called like this.
#[derive(Default)]
struct Frame<'a> {
    known: HashMap<Value, Known>,
    /// What was stored where a load reads.
    stores: HashMap<Value, Value>,
    call: Option<(Value, &'a Frame<'a>)>,
    depth: u32,
}

/// A wrong value, and the literals that it goes back to.
struct Chain {
    wrong: Value,
    literals: HashSet<Literal>,
    /// The function that is looked at.
    function: Value,
}

#[derive(Default)]
struct Search {
    chains: Vec<Chain>,
    /// Fused operations that surely fold, and library calls, by the literals that they go back to.
    fused: HashMap<Value, HashSet<Literal>>,
    calls: HashMap<Value, HashSet<Literal>>,
    /// Literals that must stay: what they feed would be another value if it were computed.
    needed: HashSet<Literal>,
    instructions: usize,
    steps: usize,
    /// Operations that the compiler computes and nobody checks, with the function that is looked at.
    unchecked: HashSet<(Value, Value)>,
    function: Option<Value>,
}

/// What is done to a module.
struct Decision {
    hidden: HashSet<Literal>,
    /// Operations that are to be computed as the compiler would.
    fused: Vec<Value>,
    /// Library calls that must stay what they are.
    calls: Vec<Value>,
}

/// Where the number of a function's unchecked operations is kept until it is instrumented.
const UNCHECKED: &str = "nonius-folded";

/// Operations on constants of a function that the compiler computed and nobody checked.
pub fn unchecked(function: Value) -> u32 {
    function.string_attribute(UNCHECKED).and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Hides the literals behind wrong constants. Says whether there are any.
pub fn keep_wrong(module: Module, options: &Options) -> bool {
    if CHANGES_ARITHMETIC.iter().any(|name| module.function(name).is_some()) {
        return false;
    }
    let mut search = Search { instructions: MOST_INSTRUCTIONS, steps: MOST_STEPS, ..Search::default() };
    let ignored = select::ignored_functions(module);
    for function in module.functions().into_iter().filter(|f| select::is_code(*f) && may_fold(*f)) {
        let mut instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
        if instructions.any(is_number) && select::left_alone(function, &ignored, options).is_none() {
            search.function = Some(function);
            search.look_at(function, &mut Frame::default());
            trace::follow(module, function, &mut search);
        }
    }
    let decision = search.decide();
    let mut counts: HashMap<Value, u32> = HashMap::new();
    search.unchecked.iter().for_each(|(function, _)| *counts.entry(*function).or_default() += 1);
    for (function, count) in &counts {
        function.set_string_attribute(module, UNCHECKED, &count.to_string());
    }
    hide(module, &decision);
    !counts.is_empty() || !decision.hidden.is_empty()
}

fn may_fold(function: Value) -> bool {
    !function.has_attribute(c"optnone") && !function.has_attribute(c"strictfp")
}

/// At the end of all optimization: hidden literals are literals again, which nothing folds any more.
pub fn reveal(module: Module) {
    let b = module.builder();
    let fences = ["llvm.arithmetic.fence.f32", "llvm.arithmetic.fence.f64"].map(|name| module.function(name));
    for fence in fences.into_iter().flatten().flat_map(Value::users).filter(|i| i.operand(0).is_constant()) {
        b.before(fence);
        fence.replace_uses_with(b.freeze(fence.operand(0)));
        fence.erase();
    }
    for global in module.globals().into_iter().filter(|g| g.is_externally_initialized()) {
        global.set_externally_initialized(false);
    }
}

fn hide(module: Module, decision: &Decision) {
    let b = module.builder();
    let fence = |value: Value| b.intrinsic("llvm.arithmetic.fence", &[value.ty()], &[value]);
    for literal in &decision.hidden {
        match *literal {
            Literal::Global(global) => global.set_externally_initialized(true),
            Literal::Operand(phi, index) if phi.is(Opcode::LLVMPHI) => {
                let incoming = phi.phi_incoming();
                let (value, from) = incoming[index as usize];
                b.before(from.terminator().expect("a block ends"));
                let hidden = fence(value);
                let same = (0..incoming.len()).filter(|n| incoming[*n].1 == from);
                same.for_each(|n| phi.set_operand(n as u32, hidden));
            }
            Literal::Operand(user, index) => {
                b.before(user);
                user.set_operand(index, fence(user.operand(index)));
            }
            Literal::Result(made) => {
                b.before(made.next().expect("a conversion ends no block"));
                let users = made.users();
                let hidden = fence(made);
                users.into_iter().for_each(|user| user.replace_operand(made, hidden));
            }
        }
    }
    for &i in &decision.fused {
        b.before(i);
        let fused = b.intrinsic("llvm.fma", &[i.ty()], &i.arguments());
        i.replace_uses_with(fused);
        i.erase();
    }
    decision.calls.iter().for_each(|call| call.add_call_attribute(module, c"nobuiltin"));
}

fn is_call_of(i: Value, name: &str) -> bool {
    i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().name().starts_with(name)
}

impl Frame<'_> {
    fn known(&self, value: Value) -> Option<Known> {
        match value.is_constant() {
            true => trace::number_of(value),
            false => self.known.get(&value).copied(),
        }
    }

    fn all_known(&self, values: &[Value]) -> Option<Vec<Known>> {
        values.iter().map(|v| self.known(*v)).collect()
    }
}

impl Search {
    /// Works out what is known in a function. Returns what it returns, if that is known.
    fn look_at(&mut self, function: Value, frame: &mut Frame) -> Option<Known> {
        let mut returned: Option<Option<Known>> = None;
        let mut single = HashMap::new();
        for block in function.blocks() {
            let mut near = HashMap::new();
            for i in block.instructions() {
                if frame.depth > 0 {
                    self.instructions = self.instructions.checked_sub(1)?;
                }
                match i.opcode() {
                    Opcode::LLVMStore if i.operand(1).is(Opcode::LLVMAlloca) => {
                        near.insert(i.operand(1), i);
                    }
                    Opcode::LLVMLoad => load(i, frame, &near, &mut single),
                    Opcode::LLVMRet if i.operand_count() == 1 => {
                        let value = frame.known(i.operand(0));
                        returned = Some(if returned.is_none() { value } else { None });
                    }
                    Opcode::LLVMCall if i.callee().is_function() && !i.callee().is_declaration() => {
                        self.call(i, frame);
                    }
                    _ => self.operation(i, frame),
                }
            }
        }
        returned.flatten()
    }

    /// A call of a function of the module, which will be inlined or made for these constants.
    fn call(&mut self, call: Value, frame: &mut Frame) {
        let callee = call.callee();
        let arguments = call.arguments();
        let floats = arguments.iter().filter(|a| is_number(**a)).count();
        if frame.depth >= MOST_CALLS || floats == 0 || !select::is_code(callee) || !may_fold(callee) {
            return;
        }
        let known: HashMap<Value, Known> =
            callee.parameters().into_iter().zip(arguments).filter_map(|(p, a)| Some((p, frame.known(a)?))).collect();
        if known.keys().filter(|p| is_number(**p)).count() < floats {
            return;
        }
        let depth = frame.depth + 1;
        let mut inner = Frame { known, stores: HashMap::new(), call: Some((call, &*frame)), depth };
        if let Some(result) = self.look_at(callee, &mut inner).filter(|r| r.constant.ty() == call.ty()) {
            frame.known.insert(call, result);
        }
    }

    fn operation(&mut self, i: Value, frame: &mut Frame) {
        if !is_foldable(i) {
            return;
        }
        let Some(operands) = frame.all_known(&operands(i)) else { return };
        let constants: Vec<Value> = operands.iter().map(|o| o.constant).collect();
        let Some(constant) = i.folded(&constants).filter(|c| c.as_const_real().is_some() || c.as_const_int().is_some())
        else {
            return;
        };
        let is_loose = !is_strict(i) || operands.iter().any(|o| o.is_loose);
        let judged = ideal::judge(i, &operands, constant);
        frame.known.insert(i, Known { constant, ideal: judged.ideal, is_loose });
        if is_loose && is_number(i) || !judged.is_checked {
            self.unchecked(i);
        }
        if judged.is_wrong && !is_loose {
            self.wrong(i, literals_behind(i, frame));
        }
        if is_call_of(i, "llvm.fmuladd.") && !fuses_alike(i, frame) {
            // The compiler folds it as one operation; whether it comes to that may hang on what it inlines.
            match frame.depth {
                0 => self.fused.entry(i).or_default().extend(literals_behind(i, frame)),
                _ => self.needed.extend(literals_behind(i, frame)),
            }
        } else if is_library_call(i) {
            self.calls.entry(i).or_default().extend(literals_behind(i, frame));
        }
    }

    fn wrong(&mut self, wrong: Value, literals: HashSet<Literal>) {
        let Some(function) = self.function else { return };
        self.chains.push(Chain { wrong, literals, function });
    }

    fn unchecked(&mut self, i: Value) {
        self.unchecked.extend(self.function.map(|function| (function, i)));
    }

    /// Which literals are hidden: those behind wrong values, unless that would change another.
    fn decide(&mut self) -> Decision {
        let mut hidden = HashSet::new();
        for chain in std::mem::take(&mut self.chains) {
            if chain.literals.is_empty() || !chain.literals.is_disjoint(&self.needed) {
                self.unchecked.insert((chain.function, chain.wrong));
            } else {
                hidden.extend(chain.literals);
            }
        }
        let touched = |all: &HashMap<Value, HashSet<Literal>>| {
            all.iter().filter(|(_, literals)| !literals.is_disjoint(&hidden)).map(|(i, _)| *i).collect()
        };
        Decision { fused: touched(&self.fused), calls: touched(&self.calls), hidden }
    }
}

/// The literals that a value goes back to, one for each operation on literals alone.
fn literals_behind(value: Value, frame: &Frame) -> HashSet<Literal> {
    let mut found = HashSet::new();
    let mut work = vec![(value, frame)];
    let mut met = HashSet::new();
    while let Some((value, frame)) = work.pop() {
        if !met.insert(value) {
            continue;
        }
        // Where a parameter or a variable has its value from.
        let handed_on = match frame.stores.get(&value) {
            Some(store) => Some((*store, 0, frame)),
            None if value.is_instruction() => None,
            None => frame.call.map(|(call, outer)| {
                let at = call.callee().parameters().iter().position(|p| *p == value);
                (call, at.expect("a parameter") as u32, outer)
            }),
        };
        if let Some((user, index, frame)) = handed_on {
            match user.operand(index) {
                literal if literal.is_constant() => drop(found.insert(Literal::Operand(user, index))),
                value => work.push((value, frame)),
            }
        } else if let Some(literal) = Literal::alone_in(value) {
            found.insert(literal);
        } else {
            work.extend(operands(value).into_iter().filter(|v| !v.is_constant() && is_number(*v)).map(|v| (v, frame)));
        }
    }
    found
}

impl Literal {
    /// A literal of an operation on no other numbers, or what it makes of integers.
    fn alone_in(i: Value) -> Option<Literal> {
        if !i.is_instruction() {
            return None;
        }
        if matches!(i.opcode(), Opcode::LLVMSIToFP | Opcode::LLVMUIToFP) {
            return Some(Literal::Result(i));
        }
        let values = operands(i);
        let at = values.iter().position(|v| v.is_constant() && is_number(*v))?;
        let others = values.iter().any(|v| !v.is_constant() && is_number(*v));
        (!others).then_some(Literal::Operand(i, at as u32))
    }
}

/// What an operation computes with.
fn operands(i: Value) -> Vec<Value> {
    match i {
        i if !i.is_instruction() => Vec::new(),
        i if i.is(Opcode::LLVMCall) => i.arguments(),
        i => i.operands(),
    }
}

fn is_library_call(i: Value) -> bool {
    i.is(Opcode::LLVMCall) && i.callee().is_declaration() && !is_call_of(i, "llvm.")
}

/// A load of a local variable: by the last store of its block, or the only one that there is.
fn load(load: Value, frame: &mut Frame, near: &HashMap<Value, Value>, single: &mut HashMap<Value, Option<Value>>) {
    let variable = load.operand(0);
    if !variable.is(Opcode::LLVMAlloca) {
        return;
    }
    let only = *single.entry(variable).or_insert_with(|| only_store(variable));
    let Some(only) = only else { return };
    let store = near.get(&variable).copied().or(Some(only).filter(|o| o.is(Opcode::LLVMStore)));
    let Some(known) = store.and_then(|s| frame.known(s.operand(0))) else { return };
    if known.constant.ty() == load.ty() {
        frame.known.insert(load, known);
        frame.stores.insert(load, store.expect("it was known"));
    }
}

/// The only store to a variable that is a register in disguise, the variable itself if there are several.
fn only_store(variable: Value) -> Option<Value> {
    if !locals::is_register(variable) {
        return None;
    }
    let users = variable.users();
    // Parts and copies of it are written elsewhere.
    let is_plain =
        |u: &Value| matches!(u.opcode(), Opcode::LLVMLoad | Opcode::LLVMStore) || is_call_of(*u, "llvm.lifetime.");
    if !users.iter().all(is_plain) {
        return None;
    }
    let mut stores = users.into_iter().filter(|u| u.is(Opcode::LLVMStore));
    let first = stores.next()?;
    Some(if stores.next().is_some() { variable } else { first })
}

fn is_number(value: Value) -> bool {
    FpType::of(value.ty())
        .is_some_and(|fp| fp.lanes.is_none() && matches!(fp.precision, Precision::Float | Precision::Double))
}

/// Operations that the compiler folds to what the machine computes, bit by bit.
fn is_foldable(i: Value) -> bool {
    use Opcode::*;
    match i.opcode() {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFNeg => is_number(i),
        LLVMFPExt | LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP => is_number(i),
        LLVMFPToSI | LLVMFPToUI | LLVMFCmp => is_number(i.operand(0)),
        LLVMAdd | LLVMSub | LLVMMul | LLVMICmp | LLVMZExt | LLVMSExt | LLVMTrunc => true,
        LLVMSelect => is_number(i),
        LLVMCall => is_number(i) && i.callee().is_function() && is_pure(&i.callee().name()),
        _ => false,
    }
}

/// Whether the machine must compute an operation as it stands, or does: flang lets all be contracted, which means nothing
/// where nothing fuses.
fn is_strict(i: Value) -> bool {
    !i.has_fast_math() || i.may_only_contract() && !fuses(i)
}

/// Whether the program's own target computes a product and a sum as one operation.
fn fuses(i: Value) -> bool {
    let features = i.block().function().string_attribute("target-features");
    features.is_some_and(|features| features.contains("+fma"))
}

/// Whether the machine makes the same of constants as the compiler, which folds them as one operation.
fn fuses_alike(i: Value, frame: &Frame) -> bool {
    let constants = frame.all_known(&i.arguments()).map(|known| known.iter().map(|k| k.constant).collect::<Vec<_>>());
    let alike = |constants: Vec<Value>| Some(trace::fuses_alike(i, &constants, frame.known(i)?.constant));
    fuses(i) || constants.and_then(alike) == Some(true)
}

/// Functions that the optimizer does not make others of.
fn is_pure(name: &str) -> bool {
    match name.strip_prefix("llvm.") {
        Some(intrinsic) => matches!(
            intrinsic.split('.').next().unwrap_or_default(),
            "sqrt" | "fabs" | "fma" | "fmuladd" | "copysign" | "sin" | "cos" | "tan" | "exp" | "log" | "log2" | "log10"
        ),
        None => libm::by_c_name(name).is_some_and(|(f, _)| f.by.real().is_some()),
    }
}

/// The function behind a call.
fn function_of(call: Value) -> Option<Function> {
    let name = call.callee().name();
    let found = match name.strip_prefix("llvm.") {
        Some(intrinsic) => libm::by_intrinsic(intrinsic.split('.').next()?)?,
        None => libm::by_c_name(&name)?.0,
    };
    found.by.real()
}

fn predicate_holds(predicate: RealPredicate, difference: f64) -> bool {
    use RealPredicate::*;
    match predicate {
        LLVMRealOEQ | LLVMRealUEQ => difference == 0.0,
        LLVMRealONE | LLVMRealUNE => difference != 0.0,
        LLVMRealOGT | LLVMRealUGT => difference > 0.0,
        LLVMRealOGE | LLVMRealUGE => difference >= 0.0,
        LLVMRealOLT | LLVMRealULT => difference < 0.0,
        LLVMRealOLE | LLVMRealULE => difference <= 0.0,
        _ => false,
    }
}
