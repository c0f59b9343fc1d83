//! The second run's process, on its way to become the program: what it does to the world is thrown away.
//!
//! ```text
//! nonius run --- second run --> unshare, mounts, files as they were --> first process of a pid namespace --> program
//! ```
//! The kernel does the work: a private view of the file system where what is written stays in memory (`layer`), and namespaces of
//! its own for processes, network and memory that is shared by name. That holds for every program that is
//! started and every system call, and ends with the last process. Where namespaces are not allowed, a program that changed nothing
//! runs without the right to write (`read_only`).
//!
//! These are processes of their own, with one thread, since namespaces are entered by those only.

mod layer;
mod mounts;
mod read_only;
mod restore;

use crate::files::Changes;
use crate::run::{FILES, REFUSED, STATUS};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::{CapabilitySet, clear_ambient_capability_set};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// The word that makes the `nonius` command one of these processes.
pub const SECOND: &str = "--second-run";
/// The same for the first process of the pid namespace.
const FIRST_PROCESS: &str = "--first-process";
/// What such a process ends with if it does not get to the program; [`REFUSED`] says why.
const FAILED: u8 = 125;
/// The program's number in its own namespace: it is the first that the first process starts.
pub const PROGRAM_PID: u32 = 2;

/// How a second run is kept from changing anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// It writes to memory, and finds the files as the first run did.
    Layer(Layer),
    /// It cannot write.
    ReadOnly,
    /// It is not.
    None,
}

/// What a layer is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// So much memory, if not as much as there is good reason for.
    pub bytes: Option<u64>,
    /// The program keeps the network.
    pub network: bool,
}

impl Confinement {
    fn word(self) -> String {
        match self {
            Confinement::Layer(layer) => {
                let size = layer.bytes.map(|bytes| format!(":{bytes}")).unwrap_or_default();
                format!("layer{}{size}", if layer.network { "+network" } else { "" })
            }
            Confinement::ReadOnly => "read-only".to_owned(),
            Confinement::None => "none".to_owned(),
        }
    }

    pub fn read(word: &str) -> Option<Confinement> {
        let (name, bytes) = match word.split_once(':') {
            Some((name, bytes)) => (name, Some(bytes.parse().ok()?)),
            None => (word, None),
        };
        match name {
            "layer" => Some(Confinement::Layer(Layer { bytes, network: false })),
            "layer+network" => Some(Confinement::Layer(Layer { bytes, network: true })),
            "read-only" => Some(Confinement::ReadOnly),
            "none" => Some(Confinement::None),
            _ => None,
        }
    }
}

/// The command that runs `program` confined. `run` is the folder for its reports, `first` has the notes of the first run,
/// on all programs or on that with this number.
pub(crate) fn command(
    how: Confinement,
    run: &Path,
    first: &Path,
    only: Option<u32>,
    program: &OsStr,
    args: &[OsString],
) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    let only = only.map_or("all".to_owned(), |pid| pid.to_string());
    command.arg(SECOND).arg(how.word()).args([run, first]).arg(only).arg(program).args(args);
    Ok(command)
}

/// Is this process, from the words after [`SECOND`] on.
pub fn second_run(words: &[OsString]) -> ExitCode {
    match words {
        [word, run, program, args @ ..] if word == FIRST_PROCESS => told(run, first_process(run, program, args)),
        [how, run, first, only, program, args @ ..] => {
            let how = how.to_str().and_then(Confinement::read);
            let only = only.to_str().and_then(|pid| pid.parse().ok());
            let notes = Notes { folder: Path::new(first), only };
            told(run, how.map_or(Ok(FAILED), |how| confined(how, Path::new(run), &notes, program, args)))
        }
        _ => ExitCode::from(FAILED),
    }
}

/// Leaves word of what went wrong.
fn told(run: &OsStr, result: Result<u8, Refused>) -> ExitCode {
    let code = result.unwrap_or_else(|refused| {
        let _ = fs::write(Path::new(run).join(REFUSED), refused.0);
        FAILED
    });
    ExitCode::from(code)
}

/// Why there is no second run, as a sentence's end.
#[derive(Debug)]
pub struct Refused(String);

