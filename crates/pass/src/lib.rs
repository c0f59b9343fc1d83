//! The pass plugin: puts the shadow of every float beside it, in the program's own code.
//!
//! ```text
//!  module --lower--> as its target would compute --emit (a function at a time)--> instrumented
//!                                                     |
//!                                                     +--> site table, constructor
//! ```
//! Beside it stands a clone that only records, for the event engine (see `record`).
//! Each function goes through: `plan` (what the function needs, before anything changes),
//! then `emit` (a walk in reverse post-order that emits each instruction's shadow behind it).

mod adjacent;
mod by_address;
mod cfg;
mod defined;
mod doctest;
mod early;
mod emit;
mod evidence;
mod exchanges;
mod failure;
mod folded;
mod formats;
mod fp;
mod guard;
mod intended;
mod keeps;
mod llvm;
mod locals;
mod lower;
mod mark;
mod min_max;
mod options;
mod places;
mod record;
mod result;
mod select;
mod sign_test;
mod sites;
mod tables;
mod tested;

use llvm::{Module, Value};
use tables::Tables;

/// Whether the target is one that shadow memory is laid out for.
fn has_planes(module: Module) -> bool {
    module.target_triple().starts_with("x86_64") && module.alloc_bytes(module.types().ptr()) == 8
}

/// Rust's operators and mathematical methods are functions of its library, inlined but at level 0, and so are those of
/// C++'s complex numbers and of `<cmath>`. What they return there is no value that escapes, so they are inlined at level 0 too.
fn before_pipeline(module: Module, unoptimized: bool) -> bool {
    if !has_planes(module) {
        return false;
    }
    let is_one_of_cpp = |f: Value| select::is_complex_operation(f) || select::is_math_overload(f);
    let is_operation = |f: &Value| select::is_rust_operation(*f) || is_one_of_cpp(*f);
    let mut changed = doctest::move_lines(module);
    for function in module.functions().into_iter().filter(is_operation) {
        function.remove_attribute(c"noinline");
        function.remove_attribute(c"optnone");
        function.add_attribute(module, c"alwaysinline");
        changed = true;
    }
    if !unoptimized {
        changed |= places::note(module);
        changed |= folded::keep_wrong(module, &options::Options::from_env());
    }
    changed
}

/// Lets the vectorizers use the machine's width; see `lower`.
/// Where the program looks at exceptions, lanes that a wider loop computes in vain would raise them.
fn before_vectorizers(module: Module, function: Value) -> bool {
    has_planes(module)
        && ["fetestexcept", "feenableexcept"].into_iter().all(|name| module.function(name).is_none())
        && !function.is_declaration()
        && emit::has_floats(function)
        && lower::widen(module, function, &options_of(function))
}

/// Whether LLVM may make vectors of a function's single operations. Of a compensated sum it would join parts whose
/// values no longer have names of their own: what belongs together would no longer be known.
fn may_join_lanes(function: Value) -> bool {
    function.is_declaration()
        || !emit::has_floats(function)
        || intended::roundings(function, &cfg::Cfg::of(function).order, &intended::Summaries::default()).is_empty()
}

/// A function that gets shadows.
struct Planned {
    function: Value,
    plan: emit::Plan,
    /// In the code table, if it can be recorded.
    number: Option<u32>,
    callers: Option<Vec<Value>>,
    options: options::Options,
    /// Its target features before it was lowered, and what is left to do of that.
    features: Option<String>,
    unfinished: Vec<Value>,
}

/// Instruments a function, and a clone of it that records. If that fails, it stays as it was.
fn instrument(planned: Planned, has_floats: bool, tables: &mut Tables) -> Option<record::Pair> {
    let Planned { function, plan, number, callers, options, features, unfinished } = planned;
    let options = &options;
    let module = tables.module;
    let site_function = tables.sites.next_function();
    let Some(clone) = failure::keep(function) else {
        failure::attempt_or_end(module, function, || emit::instrument(module, function, plan, tables, options));
        lower::finish(module, &unfinished);
        return None;
    };
    let theirs = lower::in_clone(&unfinished, function, clone);
    if let Err(why) = failure::attempt(|| emit::instrument(module, function, plan, tables, options)) {
        tables.code.code.unrecorded += u32::from(number.is_some());
        failure::put_back(tables, function, clone, features.as_deref(), &why);
        return None;
    }
    lower::finish(module, &unfinished);
    let numbers = number.map(|code_function| record::Numbers { site_function, code_function });
    if numbers.is_some_and(|numbers| record::record(clone, numbers, has_floats, tables, options)) {
        lower::finish(module, &theirs);
        return Some(record::Pair { function, clone, callers });
    }
    clone.delete_function();
    None
}

