//! Options for the runtime: `NONIUS_OPTIONS=key=value:key=value`, where quotes take the meaning
//! from colons and blanks. Which keys there are is for the runtime to say.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use thiserror::Error;

/// The environment variable that instrumented programs read.
pub const OPTIONS: &str = "NONIUS_OPTIONS";

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0} is not an option of a run: write --key=value, or -- before the program")]
pub struct OptionForm(String);

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

    /// Reads `--key=value`, or `--key` for `key=1`. Dashes in the key stand for underscores.
    pub fn read_flag(&mut self, word: &OsStr) -> Result<(), OptionForm> {
        let form = || OptionForm(word.to_string_lossy().into_owned());
        let text = word.as_bytes().strip_prefix(b"--").ok_or_else(form)?;
        let equals = text.iter().position(|b| *b == b'=');
        let (key, value) = equals.map_or((text, &b"1"[..]), |at| (&text[..at], &text[at + 1..]));
        let key = str::from_utf8(key).map_err(|_| form())?.replace('-', "_");
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(form());
        }
        self.set(&key, OsStr::from_bytes(value));
        Ok(())
    }

    pub fn set(&mut self, key: &str, value: impl AsRef<OsStr>) {
        self.pairs.push((key.to_owned(), value.as_ref().to_owned()));
    }

    /// The value that counts for a key, if it was set here or in the environment.
    pub fn get(&self, key: &str) -> Option<OsString> {
        if let Some((_, value)) = self.pairs.iter().rev().find(|(k, _)| k == key) {
            return Some(value.clone());
        }
        let items = items(&self.inherited.to_string_lossy());
        items.iter().rev().find_map(|item| Some(item.strip_prefix(key)?.strip_prefix('=')?.into()))
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
            text.push(quoted(value));
        }
        text
    }
}

/// In quotes, unless nothing in it needs them. A quote goes into quotes of the other kind.
fn quoted(value: &OsStr) -> OsString {
    let special = |b: &u8| b.is_ascii_whitespace() || matches!(b, b':' | b'\'' | b'"');
    if !value.as_bytes().iter().any(special) {
        return value.to_owned();
    }
    let mut text = OsString::from("'");
    for (i, part) in value.as_bytes().split(|b| *b == b'\'').enumerate() {
        if i > 0 {
            text.push(r#"'"'"'"#);
        }
        text.push(OsStr::from_bytes(part));
    }
    text.push("'");
    text
}

/// The runtime's own way of splitting: at colons and blanks outside of quotes.
fn items(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ':' || c.is_whitespace() => items.push(String::new()),
            _ => items.last_mut().expect("there is always one").push(c),
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_pairs_behind_the_environment() {
        let mut options = RuntimeOptions::inherit(Some("stats=1:report='old: one'".into()));
        for flag in ["--threshold=digits=6", "--max-findings=3", "--verbose"] {
            options.read_flag(OsStr::new(flag)).unwrap();
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
    fn quoted_values_come_back() {
        for value in ["plain", "a b", "a:b", "it's", "say \"hi\"", "'", "a'b\"c:d", ""] {
            let mut options = RuntimeOptions::default();
            options.set("report", value);
            let inherited = RuntimeOptions::inherit(Some(options.encode()));
            assert_eq!(inherited.get("report"), Some(value.into()), "{value:?}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let mut options = RuntimeOptions::default();
        for word in ["-x", "--", "--=1", "--a b=1", "--\u{e9}=1"] {
            assert_eq!(options.read_flag(OsStr::new(word)), Err(OptionForm(word.to_owned())), "{word}");
        }
        assert_eq!(options.encode(), "");
    }
}
