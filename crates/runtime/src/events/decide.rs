//! Tests of floats that can go more than one way: the machine says which, and a process follows each.
//!
//! ```text
//! own process --fork, one at a time--> path: what it would write is dropped
//!      |                                 | goes on to where all ways lead, and waits there
//!      +--- goes on, comes there too ----+ the same but for floats: their floats are joined, and the path is gone;
//!                                          else both go on to the next such point, at last to the end of the program
//! ```
//! A fork copies all memory, so nothing of the program need be saved. Where a process cannot be kept from changing files
//! (Landlock), it is not made, and the report says that it is incomplete.

mod compare;
mod kin;
mod quiet;

use super::{BUFFER_BYTES, Block, DROPS, Entered, SEVERAL, State, muted, pass_all};
use crate::fenv::Saved;
use crate::say::KeepErrno;
use crate::thread::{self, ThreadLocals};
use kin::Said;
use nonius_abi::thread::EVENT_ROOM;
use nonius_machine::Engine;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

/// Where this process hands its results to, if it is a path; else -1.
static TO_PARENT: AtomicI32 = AtomicI32::new(-1);
/// A page that all paths share: how many there are.
static SHARED: AtomicU64 = AtomicU64::new(0);

const MISSING: &str = "a path ended in an unusual way: its results are missing";

unsafe extern "C" {
    /// fork without its handlers: the child is no process of the program's.
    fn _Fork() -> ::libc::pid_t;
}

/// A point where paths may meet: what the function still needs, and where its frame is.
pub struct Here<'a> {
    pub state: &'a [u64],
    pub low: u64,
    pub high: u64,
}

/// Whether this process follows a path, and the program's own goes on elsewhere.
pub fn is_path() -> bool {
    TO_PARENT.load(Ordering::Relaxed) >= 0
}

/// Works with the machine on a record that is being written, whose words so far are handed over.
fn in_record<T>(
    block: Block,
    record: *const u64,
    work: impl FnOnce(&mut State, &ThreadLocals, &[u64]) -> Option<T>,
) -> Option<T> {
    let locals = thread::locals().filter(|_| block.0 == thread::block())?;
    if muted::is_muted(block, locals) || DROPS.load(Ordering::Relaxed) {
        return None;
    }
    let start = locals.event_start.get() as usize;
    if !(start..start + BUFFER_BYTES).contains(&(record as usize)) {
        return None;
    }
    // SAFETY: a record begins before the buffer's end, and has this room behind it.
    let words = unsafe { std::slice::from_raw_parts(record.add(1), EVENT_ROOM as usize - 1) };
    let _saved = Saved::enter();
    crate::guarded(|| {
        let entered = Entered::new();
        entered.inside.as_ref()?;
        let state = &mut entered.lock().state;
        pass_all(state);
        let done = work(state, locals, words);
        let meets = state.targets.in_machine(|machine| machine.may_meet());
        block.set_meets(meets.unwrap_or(false));
        done
    })
    .flatten()
}

