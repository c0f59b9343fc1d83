//! What build services read: annotations, summaries, JUnit, code quality. Goldens, and what must hold of any report.

mod common;

use common::{no_sources, sample, sources};
use nonius_finding::{Finding, Kind, Location, ObservedAt, Precision, Program, Report, Severity, Worst};
use nonius_report::{annotate, code_quality, junit, markdown};
use serde_json::Value;

/// Names that would mean something to each of the formats.
const HOSTILE: &str = "f<\"'&>|`*_[x](y)%,:::error::\r\n]]>-- #";

fn hostile() -> Report {
    let mut report = sample();
    for finding in &mut report.findings {
        finding.location.function = HOSTILE.into();
        finding.location.file = format!("a,b:c%{HOSTILE}.c");
        finding.operation = format!("call {HOSTILE}");
    }
    report.notes = vec![HOSTILE.into()];
    report.program.path = format!("/x/{HOSTILE}");
    report
}

fn many(count: u32, kind: Kind) -> Report {
    let mut report = Report::new(Program::default(), "residue");
    let worst = || Worst::new(1.0, 2.0, Precision::Double).with_error(0.5, 1e15, 52.0);
    let finding = |line| Finding::new(kind, ObservedAt::Store, Location::new("a.c", line, 1, "f"), "addition", worst());
    report.findings = (1..=count).map(finding).collect();
    report
}

#[test]
fn annotations_of_github() {
    insta::assert_snapshot!(annotate::github(&sample(), &mut sources(), None));
}

#[test]
fn summary_in_markdown() {
    insta::assert_snapshot!(markdown::write(&sample(), &mut sources()));
}

#[test]
fn test_cases_of_junit() {
    insta::assert_snapshot!(junit::write(&sample(), &mut sources()));
}

#[test]
fn code_quality_of_gitlab() {
    insta::assert_snapshot!(code_quality::write(&sample(), &sources(), None).unwrap());
}

/// Every line is one command; nothing that a program is called can start another, or end a property.
#[test]
fn annotations_hold_what_they_are_given() {
    let text = annotate::github(&hostile(), &mut no_sources(), None);
    assert_eq!(text.lines().count(), sample().findings.len());
    for line in text.lines() {
        let (properties, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (level, properties) = properties.split_once(' ').unwrap();
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
        for property in properties.split(',') {
            let (key, value) = property.split_once('=').unwrap();
            assert!(["file", "line", "endLine", "col", "endColumn", "title"].contains(&key), "{line}");
            assert!(!value.contains(':') && !value.contains('\r'), "{line}");
        }
        for escape in message.split('%').skip(1) {
            assert!(["25", "0D", "0A"].contains(&&escape[..2]), "{message}");
        }
    }
}

#[test]
fn what_github_would_drop_is_counted() {
    let mut report = many(25, Kind::BranchFlip);
    report.findings.extend(many(12, Kind::PrecisionLoss).findings);
    let text = annotate::github(&report, &mut no_sources(), None);
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("::error "), count("::warning ")), (10, 10));
    let rest = "17 more findings without annotation, which GitHub limits to 10 of a level; the report has them all\n";
    assert!(text.ends_with(rest), "{text}");
    assert!(text.starts_with("::error file=a.c,line=1,"), "the worst first: {text}");
    assert_eq!(annotate::github(&many(10, Kind::Nan), &mut no_sources(), None).lines().count(), 10);
    assert_eq!(annotate::github(&many(0, Kind::Nan), &mut no_sources(), None), "");
}

/// A reader of XML, small: elements open and close, attributes are in quotes, and no stray character is left.
fn elements(xml: &str) -> Vec<String> {
    let body = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{text}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let name = tag.trim_end_matches('/').split(' ').next().unwrap().to_owned();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        all.push(tag.to_owned());
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let entity = |rest: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|e| rest.starts_with(e));
    assert!(body.split('&').skip(1).all(entity), "{body}");
    assert!(body.chars().all(|c| c == '\n' || !c.is_control()), "{body}");
    all
}

#[test]
fn junit_is_xml_whatever_things_are_called() {
    for report in [sample(), hostile()] {
        let all = elements(&junit::write(&report, &mut no_sources()));
        let cases = all.iter().filter(|tag| tag.starts_with("testcase ")).count();
        assert_eq!(cases, report.findings.len());
        assert!(all[0].contains(&format!("tests=\"{cases}\" failures=\"{cases}\"")), "{}", all[0]);
    }
    let mut stopped = Report::new(Program::default(), "residue");
    let clean = junit::write(&stopped, &mut no_sources());
    assert!(elements(&clean)[0].contains("tests=\"1\" failures=\"0\" errors=\"0\""), "{clean}");
    stopped.stopped = Some("the <analysis> stopped".into());
    let text = junit::write(&stopped, &mut no_sources());
    assert!(elements(&text)[0].contains("errors=\"1\"") && !text.contains("no findings"), "{text}");
}

/// A case is known again in the next run by its name: a line that moved, or a value that differs, is the same case.
#[test]
fn names_of_cases_are_stable() {
    let names = |report: &Report| -> Vec<String> {
        let all = elements(&junit::write(report, &mut no_sources()));
        all.into_iter().filter(|tag| tag.starts_with("testcase ")).collect()
    };
    let mut moved = sample();
    for finding in &mut moved.findings {
        (finding.location.line, finding.count) = (finding.location.line + 7, 99);
        finding.worst.value *= 2.0;
    }
    assert_eq!(names(&sample()), names(&moved));
}

#[test]
fn markdown_says_it_first_and_folds_the_rest() {
    let text = markdown::write(&sample(), &mut sources());
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains("roots.c")).count();
    assert!(rows >= 4, "{text}");
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
    assert_eq!(text.matches("<details>").count(), sample().findings.len() + 1);
    let silent = markdown::write(&many(0, Kind::Nan), &mut no_sources());
    assert!(silent.starts_with("### Nonius: no findings\n"), "{silent}");
    let lots = markdown::write(&many(150, Kind::Nan), &mut no_sources());
    assert!(lots.contains("50 more findings") && lots.len() < 1 << 20, "{}", lots.len());
}

#[test]
fn markdown_means_nothing_by_names() {
    let text = markdown::write(&hostile(), &mut no_sources());
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        assert_eq!(line.replace("\\|", "").matches('|').count(), 7, "a row of six cells: {line}");
    }
    let tags = ["<details>", "</details>", "<summary>", "</summary>"];
    let bare = tags.iter().fold(text, |text, tag| text.replace(tag, ""));
    assert!(!bare.contains('<') && !bare.contains(" [x]"), "{bare}");
}

#[test]
fn code_quality_has_what_gitlab_asks_for() {
    for sources in [sources(), no_sources()] {
        let issues: Value = serde_json::from_str(&code_quality::write(&sample(), &sources, None).unwrap()).unwrap();
        for issue in issues.as_array().unwrap() {
            for field in ["/description", "/check_name", "/fingerprint", "/location/path"] {
                assert!(issue.pointer(field).and_then(Value::as_str).is_some_and(|text| !text.is_empty()), "{issue}");
            }
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&issue["severity"].as_str().unwrap()));
            assert!(issue.pointer("/location/lines/begin").and_then(Value::as_u64).unwrap() > 0);
        }
    }
    assert_eq!(Severity::usual(Kind::Nan, ObservedAt::Output), Severity::Error);
}
