//! The last reports of this user, so that `nonius explain` and `nonius report` need no file.
//!
//! ```text
//!  $XDG_STATE_HOME/nonius/ or ~/.local/state/nonius/    mode 0700
//!    <nanoseconds>-<process>-<working folder>.json      a report, in the order of their names
//!    <nanoseconds>-<process>-<working folder>.html      a page that was opened
//! ```
//! The oldest go when there are too many, or they are too large together. The folder must be this user's own and no link.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Reports that are kept.
const MOST: usize = 32;
/// Pages that are kept.
const MOST_PAGES: usize = 4;
/// What all of them may take, in bytes; the newest is kept whatever it takes.
const MOST_BYTES: u64 = 256 << 20;

/// The folder of kept reports.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    /// Which of them are of this working folder.
    here: String,
}

impl Kept {
    pub fn of_this_user() -> io::Result<Kept> {
        let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local/state")));
        let state = state.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
        Kept::under(&state, &env::current_dir()?)
    }

    fn under(state: &Path, working_folder: &Path) -> io::Result<Kept> {
        let folder = state.join("nonius");
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let found = fs::symlink_metadata(&folder)?;
        // The kernel shows it as owned by whoever asks.
        let own = fs::metadata("/proc/self").map(|own| own.uid());
        if !found.is_dir() || found.mode() & 0o022 != 0 || own.is_ok_and(|own| own != found.uid()) {
            return Err(io::Error::other(format!("{} is a link, or others can write there", folder.display())));
        }
        Ok(Kept { folder, here: format!("{:016x}", hash(working_folder.as_os_str())) })
    }

    /// Keeps a report, and drops the oldest if there are too many.
    pub fn keep(&self, json: &str) -> io::Result<PathBuf> {
        let path = self.name("json");
        nonius_report::create::write(&path, json.as_bytes())?;
        self.drop_oldest();
        Ok(path)
    }

    /// Where a page goes that is to be opened.
    pub fn page(&self) -> PathBuf {
        self.name("html")
    }

    fn name(&self, extension: &str) -> PathBuf {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        self.folder.join(format!("{now:020}-{}-{}.{extension}", process::id(), self.here))
    }

    /// All reports: those of this working folder first, then the others, the newest first.
    pub fn reports(&self) -> Vec<PathBuf> {
        let mut paths = self.newest_first("json");
        let is_elsewhere =
            |path: &PathBuf| !path.file_stem().is_some_and(|n| n.to_string_lossy().ends_with(&self.here));
        paths.sort_by_key(is_elsewhere);
        paths
    }

    fn newest_first(&self, extension: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == extension));
        paths.sort();
        paths.reverse();
        paths
    }

    fn drop_oldest(&self) {
        let mut bytes = 0;
        for (extension, most) in [("json", MOST), ("html", MOST_PAGES)] {
            for (index, path) in self.newest_first(extension).iter().enumerate() {
                bytes += fs::symlink_metadata(path).map_or(0, |m| m.len());
                if index > 0 && (index >= most || bytes > MOST_BYTES) {
                    // Another run may have been faster.
                    let _ = fs::remove_file(path);
                }
            }
        }
    }
}

/// How long ago a report was kept: `5 s ago`, `3 days ago`.
pub fn age(path: &Path) -> String {
    let age = fs::metadata(path).and_then(|m| m.modified()).ok().and_then(|then| then.elapsed().ok());
    let seconds = age.unwrap_or(Duration::ZERO).as_secs();
    match seconds {
        0..120 => format!("{seconds} s ago"),
        120..7200 => format!("{} min ago", seconds / 60),
        7200..172_800 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// FNV-1a: the same from one version of Nonius to the next.
fn hash(text: &OsStr) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn the_newest_of_this_folder_comes_first_and_the_oldest_go() {
        let state = tempfile::tempdir().unwrap();
        let kept = |folder: &str| Kept::under(state.path(), Path::new(folder)).unwrap();
        let first = kept("/a").keep("1").unwrap();
        let second = kept("/b").keep("2").unwrap();
        let third = kept("/a").keep("3").unwrap();
        assert_eq!(kept("/a").reports(), [third.clone(), first.clone(), second.clone()]);
        assert_eq!(kept("/c").reports(), [third, second, first]);
        for _ in 0..2 * MOST {
            kept("/a").keep("x").unwrap();
        }
        assert_eq!(kept("/a").reports().len(), MOST);
        assert_eq!(fs::metadata(state.path().join("nonius")).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_of_somebody_elses_making_is_not_used() {
        let state = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        symlink(elsewhere.path(), state.path().join("nonius")).unwrap();
        assert!(Kept::under(state.path(), Path::new("/a")).is_err());
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        fs::remove_file(state.path().join("nonius")).unwrap();
        fs::create_dir(state.path().join("nonius")).unwrap();
        fs::set_permissions(state.path().join("nonius"), fs::Permissions::from_mode(0o777)).unwrap();
        assert!(Kept::under(state.path(), Path::new("/a")).is_err());
    }
}
