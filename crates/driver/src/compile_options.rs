//! Nonius's own compile options: `--nonius-...` on the command line. Under `cargo nonius`, which builds anew when they change,
//! the same words may be in the environment variable `NONIUS_COMPILE_OPTIONS`; elsewhere that is refused, since neither
//! make nor ccache would see what it changes.
//!
//! They reach the compiler pass through one environment variable, because an option of a plugin
//! would need `-mllvm`, which clang parses before it loads the plugin.

use crate::acsl::Acsl;
use crate::response_file;
use nonius_finding::Glob;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use thiserror::Error;

/// Holds options for every compile of `cargo nonius`, as words.
pub const COMPILE_OPTIONS: &str = "NONIUS_COMPILE_OPTIONS";
/// Carries the options to the pass: `key=value` pairs, joined by [`SEPARATOR`]. Keys may repeat.
pub const PASS_OPTIONS: &str = "NONIUS_PASS_OPTIONS";
/// The unit separator: no pattern holds it, so that nothing needs quoting.
pub const SEPARATOR: char = '\u{1f}';

const PREFIX: &str = "--nonius-";

/// An option as declared: its key for the pass, the placeholder of its value, and its help.
struct Declared {
    key: &'static str,
    value: Option<&'static str>,
    help: &'static str,
}

const DECLARED: &[Declared] = &[
    Declared { key: "only-functions", value: Some("GLOB"), help: "shadow these functions only; may be given again" },
    Declared { key: "skip-functions", value: Some("GLOB"), help: "leave these functions alone; may be given again" },
    Declared { key: "skip-files", value: Some("GLOB"), help: "leave these source files alone; may be given again" },
    Declared { key: "only-crates", value: Some("GLOB"), help: "Rust: shadow these crates only; may be given again" },
    Declared { key: "skip-crates", value: Some("GLOB"), help: "Rust: leave these crates alone; may be given again" },
    Declared { key: "check-loads", value: None, help: "also report values whose shadow was lost in memory" },
    Declared {
        key: "verify",
        value: None,
        help: "have LLVM check the instrumented code, to find faults of Nonius itself",
    },
    Declared {
        key: "panic-in",
        value: Some("GLOB"),
        help: "fail in these functions, to see what Nonius then does; may be given again",
    },
    Declared { key: "no-avx", value: None, help: "do not use AVX2 and FMA for the shadows, even if this CPU has them" },
];

/// What is wrong with an own option.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("unknown option {word}: {}'nonius cc --nonius-help' lists all", did_you_mean(.word))]
    Unknown { word: String },
    #[error("{PREFIX}{key} needs a value: {PREFIX}{key}={placeholder}")]
    NoValue { key: &'static str, placeholder: &'static str },
    #[error("{PREFIX}{0} takes no value")]
    Value(&'static str),
    #[error("{PREFIX}{0}: the value holds a control character")]
    Control(&'static str),
    #[error("{0}: say {PREFIX}acsl, or {PREFIX}acsl=error if mistakes in annotations are to end the build")]
    Acsl(String),
    #[error("{0} is in a response file, out of reach: give it on the command line")]
    InFile(String),
    #[error(
        "{COMPILE_OPTIONS} is for 'cargo nonius': ccache, make and CMake do not see what it changes, and would keep objects \
         from before. Add its words to CFLAGS, CXXFLAGS or FFLAGS"
    )]
    Unseen,
}

fn did_you_mean(word: &str) -> String {
    let key = word.trim_start_matches(PREFIX).split('=').next().unwrap_or_default();
    let meant = nonius_options::likely(key, DECLARED.iter().map(|d| d.key));
    meant.map(|meant| format!("did you mean {PREFIX}{meant}? ")).unwrap_or_default()
}

/// Own options, taken apart from clang's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CompileOptions {
    pub help: bool,
    /// Asked what decides on the code, for caches.
    pub identity: bool,
    /// Annotations are read.
    pub acsl: Option<Acsl>,
    pairs: Vec<(&'static str, String)>,
}

