//! Start-up, before any code of the program runs: the loader calls the constructors of a
//! library before those of the objects that need it.

use crate::fenv::Saved;
use crate::options::{self, Options};
use crate::say::{self, say};
use crate::{
    cancellation, deadline, endings, events, exit, files, fork, image, mistakes, output, outputs, planes, suppress,
    thread,
};
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicBool, Ordering};

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    // The program starts with no flag raised.
    let _environment = Saved::enter();
    say::start();
    mistakes::start();
    if image::is_asked() {
        speak_for_another();
    }
    planes::restore();
    if let Err(refusal) = planes::map() {
        planes::make_room(refusal);
    }
    planes::forget_guard();
    thread::start();
    HEAP_IS_LIBC.store(compare_heaps(), Ordering::Relaxed);
    if let Err(message) = read_options() {
        refuse(&message);
    }
    output::start();
    // Before the first tally: they lie in the image.
    image::start();
    outputs::prepare();
    fork::start();
    exit::start();
    endings::start();
    cancellation::start();
    if let Err(message) = events::start(options::current()) {
        refuse(&message);
    }
    deadline::start(options::current());
    // Last: what the runtime itself opens is not the program's doing.
    files::start(options::current());
}

/// This process is there to report what another left, and no more.
fn speak_for_another() -> ! {
    thread::start();
    let told = read_options().and_then(|()| image::run());
    if let Err(message) = &told {
        say!("error: what a process had found cannot be read: {message}");
    }
    exit::leave(if told.is_ok() { 0 } else { 2 })
}

/// The suppressions that the program brings along.
pub fn default_suppressions() -> Option<&'static str> {
    default_text(1)
}

/// Ends the process, before any of the program's code has run.
fn refuse(message: &str) {
    say!("error: {}: {message}", options::VARIABLE);
    exit::leave(2);
}

// What the program may define itself. The weak references make the linker export the program's
// definitions, so that the loader finds them; without any, the words stay null.
std::arch::global_asm!(
    ".weak __nonius_default_options",
    ".weak __nonius_default_suppressions",
    ".pushsection .data.rel.ro.nonius_defaults, \"aw\", @progbits",
    ".balign 8",
    ".globl nonius_defaults",
    ".hidden nonius_defaults",
    "nonius_defaults: .quad __nonius_default_options, __nonius_default_suppressions",
    ".popsection",
);

/// What a function of the program's own gives as text.
fn default_text(which: usize) -> Option<&'static str> {
    unsafe extern "C" {
        static nonius_defaults: [Option<unsafe extern "C-unwind" fn() -> *const c_char>; 2];
    }
    // SAFETY: the words are null or functions of that type, as the header declares them; what
    // they return is null or a C string that stays.
    let text = unsafe {
        let text = nonius_defaults[which]?();
        (!text.is_null()).then(|| CStr::from_ptr(text))
    };
    text.and_then(|text| text.to_str().ok())
}

/// Whether the program has rights that its user has not (set-uid and its like). Then neither files nor variables that the
/// user can choose are looked at, and no file is written.
pub fn is_privileged() -> bool {
    // SAFETY: has no preconditions.
    unsafe { ::libc::getauxval(::libc::AT_SECURE) != 0 }
}

fn read_options() -> Result<(), String> {
    let mut read = Options::new();
    if let Some(defaults) = default_text(0) {
        read.apply(defaults).map_err(|error| format!("in __nonius_default_options: {error}"))?;
    }
    // Whoever starts a privileged program has no say in what it does.
    if let Some(text) = std::env::var_os(options::VARIABLE).filter(|_| !is_privileged()) {
        let text = text.to_str().ok_or("not UTF-8; paths must be, too")?.to_owned();
        read.apply(&text)?;
    }
    if is_privileged() {
        read.leave_files_alone();
    }
    // The program may change its folder before it ends.
    for path in read.paths_mut() {
        if let Ok(absolute) = std::path::absolute(&path) {
            *path = absolute;
        }
    }
    let read = options::put(read);
    if read.help {
        output::lines(&options::help());
    }
    suppress::start(read, default_suppressions())
}

static HEAP_IS_LIBC: AtomicBool = AtomicBool::new(true);

/// Whether blocks of `malloc` are the C library's, so that it knows their size.
pub fn heap_is_libc() -> bool {
    HEAP_IS_LIBC.load(Ordering::Relaxed)
}

fn compare_heaps() -> bool {
    let object = |function: *const ()| {
        let mut info = std::mem::MaybeUninit::<::libc::Dl_info>::zeroed();
        // SAFETY: `info` is room for what `dladdr` fills in; zero bytes are valid too.
        unsafe {
            ::libc::dladdr(function.cast(), info.as_mut_ptr());
            info.assume_init().dli_fbase
        }
    };
    object(::libc::malloc as *const ()) == object(::libc::malloc_usable_size as *const ())
}
