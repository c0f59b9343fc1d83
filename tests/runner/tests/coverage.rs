//! What the closing line and the report say of values that came from code without shadows.

use nonius_tests::program::Built;
use serde_json::Value;
use std::process::Command;

const LIBRARY: &str = "
double frob(double x) { return x * 1.1; }
void fill(double *p, int n) { for (int i = 0; i < n; i++) p[i] = i * 0.1; }
double walk(double (*f)(double), double a) { double s = 0; for (int i = 0; i < 10; i++) s += f(a + i); return s; }
";

const PROGRAM: &str = r#"
#include <stdio.h>
double frob(double);
void fill(double *, int);
double walk(double (*)(double), double);
__attribute__((noinline)) double called_back(double x) { return x * x + 1; }
double (*volatile by_address)(double);
#pragma STDC FENV_ACCESS ON
__attribute__((noinline)) double strict(double x) { return x / 3; }
#pragma STDC FENV_ACCESS OFF
__attribute__((noinline, annotate("nonius-ignore"))) double marked(double x) { return x / 7; }
int main(void) {
    double a[100], sum = 0, root;
    volatile double v = 0.1;
    for (int i = 0; i < 3000; i++) sum += frob(v + i);
    fill(a, 100);
    for (int i = 0; i < 100; i++) sum += a[i];
    sum += walk(called_back, v);
    by_address = frob;
    sum += by_address(v) + strict(v) + marked(v);
    frob(v);
    __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(v));
    printf("%.3f\n", sum + root);
}
"#;

/// The program, linked with a library that a plain compiler made.
fn built(level: &str) -> Built {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, library) = (folder.path().join("foo.c"), folder.path().join("libfoo.so"));
    std::fs::write(&source, LIBRARY).expect("a file in the test's own folder");
    let mut plain = Command::new("clang-22");
    plain.args(["-O2", "-shared", "-fPIC", "-Wl,-soname,libfoo.so", "-o"]).args([&library, &source]);
    assert!(plain.status().expect("clang-22 starts").success());
    let built =
        Built::new("cc", &[level, library.to_str().expect("UTF-8"), "-Wl,-rpath,$ORIGIN", "-lm"], "a.c", PROGRAM);
    std::fs::rename(&library, built.path("libfoo.so")).expect("a library to move");
    built
}

/// How much was lost to a name in one way.
fn lost(report: &Value, name: &str, loss: &str) -> u64 {
    let unknown = report["summary"]["coverage"]["unknown"].as_array().expect("a list");
    let same = unknown.iter().filter(|u| u["name"] == name && u["loss"] == loss);
    same.map(|u| u["count"].as_u64().expect("a number")).sum()
}

fn left_alone(report: &Value) -> Vec<(String, Vec<String>)> {
    let all = report["summary"]["coverage"]["left_alone"].as_array().expect("a list");
    let names =
        |l: &Value| l["names"].as_array().expect("a list").iter().map(|n| n.as_str().unwrap().to_owned()).collect();
    all.iter().map(|l| (l["reason"].as_str().expect("a word").to_owned(), names(l))).collect()
}

/// Another object of the program takes floats and returns none: its shadows arrive, and nothing is lost.
#[test]
fn calls_of_another_object_that_return_nothing_are_shadowed() {
    const PROGRAM: &str = "void take(double x);\nint main(int n, char **v) { take(n * 0.1); return 0; }";
    const OTHER: &str = "volatile double kept;\nvoid take(double x) { kept = x + 1; }";
    for level in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("other.c");
        std::fs::write(&other, OTHER).expect("a file in the test's own folder");
        let built = Built::new("cc", &[level, other.to_str().expect("UTF-8")], "a.c", PROGRAM);
        let (_, report) = built.run(&["--confirm=0"], &[]);
        let coverage = &report["summary"]["coverage"];
        assert_eq!((&coverage["calls"], &coverage["calls_shadowed"]), (&1.into(), &1.into()), "{level}: {coverage:#}");
    }
}

