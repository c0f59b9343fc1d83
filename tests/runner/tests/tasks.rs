//! Tasks in programs: what lies in them is looked at, each by itself, the same however many threads do it.

use nonius_tests::program::Built;
use serde_json::Value;

/// The report of a run under an oracle, and what the program printed.
fn analysed(built: &Built, options: &str) -> (Value, String) {
    let options = format!("report=r.json:quiet=1:{options}");
    let left = built.command(&built.path("a"), &[]).env("NONIUS_OPTIONS", options).output().expect("it starts");
    assert!(left.status.code().is_some(), "{:?} {}", left.status, String::from_utf8_lossy(&left.stderr));
    (serde_json::from_str(&built.read("r.json")).expect("JSON"), String::from_utf8_lossy(&left.stdout).into_owned())
}

/// The report of a recorded run.
fn replayed(built: &Built, flags: &[&str]) -> String {
    let left =
        built.nonius(&[&["replay", "events", "--oracle=mpfr:128", "--report=p.json", "--quiet"], flags].concat());
    assert!(matches!(left.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&left.stderr));
    built.read("p.json")
}

fn lines(report: &Value, kind: &str) -> Vec<u64> {
    let findings = report["findings"].as_array().expect("findings");
    let of_kind = findings.iter().filter(|f| f["kind"].as_str() == Some(kind));
    of_kind.map(|f| f["location"]["line"].as_u64().expect("a line")).collect()
}

/// How many findings are of a line, or were seen there.
fn findings_at(report: &Value, line: u64) -> usize {
    let findings = report["findings"].as_array().expect("findings");
    let is_there =
        |f: &&Value| [&f["location"], &f["observed_location"]].iter().any(|at| at["line"].as_u64() == Some(line));
    findings.iter().filter(is_there).count()
}

fn notes(report: &Value) -> String {
    let notes = report["notes"].as_array().cloned().unwrap_or_default();
    notes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

/// The line that carries a mark.
fn line_of(source: &str, mark: &str) -> u64 {
    source.lines().position(|line| line.contains(mark)).expect("the mark") as u64 + 1
}

/// PFPSanitizer's figure 3, its inputs from outside, beside a bad computation that lies in no task.
const FIGURE_3: &str = r#"#include <nonius.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) float foo(float *a, float *b) {
    float z = 0;
    NONIUS_TASK("foo") {
        float aval = *a, bval = *b;
        float x1 = aval + bval;
        float x2 = x1 - aval;
        float x3 = x2 - bval;
        if (x3 == 0) /* decides */
            z = x2 * x3;
        else
            z = x2 + x3;
    }
    return z;
}
__attribute__((noinline)) double outside(double x) {
    return sqrt(x + 1) - sqrt(x); /* outside */
}
int main(void) {
    float a = atof("0.5"), b = atof("0.00134"), sum = 0;
    for (int i = 0; i < 100; i++) {
        a += 0.0001f * i;
        sum += foo(&a, &b);
    }
    printf("%a %a\n", sum, outside(atof("1e14")));
    return 0;
}
"#;

#[test]
fn the_papers_figure_3() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", FIGURE_3);
        let (report, printed) = analysed(&built, "oracle=mpfr:128");
        assert_eq!(lines(&report, "branch-flip"), [line_of(FIGURE_3, "decides")], "{level}: {report:#}");
        assert!(lines(&report, "precision-loss").iter().all(|line| *line < 16), "{level}: {report:#}");
        assert!(notes(&report).contains("each by itself: 'foo' 100 times"), "{level}: {}", notes(&report));
        assert_eq!(report["findings"][0]["region"].as_str(), Some("foo"), "{level}");
        // As one, and by the inline engine, the rest is found too; and the program's own results are always the same.
        let (whole, same) = analysed(&built, "oracle=mpfr:128:tasks=off");
        assert!(lines(&whole, "precision-loss").contains(&line_of(FIGURE_3, "/* outside */")), "{level}: {whole:#}");
        assert_eq!(same, printed, "{level}");
        assert_eq!(analysed(&built, "").1, printed, "{level}");
    }
}

