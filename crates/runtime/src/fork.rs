//! Forked children: what was found before the fork is the parent's to report.

use crate::{
    acsl, address_locks, alloc, cancellation, doubts, events, exit, fatal_signals, found, image, outputs, printed,
    sites, tallies,
};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

static PID: AtomicI32 = AtomicI32::new(0);
static IS_CHILD: AtomicBool = AtomicBool::new(false);

pub fn start() {
    PID.store(pid(), Ordering::Relaxed);
    // SAFETY: the handlers are plain functions that stay.
    unsafe { ::libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
}

fn pid() -> i32 {
    // SAFETY: has no preconditions.
    unsafe { ::libc::getpid() }
}

/// Registered first, so nothing of the program runs between this and the fork, nor between the fork and the other two.
unsafe extern "C" fn before() {
    let _errno = crate::say::KeepErrno::new();
    events::before_fork();
}

unsafe extern "C" fn in_parent() {
    let _errno = crate::say::KeepErrno::new();
    events::after_fork(false);
}

unsafe extern "C" fn in_child() {
    let _errno = crate::say::KeepErrno::new();
    PID.store(pid(), Ordering::Relaxed);
    IS_CHILD.store(true, Ordering::Relaxed);
    alloc::after_fork();
    image::after_fork();
    tallies::after_fork();
    sites::modules().for_each(|module| module.checks.after_fork());
    doubts::after_fork();
    found::after_fork();
    acsl::after_fork();
    printed::after_fork();
    outputs::after_fork();
    exit::after_fork();
    fatal_signals::after_fork();
    events::after_fork(true);
    address_locks::after_fork();
    cancellation::after_fork();
}

/// This process has a number of its own, without having gone through the handlers.
pub fn note_process() {
    PID.store(pid(), Ordering::Relaxed);
}

/// Whether this process was forked from one that the runtime started in.
pub fn is_child() -> bool {
    IS_CHILD.load(Ordering::Relaxed)
}

/// Speaks for a process that is gone, and may have been forked.
pub fn restore(is_child: bool) {
    IS_CHILD.store(is_child, Ordering::Relaxed);
}

/// The process that is reported: this one, unless it speaks for another.
pub fn reported() -> u32 {
    image::answers().or_else(events::client).unwrap_or_else(std::process::id)
}

/// Whether this process shares its memory with the one that reports: after `vfork`, no handler ran.
pub fn is_borrowed() -> bool {
    PID.load(Ordering::Relaxed) != pid()
}
