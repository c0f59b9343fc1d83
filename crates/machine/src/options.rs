//! What is reported, and how much memory it may take: the keys that both engines know.

use crate::verdict::Limits;
use nonius_abi::site::Observed;
use nonius_numerics::Threshold;

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub limits: Limits,
    pub threshold: Threshold,
    pub floor: f64,
    pub observed: Vec<Observed>,
    /// Shadows go on from the program's value after a finding.
    pub resume: bool,
    pub check_branch: bool,
    pub check_cast: bool,
    pub check_nan: bool,
    pub check_inf: bool,
    /// Bytes for shadow memory and trail together.
    pub most_bytes: u64,
}

/// A value that a key cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{key}={value}' is not understood: expected {expected}")]
pub struct OptionsError {
    key: String,
    value: String,
    expected: &'static str,
}

/// The observables whose values are checked unless the user says otherwise.
const OBSERVED: [Observed; 5] =
    [Observed::Return, Observed::Argument, Observed::Store, Observed::Output, Observed::Api];

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: Limits::new(Threshold::Standard, 0.0, &OBSERVED),
            threshold: Threshold::Standard,
            floor: 0.0,
            observed: OBSERVED.to_vec(),
            resume: true,
            check_branch: true,
            check_cast: true,
            check_nan: true,
            check_inf: true,
            most_bytes: 2 << 30,
        }
    }
}

impl Options {
    /// The keys that [`Options::set`] knows.
    pub const KEYS: &[&str] = &[
        "threshold",
        "floor",
        "resume",
        "check_store",
        "check_return",
        "check_argument",
        "check_output",
        "check_branch",
        "check_cast",
        "check_nan",
        "check_inf",
        "machine_mib",
    ];

    /// Sets a key from text.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionsError> {
        let wrong = |expected| OptionsError { key: key.to_owned(), value: value.to_owned(), expected };
        let switch = match value {
            "1" | "true" | "yes" | "on" => Ok(true),
            "0" | "false" | "no" | "off" => Ok(false),
            _ => Err(wrong("0 or 1")),
        };
        match key {
            "threshold" => {
                let expected = "a relative error (1e-6, 2^-19), digits=6, bits=30, ulps=1000 or standard";
                self.threshold = value.parse().map_err(|_| wrong(expected))?;
            }
            "floor" => {
                let floor = value.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0);
                self.floor = floor.ok_or_else(|| wrong("a number, 0 for none"))?;
            }
            "machine_mib" => {
                let mib = value.parse::<u64>().ok().filter(|m| (1..=1 << 20).contains(m));
                self.most_bytes = mib.ok_or_else(|| wrong("mebibytes, from 1 to 1048576"))? << 20;
            }
            "resume" => self.resume = switch?,
            "check_branch" => self.check_branch = switch?,
            "check_cast" => self.check_cast = switch?,
            "check_nan" => self.check_nan = switch?,
            "check_inf" => self.check_inf = switch?,
            "check_store" => self.observe(Observed::Store, switch?),
            "check_return" => self.observe(Observed::Return, switch?),
            "check_argument" => self.observe(Observed::Argument, switch?),
            "check_output" => self.observe(Observed::Output, switch?),
            _ => return Err(wrong("another key")),
        }
        self.limits = Limits::new(self.threshold, self.floor, &self.observed);
        Ok(())
    }

    fn observe(&mut self, observed: Observed, on: bool) {
        self.observed.retain(|o| *o != observed);
        if on {
            self.observed.push(observed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_known_and_wrong_values_are_told() {
        for key in Options::KEYS {
            let mut options = Options::default();
            options.set(key, "1").unwrap();
            let error = options.set(key, "maybe").unwrap_err().to_string();
            assert!(error.contains(key) && error.contains("expected"), "{error}");
        }
        let mut options = Options::default();
        for key in ["check_store", "check_return", "check_argument", "check_output"] {
            options.set(key, "0").unwrap();
            options.set(key, "1").unwrap();
        }
        assert_ne!(options.limits.filter(), [f64::INFINITY; 6]);
        options.set("machine_mib", "64").unwrap();
        assert_eq!(options.most_bytes, 64 << 20);
    }
}
