//! Outlives the signals that are meant for the program, so that its report can still be read.
//!
//! What a terminal sends (SIGINT, SIGQUIT) reaches the program by itself and only has to be
//! survived. What is sent to one process (SIGTERM, SIGHUP, as by `timeout`) is passed on.

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

pub(crate) struct Guard(Signals);

impl Guard {
    pub fn new() -> io::Result<Self> {
        Signals::new([SIGINT, SIGQUIT, SIGTERM, SIGHUP]).map(Self)
    }

    /// Waits for the child's end, passing signals on meanwhile, and says whether there were any. A child that takes longer
    /// than `limit` is ended.
    pub fn wait(mut self, child: &mut Child, limit: Option<Duration>) -> io::Result<(ExitStatus, bool)> {
        let handle = self.0.handle();
        let interrupted = AtomicBool::new(false);
        let was_told = &interrupted;
        let pid = Pid::from_child(child);
        thread::scope(|scope| {
            scope.spawn(move || {
                for signal in self.0.forever() {
                    was_told.store(true, Ordering::Relaxed);
                    let passed_on = match signal {
                        SIGTERM => Signal::TERM,
                        SIGHUP => Signal::HUP,
                        _ => continue,
                    };
                    // It can only fail if the program is gone already.
                    let _ = kill_process(pid, passed_on);
                }
            });
            let (done, is_done) = mpsc::channel::<()>();
            if let Some(limit) = limit {
                scope.spawn(move || {
                    if let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(limit) {
                        let _ = kill_process(pid, Signal::KILL);
                    }
                });
            }
            let status = child.wait();
            drop(done);
            handle.close();
            Ok((status?, interrupted.load(Ordering::Relaxed)))
        })
    }
}