#[test]
fn values_from_code_without_shadows_are_counted_while_the_program_runs() {
    for level in ["-O0", "-O2"] {
        let built = built(level);
        let (stderr, report) = built.run(&["--confirm=0", "--verbose=1"], &[]);
        // The result that nobody uses does not count.
        assert_eq!(lost(&report, "frob", "result"), 3001, "{level}: {report:#}");
        assert_eq!(lost(&report, "walk", "result"), 1, "{level}");
        assert_eq!(lost(&report, "called_back", "argument"), 10, "{level}");
        assert_eq!(lost(&report, "fill", "memory"), 1, "{level}");
        assert_eq!(lost(&report, "inline asm", "operation"), 1, "{level}");
        assert_eq!(lost(&report, "strict", "result") + lost(&report, "marked", "result"), 2, "{level}");
        let unknown = &report["summary"]["coverage"]["unknown"];
        assert!(
            unknown.as_array().unwrap().iter().all(|u| u["name"] != "frob" || u["object"] == "libfoo.so"),
            "{unknown:#}"
        );
        let alone =
            [("strict".to_owned(), vec!["strict".to_owned()]), ("marked".to_owned(), vec!["marked".to_owned()])];
        assert_eq!(left_alone(&report), alone, "{level}");
        assert!(
            stderr.contains("values came from code without shadows (frob in libfoo.so: 3,001"),
            "{level}: {stderr}"
        );
        assert!(stderr.contains("1 function with strict floating point was left alone (strict)"), "{level}: {stderr}");
        assert!(!stderr.contains("100% shadowed"), "{level}: {stderr}");
    }
}

#[test]
fn the_event_engine_counts_the_same_results_and_arguments() {
    for level in ["-O0", "-O2"] {
        let built = built(level);
        let (stderr, report) = built.run(&["--oracle=double-double", "--verbose=1"], &[]);
        assert_eq!(lost(&report, "frob", "result"), 3000, "{level}: {report:#}");
        assert_eq!(lost(&report, "a function called by its address", "result"), 1, "{level}");
        assert_eq!(lost(&report, "called_back", "argument"), 10, "{level}");
        assert_eq!(lost(&report, "inline asm", "operation"), 1, "{level}");
        assert_eq!(left_alone(&report).len(), 2, "{level}");
        assert!(stderr.contains("values came from code without shadows"), "{level}: {stderr}");
    }
}

#[test]
fn a_program_whose_arithmetic_the_compiler_did_says_so() {
    let source = "#include <stdio.h>\nint main(void) { double x = 0.1; x = x * 3 + 1; printf(\"%g\\n\", x); }";
    let built = Built::new("cc", &["-O2"], "a.c", source);
    let (stderr, report) = built.run(&["--confirm=0", "--verbose=1"], &[]);
    assert_eq!(report["summary"]["coverage"]["operations"], 0);
    assert!(stderr.contains("nothing was shadowed: no floating-point operation in 1 function that ran"), "{stderr}");
    assert!(!stderr.contains("100% shadowed"), "{stderr}");
}