/// Says what could not be done.
trait Cannot<T> {
    fn cannot(self, what: &str) -> Result<T, Refused>;
}

impl<T, E: std::fmt::Display> Cannot<T> for Result<T, E> {
    fn cannot(self, what: &str) -> Result<T, Refused> {
        self.map_err(|error| Refused(format!("cannot {what}: {error}")))
    }
}

/// What the first run left word of.
struct Notes<'a> {
    folder: &'a Path,
    /// The process that counts.
    only: Option<u32>,
}

impl Notes<'_> {
    fn changes(&self) -> Result<Changes, Refused> {
        let notes = fs::read(self.folder.join(FILES)).cannot("read what the first run did")?;
        // What the programs are called does not matter here.
        Ok(match self.only {
            Some(pid) => Changes::read_one(&notes, self.folder, pid, OsStr::new("")),
            None => Changes::read(&notes, self.folder, 0, OsStr::new("")),
        })
    }
}

fn confined(how: Confinement, run: &Path, notes: &Notes, program: &OsStr, args: &[OsString]) -> Result<u8, Refused> {
    // What the shell has open beside the three streams: a second run must neither read nor write it.
    close_fds::set_fds_cloexec(3, &[]);
    let mut command = Command::new(program);
    command.args(args);
    match how {
        Confinement::Layer(layer) => {
            layer::enter(run, &notes.changes()?, layer)?;
            let chosen = std::env::current_exe().cannot("find itself")?;
            let mut init = Command::new(chosen);
            init.args([SECOND, FIRST_PROCESS]).arg(run).arg(program).args(args);
            init.status().cannot("start a process in a namespace of its own")?;
            Ok(0)
        }
        Confinement::ReadOnly => {
            read_only::enter(run)?;
            Err(command.exec()).cannot("start it")
        }
        Confinement::None => Err(command.exec()).cannot("start it"),
    }
}

/// With this process all others of its namespace end.
fn first_process(run: &OsStr, program: &OsStr, args: &[OsString]) -> Result<u8, Refused> {
    set_parent_process_death_signal(Some(Signal::KILL)).cannot("bind the second run to this one")?;
    mounts::processes()?;
    if rustix::process::getuid().as_raw() != 0 {
        clear_ambient_capability_set().cannot("give up privileges")?;
        let none = CapabilitySet::empty();
        let none = rustix::thread::CapabilitySets { effective: none, permitted: none, inheritable: none };
        rustix::thread::set_capabilities(None, none).cannot("give up privileges")?;
    }
    let status: ExitStatus = Command::new(program).args(args).status().cannot("start it")?;
    // With this process their machines would end.
    crate::machines::wait(Path::new(run));
    fs::write(Path::new(run).join(STATUS), status.into_raw().to_string()).cannot("write how it ended")?;
    Ok(0)
}

/// How a confined program ended.
pub(crate) fn status_in(run: &Path) -> Option<ExitStatus> {
    Some(ExitStatus::from_raw(fs::read_to_string(run.join(STATUS)).ok()?.parse().ok()?))
}

/// Why it was not started.
pub(crate) fn refusal_in(run: &Path) -> Option<String> {
    fs::read_to_string(run.join(REFUSED)).ok()
}

/// As a path in a message, in quotes if it has blanks.
fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains(char::is_whitespace) { format!("'{text}'") } else { text }
}

/// Undoes the octal escapes of `/proc/self/mountinfo`.
fn unescaped(text: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let octal = after.get(..3).and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok());
        match (first, octal) {
            (b'\\', Some(byte)) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    PathBuf::from(OsStr::from_bytes(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back() {
        let layers = [Layer::default(), Layer { bytes: Some(7), network: true }].map(Confinement::Layer);
        for how in layers.into_iter().chain([Confinement::ReadOnly, Confinement::None]) {
            assert_eq!(Confinement::read(&how.word()), Some(how));
        }
        assert_eq!(Confinement::read("layer:x"), None);
        assert_eq!(unescaped(b"/a\\040b\\134c"), Path::new("/a b\\c"));
    }
}
