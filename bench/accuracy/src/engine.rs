//! The engines whose verdicts are measured.

use crate::program::{Compiler, Program};
use crate::tools::Tools;
use anyhow::Result;
use serde::Serialize;
use std::convert::Infallible;
use std::fmt;
use std::fs;
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Engine {
    /// A plain run of the instrumented program.
    Inline,
    /// The event engine under this oracle.
    Oracle(String),
    /// `nonius run` as a user types it: one run an input, confirmed by a second.
    Run,
}

impl Engine {
    /// What is measured if nothing else is asked for.
    pub const DEFAULT: [&str; 8] =
        ["inline", "residue", "residue-override", "double-double", "mpfr:256", "mpfr:1024", "auto", "run"];

    pub fn oracle(&self) -> Option<&str> {
        match self {
            Engine::Oracle(name) => Some(name),
            Engine::Inline | Engine::Run => None,
        }
    }
}

impl FromStr for Engine {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Engine, Infallible> {
        Ok(match text {
            "inline" => Engine::Inline,
            "run" => Engine::Run,
            oracle => Engine::Oracle(oracle.to_owned()),
        })
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Engine::Inline => "inline",
            Engine::Run => "run",
            Engine::Oracle(name) => name,
        })
    }
}

impl From<Engine> for String {
    fn from(engine: Engine) -> String {
        engine.to_string()
    }
}

/// An engine that this build of Nonius does not have.
#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    pub engine: Engine,
    pub why: String,
}

/// Those of `engines` that a small program runs under, and why the others were refused.
pub fn available(tools: &Tools, engines: &[Engine]) -> Result<(Vec<Engine>, Vec<Refused>)> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("probe.c");
    fs::write(&source, "#include <stdio.h>\nint main(void) { printf(\"%d %a\\n\", 0, 1.0); return 0; }\n")?;
    let program = Program::compile(tools, Compiler::Nonius, &source, &[])?;
    let (mut there, mut refused) = (Vec::new(), Vec::new());
    for engine in engines {
        match program.run_output_checked(tools, engine.oracle()) {
            Ok(_) => there.push(engine.clone()),
            Err(why) => {
                // The list of what there is comes behind a semicolon.
                let why = format!("{why:#}");
                let why = why.split(';').next().unwrap_or_default().to_owned();
                refused.push(Refused { engine: engine.clone(), why });
            }
        }
    }
    Ok((there, refused))
}