/// Other compilers ignore the pragma, and need no header.
#[test]
fn pragmas_mark_tasks() {
    let marked = FIGURE_3.replace("    NONIUS_TASK(\"foo\") {\n", "#pragma nonius task(\"foo\")\n    {\n");
    let source = marked.replace("#include <nonius.h>\n", "\n").replace("atof(", "(float)atof(");
    for (compiler, file) in [("cc", "a.c"), ("c++", "a b.cpp")] {
        for level in ["-O0", "-O2"] {
            let built = Built::new(compiler, &[level, "-lm"], file, &source);
            let (report, printed) = analysed(&built, "oracle=mpfr:128");
            assert_eq!(lines(&report, "branch-flip"), [line_of(&source, "decides")], "{file} {level}: {report:#}");
            assert_eq!(findings_at(&report, line_of(&source, "/* outside */")), 0, "{file} {level}: {report:#}");
            assert!(notes(&report).contains("each by itself: 'foo' 100 times"), "{file} {level}: {}", notes(&report));
            let place = report["findings"][0]["location"]["file"].as_str().unwrap_or_default().to_owned();
            assert!(place.ends_with(file), "{place}");
            let plain = built.path("plain");
            let clang = if compiler == "cc" { "clang-22" } else { "clang++-22" };
            let plainly = [level, "-Wno-unknown-pragmas", file, "-lm", "-o", "plain"];
            assert!(built.command(clang.as_ref(), &plainly).status().expect("clang starts").success());
            let expected = built.command(&plain, &[]).output().expect("it starts").stdout;
            assert_eq!(printed.as_bytes(), expected, "{file} {level}");
        }
    }
}

#[test]
fn mistakes_in_pragmas_are_told_and_ignored() {
    let source = "int main(void) {\n#pragma nonius task\n  return 0;\n}\n#pragma nonius region(a)\n";
    let built = Built::new("cc", &[], "a.c", "int main(void) { return 0; }");
    std::fs::write(built.path("b.c"), source).expect("it is written");
    let told = built.nonius(&["cc", "-Wno-unknown-pragmas", "b.c", "-o", "b"]);
    let stderr = String::from_utf8_lossy(&told.stderr);
    assert!(told.status.success(), "{stderr}");
    assert!(stderr.contains("b.c:2:1: warning: a task has a name: #pragma nonius task(\"name\")\n"), "{stderr}");
    assert!(stderr.contains("b.c:5:1: warning: there is no such '#pragma nonius'"), "{stderr}");
}

#[test]
fn nonius_run_confirms_what_lies_outside_of_tasks() {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", FIGURE_3);
    let (said, report) = built.run(&["--confirm=mpfr:128"], &[]);
    let outside = line_of(FIGURE_3, "/* outside */");
    let findings = report["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|f| f["location"]["line"].as_u64() == Some(outside)).expect(&said);
    assert_eq!(finding["confirmation"]["verdict"].as_str(), Some("confirmed"), "{said}");
}

#[test]
fn the_same_bytes_however_many_threads_walk() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", FIGURE_3);
        analysed(&built, "record=events");
        let one = replayed(&built, &["--jobs=1"]);
        for jobs in ["--jobs=2", "--jobs=8"] {
            assert_eq!(one, replayed(&built, &[jobs]), "{level} {jobs}");
        }
        let report: Value = serde_json::from_str(&one).expect("JSON");
        assert_eq!(lines(&report, "branch-flip"), [line_of(FIGURE_3, "decides")], "{level}");
        // And as the program's own threads found it.
        let (live, _) = analysed(&built, "oracle=mpfr:128");
        for part in ["findings", "operations", "observables", "summary"] {
            assert_eq!(live[part], report[part], "{level}: {part}");
        }
    }
}

