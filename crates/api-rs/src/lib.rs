//! What a Rust program can ask of Nonius, the numerical sanitizer.
//!
//! Under `cargo nonius` and `nonius rustc` the requests work on the shadow of their argument.
//! Without Nonius they are their argument and nothing else, so they can stay in the source.
//!
//! ```
//! let x = nonius::resume(f());        // x, with its error forgotten
//! nonius::check!(x);                  // check x here as if it were printed
//! nonius::print!(x);                  // print x beside its ideal, to stderr
//! let error = nonius::ulps(x);        // its error in units in the last place; 0 without Nonius
//! let _part = nonius::region(c"solve"); // findings carry the name until it is dropped
//! let _task = nonius::task(c"solve"); // looked at by itself until it is dropped
//!
//! #[nonius::ignore]                   // do not instrument this function
//! fn f() -> f64 { 1.0 }
//! ```

#![no_std]

mod nonius_requests;

pub use nonius_macros::ignore;
pub use nonius_requests::{Float, Region, Task, dump, region, resume, set_option, suppress, task, ulps};

/// Checks a float here, as if it were printed.
#[macro_export]
macro_rules! check {
    ($value:expr) => {
        $crate::Float::check($value, $crate::__text!($value))
    };
}

/// Prints a float beside its ideal, to stderr.
#[macro_export]
macro_rules! print {
    ($value:expr) => {
        $crate::Float::print($value, $crate::__text!($value))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __text {
    ($value:expr) => {
        match ::core::ffi::CStr::from_bytes_until_nul(concat!(stringify!($value), "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => c"",
        }
    };
}
