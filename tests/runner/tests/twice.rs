//! Programs that write files, under `nonius run`: a second run would write them again.

use nonius_tests::program::Built;
use serde_json::Value;

/// Does what its arguments say, and loses digits.
const C: &str = r#"#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
volatile double x = 1e15;
int main(int count, char **words) {
    double lost = sqrt(x + 1) - sqrt(x);
    for (int i = 1; i + 1 < count; i += 2) {
        const char *act = words[i], *path = words[i + 1];
        if (!strcmp(act, "remove")) { remove(path); continue; }
        if (!strcmp(act, "move")) { rename(path, "moved"); continue; }
        if (!strcmp(act, "command")) { if (system(path)) return 3; continue; }
        if (!strcmp(act, "scratch")) {
            char name[] = "scratchXXXXXX";
            int fd = mkstemp(name);
            if (write(fd, "1", 1) != 1) return 4;
            close(fd);
            unlink(name);
            continue;
        }
        FILE *file = fopen(path, act);
        if (!file) return 2;
        if (act[0] != 'r') fprintf(file, "%d\n", i);
        fclose(file);
    }
    printf("%.17g\n", lost);
}
"#;

fn built() -> Built {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", C);
    std::fs::write(built.path("old.txt"), "1\n").expect("a file in the test's own folder");
    built
}

fn is_confirmed(report: &Value) -> bool {
    let findings = report["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{report:#}");
    findings[0]["confirmation"]["verdict"] == "confirmed"
}

#[test]
fn what_leaves_no_trace_is_not_spoken_of() {
    let built = built();
    for words in
        [&[][..], &["r", "old.txt", "r+", "old.txt"], &["w", "/dev/null", "scratch", "-"], &["w", "t", "remove", "t"]]
    {
        let (stderr, report) = built.run(&[], words);
        assert!(is_confirmed(&report), "{words:?}: {stderr}");
        assert!(!stderr.contains("second run writes") && !stderr.contains("warning: "), "{words:?}: {stderr}");
    }
}

#[test]
fn files_that_are_written_again_are_named() {
    let built = built();
    let (stderr, report) = built.run(&[], &["w", "two words.txt"]);
    assert!(is_confirmed(&report));
    assert!(stderr.contains("warning: the second run writes again: 'two words.txt'; --confirm=0"), "{stderr}");
    let names: Vec<String> = (0..40).map(|n| format!("out{n:02}")).collect();
    let words: Vec<&str> = names.iter().flat_map(|name| ["w", name]).collect();
    let (stderr, report) = built.run(&[], &words);
    assert!(is_confirmed(&report));
    assert!(stderr.contains("writes again: out00, out01, out02 and 37 more"), "{stderr}");
    let (stderr, _) = built.run(&["--confirm=0"], &["w", "out"]);
    assert!(!stderr.contains("second run"), "{stderr}");
    let (stderr, report) = built.run(&["--quiet"], &["w", "out"]);
    assert!(stderr.is_empty() && report["notes"].to_string().contains("writes again: out"), "{stderr} {report:#}");
}

#[test]
fn files_that_would_not_stay_the_same_keep_the_program_from_running_again() {
    for (words, why) in [
        (&["a", "old.txt"][..], "old.txt (added to or changed in place)"),
        (&["a", "new.txt"], "new.txt (written at its end)"),
        (&["r", "old.txt", "w", "old.txt"], "old.txt (read, then rewritten)"),
        (&["remove", "old.txt"], "old.txt (removed)"),
        // The second run would move the new one over the old.
        (&["move", "old.txt", "w", "old.txt"], "old.txt (moved away)"),
    ] {
        let built = built();
        let (stderr, report) = built.run(&[], words);
        assert!(!is_confirmed(&report), "{words:?}: {report:#}");
        assert!(stderr.contains("not confirmed: ") && stderr.contains(why), "{words:?}: {stderr}");
        assert!(stderr.contains("--confirm=1"), "{stderr}");
    }
    let built = built();
    built.run(&[], &["a", "log"]);
    assert_eq!(built.read("log"), "1\n", "the program ran once");
    let (stderr, report) = built.run(&["--confirm=1"], &["a", "log"]);
    assert!(is_confirmed(&report), "{stderr}");
    assert!(stderr.contains("the second run changes files once more: log"), "{stderr}");
    assert_eq!(built.read("log"), "1\n1\n1\n");
}

#[test]
fn programs_that_are_not_watched_are_named() {
    let (stderr, report) = built().run(&[], &["command", "true # quite"]);
    assert!(is_confirmed(&report));
    assert!(stderr.contains("is not seen, and the second run does it again: true # quite; --confirm=0"), "{stderr}");
}

#[test]
fn fortran_and_rust_are_seen_too() {
    let fortran = "program a\n  double precision :: x\n  x = sqrt(1d15)\n  open (10, file='b.log', position='append')\n  \
        write (10, *) x\n  close (10)\n  read (*, *, end=1) x\n1 x = sqrt(x * x + 1) - x\n  print *, x\nend program\n";
    let rust = "use std::io::Write;\nfn main() {\n    let x: f64 = std::hint::black_box(1e15);\n    \
        let mut log = std::fs::OpenOptions::new().append(true).create(true).open(\"b.log\").unwrap();\n    \
        writeln!(log, \"{}\", (x + 1.0).sqrt() - x.sqrt()).unwrap();\n}\n";
    for built in
        [Built::new("fortran", &["-O2"], "a.f90", fortran), Built::new("rustc", &["-Copt-level=2"], "a.rs", rust)]
    {
        let (stderr, report) = built.run(&[], &[]);
        assert!(!is_confirmed(&report), "{report:#}");
        assert!(stderr.contains("not confirmed: ") && stderr.contains("b.log (written at its end)"), "{stderr}");
        assert_eq!(built.read("b.log").lines().count(), 1);
    }
}

/// What is listened to does not change: results, errno, permissions, descriptors.
#[test]
fn a_program_that_is_watched_does_what_it_does() {
    let source = include_str!("../../transparent/io/files.c");
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", source);
    let plain = built.command("clang-22".as_ref(), &["-O2", "-o", "plain", "a.c", "-lm"]).status();
    assert!(plain.expect("clang").success());
    let expected = built.command(&built.path("plain"), &[]).output().expect("the program runs");
    let watched = built.nonius(&["run", "./a"]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&watched.stdout), text(&expected.stdout));
    assert!(text(&expected.stdout).lines().count() > 30 && expected.status.success());
}