/// A process that forks while its machine has threads: in the midst of tasks, and of one that is open.
const FORKS: &str = r#"#include <nonius.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
volatile double out;
__attribute__((noinline)) double part(double x, int child) {
    double worst = 0;
    NONIUS_TASK("part") {
        for (int i = 1; i < 4000; i++) {
            out = sqrt(x * i + 1) - sqrt(x * i); /* bad */
            worst = fmax(worst, out);
        }
        if (child && fork() == 0) {
            printf("child %a\n", worst);
            exit(0);
        }
    }
    return worst;
}
int main(void) {
    double x = atof("1e13"), sum = 0;
    for (int i = 1; i <= 40; i++)
        sum += part(x * i, i == 20 || i == 40);
    while (wait(NULL) > 0) {
    }
    printf("%a\n", sum);
    return 0;
}
"#;

#[test]
fn threads_of_the_machine_find_what_one_does_also_where_the_program_forks() {
    let built = Built::new("cc", &["-O1", "-lm"], "a.c", FORKS);
    let report = |jobs: &str| {
        let (mut report, printed) = analysed(&built, &format!("oracle=mpfr:128:{jobs}"));
        report["program"]["pid"] = Value::Null;
        assert_eq!(printed.lines().count(), 3, "{printed}");
        assert!(lines(&report, "precision-loss").contains(&line_of(FORKS, "/* bad */")), "{report:#}");
        assert!(notes(&report).contains("'part' 40 times"), "{}", notes(&report));
        serde_json::to_string_pretty(&report).expect("JSON")
    };
    let alone = report("machine_process=0");
    for jobs in ["jobs=1", "jobs=2", "jobs=5", "jobs=5"] {
        assert_eq!(report(jobs), alone, "{jobs}");
    }
}

/// A float that was computed before the task, one that is an argument, and a sum that goes around a loop.
const LIVE: &str = r#"#include <nonius.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double out;
__attribute__((noinline)) double f(double x, int n) {
    double scale = x / 3, sum = x;
    NONIUS_TASK("sum") {
        for (int i = 0; i < n; i++)
            sum += scale * i;
        out = sqrt(sum * 1e8 + x) - sqrt(sum * 1e8); /* bad */
    }
    return sum * scale;
}
int main(void) {
    printf("%a\n", f(atof("1.5"), 1000));
    return 0;
}
"#;

#[test]
fn what_is_live_where_a_task_begins_comes_with_it() {
    for level in ["-O0", "-O1", "-O3"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", LIVE);
        let (report, _) = analysed(&built, "oracle=mpfr:128");
        let coverage = &report["summary"]["coverage"];
        assert_eq!(coverage["operations"], coverage["operations_shadowed"], "{level}: {report:#}");
        assert!(coverage["operations"].as_u64() >= Some(2000), "{level}: {coverage}");
        let found = lines(&report, "precision-loss");
        assert!(found.contains(&line_of(LIVE, "bad */")), "{report:#}");
    }
}

/// PFPSanitizer's Cholesky, of a matrix whose product with its transpose is no longer positive in float.
const CHOLESKY: &str = r#"#include <nonius.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static float in[3][3], a[3][3];
__attribute__((noinline)) void product(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            float sum = 0;
            for (int k = 0; k < 3; k++)
                sum += in[i][k] * in[j][k]; /* rounds */
            a[i][j] = sum;
        }
}
__attribute__((noinline)) void cholesky(void) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j]; /* divides */
        }
        for (int k = 0; k < i; k++)
            a[i][i] -= a[i][k] * a[i][k]; /* cancels */
        a[i][i] = sqrtf(a[i][i]);
    }
}
int main(void) {
    in[0][0] = in[1][1] = in[2][2] = atof("1");
    in[1][0] = atof("5200"), in[2][1] = atof("5472");
#ifdef SPLIT
    NONIUS_TASK("product") product();
    NONIUS_TASK("factor") cholesky();
#else
    NONIUS_TASK("both") { product(); cholesky(); }
#endif
    printf("%g %g %g\n", a[0][0], a[1][1], a[2][2]);
    return 0;
}
"#;

