//! What a program with findings prints and writes.

mod common;

use common::{Program, stderr, stdout};
use nonius_finding::{Kind, ObservedAt};

const BAD: &str = r#"
__attribute__((noinline)) double f(double x) { double e = 0.25 * x, n = 0; __nonius_check(table, 0, 1, &x, &e, &n, 0, 0, 0); return x; }
int main(void) { printf("%g\n", f(1) + f(2)); return 3; }
"#;

#[test]
fn a_finding_is_printed_and_the_program_stays_as_it_is() {
    let output = Program::new(BAD).run("");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("3\n", Some(3)));
    let text = stderr(&output);
    assert!(text.contains("precision-loss") && text.contains("subtraction") && text.contains("a.c:10:5"), "{text}");
    assert!(text.contains("seen twice") || text.contains("seen 2 times"), "{text}");
    assert!(text.contains("0: f at") && text.contains("1: main at"), "{text}");
}

#[test]
fn nothing_is_printed_where_nothing_is_found() {
    let program = Program::new("int main(void) { check(0, 1.0, 1e-12); return 0; }");
    assert_eq!(stderr(&program.run("")), "");
    assert!(stderr(&program.run("verbose=1")).contains("0 findings"));
}

#[test]
fn the_report_is_written_as_json() {
    let program = Program::new(BAD);
    let output = program.run("report=out.json:quiet=1");
    assert_eq!(stderr(&output), "");
    let report = program.json("out.json");
    assert_eq!(report.findings.len(), 1);
    let finding = &report.findings[0];
    assert_eq!((finding.kind, finding.observed_at, finding.count), (Kind::PrecisionLoss, ObservedAt::Return, 2));
    assert!((finding.worst.relative_error - 0.2).abs() < 1e-15);
    assert_eq!(finding.stack[0].function, "f");
    assert_eq!(report.program.exit, Some(3));
    assert_eq!(report.summary.coverage.functions_run, 1);
    let unknown = &report.summary.coverage.unknown[0];
    assert_eq!((unknown.name.as_str(), unknown.count), ("my_sinh", 7));
}

#[test]
fn a_report_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no such folder/x.json");
    let output = Program::new(BAD).run(&format!("report='{}'", path.display()));
    assert_eq!(output.status.code(), Some(3));
    let told = format!("cannot write the report to {}", path.display());
    assert!(stderr(&output).contains(&told), "{}", stderr(&output));
}

#[test]
fn exitcode_and_halt_change_the_status() {
    let program = Program::new(BAD);
    let output = program.run("exitcode=42");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("3\n", Some(42)));
    let output = program.run("halt=1");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(1)));
    assert!(stderr(&output).contains("precision-loss"));
    assert_eq!(program.run("halt=1:exitcode=9").status.code(), Some(9));
    let clean = Program::new("int main(void) { return 5; }");
    assert_eq!(clean.run("exitcode=42:halt=1").status.code(), Some(5));
}

#[test]
fn buffered_output_survives_a_changed_status() {
    let source = r#"int main(void) { FILE *f = fopen("side", "w"); fputs("kept", f); check(0, 1, 1); return 0; }"#;
    let program = Program::new(source);
    assert_eq!(program.run("exitcode=42").status.code(), Some(42));
    assert_eq!(program.read("side"), "kept");
}

#[test]
fn every_kind_of_hook_makes_its_finding() {
    let source = r#"
    int main(void) {
        double two[2] = {1, 2}, ideal[2] = {3, 2}, v, e;
        __nonius_compare(table, 3, 1, two, ideal, 1, 0);
        v = 2.75, e = 0.5; __nonius_cast(table, 4, 1, &v, &e, 0);
        double origins[2] = {NAN, INFINITY}; __nonius_nonfinite(table, 5, 2, origins, 3);
        v = 1, e = 2; __nonius_load_mismatch(table, 6, 1, &v, &e);
        __nonius_request_check(table, 7, 1.0, 1.0, "x");
        return 0;
    }"#;
    let program = Program::new(source);
    program.run("report=out.json:check_load=1:quiet=1");
    let mut kinds: Vec<_> = program.json("out.json").findings.iter().map(|f| f.kind.as_str()).collect();
    kinds.sort();
    assert_eq!(kinds, ["branch-flip", "cast-flip", "inf", "load-mismatch", "nan", "precision-loss"]);
    program.run("report=out.json:check_branch=0:check_cast=0:check_nan=0:check_inf=0:quiet=1");
    assert_eq!(program.json("out.json").findings.len(), 1);
}

