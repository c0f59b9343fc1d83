//! A record for each assertion that was reached, in memory that forked paths share.
//!
//! A path is a fork that follows another way of a test: what does not hold there counts here too. A process that the program
//! forks itself starts with counts of its own.

use super::{Site, text};
use crate::stack;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

const MOST: usize = 4096;
const TEXT: usize = 512;
const NAME: usize = 256;
const VALUES: usize = 512;
const FRAMES: usize = 32;

/// Fixed size, no pointers but those that are the same in all paths.
#[repr(C)]
pub struct Record {
    /// The site's address; 0 while it is free.
    site: AtomicUsize,
    failed: AtomicU64,
    unknown: AtomicU64,
    /// Whoever counts first writes the stack and the values.
    is_told: AtomicU32,
    line: u32,
    column: u32,
    frames: u32,
    stack: [usize; FRAMES],
    clause: Text<32>,
    text: Text<TEXT>,
    file: Text<NAME>,
    function: Text<NAME>,
    /// An atom each.
    values: Text<VALUES>,
}

/// A text of bounded length, cut where it is longer.
#[repr(C)]
struct Text<const N: usize> {
    used: usize,
    bytes: [u8; N],
}

impl<const N: usize> Text<N> {
    fn set(&mut self, text: &str) {
        self.used = 0;
        self.push(text);
    }

    fn push(&mut self, text: &str) {
        const CUT: &str = "...";
        let room = N - self.used;
        let mut end = text.len();
        let is_cut = end > room;
        if is_cut {
            end = room.saturating_sub(CUT.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
        }
        for piece in [&text[..end], if is_cut && room >= CUT.len() { CUT } else { "" }] {
            self.bytes[self.used..self.used + piece.len()].copy_from_slice(piece.as_bytes());
            self.used += piece.len();
        }
    }

    fn get(&self) -> String {
        String::from_utf8_lossy(&self.bytes[..self.used.min(N)]).into_owned()
    }
}

static START: AtomicPtr<Record> = AtomicPtr::new(null_mut());

fn map() -> Option<*mut Record> {
    let bytes = MOST * size_of::<Record>();
    let (protection, flags) =
        (::libc::PROT_READ | ::libc::PROT_WRITE, ::libc::MAP_SHARED | ::libc::MAP_ANONYMOUS | ::libc::MAP_NORESERVE);
    // SAFETY: a new mapping of its own.
    let start = unsafe { ::libc::mmap(null_mut(), bytes, protection, flags, -1, 0) };
    (start != ::libc::MAP_FAILED).then_some(start.cast())
}

fn start() -> Option<*mut Record> {
    let start = START.load(Ordering::Acquire);
    if !start.is_null() {
        return Some(start);
    }
    let new = map()?;
    match START.compare_exchange(null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(new),
        Err(other) => {
            // SAFETY: mapped just now and known to nobody.
            unsafe { ::libc::munmap(new.cast(), MOST * size_of::<Record>()) };
            Some(other)
        }
    }
}

/// The record of a site, made if there is none and there is room.
pub fn of(site: &Site) -> Option<&'static mut Record> {
    let start = start()?;
    let key = std::ptr::from_ref(site) as usize;
    for index in 0..MOST {
        // SAFETY: the record lies in the mapping, where zeros are a record that is free.
        let record = unsafe { start.add(index) };
        // SAFETY: as above; the word is atomic.
        let owner = unsafe { &(*record).site };
        match owner.compare_exchange(0, key, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                // SAFETY: it is this call's to fill in; texts that another thread reads meanwhile are cut.
                let record = unsafe { &mut *record };
                record.fill(site);
                return Some(record);
            }
            // SAFETY: as above; what is written afterwards is atomic, or its first writer's alone.
            Err(other) if other == key => return Some(unsafe { &mut *record }),
            Err(_) => {}
        }
    }
    None
}

