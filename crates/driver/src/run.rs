//! Runs an instrumented program and collects the reports it leaves.
//!
//! The program keeps its terminal, its input and its output. Reports go to a folder that only
//! this user can enter, so that no other process can put its own there; one for each process,
//! since a program may start others.

use crate::files::Changes;
use crate::image::Image;
use crate::machines;
use crate::programs::{self, Part, ProgramStart};
use crate::runtime_options::{OPTIONS, RuntimeOptions};
use crate::second::{self, Confinement};
use crate::signals::Guard;
use crate::stdin::RepeatableInput;
use nonius_report::json::ReadError;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum RunError {
    #[error("cannot make a temporary folder: {0}. Set TMPDIR to a folder that can be written")]
    Folder(io::Error),
    #[error("cannot run {program}: {source}")]
    Start { program: String, source: io::Error },
    #[error("cannot wait for {program}: {source}")]
    Wait { program: String, source: io::Error },
    #[error("{0}")]
    Refused(String),
}

/// What a run left behind. The reports live as long as this does.
#[derive(Debug)]
pub struct Ran {
    pub status: ExitStatus,
    pub pid: u32,
    pub took: Duration,
    /// It was ended when its time was over.
    pub is_late: bool,
    /// Nonius was told to end meanwhile, and passed that on.
    pub is_interrupted: bool,
    /// Why the reports of processes that were killed cannot be had.
    pub unreadable: Option<String>,
    /// What the command itself had for standard input, by the kernel's name for it.
    pub input: PathBuf,
    folder: TempDir,
}

/// Is told from time to time how many operations the event engine has walked, and their share of all if that is known.
pub type Progress<'a> = Option<&'a (dyn Fn(u64, Option<f64>) + Sync)>;

/// How often.
const TICK: Duration = Duration::from_millis(100);
/// In a run's folder: what the program did to files, and its counters.
pub(crate) const FILES: &str = "files";
const COUNTER: &str = "operations";
/// How a confined program ended, or why it was not started.
pub(crate) const STATUS: &str = "status";
pub(crate) const REFUSED: &str = "refused";
/// A program whose time is over has so long to write its report.
const GRACE: Duration = Duration::from_secs(10);

impl Ran {
    /// The reports of all processes, the program's own first.
    pub fn reports(&self) -> io::Result<Vec<PathBuf>> {
        let chosen = self.folder.path().join(format!("{}.json", self.pid));
        let mut paths: Vec<PathBuf> =
            fs::read_dir(self.folder.path())?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        paths.retain(|path| path.extension().is_some_and(|e| e == "json"));
        paths.sort_by_key(|path| (*path != chosen, path.clone()));
        Ok(paths)
    }

    /// What `program` did to files, if the run was watched for it.
    pub fn changes(&self, program: &OsString) -> Changes {
        let notes = fs::read(self.folder.path().join(FILES)).unwrap_or_default();
        Changes::read(&notes, self.folder.path(), self.pid, program)
    }

    /// The same of one of the programs that it started.
    pub fn changes_of(&self, program: &ProgramStart) -> Changes {
        let notes = fs::read(self.folder.path().join(FILES)).unwrap_or_default();
        Changes::read_one(&notes, self.folder.path(), program.pid, &program.program)
    }

    /// The programs that reported, in the order of their start, each with its forked processes.
    pub fn parts(&self) -> Result<Vec<Part>, ReadError> {
        programs::parts(self.folder.path(), self.pid)
    }

    /// Who ended the program, if it was not by its own doing.
    pub fn ended_from_outside(&self) -> Option<&'static str> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGKILL, SIGQUIT, SIGTERM};
        match self.status.signal() {
            _ if self.is_interrupted => Some("Nonius was told to end"),
            _ if self.is_late => Some("the time that deadline= sets was over"),
            Some(SIGHUP | SIGINT | SIGKILL | SIGQUIT | SIGTERM) => Some("the program was ended from outside"),
            _ => None,
        }
    }

    /// How the program failed, if it did, as words that follow its name.
    pub fn failure(&self) -> Option<String> {
        match (self.status.code(), self.status.signal()) {
            (Some(0), _) => None,
            (Some(code), _) => Some(format!("exited with status {code}")),
            (None, Some(signal)) => Some(format!("was ended by {}", signal_name(signal))),
            (None, None) => Some("ended in an unknown way".to_owned()),
        }
    }
}

