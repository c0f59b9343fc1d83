//! Abstract execution on the programs of `tests/abstract`: bounds are at least what is known to happen and at most what a
//! comment of the program says, tests whose ways meet are silent, and tests that jump are found.

mod findings;
mod requests;

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn nonius() -> PathBuf {
    std::env::var_os("NONIUS").map_or_else(|| root().join("target/release/nonius"), Into::into)
}

struct Built {
    folder: TempDir,
    program: PathBuf,
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
    fn run(&self, options: &str) -> (Value, Output) {
        let report = self.folder.path().join("report.json");
        let options = format!("{options}:report={}", report.display());
        let mut command = Command::new(&self.program);
        let ran = command.current_dir(self.folder.path()).env("NONIUS_OPTIONS", options).output().expect("it runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        (serde_json::from_slice(&std::fs::read(report).expect("a report")).expect("JSON"), ran)
    }
}

/// The greatest magnitude of a range of a report.
fn magnitude(range: &Value) -> f64 {
    let number = |v: &Value| v.as_f64().unwrap_or(f64::INFINITY).abs();
    number(&range[0]).max(number(&range[1]))
}

fn bounds<'a>(report: &'a Value, name: &str) -> &'a Value {
    let all = report["bounds"].as_array().expect("bounds");
    all.iter().find(|b| b["name"] == name).unwrap_or_else(|| panic!("no bounds of {name}: {report}"))
}

/// What a program says of itself.
fn head(source: &str) -> String {
    source.lines().take_while(|l| l.starts_with("//")).collect()
}

/// `bound: NAME LEAST MOST`, as often as there are variables.
fn expected(source: &str) -> Vec<(String, f64, f64)> {
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("a number: {text}"));
    let head = head(source);
    let words = |part: &str| part.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    head.split("bound:").skip(1).map(words).map(|w| (w[0].clone(), number(&w[1]), number(&w[2]))).collect()
}

#[test]
fn bounds_of_the_papers_programs_hold_and_are_tight() {
    let mut programs = 0;
    for entry in std::fs::read_dir(root().join("tests/abstract")).expect("the programs") {
        let path = entry.expect("an entry").path();
        let source = std::fs::read_to_string(&path).expect("a program");
        let expected = expected(&source);
        programs += usize::from(!expected.is_empty());
        for level in ["-O0", "-O2"] {
            let (report, _) = build(&source, level).run("oracle=zonotope:quiet=1");
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            for (variable, least, most) in &expected {
                let found = bounds(&report, variable);
                let error = magnitude(&found["error"]);
                assert!((*least..=*most).contains(&error), "{name} {level}: {variable} is off by {error:e}: {found}");
                assert_eq!(found["holds_for"], "all-inputs", "{name} {level}: {report}");
            }
            for (kind, word) in [("unstable-branch", "alarm"), ("precision-loss", "precision-loss")] {
                let is_found = report["findings"].as_array().expect("findings").iter().any(|f| f["kind"] == kind);
                assert_eq!(is_found, head(&source).contains(word), "{name} {level}: {}", report["findings"]);
            }
        }
    }
    assert!(programs >= 15, "{programs}");
}

const JUMP: &str = r#"
#include <nonius.h>
#include <stdio.h>
int main(void) {
    double x = 0.25, z;
    nonius_input(&x, 0.0, 1.0);
    if (x < 0.5) { z = x; } else { z = x + 10; puts("the other way"); }
    nonius_bounds(&z);
    FILE *f = fopen("out.txt", "w");
    if (f) { fprintf(f, "%d\n", x < 0.5); fclose(f); }
    printf("%g\n", z);
    return 0;
}
"#;

#[test]
fn only_the_programs_own_path_prints_and_writes() {
    let built = build(JUMP, "-O2");
    let (report, ran) = built.run("oracle=zonotope:quiet=1");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "0.25\n");
    assert_eq!(std::fs::read_to_string(built.folder.path().join("out.txt")).unwrap(), "1\n");
    let z = &bounds(&report, "z")["value"];
    assert!(z[0].as_f64().unwrap() <= 0.0 && z[1].as_f64().unwrap() >= 11.0, "both ways: {z}");
}

