//! Deep recursion on an ordinary stack: unoptimized frames stay near those of plain code.

use nonius_tests::program::Built;

const SOURCE: &str = r#"#include <stdio.h>
#include <stdlib.h>
double f(int n, double x) {
    if (n == 0) return x;
    double y = x * 0.5 + 1.0;
    double z = f(n - 1, y);
    return z + y;
}
int main(int argc, char **argv) {
    printf("%.17g\n", f(atoi(argv[argc - 1]), 3.0));
    return 0;
}
"#;

/// What the program computes, without recursion.
fn f(n: u32, mut x: f64) -> f64 {
    let mut steps = Vec::new();
    for _ in 0..n {
        x = x * 0.5 + 1.0;
        steps.push(x);
    }
    steps.iter().rev().fold(x, |sum, y| sum + y)
}

/// With 8 MB plain code reaches 130,000 frames of 64 bytes at this level.
#[test]
fn unoptimized_frames_take_little_more_than_plain_ones() {
    let built = Built::new("cc", &["-O0"], "a.c", SOURCE);
    for (options, depth) in [("color=never", 100_000), ("record=/dev/null", 70_000), ("oracle=double-double", 70_000)] {
        let line = format!("ulimit -s 8192; exec ./a {depth}");
        let mut command = built.command("/bin/bash".as_ref(), &["-c", &line]);
        let left = command.env("NONIUS_OPTIONS", options).output().expect("a shell");
        let result = String::from_utf8_lossy(&left.stdout).trim().parse().ok();
        assert_eq!((left.status.code(), result), (Some(0), Some(f(depth, 3.0))), "{options}: {left:?}");
    }
}
