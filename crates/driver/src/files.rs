//! What a run did to files, from the runtime's notes: what was at each path before, so that a second run can start there.

use nonius_abi::files::{Record, Was, mode_of_copy, records};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What was at a path before the program changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Absent,
    /// A file; where its copy is, with the same time of change.
    File {
        copy: PathBuf,
        mode: u32,
    },
    Link(PathBuf),
    /// A folder of this mode.
    Folder(u32),
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What was at the paths that it changed.
    pub before: BTreeMap<PathBuf, State>,
    /// Paths of which this is not known, and why.
    pub lost: Vec<(PathBuf, String)>,
    /// What it did beside files, in words that follow "it".
    pub outside: Vec<String>,
    /// Programs whose changes could not be seen.
    pub unseen: Vec<String>,
    /// There was too much to keep account of.
    pub more: bool,
}

impl Changes {
    /// From what the runtime noted; copies of files are in `folder`. `pid` is the program's own number.
    pub fn read(notes: &[u8], folder: &Path, pid: u32, program: &OsStr) -> Changes {
        let mut account = Account::default();
        records(notes).for_each(|record| account.add(&record, folder));
        account.close(pid, program)
    }

    /// The same of one program of many: what was at the paths that it and those after it changed, and what it did beside.
    pub fn read_one(notes: &[u8], folder: &Path, pid: u32, program: &OsStr) -> Changes {
        let number = |record: &Record| str::from_utf8(record.second).ok().and_then(|pid| pid.parse::<u32>().ok());
        let starts = |record: &Record| matches!(record.was, Was::Watch | Was::Blind);
        let programs: Vec<u32> = records(notes).filter(starts).filter_map(|record| number(&record)).collect();
        // A process without a program of its own was forked, by this one perhaps.
        let is_own = |record: &Record| match record.was {
            Was::Watch | Was::Blind => number(record) == Some(pid),
            Was::Outside | Was::Start => number(record).is_none_or(|by| by == pid || !programs.contains(&by)),
            _ => true,
        };
        let mut account = Account::default();
        let since = records(notes).skip_while(|record| !(starts(record) && number(record) == Some(pid)));
        since.filter(is_own).for_each(|record| account.add(&record, folder));
        account.watched.extend(records(notes).filter(starts).map(|r| PathBuf::from(OsStr::from_bytes(r.path))));
        account.close(pid, program)
    }

    pub fn is_nothing(&self) -> bool {
        self == &Changes::default()
    }
}

#[derive(Default)]
struct Account {
    changes: Changes,
    watched: Vec<PathBuf>,
    pids: Vec<u32>,
    started: Vec<PathBuf>,
}

impl Account {
    fn add(&mut self, record: &Record, folder: &Path) {
        let path = PathBuf::from(OsStr::from_bytes(record.path));
        let text = || String::from_utf8_lossy(record.second).into_owned();
        let state = match record.was {
            Was::Absent => State::Absent,
            Was::File => match mode_of_copy(&text()) {
                Some(mode) => State::File { copy: folder.join(OsStr::from_bytes(record.second)), mode },
                None => return self.lose(path, "has no copy".to_owned()),
            },
            Was::Link => State::Link(OsStr::from_bytes(record.second).into()),
            Was::Folder => State::Folder(u32::from_str_radix(&text(), 8).unwrap_or(0o755)),
            Was::Lost => return self.lose(path, text()),
            Was::Outside => return self.changes.outside.push(path.display().to_string()),
            Was::Watch | Was::Blind | Was::Start | Was::More => return self.process(record),
        };
        // The first change tells what was there; what is in a folder that the program made was not.
        if !self.is_within_new(&path) {
            self.changes.before.entry(path).or_insert(state);
        }
    }

    fn is_within_new(&self, path: &Path) -> bool {
        path.ancestors().skip(1).any(|folder| self.changes.before.get(folder) == Some(&State::Absent))
    }

    fn lose(&mut self, path: PathBuf, why: String) {
        let known = matches!(self.changes.before.get(&path), Some(State::Absent | State::File { .. } | State::Link(_)));
        if !known && !self.is_within_new(&path) {
            self.changes.lost.push((path, why));
        }
    }

    fn process(&mut self, record: &Record) {
        let path = PathBuf::from(OsStr::from_bytes(record.path));
        let pid: Option<u32> = str::from_utf8(record.second).ok().and_then(|pid| pid.parse().ok());
        match record.was {
            Was::Watch => {
                self.watched.push(path);
                self.pids.extend(pid);
            }
            Was::Blind => {
                self.pids.extend(pid);
                self.changes.unseen.push(name(&path));
            }
            Was::Start => self.started.push(path),
            _ => self.changes.more = true,
        }
    }

