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
    /// The program did something that concerns others than itself: what, in words that follow "it", and the process.
    Outside = b'o',
    /// A process whose changes are seen: its program, and its number.
    Watch = b's',
    /// A process whose changes cannot be seen.
    Blind = b'n',
    /// Another program was started, by the process.
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

/// How a process was started, beside the records: so that it can be started again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Started<'a> {
    /// The file of its program.
    pub program: &'a [u8],
    pub folder: &'a [u8],
    /// What its standard input was, by the kernel's name for it, and how far it had been read.
    pub input: &'a [u8],
    pub input_position: u64,
    /// The name that it was called by, and its arguments.
    pub arguments: Vec<&'a [u8]>,
    /// `NAME=value`.
    pub environment: Vec<&'a [u8]>,
}

impl Started<'_> {
    /// The file that tells it of a process.
    pub fn name(records: &str, pid: u32) -> String {
        format!("{records}.{pid}.start")
    }

    /// The process of such a file.
    pub fn pid_of(records: &str, name: &str) -> Option<u32> {
        name.strip_prefix(records)?.strip_prefix('.')?.strip_suffix(".start")?.parse().ok()
    }

    /// Texts with a NUL behind each: the four above, the number of arguments, they, and the environment.
    pub fn encode(&self) -> Vec<u8> {
        let numbers = [self.input_position.to_string(), self.arguments.len().to_string()];
        let head = [self.program, self.folder, self.input, numbers[0].as_bytes(), numbers[1].as_bytes()];
        let texts = head.into_iter().chain(self.arguments.iter().copied()).chain(self.environment.iter().copied());
        texts.flat_map(|text| text.iter().copied().chain([0])).collect()
    }

    /// `None` if the process was stopped while it wrote.
    pub fn decode(bytes: &[u8]) -> Option<Started<'_>> {
        let mut texts = bytes.strip_suffix(b"\0")?.split(|b| *b == 0);
        let [program, folder, input] = [texts.next()?, texts.next()?, texts.next()?];
        let mut number = || str::from_utf8(texts.next()?).ok()?.parse::<u64>().ok();
        let (input_position, count) = (number()?, usize::try_from(number()?).ok()?);
        let arguments: Vec<&[u8]> = texts.by_ref().take(count).collect();
        let is_whole = arguments.len() == count && count > 0;
        is_whole.then(|| Started { program, folder, input, input_position, arguments, environment: texts.collect() })
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
    fn starts_read_back() {
        let started = Started {
            program: b"/bin/a",
            folder: b"/a b",
            input: b"pipe:[7]",
            input_position: 12,
            arguments: vec![b"./a", b"", b"-v"],
            environment: vec![b"PATH=/bin", b"X="],
        };
        let bytes = started.encode();
        assert_eq!(Started::decode(&bytes), Some(started));
        for end in 0..bytes.len() - 20 {
            assert_eq!(Started::decode(&bytes[..end]), None, "{end}");
        }
        assert_eq!(Started::pid_of("files", &Started::name("files", 17)), Some(17));
        assert_eq!(Started::pid_of("files", "files.17.0.644"), None);
    }

    #[test]
    fn records_read_back_as_far_as_they_go() {
        let bytes = b"a/a b\0\0f/x\0files.7.1.644\0l/z";
        let read: Vec<_> = records(bytes).map(|r| (r.was, r.path, r.second)).collect();
        assert_eq!(read, [(Was::Absent, &b"/a b"[..], &b""[..]), (Was::File, b"/x", b"files.7.1.644")]);
        assert_eq!(mode_of_copy(&copy_name("a.b", 7, 1, 0o4755)), Some(0o4755));
    }
}
