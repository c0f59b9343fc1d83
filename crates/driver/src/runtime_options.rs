//! Options for the runtime, from the environment and from flags. Which there are and how both are read:
//! `nonius_options`.

use nonius_options::{Values, pairs, quoted};
use std::ffi::{OsStr, OsString};
use thiserror::Error;

/// The environment variable that instrumented programs read.
pub const OPTIONS: &str = nonius_options::VARIABLE;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionForm {
    #[error("{0}")]
    Key(String),
    #[error("{OPTIONS}: {0}")]
    Environment(String),
}

/// Options in the order given; the runtime takes the last of a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuntimeOptions {
    /// What the environment says already.
    inherited: OsString,
    pairs: Vec<(String, OsString)>,
}

impl RuntimeOptions {
    /// Starts from what the environment says, which the options set here override.
    pub fn inherit(environment: Option<OsString>) -> Self {
        Self { inherited: environment.unwrap_or_default(), pairs: Vec::new() }
    }

    pub fn set(&mut self, key: &str, value: impl AsRef<OsStr>) {
        self.pairs.push((key.to_owned(), value.as_ref().to_owned()));
    }

    /// The value that counts for a key, if it was set here or in the environment.
    pub fn get(&self, key: &str) -> Option<OsString> {
        if let Some((_, value)) = self.pairs.iter().rev().find(|(k, _)| k == key) {
            return Some(value.clone());
        }
        let pairs = pairs(&self.inherited.to_string_lossy()).unwrap_or_default();
        pairs.into_iter().rev().find_map(|(name, value)| (name == key).then(|| value.into()))
    }

    /// All of them, as the runtime reads them; an error is what it would say.
    pub fn values(&self) -> Result<Values, OptionForm> {
        let mut values = Values::default();
        values.apply(&self.inherited.to_string_lossy()).map_err(OptionForm::Environment)?;
        for (key, value) in &self.pairs {
            values.set(key, &value.to_string_lossy()).map_err(OptionForm::Key)?;
        }
        Ok(values)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, key: &str) -> bool {
        self.get(key).is_some_and(|v| matches!(v.to_str(), Some("1" | "true" | "yes" | "on")))
    }

    /// The value of [`OPTIONS`].
    pub fn encode(&self) -> OsString {
        let mut text = self.inherited.clone();
        for (key, value) in &self.pairs {
            if !text.is_empty() {
                text.push(":");
            }
            text.push(format!("{key}="));
            text.push(in_quotes(value));
        }
        text
    }
}

/// As the runtime takes it. What is not UTF-8 goes as it is: the runtime refuses it, and says so.
fn in_quotes(value: &OsStr) -> OsString {
    value.to_str().map_or_else(|| value.to_owned(), |text| quoted(text).as_ref().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_comes_behind_the_environment() {
        let mut options = RuntimeOptions::inherit(Some("stats=1:report='old: one'".into()));
        for (key, value) in [("threshold", "digits=6"), ("max_findings", "3"), ("verbose", "1")] {
            options.set(key, value);
        }
        assert_eq!(options.get("report"), Some("old: one".into()));
        options.set("report", "/tmp/r");
        assert_eq!(
            options.encode(),
            "stats=1:report='old: one':threshold=digits=6:max_findings=3:verbose=1:report=/tmp/r"
        );
        assert_eq!(options.get("report"), Some("/tmp/r".into()));
        assert!(options.is_on("stats") && options.is_on("verbose") && !options.is_on("quiet"));
        assert_eq!(options.get("stat"), None);
    }

    #[test]
    fn the_environment_is_read_as_the_runtime_reads_it() {
        let options = RuntimeOptions::inherit(Some("oracle=mpfr:256:stats=1".into()));
        assert_eq!(options.get("oracle"), Some("mpfr:256".into()));
        assert!(options.values().unwrap().stats);
        let broken = RuntimeOptions::inherit(Some("bogus=1".into()));
        assert!(broken.values().unwrap_err().to_string().starts_with("NONIUS_OPTIONS: there is no option 'bogus'"));
    }

    #[test]
    fn quoted_values_come_back() {
        for value in ["plain", "a b", "a:b", "it's", "say \"hi\"", "'", "a'b\"c:d", ""] {
            let mut options = RuntimeOptions::default();
            options.set("report", value);
            let inherited = RuntimeOptions::inherit(Some(options.encode()));
            assert_eq!(inherited.get("report"), Some(value.into()), "{value:?}");
        }
    }
}
