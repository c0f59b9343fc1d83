//! A fault of the pass itself: the user hears of it, by function and file, and the function is left out.

use crate::llvm::{Module, Opcode, Value};
use crate::tables::Tables;
use crate::{emit, select};
use nonius_abi::site::LeftAlone;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// What the last panic of this thread said, while somebody catches it.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What `work` gives, or where it panicked and why.
pub fn attempt<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_caught = SAID.with_borrow_mut(|said| {
                said.as_mut().map(|said| *said = panic.to_string().replace('\n', " ")).is_some()
            });
            if !is_caught {
                usual(panic);
            }
        }));
    });
    SAID.set(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let said = SAID.take().unwrap_or_default();
    result.map_err(|_| said)
}

/// The same for work whose half cannot be undone: the compiler ends, and the user reads how to go on.
pub fn attempt_or_end<R>(module: Module, function: Value, work: impl FnOnce() -> R) -> R {
    attempt(work).unwrap_or_else(|why| {
        let name = function.name();
        eprintln!(
            "nonius: error: {}: the pass failed in function {name}: {why}\n  please report this with the source; \
             to go on without the function: --nonius-skip-functions={name}",
            file(module, function)
        );
        std::process::abort();
    })
}

/// The program's function as it was before shadows, in case they fail. Not where addresses of its blocks are known
/// elsewhere: those are of this copy only.
pub fn keep(function: Value) -> Option<Value> {
    let jumps = |i: Value| i.opcode() == Opcode::LLVMIndirectBr;
    let keeps = !function.blocks().into_iter().flat_map(|b| b.instructions()).any(jumps);
    keeps.then(|| function.clone_function())
}

/// Puts the kept body back. The function counts as one without shadows, once it ran.
pub fn put_back(tables: &mut Tables, function: Value, original: Value, features: Option<&str>, why: &str) {
    let module = tables.module;
    function.take_body(original);
    function.set_string_attribute(module, "target-features", features.unwrap_or_default());
    warn(module, function, "which is left without shadows", why);
    emit::leave_alone(module, function, LeftAlone::Unsupported, tables);
}

pub fn warn(module: Module, function: Value, but: &str, why: &str) {
    let (file, name) = (file(module, function), function.name());
    eprintln!(
        "nonius: warning: {file}: the pass failed in function {name}, {but}: {why}\n  please report this with the source"
    );
}

fn file(module: Module, function: Value) -> String {
    let file = select::function_file(function);
    if file.is_empty() { module.source_file() } else { file }
}