#[test]
fn pure_rounding_error_passes_where_it_is_stored_and_resume_forgets() {
    let source = r#"
    int main(void) {
        double v[2] = {1e-17, 1}, e[2] = {-1e-17, 1}, n[2] = {0, 0};
        __nonius_check(table, 1, 2, v, e, n, 0, 0, 0);
        printf("%g %g\n", e[0], e[1]);
        return 0;
    }"#;
    let program = Program::new(source);
    assert_eq!(stdout(&program.run("")), "-1e-17 1\n");
    let output = program.run("resume=1");
    assert_eq!(stdout(&output), "-1e-17 0\n");
    assert!(stderr(&output).contains("seen once"), "{}", stderr(&output));
}

#[test]
fn suppressions_drop_findings_and_may_resume() {
    let source = r#"
    __attribute__((noinline)) double g(double x) { double e = 1, n = 0; __nonius_check(table, 0, 1, &x, &e, &n, 0, 0, 0); return e; }
    int main(void) { printf("%g\n", g(1)); return 0; }"#;
    let program = Program::new(source);
    let file = program.folder.path().join("s");
    std::fs::write(&file, "precision-loss:frame=g # tested\n").unwrap();
    let output = program.run("suppressions=s:exitcode=7:resume=0");
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("1\n", Some(0)));
    let said = stderr(&output);
    assert!(said.lines().count() == 1 && said.contains("0 findings, 1 suppressed"), "{said}");
    assert_eq!(program.run("suppressions=s:halt=1").status.code(), Some(0));
    std::fs::write(&file, "*:frame=g resume=value # tested\n").unwrap();
    assert_eq!(stdout(&program.run("suppressions=s:resume=0")), "0\n");
    std::fs::write(&file, "*:frame=g resume=shadow # tested\n").unwrap();
    assert_eq!(stdout(&program.run("suppressions=s")), "1\n");
    std::fs::write(&file, "what\n").unwrap();
    let output = program.run("suppressions=s");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("s:1: "), "{}", stderr(&output));
}

#[test]
fn the_text_can_go_to_a_file() {
    let program = Program::new(BAD);
    assert_eq!(stderr(&program.run("log_path='a b.log'")), "");
    assert!(program.read("a b.log").contains("precision-loss"));
}

#[test]
fn statistics_are_printed_on_request() {
    let text = stderr(&Program::new(BAD).run("stats=1"));
    assert!(text.contains("a.c:10:5 return of sub"), "{text}");
    assert!(text.contains("75.0% of 4 operations") || text.contains("75% of 4 operations"), "{text}");
}

#[test]
fn traps_and_rounding_of_the_program_stay_its_own() {
    let source = r#"
    #include <fenv.h>
    double __nonius_r_exp(double, double, double), __nonius_w_log(double), __nonius_r_erf(double, double, double);
    __float128 __nonius_q_log(__float128);
    int main(void) {
        feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
        fesetround(FE_UPWARD);
        feclearexcept(FE_ALL_EXCEPT);
        check(2, 1e-17, -1e-17);
        double big = __nonius_r_exp(1e3, 0, INFINITY), minus = __nonius_w_log(0);
        __nonius_q_log(0);
        __nonius_r_erf(0.5, 1e-18, 0.5);
        EXPECT(fegetround() == FE_UPWARD && fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) == 0);
        EXPECT(big == 0 && minus == -INFINITY);
        return 0;
    }"#;
    let output = Program::new(source).run("");
    assert_eq!(output.status.code(), Some(0), "{:?} {}", output.status, stderr(&output));
    assert!(stderr(&output).contains("relative error at least 377,788"), "{}", stderr(&output));
}

#[test]
fn what_comes_in_bad_is_a_symptom_of_where_it_was_found() {
    // Site 0 is computed where it is checked; what is stored at site 9 is twice that, loaded.
    let source = r#"
    int main(void) {
        double v = 3, e = 1, n = 0;
        __nonius_check(table, 0, 1, &v, &e, &n, 0, 0, 0);
        double twice = 6, its = 2;
        __nonius_check(table, 9, 1, &twice, &its, &n, 3, 1, 0);
        return 0;
    }"#;
    let program = Program::new(source);
    program.run("report=out.json:quiet=1");
    let findings = program.json("out.json").findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((findings[0].count, findings[0].symptoms.len(), findings[0].inherited), (2, 1, false));
}
