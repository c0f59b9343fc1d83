//! The event engine's buffers: each thread's clones write into one, and here it is handed on when
//! it is full, when its thread ends, and when the process reports.
//!
//! ```text
//!  clone --words--> [start .. EVENT_AT) --full, end, report--> targets: a file, a machine
//! ```
//! What lies below `EVENT_AT` is whole records: clones move it last. So another thread's buffer can be
//! taken at the end of the process while that thread still writes; if it wants to hand on, it waits
//! for the lock that the end holds.
//!
//! A signal handler's events go nowhere (`muted`). A forked child goes on with a machine of its own, which reports what
//! the child finds; it is not recorded to a file.

mod again;
mod beside;
mod decide;
mod file;
mod forked;
mod journal;
mod moves;
mod muted;
mod targets;
pub mod tasks;

pub use beside::client;
pub use decide::{Here, decide, end_path, end_paths, follow_parts, is_path, meet};
pub use file::out_of_the_way;
pub use forked::{after_fork, before_fork};
pub use moves::{moved, va_start};
pub use muted::{mute, unmute};
pub use targets::start;

use crate::blocked_signals::BlockedSignals;
use crate::fenv::Saved;
use crate::pages;
use crate::say::{KeepErrno, say};
use crate::thread::{self, Inside, ThreadLocals};
use nonius_abi::code::Code;
use nonius_abi::event::{CONTROL, Module, Note, header};
use nonius_abi::table::Table;
use nonius_abi::thread::{EVENT_AT, EVENT_DECIDES, EVENT_END, EVENT_MEETS, EVENT_ROOM};
use nonius_machine::Settled;
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{LockResult, Mutex, MutexGuard, TryLockError};
use targets::{News, Targets};

/// A thread's buffer: small enough to stay in a core's own cache while it is filled and emptied.
const BUFFER_BYTES: usize = 1 << 16;
const ROOM_BYTES: usize = EVENT_ROOM as usize * 8;
const MAPPED_BYTES: usize = BUFFER_BYTES + ROOM_BYTES;

static STATE: Mutex<State> = Mutex::new(State { targets: Targets::NONE, next_base: 0, blocks: Vec::new() });
/// Events are recorded at all.
static RECORDS: AtomicBool = AtomicBool::new(false);
/// Records are handed on one by one: somebody wants to be told at once.
static AT_ONCE: AtomicBool = AtomicBool::new(false);
/// The machine is asked at each test of floats.
static DECIDES: AtomicBool = AtomicBool::new(false);
/// More than one thread has recorded.
static SEVERAL: AtomicBool = AtomicBool::new(false);
/// They lead nowhere: a child that was forked in the midst of the machine's work.
static DROPS: AtomicBool = AtomicBool::new(false);

struct State {
    targets: Targets,
    next_base: u32,
    /// Blocks of threads that have a buffer.
    blocks: Vec<Block>,
}

/// A thread's block.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Block(*mut u8);

// SAFETY: a block is mapped until its thread has taken it off the list, under the lock.
unsafe impl Send for Block {}

impl Block {
    fn field(self, offset: u32) -> *mut *mut u64 {
        // SAFETY: a block has these fields, aligned to 8 bytes.
        unsafe { self.0.add(offset as usize).cast() }
    }

    fn set(self, at: *mut u64, end: *mut u64) {
        // SAFETY: fields of a mapped block; only its own thread writes them.
        unsafe {
            self.field(EVENT_AT).write_volatile(at);
            self.field(EVENT_END).write_volatile(end);
        }
    }

    /// Whether the thread says where it comes to.
    fn set_meets(self, on: bool) {
        // SAFETY: a field of a mapped block, which is this thread's.
        unsafe { self.field(EVENT_MEETS).cast::<u64>().write(u64::from(on)) };
    }

    fn end(self) -> *mut u64 {
        // SAFETY: a field of a mapped block.
        unsafe { self.field(EVENT_END).read_volatile() }
    }

    fn at(self) -> *mut u64 {
        // SAFETY: a field of a mapped block.
        unsafe { self.field(EVENT_AT).read_volatile() }
    }

