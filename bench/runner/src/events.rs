//! `./x bench --events`: what the event engine costs.
//!
//! Recording alone is held against native code on the quick problem. The machine is hundreds of
//! times slower than that, and so is its peer, nsan: both get a problem of fewer repetitions and are held
//! against each other. Times are the least of the rounds, which were interleaved.
//!
//! Processor time is that of the program alone, so the machine is measured in the program's own threads. What a process
//! beside it gains is told by the clock on the wall, and what it leaves to the program by the program's own time.

use crate::cli::{Peer, Plan};
use crate::kernel::{Kernel, Problem, RealType};
use crate::process::{self, Sample};
use crate::race::TIME_LIMIT;
use crate::stats::geometric_mean;
use crate::toolchain::{self, Variant};
use crate::trial::build;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Of the quick problem's repetitions, the machine and nsan do one of so many.
const FEWER: u64 = 50;

const RECORD: &str = "record=/dev/null";
/// A machine that keeps up with most programs: what these pay while it is beside them.
const BESIDE: &str = "oracle=native";
/// What is asked of the machine on one core, by `NONIUS_OPTIONS`.
const WAYS: [(&str, &str); 4] = [
    ("native", "oracle=native:machine_process=0"),
    ("double-double", "oracle=double-double:machine_process=0"),
    ("mpfr:128", "oracle=mpfr:128:machine_process=0"),
    ("mpfr:512", "oracle=mpfr:512:machine_process=0"),
];
/// The same run by one core and by two.
const CORES: [&str; 2] = [WAYS[1].1, "oracle=double-double"];

/// One kernel's times, in seconds.
struct Row {
    name: String,
    native: f64,
    record: f64,
    /// The program's own time with a machine beside it.
    beside: f64,
    /// On the smaller problem.
    machine: Vec<f64>,
    /// By the clock, on one core and on two.
    wall: [f64; 2],
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
        beside: f64::INFINITY,
        machine: vec![f64::INFINITY; WAYS.len()],
        wall: [f64::INFINITY; 2],
        nsan: nsan.as_ref().map(|_| f64::INFINITY),
        same_output: true,
    };
    for _ in 0..plan.rounds {
        let plain = sample(Variant::Native, &native, &problem, "")?;
        row.native = row.native.min(plain.cpu_s);
        for (best, options) in [(&mut row.record, RECORD), (&mut row.beside, BESIDE)] {
            let run = sample(Variant::Nonius, &nonius, &problem, options)?;
            *best = best.min(run.cpu_s);
            row.same_output &= plain.stdout == run.stdout;
        }
        let expected = sample(Variant::Native, &native, &smaller, "")?.stdout;
        let ways = row.machine.iter_mut().zip(WAYS.map(|(_, options)| options)).map(|(best, o)| (best, o, false));
        for (best, options, by_wall) in ways.chain(row.wall.iter_mut().zip(CORES).map(|(best, o)| (best, o, true))) {
            let run = sample(Variant::Nonius, &nonius, &smaller, options)?;
            *best = best.min(if by_wall { run.wall_s } else { run.cpu_s });
            row.same_output &= expected == run.stdout;
        }
        if let (Some(best), Some(program)) = (&mut row.nsan, &nsan) {
            *best = best.min(sample(Variant::Nsan, program, &smaller, "")?.cpu_s);
        }
    }
    Ok(row)
}

fn sample(variant: Variant, program: &Path, problem: &Problem, options: &str) -> Result<Sample> {
    let mut command = toolchain::start(variant, program, problem, Path::new("/dev/null"));
    if variant == Variant::Nonius {
        command.env("NONIUS_OPTIONS", format!("quiet=1:{options}"));
    }
    process::run(command, TIME_LIMIT)
}

fn line(row: &Row) -> String {
    let mut text = format!("{:<14}{:>9.2}{:>9.2}", row.name, row.record / row.native, row.beside / row.native);
    for seconds in &row.machine {
        text += &format!("{seconds:>16.3}");
    }
    text += &row.nsan.map_or_else(|| format!("{:>10}", "-"), |seconds| format!("{seconds:>10.3}"));
    text += &format!("{:>12.2}", row.wall[0] / row.wall[1]);
    if !row.same_output {
        text += "  output differs";
    }
    text
}

fn table(rows: &[Row]) -> String {
    let mut text = format!("{:<14}{:>9}{:>9}", "", "record x", "beside x");
    WAYS.iter().for_each(|(name, _)| text += &format!("{:>16}", format!("{name} s")));
    text += &format!("{:>10}{:>12}\n", "nsan s", "two cores x");
    rows.iter().for_each(|row| text += &format!("{}\n", line(row)));
    let mean = |ratios: Vec<f64>| geometric_mean(ratios).map_or("-".to_owned(), |m| format!("{m:.2}"));
    let of_native = |time: fn(&Row) -> f64| mean(rows.iter().map(|row| time(row) / row.native).collect());
    text += &format!("{:<14}{:>9}{:>9}", "mean", of_native(|row| row.record), of_native(|row| row.beside));
    for way in 0..WAYS.len() {
        let ratios = rows.iter().filter_map(|r| Some(r.nsan? / r.machine[way])).collect();
        text += &format!("{:>16}", mean(ratios));
    }
    let gained = mean(rows.iter().map(|row| row.wall[0] / row.wall[1]).collect());
    text += &format!("{:>22}\n", gained);
    text + "\nrecord, beside: the program's own time, times native; the machine's means: times faster than nsan;\n\
            two cores: by how much the clock is faster (double-double) with the machine beside the program\n"
}
