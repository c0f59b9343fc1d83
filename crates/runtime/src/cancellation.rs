//! Asynchronous cancellation (`PTHREAD_CANCEL_ASYNCHRONOUS`), without unwinding the runtime.
//!
//! The C library cancels such a thread in a signal handler, wherever it is: the forced unwind then meets frames of the
//! runtime, which cannot be unwound, and the process aborts. So here, in front of the C library's functions, is who knows
//! which threads are asynchronous, while the C library takes all for deferred. `pthread_cancel` of an asynchronous
//! thread sends it the C library's own signal, to a handler in front of the C library's. If the thread is in the
//! program's code, or in what that calls, it is cancelled there and then, as it would be without Nonius; if it is in the
//! runtime, a timer asks again a little later.
//!
//! Limits: a thread that leaves the runtime only to come back at once (every instruction a finding) is met in the
//! program's code by chance, each time the timer asks.

use crate::files::Next;
use crate::{loaded, say, stack, thread};
use ::libc::{EINVAL, c_int, c_long, c_void, pthread_t, siginfo_t};
use std::mem::{MaybeUninit, transmute};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};

const ENABLE: c_int = 0;
pub const DISABLE: c_int = 1;
const DEFERRED: c_int = 0;
const ASYNCHRONOUS: c_int = 1;
/// The C library's own signal, which its functions hide.
const SIGCANCEL: c_int = 32;
/// Until a thread that was met in the runtime is asked again.
const LATER_NS: c_long = 200_000;

static CANCEL: Next = Next::new(c"pthread_cancel");
static SET_STATE: Next = Next::new(c"pthread_setcancelstate");
static SET_TYPE: Next = Next::new(c"pthread_setcanceltype");
type Set = unsafe extern "C-unwind" fn(c_int, *mut c_int) -> c_int;

/// Finds all at once, while there is time.
pub fn start() {
    CANCEL.get();
    SET_STATE.get();
    SET_TYPE.get();
}

/// `pthread_setcancelstate` for the runtime itself: whatever is pending stays so.
///
/// # Safety
/// `before` is null or writable.
#[inline]
pub unsafe fn set_state(state: c_int, before: *mut c_int) -> c_int {
    // SAFETY: what the loader has under this name is of this type, and the arguments are as it demands. To the C library
    // all threads are deferred, so it does not unwind.
    unsafe { transmute::<*mut c_void, Set>(SET_STATE.get())(state, before) }
}

/// Tells the C library of a type for the length of a call: what is pending then is done by itself.
fn tell_type(kind: c_int) {
    // SAFETY: what the loader has under this name is of this type.
    unsafe { transmute::<*mut c_void, Set>(SET_TYPE.get())(kind, null_mut()) };
}

/// `pthread_setcancelstate`; what waited for an asynchronous thread is done now.
///
/// # Safety
/// As the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pthread_setcancelstate(state: c_int, before: *mut c_int) -> c_int {
    // Where this unwinds, nothing is left to be dropped.
    let is_told = state == ENABLE && is_asynchronous();
    if is_told {
        tell_type(ASYNCHRONOUS);
    }
    // SAFETY: as this function demands.
    let error = unsafe { set_state(state, before) };
    if is_told {
        tell_type(DEFERRED);
    }
    error
}

/// `pthread_setcanceltype`, of which the C library is not told.
///
/// # Safety
/// As the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pthread_setcanceltype(kind: c_int, before: *mut c_int) -> c_int {
    if kind != DEFERRED && kind != ASYNCHRONOUS {
        return EINVAL;
    }
    let was = if is_asynchronous() { ASYNCHRONOUS } else { DEFERRED };
    if !before.is_null() {
        // SAFETY: the caller's to write to.
        unsafe { before.write(was) };
    }
    if kind == DEFERRED {
        forget();
    } else {
        if was == DEFERRED {
            note();
        }
        // Where this unwinds, nothing is left to be dropped.
        tell_type(ASYNCHRONOUS);
        tell_type(DEFERRED);
    }
    0
}

