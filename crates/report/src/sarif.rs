//! SARIF 2.1.0, for code-scanning services and editors: GitHub, GitLab, Qodana, Visual Studio Code.
//!
//! Columns there count characters and ours count bytes: they are converted where the source can
//! be read, and left as they are where it cannot. Fields that the services ask for beyond the standard:
//!
//! | field | for |
//! |---|---|
//! | `fullDescription`, `help` of a rule, `problem.severity`, `precision` | what GitHub shows beside an alert |
//! | `partialFingerprints.primaryLocationLineHash` | GitHub: the same alert in the next run |
//! | `automationDetails.id` up to its last slash | GitHub: one category a program, so that uploads do not replace each other |
//! | `baselineState` | GitHub, editors: what is new, with a baseline |
//! | `suppressions` | GitHub: what was dismissed, and why |
//! | links in a message, `[text](id)` of `relatedLocations` | GitHub, editors: from the message to the places |

mod flow;
mod place;
mod rules;

use crate::source::Sources;
use crate::words::{self, clean};
use nonius_finding::{BaselineEntry, Finding, Frame, Location, Report, Severity, Suppressed, SuppressionRecord};
pub(crate) use place::plain;
use place::{SOURCE_ROOT, location};
use serde_json::{Value, json};

/// Our own fingerprint: the id. Its first form had line numbers in it.
const FINGERPRINT: &str = "noniusFinding/v2";
/// Symptoms that are related locations; `properties` has how many there are.
const MOST_SYMPTOMS: usize = 20;
/// Causes that the message links to; `codeFlows` has those on the way of the error.
const MOST_LINKED: usize = 3;

/// The report as SARIF text, indented, ending in a newline.
pub fn write(report: &Report, sources: &mut Sources) -> Result<String, serde_json::Error> {
    let results = results(report, sources);
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": rules::driver(report) },
            "automationDetails": { "id": format!("nonius/{}/", program_name(report)) },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { SOURCE_ROOT: place::source_root(sources) },
            "invocations": [invocation(report, sources)],
            "results": results,
            "properties": { "oracle": report.oracle, "summary": serde_json::to_value(&report.summary)? },
        }],
    });
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn results(report: &Report, sources: &mut Sources) -> Vec<Value> {
    let with_state = |f: &Finding, state: Option<&str>, sources: &mut Sources| {
        let mut result = result(f, report, sources);
        if let Some(state) = state {
            result["baselineState"] = state.into();
        }
        result
    };
    // Without a baseline nobody knows what is new.
    let is_new = report.baseline.is_some().then_some("new");
    let mut all: Vec<Value> = report.findings.iter().map(|f| with_state(f, is_new, sources)).collect();
    let has_moved = |f: &Finding| report.baseline.as_ref().is_some_and(|baseline| baseline.moved.contains(&f.id));
    let state = |f: &Finding| Some(if has_moved(f) { "updated" } else { "unchanged" });
    all.extend(report.known.iter().map(|f| with_state(f, state(f), sources)));
    all.extend(report.baseline.iter().flat_map(|baseline| &baseline.gone).map(absent));
    for record in &report.suppressions_used {
        all.extend(record.findings.iter().map(|f| suppressed(f, record, sources)));
    }
    all
}

/// A finding of the baseline that is no more.
fn absent(entry: &BaselineEntry) -> Value {
    json!({
        "ruleId": entry.kind.as_str(),
        "ruleIndex": rules::index(entry.kind),
        "level": "none",
        "message": { "text": escaped(&format!("no longer found: {}", clean(&entry.place))) },
        "partialFingerprints": { FINGERPRINT: entry.id },
        "baselineState": "absent",
    })
}

/// A finding that a suppression kept out of the report: services show it as dismissed.
fn suppressed(f: &Suppressed, record: &SuppressionRecord, sources: &mut Sources) -> Value {
    let place = location(&f.location, "", sources);
    let mut result = json!({
        "ruleId": f.kind.as_str(),
        "ruleIndex": rules::index(f.kind),
        "level": "note",
        "message": { "text": escaped(&format!("suppressed: {}", clean(&record.reason))) },
        "partialFingerprints": { FINGERPRINT: f.id },
        "suppressions": [{
            "kind": "external",
            "status": "accepted",
            "justification": clean(&record.reason),
            "location": location(&Location::new(&record.file, record.line, 0, ""), "", sources),
        }],
    });
    if place.get("physicalLocation").is_some() {
        result["locations"] = json!([place]);
    }
    if let Some(hash) = sources.line_hash(&f.location) {
        result["partialFingerprints"]["primaryLocationLineHash"] = hash.into();
    }
    result
}

