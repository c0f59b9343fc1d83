//! What was at a path before the program changed it, as the runtime tells `nonius run`: the second run starts from there.
//!
//! ```text
//! | what was there (a letter) | path | NUL | more about it | NUL |
//! ```
//! Records of all processes of a run are in one file, in the order of the changes; the first of a path counts. Copies of
//! files are beside it, named by [`copy_name`] and with the time of change of the original.

/// What was at a path. `Outside` and below are not about paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Was {
    Absent = b'a',
    /// A file, of which a copy was made: its name.
    File = b'f',
    /// A symbolic link: where to.
    Link = b'l',
    /// A folder: its mode, in octal.
    Folder = b'd',
    /// Something of which no copy could be made: why.
    Lost = b'u',
    /// The program did something that concerns others than itself: what, in words that follow "it".
    Outside = b'o',
    /// A process whose changes are seen: its program, and its number.
    Watch = b's',
    /// A process whose changes cannot be seen.
    Blind = b'n',
    /// Another program was started.
    Start = b'x',
    /// There was more than is kept.
    More = b'!',
}

impl Was {
    pub fn from_letter(letter: u8) -> Option<Was> {
        use Was::{Absent, Blind, File, Folder, Link, Lost, More, Outside, Start, Watch};
        let all = [Absent, File, Link, Folder, Lost, Outside, Watch, Blind, Start, More];
        all.into_iter().find(|was| *was as u8 == letter)
    }
}

/// Copies that a process makes take at most so many bytes.
pub const MOST_COPIED: u64 = 256 << 20;

/// The file that holds a copy: the records' own name, the process, a number, and the original's mode in octal.
pub fn copy_name(records: &str, pid: u32, number: u32, mode: u32) -> String {
    format!("{records}.{pid}.{number}.{mode:o}")
}

/// The original's mode, from the name of a copy.
pub fn mode_of_copy(name: &str) -> Option<u32> {
    u32::from_str_radix(name.rsplit('.').next()?, 8).ok()
}

/// The functions of the C library that the runtime listens to, by defining them itself in front of the C library.
pub const FUNCTIONS: &[&str] = &[
    "open",
    "open64",
    "openat",
    "openat64",
    "__open_2",
    "__open64_2",
    "__openat_2",
    "__openat64_2",
    "creat",
    "creat64",
    "fopen",
    "fopen64",
    "freopen",
    "freopen64",
    "mkstemp",
    "mkstemp64",
    "mkostemp",
    "mkostemp64",
    "mkstemps",
    "mkstemps64",
    "mkostemps",
    "mkostemps64",
    "mkdtemp",
    "mkdir",
    "mkdirat",
    "mkfifo",
    "mkfifoat",
    "mknod",
    "mknodat",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "unlink",
    "unlinkat",
    "rmdir",
    "remove",
    "truncate",
    "truncate64",
    "rename",
    "renameat",
    "renameat2",
    "chmod",
    "fchmod",
    "fchmodat",
    "chown",
    "lchown",
    "fchown",
    "fchownat",
    "utime",
    "utimes",
    "utimensat",
    "futimens",
    "shm_open",
    "shm_unlink",
    "socket",
    "kill",
    "shmget",
    "semget",
    "msgget",
    "mq_open",
    "syscall",
    "system",
    "popen",
    "execv",
    "execvp",
    "execve",
    "execvpe",
    "posix_spawn",
    "posix_spawnp",
];

/// A record as read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    pub was: Was,
    pub path: &'a [u8],
    pub second: &'a [u8],
}

/// The records of a file. Ends at the first that makes no sense: a process may have been stopped within.
pub fn records(mut bytes: &[u8]) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        let (&letter, rest) = bytes.split_first()?;
        let was = Was::from_letter(letter)?;
        let (path, rest) = until_nul(rest)?;
        let (second, rest) = until_nul(rest)?;
        bytes = rest;
        Some(Record { was, path, second })
    })
}

fn until_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|b| *b == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back_as_far_as_they_go() {
        let bytes = b"a/a b\0\0f/x\0files.7.1.644\0l/z";
        let read: Vec<_> = records(bytes).map(|r| (r.was, r.path, r.second)).collect();
        assert_eq!(read, [(Was::Absent, &b"/a b"[..], &b""[..]), (Was::File, b"/x", b"files.7.1.644")]);
        assert_eq!(mode_of_copy(&copy_name("a.b", 7, 1, 0o4755)), Some(0o4755));
    }
}
