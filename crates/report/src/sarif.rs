//! SARIF 2.1.0, for code-scanning services and editors.
//!
//! Columns there count characters and ours count bytes: they are converted where the source can
//! be read, and left as they are where it cannot.

use crate::source::Sources;
use crate::words;
use nonius_finding::{Finding, Frame, Kind, Location, Report, Severity};
use serde_json::{Map, Value, json};

/// Symptoms that are related locations; `properties` has how many there are.
const MOST_SYMPTOMS: usize = 20;
/// Paths below the base directory are given relative to this, as code-scanning services want it.
const SOURCE_ROOT: &str = "%SRCROOT%";

/// The report as SARIF text, indented, ending in a newline.
pub fn write(report: &Report, sources: &mut Sources) -> Result<String, serde_json::Error> {
    let results: Vec<_> = report.findings.iter().map(|f| result(f, sources)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver(report) },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(report)],
            "results": results,
            "properties": { "oracle": report.oracle, "summary": serde_json::to_value(&report.summary)? },
        }],
    });
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn driver(report: &Report) -> Value {
    let rules: Vec<_> = Kind::ALL
        .iter()
        .map(|kind| {
            json!({
                "id": kind.as_str(),
                "shortDescription": { "text": words::meaning(*kind) },
                "defaultConfiguration": { "level": "warning" },
            })
        })
        .collect();
    json!({ "name": report.tool.name, "version": report.tool.version, "rules": rules })
}

fn invocation(report: &Report) -> Value {
    let told = |level: &str, text: &String| json!({ "level": level, "message": { "text": text } });
    let doubts = words::doubts(report, &Sources::new(None));
    let notes = doubts.iter().chain(&report.notes).map(|note| told("note", note));
    let notes: Vec<_> = notes.chain(report.stopped.iter().map(|why| told("error", why))).collect();
    let mut invocation = json!({
        // Of the analysis, not of the program.
        "executionSuccessful": report.stopped.is_none(),
        "processId": report.program.pid,
        "arguments": report.program.args,
        "executableLocation": { "uri": uri(&report.program.path) },
        "toolExecutionNotifications": notes,
    });
    if let Some(exit) = report.program.exit {
        invocation["exitCode"] = exit.into();
    }
    invocation
}

fn result(f: &Finding, sources: &mut Sources) -> Value {
    let mut result = json!({
        "ruleId": f.kind.as_str(),
        "ruleIndex": Kind::ALL.iter().position(|k| *k == f.kind),
        "level": level(f.severity),
        "message": { "text": message(f) },
        "locations": [location(&f.location, &f.operation, sources)],
        "partialFingerprints": { "noniusFinding/v1": f.id },
        "occurrenceCount": f.count.max(1),
        "properties": {
            "observed_at": f.observed_at.as_str(),
            "operation": f.operation,
            "symptoms": f.symptoms.len(),
            "worst": serde_json::to_value(&f.worst).unwrap_or_default(),
        },
    });
    let related = related_locations(f, sources);
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if !f.stack.is_empty() {
        let frames: Vec<_> = f.stack.iter().map(|frame| stack_frame(frame, sources)).collect();
        result["stacks"] = json!([{ "message": { "text": "where the value was seen" }, "frames": frames }]);
    }
    result
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn message(f: &Finding) -> String {
    let mut lines = vec![words::headline(f)];
    lines.extend(words::facts(f));
    lines.push(format!("help: {}", words::advice(f)));
    lines.join("\n")
}

fn related_locations(f: &Finding, sources: &mut Sources) -> Vec<Value> {
    let seen = f.observed_location.iter().map(|l| {
        let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
        (l, String::new(), format!("seen here{observable}"))
    });
    let symptoms = f.symptoms.iter().take(MOST_SYMPTOMS);
    let symptoms = symptoms.map(|s| (&s.location, String::new(), words::symptom(s, sources)));
    let causes = f.causes.iter().map(|c| (&c.location, c.operation.clone(), words::cause(c)));
    let places: Vec<_> = seen.chain(symptoms).chain(causes).collect();
    places
        .into_iter()
        .enumerate()
        .map(|(id, (place, operation, text))| {
            let mut related = location(place, &operation, sources);
            related["id"] = id.into();
            related["message"] = json!({ "text": text });
            related
        })
        .collect()
}

fn location(place: &Location, operation: &str, sources: &mut Sources) -> Value {
    let mut fields = Map::new();
    if !place.file.is_empty() {
        let mut physical = json!({ "artifactLocation": artifact(&place.file, sources) });
        if place.line > 0 {
            physical["region"] = region(place, operation, sources);
        }
        fields.insert("physicalLocation".into(), physical);
    }
    if !place.function.is_empty() {
        let function = json!([{ "fullyQualifiedName": place.function, "kind": "function" }]);
        fields.insert("logicalLocations".into(), function);
    }
    fields.into()
}

fn region(place: &Location, operation: &str, sources: &mut Sources) -> Value {
    let mut region = json!({ "startLine": place.line });
    match sources.marked_line(place, operation) {
        Some(line) => {
            let column = |byte: usize| line.text[..byte].chars().count() + 1;
            region["startColumn"] = column(line.span.start).into();
            region["endColumn"] = column(line.span.end).into();
            region["snippet"] = json!({ "text": line.text });
        }
        None if place.column > 0 => region["startColumn"] = place.column.into(),
        None => {}
    }
    region
}

fn stack_frame(frame: &Frame, sources: &mut Sources) -> Value {
    let place = Location::new(&frame.file, frame.line, frame.column, &frame.function);
    let mut value = json!({ "location": location(&place, "", sources) });
    if !frame.module.is_empty() {
        value["module"] = frame.module.clone().into();
    }
    value
}

fn artifact(file: &str, sources: &Sources) -> Value {
    let short = sources.short_path(file);
    if short.starts_with('/') {
        json!({ "uri": uri(short) })
    } else {
        json!({ "uri": uri(short), "uriBaseId": SOURCE_ROOT })
    }
}

/// A path as a URI: absolute ones become `file://`, and what a URI may not hold is escaped.
fn uri(path: &str) -> String {
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b'+' => {
                text.push(char::from(byte));
            }
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("/home/me/a b/ü.c"), "file:///home/me/a%20b/%C3%BC.c");
        assert_eq!(uri("src/a:b#?.c"), "src/a%3Ab%23%3F.c");
    }
}
