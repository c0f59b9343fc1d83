//! The functions that `files` listens to, each under its own name: the next definition does the work.

use super::before::{Before, Links};
use super::{around, called, listens, opened_to_read, outside, starts};
use crate::say::KeepErrno;
use ::libc::{AT_FDCWD, AT_SYMLINK_NOFOLLOW, FILE, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY};
use ::libc::{c_char, c_int, c_long, c_uint, dev_t, gid_t, key_t, mode_t, off_t, pid_t, size_t, uid_t};
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
        pub mod next {
            $(pub static $name: $crate::files::functions::Next = $crate::files::functions::Next::new({
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

/// A system call by the C library's own function.
pub fn raw(number: c_long, arguments: [c_long; 4]) -> c_long {
    let [a, b, c, d] = arguments;
    // SAFETY: what the loader has under this name is of this type; the callers answer for the arguments.
    unsafe {
        std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_long, ...) -> c_long>(next::syscall.get())(
            number, a, b, c, d,
        )
    }
}

fn open_at(folder: c_int, path: *const c_char, flags: c_int, call: impl FnOnce() -> c_int) -> c_int {
    let writes = flags & ::libc::O_ACCMODE != O_RDONLY || flags & (O_CREAT | O_TRUNC) != 0;
    let before = match flags & (O_CREAT | O_EXCL) == O_CREAT | O_EXCL || flags & O_NOFOLLOW != 0 {
        _ if !writes => None,
        // SAFETY: the program gives a path.
        true => Before::at(folder, unsafe { string(path) }, Links::Stay),
        // SAFETY: as above.
        false => Before::at(folder, unsafe { string(path) }, Links::Follow),
    };
    let fd = around(before, call, |fd| *fd >= 0);
    if !writes {
        opened_to_read(fd);
    }
    fd
}

fn open_stream(path: *const c_char, mode: *const c_char, call: impl FnOnce() -> *mut FILE) -> *mut FILE {
    // SAFETY: the program gives strings.
    let mode = unsafe { string(mode) }.to_bytes();
    let mut stream = null_mut();
    let flags = match mode.first() {
        Some(b'w') => O_WRONLY | O_CREAT | O_TRUNC,
        Some(b'a') => O_WRONLY | O_CREAT,
        _ if mode.contains(&b'+') => O_RDWR,
        _ => O_RDONLY,
    };
    open_at(AT_FDCWD, path, flags, || {
        stream = call();
        // SAFETY: a stream that was just opened.
        if stream.is_null() { -1 } else { unsafe { ::libc::fileno(stream) } }
    });
    stream
}

/// A call that changes what is at a path, and gives 0 if it did.
fn change(folder: c_int, path: *const c_char, links: Links, call: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: the program gives a path.
    around(Before::at(folder, unsafe { string(path) }, links), call, |status| *status == 0)
}

/// The same of a path whose last link is what is changed.
fn stay(folder: c_int, path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    change(folder, path, Links::Stay, call)
}

fn follow(path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    change(AT_FDCWD, path, Links::Follow, call)
}

fn by_flags(folder: c_int, path: *const c_char, flags: c_int, call: impl FnOnce() -> c_int) -> c_int {
    let links = if flags & AT_SYMLINK_NOFOLLOW == 0 { Links::Follow } else { Links::Stay };
    change(folder, path, links, call)
}

fn behind(fd: c_int, call: impl FnOnce() -> c_int) -> c_int {
    around(Before::behind(fd), call, |status| *status == 0)
}

/// Both what goes and what it goes over.
fn move_at(
    from: (c_int, *const c_char),
    to: (c_int, *const c_char),
    flags: c_uint,
    call: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: the program gives paths.
    let (before, over) =
        unsafe { (Before::at(from.0, string(from.1), Links::Stay), Before::at(to.0, string(to.1), Links::Stay)) };
    let over = if flags & ::libc::RENAME_EXCHANGE == 0 { over } else { over.map(Before::moving) };
    around(before.map(Before::moving), || around(over, call, |status| *status == 0), |status| *status == 0)
}

/// A name that the C library chose: nothing was there.
fn made(path: *const c_char, call: impl FnOnce() -> c_int) -> c_int {
    let fd = call();
    if fd >= 0 && listens() {
        let _errno = KeepErrno::new();
        // SAFETY: the call before has written the name there.
        if let Some(before) = Before::new_at(unsafe { string(path) }) {
            before.note();
        }
    }
    fd
}

/// Memory with a name is a file in a folder of the system's.
fn shared(name: *const c_char, call: impl FnOnce(*const c_char) -> c_int) -> c_int {
    let mut path = super::Text::<300>::new();
    path.push(b"/dev/shm/");
    // SAFETY: the program gives a string.
    let name = unsafe { string(name) }.to_bytes();
    path.push(name.strip_prefix(b"/").unwrap_or(name));
    call(path.as_c_str().unwrap_or(c"").as_ptr())
}

fn start<T>(program: *const c_char, call: impl FnOnce() -> T) -> T {
    // SAFETY: the program gives a string.
    starts(unsafe { string(program) });
    call()
}

/// Signals to itself and to its children are its own affair.
fn signals(pid: pid_t) {
    if !listens() {
        return;
    }
    let _errno = KeepErrno::new();
    let mut info = std::mem::MaybeUninit::<::libc::siginfo_t>::zeroed();
    let flags = ::libc::WEXITED | ::libc::WNOHANG | ::libc::WNOWAIT;
    // SAFETY: only asks; `info` has room for the answer.
    let is_own = unsafe {
        pid == 0
            || pid == ::libc::getpid()
            || pid > 0 && ::libc::waitid(::libc::P_PID, pid as u32, info.as_mut_ptr(), flags) == 0
    };
    if !is_own {
        outside("sends signals to other processes");
    }
}

fn named<T>(key: key_t, call: impl FnOnce() -> T) -> T {
    if key != ::libc::IPC_PRIVATE {
        outside("shares memory, semaphores or messages with other processes");
    }
    call()
}

type Words = *const *const c_char;

#[rustfmt::skip]
mod defined {
use super::*;
listen! {
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
    mkstemps64(path: *mut c_char, end: c_int) -> c_int, |next| made(path, next);
    mkostemps(path: *mut c_char, end: c_int, flags: c_int) -> c_int, |next| made(path, next);
    mkostemps64(path: *mut c_char, end: c_int, flags: c_int) -> c_int, |next| made(path, next);
    mkdtemp(path: *mut c_char) -> *mut c_char, |next| {
        let got = next();
        made(got, || if got.is_null() { -1 } else { 0 });
        got
    };
    mkdir(path: *const c_char, mode: mode_t) -> c_int, |next| stay(AT_FDCWD, path, next);
    mkdirat(folder: c_int, path: *const c_char, mode: mode_t) -> c_int, |next| stay(folder, path, next);
    mkfifo(path: *const c_char, mode: mode_t) -> c_int, |next| stay(AT_FDCWD, path, next);
    mkfifoat(folder: c_int, path: *const c_char, mode: mode_t) -> c_int, |next| stay(folder, path, next);
    mknod(path: *const c_char, mode: mode_t, device: dev_t) -> c_int, |next| stay(AT_FDCWD, path, next);
    mknodat(folder: c_int, path: *const c_char, mode: mode_t, device: dev_t) -> c_int, |next| stay(folder, path, next);
    link(from: *const c_char, path: *const c_char) -> c_int, |next| stay(AT_FDCWD, path, next);
    linkat(a: c_int, from: *const c_char, folder: c_int, path: *const c_char, flags: c_int) -> c_int, |next| stay(folder, path, next);
    symlink(from: *const c_char, path: *const c_char) -> c_int, |next| stay(AT_FDCWD, path, next);
    symlinkat(from: *const c_char, folder: c_int, path: *const c_char) -> c_int, |next| stay(folder, path, next);
    unlink(path: *const c_char) -> c_int, |next| stay(AT_FDCWD, path, next);
    rmdir(path: *const c_char) -> c_int, |next| stay(AT_FDCWD, path, next);
    remove(path: *const c_char) -> c_int, |next| stay(AT_FDCWD, path, next);
    unlinkat(folder: c_int, path: *const c_char, flags: c_int) -> c_int, |next| stay(folder, path, next);
    truncate(path: *const c_char, bytes: off_t) -> c_int, |next| follow(path, next);
    truncate64(path: *const c_char, bytes: off_t) -> c_int, |next| follow(path, next);
    rename(from: *const c_char, to: *const c_char) -> c_int, |next| move_at((AT_FDCWD, from), (AT_FDCWD, to), 0, next);
    renameat(a: c_int, from: *const c_char, b: c_int, to: *const c_char) -> c_int, |next| move_at((a, from), (b, to), 0, next);
    renameat2(a: c_int, from: *const c_char, b: c_int, to: *const c_char, flags: c_uint) -> c_int, |next| move_at((a, from), (b, to), flags, next);
    chmod(path: *const c_char, mode: mode_t) -> c_int, |next| follow(path, next);
    fchmod(fd: c_int, mode: mode_t) -> c_int, |next| behind(fd, next);
    fchmodat(folder: c_int, path: *const c_char, mode: mode_t, flags: c_int) -> c_int, |next| by_flags(folder, path, flags, next);
    chown(path: *const c_char, user: uid_t, group: gid_t) -> c_int, |next| follow(path, next);
    lchown(path: *const c_char, user: uid_t, group: gid_t) -> c_int, |next| stay(AT_FDCWD, path, next);
    fchown(fd: c_int, user: uid_t, group: gid_t) -> c_int, |next| behind(fd, next);
    fchownat(folder: c_int, path: *const c_char, user: uid_t, group: gid_t, flags: c_int) -> c_int, |next| by_flags(folder, path, flags, next);
    utime(path: *const c_char, times: *const c_void) -> c_int, |next| follow(path, next);
    utimes(path: *const c_char, times: *const c_void) -> c_int, |next| follow(path, next);
    utimensat(folder: c_int, path: *const c_char, times: *const c_void, flags: c_int) -> c_int, |next| {
        if path.is_null() { behind(folder, next) } else { by_flags(folder, path, flags, next) }
    };
    futimens(fd: c_int, times: *const c_void) -> c_int, |next| behind(fd, next);
    shm_open(name: *const c_char, flags: c_int, mode: mode_t) -> c_int, |next| shared(name, |path| open_at(AT_FDCWD, path, flags, next));
    shm_unlink(name: *const c_char) -> c_int, |next| shared(name, |path| stay(AT_FDCWD, path, next));
    socket(domain: c_int, kind: c_int, protocol: c_int) -> c_int, |next| {
        outside("opens sockets");
        next()
    };
    kill(pid: pid_t, signal: c_int) -> c_int, |next| {
        signals(pid);
        next()
    };
    shmget(key: key_t, bytes: size_t, flags: c_int) -> c_int, |next| named(key, next);
    semget(key: key_t, count: c_int, flags: c_int) -> c_int, |next| named(key, next);
    msgget(key: key_t, flags: c_int) -> c_int, |next| named(key, next);
    mq_open(name: *const c_char, flags: c_int, mode: mode_t, how: *const c_void) -> c_int, |next| named(1, next);
    syscall(number: c_long, a: c_long, b: c_long, c: c_long, d: c_long, e: c_long, f: c_long) -> c_long, |next| {
        called(number, [a, b, c]);
        next()
    };
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
}
use defined::next;
pub use defined::resolve;
