//! Peak memory: a float-heavy program under Nonius needs at most 3.2 times its own. Under the event engine the machine
//! needs what its values need, whatever the length of the run, and no more than it may have.

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

/// Sweeps over an array of so many doubles so many times; prints its own peak in kilobytes.
const SWEEPS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words) {
    long n = atol(words[1]), sweeps = atol(words[2]);
    double *a = malloc(n * sizeof *a);
    for (long i = 0; i < n; i++) a[i] = (double)i / 3;
    for (long k = 0; k < sweeps; k++)
        for (long i = 1; i < n; i++) a[i] = 0.3 * a[i - 1] + 0.7 * a[i];
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM:", 6)) printf("%ld\n", strtol(line + 6, NULL, 10));
    return count != 3;
}
"#;

/// With the machine in the program's own process, whose peak the program can tell.
fn in_the_program(options: &str) -> String {
    format!("{options}:machine_process=0")
}

#[test]
fn the_machines_memory_does_not_grow_with_the_run_and_keeps_its_limit() {
    let built = nonius_tests::program::Built::new("cc", &["-O2"], "a.c", SWEEPS);
    let peak = |n: &str, sweeps: &str, options: &str| -> f64 {
        let mut command = built.command(&built.path("a"), &[n, sweeps]);
        let ran = command.env("NONIUS_OPTIONS", in_the_program(options)).output().expect("the program runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).trim().parse().expect("kilobytes")
    };
    for oracle in ["oracle=double-double", "oracle=mpfr:128"] {
        let (short, long) = (peak("5000", "5", oracle), peak("5000", "100", oracle));
        assert!(long <= short * 1.1 + 1024.0, "{oracle}: {short} KB, a run 20 times as long {long} KB");
    }
    // A million doubles have more shadows than fit in 16 MiB.
    let (free, limited) =
        (peak("1000000", "1", "oracle=double-double"), peak("1000000", "1", "oracle=double-double:machine_mib=16"));
    let own = peak("1000000", "1", "oracle=double-double:machine_mib=1");
    assert!(free > own + 24_000.0, "{free} KB without a limit, {own} KB with next to nothing");
    assert!(limited < own + 20_000.0, "{limited} KB under a limit of 16 MiB, {own} KB under 1 MiB");
}

/// Floats in an array of so many, or doubles so deep in recursion, or both in threads; prints its own peak in kilobytes.
const GROWING: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static __attribute__((noinline)) double down(long n, double x) {
    double y = x * 1.000001 + 0.1, z = y / 3;
    if (n == 0) return z;
    double below = down(n - 1, y);
    return below * 0.5 + z;
}
static void *thread(void *from) {
    *(double *)from = down(20, *(double *)from);
    return 0;
}
int main(int count, char **words) {
    long n = atol(words[2]);
    double result = 0;
    if (*words[1] == 'f') {
        float *a = malloc(n * sizeof *a);
        for (long i = 0; i < n; i++) a[i] = (float)i / 3;
        for (long i = 1; i < n; i++) result += a[i] * 1.1f;
    } else if (*words[1] == 'd') {
        result = down(n, 1);
    } else {
        for (long i = 0; i < n; i++) {
            pthread_t id;
            double value = i;
            pthread_create(&id, 0, thread, &value);
            pthread_join(id, 0);
            result += value;
        }
    }
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (!strncmp(line, "VmHWM:", 6)) printf("%ld\n", strtol(line + 6, NULL, 10));
    return count != 3 || result < 0;
}
"#;

#[test]
fn all_that_grows_with_the_run_keeps_the_limit() {
    let built = nonius_tests::program::Built::new("cc", &["-O1", "-pthread"], "a.c", GROWING);
    let run = |kind: &str, n: &str, options: &str| -> (f64, String) {
        let mut command = built.command(&built.path("a"), &[kind, n]);
        let ran = command.env("NONIUS_OPTIONS", in_the_program(options)).output().expect("the program runs");
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{kind}: {stderr}");
        (String::from_utf8_lossy(&ran.stdout).trim().parse().expect("kilobytes"), stderr)
    };
    for (kind, n, what) in [("floats", "4000000", "pages of shadow memory"), ("deep", "100000", "stack frames")] {
        let (small, _) = run(kind, n, "oracle=double-double:machine_mib=1:verbose=1");
        let (limited, told) = run(kind, n, "oracle=double-double:machine_mib=32:verbose=1");
        println!("{kind}: {small} KB under 1 MiB, {limited} KB under 32 MiB");
        // The bound, and what lies outside of it: it is the same under both.
        assert!(
            limited < small + 32.0 * 1024.0,
            "{kind}: {limited} KB under a limit of 32 MiB, {small} KB under 1 MiB"
        );
        assert!(told.contains(what), "{kind}: nothing is said of what was dropped\n{told}");
    }
    let (few, _) = run("threads", "100", "oracle=double-double");
    let (many, _) = run("threads", "3000", "oracle=double-double");
    assert!(many < few + 2048.0, "{few} KB after 100 threads, {many} KB after 3000");
}
