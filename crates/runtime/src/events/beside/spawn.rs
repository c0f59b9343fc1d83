//! How the machine's process is made.

use super::Beside;
use super::channel::{Shared, State, sleep};
use super::client::Client;
use super::process::Process;
use crate::options::Options;
use nonius_oracle::Spec;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

unsafe extern "C" {
    /// fork without its handlers: the child is no process of the program's.
    pub(super) fn _Fork() -> ::libc::pid_t;
}

/// A machine that is not there by then is not coming.
const MOST: Duration = Duration::from_secs(10);

/// Makes the process. An error is why there is none.
pub fn start(options: &Options, oracle: Spec) -> Result<Beside, String> {
    if crate::start::is_privileged() {
        return Err("the program has rights that its user has not".to_owned());
    }
    if std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count) != 1 {
        return Err("the program had threads before Nonius began, or /proc is missing".to_owned());
    }
    let client = Client::this()?;
    let shared = Shared::new().map_err(|error| format!("no shared memory: {error}"))?;
    let slot = shared.take().ok_or("no shared memory")?;
    let made = forked(|| Process::begin(shared, slot, client, options, oracle));
    let attached = made.and_then(|()| attached(shared, slot));
    match attached {
        Ok(()) => Ok(Beside::new(shared, slot, slot)),
        Err(error) => {
            shared.unmap();
            Err(error)
        }
    }
}

fn attached(shared: Shared, number: usize) -> Result<(), String> {
    let (slot, until) = (shared.slot(number), Instant::now() + MOST);
    loop {
        slot.program_bell.arm();
        match slot.state() {
            State::Attached => return Ok(()),
            State::Taken if Instant::now() < until => sleep(&slot.program_bell, Duration::from_millis(100)),
            // From here on a machine that comes late finds nobody.
            _ => {
                slot.set_state(State::Refused);
                return Err("its process did not get to work".to_owned());
            }
        }
    }
}

/// Forks a process that is nobody's child, and has it do something. Its parent hears nothing of it.
fn forked(work: impl FnOnce()) -> Result<(), String> {
    let _quiet = NoNews::new();
    // SAFETY: there is one thread.
    match unsafe { _Fork() } {
        -1 => Err(format!("no process: {}", std::io::Error::last_os_error())),
        0 => {
            // SAFETY: as before.
            match unsafe { _Fork() } {
                0 => {
                    work();
                    crate::exit::leave(0)
                }
                -1 => crate::exit::leave(crate::say::errno().clamp(1, 255)),
                _ => crate::exit::leave(0),
            }
        }
        between => {
            let mut status = 0;
            // SAFETY: `status` is writable.
            while unsafe { ::libc::waitpid(between, &raw mut status, 0) } < 0 {
                // Where a parent of the program has its children's ends ignored, there is nothing to be heard.
                if crate::say::errno() != ::libc::EINTR {
                    return Ok(());
                }
            }
            match ::libc::WEXITSTATUS(status) {
                0 => Ok(()),
                errno => Err(format!("no process: {}", std::io::Error::from_raw_os_error(errno))),
            }
        }
    }
}

/// While it lives SIGCHLD waits, and what has waited by its end is taken back.
struct NoNews {
    before: ::libc::sigset_t,
    only: ::libc::sigset_t,
    waited: bool,
}

impl NoNews {
    fn new() -> NoNews {
        let (mut only, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the sets are made before they are read.
        unsafe {
            ::libc::sigemptyset(only.as_mut_ptr());
            ::libc::sigaddset(only.as_mut_ptr(), ::libc::SIGCHLD);
            ::libc::pthread_sigmask(::libc::SIG_BLOCK, only.as_ptr(), before.as_mut_ptr());
            let (only, before) = (only.assume_init(), before.assume_init());
            NoNews { before, only, waited: is_waiting() }
        }
    }
}

impl Drop for NoNews {
    fn drop(&mut self) {
        let now = ::libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: sets that the kernel, or `new`, has made.
        unsafe {
            if !self.waited {
                ::libc::sigtimedwait(&self.only, std::ptr::null_mut(), &raw const now);
            }
            ::libc::pthread_sigmask(::libc::SIG_SETMASK, &self.before, std::ptr::null_mut());
        }
    }
}

fn is_waiting() -> bool {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is emptied before the kernel fills it.
    unsafe {
        ::libc::sigemptyset(set.as_mut_ptr());
        ::libc::sigpending(set.as_mut_ptr());
        ::libc::sigismember(set.as_ptr(), ::libc::SIGCHLD) == 1
    }
}

/// Leaves the program behind: its terminal, its signals, and its descriptors but for stderr and some.
pub(super) fn leave_program(kept: [RawFd; 2], keeps_stderr: bool) {
    let (mut all, name) = (MaybeUninit::uninit(), c"nonius-machine");
    // SAFETY: plain calls on this process; the set is filled before it is read, the name and the path are C strings.
    unsafe {
        ::libc::setsid();
        ::libc::sigfillset(all.as_mut_ptr());
        ::libc::pthread_sigmask(::libc::SIG_BLOCK, all.as_ptr(), std::ptr::null_mut());
        ::libc::signal(::libc::SIGCHLD, ::libc::SIG_IGN);
        ::libc::prctl(::libc::PR_SET_NAME, name.as_ptr());
        let nothing = ::libc::open(c"/dev/null".as_ptr(), ::libc::O_RDWR);
        let streams = if keeps_stderr { 0..2 } else { 0..3 };
        for stream in streams.filter(|_| nothing >= 0) {
            ::libc::dup2(nothing, stream);
        }
        let mut kept: Vec<u32> = kept.map(|fd| fd as u32).to_vec();
        kept.sort_unstable();
        let mut from = 3;
        for fd in kept {
            if fd > from {
                ::libc::syscall(::libc::SYS_close_range, from, fd - 1, 0);
            }
            from = from.max(fd + 1);
        }
        ::libc::syscall(::libc::SYS_close_range, from, u32::MAX, 0);
    }
}
