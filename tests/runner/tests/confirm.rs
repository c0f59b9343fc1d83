//! Findings that the second run of `nonius run` must know again, whatever lies between the two engines' views of them.

use nonius_tests::program::Built;

const MERGED_STORE: &str = include_str!("../../fire/memory/merged_store.c");

#[test]
fn a_store_without_a_line_is_seen_in_its_function_by_both_engines() {
    for level in ["-O0", "-O2", "-O3"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", MERGED_STORE);
        let (stderr, report) = built.run(&[], &["1e-8", "7", "3", "0"]);
        let finding = &report["findings"][0];
        assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{level}: {stderr}");
        assert_eq!(finding["causes"][0]["operation"], "call acos", "{level}: {stderr}");
        let seen = finding["observed_location"].as_object().unwrap_or_else(|| panic!("{level}: {stderr}"));
        assert_eq!(seen["function"], "place", "{level}: {stderr}");
        assert_ne!(seen["line"], 0, "{level}: {stderr}");
    }
}

const RANDOM_SUM: &str = include_str!("../../clean/fortran/random_sum.f90");

#[test]
fn what_comes_from_outside_again_and_again_is_followed() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("fortran", &[level], "a.f90", RANDOM_SUM);
        let (stderr, report) = built.run(&["--oracle=mpfr:256"], &[]);
        let observables = report["observables"].as_array().expect("observables");
        assert!(!observables.is_empty(), "{level}: {stderr}");
        for observable in observables {
            assert_eq!(observable["not_followed"], 0, "{level}: {observable:#}");
        }
    }
}

/// Formulas whose verdicts 256 bits do not close, or whose ideal a residue beside the value cannot hold.
const FORMULAS: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double rump(double a, double b) {
    double b2 = b * b, a2 = a * a, b4 = b2 * b2, b6 = b4 * b2;
    return 333.75 * b6 + a2 * (11 * a2 * b2 - b6 - 121 * b4 - 2) + 5.5 * b4 * b4 + a / (2 * b);
}
int main(int count, char **words) {
    double x = atof(words[2]);
    switch (words[1][0]) {
    case 'e': printf("%g\n", exp(x) - 1); break;
    case 'r': printf("%g\n", rump(77617 * x, 33096 * x)); break;
    case 't': printf("%g\n", x / 3 + x / 3 + x / 3 - x); break;
    case 's': printf("%g\n", sin(x) * sin(x) + cos(x) * cos(x) - 1); break;
    case 'b': puts(rump(77617 * x, 33096 * x) + 2 > 0.5 ? "above" : "below"); break;
    }
    return 0;
}
"#;

#[test]
fn an_oracle_that_is_not_sure_is_asked_again_with_more_bits() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", FORMULAS);
        // 1e-90 beside 1: one double holds it as a residue, 256 bits do not.
        let (stderr, report) = built.run(&[], &["e", "1e-90"]);
        let finding = &report["findings"][0];
        assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{level}: {stderr}");
        assert_eq!(finding["confirmation"]["oracle"], "mpfr:512", "{level}: {stderr}");
        assert_eq!(finding["worst"]["shadow"], 1e-90, "{level}: {stderr}");
        // Asked for by name, an oracle leaves open what it does not know.
        let (stderr, report) = built.run(&["--confirm=mpfr:256"], &["e", "1e-90"]);
        assert!(report["findings"].as_array().is_some_and(Vec::is_empty), "{level}: {stderr}");
        let open = report["observables"].as_array().expect("observables").iter().filter(|o| o["open"] == 1).count();
        assert_eq!(open, 1, "{level}: {stderr}");
        assert!(stderr.contains("open: 1 value in 1 place (a.c:12:"), "{level}: {stderr}");
        // Identities are 0, and so is what the program prints.
        for (formula, x) in [("t", "0.3"), ("t", "1e-30"), ("s", "0.5"), ("s", "0.7"), ("s", "2.5")] {
            let (stderr, report) = built.run(&[], &[formula, x]);
            let findings = report["findings"].as_array().expect("findings");
            let is_true = |f: &serde_json::Value| f["worst"]["value"] != 0.0;
            assert!(findings.iter().all(is_true), "{level} {formula} {x}: {stderr}");
        }
    }
}

