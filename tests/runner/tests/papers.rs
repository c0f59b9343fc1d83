//! The event engine on the papers' own examples, and its promises: the same bytes twice, the same verdicts at twice the
//! precision, the program itself at its own precision.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

struct Built {
    folder: TempDir,
    program: PathBuf,
}

fn nonius() -> PathBuf {
    std::env::var_os("NONIUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/nonius"), Into::into)
}

fn build(source: &str, level: &str) -> Built {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, program) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&file, source).expect("a file in the test's own folder");
    let built = Command::new(nonius()).args(["cc", level, "-g", "-o"]).arg(&program).arg(&file).arg("-lm").output();
    let built = built.expect("nonius starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Built { folder, program }
}

impl Built {
    fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder.path()).env_remove("LD_LIBRARY_PATH").env_remove("NONIUS_OPTIONS");
        command
    }

    fn nonius(&self, words: &[&str]) -> Output {
        self.command(&nonius(), words).stdin(Stdio::null()).output().expect("nonius starts")
    }

    /// The report of a run under the event engine.
    fn analysed(&self, options: &str) -> Value {
        let report = self.folder.path().join("report.json");
        let options = format!("{options}:quiet=1:report={}", report.display());
        let ran = self.command(&self.program, &[]).env("NONIUS_OPTIONS", options).output().expect("the program runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        serde_json::from_slice(&std::fs::read(report).expect("a report")).expect("JSON")
    }

    fn stderr_of(&self, options: &str) -> String {
        let ran = self.command(&self.program, &[]).env("NONIUS_OPTIONS", options).output().expect("the program runs");
        String::from_utf8_lossy(&ran.stderr).into_owned()
    }
}

fn findings(report: &Value) -> &Vec<Value> {
    report["findings"].as_array().expect("findings")
}

fn relative_error(finding: &Value) -> f64 {
    finding["worst"]["relative_error"].as_f64().expect("a number")
}

fn cause_lines(finding: &Value) -> Vec<u64> {
    let causes = finding["causes"].as_array().expect("causes");
    causes.iter().filter_map(|c| c["location"]["line"].as_u64()).collect()
}

/// FpDebug, figure 1.
const PATRIOT: &str = r#"#include <stdio.h>
int main(void) {
    volatile float tenth = 0.1f;
    float time = 0.0f;
    for (int i = 0; i < 20000; i++)
        time += tenth;
    printf("%.9g\n", time);
}
"#;

#[test]
fn the_patriots_clock() {
    for level in ["-O0", "-O2"] {
        let report = build(PATRIOT, level).analysed("oracle=mpfr:256");
        let [finding] = &findings(&report)[..] else { panic!("{level}: {report:#}") };
        assert!((1.6e-4..1.8e-4).contains(&relative_error(finding)), "{level}: {finding:#}");
        assert!(cause_lines(finding).contains(&6), "{level}: {finding:#}");
    }
}

/// FpDebug, figure 2: five times less than half an ulp.
#[test]
fn insufficient_precision() {
    let source = r#"#include <stdio.h>
int main(void) {
    volatile float e = 0.00000005f;
    float sum = 1.0f;
    for (int i = 0; i < 5; i++)
        sum += e;
    printf("%.9g\n", sum);
}
"#;
    let report = build(source, "-O2").analysed("oracle=mpfr:256:threshold=1e-7");
    let worst = findings(&report).iter().map(relative_error).fold(0.0, f64::max);
    assert!((2.4e-7..2.6e-7).contains(&worst), "{report:#}");
    assert!(findings(&build(source, "-O2").analysed("oracle=mpfr:256")).is_empty(), "a few ulps are no finding");
}

/// FpDebug, figures 3 and 4: the subtraction in line 7 brings the error in.
#[test]
fn an_error_trace() {
    let source = r#"#include <stdio.h>
int main(void) {
    volatile float e0 = 0.00000006f, x0 = 0.5f;
    float e = e0, x = x0;
    float y = 1.0f + x;
    float more = y + e;
    float diff_e = more - y;
    float diff_0 = diff_e - e;
    float zero = diff_0 + diff_0;
    float result = 2 * zero;
    printf("%.9g\n", result);
}
"#;
    for level in ["-O0", "-O2"] {
        let report = build(source, level).analysed("oracle=mpfr:256");
        let [finding] = &findings(&report)[..] else { panic!("{level}: {report:#}") };
        assert_eq!(finding["worst"]["shadow"].as_f64(), Some(0.0));
        assert!(cause_lines(finding).contains(&7), "{level}: {finding:#}");
        let operations = report["operations"].as_array().expect("operations");
        let introduced = |line: u64| {
            let at = operations.iter().filter(|o| o["location"]["line"].as_u64() == Some(line));
            at.map(|o| o["introduced_error"].as_f64().expect("a number")).fold(0.0, f64::max)
        };
        assert!((0.98..1.0).contains(&introduced(7)), "{level}: {}", introduced(7));
        assert!(introduced(6) < 1e-6, "{level}: {}", introduced(6));
    }
}

