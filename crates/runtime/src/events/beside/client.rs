//! The program, as its machine sees it: there as long as its memory is. That ends with the process, and with `exec`.

use crate::events::file::out_of_the_way;
use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::FileExt;

pub struct Client {
    pub pid: u32,
    /// Says when it is dead.
    process: File,
    /// Its mappings. The file is of the memory, not of the process: it is empty once nobody has that any more.
    memory: File,
}

impl Client {
    /// This process, as one that is forked from it will see it.
    pub fn this() -> Result<Client, String> {
        let maps = File::open("/proc/self/maps").map_err(|error| format!("/proc/self/maps: {error}"))?;
        Client::of(std::process::id(), maps)
    }

    /// Another, if it has the same shared memory.
    pub fn find(pid: u32, shared: usize) -> Result<Client, String> {
        let path = format!("/proc/{pid}/maps");
        let its = File::open(&path).map_err(|error| format!("{path}: {error}"))?;
        let own = File::open("/proc/self/maps").map_err(|error| error.to_string())?;
        let (its_line, own_line) = (line_of(&its, shared), line_of(&own, shared));
        // A number means another process in another namespace.
        if its_line.is_none() || its_line != own_line {
            return Err(format!("process {pid} is another one"));
        }
        Client::of(pid, its)
    }

    fn of(pid: u32, memory: File) -> Result<Client, String> {
        // SAFETY: has no preconditions.
        let process = unsafe { ::libc::syscall(::libc::SYS_pidfd_open, pid, 0) };
        if process < 0 {
            return Err(format!("pidfd_open: {}", std::io::Error::last_os_error()));
        }
        // SAFETY: a descriptor that was opened just now.
        let process = unsafe { File::from_raw_fd(process as RawFd) };
        // Where a program has no standard streams, their numbers are for others.
        let high = |file| out_of_the_way(file).map_err(|error| error.to_string());
        Ok(Client { pid, process: high(process)?, memory: high(memory)? })
    }

    pub fn is_gone(&self) -> bool {
        let mut asked = ::libc::pollfd { fd: self.process.as_raw_fd(), events: ::libc::POLLIN, revents: 0 };
        // SAFETY: one structure, which is filled in.
        let is_dead = unsafe { ::libc::poll(&raw mut asked, 1, 0) } == 1 && asked.revents & ::libc::POLLIN != 0;
        is_dead || matches!(self.memory.read_at(&mut [0], 0), Ok(0))
    }

    /// Its descriptors.
    pub fn descriptors(&self) -> [RawFd; 2] {
        [self.process.as_raw_fd(), self.memory.as_raw_fd()]
    }
}

/// The line of the mapping at an address.
fn line_of(maps: &File, address: usize) -> Option<String> {
    let mut text = Vec::new();
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = maps.read_at(&mut part, text.len() as u64) {
        text.extend(&part[..count]);
    }
    let start = format!("{address:08x}-");
    String::from_utf8_lossy(&text).lines().find(|line| line.starts_with(&start)).map(str::to_owned)
}

/// The number of this process as the kernel's files have it.
pub fn own_pid() -> u32 {
    let link = CString::from(c"/proc/self");
    let mut name = [0u8; 20];
    // SAFETY: a C string, and room of that size.
    let count = unsafe { ::libc::readlink(link.as_ptr(), name.as_mut_ptr().cast(), name.len()) };
    let named = usize::try_from(count).ok().and_then(|count| str::from_utf8(&name[..count]).ok()?.parse().ok());
    named.unwrap_or_else(std::process::id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_there_until_it_is_not() {
        let own = Client::this().expect("this process");
        assert!(!own.is_gone() && own.pid == own_pid());
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let path = format!("/proc/{}/maps", child.id());
        let its = Client::of(child.id(), File::open(path).expect("its mappings")).expect("a process");
        assert!(!its.is_gone());
        child.kill().expect("it ends");
        // Also before anybody has waited for it.
        let until = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while !its.is_gone() && std::time::Instant::now() < until {
            std::thread::yield_now();
        }
        assert!(its.is_gone());
        child.wait().expect("an end");
        assert!(Client::find(own.pid, 0x1000).is_err());
    }
}
