//! Assertions in `tests/assertions`: each program says by `//~ failed` or `//~ unknown`, on an assertion's line or behind its
//! annotation, which do not hold; all others must. At -O0 and -O2, under the inline engine and two oracles of the event
//! engine; and the program's own output and status are those of a plain build.

use nonius_tests::program::nonius;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const ENGINES: &[&str] = &["", "oracle=mpfr:256", "oracle=double-double"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assertions")
}

fn run(command: &mut Command) -> Output {
    let left = command.output().expect("it starts");
    assert!(left.status.success(), "{command:?}: {}", String::from_utf8_lossy(&left.stderr));
    left
}

/// Builds a program in a folder whose name has a blank.
struct Program {
    folder: TempDir,
    source: PathBuf,
    compiler: &'static str,
    plain: &'static str,
}

impl Program {
    fn new(name: &str) -> Program {
        let (compiler, plain) = match name.rsplit_once('.').map(|(_, e)| e) {
            Some("cpp") => ("c++", "clang++-22"),
            Some("f90") => ("fortran", "flang-22"),
            _ => ("cc", "clang-22"),
        };
        let folder = tempfile::Builder::new().prefix("with blank ").tempdir().expect("a folder");
        let source = folder.path().join(name);
        std::fs::copy(self::folder().join(name), &source).expect("a copy");
        Program { folder, source, compiler, plain }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the program may read.
    fn input(&self) -> std::fs::File {
        let file = self.at("input");
        std::fs::write(&file, "1\n").expect("a file in the test's own folder");
        std::fs::File::open(file).expect("the file")
    }

    fn build(&self, level: &str) -> PathBuf {
        let program = self.at("program");
        let mut command = Command::new(nonius());
        let left = run(command
            .args([self.compiler, "--nonius-acsl=error", level, "-o"])
            .arg(&program)
            .arg(&self.source)
            .arg("-lm"));
        assert_eq!(String::from_utf8_lossy(&left.stderr), "", "a build without mistakes is silent");
        program
    }

    /// The assertions of a run, by line and verdict, and what it left.
    fn run(&self, program: &Path, options: &str) -> (Value, Output) {
        let report = self.at("report.json");
        let options = format!("{options}:report='{}'", report.display());
        let mut command = Command::new(program);
        let left = command
            .env("NONIUS_OPTIONS", options.trim_start_matches(':'))
            .stdin(self.input())
            .output()
            .expect("it starts");
        let text = std::fs::read(&report).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&left.stderr)));
        (serde_json::from_slice(&text).expect("JSON"), left)
    }
}

/// Lines with the verdicts that their comments announce.
fn expected(source: &str) -> BTreeSet<(u64, String)> {
    let mut all = BTreeSet::new();
    for (number, line) in source.lines().enumerate() {
        if let Some((_, verdict)) = line.split_once("//~ ").or_else(|| line.split_once("!~ ")) {
            all.insert((number as u64 + 1, verdict.trim().trim_end_matches("*/").trim().to_owned()));
        }
    }
    all
}

fn found(report: &Value) -> BTreeSet<(u64, String)> {
    let all = report["assertions"].as_array().expect("assertions");
    let open = all.iter().filter(|a| a["verdict"] != "proved");
    open.map(|a| (a["location"]["line"].as_u64().unwrap(), a["verdict"].as_str().unwrap().to_owned())).collect()
}

