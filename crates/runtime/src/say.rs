//! Messages on stderr, by plain `write`: they must come through before `main`, inside a signal
//! handler and with the heap in any state.
//!
//! A program may close stderr and have a file of its own under that descriptor, or may never have had one. Nothing is
//! written to what was not stderr when the process began.

use crate::blocked_signals::BlockedSignals;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes `nonius: ` and the formatted text as one line to stderr.
macro_rules! say {
    ($($text:tt)*) => { $crate::say::line(format_args!($($text)*)) };
}
pub(crate) use say;

/// Collects a message so that it leaves in one `write` unless it is long: lines of several
/// processes must not be torn.
pub struct Stderr {
    buffer: [u8; 1024],
    used: usize,
}

impl Stderr {
    pub fn new() -> Self {
        Stderr { buffer: [0; 1024], used: 0 }
    }

    pub fn flush(&mut self) {
        to_stderr(&self.buffer[..self.used]);
        self.used = 0;
    }
}

impl fmt::Write for Stderr {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for piece in text.as_bytes().chunks(self.buffer.len()) {
            if self.used + piece.len() > self.buffer.len() {
                self.flush();
            }
            self.buffer[self.used..self.used + piece.len()].copy_from_slice(piece);
            self.used += piece.len();
        }
        Ok(())
    }
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.flush();
    }
}

pub fn line(text: fmt::Arguments<'_>) {
    let mut out = Stderr::new();
    // Writing to the buffer cannot fail.
    let _ = fmt::Write::write_fmt(&mut out, format_args!("nonius: {text}\n"));
}

/// Device and number of the file that stderr is, both 0 if there is none.
static STDERR: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Remembers what stderr is.
pub fn start() {
    let [device, number] = file_of(::libc::STDERR_FILENO);
    STDERR[0].store(device, Ordering::Relaxed);
    STDERR[1].store(number, Ordering::Relaxed);
}

fn file_of(fd: i32) -> [u64; 2] {
    let mut status = std::mem::MaybeUninit::<::libc::stat>::zeroed();
    // SAFETY: `status` is room for what is filled in; zero bytes are valid too.
    let (known, status) = unsafe { (::libc::fstat(fd, status.as_mut_ptr()) == 0, status.assume_init()) };
    if known { [status.st_dev, status.st_ino] } else { [0, 0] }
}

/// Whether stderr is there, and still what it was.
pub fn has_stderr() -> bool {
    let _errno = KeepErrno::new();
    let began = [STDERR[0].load(Ordering::Relaxed), STDERR[1].load(Ordering::Relaxed)];
    began != [0, 0] && began == file_of(::libc::STDERR_FILENO)
}

/// Writes to stderr, if there is one. The program goes on whatever becomes of it.
pub fn to_stderr(bytes: &[u8]) {
    if !bytes.is_empty() && has_stderr() {
        let _signals = BlockedSignals::for_writing();
        write_all(::libc::STDERR_FILENO, bytes);
    }
}

/// Writes everything, through interruptions; gives up silently where nobody can be told.
pub fn write_all(fd: i32, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: `bytes` is a live slice of the length given.
        let written = unsafe { ::libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        if written > 0 {
            bytes = &bytes[written as usize..];
        } else if errno() != ::libc::EINTR {
            return false;
        }
    }
    true
}

pub fn errno() -> i32 {
    // SAFETY: the location is this thread's own and always valid.
    unsafe { *::libc::__errno_location() }
}

/// Puts `errno` back when dropped: hooks leave it as they found it.
pub struct KeepErrno(i32);

impl KeepErrno {
    #[inline]
    pub fn new() -> Self {
        KeepErrno(errno())
    }
}

impl Drop for KeepErrno {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the location is this thread's own and always valid.
        unsafe { *::libc::__errno_location() = self.0 }
    }
}
