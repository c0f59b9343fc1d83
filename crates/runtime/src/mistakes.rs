//! Mistakes of the runtime's own: the last one's message, for those who have to tell. Nothing is said where it happens: the
//! program's stderr may not be there.

use std::panic::PanicHookInfo;
use std::sync::Mutex;

static LAST: Mutex<String> = Mutex::new(String::new());

/// From now on mistakes are kept, not printed.
pub fn start() {
    std::panic::set_hook(Box::new(keep));
}

fn keep(info: &PanicHookInfo) {
    let text = info.payload_as_str().unwrap_or("no message");
    let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
    if let Ok(mut last) = LAST.try_lock() {
        *last = format!("{text}{place}");
    }
}

/// What the last mistake was.
pub fn last() -> String {
    LAST.try_lock().map(|last| last.clone()).unwrap_or_default()
}
