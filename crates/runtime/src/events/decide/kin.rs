//! The processes that follow paths: what they say to the one that forked them, and what it tells them.
//!
//! ```text
//! path -> parent   a letter, a length, bytes:  W it waits at a point   E it has ended   ? it cannot be kept quiet
//! parent -> path   a letter:                   n go on to the next point   e to the end   d it has met: be gone
//! ```
//! Both by a pair of sockets, whose numbers are high: the program gets the descriptors that it would get without.

use std::ffi::c_int;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A path that takes longer is given up.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The least descriptor of what paths need, if there are so many.
pub const LEAST: c_int = 500;
/// A message may have so many bytes.
const MOST_BYTES: u64 = 1 << 32;

/// Paths that this process waits for, or that wait for it.
static KIN: Mutex<Vec<Kin>> = Mutex::new(Vec::new());

struct Kin {
    pid: ::libc::pid_t,
    socket: File,
}

/// What a path says.
pub enum Said {
    Waits(Vec<u8>),
    Ended(Vec<u8>),
    /// It cannot be kept from changing files.
    Cannot,
    /// It is no more, and why.
    Gone(String),
}

/// Two ends of a connection.
pub fn sockets() -> Option<[File; 2]> {
    let mut ends = [0; 2];
    let kind = ::libc::SOCK_STREAM | ::libc::SOCK_CLOEXEC;
    // SAFETY: room for two descriptors.
    if unsafe { ::libc::socketpair(::libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) } != 0 {
        return None;
    }
    Some(ends.map(|low| {
        // SAFETY: a descriptor that is nobody else's is moved to another number.
        unsafe {
            let high = ::libc::fcntl(low, ::libc::F_DUPFD_CLOEXEC, LEAST);
            if high < 0 {
                return File::from_raw_fd(low);
            }
            ::libc::close(low);
            File::from_raw_fd(high)
        }
    }))
}

fn all() -> std::sync::MutexGuard<'static, Vec<Kin>> {
    KIN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub fn add(pid: ::libc::pid_t, socket: File) {
    all().push(Kin { pid, socket });
}

/// In a new process: those of its parent are none of its own.
pub fn forget() {
    all().clear();
}

/// Tells a path what to do.
pub fn tell(id: u64, letter: u8) {
    if let Some(kin) = all().iter().find(|k| k.pid as u64 == id) {
        send(kin.socket.as_raw_fd(), &[letter]);
    }
}

/// Sends all of it, or as much as somebody takes.
pub fn send(to: c_int, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: the bytes of a slice; nobody at the other end is no signal.
        let sent = unsafe { ::libc::send(to, bytes.as_ptr().cast(), bytes.len(), ::libc::MSG_NOSIGNAL) };
        match usize::try_from(sent) {
            Ok(count) => bytes = &bytes[count..],
            Err(_) if is_interrupted() => {}
            Err(_) => return false,
        }
    }
    true
}

/// A message to the parent.
pub fn say(to: c_int, letter: u8, bytes: &[u8]) -> bool {
    send(to, &[letter]) && send(to, &(bytes.len() as u64).to_le_bytes()) && send(to, bytes)
}

/// What the parent tells this process; nothing if there is no parent any more.
pub fn listen(from: c_int) -> Option<u8> {
    let mut letter = 0u8;
    loop {
        // SAFETY: room for a byte.
        match unsafe { ::libc::recv(from, (&raw mut letter).cast(), 1, 0) } {
            1 => return Some(letter),
            -1 if is_interrupted() => {}
            _ => return None,
        }
    }
}

/// Waits for what a path says next. One that has ended is gone.
pub fn hear(id: u64) -> Said {
    let Some(socket) = all().iter().find(|k| k.pid as u64 == id).and_then(|k| k.socket.try_clone().ok()) else {
        return Said::Gone("a path ended in an unusual way: its results are missing".to_owned());
    };
    let deadline = Instant::now() + MOST_TIME;
    let mut head = [0; 9];
    let heard = read(&socket, &mut head, deadline).and_then(|()| {
        let length = u64::from_le_bytes(head[1..].try_into().expect("8 bytes"));
        let mut bytes = vec![0; length.min(MOST_BYTES) as usize];
        read(&socket, &mut bytes, deadline)?;
        Ok(bytes)
    });
    let is_late = matches!(heard, Err(Silent::Late));
    match (head[0], heard) {
        (b'W', Ok(bytes)) => return Said::Waits(bytes),
        (b'E', Ok(bytes)) => {
            part(id, false);
            return Said::Ended(bytes);
        }
        (b'?', Ok(_)) => {
            part(id, false);
            return Said::Cannot;
        }
        _ => {}
    }
    let status = part(id, is_late);
    if is_late {
        return Said::Gone(format!(
            "an input of the declared ranges makes the program run on: a path took longer than {} s",
            MOST_TIME.as_secs()
        ));
    }
    if ::libc::WIFSIGNALED(status) {
        let signal = ::libc::WTERMSIG(status);
        return Said::Gone(format!("an input of the declared ranges crashes the program (signal {signal})"));
    }
    Said::Gone("a path ended in an unusual way: its results are missing".to_owned())
}

enum Silent {
    Late,
    Closed,
}

fn read(mut from: &File, bytes: &mut [u8], deadline: Instant) -> Result<(), Silent> {
    let mut done = 0;
    while done < bytes.len() {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut poll = ::libc::pollfd { fd: from.as_raw_fd(), events: ::libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor.
        match unsafe { ::libc::poll(&mut poll, 1, left.as_millis() as c_int) } {
            0 => return Err(Silent::Late),
            -1 if is_interrupted() => continue,
            -1 => return Err(Silent::Closed),
            _ => {}
        }
        match from.read(&mut bytes[done..]) {
            Ok(0) => return Err(Silent::Closed),
            Ok(count) => done += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Err(Silent::Closed),
        }
    }
    Ok(())
}

/// Waits for a path's end, and says how it ended.
fn part(id: u64, by_force: bool) -> c_int {
    let pid = id as ::libc::pid_t;
    if by_force {
        // SAFETY: a child of this process that was not waited for yet.
        unsafe { ::libc::kill(pid, ::libc::SIGKILL) };
    }
    let mut status = 0;
    // SAFETY: waits for a child of this process.
    while unsafe { ::libc::waitpid(pid, &mut status, 0) } < 0 && is_interrupted() {}
    all().retain(|k| k.pid != pid);
    status
}

fn is_interrupted() -> bool {
    std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
}
