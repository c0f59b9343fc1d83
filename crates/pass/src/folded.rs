//! Arithmetic on constants, which the optimizer does itself: what it leaves is a constant like any other, exact to all
//! who see it later (docs/decisions/folded.md).
//!
//! So before anything is optimized, operations whose operands are constants are computed twice: as the compiler will, and
//! in double-double. Where the two differ by more than rounding, the literals that the value goes back to are hidden behind
//! a fence: the operations stay in the program, compute what they would have, and are shadowed. All else folds as ever.
//!
//! Constants are followed through local variables and into functions of the module that are called with them. Both ways of
//! a branch are looked at, which hides a literal too many now and then, and costs no more than that.

use crate::fp::FpType;
use crate::llvm::{Kind, Module, Opcode, RealPredicate, Value};
use crate::locals;
use crate::options::Options;
use crate::select;
use nonius_abi::Precision;
use nonius_abi::libm::{self, Function};
use nonius_numerics::Dd;
use std::collections::{HashMap, HashSet};

mod ideal;

/// Calls into each other that constants are followed through, and instructions that are looked at on the way in a module.
const MOST_CALLS: u32 = 3;
const MOST_INSTRUCTIONS: usize = 50_000;

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

/// Where a literal stands: an operand, or all that an instruction makes of integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Literal {
    Operand(Value, u32),
    Result(Value),
}

/// A function, as it is when it is called like this.
struct Frame<'a> {
    known: HashMap<Value, Known>,
    /// What was stored where a load reads.
    stores: HashMap<Value, Value>,
    call: Option<(Value, &'a Frame<'a>)>,
    depth: u32,
}

#[derive(Default)]
struct Search {
    literals: HashSet<Literal>,
    /// Fused operations that are to be computed as the compiler would.
    fused: HashSet<Value>,
    /// Library calls that must stay what they are.
    calls: HashSet<Value>,
    instructions: usize,
    /// Operations that the compiler computes and nobody checks.
    unchecked: u32,
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
    let mut search = Search { instructions: MOST_INSTRUCTIONS, ..Search::default() };
    let mut counted = false;
    let ignored = select::ignored_functions(module);
    for function in module.functions().into_iter().filter(|f| select::is_code(*f) && may_fold(*f)) {
        let mut instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
        if instructions.any(is_number) && select::left_alone(function, &ignored, options).is_none() {
            let mut frame = Frame { known: HashMap::new(), stores: HashMap::new(), call: None, depth: 0 };
            search.look_at(function, &mut frame);
            let unchecked = std::mem::take(&mut search.unchecked);
            if unchecked > 0 {
                function.set_string_attribute(module, UNCHECKED, &unchecked.to_string());
                counted = true;
            }
        }
    }
    hide(module, &search);
    counted || !search.literals.is_empty()
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
}