/// `pthread_cancel`; an asynchronous thread is sent a signal.
///
/// # Safety
/// As the function of the C library.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn pthread_cancel(target: pthread_t) -> c_int {
    type Cancel = unsafe extern "C-unwind" fn(pthread_t) -> c_int;
    // SAFETY: has no preconditions.
    let is_self = unsafe { ::libc::pthread_self() } == target;
    // Where this unwinds, nothing is left to be dropped.
    let is_told = is_self && is_asynchronous();
    if is_told {
        tell_type(ASYNCHRONOUS);
    }
    // SAFETY: what the loader has under this name is of this type; the program's own argument.
    let error = unsafe { transmute::<*mut c_void, Cancel>(CANCEL.get())(target) };
    if is_told {
        tell_type(DEFERRED);
    }
    if error == 0 && !is_self {
        interrupt(target);
    }
    error
}

unsafe extern "C-unwind" {
    fn pthread_testcancel();
}

/// An asynchronous thread. Entries are used again, and never freed: handlers and forked children walk them.
struct Entry {
    /// The `pthread_t`; 0 for none.
    thread: AtomicUsize,
    /// The kernel's number of the thread.
    number: AtomicI32,
    next: *const Entry,
}

static FIRST: AtomicPtr<Entry> = AtomicPtr::new(null_mut());

/// The entry of a thread, or with 0 a free one.
fn entry(thread: usize) -> Option<&'static Entry> {
    let mut at = FIRST.load(Ordering::Acquire).cast_const();
    // SAFETY: null, or an entry that was leaked.
    while let Some(entry) = unsafe { at.as_ref() } {
        if entry.thread.load(Ordering::Acquire) == thread {
            return Some(entry);
        }
        at = entry.next;
    }
    None
}

fn own_entry() -> Option<&'static Entry> {
    // SAFETY: has no preconditions.
    entry(unsafe { ::libc::pthread_self() } as usize)
}

fn is_asynchronous() -> bool {
    own_entry().is_some()
}

fn thread_number() -> c_int {
    // SAFETY: has no preconditions.
    unsafe { ::libc::syscall(::libc::SYS_gettid) as c_int }
}

/// Makes an entry for this thread, which `forget` takes back when the thread ends.
fn note() {
    let _errno = say::KeepErrno::new();
    system_ranges();
    // The end of a thread that has a block is noticed.
    thread::block();
    // SAFETY: has no preconditions.
    let this = unsafe { ::libc::pthread_self() } as usize;
    let number = thread_number();
    while let Some(free) = entry(0) {
        if free.thread.compare_exchange(0, this, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            free.number.store(number, Ordering::Release);
            return;
        }
    }
    let new = Box::leak(Box::new(Entry { thread: this.into(), number: number.into(), next: null() }));
    let mut first = FIRST.load(Ordering::Acquire);
    loop {
        new.next = first;
        match FIRST.compare_exchange(first, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return,
            Err(other) => first = other,
        }
    }
}

/// This thread is not asynchronous, or it ends.
pub fn forget() {
    if let Some(entry) = own_entry() {
        entry.number.store(0, Ordering::Release);
        entry.thread.store(0, Ordering::Release);
    }
}

/// The one thread that is left has a new number.
pub fn after_fork() {
    if let Some(entry) = own_entry() {
        entry.number.store(thread_number(), Ordering::Release);
    }
}

