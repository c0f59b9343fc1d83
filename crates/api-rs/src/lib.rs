//! What a Rust program can ask of Nonius, the numerical sanitizer.
//!
//! Under `cargo nonius` and `nonius rustc` the requests work on the shadow of their argument.
//! Without Nonius they are their argument and nothing else, so they can stay in the source.
//!
//! ```
//! let x = nonius::resume(f());        // x, with its error forgotten
//! let mut y = x;
//! nonius::check!(x);                  // check x here as if it were printed
//! nonius::check!(x - 0.1 <= y);       // assert this over exact numbers
//! nonius::print!(x);                  // print x beside its ideal, to stderr
//! let error = nonius::ulps(x);        // its error in units in the last place; 0 without Nonius
//! nonius::input!(y, 0.0, 1.0);        // under oracle=zonotope, y is anything from 0 to 1
//! nonius::bounds!(y);                 // what y can be goes into the report
//! let _part = nonius::region(c"solve"); // findings carry the name until it is dropped
//! let _task = nonius::task(c"solve"); // looked at by itself until it is dropped
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
pub use nonius_requests::{
    Float, Region, Task, dump, merge, one_path, region, resume, set_option, split, suppress, task, ulps,
};
#[doc(hidden)]
pub use nonius_requests::{Place, bounds as __bounds, input as __input};

/// Prints a float beside its ideal, to stderr.
#[macro_export]
macro_rules! print {
    ($value:expr) => {
        $crate::Float::print($value, $crate::__text!($value))
    };
}

/// A variable is an input: the real number that it stands for is anywhere in the range, and the float differs from that by
/// nothing, or by something in a second range.
#[macro_export]
macro_rules! input {
    ($variable:expr, $lo:expr, $hi:expr) => {
        $crate::input!($variable, $lo, $hi, 0.0, 0.0)
    };
    ($variable:expr, $lo:expr, $hi:expr, $error_lo:expr, $error_hi:expr) => {
        $crate::__input(&mut $variable, $crate::__place!($variable), [$lo, $hi], [$error_lo, $error_hi])
    };
}

/// What a variable can be goes into the report.
#[macro_export]
macro_rules! bounds {
    ($variable:expr) => {
        $crate::__bounds(&$variable, $crate::__place!($variable))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __place {
    ($variable:expr) => {
        $crate::Place { name: $crate::__text!($variable), file: $crate::__file!(), line: line!() }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __file {
    () => {
        match ::core::ffi::CStr::from_bytes_until_nul(concat!(file!(), "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => c"",
        }
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
