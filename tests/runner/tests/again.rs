//! Oracles that execute a run again, `auto` and `residue-override`: on the events of the one run that there was, in bounded
//! time and on a bounded disk.

use nonius_tests::program::Built;
use serde_json::Value;
use std::process::Output;

/// What a double beside the value cannot hold, its stable twin, and a right zero. `f` does the same in a forked child, `t`
/// takes its input from the clock, `l` runs long.
const SOURCE: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) static void both(double x) {
    printf("%.17g\n", sqrt(x + 1) - sqrt(x));
    printf("%.17g\n", 1 / (sqrt(x + 1) + sqrt(x)));
}
int main(int count, char **words) {
    double x = atof(words[2]), sum = 0;
    struct timespec now;
    switch (words[1][0]) {
    case 'f':
        both(x);
        fflush(stdout);
        if (!fork()) {
            both(x / 4);
            exit(0);
        }
        wait(NULL);
        break;
    case 't':
        clock_gettime(CLOCK_REALTIME, &now);
        x *= 1 + now.tv_nsec;
        printf("%.17g\n", x);
        both(x);
        break;
    case 'l':
        for (int i = 0; i < 3000000; i++) sum += sin(i * 0.37) * (rand() % 1000);
        printf("%.17g\n", sum);
        both(x);
        break;
    case 'z': printf("%.17g\n", sin(x) * sin(x) + cos(x) * cos(x) - 1); break;
    default: both(x);
    }
    return 3;
}
"#;

fn built(level: &str) -> Built {
    Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", SOURCE)
}

/// The program by itself, under these options: what it left and its report.
fn alone(built: &Built, options: &str, words: &[&str]) -> (Output, Value) {
    let options = format!("{options}:report=report.json:color=never");
    let left = built.command(&built.path("a"), words).env("NONIUS_OPTIONS", options).output().expect("it starts");
    let report = serde_json::from_str(&built.read("report.json")).expect("JSON");
    (left, report)
}

fn stderr(left: &Output) -> String {
    String::from_utf8_lossy(&left.stderr).into_owned()
}

/// The ideals of what was found, by line.
fn ideals(report: &Value) -> Vec<(u64, f64)> {
    let findings = report["findings"].as_array().expect("findings");
    let mut ideals: Vec<(u64, f64)> = findings
        .iter()
        .map(|f| (f["location"]["line"].as_u64().expect("a line"), f["worst"]["shadow"].as_f64().expect("an ideal")))
        .collect();
    ideals.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    ideals
}

fn is_near(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-12
}

#[test]
fn one_run_settles_what_its_first_execution_leaves_open() {
    for level in ["-O0", "-O2"] {
        let built = built(level);
        for (oracle, by, words) in [
            ("auto", "mpfr:512", "double-double left 1 verdict open, mpfr:512 had the last word"),
            ("auto:256", "mpfr:512", "mpfr:256 left 1 verdict open"),
            ("residue-override", "residue-override", "3 executions settled 1 residue"),
        ] {
            let (left, report) = alone(&built, &format!("oracle={oracle}"), &["b", "1e99"]);
            assert_eq!(left.status.code(), Some(3));
            assert_eq!((&report["oracle"], stderr(&left).contains(words)), (&by.into(), true), "{}", stderr(&left));
            let found = ideals(&report);
            assert!(found.len() == 1 && found[0].0 == 9 && is_near(found[0].1, 1.5811388300841897e-50), "{found:?}");
        }
        // What is right takes one execution, or as many as it takes to know.
        let (left, report) = alone(&built, "oracle=auto", &["b", "2"]);
        assert_eq!((&report["oracle"], ideals(&report).len()), (&"double-double".into(), 0), "{}", stderr(&left));
        let (left, report) = alone(&built, "oracle=auto", &["z", "0.5"]);
        let is_open = report["observables"].as_array().expect("observables").iter().any(|o| !o["open"].is_null());
        assert!(ideals(&report).is_empty() && !is_open, "{}", stderr(&left));
    }
}

