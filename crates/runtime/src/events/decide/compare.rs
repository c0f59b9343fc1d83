//! The memory of two processes that stand at the same point of the program: the words that differ.
//!
//! Compared is what the program can write to and nobody else: private writable mappings, the stack above the function's
//! frame, its stack objects, and the integers and pointers that it still needs. Not compared are the runtime's own memory,
//! what the C library keeps of the process's number, and the rest of the frame, which the code generator has for itself.

use super::Here;
use crate::pages::{self, PAGE};
use nonius_machine::Difference;
use std::ffi::{c_int, c_void};
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

/// More words than this, and paths are not worth joining.
const MOST_DIFFERENCES: usize = 1 << 16;
/// Bytes that are read at once, and bytes whose pages are looked up at once.
const CHUNK: usize = 1 << 16;
const STRETCH: usize = 1 << 24;

/// A stretch of addresses.
type Span = (usize, usize);

/// Reads another process's memory, all of it or nothing.
pub fn read(pid: u64, at: usize, to: &mut [u8]) -> bool {
    let own = ::libc::iovec { iov_base: to.as_mut_ptr().cast(), iov_len: to.len() };
    let other = ::libc::iovec { iov_base: at as *mut c_void, iov_len: to.len() };
    // SAFETY: writes to the slice only.
    let count = unsafe { ::libc::process_vm_readv(pid as ::libc::pid_t, &own, 1, &other, 1, 0) };
    usize::try_from(count).is_ok_and(|n| n == to.len())
}

/// Up to 8 bytes of this process (`None`) or of a path.
pub fn look(path: Option<u64>, at: u64, bytes: usize) -> Option<u64> {
    let mut word = [0; 8];
    let to = word.get_mut(..bytes)?;
    // Its own memory by the same way: an address may be anything.
    let own = std::process::id();
    read(path.unwrap_or(u64::from(own)), at as usize, to).then(|| u64::from_le_bytes(word))
}

/// What differs between this process and a path that waits at the same point; `None` if that is not to be told, or more than
/// floats can explain.
pub fn differences(path: u64, here: &Here<'_>) -> Option<Vec<Difference>> {
    let mut state = vec![0u8; here.state.len() * 8];
    // The other's words lie at the same place if its stack is as deep.
    if !read(path, here.state.as_ptr() as usize, &mut state) {
        return None;
    }
    let same = state.chunks_exact(8).zip(here.state).all(|(a, b)| u64::from_le_bytes(a.try_into().expect("8")) == *b);
    if !same {
        return None;
    }
    let ours = spans("/proc/self/maps", own_memory(None)?, here)?;
    let theirs = spans(&format!("/proc/{path}/maps"), own_memory(Some(path))?, here)?;
    if ours != theirs {
        return None;
    }
    let live = *here.state.first()? as usize;
    let objects = here.state.get(1 + live..)?.chunks_exact(2).map(|o| (o[0] as usize, (o[0] + o[1]) as usize));
    let mut pages = Pages::of(path);
    let mut all = Vec::new();
    for (start, end) in ours.into_iter().chain(objects) {
        compare(path, (start & !7, end.next_multiple_of(8)), &mut pages, &mut all)?;
    }
    let own = u64::from(std::process::id());
    all.retain(|d| !is_process_number(d, own, path));
    Some(all)
}

/// The runtime's mappings.
fn own_memory(path: Option<u64>) -> Option<Vec<Span>> {
    let (at, bytes) = pages::own();
    let mut table = vec![0; bytes];
    read(path.unwrap_or(u64::from(std::process::id())), at, &mut table).then_some(())?;
    pages::own_in(&table)
}

