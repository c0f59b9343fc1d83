//! A process whose address layout leaves no room for the planes, or lies where it can have none.
//!
//! Some causes can be cured by starting the program over, before any of its code has run:
//! * `ulimit -s unlimited` makes the kernel place libraries low, where a plane must be. The new
//!   process gets a large finite stack for its layout, and the old limit back when it starts.
//! * `setarch -L` asks for the same low layout: the new process is asked to do without.
//! * a kernel that randomizes addresses further than the spans reach (`vm.mmap_rnd_bits` above
//!   28): the new process is not randomized.
//!
//! The others are told to the user, with what to do, and the process ends with status 2.

use super::{Refusal, is_shadowed};
use crate::say::say;
use crate::start;
use ::libc::{RLIM_INFINITY, RLIMIT_AS, RLIMIT_STACK, rlimit};
use nonius_abi::planes::EXECUTABLE;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Set in the process that was started over; its value says what to put back.
const GUARD: &str = "NONIUS_STARTED_OVER";
const RESTORE_STACK: &str = "stack";
const NOTHING: &str = "nothing";

/// The stack that the layout is made for instead of an unlimited one.
const STACK_BYTES: u64 = 64 << 30;
/// Stacks of threads when the limit is infinite, as glibc has it.
const THREAD_STACK_BYTES: usize = 2 << 20;

/// Whether what the kernel has placed so far lies where it can have shadows.
pub fn check() -> Result<(), Refusal> {
    let on_the_stack = 0u8;
    // SAFETY: neither call has preconditions.
    let (headers, heap) = unsafe { (::libc::getauxval(::libc::AT_PHDR), ::libc::sbrk(0)) };
    let places = [
        ("executable", headers),
        ("heap", heap as u64),
        ("stack", &raw const on_the_stack as u64),
        ("runtime", check as *const () as u64),
    ];
    match places.iter().find(|(_, address)| !is_shadowed(*address, 1)) {
        Some(&(what, address)) => Err(Refusal::Outside { what, address }),
        None => Ok(()),
    }
}

/// Puts back what an earlier process changed to start this one. Called once at start.
pub fn restore() {
    let Some(value) = std::env::var_os(GUARD).filter(|_| !start::is_privileged()) else { return };
    if value == RESTORE_STACK {
        let limit = rlimit { rlim_cur: RLIM_INFINITY, rlim_max: RLIM_INFINITY };
        // SAFETY: `limit` is valid; a refusal leaves the large finite limit.
        unsafe { ::libc::setrlimit(RLIMIT_STACK, &limit) };
        set_thread_stack();
    }
}

/// Takes the guard out of the environment, once the planes are there.
pub fn forget_guard() {
    if std::env::var_os(GUARD).is_some() {
        // SAFETY: before `main` there is one thread.
        unsafe { std::env::remove_var(GUARD) };
    }
}

/// Threads made while the limit looked finite would reserve all of it.
fn set_thread_stack() {
    let mut attributes = std::mem::MaybeUninit::<::libc::pthread_attr_t>::uninit();
    unsafe extern "C" {
        fn pthread_setattr_default_np(attributes: *const ::libc::pthread_attr_t) -> i32;
    }
    // SAFETY: the attributes are initialized before use and destroyed after.
    unsafe {
        if ::libc::pthread_attr_init(attributes.as_mut_ptr()) == 0 {
            ::libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), THREAD_STACK_BYTES);
            pthread_setattr_default_np(attributes.as_ptr());
            ::libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
    }
}

/// Starts the program over in a layout that has room, or says why there is none. Does not return.
pub fn make_room(refusal: Refusal) -> ! {
    // What a privileged program executes is not for its user to choose.
    if std::env::var_os(GUARD).is_none() && !start::is_privileged() {
        if limit(RLIMIT_STACK) == RLIM_INFINITY {
            let stack = rlimit { rlim_cur: STACK_BYTES, rlim_max: RLIM_INFINITY };
            // SAFETY: `stack` is valid.
            if unsafe { ::libc::setrlimit(RLIMIT_STACK, &stack) } == 0 {
                start_over(RESTORE_STACK);
            }
        } else if refusal.depends_on_layout() && usual_layout() {
            start_over(NOTHING);
        }
    }
    explain(refusal);
    // Before any of the program's code has run.
    crate::exit::leave(2)
}

