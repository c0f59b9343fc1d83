//! Marks on functions that are instrumented later, where their optimization really ends.
//!
//! Shadow code is only right if nothing optimizes it again: to LLVM, a shadow's address lies outside of the object that it
//! is computed from. So what is compiled to bitcode (`-flto`, `-emit-llvm`) stays the program's own code, with a mark on
//! each function that this compile would have instrumented, and its options. Whoever makes machine code of it
//! instruments what is marked. Code without marks in the same link was never meant to be (see docs/decisions/lto.md).

use crate::llvm::{Module, Opcode, Value};
use crate::lower;
use crate::options::Options;
use crate::select;

const MARK: &str = "nonius-instrument";

/// Marks what these options choose; says whether the module changed.
pub fn mark(module: Module, options: &Options) -> bool {
    let ignored = select::ignored_functions(module);
    let settings = options.settings();
    let mut changed = false;
    for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
        // The inliner of the link compares features: it decides as it would without us.
        changed |= lower::narrow(module, function);
        if select::is_code(function) && select::left_alone(function, &ignored, options).is_none() {
            function.set_string_attribute(module, MARK, &settings);
            changed = true;
        }
    }
    changed
}

/// Before a link inlines anything: what is marked and what is not stay out of each other, as they do without LTO. Marked
/// code would lose its shadows, and other code, such as that of skipped files, would get some. Says whether the
/// module changed.
pub fn keep_apart(module: Module) -> bool {
    let is_marked = |f: Value| f.string_attribute(MARK).is_some();
    let mut changed = false;
    if !has_marks(module) {
        return false;
    }
    for function in module.functions().into_iter().filter(|f| !f.is_declaration()) {
        let calls = function.blocks().into_iter().flat_map(|b| b.instructions());
        let calls = calls.filter(|i| matches!(i.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke));
        let bodies = calls.filter(|c| c.callee().is_function() && !c.callee().is_declaration());
        for call in bodies.filter(|c| is_marked(c.callee()) != is_marked(function)) {
            call.add_call_attribute(module, c"noinline");
            changed = true;
        }
    }
    changed
}

pub fn has_marks(module: Module) -> bool {
    module.functions().into_iter().any(|f| f.string_attribute(MARK).is_some())
}

/// With which options a function was marked.
pub fn options_of(function: Value, general: &Options) -> Option<Options> {
    function.string_attribute(MARK).map(|settings| general.with_settings(&settings))
}
