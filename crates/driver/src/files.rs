//! What a run did to files, and what a second run would do to them.
//!
//! A file that the program makes, or rewrites from the beginning without having looked at it, is the same after a second
//! run. One that it adds to, changes in place, reads and then rewrites, removes or moves away is not:
//! then the program's data would change, and the second run would not be the first one again.

use nonius_abi::files::{Act, Before, Record, records};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Read,
    /// The program's own, and gone again.
    Gone,
    /// The program's own.
    Made,
    /// The same, written at its end.
    Begun,
    Rewritten,
    /// Rewritten after it was read.
    Replaced,
    Changed,
    /// It was there before the program.
    Removed,
    /// The same, and it is there still under another name.
    Kept,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that a second run writes again, as they are.
    pub again: Vec<PathBuf>,
    /// Files that would not be the same, and why.
    pub harmed: Vec<(PathBuf, &'static str)>,
    /// Programs whose files could not be seen.
    pub unseen: Vec<String>,
    /// There was too much to keep account of.
    pub more: bool,
}

impl Changes {
    /// From what the runtime noted. `pid` is the program's own number, `own` are files that are Nonius's.
    pub fn read(notes: &[u8], pid: u32, program: &OsStr, own: &[PathBuf]) -> Changes {
        let mut account = Account::default();
        records(notes).for_each(|record| account.add(&record));
        account.close(pid, program, own)
    }

    pub fn is_nothing(&self) -> bool {
        self == &Changes::default()
    }
}

#[derive(Default)]
struct Account {
    files: BTreeMap<PathBuf, Fate>,
    watched: Vec<PathBuf>,
    pids: Vec<u32>,
    blind: Vec<String>,
    started: Vec<PathBuf>,
    more: bool,
}

impl Account {
    fn add(&mut self, record: &Record) {
        let path = resolved(record.path);
        let old = self.files.get(&path).copied();
        let fate = match (record.act, old) {
            (Act::Read, None) => Fate::Read,
            (Act::Read, Some(_)) => return,
            (Act::Create | Act::Begin | Act::Rewrite, Some(Fate::Kept)) => return,
            (Act::Create, Some(Fate::Removed)) => Fate::Rewritten,
            (Act::Create, _) => Fate::Made,
            (Act::Begin, Some(Fate::Removed)) => Fate::Changed,
            (Act::Begin, None | Some(Fate::Made | Fate::Gone)) => Fate::Begun,
            (Act::Begin, Some(_)) => return,
            (Act::Rewrite, Some(Fate::Begun)) => Fate::Made,
            (Act::Rewrite, None) => Fate::Rewritten,
            (Act::Rewrite, Some(Fate::Read)) => Fate::Replaced,
            (Act::Update, None | Some(Fate::Read)) if is_written(&path, record.second) => Fate::Changed,
            (Act::Update, None) => Fate::Read,
            (Act::Rewrite | Act::Update, Some(_)) => return,
            (Act::Remove, old) => removed(old),
            // Moved away and then made anew, it would be moved over what was kept.
            (Act::Move | Act::MoveOver, None | Some(Fate::Read | Fate::Replaced | Fate::Changed)) => {
                self.arrive(record);
                Fate::Kept
            }
            (Act::Move | Act::MoveOver, old) => {
                self.arrive(record);
                removed(old)
            }
            (Act::Watch | Act::Blind | Act::Start | Act::More, _) => return self.process(record),
        };
        self.files.insert(path, fate);
    }

    /// Something was moved to a record's second path.
    fn arrive(&mut self, record: &Record) {
        let target = resolved(record.second);
        let fate = match (record.act, self.files.get(&target)) {
            (Act::Move, Some(Fate::Removed)) => Fate::Rewritten,
            (Act::Move, _) => Fate::Made,
            (_, Some(Fate::Read | Fate::Replaced | Fate::Changed | Fate::Kept)) => Fate::Replaced,
            (_, Some(Fate::Made | Fate::Begun)) => Fate::Made,
            _ => Fate::Rewritten,
        };
        self.files.insert(target, fate);
    }

    fn process(&mut self, record: &Record) {
        let path = PathBuf::from(OsStr::from_bytes(record.path));
        let pid: Option<u32> = str::from_utf8(record.second).ok().and_then(|pid| pid.parse().ok());
        match record.act {
            Act::Watch => {
                self.watched.push(path);
                self.pids.extend(pid);
            }
            Act::Blind => {
                self.pids.extend(pid);
                self.blind.push(name(&path));
            }
            Act::Start => self.started.push(path),
            _ => self.more = true,
        }
    }

