//! `nonius report`: the formats, and files that are none.

use crate::home::{Folder, NONIUS, finish};
use nonius_finding::{Finding, Kind, Location, ObservedAt, Precision, Program, Report, Worst};
use nonius_report::json;
use std::fs;
use std::process::Stdio;

/// A report with findings on so many lines of `a.c`.
pub fn write_report(folder: &Folder, name: &str, findings: u32) {
    let mut report = Report::new(Program { path: "./a".into(), ..Program::default() }, "residue");
    for line in 1..=findings {
        let location = Location { file: "a.c".into(), line, column: 1, function: "f".into() };
        let worst = Worst::new(0.0, 1.0, Precision::Double).with_error(1.0, 1e16, 53.0);
        report.findings.push(Finding::new(Kind::PrecisionLoss, ObservedAt::Output, location, "subtraction", worst));
    }
    report.summary.findings = u64::from(findings);
    report.summary.operations = u64::from(findings);
    fs::write(folder.path(name), json::write(&report).unwrap()).unwrap();
}

#[test]
fn every_format_comes_out() {
    let folder = Folder::new();
    write_report(&folder, "r.json", 2);
    for (format, sign) in [
        ("", "precision-loss"),
        ("--text", "precision-loss"),
        ("--json", "\"schema\": \"nonius-report/2\""),
        ("--sarif", "\"runs\""),
        ("--html", "<html"),
    ] {
        let left = folder.nonius(&format!("report r.json {format}"));
        assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""), "{format}");
        assert!(left.stdout.contains(sign), "{format}: {}", left.stdout);
        let to_file = folder.nonius(&format!("report {format} r.json -o out"));
        to_file.silent(format);
        assert_eq!(folder.read("out"), left.stdout, "{format}");
    }
    assert_eq!(folder.nonius("report r.json --json").stdout, folder.read("r.json"));
}

#[test]
fn a_file_that_is_no_report_is_told() {
    let folder = Folder::with(&[("text.json", "hello")]);
    for file in ["text.json", "missing.json", "."] {
        let left = folder.nonius(&format!("report {file}"));
        assert_eq!(left.code, Some(2), "{file}");
        assert!(left.stderr.starts_with("nonius: error: ") && left.stderr.contains(file), "{}", left.stderr);
    }
    write_report(&folder, "r.json", 0);
    assert_eq!(folder.nonius("report r.json -o no/such/folder").code, Some(2));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::new();
    write_report(&folder, "r.json", 2000);
    let mut command = folder.command(NONIUS);
    let mut child = command.args(["report", "r.json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn doctor_tells_all_it_looked_at() {
    let folder = Folder::new();
    let left = finish(folder.command(NONIUS).arg("doctor"), "");
    for subject in ["nonius", "clang", "plugin", "runtime", "header", "cpu", "memory"] {
        assert!(left.stdout.lines().any(|l| l.starts_with(subject) && l.contains(" ok ")), "{}", left.stdout);
    }
    // The stand-ins find nothing, and that is noticed.
    assert_eq!(left.code, Some(2));
    assert!(left.stdout.contains("trial    FAILED"), "{}", left.stdout);
}
