//! Files that Nonius writes where the user says: made anew, so that a link which somebody else has put there leads nowhere.
//!
//! Existing files are emptied and written, streams (pipes, terminals, `/dev/null`) are written as they are. A symbolic
//! link is replaced by a file of its own, unless it is one of the kernel's, such as `/dev/stdout`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// `O_NOFOLLOW` of Linux on x86-64.
const NO_FOLLOW: i32 = 0o400_000;
/// `ELOOP`: the last part of a path is a link.
const LOOP: i32 = 40;

/// A file to write from its beginning.
pub fn create(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().write(true).truncate(true))
}

/// The same, to write at its end, without emptying it.
pub fn append(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().append(true))
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create(path)?.write_all(bytes)
}

fn open(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    // Whoever puts a link there as often as it is removed gets an error.
    const TRIES: usize = 3;
    if ["/dev/", "/proc/"].iter().any(|kernels| path.starts_with(kernels)) {
        return how.open(path);
    }
    how.create(true).custom_flags(NO_FOLLOW);
    for _ in 0..TRIES {
        match how.open(path) {
            Err(error) if error.raw_os_error() == Some(LOOP) => fs::remove_file(path)?,
            opened => return opened,
        }
    }
    Err(io::Error::other("a symbolic link comes back as often as it is replaced"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn is_link(path: &Path) -> bool {
        path.symlink_metadata().is_ok_and(|status| status.is_symlink())
    }

    #[test]
    fn a_link_is_replaced_and_leads_nowhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for (kind, opener) in [("create", create as fn(&Path) -> io::Result<File>), ("append", append)] {
            fs::write(at("theirs"), "kept").expect("a file in the test's own folder");
            symlink(at("theirs"), at(kind)).expect("a link");
            opener(&at(kind)).and_then(|mut file| file.write_all(b"ours")).expect("replaced");
            assert_eq!(fs::read(at("theirs")).expect("still there"), b"kept");
            assert_eq!(fs::read(at(kind)).expect("made"), b"ours");
            assert!(!is_link(&at(kind)));
        }
        symlink(at("missing"), at("dangling")).expect("a link");
        write(&at("dangling"), b"ours").expect("replaced");
        assert!(!at("missing").exists());
    }

    #[test]
    fn files_are_written_over_and_the_kernels_links_are_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report");
        write(&path, b"a long one").expect("made");
        write(&path, b"short").expect("written over");
        append(&path).and_then(|mut file| file.write_all(b"er")).expect("added to");
        assert_eq!(fs::read(&path).expect("there"), b"shorter");
        for stream in ["/dev/null", "/dev/stderr", "/proc/self/fd/2"] {
            create(Path::new(stream)).unwrap_or_else(|error| panic!("{stream}: {error}"));
        }
        // A link in the way to the file is the user's own.
        let linked = folder.path().join("linked");
        symlink(folder.path(), &linked).expect("a link");
        write(&linked.join("report"), b"there").expect("through a folder's link");
        assert_eq!(fs::read(&path).expect("there"), b"there");
    }
}
