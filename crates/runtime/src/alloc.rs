//! The runtime's own heap, so that it never depends on the state of the program's.
//!
//! Hooks may run while the program is inside its allocator, in a signal handler, or right
//! after a fork. So the heap comes from the kernel, and its lock is only ever tried: whoever
//! finds it taken gets pages of its own instead. Small blocks are kept in lists, by powers of two
//! and from a page on by pages, and never go back to the kernel.
//!
//! The machine's shadows lie here, and a run may be over in the time that the kernel takes to fault them in one
//! page at a time. So pages that come next are asked for in advance, some more the more there are already.

use crate::pages::{self, PAGE};
use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static HEAP: Heap = Heap { taken: AtomicBool::new(false), lists: UnsafeCell::new(Lists::EMPTY) };

/// Address space of the heap; memory is taken only where it is used.
const RESERVED: usize = 1 << 36;
const SMALLEST_LOG2: u32 = 4;
/// Classes of blocks of 16 bytes to half a page; behind them those of whole pages.
const SMALL_CLASSES: usize = 8;
const LARGEST_SMALL: usize = 1 << (SMALLEST_LOG2 as usize + SMALL_CLASSES - 1);
const MOST_PAGES: usize = 16;
const CLASSES: usize = SMALL_CLASSES + MOST_PAGES;
/// The kernel is asked for so much in advance: an eighth of what there is, within these.
const AHEAD: std::ops::RangeInclusive<usize> = 8 * PAGE..=64 * PAGE;

struct Heap {
    taken: AtomicBool,
    lists: UnsafeCell<Lists>,
}

// SAFETY: `lists` is only reached through `with_lists`, which holds the lock.
unsafe impl Sync for Heap {}

struct Lists {
    /// The reserved range; null before the first use.
    start: *mut u8,
    next: *mut u8,
    /// What lies below was asked for in advance.
    asked: *mut u8,
    /// Free blocks of each class; a free block's first word points to the next.
    free: [*mut u8; CLASSES],
}

impl Lists {
    const EMPTY: Lists = Lists { start: null_mut(), next: null_mut(), asked: null_mut(), free: [null_mut(); CLASSES] };

    /// A block of a class, and whether it is all zeros; null when the range is used up.
    fn take(&mut self, class: usize) -> (*mut u8, bool) {
        let block = self.free[class];
        if !block.is_null() {
            // SAFETY: blocks in the list are free, aligned, and hold a pointer in their first word.
            self.free[class] = unsafe { block.cast::<*mut u8>().read() };
            return (block, false);
        }
        if self.start.is_null() {
            let Some(start) = pages::reserve(RESERVED) else { return (null_mut(), false) };
            (self.start, self.next, self.asked) = (start.as_ptr(), start.as_ptr(), start.as_ptr());
        }
        let bytes = class_bytes(class);
        let at = (self.next as usize).next_multiple_of(bytes.min(PAGE));
        if at + bytes > self.start as usize + RESERVED {
            return (null_mut(), false);
        }
        self.next = (at + bytes) as *mut u8;
        if self.next > self.asked {
            self.ask_ahead();
        }
        (at as *mut u8, true)
    }

    /// Asks the kernel for the pages up to `next`, and some more.
    #[cold]
    fn ask_ahead(&mut self) {
        let used = self.next as usize - self.start as usize;
        let ahead = (used / 8).clamp(*AHEAD.start(), *AHEAD.end());
        let end = (used + ahead).next_multiple_of(PAGE).min(RESERVED) + self.start as usize;
        let bytes = end - self.asked as usize;
        // SAFETY: whole pages of the heap, which stays mapped.
        let could = NonNull::new(self.asked).is_some_and(|at| unsafe { pages::populate(at, bytes) });
        // A kernel that cannot do it is not asked again.
        self.asked = if could { end as *mut u8 } else { self.start.wrapping_add(RESERVED) };
    }

    fn give_back(&mut self, block: *mut u8, class: usize) {
        // SAFETY: the block is free from now on, aligned, and at least a word long.
        unsafe { block.cast::<*mut u8>().write(self.free[class]) };
        self.free[class] = block;
    }