    fn close(self, pid: u32, program: &OsStr) -> Changes {
        let mut changes = self.changes;
        if !self.pids.contains(&pid) {
            changes.unseen.push(name(Path::new(program)));
        }
        let is_watched = |program: &PathBuf| match fs::canonicalize(program) {
            Ok(program) => self.watched.contains(&program),
            // Found by the search path, or a line for the shell.
            Err(_) => self.watched.iter().any(|watched| watched.file_name() == Some(program.as_os_str())),
        };
        changes.unseen.extend(self.started.iter().filter(|program| !is_watched(program)).map(|program| name(program)));
        for list in [&mut changes.unseen, &mut changes.outside] {
            list.sort();
            list.dedup();
        }
        changes
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes are separated by bars: a letter and a path, or two.
    fn changes(notes: &str) -> Changes {
        let mut bytes = b"s/bin/own\x007\0".to_vec();
        for note in notes.split('|').filter(|n| !n.is_empty()) {
            let (first, second) = note.split_once('>').unwrap_or((note, ""));
            bytes.extend([first.as_bytes(), b"\0", second.as_bytes(), b"\0"].concat());
        }
        Changes::read(&bytes, Path::new("/copies"), 7, OsStr::new("./own"))
    }

    #[test]
    fn the_first_note_of_a_path_counts() {
        assert!(changes("").is_nothing());
        let file = State::File { copy: "/copies/files.7.0.640".into(), mode: 0o640 };
        for (notes, expected) in [
            ("a/x|f/x>files.7.0.644", &[("/x", State::Absent)][..]),
            ("f/x>files.7.0.640|a/x", &[("/x", file.clone())]),
            ("l/x>to|d/y>755", &[("/x", State::Link("to".into())), ("/y", State::Folder(0o755))]),
            // Moved with the folder that the program made.
            ("a/made|f/made/x>files.7.0.644|u/made/y>large", &[("/made", State::Absent)]),
        ] {
            let found = changes(notes);
            let expected: Vec<_> = expected.iter().map(|(path, state)| (PathBuf::from(path), state.clone())).collect();
            assert_eq!((found.before.into_iter().collect::<Vec<_>>(), found.lost), (expected, vec![]), "{notes}");
        }
        let lost = |notes| changes(notes).lost.len();
        assert_eq!([lost("u/x>large"), lost("a/x|u/x>large"), lost("d/x>755|u/x>moved")], [1, 0, 1]);
        assert_eq!(changes("oopens sockets|oopens sockets|!").outside, ["opens sockets"]);
    }

    #[test]
    fn one_program_of_many_starts_from_what_those_before_it_left() {
        let notes =
            b"s/bin/one\x007\0a/x\0\0oopens sockets\x007\0s/bin/two\x008\0f/x\0files.8.0.644\0oopens a fifo\x008\0\
            xone\x008\0xgnuplot\x0012\0s/bin/three\x009\0f/y\0files.9.0.600\0oforks\x009\0";
        let of = |pid| Changes::read_one(notes, Path::new("/c"), pid, OsStr::new("two"));
        let two = of(8);
        let copy = |name: &str, mode| State::File { copy: Path::new("/c").join(name), mode };
        let before: Vec<_> = two.before.into_iter().collect();
        let expected = [("/x", copy("files.8.0.644", 0o644)), ("/y", copy("files.9.0.600", 0o600))];
        assert_eq!(before, expected.map(|(path, state)| (PathBuf::from(path), state)));
        assert_eq!((two.outside, two.unseen), (vec!["opens a fifo".to_owned()], vec!["gnuplot".to_owned()]));
        assert_eq!(of(7).outside, ["opens sockets"]);
        assert_eq!(of(7).before[Path::new("/x")], State::Absent);
        assert_eq!(of(9).before.len(), 1);
        assert_eq!(of(99).unseen, ["two"]);
    }

    #[test]
    fn programs_that_are_not_seen_are_named() {
        assert_eq!(changes("x/usr/bin/gnuplot|xown|xcp a b|s/bin/own").unseen, ["cp a b", "gnuplot"]);
        assert_eq!(changes("n/usr/bin/python3>9").unseen, ["python3"]);
        assert_eq!(Changes::read(b"", Path::new(""), 7, OsStr::new("/bin/sh")).unseen, ["sh"]);
    }
}