#[test]
fn the_papers_cholesky() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", CHOLESKY);
        let (report, _) = analysed(&built, "oracle=mpfr:512");
        let cancels = line_of(CHOLESKY, "cancels");
        assert!(!lines(&report, "inf").is_empty(), "{level}: {report:#}");
        let named = findings_at(&report, cancels);
        assert!(named > 0, "{level}: {report:#}");
        // The product's rounding is among the causes of what cancels, as the paper's figure 7 has it.
        let rounds = line_of(CHOLESKY, "rounds");
        let reaches = |report: &Value| {
            let findings = report["findings"].as_array().expect("findings");
            let mut causes = findings.iter().flat_map(|f| f["causes"].as_array().cloned().unwrap_or_default());
            causes.any(|cause| cause["location"]["line"].as_u64() == Some(rounds))
        };
        assert!(reaches(&report), "{level}: {report:#}");
        // Split in two, the factor takes the product's values over, and its history ends there.
        let split = Built::new("cc", &[level, "-lm", "-DSPLIT"], "a.c", CHOLESKY);
        let (report, _) = analysed(&split, "oracle=mpfr:512");
        assert!(notes(&report).contains("'factor' once, 'product' once"), "{}", notes(&report));
        assert!(!lines(&report, "inf").is_empty() && !reaches(&report), "{level}: {report:#}");
    }
}

#[test]
fn guards_of_cpp_and_rust_and_calls_of_fortran() {
    let cpp = r#"#include <nonius.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
static double f(double x, bool leaves) {
    nonius::task guard("f");
    double bad = std::sqrt(x + 1) - std::sqrt(x);
    if (leaves) throw bad;
    return bad;
}
int main() {
    double sum = 0;
    for (int i = 0; i < 10; i++)
        try { sum += f(std::atof("1e12") + i, i % 2); } catch (double caught) { sum += caught; }
    std::printf("%a\n", sum);
}
"#;
    let built = Built::new("c++", &["-O1"], "a.cpp", cpp);
    let (report, _) = analysed(&built, "oracle=mpfr:128");
    assert!(notes(&report).contains("'f' 10 times") && !notes(&report).contains("did not end"), "{}", notes(&report));
    assert_eq!(lines(&report, "precision-loss"), [7], "{report:#}");

    let fortran = r#"program tasks
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine nonius_task_begin(name) bind(c, name="__nonius_api_task_begin")
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine nonius_task_end() bind(c, name="__nonius_api_task_end")
    end subroutine
  end interface
  real(8) :: x
  integer :: i
  x = 1d12
  do i = 1, 3
    call nonius_task_begin("roots" // c_null_char)
    x = x + i
    print *, sqrt(x + 1) - sqrt(x)
    call nonius_task_end()
  end do
end program
"#;
    let built = Built::new("fortran", &["-O1"], "a.f90", fortran);
    let (report, _) = analysed(&built, "oracle=mpfr:128");
    assert!(notes(&report).contains("'roots' 3 times"), "{}", notes(&report));
    assert_eq!(lines(&report, "precision-loss"), [18], "{report:#}");
}

#[test]
fn guards_of_rust() {
    // The crate's own file, which is all of it but for macros.
    let requests = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/api-rs/src/nonius_requests.rs");
    let source = r#"#[path = "REQUESTS"]
#[allow(unused)]
mod nonius_requests;
use nonius_requests::task;
#[inline(never)]
fn f(x: f64) -> f64 {
    let y = x * 1.5;
    let _task = task(c"roots");
    let bad = (y + 1.0).sqrt() - y.sqrt();
    println!("{bad:e}");
    bad
}
fn main() {
    let x: f64 = "1e12".parse().unwrap();
    let sum: f64 = (0..3).map(|i| f(x + i as f64)).sum();
    println!("{:e}", (sum + x).sqrt() - x.sqrt());
}
"#;
    let source = source.replace("REQUESTS", requests);
    let built = Built::new("rustc", &["--edition=2024", "-Copt-level=2"], "a.rs", &source);
    let (report, _) = analysed(&built, "oracle=mpfr:128");
    assert!(notes(&report).contains("'roots' 3 times"), "{}", notes(&report));
    assert_eq!(lines(&report, "precision-loss"), [9], "{report:#}");
}

#[test]
fn tasks_that_do_not_pair_are_told_of() {
    let source = r#"#include <nonius.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    double x = atof("1e12");
    nonius_task_end();
    nonius_task_begin("never");
    printf("%a\n", sqrt(x + 1) - sqrt(x));
    return 0;
}
"#;
    let built = Built::new("cc", &["-O1", "-lm"], "a.c", source);
    let (report, _) = analysed(&built, "oracle=mpfr:128");
    let notes = notes(&report);
    assert!(notes.contains("tasks that did not end before their thread or the program did: 'never' once"), "{notes}");
    assert!(notes.contains("the end of a task came once without a beginning"), "{notes}");
    assert_eq!(lines(&report, "precision-loss"), [9], "what it did until then counts");
}