fn signal_name(signal: i32) -> String {
    match signal_hook::low_level::signal_name(signal) {
        Some(name) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}

/// A temporary folder that only this user can enter.
pub fn private_folder() -> io::Result<TempDir> {
    tempfile::Builder::new().prefix("nonius-").permissions(fs::Permissions::from_mode(0o700)).tempdir()
}

/// How the program's streams are connected.
#[derive(Debug)]
enum Streams<'a> {
    /// As Nonius's own.
    Inherited,
    /// As Nonius's own, with the input kept for another run.
    Repeatable(&'a RepeatableInput),
    /// This input, and no output.
    Hidden(Stdio),
}

/// Runs `program` to its end. The runtime prints nothing: what was found is in the reports.
pub fn run(
    program: &OsString,
    args: &[OsString],
    options: &RuntimeOptions,
    progress: Progress,
) -> Result<Ran, RunError> {
    start(command(program, args), options, Streams::Inherited, progress)
}

/// The same for a command that may start any number of instrumented programs, with account of what they do to files.
pub fn run_watched(command: Command, options: &RuntimeOptions, input: &RepeatableInput) -> Result<Ran, RunError> {
    start(command, options, Streams::Repeatable(input), None)
}

/// The same, keeping the program's standard input for [`run_again`], and account of what it does to files.
pub fn run_keeping(
    program: &OsString,
    args: &[OsString],
    options: &RuntimeOptions,
    input: &RepeatableInput,
) -> Result<Ran, RunError> {
    start(command(program, args), options, Streams::Repeatable(input), None)
}

/// How a program is run a second time.
#[derive(Debug)]
pub struct Again<'a> {
    /// The run before.
    pub first: &'a Ran,
    /// One of the programs that it started, and not the whole.
    pub only: Option<&'a ProgramStart>,
    pub input: Stdio,
    pub confinement: Confinement,
    /// When it is ended, with a report of what it has come to.
    pub limit: Option<Duration>,
}

/// Runs the program a second time on the same input, its output hidden and its changes thrown away.
pub fn run_again(
    program: &OsString,
    args: &[OsString],
    options: &RuntimeOptions,
    again: Again,
    progress: Progress,
) -> Result<Ran, RunError> {
    let folder = private_folder().map_err(RunError::Folder)?;
    let first = again.first.folder.path();
    let only = again.only.map(|only| only.pid);
    let mut command = second::command(again.confinement, folder.path(), first, only, program, args)
        .map_err(|source| RunError::Start { program: program.to_string_lossy().into_owned(), source })?;
    if let Some(only) = again.only {
        command.current_dir(&only.folder).env_clear().envs(only.environment.iter().map(|(name, value)| (name, value)));
    }
    let mut options = options.clone();
    if let Some(limit) = again.limit {
        options.set("deadline", limit.as_secs_f64().to_string());
    }
    let limit = again.limit.map(|limit| limit + GRACE);
    let mut ran = start_in(folder, command, &options, Streams::Hidden(again.input), limit, progress)?;
    if let Some(why) = second::refusal_in(ran.folder.path()) {
        return Err(RunError::Refused(why));
    }
    if let (Confinement::Layer(_), Some(status)) = (again.confinement, second::status_in(ran.folder.path())) {
        (ran.status, ran.pid) = (status, second::PROGRAM_PID);
    }
    ran.is_late = again.limit.is_some_and(|limit| ran.took >= limit);
    Ok(ran)
}

fn command(program: &OsString, args: &[OsString]) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    command
}

fn start(command: Command, options: &RuntimeOptions, streams: Streams, progress: Progress) -> Result<Ran, RunError> {
    let folder = private_folder().map_err(RunError::Folder)?;
    let deadline = options.get("deadline").and_then(|text| text.to_str()?.parse().ok());
    // A program that does not end by itself then is killed.
    let limit = deadline.filter(|seconds| *seconds > 0.0 && *seconds < 1e9).map(|s| Duration::from_secs_f64(s) + GRACE);
    let mut ran = start_in(folder, command, options, streams, limit, progress)?;
    ran.is_late = limit.is_some_and(|limit| ran.took + GRACE >= limit);
    Ok(ran)
}

