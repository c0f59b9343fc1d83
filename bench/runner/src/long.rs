//! `./x bench --events --long`: the machine's memory does not grow with the length of a run.
//!
//! One kernel runs under the event engine for 10^9 and for 10^10 operations, as the machine counts them, and its
//! peak memory is shown beside the native program's; then under a limit that its values do not fit in. The machine is in
//! the program's own threads, so that time and memory are those of both.

use crate::cli::Plan;
use crate::kernel::{Kernel, Problem, RealType};
use crate::process::{self, Sample};
use crate::toolchain::{self, Variant};
use crate::trial::build;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

/// The kernel that runs unless others are asked for: many values in memory, all in use all the time.
const KERNEL: &str = "heat2d";
const SHORT: u64 = 1_000_000_000;
const LONG: u64 = 10_000_000_000;
/// What is asked for by `NONIUS_OPTIONS`, and for how many operations.
const RUNS: [(&str, u64); 5] = [
    ("oracle=native", SHORT),
    ("oracle=native", LONG),
    ("oracle=double-double", SHORT),
    ("oracle=double-double", LONG),
    ("oracle=double-double:machine_mib=16", SHORT),
];
const TIME_LIMIT: Duration = Duration::from_secs(3 * 3600);

#[derive(Deserialize)]
struct Report {
    summary: Summary,
}

#[derive(Deserialize)]
struct Summary {
    operations: u64,
}

/// True if every program printed what the native one did.
pub fn run(plan: &Plan) -> Result<bool> {
    let whole = plan.kernels.iter().filter(|k| k.name == KERNEL).count() == 1 && plan.kernels.len() > 1;
    let kernels = plan.kernels.iter().filter(|k| !whole || k.name == KERNEL);
    let mut text = String::new();
    let mut same = true;
    for kernel in kernels {
        same &= measure(plan, kernel, &mut text).with_context(|| format!("measuring {}", kernel.name))?;
    }
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    fs::write(plan.out.join("long.txt"), &text)?;
    Ok(same)
}

fn measure(plan: &Plan, kernel: &Kernel, text: &mut String) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let make = |variant| build(&plan.toolchain, kernel, RealType::Double, variant, folder.path());
    let (native, nonius) = (make(Variant::Native)?, make(Variant::Nonius)?);
    let few = Problem { reps: 1, ..kernel.problem(true) };
    let (_, one) = observed(&nonius, &few, "oracle=native", folder.path())?;
    let (_, two) = observed(&nonius, &Problem { reps: 2, ..few }, "oracle=native", folder.path())?;
    let each = two.saturating_sub(one).max(1);
    let mut same = true;
    let mut say = |line: String| {
        println!("{line}");
        text.push_str(&line);
        text.push('\n');
    };
    say(format!(
        "{:<38}{:>16}{:>10}{:>12}{:>10}{:>10}",
        kernel.name, "operations", "s (CPU)", "million/s", "MiB", "native"
    ));
    for (options, least) in RUNS {
        let problem = Problem { reps: least.div_ceil(each), ..few };
        let expected =
            process::run(toolchain::start(Variant::Native, &native, &problem, Path::new("/dev/null")), TIME_LIMIT)?;
        let (sample, operations) = observed(&nonius, &problem, options, folder.path())?;
        let mebibytes = |sample: &Sample| sample.peak_bytes as f64 / f64::from(1 << 20);
        say(format!(
            "{options:<38}{operations:>16}{:>10.1}{:>12.1}{:>10.1}{:>10.1}",
            sample.cpu_s,
            operations as f64 / sample.cpu_s / 1e6,
            mebibytes(&sample),
            mebibytes(&expected)
        ));
        same &= expected.stdout == sample.stdout;
    }
    if !same {
        say("output differs".to_owned());
    }
    Ok(same)
}

/// A run under the event engine, and the operations that the machine walked.
fn observed(program: &Path, problem: &Problem, options: &str, folder: &Path) -> Result<(Sample, u64)> {
    let report = folder.join("report.json");
    let mut command = toolchain::start(Variant::Nonius, program, problem, &report);
    command.env("NONIUS_OPTIONS", format!("quiet=1:machine_process=0:report='{}':{options}", report.display()));
    let sample = process::run(command, TIME_LIMIT)?;
    let report: Report = serde_json::from_reader(BufReader::new(File::open(&report)?)).context("the report")?;
    Ok((sample, report.summary.operations))
}
