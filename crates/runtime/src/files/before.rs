//! What is at a path, and a copy of it if it is a file.
//!
//! A file is looked at through a descriptor that only names it (`O_PATH`): closing one that can read would give up the
//! locks (`fcntl`) that the program holds on that file. A copy needs one that can read, and is made before the program's first
//! change only: if the program has a lock on the file by then, no copy is made.

use super::functions::raw;
use super::{PLACE, Text, is_noted, listens, note, outside};
use crate::say::KeepErrno;
use ::libc::{AT_FDCWD, O_CLOEXEC, O_CREAT, O_DIRECTORY, O_EXCL, O_NOATIME, O_NOFOLLOW, O_PATH, O_RDONLY, O_WRONLY};
use ::libc::{c_int, c_long};
use nonius_abi::files::{MOST_COPIED, Was};
use std::ffi::CStr;
use std::fmt::Write;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

type Path = Text<4097>;

/// What was at a path, ready to be noted.
pub struct Before {
    was: Was,
    path: Path,
    second: Path,
}

/// Whether a link at the end of a path is what is changed, or what it leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Links {
    Follow,
    Stay,
}

impl Before {
    /// What is at a path now, unless that was noted before.
    pub fn at(folder: c_int, path: &CStr, links: Links) -> Option<Before> {
        if !listens() || path.is_empty() {
            return None;
        }
        let _errno = KeepErrno::new();
        let flags = O_PATH | O_CLOEXEC | if links == Links::Stay { O_NOFOLLOW } else { 0 };
        let Some(named) = Fd::open(folder, path, flags) else { return Before::absent(folder, path, links) };
        Before::of(&named)
    }

    /// Something that was just made there.
    pub fn new_at(path: &CStr) -> Option<Before> {
        Before::absent(AT_FDCWD, path, Links::Stay)
    }

    /// The same of what a descriptor stands for.
    pub fn behind(fd: c_int) -> Option<Before> {
        if !listens() {
            return None;
        }
        let _errno = KeepErrno::new();
        let named = Fd::open(AT_FDCWD, descriptor_path(fd).as_c_str()?, O_PATH | O_CLOEXEC)?;
        Before::of(&named)
    }

    fn of(named: &Fd) -> Option<Before> {
        let status = status(named.0)?;
        let path = name_of(named.0)?;
        if status.st_nlink == 0 || is_foreign(path.as_bytes()) || is_noted(path.as_bytes()) {
            return None;
        }
        let mut second = Path::new();
        let was = match status.st_mode & ::libc::S_IFMT {
            ::libc::S_IFREG => copy(named, &status, &mut second),
            ::libc::S_IFLNK => target(named, &mut second),
            ::libc::S_IFDIR => {
                let _ = write!(second, "{:o}", status.st_mode & 0o7777);
                Was::Folder
            }
            ::libc::S_IFIFO => {
                outside("opens a fifo");
                return None;
            }
            _ => {
                outside("writes to a device");
                return None;
            }
        };
        Some(Before { was, path, second })
    }

    /// Nothing is there: the folder, if there is one, and the name tell where.
    fn absent(folder: c_int, path: &CStr, links: Links) -> Option<Before> {
        let bytes = path.to_bytes();
        let bytes = &bytes[..bytes.iter().rposition(|b| *b != b'/')? + 1];
        let cut = bytes.iter().rposition(|b| *b == b'/');
        let mut parent = Path::new();
        parent.push(match cut {
            Some(0) => b"/",
            Some(cut) => &bytes[..cut],
            None => b".",
        });
        let parent = Fd::open(folder, parent.as_c_str()?, O_PATH | O_CLOEXEC | O_DIRECTORY)?;
        let mut whole = name_of(parent.0)?;
        if whole.as_bytes() != b"/" {
            whole.push(b"/");
        }
        whole.push(&bytes[cut.map_or(0, |cut| cut + 1)..]);
        let noted = is_foreign(whole.as_bytes()) || is_noted(whole.as_bytes());
        // A link that leads nowhere: what is made is where it leads.
        let dangling = links == Links::Follow && Fd::open(folder, path, O_PATH | O_CLOEXEC | O_NOFOLLOW).is_some();
        let mut second = Path::new();
        second.push(if dangling { b"made through a link" } else { b"" });
        let was = if dangling { Was::Lost } else { Was::Absent };
        (!noted).then_some(Before { was, path: whole, second })
    }

