//! JSON: what is written reads back the same and fits the schema; what is broken is refused.

mod common;

use common::sample;
use nonius_finding::{Finding, Kind, Operand, Precision, Program, Report, Worst};
use nonius_report::json::{self, ReadError};
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The schema allows fields it does not know, for later versions; this one must not write any.
fn strict(mut schema: Value) -> Value {
    fn close(node: &mut Value) {
        match node {
            Value::Object(map) => {
                if map.contains_key("properties") {
                    map.insert("additionalProperties".into(), false.into());
                }
                map.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut schema);
    schema
}

fn errors(schema: &Value, report: &Report) -> Vec<String> {
    let instance: Value = serde_json::from_str(&json::write(report).unwrap()).unwrap();
    jsonschema::validator_for(schema).unwrap().iter_errors(&instance).map(|e| e.to_string()).collect()
}

#[test]
fn what_is_written_fits_the_schema() {
    let empty = Report::new(Program::default(), "residue");
    for report in [sample(), empty] {
        assert_eq!(errors(&strict(schema()), &report), [""; 0]);
    }
}

#[test]
fn the_schema_knows_every_word() {
    let schema = schema();
    let words = |pointer: &str| schema.pointer(pointer).unwrap().clone();
    let kinds: Vec<_> = Kind::ALL.iter().map(|k| k.as_str()).collect();
    assert_eq!(words("/$defs/finding/properties/kind/enum"), Value::from(kinds));
    let places: Vec<_> = nonius_finding::ObservedAt::ALL.iter().map(|k| k.as_str()).collect();
    assert_eq!(words("/$defs/finding/properties/observed_at/enum"), Value::from(places));
    let formats: Vec<_> = Precision::ALL.iter().map(|k| k.name()).collect();
    assert_eq!(words("/$defs/worst/properties/precision/enum"), Value::from(formats));
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let mut report = sample();
    report.schema = "nonius-report/3".into();
    assert_eq!(errors(&schema(), &report).len(), 1);
}

#[test]
fn written_text() {
    let mut report = sample();
    report.findings.truncate(1);
    insta::assert_snapshot!(json::write(&report).unwrap());
}

#[test]
fn a_report_reads_back_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.json");
    std::fs::write(&path, json::write(&sample()).unwrap()).unwrap();
    assert_eq!(json::read(&path).unwrap(), sample());
}

#[test]
fn fields_from_the_future_are_ignored_and_old_ones_may_be_missing() {
    let text = json::write(&sample()).unwrap();
    let text = text.replacen("\"oracle\"", "\"new_field\": [1, {}], \"oracle\"", 1);
    assert_eq!(json::parse(text.as_bytes(), "r").unwrap(), sample());
    let mut minimal: Value = serde_json::from_str(&text).unwrap();
    for optional in ["notes", "suppressions_used", "suppressions_unused"] {
        minimal.as_object_mut().unwrap().remove(optional);
    }
    assert!(json::parse(minimal.to_string().as_bytes(), "r").is_ok());
}

#[test]
fn reports_of_the_first_form_are_read() {
    let text = json::write(&sample()).unwrap().replace("nonius-report/2", "nonius-report/1");
    assert_eq!(json::parse(text.as_bytes(), "r").unwrap(), sample());
}

#[test]
fn errors_name_the_file_and_the_reason() {
    let message = |bytes: &[u8]| json::parse(bytes, "r.json").unwrap_err().to_string();
    assert!(message(b"").starts_with("r.json is not a Nonius report: EOF"), "{}", message(b""));
    assert!(message(b"[]").contains("r.json is not a Nonius report: invalid"), "{}", message(b"[]"));
    let other = message(br#"{"schema": "nonius-report/9"}"#);
    assert!(other.starts_with("r.json has schema 'nonius-report/9', this Nonius reads 'nonius-report/2'"), "{other}");
    let unknown_kind = json::write(&sample()).unwrap().replace("\"cast-flip\"", "\"cast-flop\"");
    assert!(message(unknown_kind.as_bytes()).contains("unknown variant `cast-flop`"));
    let missing = json::read(Path::new("/nowhere/r.json")).unwrap_err();
    assert!(matches!(missing, ReadError::Io { .. }) && missing.to_string().contains("/nowhere/r.json"));
    let deep = format!("{{\"schema\": \"nonius-report/2\", \"x\": {}", "[".repeat(1_000_000));
    assert!(message(deep.as_bytes()).contains("EOF while parsing"));
}

fn any_worst() -> impl Strategy<Value = Worst> {
    let precision = proptest::sample::select(Precision::ALL.to_vec());
    (any::<[u64; 6]>(), precision).prop_map(|(bits, precision)| {
        let x = bits.map(f64::from_bits);
        Worst::new(x[0], x[1], precision)
            .with_error(x[2], x[3], x[4])
            .with_radius(x[1])
            .with_operands(&[Operand::new(x[5], x[0]).with_radius(x[2])])
    })
}

proptest! {
    #[test]
    fn every_double_survives(worst in any_worst(), count in any::<u64>(), text in any::<String>()) {
        let mut report = sample();
        report.findings = vec![Finding { worst, count, operation: text.clone(), region: Some(text), ..common::produced_nan() }];
        prop_assert_eq!(json::parse(json::write(&report).unwrap().as_bytes(), "r").unwrap(), report.clone());
        prop_assert_eq!(errors(&strict(schema()), &report), [""; 0]);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(json::parse(&bytes, "r").is_err());
    }

    #[test]
    fn no_broken_report_makes_it_panic(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..8)
    ) {
        let mut bytes = json::write(&sample()).unwrap().into_bytes();
        for (place, byte, edit) in edits {
            let at = place.index(bytes.len());
            match edit {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(report) = json::parse(&bytes, "r") {
            // What still reads must also print.
            common::render_all(&report, &mut common::sources());
        }
    }
}
