//! Runs one program and measures it.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// What one run took and what it printed.
#[derive(Debug)]
pub struct Sample {
    pub wall_s: f64,
    /// User and system time of all its threads.
    pub cpu_s: f64,
    /// Most memory at any time, and at least what this process once had: the system hands its peak
    /// down to what it starts. So it must stay small, and never read a long output as a whole.
    pub peak_bytes: u64,
    pub stdout: String,
    /// From its beginning; nsan can fill it with many MB.
    pub stderr: File,
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
    stderr.rewind()?;
    if !used.status.success() {
        bail!("{}: {shown}\n{}", used.status, beginning(&mut stderr)?.trim_end());
    }
    stdout.rewind()?;
    Ok(Sample {
        wall_s,
        cpu_s: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        peak_bytes: used.rusage.maxrss,
        stdout: beginning(&mut stdout)?,
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

/// As much of an output as anyone wants to see.
fn beginning(file: &mut File) -> Result<String> {
    let mut bytes = Vec::new();
    file.take(16 << 10).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Most memory that this process ever had: no peak of a program it starts is seen below it.
pub fn own_peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) << 10
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
        let mut sample = run(shell("echo out; echo err >&2"), Duration::from_secs(10)).unwrap();
        let stderr = beginning(&mut sample.stderr).unwrap();
        assert_eq!((sample.stdout.as_str(), stderr.as_str()), ("out\n", "err\n"));
        assert!(sample.wall_s > 0.0 && sample.peak_bytes > 0);
    }

    #[test]
    fn the_own_peak_is_known() {
        assert!(own_peak_bytes() > 100_000);
    }

    #[test]
    fn failures_and_hangs_are_errors() {
        let failed = run(shell("echo why >&2; exit 3"), Duration::from_secs(10)).unwrap_err().to_string();
        assert!(failed.contains("exit status: 3") && failed.contains("why"), "{failed}");
        let hung = run(shell("exec sleep 10"), Duration::from_millis(50)).unwrap_err();
        assert!(format!("{hung:#}").contains("still running"), "{hung:#}");
    }
}
