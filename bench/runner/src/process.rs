//! Runs one program and measures it.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// What one run took and what it printed.
#[derive(Clone, Debug)]
pub struct Sample {
    pub wall_s: f64,
    /// User and system time of all its threads.
    pub cpu_s: f64,
    /// Most memory at any time. The system hands down the starter's own peak, so that small
    /// programs seem to need a few MB more than they do.
    pub peak_bytes: u64,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `command` to its end. An exit status other than 0, or more than `limit`, is an error.
pub fn run(mut command: Command, limit: Duration) -> Result<Sample> {
    let shown = format!("{command:?}").replace('"', "");
    // Files: a pipe could fill up and block the program.
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let start = Instant::now();
    let child = command.spawn().with_context(|| format!("cannot start: {shown}"))?;
    let used = wait(child, start, limit).with_context(|| shown.clone())?;
    let wall_s = start.elapsed().as_secs_f64();
    let stderr = content(&mut stderr)?;
    if !used.status.success() {
        bail!("{}: {shown}\n{}", used.status, stderr.trim_end());
    }
    Ok(Sample {
        wall_s,
        cpu_s: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        peak_bytes: used.rusage.maxrss,
        stdout: content(&mut stdout)?,
        stderr,
    })
}

/// Looks again after 1/200 of the time gone by, which bounds the error and costs next to nothing.
fn wait(mut child: std::process::Child, start: Instant, limit: Duration) -> Result<ResUse> {
    loop {
        if let Some(used) = child.try_wait4()? {
            return Ok(used);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("still running after {} s", limit.as_secs());
        }
        thread::sleep((start.elapsed() / 200).clamp(Duration::from_micros(50), Duration::from_millis(5)));
    }
}

fn content(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_run_is_measured() {
        let sample = run(shell("echo out; echo err >&2"), Duration::from_secs(10)).unwrap();
        assert_eq!((sample.stdout.as_str(), sample.stderr.as_str()), ("out\n", "err\n"));
        assert!(sample.wall_s > 0.0 && sample.peak_bytes > 0);
    }

    #[test]
    fn failures_and_hangs_are_errors() {
        let failed = run(shell("echo why >&2; exit 3"), Duration::from_secs(10)).unwrap_err().to_string();
        assert!(failed.contains("exit status: 3") && failed.contains("why"), "{failed}");
        let hung = run(shell("exec sleep 10"), Duration::from_millis(50)).unwrap_err();
        assert!(format!("{hung:#}").contains("still running"), "{hung:#}");
    }
}
