//! `nonius run` and `nonius check`: exit statuses, what is printed, what is kept.

use crate::home::{Folder, Left, NONIUS, finish};
use crate::report::write_report;

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    printf("%d", argc);
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    printf("\n");
    fflush(stdout);
    if (getenv("FAIL")) exit(atoi(getenv("FAIL")));
    if (getenv("CRASH")) abort();
    return 0;
}
"#;

/// A folder with a built program, and reports with and without findings.
fn prepared() -> Folder {
    let folder = Folder::with(&[("a.c", PROGRAM)]);
    folder.nonius("cc a.c -o a").silent("a.c");
    write_report(&folder, "clean.json", 0);
    write_report(&folder, "found.json", 2);
    folder
}

fn run(folder: &Folder, line: &str, report: &str, variables: &[(&str, &str)]) -> Left {
    let mut command = folder.command(NONIUS);
    command.args(line.split_whitespace()).env("STANDIN_REPORT", folder.path(report));
    finish(command.envs(variables.iter().copied()), "")
}

#[test]
fn the_status_tells_what_was_found() {
    let folder = prepared();
    let clean = run(&folder, "run ./a x -- --y", "clean.json", &[]);
    assert_eq!((clean.code, clean.stdout.as_str()), (Some(0), "4 x -- --y\n"));
    assert!(clean.stderr.contains("nonius: nothing was shadowed: no floating-point operation"), "{}", clean.stderr);
    let found = run(&folder, "run ./a", "found.json", &[]);
    assert_eq!((found.code, found.stdout.as_str()), (Some(1), "1\n"));
    assert!(found.stderr.contains("precision-loss"), "{}", found.stderr);
}

#[test]
fn a_failing_program_keeps_its_status_with_or_without_findings() {
    let folder = prepared();
    for report in ["clean.json", "found.json"] {
        let failed = run(&folder, "run ./a", report, &[("FAIL", "7")]);
        assert_eq!(failed.code, Some(7), "{report}");
        assert!(failed.stderr.starts_with("nonius: ./a exited with status 7\n"), "{}", failed.stderr);
    }
    assert_eq!(run(&folder, "run --exitcode 0 ./a", "found.json", &[("FAIL", "7")]).code, Some(7));
    let crashed = run(&folder, "run ./a", "found.json", &[("CRASH", "1")]);
    assert_eq!(crashed.code, Some(128 + 6));
    assert!(crashed.stderr.contains("was ended by signal 6 (SIGABRT)") && crashed.stderr.contains("wrote no report"));
    let checked = run(&folder, "check a.c", "found.json", &[("FAIL", "7")]);
    assert_eq!(checked.code, Some(7), "{}", checked.stderr);
}

#[test]
fn findings_have_the_status_that_is_asked_for() {
    let folder = prepared();
    for (line, report, code) in [
        ("run --exitcode=9 ./a", "found.json", 9),
        ("run --exitcode 0 ./a", "found.json", 0),
        ("run --exitcode 9 ./a", "clean.json", 0),
        ("check --exitcode 9 a.c", "found.json", 9),
    ] {
        assert_eq!(run(&folder, line, report, &[]).code, Some(code), "{line}");
    }
}

#[test]
fn a_program_without_report_that_fails_keeps_its_status() {
    let folder = Folder::new();
    let left = finish(folder.command(NONIUS).args(["run", "sh", "-c", "exit 8"]), "");
    assert_eq!(left.code, Some(8));
    assert!(
        left.stderr.contains("sh exited with status 8") && left.stderr.contains("wrote no report"),
        "{}",
        left.stderr
    );
    let left = finish(folder.command(NONIUS).args(["run", "sh", "-c", "kill -SEGV $$"]), "");
    assert_eq!(left.code, Some(128 + 11), "{}", left.stderr);
}