    fn owns(&self, block: *mut u8) -> bool {
        !self.start.is_null() && (self.start..self.start.wrapping_add(RESERVED)).contains(&block)
    }
}

fn class_bytes(class: usize) -> usize {
    match class.checked_sub(SMALL_CLASSES) {
        None => 1 << (class + SMALLEST_LOG2 as usize),
        Some(more) => (more + 1) * PAGE,
    }
}

/// The class whose blocks fit, which are aligned to their size or to pages; `None` for a mapping of its own.
fn class_of(layout: Layout) -> Option<usize> {
    let bytes = layout.size().max(layout.align()).max(class_bytes(0));
    if bytes <= LARGEST_SMALL {
        return Some((bytes.next_power_of_two().trailing_zeros() - SMALLEST_LOG2) as usize);
    }
    let pages = bytes.div_ceil(PAGE);
    (pages <= MOST_PAGES && layout.align() <= PAGE).then(|| SMALL_CLASSES + pages - 1)
}

impl Heap {
    /// A block, and whether it is all zeros.
    fn block(&self, layout: Layout) -> (*mut u8, bool) {
        let block = class_of(layout).and_then(|class| self.with_lists(|lists| lists.take(class)));
        match block {
            Some((block, is_zero)) if !block.is_null() => (block, is_zero),
            _ if layout.align() > PAGE => (null_mut(), false),
            _ => (pages::reserve(layout.size().max(1)).map_or(null_mut(), NonNull::as_ptr), true),
        }
    }

    /// Runs `f` with the lists, unless somebody else has them for long.
    fn with_lists<T>(&self, f: impl FnOnce(&mut Lists) -> T) -> Option<T> {
        const TRIES: u32 = 200;
        let free = |_: &u32| {
            let got = self.taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
            if !got {
                std::hint::spin_loop();
            }
            got
        };
        (0..TRIES).find(free)?;
        // SAFETY: `taken` went from false to true by this call, so nobody else has the lists.
        let result = f(unsafe { &mut *self.lists.get() });
        self.taken.store(false, Ordering::Release);
        Some(result)
    }
}

/// After a fork: a thread that is not there any more may have held the lock. What it did may be
/// half done, so the lists start anew; what they held stays where it is.
pub fn after_fork() {
    if HEAP.taken.load(Ordering::Acquire) {
        // SAFETY: the child has this one thread, and it is not inside the heap.
        unsafe { (*HEAP.lists.get()).free = [null_mut(); CLASSES] };
        HEAP.taken.store(false, Ordering::Release);
    }
}

// SAFETY: blocks of a class are at least as large and as aligned as `class_of` was asked for,
// pages are aligned to PAGE; no block is handed out twice before it is given back.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.block(layout).0
    }

    /// What comes from the kernel is zero already: tables and shadows that are never looked at take no memory.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (block, is_zero) = self.block(layout);
        if !is_zero && !block.is_null() {
            // SAFETY: the block is at least so large, and nobody else's.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(class) = class_of(layout) else {
            // SAFETY: a block of this layout was pages of its own, and is free by the caller's word.
            return unsafe { release(block, layout) };
        };
        let owned = self.with_lists(|lists| {
            let owned = lists.owns(block);
            if owned {
                lists.give_back(block, class);
            }
            owned
        });
        // With the lists taken, the block is lost: a rare few bytes against a wait without end.
        if owned == Some(false) {
            // SAFETY: not from the lists, so it was pages of its own.
            unsafe { release(block, layout) };
        }
    }
}

/// # Safety
/// `block` was pages of its own, for `layout`, and is free.
unsafe fn release(block: *mut u8, layout: Layout) {
    if let Some(block) = NonNull::new(block) {
        // SAFETY: as this function demands.
        unsafe { pages::release(block, layout.size().max(1)) };
    }
}

/// GMP and MPFR take their memory from here too, before they have taken any: the program's allocator may be one that
/// records, or the very code that waits for the machine.
pub fn lend_to_gmp() {
    // SAFETY: the functions are what GMP asks for, and blocks come from and go to this heap alone from now on.
    unsafe { gmp_mpfr_sys::gmp::set_memory_functions(Some(gmp_alloc), Some(gmp_realloc), Some(gmp_free)) };
}