    /// It is going to be moved: of a folder that was there, all that is in it.
    pub fn moving(mut self) -> Before {
        if self.was == Was::Folder {
            self.was = Was::Lost;
            self.second.used = 0;
            self.second.push(b"a folder that was moved");
        }
        self
    }

    /// The change took place.
    pub fn note(self) {
        note(self.was, self.path.as_bytes(), self.second.as_bytes());
    }

    /// It did not.
    pub fn forget(self) {
        if self.was == Was::File
            && let Some(place) = PLACE.get()
        {
            let mut path = Path::new();
            path.push(&place.to_bytes()[..folder_length(place)]);
            path.push(self.second.as_bytes());
            if let Some(path) = path.as_c_str() {
                raw(::libc::SYS_unlink, [path.as_ptr() as c_long, 0, 0, 0]);
            }
        }
    }
}

/// A descriptor of the runtime's, closed when dropped.
struct Fd(c_int);

impl Fd {
    fn open(folder: c_int, path: &CStr, flags: c_int) -> Option<Fd> {
        let fd = raw(::libc::SYS_openat, [c_long::from(folder), path.as_ptr() as c_long, c_long::from(flags), 0o600]);
        (fd >= 0).then_some(Fd(fd as c_int))
    }
}

impl Drop for Fd {
    fn drop(&mut self) {
        // SAFETY: this one's own descriptor.
        unsafe { ::libc::close(self.0) };
    }
}

pub fn status(fd: c_int) -> Option<::libc::stat> {
    let mut status = MaybeUninit::<::libc::stat>::zeroed();
    // SAFETY: `status` has room for what is filled in; zero bytes are valid too.
    unsafe { (::libc::fstat(fd, status.as_mut_ptr()) == 0).then_some(status.assume_init()) }
}

fn descriptor_path(fd: c_int) -> Text<32> {
    let mut path = Text::new();
    let _ = write!(path, "/proc/self/fd/{fd}");
    path
}

/// The path of what is open, with links resolved.
fn name_of(fd: c_int) -> Option<Path> {
    let mut name = Path::new();
    let mut link = descriptor_path(fd);
    // SAFETY: `link` is a string with its end; one byte less than there is room for.
    let used = unsafe { ::libc::readlink(link.as_c_str()?.as_ptr(), name.bytes.as_mut_ptr().cast(), 4096) };
    name.used = usize::try_from(used).ok()?;
    name.as_bytes().starts_with(b"/").then_some(name)
}

fn target(named: &Fd, second: &mut Path) -> Was {
    // SAFETY: an empty path stands for the descriptor itself; one byte less than there is room for.
    let used = unsafe { ::libc::readlinkat(named.0, c"".as_ptr(), second.bytes.as_mut_ptr().cast(), 4096) };
    second.used = usize::try_from(used).unwrap_or(0);
    Was::Link
}

/// What is not kept on disks, and concerns nobody else: graphics cards and the like compute for whoever asks.
fn is_foreign(path: &[u8]) -> bool {
    let devices = [&b"null"[..], b"zero", b"full", b"random", b"urandom", b"tty", b"ptmx", b"kfd"];
    let kinds = [&b"pts/"[..], b"fd/", b"dri/", b"nvidia", b"infiniband/"];
    match path.strip_prefix(b"/dev/") {
        Some(name) => devices.contains(&name) || kinds.iter().any(|kind| name.starts_with(kind)),
        None => path.starts_with(b"/proc/") || path.starts_with(b"/sys/"),
    }
}

/// Bytes that were copied by this process.
static COPIED: AtomicU64 = AtomicU64::new(0);
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Copies a file; its name, or why there is none, goes to `second`.
fn copy(named: &Fd, status: &::libc::stat, second: &mut Path) -> Was {
    match try_copy(named, status, second) {
        Ok(()) => Was::File,
        Err(why) => {
            second.used = 0;
            second.push(why);
            Was::Lost
        }
    }
}

