//! The functions that `files` listens to, each under its own name: the next definition does the work.

use super::{Opening, acted, at_end, listens, moved, starts, status_at};
use ::libc::{AT_FDCWD, FILE, O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY};
use ::libc::{c_char, c_int, c_uint, mode_t, off_t, pid_t};
use nonius_abi::files::Act;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Defines functions: the C signature, and what is done around the call of `next`.
macro_rules! listen {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty, |$next:ident| $body:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, noted.")]
            ///
            /// # Safety
            /// As the C function of that name.
            #[unsafe(no_mangle)]
            pub unsafe extern "C-unwind" fn $name($($arg: $ty),*) -> $ret {
                let next = next::$name.get();
                // SAFETY: what the loader has under this name is of this type; the program's own call, as it came.
                let $next = || unsafe {
                    std::mem::transmute::<*mut c_void, unsafe extern "C-unwind" fn($($ty),*) -> $ret>(next)($($arg),*)
                };
                $body
            }
        )*
        #[allow(non_upper_case_globals, reason = "named after the functions")]
        mod next {
            $(pub static $name: super::Next = super::Next::new({
                // SAFETY: a literal that ends where it should.
                unsafe { std::ffi::CStr::from_bytes_with_nul_unchecked(concat!(stringify!($name), "\0").as_bytes()) }
            });)*
        }
        /// Finds all at once, while there is time.
        pub fn resolve() {
            $(next::$name.get();)*
        }
    };
}

/// The definition behind this library's own.
pub struct Next {
    name: &'static CStr,
    found: AtomicPtr<c_void>,
}

impl Next {
    pub const fn new(name: &'static CStr) -> Next {
        Next { name, found: AtomicPtr::new(null_mut()) }
    }

    pub fn get(&self) -> *mut c_void {
        let found = self.found.load(Ordering::Relaxed);
        if !found.is_null() {
            return found;
        }
        // SAFETY: the name is a string.
        let mut next = unsafe { ::libc::dlsym(::libc::RTLD_NEXT, self.name.as_ptr()) };
        if next.is_null() {
            // A library that was loaded late has nothing behind it.
            // SAFETY: as above.
            next = unsafe { ::libc::dlsym(libc_handle(), self.name.as_ptr()) };
        }
        self.found.store(next, Ordering::Relaxed);
        next
    }
}

fn libc_handle() -> *mut c_void {
    // SAFETY: the name is a string; the library is loaded already, and stays.
    unsafe { ::libc::dlopen(c"libc.so.6".as_ptr(), ::libc::RTLD_LAZY | ::libc::RTLD_NOLOAD) }
}

/// Whether calls of the program come here: not if the C library was loaded before.
pub fn are_in_place() -> bool {
    let object = |address: *const c_void| {
        let mut info = std::mem::MaybeUninit::<::libc::Dl_info>::zeroed();
        // SAFETY: `info` is room for what `dladdr` fills in; zero bytes are valid too.
        unsafe {
            ::libc::dladdr(address, info.as_mut_ptr());
            info.assume_init().dli_fbase
        }
    };
    // SAFETY: the name is a string.
    let first = unsafe { ::libc::dlsym(::libc::RTLD_DEFAULT, c"open64".as_ptr()) };
    object(first) == object(are_in_place as *const c_void)
}

/// The program's string; null is none.
///
/// # Safety
/// `text` is null or a string.
unsafe fn string<'a>(text: *const c_char) -> &'a CStr {
    // SAFETY: as this function demands.
    if text.is_null() { c"" } else { unsafe { CStr::from_ptr(text) } }
}

fn open_at(folder: c_int, path: *const c_char, flags: c_int, call: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: the program gives a path.
    let opening = Opening::new(folder, unsafe { string(path) }, flags);
    let fd = call();
    if let Some(opening) = opening {
        opening.done(fd);
    }
    fd
}

fn open_stream(path: *const c_char, mode: *const c_char, call: impl FnOnce() -> *mut FILE) -> *mut FILE {
    // SAFETY: the program gives strings.
    let (path, mode) = unsafe { (string(path), string(mode).to_bytes()) };
    let both = mode.contains(&b'+');
    let flags = match mode.first() {
        Some(b'w') => O_WRONLY | O_CREAT | O_TRUNC,
        Some(b'a') => O_WRONLY | O_CREAT | O_APPEND,
        _ if both => O_RDWR,
        _ => O_RDONLY,
    };
    let opening = Opening::new(AT_FDCWD, path, flags);
    let stream = call();
    if let Some(opening) = opening.filter(|_| !stream.is_null()) {
        // SAFETY: a stream that was just opened.
        opening.done(unsafe { ::libc::fileno(stream) });
    }
    stream
}

/// An act that succeeded if its result is 0.
fn act_at(act: Act, folder: c_int, path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    let status = call();
    if status == 0 && listens() {
        // SAFETY: the program gives a path.
        acted(act, folder, unsafe { string(path) }, b"");
    }
    status
}

fn truncated(path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: the program gives a path.
    let path = unsafe { string(path) };
    let before = if listens() { status_at(AT_FDCWD, path) } else { None };
    let status = call();
    if let Some(before) = before.filter(|_| status == 0) {
        acted(Act::Update, AT_FDCWD, path, &before.encode());
    }
    status
}

fn move_at(from: (c_int, *const c_char), to: (c_int, *const c_char), call: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: the program gives paths.
    let (from, to) = unsafe { ((from.0, string(from.1)), (to.0, string(to.1))) };
    let over = listens() && status_at(to.0, to.1).is_some();
    let status = call();
    if status == 0 && listens() {
        moved(from, to, over);
    }
    status
}

