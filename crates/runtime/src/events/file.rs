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

/// What is free where the file lies; without an answer, as if there were no end to it.
pub fn free_bytes(file: &File) -> u64 {
    // SAFETY: all zeros are a valid value of this struct of numbers.
    let mut disk: ::libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: `disk` is room for what is filled in, the descriptor is open.
    match unsafe { ::libc::fstatvfs(file.as_raw_fd(), &raw mut disk) } {
        0 => disk.f_bavail.saturating_mul(disk.f_frsize),
        _ => u64::MAX,
    }
}

/// A file that ends where it may not be larger, or where the process's limit of file sizes is: to write beyond that would
/// end the process by SIGXFSZ.
pub struct Limited {
    file: File,
    written: u64,
    most: u64,
}

impl Limited {
    pub fn new(file: File, most_bytes: u64) -> Limited {
        let mut limit = ::libc::rlimit { rlim_cur: ::libc::RLIM_INFINITY, rlim_max: ::libc::RLIM_INFINITY };
        // SAFETY: `limit` is room for what is filled in; without success it stays infinite.
        unsafe { ::libc::getrlimit(::libc::RLIMIT_FSIZE, &raw mut limit) };
        Limited { file, written: 0, most: limit.rlim_cur.min(most_bytes) }
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    pub fn into_file(self) -> File {
        self.file
    }

    /// Bytes so far.
    pub fn written(&self) -> u64 {
        self.written
    }
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.most - self.written {
            let why = format!("{} MiB are the most that it may take (record_mib=, ulimit -f)", self.most >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        // A pipe that nobody reads any more is an error, and no signal.
        let _signals = BlockedSignals::for_writing();
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
