//! What the program does to files, for `nonius run`: a second run would do it again.
//!
//! Functions of the C library that open, remove and rename files are defined here too (`functions`). The loader takes
//! these first, for the program and for its libraries, whatever they were compiled by; each calls the next
//! definition, the C library's, and notes what it did. Without `files=` they do nothing else.
//!
//! Such functions are called in signal handlers, between `vfork` and `exec`, and before `main`: noting takes no lock and
//! no memory, and leaves in one `write` to a file that is open from the start.
//! Limits: system calls without the C library are not seen, nor what it opens itself; a program that is loaded
//! before the runtime (an interpreter that loads an instrumented library) is not seen at all, and says so.

mod functions;

pub(crate) use functions::Next;

use crate::options::Options;
use crate::output::of_this_process;
use crate::say::{KeepErrno, say, write_all};
use crate::thread;
use ::libc::c_int;
use nonius_abi::files::{Act, Before};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

/// The file that notes go to, negative if nobody asked for any.
static NOTES: AtomicI32 = AtomicI32::new(-1);
/// Notes so far.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// More say nothing that these do not.
const MOST_NOTES: u32 = 20_000;

pub fn start(options: &Options) {
    functions::resolve();
    let Some(path) = options.files.as_deref().map(of_this_process) else { return };
    let opened = nonius_report::create::append(&path);
    match opened.and_then(crate::events::out_of_the_way) {
        Ok(file) => NOTES.store(file.into_raw_fd(), Ordering::Relaxed),
        Err(error) => return say!("warning: 'files={}': {error}", path.display()),
    }
    let program = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let act = if functions::are_in_place() { Act::Watch } else { Act::Blind };
    use std::os::unix::ffi::OsStrExt;
    write(act, program.as_os_str().as_bytes(), std::process::id().to_string().as_bytes());
}

/// Whether acts of this thread are noted now: not those of the runtime itself.
#[inline]
fn listens() -> bool {
    NOTES.load(Ordering::Relaxed) >= 0
        && thread::existing().is_none_or(|block| {
            // SAFETY: this thread's block.
            !unsafe { thread::own_of(block) }.inside.get()
        })
}

/// Puts together a record on the stack.
struct Text {
    bytes: [u8; Text::ROOM],
    used: usize,
}

impl Text {
    const ROOM: usize = 8300; // a letter and two paths

    fn push(&mut self, bytes: &[u8]) {
        let end = (self.used + bytes.len()).min(Text::ROOM);
        self.bytes[self.used..end].copy_from_slice(&bytes[..end - self.used]);
        self.used = end;
    }
}

fn write(act: Act, path: &[u8], second: &[u8]) {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count > MOST_NOTES {
        return COUNT.store(MOST_NOTES + 1, Ordering::Relaxed);
    }
    let last = count == MOST_NOTES;
    let mut text = Text { bytes: [0; Text::ROOM], used: 0 };
    text.push(&[if last { Act::More as u8 } else { act as u8 }]);
    for part in [path, second] {
        text.push(if last { b"" } else { part });
        text.push(&[0]);
    }
    write_all(NOTES.load(Ordering::Relaxed), &text.bytes[..text.used]);
}

/// The last act on each file, by a hash of its path in all bits but the lowest: a log that is opened for every line is
/// noted once. Where the table is full, an act is noted again.
static LAST: [AtomicU64; 4096] = [const { AtomicU64::new(0) }; 4096];

/// Whether an act says something that the ones before on the same file do not.
fn is_news(act: Act, path: &[u8]) -> bool {
    let hash = path.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    let hash = (hash ^ hash >> 29) & !0xff | 1 << 63;
    for probe in 0..16 {
        let slot = &LAST[((hash >> 8) as usize + probe) % LAST.len()];
        let old = slot.load(Ordering::Relaxed);
        if old != 0 && old & !0xff != hash {
            continue;
        }
        let written = |letter: u8| {
            matches!(Act::from_letter(letter), Some(Act::Create | Act::Begin | Act::Rewrite | Act::Update))
        };
        let known = match act {
            _ if old == 0 => false,
            Act::Read => true,
            Act::Rewrite | Act::Update => written(old as u8),
            Act::Begin => old as u8 == Act::Begin as u8,
            _ => false,
        };
        if !known {
            slot.store(hash | act as u64, Ordering::Relaxed);
        }
        return !known;
    }
    true
}

fn note(act: Act, path: &[u8], second: &[u8]) {
    let foreign = [&b"/dev/"[..], b"/proc/", b"/sys/"];
    if !foreign.iter().any(|f| path.starts_with(f)) && is_news(act, path) {
        write(act, path, second);
    }
}

fn status_at(folder: c_int, path: &CStr) -> Option<Before> {
    let mut status = MaybeUninit::<::libc::stat>::zeroed();
    // SAFETY: `path` is a string, `status` has room for what is filled in; zero bytes are valid too.
    let (found, status) = unsafe {
        let found = ::libc::fstatat(folder, path.as_ptr(), status.as_mut_ptr(), 0) == 0;
        (found, status.assume_init())
    };
    found.then_some(Before { bytes: status.st_size, seconds: status.st_mtime, nanoseconds: status.st_mtime_nsec })
}

