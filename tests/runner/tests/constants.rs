//! What hangs on how constants were rounded, from end to end.

use nonius_tests::program::Built;

/// A third goes through a call, out of the inline engine's sight: `q` is -1, and ideally that but for what a third lacks.
const THROUGH_A_CALL: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double scaled(double x, double factor) { return x * factor; }
int main(int count, char **words) {
    double q = scaled(atof(words[1]), 1.0 / 3.0);
    puts(q * q * q + 1.0 == 0.0 ? "zero" : "not zero");
    return 0;
}
"#;

fn by_constants(report: &serde_json::Value) -> u64 {
    let observables = report["observables"].as_array().expect("observables");
    observables.iter().filter_map(|o| o["open_by_constants"].as_u64()).sum()
}

#[test]
fn a_second_run_leaves_to_constants_what_the_first_has_found() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level], "a.c", THROUGH_A_CALL);
        let (stderr, report) = built.run(&[], &["-3"]);
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(0), "{level}: {stderr}");
        let left = &report["refuted"][0];
        assert_eq!(left["kind"], "branch-flip", "{level}: {stderr}");
        assert_eq!(left["confirmation"]["verdict"], "open-by-constants", "{level}: {stderr}");
        assert_eq!(by_constants(&report), 1, "{level}: {stderr}");
        assert!(stderr.contains("constants=exact") && stderr.contains("1 left to constants"), "{level}: {stderr}");
        assert!(!stderr.contains("refuted") && !stderr.contains("had the last word"), "{level}: {stderr}");
    }
}

#[test]
fn constants_that_are_exact_leave_it_found() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level], "a.c", THROUGH_A_CALL);
        let (stderr, report) = built.run(&["--constants=exact"], &["-3"]);
        let finding = &report["findings"][0];
        assert_eq!(finding["kind"], "branch-flip", "{level}: {stderr}");
        assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{level}: {stderr}");
        assert_eq!(by_constants(&report), 0, "{level}: {stderr}");
    }
}

/// The same in one function, where the inline engine sees it by itself.
const IN_SIGHT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
    double q = atof(words[1]) * (1.0 / 3.0);
    puts(q * q * q + 1.0 == 0.0 ? "zero" : "not zero");
    return 0;
}
"#;

#[test]
fn nobody_is_asked_about_constants() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level], "a.c", IN_SIGHT);
        let (stderr, report) = built.run(&[], &["-3"]);
        assert!(stderr.contains("open: 1 value in 1 place (a.c:6"), "{level}: {stderr}");
        assert_eq!((report["findings"].as_array().map(Vec::len), by_constants(&report)), (Some(0), 1), "{level}");
        assert!(report["settled_by"].is_null(), "{level}: {report:#}");
        let (stderr, report) = built.run(&["--oracle=auto"], &["-3"]);
        assert_eq!(by_constants(&report), 1, "{level}: {stderr}");
        assert!(!stderr.contains("had the last word"), "{level}: {stderr}");
        let (stderr, report) = built.run(&["--constants=exact"], &["-3"]);
        assert_eq!(report["findings"][0]["confirmation"]["verdict"], "confirmed", "{level}: {stderr}");
    }
}

#[test]
fn a_word_that_makes_no_sense_is_refused() {
    let built = Built::new("cc", &["-O0"], "a.c", IN_SIGHT);
    let left = built.nonius(&["run", "--constants=some", "./a", "-3"]);
    let stderr = String::from_utf8_lossy(&left.stderr);
    assert!(!left.status.success() && stderr.contains("expected rounded or exact"), "{stderr}");
}
