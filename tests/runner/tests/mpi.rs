//! `tests/mpi`: programs over MPI's calls, with both libraries of Debian. Each is built twice: as it is, with findings on
//! the lines that it announces, whichever rank they are seen on; and with `-DSTABLE`, where it must be silent. Both must
//! print what they print without Nonius, rank by rank, and end the same way.
//!
//! Those in Fortran are built with `mpif.h`, with `use mpi` and with `use mpi_f08`.
//!
//! Most of those in C have a form in one process, too (`mpi/single.rs`).
//!
//! `// ranks: 1 3` says how many; `// restarts: MPI_Get` where shadows are not carried, which must be counted, and no others.

#[path = "mpi/build.rs"]
mod build;
#[path = "mpi/single.rs"]
mod single;

use anyhow::{Context, Result, bail, ensure};
use build::{Binding, Source};
use libtest_mimic::{Arguments, Failed, Trial};
use nonius_tests::annotation::{self, Annotation};
use nonius_tests::tools::{nonius_binary, tests_root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

const LIBRARIES: [&str; 2] = ["openmpi", "mpich"];
const USUAL_RANKS: &str = "1 3";
/// A program that hangs is a failure, not a test without end.
const MOST_SECONDS: &str = "120";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("the programs over MPI cannot be read: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>> {
    let root = tests_root()?;
    let nonius = nonius_binary(&root)?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["mpi", "mpi/fortran"] {
        for entry in fs::read_dir(root.join(folder))? {
            paths.push(entry?.path());
        }
    }
    paths.sort();
    let mut trials = Vec::new();
    for path in paths {
        for (binding, library) in Binding::of(&path).iter().flat_map(|b| LIBRARIES.map(|library| (*b, library))) {
            let case = Case::read(&path, binding, library, &nonius)?;
            if library == single::OVER && case.has_single() {
                let case = Case::read(&path, binding, library, &nonius)?;
                let name = format!("mpi/{}@single", path.file_name().unwrap_or_default().to_string_lossy());
                trials.push(Trial::test(name, move || case.test_single().map_err(|e| Failed::from(format!("{e:#}")))));
            }
            trials.push(Trial::test(case.name(), move || case.test().map_err(|e| Failed::from(format!("{e:#}")))));
        }
    }
    Ok(trials)
}

struct Case {
    path: PathBuf,
    binding: Binding,
    library: &'static str,
    nonius: PathBuf,
    ranks: Vec<String>,
    restarts: BTreeSet<String>,
    /// It needs processes: `// several processes: WHY`.
    is_several_only: bool,
    annotations: Vec<Annotation>,
}

impl Case {
    fn read(path: &Path, binding: Binding, library: &'static str, nonius: &Path) -> Result<Case> {
        let source = fs::read_to_string(path)?;
        let file = path.file_name().and_then(|name| name.to_str()).context("a name")?;
        let directive = |key: &str| {
            let rest = |line: &'_ str| {
                line.trim_start_matches(['/', '!']).strip_prefix(&format!(" {key}: ")).map(str::to_owned)
            };
            let line = source.lines().find_map(rest);
            line.map(|words| words.split_whitespace().map(str::to_owned).collect::<Vec<String>>())
        };
        let usual = || USUAL_RANKS.split(' ').map(str::to_owned).collect();
        Ok(Case {
            path: path.to_owned(),
            binding,
            library,
            nonius: nonius.to_owned(),
            ranks: directive("ranks").unwrap_or_else(usual),
            restarts: directive("restarts").unwrap_or_default().into_iter().collect(),
            is_several_only: directive("several processes").is_some(),
            annotations: annotation::parse(file, &source)?,
        })
    }

    fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("mpi/{file}@{}{}", self.library, self.binding.name())
    }

    fn test(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        for is_stable in [false, true] {
            let what = if is_stable { "the stable twin" } else { "the program" };
            let plain = self.build(folder.path(), is_stable, false)?;
            let shadowed = self.build(folder.path(), is_stable, true)?;
            // What is silent is silent on any number of ranks: the largest is enough.
            let rank_counts = if is_stable { &self.ranks[self.ranks.len() - 1..] } else { &self.ranks[..] };
            for ranks in rank_counts {
                let compare = || -> Result<()> {
                    let expected = self.run(&plain, ranks, None)?;
                    let reports = tempfile::tempdir()?;
                    let output = self.run(&shadowed, ranks, Some(reports.path()))?;
                    compare_outputs(&expected, &output)?;
                    self.judge(reports.path(), ranks.parse()?, is_stable)
                };
                compare().with_context(|| format!("{what} on {ranks} ranks"))?;
            }
        }
        Ok(())
    }

    fn build(&self, folder: &Path, is_stable: bool, is_shadowed: bool) -> Result<PathBuf> {
        let program = folder.join(format!("{}-{is_stable}", if is_shadowed { "shadowed" } else { "plain" }));
        let source = Source { path: &self.path, binding: self.binding, library: self.library, is_stable };
        source.build(&program, &self.nonius, is_shadowed)?;
        Ok(program)
    }

    fn run(&self, program: &Path, ranks: &str, reports: Option<&Path>) -> Result<Output> {
        let mut command = Command::new("timeout");
        command.args([MOST_SECONDS, &format!("mpirun.{}", self.library), "-n", ranks]);
        if self.library == "openmpi" {
            command.arg("--oversubscribe");
        }
        command.arg(program);
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        // Open MPI keeps a folder there that runs at the same time fight for.
        let folder = tempfile::tempdir()?;
        command.env("TMPDIR", folder.path()).env_remove("NONIUS_OPTIONS");
        if let Some(folder) = reports {
            command.env("NONIUS_OPTIONS", format!("quiet=1:report={}/%p.json", folder.display()));
        }
        Ok(command.output()?)
    }

    fn judge(&self, folder: &Path, ranks: usize, is_stable: bool) -> Result<()> {
        let mut reports = Vec::new();
        for entry in fs::read_dir(folder)? {
            reports.push(serde_json::from_str::<Value>(&fs::read_to_string(entry?.path())?)?);
        }
        ensure!(reports.len() == ranks, "{} ranks reported", reports.len());
        let findings: Vec<&Value> =
            reports.iter().flat_map(|r| r["findings"].as_array().into_iter().flatten()).collect();
        let expected: &[Annotation] = if is_stable { &[] } else { &self.annotations };
        for finding in &findings {
            let (line, bits) = (&finding["location"]["line"], &finding["worst"]["bits_lost"]);
            ensure!(
                expected.iter().any(|a| is_of(finding, a)),
                "not announced: {} at line {line}, {bits} bits",
                finding["kind"]
            );
        }
        for annotation in expected.iter().filter(|a| !a.optional) {
            let is_there = findings.iter().any(|finding| is_of(finding, annotation));
            ensure!(is_there, "line {}: not found: {}", annotation.line, annotation.text());
        }
        let unknown = |r: &Value| r["summary"]["coverage"]["unknown"].as_array().cloned().unwrap_or_default();
        let names = reports.iter().flat_map(unknown).filter_map(|u| u["name"].as_str().map(str::to_owned));
        let restarts: BTreeSet<String> = names.filter(|name| name.to_lowercase().starts_with("mpi_")).collect();
        ensure!(restarts == self.restarts, "shadows restart at {restarts:?}");
        Ok(())
    }
}

fn is_of(finding: &Value, annotation: &Annotation) -> bool {
    let bits = finding["worst"]["bits_lost"].as_f64().unwrap_or(-1.0);
    finding["location"]["line"] == annotation.line
        && finding["kind"] == annotation.kind.as_str()
        && annotation.bits_lost.as_ref().is_none_or(|range| range.contains(&bits))
        && annotation.place.as_ref().is_none_or(|place| finding["observed_at"] == place.as_str())
}

/// Ranks print in any order: lines are compared as a set that counts.
fn compare_outputs(expected: &Output, output: &Output) -> Result<()> {
    let lines = |output: &Output| {
        let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(124) {
        bail!("it hangs: {stderr}");
    }
    ensure!(expected.status == output.status, "{} and not {}: {stderr}", output.status, expected.status);
    ensure!(lines(expected) == lines(output), "printed {:?} and not {:?}", lines(output), lines(expected));
    Ok(())
}
