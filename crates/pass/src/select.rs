//! Which functions are instrumented.

use crate::llvm::{Kind, Linkage, Module, Type, Value};
use crate::options::{Options, glob};
use crate::sites;
use nonius_abi::site::LeftAlone;
use std::collections::HashSet;

const ANNOTATION: &str = "nonius-ignore";
/// Where `#[nonius::ignore]` puts a Rust function, for want of another mark.
const IGNORED_SECTION: &str = ".text.nonius_ignore";

/// Functions that the source marks with `NONIUS_IGNORE`.
pub fn ignored_functions(module: Module) -> HashSet<Value> {
    let entries = module.global("llvm.global.annotations").and_then(Value::initializer);
    let entries = entries.map(Value::operands).unwrap_or_default();
    entries
        .into_iter()
        .filter(|e| e.operand_count() >= 2 && e.operand(1).as_const_text().as_deref() == Some(ANNOTATION))
        .map(|e| e.operand(0))
        .collect()
}

/// Whether a function is code of the module that the pass may change at all.
pub fn is_code(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != Linkage::LLVMAvailableExternallyLinkage
        && !function.has_attribute(c"naked")
        && !function.name().starts_with("__nonius_")
}

/// Why the source or the options want a function to be left as it is.
pub fn left_alone(function: Value, ignored: &HashSet<Value>, options: &Options) -> Option<LeftAlone> {
    if ignored.contains(&function) || function.section() == IGNORED_SECTION {
        return Some(LeftAlone::Marked);
    }
    let name = function.name();
    let any = |globs: &[String], text: &str| globs.iter().any(|g| glob(g, text));
    let is_skipped = any(&options.skip_functions, &name)
        || !options.only_functions.is_empty() && !any(&options.only_functions, &name)
        || !options.skip_files.is_empty() && {
            let file = function_file(function);
            options.skip_files.iter().any(|g| glob(g, &file) || glob(&format!("*/{g}"), &file))
        };
    is_skipped.then_some(LeftAlone::Option)
}

/// Whether a function is one of the few instructions behind an operator or method of Rust's floats.
pub fn is_rust_operation(function: Value) -> bool {
    const FEW: usize = 16;
    if function.is_declaration() || function.has_attribute(c"noinline") {
        return false;
    }
    let [block] = function.blocks()[..] else { return false };
    let instructions = block.instructions();
    let ty = function.function_type();
    let float = |ty: Type| matches!(ty.kind(), Kind::Float | Kind::Double);
    instructions.len() <= FEW
        && (float(ty.result()) || ty.parameters().into_iter().any(float))
        && sites::is_rust_library(&function_file(function))
}

/// Whether a function is an operator or an access of `std::complex`. At level 0 each sum of two numbers would be one in the
/// library, of which nobody knows whose it is.
pub fn is_complex_operation(function: Value) -> bool {
    const FEW: usize = 120;
    if function.is_declaration() || function.linkage() != Linkage::LLVMLinkOnceODRLinkage {
        return false;
    }
    let name = function.name();
    let names = ["_ZNSt3__1", "_ZNKSt3__1", "_ZNSt", "_ZNKSt", "_ZSt"];
    let Some(rest) = names.iter().find_map(|prefix| name.strip_prefix(prefix)) else { return false };
    let is_free = ["pl", "mi", "ml", "dv", "ng", "ps", "eq", "ne", "4real", "4imag", "4conj", "4norm"];
    let is_one = rest.starts_with("7complexI")
        || rest.contains("7complexI") && is_free.iter().any(|operator| rest.starts_with(operator));
    is_one && function.blocks().iter().map(|b| b.instructions().len()).sum::<usize>() <= FEW
}

/// Whether a function is an overload of `<cmath>` for one format, such as `std::abs(double)`: a call of what C has. At level 0
/// its argument would be one that escapes.
pub fn is_math_overload(function: Value) -> bool {
    const FEW: usize = 24;
    if function.is_declaration() || function.linkage() != Linkage::LLVMLinkOnceODRLinkage {
        return false;
    }
    is_overload(&function.name()) && function.blocks().iter().map(|b| b.instructions().len()).sum::<usize>() <= FEW
}

/// Whether a mangled name is that of a function of namespace `std` that takes floats alone.
fn is_overload(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("_ZSt") else { return false };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (length, rest) = rest.split_at(digits);
    let parameters = length.parse().ok().and_then(|length: usize| rest.get(length..));
    parameters.is_some_and(|all| !all.is_empty() && all.chars().all(|c| matches!(c, 'd' | 'f' | 'e')))
}

/// The source file of the function's first instruction that has one.
pub fn function_file(function: Value) -> String {
    let locs = function.blocks().into_iter().flat_map(|b| b.instructions()).filter_map(Value::debug_loc);
    let top = locs.map(|mut loc| {
        while let Some(outer) = loc.inlined_at() {
            loc = outer;
        }
        loc.file()
    });
    top.into_iter().find(|f| !f.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overloads_take_floats_alone() {
        let overloads = ["_ZSt3absd", "_ZSt4fabsf", "_ZSt5hypotee", "_ZSt3powff"];
        let others = ["_ZSt3absl", "_ZSt3powIdiE", "_ZSt4sqrt", "_ZNSt3absd", "sqrt", "_ZSt99absd", "_ZSt4cosh"];
        assert!(overloads.into_iter().all(is_overload));
        assert!(!others.into_iter().any(is_overload));
    }
}
