//! The file that events are recorded to.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;

/// Creates the file. Its descriptor is a high number: the program's own begin where they always do.
pub fn create(path: &Path) -> io::Result<File> {
    out_of_the_way(File::create(path)?)
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
