//! Stopping in a debugger where a finding is made.

use crate::options;
use crate::say::say;
use std::sync::atomic::{AtomicBool, Ordering};

/// Called at the first finding of each site: a place for breakpoints. `value` is what the program
/// has, `ideal` what it should have; the program's own frame is a few up.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __nonius_break(value: f64, ideal: f64) {
    std::hint::black_box((value, ideal));
}

/// Lets a debugger look at a finding.
pub fn at_finding(value: f64, ideal: f64, stop: bool) {
    if stop && is_traced() {
        say!(
            "stopped at a finding: value {value:e}, ideal {ideal:e}; 'up' leads to the program, 'continue' to the next"
        );
        // SAFETY: a debugger is attached and takes the trap.
        unsafe { ::libc::raise(::libc::SIGTRAP) };
    } else if stop {
        say_how();
    }
    __nonius_break(value, ideal);
}

fn is_traced() -> bool {
    let status = std::fs::read("/proc/self/status").unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|pid| pid.trim() != "0")
}

fn say_how() {
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        let program = std::fs::read_link("/proc/self/exe").unwrap_or_default();
        say!("debug=1 stops in a debugger: {}=debug=1 gdb -ex run --args {}", options::VARIABLE, program.display());
    }
}