impl Refusal {
    fn depends_on_layout(self) -> bool {
        match self {
            // Code this low was linked to a fixed address.
            Refusal::Outside { address, .. } => address >= 1 << 32,
            Refusal::Taken { .. } => true,
            Refusal::Kernel { .. } => false,
        }
    }
}

fn limit(which: u32) -> u64 {
    let mut limit = rlimit { rlim_cur: RLIM_INFINITY, rlim_max: RLIM_INFINITY };
    // SAFETY: `limit` is room for the result.
    unsafe { ::libc::getrlimit(which, &mut limit) };
    limit.rlim_cur
}

/// Asks for the usual layout instead of a low one, or else for one that is not randomized.
fn usual_layout() -> bool {
    const ASK: u64 = 0xffff_ffff;
    // SAFETY: changes flags of this process that only matter for what it executes next.
    unsafe {
        let now = ::libc::personality(ASK);
        let wanted = match now & ::libc::ADDR_COMPAT_LAYOUT {
            0 => now | ::libc::ADDR_NO_RANDOMIZE,
            low => now & !low,
        };
        now >= 0 && now != wanted && ::libc::personality(wanted as u64) >= 0
    }
}

/// Executes the program anew, with the same arguments. Returns if that fails.
fn start_over(restore: &str) {
    let Ok(program) = std::fs::read_link("/proc/self/exe") else { return };
    let Ok(arguments) = std::fs::read("/proc/self/cmdline") else { return };
    let strings = |list: Vec<OsString>| -> Option<Vec<CString>> {
        list.into_iter().map(|s| CString::new(s.into_vec()).ok()).collect()
    };
    let arguments = arguments.strip_suffix(b"\0").unwrap_or(&arguments);
    let arguments = arguments.split(|b| *b == 0).map(|a| OsString::from_vec(a.to_vec())).collect();
    let guard = OsString::from(format!("{GUARD}={restore}"));
    let environment = std::env::vars_os()
        .map(|(key, value)| {
            let mut entry = key;
            entry.push("=");
            entry.push(value);
            entry
        })
        .chain([guard])
        .collect();
    let (Some(arguments), Some(environment)) = (strings(arguments), strings(environment)) else { return };
    let Ok(program) = CString::new(program.as_os_str().as_bytes()) else { return };
    let pointers = |list: &[CString]| -> Vec<*const ::libc::c_char> {
        list.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect()
    };
    // SAFETY: null-terminated arrays of C strings that live until the call is over.
    unsafe { ::libc::execve(program.as_ptr(), pointers(&arguments).as_ptr(), pointers(&environment).as_ptr()) };
}

fn explain(refusal: Refusal) {
    match refusal {
        Refusal::Outside { what: "executable", address } if address < EXECUTABLE.start => say!(
            "error: the executable is not position-independent (it lies at 0x{address:x}), so it can have no shadow \
             memory\n  help: link it with -pie (leave out -no-pie, -static and -fno-pie)"
        ),
        Refusal::Outside { what, address } => say!(
            "error: the {what} lies at 0x{address:x}, where it can have no shadow memory\n  help: run it with \
             'setarch -R', or make the kernel randomize less: 'sysctl vm.mmap_rnd_bits=28'"
        ),
        Refusal::Taken { start, end } => say!(
            "error: something lies between 0x{start:x} and 0x{end:x}, where shadow memory must be\n  help: run it \
             with 'setarch -R', with a finite stack ('ulimit -s 8192'), and not under another sanitizer or Valgrind"
        ),
        Refusal::Kernel { errno } if limit(RLIMIT_AS) != RLIM_INFINITY => say!(
            "error: no address space for shadow memory (errno {errno})\n  help: lift the limit first: 'ulimit -v \
             unlimited'; shadow memory is reserved generously and takes space only where it is used"
        ),
        Refusal::Kernel { errno } => say!(
            "error: no address space for shadow memory (errno {errno})\n  help: {}",
            if overcommits_never() {
                "the kernel never overcommits; allow it: 'sysctl vm.overcommit_memory=0'"
            } else {
                "run it on Linux itself, not under an emulator or in a sandbox that limits address space"
            }
        ),
    }
}

fn overcommits_never() -> bool {
    std::fs::read("/proc/sys/vm/overcommit_memory").is_ok_and(|text| text.starts_with(b"2"))
}
