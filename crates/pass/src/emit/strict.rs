//! Functions that watch the floating-point flags. Shadow arithmetic would raise flags of its own,
//! so a function with strict exception semantics keeps its code as it is; its floats restart
//! from their values.

use crate::llvm::{Kind, Opcode, Type, Value};
use nonius_abi::site::LeftAlone;

const CONSTRAINED: &str = "llvm.experimental.constrained.";

/// The operation behind a constrained intrinsic's name.
pub fn constrained(name: &str) -> Option<&str> {
    name.strip_prefix(CONSTRAINED)
}

/// Why the pass cannot instrument a function.
pub fn must_be_left_alone(function: Value) -> Option<LeftAlone> {
    if is_strict(function) {
        return Some(LeftAlone::Strict);
    }
    is_foreign(function).then_some(LeftAlone::Unsupported)
}

/// Whether the function has operations whose exceptions the program can see.
fn is_strict(function: Value) -> bool {
    function.has_attribute(c"strictfp")
        && function.blocks().into_iter().flat_map(|b| b.instructions()).any(|i| {
            matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && i.callee().is_function()
                && i.callee().name().starts_with(CONSTRAINED)
                && i.arguments().last().and_then(|m| m.as_metadata_text()).as_deref() == Some("fpexcept.strict")
        })
}

/// Functions with code that the pass cannot split or measure: funclets, convergence tokens and
/// vectors of unknown width. clang emits none of it for the targets that have shadows.
fn is_foreign(function: Value) -> bool {
    use Opcode::{LLVMCatchPad, LLVMCatchSwitch, LLVMCleanupPad};
    let is_scalable = |v: Value| holds_scalable(v.ty());
    function.parameters().into_iter().any(is_scalable)
        || function.blocks().into_iter().flat_map(|b| b.instructions()).any(|i| {
            matches!(i.opcode(), LLVMCatchPad | LLVMCatchSwitch | LLVMCleanupPad)
                || is_scalable(i)
                || i.operands().into_iter().any(is_scalable)
                || i.opcode() == Opcode::LLVMAlloca && holds_scalable(i.allocated_type())
                || i.opcode() == Opcode::LLVMCall
                    && i.callee().is_function()
                    && i.callee().name().starts_with("llvm.experimental.convergence.")
        })
}

fn holds_scalable(ty: Type) -> bool {
    match ty.kind() {
        Kind::Scalable => true,
        Kind::Struct(fields) => (0..fields).any(|i| holds_scalable(ty.field(i))),
        Kind::Array(_) => holds_scalable(ty.element()),
        _ => false,
    }
}
