//! Bounds, assertions and tasks, where a report has them: by the fields of the schema, places made into links. A list is
//! taken from the report as it is written, so that what this version does not know of an item is carried along.

use super::files::Files;
use super::place;
use crate::source::Sources;
use crate::words::clean;
use nonius_finding::{Location, Report};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A list, by the name that the schema gives it.
const LISTS: [&str; 3] = ["bounds", "assertions", "tasks"];

/// Rows of one list in a page.
const MOST_ROWS: usize = 2000;

pub(super) fn of(report: &Report, files: &mut Files, sources: &mut Sources) -> Map<String, Value> {
    let mut link = |location: &Location| serde_json::to_value(place(location, None, files, sources)).ok();
    crate::json::write(report).map(|json| lists(&json, &mut link)).unwrap_or_default()
}

/// The lists of a report as it is written, all text of them made harmless. All else is skipped, not kept.
fn lists(json: &str, link: &mut impl FnMut(&Location) -> Option<Value>) -> Map<String, Value> {
    #[derive(Deserialize)]
    struct Lists {
        bounds: Option<Vec<Value>>,
        assertions: Option<Vec<Value>>,
        tasks: Option<Vec<Value>>,
    }

    let Ok(Lists { bounds, assertions, tasks }) = serde_json::from_str(json) else { return Map::new() };
    let named = LISTS.into_iter().zip([bounds, assertions, tasks]);
    let full = named.filter_map(|(name, list)| Some((name, list.filter(|list| !list.is_empty())?)));
    let mut rows = |list: Vec<Value>| list.into_iter().take(MOST_ROWS).map(|row| harmless(row, link)).collect();
    full.map(|(name, list)| (name.to_owned(), Value::Array(rows(list)))).collect()
}

fn harmless(value: Value, link: &mut impl FnMut(&Location) -> Option<Value>) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(all) => all.into_iter().map(|one| harmless(one, link)).collect(),
        Value::Object(fields) => {
            let location = fields.contains_key("file").then(|| Value::Object(fields.clone()));
            let place = location.and_then(|fields| serde_json::from_value(fields).ok()).and_then(|l| link(&l));
            let one = |(name, value): (String, Value)| (clean(&name), harmless(value, link));
            place.unwrap_or_else(|| fields.into_iter().map(one).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_as_they_come() {
        let json = r#"{"findings": [{"a": 1}], "tasks": [],
            "bounds": [{"name": "x\u001b", "low": -1.5, "new": {"line": 3},
                "location": {"file": "a.c", "line": 7, "column": 2, "function": "f"}}]}"#;
        let mut link = |location: &Location| Some(Value::String(format!("{}:{}", location.file, location.line)));
        let found = lists(json, &mut link);
        assert_eq!(found.len(), 1);
        assert_eq!(found["bounds"][0]["name"], "x\u{fffd}");
        assert_eq!(found["bounds"][0]["new"]["line"], 3);
        assert_eq!(found["bounds"][0]["location"], "a.c:7");
        assert!(lists("{}", &mut link).is_empty() && lists("[", &mut link).is_empty());
    }
}
