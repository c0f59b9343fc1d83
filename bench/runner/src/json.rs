//! The results as JSON: one trial a line, so that two runs can be compared line by line.

use crate::results::Results;
use anyhow::Result;
use serde::Serialize;

const SCHEMA: &str = "nonius-bench/1";

pub fn text(results: &Results) -> Result<String> {
    let fields = [
        ("schema", serde_json::to_string(SCHEMA)?),
        ("machine", serde_json::to_string(&results.machine)?),
        ("nonius", serde_json::to_string(&results.nonius)?),
        ("clang", serde_json::to_string(&results.clang)?),
        ("settings", serde_json::to_string(&results.settings)?),
        ("means", list(&results.means)?),
        ("trials", list(&results.trials)?),
        ("sizes", list(&results.sizes)?),
        ("threads", list(&results.threads)?),
        ("skipped", list(&results.skipped)?),
        ("peak_floor_bytes", results.peak_floor_bytes.to_string()),
    ];
    let lines: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
}

fn list(items: &[impl Serialize]) -> Result<String> {
    if items.is_empty() {
        return Ok("[]".into());
    }
    let lines = items.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[\n  {}\n]", lines.join(",\n  ")))
}
