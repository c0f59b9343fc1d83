//! The options of a run: `NONIUS_OPTIONS=key=value:key=value`, read once before `main`.
//!
//! All keys are declared in one table, with default and help. A value may be quoted, which
//! takes the meaning from colons and spaces: `report='/tmp/a b:c.json'`.

mod keys;
mod nearest;
mod split;

pub use keys::KEYS;

use crate::check::Limits;
use nonius_abi::site::Observed;
use nonius_numerics::Threshold;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The environment variable that holds the options.
pub const VARIABLE: &str = "NONIUS_OPTIONS";

/// When to color the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    Auto,
    Always,
    Never,
}

/// The options, as resolved.
#[derive(Clone, Debug)]
pub struct Options {
    pub threshold: Threshold,
    pub floor: f64,
    pub report: Option<PathBuf>,
    pub log_path: Option<PathBuf>,
    pub oracle: Option<nonius_oracle::Spec>,
    pub machine_mib: u64,
    pub record: Option<PathBuf>,
    pub files: Option<PathBuf>,
    pub deadline: Option<f64>,
    pub confirm_time: Option<f64>,
    pub counter: Option<PathBuf>,
    pub exitcode: Option<u8>,
    pub halt: bool,
    pub debug: bool,
    pub color: Color,
    pub max_findings: usize,
    pub max_stacks: u32,
    pub max_frames: usize,
    pub suppressions: Option<PathBuf>,
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
    pub stats: bool,
    pub verbose: bool,
    pub quiet: bool,
    pub help: bool,
    /// From the threshold, the floor and the switches; see [`Options::derive_limits`].
    pub limits: Limits,
}

impl Options {
    /// The defaults, as the table of keys gives them.
    pub fn new() -> Options {
        let limits = Limits::new(Threshold::Standard, 0.0, &[]);
        let mut options = Options {
            threshold: Threshold::Standard,
            floor: 0.0,
            report: None,
            log_path: None,
            oracle: None,
            machine_mib: 0,
            record: None,
            files: None,
            deadline: None,
            confirm_time: None,
            counter: None,
            exitcode: None,
            halt: false,
            debug: false,
            color: Color::Auto,
            max_findings: 0,
            max_stacks: 0,
            max_frames: 0,
            suppressions: None,
            check_store: false,
            check_return: false,
            check_argument: false,
            check_output: false,
            check_branch: false,
            check_cast: false,
            check_nan: false,
            check_inf: false,
            check_load: false,
            resume: true,
            stats: false,
            verbose: false,
            quiet: false,
            help: false,
            limits,
        };
        for key in KEYS {
            // A test sees to it that the defaults are valid.
            let _ = (key.set)(&mut options, key.default);
        }
        options.derive_limits();
        options
    }

    /// Applies `key=value:key=value`.
    pub fn apply(&mut self, text: &str) -> Result<(), String> {
        for item in with_precisions(split::items(text)?) {
            let Some((name, value)) = item.split_once('=') else {
                return Err(format!("'{item}' has no value: write '{item}=1'"));
            };
            let Some(key) = KEYS.iter().find(|key| key.name == name) else {
                let known = nearest::nearest(name, KEYS.iter().map(|key| key.name));
                return Err(format!("there is no option '{name}': did you mean '{known}'? 'help=1' lists all"));
            };
            (key.set)(self, value).map_err(|expected| format!("'{name}={value}': expected {expected}"))?;
        }
        self.derive_limits();
        Ok(())
    }

    /// The observables whose values are checked.
    pub fn observed(&self) -> Vec<Observed> {
        let switches = [
            (Observed::Store, self.check_store),
            (Observed::Return, self.check_return),
            (Observed::Argument, self.check_argument),
            (Observed::Output, self.check_output),
            (Observed::Api, true),
        ];
        // The program's own requests are checked as long as anything is.
        let any = switches.iter().any(|&(observed, on)| on && observed != Observed::Api);
        switches.iter().filter(|s| any && s.1).map(|s| s.0).collect()
    }

    fn derive_limits(&mut self) {
        self.limits = Limits::new(self.threshold, self.floor, &self.observed());
    }

    /// The exit status for a program with findings, if it is to change.
    pub fn exit_status(&self) -> Option<i32> {
        self.exitcode.map(i32::from).or(self.halt.then_some(1))
    }
}

