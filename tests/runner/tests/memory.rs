//! Peak memory: a float-heavy program under Nonius needs at most 3.2 times its own.

use std::path::Path;
use std::process::Command;

/// Two arrays of 64 MB, filled and read; prints its own peak in kilobytes.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    long n = 8000000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
    for (long i = 0; i < n; i++) a[i] = (double)i / 3, b[i] = a[i] * 1.1;
    for (long i = 0; i < n; i++) sum += a[i] * b[i];
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM:", 6)) printf("%ld\n", strtol(line + 6, NULL, 10));
    return sum < 0;
}
"#;

fn peak_kilobytes(compiler: &mut Command, folder: &Path, name: &str) -> f64 {
    let (source, program) = (folder.join("memory.c"), folder.join(name));
    std::fs::write(&source, PROGRAM).expect("a file in the test's own folder");
    let built = compiler.args(["-O2", "-o"]).arg(&program).arg(&source).status().expect("a compiler");
    assert!(built.success(), "{compiler:?} failed");
    let ran = Command::new(&program).env_remove("LD_LIBRARY_PATH").output().expect("the program runs");
    assert!(ran.status.success(), "{program:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim().parse().expect("kilobytes")
}

#[test]
fn peak_memory_is_at_most_3_2_times_the_programs_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let nonius = std::env::var_os("NONIUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/nonius"), Into::into);
    let native = peak_kilobytes(&mut Command::new("clang-22"), folder.path(), "native");
    let shadowed = peak_kilobytes(Command::new(nonius).arg("cc"), folder.path(), "shadowed");
    let ratio = shadowed / native;
    assert!(ratio <= 3.2, "{shadowed} KB against {native} KB: {ratio:.2} times");
    // Both planes were really written: else this would measure nothing.
    assert!(ratio > 2.0, "{shadowed} KB against {native} KB: the shadows are missing");
}
