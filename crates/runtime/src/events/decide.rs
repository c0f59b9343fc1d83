//! Tests of floats that can go more than one way: the machine says which, and a process follows each.
//!
//! ```text
//! own process --fork, one at a time--> path: what it would write is dropped
//!      ^                                 | goes on to nonius_merge(), or to its end
//!      +------ results, by a pipe -------+
//! ```
//! A fork copies all memory, so nothing of the program need be saved. Where a process cannot be kept from changing files
//! (Landlock), it is not made, and the report says that it is incomplete.

mod quiet;

use super::{BUFFER_BYTES, Block, DROPS, Entered, SEVERAL, State, muted, pass_all};
use crate::fenv::Saved;
use crate::say::KeepErrno;
use crate::thread;
use nonius_abi::thread::EVENT_ROOM;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A path that takes longer is given up.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Where this process hands its results to, if it is a path; else -1.
static TO_PARENT: AtomicI32 = AtomicI32::new(-1);
/// A page that all paths share: how many there are.
static SHARED: AtomicU64 = AtomicU64::new(0);

unsafe extern "C" {
    /// fork without its handlers: the child is no process of the program's.
    fn _Fork() -> ::libc::pid_t;
}

/// Whether this process follows a path, and the program's own goes on elsewhere.
pub fn is_path() -> bool {
    TO_PARENT.load(Ordering::Relaxed) >= 0
}

/// The outcome of a test that the program shall go on with.
pub fn decide(block: *mut u8, record: *const u64, header: u64, step: u32, outcome: i64) -> i64 {
    let _errno = KeepErrno::new();
    let block = Block(block);
    let Some(locals) = thread::locals().filter(|_| block.0 == thread::block()) else { return outcome };
    if muted::is_muted(block, locals) || DROPS.load(Ordering::Relaxed) {
        return outcome;
    }
    let start = locals.event_start.get() as usize;
    if !(start..start + BUFFER_BYTES).contains(&(record as usize)) {
        return outcome;
    }
    // SAFETY: a record begins before the buffer's end, and has this room behind it.
    let words = unsafe { std::slice::from_raw_parts(record.add(1), EVENT_ROOM as usize - 1) };
    let _saved = Saved::enter();
    let decided = crate::guarded(|| {
        let entered = Entered::new();
        entered.inside.as_ref()?;
        let state = &mut entered.lock().state;
        pass_all(state);
        let ways = state.targets.in_machine(|machine| machine.decide(locals.number, header, words, step))?;
        let &own = ways.first()?;
        for (way, &other) in ways.iter().enumerate().skip(1) {
            if follow(state, way) {
                return Some(other);
            }
        }
        state.targets.in_machine(|machine| machine.take(0, None));
        Some(own)
    });
    decided.flatten().unwrap_or(outcome)
}

/// Follows a way in a process of its own. True in that process, which goes on; in this one it has ended.
fn follow(state: &mut State, way: usize) -> bool {
    let mut leave_out = |why: &str| {
        state.targets.in_machine(|machine| machine.leave_out(why));
    };
    let most = u64::from(crate::options::current().paths);
    if SEVERAL.load(Ordering::Relaxed) {
        leave_out("the program has several threads, and its paths were not followed");
        return false;
    }
    let Some(number) = count_path().filter(|number| *number <= most) else {
        leave_out(&format!("more than {most} paths are possible (paths={most})"));
        return false;
    };
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors.
    if unsafe { ::libc::pipe2(ends.as_mut_ptr(), ::libc::O_CLOEXEC) } != 0 {
        leave_out("a path could not be followed: no pipe");
        return false;
    }
    // SAFETY: new descriptors that are nobody else's.
    let (from, to) = unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
    // SAFETY: there is one thread, and what it holds is consistent: it goes on in both.
    match unsafe { _Fork() } {
        -1 => {
            leave_out("a path could not be followed: fork failed");
            false
        }
        0 => {
            drop(from);
            if !quiet::keep_quiet(to.as_raw_fd()) {
                let what = b"?";
                // SAFETY: writes a byte of a constant.
                unsafe { ::libc::write(to.as_raw_fd(), what.as_ptr().cast(), 1) };
                crate::exit::leave(0);
            }
            let before = TO_PARENT.swap(std::os::fd::IntoRawFd::into_raw_fd(to), Ordering::Relaxed);
            if before >= 0 {
                // SAFETY: the parent's, which this process has no use for.
                unsafe { ::libc::close(before) };
            }
            state.targets.in_machine(|machine| machine.take(way, Some(number)));
            true
        }
        child => {
            drop(to);
            let results = wait(child, from);
            state.targets.in_machine(|machine| match &results {
                Ok(bytes) if bytes == b"?" => {
                    machine.leave_out(
                        "paths cannot be followed: this system has no Landlock to keep them from changing files",
                    );
                }
                Ok(bytes) => machine.adopt(Some(bytes), "a path ended in an unusual way: its results are missing"),
                Err(what) => machine.adopt(None, what),
            });
            false
        }
    }
}

