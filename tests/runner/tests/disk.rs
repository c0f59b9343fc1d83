//! A disk that is full while events are recorded: the program goes on, and the report says that the record is not complete.

use nonius_tests::program::{Built, nonius};
use serde_json::Value;
use std::process::Output;

const SOURCE: &str = r#"#include <math.h>
#include <stdio.h>
int main(void) {
    volatile double x = 1e15, y = 0;
    for (int i = 0; i < 200000; i++) y = y * 0.9 + sqrt(x + i * 1.37);
    printf("%.17g %.17g\n", y, sqrt(x + 1) - sqrt(x));
    return 3;
}
"#;

/// Runs the program in a shell that did `first`, recording to `file`.
fn recorded(built: &Built, first: &str, file: &str) -> (Output, Value) {
    let shell = "/bin/bash";
    let options = format!("record={file}:report=report.json:color=never");
    let mut command = built.command(shell.as_ref(), &["-c", &format!("{first}; exec ./a")]);
    let left = command.env("NONIUS_OPTIONS", options).output().expect("a shell");
    let report = serde_json::from_str(&built.read("report.json")).expect("JSON");
    (left, report)
}

#[test]
fn a_full_disk_does_not_stop_the_program() {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", SOURCE);
    let native = built.command(&built.path("a"), &[]).output().expect("the program runs");
    assert_eq!(native.status.code(), Some(3));
    // No room at all, and room for the beginning.
    for (first, file) in [(":", "/dev/full"), ("ulimit -f 64", "a.events")] {
        let (left, report) = recorded(&built, first, file);
        let stderr = String::from_utf8_lossy(&left.stderr);
        assert_eq!((left.status.code(), &left.stdout), (Some(3), &native.stdout), "{file}: {stderr}");
        assert!(stderr.contains("warning: the recorded events are not complete: "), "{file}: {stderr}");
        assert!(report["notes"].to_string().contains("the recorded events are not complete"), "{file}: {report:#}");
    }
    let events = std::fs::metadata(built.path("a.events")).expect("a file").len();
    assert!((1 << 10..=64 << 10).contains(&events), "{events} bytes");
    let left = built.command(&nonius(), &["replay", "a.events"]).output().expect("nonius starts");
    let stderr = String::from_utf8_lossy(&left.stderr);
    assert!(left.status.code() != Some(2) && stderr.contains("the recording is not complete"), "{stderr}");
    // The twin: with room enough nothing is said.
    let (left, report) = recorded(&built, ":", "whole.events");
    assert!(!String::from_utf8_lossy(&left.stderr).contains("complete"));
    assert!(!report["notes"].to_string().contains("complete"), "{report:#}");
}

#[test]
fn a_file_that_cannot_be_made_is_refused_before_the_program_begins() {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", SOURCE);
    let mut command = built.command(&built.path("a"), &[]);
    let left = command.env("NONIUS_OPTIONS", "record=/no/such/folder/a.events").output().expect("the program runs");
    assert_eq!((left.status.code(), left.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&left.stderr).contains("'record=/no/such/folder/a.events'"));
}
