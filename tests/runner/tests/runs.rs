//! From run to run: ids that survive edits and levels, baselines, suppressions, and commands that start many programs.

use nonius_tests::program::{Built, nonius};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Three losses, a comparison and a conversion that flip: in functions that are inlined, and in a loop.
const SOURCE: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static double gap(double x) { return sqrt(x + 1) - sqrt(x); }
static inline double near_one(double x) {
    double y = exp(x);
    return y - 1.0;
}
double variance(const double *v, int n) {
    double s = 0, q = 0;
    for (int i = 0; i < n; i++) {
        s += v[i];
        q += v[i] * v[i];
    }
    return (q - s * s / n) / n;
}
int main(int count, char **words) {
    double x = atof(words[1]), w = x / 1e7, v[3] = { w, w + 1, w + 2 };
    printf("%g\n", gap(x));
    printf("%g\n", near_one(1 / x));
    printf("%g\n", variance(v, 3));
    double tenth = 1 / (x / 1e14), sum = 0;
    for (int i = 0; i < 10; i++) sum += tenth;
    puts(sum == 10 * tenth ? "same" : "other");
    printf("%d\n", (int)((sum - 9.5 * tenth) / tenth * 2 + 0.0));
}
"#;
const X: &str = "1e15";

fn report(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))).expect("JSON")
}

