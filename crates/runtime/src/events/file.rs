//! The file that events are recorded to.

use crate::blocked_signals::BlockedSignals;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;

/// Creates the file. Its descriptor is a high number: the program's own begin where they always do.
pub fn create(path: &Path) -> io::Result<File> {
    out_of_the_way(nonius_report::create::create(path)?)
}

/// The same file under a high descriptor.
pub fn out_of_the_way(file: File) -> io::Result<File> {
    for least in [1000, 200, 100] {
        // SAFETY: duplicates a descriptor that is open.
        let high = unsafe { ::libc::fcntl(file.as_raw_fd(), ::libc::F_DUPFD_CLOEXEC, least) };
        if high >= 0 {
            // SAFETY: the new descriptor is nobody else's.
            return Ok(unsafe { File::from_raw_fd(high) });
        }
    }
    Ok(file)
}

/// A file that ends where the process's limit of file sizes is: to write beyond it would end the process by SIGXFSZ.
pub struct Limited {
    file: File,
    left: u64,
}

impl Limited {
    pub fn new(file: File) -> Limited {
        let mut limit = ::libc::rlimit { rlim_cur: ::libc::RLIM_INFINITY, rlim_max: ::libc::RLIM_INFINITY };
        // SAFETY: `limit` is room for what is filled in; without success it stays infinite.
        unsafe { ::libc::getrlimit(::libc::RLIMIT_FSIZE, &raw mut limit) };
        Limited { file, left: limit.rlim_cur }
    }
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.left {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // A pipe that nobody reads any more is an error, and no signal.
        let _signals = BlockedSignals::for_writing();
        let written = self.file.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