    fn close(self, pid: u32, program: &OsStr, own: &[PathBuf]) -> Changes {
        let mut unseen = self.blind;
        if !self.pids.contains(&pid) {
            unseen.push(name(Path::new(program)));
        }
        let is_watched = |program: &PathBuf| match fs::canonicalize(program) {
            Ok(program) => self.watched.contains(&program),
            // Found by the search path, or a line for the shell.
            Err(_) => self.watched.iter().any(|watched| watched.file_name() == Some(program.as_os_str())),
        };
        unseen.extend(self.started.iter().filter(|program| !is_watched(program)).map(|program| name(program)));
        unseen.sort();
        unseen.dedup();
        let mut changes = Changes { unseen, more: self.more, ..Changes::default() };
        for (path, fate) in self.files.into_iter().filter(|(path, _)| !own.iter().any(|own| path.starts_with(own))) {
            match fate {
                Fate::Read | Fate::Gone => {}
                Fate::Made | Fate::Rewritten => changes.again.push(path),
                Fate::Replaced => changes.harmed.push((path, "read, then rewritten")),
                Fate::Begun => changes.harmed.push((path, "written at its end")),
                Fate::Changed => changes.harmed.push((path, "added to or changed in place")),
                Fate::Removed => changes.harmed.push((path, "removed")),
                Fate::Kept => changes.harmed.push((path, "moved away")),
            }
        }
        changes
    }
}

/// What was there before is missed; what was the program's own is not.
fn removed(old: Option<Fate>) -> Fate {
    match old {
        Some(Fate::Made | Fate::Begun | Fate::Gone) => Fate::Gone,
        _ => Fate::Removed,
    }
}

/// A command line says more than its first word, but not all of a long one.
fn name(program: &Path) -> String {
    const MOST: usize = 40;
    let text = program.to_string_lossy();
    let plain = !text.contains(char::is_whitespace);
    let text = if plain { text.rsplit('/').next().unwrap_or_default() } else { &text };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Whether a file that was opened for writing is another one than before.
fn is_written(path: &Path, before: &[u8]) -> bool {
    let Some(before) = Before::decode(before) else { return true };
    // One that is gone is dealt with where it went.
    fs::metadata(path).is_ok_and(|now| {
        before != Before { bytes: now.size() as i64, seconds: now.mtime(), nanoseconds: now.mtime_nsec() }
    })
}

/// Without links in its folder: what was opened is noted so.
fn resolved(path: &[u8]) -> PathBuf {
    let path = Path::new(OsStr::from_bytes(path));
    match (path.parent().map(fs::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes are separated by bars: a letter and a path, or two paths.
    fn changes(notes: &str) -> Changes {
        let mut bytes = b"s/bin/own\x007\0".to_vec();
        for note in notes.split('|').filter(|n| !n.is_empty()) {
            let (first, second) = note.split_once('>').unwrap_or((note, ""));
            bytes.extend([first.as_bytes(), b"\0", second.as_bytes(), b"\0"].concat());
        }
        Changes::read(&bytes, 7, OsStr::new("./own"), &["/nowhere/own".into()])
    }

    fn paths(list: &[&str]) -> Vec<PathBuf> {
        list.iter().map(|p| Path::new("/nowhere").join(p)).collect()
    }

    #[test]
    fn files_that_a_second_run_leaves_the_same() {
        for notes in ["", "r/nowhere/in", "c/nowhere/t|d/nowhere/t", "a/nowhere/t|d/nowhere/t", "c/nowhere/own/x"] {
            assert!(changes(notes).is_nothing(), "{notes}");
        }
        for (notes, again) in [
            ("c/nowhere/a b|w/nowhere/c", &["a b", "c"][..]),
            ("c/nowhere/t|m/nowhere/t>/nowhere/out", &["out"]),
            ("c/nowhere/t|M/nowhere/t>/nowhere/out", &["out"]),
            ("d/nowhere/out|c/nowhere/out", &["out"]),
            ("w/nowhere/out|r/nowhere/out|u/nowhere/out", &["out"]),
        ] {
            let found = changes(notes);
            assert_eq!((found.again, found.harmed.len()), (paths(again), 0), "{notes}");
        }
    }

    #[test]
    fn files_that_a_second_run_harms() {
        for (notes, path) in [
            ("u/nowhere/log", "log"),
            ("a/nowhere/log|u/nowhere/log", "log"),
            ("r/nowhere/state|w/nowhere/state", "state"),
            ("d/nowhere/old", "old"),
            ("m/nowhere/old>/nowhere/older", "old"),
            ("m/nowhere/old>/nowhere/older|c/nowhere/old", "old"),
            ("r/nowhere/state|c/nowhere/t|M/nowhere/t>/nowhere/state", "state"),
        ] {
            let harmed: Vec<PathBuf> = changes(notes).harmed.into_iter().map(|h| h.0).collect();
            assert_eq!(harmed, paths(&[path]), "{notes}");
        }
    }

    #[test]
    fn programs_that_are_not_seen_are_named() {
        assert_eq!(changes("x/usr/bin/gnuplot|xown|xcp a b|s/bin/own").unseen, ["cp a b", "gnuplot"]);
        assert_eq!(changes("n/usr/bin/python3>9").unseen, ["python3"]);
        assert_eq!(Changes::read(b"", 7, OsStr::new("/bin/sh"), &[]).unseen, ["sh"]);
    }
}
