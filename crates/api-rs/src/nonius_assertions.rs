//! What `check!` makes of a predicate. Nonius's pass knows this file by its name, and shows the lines that call it.

use core::ffi::{c_char, c_int};
use core::sync::atomic::AtomicU32;

/// An assertion, as `nonius_acsl.h` lays it out.
#[doc(hidden)]
#[repr(C)]
#[derive(Debug)]
pub struct Site {
    kind: *const c_char,
    text: *const c_char,
    file: *const c_char,
    function: *const c_char,
    line: u32,
    column: u32,
    state: AtomicU32,
}

// SAFETY: the pointers are of constant strings, and the runtime changes the state alone.
unsafe impl Sync for Site {}

/// Logic names have no backslash.
#[cfg(nonius)]
const PLAIN: u32 = 1 << 31;
#[cfg(not(nonius))]
const PLAIN: u32 = 0;

impl Site {
    /// The texts end with a zero.
    pub const fn new(kind: &'static str, text: &'static str, file: &'static str, line: u32, column: u32) -> Site {
        let (kind, text, file) = (kind.as_ptr().cast(), text.as_ptr().cast(), file.as_ptr().cast());
        Site { kind, text, file, function: core::ptr::null(), line, column, state: AtomicU32::new(PLAIN) }
    }

    /// Whether the predicate holds for these values is the runtime's to say.
    #[inline(always)]
    pub fn check(&'static self, values: &[Captured]) {
        made::check(self, values.as_ptr(), values.len() as c_int);
    }
}

/// What is known of a place, as the runtime lays it out.
#[doc(hidden)]
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct Captured([u64; 24]);

impl Captured {
    pub const NOTHING: Captured = Captured([0; 24]);
}

/// A number that an assertion can speak of.
#[doc(hidden)]
pub trait Capture {
    fn capture(self, into: &mut Captured);
}

#[cfg(nonius)]
mod made {
    use super::{Capture, Captured, Site};
    use core::ffi::{c_int, c_void};

    // SAFETY of the calls below: Nonius's runtime, which the wrapper links, defines these as nonius_acsl.h says, and keeps
    // no pointer but that of the site, which is static.
    unsafe extern "C" {
        fn __nonius_api_capture_f(value: f32, into: *mut c_void);
        fn __nonius_api_capture_d(value: f64, into: *mut c_void);
        fn __nonius_api_acsl_integer(into: *mut Captured, low: u64, high: i64);
        fn __nonius_api_acsl_whole(site: *const Site, count: c_int, values: *const Captured);
    }

    #[inline(always)]
    pub fn check(site: &'static Site, values: *const Captured, count: c_int) {
        unsafe { __nonius_api_acsl_whole(site, count, values) }
    }

    impl Capture for f32 {
        #[inline(always)]
        fn capture(self, into: &mut Captured) {
            unsafe { __nonius_api_capture_f(self, core::ptr::from_mut(into).cast()) }
        }
    }

    impl Capture for f64 {
        #[inline(always)]
        fn capture(self, into: &mut Captured) {
            unsafe { __nonius_api_capture_d(self, core::ptr::from_mut(into).cast()) }
        }
    }

    macro_rules! integers {
        ($($integer:ty)*) => { $(
            impl Capture for $integer {
                #[inline(always)]
                fn capture(self, into: &mut Captured) {
                    let wide = self as i128;
                    unsafe { __nonius_api_acsl_integer(into, wide as u64, (wide >> 64) as i64) }
                }
            }
        )* };
    }
    integers! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize i128 bool }
}

#[cfg(not(nonius))]
mod made {
    use super::{Capture, Captured, Site};
    use core::ffi::c_int;

    pub fn check(_: &'static Site, _: *const Captured, _: c_int) {}

    macro_rules! numbers {
        ($($number:ty)*) => { $(
            impl Capture for $number {
                fn capture(self, _: &mut Captured) {}
            }
        )* };
    }
    numbers! { f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 isize usize i128 bool }
}