/// The program without its folder, which is another on every machine.
fn program_name(report: &Report) -> String {
    let name = report.program.path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("program");
    clean(name)
}

fn invocation(report: &Report, sources: &Sources) -> Value {
    let told = |level: &str, text: &String| json!({ "level": level, "message": { "text": text } });
    let doubts = words::doubts(report, &Sources::new(None));
    let notes = doubts.iter().chain(&report.notes).map(|note| told("note", note));
    let notes: Vec<_> = notes.chain(report.stopped.iter().map(|why| told("error", why))).collect();
    let mut invocation = json!({
        // Of the analysis, not of the program.
        "executionSuccessful": report.stopped.is_none(),
        "processId": report.program.pid,
        "arguments": report.program.args,
        "executableLocation": place::artifact(&report.program.path, sources),
        "toolExecutionNotifications": notes,
    });
    if let Some(exit) = report.program.exit {
        invocation["exitCode"] = exit.into();
    }
    invocation
}

fn result(f: &Finding, report: &Report, sources: &mut Sources) -> Value {
    let related = related(f, sources);
    let mut result = json!({
        "ruleId": f.kind.as_str(),
        "ruleIndex": rules::index(f.kind),
        "level": level(f.severity),
        "message": { "text": message(f, &related) },
        "locations": [place::of_finding(f, &report.program.path, sources)],
        "partialFingerprints": { FINGERPRINT: f.id },
        "occurrenceCount": f.count.max(1),
        "properties": {
            "observed_at": f.observed_at.as_str(),
            "operation": f.operation,
            "symptoms": f.symptoms.len(),
            "worst": serde_json::to_value(&f.worst).unwrap_or_default(),
        },
    });
    if let Some(hash) = sources.line_hash(&f.location) {
        result["partialFingerprints"]["primaryLocationLineHash"] = hash.into();
    }
    if !related.is_empty() {
        result["relatedLocations"] = related_locations(&related, sources).into();
    }
    if let Some(flow) = flow::of_finding(f, sources) {
        result["codeFlows"] = json!([flow]);
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

/// A place that belongs to a finding; its number in the list is its id.
struct Related<'a> {
    place: &'a Location,
    operation: &'a str,
    text: String,
    is_cause: bool,
}

fn related<'a>(f: &'a Finding, sources: &Sources) -> Vec<Related<'a>> {
    let seen = f.observed_location.iter().map(|place| {
        let observable = words::observable(f.observed_at).map(|o| format!(", in {o}")).unwrap_or_default();
        Related { place, operation: "", text: format!("seen here{observable}"), is_cause: false }
    });
    let symptoms = f.symptoms.iter().take(MOST_SYMPTOMS).map(|s| {
        let text = words::symptom(s, sources);
        Related { place: &s.location, operation: "", text, is_cause: false }
    });
    let causes = f.causes.iter().map(|c| {
        let text = words::cause(c);
        Related { place: &c.location, operation: &c.operation, text, is_cause: true }
    });
    seen.chain(symptoms).chain(causes).collect()
}

fn related_locations(related: &[Related], sources: &mut Sources) -> Vec<Value> {
    let with_id = |(id, related): (usize, &Related)| {
        let mut place = location(related.place, related.operation, sources);
        place["id"] = id.into();
        place["message"] = json!({ "text": escaped(&related.text) });
        place
    };
    related.iter().enumerate().map(with_id).collect()
}

/// The words of the text report, and links to the places where the error comes from.
fn message(f: &Finding, related: &[Related]) -> String {
    let mut lines = vec![escaped(&words::headline(f))];
    lines.extend(words::facts(f).iter().map(|fact| escaped(fact)));
    let has_place = |related: &Related| related.place.has_line();
    for (id, seen) in related.iter().enumerate().filter(|(_, r)| !r.is_cause && has_place(r)).take(1) {
        lines.push(format!("[{}]({id})", escaped(&seen.text)));
    }
    for (id, cause) in related.iter().enumerate().filter(|(_, r)| r.is_cause && has_place(r)).take(MOST_LINKED) {
        lines.push(format!("from: [{}]({id})", escaped(&cause.text)));
    }
    lines.push(format!("help: {}", escaped(words::advice(f))));
    lines.join("\n")
}

/// Brackets are links to a reader of SARIF unless they are escaped: `f[abi:cxx11](int)` is none.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

fn stack_frame(frame: &Frame, sources: &mut Sources) -> Value {
    let place = Location::new(&frame.file, frame.line, frame.column, &frame.function);
    let mut value = json!({ "location": location(&place, "", sources) });
    if !frame.module.is_empty() {
        value["module"] = frame.module.clone().into();
    }
    value
}
