//! How far tasks scale: walks a recorded run cut into tasks, measures how long each takes, and works out what 4 to 64 cores
//! would make of them. `cargo run --release -p nonius-machine --example scaling FILE SECONDS [ORACLE]`, where the program
//! took so many seconds to record the file.
//!
//! The model: the program has a core of its own and hands events on at an even rate. Another reads them, cuts them and walks
//! what lies in no task. Whatever ends is walked by the first of the other cores that is free, in order. Against it stands
//! one core that does all of it, one after the other.

use nonius_abi::event::{Consumer, EventError, Module};
use nonius_machine::{Engine, Options, engine};
use nonius_options::TasksMode;
use std::time::{Duration, Instant};

/// PFPSanitizer's speed-ups over FPSanitizer, at so many cores (section 5.4).
const PAPER: [(usize, f64); 5] = [(4, 3.0), (8, 7.0), (16, 14.3), (32, 25.8), (64, 30.6)];

struct Timed {
    machine: Box<dyn Engine>,
    took: Duration,
}

impl Consumer for Timed {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.machine.module(module)
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        let began = Instant::now();
        self.machine.events(thread, words);
        self.took += began.elapsed();
    }

    fn finish(&mut self) {
        self.machine.finish();
    }
}

/// When the last task is done, where each comes up at a time and takes a time.
fn makespan(tasks: &[(f64, f64)], workers: usize) -> f64 {
    let mut free = vec![0.0f64; workers];
    for &(comes_up, takes) in tasks {
        let first = (0..workers).min_by(|&a, &b| free[a].total_cmp(&free[b])).expect("a worker");
        free[first] = free[first].max(comes_up) + takes;
    }
    free.into_iter().fold(0.0, f64::max)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [path, seconds, rest @ ..] = &words[..] else { panic!("scaling FILE SECONDS [ORACLE]") };
    let oracle = rest.first().map_or("mpfr:512", String::as_str).parse().expect("an oracle");
    let recording: f64 = seconds.parse().expect("seconds");
    let options = Options { tasks: TasksMode::Auto, measures_tasks: true, ..Options::default() };
    let mut timed = Timed { machine: engine(oracle, options), took: Duration::ZERO };
    let file = std::fs::File::open(path).expect("it can be read");
    let summary = nonius_recording::read(file, &mut timed).expect("a recording");
    let _ = timed.machine.analysis();
    let lengths = timed.machine.task_lengths();
    let in_tasks: f64 = lengths.iter().map(|(took, _)| took.as_secs_f64()).sum();
    let all = timed.took.as_secs_f64();
    let trunk = (all - in_tasks).max(0.0);
    // The reader cannot be faster than the program, nor than its own work.
    let reading = trunk.max(recording);
    let at = |words: u64| reading * words as f64 / summary.words.max(1) as f64;
    let tasks: Vec<(f64, f64)> = lengths.iter().map(|&(took, words)| (at(words), took.as_secs_f64())).collect();
    let longest = tasks.iter().map(|t| t.1).fold(0.0, f64::max);
    println!("{} tasks, {in_tasks:.3} s in all, the longest {longest:.4} s; {trunk:.3} s in none", tasks.len());
    println!("{:>6}{:>10}{:>12}  bound", "cores", "times", "the paper's");
    for (cores, papers) in PAPER {
        let end = makespan(&tasks, cores - 2).max(reading);
        let bound = match () {
            () if end <= reading * 1.05 && trunk >= recording => "what lies in no task",
            () if end <= reading * 1.05 => "the program's own rate",
            () if end <= (at(summary.words) + longest) * 1.05 => "the last task",
            () => "cores",
        };
        println!("{cores:>6}{:>10.1}{papers:>12.1}  {bound}", (all + recording) / end);
    }
}
