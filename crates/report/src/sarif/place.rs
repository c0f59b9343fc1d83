//! Places in SARIF: relative to the source root, as services that check the repository out elsewhere want them.

use crate::source::Sources;
use nonius_finding::{Finding, Location};
use serde_json::{Map, Value, json};

/// Paths below the base directory are given relative to this, as code-scanning services want it.
pub(super) const SOURCE_ROOT: &str = "%SRCROOT%";

/// Where the source root was in this run.
pub(super) fn source_root(sources: &Sources) -> Value {
    match sources.base().and_then(|base| base.to_str()) {
        Some(base) => json!({ "uri": format!("{}/", uri(base.trim_end_matches('/'))) }),
        None => json!({ "description": { "text": "the root of the repository" } }),
    }
}

/// The place of a finding. Services refuse a result that is in no file: one without a line is in its object.
pub(super) fn of_finding(f: &Finding, program: &str, sources: &mut Sources) -> Value {
    let mut place = location(&f.location, &f.operation, sources);
    if f.location.file.is_empty() {
        let module = f.stack.iter().map(|frame| frame.module.as_str()).find(|module| !module.is_empty());
        place["physicalLocation"] = json!({ "artifactLocation": artifact(module.unwrap_or(program), sources) });
    }
    place
}

pub(super) fn location(place: &Location, operation: &str, sources: &mut Sources) -> Value {
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
    let mut region = json!({ "startLine": place.line, "endLine": place.line });
    match sources.marked_line(place, operation) {
        Some(line) => {
            let column = |byte: usize| line.text[..byte].chars().count() + 1;
            region["startColumn"] = column(line.span.start).into();
            region["endColumn"] = column(line.span.end).into();
            region["snippet"] = json!({ "text": line.text });
        }
        None if place.column > 0 => {
            region["startColumn"] = place.column.into();
            region["endColumn"] = (u64::from(place.column) + 1).into();
        }
        None => {}
    }
    region
}

pub(super) fn artifact(file: &str, sources: &Sources) -> Value {
    let short = sources.short_path(file);
    if short.starts_with('/') {
        json!({ "uri": uri(short) })
    } else {
        json!({ "uri": uri(plain(short)), "uriBaseId": SOURCE_ROOT })
    }
}

/// Without `./` at its beginning, which services do not take for the same file.
pub(crate) fn plain(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    path
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
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("/home/me/a b/ü.c"), "file:///home/me/a%20b/%C3%BC.c");
        assert_eq!(uri("src/a:b#?.c"), "src/a%3Ab%23%3F.c");
    }

    #[test]
    fn paths_are_relative_to_the_source_root() {
        let sources = Sources::new(Some("/home/me/my project".into()));
        let inside = json!({ "uri": "src/a.c", "uriBaseId": SOURCE_ROOT });
        for path in ["/home/me/my project/src/a.c", "src/a.c", "./src/a.c", ".//src/a.c"] {
            assert_eq!(artifact(path, &sources), inside, "{path}");
        }
        assert_eq!(artifact("/usr/include/math.h", &sources), json!({ "uri": "file:///usr/include/math.h" }));
        assert_eq!(source_root(&sources), json!({ "uri": "file:///home/me/my%20project/" }));
    }
}
