//! `./x bench --events`: what the event engine costs.
//!
//! Recording alone is held against native code on the quick problem. The machine is hundreds of
//! times slower than that, and so is its peer, nsan: both get a problem of fewer repetitions and are held
//! against each other. Times are the least of the rounds, which were interleaved.

use crate::cli::{Peer, Plan};
use crate::kernel::{Kernel, Problem, RealType};
use crate::process;
use crate::race::TIME_LIMIT;
use crate::stats::geometric_mean;
use crate::toolchain::{self, Variant};
use crate::trial::build;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Of the quick problem's repetitions, the machine and nsan do one of so many.
const FEWER: u64 = 50;

/// What is asked of the event engine, by `NONIUS_OPTIONS`. The first is recording alone.
const WAYS: [(&str, &str); 5] = [
    ("record", "record=/dev/null"),
    ("native", "oracle=native"),
    ("double-double", "oracle=double-double"),
    ("mpfr:128", "oracle=mpfr:128"),
    ("mpfr:512", "oracle=mpfr:512"),
];

/// One kernel's times, in seconds.
struct Row {
    name: String,
    native: f64,
    record: f64,
    /// The ways behind the first, on the smaller problem.
    machine: Vec<f64>,
    nsan: Option<f64>,
    same_output: bool,
}

/// True if every program printed what the native one did.
pub fn run(plan: &Plan) -> Result<bool> {
    let mut rows = Vec::new();
    for kernel in plan.kernels.iter().filter(|k| k.types.contains(&RealType::Double)) {
        let row = measure(plan, kernel).with_context(|| format!("measuring {}", kernel.name))?;
        println!("{}", line(&row));
        rows.push(row);
    }
    let text = table(&rows);
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    fs::write(plan.out.join("events.txt"), &text)?;
    print!("\n{text}");
    Ok(rows.iter().all(|row| row.same_output))
}

fn measure(plan: &Plan, kernel: &Kernel) -> Result<Row> {
    let folder = tempfile::tempdir()?;
    let make = |variant| build(&plan.toolchain, kernel, RealType::Double, variant, folder.path());
    let (native, nonius) = (make(Variant::Native)?, make(Variant::Nonius)?);
    let has_peer = plan.peer == Peer::Nsan && kernel.language().is_of_clang();
    let nsan = has_peer.then(|| make(Variant::Nsan)).transpose()?;
    let problem = kernel.problem(true);
    let smaller = Problem { reps: (problem.reps / FEWER).max(1), ..problem };
    let mut row = Row {
        name: kernel.name.clone(),
        native: f64::INFINITY,
        record: f64::INFINITY,
        machine: vec![f64::INFINITY; WAYS.len() - 1],
        nsan: nsan.as_ref().map(|_| f64::INFINITY),
        same_output: true,
    };
    for _ in 0..plan.rounds {
        let (native_s, expected) = time(Variant::Native, &native, &problem, "")?;
        let (record_s, seen) = time(Variant::Nonius, &nonius, &problem, WAYS[0].1)?;
        row.native = row.native.min(native_s);
        row.record = row.record.min(record_s);
        row.same_output &= expected == seen;
        let (_, expected) = time(Variant::Native, &native, &smaller, "")?;
        for (best, (_, options)) in row.machine.iter_mut().zip(&WAYS[1..]) {
            let (seconds, seen) = time(Variant::Nonius, &nonius, &smaller, options)?;
            *best = best.min(seconds);
            row.same_output &= expected == seen;
        }
        if let (Some(best), Some(program)) = (&mut row.nsan, &nsan) {
            *best = best.min(time(Variant::Nsan, program, &smaller, "")?.0);
        }
    }
    Ok(row)
}

/// Processor time of a run, and what it printed.
fn time(variant: Variant, program: &Path, problem: &Problem, options: &str) -> Result<(f64, String)> {
    let mut command = toolchain::start(variant, program, problem, Path::new("/dev/null"));
    if variant == Variant::Nonius {
        command.env("NONIUS_OPTIONS", format!("quiet=1:{options}"));
    }
    let sample = process::run(command, TIME_LIMIT)?;
    Ok((sample.cpu_s, sample.stdout))
}

fn line(row: &Row) -> String {
    let mut text = format!("{:<14}{:>9.2}", row.name, row.record / row.native);
    for seconds in &row.machine {
        text += &format!("{seconds:>17.3}");
    }
    text += &row.nsan.map_or_else(|| format!("{:>17}", "-"), |seconds| format!("{seconds:>17.3}"));
    if !row.same_output {
        text += "  output differs";
    }
    text
}

fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<14}{:>9}", "", "record x");
    WAYS[1..].iter().for_each(|(name, _)| text += &format!("{:>17}", format!("{name} s")));
    text += &format!("{:>17}\n", "nsan s");
    rows.iter().for_each(|row| text += &format!("{}\n", line(row)));
    let mean = |ratios: Vec<f64>| geometric_mean(ratios).map_or("-".to_owned(), |m| format!("{m:.2}"));
    text += &format!("{:<14}{:>9}", "mean", mean(rows.iter().map(|r| r.record / r.native).collect()));
    for way in 0..WAYS.len() - 1 {
        let ratios = rows.iter().filter_map(|r| Some(r.nsan? / r.machine[way])).collect();
        text += &format!("{:>17}", mean(ratios));
    }
    text + "   (of recording: times native; of the machine: times faster than nsan)\n"
}
