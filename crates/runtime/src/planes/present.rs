//! Which pages of a plane exist.

use crate::pages::PAGE;
use crate::say::KeepErrno;

/// Most pages that are asked about at once; of larger ranges all count as present.
pub const MOST_PAGES: usize = 1024;

/// Whether any page that the range touches may hold something. Asks the kernel, and says yes
/// where the answer cannot be trusted: pages that were swapped out are reported as absent.
pub fn any(at: usize, bytes: usize) -> bool {
    let (first, last) = (at / PAGE * PAGE, (at + bytes).next_multiple_of(PAGE));
    let mut pages = [0u8; MOST_PAGES];
    let Some(pages) = pages.get_mut(..(last - first) / PAGE) else { return true };
    let _errno = KeepErrno::new();
    // SAFETY: `pages` has a byte for each page of the range.
    let known = unsafe { ::libc::mincore(first as *mut ::libc::c_void, last - first, pages.as_mut_ptr()) } == 0;
    !known || pages.iter().any(|page| page & 1 != 0) || swap_is_used()
}

fn swap_is_used() -> bool {
    let mut info = std::mem::MaybeUninit::<::libc::sysinfo>::zeroed();
    // SAFETY: `info` is room for what `sysinfo` writes, and zero bytes are a valid `sysinfo`.
    unsafe {
        ::libc::sysinfo(info.as_mut_ptr()) != 0 || {
            let info = info.assume_init();
            info.freeswap != info.totalswap
        }
    }
}
