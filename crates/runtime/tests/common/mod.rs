//! Programs in C that call the hooks by hand, as instrumented code would.
//!
//! Each test file uses part of this.
#![allow(dead_code)]

use nonius_abi::Precision;
use nonius_abi::site::{Function, Loc, Loss, Lost, NONE, Observed, Op, Site};
use nonius_abi::table::{Builder, FLAG_FLOATS, Table};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The runtime that `cargo test` built beside this test.
pub fn runtime_folder() -> PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    assert!(folder.join("libnonius_rt.so").exists(), "no runtime in {}", folder.display());
    folder
}

pub fn runtime() -> PathBuf {
    runtime_folder().join("libnonius_rt.so")
}

/// A site of the tables below: line, operation, observable.
pub const SITES: &[(u32, Op, Observed)] = &[
    (10, Op::Sub, Observed::Return),
    (11, Op::Add, Observed::Store),
    (12, Op::Mul, Observed::Output),
    (13, Op::Compare, Observed::Branch),
    (14, Op::ToInteger, Observed::Cast),
    (15, Op::Div, Observed::Operation),
    (16, Op::Load, Observed::Operation),
    (17, Op::Sub, Observed::Api),
    (18, Op::Sub, Observed::Argument),
    (19, Op::Load, Observed::Store),
];

/// A table with `SITES`, all in double, in function `f` of `a.c`.
pub fn table() -> Table {
    let mut b = Builder::default();
    let (file, f, empty, sinh) = (b.string("a.c"), b.string("f"), b.string(""), b.string("my_sinh"));
    for &(line, op, observed) in SITES {
        let at = b.loc(Loc { file, function: f, line, column: 5, inlined_at: NONE, is_small: false });
        let olt = 4;
        let predicate = if op == Op::Compare { olt } else { 0 };
        let site = Site {
            op,
            precision: Precision::Double,
            observed,
            predicate,
            marks: 0,
            at,
            seen: at,
            name: empty,
            function: 0,
        };
        b.site(site);
    }
    let counted = Function {
        name: f,
        operations: 4,
        operations_shadowed: 3,
        calls: 2,
        calls_shadowed: 1,
        checks: 5,
        ..Function::default()
    };
    b.function(counted, &[Lost { name: sinh, loss: Loss::Result, count: 1 }]);
    b.set_flag(FLAG_FLOATS);
    b.finish()
}

/// What every program begins with; the table lies in `table.bin` beside it.
const PRELUDE: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
__asm__(".section nonius_sites,\"a\"\n.globl table\ntable: .incbin \"TABLE\"\ntable_end:\n.globl table_end\n.previous");
extern char table[], table_end[];
static char ran[64], *records;
static uint64_t lost[64];
void __nonius_module_start(void *, uint64_t, void *, void *, void *);
void *__nonius_thread(void);
void __nonius_check(void *, uint32_t, uint64_t, void *, void *, void *, double, double, double);
void __nonius_compare(void *, uint32_t, uint32_t, void *, void *, uint64_t, double);
void __nonius_cast(void *, uint32_t, uint32_t, void *, void *, void *);
void __nonius_nonfinite(void *, uint32_t, uint32_t, void *, uint64_t);
void __nonius_load_mismatch(void *, uint32_t, uint32_t, void *, void *);
void __nonius_copy(void *, const void *, uint64_t);
void __nonius_clear(void *, uint64_t);
void __nonius_scanned(const char *, uint32_t, void *);
void __nonius_va_start(void *, void *);
void __nonius_flush(void);
void __nonius_request_check(void *, uint32_t, double, double, const char *);
void __nonius_request_print(void *, uint32_t, double, double, const char *);
double __nonius_request_ulps(void *, uint32_t, double, double, const char *);
void __nonius_api_dump(const void *, size_t);
void __nonius_api_region_begin(const char *);
void __nonius_api_region_end(void);
void __nonius_api_task_begin(const char *);
void __nonius_api_task_end(void);
void __nonius_api_set_option(const char *);
void __nonius_api_suppress(const char *);
extern double __nonius_limits[3][6];
extern unsigned char __nonius_floats;
extern __thread char *__nonius_tls __attribute__((tls_model("initial-exec")));
__attribute__((constructor)) static void start(void) { __nonius_module_start(table, table_end - table, ran, lost, &records); ran[0] = 1; lost[0] = 7; }
static void *residue_of(void *p) { return (void *)((uintptr_t)p - 0x500000000000 + 64 * 37); }
static void *copy_of(void *p) { return (void *)((uintptr_t)p - 0x400000000000 + 64 * 85); }
static void shadow(double *p, double e) { *(double *)residue_of(p) = e; *(double *)copy_of(p) = *p; }
static double residue(double *p) { return *(double *)copy_of(p) == *p ? *(double *)residue_of(p) : 0; }
static void check(uint32_t site, double v, double e) { double n = 0; __nonius_check(table, site, 1, &v, &e, &n, 0, 0, 0); }
#define EXPECT(c) do { if (!(c)) { fprintf(stderr, "line %d: %s\n", __LINE__, #c); exit(99); } } while (0)
"#;

/// A folder with a compiled program.
pub struct Program {
    pub folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Program {
    /// Compiles C that follows the prelude.
    pub fn new(source: &str) -> Program {
        Program::with(source, &table().encode(), &[])
    }

    pub fn with(source: &str, table: &[u8], flags: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        compile(folder.path(), source, table, &path, flags);
        Program { folder, path }
    }

    /// Runs it with options.
    pub fn run(&self, options: &str) -> Output {
        self.command(options).output().unwrap()
    }

    pub fn command(&self, options: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.env("NONIUS_OPTIONS", options).env_remove("NO_COLOR").current_dir(self.folder.path());
        command
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(file)).unwrap_or_default()
    }

    pub fn json(&self, file: &str) -> nonius_finding::Report {
        nonius_report::json::read(&self.folder.path().join(file)).unwrap()
    }
}

pub fn compile(folder: &Path, source: &str, table: &[u8], output: &Path, flags: &[&str]) {
    let blob = folder.join("table.bin");
    std::fs::write(&blob, table).unwrap();
    let file = folder.join("program.c");
    let prelude = PRELUDE.replace("TABLE", blob.to_str().unwrap());
    std::fs::write(&file, format!("{prelude}\n#line 1 \"program.c\"\n{source}\n")).unwrap();
    let runtime = runtime_folder();
    let outcome = Command::new("cc")
        .args(["-std=gnu11", "-O1", "-g", "-w", "-fno-strict-aliasing", "-ffp-contract=off"])
        .arg(&file)
        .arg("-o")
        .arg(output)
        .args(flags)
        .args([format!("-L{}", runtime.display()), format!("-Wl,-rpath,{}", runtime.display())])
        .args(["-lnonius_rt", "-lm", "-lpthread", "-ldl"])
        .output()
        .unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
