//! C for build scripts, which must stay as it is.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=c/host_difference.c");
    native_build(Path::new("c/host_difference.c"), "host_difference");
}

include!("native_build.rs");
