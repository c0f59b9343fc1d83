//! A build script that loses digits of its own, and asks what compiler it has.

use std::process::Command;

fn main() {
    let (x, y): (f64, f64) = std::hint::black_box((1e16, 1.0));
    println!("cargo::rustc-env=ZOO_BUILD={}", x + y - x);
    println!("cargo::rustc-check-cfg=cfg(nightly)");
    // As crates do that use unstable features where they can.
    let wrapper = std::env::var_os("RUSTC_WRAPPER");
    let rustc = std::env::var_os("RUSTC").expect("set by cargo");
    let mut probe = wrapper.map_or_else(|| Command::new(&rustc), |w| {
        let mut wrapped = Command::new(w);
        wrapped.arg(&rustc);
        wrapped
    });
    let out = std::env::var("OUT_DIR").expect("set by cargo");
    std::fs::write(format!("{out}/probe.rs"), "#![feature(test)]").expect("writable");
    probe.args(["--crate-name", "zoo", "--crate-type=lib", "--emit=metadata", "--out-dir", &out]);
    probe.args(["--target", &std::env::var("TARGET").expect("set by cargo"), &format!("{out}/probe.rs")]);
    if probe.output().is_ok_and(|o| o.status.success()) {
        println!("cargo::rustc-cfg=nightly");
    }
}