impl CompileOptions {
    /// Takes the own options out of `args`, and adds those of the environment before them.
    pub fn take(args: &mut Vec<OsString>, environment: Option<&OsStr>) -> Result<Self, OptionError> {
        let mut chosen = Self::default();
        for word in environment.map(|text| response_file::split(text.as_bytes())).unwrap_or_default() {
            chosen.read(&word.to_string_lossy())?;
        }
        // After `--` there are only file names.
        let end = args.iter().position(|a| a == "--").unwrap_or(args.len());
        let mut error = None;
        let mut index = 0;
        args.retain(|arg| {
            let is_own = index < end && arg.as_bytes().starts_with(PREFIX.as_bytes());
            index += 1;
            if is_own && error.is_none() {
                error = chosen.read(&arg.to_string_lossy()).err();
            }
            !is_own
        });
        error.map_or(Ok(chosen), Err)
    }

    /// The words of a response file are clang's to read, so an own option in there is an error.
    pub fn reject_in_files(words: &[response_file::Word]) -> Result<(), OptionError> {
        match words.iter().find(|w| w.from_file && w.text.starts_with(PREFIX)) {
            Some(word) => Err(OptionError::InFile(word.text.clone())),
            None => Ok(()),
        }
    }

    fn read(&mut self, word: &str) -> Result<(), OptionError> {
        let unknown = || OptionError::Unknown { word: word.to_owned() };
        let text = word.strip_prefix(PREFIX).ok_or_else(unknown)?;
        match text {
            "help" => self.help = true,
            "identity" => self.identity = true,
            "acsl" => self.acsl = Some(Acsl::Warn),
            "acsl=error" => self.acsl = Some(Acsl::Error),
            _ if text.starts_with("acsl=") => return Err(OptionError::Acsl(word.to_owned())),
            _ => return self.read_declared(word, text),
        }
        Ok(())
    }

    fn read_declared(&mut self, word: &str, text: &str) -> Result<(), OptionError> {
        let unknown = || OptionError::Unknown { word: word.to_owned() };
        let (key, value) = text.split_once('=').map_or((text, None), |(k, v)| (k, Some(v)));
        let declared = DECLARED.iter().find(|d| d.key == key).ok_or_else(unknown)?;
        let value = match (declared.value, value) {
            (Some(placeholder), None | Some("")) => {
                return Err(OptionError::NoValue { key: declared.key, placeholder });
            }
            (None, Some(_)) => return Err(OptionError::Value(declared.key)),
            (Some(_), Some(value)) if value.chars().any(char::is_control) => {
                return Err(OptionError::Control(declared.key));
            }
            (_, value) => value.unwrap_or("1"),
        };
        self.pairs.push((declared.key, value.to_owned()));
        Ok(())
    }

    /// Whether a Rust crate is to be instrumented. Cargo writes `-` in a package's name, rustc `_`.
    pub fn wants_crate(&self, name: &str) -> bool {
        let named = |key: &str| {
            let globs = self.pairs.iter().filter(move |(k, _)| *k == key);
            globs
                .map(|(_, glob)| Glob::new(&glob.replace('-', "_")).matches(&name.replace('-', "_")))
                .collect::<Vec<_>>()
        };
        let only = named("only-crates");
        (only.is_empty() || only.contains(&true)) && !named("skip-crates").contains(&true)
    }

    /// The options as words, quoted for [`COMPILE_OPTIONS`].
    pub fn words(&self) -> impl Iterator<Item = String> + '_ {
        let takes_value = |key: &str| DECLARED.iter().any(|d| d.key == key && d.value.is_some());
        let quoted = |text: &str| {
            let special = |c: char| c.is_ascii_whitespace() || matches!(c, '\\' | '"' | '\'');
            text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect::<String>()
        };
        let acsl = self.acsl.map(|mode| match mode {
            Acsl::Warn => format!("{PREFIX}acsl"),
            Acsl::Error => format!("{PREFIX}acsl=error"),
        });
        acsl.into_iter().chain(self.pairs.iter().map(move |(key, value)| match takes_value(key) {
            true => quoted(&format!("{PREFIX}{key}={value}")),
            false => format!("{PREFIX}{key}"),
        }))
    }

    /// The value of [`PASS_OPTIONS`]; `None` if there is nothing to say.
    pub fn encode(&self) -> Option<String> {
        let pairs: Vec<String> = self.pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        (!pairs.is_empty()).then(|| pairs.join(&SEPARATOR.to_string()))
    }
}

/// What `--nonius-help` prints.
pub fn help() -> String {
    let text = "nonius cc, c++, fortran and rustc take every option of their compiler, and these of their own:\n\n";
    text.to_owned() + &help_of_options()
}

