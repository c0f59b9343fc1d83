//! `abort`, `_exit` and `_Exit`, defined in front of the C library's: code that was not instrumented ends the process by
//! them too (`std::terminate`, Rust's panics), and what was found is told before. Nothing else is changed.

use crate::exit;
use crate::files::Next;
use ::libc::c_int;

static ABORT: Next = Next::new(c"abort");
static EXIT: Next = Next::new(c"_exit");

/// Finds all at once, while there is time.
pub fn start() {
    ABORT.get();
    EXIT.get();
}

/// `abort`, told.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn abort() -> ! {
    exit::flush_before_end();
    // SAFETY: what the loader has under this name is of this type.
    unsafe { std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C-unwind" fn() -> !>(ABORT.get())() }
}

/// `_exit`, told.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn _exit(status: c_int) -> ! {
    exit::flush();
    // SAFETY: what the loader has under this name is of this type.
    unsafe { std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C-unwind" fn(c_int) -> !>(EXIT.get())(status) }
}

/// `_Exit`, told.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn _Exit(status: c_int) -> ! {
    // SAFETY: the same function by another name.
    unsafe { _exit(status) }
}
