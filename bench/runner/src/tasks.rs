//! `./x bench --events --tasks`: what tasks gain.
//!
//! A kernel's run is recorded once and replayed as one, cut into tasks on one thread, and on as many as there are cores, by
//! the clock on the wall, since that is what threads save.

use crate::cli::Plan;
use crate::kernel::{Kernel, Problem, RealType};
use crate::process;
use crate::stats::geometric_mean;
use crate::toolchain::{self, Variant};
use crate::trial::build;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

/// Repetitions, each of which can be a task.
const REPETITIONS: u64 = 33;
/// A kernel with fewer tasks says nothing about them.
const LEAST_TASKS: u64 = 16;
const ORACLE: &str = "mpfr:512";
const TIME_LIMIT: Duration = Duration::from_secs(3600);

#[derive(Deserialize)]
struct Report {
    summary: Summary,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct Summary {
    operations: u64,
}

struct Row {
    name: String,
    tasks: u64,
    /// Seconds as one, cut on one thread, and cut on all.
    seconds: [f64; 3],
    same: bool,
}

/// True if the report was the same however many threads there were.
pub fn run(plan: &Plan) -> Result<bool> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "{:<14}{:>8}{:>12}{:>12}{:>12}{:>10}   ({ORACLE}, {cores} threads)\n",
        "", "tasks", "as one s", "1 thread s", "all s", "times"
    );
    print!("{text}");
    let mut rows = Vec::new();
    for kernel in plan.kernels.iter().filter(|k| k.types.contains(&RealType::Double)) {
        let row = measure(plan, kernel, cores).with_context(|| format!("measuring {}", kernel.name))?;
        let line = line(&row);
        print!("{line}");
        text += &line;
        rows.push(row);
    }
    let many = rows.iter().filter(|row| row.tasks >= LEAST_TASKS);
    let mean = geometric_mean(many.map(|row| row.seconds[1] / row.seconds[2]));
    let last = format!("mean of those with {LEAST_TASKS} tasks or more: {:.2} times\n", mean.unwrap_or(f64::NAN));
    print!("{last}");
    text += &last;
    fs::create_dir_all(&plan.out).with_context(|| format!("cannot make {}", plan.out.display()))?;
    fs::write(plan.out.join("tasks.txt"), &text)?;
    Ok(rows.iter().all(|row| row.same))
}

fn line(row: &Row) -> String {
    let [one, cut, all] = row.seconds;
    let differs = if row.same { "" } else { "  reports differ" };
    format!("{:<14}{:>8}{one:>12.3}{cut:>12.3}{all:>12.3}{:>10.2}{differs}\n", row.name, row.tasks, cut / all)
}

fn measure(plan: &Plan, kernel: &Kernel, cores: usize) -> Result<Row> {
    let folder = tempfile::tempdir()?;
    let program = build(&plan.toolchain, kernel, RealType::Double, Variant::Nonius, folder.path())?;
    let problem = Problem { reps: REPETITIONS, ..kernel.problem(true) };
    let events = folder.path().join("events");
    let mut command = toolchain::start(Variant::Nonius, &program, &problem, Path::new("/dev/null"));
    command.env("NONIUS_OPTIONS", format!("quiet=1:tasks=auto:record='{}'", events.display()));
    process::run(command, TIME_LIMIT)?;
    let ways = [("off", 1), ("auto", 1), ("auto", cores)];
    let mut seconds = [f64::INFINITY; 3];
    let mut reports: [String; 3] = Default::default();
    for _ in 0..plan.rounds {
        for (n, (tasks, jobs)) in ways.into_iter().enumerate() {
            let report = folder.path().join(format!("{n}.json"));
            let mut command = plan.toolchain.replay(&events);
            command.args([format!("--oracle={ORACLE}"), format!("--tasks={tasks}"), format!("--jobs={jobs}")]);
            command.arg(format!("--report={}", report.display())).args(["--quiet", "--exitcode=0"]);
            seconds[n] = seconds[n].min(process::run(command, TIME_LIMIT)?.wall_s);
            reports[n] = fs::read_to_string(&report)?;
        }
    }
    let report: Report = serde_json::from_reader(BufReader::new(File::open(folder.path().join("1.json"))?))?;
    let words = report.notes.iter().find_map(|note| note.split_once(" calls were looked at each by itself"));
    let tasks = words.and_then(|(count, _)| count.parse().ok()).unwrap_or(0);
    anyhow::ensure!(report.summary.operations > 0, "nothing was walked");
    Ok(Row { name: kernel.name.clone(), tasks, seconds, same: reports[1] == reports[2] })
}