#[test]
fn bad_values_are_refused() {
    let built = Built::new("cc", &["-O1"], "a.c", "int main(void) { return 0; }\n");
    std::fs::write(built.path("events"), "").expect("a file");
    for (flag, told) in [("--jobs=0", "a number of threads, from 1 to 1024"), ("--tasks=some", "marked, auto or off")] {
        let left = built.nonius(&["replay", "events", flag]);
        let stderr = String::from_utf8_lossy(&left.stderr);
        assert_eq!(left.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(told), "{stderr}");
    }
}

/// Threads with a task each, all of the same directive.
const THREADS: &str = r#"#include <nonius.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static double results[2];
__attribute__((noinline)) double part(double x) {
    double sum = 0;
    for (int i = 0; i < 9000; i++)
        sum += sqrt(x + i % 8 + 1) - sqrt(x + i % 8);
    return sum;
}
static void *work(void *number) {
    double x = 1e12 + *(int *)number, sum = 0;
    for (int round = 0; round < 4; round++)
        NONIUS_TASK("round") sum += part(x + round);
    results[*(int *)number] = sum;
    return 0;
}
int main(void) {
    pthread_t threads[2];
    int numbers[2];
    double sum = 0;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (numbers[i] = i, &numbers[i]));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0), sum += results[i];
    printf("%a\n", sum);
    return 0;
}
"#;

#[test]
fn tasks_of_threads_and_cuts_by_themselves() {
    let built = Built::new("cc", &["-O2", "-lm", "-pthread"], "a.c", THREADS);
    let (report, printed) = analysed(&built, "oracle=mpfr:128");
    assert!(notes(&report).contains("'round' 8 times"), "{}", notes(&report));
    // What the function returns is seen in the task, and goes back to the subtraction.
    let bad = line_of(THREADS, "sum += sqrt");
    assert_eq!(lines(&report, "precision-loss"), [bad], "{report:#}");
    let (_, plain) = analysed(&built, "record=events:tasks=auto");
    assert_eq!(plain, printed);
    let one = replayed(&built, &["--jobs=1", "--tasks=auto"]);
    assert_eq!(one, replayed(&built, &["--jobs=8", "--tasks=auto"]));
    let report: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(lines(&report, "precision-loss"), [bad], "{report:#}");
    // Of the first calls, one a thread at most, nothing was known.
    assert!(notes(&report).contains("calls were looked at each by itself (tasks=auto): 'part'"), "{}", notes(&report));
}