/// The colon of `oracle=mpfr:256` belongs to the value: a number stands for no option.
fn with_precisions(items: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for item in items {
        match joined.last_mut() {
            Some(last) if last.starts_with("oracle=") && item.parse::<u64>().is_ok() => *last += &format!(":{item}"),
            _ => joined.push(item),
        }
    }
    joined
}

static CURRENT: AtomicPtr<Options> = AtomicPtr::new(null_mut());

/// The options in force.
#[inline]
pub fn current() -> &'static Options {
    let current = CURRENT.load(Ordering::Acquire);
    // SAFETY: the pointer is null or of options that were leaked by `put`.
    match unsafe { current.as_ref() } {
        Some(options) => options,
        None => put(Options::new()),
    }
}

/// Puts options in force, limits of the inline checks included. The old ones stay in memory:
/// hooks may be using them.
pub fn put(options: Options) -> &'static Options {
    let options = Box::leak(Box::new(options));
    CURRENT.store(options, Ordering::Release);
    crate::hooks::set_limits(options.limits.inline());
    crate::tallies::forget_known();
    options
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
mod tests {
    use super::*;
    use nonius_abi::Precision;
    use proptest::prelude::*;

    fn with(text: &str) -> Result<Options, String> {
        let mut options = Options::new();
        options.apply(text).map(|()| options)
    }

    #[test]
    fn defaults_are_valid_and_described() {
        for key in KEYS {
            assert_eq!((key.set)(&mut Options::new(), key.default), Ok(()), "{}", key.name);
            assert!(!key.help.is_empty() && help().contains(key.help));
        }
        let options = Options::new();
        assert!(options.check_store && options.check_branch && !options.check_load && options.resume);
        assert!(options.limits.filter()[Precision::Double as usize] < 1e-5);
    }

    #[test]
    fn the_documentation_lists_them_all() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");
        let document = std::fs::read_to_string(path).unwrap();
        for key in KEYS {
            let default = if key.default.is_empty() { "none".to_owned() } else { format!("`{}`", key.default) };
            let row = format!("| `{}` | {default} | {} |", key.name, key.help);
            assert!(document.contains(&row), "{path} lacks\n{row}");
        }
    }

    #[test]
    fn keys_are_set() {
        let options =
            with("threshold=digits=6:report='/tmp/a b:c.json':exitcode=7 check_load=1:\tcolor=always:").unwrap();
        assert_eq!(options.threshold, Threshold::Digits(6.0));
        assert_eq!(options.report, Some(PathBuf::from("/tmp/a b:c.json")));
        assert_eq!((options.exitcode, options.check_load, options.color), (Some(7), true, Color::Always));
    }

    #[test]
    fn an_oracle_has_its_precision() {
        use nonius_oracle::Spec;
        assert_eq!(with("oracle=mpfr:512:halt=1").unwrap().oracle, Some(Spec::Mpfr { bits: 512 }));
        assert_eq!(with("oracle='mpfr:64'").unwrap().oracle, Some(Spec::Mpfr { bits: 64 }));
        assert_eq!(with("oracle=").unwrap().oracle, None);
        assert!(with("oracle=mpfr:1").unwrap_err().contains("bits"));
        assert!(with("oracle=magic").is_err() && with("halt=1:256").is_err());
    }

    #[test]
    fn with_all_precision_checks_off_nothing_reaches_the_hooks() {
        let options = with("check_store=0:check_return=0:check_argument=0:check_output=0").unwrap();
        assert_eq!(options.limits.filter(), [f64::INFINITY; 6]);
    }

    #[test]
    fn mistakes_are_explained() {
        let cases = [
            ("thresold=1", "there is no option 'thresold': did you mean 'threshold'?"),
            ("halt", "'halt' has no value: write 'halt=1'"),
            ("halt=maybe", "'halt=maybe': expected 0 or 1"),
            ("exitcode=256", "'exitcode=256': expected a status from 0 to 255"),
            ("report='a", "the quote ' is not closed"),
            ("max_findings=-1", "'max_findings=-1': expected"),
            ("threshold=0", "'threshold=0': expected"),
            ("color=red", "'color=red': expected auto, always or never"),
        ];
        for (text, start) in cases {
            let error = with(text).unwrap_err();
            assert!(error.starts_with(start), "{text:?} gave {error:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = with(&text);
        }

        #[test]
        fn nothing_near_options_makes_it_panic(text in "([a-z_]{0,8}[=:' \"]{0,2}[0-9^.e-]{0,4}){0,4}") {
            let _ = with(&text);
        }
    }
}
