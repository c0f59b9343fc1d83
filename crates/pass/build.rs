//! Builds the C++ shim: what LLVM's C interface lacks.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/llvm/shim.cpp");
    println!("cargo:rerun-if-changed=src/llvm/look.cpp");
    println!("cargo:rerun-if-changed=src/llvm/places.cpp");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let config = format!("{prefix}/bin/llvm-config");
    let flags = Command::new(&config)
        .arg("--includedir")
        .output()
        .unwrap_or_else(|e| panic!("{config} does not run ({e}): install llvm-22-dev, or run './x build', which does"));
    let include = String::from_utf8(flags.stdout).expect("a path");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag_if_supported("-Wno-unused-parameter")
        .include(include.trim())
        .file("src/llvm/shim.cpp")
        .file("src/llvm/look.cpp")
        .file("src/llvm/places.cpp")
        .compile("nonius_shim");
}
