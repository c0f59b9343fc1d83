//! Requests of `nonius.h` about a value: both engines answer.

use nonius_tests::program::Built;

const SOURCE: &str = r#"
#include <math.h>
#include <nonius.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static double x;
static void *other(void *unused) {
    double exact = x * 2;
    for (int i = 0; i < 1000; i++)
        if (nonius_ulps(exact) != 0) puts("another thread's answer");
    return unused;
}
int main(int count, char **words) {
    x = atof(words[1]);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    double bad = sqrt(x + 1) - sqrt(x), good = 1 / (sqrt(x + 1) + sqrt(x));
    float narrow = (float)bad;
    nonius_print(bad);
    nonius_print(good);
    printf("%.3g %.3g %.3g\n", nonius_ulps(bad), nonius_ulps(good), nonius_ulps(narrow));
    pthread_join(thread, NULL);
    return 0;
}
"#;

/// What the program prints, and what Nonius says of each value.
fn answers(built: &Built, oracle: &str) -> (Vec<f64>, String) {
    let options = format!("quiet=1:oracle={oracle}");
    let left = built.command(&built.path("a"), &["1e12"]).env("NONIUS_OPTIONS", options).output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&left.stdout), String::from_utf8_lossy(&left.stderr).into_owned());
    let ulps = stdout.split_whitespace().map(|word| word.parse().unwrap_or_else(|_| panic!("{stdout}{stderr}")));
    (ulps.collect(), stderr)
}

/// `sqrt(x + 1) - sqrt(x)` at 1e12, by arbitrary precision.
const IDEAL: f64 = 4.99999999999875e-7;

/// The ideal in a line of `nonius_print`, to the digits that the oracle knows.
fn ideal(line: &str) -> f64 {
    let text = line.split("ideal ").nth(1).and_then(|rest| rest.split([' ', ':']).next());
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn both_engines_answer() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-pthread", "-lm"], "a.c", SOURCE);
        for oracle in ["", "residue", "double-double", "mpfr:256"] {
            let (ulps, said) = answers(&built, oracle);
            let [bad, good, narrow] = ulps[..] else { panic!("{level} {oracle}: {ulps:?} {said}") };
            assert!((3.5e10..3.7e10).contains(&bad), "{level} {oracle}: {bad}");
            assert!(good < 4.0, "{level} {oracle}: {good}");
            assert!((60.0..80.0).contains(&narrow), "{level} {oracle}: {narrow}");
            let lines: Vec<&str> = said.lines().filter(|line| line.contains("digits left")).collect();
            assert_eq!(lines.len(), 2, "{level} {oracle}: {said}");
            assert!(lines[0].contains("bad = 5.00003807246685e-7 (0x1.0c7p-21), ideal "), "{level} {oracle}: {said}");
            assert!((ideal(lines[0]) / IDEAL - 1.0).abs() < 1e-11, "{level} {oracle}: {said}");
            assert!(lines[1].contains("good = 4.9999999999987"), "{level} {oracle}: {said}");
        }
    }
}

/// A value that was found where it was returned, and is asked for afterwards; and a right one.
const AFTER: &str = r#"
#include <math.h>
#include <nonius.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double roots(double x) { return sqrt(x + 1) - sqrt(x); }
__attribute__((noinline)) static double stable(double x) { return 1 / (sqrt(x + 1) + sqrt(x)); }
int main(int count, char **words) {
    double x = atof(words[1]), bad = roots(x), good = stable(x);
    nonius_print(bad);
    nonius_print(good);
    nonius_check(bad);
    nonius_check(good);
    printf("%.3g %.3g\n", nonius_ulps(bad), nonius_ulps(good));
    return 0;
}
"#;

