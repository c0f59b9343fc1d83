//! `cargo test -p nonius-tests [-- FILTER]`: one libtest-like test for each program and level.

use anyhow::{Result, anyhow, bail};
use libtest_mimic::{Arguments, Failed, Trial};
use nonius_tests::build::{Compiler, Program, build};
use nonius_tests::corpus::{Case, Kind, find};
use nonius_tests::events;
use nonius_tests::level::Level;
use nonius_tests::report::Report;
use nonius_tests::run::{Outcome, run, run_with};
use nonius_tests::tools::{nonius_binary, tests_root};
use nonius_tests::verdict::{compare_findings, compare_outcomes, contradictions, scale_free};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("the corpus cannot be read: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>> {
    let root = tests_root()?;
    let nonius = nonius_binary(&root)?;
    let mut trials = Vec::new();
    for case in find(&root)? {
        let case = Arc::new(case);
        for level in case.levels.clone() {
            let (case, nonius) = (Arc::clone(&case), nonius.clone());
            let name = format!("{}@{}", case.name, level.name);
            trials.push(Trial::test(name, move || {
                test(&case, &level, &nonius).map_err(|e| Failed::from(format!("{e:#}")))
            }));
        }
    }
    Ok(trials)
}

fn test(case: &Case, level: &Level, nonius: &Path) -> Result<()> {
    let nonius = Compiler::Nonius(nonius.to_path_buf());
    match case.kind {
        Kind::Fire | Kind::Clean => test_findings(case, level, &nonius),
        Kind::Transparent => test_transparent(case, level, &nonius),
    }
}

/// The oracles that the event engine is asked with: MPFR with as many bits as it takes, the same from double-double on,
/// and those that leave open what they do not know.
const ORACLES: [&str; 5] = ["auto:256", "auto", "double-double", "residue-override", "residue"];

/// The inline engine, and the event engine under each oracle. `NONIUS_CORPUS_ORACLE` asks one oracle only.
fn test_findings(case: &Case, level: &Level, nonius: &Compiler) -> Result<()> {
    let dir = tempfile::tempdir()?;
    let program = build(case, level, nonius, dir.path())?;
    if let Ok(oracle) = std::env::var("NONIUS_CORPUS_ORACLE") {
        return test_engine(case, level, &program, dir.path(), &format!("oracle={oracle}")).map(drop);
    }
    let mut reports = vec![(String::new(), test_engine(case, level, &program, dir.path(), "")?)];
    if case.directives.events.is_some() {
        return Ok(());
    }
    for oracle in ORACLES {
        let options = format!("oracle={oracle}");
        let report = test_engine(case, level, &program, dir.path(), &options)?;
        reports.push((options, report));
    }
    let pairs = reports.iter().flat_map(|one| reports.iter().map(move |other| (one, other)));
    for ((found_by, one), (clear_by, other)) in pairs {
        let differences = contradictions(one, other);
        if !differences.is_empty() {
            bail!("found with '{found_by}', clear with '{clear_by}':\n{}", differences.join("\n"));
        }
    }
    Ok(())
}

/// Compares what was found with the annotations, and returns the report, the last of several scales.
fn test_engine(case: &Case, level: &Level, program: &Program, dir: &Path, options: &str) -> Result<Report> {
    let scales: Vec<Option<&str>> = match case.directives.scale.as_slice() {
        [] => vec![None],
        scales => scales.iter().map(|s| Some(s.as_str())).collect(),
    };
    let mut first: Option<Vec<String>> = None;
    let mut last = None;
    for scale in scales {
        let at_scale = scale.map(|s| format!(" (run with argument {s})")).unwrap_or_default();
        let (outcome, report) = findings(case, program, dir, scale, options)?;
        let mut differences = compare_findings(case, level.name, &report.findings);
        if may_leave_open(case, level, options) {
            differences.retain(|difference| !difference.starts_with("missing"));
            if report.observables.iter().all(|o| o.open == 0) {
                differences.push("no verdict is open".to_owned());
            }
        }
        if outcome.status.code() != Some(case.directives.status) {
            differences.push(format!("the program ended with {}", outcome.status));
        }
        let keys = scale_free(&report.findings);
        if let Some(first) = first.as_ref().filter(|first| **first != keys) {
            differences.push(format!("not scale-free: first scale {first:#?}, this one {keys:#?}"));
        }
        first.get_or_insert(keys);
        if !differences.is_empty() {
            let text = differences.join("\n");
            let commands = program.commands.join("\n            ");
            bail!("{text}\nbuilt by    {commands}{at_scale}\nrun with    {options}\n{}", outcome.stderr);
        }
        last = Some(report);
    }
    last.ok_or_else(|| anyhow!("no scale to run with"))
}

/// Whether the program says that this engine cannot know an ideal of it, at this level.
fn may_leave_open(case: &Case, level: &Level, options: &str) -> bool {
    let engine = options.strip_prefix("oracle=").unwrap_or("inline");
    let at_level = format!("{engine}@{}", level.name);
    case.directives.open.iter().any(|entry| entry == engine || *entry == at_level)
}

fn findings(
    case: &Case,
    program: &Program,
    dir: &Path,
    scale: Option<&str>,
    options: &str,
) -> Result<(Outcome, Report)> {
    let outcome = run_with(case, &program.path, dir, scale, options)?;
    let path = dir.join("report.json");
    let report = match Report::read(&path) {
        Ok(report) => report,
        Err(error) => bail!("{error:#}; {}\n{}\n{}", outcome.status, program.commands.join("\n"), outcome.stderr),
    };
    std::fs::remove_file(&path)?;
    Ok((outcome, report))
}

fn test_transparent(case: &Case, level: &Level, nonius: &Compiler) -> Result<()> {
    let (plain_dir, dir) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let plain = build(case, level, &Compiler::Plain, plain_dir.path())?;
    let shadowed = build(case, level, nonius, dir.path())?;
    let plain = run(case, &plain.path, plain_dir.path(), None)?;
    let recorded = dir.path().join("events");
    // The inline engine, then the event engine.
    for options in [String::new(), format!("record={}", recorded.display())] {
        let outcome = run_with(case, &shadowed.path, dir.path(), None, &options)?;
        let mut differences = compare_outcomes(&plain, &outcome);
        if recorded.exists() {
            differences.extend(events::faults(&recorded)?);
        }
        if !differences.is_empty() {
            let commands = shadowed.commands.join("\n            ");
            bail!("{}\nbuilt by    {commands}\nrun with    {options}\n{}", differences.join("\n"), outcome.stderr);
        }
    }
    Ok(())
}
