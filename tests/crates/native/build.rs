//! Compiles C for the crate, with the compiler that the crate `cc` would find.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=c/difference.c");
    // Compiled by another build script, for this one.
    println!("cargo::rustc-env=NATIVE_HOST={}", native_host::difference(1e16, 1.0));
    native_build(Path::new("c/difference.c"), "difference");
}

include!("host/native_build.rs");
