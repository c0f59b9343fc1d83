//! From a formula to a verdict, through the compiler and Nonius.

use nonius_accuracy::engine::Engine;
use nonius_accuracy::formula::{self, Formula};
use nonius_accuracy::inputs;
use nonius_accuracy::process;
use nonius_accuracy::program::{self, Compiler, Program};
use nonius_accuracy::real::Real;
use nonius_accuracy::results::Settings;
use nonius_accuracy::source::Source;
use nonius_accuracy::tools::Tools;
use nonius_accuracy::trial;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const NAMES: [&str; 6] = ["sqrt-step", "sqrt-step-stable", "rump", "triangle-heron", "complex-quotient", "pythagoras"];

fn tools() -> Tools {
    Tools::find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release")).unwrap()
}

fn formulas() -> Vec<Formula> {
    formula::all().unwrap().into_iter().filter(|f| NAMES.contains(&f.name.as_str())).collect()
}

/// What is judged is what the program computes without Nonius.
#[test]
fn programs_print_what_plain_clang_makes_them_print() {
    let (tools, folder) = (tools(), tempfile::tempdir().unwrap());
    for (formula, real) in formulas().iter().flat_map(|f| Real::ALL.map(|real| (f, real))) {
        let inputs = inputs::draw(&formula.name, &formula.variables, real, 20);
        let path = folder.path().join(format!("{}-{}.c", formula.name, real.name()));
        std::fs::write(&path, Source::of(formula, real, &inputs).text).unwrap();
        let [nonius, plain] = [Compiler::Nonius, Compiler::Clang].map(|compiler| {
            let program = Program::compile(&tools, compiler, &path, &[]).unwrap();
            program.run_plain(&[]).unwrap().stdout
        });
        assert_eq!(nonius, plain, "{} in {}", formula.name, real.name());
        assert_eq!(program::results(&plain, 20).unwrap().len(), 20);
        assert_eq!(inputs.len(), 20);
    }
}

/// MPFR has no wrong verdict on formulas that stay within the range and need no more than its bits.
#[test]
fn mpfr_agrees_with_the_truth() {
    let settings = Settings { inputs: 40, run_inputs: 2 };
    let engines = [Engine::Oracle("mpfr:1024".into()), Engine::Run];
    let tools = tools();
    let is_usual = |f: &&Formula| f.name.starts_with("sqrt-step") || f.name == "triangle-heron";
    for formula in formulas().iter().filter(is_usual) {
        let trial = trial::measure(&tools, formula, Real::Double, &engines, settings);
        assert_eq!(trial.failure, None, "{}", formula.name);
        let verdicts = &trial.engines[0];
        assert_eq!((verdicts.failure.as_deref(), verdicts.missed, verdicts.false_alarms), (None, 0, 0), "{verdicts:?}");
        assert_eq!(verdicts.judged, trial.truths.right + trial.truths.wrong);
        assert_eq!(trial.engines[1].failure, None, "{}", formula.name);
        let expects_errors = !formula.name.ends_with("stable");
        assert_eq!(trial.truths.wrong > 0, expects_errors, "{}: {:?}", formula.name, trial.truths);
    }
}

/// What findings show is true to the digits that they claim: of values whose ideal lies where a function is steep (beside a
/// pole, where a root or an arccosine begins), that are the worst by their relative error and not by their ulps, of which
/// double-double tells no digit; and inline, of residues that cancelled.
#[test]
fn what_findings_show_is_true() {
    let tools = tools();
    let settings = Settings { inputs: 100, run_inputs: 1 };
    let cases: [(&str, &[&str]); 3] = [
        ("auto", &["rump", "squares-difference", "simpson-remainder", "ninth-power-expanded", "divergence"]),
        ("residue-override", &["rump", "law-of-cosines", "great-circle", "tangent-of-atan", "stirling-remainder"]),
        ("inline", &["sqrt-step", "sqrt-step-scaled", "reciprocal-sqrt-step", "law-of-cosines", "cosh-minus-one"]),
    ];
    for (engine, names) in cases {
        for formula in formula::all().unwrap().iter().filter(|f| names.contains(&f.name.as_str())) {
            let trial = trial::measure(&tools, formula, Real::Double, &[engine.parse().unwrap()], settings);
            let verdicts = &trial.engines[0];
            assert_eq!((verdicts.wrong_worsts, verdicts.false_alarms), (0, 0), "{engine}: {verdicts:#?}");
            assert!(verdicts.judged > 0 && trial.truths.wrong > 0, "{engine} {}: {trial:?}", formula.name);
        }
    }
}

/// The whole harness, in its short form. MPFR at 1024 bits is the strictest judge that Nonius has: within the range it
/// may miss nothing and accuse nothing that is right.
#[test]
fn the_short_form_runs() {
    let out = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nonius-accuracy"));
    command.args(["--quick", "--engine", "inline,mpfr:1024,no-such-oracle", "--out"]).arg(out.path());
    command.env("NONIUS", &tools().nonius).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let ran = process::run(command, Duration::from_secs(600)).unwrap();
    assert!(ran.status.success(), "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("engine no-such-oracle is left out"), "{}", ran.stderr);
    let table = std::fs::read_to_string(out.path().join("table.txt")).unwrap();
    assert!(table.starts_with(ran.stdout.lines().next().unwrap()), "{table}");
    let results: Value = serde_json::from_slice(&std::fs::read(out.path().join("results.json")).unwrap()).unwrap();
    assert_eq!(results["schema"], "nonius-accuracy/1");
    let trials = results["trials"].as_array().unwrap();
    assert!(trials.len() >= 100, "{}", trials.len());
    for trial in trials.iter().filter(|t| t["kind"] == "formula") {
        let verdicts = trial["engines"].as_array().unwrap().iter().find(|e| e["engine"] == "mpfr:1024").unwrap();
        let count = |key: &str| verdicts[key].as_u64().unwrap();
        assert_eq!(count("missed") + count("false_alarms"), count("out_of_range"), "{trial:#}");
    }
}