/// The outcome of a test that the program shall go on with.
pub fn decide(block: *mut u8, record: *const u64, header: u64, step: u32, outcome: i64) -> i64 {
    let _errno = KeepErrno::new();
    let decided = in_record(Block(block), record, |state, locals, words| {
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
    decided.unwrap_or(outcome)
}

/// An input was declared: each part of its range is followed.
pub fn follow_parts() {
    let _errno = KeepErrno::new();
    crate::guarded(|| {
        let entered = Entered::new();
        entered.inside.as_ref()?;
        let state = &mut entered.lock().state;
        let ways = state.targets.in_machine(|machine| machine.ways_of_input())?;
        if ways > 0 && !(1..ways).any(|way| follow(state, way)) {
            state.targets.in_machine(|machine| machine.take(0, None));
        }
        Some(())
    });
}

/// The program has come to a point where paths may meet.
pub fn meet(block: *mut u8, record: *const u64, header: u64, step: u32, here: &Here<'_>) {
    let _errno = KeepErrno::new();
    in_record(Block(block), record, |state, locals, words| {
        let arrival = state.targets.in_machine(|machine| machine.arrive(locals.number, header, words, step))?;
        for test in arrival.tests {
            state.targets.in_machine(|machine| {
                if all_are_here(machine, test, here) { join(machine, test) } else { send_on(machine, test) }
            });
        }
        if arrival.is_awaited {
            let bytes = state.targets.in_machine(|machine| machine.state(&mut compare::look)).flatten();
            wait_for_parent(state, &bytes.unwrap_or_default());
        }
        Some(())
    });
}

/// Whether all paths of a test differ from this process by floats only.
fn all_are_here(machine: &mut dyn Engine, test: usize, here: &Here<'_>) -> bool {
    machine.waiting(test).into_iter().all(|path| {
        let differences = compare::differences(path, here);
        differences.is_some_and(|differences| machine.can_meet(test, path, &differences))
    })
}

fn join(machine: &mut dyn Engine, test: usize) {
    let paths = machine.waiting(test);
    machine.meet(test, &mut compare::look);
    for path in paths {
        kin::tell(path, b'd');
        // What those that it had waiting itself have come to.
        take_end(machine, path);
    }
}

/// They go on to the next point, or to the end, and so does this process.
fn send_on(machine: &mut dyn Engine, test: usize) {
    machine.go_on(Some(test));
    for path in machine.waiting(test) {
        kin::tell(path, b'n');
        match kin::hear(path) {
            Said::Waits(bytes) => machine.waits(Some(test), path, &bytes),
            said => {
                adopt(machine, said);
                machine.ended(Some(test), path);
            }
        }
    }
}

fn take_end(machine: &mut dyn Engine, path: u64) {
    loop {
        match kin::hear(path) {
            // It was told already.
            Said::Waits(_) => {}
            said => return adopt(machine, said),
        }
    }
}

fn adopt(machine: &mut dyn Engine, said: Said) {
    match said {
        Said::Ended(bytes) | Said::Waits(bytes) => machine.adopt(Some(&bytes), MISSING),
        Said::Cannot => {
            machine.leave_out("paths cannot be followed: this system has no Landlock to keep them from changing files")
        }
        Said::Gone(why) => machine.adopt(None, &why),
    }
}

/// This process has come to where another waits for it, and does what that one says.
fn wait_for_parent(state: &mut State, bytes: &[u8]) {
    let parent = TO_PARENT.load(Ordering::Relaxed);
    kin::say(parent, b'W', bytes);
    match kin::listen(parent) {
        Some(b'n') => {
            state.targets.in_machine(|machine| machine.go_on(None));
        }
        Some(b'e') => {
            state.targets.in_machine(|machine| machine.go_on_to_end());
        }
        Some(_) => {
            let rest = state.targets.in_machine(|machine| {
                release_all(machine);
                machine.path_ends()
            });
            end_path(&rest.flatten().unwrap_or_default());
        }
        None => crate::exit::leave(0),
    }
}

/// Paths that wait for this process go on to the end of the program: it will not come to where they are.
fn release_all(machine: &mut dyn Engine) {
    for path in machine.all_waiting() {
        kin::tell(path, b'e');
        take_end(machine, path);
    }
}

/// Follows a way in a process of its own. True in that process, which goes on; in this one it waits, or has ended.
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
    let Some([own, its]) = kin::sockets() else {
        leave_out("a path could not be followed: no descriptor is left for it");
        return false;
    };
    compare::not_the_programs();
    // SAFETY: there is one thread, and what it holds is consistent: it goes on in both.
    match unsafe { _Fork() } {
        -1 => {
            leave_out("a path could not be followed: fork failed");
            false
        }
        0 => {
            drop(own);
            kin::forget();
            if !quiet::keep_quiet(its.as_raw_fd(), is_path()) {
                kin::say(its.as_raw_fd(), b'?', &[]);
                crate::exit::leave(0);
            }
            let before = TO_PARENT.swap(its.into_raw_fd(), Ordering::Relaxed);
            if before >= 0 {
                // SAFETY: the parent's, which this process has no use for.
                unsafe { ::libc::close(before) };
            }
            state.targets.in_machine(|machine| machine.take(way, Some(number)));
            true
        }
        child => {
            drop(its);
            kin::add(child, own);
            let said = kin::hear(child as u64);
            state.targets.in_machine(|machine| match said {
                Said::Waits(bytes) => machine.waits(None, child as u64, &bytes),
                said => {
                    adopt(machine, said);
                    machine.ended(None, way as u64);
                }
            });
            false
        }
    }
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
    kin::say(TO_PARENT.load(Ordering::Relaxed), b'E', results);
    crate::exit::leave(0)
}

/// The process ends: paths that wait for it end too, and a path hands over what it has.
pub fn end_paths() {
    let results = super::with_targets(|targets| {
        let results = targets.in_machine(|machine| {
            release_all(machine);
            machine.path_ends()
        });
        results.flatten()
    });
    if is_path() {
        end_path(&results.flatten().unwrap_or_default());
    }
}