/// The options that a function is compiled with: those that it was marked with, or this compile's.
fn options_of(function: Value) -> options::Options {
    let general = options::Options::from_env();
    mark::options_of(function, &general).unwrap_or(general)
}

/// At the end of a compile to bitcode that a link or another compile will optimize again.
fn before_link(module: Module) -> bool {
    has_planes(module) && module.global(tables::MARK).is_none() && mark::mark(module, &options::Options::from_env())
}

/// At the end of all optimization: instruments the module, in a link only what was marked for it. Says whether its code
/// changed.
fn run(module: Module, in_link: bool, unoptimized: bool) -> bool {
    let options = options::Options::from_env();
    if options.bitcode && !in_link {
        return before_link(module);
    }
    let has_marks = mark::has_marks(module);
    if !has_planes(module) || module.global(tables::MARK).is_some() || in_link && !has_marks {
        return false;
    }
    formats::forward_from_tables(module);
    folded::reveal(module);
    let mut tables = Tables::new(module);
    evidence::note(module, &mut tables.sites);
    if module.function(nonius_abi::api::TASK_BEGIN).is_some_and(|begin| !begin.users().is_empty()) {
        tables.sites.set_flag(nonius_abi::table::FLAG_TASKS);
    }
    let ignored = select::ignored_functions(module);
    let has_floats = module.functions().into_iter().any(emit::has_floats);
    let mut planned = Vec::new();
    for function in module.functions().into_iter().filter(|f| select::is_code(*f)) {
        // Code without marks in a link with marks was not compiled by Nonius, or left alone then.
        let own = if has_marks { mark::options_of(function, &options) } else { Some(options.clone()) };
        let Some(mut own) = own else {
            tables.left_alone.insert(function);
            continue;
        };
        let chosen = if has_marks { None } else { select::left_alone(function, &ignored, &options) };
        if let Some(reason) = chosen.or_else(|| emit::must_be_left_alone(function)) {
            emit::leave_alone(module, function, reason, &mut tables);
            continue;
        }
        own.unoptimized = unoptimized || function.has_attribute(c"optnone");
        let plan = failure::attempt_or_end(module, function, || {
            exchanges::unpack(module, function);
            if emit::has_floats(function) {
                places::split_returns(module, function, own.unoptimized);
                adjacent::join(module, function);
            }
            emit::Plan::of(module, function, has_floats, &own)
        });
        let Some(plan) = plan else {
            if has_floats {
                emit::count_calls_only(module, function, &mut tables);
            }
            continue;
        };
        let number = record::can_clone(function).then(|| tables.code.declare(function));
        tables.code.code.unrecorded += u32::from(number.is_none());
        let features = function.string_attribute("target-features");
        let unfinished = failure::attempt_or_end(module, function, || lower::lower(module, function, &own));
        let callers = record::callers(function);
        planned.push(Planned { function, plan, number, callers, options: own, features, unfinished });
    }
    tables.summaries = intended::Summaries::of(&planned.iter().map(|p| p.function).collect::<Vec<_>>());
    let (mut pairs, mut instrumented) = (Vec::new(), Vec::new());
    for planned in planned {
        instrumented.push(planned.function);
        pairs.extend(instrument(planned, has_floats, &mut tables));
    }
    record::connect(&tables, &pairs);
    instrumented.extend(pairs.iter().map(|p| p.clone));
    instrumented.extend(tables.outlined.functions());
    for made in instrumented.into_iter().filter(|_| options.verify) {
        if !Module::verify(made) {
            eprintln!("nonius: the pass broke {}; please report this", made.name());
            std::process::abort();
        }
    }
    if let Some(error) = tables.code.code.validate().err().filter(|_| options.verify) {
        eprintln!("nonius: the pass made a wrong table: {error}; please report this");
        std::process::abort();
    }
    defined::list(module, |f| !tables.left_alone.contains(&f));
    let changed = tables.finish();
    if changed {
        module.forget_memory_effects();
    }
    changed
}