fn verdicts(name: &str) {
    let program = Program::new(name);
    let source = std::fs::read_to_string(&program.source).unwrap();
    let expected = expected(&source);
    assert!(!expected.is_empty());
    let clauses = ["assert ", "check ", "requires ", "ensures ", "loop invariant "];
    for level in ["-O0", "-O2"] {
        let plain = program.at("plain");
        run(Command::new(program.plain).args([level, "-o"]).arg(&plain).arg(&program.source).arg("-lm"));
        let plain = Command::new(&plain).stdin(program.input()).output().expect("it starts");
        let built = program.build(level);
        for options in ENGINES {
            let (report, left) = program.run(&built, options);
            assert_eq!(found(&report), expected, "{name} {level} {options}: {}", String::from_utf8_lossy(&left.stderr));
            assert_eq!((&left.stdout, left.status), (&plain.stdout, plain.status), "{name} {level} {options}");
            let findings = report["findings"].as_array().unwrap();
            let lines =
                findings.iter().filter(|f| f["kind"] == "assertion").map(|f| f["location"]["line"].as_u64().unwrap());
            assert_eq!(
                lines.collect::<BTreeSet<_>>(),
                expected.iter().map(|e| e.0).collect(),
                "{name} {level} {options}"
            );
            let all = report["assertions"].as_array().unwrap();
            let written = source
                .lines()
                .filter(|l| clauses.iter().any(|c| l.contains(&format!("@ {c}")) || l.contains(&format!(" {c}"))))
                .count();
            assert!(all.len() * 2 > written, "{} of about {written} were reached", all.len());
            for assertion in all.iter().filter(|a| a["verdict"] == "failed") {
                assert!(!assertion["text"].as_str().unwrap().is_empty());
                assert!(assertion["location"]["file"].as_str().unwrap().ends_with(name), "{assertion}");
            }
        }
    }
}

#[test]
fn figure_7_of_the_paper() {
    verdicts("figure7.c");
}

#[test]
fn arithmetic_is_exact() {
    verdicts("arithmetic.c");
}

#[test]
fn places_and_quantifiers() {
    verdicts("places.c");
}

#[test]
fn contracts_and_invariants() {
    verdicts("contracts.c");
}

#[test]
fn ideals_and_errors() {
    verdicts("exact.c");
}

#[test]
fn the_same_in_cpp() {
    verdicts("classes.cpp");
}

#[test]
fn the_same_in_fortran() {
    verdicts("places.f90");
}

