//! An error stays with its value: outputs are reported with their roots, and nothing is held against a restarted relative.

use nonius_tests::program::Built;
use serde_json::Value;

/// A Hilbert matrix of integers and its row sums, so that all is exact and every unknown is 1, solved by Gauss.
const HILBERT: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 12 };
static void eliminate(double *a, double *b) {
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[i * N + k]) > fabs(a[p * N + k])) p = i;
        for (int j = 0; j < N; j++) {
            double t = a[k * N + j];
            a[k * N + j] = a[p * N + j];
            a[p * N + j] = t;
        }
        double t = b[k];
        b[k] = b[p];
        b[p] = t;
        for (int i = k + 1; i < N; i++) {
            double f = a[i * N + k] / a[k * N + k];
            for (int j = k; j < N; j++) a[i * N + j] -= f * a[k * N + j];
            b[i] -= f * b[k];
        }
    }
}
static void substitute(const double *a, const double *b, double *x) {
    for (int i = N - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < N; j++) sum -= a[i * N + j] * x[j];
        x[i] = sum / a[i * N + i];
    }
}
int main(int count, char **words) {
    double whole = atof(words[1]), *a = malloc(N * N * sizeof *a), b[N], x[N];
    for (int i = 0; i < N; i++) {
        b[i] = 0;
        for (int j = 0; j < N; j++) b[i] += a[i * N + j] = whole / (i + j + 1);
    }
    eliminate(a, b);
    substitute(a, b, x);
    printf("%.17g\n", x[4]);
    printf("%.17g\n", x[6]);
    printf("%.17g\n", x[8]);
    free(a);
}
"#;
/// The least number that all of 1 to 23 divide.
const WHOLE: &str = "5354228880";

/// Where and how errors were seen in output: line, value and ideal.
fn outputs(report: &Value) -> Vec<(u64, f64, f64)> {
    let sighting =
        |at: &Value, worst: &Value| Some((at["line"].as_u64()?, worst["value"].as_f64()?, worst["shadow"].as_f64()?));
    let mut seen = Vec::new();
    for finding in report["findings"].as_array().expect("findings") {
        let place =
            if finding["observed_location"].is_null() { &finding["location"] } else { &finding["observed_location"] };
        let symptoms = finding["symptoms"].as_array().into_iter().flatten().filter(|s| s["observed_at"] == "output");
        seen.extend(symptoms.filter_map(|s| sighting(&s["location"], &s["worst"])));
        seen.extend(sighting(place, &finding["worst"]).filter(|_| finding["observed_at"] == "output"));
    }
    seen.sort_by_key(|(line, ..)| *line);
    seen
}

#[test]
fn every_wrong_output_is_reported_with_its_ideal() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", HILBERT);
        let printed = built.command(&built.path("a"), &[WHOLE]).output().expect("it runs");
        let printed: Vec<f64> = String::from_utf8_lossy(&printed.stdout).lines().map(|x| x.parse().unwrap()).collect();
        assert!(printed.len() == 3 && printed.iter().all(|x| (x - 1.0).abs() > 1e-3), "{printed:?}");
        for flags in [&[][..], &["--confirm=0"], &["--oracle=mpfr:256"]] {
            let (stderr, report) = built.run(flags, &[WHOLE]);
            let outputs = outputs(&report);
            assert_eq!(outputs.len(), printed.len(), "{level} {flags:?}: {stderr}");
            for ((_, value, _), printed) in outputs.iter().zip(&printed) {
                assert!((value - printed).abs() < 1e-14, "{level} {flags:?}: {stderr}");
            }
            // One double beside each value has lost digits of the ideal too.
            let near = if flags == ["--confirm=0"] { 1e-3 } else { 1e-12 };
            assert!(outputs.iter().all(|(.., ideal)| (ideal - 1.0).abs() < near), "{level} {flags:?}: {outputs:?}");
        }
    }
}

/// `difference` is 0 and ideally 0, though what it is made of was found bad.
const RELATIVES: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double gap(double s, double b) { return s - b; }
int main(int count, char **words) {
    double x = atof(words[1]), b = sqrt(x), s = sqrt(x + 1);
    double g = gap(s, b);
    double difference = (s * 1.0 - b) - g;
    printf("%g\n", difference);
    puts(difference == 0 ? "equal" : "different");
    printf("%g\n", g);
}
"#;

