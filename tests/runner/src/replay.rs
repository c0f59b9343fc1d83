//! Recorded runs: `tests/replay/NAME.{c,f90,rs}`, what it left under `record=` (`NAME.events`), and what `nonius replay` must
//! find in that (`NAME.expected`, a finding a line).
//!
//! The recordings are kept, so that replaying needs no compiler; they are made anew when the format of events changes.

use crate::language::Language;
use crate::tools::{nonius_binary, tests_root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to type if the recordings are of another Nonius.
pub const RECORD: &str = "./x record";

/// Where programs are built: their tables name it, and must not name somebody's own folders.
const FOLDER: &str = "/tmp/nonius-replay";

#[derive(Debug)]
pub struct Recorded {
    pub name: String,
    pub source: PathBuf,
}

/// All of them, by name.
pub fn all() -> Result<Vec<Recorded>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(tests_root()?.join("replay"))? {
        let source = entry?.path();
        if Language::of(&source).is_some() {
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push(Recorded { name, source });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

impl Recorded {
    pub fn events(&self) -> PathBuf {
        self.source.with_extension("events")
    }

    pub fn expected(&self) -> PathBuf {
        self.source.with_extension("expected")
    }

    /// Builds the program, runs it, and keeps its events and what is found in them.
    pub fn record(&self) -> Result<()> {
        let nonius = nonius_binary(&tests_root()?)?;
        let folder = Path::new(FOLDER);
        fs::create_dir(folder).with_context(|| format!("{FOLDER} is there already, or cannot be made"))?;
        let done = self.build(&nonius, folder).and_then(|()| self.run(folder));
        fs::remove_dir_all(folder)?;
        done?;
        let report = replay(&nonius, &self.events(), "mpfr:256")?;
        fs::write(self.expected(), summary(&report))?;
        Ok(())
    }

    fn build(&self, nonius: &Path, folder: &Path) -> Result<()> {
        let file = self.source.file_name().context("a source without a name")?;
        fs::copy(&self.source, folder.join(file))?;
        let words: &[&str] = match Language::of(&self.source) {
            Some(Language::Rust) => &["rustc", "-Copt-level=2", "-g"],
            Some(Language::Fortran) => &["fortran", "-O2", "-g"],
            Some(Language::Cpp) => &["c++", "-O2", "-g", "-lm"],
            _ => &["cc", "-O2", "-g", "-lm", "-pthread"],
        };
        let built = Command::new(nonius).args(words).arg(file).args(["-o", "program"]).current_dir(folder).output()?;
        if !built.status.success() {
            bail!("{} does not compile:\n{}", self.name, String::from_utf8_lossy(&built.stderr));
        }
        Ok(())
    }

    fn run(&self, folder: &Path) -> Result<()> {
        let stdin = self.source.with_extension("stdin");
        let stdin = if stdin.is_file() { File::open(stdin)?.into() } else { Stdio::null() };
        let ran = Command::new(folder.join("program"))
            .env("NONIUS_OPTIONS", format!("quiet=1:record='{}'", self.events().display()))
            .stdin(stdin)
            .stdout(Stdio::null())
            .status()?;
        if !ran.success() {
            bail!("{} fails: {ran}", self.name);
        }
        Ok(())
    }
}

/// What `nonius replay` reports.
pub fn replay(nonius: &Path, events: &Path, oracle: &str) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report.json");
    let left = Command::new(nonius)
        .args(["replay", "--quiet", "--oracle", oracle])
        .arg(format!("--report={}", report.display()))
        .arg(events)
        .env_remove("NONIUS_OPTIONS")
        .output()?;
    if left.status.code() == Some(2) {
        bail!("{}", String::from_utf8_lossy(&left.stderr).trim_end());
    }
    Ok(serde_json::from_slice(&fs::read(&report)?)?)
}

/// A line a finding: what, where, how often, how much, and the lines that are to blame.
pub fn summary(report: &Value) -> String {
    let findings = report["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let place = |location: &Value| {
        let file = location["file"].as_str().unwrap_or("?").rsplit('/').next().unwrap_or("?").to_owned();
        format!("{file}:{}", location["line"])
    };
    let mut lines: Vec<String> = Vec::new();
    for finding in findings {
        let word = |key: &str| finding[key].as_str().unwrap_or("?").to_owned();
        let bits = finding["worst"]["bits_lost"].as_f64().unwrap_or(0.0);
        let causes = finding["causes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut origins: Vec<String> = causes.iter().map(|cause| place(&cause["location"])).collect();
        origins.dedup();
        lines.push(format!(
            "{} in {} at {}, seen {} times @{}, {bits:.0} bits lost, from {}\n",
            word("kind"),
            word("operation"),
            place(&finding["location"]),
            finding["count"],
            word("observed_at"),
            origins.join(" ")
        ));
    }
    lines.concat()
}
