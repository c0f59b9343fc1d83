//! The report that is shown, and whether it has changed.

use crate::commands::{report, reports};
use anyhow::Result;
use nonius_finding::Report;
use nonius_report::{Sources, html};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

pub(super) struct Watched {
    /// What the user named; the last report that was kept if nothing.
    files: Vec<PathBuf>,
    shown: Mutex<Shown>,
}

/// The last page that could be made.
struct Shown {
    version: String,
    page: String,
}

impl Watched {
    /// Fails if there is no report now: later one may be half written.
    pub(super) fn new(files: Vec<PathBuf>) -> Result<Watched> {
        let (version, report) = read(&files)?;
        let shown = Mutex::new(Shown { version, page: page(&report) });
        Ok(Watched { files, shown })
    }

    pub(super) fn name(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        if names.is_empty() { "the last report".to_owned() } else { names.join(", ") }
    }

    /// The page of the report as it is now; of the one before while that cannot be read.
    pub(super) fn page(&self) -> String {
        self.refresh(|shown| shown.page.clone())
    }

    /// Another text for each state of the report.
    pub(super) fn version(&self) -> String {
        self.refresh(|shown| shown.version.clone())
    }

    fn refresh(&self, get: impl Fn(&Shown) -> String) -> String {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let is_changed = state(&self.files).is_ok_and(|now| now != shown.version);
        if is_changed && let Ok((version, report)) = read(&self.files) {
            *shown = Shown { version, page: page(&report) };
        }
        get(&shown)
    }
}

fn read(files: &[PathBuf]) -> Result<(String, Report)> {
    // Before it is read: what is written meanwhile is seen the next time.
    let version = state(files)?;
    let report = match files.is_empty() {
        true => nonius_report::json::read(&report::last_path()?)?,
        false => reports::read_all(files)?,
    };
    Ok((version, report))
}

fn page(report: &Report) -> String {
    html::write_live(report, &mut Sources::new(env::current_dir().ok()))
}

/// Files, their times and sizes.
fn state(files: &[PathBuf]) -> Result<String> {
    let named = if files.is_empty() { vec![report::last_path()?] } else { files.to_vec() };
    let mut all = Vec::new();
    for path in named {
        match path.is_dir() {
            true => all.extend(fs::read_dir(&path)?.flatten().map(|entry| entry.path())),
            false => all.push(path),
        }
    }
    all.sort();
    Ok(all.iter().map(|path| state_of(path)).collect::<Vec<_>>().join(" "))
}

fn state_of(path: &Path) -> String {
    let Ok(data) = fs::metadata(path) else { return "-".to_owned() };
    let time = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "{}.{}.{:x}",
        time.as_nanos(),
        data.len(),
        name.bytes().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonius_finding::Program;

    #[test]
    fn a_new_report_is_shown_and_a_broken_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let write = |name: &str| {
            let program = Program { path: name.into(), ..Program::default() };
            fs::write(&path, nonius_report::json::write(&Report::new(program, "residue")).unwrap()).unwrap();
        };
        assert!(Watched::new(vec![path.clone()]).is_err());
        write("/bin/first");
        let watched = Watched::new(vec![path.clone()]).unwrap();
        let before = watched.version();
        assert!(watched.page().contains("/bin/first") && before == watched.version());
        write("/bin/the-second");
        assert!(watched.version() != before && watched.page().contains("/bin/the-second"));
        let good = watched.version();
        fs::write(&path, "{").unwrap();
        assert!(watched.version() == good && watched.page().contains("/bin/the-second"));
        fs::remove_file(&path).unwrap();
        assert!(watched.page().contains("/bin/the-second"));
    }
}
