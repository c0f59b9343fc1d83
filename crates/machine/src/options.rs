//! What is reported, and how much memory it may take: the keys that both engines know.

use nonius_abi::site::Observed;
use nonius_options::{Constants, Declared, TasksMode, Uncertainty, Values};
use nonius_verdict::verdict::Limits;

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub limits: Limits,
    /// Shadows go on from the program's value after a finding.
    pub resume: bool,
    pub constants: Constants,
    pub check_branch: bool,
    pub check_cast: bool,
    pub check_nan: bool,
    pub check_inf: bool,
    /// Bytes for all that grows with the run.
    pub most_bytes: u64,
    /// An ideal that more bits than these do not tell from 0 counts as 0.
    pub zero_bits: u32,
    /// Of abstract execution: noise symbols a form may have.
    pub symbols: usize,
    /// Its inputs that the source does not name, what is read may be off by, and the parts of each input.
    pub inputs: Vec<Declared>,
    pub uncertainty: Option<Uncertainty>,
    pub split: u32,
    /// Where random rounding begins.
    pub seed: u64,
    /// Which parts of the run are looked at each by itself.
    pub tasks: TasksMode,
    /// Threads that walk tasks; 0: the one that hands events on walks them.
    pub workers: usize,
    /// What was found is asked for after each record.
    pub at_once: bool,
    /// How long tasks take is of interest.
    pub measures_tasks: bool,
}

/// The observables whose values are checked.
pub fn observed(values: &Values) -> Vec<Observed> {
    let switches = [
        (Observed::Store, values.check_store),
        (Observed::Return, values.check_return),
        (Observed::Argument, values.check_argument),
        (Observed::Output, values.check_output),
        (Observed::Api, true),
    ];
    // The program's own requests are checked as long as anything is.
    let any = switches.iter().any(|&(observed, on)| on && observed != Observed::Api);
    switches.iter().filter(|s| any && s.1).map(|s| s.0).collect()
}

impl From<&Values> for Options {
    fn from(values: &Values) -> Options {
        Options {
            limits: Limits::new(values.threshold, values.floor, &observed(values)),
            resume: values.resume,
            constants: values.constants,
            check_branch: values.check_branch,
            check_cast: values.check_cast,
            check_nan: values.check_nan,
            check_inf: values.check_inf,
            most_bytes: values.machine_mib << 20,
            zero_bits: values.zero_bits,
            symbols: values.symbols,
            inputs: values.inputs.clone(),
            uncertainty: values.uncertainty,
            split: values.split,
            seed: values.seed,
            tasks: values.tasks,
            workers: 0,
            at_once: values.halt || values.debug,
            measures_tasks: false,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::from(&Values::default())
    }
}