#[test]
fn operations_that_the_compiler_did_and_nobody_checked_are_counted() {
    let source = "#include <stdio.h>
int main(void) {
    double x = 1e16, y = 1;
    double sum = x + y, rest = sum - x;
    volatile double v = 0.5;
    printf(\"%g %g\\n\", rest, v / 3);
}";
    // Fast-math leaves it to the compiler what to make of them.
    let built = Built::new("cc", &["-O2", "-ffast-math"], "a.c", source);
    for oracle in ["--oracle=residue", "--oracle=mpfr:256"] {
        let (stderr, report) = built.run(&["--confirm=0", "--verbose=1", oracle], &[]);
        assert_eq!(report["summary"]["coverage"]["folded"], 2, "{oracle}: {stderr}");
        let said = "2 operations on constants were computed by the compiler and not checked";
        assert!(stderr.contains(said), "{oracle}: {stderr}");
    }
    let strict = Built::new("cc", &["-O2"], "a.c", source);
    let (stderr, report) = strict.run(&["--confirm=0"], &[]);
    assert!(report["summary"]["coverage"].get("folded").is_none(), "{stderr}");
    assert_eq!(report["findings"][0]["location"]["line"], 4, "{stderr}");
}

#[test]
fn functions_that_an_option_names_are_listed() {
    let source = "#include <stdio.h>\n__attribute__((noinline)) double skipped(double x) { return x / 3; }\n\
                  int main(void) { volatile double x = 0.1; printf(\"%g\\n\", skipped(x) * 2); }";
    let built = Built::new("cc", &["-O2", "--nonius-skip-functions=skipped"], "a.c", source);
    let (stderr, report) = built.run(&["--confirm=0", "--verbose=1"], &[]);
    assert_eq!(left_alone(&report), [("option".to_owned(), vec!["skipped".to_owned()])], "{stderr}");
    assert_eq!(lost(&report, "skipped", "result"), 1);
}

/// An object that plain clang makes of a source, to be linked into the executable.
fn plain_object(folder: &tempfile::TempDir, source: &str) -> String {
    let (path, object) = (folder.path().join("plain.c"), folder.path().join("plain.o"));
    std::fs::write(&path, source).expect("a file in the test's own folder");
    let mut plain = Command::new("clang-22");
    assert!(plain.args(["-O2", "-c", "-o"]).args([&object, &path]).status().expect("clang-22 starts").success());
    object.to_str().expect("UTF-8").to_owned()
}

const WRITERS: &str = "
double table[4];
static double own[4];
struct body { double mass, at[3]; };
void fill(double *p, int n) { for (int i = 0; i < n; i++) p[i] = i * 0.1; }
double *lend(int n) { fill(own, n); return own; }
void begin(void) { fill(table, 4); }
struct body born(double m) { struct body b = { m / 3, { m, m / 7, m / 9 } }; return b; }
static double *buffer; static int length;
void receive(double *p, int n) { buffer = p; length = n; }
int arrived(void) { fill(buffer, length); return length; }
double twice(double x) { return x * 2; }
";

const READERS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
struct body { double mass, at[3]; };
extern double table[4];
void fill(double *, int);
double *lend(int);
void begin(void);
struct body born(double);
void receive(double *, int);
int arrived(void);
double twice(double);
double other_sum(const double *, int);
void count(int *);
__attribute__((noinline)) double sum(const double *p) { return p[0] + p[1] * 1.1 + p[2] + p[3] / 3; }
int main(int argc, char **argv) {
    int calls = 0;
    double a[4], b[4];
    atexit(begin);
    fill(a, 4);
    begin();
    receive(b, 4);
    arrived();
    struct body made = born(argc);
    double all = sum(a) + sum(lend(4)) + sum(table) + sum(b) + made.mass * 3 + twice(argc) + other_sum(a, 4);
    count(&calls);
    printf("%.3f\n", all + calls);
    return 0;
}
"#;

/// Compiled by Nonius as well: with floats, and without.
const OTHERS: [&str; 2] = [
    "double other_sum(const double *p, int n) { double s = 0; while (n--) s += p[n]; return s; }",
    "void count(int *n) { ++*n; }\nvoid tally(int *n) __attribute__((alias(\"count\")));",
];

#[test]
fn calls_of_plain_objects_of_the_executable_that_may_write_floats_are_counted() {
    for flags in
        [&["-O0"][..], &["-O2"], &["-O2", "-Wl,--gc-sections", "-ffunction-sections", "-s"], &["-O2", "-fuse-ld=lld"]]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let object = plain_object(&folder, WRITERS);
        let mut words = vec![object];
        for (n, source) in OTHERS.iter().enumerate() {
            let path = folder.path().join(format!("other{n}.c"));
            std::fs::write(&path, source).expect("a file in the test's own folder");
            words.push(path.to_str().expect("UTF-8").to_owned());
        }
        let words: Vec<&str> = flags.iter().copied().chain(words.iter().map(String::as_str)).collect();
        let built = Built::new("cc", &words, "a.c", READERS);
        let (stderr, report) = built.run(&["--confirm=0", "--verbose=1"], &[]);
        for (name, calls) in [("fill", 1), ("begin", 1), ("lend", 1), ("receive", 1), ("arrived", 1), ("born", 1)] {
            assert_eq!(lost(&report, name, "memory"), calls, "{flags:?} {name}: {report:#}");
        }
        assert_eq!(lost(&report, "twice", "result"), 1, "{flags:?}");
        // What Nonius compiled, and the C library, stay off the list.
        for name in ["other_sum", "count", "sum", "twice", "atexit", "printf"] {
            assert_eq!(lost(&report, name, "memory"), 0, "{flags:?} {name}: {report:#}");
        }
        assert!(stderr.contains("6 calls of code without shadows may have written floats"), "{flags:?}: {stderr}");
    }
}