#[test]
fn what_is_not_followed_is_said() {
    let (report, _) = build(JUMP, "-O0").run("oracle=zonotope:quiet=1:paths=0");
    let z = bounds(&report, "z");
    assert_eq!(z["holds_for"], "this-path");
    assert!(z["value"][1].as_f64().unwrap() <= 0.5, "the own path's: {z}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("incomplete") && notes.contains("paths=0"), "{notes}");
    assert_eq!(report["findings"][0]["kind"], "unstable-branch");
}

#[test]
fn a_path_that_crashes_is_told() {
    let source = r#"
#include <nonius.h>
#include <stdlib.h>
int main(void) {
    double x = 0.25;
    nonius_input(&x, 0.0, 1.0);
    if (x > 0.75) abort();
    nonius_bounds(&x);
    return 0;
}
"#;
    let (report, _) = build(source, "-O0").run("oracle=zonotope:quiet=1");
    let notes = report["notes"].to_string();
    assert!(notes.contains("crashes the program (signal 6)"), "{notes}");
}

#[test]
fn bad_ranges_are_left_out_and_said() {
    for (range, why) in [
        ("1.0, 0.0", "empty"),
        ("0.0, 0.0/0.0", "not a finite number"),
        ("2.0, 3.0", "not in the range"),
        ("0.0, 1e999", "not a finite number"),
    ] {
        let source = format!(
            "#include <nonius.h>\nint main(void) {{ double x = 0.5; nonius_input(&x, {range}); nonius_bounds(&x); return 0; }}"
        );
        let (report, _) = build(&source, "-O0").run("oracle=zonotope:quiet=1");
        assert!(report["notes"].to_string().contains(why), "{range}: {}", report["notes"]);
        assert_eq!(bounds(&report, "x")["holds_for"], "this-path");
    }
}

#[test]
fn bad_ranges_of_errors_are_left_out_and_said() {
    let errors =
        [("1e-3, -1e-3", "empty"), ("-1e-3, 0.0/0.0", "not a finite number"), ("0.6, 0.7", "not in the range")];
    for (range, why) in errors {
        let source = format!(
            "#include <nonius.h>\nint main(void) {{ double x = 0.5; nonius_input_error(&x, 0.0, 1.0, {range});\n\
             double y = x + 1; nonius_bounds(&y); return 0; }}"
        );
        let (report, _) = build(&source, "-O0").run("oracle=zonotope:quiet=1");
        assert!(report["notes"].to_string().contains(why), "{range}: {}", report["notes"]);
        assert_eq!(bounds(&report, "y")["holds_for"], "this-path", "{range}");
    }
}

/// A program of these lines, with x anywhere from 0 to 1 and the bounds of z asked for.
fn of_unit_interval(before: &str, body: &str) -> String {
    format!(
        "#include <nonius.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n#include <stdint.h>\n{before}\n\
         int main(void) {{ double x = 0.25, z = 0; nonius_input(&x, 0.0, 1.0); {body} nonius_bounds(&z); return 0; }}\n"
    )
}

fn ends(range: &Value) -> [f64; 2] {
    [range[0].as_f64().unwrap_or(f64::NEG_INFINITY), range[1].as_f64().unwrap_or(f64::INFINITY)]
}

#[test]
fn what_is_no_float_keeps_paths_apart() {
    let programs = [
        // An integer that is used later, in a register or in memory.
        ("", "int n = 0; if (x < 0.5) n = 1; double y = x; z = n ? 1.0 : 100.0; z += 0 * y;"),
        ("static int seen;", "if (x < 0.5) seen = 1; double y = 2 * x; z = seen ? 1.0 : 100.0; z += 0 * y;"),
        // Returned, as a constant on each way.
        ("static int is_low(double x) { if (x < 0.5) return 1; return 0; }", "z = is_low(x) ? 1.0 : 100.0;"),
        // A pointer.
        ("static double one = 1, hundred = 100;", "double *p = &one; if (x >= 0.5) p = &hundred; x = 2 * x; z = *p;"),
        // Where something was stored.
        ("", "double a[2] = {0, 0}; if (x < 0.5) a[0] = 1; else a[1] = 100; z = a[0] + a[1];"),
        // How often a loop ran.
        ("", "int n = 0; double y = x; while (y < 0.75) { y += 0.5; n++; } z = n == 0 ? 100 : 1;"),
    ];
    for (before, body) in programs {
        for level in ["-O0", "-O2"] {
            let (report, _) = build(&of_unit_interval(before, body), level).run("oracle=zonotope:quiet=1");
            let z = bounds(&report, "z");
            let [lo, hi] = ends(&z["value"]);
            assert!(lo <= 1.0 && hi >= 100.0, "{level} {body}: {z} {}", report["notes"]);
        }
    }
}

/// The range of x or of what is made of it, for inputs of [0, 1] that take different ways.
#[test]
fn what_one_path_knows_bounds_nothing_of_the_others() {
    let programs = [
        // Where paths meet at a return, at a block, in memory, and by hand.
        (
            "static double g(double x, int k) { return x + k; }\n\
          static double f(double x) { double r; if (x < 0.5) r = g(x, 0); else r = g(x, 0); return r; }",
            "z = f(x);",
        ),
        ("", "if (x < 0.5) z = x; else z = x + 0.0;"),
        ("static double kept[2];", "if (x < 0.5) kept[0] = x; else kept[0] = x + 0.0; z = kept[0];"),
        ("", "nonius_split(); if (x < 0.5) z = x; else z = x + 0.0; nonius_merge(&z);"),
        // Asked for before a later test of a path that does not meet.
        (
            "static int seen, again;",
            "if (x < 0.25 || x > 0.26) seen = 1; z = x; nonius_bounds(&z);\n\
          if (x < 0.75) again = 1; z = seen + again > 5 ? 2 : 0.5;",
        ),
    ];
    for (before, body) in programs {
        for level in ["-O0", "-O2"] {
            let (report, _) = build(&of_unit_interval(before, body), level).run("oracle=zonotope:quiet=1");
            let z = &report["bounds"].as_array().expect("bounds")[0];
            for domain in ["value", "real"] {
                let [lo, hi] = ends(&z[domain]);
                assert!(lo <= 0.0 && hi >= 1.0, "{level} {body}: {domain} {z}");
            }
        }
    }
}

#[test]
fn a_path_takes_the_ways_of_its_own_inputs() {
    // What the program has is 0.25; where x is above 0.5 a test against 0.4 is certain, and goes the other way.
    let body = "if (x >= 0.5) z = x < 0.4 ? 100 : 1; else z = 0;";
    let by_cast = "if (x >= 0.5) { z = (int)(x * 2) == 0 ? 100 : 1; } else z = 0;";
    for (body, level) in [(body, "-O0"), (body, "-O2"), (by_cast, "-O0"), (by_cast, "-O2")] {
        let (report, _) = build(&of_unit_interval("", body), level).run("oracle=zonotope:quiet=1");
        let z = bounds(&report, "z");
        assert_eq!(ends(&z["value"]), [0.0, 1.0], "{level} {body}: {z}");
        assert_eq!(z["holds_for"], "all-inputs", "{level} {body}: {report}");
    }
}

#[test]
fn functions_of_the_c_library_have_bounds() {
    let programs = [
        ("exp(x)", [1.0, std::f64::consts::E]),
        ("sin(x)", [0.0, 0.841_470_984_807_896_5]),
        ("ldexp(x, -3)", [0.0, 0.125]),
        ("hypot(x, 1 - x)", [std::f64::consts::FRAC_1_SQRT_2, 1.0]),
    ];
    for (f, [least, most]) in programs {
        let (report, _) = build(&of_unit_interval("", &format!("z = {f};")), "-O2").run("oracle=zonotope:quiet=1");
        let z = bounds(&report, "z");
        let [lo, hi] = ends(&z["value"]);
        assert!(lo <= least && hi >= most && hi - lo < 2.0 * (most - least), "{f}: {z}");
        assert!(magnitude(&z["error"]) < 1e-15, "{f}: {z}");
    }
}

#[test]
fn decisions_by_a_floats_bits_are_not_passed_over() {
    let programs = [
        ("-O2", "double y = 1.5 * x; uint64_t u; memcpy(&u, &y, 8); z = u >> 51 & 1 ? 1 : 2;"),
        ("-O0", "z = signbit(x - 0.5) ? 1 : 2;"),
        ("-O2", "z = signbit(x - 0.5) ? 1 : 2;"),
        ("-O2", "int e = ilogb(x + 0.5); z = e;"),
    ];
    for (level, body) in programs {
        let (report, _) = build(&of_unit_interval("", body), level).run("oracle=zonotope:quiet=1");
        assert_eq!(bounds(&report, "z")["holds_for"], "this-path", "{level} {body}: {report}");
    }
    let (report, _) = build(&of_unit_interval("", "z = signbit(x + 1) ? 1 : 2;"), "-O2").run("oracle=zonotope:quiet=1");
    assert_eq!(bounds(&report, "z")["holds_for"], "all-inputs", "a sign that is certain: {report}");
}

#[test]
fn inputs_come_from_options() {
    let source = "#include <nonius.h>\n#include <stdio.h>\n\
        __attribute__((noinline)) double twice(double x) { return 2 * x; }\n\
        int main(void) { double x = 0, z = 0; sscanf(\"1.5\", \"%lf\", &x); z = twice(x); nonius_bounds(&z); return 0; }\n";
    for level in ["-O0", "-O2"] {
        let built = build(source, level);
        let real = |options: &str| {
            let (report, _) = built.run(&format!("oracle=zonotope:quiet=1:{options}"));
            (ends(&bounds(&report, "z")["real"]), report["notes"].to_string())
        };
        assert_eq!(real("").0, [3.0, 3.0]);
        let [lo, hi] = real("inputs='twice(1) in [1, 2]'").0;
        assert!(lo <= 2.0 && hi >= 4.0 && hi - lo < 2.1, "{level} {lo} {hi}");
        let [lo, hi] = real("uncertainty=absolute=0.5").0;
        assert!(lo <= 2.0 && hi >= 4.0 && hi - lo < 2.1, "{level} {lo} {hi}");
        let [lo, hi] = real("uncertainty=1ulp").0;
        assert!(lo < 3.0 && hi > 3.0 && hi - lo < 1e-14, "{level} {lo} {hi}");
        assert!(real("inputs='thrice(1) in [1, 2]'").1.contains("thrice"), "{level}");
        assert!(real("inputs='twice(1) in [2, 3]'").1.contains("not in the range"), "{level}");
    }
}

#[test]
fn what_the_machine_drops_is_not_taken_for_constant() {
    // 512 values fit into 1 MiB; the first ones of the array are dropped.
    let body = "static double a[2000]; for (int i = 0; i < 2000; i++) a[i] = x; z = a[0];";
    let built = build(&of_unit_interval("", body), "-O0");
    let (report, _) = built.run("oracle=zonotope:quiet=1:machine_mib=1");
    assert!(report["notes"].to_string().contains("raise machine_mib"), "{}", report["notes"]);
    let [lo, hi] = ends(&bounds(&report, "z")["value"]);
    assert!(lo <= 0.0 && hi >= 1.0, "{lo} {hi}");
    let (report, _) = built.run("oracle=zonotope:quiet=1");
    assert_eq!(ends(&bounds(&report, "z")["value"]), [0.0, 1.0]);
}

#[test]
fn paths_that_cannot_be_made_are_told() {
    let built = build(JUMP, "-O0");
    let open = |path: &Path| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).expect("our own");
    open(built.folder.path());
    // Root may start as many processes as it likes; nobody else may when there is one.
    let limits = [
        ("setpriv --reuid=65534 --regid=65534 --clear-groups prlimit --nproc=1 ./a", "fork failed"),
        ("ulimit -n 4; exec ./a", "no descriptor is left"),
    ];
    for (shell, why) in limits {
        let mut command = Command::new("sh");
        command.args(["-c", shell]).current_dir(built.folder.path());
        let ran = command.env("NONIUS_OPTIONS", "oracle=zonotope").output().expect("a shell");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(said.contains("incomplete") && said.contains(why), "{shell}: {said}");
        assert!(said.contains("this run's way") && !said.contains("for all inputs"), "{shell}: {said}");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "0.25\n", "{shell}");
        let _ = std::fs::remove_file(built.folder.path().join("out.txt"));
    }
}

