//! Doctests of edition 2024: rustdoc merges them into one crate, a module each, in a file of its own that is gone when the
//! tests have run. Only the program that runs them, beside it, knows where each stands in the source:
//!
//! ```text
//! doctest_bundle_2024.rs                  doctest_runner_2024.rs
//! pub mod __doctest_1 {                   mod __doctest_1 {
//! fn main()  {                            pub const TEST: ... = test::TestDescAndFn::new_doctest(
//! let x = dt::gap(1.0);                   "src/lib.rs - gap (line 10)", false, "src/lib.rs", 10, false, false,
//! ```
//! A doctest's lines are found again behind its line of the source, by what they say. Lines that are not keep their place.
//! Doctests that are programs of their own were moved when they were compiled (`pass::doctest`).

use nonius_finding::Finding;
use std::collections::HashMap;
use std::fs::read_to_string;
use std::path::Path;

const BUNDLE: &str = "doctest_bundle_";
const MODULE: &str = "mod __doctest_";

/// Lines around the place where a doctest should begin: rustdoc adds some before it.
const MOST_ADDED: i64 = 16;

/// Gives findings in merged doctests the places that these have in the source.
pub fn relocate(findings: &mut [Finding]) {
    let mut bundles: HashMap<String, Bundle> = HashMap::new();
    let mut renamed = HashMap::new();
    for finding in findings.iter_mut().filter(|f| is_bundle(&f.location.file) || is_bundle(&f.seen_at().file)) {
        let before = finding.id.clone();
        finding.relocate(|file, line, column| {
            if is_bundle(file) {
                let bundle = bundles.entry(file.clone()).or_insert_with(|| Bundle::read(file));
                if let Some(place) = bundle.place(*line, *column) {
                    (*file, *line, *column) = place;
                }
            }
        });
        renamed.insert(before, finding.id.clone());
    }
    for root in findings.iter_mut().filter_map(|f| f.root.as_mut()) {
        if let Some(id) = renamed.get(root) {
            root.clone_from(id);
        }
    }
}

fn is_bundle(file: &str) -> bool {
    file.rsplit('/').next().is_some_and(|name| name.starts_with(BUNDLE))
}

/// A merged crate.
#[derive(Default)]
struct Bundle {
    lines: Vec<String>,
    doctests: Vec<Doctest>,
}

/// A doctest in it, by the number of lines before it and up to its end.
struct Doctest {
    from: usize,
    to: usize,
    file: String,
    source: Vec<String>,
    /// From a line of the bundle to that of the source.
    by: i64,
}

impl Bundle {
    fn read(path: &str) -> Bundle {
        let runner = path.replace(BUNDLE, "doctest_runner_");
        let (Ok(bundle), Ok(runner)) = (read_to_string(path), read_to_string(runner)) else { return Bundle::default() };
        let lines: Vec<String> = bundle.lines().map(str::to_owned).collect();
        let is_start = |line: &&String| line.starts_with("pub mod __doctest_");
        let starts: Vec<usize> = (0..lines.len()).filter(|&n| is_start(&&lines[n])).collect();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let written = written(&runner);
        let doctest = |(from, to): (usize, usize)| {
            let (path, line) = written.get(module_number(&lines[from])?)?;
            let (file, text) = in_source(path)?;
            let source: Vec<String> = text.lines().map(str::to_owned).collect();
            let by = distance(&lines[from..to], from, &source, *line)?;
            Some(Doctest { from, to, file, source, by })
        };
        let doctests = starts.iter().copied().zip(ends).filter_map(doctest).collect();
        Bundle { lines, doctests }
    }

    /// File, line and column in the source.
    fn place(&self, line: u32, column: u32) -> Option<(String, u32, u32)> {
        let index = (line as usize).checked_sub(1)?;
        let doctest = self.doctests.iter().find(|d| (d.from..d.to).contains(&index))?;
        let there = usize::try_from(index as i64 + doctest.by).ok()?;
        let (own, source) = (self.lines.get(index)?, doctest.source.get(there)?);
        let shift = source.find(own.trim()).map(|at| at as i64 - (own.len() - own.trim_start().len()) as i64);
        let moved = shift.and_then(|shift| u32::try_from(i64::from(column) + shift).ok());
        Some((doctest.file.clone(), there as u32 + 1, moved.filter(|_| column != 0).unwrap_or(0)))
    }
}

