//! Pages of reference that the code itself writes: fields of the report by its schema, requests by the header, commands
//! and the compiler's options by what `nonius` says of itself. The table of run options in `docs/options.md` is held to the
//! code by a test of `nonius-options`.

use crate::tools::{nonius_binary, tests_root};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A page with each line `{{generated NAME}}` replaced.
pub fn expand(page: &str, project: &Path) -> Result<String> {
    let mut lines = Vec::new();
    for line in page.lines() {
        let name = line.strip_prefix("{{generated ").and_then(|rest| rest.strip_suffix("}}"));
        lines.push(match name {
            Some("report") => report(&fs::read_to_string(project.join("docs/report.schema.json"))?)?,
            Some("api") => requests(&fs::read_to_string(project.join("include/nonius.h"))?)?,
            Some("commands") => commands()?,
            Some("compiler-options") => text_block(&nonius(&["cc", "--nonius-help"])?),
            Some(other) => bail!("nothing generates '{other}'"),
            None => line.to_owned(),
        });
    }
    Ok(lines.join("\n") + "\n")
}

/// The schema as tables, a list or object at the top each.
fn report(schema: &str) -> Result<String> {
    let schema: Value = serde_json::from_str(schema).context("docs/report.schema.json is no JSON")?;
    let defs = schema["$defs"].as_object().cloned().unwrap_or_default();
    let top = schema["properties"].as_object().context("the schema has no properties")?;
    let mut text = String::new();
    for (name, field) in top {
        text += &format!("## `{name}`\n\n{}\n\n", said(field, &defs));
        let mut rows = Vec::new();
        fields(field, "", &defs, &mut rows);
        if !rows.is_empty() {
            text += &format!("| field | type | meaning |\n|---|---|---|\n{}\n\n", rows.join("\n"));
        }
    }
    Ok(text)
}

/// What a definition refers to, with its own words before those of the other.
fn resolved<'a>(field: &'a Value, defs: &'a Map<String, Value>) -> &'a Value {
    let name = field["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| defs.get(name)).unwrap_or(field)
}

fn said(field: &Value, defs: &Map<String, Value>) -> String {
    let own = field["description"].as_str().or_else(|| resolved(field, defs)["description"].as_str());
    own.unwrap_or_default().replace('|', "\\|")
}

fn kind(field: &Value) -> String {
    if let Some(name) = field["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return name.to_owned();
    }
    if let Some(words) = field["enum"].as_array() {
        return words.iter().filter_map(Value::as_str).map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
    }
    match field["type"].as_str() {
        Some("array") => format!("list of {}", kind(&field["items"])),
        Some(name) => name.to_owned(),
        None => String::new(),
    }
}

/// Rows of an object's fields, and of those of objects in it. Definitions that come again and again are told where they are
/// first: locations, frames and findings would repeat themselves.
fn fields(field: &Value, prefix: &str, defs: &Map<String, Value>, rows: &mut Vec<String>) {
    const TOLD_ONCE: [&str; 3] = ["location", "frame", "number"];
    let name = field["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    if name.is_some_and(|name| TOLD_ONCE.contains(&name)) {
        return;
    }
    let field = resolved(field, defs);
    if field["type"] == "array" {
        return fields(&field["items"], prefix, defs, rows);
    }
    let required: Vec<&str> = field["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, inner) in field["properties"].as_object().into_iter().flatten() {
        let path = format!("{prefix}{name}");
        let optional = if required.contains(&name.as_str()) { "" } else { ", optional" };
        rows.push(format!("| `{path}` | {}{optional} | {} |", kind(inner), said(inner, defs)));
        fields(inner, &format!("{path}."), defs, rows);
    }
}

/// The requests that the header's first comment lists, as tables.
fn requests(header: &str) -> Result<String> {
    const COLUMN: usize = 26;
    let comment = header.split("*/").next().context("the header has no comment")?;
    let mut text = String::from("| request | what it does |\n|---|---|\n");
    let mut row: Option<(String, String)> = None;
    let end = |row: &mut Option<(String, String)>, text: &mut String| {
        if let Some((name, what)) = row.take() {
            *text += &format!("| `{name}` | {} |\n", what.trim());
        }
    };
    for line in comment.lines().skip(1) {
        let line = line.trim_start_matches(" *").trim_end();
        let (indent, words) = (line.len() - line.trim_start().len(), line.trim());
        let is_request = indent == 3
            && (words.starts_with("nonius_") || words.starts_with("NONIUS_") || words.starts_with("const "));
        if is_request {
            end(&mut row, &mut text);
            let (name, what) = words.split_once("  ").unwrap_or((words, ""));
            row = Some((name.trim().to_owned(), what.trim().to_owned()));
        } else if let Some((_, what)) = row.as_mut().filter(|_| indent >= COLUMN) {
            *what = format!("{what} {words}");
        } else if indent == 3 && !words.is_empty() {
            end(&mut row, &mut text);
            let is_new = words.starts_with("For ");
            text += &if is_new { format!("\n{words}") } else { format!(" {words}") };
            if words.ends_with('.') || words.ends_with(':') {
                text += "\n\n| request | what it does |\n|---|---|\n";
            }
        }
    }
    end(&mut row, &mut text);
    Ok(text)
}

/// What each command says of itself.
fn commands() -> Result<String> {
    let overview = nonius(&["help"])?;
    let listed = overview.split_once("Commands:").context("nonius help lists no commands")?.1;
    let lines = listed.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let entries = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = entries.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let mut text = text_block(&overview);
    for name in names {
        text += &format!("\n## nonius {name}\n\n{}", text_block(&nonius(&["help", name])?));
    }
    Ok(text)
}

fn text_block(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end())
}

fn nonius(words: &[&str]) -> Result<String> {
    let binary = nonius_binary(&tests_root()?)?;
    let output = Command::new(binary).args(words).env("COLUMNS", "100").output()?;
    if !output.status.success() {
        bail!("nonius {} fails: {}", words.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_becomes_tables() {
        let schema = r##"{"properties": {"findings": {"description": "All.", "type": "array", "items": {"$ref": "#/$defs/finding"}}},
            "$defs": {"finding": {"type": "object", "required": ["id"],
                "properties": {"id": {"type": "string", "description": "A|B"}, "worst": {"type": "object",
                    "properties": {"value": {"$ref": "#/$defs/number"}}}}}, "number": {"description": "A double."}}}"##;
        let text = report(schema).unwrap();
        for line in [
            "## `findings`",
            "| `id` | string | A\\|B |",
            "| `worst` | object, optional |  |",
            "| `worst.value` | number, optional | A double. |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn requests_come_from_the_header() {
        let header = fs::read_to_string(tests_root().unwrap().join("../include/nonius.h")).unwrap();
        let text = requests(&header).unwrap();
        for line in [
            "| `nonius_check(x)` | check x here as if it were printed |",
            "| `nonius_bounds(&x)` | put what x can be into the report |",
            "| `NONIUS_IGNORE` | before a function: do not instrument it |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        // Every request that the header defines is told.
        let defined = header.lines().filter_map(|line| line.strip_prefix("#define nonius_")?.split('(').next());
        for name in defined {
            assert!(text.contains(&format!("nonius_{name}(")), "nonius_{name}");
        }
    }
}
