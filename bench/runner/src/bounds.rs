//! `./x bench --abstract`: what abstract execution costs, and what more symbols are worth.
//!
//! Programs of `bench/abstract` and one that is generated: a reactive loop of up to 10^5 steps, tests whose ways meet,
//! 20,000 lines of straight code. Times are of the processor, but for the paths of tests: there they are by the clock,
//! since most of it is spent in waiting for another process.

use crate::cli::Plan;
use crate::process::{self, Sample};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const STEPS: [u64; 3] = [1_000, 10_000, 100_000];
const SYMBOLS: [u32; 7] = [16, 32, 64, 128, 256, 512, 1024];
/// Steps of the loop that symbols are compared on.
const COMPARED: u64 = 2_000;
const TESTS: [u64; 2] = [10, 510];
const LINES: usize = 20_000;
const TIME_LIMIT: Duration = Duration::from_secs(1800);

#[derive(Deserialize)]
struct Report {
    summary: Summary,
    bounds: Vec<Bounds>,
}

#[derive(Deserialize)]
struct Summary {
    operations: u64,
}

#[derive(Deserialize)]
struct Bounds {
    value: [Option<f64>; 2],
    error: [Option<f64>; 2],
    holds_for: String,
}

/// True if every bound holds for all inputs.
pub fn run(plan: &Plan) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let mut bench = Bench { plan, folder: folder.path(), text: String::new(), is_whole: true };
    let program = bench.build(Path::new("bench/abstract/loop.c"))?;
    bench.steps(&program)?;
    bench.symbols(&program)?;
    let program = bench.build(Path::new("bench/abstract/forks.c"))?;
    bench.paths(&program)?;
    bench.lines()?;
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    fs::write(plan.out.join("abstract.txt"), &bench.text)?;
    Ok(bench.is_whole)
}

struct Bench<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    text: String,
    is_whole: bool,
}

impl Bench<'_> {
    fn say(&mut self, line: &str) {
        println!("{line}");
        let _ = writeln!(self.text, "{line}");
    }

    fn build(&self, source: &Path) -> Result<PathBuf> {
        let program = self.folder.join(source.file_stem().context("a source")?);
        let mut command = self.plan.toolchain.nonius_cc();
        let built = command.args(["-O1", "-g", "-w", "-o"]).arg(&program).arg(source).arg("-lm").output()?;
        if !built.status.success() {
            bail!("{} does not compile: {}", source.display(), String::from_utf8_lossy(&built.stderr));
        }
        Ok(program)
    }

    fn run(&mut self, program: &Path, argument: u64, options: &str) -> Result<(Sample, Report)> {
        let report = self.folder.join("report.json");
        let mut command = Command::new(program);
        let options = format!("oracle=zonotope:quiet=1:paths=100000:report='{}'{options}", report.display());
        command.arg(argument.to_string()).env("NONIUS_OPTIONS", options);
        let sample = process::run(command, TIME_LIMIT)?;
        let report: Report = serde_json::from_reader(BufReader::new(File::open(&report)?)).context("the report")?;
        self.is_whole &= report.bounds.iter().all(|b| b.holds_for == "all-inputs");
        Ok((sample, report))
    }

    /// Each number of steps less the one before: what a step costs late in a run, beside what it costs early.
    fn steps(&mut self, program: &Path) -> Result<()> {
        self.say(&format!("{:<24}{:>12}{:>10}{:>16}{:>8}", "loop, steps", "operations", "s", "us/op of these", "MiB"));
        let (mut before_s, mut before_operations) = (0.0, 0);
        for steps in STEPS {
            let (sample, Report { summary, .. }) = self.run(program, steps, "")?;
            let each = (sample.cpu_s - before_s) / (summary.operations - before_operations) as f64 * 1e6;
            let mebibytes = sample.peak_bytes >> 20;
            let line = format!("{steps:<24}{:>12}{:>10.2}{each:>16.2}{mebibytes:>8}", summary.operations, sample.cpu_s);
            self.say(&line);
            (before_s, before_operations) = (sample.cpu_s, summary.operations);
        }
        Ok(())
    }

    fn symbols(&mut self, program: &Path) -> Result<()> {
        self.say(&format!("\n{:<24}{:>14}{:>16}{:>10}", "loop, symbols=", "error up to", "width of value", "s"));
        for symbols in SYMBOLS {
            // A bound that lets saturations seem possible has them followed, which is not what is compared.
            let (sample, report) = self.run(program, COMPARED, &format!(":symbols={symbols}:paths=0"))?;
            let bounds = report.bounds.first().context("bounds of y")?;
            let number = |x: Option<f64>| x.unwrap_or(f64::INFINITY);
            let error = bounds.error.map(|x| number(x).abs()).into_iter().fold(0.0, f64::max);
            let width = number(bounds.value[1]) - bounds.value[0].unwrap_or(f64::NEG_INFINITY);
            let holds = if bounds.holds_for == "all-inputs" { "" } else { "  (for this path only)" };
            self.is_whole = true;
            self.say(&format!("{symbols:<24}{error:>14.3e}{width:>16.3e}{:>10.2}{holds}", sample.cpu_s));
        }
        Ok(())
    }

    fn paths(&mut self, program: &Path) -> Result<()> {
        let mut seconds = Vec::new();
        for tests in TESTS {
            let mut least = f64::INFINITY;
            for _ in 0..self.plan.rounds {
                least = least.min(self.run(program, tests, "")?.0.wall_s);
            }
            seconds.push(least);
        }
        let each = (seconds[1] - seconds[0]) / (TESTS[1] - TESTS[0]) as f64 * 1e3;
        self.say(&format!(
            "\nfork and join of a test's paths: {each:.2} ms by the clock ({} tests)",
            TESTS[1] - TESTS[0]
        ));
        Ok(())
    }

    fn lines(&mut self) -> Result<()> {
        let source = self.folder.join("lines.c");
        fs::write(&source, straight(LINES))?;
        let program = self.build(&source)?;
        let (sample, report) = self.run(&program, 0, "")?;
        let (operations, mebibytes) = (report.summary.operations, sample.peak_bytes >> 20);
        let line = format!("{LINES} lines: {operations} operations in {:.2} s, {mebibytes} MiB", sample.cpu_s);
        self.say(&line);
        Ok(())
    }
}