    /// The whole records that lie in the thread's buffer. `None` if a signal handler is just about to begin or to end there
    /// (EVENT_AT leads nowhere already, or still): they are read another time.
    fn words<'a>(self, locals: &ThreadLocals) -> Option<&'a [u64]> {
        let start = locals.event_start.get();
        let at = if locals.event_muted_frame.get() == 0 { self.at() } else { locals.event_resume.get() };
        let bytes = (at as usize).wrapping_sub(start as usize);
        let sound = bytes <= MAPPED_BYTES && !start.is_null();
        // SAFETY: records between the start and EVENT_AT are complete and stay until the block's
        // thread hands them on, for which it needs the lock that the caller holds.
        sound.then(|| unsafe { std::slice::from_raw_parts(start, bytes / 8) })
    }
}

/// Where threads write whose events cannot be kept. Nobody reads it.
static NOWHERE: Nowhere = Nowhere(UnsafeCell::new([0; EVENT_ROOM as usize]));

struct Nowhere(UnsafeCell<[u64; EVENT_ROOM as usize]>);

// SAFETY: only instrumented code writes there, and nothing is ever read.
unsafe impl Sync for Nowhere {}

/// The state, held. Signals wait until it is let go, and the handler of one that cannot wait finds the
/// runtime at work in its thread.
struct Locked {
    // Let go in this order.
    state: MutexGuard<'static, State>,
    _entered: Entered,
}

/// On the way there: signals wait, and the runtime is at work in this thread, unless it was already.
struct Entered {
    inside: Option<Inside<'static>>,
    _signals: BlockedSignals,
}

impl Entered {
    fn new() -> Entered {
        let signals = BlockedSignals::new();
        Entered { inside: Inside::enter(), _signals: signals }
    }

    fn lock(self) -> Locked {
        self.with(STATE.lock())
    }

    fn with(self, state: LockResult<MutexGuard<'static, State>>) -> Locked {
        Locked { state: state.unwrap_or_else(|poisoned| poisoned.into_inner()), _entered: self }
    }
}

fn lock() -> Locked {
    Entered::new().lock()
}

/// `None` if this thread may hold the lock already.
fn lock_once() -> Option<Locked> {
    let entered = Entered::new();
    match STATE.try_lock() {
        Ok(state) => Some(entered.with(Ok(state))),
        Err(TryLockError::Poisoned(poisoned)) => Some(entered.with(Err(poisoned))),
        Err(TryLockError::WouldBlock) if entered.inside.is_none() => None,
        Err(TryLockError::WouldBlock) => Some(entered.lock()),
    }
}

pub fn records() -> bool {
    RECORDS.load(Ordering::Relaxed)
}

/// An object registers its code. Returns the number of its first block if its functions shall record.
///
/// # Safety
/// `code` has `bytes` bytes, `addresses` as many words as the code table has functions.
pub unsafe fn register(
    sites: impl FnOnce() -> Result<Table, String>,
    code: *const u8,
    bytes: u64,
    addresses: *const u64,
) -> Option<u32> {
    if !records() || DROPS.load(Ordering::Relaxed) || code.is_null() {
        return None;
    }
    // SAFETY: as this function demands.
    let bytes = unsafe { std::slice::from_raw_parts(code, bytes as usize) };
    let parsed = Code::parse(bytes).map_err(|error| error.to_string());
    let (code, sites) = match parsed.and_then(|code| Ok((code, sites()?))) {
        Ok(both) => both,
        Err(error) => {
            say!("error: an object is not recorded: {error}");
            return None;
        }
    };
    // SAFETY: as this function demands.
    let addresses = unsafe { std::slice::from_raw_parts(addresses, code.functions.len()) }.to_vec();
    let state = &mut lock().state;
    let base = state.next_base;
    let next = u64::from(base) + code.blocks.len() as u64;
    if next >= u64::from(CONTROL) {
        say!("error: too many blocks, an object is not recorded");
        return None;
    }
    let added = state.targets.module(Module { base, sites, code, addresses });
    if let Err(error) = added {
        say!("error: an object is not recorded: {error}");
        return None;
    }
    state.next_base = next as u32;
    Some(base)
}

