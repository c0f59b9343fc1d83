//! Functions that watch the floating-point flags. Shadow arithmetic would raise flags of its own,
//! so a function with strict exception semantics keeps its code as it is; its floats restart
//! from their values.

use crate::llvm::{Opcode, Value};

const CONSTRAINED: &str = "llvm.experimental.constrained.";

/// The operation behind a constrained intrinsic's name.
pub fn constrained(name: &str) -> Option<&str> {
    name.strip_prefix(CONSTRAINED)
}

/// Whether the function has operations whose exceptions the program can see.
pub fn is_strict(function: Value) -> bool {
    function.has_attribute(c"strictfp")
        && function.blocks().into_iter().flat_map(|b| b.instructions()).any(|i| {
            matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && i.callee().is_function()
                && i.callee().name().starts_with(CONSTRAINED)
                && i.arguments().last().and_then(|m| m.as_metadata_text()).as_deref() == Some("fpexcept.strict")
        })
}