#[test]
fn the_ideal_of_rumps_polynomial_is_the_oracles_own() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", FORMULAS);
        // Double-double closes the verdict without a digit of the ideal: that is asked for because it is shown.
        for options in [&["--oracle=mpfr:256"][..], &[], &["--oracle=auto"], &["--oracle=residue-override"]] {
            let (stderr, report) = built.run(options, &["r", "1"]);
            let ideals: Vec<f64> = report["findings"]
                .as_array()
                .expect("findings")
                .iter()
                .filter(|f| f["observed_at"] == "output")
                .filter_map(|f| f["worst"]["shadow"].as_f64())
                .collect();
            assert_eq!(ideals, [-0.8273960599468214], "{level} {options:?}: {stderr}");
        }
        // As many digits as are known: all by the oracle, none by one double beside the value.
        let (stderr, _) = built.run(&[], &["r", "1"]);
        assert!(stderr.contains("ideal -0.8273960599468214 (-0x1.a7a074d49f283p-1)"), "{level}: {stderr}");
        let (stderr, report) = built.run(&["--confirm=0"], &["r", "1"]);
        assert!(stderr.contains("ideal not known (at most"), "{level}: {stderr}");
        assert!(stderr.contains("relative error at least"), "{level}: {stderr}");
        let worst = &report["findings"][0]["worst"];
        assert!(worst["radius"].as_f64() > worst["shadow"].as_f64().map(f64::abs), "{level}: {worst:#}");
        // The ideal, not 0, decides comparisons: -0.827 + 2 is above 0.5 as 2 is, the value far below.
        let (stderr, report) = built.run(&["--oracle=mpfr:256"], &["b", "1"]);
        assert_eq!(report["findings"][0]["kind"], "branch-flip", "{level}: {stderr}");
    }
}

/// Of 2^67 + 1, by arbitrary precision.
const SINE: f64 = 0.7251101903515292;

/// Results that lose all they have, or something on the way, beyond what one double beside them can hold; and their stable
/// twins in capital letters.
const LOST: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static double entropy(double n) { return (n + 1) * log(n + 1) - n * log(n) - 1; }
__attribute__((noinline)) static double stable_entropy(double n) { return n * log1p(1 / n) + log(n + 1) - 1; }
int main(int count, char **words) {
    double x = atof(words[2]);
    switch (words[1][0]) {
    case 'r': printf("%g\n", sqrt(x + 1) - sqrt(x)); break;
    case 'R': printf("%g\n", 1 / (sqrt(x + 1) + sqrt(x))); break;
    case 'e': printf("%g\n", entropy(x)); break;
    case 'E': printf("%g\n", stable_entropy(x)); break;
    case 'h': printf("%g\n", sqrt(x * x + x * x)); break;
    case 'H': printf("%g\n", hypot(x, x)); break;
    case 'c': printf("%g\n", 1 - cosf((float)x)); break;
    case 'C': printf("%g\n", 2 * sinf((float)x / 2) * sinf((float)x / 2)); break;
    case 's': printf("%g\n", sin(x) * sin(x) + cos(x) * cos(x) - 1); break;
    case 'd': printf("%g\n", (sqrt(x + 1) - sqrt(x)) / 3); break;
    case 'p': printf("%g\n", powf(1 + 1 / (float)x, (float)x)); break;
    case 'P': printf("%g\n", expf((float)x * log1pf(1 / (float)x))); break;
    case 'a': printf("%g\n", sinf((float)x + 1)); break;
    case 'A': printf("%g\n", sinf((float)x)); break;
    case 'o': printf("%g\n", 1e50 * x / (x * x)); break;
    case 'O': printf("%g\n", 1e50 / x); break;
    }
    return 0;
}
"#;

#[test]
fn what_the_first_run_may_have_lost_is_asked_of_an_oracle() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", LOST);
        let cases = [
            ("r", "1e33", 5e-17 / f64::sqrt(10.0)),
            ("r", "1e150", 5e-76),
            ("d", "1e40", 5e-21 / 3.0),
            ("e", "1e35", 80.59047825479158),
            ("h", "1e-170", 2f64.sqrt() * 1e-170),
            ("c", "1e-9", 5e-19),
            ("p", "1e20", std::f64::consts::E),
            ("a", "0x1p67", SINE),
            ("o", "1e200", 1e-150),
        ];
        for (formula, x, ideal) in cases {
            let (stderr, report) = built.run(&[], &[formula, x]);
            let findings = report["findings"].as_array().expect("findings");
            let shadow = |f: &serde_json::Value| f["worst"]["shadow"].as_f64().unwrap_or(f64::NAN);
            let is_right = |f: &&serde_json::Value| (shadow(f) / ideal - 1.0).abs() < 1e-6;
            let found: Vec<_> = findings.iter().filter(is_right).collect();
            assert!(!found.is_empty(), "{level} {formula} {x}: {stderr}");
            assert_eq!(found[0]["confirmation"]["verdict"], "confirmed", "{level} {formula} {x}: {stderr}");
        }
    }
}