/// A file of a name that the C library chose.
fn made(path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    let fd = call();
    if fd >= 0 && listens() {
        // SAFETY: the call before has written the name there.
        acted(Act::Create, AT_FDCWD, unsafe { string(path) }, b"");
    }
    fd
}

/// How Fortran's runtime appends.
fn sought(fd: c_int, from: c_int, call: impl FnOnce() -> off_t) -> off_t {
    let at = call();
    if from == ::libc::SEEK_END && at >= 0 {
        at_end(fd);
    }
    at
}

fn start<T>(program: *const c_char, call: impl FnOnce() -> T) -> T {
    // SAFETY: the program gives a string.
    starts(unsafe { string(program) });
    call()
}

type Words = *const *const c_char;

listen! {
    // The mode is there if the flags ask for one; else what is handed on is not looked at.
    open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int, |next| open_at(AT_FDCWD, path, flags, next);
    open64(path: *const c_char, flags: c_int, mode: mode_t) -> c_int, |next| open_at(AT_FDCWD, path, flags, next);
    openat(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int, |next| open_at(folder, path, flags, next);
    openat64(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int, |next| open_at(folder, path, flags, next);
    __open_2(path: *const c_char, flags: c_int) -> c_int, |next| open_at(AT_FDCWD, path, flags, next);
    __open64_2(path: *const c_char, flags: c_int) -> c_int, |next| open_at(AT_FDCWD, path, flags, next);
    __openat_2(folder: c_int, path: *const c_char, flags: c_int) -> c_int, |next| open_at(folder, path, flags, next);
    __openat64_2(folder: c_int, path: *const c_char, flags: c_int) -> c_int, |next| open_at(folder, path, flags, next);
    creat(path: *const c_char, mode: mode_t) -> c_int, |next| open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, next);
    creat64(path: *const c_char, mode: mode_t) -> c_int, |next| open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, next);
    fopen(path: *const c_char, mode: *const c_char) -> *mut FILE, |next| open_stream(path, mode, next);
    fopen64(path: *const c_char, mode: *const c_char) -> *mut FILE, |next| open_stream(path, mode, next);
    freopen(path: *const c_char, mode: *const c_char, old: *mut FILE) -> *mut FILE, |next| open_stream(path, mode, next);
    freopen64(path: *const c_char, mode: *const c_char, old: *mut FILE) -> *mut FILE, |next| open_stream(path, mode, next);
    mkstemp(path: *mut c_char) -> c_int, |next| made(path, next);
    mkstemp64(path: *mut c_char) -> c_int, |next| made(path, next);
    mkostemp(path: *mut c_char, flags: c_int) -> c_int, |next| made(path, next);
    mkostemp64(path: *mut c_char, flags: c_int) -> c_int, |next| made(path, next);
    mkstemps(path: *mut c_char, end: c_int) -> c_int, |next| made(path, next);
    mkdtemp(path: *mut c_char) -> *mut c_char, |next| {
        let got = next();
        made(got, || if got.is_null() { -1 } else { 0 });
        got
    };
    mkdir(path: *const c_char, mode: mode_t) -> c_int, |next| act_at(Act::Create, AT_FDCWD, path, next);
    mkdirat(folder: c_int, path: *const c_char, mode: mode_t) -> c_int, |next| act_at(Act::Create, folder, path, next);
    link(from: *const c_char, path: *const c_char) -> c_int, |next| act_at(Act::Create, AT_FDCWD, path, next);
    symlink(from: *const c_char, path: *const c_char) -> c_int, |next| act_at(Act::Create, AT_FDCWD, path, next);
    unlink(path: *const c_char) -> c_int, |next| act_at(Act::Remove, AT_FDCWD, path, next);
    unlinkat(folder: c_int, path: *const c_char, flags: c_int) -> c_int, |next| act_at(Act::Remove, folder, path, next);
    rmdir(path: *const c_char) -> c_int, |next| act_at(Act::Remove, AT_FDCWD, path, next);
    remove(path: *const c_char) -> c_int, |next| act_at(Act::Remove, AT_FDCWD, path, next);
    truncate(path: *const c_char, bytes: off_t) -> c_int, |next| truncated(path, next);
    truncate64(path: *const c_char, bytes: off_t) -> c_int, |next| truncated(path, next);
    rename(from: *const c_char, to: *const c_char) -> c_int, |next| move_at((AT_FDCWD, from), (AT_FDCWD, to), next);
    renameat(a: c_int, from: *const c_char, b: c_int, to: *const c_char) -> c_int, |next| move_at((a, from), (b, to), next);
    renameat2(a: c_int, from: *const c_char, b: c_int, to: *const c_char, flags: c_uint) -> c_int, |next| {
        move_at((a, from), (b, to), next)
    };
    lseek(fd: c_int, to: off_t, from: c_int) -> off_t, |next| sought(fd, from, next);
    lseek64(fd: c_int, to: off_t, from: c_int) -> off_t, |next| sought(fd, from, next);
    system(command: *const c_char) -> c_int, |next| start(command, next);
    popen(command: *const c_char, mode: *const c_char) -> *mut FILE, |next| start(command, next);
    execv(program: *const c_char, words: Words) -> c_int, |next| start(program, next);
    execvp(program: *const c_char, words: Words) -> c_int, |next| start(program, next);
    execve(program: *const c_char, words: Words, variables: Words) -> c_int, |next| start(program, next);
    execvpe(program: *const c_char, words: Words, variables: Words) -> c_int, |next| start(program, next);
    posix_spawn(
        pid: *mut pid_t, program: *const c_char, acts: *const c_void, how: *const c_void, words: Words, variables: Words,
    ) -> c_int, |next| start(program, next);
    posix_spawnp(
        pid: *mut pid_t, program: *const c_char, acts: *const c_void, how: *const c_void, words: Words, variables: Words,
    ) -> c_int, |next| start(program, next);
}