/// FpDebug, section 2.3: inaccurate intermediate results, an accurate final one.
#[test]
fn errors_that_cancel_are_silent() {
    let source = r#"#include <stdio.h>
#include <math.h>
int main(void) {
    volatile float x0 = 9e-8f;
    float x = x0, y = expf(x);
    float good = (y - 1) / logf(y);
    printf("%.9g\n", good);
}
"#;
    let report = build(source, "-O2").analysed("oracle=mpfr:256");
    assert!(findings(&report).is_empty(), "{report:#}");
    let bad = source.replace("logf(y)", "x");
    let report = build(&bad, "-O2").analysed("oracle=mpfr:256");
    let [finding] = &findings(&report)[..] else { panic!("{report:#}") };
    assert!((0.3..0.35).contains(&relative_error(finding)), "{finding:#}");
}

/// FpDebug, figures 8 and 9: value and shadow agree in the end; the stages show it, from 4 to 18.
#[test]
fn mullers_sequence_in_stages() {
    let source = r#"#include <stdio.h>
#include <nonius.h>
int main(void) {
    volatile double u0 = 2, v0 = -4;
    double u = u0, v = v0, w;
    for (int i = 3; i <= 100; i++) {
        nonius_stage_begin(0);
        w = 111. - 1130. / v + 3000. / (v * u);
        u = v;
        v = w;
        nonius_stage_end(0);
    }
    nonius_print_error(&v);
    printf("%g\n", v);
}
"#;
    let built = build(source, "-O2");
    let report = built.analysed("oracle=mpfr:120:resume=0");
    let [finding] = &findings(&report)[..] else { panic!("{report:#}") };
    assert_eq!((finding["kind"].as_str(), finding["location"]["line"].as_u64()), (Some("stage"), Some(8)));
    let growth = &finding["causes"][0]["growth"];
    let numbers = ["faults", "stages", "set", "first_fault", "last_fault"].map(|key| growth[key].as_u64());
    assert_eq!(numbers, [15, 98, 0, 4, 18].map(Some), "{growth}");
    let stderr = built.stderr_of("oracle=mpfr:120:resume=0");
    assert!(stderr.contains("in 15 of 98 stages of set 0, from stage 4 to 18"), "{stderr}");
    assert!(stderr.contains("&v = 1e2, ideal 1e2: relative error 0.00e0"), "{stderr}");
}