/// What of a process's mappings is compared.
fn spans(maps: &str, own: Vec<Span>, here: &Here<'_>) -> Option<Vec<Span>> {
    let text = std::fs::read_to_string(maps).ok()?;
    let (low, high) = (here.low as usize, here.high as usize);
    let mut left_out = own;
    left_out.extend(not_the_programs());
    left_out.sort_unstable();
    let (mut all, mut has_stack): (Vec<Span>, bool) = (Vec::new(), false);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let (range, access) = (words.next()?, words.next()?);
        let (start, end) = range.split_once('-')?;
        let (mut start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
        if !access.starts_with("rw") || !access.ends_with('p') {
            continue;
        }
        if (start..end).contains(&low) {
            // A stack of the program's own making lies in memory that is something else besides.
            if !line.ends_with("[stack]") || high > end {
                return None;
            }
            (start, has_stack) = (high, true);
        }
        for span in without((start, end), &left_out) {
            match all.last_mut() {
                Some(last) if last.1 == span.0 => last.1 = span.1,
                _ => all.push(span),
            }
        }
    }
    has_stack.then_some(all)
}

fn without((start, end): Span, left_out: &[Span]) -> Vec<Span> {
    let (mut at, mut left) = (start, Vec::new());
    for &(from, to) in left_out.iter().filter(|s| s.0 < end && s.1 > start) {
        if from > at {
            left.push((at, from));
        }
        at = at.max(to);
    }
    if at < end {
        left.push((at, end));
    }
    left
}

/// What the kernel says of the pages of both processes.
struct Pages {
    maps: Option<[std::fs::File; 2]>,
    entries: [Vec<u8>; 2],
}

/// Of an entry: the page's number in memory, which only root sees, and that it is there.
const NUMBER: u64 = (1 << 55) - 1;
const IS_THERE: u64 = 1 << 63;

impl Pages {
    fn of(path: u64) -> Pages {
        let open = |name: String| std::fs::File::open(name).ok();
        let maps = open("/proc/self/pagemap".to_owned()).zip(open(format!("/proc/{path}/pagemap")));
        Pages { maps: maps.map(|(a, b)| [a, b]), entries: [Vec::new(), Vec::new()] }
    }

    /// Reads what is known of the pages from the one that `start` lies in; `false` if nobody can tell.
    fn read(&mut self, (start, end): Span) -> bool {
        let Some(maps) = &self.maps else { return false };
        let first = start / PAGE;
        maps.iter().zip(&mut self.entries).all(|(map, entries)| {
            entries.resize((end.div_ceil(PAGE) - first) * 8, 0);
            map.read_exact_at(entries, (first * 8) as u64).is_ok()
        })
    }

    /// Whether both have the same page, which neither has written to since the fork, or none.
    fn is_shared(&self, page: usize) -> bool {
        let [a, b] = [&self.entries[0], &self.entries[1]].map(|entries| {
            let bytes = entries.get(8 * page..8 * page + 8).and_then(|bytes| bytes.try_into().ok());
            u64::from_le_bytes(bytes.unwrap_or([0xff; 8]))
        });
        let is_same = a & b & IS_THERE != 0 && a & NUMBER != 0 && a & NUMBER == b & NUMBER;
        a == 0 && b == 0 || is_same
    }
}

fn compare(path: u64, (start, end): Span, pages: &mut Pages, all: &mut Vec<Difference>) -> Option<()> {
    let mut buffer = vec![0u8; CHUNK.min(end.saturating_sub(start))];
    let mut at = start;
    while at < end {
        let stretch = (at, end.min((at & !(STRETCH - 1)) + STRETCH));
        let is_told = pages.read(stretch);
        let first = at / PAGE;
        while at < stretch.1 {
            let page_end = |at: usize| stretch.1.min((at & !(PAGE - 1)) + PAGE);
            if is_told && pages.is_shared(at / PAGE - first) {
                at = page_end(at);
                continue;
            }
            let mut to = page_end(at);
            while to < stretch.1 && page_end(to) - at <= CHUNK && !(is_told && pages.is_shared(to / PAGE - first)) {
                to = page_end(to);
            }
            let theirs = buffer.get_mut(..to - at)?;
            if !read(path, at, theirs) {
                return None;
            }
            // SAFETY: readable memory of this process, which has one thread; nothing here writes to what is compared.
            let ours = unsafe { std::slice::from_raw_parts(at as *const u8, to - at) };
            for (page, (a, b)) in ours.chunks(PAGE).zip(theirs.chunks(PAGE)).enumerate() {
                if a != b {
                    words(at + page * PAGE, a, b, all)?;
                }
            }
            at = to;
        }
    }
    Some(())
}