/// The list of options, and how to write them.
pub(crate) fn help_of_options() -> String {
    let mut text = String::new();
    for declared in DECLARED {
        let value = declared.value.map_or(String::new(), |v| format!("={v}"));
        let option = format!("{PREFIX}{}{value}", declared.key);
        text += &format!("  {option:<32} {}\n", declared.help);
    }
    text += &format!(
        "  {:<32} C, C++, Fortran: check annotations (/*@ assert ... */); a mistake in one is a warning\n",
        format!("{PREFIX}acsl[=error]")
    );
    text += &format!("  {:<32} print what decides on the code beside the command line\n", format!("{PREFIX}identity"));
    text += &format!("  {:<32} print this\n", format!("{PREFIX}help"));
    text += "\nThey belong into CFLAGS, CXXFLAGS and FFLAGS, or the command of 'cargo nonius', where NONIUS_COMPILE_OPTIONS may \
             have them too.\n";
    text += "In a GLOB, * stands for any characters and ? for any one. Functions are matched by the name that the linker sees \
             (in C++ and Rust the mangled one), files by their path or the end of it.\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(line: &str, environment: Option<&str>) -> (Vec<OsString>, Result<CompileOptions, OptionError>) {
        let mut args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let chosen = CompileOptions::take(&mut args, environment.map(OsStr::new));
        (args, chosen)
    }

    #[test]
    fn own_options_are_taken_out_and_encoded() {
        let (args, chosen) = take(
            "-c --nonius-only-functions=solve* a.c --nonius-check-loads -O2 --nonius-only-functions=lu",
            Some("--nonius-skip-files='my vendor/*' --nonius-no-avx"),
        );
        assert_eq!(args, ["-c", "a.c", "-O2"]);
        assert_eq!(
            chosen.unwrap().encode().unwrap(),
            "skip-files=my vendor/*\u{1f}no-avx=1\u{1f}only-functions=solve*\u{1f}check-loads=1\u{1f}only-functions=lu"
        );
    }

    #[test]
    fn nothing_given_is_nothing_said() {
        let (args, chosen) = take("-c a.c", None);
        assert_eq!(args, ["-c", "a.c"]);
        assert_eq!(chosen.unwrap().encode(), None);
    }

    #[test]
    fn file_names_after_a_double_dash_stay() {
        let (args, chosen) = take("-c -- --nonius-help", None);
        assert_eq!(args, ["-c", "--", "--nonius-help"]);
        assert!(!chosen.unwrap().help);
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("--nonius-skip-function=f", OptionError::Unknown { word: "--nonius-skip-function=f".to_owned() }),
            ("--nonius-skip-files", OptionError::NoValue { key: "skip-files", placeholder: "GLOB" }),
            ("--nonius-skip-files=", OptionError::NoValue { key: "skip-files", placeholder: "GLOB" }),
            ("--nonius-no-avx=1", OptionError::Value("no-avx")),
            ("--nonius-skip-files=a\u{1f}b", OptionError::Control("skip-files")),
        ];
        for (word, error) in cases {
            let mut args = vec![OsString::from(word)];
            assert_eq!(CompileOptions::take(&mut args, None), Err(error), "{word}");
        }
        assert_eq!(take("", Some("-O2")).1, Err(OptionError::Unknown { word: "-O2".to_owned() }));
    }

    #[test]
    fn crates_are_chosen_by_name() {
        let chosen = |line: &str| take(line, None).1.unwrap();
        assert!(chosen("").wants_crate("geo"));
        assert!(!chosen("--nonius-skip-crates=geo*").wants_crate("geo_types"));
        assert!(!chosen("--nonius-skip-crates=geo-types").wants_crate("geo_types"));
        assert!(
            chosen("--nonius-only-crates=geo").wants_crate("geo")
                && !chosen("--nonius-only-crates=geo").wants_crate("rand")
        );
    }

    #[test]
    fn words_survive_the_environment() {
        let mut args = vec![OsString::from("--nonius-skip-files=my \"own\"/*"), "--nonius-verify".into()];
        let chosen = CompileOptions::take(&mut args, None).unwrap();
        let again =
            CompileOptions::take(&mut Vec::new(), Some(OsStr::new(&chosen.words().collect::<Vec<_>>().join(" "))));
        assert_eq!(again, Ok(chosen));
    }

    #[test]
    fn help_lists_every_option() {
        let text = help();
        assert!(DECLARED.iter().all(|d| text.contains(d.key)));
    }
}