/// The kernel's `struct sigaction`.
#[repr(C)]
#[derive(Clone, Copy)]
struct KernelAction {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

/// The C library's handler.
static BEHIND: AtomicUsize = AtomicUsize::new(0);

/// Puts our handler in front of the C library's, which its `pthread_cancel` has installed.
fn install() {
    let mut now = MaybeUninit::<KernelAction>::zeroed();
    // SAFETY: the kernel's structure, whose mask is 8 bytes; zero bytes are valid in it.
    let now = unsafe {
        ::libc::syscall(::libc::SYS_rt_sigaction, SIGCANCEL, 0usize, now.as_mut_ptr(), size_of::<u64>());
        now.assume_init()
    };
    let ours = cancelled as *const () as usize;
    if now.handler > 1 && now.handler != ours {
        BEHIND.store(now.handler, Ordering::Release);
        let action = KernelAction { handler: ours, ..now };
        // SAFETY: the C library's own action, flags and way back with it, for a handler of the same type.
        unsafe { ::libc::syscall(::libc::SYS_rt_sigaction, SIGCANCEL, &raw const action, 0usize, size_of::<u64>()) };
    }
}

/// Has the handler run in another thread, if that is asynchronous.
fn interrupt(target: pthread_t) {
    let Some(entry) = entry(target as usize) else { return };
    let _errno = say::KeepErrno::new();
    install();
    let number = entry.number.load(Ordering::Acquire);
    // SAFETY: a number that is out of date, or 0, is refused by the kernel.
    unsafe { ::libc::syscall(::libc::SYS_tgkill, ::libc::getpid(), number, SIGCANCEL) };
}

unsafe extern "C-unwind" fn cancelled(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    type Handler = unsafe extern "C-unwind" fn(c_int, *mut siginfo_t, *mut c_void);
    // SAFETY: the kernel's own information about this signal.
    if unsafe { (*info).si_code } == ::libc::SI_TIMER {
        over(info);
    } else {
        let behind = BEHIND.load(Ordering::Acquire);
        // SAFETY: the C library's handler, with what the kernel gave for it. It cancels at cancellation points.
        unsafe { transmute::<usize, Handler>(behind)(signal, info, context) };
    }
    if !is_asynchronous() {
        return;
    }
    if is_in_runtime(context) {
        ask_later();
    } else {
        // SAFETY: has no preconditions. Nothing here is left to be dropped.
        unsafe { pthread_testcancel() };
    }
}

/// What the runtime calls, and the program too: the C library and its like.
fn system_ranges() -> &'static [(usize, usize)] {
    const NAMES: [&str; 6] = ["libc.so", "libm.so", "libgcc_s.so", "ld-linux", "libpthread.so", "linux-vdso"];
    static RANGES: OnceLock<Vec<(usize, usize)>> = OnceLock::new();
    RANGES.get_or_init(|| {
        let is_system = |name: &str| NAMES.iter().any(|n| name.rsplit('/').next().unwrap_or_default().starts_with(n));
        loaded::objects().iter().filter(|o| is_system(&o.name)).map(loaded::Object::extent).collect()
    })
}

/// Whether the interrupted thread is in the runtime, or in what the runtime called.
fn is_in_runtime(context: *mut c_void) -> bool {
    if thread::locals().is_some_and(|locals| !locals.address_lock.get().is_null()) {
        return true;
    }
    // SAFETY: the context of the handler that runs.
    let from = unsafe { (*context.cast::<::libc::ucontext_t>()).uc_mcontext.gregs[::libc::REG_RIP as usize] } as usize;
    let mut is_ours = false;
    let is_system = |at: usize| system_ranges().iter().any(|&(start, end)| (start..end).contains(&at));
    let mut is_reached = false;
    stack::walk(&mut |address| {
        is_reached |= address == from;
        is_ours = is_reached && stack::is_own(address);
        !is_reached || !is_ours && is_system(address)
    });
    is_ours
}

/// Has the handler run again in this thread.
fn ask_later() {
    let _errno = say::KeepErrno::new();
    let mut event = MaybeUninit::<::libc::sigevent>::zeroed();
    let mut timer: c_int = 0;
    let mut when = MaybeUninit::<::libc::itimerspec>::zeroed();
    // SAFETY: zero bytes are valid in both structures, and the kernel copies them. As system calls, because those of the C
    // library may allocate.
    unsafe {
        let wanted = &mut *event.as_mut_ptr();
        wanted.sigev_notify = ::libc::SIGEV_THREAD_ID;
        wanted.sigev_signo = SIGCANCEL;
        wanted.sigev_notify_thread_id = thread_number();
        (*when.as_mut_ptr()).it_value.tv_nsec = LATER_NS;
        let clock = ::libc::CLOCK_MONOTONIC;
        if ::libc::syscall(::libc::SYS_timer_create, clock, event.as_ptr(), &raw mut timer) == 0 {
            ::libc::syscall(::libc::SYS_timer_settime, timer, 0, when.as_ptr(), 0usize);
        }
    }
}

/// Deletes the timer that a signal came from.
fn over(info: *const siginfo_t) {
    #[repr(C)]
    struct OfTimer {
        number: c_int,
        errno: c_int,
        code: c_int,
        _alignment: c_int,
        timer: c_int,
    }
    let _errno = say::KeepErrno::new();
    // SAFETY: the kernel's layout of what it says of a timer's signal.
    unsafe { ::libc::syscall(::libc::SYS_timer_delete, (*info.cast::<OfTimer>()).timer) };
}
