//! Makes the function mean in IR what its own target would compute, and only then lets it use
//! the machine's wider instructions.
//!
//! Three things would otherwise change the program's results:
//! * `llvm.fmuladd` is one rounding where the target has FMA and two where it has not;
//! * with `contract` flags the code generator fuses a product that has one use with the addition
//!   behind it. Shadow code adds uses, so the fusing is done here, by the code generator's rules,
//!   and the flags are dropped;
//! * a function that passes wide vectors by value has another calling convention under AVX.

use crate::llvm::{Kind, Module, Opcode, Type, Value};
use crate::options::Options;

pub fn lower(module: Module, function: Value, options: &Options) {
    let features = function.string_attribute("target-features").unwrap_or_default();
    let target = Target::new(&features);
    let instructions: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
    for &i in &instructions {
        if i.is(Opcode::LLVMCall) && i.callee().is_function() && i.callee().name().starts_with("llvm.fmuladd.") {
            lower_fmuladd(module, i, target);
        }
    }
    contract(module, function, target);
    if !options.no_avx && host_has_fma() && !passes_wide_vectors(module, function, &features) {
        raise(module, function, &features);
    }
}

#[derive(Clone, Copy)]
struct Target {
    fma: bool,
    fp16: bool,
}

impl Target {
    fn new(features: &str) -> Target {
        let has = |name: &str| features.split(',').any(|f| f.strip_prefix('+') == Some(name));
        Target { fma: has("fma") || has("fma4") || has("avx512f"), fp16: has("avx512fp16") }
    }

    /// Whether the code generator prefers one fused operation for this type.
    fn fuses(self, ty: Type) -> bool {
        let element = if let Kind::Vector(_) = ty.kind() { ty.element() } else { ty };
        match element.kind() {
            Kind::Float | Kind::Double => self.fma,
            Kind::Half => self.fp16,
            _ => false,
        }
    }
}

fn lower_fmuladd(module: Module, call: Value, target: Target) {
    let b = module.builder();
    b.before(call);
    let [x, y, c] = [0, 1, 2].map(|i| call.operand(i));
    let lowered = if target.fuses(call.ty()) {
        b.fma(x, y, c)
    } else {
        let product = b.fmul(x, y);
        copy_flags(product, call);
        b.fadd(product, c)
    };
    copy_flags(lowered, call);
    call.replace_uses_with(lowered);
    call.erase();
}

fn copy_flags(to: Value, from: Value) {
    if to.is_instruction() {
        to.copy_fast_math_flags(from);
        to.forbid_contract();
    }
}

/// Fuses what the code generator would fuse, block by block, then drops the flags.
fn contract(module: Module, function: Value, target: Target) {
    for block in function.blocks() {
        for i in block.instructions() {
            if matches!(i.opcode(), Opcode::LLVMFAdd | Opcode::LLVMFSub) && i.may_contract() && target.fuses(i.ty()) {
                fuse(module, i);
            }
        }
    }
    for i in function.blocks().into_iter().flat_map(|b| b.instructions()) {
        i.forbid_contract();
    }
}

/// The multiplication behind an operand, if it is there for this one use.
fn product(operand: Value, user: Value) -> Option<Value> {
    let fits = operand.is(Opcode::LLVMFMul)
        && operand.may_contract()
        && operand.block() == user.block()
        && operand.users().len() == 1;
    fits.then_some(operand)
}

fn fuse(module: Module, sum: Value) {
    let (a, c) = (sum.operand(0), sum.operand(1));
    let subtract = sum.opcode() == Opcode::LLVMFSub;
    let b = module.builder();
    b.before(sum);
    let (fused, product) = if let Some(p) = product(a, sum) {
        let addend = if subtract { b.fneg(c) } else { c };
        (b.fma(p.operand(0), p.operand(1), addend), p)
    } else if let Some(p) = product(c, sum) {
        let x = if subtract { b.fneg(p.operand(0)) } else { p.operand(0) };
        (b.fma(x, p.operand(1), a), p)
    } else {
        return;
    };
    fused.copy_fast_math_flags(sum);
    sum.replace_uses_with(fused);
    sum.erase();
    product.erase();
}

fn host_has_fma() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

/// Whether a vector crosses a call in a register that AVX would widen.
fn passes_wide_vectors(module: Module, function: Value, features: &str) -> bool {
    if features.contains("+avx") {
        return false;
    }
    let is_wide = |ty: Type| matches!(ty.kind(), Kind::Vector(_)) && module.store_bytes(ty) > 16;
    let crosses = |ty: Type| is_wide(ty.result()) || ty.parameters().into_iter().any(is_wide);
    crosses(function.function_type())
        || function.blocks().into_iter().flat_map(|b| b.instructions()).any(|i| {
            matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && !(i.callee().is_function() && i.callee().name().starts_with("llvm."))
                && (crosses(i.callee_type()) || i.arguments().into_iter().any(|a| is_wide(a.ty())))
        })
}

fn raise(module: Module, function: Value, features: &str) {
    let raised = if features.is_empty() { "+avx2,+fma".to_owned() } else { format!("{features},+avx2,+fma") };
    function.set_string_attribute(module, "target-features", &raised);
}
