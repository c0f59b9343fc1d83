//! Results of operations that have none for their ideal operands: the root of what is ideally negative, an angle of what is
//! ideally above 1, a quotient by what is ideally 0. No ideal is made up for them, and none is taken for right.

use nonius_tests::program::Built;
use serde_json::Value;

/// Capital letters: within the domain, as the program is.
const PROGRAM: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
/* 1, and ideally a little more. */
__attribute__((noinline)) static double above(double x) { return (1 + x) * (1 + x); }
__attribute__((noinline)) static float above_float(float x) { return (1 + x) * (1 + x); }
/* A little, and ideally less than nothing. */
__attribute__((noinline)) static double noise(double x) { return (1 + x) - ((0.5 + 1.125 * x) + 0.5); }
int main(int count, char **words) {
    double x = atof(words[2]);
    switch (words[1][0]) {
    case 'a': printf("%g\n", acos(above(x))); break;
    case 'A': printf("%g\n", acos(1 / above(x))); break;
    case 's': printf("%g\n", sqrt(1 - above(x))); break;
    case 'S': printf("%g\n", sqrt(above(x) - 1)); break;
    case 'r': printf("%g\n", sqrt(noise(x))); break;
    case 'R': printf("%g\n", sqrt(-noise(x) * noise(x) * -1)); break;
    case 'l': printf("%g\n", log(noise(x))); break;
    case 'f': printf("%g\n", acosf(above_float((float)x))); break;
    case 'w': printf("%g\n", sqrtf(1 - above_float((float)x))); break;
    case 'g': printf("%g %g %g\n", sqrt(x), acos(x), log(x)); break;
    case 'c': printf("%g\n", acos(above(x) > 1 ? 1 : above(x))); break;
    }
    return 0;
}
"#;

/// Is nothing beside 1.
const TINY: &str = "1e-17";
/// The same for floats, whose ideals are doubles.
const SMALL: &str = "1e-10";
/// `1 + x` is rounded up, the other sum of `noise` down: it is 2^-52, ideally -0.125 x.
const UP: &str = "0x1.3p-53";

fn all(report: &Value, field: &str) -> u64 {
    let observables = report["observables"].as_array();
    observables.into_iter().flatten().filter_map(|o| o[field].as_u64()).sum()
}

fn count(report: &Value) -> usize {
    report["findings"].as_array().map_or(0, Vec::len)
}

#[test]
fn what_has_no_ideal_is_open() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", PROGRAM);
        for (formula, x) in [("a", TINY), ("s", TINY), ("r", UP), ("l", UP), ("f", SMALL), ("w", SMALL)] {
            let (stderr, report) = built.run(&["--oracle=auto:256"], &[formula, x]);
            assert_eq!(all(&report, "undefined"), 1, "{level} {formula}: {stderr}");
            assert!(stderr.contains("outside of its domain"), "{level} {formula}: {stderr}");
        }
        for (formula, x) in [("g", "0.5"), ("c", "0"), ("R", UP)] {
            let (stderr, report) = built.run(&["--oracle=mpfr:256"], &[formula, x]);
            assert_eq!(all(&report, "open"), 0, "{level} {formula}: {stderr}");
        }
    }
}

#[test]
fn the_inline_engine_asks_for_an_oracle_there() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", PROGRAM);
        for (formula, x) in [("a", TINY), ("s", TINY), ("f", SMALL), ("w", SMALL)] {
            let (stderr, report) = built.run(&["--confirm=0"], &[formula, x]);
            let noticed = all(&report, "open") > 0;
            assert!(noticed && count(&report) == 0, "{level} {formula}: {stderr}");
            assert!(stderr.contains("'nonius run' asks an oracle that does"), "{level} {formula}: {stderr}");
            let (stderr, report) = built.run(&[], &[formula, x]);
            assert_eq!((all(&report, "undefined"), count(&report)), (1, 0), "{level} {formula}: {stderr}");
        }
        let (stderr, report) = built.run(&["--confirm=0"], &["l", UP]);
        assert_eq!(report["summary"]["without_ideal"], true, "{level}: {stderr}");
        // The root of what is ideally below 0 is all error: where it is printed, beside the place that made it negative.
        let (stderr, report) = built.run(&["--confirm=0"], &["r", UP]);
        assert_eq!(report["findings"][0]["observed_at"], "output", "{level}: {stderr}");
        let (stderr, report) = built.run(&["--confirm=0"], &["g", "0.5"]);
        assert_eq!((all(&report, "open"), count(&report)), (0, 0), "{level}: {stderr}");
        assert!(report["summary"]["without_ideal"].is_null(), "{level}: {stderr}");
    }
}

#[test]
fn within_the_domain_the_error_is_found() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", PROGRAM);
        for (formula, ideal) in [("A", 6.324555320336759e-9), ("S", 4.4721359549995794e-9)] {
            let (stderr, report) = built.run(&[], &[formula, TINY]);
            let worst = &report["findings"][0]["worst"]["shadow"];
            let is_right = worst.as_f64().is_some_and(|shadow| (shadow / ideal - 1.0).abs() < 1e-9);
            assert!(is_right, "{level} {formula}: {stderr}");
        }
    }
}
