//! The options in force, and what follows from them. Which there are: `nonius_options`.

use nonius_verdict::verdict::Limits;
use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use nonius_options::Constants;
pub use nonius_options::{Color, VARIABLE, Values, help};

/// The options, as resolved.
#[derive(Clone, Debug)]
pub struct Options {
    values: Values,
    /// From the threshold, the floor and the switches.
    pub limits: Limits,
}

impl Deref for Options {
    type Target = Values;

    fn deref(&self) -> &Values {
        &self.values
    }
}

impl DerefMut for Options {
    fn deref_mut(&mut self) -> &mut Values {
        &mut self.values
    }
}

impl Options {
    pub fn new() -> Options {
        let values = Values::default();
        Options { limits: limits(&values), values }
    }

    /// Applies `key=value:key=value`.
    pub fn apply(&mut self, text: &str) -> Result<(), String> {
        self.values.apply(text)?;
        self.limits = limits(&self.values);
        Ok(())
    }

    /// Drops all that names a file to read or write.
    pub fn leave_files_alone(&mut self) {
        let values = &mut self.values;
        (values.report, values.log_path, values.record) = (None, None, None);
        (values.files, values.counter, values.machines) = (None, None, None);
        (values.suppressions, values.baseline) = (None, None);
    }

    /// The exit status for a program with findings, if it is to change.
    pub fn exit_status(&self) -> Option<i32> {
        self.exitcode.map(i32::from).or(self.halt.then_some(1))
    }
}

fn limits(values: &Values) -> Limits {
    Limits::new(values.threshold, values.floor, &nonius_machine::observed(values))
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
    let most_off = match options.constants {
        Constants::Rounded => nonius_abi::constant::MOST_OFF,
        Constants::Exact => 0.0,
    };
    crate::hooks::set_limits(options.limits.inline(most_off));
    crate::sites::modules().for_each(|module| module.checks.forget());
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_abi::Precision;

    #[test]
    fn limits_follow_the_keys() {
        let mut options = Options::new();
        assert!(options.limits.filter()[Precision::Double as usize] < 1e-5);
        options.apply("check_store=0:check_return=0:check_argument=0:check_output=0").unwrap();
        assert_eq!(options.limits.filter(), [f64::INFINITY; 6], "nothing reaches the hooks");
    }
}
