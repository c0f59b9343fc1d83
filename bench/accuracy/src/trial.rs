//! One formula in one format: its program, the truth about its results, and what each engine says of them.

use crate::engine::Engine;
use crate::exact::{self, Exact, Ideal};
use crate::formula::Formula;
use crate::inputs;
use crate::program::{self, Compiler, Program};
use crate::real::{Real, hexadecimal};
use crate::report::Report;
use crate::results::{Example, Settings, Trial, Truths, Verdicts};
use crate::source::Source;
use crate::tools::Tools;
use crate::truth::{self, Truth};
use anyhow::{Result, ensure};
use std::fs;

/// Wrong verdicts that are kept in full.
const EXAMPLES: usize = 2;

/// Errors that differ by less are as bad as each other.
const NEARLY: f64 = 1.0 - 1e-6;

/// Compiles and measures; what goes wrong is part of the result.
pub fn measure(tools: &Tools, formula: &Formula, real: Real, engines: &[Engine], settings: Settings) -> Trial {
    let mut trial = Trial {
        name: formula.name.clone(),
        kind: formula.kind,
        real,
        formula: formula.text.clone(),
        truths: Truths::default(),
        engines: Vec::new(),
        failure: None,
    };
    if let Err(error) = fill(&mut trial, tools, formula, engines, settings) {
        trial.failure = Some(format!("{error:#}"));
    }
    trial
}

fn fill(trial: &mut Trial, tools: &Tools, formula: &Formula, engines: &[Engine], settings: Settings) -> Result<()> {
    let subject = Subject::make(tools, formula, trial.real, settings.inputs)?;
    for known in &subject.known {
        trial.truths.add(known.truth, known.exact.out_of_range);
    }
    for engine in engines {
        let mut verdicts = Verdicts::of(engine);
        let asked = match engine {
            Engine::Run => subject.ask_run(tools, settings.run_inputs, &mut verdicts),
            _ => subject.ask_all(tools, engine, &mut verdicts),
        };
        verdicts.failure = asked.err().map(|error| format!("{error:#}"));
        trial.engines.push(verdicts);
    }
    Ok(())
}

/// A formula's program, and the truth about each of its results.
struct Subject {
    real: Real,
    program: Program,
    inputs: Vec<Vec<f64>>,
    lines: Vec<u32>,
    stdout: String,
    known: Vec<Known>,
    _folder: tempfile::TempDir,
}

struct Known {
    actual: f64,
    exact: Exact,
    truth: Truth,
}

impl Subject {
    fn make(tools: &Tools, formula: &Formula, real: Real, count: usize) -> Result<Subject> {
        let folder = tempfile::tempdir()?;
        let inputs = inputs::draw(&formula.name, &formula.variables, real, count);
        let source = Source::of(formula, real, &inputs);
        let path = folder.path().join(format!("{}.c", formula.name));
        fs::write(&path, &source.text)?;
        let program = Program::compile(tools, Compiler::Nonius, &path, &[])?;
        let stdout = program.run_plain(&[])?.stdout;
        let actual = program::results(&stdout, count)?;
        let known = actual.into_iter().zip(&inputs).map(|(actual, input)| {
            let exact = exact::evaluate(formula, input, real);
            Known { actual, truth: truth::judge(actual, &exact.ideal, real), exact }
        });
        let known = known.collect();
        Ok(Subject { real, program, inputs, lines: source.lines, stdout, known, _folder: folder })
    }

    /// All results in one process; the line of a finding says which it means.
    fn ask_all(&self, tools: &Tools, engine: &Engine, verdicts: &mut Verdicts) -> Result<()> {
        let ran = self.program.run_output_checked(tools, engine.oracle())?;
        ensure!(ran.stdout == self.stdout, "it changed what the program prints");
        verdicts.seconds = ran.seconds;
        verdicts.reexecutions.extend(ran.report.reexecutions());
        let (reported, open) = (ran.report.lines(), ran.report.open_lines());
        for (index, line) in self.lines.iter().enumerate() {
            self.judge(index, reported.contains(line), open.contains(line), verdicts);
        }
        self.check_worsts(&ran.report, verdicts);
        verdicts.open += ran.report.open_elsewhere().min(verdicts.missed - verdicts.open);
        Ok(())
    }

    /// One result a process, as a user runs it.
    fn ask_run(&self, tools: &Tools, runs: usize, verdicts: &mut Verdicts) -> Result<()> {
        let count = self.known.len();
        for index in (0..runs.min(count)).map(|run| run * count / runs.min(count)) {
            let ran = self.program.run_by_nonius(tools, index)?;
            let expected = self.stdout.lines().nth(index).unwrap_or_default();
            ensure!(ran.stdout.trim() == expected, "it changed what the program prints");
            verdicts.seconds += ran.seconds;
            verdicts.reexecutions.extend(ran.report.reexecutions());
            let is_open = !ran.report.open_lines().is_empty();
            self.judge(index, ran.report.has_loss(), is_open, verdicts);
            self.check_worsts(&ran.report, verdicts);
        }
        Ok(())
    }

    fn judge(&self, index: usize, reported: bool, is_open: bool, verdicts: &mut Verdicts) {
        let known = &self.known[index];
        let wrong = match known.truth {
            Truth::Right => reported,
            Truth::Wrong => !reported,
            Truth::NearThreshold | Truth::NotFinite | Truth::NoIdeal => return,
        };
        verdicts.judged += 1;
        if !wrong {
            return;
        }
        let counter = if reported { &mut verdicts.false_alarms } else { &mut verdicts.missed };
        *counter += 1;
        verdicts.open += usize::from(is_open && !reported);
        verdicts.out_of_range += usize::from(known.exact.out_of_range);
        if verdicts.examples.len() < EXAMPLES && !is_open {
            verdicts.examples.push(self.example(index));
        }
    }

    /// Whether findings show what is true of the lines that they are about, and of these the worst.
    fn check_worsts(&self, report: &Report, verdicts: &mut Verdicts) {
        for lines in report.worsts() {
            let known = lines.iter().filter_map(|(line, shown)| {
                let index = self.lines.iter().position(|l| l == line)?;
                Some((index, shown, &self.known[index]))
            });
            let mut errors = Vec::new();
            for (index, shown, known) in known {
                let error = truth::error(known.actual, &known.exact.ideal, self.real).map_or(0.0, |e| e.relative);
                errors.push(error);
                if !shown.agrees(known.actual, &known.exact.ideal) {
                    verdicts.wrong_worsts += 1;
                    if verdicts.examples.len() < EXAMPLES {
                        verdicts.examples.push(Example { shown: Some(*shown), ..self.example(index) });
                    }
                }
            }
            let largest = errors.iter().fold(0.0, |most: f64, &error| most.max(error));
            verdicts.wrong_worsts += usize::from(errors.first().is_some_and(|&shown| shown < NEARLY * largest));
        }
    }

    fn example(&self, index: usize) -> Example {
        let known = &self.known[index];
        let ideal = match &known.exact.ideal {
            Ideal::Value(value) => value.to_string_radix(10, Some(20)),
            Ideal::Zero => "0".to_owned(),
            Ideal::Unknown => "unknown".to_owned(),
        };
        Example {
            index,
            inputs: self.inputs[index].iter().map(|x| hexadecimal(*x)).collect(),
            actual: hexadecimal(known.actual),
            ideal,
            truth: known.truth,
            shown: None,
        }
    }
}
