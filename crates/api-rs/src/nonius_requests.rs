//! The requests. Nonius's pass knows this file by its name, and shows the lines that call it.

use core::ffi::CStr;

/// A float that has a shadow.
pub trait Float: Copy {
    #[doc(hidden)]
    fn check(self, text: &CStr);
    #[doc(hidden)]
    fn print(self, text: &CStr);
    #[doc(hidden)]
    fn ulps(self) -> f64;
    #[doc(hidden)]
    fn resume(self) -> Self;
}

/// The error of a float in units in the last place; 0 without Nonius.
#[inline(always)]
pub fn ulps<T: Float>(value: T) -> f64 {
    value.ulps()
}

/// The float, with its error forgotten.
#[inline(always)]
pub fn resume<T: Float>(value: T) -> T {
    value.resume()
}

#[cfg(nonius)]
mod shadowed {
    use super::Float;
    use core::ffi::{CStr, c_char, c_void};

    // SAFETY of the calls below: Nonius's runtime, which the wrapper links, defines these as nonius.h
    // says; texts are terminated, and no function keeps its pointers.
    unsafe extern "C" {
        fn __nonius_api_check_f(value: f32, text: *const c_char);
        fn __nonius_api_check_d(value: f64, text: *const c_char);
        fn __nonius_api_print_f(value: f32, text: *const c_char);
        fn __nonius_api_print_d(value: f64, text: *const c_char);
        fn __nonius_api_ulps_f(value: f32) -> f64;
        fn __nonius_api_ulps_d(value: f64) -> f64;
        fn __nonius_api_resume_f(value: f32) -> f32;
        fn __nonius_api_resume_d(value: f64) -> f64;
        fn __nonius_api_dump(at: *const c_void, bytes: usize);
        fn __nonius_api_region_begin(name: *const c_char);
        fn __nonius_api_region_end();
        fn __nonius_api_task_begin(name: *const c_char);
        fn __nonius_api_task_end();
        fn __nonius_api_set_option(setting: *const c_char);
        fn __nonius_api_suppress(entry: *const c_char);
        fn __nonius_api_input(
            at: *const c_void,
            bytes: usize,
            name: *const c_char,
            file: *const c_char,
            line: i32,
            lo: f64,
            hi: f64,
            elo: f64,
            ehi: f64,
        );
        fn __nonius_api_bounds(at: *const c_void, bytes: usize, name: *const c_char, file: *const c_char, line: i32);
        fn __nonius_api_split();
        fn __nonius_api_one_path(begins: i32);
        fn __nonius_api_merge(at: *const c_void, bytes: usize, each: usize);
    }

    pub fn input(at: *mut u8, bytes: usize, place: super::Place<'_>, [lo, hi]: [f64; 2], [elo, ehi]: [f64; 2]) {
        let (name, file) = (place.name.as_ptr(), place.file.as_ptr());
        unsafe { __nonius_api_input(at.cast(), bytes, name, file, place.line as i32, lo, hi, elo, ehi) }
    }
    pub fn bounds(at: *const u8, bytes: usize, place: super::Place<'_>) {
        unsafe {
            __nonius_api_bounds(at.cast(), bytes, place.name.as_ptr(), place.file.as_ptr(), place.line as i32);
        }
    }
    pub fn split() {
        unsafe { __nonius_api_split() }
    }
    pub fn one_path(begins: bool) {
        unsafe { __nonius_api_one_path(begins.into()) }
    }
    pub fn merge(at: *mut u8, bytes: usize, each: usize) {
        unsafe { __nonius_api_merge(at.cast(), bytes, each) }
    }

    macro_rules! requests_of {
        ($float:ty, $check:ident, $print:ident, $ulps:ident, $resume:ident) => {
            impl Float for $float {
                #[inline(always)]
                fn check(self, text: &CStr) {
                    unsafe { $check(self, text.as_ptr()) }
                }
                #[inline(always)]
                fn print(self, text: &CStr) {
                    unsafe { $print(self, text.as_ptr()) }
                }
                #[inline(always)]
                fn ulps(self) -> f64 {
                    unsafe { $ulps(self) }
                }
                #[inline(always)]
                fn resume(self) -> Self {
                    unsafe { $resume(self) }
                }
            }
        };
    }
    requests_of!(f32, __nonius_api_check_f, __nonius_api_print_f, __nonius_api_ulps_f, __nonius_api_resume_f);
    requests_of!(f64, __nonius_api_check_d, __nonius_api_print_d, __nonius_api_ulps_d, __nonius_api_resume_d);

    pub fn dump(at: *const u8, bytes: usize) {
        unsafe { __nonius_api_dump(at.cast(), bytes) }
    }
    pub fn region_begin(name: &CStr) {
        unsafe { __nonius_api_region_begin(name.as_ptr()) }
    }
    pub fn region_end() {
        unsafe { __nonius_api_region_end() }
    }
    #[inline(always)]
    pub fn task_begin(name: &CStr) {
        unsafe { __nonius_api_task_begin(name.as_ptr()) }
    }
    #[inline(always)]
    pub fn task_end() {
        unsafe { __nonius_api_task_end() }
    }
    pub fn set_option(setting: &CStr) {
        unsafe { __nonius_api_set_option(setting.as_ptr()) }
    }
    pub fn suppress(entry: &CStr) {
        unsafe { __nonius_api_suppress(entry.as_ptr()) }
    }
}

