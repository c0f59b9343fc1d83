//! SARIF, held against a golden, against the standard's own schema, and against what readers of it rely on.

mod common;

use common::{no_sources, sample, sources};
use nonius_finding::{BaselineEntry, BaselineOutcome, Cause, Kind, Location, Measured, Program, Report, Suppressed};
use nonius_report::{Sources, sarif};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The log as text, without the folder of this checkout.
fn golden(report: &Report) -> String {
    let checkout = env!("CARGO_MANIFEST_DIR").replace(' ', "%20");
    sarif::write(report, &mut sources()).unwrap().replace(&checkout, "/checkout")
}

fn log(report: &Report, sources: &mut Sources) -> Value {
    serde_json::from_str(&sarif::write(report, sources).unwrap()).unwrap()
}

/// OASIS's schema of the format, as the sources of the crate `serde-sarif` have it.
fn schema() -> jsonschema::Validator {
    let mut cargo = Command::new(env!("CARGO"));
    // Without what other systems would need, which is not downloaded here.
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform"]);
    cargo.arg("x86_64-unknown-linux-gnu").current_dir(env!("CARGO_MANIFEST_DIR"));
    let metadata: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let path = Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("src").join("schema.json");
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    // The patterns of languages have a bracket too many, which is no regular expression.
    for owner in ["run", "toolComponent"] {
        schema["definitions"][owner]["properties"]["language"].as_object_mut().unwrap().remove("pattern").unwrap();
    }
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

/// A report whose first finding has its causes as a graph.
fn with_graph() -> Report {
    let mut report = sample();
    let finding = &mut report.findings[0];
    let node = |node: u32, operands: &[u32], line: u32| Cause {
        location: Location::new("roots.c", line, 9, "difference"),
        operation: "call f[abi:cxx11](int)".into(),
        measured: Some(Measured { node, operands: operands.to_vec(), dominant: true, ..Measured::default() }),
        ..Cause::default()
    };
    finding.causes = vec![node(0, &[1], 6), node(1, &[], 5)];
    report
}

/// A report beside a baseline: two findings are known, one is gone.
fn with_baseline() -> Report {
    let mut report = sample();
    report.known = report.findings.split_off(4);
    let gone = BaselineEntry { place: "a[1].c: addition in f".into(), id: "0123456789ab".into(), kind: Kind::Inf };
    let moved = vec![report.known[1].id.clone()];
    report.baseline = Some(BaselineOutcome { file: "nonius.baseline".into(), gone: vec![gone], moved });
    report
}

#[test]
fn a_baseline_says_what_is_new() {
    let states = |report: &Report| -> Vec<Value> {
        let log = log(report, &mut sources());
        log["runs"][0]["results"].as_array().unwrap().iter().map(|r| r["baselineState"].clone()).collect()
    };
    let expected = ["new", "new", "new", "new", "unchanged", "updated", "absent"];
    assert_eq!(states(&with_baseline()), expected.map(Value::from));
    assert!(states(&sample()).iter().all(Value::is_null), "without a baseline nobody knows");
}

/// A report of which one finding is suppressed.
fn with_suppression() -> Report {
    let mut report = sample();
    let f = report.findings.remove(0);
    report.suppressions_used[0].findings = vec![Suppressed { id: f.id, kind: f.kind, location: f.location }];
    report
}

#[test]
fn what_is_suppressed_is_there_with_the_reason() {
    let log = log(&with_suppression(), &mut sources());
    let results = log["runs"][0]["results"].as_array().unwrap();
    let (dismissed, open): (Vec<_>, Vec<_>) = results.iter().partition(|r| r.get("suppressions").is_some());
    assert_eq!((dismissed.len(), open.len()), (1, sample().findings.len() - 1));
    assert_eq!(dismissed[0]["suppressions"][0]["justification"], "checked by hand");
    assert_eq!(dismissed[0]["partialFingerprints"]["noniusFinding/v2"], sample().findings[0].id);
    let file = &dismissed[0]["suppressions"][0]["location"]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(file, "nonius.supp");
}

#[test]
fn whole_report() {
    insta::assert_snapshot!(golden(&sample()));
}

#[test]
fn what_is_written_fits_the_schema() {
    let schema = schema();
    let mut stopped = sample();
    stopped.stopped = Some("the analysis stopped".into());
    let empty = Report::new(Program::default(), "residue");
    for report in [sample(), with_graph(), with_baseline(), with_suppression(), stopped, empty] {
        for mut sources in [sources(), no_sources(), Sources::new(None)] {
            let log = log(&report, &mut sources);
            let errors: Vec<String> = schema.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
            assert_eq!(errors, [""; 0]);
        }
    }
    let broken = serde_json::json!({ "version": "2.1.0", "runs": [{ "results": [] }] });
    assert!(!schema.is_valid(&broken), "a run without a tool");
}

#[test]
fn results_point_at_their_rules_and_places() {
    for mut sources in [sources(), no_sources()] {
        let log = log(&sample(), &mut sources);
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), sample().findings.len());
        for result in results {
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"];
            assert!(place["artifactLocation"]["uri"].is_string(), "{result}");
            let region = &place["region"];
            assert_eq!(region["startLine"], region["endLine"]);
            if let (Some(start), Some(end)) = (region["startColumn"].as_u64(), region["endColumn"].as_u64()) {
                assert!(0 < start && start < end, "{region}");
            }
        }
    }
}

