//! The text report, held against goldens.

mod common;

use common::*;
use nonius_finding::*;
use nonius_report::{ColorChoice, Sources, text};
use proptest::prelude::*;
use text::TextOptions;

fn render(findings: Vec<Finding>, sources: &mut Sources) -> String {
    let mut report = Report::new(Program::default(), "residue");
    report.findings = findings;
    text::render(&report, sources, &TextOptions::default())
}

#[test]
fn whole_report() {
    let everything = TextOptions { selection: Selection::EVERYTHING, ..TextOptions::default() };
    insta::assert_snapshot!(text::render(&sample(), &mut sources(), &everything));
}

#[test]
fn without_sources() {
    let everything = TextOptions { selection: Selection::EVERYTHING, ..TextOptions::default() };
    insta::assert_snapshot!(text::render(&sample(), &mut no_sources(), &everything));
}

#[test]
fn in_colour() {
    let options = TextOptions { color: ColorChoice::Always, limit: Some(2), ..TextOptions::default() };
    insta::assert_snapshot!(text::render(&sample(), &mut sources(), &options).replace('\u{1b}', "ESC"));
}

#[test]
fn nothing_found_is_nothing_printed() {
    let mut report = sample();
    report.findings.clear();
    let said = text::render(&report, &mut sources(), &TextOptions::default());
    assert!(said.contains("0 findings, 2 suppressed"), "what is suppressed is always said: {said}");
    let suppressed = std::mem::take(&mut report.summary.suppressed);
    assert_eq!(text::render(&report, &mut sources(), &TextOptions::default()), "");
    report.summary.suppressed = suppressed;
    let stats = TextOptions { stats: true, ..TextOptions::default() };
    insta::assert_snapshot!(text::render(&report, &mut sources(), &stats));
}

#[test]
fn nothing_ran() {
    let report = Report::new(Program::default(), "residue");
    let stats = TextOptions { stats: true, ..TextOptions::default() };
    insta::assert_snapshot!(text::render(&report, &mut sources(), &stats));
}

#[test]
fn the_limit_points_to_the_rest() {
    let last_lines = |report_path: Option<&str>| {
        let options =
            TextOptions { limit: Some(0), report_path: report_path.map(str::to_owned), ..TextOptions::default() };
        text::render(&sample(), &mut sources(), &options)
    };
    assert!(last_lines(Some("n.json")).starts_with("nonius: 3 more, see report=n.json\n"));
    assert!(last_lines(None).starts_with("nonius: 3 more, set report=PATH to keep them all\n"));
    assert!(last_lines(None).contains("3 wrong values stored, passed or returned"), "{}", last_lines(None));
}

#[test]
fn what_is_folded_is_said() {
    let classed = |class, line| Finding {
        class: Some(class),
        observed_at: ObservedAt::Store,
        symptoms: vec![],
        location: Location::new("roots.c", line, 1, "f"),
        ..cancelled_output()
    };
    let mut report = sample();
    report.summary.outputs = 1;
    let all = |report: &Report, selection| {
        text::render(report, &mut sources(), &TextOptions { selection, ..TextOptions::default() })
    };
    let usual = all(&report, Selection::default());
    // The variance, and what has no debug information; a NaN is no less wrong for being stored.
    assert!(usual.contains("\nnonius: 3 wrong values stored, passed or returned and never seen to reach an output, folded; all=1 shows them\n"), "{usual}");
    assert!(usual.contains("51 of 53 bits lost in subtraction, seen in output"), "{usual}");
    report.findings.extend([1, 2].map(|line| classed(Class::Residual, line)));
    report.findings.push(classed(Class::Assertion, 3));
    rank(&mut report.findings);
    let usual = all(&report, Selection::default());
    assert!(usual.contains("\nnonius: 2 residuals, 1 equality in an assertion folded; all=1 shows them\n"), "{usual}");
    let everything = all(&report, Selection::EVERYTHING);
    assert!(!everything.contains("folded") && everything.contains("note: a residual: it is what rounding left"));
    let output = all(&report, Selection { focus: Focus::Output, all: false });
    assert!(output.contains("out of focus; focus=all shows them\n") && !output.contains("cast-flip"), "{output}");
}

#[test]
fn a_small_function_is_shown_where_it_is_called() {
    let caller = |line| Location::new("roots.c", line, 9, "main");
    let f = Finding { callers: vec![caller(12), caller(14), caller(20)], symptoms: vec![], ..cancelled_output() };
    let text = render(vec![f], &mut sources());
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(place("--> roots.c:12:") < place("by way of difference") && place("by way of") < place("produced here"));
    assert!(
        text.contains("the same was seen in calls at:\n             roots.c:14:9\n             roots.c:20:9\n"),
        "{text}"
    );
}

#[test]
fn frames_of_code_that_was_not_instrumented_are_one_line() {
    let foreign = |function: &str, module: &str| Frame {
        function: function.into(),
        module: module.into(),
        foreign: true,
        ..Frame::default()
    };
    let mut f = cancelled_output();
    f.stack.truncate(1);
    f.stack.extend([
        foreign("call", "/lib/libpython3.so"),
        foreign("eval", "/lib/libpython3.so"),
        foreign("x", "/y.so"),
    ]);
    let text = render(vec![f], &mut no_sources());
    assert!(text.contains("1-3: 3 frames of code that was not instrumented (libpython3.so, y.so)"), "{text}");
    assert!(!text.contains("eval"), "{text}");
}