/// By the number of their modules: in which file doctests are written, and on which line.
fn written(runner: &str) -> HashMap<&str, (String, usize)> {
    let mut found = HashMap::new();
    let mut module = None;
    for line in runner.lines() {
        module = module_number(line).or(module);
        // The doctest's name may hold all kinds of characters; what follows it does not.
        let Some((_, rest)) = line.rsplit_once(", \"").filter(|_| line.starts_with('"')) else { continue };
        let place = rest.split_once("\", ").and_then(|(file, rest)| Some((file, rest.split(',').next()?)));
        if let (Some(number), Some((file, line))) = (module, place)
            && let Ok(line) = line.trim().parse()
        {
            found.insert(number, (file.to_owned(), line));
        }
    }
    found
}

fn module_number(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once(MODULE)?;
    matches!(before, "" | "pub ").then(|| rest.split(' ').next()).flatten()
}

/// The path, if need be from a folder around the one that the program runs in, and the text of a source file.
fn in_source(path: &str) -> Option<(String, String)> {
    let here = std::env::current_dir().ok()?;
    let mut places = here.ancestors().map(|folder| folder.join(Path::new(path)));
    places.find_map(|place| Some((place.to_str()?.to_owned(), read_to_string(&place).ok()?)))
}

/// By how much the lines of a doctest, the first of which is `from`, lie before those of the source behind `line`: as most
/// of them say.
fn distance(own: &[String], from: usize, source: &[String], line: usize) -> Option<i64> {
    let fitting = |by: i64| {
        let says = |(n, text): &(usize, &String)| {
            let there = usize::try_from((from + n) as i64 + by).ok().filter(|there| *there >= line);
            let there = there.and_then(|there| source.get(there));
            text.trim().len() > 1 && there.is_some_and(|there| there.trim_end().ends_with(text.trim()))
        };
        own.iter().enumerate().filter(says).count()
    };
    let first = line as i64 - from as i64;
    let best = (first - MOST_ADDED..=first).max_by_key(|by| fitting(*by))?;
    (fitting(best) > 0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_runner_names_files_and_lines() {
        let runner = "mod __doctest_0 {\npub const TEST: X = new_doctest(\n\"src/a b.rs - f, \\\"g\\\" (line 3)\", false, \"src/a b.rs\", 3, false, false,\n\
                      mod __doctest_12 {\n\"src/lib.rs - (line 7)\", true, \"src/lib.rs\", 7, false, true,\n";
        let written = written(runner);
        assert_eq!(written["0"], ("src/a b.rs".to_owned(), 3));
        assert_eq!(written["12"], ("src/lib.rs".to_owned(), 7));
    }

    #[test]
    fn lines_are_found_again_by_what_they_say() {
        let source = lines("/// ```\n/// # use a::b;\n/// let x = b();\n///\n/// x - 1.0;\n/// ```\n");
        let own = lines("pub mod __doctest_0 {\n\nfn main()  {\nuse a::b;\nlet x = b();\n\nx - 1.0;\n}\n");
        let by = distance(&own, 0, &source, 1).expect("they are there");
        assert_eq!(by, -2);
        let doctest = Doctest { from: 0, to: own.len(), file: "/c/src/lib.rs".to_owned(), source, by };
        let bundle = Bundle { lines: own, doctests: vec![doctest] };
        assert_eq!(bundle.place(7, 3), Some(("/c/src/lib.rs".to_owned(), 5, 7)));
        assert_eq!(bundle.place(4, 1), Some(("/c/src/lib.rs".to_owned(), 2, 7)));
        assert_eq!(bundle.place(70, 1), None);
    }

    #[test]
    fn other_text_is_not_found() {
        let own = lines("pub mod __doctest_0 {\nlet x = b();\n}\n");
        assert_eq!(distance(&own, 0, &lines("a\nb\nc\n"), 1), None);
    }
}
