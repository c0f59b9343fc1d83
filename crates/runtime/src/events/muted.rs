//! Events that lead nowhere for a while: those of a signal handler, which comes in the midst of a record. Where the stream
//! stood is kept, and it goes on from there once the handler is done, or has jumped out of itself.

use super::{Block, end_of, nowhere};
use crate::thread::{self, ThreadLocals};
use std::mem::MaybeUninit;

/// A signal handler begins. Returns whether it is the outermost.
pub fn mute() -> bool {
    let Some(block) = thread::existing().map(Block) else { return false };
    // SAFETY: this thread's block.
    let locals = unsafe { thread::locals_of(block.0) };
    if locals.event_muted_frame.get() != 0 {
        return false;
    }
    begin(block, locals);
    true
}

/// The handler is done; `outermost` is what `mute` said.
pub fn unmute(outermost: bool) {
    if let Some(block) = thread::existing().map(Block).filter(|_| outermost) {
        // SAFETY: this thread's block.
        end(block, unsafe { thread::locals_of(block.0) });
    }
}

/// Leads events nowhere from here on.
pub fn begin(block: Block, locals: &ThreadLocals) {
    locals.event_resume.set(block.at());
    locals.event_muted_stack.set(alternate_stack());
    locals.event_muted_frame.set(std::ptr::from_ref(&block) as usize);
    block.set(nowhere(), nowhere());
}

fn end(block: Block, locals: &ThreadLocals) {
    let (at, start) = (locals.event_resume.get(), locals.event_start.get());
    let end = if start.is_null() { at } else { end_of(start) };
    block.set(at, end);
    locals.event_muted_frame.set(0);
}

/// Whether events of this thread lead nowhere. Whoever jumped out of a handler left its frame behind.
pub fn is_muted(block: Block, locals: &ThreadLocals) -> bool {
    let frame = locals.event_muted_frame.get();
    if frame == 0 {
        return false;
    }
    let here = std::ptr::from_ref(&block) as usize;
    let gone = is_gone(frame, locals.event_muted_stack.get(), here, alternate_stack());
    if gone {
        end(block, locals);
        locals.event_lost.set(true);
    }
    !gone
}

/// The alternate stack of signals, if this runs on it; else zeros.
fn alternate_stack() -> (usize, usize) {
    let mut stack = MaybeUninit::<::libc::stack_t>::zeroed();
    // SAFETY: `stack` is room for what is filled in; zero bytes are valid too.
    let (known, stack) =
        unsafe { (::libc::sigaltstack(std::ptr::null(), stack.as_mut_ptr()) == 0, stack.assume_init()) };
    let start = stack.ss_sp as usize;
    if known && stack.ss_flags & ::libc::SS_ONSTACK != 0 { (start, start + stack.ss_size) } else { (0, 0) }
}

/// Whether the handler whose frame was at `frame`, on the alternate stack `then` if it was on one, is gone when a function
/// runs at `here`, on the alternate stack `now`. Within one stack, callers lie higher.
fn is_gone(frame: usize, then: (usize, usize), here: usize, now: (usize, usize)) -> bool {
    /// Farther up is another stack, such as a coroutine's that the handler runs.
    const ONE_STACK: usize = 1 << 26;
    let was_alternate = then != (0, 0);
    let is_outside = !(then.0..then.1).contains(&here);
    match (was_alternate, now != (0, 0)) {
        (true, _) if is_outside => true,
        // Another handler, on an alternate stack, within the first.
        (false, true) => false,
        _ => here > frame && here - frame < ONE_STACK,
    }
}

#[cfg(test)]
mod tests {
    use super::is_gone;

    #[test]
    fn a_handler_is_gone_where_its_frame_is() {
        const OWN: (usize, usize) = (0, 0);
        const ALTERNATE: (usize, usize) = (0x7000_0000, 0x7001_0000);
        for (frame, then, here, now, gone, why) in [
            (0x9000_1000, OWN, 0x9000_0800, OWN, false, "a function that the handler calls"),
            (0x9000_1000, OWN, 0x9000_2000, OWN, true, "a caller of what was interrupted"),
            (0x7000_f000, ALTERNATE, 0x7000_e000, ALTERNATE, false, "called on the alternate stack"),
            (0x7000_f000, ALTERNATE, 0x9000_0800, OWN, true, "jumped to a stack above"),
            (0x7000_f000, ALTERNATE, 0x1000_0800, OWN, true, "jumped to a stack below"),
            (0x7000_e000, ALTERNATE, 0x7000_f000, ALTERNATE, true, "another handler, after a jump"),
            (0x1000_1000, OWN, 0x7000_f000, ALTERNATE, false, "a second handler, on the alternate stack"),
            (0x1000_1000, OWN, 0x9000_0000, OWN, false, "a coroutine's stack"),
        ] {
            assert_eq!(is_gone(frame, then, here, now), gone, "{why}");
        }
    }
}
