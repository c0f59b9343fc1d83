//! Machines that walk beside the programs of a run: each holds a lock on a file in the run's folder while it may have
//! something to tell. Of programs that were killed the reports are there once the locks are free.

use std::fs::{self, File};
use std::path::Path;

/// In a run's folder: the program's number, this, and the machine's own number.
const NAME: &str = "machine";

/// The value of `machines=` for runs of this folder.
pub(crate) fn pattern(folder: &Path) -> std::path::PathBuf {
    folder.join(format!("%p.{NAME}"))
}

/// Waits for the machines of programs that have ended. A program that goes on, a daemon say, is not waited for.
pub(crate) fn wait(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = program_of(&name).filter(|pid| !runs(*pid)).and_then(|_| File::open(entry.path()).ok());
        // A file that cannot be locked is not waited for.
        let _ = file.map(|file| file.lock());
    }
}

/// The number of the program whose machine has a file of this name.
fn program_of(name: &str) -> Option<u32> {
    let mut parts = name.split('.');
    let pid = parts.next()?.parse().ok()?;
    (parts.next()? == NAME).then_some(pid)
}

/// Whether a process is there, and not only waits to be heard of.
fn runs(pid: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let state = status.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_dead_are_waited_for() {
        assert_eq!(program_of("12.machine.34"), Some(12));
        assert_eq!((program_of("12.json"), program_of("x.machine.1"), program_of("12")), (None, None, None));
        assert!(runs(std::process::id()) && !runs(u32::MAX));
        let folder = tempfile::tempdir().expect("a folder");
        // A lock of a process that lives: not waited for.
        let held = File::create(folder.path().join(format!("{}.machine.1", std::process::id()))).expect("a file");
        held.lock().expect("a lock");
        wait(folder.path());
        // Of one that is gone: until it is let go.
        let held = File::create(folder.path().join(format!("{}.machine.1", u32::MAX))).expect("a file");
        held.lock().expect("a lock");
        let since = std::time::Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(50));
                held.unlock().expect("an end");
            });
            wait(folder.path());
        });
        assert!(since.elapsed() >= std::time::Duration::from_millis(50));
    }
}
