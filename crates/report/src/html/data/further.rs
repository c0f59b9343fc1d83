//! Lists of a report that this page has no view of its own for: they are shown as tables, by their fields. Bounds,
//! assertions and tasks have their place here as soon as a report has them.

use crate::words::clean;
use nonius_finding::Report;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A list, by the name that the schema gives it.
const LISTS: [&str; 3] = ["bounds", "assertions", "tasks"];

/// Rows of one list in a page.
const MOST_ROWS: usize = 2000;

pub(super) fn of(report: &Report) -> Map<String, Value> {
    crate::json::write(report).map(|json| lists(&json)).unwrap_or_default()
}

/// The lists of a report as it is written, all text of them made harmless. All else is skipped, not kept.
fn lists(json: &str) -> Map<String, Value> {
    #[derive(Deserialize)]
    struct Lists {
        bounds: Option<Vec<Value>>,
        assertions: Option<Vec<Value>>,
        tasks: Option<Vec<Value>>,
    }

    let Ok(Lists { bounds, assertions, tasks }) = serde_json::from_str(json) else { return Map::new() };
    let named = LISTS.into_iter().zip([bounds, assertions, tasks]);
    let rows = |list: Vec<Value>| list.into_iter().take(MOST_ROWS).map(harmless).collect::<Vec<_>>();
    let full = named.filter_map(|(name, list)| Some((name, list.filter(|list| !list.is_empty())?)));
    full.map(|(name, list)| (name.to_owned(), Value::Array(rows(list)))).collect()
}

fn harmless(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(all) => all.into_iter().map(harmless).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (clean(&name), harmless(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_as_they_come() {
        let json =
            r#"{"findings": [{"a": 1}], "bounds": [{"name": "x\u001b", "low": -1.5, "at": {"line": 3}}], "tasks": []}"#;
        let found = lists(json);
        assert_eq!(found.len(), 1);
        assert_eq!(found["bounds"][0]["name"], "x\u{fffd}");
        assert_eq!(found["bounds"][0]["at"]["line"], 3);
        assert!(lists("{}").is_empty() && lists("[").is_empty());
    }
}
