//! Stopping in a debugger where a finding is made.
//!
//! The stop is in the program's own frame, so that any debugger shows its line and its variables; see `in_program`. What
//! was found is told on stderr, and kept in [`__nonius_stop`] for the extension of gdb, which travels in this library.

mod in_program;

use crate::options::{self, Options};
use crate::say::say;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

// gdb runs what it finds in this section of a library, if its user trusts the place: 4 is for a script in Python, with a
// name, a line end and its text. Not loaded with the program.
std::arch::global_asm!(
    ".pushsection .debug_gdb_scripts,\"\",@progbits",
    ".byte 4",
    ".ascii \"nonius\\n\"",
    concat!(".incbin \"", env!("CARGO_MANIFEST_DIR"), "/src/debugger/gdb.py\""),
    ".byte 0",
    ".popsection",
);
/// So that a change of the script is one of this file.
const _: &str = include_str!("debugger/gdb.py");

const WORDS: usize = 1000;

/// The last finding that was told, as the extension reads it.
#[repr(C)]
pub struct Stop {
    /// How many there were.
    count: AtomicU64,
    /// Doubles, as bits.
    value: AtomicU64,
    ideal: AtomicU64,
    /// In a line, ended by a zero.
    words: [AtomicU8; WORDS],
}

#[unsafe(no_mangle)]
pub static __nonius_stop: Stop = Stop {
    count: AtomicU64::new(0),
    value: AtomicU64::new(0),
    ideal: AtomicU64::new(0),
    words: [const { AtomicU8::new(0) }; WORDS],
};

impl Stop {
    fn keep(&self, value: f64, ideal: f64, words: &str) {
        self.value.store(value.to_bits(), Ordering::Relaxed);
        self.ideal.store(ideal.to_bits(), Ordering::Relaxed);
        let bytes = words.as_bytes().iter().copied().filter(|byte| *byte != 0).chain(std::iter::repeat(0));
        for (place, byte) in self.words[..WORDS - 1].iter().zip(bytes) {
            place.store(byte, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Release);
    }
}

/// Called at the first finding of each site: a place for breakpoints. `value` is what the program
/// has, `ideal` what it should have; the program's own frame is a few up.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn __nonius_break(value: f64, ideal: f64) {
    std::hint::black_box((value, ideal));
}

/// Lets a debugger look at a finding; `words` says in a line what was found.
pub fn at_finding(value: f64, ideal: f64, options: &Options, words: impl FnOnce() -> Option<String>) {
    if options.debug && is_traced() {
        let words = crate::guarded(words).flatten().unwrap_or_else(|| "a finding".to_owned());
        __nonius_stop.keep(value, ideal, &words);
        say!("stopped at {words}\n  value {value:e}, ideal {ideal:e}; 'continue' leads to the next");
        // A program that is about to be ended does not come back to its own code.
        if options.halt || !in_program::stop_there() {
            // SAFETY: a debugger is attached and takes the trap.
            unsafe { ::libc::raise(::libc::SIGTRAP) };
        }
    } else if options.debug {
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
        let trust = own_folder().map(|folder| format!("-iex 'add-auto-load-safe-path {folder}' ")).unwrap_or_default();
        say!(
            "debug=1 stops in a debugger: {}=debug=1 gdb {trust}-ex run --args {}",
            options::VARIABLE,
            program.display()
        );
    }
}

/// The folder of this library, whose commands gdb runs if it is told that it may.
fn own_folder() -> Option<String> {
    let mut found = std::mem::MaybeUninit::<::libc::Dl_info>::zeroed();
    // SAFETY: the address is this function's own, and what is filled in lives as long as the library.
    let path = unsafe {
        if ::libc::dladdr(own_folder as *const ::libc::c_void, found.as_mut_ptr()) == 0 {
            return None;
        }
        std::ffi::CStr::from_ptr(found.assume_init().dli_fname)
    };
    let path = std::fs::canonicalize(path.to_str().ok()?).ok()?;
    path.parent()?.to_str().filter(|folder| !folder.contains('\'')).map(str::to_owned)
}
