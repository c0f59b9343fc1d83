//! Directives: `// nonius: key=value key="two words"` (in Fortran `! nonius:`) in the lines before the program's own code.

use crate::level::{self, Level};
use anyhow::{Context, Result, bail};

/// How a test is built and run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// Empty: the default of the test's kind.
    pub levels: Vec<Level>,
    pub flags: Vec<String>,
    pub args: Vec<String>,
    pub stdin: String,
    /// Added to `NONIUS_OPTIONS`.
    pub options: String,
    /// The exit status that the program must have.
    pub status: i32,
    /// First arguments to run the program with; all must give the same findings.
    pub scale: Vec<String>,
    /// Why the event engine finds something else here; then it is not asked.
    pub events: Option<String>,
    /// Oracles that do not know the ideal well enough to find everything, and must say so.
    pub open: Vec<String>,
    /// Further sources, relative to the main one.
    pub parts: Vec<Part>,
}

/// A source file besides the main one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub source: String,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An object of its own, linked in.
    Object,
    /// The same, but built by plain clang: code that Nonius has not seen.
    RawObject,
    /// A shared library that the program is linked with.
    Shared,
    /// The same, built by plain clang.
    RawShared,
    /// A shared library named `STEM.so` in the working directory, for the program to open.
    Plugin,
}

impl Role {
    pub fn is_raw(self) -> bool {
        matches!(self, Self::RawObject | Self::RawShared)
    }
}

impl Directives {
    /// Reads all directive lines of a source file.
    pub fn parse(source: &str) -> Result<Self> {
        let mut directives = Self::default();
        for (index, line) in source.lines().enumerate() {
            let line = line.trim_start();
            if let Some(text) = line.strip_prefix("// nonius:").or_else(|| line.strip_prefix("! nonius:")) {
                directives.add_line(text).with_context(|| format!("line {}", index + 1))?;
            }
        }
        Ok(directives)
    }

    fn add_line(&mut self, text: &str) -> Result<()> {
        for word in split_words(text)? {
            let (key, value) =
                word.split_once('=').with_context(|| format!("`{word}` is not of the form key=value"))?;
            self.set(key, value)?;
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let list = || value.split(',').map(str::to_owned);
        match key {
            "opt" => {
                for name in list() {
                    self.levels.push(level::by_name(&name).with_context(|| format!("no level is named `{name}`"))?);
                }
            }
            "flags" => self.flags = split_words(value)?,
            "args" => self.args = split_words(value)?,
            "stdin" => self.stdin = value.replace("\\n", "\n"),
            "options" => value.clone_into(&mut self.options),
            "status" => self.status = value.parse().context("status is not a number")?,
            "scale" => self.scale = list().collect(),
            "events" => self.events = Some(value.to_owned()),
            "open" => self.open = list().collect(),
            "object" => self.add_parts(list(), Role::Object),
            "raw" => self.add_parts(list(), Role::RawObject),
            "shared" => self.add_parts(list(), Role::Shared),
            "raw-shared" => self.add_parts(list(), Role::RawShared),
            "plugin" => self.add_parts(list(), Role::Plugin),
            _ => bail!("no directive is named `{key}`"),
        }
        Ok(())
    }

    fn add_parts(&mut self, sources: impl Iterator<Item = String>, role: Role) {
        self.parts.extend(sources.map(|source| Part { source, role }));
    }
}

/// Splits at blanks; double quotes keep blanks together.
pub fn split_words(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut started) = (false, false);
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                started = true;
            }
            c if c.is_whitespace() && !quoted => {
                if started {
                    words.push(std::mem::take(&mut word));
                }
                started = false;
            }
            c => {
                word.push(c);
                started = true;
            }
        }
    }
    if quoted {
        bail!("a quote is not closed");
    }
    if started {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_keys_lists_and_quotes() {
        let text =
            "// nonius: opt=O0,O3 flags=\"-fopenmp -DN=3\"\n// nonius: raw=a.c,b.c stdin=\"1 2\\n\" status=3\nint x;";
        let d = Directives::parse(text).unwrap();
        assert_eq!(d.levels.iter().map(|l| l.name).collect::<Vec<_>>(), ["O0", "O3"]);
        assert_eq!(d.flags, ["-fopenmp", "-DN=3"]);
        assert_eq!((d.stdin.as_str(), d.status), ("1 2\n", 3));
        assert_eq!(d.parts[1], Part { source: "b.c".into(), role: Role::RawObject });
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for text in ["// nonius: optt=O2", "// nonius: opt=O9", "// nonius: flags=\"-x", "// nonius: O2"] {
            assert!(Directives::parse(text).is_err(), "{text}");
        }
    }
}
