//! What a program does to files, as the runtime tells `nonius run`: a second run would do it again.
//!
//! ```text
//! | act (a letter) | path | NUL | a second path, or what the file was before | NUL |
//! ```
//! Records follow each other in the order of the acts, those of all processes of a run in one file.

/// What was done. `Start` and below are about processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Act {
    Read = b'r',
    /// It was not there before.
    Create = b'c',
    /// One that was not there before is written at its end: again, if it is there the next time.
    Begin = b'a',
    /// It was there, and was emptied.
    Rewrite = b'w',
    /// It was there, and was opened for writing; whether it was written, `before` tells.
    Update = b'u',
    Remove = b'd',
    /// To a second path where nothing was.
    Move = b'm',
    /// Over what was there.
    MoveOver = b'M',
    /// A process whose files are seen: its program, and its number.
    Watch = b's',
    /// A process whose files cannot be seen.
    Blind = b'n',
    /// Another program was started.
    Start = b'x',
    /// There was more than is kept.
    More = b'!',
}

impl Act {
    pub fn from_letter(letter: u8) -> Option<Act> {
        use Act::{Begin, Blind, Create, More, Move, MoveOver, Read, Remove, Rewrite, Start, Update, Watch};
        let all = [Read, Create, Begin, Rewrite, Update, Remove, Move, MoveOver, Watch, Blind, Start, More];
        all.into_iter().find(|act| *act as u8 == letter)
    }
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
    "mkdtemp",
    "mkdir",
    "mkdirat",
    "link",
    "symlink",
    "unlink",
    "unlinkat",
    "rmdir",
    "remove",
    "truncate",
    "truncate64",
    "rename",
    "renameat",
    "renameat2",
    "lseek",
    "lseek64",
    "system",
    "popen",
    "execv",
    "execvp",
    "execve",
    "execvpe",
    "posix_spawn",
    "posix_spawnp",
];

/// Size and time of change: what they are afterwards tells whether a file was really written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    pub bytes: i64,
    pub seconds: i64,
    pub nanoseconds: i64,
}

impl Before {
    pub const BYTES: usize = 24;

    /// In letters, so that no byte is 0.
    pub fn encode(self) -> [u8; Before::BYTES * 2] {
        let mut text = [0; Before::BYTES * 2];
        let numbers = [self.bytes, self.seconds, self.nanoseconds];
        let raw = numbers.iter().flat_map(|n| n.to_le_bytes());
        for (at, byte) in raw.enumerate() {
            text[2 * at] = b'a' + (byte >> 4);
            text[2 * at + 1] = b'a' + (byte & 15);
        }
        text
    }

    pub fn decode(text: &[u8]) -> Option<Before> {
        let digit = |b: u8| b.checked_sub(b'a').filter(|d| *d < 16);
        let raw = text.chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?));
        let raw: Vec<u8> = raw.collect::<Option<_>>()?;
        let number = |at: usize| Some(i64::from_le_bytes(raw.get(at..at + 8)?.try_into().ok()?));
        let exact = raw.len() == Before::BYTES;
        Some(Before { bytes: number(0)?, seconds: number(8)?, nanoseconds: number(16)? }).filter(|_| exact)
    }
}

/// A record as read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    pub act: Act,
    pub path: &'a [u8],
    pub second: &'a [u8],
}

/// The records of a file. Ends at the first that makes no sense: a process may have been stopped within.
pub fn records(mut bytes: &[u8]) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        let (&letter, rest) = bytes.split_first()?;
        let act = Act::from_letter(letter)?;
        let (path, rest) = until_nul(rest)?;
        let (second, rest) = until_nul(rest)?;
        bytes = rest;
        Some(Record { act, path, second })
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
        let before = Before { bytes: 7, seconds: -1, nanoseconds: 999_999_999 };
        assert_eq!(Before::decode(&before.encode()), Some(before));
        assert_eq!(Before::decode(b"abc"), None);
        assert_eq!(Before::decode(b"zz"), None);
        let bytes = b"c/a b\0\0m/x\0/y\0u/z";
        let read: Vec<_> = records(bytes).map(|r| (r.act, r.path, r.second)).collect();
        assert_eq!(read, [(Act::Create, &b"/a b"[..], &b""[..]), (Act::Move, b"/x", b"/y")]);
    }
}
