//! A report on the programs in `tests/sources`, with the values and errors they really give;
//! stacks, counts and coverage are made up.

#![allow(dead_code, reason = "each test file uses its part")]

use nonius_finding::*;
use nonius_report::{ColorChoice, Sources, annotate, code_quality, html, junit, markdown, sarif, text};
use std::path::Path;

/// Where the sample report says that the sources are: kept out of the goldens by `Sources`.
pub fn sources() -> Sources {
    Sources::new(Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sources")))
}

/// Source lines that cannot be found.
pub fn no_sources() -> Sources {
    Sources::new(Some("/nowhere".into()))
}

/// Every format, for tests in which nothing must break.
pub fn render_all(report: &Report, sources: &mut Sources) {
    for color in [ColorChoice::Never, ColorChoice::Always] {
        let options = text::TextOptions { color, stats: true, width: 80, ..Default::default() };
        assert!(!text::render(report, sources, &options).is_empty());
    }
    assert!(!html::write(report, sources).is_empty());
    assert!(sarif::write(report, sources).is_ok());
    assert!(code_quality::write(report, sources, None).is_ok());
    assert!(!markdown::write(report, sources).is_empty() && !junit::write(report, sources).is_empty());
    annotate::github(report, sources, None);
}

fn frame(function: &str, file: &str, line: u32, column: u32, inlined: bool) -> Frame {
    Frame {
        function: function.into(),
        file: file.into(),
        line,
        column,
        module: "/home/me/roots".into(),
        address: 0x5555_5555_51a9,
        inlined,
        foreign: false,
    }
}

/// The classic difference of square roots, printed.
pub fn cancelled_output() -> Finding {
    let worst = Worst::new(1.862645149230957e-8, 1.5811388300841893e-8, Precision::Double)
        .with_error(0.1780402288468108, 850800644003009.0, 50.51)
        .with_radius(1.3e-22)
        .with_operands(&[
            Operand::new(31622776.60168381, 31622776.60168381),
            Operand::new(31622776.60168379, 31622776.60168379),
        ]);
    let at = Location::new("roots.c", 6, 21, "difference");
    let mut f = Finding::new(Kind::PrecisionLoss, ObservedAt::Output, at, "subtraction", worst);
    f.observed_location = Some(Location::new("roots.c", 12, 5, "main"));
    f.stack = vec![frame("printf", "", 0, 0, false), frame("main", "roots.c", 12, 5, false)];
    f.stack[0].module = "/lib/x86_64-linux-gnu/libc.so.6".into();
    let rounded = |column, ulps: f64| Cause {
        location: Location::new("roots.c", 6, column, "difference"),
        operation: "sqrt".into(),
        description: format!("rounded by {ulps} ulps"),
        ..Cause::default()
    };
    f.causes = vec![rounded(23, 0.43), rounded(9, 0.33)];
    f.symptoms = vec![symptom_of_flip(), symptom_of_store()];
    f
}

/// What the difference decided, and where it went.
fn symptom_of_flip() -> Symptom {
    let location = Location::new("roots.c", 14, 9, "main");
    let worst = Worst::new(1.0, 0.0, Precision::Double).with_error(0.178, 8e14, 50.5);
    Symptom { kind: Kind::BranchFlip, observed_at: ObservedAt::Branch, location, count: 1, worst, class: None }
}

fn symptom_of_store() -> Symptom {
    let location = Location::new("roots.c", 11, 9, "main");
    let worst =
        Worst::new(3.725290298461914e-8, 3.1622776601683786e-8, Precision::Double).with_error(0.178, 8e14, 50.5);
    Symptom { kind: Kind::PrecisionLoss, observed_at: ObservedAt::Store, location, count: 1200, worst, class: None }
}

pub fn flipped_branch() -> Finding {
    let worst = Worst::new(1.0, 0.0, Precision::Double)
        .with_error(1.6653345369377348e-16, 1.5, 0.58)
        .with_operands(&[Operand::new(0.9999999999999999, 1.0), Operand::new(1.0, 1.0)]);
    let at = Location::new("roots.c", 16, 14, "main");
    Finding::new(Kind::BranchFlip, ObservedAt::Branch, at, "comparison <", worst)
}

pub fn flipped_cast() -> Finding {
    let worst = Worst::new(10.0, 11.0, Precision::Double)
        .with_error(2.1699813663128058e-16, 1.34375, 0.97)
        .with_operands(&[Operand::new(10.999999999999998, 11.0)]);
    let at = Location::new("roots.c", 20, 47, "main");
    Finding::new(Kind::CastFlip, ObservedAt::Cast, at, "conversion to integer", worst)
}

pub fn produced_nan() -> Finding {
    let worst = Worst::new(f64::NAN, f64::NAN, Precision::Double)
        .with_error(f64::NAN, f64::NAN, f64::NAN)
        .with_operands(&[Operand::new(0.0, 0.0), Operand::new(0.0, 0.0)]);
    let at = Location::new("roots.c", 23, 28, "main");
    Finding::new(Kind::Nan, ObservedAt::Operation, at, "division", worst)
}

/// In float, in Rust, where the column is that of the expression.
pub fn lost_variance() -> Finding {
    let worst = Worst::new(0.0, 0.0008332120995968581, Precision::Float)
        .with_error(1.0, 5.9e41, 24.0)
        .with_operands(&[Operand::new(1000098.875, 1000099.0035276148), Operand::new(1000098.875, 1000099.0026944027)]);
    let at = Location::new("sum.rs", 5, 5, "sum::variance");
    let mut f = Finding::new(Kind::PrecisionLoss, ObservedAt::Return, at, "subtraction", worst);
    f.observed_location = Some(Location::new("sum.rs", 6, 2, "sum::variance"));
    f.count = 12_345;
    f.stack = vec![frame("sum::variance", "sum.rs", 5, 5, true), frame("sum::main", "sum.rs", 30, 9, false)];
    f.thread = 3;
    f.region = Some("statistics".into());
    f
}

pub fn without_debug_information() -> Finding {
    let worst = Worst::new(3.5, 0.0, Precision::X87).with_error(f64::INFINITY, f64::INFINITY, 64.0);
    let at = Location::new("", 0, 0, "kernel");
    let mut f = Finding::new(Kind::PrecisionLoss, ObservedAt::Store, at, "addition", worst);
    f.stack = vec![Frame { module: "/opt/libkernel.so".into(), ..Frame::default() }];
    f
}

/// A report of all of the above.
pub fn sample() -> Report {
    let program = Program {
        path: "/home/me/roots".into(),
        args: vec!["-n".into(), "3".into()],
        pid: 4711,
        exit: Some(0),
        ..Program::default()
    };
    let mut report = Report::new(program, "residue");
    report.tool.version = "0.1.0".into();
    report.findings = vec![
        cancelled_output(),
        flipped_branch(),
        flipped_cast(),
        produced_nan(),
        lost_variance(),
        without_debug_information(),
    ];
    rank(&mut report.findings);
    report.summary = Summary {
        findings: report.findings.len() as u64,
        suppressed: 2,
        checks: 48_210,
        operations: 12_345,
        coverage: Coverage {
            functions_run: 14,
            sites: 120,
            operations: 12_345,
            operations_shadowed: 12_251,
            loads: 4_000,
            loads_shadowed: 4_000,
            calls: 77,
            calls_shadowed: 70,
            folded: 3,
            unknown: vec![Unshadowed::new("cblas_ddot", Loss::Result, 6), Unshadowed::new("erfc", Loss::Result, 1)],
            left_alone: Vec::new(),
        },
        underflow: false,
        ill_conditioned: false,
        without_ideal: false,
        outputs: 3,
    };
    let record = |entry: &str, line, count| SuppressionRecord {
        entry: entry.into(),
        reason: "checked by hand".into(),
        file: "nonius.supp".into(),
        line,
        count,
        findings: Vec::new(),
    };
    report.suppressions_used = vec![record("precision-loss:function=lerp*", 3, 9)];
    report.suppressions_unused = vec![record("*:module=libold.so*", 4, 0)];
    report.notes = vec!["libkernel.so was built by another version of Nonius and ran unshadowed".into()];
    report
}
