//! The options of a run: `NONIUS_OPTIONS=key=value:key=value`, and the same keys as flags of the driver.
//!
//! All keys are declared in one table ([`KEYS`]), with default and help. A value may be quoted, which takes the meaning
//! from colons and spaces: `report='/tmp/a b:c.json'`. Runtime, driver and replay read and write them here.
#![forbid(unsafe_code)]

mod flags;
mod input;
mod keys;
mod nearest;
mod split;

pub use flags::{Flag, FlagError, Given, Takes, dashed, read_flag};
pub use input::{Declared, Uncertainty};
pub use keys::{KEYS, Key};
pub use nearest::likely;
pub use split::{items, quoted};

use nonius_finding::{Focus, Selection};
use nonius_numerics::Threshold;
use std::path::PathBuf;

/// The environment variable that holds the options.
pub const VARIABLE: &str = "NONIUS_OPTIONS";

/// When to color the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// What the constants of a program stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constants {
    /// A number within half an ulp of them, unless they are exact (`nonius_abi::constant`).
    Rounded,
    /// Themselves.
    Exact,
}

/// Which parts of a run the event engine looks at each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TasksMode {
    /// Those that the program marks; the whole run if it marks none.
    Marked,
    /// Calls of functions that take long enough.
    Auto,
    /// None: the run is one.
    Off,
}

/// The options, as resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    pub threshold: Threshold,
    pub floor: f64,
    pub report: Option<PathBuf>,
    pub log_path: Option<PathBuf>,
    pub oracle: Option<nonius_oracle::Spec>,
    pub zero_bits: u32,
    pub symbols: usize,
    pub paths: u32,
    pub inputs: Vec<Declared>,
    pub uncertainty: Option<Uncertainty>,
    pub split: u32,
    pub seed: u64,
    pub machine_mib: u64,
    pub machine_process: bool,
    pub machines: Option<PathBuf>,
    pub tasks: TasksMode,
    pub jobs: Option<usize>,
    pub reexecutions: u32,
    pub record_mib: u64,
    pub record: Option<PathBuf>,
    pub files: Option<PathBuf>,
    pub deadline: Option<f64>,
    pub confirm_time: Option<f64>,
    pub counter: Option<PathBuf>,
    pub exitcode: Option<u8>,
    pub min_coverage: f64,
    pub halt: bool,
    pub debug: bool,
    pub color: Color,
    pub focus: Focus,
    pub all: bool,
    pub max_findings: usize,
    pub max_stacks: u32,
    pub max_frames: usize,
    pub suppressions: Option<PathBuf>,
    pub baseline: Option<PathBuf>,
    pub check_store: bool,
    pub check_return: bool,
    pub check_argument: bool,
    pub check_output: bool,
    pub check_branch: bool,
    pub check_cast: bool,
    pub check_nan: bool,
    pub check_inf: bool,
    pub check_load: bool,
    pub resume: bool,
    pub constants: Constants,
    pub stats: bool,
    pub verbose: bool,
    pub quiet: bool,
    pub help: bool,
}

impl Default for Values {
    /// As the table of keys gives them.
    fn default() -> Values {
        let mut values = Values {
            threshold: Threshold::Standard,
            floor: 0.0,
            report: None,
            log_path: None,
            oracle: None,
            zero_bits: 0,
            symbols: 0,
            paths: 0,
            inputs: Vec::new(),
            uncertainty: None,
            split: 0,
            seed: 0,
            machine_mib: 0,
            machine_process: false,
            machines: None,
            tasks: TasksMode::Marked,
            jobs: None,
            reexecutions: 0,
            record_mib: 0,
            record: None,
            files: None,
            deadline: None,
            confirm_time: None,
            counter: None,
            exitcode: None,
            min_coverage: 0.0,
            halt: false,
            debug: false,
            color: Color::Auto,
            focus: Focus::All,
            all: false,
            max_findings: 0,
            max_stacks: 0,
            max_frames: 0,
            suppressions: None,
            baseline: None,
            check_store: false,
            check_return: false,
            check_argument: false,
            check_output: false,
            check_branch: false,
            check_cast: false,
            check_nan: false,
            check_inf: false,
            check_load: false,
            resume: false,
            constants: Constants::Rounded,
            stats: false,
            verbose: false,
            quiet: false,
            help: false,
        };
        for key in KEYS {
            // A test sees to it that the defaults are valid.
            let _ = (key.set)(&mut values, key.default);
        }
        values
    }
}

impl Values {
    /// Applies `key=value:key=value`.
    pub fn apply(&mut self, text: &str) -> Result<(), String> {
        pairs(text)?.iter().try_for_each(|(name, value)| self.set(name, value))
    }

    /// All files that are named.
    pub fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let Values { report, log_path, suppressions, baseline, record, files, counter, .. } = self;
        [report, log_path, suppressions, baseline, record, files, counter].into_iter().flatten()
    }

    /// Which findings are shown, and count.
    pub fn selection(&self) -> Selection {
        Selection { focus: self.focus, all: self.all }
    }

    /// Sets a key from text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let set = key(name)?.set;
        set(self, value).map_err(|expected| format!("'{name}={value}': expected {expected}"))
    }
}

/// The key of a name.
pub fn key(name: &str) -> Result<&'static Key, String> {
    KEYS.iter().find(|key| key.name == name).ok_or_else(|| match likely(name, KEYS.iter().map(|key| key.name)) {
        Some(meant) => format!("there is no option '{name}': did you mean '{meant}'? 'help=1' lists all"),
        None => format!("there is no option '{name}'; 'help=1' lists all"),
    })
}

/// Keys and values of an option text, in order; a key may come more than once, and then the last one counts. The keys
/// need not exist.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for item in items(text)? {
        match (item.split_once('='), pairs.last_mut()) {
            (Some((name, value)), _) => pairs.push((name.to_owned(), value.to_owned())),
            // The colon of `oracle=mpfr:256` belongs to the value: a number stands for no option.
            (None, Some((name, value))) if name == "oracle" && item.parse::<u64>().is_ok() => {
                *value += ":";
                *value += &item;
            }
            _ => return Err(format!("'{item}' has no value: write '{item}=1'")),
        }
    }
    Ok(pairs)
}

/// All keys with their defaults, for `help=1`.
pub fn help() -> String {
    let mut text = format!("{VARIABLE}=key=value:key=value, a value with ':' or blanks in quotes\n");
    for key in KEYS {
        let default = if key.default.is_empty() { "none" } else { key.default };
        text += &format!("  {:<15} {} (default: {default})\n", key.name, key.help);
    }
    text
}

#[cfg(test)]
mod tests;
