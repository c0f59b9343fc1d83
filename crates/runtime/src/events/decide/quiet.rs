//! A path's process: what it writes goes nowhere, what it reads nobody misses, and no file changes by it.

use super::kin::LEAST;
use std::ffi::{CString, c_int, c_long};
use std::sync::atomic::{AtomicI32, Ordering};

/// Where it goes. A path of a path has its parent's: Landlock keeps it from opening anything for writing.
static NOWHERE: AtomicI32 = AtomicI32::new(-1);

/// Accesses of Landlock's first version that change something, and what later versions add.
const WRITES: [(c_long, u64); 3] = [(1, 0x1ff2), (2, 1 << 13), (3, 1 << 14)];

/// Says whether all of that is so. `keep` stays as it is.
///
/// `is_restricted`: the parent is such a process already, and what it may not do its children may not either.
pub fn keep_quiet(keep: c_int, is_restricted: bool) -> bool {
    // SAFETY: asks to be ended with the parent.
    unsafe { ::libc::prctl(::libc::PR_SET_PDEATHSIG, ::libc::SIGKILL) };
    redirect(keep) && (is_restricted || forbid_changes())
}

/// Descriptors that can be written to lead nowhere; files that are read are opened anew, at the same place.
fn redirect(keep: c_int) -> bool {
    let Some(nowhere) = nowhere() else { return false };
    let Some(open) = open_descriptors() else { return false };
    for fd in open.into_iter().filter(|&fd| fd != keep && fd != nowhere) {
        // SAFETY: asks for the flags of a descriptor, which may be none.
        let flags = unsafe { ::libc::fcntl(fd, ::libc::F_GETFL) };
        if flags < 0 {
            continue;
        }
        let is_read_only = flags & ::libc::O_ACCMODE == ::libc::O_RDONLY;
        if !(is_read_only && reopened(fd)) {
            // SAFETY: the descriptor is this process's own copy.
            unsafe { ::libc::dup2(nowhere, fd) };
        }
    }
    true
}

fn nowhere() -> Option<c_int> {
    let known = NOWHERE.load(Ordering::Relaxed);
    if known >= 0 {
        return Some(known);
    }
    // SAFETY: a constant path; the descriptor moves to a number that the program would not get.
    let fd = unsafe {
        let low = ::libc::open(c"/dev/null".as_ptr(), ::libc::O_RDWR | ::libc::O_CLOEXEC);
        let high = ::libc::fcntl(low, ::libc::F_DUPFD_CLOEXEC, LEAST);
        if high >= 0 {
            ::libc::close(low);
        }
        if high >= 0 { high } else { low }
    };
    NOWHERE.store(fd, Ordering::Relaxed);
    (fd >= 0).then_some(fd)
}

/// By the system call itself: the C library would take the list's memory from the program's heap.
fn open_descriptors() -> Option<Vec<c_int>> {
    const NAME: usize = 19;
    // SAFETY: a constant path.
    let folder = unsafe { ::libc::open(c"/proc/self/fd".as_ptr(), ::libc::O_RDONLY | ::libc::O_DIRECTORY) };
    if folder < 0 {
        return None;
    }
    let (mut open, mut bytes) = (Vec::new(), vec![0u8; 1 << 15]);
    loop {
        // SAFETY: the call writes at most as many bytes as there are.
        let read = unsafe { ::libc::syscall(::libc::SYS_getdents64, folder, bytes.as_mut_ptr(), bytes.len()) };
        let Some(mut rest) = usize::try_from(read).ok().filter(|n| *n > 0).and_then(|n| bytes.get(..n)) else { break };
        while let Some(&[low, high]) = rest.get(16..18) {
            let (entry, next) = rest.split_at(usize::from(u16::from_le_bytes([low, high])).clamp(1, rest.len()));
            let name: Vec<u8> = entry.iter().skip(NAME).copied().take_while(|b| *b != 0).collect();
            open.extend(std::str::from_utf8(&name).ok().and_then(|n| n.parse::<c_int>().ok()));
            rest = next;
        }
    }
    // SAFETY: opened above.
    unsafe { ::libc::close(folder) };
    Some(open.into_iter().filter(|fd| *fd != folder).collect())
}

/// The place in a file is shared with the parent: this process gets one of its own.
fn reopened(fd: c_int) -> bool {
    let Ok(path) = CString::new(format!("/proc/self/fd/{fd}")) else { return false };
    // SAFETY: asks for a descriptor's place, and opens what it leads to again.
    unsafe {
        let at = ::libc::lseek(fd, 0, ::libc::SEEK_CUR);
        if at < 0 {
            return false;
        }
        let again = ::libc::open(path.as_ptr(), ::libc::O_RDONLY | ::libc::O_CLOEXEC);
        if again < 0 || ::libc::lseek(again, at, ::libc::SEEK_SET) != at {
            return false;
        }
        let done = ::libc::dup2(again, fd) == fd;
        ::libc::close(again);
        done
    }
}

/// Landlock: nothing of the file system changes by this process from here on.
fn forbid_changes() -> bool {
    // SAFETY: the system calls of Landlock, with a structure of one field, which they only read.
    unsafe {
        let version = ::libc::syscall(::libc::SYS_landlock_create_ruleset, std::ptr::null::<u64>(), 0usize, 1u32);
        if version < 1 {
            return false;
        }
        let accesses: u64 = WRITES.iter().filter(|(since, _)| *since <= version).map(|(_, bits)| bits).sum();
        let rules = ::libc::syscall(::libc::SYS_landlock_create_ruleset, &accesses, size_of::<u64>(), 0u32);
        if rules < 0 || ::libc::prctl(::libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return false;
        }
        let done = ::libc::syscall(::libc::SYS_landlock_restrict_self, rules, 0u32) == 0;
        ::libc::close(rules as c_int);
        done
    }
}
