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
    insta::assert_snapshot!(text::render(&sample(), &mut sources(), &TextOptions::default()));
}

#[test]
fn without_sources() {
    insta::assert_snapshot!(text::render(&sample(), &mut no_sources(), &TextOptions::default()));
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
    assert_eq!(text::render(&report, &mut sources(), &TextOptions::default()), "");
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
    assert!(last_lines(Some("n.json")).starts_with("nonius: 6 more, see report=n.json\n"));
    assert!(last_lines(None).starts_with("nonius: 6 more, set report=PATH to keep them all\n"));
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
