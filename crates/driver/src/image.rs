//! Shared memory in which the processes of a run keep what they find (`nonius_image`), and the reports of those that were
//! killed. It has no name in any folder: it goes with the last process that has it, however that ends.

use crate::environment::Environment;
use crate::pieces::Pieces;
use nonius_image::{FILE_BYTES, READ, SLOTS, Section, State, VARIABLE, head};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::FdFlags;
use rustix::process::{Resource, getrlimit};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

#[derive(Debug)]
pub(crate) struct Image(File);

impl Image {
    pub fn new() -> io::Result<Image> {
        // Beyond that limit the kernel ends whoever makes a file longer.
        if getrlimit(Resource::Fsize).current.is_some() {
            return Err(io::Error::other("the size of files is limited ('ulimit -f')"));
        }
        let file = File::from(memfd_create("nonius", MemfdFlags::CLOEXEC)?);
        file.set_len(FILE_BYTES)?;
        Ok(Image(file))
    }

    /// What to tell a program of it. It opens the file by a name that the kernel has for it as long as Nonius runs, so that
    /// the program's own descriptors stay as they are.
    pub fn variable(&self) -> (&'static str, OsString) {
        let path = format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd());
        (VARIABLE, path.into())
    }

    /// Processes that are gone without having reported all that they found, by their slots.
    fn lost(&self) -> io::Result<Vec<u64>> {
        let taken = self.word(0)?.min(SLOTS);
        let state = |slot: u64| self.word(Section::Head.offset(slot) + 8 * head::STATE as u64);
        let mut lost = Vec::new();
        for slot in 0..taken {
            if State::is_lost(state(slot)?) {
                lost.push(slot);
            }
        }
        Ok(lost)
    }

    fn word(&self, at: u64) -> io::Result<u64> {
        let mut word = [0; 8];
        self.0.read_exact_at(&mut word, at)?;
        Ok(u64::from_ne_bytes(word))
    }

    /// Has the reports written that are missing. `options` are the program's. Returns how many there were, and what could
    /// not be told.
    pub fn tell(&self, options: &OsString) -> Result<usize, String> {
        let lost = self.lost().map_err(|error| error.to_string())?;
        if lost.is_empty() {
            return Ok(0);
        }
        let runtime = runtime()?;
        for slot in &lost {
            self.tell_one(*slot, options, &runtime)?;
        }
        Ok(lost.len())
    }

    /// The runtime reports as it would have in the program, in a process of which nothing else runs.
    fn tell_one(&self, slot: u64, options: &OsString, runtime: &PathBuf) -> Result<(), String> {
        let (variable, path) = self.variable();
        // By its number: the loader takes blanks and colons in a name for the end of it.
        let runtime = File::open(runtime).map_err(|error| format!("{}: {error}", runtime.display()))?;
        rustix::io::fcntl_setfd(&runtime, FdFlags::empty()).map_err(|error| error.to_string())?;
        let preload = format!("/proc/self/fd/{}", runtime.as_raw_fd());
        let mut command = Command::new("/proc/self/exe");
        command.env_clear().env(variable, path).env(READ, slot.to_string());
        command.env(crate::runtime_options::OPTIONS, options).env("LD_PRELOAD", preload);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let left = command.output().map_err(|error| error.to_string())?;
        match left.status.success() {
            true => Ok(()),
            false => {
                let said = String::from_utf8_lossy(&left.stderr);
                let said = said.trim().trim_start_matches("nonius: error: ");
                Err(if said.is_empty() { left.status.to_string() } else { said.to_owned() })
            }
        }
    }
}

fn runtime() -> Result<PathBuf, String> {
    let environment = Environment::of_this_process().map_err(|error| error.to_string())?;
    Pieces::of(&environment).runtime().map_err(|error| error.to_string())
}