fn list<'a>(report: &'a Value, name: &str) -> &'a [Value] {
    report[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn ids(report: &Value) -> BTreeSet<String> {
    list(report, "findings").iter().map(|f| f["id"].as_str().expect("an id").to_owned()).collect()
}

fn stderr(left: &Output) -> String {
    String::from_utf8_lossy(&left.stderr).into_owned()
}

/// The findings of a plain run.
fn plain(source: &str, level: &str) -> Value {
    let built = Built::new("cc", &[level, "-lm"], "a.c", source);
    let mut command = built.command(&built.path("a"), &[X]);
    command.env("NONIUS_OPTIONS", "report=r.json").output().expect("the program starts");
    report(&built.path("r.json"))
}

/// Id, kind and function, for messages.
fn shown(report: &Value) -> Vec<String> {
    let one = |f: &Value| format!("{} {} {} {}", f["id"], f["kind"], f["location"], f["operation"]);
    list(report, "findings").iter().map(one).collect()
}

#[test]
fn ids_are_the_same_at_all_levels() {
    let unoptimized = plain(SOURCE, "-O0");
    assert!(ids(&unoptimized).len() >= 5, "{:#?}", shown(&unoptimized));
    for level in ["-O1", "-O2", "-O3"] {
        let optimized = plain(SOURCE, level);
        assert_eq!(ids(&unoptimized), ids(&optimized), "{:#?}\n{level}\n{:#?}", shown(&unoptimized), shown(&optimized));
    }
}

#[test]
fn ids_survive_edits_of_other_lines() {
    let before = ids(&plain(SOURCE, "-O2"));
    let commented = format!("// A comment at the top.\n\n/* And\n   more. */\n{SOURCE}");
    assert_eq!(ids(&plain(&commented, "-O2")), before);
    let function =
        SOURCE.replace("static double gap", "double other(double x) { return sqrt(x + 1) - 2; }\nstatic double gap");
    assert_eq!(ids(&plain(&function, "-O2")), before);
    let indented = SOURCE.replace("    ", "\t  ").replace("y - 1.0;", "y  -  1.0; // cancels");
    assert_eq!(ids(&plain(&indented, "-O2")), before);
    let edited = ids(&plain(&SOURCE.replace("return y - 1.0;", "return y - 1.0 + 0.0;"), "-O2"));
    assert_eq!(before.difference(&edited).count(), 1, "its own line changes one");
}

#[test]
fn all_commands_call_a_finding_the_same() {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", SOURCE);
    let mut command = built.command(&built.path("a"), &[X]);
    let left = command.env("NONIUS_OPTIONS", "report=plain.json:all=1").output().expect("the program starts");
    let plain = report(&built.path("plain.json"));
    let text = stderr(&left);
    for id in ids(&plain) {
        assert!(text.contains(&format!("finding {id}")), "{id}: {text}");
        let explained = built.nonius(&["explain", &id, "plain.json"]);
        assert!(explained.status.success(), "{}", stderr(&explained));
    }
    let sarif = built.nonius(&["report", "plain.json", "--sarif"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).expect("SARIF");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let marks = results.iter().map(|r| r["partialFingerprints"]["noniusFinding/v2"].as_str().expect("ours").to_owned());
    assert_eq!(marks.collect::<BTreeSet<_>>(), ids(&plain));
    // Where the second run bears out the first, ids stay.
    let (_, confirmed) = built.run(&[], &[X]);
    let both: BTreeSet<String> = ids(&confirmed).intersection(&ids(&plain)).cloned().collect();
    assert!(both.len() + 2 >= ids(&plain).len(), "{:#?}\n{:#?}", shown(&plain), shown(&confirmed));
}

#[test]
fn a_baseline_fails_for_what_is_new_and_names_what_is_gone() {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", SOURCE);
    let run = |flags: &[&str]| built.nonius(&[&["run", "--report=r.json"], flags, &["./a", X]].concat());
    assert_eq!(run(&[]).status.code(), Some(1));
    let all = ids(&report(&built.path("r.json")));
    let made = built.nonius(&["baseline", "base", "r.json"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let text = built.read("base");
    assert!(all.iter().all(|id| text.lines().any(|line| line.starts_with(id.as_str()))), "{text}");
    assert!(!built.nonius(&["baseline", "base", "r.json"]).status.success(), "it is there");

    let left = run(&["--baseline=base"]);
    let known = report(&built.path("r.json"));
    assert_eq!(left.status.code(), Some(0), "{}", stderr(&left));
    assert!(stderr(&left).contains(&format!("0 findings, {} in the baseline", all.len())), "{}", stderr(&left));
    assert_eq!((list(&known, "findings").len(), list(&known, "known").len()), (0, all.len()));

    // One that nobody has seen, and one that is not there any more.
    let one = all.first().expect("a finding");
    let without: String = text.lines().filter(|l| !l.starts_with(one.as_str())).map(|l| format!("{l}\n")).collect();
    fs::write(built.path("base"), without + "0123456789ab nan old.c: division in old\n").expect("a file");
    let left = run(&["--baseline=base"]);
    assert_eq!(left.status.code(), Some(1), "{}", stderr(&left));
    assert!(
        stderr(&left).contains("not found any more: 0123456789ab nan, old.c: division in old"),
        "{}",
        stderr(&left)
    );
    let new = report(&built.path("r.json"));
    assert_eq!(ids(&new), BTreeSet::from([one.clone()]));
    let shown = built.nonius(&["report", "r.json", "--baseline", "base"]);
    assert_eq!(shown.status.code(), Some(1), "{}", stderr(&shown));

    // The program by itself, whose status is for new findings.
    let mut command = built.command(&built.path("a"), &[X]);
    let direct = command.env("NONIUS_OPTIONS", "baseline=base:exitcode=9").output().expect("the program starts");
    assert_eq!(direct.status.code(), Some(9), "{}", stderr(&direct));

    // Updated from that report, which has those of the baseline too, it is as it was.
    assert!(built.nonius(&["baseline", "base", "--update", "r.json"]).status.success());
    assert_eq!(built.read("base"), text);
    let direct = command.output().expect("the program starts");
    assert_eq!(direct.status.code(), Some(0), "{}", stderr(&direct));
    fs::write(built.path("base"), "<<<<<<< ours\n").expect("a file");
    let refused = run(&["--baseline=base"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("base is not a baseline"), "{}", stderr(&refused));
}

#[test]
fn a_finding_is_suppressed_by_its_id_and_that_is_said() {
    let built = Built::new("cc", &["-O2", "-lm"], "a.c", SOURCE);
    let run = || built.nonius(&["run", "--confirm=0", "--report=nonius.json", "./a", X]);
    run();
    let all = ids(&report(&built.path("nonius.json")));
    for id in &all {
        let left = built.nonius(&["suppress", id, "--reason", "seen, \n and fine", "nonius.json"]);
        assert!(
            left.status.success() && String::from_utf8_lossy(&left.stdout).contains("nonius.supp"),
            "{}",
            stderr(&left)
        );
        let before = built.read("nonius.supp");
        assert!(before.contains(&format!(":id={id}  # seen, and fine (")), "{before}");
        let again = built.nonius(&["suppress", id, "--reason", "once more", "nonius.json"]);
        assert!(String::from_utf8_lossy(&again.stdout).contains("is suppressed already"), "{}", stderr(&again));
        assert_eq!(built.read("nonius.supp"), before);
    }
    assert!(!built.nonius(&["suppress", "0000", "--reason", "x", "nonius.json"]).status.success());
    assert!(!built.nonius(&["suppress", all.first().expect("one"), "--reason", " ", "nonius.json"]).status.success());
    let left = run();
    assert_eq!(left.status.code(), Some(0), "{}", stderr(&left));
    let suppressed = format!("{} suppressed", all.len());
    assert!(stderr(&left).contains(&suppressed), "{}", stderr(&left));
    let whole = report(&built.path("nonius.json"));
    assert_eq!(whole["summary"]["suppressed"], all.len());
    let mut command = built.command(&built.path("a"), &[X]);
    let direct = command.env("NONIUS_OPTIONS", "suppressions=nonius.supp").output().expect("the program starts");
    assert!(stderr(&direct).contains(&suppressed), "{}", stderr(&direct));
    // Another edit, another build: the same findings.
    fs::write(built.path("a.c"), format!("// new\n{SOURCE}")).expect("a file");
    assert!(built.nonius(&["cc", "-O0", "-g", "a.c", "-o", "a", "-lm"]).status.success());
    assert_eq!(run().status.code(), Some(0));
}

/// Two programs with findings, one without, a Makefile and a script that run them.
fn suite() -> Built {
    let built = Built::new("cc", &["-O2", "-lm"], "gap.c", &fault("gap", "sqrt(x + 1) - sqrt(x)"));
    fs::rename(built.path("a"), built.path("t_gap")).expect("the program");
    for (name, formula) in [("cancel", "cbrt(x + 1) - cbrt(x)"), ("fine", "x + 1")] {
        fs::write(built.path(&format!("{name}.c")), fault(name, formula)).expect("a file");
        let words = ["cc", "-O2", "-g", &format!("{name}.c"), "-o", &format!("t_{name}"), "-lm"];
        assert!(built.nonius(&words).status.success());
    }
    let make = "check:\n\t./t_gap 3e15 < /dev/null\n\tcd sub && ../t_cancel $(FILE)\n\t./t_fine 1 < /dev/null\n";
    fs::write(built.path("Makefile"), make).expect("a file");
    fs::create_dir(built.path("sub")).expect("a folder");
    fs::write(built.path("sub/input"), "3e15").expect("a file");
    built
}

/// A program that reads a number from its argument, from the file that it names, or from standard input, counts its runs
/// in a file, and prints a formula of the number.
fn fault(name: &str, formula: &str) -> String {
    format!(
        r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double formula_of_{name}(double x) {{ return {formula}; }}
int main(int count, char **words) {{
    double x = count > 1 ? atof(words[1]) : 0;
    FILE *in = count > 1 ? fopen(words[1], "r") : stdin;
    if (in && fscanf(in, "%lf", &x) != 1) return 3;
    FILE *log = fopen("runs", "a");
    fputs("run\n", log);
    printf("%g\n", formula_of_{name}(x));
    return 0;
}}
"#
    )
}

/// By function: the verdict and the programs.
fn verdicts(report: &Value) -> Vec<(String, String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or("none").to_owned();
    let one =
        |f: &Value| (text(&f["location"]["function"]), text(&f["confirmation"]["verdict"]), f["programs"].to_string());
    let mut all: Vec<_> = list(report, "findings").iter().map(one).collect();
    all.sort();
    all
}

#[test]
fn programs_of_a_makefile_are_one_report_and_run_again_by_themselves() {
    let built = suite();
    let left = built.nonius(&["run", "--report=r.json", "make", "-s", "check", "FILE=input"]);
    assert_eq!(left.status.code(), Some(1), "{}", stderr(&left));
    let whole = report(&built.path("r.json"));
    let expected = [
        ("formula_of_cancel", "confirmed", r#"["t_cancel input"]"#),
        ("formula_of_gap", "confirmed", r#"["t_gap 3e15"]"#),
    ];
    let expected = expected.map(|(f, v, p)| (f.to_owned(), v.to_owned(), p.to_owned()));
    assert_eq!(verdicts(&whole), expected, "{}", stderr(&left));
    assert!(stderr(&left).contains("in t_gap 3e15; finding"), "{}", stderr(&left));
    // Each ran once, as far as anybody can see: t_gap and t_fine here, t_cancel in the other folder.
    assert_eq!((built.read("runs"), built.read("sub/runs")), ("run\nrun\n".to_owned(), "run\n".to_owned()));
    let text = whole["notes"].to_string();
    assert!(text.contains("3 processes reported") && !text.contains("not confirmed"), "{text}");
}

#[test]
fn a_program_fed_by_a_pipe_runs_again_with_its_command() {
    let built = suite();
    let script = "echo 3e15 | ./t_gap && ./t_fine 1";
    let left = built.nonius(&["run", "--report=r.json", "sh", "-c", script]);
    let whole = report(&built.path("r.json"));
    assert_eq!(verdicts(&whole)[0].1, "confirmed", "{}", stderr(&left));
    assert_eq!(built.read("runs"), "run\nrun\n");
}

#[test]
fn a_shared_report_is_not_overwritten_in_silence() {
    let built = suite();
    let program = |name: &str, word: &str, options: &str| {
        let mut command = built.command(&built.path(name), &[word]);
        command.env("NONIUS_OPTIONS", options).output().expect("the program starts")
    };
    let programs = || -> Vec<String> {
        let names = fs::read_dir(built.folder.path()).expect("the folder").map(|e| e.expect("an entry").file_name());
        let names = names.map(|n| n.to_string_lossy().into_owned()).filter(|n| n.starts_with("shared.json"));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let first = program("t_gap", "3e15", "report=shared.json:quiet=1");
    assert_eq!((stderr(&first).as_str(), programs().len()), ("", 1));
    let second = program("t_cancel", "3e15", "report=shared.json:verbose=1");
    let said = stderr(&second);
    assert!(said.contains("shared.json had the report of 't_gap 3e15', which is in "), "{said}");
    assert_eq!(programs().len(), 2);
    // A program that is run again is another matter: the file has the newest report.
    assert!(!stderr(&program("t_cancel", "3e15", "report=shared.json")).contains("shared.json"));
    let other = stderr(&program("t_cancel", "4e15", "report=shared.json"));
    assert!(other.contains("shared.json had the report of 't_cancel 3e15', which this one replaces"), "{other}");
    assert_eq!(programs().len(), 2);
    program("t_fine", "1", "report=%p.json");

    let reports: Vec<String> = programs();
    let words: Vec<&str> = ["report", "--json"].into_iter().chain(reports.iter().map(String::as_str)).collect();
    let merged = built.nonius(&words);
    let merged: Value = serde_json::from_slice(&merged.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&merged)));
    let (cancel, gap) = (&verdicts(&merged)[0], &verdicts(&merged)[1]);
    assert_eq!((cancel.2.as_str(), list(&merged, "findings").len()), (r#"["t_cancel 4e15"]"#, 2));
    assert_eq!(gap.2, r#"["t_gap 3e15"]"#);
    // A folder of reports, with that of t_fine.
    let folder = built.nonius(&["report", "--json", "."]);
    let folder: Value = serde_json::from_slice(&folder.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&folder)));
    assert_eq!(ids(&folder), ids(&merged));
    assert!(nonius().is_file());
}
