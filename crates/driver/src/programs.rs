//! The programs of a run that started several, `make check` or `cargo test` say: what each reported, and how it was started,
//! so that it can run again by itself.

use crate::combine::combine;
use crate::run::FILES;
use nonius_abi::files::Started;
use nonius_finding::Report;
use nonius_report::json::{self, ReadError};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

/// A program of a run, with what it and the processes that it forked reported.
#[derive(Debug)]
pub struct Part {
    /// `None` if that is not known.
    pub start: Option<ProgramStart>,
    pub report: Report,
}

/// How a program was started.
#[derive(Debug, Clone)]
pub struct ProgramStart {
    pub pid: u32,
    /// What to call to start it again.
    pub program: OsString,
    pub arguments: Vec<OsString>,
    pub folder: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
    input: PathBuf,
    input_position: u64,
    /// When its start was written down.
    time: SystemTime,
}

impl ProgramStart {
    fn read(path: &Path, pid: u32) -> Option<ProgramStart> {
        let bytes = fs::read(path).ok()?;
        let time = fs::metadata(path).and_then(|status| status.modified()).ok()?;
        let started = Started::decode(&bytes)?;
        let text = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
        let folder = PathBuf::from(text(started.folder));
        let (name, arguments) = started.arguments.split_first()?;
        // By the name that it was called by, which it may look at; by its file, if that name leads nowhere from there.
        let is_there = !name.contains(&b'/') || folder.join(OsStr::from_bytes(name)).is_file();
        let pair = |line: &&[u8]| {
            let at = line.iter().skip(1).position(|b| *b == b'=')? + 1;
            Some((text(&line[..at]), text(&line[at + 1..])))
        };
        Some(ProgramStart {
            pid,
            program: text(if is_there && !name.is_empty() { name } else { started.program }),
            arguments: arguments.iter().map(|argument| text(argument)).collect(),
            folder,
            environment: started.environment.iter().filter_map(pair).collect(),
            input: text(started.input).into(),
            input_position: started.input_position,
            time,
        })
    }

    /// A variable of its environment.
    fn variable(&self, name: &str) -> Option<String> {
        let value = self.environment.iter().find(|(other, _)| other == name)?.1.to_str()?;
        Some(value.to_owned())
    }

    /// Whether its file is still there: that of a doctest is not.
    pub fn is_there(&self) -> bool {
        let has_folder = self.program.as_bytes().contains(&b'/');
        !has_folder || self.folder.join(&self.program).is_file()
    }

    /// Whether its standard input is this one, by the kernel's name for it.
    pub fn reads_from(&self, input: &Path) -> bool {
        self.input == input
    }

    /// Its standard input once more, or why it cannot be had.
    pub fn input_again(&self) -> Result<Stdio, String> {
        let input = &self.input;
        let is_terminal = input.starts_with("/dev/pts") || input == Path::new("/dev/tty");
        if is_terminal || input == Path::new("/dev/null") || input.as_os_str().is_empty() {
            return Ok(Stdio::null());
        }
        let file = fs::metadata(input).ok().filter(|status| status.is_file());
        match file.and_then(|_| File::open(input).ok()) {
            Some(file) if self.input_position == 0 => Ok(file.into()),
            Some(_) => Err("its standard input is a file that others read from, too".to_owned()),
            None => Err("its standard input came through a pipe".to_owned()),
        }
    }
}

/// The reports of a folder by program, in the order of their start. `root` is the run's own process.
pub(crate) fn parts(folder: &Path, root: u32) -> Result<Vec<Part>, ReadError> {
    let names: Vec<String> = fs::read_dir(folder)
        .map_err(|source| ReadError::Io { path: folder.display().to_string(), source })?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let start = |name: &String| {
        let pid = Started::pid_of(FILES, name)?;
        Some((pid, ProgramStart::read(&folder.join(name), pid)?))
    };
    let starts: BTreeMap<u32, ProgramStart> = names.iter().filter_map(start).collect();
    let mut reports: Vec<(u32, Report)> = Vec::new();
    for name in &names {
        let pid = name.strip_suffix(".json").and_then(|pid| pid.parse().ok());
        if let Some(pid) = pid {
            reports.push((pid, json::read(&folder.join(name))?));
        }
    }
    reports.sort_by_key(|(pid, _)| (*pid != root, *pid));
    let mut by_start: BTreeMap<Option<u32>, Vec<Report>> = BTreeMap::new();
    let of_program: Vec<(u32, String, Vec<String>)> = reports
        .iter()
        .filter(|(pid, _)| starts.contains_key(pid))
        .map(|(pid, report)| (*pid, report.program.path.clone(), report.program.args.clone()))
        .collect();
    for (pid, mut report) in reports {
        // Of a process that was killed, another speaks, which has not its environment.
        if let Some(start) = starts.get(&pid).filter(|_| report.program.rank.is_none()) {
            report.program = report.program.with_rank(|name| start.variable(name));
        }
        // A process that was forked has the program of another.
        let is_same = |(_, path, args): &&(u32, String, Vec<String>)| {
            *path == report.program.path && *args == report.program.args
        };
        let of = Some(pid).filter(|pid| starts.contains_key(pid));
        let of = of.or_else(|| of_program.iter().find(is_same).map(|(pid, ..)| *pid));
        by_start.entry(of).or_default().push(report);
    }
    let part = |(pid, reports): (Option<u32>, Vec<Report>)| {
        Some(Part { start: pid.and_then(|pid| starts.get(&pid).cloned()), report: combine(reports)? })
    };
    let mut parts: Vec<Part> = by_start.into_iter().filter_map(part).collect();
    parts.sort_by_key(|part| match &part.start {
        Some(start) => (false, start.pid != root, Some(start.time)),
        None => (true, true, None),
    });
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::Program;

    fn write(folder: &Path, pid: u32, path: &str, input: &str, is_fork: bool) {
        let program = Program { path: path.to_owned(), pid, ..Program::default() };
        fs::write(folder.join(format!("{pid}.json")), json::write(&Report::new(program, "residue")).unwrap()).unwrap();
        if !is_fork {
            let started = Started {
                program: path.as_bytes(),
                folder: b"/",
                input: input.as_bytes(),
                arguments: vec![b"./gone", b"-v"],
                environment: vec![b"A=1=2", b"odd"],
                ..Started::default()
            };
            fs::write(folder.join(Started::name(FILES, pid)), started.encode()).unwrap();
        }
    }

    #[test]
    fn reports_belong_to_programs() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), 30, "/bin/one", "/dev/null", false);
        write(folder.path(), 20, "/bin/two", "pipe:[3]", false);
        write(folder.path(), 31, "/bin/one", "", true);
        fs::write(folder.path().join("files.30.0.644"), "a copy").unwrap();
        let parts = parts(folder.path(), 7).unwrap();
        assert_eq!(parts.len(), 2);
        let one = parts.iter().find(|part| part.report.program.path == "/bin/one").unwrap();
        assert_eq!(one.report.notes, ["2 processes reported"]);
        let start = one.start.as_ref().unwrap();
        assert_eq!((start.program.to_str(), start.arguments[0].to_str()), (Some("/bin/one"), Some("-v")));
        assert_eq!(start.environment, [("A".into(), "1=2".into())]);
        assert!(start.input_again().is_ok());
        let two = parts.iter().find(|part| part.report.program.path == "/bin/two").unwrap();
        let two = two.start.as_ref().unwrap();
        assert_eq!(two.input_again().unwrap_err(), "its standard input came through a pipe");
        assert!(two.reads_from(Path::new("pipe:[3]")) && !two.reads_from(Path::new("pipe:[4]")));
    }
}