fn hide(module: Module, search: &Search) {
    let b = module.builder();
    let fence = |value: Value| b.intrinsic("llvm.arithmetic.fence", &[value.ty()], &[value]);
    for literal in &search.literals {
        match *literal {
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
    for &i in &search.fused {
        b.before(i);
        let fused = b.intrinsic("llvm.fma", &[i.ty()], &i.arguments());
        i.replace_uses_with(fused);
        i.erase();
    }
    search.calls.iter().for_each(|call| call.add_call_attribute(module, c"nobuiltin"));
}

fn is_call_of(i: Value, name: &str) -> bool {
    i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().name().starts_with(name)
}

impl Frame<'_> {
    fn known(&self, value: Value) -> Option<Known> {
        match value.is_constant() {
            true => {
                let number = value.as_const_real().filter(|_| !matches!(value.ty().kind(), Kind::Vector(_)));
                let ideal = number.map(Dd::from).or_else(|| value.as_const_int().map(|_| Dd::ZERO));
                ideal.map(|ideal| Known { constant: value, ideal, is_loose: false })
            }
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
        let values = if i.is(Opcode::LLVMCall) { i.arguments() } else { i.operands() };
        let Some(operands) = frame.all_known(&values) else { return };
        let constants: Vec<Value> = operands.iter().map(|o| o.constant).collect();
        let Some(constant) = i.folded(&constants).filter(|c| c.as_const_real().is_some() || c.as_const_int().is_some())
        else {
            return;
        };
        let is_loose = !is_strict(i) || operands.iter().any(|o| o.is_loose);
        let judged = ideal::judge(i, &operands, constant);
        frame.known.insert(i, Known { constant, ideal: judged.ideal, is_loose });
        let is_kept = !is_loose && judged.is_wrong && self.follow(i, frame);
        if is_loose && is_number(i) || !judged.is_checked || judged.is_wrong && !is_kept {
            self.unchecked += 1;
        }
    }

    /// Notes the literals that a wrong value goes back to. Says whether that can be done without changing the value.
    fn follow(&mut self, value: Value, frame: &Frame) -> bool {
        let mut found = Search::default();
        let mut work = vec![(value, frame)];
        let mut met = HashSet::new();
        while let Some((value, frame)) = work.pop() {
            if !met.insert(value) {
                continue;
            }
            if !value.is_instruction() {
                let Some((call, outer)) = frame.call else { continue };
                let at = call.callee().parameters().iter().position(|p| *p == value).expect("a parameter");
                found.operand(call, at as u32, outer, &mut work);
            } else if let Some(&store) = frame.stores.get(&value) {
                found.operand(store, 0, frame, &mut work);
            } else {
                if is_call_of(value, "llvm.fmuladd.") {
                    // The compiler folds it as one operation; whether it comes to that hangs on what it inlines.
                    match fuses_alike(value, frame) {
                        true => {}
                        false if frame.depth > 0 => return false,
                        false => _ = found.fused.insert(value),
                    }
                } else if value.is(Opcode::LLVMCall) && value.callee().is_declaration() && !is_call_of(value, "llvm.") {
                    found.calls.insert(value);
                }
                found.operands(value, frame, &mut work);
            }
        }
        self.literals.extend(found.literals);
        self.fused.extend(found.fused);
        self.calls.extend(found.calls);
        true
    }

    /// One literal of an operation on literals alone; else what its operands go back to.
    fn operands<'f, 'a>(&mut self, i: Value, frame: &'f Frame<'a>, work: &mut Vec<(Value, &'f Frame<'f>)>)
    where
        'a: 'f,
    {
        if matches!(i.opcode(), Opcode::LLVMSIToFP | Opcode::LLVMUIToFP) {
            self.literals.insert(Literal::Result(i));
            return;
        }
        let values = if i.is(Opcode::LLVMCall) { i.arguments() } else { i.operands() };
        let numbers: Vec<u32> = (0..values.len() as u32).filter(|n| is_number(values[*n as usize])).collect();
        match numbers.iter().all(|n| values[*n as usize].is_constant()) {
            true => self.literals.extend(numbers.first().map(|n| Literal::Operand(i, *n))),
            false => {
                let others = values.into_iter().filter(|v| !v.is_constant() && is_number(*v));
                work.extend(others.map(|v| (v, frame)));
            }
        }
    }

    fn operand<'f>(&mut self, user: Value, index: u32, frame: &'f Frame<'f>, work: &mut Vec<(Value, &'f Frame<'f>)>) {
        let value = user.operand(index);
        if value.is_constant() {
            self.literals.insert(Literal::Operand(user, index));
        } else {
            work.push((value, frame));
        }
    }
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
    let fuses = || {
        let features = i.block().function().string_attribute("target-features");
        features.is_some_and(|features| features.contains("+fma"))
    };
    !i.has_fast_math() || i.may_only_contract() && !fuses()
}

/// Whether a product and a sum make the same of constants as one operation.
fn fuses_alike(i: Value, frame: &Frame) -> bool {
    let numbers: Option<Vec<f64>> =
        i.arguments().into_iter().map(|a| frame.known(a).and_then(|k| k.constant.as_const_real())).collect();
    let folded = frame.known(i).and_then(|k| k.constant.as_const_real());
    let apart = numbers.map(|n| match FpType::of(i.ty()).map(|fp| fp.precision) {
        Some(Precision::Float) => f64::from(n[0] as f32 * n[1] as f32 + n[2] as f32),
        _ => n[0] * n[1] + n[2],
    });
    folded.is_some() && folded == apart
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
