//! From a formula to a verdict, through the compiler and Nonius.

use nonius_accuracy::engine::Engine;
use nonius_accuracy::formula::{self, Formula};
use nonius_accuracy::inputs;
use nonius_accuracy::program::{self, Compiler, Program};
use nonius_accuracy::real::Real;
use nonius_accuracy::results::Settings;
use nonius_accuracy::source::Source;
use nonius_accuracy::tools::Tools;
use nonius_accuracy::trial;
use std::path::Path;

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
