//! Progress of long runs. The line that a terminal shows comes from the same words; here it is asked for as plain lines.

use nonius_tests::program::Built;

/// Runs for as many seconds as its argument says.
const SOURCE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int count, char **words) {
    volatile double tenth = 0.1;
    double sum = 0;
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        for (int i = 0; i < 10000; i++) sum += tenth;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (count > 1 && now.tv_sec - begin.tv_sec < atoi(words[1]));
    return sum < 0;
}
"#;

fn lines(stderr: &str) -> Vec<&str> {
    stderr.lines().filter(|line| line.contains(" operations, ") && line.contains("/s, ")).collect()
}

#[test]
fn a_long_run_tells_how_far_it_is_if_asked() {
    let built = Built::new("cc", &["-O2"], "a.c", SOURCE);
    let (stderr, report) = built.run(&["--oracle=mpfr:64", "--progress=1"], &["4"]);
    assert_eq!(lines(&stderr).len(), 1, "{stderr}");
    assert!(stderr.starts_with("nonius: ") && report["summary"]["operations"].as_u64() > Some(10_000), "{stderr}");
    // Nothing is said of a short one, nor where stderr is no terminal.
    for (flag, seconds) in [("--progress=1", "0"), ("--progress=auto", "3")] {
        let (stderr, _) = built.run(&["--oracle=mpfr:64", flag], &[seconds]);
        assert!(lines(&stderr).is_empty(), "{flag}: {stderr}");
    }
    let left = built.nonius(&["run", "--progress=maybe", "./a"]);
    assert_eq!(left.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&left.stderr).contains("expected auto, 1 or 0"));
}
