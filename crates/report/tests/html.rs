//! The HTML page: one file, everything escaped, its list complete without its script. What the script does with it is tested
//! in a browser, by `page.rs`.

mod common;

use common::*;
use nonius_finding::*;
use nonius_report::{Sources, html};

/// The part of the page that the report decides, without the packed data.
fn body(page: &str) -> &str {
    let start = page.find("<body>").unwrap();
    let end = page.find("<script type").unwrap();
    &page[start..end]
}

#[test]
fn whole_report() {
    let page = html::write(&sample(), &mut sources());
    // A tag a line, to make differences readable.
    insta::assert_snapshot!(body(&page).replace("><", ">\n<"));
}

#[test]
fn nothing_found_says_so() {
    let page = html::write(&Report::new(Program::default(), "residue"), &mut sources());
    assert!(page.contains("Nothing was found."));
    assert!(!page.contains("id=\"findings\""));
}

#[test]
fn the_page_loads_nothing() {
    let page = html::write(&sample(), &mut sources());
    for outside in ["http:", "https:", "src=", "href=", "@import", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(outside), "{outside}");
    }
    // A drawing names its own arrows.
    assert_eq!(page.matches("url(").count(), page.matches("url(#").count());
    // Nothing but this style and this script, by their hashes.
    let policy =
        page.split("content=\"").find(|part| part.starts_with("default-src")).unwrap().split('"').next().unwrap();
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-") && policy.contains("; script-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe") && !policy.contains("connect-src"), "{policy}");
}

#[test]
fn nothing_in_a_report_becomes_markup() {
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\u{202e}\u{1b}";
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("evil.c");
    std::fs::write(&file, format!("{evil}\n{}\n", evil.repeat(200))).unwrap();
    let mut f = cancelled_output();
    f.operation = evil.into();
    f.id = evil.into();
    f.region = Some(evil.into());
    f.worst.value_hex = evil.into();
    f.location.file = file.to_str().unwrap().into();
    f.location.function = evil.into();
    f.location.line = 1;
    f.observed_location = Some(Location::new("evil.c", 2, 9000, evil));
    f.stack = vec![Frame { function: evil.into(), module: evil.into(), ..Frame::default() }];
    f.causes = vec![Cause { operation: evil.into(), description: evil.into(), ..Cause::default() }];
    let mut report = sample();
    report.findings = vec![f, Finding { location: Location::new(evil, 0, 0, evil), ..produced_nan() }];
    report.notes = vec![evil.into()];
    report.oracle = evil.into();
    report.tool.name = evil.into();
    report.program.path = evil.into();
    report.program.args = vec![evil.into()];
    report.summary.coverage.unknown = vec![Unshadowed::new(evil, Loss::Result, 1)];
    report.suppressions_used[0].entry = evil.into();
    report.suppressions_used[0].reason = evil.into();
    report.suppressions_used[0].file = evil.into();
    let page = html::write(&report, &mut Sources::new(Some(dir.path().to_owned())));
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), page.matches("<script").count());
    assert!(!page.contains("<img"));
    assert!(!page.contains("\"'&\u{fffd}"), "quotes and ampersands are escaped");
    assert!(!page.contains(['\u{202e}', '\u{1b}']));
}

#[test]
fn a_page_that_is_served_asks_its_server_alone() {
    let page = html::write_live(&sample(), &mut sources());
    assert!(page.contains("connect-src 'self'") && page.contains("fetch(\"version\""));
}

#[test]
fn produced_and_seen_on_one_line_are_shown_once() {
    let mut report = sample();
    report.findings.truncate(1);
    let mut page = |line| {
        report.findings[0].observed_location = Some(Location::new("roots.c", line, 3, "main"));
        html::write(&report, &mut sources())
    };
    assert_eq!(body(&page(12)).matches("<figure>").count(), 2);
    assert_eq!(body(&page(6)).matches("<figure>").count(), 1);
}
