//! Compiles the one C file, and links the runtime so that it can be loaded late and is never unloaded.

fn main() {
    cc::Build::new().file("src/libm/quad.c").opt_level(2).flag("-fno-math-errno").compile("nonius_quad");
    println!("cargo::rustc-link-lib=m");
    for argument in [
        // Instrumented code holds pointers into the runtime for as long as the process lives.
        "-Wl,-z,nodelete",
        "-Wl,-soname,libnonius_rt.so",
    ] {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
    for path in ["build.rs", "src/libm/quad.c"] {
        println!("cargo::rerun-if-changed={path}");
    }
}
