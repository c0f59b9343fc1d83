//! The page in a browser: tests/page drives Chromium over pages that are made here.
//!
//! Large reports are made up, from the real schema; `NONIUS_PAGES=FOLDER` keeps their pages for looking at.

mod common;

use nonius_finding::*;
use nonius_report::{Sources, html};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const KINDS: [(Kind, ObservedAt); 6] = [
    (Kind::PrecisionLoss, ObservedAt::Output),
    (Kind::PrecisionLoss, ObservedAt::Store),
    (Kind::BranchFlip, ObservedAt::Branch),
    (Kind::PrecisionLoss, ObservedAt::Return),
    (Kind::CastFlip, ObservedAt::Cast),
    (Kind::Nan, ObservedAt::Operation),
];
const LINES: u32 = 240;

/// A source file of numbered statements.
fn source(file: usize) -> String {
    let line = |n: u32| format!("    x[{n}] = sqrt(a[{n}] * a[{n}] + b[{n}]) - a[{n}]; // step {n} of unit {file}\n");
    (1..=LINES).map(line).collect()
}

fn at(folder: &Path, n: usize, line: usize) -> Location {
    let file = folder.join(format!("src/unit_{:02}.c", n % 37)).display().to_string();
    Location::new(&file, line as u32 % LINES + 1, 35, &format!("kernel_{:03}", n % 211))
}

/// Nodes that feed one another, two from each, with a path of blame.
fn causes(folder: &Path, n: usize) -> Vec<Cause> {
    let count = 4 + n as u32 % 7;
    let error = |node: u32| 10f64.powf(-16.0 + 14.0 * f64::from(count - node) / f64::from(count));
    let node = |node: u32| {
        let measured = Measured {
            node,
            operands: [node * 2 + 1, node * 2 + 2].into_iter().filter(|o| *o < count).collect(),
            value: 1.0 + f64::from(node) * 0.37,
            ideal: 1.0 + f64::from(node) * 0.37 * (1.0 + error(node)),
            relative_error: error(node),
            inherited_error: error(node) / 30.0,
            introduced_error: error(node) / 2.0,
            count: 1 + u64::from(node) * n as u64 % 1000,
            dominant: (node + 1).is_power_of_two(),
            ..Measured::default()
        };
        let operation = ["subtraction", "call sqrt", "addition", "multiplication"][node as usize % 4].to_owned();
        let location = at(folder, n, n * 7 + node as usize * 3);
        Cause { location, operation, measured: Some(measured), ..Cause::default() }
    };
    (0..count).map(node).collect()
}

fn finding(folder: &Path, n: usize) -> Finding {
    let (kind, observed_at) = KINDS[n % KINDS.len()];
    let error = 10f64.powf(-(n as f64 * 0.618).fract() * 6.0);
    let ideal = 1.25 + n as f64 * 1e-3;
    let worst = match kind {
        Kind::Nan => Worst::new(f64::NAN, f64::NAN, Precision::Double).with_error(f64::NAN, f64::NAN, f64::NAN),
        Kind::BranchFlip => Worst::new(1.0, 0.0, Precision::Double).with_error(1e-16, 1.0, 1.0),
        Kind::CastFlip => Worst::new(n as f64, n as f64 + 1.0, Precision::Double).with_error(1e-16, 1.0, 1.0),
        _ => Worst::new(ideal * (1.0 + error), ideal, Precision::Double)
            .with_error(error, error * f64::exp2(53.0), 53.0 + error.log2())
            .with_radius(ideal * error * 1e-3),
    };
    let mut f = Finding::new(kind, observed_at, at(folder, n, n * 7), "subtraction", worst);
    f.id = format!("{n:012x}");
    f.count = 1 + (n as u64 * 7919) % 100_000;
    f.observed_location = (!n.is_multiple_of(3)).then(|| at(folder, n, n * 7 + n % 2 * 5));
    f.causes = causes(folder, n);
    f.class = [None, None, Some(Class::Residual), None, Some(Class::OnPurpose)][n % 5];
    let verdict = [Verdict::Confirmed, Verdict::Corrected, Verdict::Open][n % 3];
    f.confirmation =
        Some(Confirmation { verdict, oracle: "mpfr:256".into(), relative_error: error, first_error: None, count: 3 });
    let worst = f.worst.clone();
    let symptom = |k: usize| Symptom {
        kind,
        observed_at: if k == 0 { ObservedAt::Output } else { ObservedAt::Store },
        location: at(folder, n, n * 7 + 11 + k),
        count: 1 + k as u64,
        worst: worst.clone(),
        class: None,
    };
    f.symptoms = (0..n % 4).map(symptom).collect();
    let frame = |k: usize| {
        let place = at(folder, n + k, n * 7 + k);
        let (function, file) = (place.function, place.file);
        Frame { function, file, line: place.line, column: 5, module: "/opt/simulation".into(), ..Frame::default() }
    };
    f.stack = (0..4).map(frame).collect();
    f.tests = if n.is_multiple_of(11) { vec![format!("tests::case_{}", n % 13)] } else { Vec::new() };
    f.programs = vec![format!("t_{}", n % 3)];
    f.ranks = vec![(n % 4) as u32];
    f
}

