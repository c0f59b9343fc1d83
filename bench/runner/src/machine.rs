//! Where and when: enough to tell two runs apart, and nothing that names its owner.

use serde::Serialize;
use std::fs;
use std::thread;

#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub date: String,
    pub cpu: String,
    pub cores: usize,
    /// The same in one word, for a folder's name.
    pub slug: String,
    /// Processes that wanted a core when the run began, besides this one.
    pub load_at_start: Option<f64>,
}

impl Machine {
    pub fn this() -> Self {
        let cpu_info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = model(&cpu_info).unwrap_or("unknown processor").to_owned();
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let load = fs::read_to_string("/proc/loadavg").ok();
        Self {
            date: jiff::Zoned::now().date().to_string(),
            slug: slug(&cpu, cores),
            cpu,
            cores,
            load_at_start: load.and_then(|l| l.split_whitespace().next()?.parse().ok()),
        }
    }
}

fn model(cpu_info: &str) -> Option<&str> {
    let line = cpu_info.lines().find(|l| l.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

/// `Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz`, 6 -> `intel-core-i7-9750h-6c`.
fn slug(cpu: &str, cores: usize) -> String {
    const NOISE: [&str; 3] = ["cpu", "processor", "with"];
    let plain = cpu.split('@').next().unwrap_or(cpu).replace("(R)", " ").replace("(TM)", " ").to_lowercase();
    let mut words: Vec<String> = plain
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|w| !w.is_empty() && !NOISE.contains(w))
        .map(str::to_owned)
        .collect();
    words.truncate(5);
    words.push(format!("{cores}c"));
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_short_and_has_no_odd_characters() {
        assert_eq!(slug("Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", 6), "intel-core-i7-9750h-6c");
        assert_eq!(slug("Intel(R) Xeon(R) Processor", 2), "intel-xeon-2c");
        assert_eq!(slug("AMD Ryzen 9 7950X 16-Core Processor", 32), "amd-ryzen-9-7950x-16-core-32c");
        assert_eq!(slug("unknown processor", 1), "unknown-1c");
    }

    #[test]
    fn the_model_is_found() {
        assert_eq!(model("processor\t: 0\nmodel name\t: Some CPU\n"), Some("Some CPU"));
        assert_eq!(model(""), None);
    }
}
