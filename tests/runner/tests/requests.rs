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
            assert!(lines[0].contains("bad = 5.00003807246685e-7 (0x1.0c7p-21), ideal 4.99999999999875"), "{said}");
            assert!(lines[1].contains("good = 4.9999999999987"), "{level} {oracle}: {said}");
        }
    }
}