/// All records.
pub fn all() -> impl Iterator<Item = &'static Record> {
    let start = START.load(Ordering::Acquire);
    let count = if start.is_null() { 0 } else { MOST };
    // SAFETY: the records lie in the mapping, which stays.
    (0..count).map(move |index| unsafe { &*start.add(index) }).take_while(|r| r.site.load(Ordering::Acquire) != 0)
}

/// This process is one of the program's own: what was reached before is known, and nothing of it has failed here.
pub fn after_fork() {
    let old = START.load(Ordering::Acquire);
    if old.is_null() {
        return;
    }
    let Some(new) = map() else { return };
    for index in 0..MOST {
        // SAFETY: both records lie in their mappings, and the new one is nobody else's.
        unsafe {
            if (*old.add(index)).site.load(Ordering::Acquire) == 0 {
                break;
            }
            std::ptr::copy_nonoverlapping(old.add(index), new.add(index), 1);
            let record = &mut *new.add(index);
            (record.failed, record.unknown, record.is_told) = Default::default();
        }
    }
    START.store(new, Ordering::Release);
}

impl Record {
    fn fill(&mut self, site: &Site) {
        (self.line, self.column) = (site.line, site.column);
        self.clause.set(&text(site.kind));
        self.text.set(&text(site.text));
        self.file.set(&text(site.file));
        self.function.set(&text(site.function));
        self.keep_stack();
    }

    fn keep_stack(&mut self) {
        let mut frames = 0;
        stack::walk(&mut |address| {
            // The runtime's own frames come first.
            if frames > 0 || !stack::is_own(address) {
                self.stack[frames] = address;
                frames += 1;
            }
            frames < FRAMES
        });
        self.frames = frames as u32;
    }

    /// What the places of an atom are, the last time that it was looked at before the first verdict.
    pub fn note(&mut self, atom: i32, described: &str) {
        if self.is_told.load(Ordering::Relaxed) != 0 {
            return;
        }
        let mark = format!("{atom}\u{1f}");
        let others = self.values.get();
        let kept: Vec<&str> = others.split('\u{1e}').filter(|v| !v.is_empty() && !v.starts_with(&mark)).collect();
        let mut all = kept.join("\u{1e}");
        all += &format!("\u{1e}{mark}{described}");
        self.values.set(&all);
    }

    /// Counts a verdict; whether it is the first.
    pub fn count(&mut self, is_false: bool) -> bool {
        let counter = if is_false { &self.failed } else { &self.unknown };
        counter.fetch_add(1, Ordering::Relaxed);
        let is_first = self.is_told.swap(1, Ordering::Relaxed) == 0;
        if is_first {
            self.keep_stack();
        }
        is_first
    }

    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    pub fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }

    pub fn stack(&self) -> Vec<usize> {
        self.stack[..(self.frames as usize).min(FRAMES)].to_vec()
    }

    pub fn line(&self) -> u32 {
        self.line
    }

    pub fn column(&self) -> u32 {
        self.column
    }

    pub fn clause(&self) -> String {
        self.clause.get()
    }

    pub fn text(&self) -> String {
        self.text.get()
    }

    pub fn file(&self) -> String {
        self.file.get()
    }

    pub fn function(&self) -> String {
        self.function.get()
    }

    /// Each place once.
    pub fn values(&self) -> Vec<String> {
        let all = self.values.get();
        let mut values: Vec<String> = Vec::new();
        let described = all.split('\u{1e}').filter_map(|v| v.split_once('\u{1f}'));
        for value in described.flat_map(|(_, v)| v.split("; ")).filter(|v| !v.is_empty()) {
            if !values.iter().any(|v| v == value) {
                values.push(value.to_owned());
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn texts_are_cut_between_characters() {
        let mut text = Text::<8> { used: 0, bytes: [0; 8] };
        text.set("abcdefgh");
        assert_eq!(text.get(), "abcdefgh");
        text.set("abcdé");
        text.push("ghi");
        assert_eq!(text.get(), "abcdé");
        text.set("abcdéfgh");
        assert_eq!(text.get(), "abcd...");
    }
}