fn start_in(
    folder: TempDir,
    mut command: Command,
    options: &RuntimeOptions,
    streams: Streams,
    limit: Option<Duration>,
    progress: Progress,
) -> Result<Ran, RunError> {
    let mut options = options.clone();
    options.set("report", folder.path().join("%p.json"));
    options.set("quiet", "1");
    options.set("machines", machines::pattern(folder.path()));
    // What counts in the end is known when all have reported.
    options.set("baseline", "");
    // The program's own status must be told from one for findings; only a program that is stopped has none.
    if !options.is_on("halt") {
        options.set("exitcode", "");
    }
    if let Streams::Repeatable(_) = streams {
        options.set("files", folder.path().join(FILES));
    }
    if progress.is_some() {
        options.set("counter", folder.path().join(format!("%p.{COUNTER}")));
    }

    // The event engine's findings are in its machine, a process of its own.
    let is_inline = options.get("oracle").is_none_or(|oracle| oracle.is_empty());
    let wants_image = is_inline && !matches!(streams, Streams::Hidden(_));
    let program = command.get_program().to_string_lossy().into_owned();
    let shown = || program.clone();
    command.env(OPTIONS, options.encode());
    let input = match streams {
        Streams::Inherited => None,
        Streams::Repeatable(input) => {
            command.stdin(input.first());
            Some(input)
        }
        Streams::Hidden(input) => {
            command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null());
            None
        }
    };
    let image = wants_image.then(Image::new).and_then(|image| match image {
        Ok(image) => Some(image),
        Err(error) => {
            eprintln!("nonius: note: findings are lost if the program is killed: no shared memory: {error}");
            None
        }
    });
    command.envs(image.as_ref().map(Image::variable));
    // Set up first: a signal between start and guard would end Nonius and leave the program alone.
    let guard = Guard::new().map_err(|source| RunError::Start { program: shown(), source })?;
    let started = Instant::now();
    let mut child = command.spawn().map_err(|source| RunError::Start { program: shown(), source })?;
    let input_name = child.stdin.as_ref().map(|pipe| format!("/proc/self/fd/{}", pipe.as_raw_fd()));
    let input_name = fs::read_link(input_name.as_deref().unwrap_or("/proc/self/fd/0")).unwrap_or_default();
    if let Some(input) = input {
        input.feed(&mut child);
    }
    let pid = child.id();
    let waited = match progress {
        Some(tell) => telling(folder.path(), tell, || guard.wait(&mut child, limit)),
        None => guard.wait(&mut child, limit),
    };
    let (status, is_interrupted) = waited.map_err(|source| RunError::Wait { program: shown(), source })?;
    let took = started.elapsed();
    machines::wait(folder.path());
    let unreadable = image.and_then(|image| image.tell(&options.encode()).err());
    Ok(Ran { status, pid, took, is_late: false, is_interrupted, unreadable, input: input_name, folder })
}

/// Does `work`, and tells meanwhile how many operations all processes of the run have behind them.
fn telling<T>(folder: &Path, tell: &(dyn Fn(u64, Option<f64>) + Sync), work: impl FnOnce() -> T) -> T {
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(TICK) {
                tell(counted(folder), None);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn counted(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let counters = paths.filter(|path| path.extension().is_some_and(|e| e == COUNTER));
    counters.filter_map(|path| Some(u64::from_le_bytes(fs::read(path).ok()?.try_into().ok()?))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ran {
        run(&"/bin/sh".into(), &["-c".into(), script.into()], &RuntimeOptions::default(), None).unwrap()
    }

    #[test]
    fn the_program_is_told_where_the_report_goes() {
        // Stands in for the runtime: writes to the folder that it finds in the options.
        let ran =
            shell(r#"p=${NONIUS_OPTIONS#*report=}; d=${p%%/%p*}; echo 1 > $d/0.json; echo 2 > $d/$$.json; : > $d/x"#);
        let folder = ran.folder.path().to_owned();
        assert_eq!(ran.reports().unwrap(), [folder.join(format!("{}.json", ran.pid)), folder.join("0.json")]);
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(ran.failure(), None);
        drop(ran);
        assert!(!folder.exists());
    }

    #[test]
    fn failures_are_told() {
        assert_eq!(shell("exit 3").failure().unwrap(), "exited with status 3");
        assert_eq!(shell("kill -SEGV $$").failure().unwrap(), "was ended by signal 11 (SIGSEGV)");
        let folder = private_folder().unwrap();
        let program = folder.path().join("no such program");
        let missing = run(&program.clone().into(), &[], &RuntimeOptions::default(), None);
        assert!(missing.unwrap_err().to_string().starts_with(&format!("cannot run {}: ", program.display())));
    }
}