/// The thread whose block this is lets others see what it wrote.
pub fn publish(block: *mut u8) {
    // Either this sees the new thread, or the new thread sees the events.
    fence(Ordering::SeqCst);
    if SEVERAL.load(Ordering::SeqCst) {
        full(block);
    }
}

/// The buffer of the thread whose block this is has no room for a record.
pub fn full(block: *mut u8) {
    let _errno = KeepErrno::new();
    let block = Block(block);
    let Some(locals) = thread::locals().filter(|_| block.0 == thread::block()) else {
        // Full again at the next record.
        return block.set(nowhere(), nowhere());
    };
    if muted::is_muted(block, locals) {
        return block.set(nowhere(), nowhere());
    }
    let outcome = {
        let _saved = Saved::enter();
        crate::guarded(|| {
            let entered = Entered::new();
            let may = entered.inside.is_some() && !DROPS.load(Ordering::Relaxed);
            if may { hand_on(entered, block, locals) } else { None }
        })
    };
    match outcome.flatten() {
        Some(news) => told(news),
        // The buffer cannot be handed on now, and others may be reading it: it stays as it is until it can.
        None => {
            locals.event_lost.set(true);
            muted::begin(block, locals);
        }
    }
}

/// Lets the debugger look, or ends the program, if the options ask for it.
fn told(news: Option<News>) {
    let (Some(news), options) = (news, crate::options::current()) else { return };
    crate::debugger::at_finding(news.value, news.ideal, options, || Some(news.words));
    if options.halt {
        crate::exit::halt();
    }
}

/// The options have changed while the program runs.
pub fn set_options(options: &crate::options::Options, text: &str) {
    AT_ONCE.store(options.halt || options.debug, Ordering::Relaxed);
    with_targets(|targets| {
        targets.set_options(options);
        targets.beside(|beside| beside.set_options(text));
    });
    if let Some(block) = thread::existing().filter(|_| records()) {
        full(block);
    }
}

fn nowhere() -> *mut u64 {
    NOWHERE.0.get().cast()
}

/// Under the lock, for others may read the buffer.
fn start_over(_: &State, block: Block, locals: &ThreadLocals) {
    locals.event_taken.set(0);
    block.set(locals.event_start.get(), end_of(locals.event_start.get()));
}

fn end_of(start: *mut u64) -> *mut u64 {
    if AT_ONCE.load(Ordering::Relaxed) { start.wrapping_add(1) } else { start.wrapping_byte_add(BUFFER_BYTES) }
}

/// Hands on what there is, and makes the buffer if there is none. `None` if there is no room now; else what was found, if
/// that is to be told at once.
fn hand_on(entered: Entered, block: Block, locals: &ThreadLocals) -> Option<Option<News>> {
    let state = &mut entered.lock().state;
    if locals.event_start.get().is_null() {
        crate::fatal_signals::watch();
        let mapped = pages::reserve(MAPPED_BYTES)?;
        locals.event_start.set(mapped.as_ptr().cast());
        // What led to a new thread comes before its own events; what others let it see from now on
        // they hand on themselves.
        SEVERAL.store(!state.blocks.is_empty(), Ordering::SeqCst);
        fence(Ordering::SeqCst);
        pass_all(state);
        state.blocks.push(block);
        // SAFETY: a field of a mapped block, which is this thread's.
        unsafe { block.field(EVENT_DECIDES).cast::<u64>().write(u64::from(DECIDES.load(Ordering::Relaxed))) };
        block.set_meets(false);
    } else {
        pass(state, block, locals);
    }
    start_over(state, block, locals);
    Some(if AT_ONCE.load(Ordering::Relaxed) { state.targets.news() } else { None })
}

