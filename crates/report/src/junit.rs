//! JUnit's XML, which every build service can show: a test case a finding, failed; one that passed if there is none.
//!
//! A case keeps its name from run to run, so that services can tell what is new and what was fixed: it has the kind, the
//! function and the id, no line and no number.

use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Finding, Report};
use std::fmt::Write;

/// The report as XML.
pub fn write(report: &Report, sources: &mut Sources) -> String {
    let failures = report.findings.len();
    let errors = usize::from(report.stopped.is_some());
    let skipped = report.known.len();
    let passed = usize::from(failures + errors == 0);
    let counts =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", failures + errors + passed + skipped);
    let program = report.program.path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("program");
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut line = |text: String| xml += &(text + "\n");
    line(format!("<testsuites name=\"nonius\" {counts}>"));
    line(format!("  <testsuite name=\"nonius: {}\" {counts} skipped=\"{skipped}\">", escaped(program)));
    for finding in &report.findings {
        line(case(finding, sources));
    }
    for known in &report.known {
        let (class, name) = named(known, sources);
        line(format!("    <testcase {class} {name}><skipped message=\"in the baseline\"/></testcase>"));
    }
    if let Some(why) = &report.stopped {
        let why = escaped(why);
        line(format!(
            "    <testcase classname=\"nonius\" name=\"analysis\"><error message=\"{why}\">{why}</error></testcase>"
        ));
    }
    if passed > 0 {
        line("    <testcase classname=\"nonius\" name=\"no findings\"/>".to_owned());
    }
    line(format!("    <system-out>{}</system-out>", escaped(&words::totals(report))));
    line("  </testsuite>\n</testsuites>".to_owned());
    xml
}

fn case(f: &Finding, sources: &mut Sources) -> String {
    let (class, name) = named(f, sources);
    let mut text = format!("at {}\n", words::position(&f.location, sources));
    for fact in words::facts(f) {
        let _ = writeln!(text, "{fact}");
    }
    for cause in &f.causes {
        let _ = writeln!(text, "{} at {}", words::cause(cause), words::position(&cause.location, sources));
    }
    for (n, frame) in f.stack.iter().enumerate() {
        let _ = writeln!(text, "  {n}: {}", words::frame(frame, sources));
    }
    let _ = write!(text, "help: {}", words::advice(f));
    // Of a text of several lines, each is clean by itself.
    let text: Vec<String> = text.lines().map(escaped).collect();
    format!(
        "    <testcase {class} {name}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    \
         </testcase>",
        f.kind,
        escaped(&words::headline(f)),
        text.join("\n")
    )
}

/// What a case is known by in the next run.
fn named(f: &Finding, sources: &Sources) -> (String, String) {
    let function = if f.location.function.is_empty() { "an unknown function" } else { &f.location.function };
    let name = escaped(&format!("{} in {function} ({})", f.kind, f.id));
    let file = escaped(crate::sarif::plain(sources.short_path(&f.location.file)));
    match file.is_empty() {
        true => ("classname=\"nonius\"".to_owned(), format!("name=\"{name}\"")),
        false => (format!("classname=\"{file}\""), format!("name=\"{name}\" file=\"{file}\"")),
    }
}

/// Text for an element or an attribute; XML has no way to write control characters at all.
fn escaped(text: &str) -> String {
    let text = clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