/// Functions of 100 lines that go over eight variables, called one after another.
fn straight(lines: usize) -> String {
    let mut text = "#include <nonius.h>\n#include <math.h>\n#include <stdio.h>\nstatic double v[8];\n".to_owned();
    let functions = lines / 100;
    for f in 0..functions {
        let _ = writeln!(text, "__attribute__((noinline)) static void part_{f}(void) {{");
        for n in 0..98 {
            let (to, x, y) = (n % 8, (n * 5 + f) % 8, (n * 3 + f + 1) % 8);
            let _ = match (n + f) % 7 {
                0 => writeln!(text, "    v[{to}] = 0.5 * v[{x}] + 0.25 * v[{y}];"),
                1 => writeln!(text, "    v[{to}] = 0.5 * (v[{x}] - v[{y}]) + 0.125;"),
                2 => writeln!(text, "    v[{to}] = sin(v[{x}]);"),
                3 => writeln!(text, "    v[{to}] = v[{x}] / (2 + v[{y}] * v[{y}]);"),
                4 => writeln!(text, "    v[{to}] = sqrt(1 + v[{x}] * v[{x}]) - 0.5;"),
                5 => writeln!(text, "    if (v[{x}] > 100) v[{to}] = v[{y}];"),
                _ => writeln!(text, "    v[{to}] = 0.75 * v[{x}] * v[{y}] + 0.1;"),
            };
        }
        text.push_str("}\n");
    }
    text.push_str("int main(void) {\n    for (int i = 0; i < 8; i++) {\n        double x = 0.1 * i;\n");
    text.push_str("        nonius_input_error(&x, x - 1e-6, x + 1e-6, -1e-12, 1e-12);\n        v[i] = x;\n    }\n");
    for f in 0..functions {
        let _ = writeln!(text, "    part_{f}();");
    }
    text.push_str("    nonius_bounds(&v[0]);\n    printf(\"%g\\n\", v[0]);\n    return 0;\n}\n");
    text
}
