//! Tasks that the program marks. Of a program that has some, only what lies in them is handed on.
//!
//! Nested ones belong to the outermost. What a thread records outside of tasks goes into its buffer as always, since its
//! functions run their clones, and is dropped where it would be handed on.

use super::{AT_ONCE, Block, DROPS, Entered, State, muted, pass, records, start_over, told};
use crate::fenv::Saved;
use crate::say::KeepErrno;
use crate::thread::{self, ThreadLocals};
use nonius_abi::event::{task_begin, task_end};
use nonius_options::TasksMode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The program marks tasks, and they are asked for.
static MARKED: AtomicBool = AtomicBool::new(false);

fn are_wanted() -> bool {
    records() && crate::options::current().tasks == TasksMode::Marked
}

/// An object says that the program has tasks.
pub fn note_marks() {
    if are_wanted() {
        MARKED.store(true, Ordering::Relaxed);
    }
}

/// Whether what a thread records is handed on. Asked under the lock.
pub(super) fn is_wanted(_: &State, locals: &ThreadLocals) -> bool {
    !MARKED.load(Ordering::Relaxed) || locals.event_in_task.get()
}

/// This thread begins a task.
pub fn begin(locals: &ThreadLocals, name: &str) {
    let depth = locals.task_depth.get();
    locals.task_depth.set(depth.saturating_add(1));
    if depth == 0 && are_wanted() {
        note_marks();
        mark(locals, true, &task_begin(name));
    }
}

/// This thread ends the task that it began last.
pub fn end(locals: &ThreadLocals) {
    let depth = locals.task_depth.get();
    locals.task_depth.set(depth.saturating_sub(1));
    // An end without a beginning is reported too.
    if depth <= 1 && are_wanted() {
        mark(locals, false, &task_end());
    }
}

/// Hands on what there is, or drops it, and then the mark. What was found in a task is told before it is left.
fn mark(locals: &ThreadLocals, is_in_task: bool, words: &[u64]) {
    let _errno = KeepErrno::new();
    let block = Block(thread::block());
    if DROPS.load(Ordering::Relaxed) || muted::is_muted(block, locals) {
        return;
    }
    let handed_on = || {
        let _saved = Saved::enter();
        let entered = Entered::new();
        // A handler that interrupted the runtime stays out.
        entered.inside.as_ref()?;
        let state = &mut entered.lock().state;
        if !locals.event_start.get().is_null() {
            pass(state, block, locals);
            start_over(state, block, locals);
        }
        state.targets.events(locals.number, words);
        locals.event_in_task.set(is_in_task);
        if AT_ONCE.load(Ordering::Relaxed) { state.targets.news() } else { None }
    };
    told(crate::guarded(handed_on).flatten());
}