fn operation(folder: &Path, n: usize) -> OperationStatistics {
    let max_error = 10f64.powf(-16.0 + (n as f64 * 0.377).fract() * 17.0);
    OperationStatistics {
        location: at(folder, n, n * 7),
        operation: ["subtraction", "call sqrt", "addition"][n % 3].into(),
        count: 10u64.pow(n as u32 % 8) + n as u64,
        mean_error: max_error / 7.0,
        max_error,
        introduced_error: max_error / 2.0,
        mean_badness: 1.5,
        max_badness: n as u32 % 53,
        samples: (n < 200).then(|| samples(n, max_error)),
    }
}

/// Errors that grow, stay or jump.
fn samples(n: usize, most: f64) -> ErrorSamples {
    let size = |k: usize| match n % 3 {
        0 => most * 10f64.powf(k as f64 / 8.0 - 6.0),
        1 => most * (0.2 + (k as f64 * 0.618).fract() * 0.8),
        _ => {
            if k % 9 == 8 {
                most
            } else {
                0.0
            }
        }
    };
    ErrorSamples { every: 1 << (n % 8), errors: (0..48).map(size).collect() }
}

/// An iteration whose error grew from stage to stage.
fn stage(folder: &Path) -> Finding {
    let worst = Worst::new(100.0, 6.0, Precision::Double).with_error(15.6, 1e17, 53.0);
    let mut f = Finding::new(Kind::Stage, ObservedAt::Api, at(folder, 5, 77), "addition", worst);
    let errors = (0..30).map(|k| (1e-17 * 13f64.powi(k)).min(15.6)).collect();
    let growth = Growth {
        stages: 30,
        faults: 15,
        first_fault: 4,
        last_fault: 18,
        before: 2.64,
        after: 12.0,
        samples: Some(ErrorSamples { every: 1, errors }),
        ..Growth::default()
    };
    let (location, operation) = (f.location.clone(), f.operation.clone());
    f.causes = vec![Cause { location, operation, growth: Some(growth), ..Cause::default() }];
    f
}

fn bound(folder: &Path, name: &str, holds_for: HoldsFor) -> Bounds {
    let source = |share: f64, operation: &str, line| ErrorSource {
        location: at(folder, 3, line),
        operation: operation.into(),
        error: share * 1e-5,
        share,
    };
    Bounds {
        name: name.into(),
        location: at(folder, 3, 30),
        count: 3,
        actual: 1.375,
        value: Range { lo: 0.25, hi: 2.5 },
        real: Range { lo: 0.3, hi: 2.25 },
        error: Range { lo: -1e-5, hi: 1e-5 },
        relative_error: Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY },
        is_known: true,
        holds_for,
        sources: vec![source(0.7, "input x", 10), source(0.25, "subtraction", 30), source(0.05, "call exp", 28)],
        common_digits: None,
    }
}