#[test]
fn a_forked_child_settles_its_own() {
    let built = built("-O2");
    for flags in [&["--oracle=auto"][..], &[]] {
        let (stderr, report) = built.run(flags, &["f", "1e99"]);
        // One finding, seen in both processes.
        assert_eq!(report["findings"][0]["count"], 2, "{stderr}");
        let is_open = report["observables"].as_array().expect("observables").iter().any(|o| !o["open"].is_null());
        assert!(ideals(&report).len() == 1 && !is_open, "{stderr}");
    }
}

#[test]
fn what_is_executed_again_is_the_same_run() {
    let built = built("-O2");
    for _ in 0..3 {
        let (left, report) = alone(&built, "oracle=auto", &["t", "1e99"]);
        let stdout = String::from_utf8_lossy(&left.stdout);
        let x: f64 = stdout.lines().next().and_then(|line| line.parse().ok()).expect("a number");
        let found = ideals(&report);
        assert!(found.len() == 1 && is_near(found[0].1, 0.5 / x.sqrt()), "{x} {found:?}");
    }
}

#[test]
fn disk_and_time_are_bounded_and_what_is_missing_is_said() {
    let built = built("-O2");
    let native = built.command(&built.path("a"), &["l", "1e99"]).output().expect("it starts");
    let room = "record_mib=1:oracle=auto";
    let record = "record_mib=1:record=a.events";
    for (options, words) in [
        (room, "the run's events were not kept: 1 MiB are the most that it may take (record_mib="),
        (record, "the recorded events are not complete: 1 MiB are the most"),
        ("confirm_time=0.00001:oracle=auto", "there was no time for a finer oracle (confirm_time="),
    ] {
        let (left, report) = alone(&built, options, &["l", "1e99"]);
        assert_eq!((left.status.code(), &left.stdout), (native.status.code(), &native.stdout), "{options}");
        assert!(report["notes"].to_string().contains(words), "{options}: {:#}", report["notes"]);
        if options != record {
            assert!(stderr(&left).contains("open: 1 value in 1 place"), "{options}: {}", stderr(&left));
        }
    }
    let bytes = std::fs::metadata(built.path("a.events")).expect("a file").len();
    assert!((1 << 19..=1 << 20).contains(&bytes), "{bytes}");
    // What there is of it can be replayed, under every oracle.
    for oracle in ["auto", "residue-override", "mpfr"] {
        let left = built.nonius(&["replay", "a.events", "--oracle", oracle]);
        let said = stderr(&left);
        assert!(left.status.code() != Some(2) && said.contains("the recording is not complete"), "{oracle}: {said}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let built = built("-O2");
    let temporary = tempfile::tempdir().expect("a folder");
    let mut command = built.command(&built.path("a"), &["f", "1e99"]);
    command.env("TMPDIR", temporary.path()).env("NONIUS_OPTIONS", "oracle=auto:color=never");
    let left = command.output().expect("it starts");
    assert!(stderr(&left).contains("mpfr:512 had the last word"), "{}", stderr(&left));
    assert_eq!(std::fs::read_dir(temporary.path()).expect("a folder").count(), 0);
    // No room for it: the program runs, and the report says so.
    let mut command = built.command(&built.path("a"), &["b", "1e99"]);
    command.env("TMPDIR", temporary.path().join("none")).env("NONIUS_OPTIONS", "oracle=auto:color=never:verbose=1");
    let left = command.output().expect("it starts");
    assert_eq!(left.status.code(), Some(3));
    assert!(stderr(&left).contains("the run's events cannot be kept"), "{}", stderr(&left));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let built = built("-O2");
    for (options, words) in [
        ("oracle=auto:1", "the precision is a number of bits from 2 to 65536"),
        ("oracle=quad", "'quad' is not an oracle; there are: auto (auto[:BITS]"),
        ("oracle=repo:reexecutions=0", "a number of executions, 1 or more"),
        ("record_mib=0", "mebibytes, from 1 to 1048576"),
    ] {
        let mut command = built.command(&built.path("a"), &["b", "1e99"]);
        let left = command.env("NONIUS_OPTIONS", options).output().expect("it starts");
        assert_eq!((left.status.code(), left.stdout.len()), (Some(2), 0), "{options}");
        assert!(stderr(&left).contains(words), "{options}: {}", stderr(&left));
    }
    // The same of a second run, which is not begun.
    for (word, words) in [("--confirm=quad", "'quad' is not an oracle"), ("--oracle=mpfr:1", "from 2 to 65536")] {
        let left = built.nonius(&["run", word, "./a", "b", "1e99"]);
        assert_eq!((left.status.code(), left.stdout.len()), (Some(2), 0), "{word}: {}", stderr(&left));
        assert!(stderr(&left).contains(words), "{word}: {}", stderr(&left));
    }
}

#[test]
fn what_there_is_of_a_cut_recording_is_executed_again() {
    let built = built("-O2");
    alone(&built, "record=a.events", &["b", "1e99"]);
    let bytes = std::fs::read(built.path("a.events")).expect("a recording");
    // In the last events, and in the middle of the code table: then there is nothing to execute.
    for (cut, is_there) in [(bytes.len() - 1, true), (40, false)] {
        std::fs::write(built.path("cut.events"), &bytes[..cut]).expect("a file");
        for oracle in ["auto", "residue-override", "double-double"] {
            let left = built.nonius(&["replay", "cut.events", "--oracle", oracle]);
            let said = stderr(&left);
            assert!(!said.contains("panicked"), "{oracle} {cut}: {said}");
            assert!(said.contains("the recording is not complete"), "{oracle} {cut}: {said}");
            assert_eq!(said.contains("no instrumented function ran"), !is_there, "{oracle} {cut}: {said}");
        }
    }
}

/// A conjugate gradient that goes on after it has converged: ideally it divides 0 by 0 there. And a chaotic map, which loses
/// a bit a step: 8192 bits do not tell what becomes of it, twice as many do.
const NO_IDEAL: &str = r#"
#include <stdio.h>
static double gradient(const double a[3], int steps) {
    double x = 0, r[3] = {1, 1, 1}, p[3] = {1, 1, 1}, square = 3;
    while (steps--) {
        double curvature = 0, next = 0;
        for (int i = 0; i < 3; i++) curvature += p[i] * a[i] * p[i];
        x += square / curvature * p[0];
        for (int i = 0; i < 3; i++) r[i] -= square / curvature * a[i] * p[i];
        for (int i = 0; i < 3; i++) next += r[i] * r[i];
        for (int i = 0; i < 3; i++) p[i] = r[i] + next / square * p[i];
        square = next;
    }
    return x;
}
int main(int count, char **words) {
    volatile double in[3] = {2.3, 0.7, 5.1}, x = 0.7;
    double a[3] = {in[0], in[1], in[2]};
    if (words[1][0] == 'g') printf("%.3f\n", gradient(a, 6));
    if (words[1][0] == 'e') printf("%.3f\n", gradient(a, 2));
    if (words[1][0] == 'c') {
        for (int i = 0; i < 9000; i++) x = 3.99 * x * (1 - x);
        printf("%.17g\n", x);
    }
}
"#;

#[test]
fn precision_is_raised_only_where_it_may_tell() {
    let built = Built::new("cc", &["-O2", "-ffp-contract=off"], "a.c", NO_IDEAL);
    let at_output = |report: &Value, key: &str| -> u64 {
        let observables = report["observables"].as_array().expect("observables");
        let output = observables.iter().filter(|o| o["observed_at"] == "output");
        output.map(|o| o[key].as_u64().unwrap_or(0)).sum()
    };
    let options = "oracle=auto:constants=exact";
    let (left, converged) = alone(&built, options, &["g"]);
    assert_eq!((at_output(&converged, "open"), at_output(&converged, "undefined")), (1, 1), "{converged}");
    assert_eq!(converged["oracle"], "mpfr:8192", "zero_bits= has the last word on zeros");
    assert!(stderr(&left).contains("no precision gives an ideal"), "{}", stderr(&left));
    let (_, early) = alone(&built, options, &["e"]);
    assert_eq!((at_output(&early, "open"), early["oracle"].as_str()), (0, Some("double-double")));
    let (_, chaotic) = alone(&built, options, &["c"]);
    assert_eq!((at_output(&chaotic, "open"), chaotic["oracle"].as_str()), (0, Some("mpfr:16384")));
    assert_eq!(chaotic["findings"].as_array().expect("findings").len(), 1, "{chaotic}");
}
