//! The pass plugin: puts the shadow of every float beside it, in the program's own code.
//!
//! ```text
//!  module --lower--> as its target would compute --emit (a function at a time)--> instrumented
//!                                                     |
//!                                                     +--> site table, constructor
//! ```
//! Each function goes through: `plan` (what the function needs, before anything changes),
//! then `emit` (a walk in reverse post-order that emits each instruction's shadow behind it).

mod cfg;
mod emit;
mod formats;
mod fp;
mod llvm;
mod locals;
mod lower;
mod options;
mod select;
mod sites;
mod tables;

use llvm::{Module, Value};

/// Whether the target is one that shadow memory is laid out for.
fn has_planes(module: Module) -> bool {
    module.target_triple().starts_with("x86_64") && module.alloc_bytes(module.types().ptr()) == 8
}

/// Rust's operators and mathematical methods are functions of its library, inlined but at level 0.
/// What they return there is no value that escapes, so they are inlined at level 0 too.
fn before_pipeline(module: Module) -> bool {
    let mut changed = false;
    for function in module.functions().into_iter().filter(|f| has_planes(module) && select::is_rust_operation(*f)) {
        function.add_attribute(module, c"alwaysinline");
        changed = true;
    }
    changed
}

/// Lets the vectorizers use the machine's width; see `lower`.
fn before_vectorizers(module: Module, function: Value) -> bool {
    has_planes(module)
        && !function.is_declaration()
        && emit::has_floats(function)
        && lower::widen(module, function, &options::Options::from_env())
}

/// Instruments the module; says whether it changed.
fn run(module: Module) -> bool {
    if !has_planes(module) || module.global(tables::MARK).is_some() {
        return false;
    }
    let options = options::Options::from_env();
    formats::forward_from_tables(module);
    let mut tables = tables::Tables::new(module);
    let ignored = select::ignored_functions(module);
    let has_floats = module.functions().into_iter().any(emit::has_floats);
    for function in module.functions() {
        if !select::is_instrumented(function, &ignored, &options) {
            continue;
        }
        let Some(plan) = emit::Plan::of(module, function, has_floats, &options) else { continue };
        lower::lower(module, function, &options);
        emit::instrument(module, function, plan, &mut tables, &options);
        if options.verify && !Module::verify(function) {
            eprintln!("nonius: the pass broke {}; please report this", function.name());
            std::process::abort();
        }
    }
    let changed = tables.finish();
    if changed {
        module.forget_memory_effects();
    }
    changed
}