#[test]
fn coverage_below_what_is_asked_for_is_a_failure() {
    let folder = prepared();
    // The reports have operations, none of which was shadowed.
    let left = run(&folder, "run --min-coverage 90 ./a", "found.json", &[]);
    assert_eq!(left.code, Some(2), "{}", left.stderr);
    assert!(left.stderr.contains("min_coverage asks for 90%"), "{}", left.stderr);
    assert_eq!(run(&folder, "run --min-coverage 90 ./a", "found.json", &[("FAIL", "7")]).code, Some(7));
    assert_eq!(run(&folder, "run --min-coverage 0 ./a", "found.json", &[]).code, Some(1));
}

#[test]
fn a_program_without_the_runtime_is_told_apart_from_a_clean_one() {
    let folder = prepared();
    let left = run(&folder, "run true", "clean.json", &[]);
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("was true built with 'nonius cc'?"), "{}", left.stderr);
    let missing = run(&folder, "run ./missing", "clean.json", &[]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("cannot run ./missing"), "{}", missing.stderr);
    write_report(&folder, "other.json", 0);
    std::fs::write(folder.path("other.json"), "{\"schema\": \"other/9\"}").unwrap();
    assert_eq!(run(&folder, "run ./a", "other.json", &[]).code, Some(2));
}

#[test]
fn the_report_is_kept_where_asked() {
    let folder = prepared();
    for (line, variables) in [
        ("run --report=kept.json ./a", vec![]),
        ("run --report kept.json ./a", vec![]),
        ("run -- ./a", vec![("NONIUS_OPTIONS", "report=kept.json")]),
        ("run --quiet --report=kept.json -- ./a", vec![]),
    ] {
        let left = run(&folder, line, "found.json", &variables);
        assert_eq!(left.code, Some(1), "{line}: {left:?}");
        assert_eq!(left.stderr.is_empty(), line.contains("quiet"), "{line}: {}", left.stderr);
        assert!(folder.read("kept.json").contains("\"exit\": 0"), "{line}");
        std::fs::remove_file(folder.path("kept.json")).unwrap();
    }
    run(&folder, "run --log_path=log.txt ./a", "found.json", &[]);
    assert!(folder.read("log.txt").contains("precision-loss"));
}

#[test]
fn all_processes_of_a_run_count() {
    let folder = prepared();
    let mut command = folder.command(NONIUS);
    command.args(["run", "sh", "-c", "./a 1; ./a 2; true"]).env("STANDIN_REPORT", folder.path("found.json"));
    let left = finish(&mut command, "");
    assert_eq!((left.code, left.stdout.as_str()), (Some(1), "2 1\n2 2\n"));
    assert!(left.stderr.contains("2 processes reported"), "{}", left.stderr);
}

#[test]
fn a_request_to_end_reaches_the_program() {
    let folder = Folder::new();
    let script = "trap 'echo asked; exit 7' TERM; kill -TERM $PPID; while :; do sleep 0.05; done";
    let left = finish(folder.command(NONIUS).args(["run", "sh", "-c", script]), "");
    assert_eq!(left.stdout, "asked\n");
    assert!(left.stderr.contains("sh exited with status 7"), "{}", left.stderr);
    assert_eq!(left.code, Some(7));
}

#[test]
fn input_reaches_the_program() {
    let folder = Folder::new();
    let left = finish(folder.command(NONIUS).args(["run", "cat"]), "some words");
    assert_eq!(left.stdout, "some words");
}

#[test]
fn check_compiles_and_runs_c_and_cpp() {
    let folder = prepared();
    let left = run(&folder, "check a.c -O0 -Wall -- x y", "found.json", &[]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(1), "3 x y\n"), "{}", left.stderr);
    std::fs::write(folder.path("b.cpp"), "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }\n").unwrap();
    let left = run(&folder, "check b.cpp", "clean.json", &[]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), "hello\n"), "{}", left.stderr);
}

#[test]
fn check_without_a_program_fails() {
    let folder = prepared();
    std::fs::write(folder.path("wrong.c"), "int main(void) { return x; }\n").unwrap();
    let left = run(&folder, "check wrong.c", "clean.json", &[]);
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("use of undeclared identifier 'x'"), "{}", left.stderr);
    let left = run(&folder, "check a.c -fsyntax-only", "clean.json", &[]);
    assert_eq!(left.code, Some(2));
    assert!(left.stderr.contains("no program came of this"), "{}", left.stderr);
}