/// As much as any limb or vector of them needs.
const GMP_ALIGN: usize = 16;

fn gmp_layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes.max(1), GMP_ALIGN).unwrap_or(Layout::new::<u128>())
}

extern "C" fn gmp_alloc(bytes: usize) -> *mut std::ffi::c_void {
    let layout = gmp_layout(bytes);
    // SAFETY: the layout is not empty.
    let block = unsafe { HEAP.alloc(layout) };
    if block.is_null() {
        // GMP has no way to go on without.
        std::alloc::handle_alloc_error(layout);
    }
    block.cast()
}

/// # Safety
/// `block` came from here with `old` bytes.
unsafe extern "C" fn gmp_realloc(block: *mut std::ffi::c_void, old: usize, new: usize) -> *mut std::ffi::c_void {
    let moved = gmp_alloc(new);
    // SAFETY: both blocks are at least so large, and different; the old one is as this function demands.
    unsafe {
        moved.cast::<u8>().copy_from_nonoverlapping(block.cast::<u8>(), old.min(new));
        gmp_free(block, old);
    }
    moved
}

/// # Safety
/// `block` came from here with `bytes` bytes.
unsafe extern "C" fn gmp_free(block: *mut std::ffi::c_void, bytes: usize) {
    // SAFETY: as this function demands.
    unsafe { HEAP.dealloc(block.cast(), gmp_layout(bytes)) };
}

#[cfg(test)]
mod tests {
    use std::thread;

    #[test]
    fn gmp_takes_its_memory_here() {
        super::lend_to_gmp();
        let mut x = rug::Integer::from(3);
        (0..12).for_each(|_| x.square_mut());
        assert_eq!(x, rug::Integer::from(rug::Integer::u_pow_u(3, 4096)));
        let mut all: Vec<rug::Float> = (1..200).map(|bits| rug::Float::with_val(bits * 10, 2).sqrt()).collect();
        all.retain(|x| x.prec() % 20 == 0);
        assert!(all.iter().all(|x| (x.to_f64() - std::f64::consts::SQRT_2).abs() < 1e-2));
        let (mut alloc, mut free) = (None, None);
        // SAFETY: asks for what was set before.
        unsafe { gmp_mpfr_sys::gmp::get_memory_functions(&mut alloc, &mut None, &mut free) };
        assert!(alloc.is_some_and(|f| f as usize == super::gmp_alloc as *const () as usize) && free.is_some());
    }

    #[test]
    fn threads_share_the_heap() {
        let work = |seed: usize| {
            let mut kept: Vec<Vec<u8>> = Vec::new();
            for round in 0..20_000usize {
                let size = (round * 7919 + seed * 131) % 5000 + usize::from(round % 1000 == 0) * 300_000;
                kept.push(vec![(round + seed) as u8; size]);
                if kept.len() > 50 {
                    let old = kept.swap_remove((round * 31) % 50);
                    assert!(old.windows(2).all(|w| w[0] == w[1]));
                }
            }
        };
        thread::scope(|s| (0..4).for_each(|seed| drop(s.spawn(move || work(seed)))));
    }

    #[test]
    fn zeros_are_zeros_also_where_something_was() {
        for size in [1, 24, 512, 2048, 4096, 8192, 20_000, 65_536, 70_000] {
            for round in 0..50u8 {
                let mut block = vec![0u8; size];
                assert!(block.iter().all(|byte| *byte == 0), "{size} bytes, round {round}");
                block.fill(round | 1);
                std::hint::black_box(&block);
            }
        }
    }

    #[test]
    fn blocks_are_aligned() {
        for align in [1, 8, 16, 64, 4096] {
            for size in [1, 24, 100, 5000, 100_000] {
                let layout = std::alloc::Layout::from_size_align(size, align).unwrap();
                // SAFETY: the layout is not empty; the block is given back with the same layout.
                unsafe {
                    let block = std::alloc::alloc(layout);
                    assert_eq!(block as usize % align, 0);
                    std::alloc::dealloc(block, layout);
                }
            }
        }
    }
}