#[test]
fn functions_of_one_number_have_bounds() {
    // Whatever the call leaves behind its only argument is none of theirs.
    for (body, least, most) in
        [("z = sin(x);", 0.0, 0.8414), ("z = cbrt(x) + round(x);", 0.0, 2.0), ("z = expf(x);", 1.0, 2.71)]
    {
        for level in ["-O0", "-O2"] {
            let (report, _) = build(&of_unit_interval("", body), level).run("oracle=zonotope:quiet=1");
            let z = bounds(&report, "z");
            let [lo, hi] = ends(&z["value"]);
            assert!(lo <= least && hi >= most && hi - lo < 1.1 * (most - least), "{level} {body}: {z}");
            assert_eq!(z["holds_for"], "all-inputs", "{level} {body}");
        }
    }
}

#[test]
fn a_double_that_a_test_narrowed_is_still_a_double() {
    // x is no float there: rounded to one, it may be up to half an ulp of a float away.
    let body = "double y = x / 3; if (x < 0.5) x = 2 * x; if (y < 0.2) { float f = (float)y; z = f; }";
    for level in ["-O0", "-O2"] {
        let (report, _) = build(&of_unit_interval("", body), level).run("oracle=zonotope:quiet=1");
        let z = bounds(&report, "z");
        let [lo, hi] = ends(&z["error"]);
        let most = f64::from(0.2f32 - 0.2f32.next_down()) / 4.0;
        assert!(lo <= -most && hi >= most, "{level}: {z}");
    }
}

