//! How fast the machine walks recorded runs, the reading of files apart: each is events in memory and walked again and
//! again, and the least time counts. `cargo run --release -p nonius-machine --example walk ORACLE FILE...`

use nonius_abi::event::{Consumer, EventError, Module};
use nonius_machine::{Options, engine};

/// A run in memory.
#[derive(Default)]
struct Events {
    modules: Vec<Module>,
    /// Chunks by thread, and how many modules came before.
    chunks: Vec<(usize, u32, Vec<u64>)>,
}

impl Consumer for Events {
    fn module(&mut self, module: Module) -> Result<(), EventError> {
        self.modules.push(module);
        Ok(())
    }

    fn events(&mut self, thread: u32, words: &[u64]) {
        self.chunks.push((self.modules.len(), thread, words.to_vec()));
    }

    fn finish(&mut self) {}
}

/// Seconds that this thread has computed, whatever else the machine is at.
fn computed() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Seconds of one walk, and the operations in it.
fn walk(events: &Events, oracle: &str) -> (f64, u64) {
    let mut machine = engine(oracle.parse().expect("an oracle"), Options::default());
    let mut known = 0;
    let mut seconds = 0.0;
    for (modules, thread, words) in &events.chunks {
        for module in &events.modules[known..*modules] {
            machine.module(module.clone()).expect("a module");
        }
        known = *modules;
        let start = computed();
        machine.events(*thread, words);
        seconds += computed() - start;
    }
    (seconds, machine.operations())
}

fn main() {
    const ROUNDS: usize = 9;
    let mut arguments = std::env::args().skip(1);
    let oracle = arguments.next().expect("an oracle");
    let (mut logs, mut files) = (0.0, 0);
    for path in arguments {
        let mut events = Events::default();
        nonius_recording::read(std::fs::File::open(&path).expect("it can be read"), &mut events).expect("a recording");
        let runs: Vec<(f64, u64)> = (0..ROUNDS).map(|_| walk(&events, &oracle)).collect();
        let seconds = runs.iter().map(|r| r.0).fold(f64::INFINITY, f64::min);
        let each = seconds / runs[0].1.max(1) as f64 * 1e9;
        println!("{path:40} {:10} operations {each:8.2} ns each {:8.1} million/s", runs[0].1, 1e3 / each);
        (logs, files) = (logs + each.ln(), files + 1);
    }
    println!("mean {:.3} ns", (logs / f64::from(files.max(1))).exp());
}