#[test]
fn after_a_finding_requests_give_the_error_that_was_found() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", AFTER);
        for (oracle, resume) in ["", "double-double", "mpfr:256"].map(|o| [(o, "0"), (o, "1")]).concat() {
            let case = format!("{level} '{oracle}' resume={resume}");
            let options = format!("report=report.json:color=never:oracle={oracle}:resume={resume}");
            let mut command = built.command(&built.path("a"), &["1e12"]);
            let left = command.env("NONIUS_OPTIONS", options).output().expect("it starts");
            let (stdout, said) = (String::from_utf8_lossy(&left.stdout), String::from_utf8_lossy(&left.stderr));
            let ulps: Vec<f64> = stdout.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            assert!((3.5e10..3.7e10).contains(&ulps[0]) && ulps[1] < 4.0, "{case}: {ulps:?} {said}");
            let lines: Vec<&str> = said.lines().filter(|line| line.contains("digits left")).collect();
            let [bad, good] = lines[..] else { panic!("{case}: {said}") };
            assert!((ideal(bad) / IDEAL - 1.0).abs() < 1e-11, "{case}: {bad}");
            assert!(bad.contains("relative error 7.61e-6"), "{case}: {bad}");
            assert!(!good.contains("reported above"), "{case}: {good}");
            let report: serde_json::Value = serde_json::from_str(&built.read("report.json")).expect("JSON");
            let findings = report["findings"].as_array().expect("findings");
            let returned = findings.iter().find(|f| f["observed_at"] == "return").expect("the finding at the return");
            let told = format!("reported above as {}, error restarted", returned["id"].as_str().expect("an id"));
            assert_eq!(bad.contains(&told), resume == "1", "{case}: {bad}");
            let seen: u64 = findings.iter().filter_map(|f| f["count"].as_u64()).sum();
            assert!(seen >= 2, "the check sees it again, {case}: {said}");
        }
    }
}

/// Values computed from one that was found and restarted: in proportion to it, beside something larger, and by a quotient
/// of it. The last has nothing of it.
const BEHIND: &str = r#"
#include <math.h>
#include <nonius.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double roots(double x) { return sqrt(x + 1) - sqrt(x); }
int main(int count, char **words) {
    double x = atof(words[1]), bad = roots(x), scaled = bad * 3, beside = bad + 1, under = 2 / bad, good = x / 7;
    nonius_print(scaled);
    nonius_print(beside);
    nonius_print(under);
    nonius_print(good);
    nonius_check(scaled);
    printf("%.3g %.3g %.3g %.3g\n", nonius_ulps(scaled), nonius_ulps(beside), nonius_ulps(under), nonius_ulps(good));
    return 0;
}
"#;

#[test]
fn what_is_computed_from_a_restarted_value_has_the_error_that_was_found() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", BEHIND);
        for (oracle, resume) in ["", "double-double", "mpfr:256"].map(|o| [(o, "0"), (o, "1")]).concat() {
            let case = format!("{level} '{oracle}' resume={resume}");
            let options = format!("report=report.json:color=never:oracle={oracle}:resume={resume}");
            let mut command = built.command(&built.path("a"), &["1e12"]);
            let left = command.env("NONIUS_OPTIONS", options).output().expect("it starts");
            let (stdout, said) = (String::from_utf8_lossy(&left.stdout), String::from_utf8_lossy(&left.stderr));
            let ulps: Vec<f64> = stdout.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let [scaled, beside, under, good] = ulps[..] else { panic!("{case}: {stdout} {said}") };
            // A relative error of 7.61e-6, and an absolute one of 3.8e-12 beside 1.
            for proportional in [scaled, under] {
                assert!((3.4e10..6.9e10).contains(&proportional), "{case}: {ulps:?} {said}");
            }
            assert!((1.6e4..1.8e4).contains(&beside) && good < 1.0, "{case}: {ulps:?} {said}");
            let lines: Vec<&str> = said.lines().filter(|line| line.contains("digits left")).collect();
            let [scaled, beside, under, good] = lines[..] else { panic!("{case}: {said}") };
            let report: serde_json::Value = serde_json::from_str(&built.read("report.json")).expect("JSON");
            let findings = report["findings"].as_array().expect("findings");
            let returned = findings.iter().find(|f| f["observed_at"] == "return").expect("the finding at the return");
            let told = format!("reported above as {}, error restarted", returned["id"].as_str().expect("an id"));
            for line in [scaled, beside, under] {
                assert_eq!(line.contains(&told), resume == "1", "{case}: {line}");
            }
            assert!(!good.contains("reported above"), "{case}: {good}");
        }
    }
}
