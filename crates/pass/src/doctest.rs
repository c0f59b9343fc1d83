//! Doctests: rustdoc compiles each as a file of its own, under the name of the file that it stands in, and tells rustc by
//! how many lines to move what it says of it. Locations are moved here, so that reports and stacks name the source.
//!
//! Doctests that were merged into one program (edition 2024) have places of their own until the program runs
//! (`runtime::doctests`).

use crate::llvm::Module;

/// The function that rustdoc puts around statements: `_doctest_main_src_lib_rs_12_0` is of line 12 of `src/lib.rs`.
const WRAPPER: &str = "_doctest_main_";

/// Lines that rustdoc puts before a doctest and may forget to count.
const UNCOUNTED: i64 = 2;

/// Moves the lines of a module that is a doctest. Says whether it is one.
pub fn move_lines(module: Module) -> bool {
    let told = |name: &str| std::env::var(name).ok();
    let (Some(file), Some(by)) = (told("UNSTABLE_RUSTDOC_TEST_PATH"), told("UNSTABLE_RUSTDOC_TEST_LINE")) else {
        return false;
    };
    let Ok(by) = by.parse() else { return false };
    let source = std::fs::read_to_string(&file).unwrap_or_default();
    let lines: Vec<&str> = source.lines().collect();
    let declared: Vec<(String, u32)> = module.functions().into_iter().filter_map(|f| f.declared_in(&file)).collect();
    let columns: Vec<u32> = lines.iter().map(|line| prefix(line)).collect();
    module.move_lines(&file, distance(&declared, &lines, by), &columns);
    true
}

/// By how many lines a doctest must be moved, where rustdoc says `told`: its functions are then where the source has them.
fn distance(declared: &[(String, u32)], lines: &[&str], told: i64) -> i64 {
    let of_wrapper = declared.iter().find_map(|(name, line)| Some(wrapped_line(name)? - i64::from(*line)));
    let is_there = |name: &str, line: i64| {
        let text = usize::try_from(line - 1).ok().and_then(|index| lines.get(index));
        text.is_some_and(|text| text.contains(&format!("fn {name}")))
    };
    let fitting = |by: i64| declared.iter().filter(|(name, line)| is_there(name, i64::from(*line) + by)).count();
    // Of equal ones the last is the largest.
    let by_names = (told - UNCOUNTED..=told).max_by_key(|by| fitting(*by));
    of_wrapper.or(by_names).unwrap_or(told)
}

fn wrapped_line(name: &str) -> Option<i64> {
    let mut parts = name.strip_prefix(WRAPPER)?.rsplit('_');
    parts.next()?;
    parts.next()?.parse().ok()
}

/// What a line of the source has before the doctest's own text: the comment's mark, and that of a hidden line.
fn prefix(line: &str) -> u32 {
    let text = line.trim_start();
    let marked = ["///", "//!"].iter().find_map(|mark| text.strip_prefix(mark));
    let text = marked.map_or(line, |rest| rest.strip_prefix(' ').unwrap_or(rest));
    let hidden = text.trim_start().strip_prefix("# ");
    (line.len() - hidden.unwrap_or(text).len()) as u32
}
