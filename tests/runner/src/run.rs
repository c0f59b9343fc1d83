//! Runs a built test with its arguments and input, and a limit on time.

use crate::corpus::Case;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Far above what any test needs, so that only a program that hangs runs into it.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What a run left behind.
#[derive(Debug)]
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// Runs `program` in `dir`.
pub fn run(case: &Case, program: &Path, dir: &Path, first_arg: Option<&str>) -> Result<Outcome> {
    run_with(case, program, dir, first_arg, "")
}

/// Runs with more options. Output goes through files: a pipe could fill up and block the program.
pub fn run_with(
    case: &Case,
    program: &Path,
    dir: &Path,
    first_arg: Option<&str>,
    more_options: &str,
) -> Result<Outcome> {
    let (stdin, stdout, stderr) = (dir.join("stdin"), dir.join("stdout"), dir.join("stderr"));
    fs::write(&stdin, &case.directives.stdin)?;
    let mut options = format!("report={}", dir.join("report.json").display());
    for more in [case.directives.options.as_str(), more_options].into_iter().filter(|more| !more.is_empty()) {
        options = format!("{options}:{more}");
    }
    let mut child = Command::new(program)
        .args(first_arg)
        .args(&case.directives.args)
        .current_dir(dir)
        .env("NONIUS_OPTIONS", options)
        .stdin(File::open(&stdin)?)
        .stdout(File::create(&stdout)?)
        .stderr(Stdio::from(File::create(&stderr)?))
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let status = wait(&mut child, TIME_LIMIT)?;
    let stderr = String::from_utf8_lossy(&fs::read(&stderr)?).into_owned();
    Ok(Outcome { status, stdout: fs::read(&stdout)?, stderr })
}

/// Waits for the end of a program, but no longer than `limit`.
pub fn wait(child: &mut Child, limit: Duration) -> Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("still running after {} s", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