#[test]
fn a_shadow_is_inserted_on_request() {
    let source = r#"#include <stdio.h>
#include <nonius.h>
int main(void) {
    volatile double big = 1e17, small = 3;
    double x = (big + small) - big;
    if (nonius_error_greater(&x, 0.5)) nonius_insert_shadow(&x);
    printf("%g\n", x);
}
"#;
    let built = build(source, "-O2");
    let stdout = |options: &str| {
        let ran = built.command(&built.program, &[]).env("NONIUS_OPTIONS", options).output().expect("the program runs");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    assert_eq!(stdout("quiet=1"), "0\n", "without the event engine nothing changes");
    assert_eq!(stdout("oracle=mpfr:resume=0:quiet=1"), "3\n");
}

const ROOTS: &str = r#"#include <stdio.h>
#include <math.h>
double f(double x) { return sqrt(x + 1) - sqrt(x); }
int main(void) {
    double x = 0, s = 0;
    while (scanf("%lf", &x) == 1) s += f(x);
    printf("%.17g\n", s);
}
"#;

/// As (kind, line), in order.
fn verdicts(report: &Value) -> Vec<(String, u64)> {
    let one = |f: &Value| Some((f["kind"].as_str()?.to_owned(), f["location"]["line"].as_u64()?));
    findings(report).iter().filter_map(one).collect()
}

#[test]
fn a_recorded_run_gives_the_same_bytes_twice_under_every_oracle() {
    let built = build(PATRIOT, "-O2");
    let events = built.folder.path().join("events");
    built.analysed(&format!("record={}", events.display()));
    let replay = |oracle: &str, name: &str| {
        let report = format!("--report={name}");
        let left = built.nonius(&["replay", "events", "--oracle", oracle, &report, "--quiet"]);
        assert_eq!(left.status.code(), Some(1), "{}", String::from_utf8_lossy(&left.stderr));
        std::fs::read_to_string(built.folder.path().join(name)).expect("a report")
    };
    let mut all = Vec::new();
    for oracle in ["mpfr", "mpfr:128", "mpfr:512", "double-double", "residue"] {
        let first = replay(oracle, "r.json");
        assert_eq!(first, replay(oracle, "r.json"), "{oracle}");
        all.push(verdicts(&serde_json::from_str(&first).expect("JSON")));
    }
    assert!(all.iter().all(|v| *v == all[0] && v.len() == 1), "{all:?}");
    assert_eq!(verdicts(&built.analysed("oracle=mpfr")), all[0], "in the program's own threads");
}

#[test]
fn at_its_own_precision_the_machine_is_the_program() {
    let source = PATRIOT.replace("float", "double").replace("0.1f", "0.1").replace("0.0f", "0.0");
    let report = build(&source, "-O2").analysed("oracle=mpfr:53");
    let operations = report["operations"].as_array().expect("operations");
    assert!(!operations.is_empty());
    assert!(operations.iter().all(|o| o["max_error"].as_f64() == Some(0.0)), "{operations:#?}");
}

#[test]
fn findings_are_confirmed_on_the_same_input() {
    let built = build(ROOTS, "-O2");
    let mut command = built.command(&nonius(), &["run", "--report=r.json", "./a"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("nonius starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), b"1e12 2e12 3e12\n").expect("it reads");
    let left = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&left.stderr);
    assert_eq!(left.status.code(), Some(1), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&left.stdout).lines().count(), 1, "the second run is hidden");
    assert!(stderr.contains("confirmed by mpfr:256 in a second run"), "{stderr}");
    let report: Value =
        serde_json::from_slice(&std::fs::read(built.folder.path().join("r.json")).expect("a report")).expect("JSON");
    let [finding] = &findings(&report)[..] else { panic!("{report:#}") };
    assert_eq!(finding["confirmation"]["verdict"].as_str(), Some("confirmed"));
    assert!(cause_lines(finding).iter().all(|line| [3, 6].contains(line)), "{finding:#}");
    let id = finding["id"].as_str().expect("an id");
    let told = built.nonius(&["explain", &id[..6], "r.json"]);
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(told.contains("return sqrt(x + 1) - sqrt(x)") && told.contains("* #0"), "{told}");
    let graph = built.nonius(&["explain", id, "r.json", "--dot"]);
    let graph = String::from_utf8_lossy(&graph.stdout);
    assert!(graph.starts_with("digraph causes {") && graph.contains("-> finding"), "{graph}");
}

#[test]
fn bad_files_and_oracles_are_refused() {
    let built = build(PATRIOT, "-O2");
    let events = built.folder.path().join("events");
    built.analysed(&format!("record={}", events.display()));
    let bytes = std::fs::read(&events).expect("events");
    let fails = |words: &[&str], told: &str| {
        let left = built.nonius(words);
        let stderr = String::from_utf8_lossy(&left.stderr);
        assert_eq!(left.status.code(), Some(2), "{words:?}: {stderr}");
        assert!(stderr.contains(told) && !stderr.contains("panicked"), "{words:?}: {stderr}");
    };
    fails(&["replay", "a.c"], "this is no Nonius event file");
    fails(&["replay", "missing"], "cannot open missing");
    fails(&["replay"], "");
    fails(&["replay", "events", "--oracle", "quad"], "'quad' is not an oracle");
    fails(&["replay", "events", "--oracle=mpfr:1"], "from 2 to 65536");
    fails(&["replay", "events", "--threshold=lots"], "expected a relative error");
    fails(&["run", "--confirm=quad", "./a"], "'quad' is not an oracle");
    let mut newer = bytes.clone();
    newer[8] = 99;
    std::fs::write(&events, newer).expect("events");
    fails(&["replay", "events"], "ABI 99");
    std::fs::write(&events, &bytes[..bytes.len() - 9]).expect("events");
    let cut = built.nonius(&["replay", "events"]);
    let stderr = String::from_utf8_lossy(&cut.stderr);
    assert!(stderr.contains("the recording is not complete"), "{stderr}");
}
