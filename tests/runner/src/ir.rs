//! Tests of the compiler pass on IR: each `.ll` file under `ir/` goes through `opt` with the plugin and must come out
//! valid, say what its `; CHECK` lines ask for, and pass the code generator.
//!
//! `; nonius: key="value"` lines set how: `options` for the pass (`a=1|b=2`), `passes` instead of `nonius,verify`, and
//! `codegen=off` (LLVM itself has none for it) or `codegen=slow` (only with `NONIUS_SLOW=1`). `says="text"`, once or
//! several times, is what the pass must print on standard error.

use crate::directive::split_words;
use anyhow::{Context, Result, bail};
use nonius_abi::planes::{COPY, RESIDUE};
use nonius_abi::thread::{ARGS, RET, RET_TAG, VA, VA_COUNT, VA_TAG};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Checks read a function from its beginning to its end.
const OPTIONS: &str = "verify=1\x1fcold-inline=1";

/// Whether a file is also compiled to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codegen {
    On,
    Slow,
    Off,
}

#[derive(Debug)]
pub struct Case {
    /// Path below `tests/`, without the extension.
    pub name: String,
    pub path: PathBuf,
    /// As the pass reads them, between unit separators.
    options: String,
    passes: String,
    codegen: Codegen,
    has_checks: bool,
    /// What the pass must print, in parts.
    says: Vec<String>,
}

/// All files below `root/ir`, in the order of their names.
pub fn find(root: &Path) -> Result<Vec<Case>> {
    let mut paths = Vec::new();
    collect(&root.join("ir"), &mut paths)?;
    paths.sort();
    paths.into_iter().map(|path| read_case(root, path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|e| e == "ll") {
            paths.push(path);
        }
    }
    Ok(())
}

fn read_case(root: &Path, path: PathBuf) -> Result<Case> {
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let name = path.strip_prefix(root).unwrap_or(&path).with_extension("").display().to_string();
    let has_checks = text.lines().any(|l| l.starts_with("; CHECK"));
    let mut case = Case {
        name,
        path,
        options: OPTIONS.into(),
        passes: "nonius,verify".into(),
        codegen: Codegen::On,
        has_checks,
        says: Vec::new(),
    };
    for line in text.lines().filter_map(|l| l.strip_prefix("; nonius:")) {
        for word in split_words(line)? {
            case.set(&word).with_context(|| case.path.display().to_string())?;
        }
    }
    Ok(case)
}

impl Case {
    fn set(&mut self, word: &str) -> Result<()> {
        match word.split_once('=').with_context(|| format!("`{word}` is not of the form key=value"))? {
            ("options", value) => self.options = format!("{OPTIONS}\x1f{}", value.replace('|', "\x1f")),
            ("passes", value) => value.clone_into(&mut self.passes),
            ("says", value) => self.says.push(value.to_owned()),
            ("codegen", "off") => self.codegen = Codegen::Off,
            ("codegen", "slow") => self.codegen = Codegen::Slow,
            _ => bail!("no directive is `{word}`"),
        }
        Ok(())
    }

    /// Runs the file through the pass, FileCheck and the code generator; `slow` includes the slow ones.
    pub fn run(&self, plugin: &Path, slow: bool) -> Result<()> {
        let dir = tempfile::tempdir()?;
        let instrumented = dir.path().join("instrumented.ll");
        let mut opt = Command::new("opt-22");
        opt.arg(format!("-load-pass-plugin={}", plugin.display()))
            .arg(format!("-passes={}", self.passes))
            .args(["-S", "-o"])
            .arg(&instrumented)
            .arg(&self.path)
            .env("NONIUS_PASS_OPTIONS", &self.options)
            .env("RUST_BACKTRACE", "0");
        let printed = String::from_utf8_lossy(&succeed(opt)?.stderr).into_owned();
        if let Some(missing) = self.says.iter().find(|text| !printed.contains(text.as_str())) {
            bail!("the pass does not say `{missing}`, but:\n{printed}");
        }
        if self.has_checks {
            let mut check = file_check();
            check.arg("--input-file").arg(&instrumented).arg(&self.path);
            succeed(check)?;
        }
        if self.codegen == Codegen::On || (self.codegen == Codegen::Slow && slow) {
            let mut llc = Command::new("llc-22");
            llc.args(["-O1", "-filetype=obj", "-relocation-model=pic", "-o", "/dev/null"]).arg(&instrumented);
            succeed(llc)?;
        }
        Ok(())
    }
}

/// FileCheck, with the offsets that pass and runtime share as variables.
fn file_check() -> Command {
    let mut command = Command::new("FileCheck-22");
    let numbers = [RESIDUE, COPY].map(|n| n.to_string()).into_iter().chain(THREAD.map(|(_, n)| n.to_string()));
    let names = ["RESIDUE", "COPY"].into_iter().chain(THREAD.map(|(name, _)| name));
    for (name, number) in names.zip(numbers) {
        command.arg(format!("-D{name}={number}"));
    }
    command
}

const THREAD: [(&str, u32); 6] =
    [("ARGS", ARGS), ("RET", RET), ("RET_TAG", RET_TAG), ("VA", VA), ("VA_TAG", VA_TAG), ("VA_COUNT", VA_COUNT)];

/// Runs a command; a failure says what it printed first, which is what matters of a crash.
pub fn succeed(mut command: Command) -> Result<Output> {
    let shown = format!("{command:?}").replace('"', "");
    let output = command.output().with_context(|| format!("cannot start: {shown}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let head: Vec<&str> = text.lines().take(14).collect();
        bail!("{}: {shown}\n{}", output.status, head.join("\n"));
    }
    Ok(output)
}
