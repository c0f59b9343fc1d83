//! Runs a command to its end, within a limit.

use anyhow::{Context, Result, bail};
use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

pub struct Finished {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub seconds: f64,
}

impl Finished {
    /// The first error on stderr, for messages.
    pub fn complaint(&self) -> &str {
        let mut lines = self.stderr.lines().filter(|l| !l.trim().is_empty());
        lines.clone().find(|l| l.contains("error:")).or_else(|| lines.next()).unwrap_or("nothing on stderr")
    }
}

/// Runs `command` to its end. More than `limit` is an error, any exit status is none.
pub fn run(mut command: Command, limit: Duration) -> Result<Finished> {
    let shown = format!("{command:?}").replace('"', "");
    // Files: a pipe could fill up and block the program.
    let (stdout, stderr) = (NamedTempFile::new()?, NamedTempFile::new()?);
    command.stdin(Stdio::null()).stdout(stdout.reopen()?).stderr(stderr.reopen()?);
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot start: {shown}"))?;
    let status = wait(child, start, limit).with_context(|| shown.clone())?;
    let seconds = start.elapsed().as_millis() as f64 / 1e3;
    let text = |file: &NamedTempFile| fs::read(file.path()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Finished { status, stdout: text(&stdout)?, stderr: text(&stderr)?, seconds })
}

fn wait(mut child: Child, start: Instant, limit: Duration) -> Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("still running after {} s", limit.as_secs());
        }
        thread::sleep((start.elapsed() / 50).clamp(Duration::from_micros(100), Duration::from_millis(10)));
    }
}
