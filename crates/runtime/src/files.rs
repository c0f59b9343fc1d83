//! What was at a path before the program changed it, for `nonius run`: the second run starts from there.
//!
//! Functions of the C library that change files are defined here too (`functions`). The loader takes
//! these first, for the program and for its libraries, whatever they were compiled by; each calls the next
//! definition, the C library's. Before the first change of a path, what is there is looked at and copied (`before`); once
//! the change has succeeded, it is noted. Without `files=` they do nothing else.
//!
//! Such functions are called in signal handlers, between `vfork` and `exec`, and before `main`: noting takes no lock and
//! no memory, and leaves in one `write` to a file that is open from the start.
//! Limits: system calls without the C library are not seen, nor what it opens itself; a program that is loaded
//! before the runtime (an interpreter that loads an instrumented library) is not seen at all, and says so.

mod before;
mod functions;

pub(crate) use functions::Next;

use crate::options::Options;
use crate::output::of_this_process;
use crate::say::{KeepErrno, say, write_all};
use crate::thread;
use ::libc::{c_int, c_long};
use before::Before;
use nonius_abi::files::{Started, Was};
use std::ffi::{CStr, CString};
use std::os::fd::IntoRawFd;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

/// The file that notes go to, negative if nobody asked for any.
static NOTES: AtomicI32 = AtomicI32::new(-1);
/// Its path: copies of files go beside it.
static PLACE: OnceLock<CString> = OnceLock::new();
/// Notes so far.
static COUNT: AtomicU32 = AtomicU32::new(0);
/// More say nothing that these do not.
const MOST_NOTES: u32 = 20_000;

pub fn start(options: &Options) {
    functions::resolve();
    let Some(path) = options.files.as_deref().map(of_this_process) else { return };
    use std::os::unix::ffi::OsStrExt;
    let program = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    // Before anything is noted: this file is none of the program's.
    write_start(&path, program.as_os_str().as_bytes());
    let opened = nonius_report::create::append(&path);
    match opened.and_then(crate::events::out_of_the_way) {
        Ok(file) => NOTES.store(file.into_raw_fd(), Ordering::Relaxed),
        Err(error) => return say!("warning: 'files={}': {error}", path.display()),
    }
    if let Ok(place) = CString::new(path.as_os_str().as_bytes()) {
        let _ = PLACE.set(place);
    }
    let was = if functions::are_in_place() { Was::Watch } else { Was::Blind };
    write(was, program.as_os_str().as_bytes(), std::process::id().to_string().as_bytes());
}

/// For this user alone: an environment may hold secrets.
fn write_start(records: &Path, program: &[u8]) {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let name = records.file_name().unwrap_or_default().to_string_lossy();
    let path = records.with_file_name(Started::name(&name, std::process::id()));
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let _ = file.and_then(|mut file| file.write_all(&started(program)));
}

/// How this process was started.
fn started(program: &[u8]) -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt;
    let link = |path| std::fs::read_link(path).unwrap_or_default().into_os_string().into_vec();
    let list = |path| std::fs::read(path).unwrap_or_default();
    let (arguments, environment) = (list("/proc/self/cmdline"), list("/proc/self/environ"));
    // SAFETY: has no preconditions; fails for what has no position.
    let position = unsafe { ::libc::lseek(::libc::STDIN_FILENO, 0, ::libc::SEEK_CUR) };
    let folder = std::env::current_dir().unwrap_or_default().into_os_string().into_vec();
    let input = link("/proc/self/fd/0");
    let started = Started {
        program,
        folder: &folder,
        input: &input,
        input_position: u64::try_from(position).unwrap_or_default(),
        arguments: texts_of(&arguments),
        environment: texts_of(&environment),
    };
    started.encode()
}

/// Texts with a NUL behind each.
fn texts_of(list: &[u8]) -> Vec<&[u8]> {
    list.strip_suffix(b"\0").map(|list| list.split(|b| *b == 0).collect()).unwrap_or_default()
}

/// This process's number, as notes have it.
fn own_number() -> Text<16> {
    use std::fmt::Write;
    let mut text = Text::new();
    let _ = write!(text, "{}", std::process::id());
    text
}

/// Whether changes of this thread are noted now: not those of the runtime itself.
#[inline]
fn listens() -> bool {
    NOTES.load(Ordering::Relaxed) >= 0
        && thread::existing().is_none_or(|block| {
            // SAFETY: this thread's block.
            !unsafe { thread::locals_of(block) }.inside.get()
        })
}

/// Bytes put together on the stack. What does not fit is left out.
struct Text<const ROOM: usize> {
    bytes: [u8; ROOM],
    used: usize,
}

impl<const ROOM: usize> Text<ROOM> {
    fn new() -> Text<ROOM> {
        Text { bytes: [0; ROOM], used: 0 }
    }

    fn push(&mut self, bytes: &[u8]) {
        let end = (self.used + bytes.len()).min(ROOM);
        self.bytes[self.used..end].copy_from_slice(&bytes[..end - self.used]);
        self.used = end;
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }

    /// As a string of C.
    fn as_c_str(&mut self) -> Option<&CStr> {
        *self.bytes.get_mut(self.used)? = 0;
        CStr::from_bytes_with_nul(&self.bytes[..=self.used]).ok()
    }
}

