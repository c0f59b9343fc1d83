//! Compiles the two C files, and links the runtime so that it can be loaded late and is never unloaded.

fn main() {
    let sources = ["src/libm/quad.c", "src/libm/complex.c"];
    cc::Build::new().files(sources).opt_level(2).flag("-fno-math-errno").compile("nonius_quad");
    println!("cargo::rustc-link-lib=m");
    for argument in [
        // Instrumented code holds pointers into the runtime for as long as the process lives.
        "-Wl,-z,nodelete",
        "-Wl,-soname,libnonius_rt.so",
    ] {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
    for path in sources.into_iter().chain(["build.rs"]) {
        println!("cargo::rerun-if-changed={path}");
    }
}
