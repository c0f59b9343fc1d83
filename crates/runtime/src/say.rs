//! Messages on stderr, by plain `write`: they must come through before `main`, inside a signal
//! handler and with the heap in any state.

use std::fmt;

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
        write_all(::libc::STDERR_FILENO, &self.buffer[..self.used]);
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