impl<const ROOM: usize> std::fmt::Write for Text<ROOM> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.push(text.as_bytes());
        Ok(())
    }
}

fn write(was: Was, path: &[u8], second: &[u8]) {
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    if count > MOST_NOTES {
        return COUNT.store(MOST_NOTES + 1, Ordering::Relaxed);
    }
    let last = count == MOST_NOTES;
    let mut text = Text::<8300>::new(); // a letter and two paths
    text.push(&[if last { Was::More as u8 } else { was as u8 }]);
    for part in [path, second] {
        text.push(if last { b"" } else { part });
        text.push(&[0]);
    }
    write_all(NOTES.load(Ordering::Relaxed), text.as_bytes());
}

/// Paths that were noted, by their hashes: a log that is opened for every line is noted once. Where the table is full, a
/// path is noted again, and the first note counts.
static NOTED: [AtomicU64; 4096] = [const { AtomicU64::new(0) }; 4096];

/// The slot that has a path's hash, or one where it can go.
fn slot(path: &[u8]) -> Option<(&'static AtomicU64, u64)> {
    let hash = path.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    let hash = hash ^ hash >> 29 | 1;
    let slots = (0..16).map(|probe| &NOTED[((hash >> 8) as usize + probe) % NOTED.len()]);
    let mut fitting = slots.filter(|slot| matches!(slot.load(Ordering::Relaxed), old if old == 0 || old == hash));
    fitting.next().map(|slot| (slot, hash))
}

fn is_noted(path: &[u8]) -> bool {
    slot(path).is_some_and(|(slot, hash)| slot.load(Ordering::Relaxed) == hash)
}

/// Notes what was at a path. Of folders that were there every change is: one that is moved is another matter.
fn note(was: Was, path: &[u8], second: &[u8]) {
    if let Some((slot, hash)) = slot(path).filter(|_| was != Was::Folder) {
        slot.store(hash, Ordering::Relaxed);
    }
    write(was, path, second);
}

/// Something that a second run must not do again, whatever becomes of files. Once for each kind.
fn outside(what: &str) {
    if listens() && !is_noted(what.as_bytes()) {
        let _errno = KeepErrno::new();
        note(Was::Outside, what.as_bytes(), own_number().as_bytes());
    }
}

/// Looks at what the call is going to change, and notes it if the call succeeds.
fn around<T>(before: Option<Before>, call: impl FnOnce() -> T, succeeded: impl FnOnce(&T) -> bool) -> T {
    let result = call();
    if let Some(before) = before {
        let _errno = KeepErrno::new();
        if succeeded(&result) { before.note() } else { before.forget() }
    }
    result
}

/// What is behind a descriptor that was opened for reading only: reading takes it away from somebody else.
fn opened_to_read(fd: c_int) {
    if fd >= 0 && listens() {
        let _errno = KeepErrno::new();
        if before::status(fd).is_some_and(|status| status.st_mode & ::libc::S_IFMT == ::libc::S_IFIFO) {
            outside("opens a fifo");
        }
    }
}

/// Another program is about to be started.
fn starts(program: &CStr) {
    if listens() {
        let _errno = KeepErrno::new();
        write(Was::Start, program.to_bytes(), own_number().as_bytes());
    }
}

/// A call of `syscall`: those that change something are not looked into.
fn called(number: c_long, arguments: [c_long; 3]) {
    use ::libc::{O_ACCMODE, O_CREAT, O_RDONLY, O_TRUNC};
    if !listens() {
        return;
    }
    let writes = |flags: c_long| flags as c_int & O_ACCMODE != O_RDONLY || flags as c_int & (O_CREAT | O_TRUNC) != 0;
    let changes = match number {
        ::libc::SYS_open => writes(arguments[1]),
        ::libc::SYS_openat => writes(arguments[2]),
        number => CHANGING.contains(&number),
    };
    if changes {
        outside("changes files or other processes by system calls of its own");
    }
}

#[rustfmt::skip]
const CHANGING: &[c_long] = &[
    ::libc::SYS_creat, ::libc::SYS_openat2, ::libc::SYS_io_uring_setup, ::libc::SYS_truncate, ::libc::SYS_rename,
    ::libc::SYS_renameat, ::libc::SYS_renameat2, ::libc::SYS_mkdir, ::libc::SYS_mkdirat, ::libc::SYS_mknod,
    ::libc::SYS_mknodat, ::libc::SYS_rmdir, ::libc::SYS_link, ::libc::SYS_linkat, ::libc::SYS_symlink,
    ::libc::SYS_symlinkat, ::libc::SYS_unlink, ::libc::SYS_unlinkat, ::libc::SYS_chmod, ::libc::SYS_fchmod,
    ::libc::SYS_fchmodat, ::libc::SYS_chown, ::libc::SYS_fchown, ::libc::SYS_lchown, ::libc::SYS_fchownat,
    ::libc::SYS_utime, ::libc::SYS_utimes, ::libc::SYS_utimensat, ::libc::SYS_socket, ::libc::SYS_kill,
    ::libc::SYS_shmget, ::libc::SYS_semget, ::libc::SYS_msgget, ::libc::SYS_mq_open,
];