#[test]
fn one_run_is_enough_where_nothing_was_lost() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", LOST);
        let stable = [
            ("R", "1e33"),
            ("R", "2"),
            ("r", "2"),
            ("E", "1e35"),
            ("H", "1e-170"),
            ("C", "1e-9"),
            ("h", "3"),
            ("O", "1e200"),
            ("P", "1e20"),
        ];
        for (formula, x) in stable {
            let (stderr, report) = built.run(&[], &[formula, x]);
            assert_eq!(report["findings"].as_array().map(Vec::len), Some(0), "{level} {formula} {x}: {stderr}");
            assert!(report["settled_by"].is_null(), "{level} {formula} {x}: {stderr}");
            assert!(stderr.contains("clear as far as one double can tell"), "{level} {formula} {x}: {stderr}");
        }
        // An identity takes a second run, and is clear; and so is the sine of a large angle.
        for (formula, x) in [("s", "0.7"), ("A", "0x1p67")] {
            let (stderr, report) = built.run(&[], &[formula, x]);
            assert_eq!(report["findings"].as_array().map(Vec::len), Some(0), "{level}: {stderr}");
            assert!(!report["settled_by"].is_null(), "{level} {formula}: {stderr}");
        }
    }
}

#[test]
fn the_inline_engine_says_what_it_may_have_lost() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", LOST);
        for (formula, x) in [("r", "1e33"), ("r", "1e200"), ("d", "1e40"), ("e", "1e35")] {
            let (stderr, report) = built.run(&["--confirm=0"], &[formula, x]);
            assert_eq!(report["findings"].as_array().map(Vec::len), Some(0), "{level} {formula} {x}: {stderr}");
            let observables = report["observables"].as_array().expect("observables");
            assert!(observables.iter().any(|o| o["open"] == 1), "{level} {formula} {x}: {stderr}");
            assert!(stderr.contains("'nonius run' asks an oracle that does"), "{level} {formula} {x}: {stderr}");
        }
        let (stderr, report) = built.run(&["--confirm=0"], &["h", "1e-170"]);
        assert_eq!(report["summary"]["underflow"], true, "{level}: {stderr}");
        assert!(stderr.contains("an operation underflowed"), "{level}: {stderr}");
    }
}

/// What the second run says, and what that rests on. `flip` is decided by an ideal that one double does not hold beside the
/// value, `other way` goes where the plain run did not, `chaos` loses its bits more than twice over.
const VERDICTS: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static double rump(double a, double b) {
    double b2 = b * b, a2 = a * a, b4 = b2 * b2, b6 = b4 * b2;
    return 333.75 * b6 + a2 * (11 * a2 * b2 - b6 - 121 * b4 - 2) + 5.5 * b4 * b4 + a / (2 * b);
}
__attribute__((noinline)) static double roots(double x) { return sqrt(x + 1) - sqrt(x); }
static double chaos(double x, int n) {
    for (int i = 0; i < n; i++) x = 4 * x * (1 - x);
    return x;
}
int main(int count, char **words) {
    double x = atof(words[2]);
    const char *options = getenv("NONIUS_OPTIONS");
    switch (words[1][0]) {
    case 'f': puts(rump(77617 * x, 33096 * x) < -0.5 ? "below" : "above"); break;
    case 'o':
        printf("%g\n", x / 3);
        if (!options || !strstr(options, "oracle=")) printf("%g\n", roots(x));
        break;
    case 'k':
        if (!fork()) {
            printf("%g\n", roots(x));
            exit(0);
        }
        wait(NULL);
        break;
    case 's':
        if (count > 3) {
            printf("%g\n", roots(x));
        } else {
            char line[4096];
            snprintf(line, sizeof line, "'%s' s %s again", words[0], words[2]);
            return system(line);
        }
        break;
    case 'c': printf("%g\n", chaos(0.3, atoi(words[2]))); break;
    }
    return 0;
}
"#;

#[test]
fn what_the_oracle_does_not_bear_out_is_refuted_and_what_did_not_happen_is_not_reproduced() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", VERDICTS);
        // Both the value and its ideal, -0.827, are below.
        let (stderr, report) = built.run(&[], &["f", "1"]);
        let kinds = |list: &str| -> Vec<String> {
            let all = report[list].as_array().into_iter().flatten();
            all.map(|f| format!("{} {}", f["kind"], f["confirmation"]["verdict"]).replace('"', "")).collect()
        };
        assert!(!kinds("findings").iter().any(|f| f.starts_with("branch-flip")), "{level}: {stderr}");
        assert!(kinds("refuted").iter().all(|f| f == "branch-flip refuted"), "{level}: {stderr}");
        let (stderr, report) = built.run(&[], &["o", "1e15"]);
        let findings = report["findings"].as_array().expect("findings");
        assert!(!findings.is_empty(), "{level}: {stderr}");
        for finding in findings {
            assert_eq!(finding["confirmation"]["verdict"], "not-reproduced", "{level}: {stderr}");
        }
        assert!(stderr.contains("did not come by here"), "{level}: {stderr}");
    }
}