#[test]
fn parts_of_a_range_sharpen_bounds() {
    let built = build(&of_unit_interval("", "z = x * (1 - x) * (x - 0.5);"), "-O2");
    let width = |options: &str| {
        let (report, _) = built.run(&format!("oracle=zonotope:quiet=1:{options}"));
        let z = bounds(&report, "z");
        assert_eq!(z["holds_for"], "all-inputs");
        let [lo, hi] = ends(&z["real"]);
        assert!(lo <= -0.0481 && hi >= 0.0481, "{lo} {hi}");
        hi - lo
    };
    let (whole, parts) = (width("split=1"), width("split=8"));
    assert!(parts < 0.8 * whole && parts < 0.15, "{whole} {parts}");
}

#[test]
fn digits_in_common_of_random_rounding() {
    let source = r#"
#include <nonius.h>
int main(void) {
    volatile double third = 1.0 / 3.0, big = 1e10;
    double good = third * 3.0, bad = (big + third) - big;
    nonius_bounds(&good);
    nonius_bounds(&bad);
    return 0;
}
"#;
    let (report, _) = build(source, "-O2").run("oracle=stochastic:5:quiet=1");
    let digits = |name: &str| bounds(&report, name)["common_digits"].as_f64().expect("digits");
    assert!(digits("good") > 14.0 && digits("bad") < 9.0, "{} {}", digits("good"), digits("bad"));
    let (again, _) = build(source, "-O2").run("oracle=stochastic:5:quiet=1");
    for name in ["good", "bad"] {
        let numbers = |report: &Value| ["common_digits", "value"].map(|key| bounds(report, name)[key].clone());
        assert_eq!(numbers(&again), numbers(&report), "the same seed gives the same run");
    }
}
