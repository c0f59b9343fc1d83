//! Annotations: lines in a build's log that GitHub Actions shows beside the source, as workflow commands.
//!
//! A step may make ten annotations of each level; what comes after is dropped without a word. So the worst come first, and
//! what is left out is counted in the log.

use crate::repository;
use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{Finding, Report, Severity};
use std::path::Path;

/// Annotations of one level that GitHub shows of a step.
const MOST_OF_A_LEVEL: usize = 10;

/// The findings as workflow commands, a line each. Paths begin at `root`, the repository's, if it is
/// known.
pub fn github(report: &Report, sources: &mut Sources, root: Option<&Path>) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_level = || report.findings.iter().filter(|f| f.severity == severity);
        for finding in of_level().take(MOST_OF_A_LEVEL) {
            text += &command(finding, sources, root);
        }
        left_out += of_level().skip(MOST_OF_A_LEVEL).count();
    }
    if let Some(why) = &report.stopped {
        text += &format!("::error title=nonius::{}\n", data(&clean(why)));
    }
    if left_out > 0 {
        let more = crate::numbers::counted(left_out as u64, "more finding");
        text += &format!("nonius: {more} without annotation, which GitHub limits to {MOST_OF_A_LEVEL} of a level; ");
        text += "the report has them all\n";
    }
    text
}

fn command(f: &Finding, sources: &mut Sources, root: Option<&Path>) -> String {
    let level = match f.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if f.location.has_line() {
        properties.push(("file", repository::path(&f.location.file, sources, root)));
        properties.push(("line", f.location.line.to_string()));
        properties.push(("endLine", f.location.line.to_string()));
        if let Some(line) = sources.marked_line(&f.location, &f.operation) {
            let column = |byte: usize| (line.text[..byte].chars().count() + 1).to_string();
            properties.push(("col", column(line.span.start)));
            properties.push(("endColumn", column(line.span.end)));
        }
    }
    properties.push(("title", format!("{}: {}", f.kind, words::headline(f))));
    let properties: Vec<String> = properties.iter().map(|(key, value)| format!("{key}={}", property(value))).collect();
    let mut lines = words::facts(f);
    lines.push(format!("help: {}", words::advice(f)));
    format!("::{level} {}::{}\n", properties.join(","), data(&lines.join("\n")))
}

/// What follows the second `::`. A line end would end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