#[test]
fn findings_of_other_processes_are_judged_as_the_programs_own() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", VERDICTS);
        for how in ["k", "s"] {
            let (stderr, report) = built.run(&[], &[how, "1e15"]);
            let findings = report["findings"].as_array().expect("findings");
            assert!(!findings.is_empty(), "{level} {how}: {stderr}");
            for finding in findings {
                assert_eq!(finding["confirmation"]["verdict"], "confirmed", "{level} {how}: {stderr}");
                assert!(!finding["causes"].as_array().expect("causes").is_empty(), "{level} {how}: {stderr}");
            }
        }
    }
}

#[test]
fn an_error_of_another_size_is_corrected_and_not_confirmed() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-ffp-contract=off", "-lm"], "a.c", VERDICTS);
        let mut corrected = 0;
        for steps in 130..142 {
            // Half an ulp of where it begins, 0.3, grows as all errors do.
            let (stderr, report) = built.run(&["--constants=exact"], &["c", &steps.to_string()]);
            let finding = &report["findings"][0];
            let confirmation = &finding["confirmation"];
            match confirmation["verdict"].as_str() {
                Some("confirmed") => assert!(confirmation["first_error"].is_null(), "{level} {steps}: {stderr}"),
                Some("corrected") => {
                    corrected += 1;
                    let [first, now] = [&confirmation["first_error"], &confirmation["relative_error"]]
                        .map(|error| error.as_f64().expect("an error"));
                    assert!(first > 4.0 * now || now > 4.0 * first, "{level} {steps}: {stderr}");
                    // What is shown is the oracle's.
                    assert_eq!(finding["worst"]["relative_error"], now, "{level} {steps}: {stderr}");
                    assert!(stderr.contains("corrected by mpfr:"), "{level} {steps}: {stderr}");
                }
                other => panic!("{level} {steps}: {other:?} {stderr}"),
            }
        }
        assert!(corrected > 0, "{level}");
    }
}

/// An interpreter's loop jumps to addresses of labels, and so has no copy that records. What it loses is seen in a store of
/// its own, or where the caller prints it; `lose` loses it before the loop hands it through.
const UNRECORDED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static double kept, big = 1e15;
__attribute__((noinline)) static double lose(double x) { return (x + big) - big; }
__attribute__((noinline)) static void interpret(const char *code, double x) {
    static void *const to[] = {&&add, &&take, &&end};
    goto *to[*code - '0'];
add:
    x = x + big;
    goto *to[*++code - '0'];
take:
    x = x - big;
    goto *to[*++code - '0'];
end:
    kept = x;
}
int main(int count, char **words) {
    double x = atof(words[2]);
    if (count > 3) x = lose(x);
    interpret(words[1], x);
    if (words[1][1]) printf("%.3f\n", kept * 3);
}
"#;

#[test]
fn what_the_second_run_does_not_see_is_not_followed_and_no_output_is_lost() {
    for level in ["-O0", "-O2"] {
        let built = Built::new("cc", &[level, "-lm"], "a.c", UNRECORDED);
        let run = |words: &[&str]| {
            let (stderr, report) = built.run(&[], words);
            let findings = report["findings"].as_array().expect("findings").clone();
            assert!(report["refuted"].as_array().is_none_or(Vec::is_empty), "{level} {words:?}: {stderr}");
            (stderr, findings)
        };
        let is_in_output = |finding: &serde_json::Value| {
            let symptoms = finding["symptoms"].as_array().into_iter().flatten();
            finding["observed_at"] == "output" || symptoms.into_iter().any(|s| s["observed_at"] == "output")
        };
        let (stderr, findings) = run(&["012", "0.3"]);
        let [finding] = &findings[..] else { panic!("{level}: {stderr}") };
        assert_eq!(finding["confirmation"]["verdict"], "not-followed", "{level}: {stderr}");
        assert!(is_in_output(finding) && stderr.contains("not followed by mpfr:256"), "{level}: {stderr}");
        // The root is the oracle's; that its error is printed, it did not see, and the output is not lost for that.
        let (stderr, findings) = run(&["2 ", "0.3", "lose"]);
        let is_root = |f: &&serde_json::Value| f["location"]["line"] == 5;
        let root = findings.iter().find(is_root).unwrap_or_else(|| panic!("{level}: {stderr}"));
        assert_eq!(root["confirmation"]["verdict"], "confirmed", "{level}: {stderr}");
        assert!(findings.iter().any(is_in_output), "{level}: {stderr}");
        // Asked for by name, an oracle does not say that it found what it did not look at.
        let (stderr, report) = built.run(&["--oracle=mpfr:256"], &["012", "0.3"]);
        assert_eq!(report["findings"][0]["confirmation"]["verdict"], "not-followed", "{level}: {stderr}");
    }
}