fn built(folder: &Path, words: &[&str], stdin: &str) -> Output {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = Command::new(nonius());
    let command =
        command.args(words).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("nonius starts");
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().expect("it ends")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn mistakes_are_warnings_unless_they_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let source = "int main(void) {\n    int x = 1;\n    /*@ assert x < ; */\n    /*@ assert \\valid(&x); */\n    /*@ assert x == 1; */\n    return 0;\n}\n";
    std::fs::write(folder.path().join("a.c"), source).unwrap();
    let warned = built(folder.path(), &["cc", "--nonius-acsl", "a.c", "-o", "a"], "");
    let expected = "a.c:3:20: warning: expected a number [--nonius-acsl]\n    3 |     /*@ assert x < ; */\n      |                    ^\n";
    assert!(warned.status.success() && stderr(&warned).starts_with(expected), "{}", stderr(&warned));
    assert_eq!(stderr(&warned).matches("\\valid").count(), 1, "{}", stderr(&warned));
    let refused = built(folder.path(), &["cc", "--nonius-acsl=error", "a.c", "-o", "b"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("a.c:3:20: error: expected a number"), "{}", stderr(&refused));
    assert!(!folder.path().join("b").exists());
    let unknown = built(folder.path(), &["cc", "--nonius-acsl=warn", "a.c"], "");
    assert!(
        unknown.status.code() == Some(2) && stderr(&unknown).contains("--nonius-acsl=error"),
        "{}",
        stderr(&unknown)
    );
}

#[test]
fn every_way_to_call_the_compiler_works() {
    let folder = tempfile::Builder::new().prefix("two words ").tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("my headers")).unwrap();
    std::fs::write(at("my headers/half.h"), "#define LIMIT(x) \\\n    /*@ assert x < 4; */ (void)0\nstatic inline int half(int x) {\n    /*@ assert x % 2 == 0; */\n    return x / 2;\n}\n").unwrap();
    std::fs::write(at("one.c"), "#include \"half.h\"\nint other(int);\nint main(void) {\n    LIMIT(half(6));\n    return half(3) + other(2) - 3;\n}\n").unwrap();
    std::fs::write(at("other.c"), "int other(int x) {\n    //@ assert x > 2;\n    return x;\n}\n").unwrap();
    let left = built(
        folder.path(),
        &["cc", "--nonius-acsl", "-I", "my headers", "one.c", "other.c", "-o", "a", "-MD", "-MF", "a.d"],
        "",
    );
    assert!(left.status.success() && stderr(&left).is_empty(), "{}", stderr(&left));
    let deps = std::fs::read_to_string(at("a.d")).unwrap();
    assert!(deps.contains("other.c") || deps.contains("one.c"), "{deps}");
    assert!(!deps.contains("/proc"), "{deps}");
    let report = |program: &str| {
        let ran = Command::new(at(program))
            .env("NONIUS_OPTIONS", format!("report='{}'", at("r.json").display()))
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        serde_json::from_slice::<Value>(&std::fs::read(at("r.json")).unwrap()).unwrap()
    };
    let failed = |report: &Value| -> BTreeSet<(String, u64)> {
        let all = report["assertions"].as_array().unwrap().iter().filter(|a| a["verdict"] == "failed");
        let file = |a: &Value| a["location"]["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        all.map(|a| (file(a), a["location"]["line"].as_u64().unwrap())).collect()
    };
    let expected = BTreeSet::from([("half.h".to_owned(), 4), ("other.c".to_owned(), 2)]);
    assert_eq!(failed(&report("a")), expected);
    // One step at a time, from preprocessed text and from standard input.
    for words in [
        vec!["cc", "--nonius-acsl", "-I", "my headers", "-c", "one.c"],
        vec!["cc", "--nonius-acsl", "-x", "c", "-c", "-", "-o", "other.o"],
        vec!["cc", "one.o", "other.o", "-o", "b"],
        vec!["cc", "--nonius-acsl", "-I", "my headers", "-E", "one.c", "-o", "one.i"],
        vec!["cc", "--nonius-acsl", "-S", "other.c", "-o", "other.s"],
    ] {
        let left = built(folder.path(), &words, &std::fs::read_to_string(at("other.c")).unwrap());
        assert!(left.status.success() && stderr(&left).is_empty(), "{words:?}: {}", stderr(&left));
    }
    let lines: BTreeSet<u64> = failed(&report("b")).into_iter().map(|f| f.1).collect();
    assert_eq!(lines, BTreeSet::from([2, 4]));
    assert!(std::fs::read_to_string(at("one.i")).unwrap().contains("__nonius_api_acsl_verdict"));
    // A plain build has none of it.
    let left = built(folder.path(), &["cc", "-I", "my headers", "one.c", "other.c", "-o", "c"], "");
    assert!(left.status.success(), "{}", stderr(&left));
    assert_eq!(report("c")["assertions"], Value::Null);
}

#[test]
fn nonius_check_reads_annotations_and_fails_by_them() {
    let folder = tempfile::tempdir().unwrap();
    for (condition, status) in [("x > 0", 0), ("x > 1", 1)] {
        std::fs::write(
            folder.path().join("a.c"),
            format!("int main(void) {{\n    volatile int x = 1;\n    /*@ assert {condition}; */\n    return 0;\n}}\n"),
        )
        .unwrap();
        let left = built(folder.path(), &["check", "a.c"], "");
        assert_eq!(left.status.code(), Some(status), "{}", stderr(&left));
        if status == 1 {
            let told = stderr(&left);
            assert!(
                told.contains("error[assertion]: this does not hold: assert x > 1") && told.contains("x = 1"),
                "{told}"
            );
            assert!(told.contains("1 assertion: 1 failed"), "{told}");
        }
    }
}

/// Figure 1 with its assertion, under an abstract execution: robust inside, broken at -1.
#[test]
fn figure_1_is_proved_inside_and_not_at_the_jump() {
    const SOURCE: &str = r#"
#include <nonius.h>
#include <stdlib.h>
#define N 5
static double y[N] = {1, 3, 2, 5, 4};
static double max_distance(const double *y, int n) {
    double most = 0;
    for (int i = 0; i + 1 < n; i++) {
        double d = y[i + 1] > y[i] ? y[i + 1] - y[i] : y[i] - y[i + 1];
        if (d > most) most = d;
    }
    return most;
}
static double interpolate(double in, const double *y, int n) {
    double out;
    nonius_split();
    int index = (int)in;
    if (index < 0 || index >= n - 1)
        out = index < 0 ? y[0] : y[n - 1];
    else
        out = y[index] + (in - index) * (y[index + 1] - y[index]);
    nonius_merge(&out);
    /*@ assert
        \let (err_min, err_max) = accuracy_get_derr(in);
        \let cst = max_distance(&y[0], n);
        accuracy_assert_derr(out,
            -2.0 * cst * max(-err_min, err_max) - 1e-12,
            +2.0 * cst * max(-err_min, err_max) + 1e-12); */
    return out;
}
int main(int argc, char **argv) {
    double in = atof(argv[1]), lo = in - 1e-5, hi = in + 1e-5;
    nonius_input_error(&in, lo, hi, -1e-6, 1e-6);
    return interpolate(in, y, N) > 100;
}
"#;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), SOURCE).unwrap();
    let left = built(folder.path(), &["cc", "--nonius-acsl=error", "-O0", "a.c", "-o", "a"], "");
    assert!(left.status.success() && stderr(&left).is_empty(), "{}", stderr(&left));
    for (input, is_proved) in [("1.5", true), ("2.3", true), ("-1.0", false)] {
        let report = folder.path().join("r.json");
        let options = format!("oracle=zonotope:report={}", report.display());
        let ran = Command::new(folder.path().join("a")).arg(input).env("NONIUS_OPTIONS", options).output().unwrap();
        let report: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
        let all = report["assertions"].as_array().unwrap();
        let verdict = |v: &str| all.iter().any(|a| a["verdict"] == v);
        let told = stderr(&ran);
        match is_proved {
            true => assert!(
                all.len() == 1 && verdict("proved") && all[0]["holds_for"] == "all-inputs",
                "{input}: {report} {told}"
            ),
            false => assert!(verdict("failed") || verdict("unknown"), "{input}: {report} {told}"),
        }
    }
}

#[test]
fn the_same_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/api-rs").canonicalize().unwrap();
    let manifest = format!(
        "[package]\nname = \"places\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nnonius = {{ path = {api:?} }}\n"
    );
    std::fs::create_dir(at("src")).unwrap();
    std::fs::write(at("Cargo.toml"), manifest).unwrap();
    let source = std::fs::read_to_string(self::folder().join("places.rs")).unwrap();
    std::fs::write(at("src/main.rs"), &source).unwrap();
    for (words, oracle) in [(&["run"][..], ""), (&["run", "--release"], ":oracle=mpfr:256")] {
        let mut command = Command::new(nonius().with_file_name("cargo-nonius"));
        command.arg("nonius").args(words).current_dir(folder.path()).env("CARGO_TARGET_DIR", at("target"));
        command
            .env("NONIUS_OPTIONS", format!("report={}{oracle}", at("report.json").display()))
            .env("CARGO_NET_OFFLINE", "true");
        let left = command.output().expect("cargo nonius starts");
        assert_eq!(String::from_utf8_lossy(&left.stdout), "0.9999999999999999\n", "{}", stderr(&left));
        let report: Value = serde_json::from_slice(&std::fs::read(at("report.json")).unwrap()).unwrap();
        assert_eq!(found(&report), expected(&source), "{words:?} {}", stderr(&left));
    }
    // Without Nonius it is nothing.
    let plain = Command::new("cargo")
        .args(["run", "-q", "--offline"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", at("plain"))
        .output();
    let plain = plain.expect("cargo starts");
    assert_eq!(String::from_utf8_lossy(&plain.stdout), "0.9999999999999999\n", "{}", stderr(&plain));
    // What Rust would look at in vain is refused.
    std::fs::write(at("src/main.rs"), "fn main() { let (v, i) = ([1.0], 0); nonius::check!(i < 1 && v[i] > 0.0); }")
        .unwrap();
    let refused = Command::new("cargo")
        .args(["build", "-q", "--offline"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", at("plain"))
        .output();
    let refused = refused.expect("cargo starts");
    assert!(
        !refused.status.success() && stderr(&refused).contains("is looked at whatever the other side says"),
        "{}",
        stderr(&refused)
    );
}
