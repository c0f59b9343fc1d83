//! `nonius.h` compiles cleanly as every C and C++ it promises, with and without Nonius.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include").canonicalize().unwrap()
}

const PROGRAM: &str = r#"
#include "nonius.h"
#include <stdio.h>
static int calls;
static double f(void) { return ++calls; }
NONIUS_IGNORE static float g(float x) { return x * 2; }
int main(void) {
    const float a = 1.5f; double b = 2.5; long double c = 3.5L;
    nonius_check(a); nonius_check(b); nonius_check(c); nonius_check(f());
    nonius_print(a); nonius_print(b); nonius_print(c);
    double error = nonius_ulps(a) + nonius_ulps(b) + nonius_ulps(c);
    float a2 = nonius_resume(a); double b2 = nonius_resume(b); long double c2 = nonius_resume(c);
    nonius_region_begin("here");
    nonius_region_end();
    int rounds = 0;
    NONIUS_TASK("once") { rounds++; NONIUS_TASK("nested") rounds++; continue; }
    NONIUS_TASK("left") { rounds++; break; }
    nonius_task_begin("plain");
    nonius_task_end();
    if (rounds != 3) return 1;
    nonius_set_option("resume=1");
    nonius_suppress("nan:function=f # tested");
    if (calls != 1 || error != 0.0 || a2 != a || b2 != b || c2 != c || g(1.0f) != 2.0f) return 1;
    printf("fine\n");
    return 0;
}
"#;

/// Compiles for one language and runs; skipped if there is no such compiler.
fn run(compiler: &str, standard: &str, flags: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let cpp = standard.contains("++");
    let source = folder.path().join(if cpp { "a.cpp" } else { "a.c" });
    let region = if cpp { "{ nonius::region r(\"scope\"); nonius::task t(\"scope\"); }" } else { "" };
    std::fs::write(&source, PROGRAM.replace("nonius_region_end();", &format!("nonius_region_end(); {region}")))
        .unwrap();
    let exe = folder.path().join("a");
    let runtime = common::runtime_folder();
    let compiled = Command::new(compiler)
        .args([format!("-std={standard}"), format!("-I{}", include().display())])
        .args(["-Wall", "-Wextra", "-Wno-unused-function", "-Werror"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&exe)
        .args([format!("-L{}", runtime.display()), format!("-Wl,-rpath,{}", runtime.display()), "-lnonius_rt".into()])
        .output();
    let Ok(compiled) = compiled else { return };
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{compiler} -std={standard} {flags:?}\n{errors}");
    let output = Command::new(&exe).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fine\n", "{compiler} {standard} {flags:?}: {}", output.status);
}

fn run_all(compilers: &[&str], standards: &[&str]) {
    for compiler in compilers {
        for standard in standards {
            for flags in [&[][..], &["-D__NONIUS__"], &["-D__NONIUS__", "-O2"]] {
                run(compiler, standard, flags);
            }
        }
    }
}

#[test]
fn as_c() {
    run_all(&["gcc", "clang-22"], &["c99", "c11", "gnu17", "gnu2x"]);
}

#[test]
fn as_cpp() {
    run_all(&["g++", "clang++-22"], &["c++98", "c++11", "c++17", "gnu++20"]);
}
