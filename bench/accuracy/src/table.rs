//! The results as text.

use crate::engine::Engine;
use crate::formula::Kind;
use crate::kernels;
use crate::real::Real;
use crate::results::{ComparedBy, Results, Trial, Truths, Verdicts};
use std::fmt::Write;

/// The summary; with `verbose` also each formula with a wrong verdict.
pub fn text(results: &Results, verbose: bool) -> String {
    let mut text = String::new();
    heading(&mut text, results);
    for (kind, real) in Kind::ALL.into_iter().flat_map(|kind| Real::ALL.map(|real| (kind, real))) {
        part(&mut text, results, kind, real);
    }
    if !results.kernels.is_empty() {
        kernel_part(&mut text, results);
    }
    if verbose {
        details(&mut text, results);
    }
    for refusal in &results.refused {
        let _ = writeln!(text, "\nengine {} is left out: {}", refusal.engine, refusal.why);
    }
    for failure in results.failures() {
        let _ = writeln!(text, "\nfailed: {failure}");
    }
    text
}

fn heading(text: &mut String, results: &Results) {
    let machine = &results.machine;
    let _ = writeln!(text, "{}, {} cores, {}", machine.cpu, machine.cores, machine.date);
    let _ = writeln!(text, "{}; {}", results.nonius, results.clang);
    let settings = results.settings;
    let _ = writeln!(
        text,
        "{} inputs a formula and format, {} of them by 'nonius run'; {:.0} s in all",
        settings.inputs, settings.run_inputs, results.seconds
    );
}

fn part(text: &mut String, results: &Results, kind: Kind, real: Real) {
    let trials: Vec<&Trial> = results.trials.iter().filter(|t| t.kind == kind && t.real == real).collect();
    if trials.is_empty() {
        return;
    }
    let truths = trials.iter().fold(Truths::default(), |sum, t| sum.plus(t.truths));
    let _ = writeln!(text, "\n{} {} in {}", trials.len(), kind.plural(), real.name());
    let _ = writeln!(
        text,
        "  results: {} right, {} wrong, {} of these out of range; {} near the threshold, {} not finite, {} without ideal",
        truths.right, truths.wrong, truths.out_of_range, truths.near_threshold, truths.not_finite, truths.no_ideal
    );
    let _ = writeln!(
        text,
        "  {:<18} {:>7} {:>8} {:>7} {:>7} {:>7} {:>12} {:>12} {:>8}  re-executions",
        "engine", "judged", "wrong in", "missed", "of open", "false", "out of range", "wrong worsts", "time"
    );
    for engine in &results.engines {
        let verdicts: Vec<&Verdicts> = trials.iter().flat_map(|t| &t.engines).filter(|v| v.engine == *engine).collect();
        engine_line(text, engine, &verdicts);
    }
}

fn engine_line(text: &mut String, engine: &Engine, verdicts: &[&Verdicts]) {
    let sum = |of: fn(&Verdicts) -> usize| verdicts.iter().map(|v| of(v)).sum::<usize>();
    let again: Vec<u64> = verdicts.iter().flat_map(|v| v.reexecutions.iter().copied()).collect();
    let again = match again.iter().max() {
        Some(most) => format!("{:.1} mean, {most} most", again.iter().sum::<u64>() as f64 / again.len() as f64),
        None => String::new(),
    };
    let line = format!(
        "  {engine:<18} {:>7} {:>8} {:>7} {:>7} {:>7} {:>12} {:>12} {:>6.0} s  {again}",
        sum(|v| v.judged),
        verdicts.iter().filter(|v| v.wrong() > 0).count(),
        sum(|v| v.missed),
        sum(|v| v.open),
        sum(|v| v.false_alarms),
        sum(|v| v.out_of_range),
        sum(|v| v.wrong_worsts),
        verdicts.iter().map(|v| v.seconds).sum::<f64>(),
    );
    let _ = writeln!(text, "{}", line.trim_end());
}

fn kernel_part(text: &mut String, results: &Results) {
    let count = |of: fn(&crate::results::KernelTrial) -> usize| results.kernels.iter().map(of).sum::<usize>();
    let _ = writeln!(
        text,
        "\nkernels: {} programs, by operation at a relative error of {:e}",
        results.kernels.len(),
        kernels::limit()
    );
    let _ = writeln!(
        text,
        "  operations: {}, {} past the limit, {} near it; {} kernels whose reference did not settle",
        count(|k| k.operations),
        count(|k| k.past_limit),
        count(|k| k.near_limit),
        results.kernels.iter().filter(|k| k.settled_bits.is_none()).count(),
    );
    let _ = writeln!(text, "  {:<18} {:>8} {:>7} {:>7} {:>8}", "engine", "wrong in", "missed", "false", "time");
    for engine in &results.engines {
        let all = results.kernels.iter().flat_map(|k| &k.engines).filter(|v| v.engine == *engine);
        let verdicts: Vec<_> = all.collect();
        let Some(first) = verdicts.first() else { continue };
        let _ = writeln!(
            text,
            "  {engine:<18} {:>8} {:>7} {:>7} {:>6.0} s{}",
            verdicts.iter().filter(|v| v.missed + v.false_alarms > 0).count(),
            verdicts.iter().map(|v| v.missed).sum::<usize>(),
            verdicts.iter().map(|v| v.false_alarms).sum::<usize>(),
            verdicts.iter().map(|v| v.seconds).sum::<f64>(),
            if first.by == ComparedBy::Finding { "  by findings" } else { "" },
        );
    }
}

fn details(text: &mut String, results: &Results) {
    for engine in &results.engines {
        let mut lines = String::new();
        for trial in &results.trials {
            for v in trial.engines.iter().filter(|v| v.engine == *engine && v.wrong() + v.wrong_worsts > 0) {
                let _ = writeln!(
                    lines,
                    "  {:<32} {:<6} {:>5} {:>5} {:>5} {:>5} {:>5}",
                    trial.name,
                    trial.real.name(),
                    v.judged,
                    v.missed,
                    v.false_alarms,
                    v.out_of_range,
                    v.wrong_worsts
                );
            }
        }
        for trial in &results.kernels {
            for v in trial.engines.iter().filter(|v| v.engine == *engine && v.missed + v.false_alarms > 0) {
                let _ = writeln!(
                    lines,
                    "  {:<32} {:<6} {:>5} {:>5} {:>5}",
                    format!("kernel {}", trial.name),
                    trial.real.name(),
                    trial.operations,
                    v.missed,
                    v.false_alarms
                );
            }
        }
        if !lines.is_empty() {
            let columns = "judged, missed, false, of these out of range, wrong worsts";
            let _ = write!(text, "\nwrong verdicts of {engine}: {columns}\n{lines}");
        }
    }
}