#[test]
fn what_cancels_an_error_is_not_held_against_a_restarted_value() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", RELATIVES);
        for flags in [&[][..], &["--oracle=auto"]] {
            let (stderr, report) = built.run(flags, &["1e15"]);
            let findings = report["findings"].as_array().expect("findings");
            assert_eq!(findings.len(), 1, "{level} {flags:?}: {stderr}");
            assert_eq!(findings[0]["location"]["line"], 5, "{level} {flags:?}: {stderr}");
            assert_eq!(outputs(&report).iter().map(|(line, ..)| *line).collect::<Vec<_>>(), [12], "{level}: {stderr}");
        }
    }
}

/// Bad values lie in memory while more operations run than the machine remembers: what is computed of them is a symptom.
const LONG_AFTER: &str = r#"
#include <stdio.h>
enum { N = 8, STEPS = 200000 };
volatile double big = 1e15, third = 1.0 / 3, factor = 0.7;
static double low[N], scaled[N], all;
__attribute__((noinline)) static void make(void) {
    for (int i = 0; i < N; i++) low[i] = (big + (i + third)) - big;
}
__attribute__((noinline)) static double pass_time(double x) {
    for (int i = 0; i < STEPS; i++) x = x * 0.999 + third;
    return x;
}
__attribute__((noinline)) static void scale(double by) {
    for (int i = 0; i < N; i++) scaled[i] = low[i] * by;
}
__attribute__((noinline)) static void sum(void) {
    for (int i = 0; i < N; i++) all += scaled[i] / 3;
}
int main(void) {
    make();
    double time = pass_time(factor);
    scale(factor);
    time = pass_time(time);
    sum();
    printf("%.3f %d\n", all, time > 0);
}
"#;

#[test]
fn errors_that_lay_in_memory_for_long_go_back_to_their_root() {
    for level in ["-O0", "-O2", "-O3"] {
        let built = Built::new("cc", &[level], "a.c", LONG_AFTER);
        for oracle in ["double-double", "mpfr:256"] {
            let (stderr, report) = built.run(&[&format!("--oracle={oracle}")], &[]);
            let lines: Vec<&Value> =
                report["findings"].as_array().expect("findings").iter().map(|f| &f["location"]["line"]).collect();
            assert_eq!(lines, [7], "{level} {oracle}: {stderr}");
        }
    }
}

/// What rounding left, and nothing else, is no finding where it is stored; what is computed of it later is. And errors of
/// factors that are just below the limit add up to one that is past it.
const RAISED_BEFORE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
enum { N = 8, STEPS = 200000 };
volatile double third = 1.0 / 3, factor = 0.7, big = 4294967296.0;
static double noise[N], scaled[N], all;
__attribute__((noinline)) static void make(double x) {
    for (int i = 0; i < N; i++) noise[i] = ((x + (i + third)) - x) - (i + third);
}
__attribute__((noinline)) static void scale(double by) {
    for (int i = 0; i < N; i++) scaled[i] = noise[i] * by;
}
__attribute__((noinline)) static double pass_time(double x) {
    for (int i = 0; i < STEPS; i++) x = x * 0.999 + third;
    return x;
}
__attribute__((noinline)) static void sum(void) {
    for (int i = 0; i < N; i++) all += scaled[i] + 1e-18;
}
__attribute__((noinline)) static double lose(double x) { return (x + big) - big; }
__attribute__((noinline)) static double cube(double x) { return x * x * x; }
int main(int count, char **words) {
    if (words[1][0] == 'n') {
        make(10.0);
        scale(factor);
        double time = pass_time(factor);
        sum();
        printf("%g %d\n", all, time > 0);
    } else {
        printf("%.9f\n", cube(lose(third)));
    }
}
"#;

#[test]
fn a_root_is_the_operation_that_raised_the_error() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off"], "a.c", RAISED_BEFORE);
        for oracle in ["double-double", "mpfr:256"] {
            for (what, line) in [("noise", 8), ("factors", 20)] {
                let (stderr, report) = built.run(&[&format!("--oracle={oracle}")], &[what]);
                let findings = report["findings"].as_array().expect("findings");
                let roots: Vec<_> = findings.iter().map(|f| (&f["location"]["line"], &f["operation"])).collect();
                assert_eq!(roots, [(&line.into(), &"subtraction".into())], "{level} {oracle} {what}: {stderr}");
            }
        }
    }
}