fn try_copy(named: &Fd, status: &::libc::stat, second: &mut Path) -> Result<(), &'static [u8]> {
    const FAILED: &[u8] = b"could not be copied";
    let bytes = status.st_size as u64;
    if status.st_nlink > 1 {
        return Err(b"has more than one name");
    }
    if bytes > file_limit() || COPIED.fetch_add(bytes, Ordering::Relaxed) + bytes > MOST_COPIED {
        return Err(b"too large to be copied");
    }
    if is_locked(status.st_ino) {
        return Err(b"locked by the program before it was opened for writing");
    }
    let mut path = descriptor_path(named.0);
    let path = path.as_c_str().ok_or(FAILED)?;
    let flags = O_RDONLY | O_CLOEXEC;
    // The time of the last access is the user's too; only an owner may ask for that.
    let from = Fd::open(AT_FDCWD, path, flags | O_NOATIME).or_else(|| Fd::open(AT_FDCWD, path, flags)).ok_or(FAILED)?;
    let place = PLACE.get().ok_or(FAILED)?;
    let start = folder_length(place);
    let mut copy = Path::new();
    copy.push(place.to_bytes());
    // SAFETY: has no preconditions.
    let (pid, number) = (unsafe { ::libc::getpid() }, NUMBER.fetch_add(1, Ordering::Relaxed));
    let _ = write!(copy, ".{pid}.{number}.{:o}", status.st_mode & 0o7777);
    second.push(&copy.as_bytes()[start..]);
    let to =
        Fd::open(AT_FDCWD, copy.as_c_str().ok_or(FAILED)?, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC).ok_or(FAILED)?;
    let mut left = bytes;
    while left > 0 {
        // SAFETY: both descriptors are open; null stands for their own positions.
        let sent = unsafe { ::libc::sendfile(to.0, from.0, std::ptr::null_mut(), left.min(1 << 30) as usize) };
        if sent <= 0 {
            return Err(FAILED);
        }
        left -= (sent as u64).min(left);
    }
    let omit = ::libc::timespec { tv_sec: 0, tv_nsec: ::libc::UTIME_OMIT };
    let changed = ::libc::timespec { tv_sec: status.st_mtime, tv_nsec: status.st_mtime_nsec };
    let times = [omit, changed];
    let (fd, times) = (c_long::from(to.0), times.as_ptr() as c_long);
    if raw(::libc::SYS_utimensat, [fd, 0, times, 0]) == 0 { Ok(()) } else { Err(FAILED) }
}

/// Up to and with the last slash.
fn folder_length(path: &CStr) -> usize {
    path.to_bytes().iter().rposition(|b| *b == b'/').map_or(0, |slash| slash + 1)
}

/// Larger files than this end the program by a signal.
fn file_limit() -> u64 {
    let mut limit = MaybeUninit::<::libc::rlimit>::zeroed();
    // SAFETY: `limit` has room for what is filled in; zero bytes are valid too.
    unsafe {
        ::libc::getrlimit(::libc::RLIMIT_FSIZE, limit.as_mut_ptr());
        limit.assume_init().rlim_cur
    }
}

/// Whether this process has a lock on a file: `5: POSIX  ADVISORY  READ 1234 08:01:5678 0 EOF`.
fn is_locked(inode: u64) -> bool {
    let Some(locks) = Fd::open(AT_FDCWD, c"/proc/locks", O_RDONLY | O_CLOEXEC) else { return false };
    let (mut owner, mut file) = (Text::<24>::new(), Text::<24>::new());
    // SAFETY: has no preconditions.
    let _ = write!(owner, "{}", unsafe { ::libc::getpid() });
    let _ = write!(file, ":{inode}");
    let is_own = |line: &[u8]| {
        let mut words = line.split(|b| *b == b' ').filter(|word| !word.is_empty());
        words.any(|word| word == owner.as_bytes()) && words.next().is_some_and(|word| word.ends_with(file.as_bytes()))
    };
    let mut room = [0; 4096];
    let mut used = 0;
    loop {
        // SAFETY: writes to what is left of `room`.
        let got = unsafe { ::libc::read(locks.0, room[used..].as_mut_ptr().cast(), room.len() - used) };
        if got <= 0 {
            return false;
        }
        used += got as usize;
        let end = room[..used].iter().rposition(|b| *b == b'\n').map_or(used, |end| end + 1);
        if room[..end].split(|b| *b == b'\n').any(is_own) {
            return true;
        }
        room.copy_within(end..used, 0);
        used -= end;
    }
}
