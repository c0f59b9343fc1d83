//! What a Rust program can ask of Nonius, the numerical sanitizer.
//!
//! Under `cargo nonius` and `nonius rustc` the requests work on the shadow of their argument.
//! Without Nonius they are their argument and nothing else, so they can stay in the source.
//!
//! ```
//! let x = nonius::resume(f());        // x, with its error forgotten
//! nonius::check!(x);                  // check x here as if it were printed
//! nonius::check!(x - 0.1 <= y);       // assert this over exact numbers
//! nonius::print!(x);                  // print x beside its ideal, to stderr
//! let error = nonius::ulps(x);        // its error in units in the last place; 0 without Nonius
//! let _part = nonius::region(c"solve"); // findings carry the name until it is dropped
//!
//! #[nonius::ignore]                   // do not instrument this function
//! fn f() -> f64 { 1.0 }
//! ```

#![no_std]

// What `check!` makes names the crate.
extern crate self as nonius;

mod nonius_assertions;
mod nonius_requests;

#[doc(hidden)]
pub use nonius_assertions::{Capture, Captured, Site};
pub use nonius_macros::{check, ignore};
pub use nonius_requests::{Float, Region, dump, region, resume, set_option, suppress, ulps};

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
