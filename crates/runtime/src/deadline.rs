//! The end of a run that takes too long, with a report of what it has come to.
//!
//! A thread waits for it, rather than a signal: a report takes memory and locks, which a handler must not. A forked child
//! has no such thread; whoever set the deadline ends it.

use crate::blocked_signals::BlockedSignals;
use crate::exit;
use crate::options::Options;
use crate::say::say;
use std::time::Duration;

pub fn start(options: &Options) {
    let Some(seconds) = options.deadline.filter(|seconds| *seconds > 0.0) else { return };
    // Signals are for the program's own threads.
    let _blocked = BlockedSignals::new();
    let waits = move || {
        std::thread::sleep(Duration::from_secs_f64(seconds));
        exit::halt();
    };
    if let Err(error) = std::thread::Builder::new().name("nonius".to_owned()).spawn(waits) {
        say!("warning: 'deadline={seconds}': {error}");
    }
}
