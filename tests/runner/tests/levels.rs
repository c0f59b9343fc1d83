//! What is in output does not hang on the level of optimization: programs of the corpus have the same roots behind their
//! wrong outputs at `-O0` and at `-O2`, under the inline engine and under the machine.

use nonius_tests::build::{Compiler, build};
use nonius_tests::corpus::{Case, Kind, find};
use nonius_tests::level;
use nonius_tests::program::nonius;
use nonius_tests::report::{Finding, Report};
use nonius_tests::run::run_with;
use nonius_tests::tools::tests_root;
use std::collections::BTreeSet;

const LEVELS: [&str; 2] = ["O0", "O2"];
const ENGINES: [&str; 2] = ["", "oracle=auto:256"];

type Roots = BTreeSet<String>;

/// The roots whose errors reached the output, by file, line and kind.
fn in_output(report: &Report) -> Roots {
    let reached = |f: &&Finding| f.observed_at == "output" || f.symptoms.iter().any(|s| s.observed_at == "output");
    let root = |f: &Finding| format!("{}:{} {}", f.location.file_name(), f.location.line, f.kind);
    report.findings.iter().filter(reached).map(root).collect()
}

/// What each engine says of a program that is built at a level.
fn at_level(case: &Case, level: &str) -> [Roots; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    let level = level::by_name(level).expect("a level");
    let program = build(case, &level, &Compiler::Nonius(nonius()), folder.path()).expect("it builds");
    let scale = case.directives.scale.first().map(String::as_str);
    ENGINES.map(|options| {
        run_with(case, &program.path, folder.path(), scale, options).expect("it runs");
        in_output(&Report::read(&folder.path().join("report.json")).expect("a report"))
    })
}

#[test]
fn what_is_in_output_does_not_hang_on_the_level() {
    let all = find(&tests_root().expect("tests")).expect("the corpus");
    let is_plain = |case: &&Case| {
        case.kind == Kind::Fire
            && case.annotations.iter().all(|a| a.levels.is_empty() && !a.optional)
            && LEVELS.iter().all(|name| case.levels.iter().any(|level| level.name == *name))
    };
    let cases: Vec<&Case> = all.iter().filter(is_plain).step_by(2).collect();
    assert!(cases.len() >= 40, "{} programs", cases.len());
    let (mut some, mut differences) = (0, Vec::new());
    for case in cases {
        let [without, with] = LEVELS.map(|level| at_level(case, level));
        for (engine, (without, with)) in ENGINES.iter().zip(without.iter().zip(&with)) {
            if without != with {
                differences.push(format!("{} '{engine}': {without:?} at -O0, {with:?} at -O2", case.name));
            }
        }
        some += usize::from(!with[0].is_empty());
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(some >= 20, "{some} programs with a finding in output");
}