#[test]
fn numbers_say_what_they_are() {
    let flip = |operands: [Operand; 2]| {
        let mut f = flipped_branch();
        f.worst.operands = operands.to_vec();
        render(vec![f], &mut no_sources())
    };
    let beside = f64::from_bits(1e100f64.to_bits() + 1);
    let text = flip([Operand::new(1e100, beside).with_radius(1e90), Operand::new(1e100, 1e100)]);
    assert!(text.contains("operands 1e100 (ideal more by 1.9e84) and 1e100"), "{text}");
    let mut cast = flipped_cast();
    (cast.worst.value, cast.worst.shadow) = (9007199254740993e3, 9007199254740994e3);
    let text = render(vec![cast], &mut no_sources());
    assert!(text.contains("conversion to integer gives 9007199254740993024, ideally 9007199254740994048"), "{text}");
    let confirmation = Confirmation {
        verdict: Verdict::Confirmed,
        oracle: "mpfr:256".into(),
        relative_error: 0.0,
        first_error: None,
        count: 1,
    };
    let nan = Finding { confirmation: Some(confirmation), ..produced_nan() };
    let text = render(vec![nan], &mut no_sources());
    assert!(text.contains("confirmed by mpfr:256 in a second run\n") && !text.contains("relative error"), "{text}");
}

#[test]
fn sources_that_are_hard_to_show() {
    let dir = tempfile::tempdir().unwrap();
    let long = format!("x = {}a - b{};", "1 + ".repeat(2000), " + 1".repeat(2000));
    let content =
        [b"\tint a;\t\ta\t-\tb;\n".as_slice(), b"\xff\xe9 = a - b; /* \x1b[31m \0 */\n", long.as_bytes()].concat();
    std::fs::write(dir.path().join("odd.c"), content).unwrap();
    let mut sources = Sources::new(Some(dir.path().to_owned()));
    let at = |line, column| Finding { location: Location::new("odd.c", line, column, "f"), ..flipped_branch() };
    let findings = vec![at(1, 12), at(2, 8), at(3, 8007), at(99, 1), at(2, 999), at(1, 0)];
    insta::assert_snapshot!(render(findings, &mut sources));
}

#[test]
fn no_text_from_a_report_reaches_the_terminal_raw() {
    let evil = "\u{1b}[2J\u{202e}x\r\n\u{7}";
    let mut f = cancelled_output();
    f.operation = evil.into();
    f.id = evil.into();
    f.region = Some(evil.into());
    f.location = Location::new(evil, 3, 1, evil);
    f.observed_location = Some(Location::new("", 0, 0, evil));
    f.worst.value_hex = evil.into();
    f.stack = vec![Frame { function: evil.into(), module: evil.into(), ..Frame::default() }; 40];
    f.causes = vec![
        Cause {
            location: f.location.clone(),
            operation: evil.into(),
            description: evil.into(),
            ..Cause::default()
        };
        40
    ];
    let mut report = sample();
    report.findings = vec![f];
    report.notes = vec![evil.into()];
    report.oracle = evil.into();
    let options = TextOptions { stats: true, report_path: Some(evil.into()), limit: Some(0), ..TextOptions::default() };
    let all = text::render(&report, &mut sources(), &TextOptions::default())
        + &text::render(&report, &mut sources(), &options);
    let raw = all.chars().find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
    assert_eq!(raw, None, "{all}");
}

#[test]
fn every_kind_and_observable_has_its_words() {
    let mut lines = Vec::new();
    for kind in Kind::ALL {
        let f = Finding { kind: *kind, observed_location: None, stack: vec![], causes: vec![], ..cancelled_output() };
        let text = render(vec![f], &mut no_sources());
        lines.extend(text.lines().filter(|l| l.contains(kind.as_str()) || l.contains("help")).map(str::to_owned));
    }
    for observed_at in ObservedAt::ALL {
        let text = render(vec![Finding { observed_at: *observed_at, ..cancelled_output() }], &mut no_sources());
        lines.push(text.lines().next().unwrap_or_default().to_owned());
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn operations_read_as_a_sentence() {
    let headline = |operation: &str| {
        let f = Finding { operation: operation.into(), ..cancelled_output() };
        render(vec![f], &mut no_sources()).lines().next().unwrap_or_default().to_owned()
    };
    for (operation, words) in [
        ("call sqrt", "lost in the call of sqrt,"),
        ("load", "lost in a load,"),
        ("conversion", "lost in a conversion,"),
        ("fused multiply-add", "lost in fused multiply-add,"),
        ("", "lost in an unknown operation,"),
    ] {
        assert!(headline(operation).contains(words), "{}", headline(operation));
    }
}

#[test]
fn unknown_ideals_are_not_shown() {
    let mut f = produced_nan();
    f.worst = Worst::new(f64::INFINITY, f64::NAN, Precision::Double);
    f.kind = Kind::Inf;
    let text = render(vec![f.clone()], &mut no_sources());
    assert!(!text.contains("ideal") && !text.contains("nan"), "{text}");
    f.worst = Worst::new(f64::INFINITY, 1e308, Precision::Float);
    assert!(render(vec![f], &mut no_sources()).contains("value inf, ideal 1e308 ("));
}

fn any_source() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..300),
        any::<String>().prop_map(String::into_bytes),
        "[ab\\t\\r\\n\u{0300}\u{200d}\u{1f600}\u{3042}() -]{0,200}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #[test]
    fn no_source_and_no_place_breaks_a_report(
        source in any_source(), origin in (0..6u32, 0..60u32), seen in (0..6u32, 0..60u32), operation in "(subtraction|sqrt|)"
    ) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.c"), source).unwrap();
        let place = |(line, column)| Location::new("a.c", line, column, "f");
        let mut report = sample();
        report.findings = vec![Finding {
            location: place(origin), observed_location: Some(place(seen)), operation, ..cancelled_output()
        }];
        render_all(&report, &mut Sources::new(Some(dir.path().to_owned())));
    }
}