#[cfg(not(nonius))]
mod shadowed {
    use super::Float;
    use core::ffi::CStr;

    macro_rules! requests_of {
        ($float:ty) => {
            impl Float for $float {
                #[inline(always)]
                fn check(self, _: &CStr) {}
                #[inline(always)]
                fn print(self, _: &CStr) {}
                #[inline(always)]
                fn ulps(self) -> f64 {
                    0.0
                }
                #[inline(always)]
                fn resume(self) -> Self {
                    self
                }
            }
        };
    }
    requests_of!(f32);
    requests_of!(f64);

    pub fn input(_: *mut u8, _: usize, _: super::Place<'_>, _: [f64; 2], _: [f64; 2]) {}
    pub fn bounds(_: *const u8, _: usize, _: super::Place<'_>) {}
    pub fn split() {}
    pub fn one_path(_: bool) {}
    pub fn merge(_: *mut u8, _: usize, _: usize) {}
    pub fn dump(_: *const u8, _: usize) {}
    pub fn region_begin(_: &CStr) {}
    pub fn region_end() {}
    pub fn task_begin(_: &CStr) {}
    pub fn task_end() {}
    pub fn set_option(_: &CStr) {}
    pub fn suppress(_: &CStr) {}
}

/// Which variable a request is about, and where it stands.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub name: &'a CStr,
    pub file: &'a CStr,
    pub line: u32,
}

#[doc(hidden)]
#[inline(always)]
pub fn input<T: Float>(at: &mut T, place: Place<'_>, real: [f64; 2], error: [f64; 2]) {
    shadowed::input((&raw mut *at).cast(), size_of::<T>(), place, real, error);
}

#[doc(hidden)]
#[inline(always)]
pub fn bounds<T: Float>(at: &T, place: Place<'_>) {
    shadowed::bounds((&raw const *at).cast(), size_of::<T>(), place);
}

/// Paths that part from here on, where a test can go more than one way, meet at the next [`merge`].
#[inline(always)]
pub fn split() {
    shadowed::split();
}

/// Tests of what `work` does go the program's way for all inputs: a pivot that is as good as any. The report says so.
#[inline(always)]
pub fn one_path<T>(work: impl FnOnce() -> T) -> T {
    shadowed::one_path(true);
    let result = work();
    shadowed::one_path(false);
    result
}

/// Paths meet here, and differ in these floats alone.
#[inline(always)]
pub fn merge<T: Float>(floats: &mut [T]) {
    shadowed::merge(floats.as_mut_ptr().cast(), size_of_val(floats), size_of::<T>());
}

/// Prints the shadow memory of floats, to stderr.
pub fn dump<T: Float>(values: &[T]) {
    shadowed::dump(values.as_ptr().cast(), size_of_val(values));
}

/// Findings of this thread carry the name until the region is dropped.
#[must_use = "a region ends when it is dropped"]
pub fn region(name: &CStr) -> Region {
    shadowed::region_begin(name);
    Region(())
}

/// A part of the program with a name; see [`region`].
#[derive(Debug)]
pub struct Region(());

impl Drop for Region {
    fn drop(&mut self) {
        shadowed::region_end();
    }
}

/// A task: what this thread does until it is dropped is looked at by itself, and of a program that has tasks nothing else.
#[must_use = "a task ends when it is dropped"]
#[inline(always)]
pub fn task(name: &CStr) -> Task {
    shadowed::task_begin(name);
    Task(())
}

/// A part of the program that is looked at by itself; see [`task`].
#[derive(Debug)]
pub struct Task(());

impl Drop for Task {
    #[inline(always)]
    fn drop(&mut self) {
        shadowed::task_end();
    }
}

/// Changes an option of `NONIUS_OPTIONS` while the program runs: `key=value`.
pub fn set_option(setting: &CStr) {
    shadowed::set_option(setting);
}

/// Leaves findings out, as a line of a suppression file does.
pub fn suppress(entry: &CStr) {
    shadowed::suppress(entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_hand_their_argument_on() {
        let x = resume(0.1f64);
        crate::check!(x);
        crate::print!(x + 0.2);
        let _region = region(c"test");
        let _task = task(c"test");
        assert_eq!((x, ulps(x), ulps(0.1f32)), (0.1, 0.0, 0.0));
        let mut y = 0.5;
        crate::input!(y, 0.0, 1.0);
        crate::input!(y, 0.0, 1.0, -1e-9, 1e-9);
        split();
        merge(core::slice::from_mut(&mut y));
        crate::bounds!(y);
        assert_eq!(y, 0.5);
    }
}