/// The path of a file that is open, if it is an ordinary one with a name. With links resolved.
fn name_of(fd: c_int, room: &mut [u8; 4096]) -> Option<usize> {
    let mut status = MaybeUninit::<::libc::stat>::zeroed();
    // SAFETY: `status` has room for what is filled in; zero bytes are valid too.
    let status = unsafe {
        ::libc::fstat(fd, status.as_mut_ptr());
        status.assume_init()
    };
    let ordinary = status.st_mode & ::libc::S_IFMT == ::libc::S_IFREG && status.st_nlink > 0;
    if ordinary { link_of(fd, room) } else { None }
}

/// Where `/proc` says that a descriptor leads.
fn link_of(fd: c_int, room: &mut [u8; 4096]) -> Option<usize> {
    let mut link = [0; 32];
    let digits = &mut [0; 10];
    let (mut at, mut rest) = (digits.len(), fd.unsigned_abs());
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let start = b"/proc/self/fd/";
    link[..start.len()].copy_from_slice(start);
    link[start.len()..start.len() + digits.len() - at].copy_from_slice(&digits[at..]);
    // SAFETY: `link` is a string with its end, `room` has the length given.
    let used = unsafe { ::libc::readlink(link.as_ptr().cast(), room.as_mut_ptr().cast(), room.len()) };
    usize::try_from(used).ok()
}

/// A path from the root on, links and all; `folder` is what it starts from.
fn whole<'a>(folder: c_int, path: &CStr, room: &'a mut [u8; 4096]) -> Option<&'a [u8]> {
    let path = path.to_bytes();
    let mut used = 0;
    if !path.starts_with(b"/") {
        used = if folder == ::libc::AT_FDCWD {
            // SAFETY: `room` has the length given.
            let got = unsafe { ::libc::getcwd(room.as_mut_ptr().cast(), room.len()) };
            if got.is_null() {
                return None;
            }
            room.iter().position(|b| *b == 0)?
        } else {
            link_of(folder, room)?
        };
        *room.get_mut(used)? = b'/';
        used += 1;
    }
    room.get_mut(used..used + path.len())?.copy_from_slice(path);
    Some(&room[..used + path.len()])
}

/// A file about to be opened: what it is now.
struct Opening {
    before: Option<Before>,
    writes: bool,
    empties: bool,
    appends: bool,
}

impl Opening {
    fn new(folder: c_int, path: &CStr, flags: c_int) -> Option<Opening> {
        if !listens() {
            return None;
        }
        let _errno = KeepErrno::new();
        let writes = flags & ::libc::O_ACCMODE != ::libc::O_RDONLY || flags & (::libc::O_CREAT | ::libc::O_TRUNC) != 0;
        let before = if writes { status_at(folder, path) } else { None };
        let (empties, appends) = (flags & ::libc::O_TRUNC != 0, flags & ::libc::O_APPEND != 0);
        Some(Opening { before, writes, empties, appends })
    }

    fn done(self, fd: c_int) {
        if fd < 0 {
            return;
        }
        let _errno = KeepErrno::new();
        let mut room = [0; 4096];
        let Some(used) = name_of(fd, &mut room) else { return };
        let path = &room[..used];
        match self.before {
            _ if !self.writes => note(Act::Read, path, b""),
            None if self.appends && !self.empties => note(Act::Begin, path, b""),
            None => note(Act::Create, path, b""),
            Some(_) if self.empties => note(Act::Rewrite, path, b""),
            Some(before) => note(Act::Update, path, &before.encode()),
        }
    }
}

/// A file that was made is written at its end.
fn at_end(fd: c_int) {
    if !listens() {
        return;
    }
    let _errno = KeepErrno::new();
    let mut room = [0; 4096];
    // SAFETY: only asks for the flags of a descriptor.
    let writes = unsafe { ::libc::fcntl(fd, ::libc::F_GETFL) } & ::libc::O_ACCMODE != ::libc::O_RDONLY;
    if let Some(used) = name_of(fd, &mut room).filter(|_| writes) {
        note(Act::Begin, &room[..used], b"");
    }
}

/// Notes an act by its path.
fn acted(act: Act, folder: c_int, path: &CStr, second: &[u8]) {
    let _errno = KeepErrno::new();
    let mut room = [0; 4096];
    if let Some(path) = whole(folder, path, &mut room).filter(|_| listens()) {
        note(act, path, second);
    }
}

/// Something was moved.
fn moved(from: (c_int, &CStr), to: (c_int, &CStr), over: bool) {
    let _errno = KeepErrno::new();
    let (mut room, mut second) = ([0; 4096], [0; 4096]);
    let (Some(from), Some(to)) = (whole(from.0, from.1, &mut room), whole(to.0, to.1, &mut second)) else { return };
    if listens() {
        is_news(Act::Remove, from);
        is_news(Act::Create, to);
        write(if over { Act::MoveOver } else { Act::Move }, from, to);
    }
}

/// Another program is about to be started.
fn starts(program: &CStr) {
    if listens() {
        let _errno = KeepErrno::new();
        write(Act::Start, program.to_bytes(), b"");
    }
}
