//! Signal handlers under the event engine. A handler comes in the midst of a record; its own events
//! would end up in it. So the program's handlers are called through one that leads events nowhere
//! meanwhile: what a handler computes restarts from its value. Without recording nothing is changed. The handlers of
//! `fatal_signals` are not the program's to see: where one of them is, it is shown the default action.

use crate::{events, fatal_signals};
use ::libc::{SIG_DFL, SIG_ERR, SIG_IGN, c_int, c_void, sighandler_t, siginfo_t};
use std::sync::atomic::{AtomicUsize, Ordering};

const SIGNALS: usize = 65;
/// The program's handler of each signal, 0 for none.
static HANDLERS: [AtomicUsize; SIGNALS] = [const { AtomicUsize::new(0) }; SIGNALS];

type Handler = unsafe extern "C-unwind" fn(c_int, *mut siginfo_t, *mut c_void);

fn ours() -> sighandler_t {
    on_signal as *const () as sighandler_t
}

/// The kernel hands all three arguments to every handler, whether it looks at them or not.
unsafe extern "C-unwind" fn on_signal(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let slot = usize::try_from(signal).ok().and_then(|signal| HANDLERS.get(signal));
    let handler = slot.map_or(0, |slot| slot.load(Ordering::Acquire));
    if handler == 0 {
        return;
    }
    let outermost = events::mute();
    // SAFETY: what the program asked to be called for this signal.
    unsafe { std::mem::transmute::<usize, Handler>(handler)(signal, info, context) };
    events::unmute(outermost);
}

/// What to install for `handler`, and what was there before.
fn replace(signal: c_int, handler: sighandler_t) -> (sighandler_t, sighandler_t) {
    let slot = usize::try_from(signal).ok().and_then(|signal| HANDLERS.get(signal));
    match slot {
        Some(slot) if !matches!(handler, SIG_DFL | SIG_IGN | SIG_ERR) => (ours(), slot.swap(handler, Ordering::AcqRel)),
        Some(slot) => (handler, slot.load(Ordering::Acquire)),
        None => (handler, 0),
    }
}

/// # Safety
/// As `signal`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_signal(number: c_int, handler: sighandler_t) -> sighandler_t {
    let (install, before) = if events::records() { replace(number, handler) } else { (handler, 0) };
    // SAFETY: the program's own call, with a handler that calls its handler.
    let old = unsafe { ::libc::signal(number, install) };
    match old {
        old if old == ours() => before,
        old if old == fatal_signals::ours() => SIG_DFL,
        old => old,
    }
}

/// Hides the runtime's own handler from the program.
fn shown(status: c_int, old: Option<&mut ::libc::sigaction>) -> c_int {
    if let Some(old) = old.filter(|old| status == 0 && old.sa_sigaction == fatal_signals::ours()) {
        (old.sa_sigaction, old.sa_flags) = (SIG_DFL, 0);
    }
    status
}

/// # Safety
/// As `sigaction`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __nonius_libc_sigaction(
    number: c_int,
    new: *const ::libc::sigaction,
    old: *mut ::libc::sigaction,
) -> c_int {
    if !events::records() {
        // SAFETY: the program's own call, as it came.
        let status = unsafe { ::libc::sigaction(number, new, old) };
        // SAFETY: null or the program's structure.
        return shown(status, unsafe { old.as_mut() });
    }
    // SAFETY: `new` and `old` are null or the program's structures; the copy lives through the call.
    unsafe {
        let mut copy = new.as_ref().copied();
        let slot = usize::try_from(number).ok().and_then(|number| HANDLERS.get(number));
        let mut before = slot.map_or(0, |slot| slot.load(Ordering::Acquire));
        if let Some(copy) = &mut copy {
            (copy.sa_sigaction, before) = replace(number, copy.sa_sigaction);
        }
        let new = copy.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let status = ::libc::sigaction(number, new, old);
        if let Some(old) = old.as_mut().filter(|old| status == 0 && old.sa_sigaction == ours()) {
            old.sa_sigaction = before;
        }
        shown(status, old.as_mut())
    }
}