/// A function without floats hands memory from plain code to code with shadows.
#[test]
fn calls_in_functions_without_floats_are_counted() {
    const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
void fill(double *, int);
__attribute__((noinline)) void show(const double *p, int n) {
    double s = 0;
    while (n--) s += p[n] / 3;
    printf("%.3f\n", s);
}
int main(void) {
    double *a = malloc(4 * sizeof *a);
    fill(a, 4);
    show(a, 4);
    return 0;
}
"#;
    for level in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let built = Built::new("cc", &[level, &plain_object(&folder, WRITERS)], "a.c", PROGRAM);
        let (stderr, report) = built.run(&["--confirm=0", "--verbose=1"], &[]);
        assert_eq!(lost(&report, "fill", "memory"), 1, "{level}: {report:#}");
        assert!(stderr.contains("1 call of code without shadows may have written floats (fill: 1)"), "{stderr}");
        assert_eq!(report["summary"]["coverage"]["functions_run"], 1, "{level}: {stderr}");
    }
}

/// A program that Nonius compiled as a whole is not told of such calls, whatever its functions look like.
#[test]
fn a_program_without_plain_objects_has_no_such_calls() {
    const HELPER: &str = "
static int state;
volatile double input = 0.3;
void set(double *p) { *p = input; }
double *next(double *p) { return p + 1; }
void tick(void) { state++; }
int ticks(void) { return state; }
";
    const PROGRAM: &str = r#"
#include <stdio.h>
void set(double *); double *next(double *); void tick(void); int ticks(void);
int main(void) {
    double a[2];
    set(a); set(next(a)); tick();
    printf("%.3f %d\n", a[0] * a[1], ticks());
    return 0;
}
"#;
    for flags in [&["-O0"][..], &["-O2"], &["-O2", "-flto"], &["-O2", "-flto=thin"]] {
        let folder = tempfile::tempdir().expect("a folder");
        let helper = folder.path().join("helper.c");
        std::fs::write(&helper, HELPER).expect("a file in the test's own folder");
        let words: Vec<&str> = flags.iter().copied().chain(helper.to_str()).collect();
        let built = Built::new("cc", &words, "a.c", PROGRAM);
        let (stderr, report) = built.run(&["--confirm=0", "--verbose=1"], &[]);
        assert!(!stderr.contains("code without shadows"), "{flags:?}: {stderr}");
        assert!(stderr.contains("100% shadowed"), "{flags:?}: {stderr}");
        assert_eq!(report["summary"]["coverage"]["unknown"].as_array().map_or(0, Vec::len), 0, "{flags:?}: {report:#}");
    }
}

/// By value: the inline engine counts the calls.
#[test]
fn the_event_engine_counts_values_that_a_plain_object_of_the_executable_wrote() {
    const WRITER: &str = "void scale(double *a, int n) { for (int i = 0; i < n; i++) a[i] *= 1.1; }";
    const READER: &str = r#"#include <stdio.h>
void scale(double *a, int n);
volatile double x = 0.1;
int main(void) {
    double a[8], sum = 0;
    for (int i = 0; i < 8; i++) a[i] = x * (i + 1) / 3;
    scale(a, 8);
    for (int i = 0; i < 8; i++) sum += a[i];
    printf("%g\n", sum);
}
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let object = plain_object(&folder, WRITER);
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, &object], "a.c", READER);
        let mut command = built.command(&built.path("a"), &[]);
        let left = command.env("NONIUS_OPTIONS", "oracle=mpfr:256:report=r.json").output().expect("it runs");
        assert!(left.status.success(), "{left:?}");
        let report: Value = serde_json::from_str(&built.read("r.json")).expect("JSON");
        assert_eq!(lost(&report, "memory written unseen", "load"), 8, "{level}");
    }
}