fn words(start: usize, ours: &[u8], theirs: &[u8], all: &mut Vec<Difference>) -> Option<()> {
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
    for (n, (a, b)) in ours.chunks_exact(8).zip(theirs.chunks_exact(8)).enumerate() {
        if a != b {
            all.push(Difference { at: (start + 8 * n) as u64, own: word(a), other: word(b) });
        }
    }
    (all.len() <= MOST_DIFFERENCES).then_some(())
}

/// What the C library notes of the process in the thread's own block.
fn is_process_number(d: &Difference, own: u64, other: u64) -> bool {
    const BLOCK: u64 = 0x1000;
    let at = thread_pointer() as u64;
    let is_number = |shift: u32| {
        let [a, b] = [d.own, d.other].map(|w| w >> shift & 0xffff_ffff);
        let rest = !(0xffff_ffff << shift);
        a == own && b == other && d.own & rest == d.other & rest
    };
    (at..at + BLOCK).contains(&d.at) && (is_number(0) || is_number(32))
}

#[cfg(target_arch = "x86_64")]
fn thread_pointer() -> usize {
    let at: usize;
    // SAFETY: the thread's block begins with its own address.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) at, options(nostack, readonly, preserves_flags)) };
    at
}

#[cfg(target_arch = "aarch64")]
fn thread_pointer() -> usize {
    let at: usize;
    // SAFETY: reads a register.
    unsafe { std::arch::asm!("mrs {}, tpidr_el0", out(reg) at, options(nostack, nomem, preserves_flags)) };
    at
}

/// The runtime's library, its part of the thread's block, and where the kernel notes which processor runs the thread. Asked
/// for once, before the first fork.
pub fn not_the_programs() -> Vec<Span> {
    static SPANS: OnceLock<Vec<Span>> = OnceLock::new();
    SPANS
        .get_or_init(|| {
            let mut spans: Vec<Span> = Vec::new();
            // SAFETY: the function is called for each loaded object with a pointer to the list.
            unsafe { ::libc::dl_iterate_phdr(Some(note_runtime), (&raw mut spans).cast()) };
            // SAFETY: looks up a name; the variable behind it is a word that never changes.
            let offset = unsafe { ::libc::dlsym(::libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>() };
            if !offset.is_null() {
                const BYTES: usize = 64;
                // SAFETY: as above.
                let at = thread_pointer().wrapping_add_signed(unsafe { *offset });
                spans.push((at, at + BYTES));
            }
            spans
        })
        .clone()
}

unsafe extern "C" fn note_runtime(info: *mut ::libc::dl_phdr_info, _: usize, spans: *mut c_void) -> c_int {
    // SAFETY: as `dl_iterate_phdr` promises, and as it is called above.
    unsafe {
        let (info, spans) = (&*info, &mut *spans.cast::<Vec<Span>>());
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        let span = |h: &::libc::Elf64_Phdr| {
            let start = info.dlpi_addr as usize + h.p_vaddr as usize;
            (start & !(PAGE - 1), (start + h.p_memsz as usize).next_multiple_of(PAGE))
        };
        let loaded: Vec<Span> = headers.iter().filter(|h| h.p_type == ::libc::PT_LOAD).map(span).collect();
        let here = not_the_programs as *const () as usize;
        if loaded.iter().any(|s| (s.0..s.1).contains(&here)) {
            spans.extend(loaded);
            if let Some(tls) = headers.iter().find(|h| h.p_type == ::libc::PT_TLS && !info.dlpi_tls_data.is_null()) {
                let start = info.dlpi_tls_data as usize;
                spans.push((start, start + tls.p_memsz as usize));
            }
            return 1;
        }
    }
    0
}