/// A report of so many findings, and the sources that it names.
fn large(folder: &Path, findings: usize) -> Report {
    fs::create_dir_all(folder.join("src")).unwrap();
    (0..37.min(findings)).for_each(|n| fs::write(folder.join(format!("src/unit_{n:02}.c")), source(n)).unwrap());
    let program = Program {
        path: "/opt/simulation".into(),
        args: vec!["--steps".into(), "a b".into()],
        pid: 7,
        exit: Some(0),
        ..Program::default()
    };
    let mut report = Report::new(program, "residue");
    report.settled_by = Some("mpfr:256".into());
    report.findings = (0..findings).map(|n| finding(folder, n)).collect();
    if findings == 20 {
        report.findings.push(stage(folder));
        let unknown = Bounds { is_known: false, ..bound(folder, "y", HoldsFor::ThisPath) };
        report.bounds = vec![bound(folder, "<b>x</b>", HoldsFor::AllInputs), unknown];
        let result = |depth: u32| LikelyResult {
            location: at(folder, 2, 12 + depth as usize),
            operation: "addition".into(),
            depth,
            value: 1.5,
            ideal: 1.25,
            relative_error: 0.2,
            badness: 30,
            cancelled_at: Some(at(folder, 2, 9)),
        };
        report.results = vec![result(120), result(7)];
    }
    rank(&mut report.findings);
    if findings > 10 {
        report.known = report.findings.split_off(report.findings.len() - 3);
        let gone = vec![BaselineEntry { place: "src/old.c".into(), id: "abc".into(), kind: Kind::Nan }];
        report.baseline = Some(BaselineOutcome { file: "nonius.baseline".into(), gone, ..BaselineOutcome::default() });
    }
    report.operations = (0..findings * 2).map(|n| operation(folder, n)).collect();
    let seen = |n: usize| Observable {
        location: at(folder, n, n * 7),
        observed_at: if n.is_multiple_of(6) { ObservedAt::Output } else { ObservedAt::Store },
        count: 5,
        max_error: 10f64.powf(-(n as f64 * 0.618).fract() * 12.0),
        not_followed: 0,
        open: u64::from(n % 50 == 49),
        undefined: 0,
        open_by_constants: 0,
    };
    report.observables = (0..findings).map(seen).collect();
    report.summary = common::sample().summary;
    report.summary.findings = report.findings.len() as u64;
    report
}

/// A report whose every word wants to be markup.
fn hostile(folder: &Path) -> Report {
    let evil = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>\"'`${1}&\u{202e}\u{1b}";
    let file = folder.join("src/<img src=x onerror=hacked=1>.c");
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(&file, format!("{evil}\n{}\n{evil}\n", evil.repeat(50))).unwrap();
    let mut report = large(folder, 12);
    for (n, f) in report.findings.iter_mut().enumerate() {
        f.location = Location::new(file.to_str().unwrap(), n as u32 % 3 + 1, 3, evil);
        (f.operation, f.region) = (evil.into(), Some(evil.into()));
        f.tests = vec![evil.into()];
        f.programs = vec![evil.into(), "__proto__".into(), "constructor".into()];
        f.stack = vec![Frame { function: evil.into(), module: evil.into(), ..Frame::default() }];
        f.causes.iter_mut().for_each(|c| (c.operation, c.description) = (evil.into(), evil.into()));
        f.id = if n == 0 { evil.into() } else { format!("__proto__{n}") };
    }
    report.operations.iter_mut().for_each(|o| o.operation = evil.into());
    report.bounds = vec![bound(folder, evil, HoldsFor::AllInputs)];
    report.bounds[0].sources[0].operation = evil.into();
    report.notes = vec![evil.into()];
    (report.oracle, report.tool.name, report.program.path) = (evil.into(), evil.into(), evil.into());
    report.program.args = vec![evil.into()];
    report.summary.coverage.unknown = vec![Unshadowed::new(evil, Loss::Result, 1)];
    report
}

fn write(folder: &Path, name: &str, report: &Report, base: &Path) -> usize {
    let page = html::write(report, &mut Sources::new(Some(base.to_owned())));
    fs::write(folder.join(name), &page).unwrap();
    page.len()
}

#[test]
fn pages_work_in_a_browser() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = std::env::var_os("NONIUS_PAGES").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    let of = |count: usize| write(&folder, &format!("{count}.html"), &large(&folder, count), &folder);
    let sizes = [1, 20, 500, 10_000].map(of);
    assert!(sizes[2] <= 1 << 20, "a page of 500 findings has {} bytes", sizes[2]);
    write(&folder, "hostile.html", &hostile(&folder), &folder);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources");
    write(&folder, "sample.html", &common::sample(), &sources);
    write(&folder, "none.html", &Report::new(Program::default(), "residue"), &folder);
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/page");
    assert!(tests.join("node_modules").is_dir(), "the browser's driver is missing: './x setup --tests' installs it");
    let outcome = Command::new("node")
        .arg("--test")
        .current_dir(&tests)
        .env("PAGES", &folder)
        .output()
        .expect("node is missing: './x setup --tests' installs it");
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(outcome.status.success(), "{text}\n{}", String::from_utf8_lossy(&outcome.stderr));
    println!("bytes of 1, 20, 500 and 10,000 findings: {sizes:?}\n{text}");
}