/// Hands on the events that were not yet.
fn pass(state: &mut State, block: Block, locals: &ThreadLocals) {
    if locals.event_lost.replace(false) {
        state.targets.events(locals.number, &[header(0, CONTROL + Note::Lost as u32), 0]);
    }
    let Some(words) = block.words(locals) else { return };
    let new = words.get(locals.event_taken.get()..).unwrap_or_default();
    if !new.is_empty() && tasks::is_wanted(state, locals) {
        state.targets.events(locals.number, new);
    }
    locals.event_taken.set(words.len());
}

/// Hands on the events of all threads.
fn pass_all(state: &mut State) {
    for block in state.blocks.clone() {
        // SAFETY: blocks on the list are mapped, and have the runtime's part behind them.
        pass(state, block, unsafe { thread::locals_of(block.0) });
    }
}

/// The thread ends: its last events are handed on, and its buffer goes.
pub fn at_thread_end(block: *mut u8, locals: &ThreadLocals) {
    let start = locals.event_start.get();
    let Some(mapped) = NonNull::new(start.cast::<u8>()) else { return };
    let block = Block(block);
    if !DROPS.load(Ordering::Relaxed) {
        let _saved = Saved::enter();
        crate::guarded(|| {
            let state = &mut lock().state;
            pass_all(state);
            state.targets.events(locals.number, &[header(0, CONTROL + Note::End as u32), 0]);
            state.blocks.retain(|other| *other != block);
        });
    }
    locals.event_start.set(std::ptr::null_mut());
    block.set(std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: the buffer is this thread's, and neither its block nor the list refers to it now.
    unsafe { pages::release(mapped, MAPPED_BYTES) };
}

/// Runs `f` on the targets after all threads' events so far were handed on. `None` if nothing is
/// recorded, or somebody of this thread is at it.
pub fn with_targets<T>(f: impl FnOnce(&mut Targets) -> T) -> Option<T> {
    if !records() || DROPS.load(Ordering::Relaxed) {
        return None;
    }
    let _saved = Saved::enter();
    let state = &mut lock_once()?.state;
    pass_all(state);
    Some(f(&mut state.targets))
}

/// The process may end after this: everything so far is handed on.
pub fn flush() {
    let complaint = crate::guarded(|| with_targets(Targets::finish)).flatten().flatten();
    if let Some(complaint) = complaint.filter(|_| !crate::options::current().quiet) {
        say!("warning: {complaint}");
    }
}

/// The report so far is written, and findings of these ids (by lines) are printed. `ends`: it was the last.
pub fn note_told(printed: &str, ends: bool) {
    with_targets(|targets| targets.beside(|beside| beside.told(printed, ends)));
}

/// The program has added a suppression.
pub fn note_suppression(entry: &str) {
    with_targets(|targets| targets.beside(|beside| beside.suppress(entry)));
}

/// What the report must say of the events.
pub fn notes() -> Vec<String> {
    with_targets(Targets::notes).unwrap_or_default()
}

/// Why the machine stopped before the program did, if it did.
pub fn stopped() -> Option<String> {
    with_targets(|targets| targets.stopped()).flatten()
}

/// What the oracle makes of the run so far, if there is one.
pub fn analysis() -> Option<Settled> {
    let oracle = crate::options::current().oracle?;
    with_targets(|targets| targets.analysis(oracle)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A handler that is about to begin has led EVENT_AT nowhere, and has not yet said so: what was handed on stays so.
    #[test]
    fn words_are_handed_on_once_though_a_signal_comes() {
        let locals = thread::locals().expect("a block");
        let block = Block(thread::block());
        let mut buffer = vec![0u64; 100];
        locals.event_start.set(buffer.as_mut_ptr());
        let at = buffer.as_mut_ptr().wrapping_add(3);
        block.set(at, end_of(buffer.as_mut_ptr()));
        let mut state = State { targets: Targets::NONE, next_base: 0, blocks: Vec::new() };
        pass(&mut state, block, locals);
        assert_eq!(locals.event_taken.get(), 3);
        block.set(nowhere(), nowhere());
        pass(&mut state, block, locals);
        assert_eq!(locals.event_taken.get(), 3);
        locals.event_start.set(std::ptr::null_mut());
        locals.event_taken.set(0);
        block.set(std::ptr::null_mut(), std::ptr::null_mut());
    }
}