/// What GitHub shows beside an alert, as its documentation asks for it.
#[test]
fn rules_say_what_they_mean() {
    let log = log(&sample(), &mut sources());
    for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap() {
        let text = |pointer: &str| rule.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        for pointer in ["/shortDescription/text", "/fullDescription/text", "/help/text", "/help/markdown", "/name"] {
            assert!(!text(pointer).is_empty(), "{pointer} of {rule}");
        }
        assert!(text("/fullDescription/text").len() <= 1024);
    }
}

#[test]
fn a_line_is_known_again_by_what_it_says() {
    let hash = |report: &Report, sources: &mut Sources| {
        log(report, sources)["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    let fingerprints = hash(&sample(), &mut sources());
    let line_hash = fingerprints["primaryLocationLineHash"].as_str().unwrap();
    let (digits, count) = line_hash.split_once(':').unwrap();
    assert!(u64::from_str_radix(digits, 16).is_ok() && count == "1", "{line_hash}");
    assert_eq!(hash(&sample(), &mut no_sources()).as_object().unwrap().len(), 1, "ours alone");
    // A comment at the top of the file moves the line, and leaves the hash.
    let folder = tempfile::tempdir().unwrap();
    let source = std::fs::read_to_string(sources().base().unwrap().join("roots.c")).unwrap();
    std::fs::write(folder.path().join("roots.c"), format!("/* new */\n{source}")).unwrap();
    let mut moved = sample();
    moved.findings[0].location.line += 1;
    let there = hash(&moved, &mut Sources::new(Some(folder.path().to_owned())));
    assert_eq!(there["primaryLocationLineHash"], line_hash);
}

/// `[text](id)` of a message leads to the related location of that id; other brackets are escaped.
#[test]
fn messages_link_to_their_places() {
    for report in [sample(), with_graph()] {
        let log = log(&report, &mut sources());
        let result = &log["runs"][0]["results"][0];
        let message = result["message"]["text"].as_str().unwrap();
        let links: Vec<u64> = message.split("](").skip(1).filter_map(|l| l.split_once(')')?.0.parse().ok()).collect();
        let unescaped = message.replace("\\[", "").replace("\\]", "");
        assert_eq!(unescaped.matches('[').count(), links.len(), "{message}");
        assert!(links.len() >= 3, "seen, and two causes: {message}");
        let related = result["relatedLocations"].as_array().unwrap();
        for id in links {
            assert_eq!(related[id as usize]["id"], id);
            assert!(related[id as usize]["physicalLocation"].is_object());
        }
    }
}

#[test]
fn a_code_flow_goes_from_the_first_cause_to_where_it_is_seen() {
    let log = log(&with_graph(), &mut sources());
    let flow = log.pointer("/runs/0/results/0/codeFlows/0/threadFlows/0/locations").unwrap().as_array().unwrap();
    let line = |step: &Value| step.pointer("/location/physicalLocation/region/startLine").unwrap().as_u64().unwrap();
    assert_eq!(line(&flow[0]), 5);
    assert_eq!(line(flow.last().unwrap()), 12, "where it is printed");
    assert!(flow.last().unwrap().pointer("/location/message/text").unwrap().as_str().unwrap().contains("output"));
}
