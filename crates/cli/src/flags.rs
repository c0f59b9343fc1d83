//! Flags of the commands that run programs or recordings: every key of a run's options, and what these commands have beside
//! them. Read by `nonius_options`; help, completions and man pages are made from the same lists.

use crate::commands::Confirm;
use crate::deliver::Outputs;
use crate::progress::Show;
use crate::services;
use anyhow::{Result, bail};
use nonius_driver::{OPTIONS, RuntimeOptions};
use nonius_options::{Flag, Given, Takes, read_flag};
use std::env;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

const CONFIRM: Flag = Flag {
    name: "confirm",
    takes: Takes::Value("ORACLE"),
    help: "which oracle confirms findings in a second run (mpfr:BITS, double-double, ...); 0 for no second run, 1 for one \
           whatever the program does to files and sockets",
};
const PROGRESS: Flag = Flag {
    name: "progress",
    takes: Takes::Value("WHEN"),
    help: "show how far a long run of the event engine is: 1, 0, or auto, which is on a terminal",
};
const HTML: Flag = Flag {
    name: "html",
    takes: Takes::Maybe("FILE"),
    help: "write the report as one HTML page, to nonius.html if no file is named",
};
const SARIF: Flag = Flag {
    name: "sarif",
    takes: Takes::Maybe("FILE"),
    help: "write the report as SARIF, to nonius.sarif if no file is named",
};
const MARKDOWN: Flag = Flag {
    name: "markdown",
    takes: Takes::Maybe("FILE"),
    help: "add the report as Markdown to a build's summary: to the file, else to GITHUB_STEP_SUMMARY or nonius.md",
};
const JUNIT: Flag = Flag {
    name: "junit",
    takes: Takes::Maybe("FILE"),
    help: "write the findings as tests that failed, to nonius-junit.xml if no file is named",
};
const GITLAB: Flag = Flag {
    name: "gitlab",
    takes: Takes::Maybe("FILE"),
    help: "write GitLab's code quality report, to gl-code-quality-report.json if no file is named",
};
const ANNOTATE: Flag = Flag {
    name: "annotate",
    takes: Takes::Value("SERVICE"),
    help: "print the findings as annotations of a build service: github",
};
const OPEN: Flag = Flag { name: "open", takes: Takes::Nothing, help: "show the report as a page in the browser" };

/// Flags of `nonius run` and `nonius check`; of `cargo nonius`, with `--nonius-` before them.
pub const RUN: &[Flag] = &[CONFIRM, PROGRESS, HTML, SARIF, MARKDOWN, JUNIT, GITLAB, ANNOTATE, OPEN];
/// Flags of `nonius replay`.
pub const REPLAY: &[Flag] = &[PROGRESS, HTML, SARIF, MARKDOWN, JUNIT, GITLAB, ANNOTATE, OPEN];

/// What the flags ask for.
#[derive(Debug, Default)]
pub struct Flags {
    pub options: RuntimeOptions,
    pub confirm: Confirm,
    pub show: Show,
    pub outputs: Outputs,
}

impl Flags {
    /// What the environment says, which flags override.
    pub fn inherit() -> Result<Flags> {
        let options = RuntimeOptions::inherit(env::var_os(OPTIONS));
        options.values()?;
        Ok(Flags { options, ..Flags::default() })
    }

    /// Takes the flag that `words` begin with, and says how many of them it took: none if the first is no flag.
    pub fn take(&mut self, words: &[OsString], own: &'static [Flag]) -> Result<usize> {
        let Some((given, taken)) = read_flag(words, own)? else { return Ok(0) };
        match given {
            Given::Key(key, value) => self.options.set(key.name, value),
            Given::Flag(flag, value) => self.set(flag, value)?,
        }
        Ok(taken)
    }

    fn set(&mut self, flag: &Flag, value: Option<OsString>) -> Result<()> {
        let text = || value.as_ref().map(|value| value.to_string_lossy().into_owned()).unwrap_or_default();
        let file = |usual: &str| Some(value.clone().unwrap_or_else(|| usual.into()).into());
        match flag.name {
            "confirm" => self.confirm = Confirm::read(&text())?,
            "progress" => self.show = Show::read(&text())?,
            "html" => self.outputs.html = file("nonius.html"),
            "sarif" => self.outputs.sarif = file("nonius.sarif"),
            "markdown" => self.outputs.markdown = value.map(PathBuf::from).or_else(|| Some(services::summary())),
            "junit" => self.outputs.junit = file("nonius-junit.xml"),
            "gitlab" => self.outputs.gitlab = file("gl-code-quality-report.json"),
            "annotate" => self.outputs.annotate = Some(services::read(&text())?),
            "open" => self.outputs.open = true,
            other => bail!("--{other} is not read: please report this as a bug of Nonius"),
        }
        Ok(())
    }

    /// Takes all flags before the first word that is none, and gives what follows. `--` ends them.
    pub fn take_leading<'a>(&mut self, words: &'a [OsString], own: &'static [Flag]) -> Result<&'a [OsString]> {
        let mut rest = words;
        while let [word, after @ ..] = rest {
            match word.as_bytes() {
                b"--" => return Ok(after),
                [b'-', b'-', ..] => rest = &rest[self.take(rest, own)?..],
                [b'-', _, ..] => bail!("there is no option {}; before a program of that name put '--'", word.display()),
                _ => break,
            }
        }
        Ok(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn every_flag_is_read() {
        let mut flags = Flags::default();
        for flag in RUN.iter().chain(REPLAY) {
            let value = match flag.name {
                "progress" | "confirm" => Some("0".into()),
                "annotate" => Some("github".into()),
                _ => None,
            };
            flags.set(flag, value).unwrap_or_else(|error| panic!("--{}: {error}", flag.name));
        }
    }

    #[test]
    fn flags_end_where_the_program_begins() {
        for (line, rest) in [
            ("--report r.json ./a --report x", "./a --report x"),
            ("--verbose ./a -v", "./a -v"),
            ("--html --confirm=0 -- --odd", "--odd"),
            ("./a -- x", "./a -- x"),
        ] {
            let all = words(line);
            assert_eq!(Flags::default().take_leading(&all, RUN).unwrap(), words(rest), "{line}");
        }
        for line in [
            "--thresold=1 ./a",
            "-x ./a",
            "--threshold ./a",
            "--confirm=magic ./a",
            "--progress=maybe ./a",
            "--annotate=x ./a",
        ] {
            assert!(Flags::default().take_leading(&words(line), RUN).is_err(), "{line}");
        }
    }
}