/// What a path hands over, or what became of it.
fn wait(child: ::libc::pid_t, mut from: File) -> Result<Vec<u8>, String> {
    let deadline = Instant::now() + MOST_TIME;
    let (mut bytes, mut is_late) = (Vec::new(), false);
    let mut chunk = [0; 1 << 16];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut poll = ::libc::pollfd { fd: from.as_raw_fd(), events: ::libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor.
        let ready = unsafe { ::libc::poll(&mut poll, 1, left.as_millis() as i32) };
        if ready == 0 {
            is_late = true;
            break;
        }
        match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    if is_late {
        // SAFETY: a child of this process that was not waited for yet.
        unsafe { ::libc::kill(child, ::libc::SIGKILL) };
    }
    let mut status = 0;
    // SAFETY: waits for a child of this process.
    while unsafe { ::libc::waitpid(child, &mut status, 0) } < 0 && errno_is_interrupted() {}
    if is_late {
        return Err(format!(
            "an input of the declared ranges makes the program run on: a path took longer than {} s",
            MOST_TIME.as_secs()
        ));
    }
    if ::libc::WIFSIGNALED(status) {
        let signal = ::libc::WTERMSIG(status);
        return Err(format!("an input of the declared ranges crashes the program (signal {signal})"));
    }
    Ok(bytes)
}

fn errno_is_interrupted() -> bool {
    std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
}

/// The number of the next path.
fn count_path() -> Option<u64> {
    let mut page = SHARED.load(Ordering::Relaxed);
    if page == 0 {
        // SAFETY: a new mapping that no address is asked for.
        let mapped = unsafe {
            let (access, how) = (::libc::PROT_READ | ::libc::PROT_WRITE, ::libc::MAP_SHARED | ::libc::MAP_ANONYMOUS);
            ::libc::mmap(std::ptr::null_mut(), 4096, access, how, -1, 0)
        };
        if mapped == ::libc::MAP_FAILED {
            return None;
        }
        page = mapped as u64;
        SHARED.store(page, Ordering::Relaxed);
    }
    let counter = NonNull::new(page as *mut AtomicU64)?;
    // SAFETY: a page that is mapped as long as there is a path.
    Some(unsafe { counter.as_ref() }.fetch_add(1, Ordering::Relaxed) + 1)
}

/// Hands over what the path has, and ends the process.
pub fn end_path(results: &[u8]) -> ! {
    let to = TO_PARENT.load(Ordering::Relaxed);
    let mut rest = results;
    while !rest.is_empty() {
        // SAFETY: the bytes of a slice.
        let written = unsafe { ::libc::write(to, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(count) => rest = &rest[count..],
            Err(_) if errno_is_interrupted() => {}
            Err(_) => break,
        }
    }
    crate::exit::leave(0)
}

/// The process ends: a path hands over what it has.
pub fn end_path_if_one() {
    if !is_path() {
        return;
    }
    let results = super::with_targets(|targets| targets.in_machine(|machine| machine.path_ends()).flatten()).flatten();
    end_path(&results.unwrap_or_default())
}
