//! The single-process form of a program: built with `tests/mpi/single/mpi.h`, where ranks are threads and messages are
//! copies of memory, it prints the same and has the same findings, of the same kind, on the same lines, with as many bits
//! lost in what is printed. What restarts over MPI is found here, so programs that say so have no such form.

use super::{Case, compare_outputs};
use anyhow::{Context, Result, ensure};
use nonius_tests::tools;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The library that it is compared with.
pub const OVER: &str = "mpich";

/// Of each kind and line, the most bits lost in output, in tenths. What else is found with the same cause depends on who
/// met it first, and one process is told of it once.
type Found = BTreeMap<(String, u64), u64>;

impl Case {
    /// Whether the program has such a form.
    pub fn has_single(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "c") && self.restarts.is_empty() && !self.is_several_only
    }

    pub fn test_single(&self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let ranks = self.ranks.last().context("no ranks")?;
        for is_stable in [false, true] {
            let over = self.build_unoptimized(folder.path(), is_stable, false)?;
            let single = self.build_unoptimized(folder.path(), is_stable, true)?;
            let reports = tempfile::tempdir()?;
            let expected = self.run(&over, ranks, Some(reports.path()))?;
            let alone = tempfile::tempdir()?;
            compare_outputs(&expected, &run_single(&single, ranks, alone.path())?)?;
            let (expected, found) = (found(reports.path())?, found(alone.path())?);
            ensure!(expected == found, "over MPI {expected:?}, in one process {found:?}");
            ensure!(found.is_empty() == is_stable, "found {found:?}");
        }
        Ok(())
    }

    /// Without optimization each finding is on a line of its own, however much is inlined otherwise.
    fn build_unoptimized(&self, folder: &Path, is_stable: bool, is_single: bool) -> Result<PathBuf> {
        let program = folder.join(format!("{}-{is_stable}", if is_single { "single" } else { "over" }));
        let nonius_cc = tools::compiler(&self.nonius, "nonius-cc");
        let mut command = Command::new(if is_single { nonius_cc.clone() } else { format!("mpicc.{OVER}").into() });
        command.env("MPICH_CC", nonius_cc).args(["-O0", "-g", "-w"]).arg(&self.path);
        if is_single {
            command.arg("-I").arg(self.path.with_file_name("single")).arg("-pthread");
        }
        if is_stable {
            command.arg("-DSTABLE");
        }
        let output = command.arg("-o").arg(&program).arg("-lm").output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(program)
    }
}

fn run_single(program: &Path, ranks: &str, reports: &Path) -> Result<Output> {
    let mut command = Command::new("timeout");
    command.arg(super::MOST_SECONDS).arg(program).env("RANKS", ranks);
    command.env("NONIUS_OPTIONS", format!("quiet=1:report={}/%p.json", reports.display()));
    Ok(command.output()?)
}

fn found(reports: &Path) -> Result<Found> {
    let mut all = Found::new();
    for entry in fs::read_dir(reports)? {
        let report: Value = serde_json::from_str(&fs::read_to_string(entry?.path())?)?;
        let findings = report["findings"].as_array().into_iter().flatten();
        for finding in findings.filter(|finding| finding["observed_at"] == "output") {
            let kind = finding["kind"].as_str().unwrap_or_default().to_owned();
            let line = finding["location"]["line"].as_u64().unwrap_or_default();
            let tenths = (finding["worst"]["bits_lost"].as_f64().unwrap_or_default() * 10.0) as u64;
            let most = all.entry((kind, line)).or_default();
            *most = (*most).max(tenths);
        }
    }
    Ok(all)
}
