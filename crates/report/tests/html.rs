//! The HTML page: one file, everything escaped, complete without its script.

mod common;

use common::*;
use nonius_finding::*;
use nonius_report::{Sources, html};

/// The part of the page that the report decides.
fn body(page: &str) -> &str {
    let start = page.find("<body>").unwrap();
    let end = page.rfind("<script>").unwrap();
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
    for outside in ["http:", "https:", "src=", "href=", "url(", "@import", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
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
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains("<img"));
    assert!(!page.contains("\"'&\u{fffd}"), "quotes and ampersands are escaped");
    assert!(!page.contains(['\u{202e}', '\u{1b}']));
}
